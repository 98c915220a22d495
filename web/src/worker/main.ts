// What runs in the worker? This: it waits for a port and the library's wasm, opens the device, binds the scope, and
// then runs the cells that the page sends.

import type { PageMessage } from "../protocol/messages";
import { currentRun, requestStop } from "./context";
import { fileArrived } from "./files";
import { imageShown } from "./images";
import { clicked, drawn } from "./input";
import { library, libraryNames, startLibrary } from "./library";
import { openPort, reportError, send } from "./port";
import { captureStrayErrors, runCell } from "./run";
import { bindScope } from "./scope";
import { captureConsole } from "./text";

function receive(message: PageMessage): void {
  switch (message.type) {
    case "start":
      return void start(message);
    case "run":
      return void runCell(message);
    case "stop":
      if (requestStop(message.run)) send({ type: "stopping", run: message.run });
      return;
    case "file":
      return fileArrived(message.request, message.reply);
    case "click":
      return clicked(message.output);
    case "drawing":
      return drawn(message.output, message.pixels);
    case "shown":
      return imageShown(message.output);
  }
}

async function start({ wasm, device }: Extract<PageMessage, { type: "start" }>): Promise<void> {
  try {
    const report = await startLibrary(wasm, device);
    bindScope(library);
    captureConsole();
    captureStrayErrors(currentRun);
    send({ type: "ready", device: report, names: libraryNames() });
  } catch (error) {
    send({ type: "unusable", error: reportError(error) });
  }
}

addEventListener("message", (event: MessageEvent<unknown>) => openPort(event.ports[0]!, receive), { once: true });
