// A page built with webpack, and its worker.

import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

/** What the worker posts, or why it failed. */
function inWorker() {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
  });
}

globalThis.outcome = Promise.all([program({ init, linalg, nn, tensor, valueAndGrad }, { device: "webgpu" }), inWorker()]);
