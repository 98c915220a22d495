// The benchmark in a page: `?only=REGEX&quick` choose, and the report is shown and left in `window.measured`.

import * as weft from "weft-gpu";
import { run, table } from "./run.mjs";

const asked = new URL(location.href).searchParams;
const only = asked.get("only");
const out = document.body.appendChild(document.createElement("pre"));
const log = (/** @type {string} */ line) => {
  out.textContent += `${line}\n`;
};
try {
  if (!navigator.gpu) throw new Error("this browser has no WebGPU");
  const report = await run({ weft, gpu: navigator.gpu, only: only ? new RegExp(only) : undefined, quick: asked.has("quick"), log });
  out.textContent = table(report);
  Object.assign(window, { measured: { report, text: out.textContent } });
} catch (error) {
  log(String(error));
  Object.assign(window, { measured: { text: String(error) } });
}
