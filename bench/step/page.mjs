// The page that measures the CPU time of a step. It opens a device, trains an MLP of 13 dispatches,
// and reports the time to the first value and of every later step, captured and eager. Beside them
// it repeats by hand the calls of WebGPU that the captured steps made.

import { record } from "./record.mjs";

/** @typedef {import("weft-gpu").Tensor} Tensor */
/** @typedef {{ median: number, least: number }} Micros Microseconds of the page's thread for a
 * step. */
/** @typedef {{ bare: number, init: number, first: number, firstOwn: number, laterOwn: number, captured: Micros, eager: Micros, byHand: Micros, calls: number, dispatches: number }} ColdStart
 * Milliseconds, but for `captured`, `eager` and `byHand`; calls of WebGPU for a captured step. */

const software = new URLSearchParams(location.search).has("software");
/** Steps between two looks at the clock, which may be a coarse one. */
const STEPS = 48;
const ROUNDS = 60;
/** Rounds before those that count: browsers compile WebAssembly twice, the second time what has run
 * often, and well. */
const BEFORE = software ? 20 : 120;
/** New steps, of which the last is timed. */
const LATER = 12;
/** Examples, and the widths of the layers: fewer where the CPU computes. */
const [batch, inputs, wide, narrow] = software ? [16, 98, 64, 32] : [128, 784, 512, 256];

/** What a round comes to, when the device has caught up before.
 * @type {(work: () => void, idle: () => Promise<void>) => Promise<Micros>} */
async function timed(work, idle) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    await idle();
    const start = performance.now();
    work();
    times.push((1000 * (performance.now() - start)) / STEPS);
  }
  times.sort((a, b) => a - b);
  return { median: times[ROUNDS >> 1] ?? Number.NaN, least: times[0] ?? Number.NaN };
}

/** What opening a device takes when nothing else is done. */
async function bare() {
  const start = performance.now();
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("WebGPU has no adapter");
  const device = await adapter.requestDevice();
  const took = performance.now() - start;
  device.destroy();
  return took;
}

/** @returns {Promise<ColdStart>} */
async function timeCold() {
  // The first also starts the browser's GPU process.
  await bare();
  const opened = await bare();
  /** @type {typeof import("weft-gpu")} */
  const w = await import(/* @vite-ignore */ new URL("weft.mjs", location.href).href);
  const start = performance.now();
  await w.init({ device: "webgpu", tune: false });
  const init = performance.now() - start;

  const [x, y] = [w.random.normal([batch, inputs]), w.random.normal([batch, 10]).argmax(-1)];
  const training = (width = wide) => {
    const net = new w.nn.Sequential(new w.nn.Linear(inputs, width), new w.nn.ReLU(), new w.nn.Linear(width, narrow), new w.nn.ReLU(), new w.nn.Linear(narrow, 10));
    void w.realize(...net.parameters());
    const sgd = w.optim.sgd(net, { lr: 0.01 });
    return (/** @type {Tensor} */ x, /** @type {Tensor} */ y) => {
      const [loss, gradients] = w.valueAndGrad((/** @type {import("weft-gpu").nn.Sequential} */ net) => w.crossEntropy(net.forward(x), y))(net);
      sgd.step(gradients);
      return loss;
    };
  };
  // The milliseconds until the call returns, and until its value is there.
  const cold = async (/** @type {typeof eager} */ step) => {
    await w.synchronize();
    const start = performance.now();
    const loss = step(x, y).item();
    const own = performance.now() - start;
    await loss;
    return { own, value: performance.now() - start };
  };
  const [eager, captured] = [training(), w.jit(training())];
  void w.realize(x, y);
  const first = await cold(captured);

  const many = (/** @type {typeof eager} */ step) => () => {
    for (let n = 0; n < STEPS; n++) step(x, y).dispose();
  };
  for (const step of [captured, eager]) {
    for (let n = 0; n < BEFORE; n++) {
      many(step)();
      await w.synchronize();
    }
  }
  const times = { captured: await timed(many(captured), w.synchronize), eager: await timed(many(eager), w.synchronize) };
  await w.synchronize();
  const before = w.stats().dispatches;
  const { play, calls } = record(many(captured));
  const dispatches = (w.stats().dispatches - before) / STEPS;
  const queue = w.gpuDevice()?.queue;
  const byHand = await timed(play, async () => void (await queue?.onSubmittedWorkDone()));
  let later = first;
  for (let n = 1; n <= LATER; n++) later = await cold(w.jit(training(wide - 4 * n)));
  return { bare: opened, init, first: first.value, firstOwn: first.own, laterOwn: later.own, ...times, byHand, calls: calls / STEPS, dispatches };
}

try {
  Object.assign(window, { cold: await timeCold() });
} catch (error) {
  Object.assign(window, { cold: { error: String(error instanceof Error ? error.stack : error) } });
}
