// Entry point of the worker. It waits for a port, opens the device while the library's wasm
// arrives, binds the scope, and then runs the cells that the page sends.

import type { PageMessage } from "../protocol/messages";
import { askAnimation, endAnimations } from "./displays/animate";
import { currentRun, requestStop, watchWork } from "./channel/context";
import { changedControl } from "./displays/controls";
import { deviceReleased, sampleArrived } from "./devices/devices";
import { soundArrived } from "./run/audio";
import { askAnswered } from "./run/ask";
import { fileArrived } from "./run/files";
import { hiddenDevice, hideGpu } from "./run/guard";
import { watchHeap } from "./channel/heap";
import { startHeart } from "./channel/heart";
import { imageShown, pointed } from "./displays/images";
import { clicked, drawn } from "./displays/input";
import { changedDevice, explainRun, library, libraryNames, noteRuns, startLibrary } from "./library/library";
import type { OpenDevice } from "./library/library";
import { wasmArrived } from "./library/wasm";
import { tellMemory, watchMemory } from "./library/memory";
import { openPort, reportError, send } from "./channel/port";
import { captureStrayErrors, noticeLoss, runCell } from "./run/run";
import { bindScope, notebookNames, rebind } from "./run/scope";
import { cellStats } from "./library/stats";
import { captureConsole } from "./displays/text";
import { uploaded } from "./displays/upload";
import { answerInspector } from "./library/inspector";
import { kernelsArrived } from "./library/kernels";
import { joinRest, restArrived } from "./library/rest";
import { tune, winnersArrived } from "./library/tuning";

function receive(message: PageMessage): void {
  switch (message.type) {
    case "start":
      return void start(message);
    case "wasm":
      return wasmArrived(message.bytes);
    case "run":
      return void run(message);
    case "stop":
      endAnimations(message.run);
      if (requestStop(message.run)) send({ type: "stopping", run: message.run });
      return;
    case "explain":
      return void joinRest().catch(() => undefined).then(() => send({ type: "explanation", run: message.run, text: explainRun(message.run) }));
    case "inspect":
      return void answerInspector(message.request, message.question, message.source);
    case "winners":
      return winnersArrived(message.request, message.text);
    case "tune":
      return void tune(message.allowed, message.winners);
    case "file":
      return fileArrived(message.request, message.reply);
    case "answer":
      return askAnswered(message.request, message.answer);
    case "sample":
      return sampleArrived(message.request, message.sample);
    case "audio":
      return soundArrived(message.request, message.sound);
    case "released":
      return deviceReleased(message.source, message.message);
    case "kernels":
      return kernelsArrived(message.source);
    case "rest":
      return restArrived(message.bytes);
    case "control": {
      uploaded(message.output, message.value);
      const changed = changedControl(message.output, message.value);
      if (changed && message.bound) rebind(changed.name, changed.value);
      return;
    }
    case "animation":
      return askAnimation(message.output, message.does);
    case "pointer":
      return pointed(message.output, message);
    case "click":
      return clicked(message.output);
    case "drawing":
      return drawn(message.output, message.pixels);
    case "shown":
      return imageShown(message.output);
  }
}

// The library and its core stand between a cell and an error: ten frames, V8's default, do not
// reach back to the cell.
Error.stackTraceLimit = 50;

let device: OpenDevice | null = null;

async function run(message: Extract<PageMessage, { type: "run" }>): Promise<void> {
  await runCell(message, () => {
    tellMemory();
    const changed = device && changedDevice(device);
    if (!changed) return;
    take(changed);
    send({ type: "device", device: changed.report });
  });
  // What did without is shown: now it may come. Where it does not, the cell that needs it says so.
  joinRest().catch(() => undefined);
}

/** From now on this is the device, and the page hears at once when it is lost, whether a cell runs
 * or not. */
function take(opened: OpenDevice): void {
  device = opened;
  void opened.info.lost.then((error) => device === opened && noticeLoss(error));
}

async function start(message: Extract<PageMessage, { type: "start" }>): Promise<void> {
  try {
    take(await startLibrary(message.device, message.tuning));
    watchHeap();
    if (!message.rawGpu) hideGpu();
    const own = { ...library, stats: cellStats };
    bindScope(message.rawGpu ? own : { ...own, gpuDevice: hiddenDevice });
    watchWork(noteRuns);
    captureConsole();
    watchMemory();
    captureStrayErrors(currentRun);
    send({ type: "ready", device: device!.report, names: libraryNames(notebookNames) });
  } catch (error) {
    send({ type: "unusable", error: reportError(error) });
  }
}

addEventListener("message", ({ ports: [port, heart] }: MessageEvent<unknown>) => {
  openPort(port!, receive);
  startHeart(heart!);
}, { once: true });
