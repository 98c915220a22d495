// The sandboxed frame, which makes the worker and passes messages between it and the page. A worker
// made here has the frame's opaque origin and its policy (see runner.html), so user code reaches no
// storage, no network and no page. It is a `data:` worker, because a `blob:` worker gets no WebGPU
// in an opaque origin. No user code ever runs in the frame itself: the frame checks each message of
// the worker here, in a process that is not the page's, and only then passes it on. It also decodes
// sounds, for which workers have no decoder.

import { Gate, Valve } from "../protocol/gate";
import { movedToWorker } from "../protocol/messages";
import { SoundDecoder } from "./sound";
import type { FrameMessage, FrameNotice, PageMessage } from "../protocol/messages";

// The address names the site that serves this, although the sandbox has an opaque origin: only a
// page of that site may send and receive messages. Without a network it stands in a page of the
// site's own (`build/offline.ts`), whose address a document without one of its own has.
const isHeld = location.href === "about:srcdoc";
const page = isHeld ? new URL(document.baseURI).origin : location.origin;
const host = isHeld ? parent.parent : parent;
const tell = (notice: FrameNotice) => host.postMessage(notice, page === "null" ? "*" : page);

function makeWorker(event: MessageEvent<FrameMessage | null>): void {
  if (event.source !== host || event.origin !== page || event.data?.type !== "weft-worker") return;
  removeEventListener("message", makeWorker);
  try {
    const url = "data:text/javascript;charset=utf-8," + encodeURIComponent(event.data.source);
    const worker = new Worker(url, { type: "module", name: "weft notebook" });
    const [toPage, ...others] = event.ports;
    const channel = new MessageChannel();
    relay(worker, channel.port1, toPage!);
    worker.postMessage(null, [channel.port2, ...others]);
  } catch {
    tell({ type: "weft-worker-failed", reason: "start" });
  }
}

function relay(worker: Worker, toWorker: MessagePort, toPage: MessagePort): void {
  const gate = new Gate();
  const decoder = new SoundDecoder((message, moved) => toWorker.postMessage(message, moved));
  const valve = new Valve(({ pass, moved }) => toPage.postMessage(pass, moved));
  // A message to itself waits behind all that the worker sent before: while it is on its way, the
  // worker may be ahead.
  const breath = new MessageChannel();
  let breathing = false;
  breath.port2.onmessage = () => {
    breathing = false;
    gate.breathe();
  };
  const end = (reason: "start" | "flood") => {
    worker.terminate();
    toWorker.close();
    toPage.close();
    tell({ type: "weft-worker-failed", reason });
  };
  // Errors of cells are the worker's own business; before it runs, it has none but its own.
  worker.addEventListener("error", () => gate.open || end("start"));
  toPage.onmessage = ({ data }: MessageEvent<PageMessage>) => toWorker.postMessage(data, movedToWorker(data));
  toWorker.onmessageerror = () => undefined;
  toWorker.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!breathing) {
      breathing = true;
      breath.port1.postMessage(0);
    }
    const verdict = gate.judge(data);
    if (verdict === "refused") return;
    if (verdict !== "flood" && verdict.pass.type === "audio") return decoder.decode(verdict.pass);
    if (verdict === "flood" || !valve.add(verdict)) end("flood");
  };
}

// Opened by itself, or where scripts of another origin could reach it, there is nobody to speak to.
if (host !== self && (!isHeld || host !== parent) && self.origin === "null") {
  addEventListener("message", makeWorker);
  tell({ type: "weft-frame-ready" });
}
