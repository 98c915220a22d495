// Energies of atoms and a molecule by variational Monte Carlo, on a GPU in Node: the cells of
// notebooks/electrons.md up to its picture, which are JavaScript without kernels. It prints the
// energy with its standard error beside the known one.
//
//   cargo xtask build && node bench/frames/electrons.mjs [helium|"lithium hydride"|neon]
//                        [--steps N] [--rounds N] [--cpu]

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import * as weft from "../../dist/npm/index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: "string", default: "2000" }, rounds: { type: "string", default: "400" }, cpu: { type: "boolean" } },
});
const [name = "helium"] = positionals;
if (values.cpu) await weft.init({ device: "cpu" });
else {
  const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
  Object.assign(globalThis, globals);
  await weft.init({ device: "webgpu", gpu: create([]) });
}
// Dawn's work ends in turns of this process's loop, which must therefore have some.
setInterval(() => {}, 5);
console.log(`${weft.deviceInfo()?.kind}: ${weft.deviceInfo()?.adapter?.description ?? ""}`);

const notebook = await readFile(new URL("../../notebooks/electrons.md", import.meta.url), "utf8");
const cells = [...notebook.slice(0, notebook.indexOf("## Watch")).matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code);
/** What the playground adds to the library: here the menu's choice is an argument. */
const library = { ...weft, select: (/** @type {string} */ _label, /** @type {Record<string, unknown>} */ among) => among[name] };
const parts = "advance, exact, energyOf: jit((theta, r) => vmap((r) => localEnergy(theta, r))(r).mean())";
const { advance, exact, energyOf, current } = new Function(...Object.keys(library), `${cells.join("\n")}\nstate = start();\nreturn { ${parts}, current: () => state };`)(...Object.values(library));

const began = performance.now();
const seconds = () => ((performance.now() - began) / 1_000).toFixed(0);
let sum = 0;
for (let step = 1; step <= Number(values.steps); step++) {
  sum += Number(await (await advance()).item());
  if (step % 100 !== 0) continue;
  console.log(`${step} steps, ${(sum / 100).toFixed(4)} hartrees, ${seconds()} s`);
  sum = 0;
}
/** @type {number[]} */
const found = [];
for (let round = 0; round < Number(values.rounds); round++) {
  await advance(20, false);
  const { theta, r } = current();
  found.push(Number(await energyOf(theta, r).item()));
}
const mean = found.reduce((a, b) => a + b) / found.length;
const variance = found.reduce((total, energy) => total + (energy - mean) ** 2, 0) / (found.length - 1);
console.log(`${name}: ${mean.toFixed(5)} ± ${Math.sqrt(variance / found.length).toFixed(5)} hartrees, known: ${exact}, ${seconds()} s`);
process.exit(0);
