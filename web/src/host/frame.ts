// Start and end of the runner. User code runs in a `data:` worker that a sandboxed frame of opaque
// origin makes. This file makes the frame, passes it the library as text and the wasm as bytes, as
// they arrive (a compiled module cannot cross), and removes it.

import { fromWorker, movedToWorker } from "../protocol/messages";
import type { FrameMessage, FrameNotice, PageMessage } from "../protocol/messages";
import type { DeviceChoice } from "../protocol/messages";
import type { Arriving } from "./arriving";
import { Heartbeat } from "../state/run/heartbeat";
import type { Runner, RunnerEvents } from "../state/run/worker-life";
import type { Winners } from "./winners";

export interface RunnerParts {
  /** The worker's module, as text. */
  readonly source: Promise<string>;
  /** The library's WebAssembly, without its deferred part. */
  readonly wasm: Arriving;
}

export interface RunnerOptions {
  /** When to make it: what it takes is fetched behind the page. */
  readonly begin: Promise<void>;
  /** The address of runner.html, and that of the page that holds it where no network answers. */
  readonly page: string;
  readonly shell: string;
  /** Whether no network answers: the sandboxed frame is served by none but the network. */
  readonly isOffline: () => Promise<boolean>;
  readonly parts: RunnerParts;
  /** Fetches the deferred part of the library's WebAssembly. */
  readonly fetchRest: () => Promise<ArrayBuffer>;
  /** Fetches the text of the entry of kernels. */
  readonly fetchKernels: () => Promise<string>;
  readonly device: DeviceChoice;
  /** Where the worker's winners of races are kept. */
  readonly winners: Winners;
  /** Whether cells may use WebGPU themselves; known once a notebook is open. */
  readonly rawGpu: Promise<boolean>;
}

/** How long after it has loaded the frame may take to say that it is there. */
const PATIENCE = 5_000;

const FLOOD = "The notebook sent more than the page can handle, so it was stopped. Its outputs stay. Press Restart to start again.";
const UNSTARTED = "This browser could not start the notebook's worker.";
const GONE = "The notebook's worker has ended: it closed itself, or the browser closed it, for example because memory ran out. Its outputs stay. Press Restart to start again.";

export function spawnRunner({ begin, page, shell, isOffline, parts, fetchRest, fetchKernels, device, rawGpu, winners }: RunnerOptions, events: RunnerEvents): Runner {
  const channel = new MessageChannel();
  const pulse = new MessageChannel();
  const heartbeat = new Heartbeat({
    ask: () => pulse.port1.postMessage(0),
    dead: () => {
      terminate();
      events.failed(GONE);
    },
  });
  pulse.port1.onmessage = () => heartbeat.answered();
  const frame = document.createElement("iframe");
  frame.title = "Notebook runner";
  // In the document but out of the way: browsers slow the timers of frames that are not displayed
  // to one a second, and run what stands in them at low priority.
  frame.className = "runner";
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  /** The window that is sandboxed: the frame's own, or the one that stands in it. */
  const runner = () => (frame.hasAttribute("sandbox") ? frame.contentWindow : (frame.contentWindow?.[0] ?? null));

  let onNotice: (event: MessageEvent<FrameNotice>) => void;
  // The frame has let through what it hands on; that it did is not taken on trust.
  channel.port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!fromWorker(data)) return;
    if (data.type === "winners") void winners.answer(data);
    else if (data.type === "rest") void sendRest();
    else if (data.type === "kernels") void fetchKernels().catch(() => null).then((source) => channel.port1.postMessage({ type: "kernels", source } satisfies PageMessage));
    else events.message(data);
  };
  // Once: it is large, and what asks again has it, or is no library.
  let restSent = false;
  const sendRest = async () => {
    if (restSent) return;
    restSent = true;
    const bytes = await fetchRest().catch(() => null);
    restSent = bytes !== null;
    const message: PageMessage = { type: "rest", bytes };
    channel.port1.postMessage(message, movedToWorker(message));
  };
  winners.attach((message) => channel.port1.postMessage(message));
  let ended = false;
  const loaded = new Promise<void>((resolve, reject) => {
    onNotice = (event) => {
      if (event.source === null || event.source !== runner()) return;
      if (event.data.type === "weft-frame-ready") resolve();
      if (event.data.type === "weft-worker-failed") {
        terminate();
        events.failed(event.data.reason === "flood" ? FLOOD : UNSTARTED);
      }
    };
    addEventListener("message", onNotice);
    // A host may lack the file, or forbid it to be framed: then a page of the host's, or of the
    // browser's, loads instead.
    frame.addEventListener("load", () => setTimeout(() => reject(new Error(`${page} did not load as a frame`)), PATIENCE));
  });
  void begin.then(isOffline).then((alone) => {
    if (ended) return;
    if (!alone) frame.setAttribute("sandbox", "allow-scripts");
    frame.src = alone ? shell : page;
    document.body.append(frame);
  });
  const made = Promise.all([loaded, parts.source]).then(([, source]) => {
    // An opaque origin has no name to address: the frame checks that its parent speaks.
    const message: FrameMessage = { type: "weft-worker", source };
    if (!ended) runner()?.postMessage(message, "*", [channel.port2, pulse.port2]);
  });
  // The worker reads its module, looks for a device and compiles while the wasm is on its way.
  const send = (message: PageMessage) => channel.port1.postMessage(message);
  const start = async () => {
    const [, allowed] = await Promise.all([made, rawGpu]);
    send({ type: "start", device, rawGpu: allowed, tuning: winners.allowed });
    await parts.wasm.take((bytes) => send({ type: "wasm", bytes }));
    send({ type: "wasm", bytes: null });
  };
  start().catch((error: unknown) => events.failed(error instanceof Error ? error.message : String(error)));

  const terminate = () => {
    ended = true;
    removeEventListener("message", onNotice);
    heartbeat.end();
    pulse.port1.close();
    channel.port1.close();
    frame.remove();
  };
  return { send: (message, transfer = []) => channel.port1.postMessage(message, transfer), terminate };
}
