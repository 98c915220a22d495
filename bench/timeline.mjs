// The inspector's timeline beside the time of a step: the sum of a step's dispatches by the
// device's timestamps, and what a step takes by the clock while the GPU has nothing else to do and
// is never idle. Both are of the same training steps; they should agree within 10 %.
//
//   DAWN=dawn.node node bench/timeline.mjs under Node.js and Dawn node bench/timeline.mjs --pack
//   DIR leaves DIR/timeline.mjs and the library, which need nothing else

import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const beside = join(here, "inline.js");
const library = existsSync(beside) ? beside : join(here, "../dist/npm/inline.js");

const packing = process.argv.indexOf("--pack");
if (packing > 0) {
  const out = resolve(process.argv[packing + 1] ?? "timeline");
  mkdirSync(out, { recursive: true });
  for (const file of readdirSync(dirname(library)).filter((name) => /\.(js|wasm)$/.test(name))) copyFileSync(join(dirname(library), file), join(out, file));
  copyFileSync(fileURLToPath(import.meta.url), join(out, "timeline.mjs"));
  console.log(`packed into ${out}; there: DAWN=dawn.node node timeline.mjs`);
  process.exit(0);
}

/** The most that the two may differ, as a share of the step. */
const MOST = 0.1;
/** Steps that are recorded, and milliseconds for which unrecorded ones run. */
const RECORDED = 20;
const LONG = Number(process.env["MILLISECONDS"] ?? 2_000);

const dawn = createRequire(import.meta.url)(process.env["DAWN"] ? resolve(process.env["DAWN"]) : "webgpu");
Object.assign(globalThis, dawn.globals);
// Dawn's work ends in turns of this process's loop, which must therefore have some.
setInterval(() => {}, 5);
// Dawn rounds timestamps unless this feature is off. Browsers round them, too.
const gpu = dawn.create(["disable-dawn-features=timestamp_quantization"]);
const weft = await import(pathToFileURL(library).href);
const { adapter } = await weft.init({ gpu, device: "webgpu", tune: false });
await weft.preload();
console.log(`${adapter.vendor} ${adapter.architecture} ${adapter.description}${adapter.isFallback ? " (software)" : ""}`);

const { jit, optim, random, synchronize, throttle, labelRuns, valueAndGrad, Parameter, Tensor } = weft;
const core = () => Tensor.openCore("inspect").core;
const scale = adapter.isFallback ? 8 : 1;

/** Training steps of networks whose dispatches take from microseconds to milliseconds. */
const steps = {
  "MLP 1024": () => mlp(1024 / scale, 1024 / scale),
  "MLP 4096": () => mlp(4096 / scale, 4096 / scale),
  softmax: () => {
    const x = random.normal([8192 / scale, 4096 / scale]).keep();
    return jit(() => x.softmax(-1).mul(x).sum());
  },
};

function mlp(/** @type {number} */ batch, /** @type {number} */ width) {
  const parameters = [width, width, 10].map((out) => new Parameter(random.normal([width, out]).mul(0.02)));
  const optimizer = optim.adam(parameters, { lr: 1e-4 });
  const [x, y] = [random.normal([batch, width]).keep(), random.normal([batch, 10]).keep()];
  const lossOf = valueAndGrad((/** @type {any[]} */ [a, b, c]) => x.matmul(a).relu().matmul(b).relu().matmul(c).sub(y).square().mean());
  return jit(() => {
    const [loss, gradients] = lossOf(parameters);
    optimizer.step(gradients);
    return loss;
  });
}

let failed = false;
for (const [name, make] of Object.entries(steps)) {
  const step = make();
  const run = async () => void (step()?.dispose?.(), await throttle());
  for (let n = 0; n < 5; n++) await run();
  await synchronize();
  const begin = performance.now();
  let count = 0;
  while (performance.now() - begin < LONG) {
    await run();
    count++;
  }
  await synchronize();
  const clock = ((performance.now() - begin) * 1e6) / count;

  await core().inspect("record 1 0");
  labelRuns(1);
  for (let n = 0; n < RECORDED; n++) await run();
  labelRuns(0);
  await synchronize();
  const recorded = JSON.parse(await core().inspect("runs 1"));
  await core().inspect("record 0 0");
  // The first warm up what recording changes.
  const timed = recorded.runs.filter((/** @type {{ dispatches: number[] }} */ { dispatches }) => dispatches.length > 0).slice(-Math.floor(RECORDED / 2));
  const sum = timed.reduce((/** @type {number} */ total, /** @type {{ dispatches: any[] }} */ { dispatches }) => total + dispatches.reduce((/** @type {number} */ all, _, n) => (n % 3 === 0 ? all + dispatches[n + 2] - dispatches[n + 1] : all), 0), 0) / timed.length;
  const off = Math.abs(sum / clock - 1);
  failed ||= !(off <= MOST);
  console.log(`${name.padEnd(10)} step ${(clock / 1e6).toFixed(3)} ms by the clock, ${(sum / 1e6).toFixed(3)} ms in ${timed[0]?.dispatches.length / 3} dispatches: ${((sum / clock) * 100).toFixed(1)} %; clock of the device steps by ${recorded.quantum} ns`);
}
console.log(failed ? "The timeline is more than 10 % off." : "The timeline agrees within 10 %.");
process.exit(failed ? 1 : 0);
