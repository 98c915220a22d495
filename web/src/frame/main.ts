// What does the sandboxed frame do? One thing: it makes the worker. A worker made here has the frame's opaque origin
// and its policy (see runner.html), so user code reaches no storage, no network and no page; a `data:` worker, because
// a `blob:` one gets no WebGPU in an opaque origin. No user code ever runs in the frame itself.

import type { FrameFailure, FrameMessage } from "../protocol/messages";

addEventListener(
  "message",
  (event: MessageEvent<FrameMessage>) => {
    if (event.source !== parent || event.data.type !== "weft-worker") return;
    const fail = (message: string) => parent.postMessage({ type: "weft-worker-failed", message } satisfies FrameFailure, "*");
    try {
      const url = "data:text/javascript;charset=utf-8," + encodeURIComponent(event.data.source);
      const worker = new Worker(url, { type: "module", name: "weft notebook" });
      worker.addEventListener("error", (failure) => fail(failure.message || "the notebook's worker could not start"));
      worker.postMessage(null, [event.ports[0]!]);
    } catch (error) {
      fail(String(error));
    }
  },
  { once: true },
);
