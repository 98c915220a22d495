// What does the sandboxed frame do? One thing: it makes the worker. A worker made here has the frame's opaque origin
// and its policy (see runner.html), so user code reaches no storage, no network and no page; a `data:` worker, because
// a `blob:` one gets no WebGPU in an opaque origin. No user code ever runs in the frame itself.

import type { FrameMessage, FrameNotice } from "../protocol/messages";

const tell = (notice: FrameNotice) => parent.postMessage(notice, "*");

function makeWorker(event: MessageEvent<FrameMessage>): void {
  if (event.source !== parent || event.data.type !== "weft-worker") return;
  removeEventListener("message", makeWorker);
  const fail = (message: string) => tell({ type: "weft-worker-failed", message });
  try {
    const url = "data:text/javascript;charset=utf-8," + encodeURIComponent(event.data.source);
    const worker = new Worker(url, { type: "module", name: "weft notebook" });
    worker.addEventListener("error", (failure) => fail(failure.message || "the notebook's worker could not start"));
    worker.postMessage(null, [...event.ports]);
  } catch (error) {
    fail(String(error));
  }
}

addEventListener("message", makeWorker);
tell({ type: "weft-frame-ready" });
