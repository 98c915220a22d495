// CPU time of steps on Dawn's backend that runs nothing: what the library itself takes, collection
// of garbage included, whatever else the machine does. Several builds take turns, each in the
// folder that its pack.mjs wrote.
//
//   node bench/step/host.mjs PACKED [PACKED …] [--rounds N] [--only REGEX] [--all]
//
// With --all, every row of the public benchmark that has an eager form, at its small sizes. Beside
// the first build's, the others' times are the median of each round's to the first's in that round.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { draw } from "../compare.mjs";
import { weftOn } from "../libraries/weft.mjs";
import { median } from "../measure.mjs";
import { nameOf, WORKLOADS } from "../workloads.mjs";

/** @typedef {import("../libraries/weft.mjs").Weft} Weft */
/** @typedef {import("weft-gpu").Tensor} Tensor */

const STEPS = 64;
/** Steps of the public benchmark where the host takes as long as a GPU, or longer: a workload's
 * kind, its manner and its size.
 * @type {[string, "captured" | "eager", number[]][]} */
const OF_BENCHMARK = [
  ["matmul", "captured", [64, 64, 64, 32]],
  ["vectors × matrix", "captured", [8, 768]],
  ["argmax", "eager", [2 ** 18]],
  ["N-body", "eager", [512]],
  ["MLP", "eager", [32, 196, 128, 64]],
  ["MLP", "captured", [32, 196, 128, 64]],
  ["CNN", "eager", [8, 28, 1, 4, 8]],
  ["CNN", "captured", [8, 28, 1, 4, 8]],
];
/** Rounds before those that count: V8 compiles WebAssembly twice, the second time what has run
 * often. */
const BEFORE = 30;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: "string", default: "41" }, only: { type: "string" }, all: { type: "boolean", default: false } } });
if (positionals.length === 0) throw new Error("name folders that pack.mjs wrote");
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ? resolve(process.env["DAWN"]) : "webgpu");
Object.assign(globalThis, globals);
/** Dawn does not outlive a GPU that is collected. @type {GPU[]} */
const gpus = [];
// Dawn's work ends in turns of this process's loop, which must therefore have some.
const turning = setInterval(() => {}, 5);

/** Steps by name, each of which asks for the device's work and reads nothing.
 * @type {(w: Weft) => Record<string, () => void>} */
function stepsOf(w) {
  const training = () => {
    const net = new w.nn.Sequential(new w.nn.Linear(16, 32), new w.nn.ReLU(), new w.nn.Linear(32, 32), new w.nn.ReLU(), new w.nn.Linear(32, 10));
    const optimizer = w.optim.sgd(net, { lr: 0.01 });
    return (/** @type {Tensor} */ x, /** @type {Tensor} */ y) => {
      const [loss, gradients] = w.valueAndGrad((/** @type {import("weft-gpu").nn.Sequential} */ net) => w.crossEntropy(net.forward(x), y))(net);
      optimizer.step(gradients);
      return loss;
    };
  };
  const [x, y] = [w.random.normal([16, 16]), w.tensor(Array.from({ length: 16 }, (_, n) => n % 10), { dtype: "i32" })];
  void w.realize(x, y);
  const [eager, captured] = [training(), w.jit(training())];
  let wave = w.random.normal([64, 64]);
  let chain = w.random.normal([64]);
  const replaced = (/** @type {Tensor} */ from, /** @type {(x: Tensor) => Tensor} */ step) => {
    const next = w.tidy(() => step(from));
    void w.realize(next);
    from.dispose();
    return next;
  };
  const library = weftOn(w);
  /** @type {Record<string, () => void>} */
  const steps = {};
  for (const workload of values.all ? WORKLOADS : []) {
    const { kind, software, axes } = workload;
    if (!software || kind.includes("by a kernel") || kind === "upload" || kind === "read") continue;
    const { step } = library.chain(kind, draw(workload.inputs(software)), { size: software, axes, captured: false });
    if (step) steps[`${nameOf(workload, software)}, eager`] = step;
  }
  for (const [kind, manner, size] of OF_BENCHMARK) {
    const workload = WORKLOADS.find((workload) => workload.kind === kind && workload.full.length === size.length);
    const chain = workload && library.chain(kind, draw(workload.inputs(size)), { size, axes: workload.axes, captured: manner === "captured" });
    if (!chain?.step) throw new Error(`no ${kind} in the benchmark`);
    steps[`${kind} ${size.join("×")}, ${manner}`] = chain.step;
  }
  return {
    ...steps,
    "MLP, eager": () => eager(x, y).dispose(),
    "MLP, captured": () => captured(x, y).dispose(),
    "stencil, eager": () => void (wave = replaced(wave, (u) => u.add(w.roll(u, 1, 0).add(w.roll(u, -1, 0)).sub(u.mul(2)).mul(0.1)))),
    "40 operations, eager": () => void (chain = replaced(chain, (u) => Array.from({ length: 20 }).reduce((/** @type {Tensor} */ u) => u.mul(0.99).add(0.01), u))),
  };
}

const builds = [];
for (const [n, folder] of positionals.entries()) {
  /** @type {Weft} */
  const w = await import(`${pathToFileURL(join(folder, "weft.mjs")).href}?${n}`);
  const gpu = create(["backend=null"]);
  gpus.push(gpu);
  await w.init({ device: "webgpu", gpu, tune: false });
  builds.push({ folder, w, steps: stepsOf(w) });
}
const names = Object.keys(builds[0]?.steps ?? {}).filter((name) => !values.only || new RegExp(values.only).test(name));
for (const name of names) {
  /** @type {number[][]} */
  const times = builds.map(() => []);
  for (let round = 0; round < BEFORE + Number(values.rounds); round++) {
    for (let turn = 0; turn < builds.length; turn++) {
      const n = (round + turn) % builds.length;
      const build = builds[n];
      const step = build?.steps[name];
      if (!build || !step) continue;
      await build.w.synchronize();
      const start = process.cpuUsage();
      for (let n = 0; n < STEPS; n++) step();
      const { user, system } = process.cpuUsage(start);
      if (round >= BEFORE) times[n]?.push((user + system) / STEPS);
    }
  }
  const beside = (/** @type {number[]} */ all) => median(all.map((time, round) => time / (times[0]?.[round] ?? time))).toFixed(3);
  console.log(name.padEnd(48), ...times.map((all, n) => `${median(all).toFixed(1)} µs (${Math.min(...all).toFixed(1)})${n > 0 ? ` ${beside(all)}` : ""}`.padStart(26)));
}
clearInterval(turning);
process.exit(0);
