// The benchmark in a page. `?only=REGEX&size=SIZE&alone` choose; the page shows the report and
// leaves it in `window.measured`.

import { contestants, isSoftware, sizeOf } from "./options.mjs";
import { run } from "./run.mjs";
import { lines, table } from "./table.mjs";

const asked = new URL(location.href).searchParams;
const only = asked.get("only");
const out = document.body.appendChild(document.createElement("pre"));
try {
  if (!navigator.gpu) throw new Error("this browser has no WebGPU");
  const software = await isSoftware(navigator.gpu);
  /** @type {(address: string) => Promise<import("./libraries/weft.mjs").Weft>} */
  const load = (address) => import(/* @vite-ignore */ address);
  const loaded = await contestants(await load("./weft.mjs"), await load("./weft.mjs?cpu"), { alone: asked.has("alone"), software });
  const report = await run({
    ...loaded,
    gpu: navigator.gpu,
    size: sizeOf(asked.get("size")) ?? (software ? "software" : "full"),
    only: only ? new RegExp(only) : undefined,
    onEnd: (report, name) => {
      const text = lines(report, name).join("\n");
      out.textContent += `${text}\n`;
      console.info(text);
    },
  });
  out.textContent = table(report);
  Object.assign(window, { measured: { report, text: out.textContent } });
} catch (error) {
  out.textContent += String(error);
  Object.assign(window, { measured: { text: String(error) } });
}
