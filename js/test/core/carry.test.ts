// Loops that never read, through the package and on a GPU (Dawn in Node): memory stays flat
// whatever they carry from turn to turn. `WEFT_SOAK=20000` sets the turns of each loop; a full run
// has five times as many as a landing.

import { beforeAll, describe, expect, it } from "vitest";
import { arange, init, memory, nn, optim, random, realize, stats, synchronize, tensor, union1d, union1dWithSize, uniqueAll, uniqueCount, uniqueWithSize, valueAndGrad, zeros, type Tensor } from "../../src/index.js";
import { collect } from "../support/collector.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

const TURNS = Number(process.env.WEFT_SOAK ?? (process.env.WEFT_TIER === "full" ? 3000 : 600));
/** After so many turns everything has been made once, and been given back. */
const EARLY = 200;
const LONG = 60_000 + TURNS * 60;

beforeAll(async () => {
  await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes() });
});

function training() {
  random.seed(1);
  const first = new nn.Linear(64, 256);
  const model = new nn.Sequential(first, new nn.ReLU(), new nn.Linear(256, 10));
  const optimizer = optim.sgd(model, { lr: 0.01 });
  const x = random.normal([8, 64]);
  const y = random.randint([8], 0, 10);
  const lossOf = valueAndGrad((m: nn.Sequential) => nn.crossEntropy(m.forward(x), y));
  const step = () => {
    const [loss, gradients] = lossOf(model);
    optimizer.step(gradients);
    return loss;
  };
  const right = () => model.forward(x).argmax(-1).equal(y).cast("f32").sum();
  return { weight: first.weight, step, right };
}

/** Turns in which what the collector found may wait for a flush: those of four collections. */
const PATIENCE = 100;

/** Runs a loop that now and then lets finalizers run. What it holds must not grow after its first
 * turns, but for what waits to be given back. */
async function checkFlat(turn: (i: number) => void, slack: number): Promise<void> {
  let early = { bytes: 0, tensors: 0 };
  let misses = 0;
  let since = 0;
  for (let i = 0; i < TURNS; i++) {
    turn(i);
    if (i % 25 === 24) await collect();
    const { bytesLive, programMisses } = stats();
    const { tensors } = memory();
    if (i < TURNS / 2) misses = programMisses;
    if (i < EARLY) {
      early = { bytes: Math.max(early.bytes, bytesLive), tensors: Math.max(early.tensors, tensors) };
      continue;
    }
    since = bytesLive > early.bytes + slack ? since + 1 : 0;
    if (since > PATIENCE) throw new Error(`turn ${i}: ${bytesLive} bytes are live; there were ${early.bytes}`);
    if (tensors > early.tensors * 2) throw new Error(`turn ${i}: ${tensors} tensors are held; there were ${early.tensors}`);
  }
  // Where the core looks after pending work by size, it looks every 70 turns or so, and what the
  // collector has found by then decides what it finds. The first half has made nearly every
  // program; a program for each look would be ten more.
  expect(stats().programMisses).toBeLessThanOrEqual(misses + 3);
}

describe("a training loop that never reads", () => {
  it("keeps memory flat while it carries a running loss and an average of the weights", { timeout: LONG }, async () => {
    const { step, weight } = training();
    let total: Tensor = zeros([]);
    let average: Tensor = zeros(weight.shape);
    await checkFlat(() => {
      total = total.add(step());
      average = average.mul(0.99).add(weight.mul(0.01));
    }, 2 ** 20);
    // What a GPU that is behind has not begun with does not count.
    await synchronize();
    const before = stats();
    expect(await total.item()).toBeGreaterThan(0);
    expect((await values(average)).some((value) => value !== 0)).toBe(true);
    expect(stats().dispatches - before.dispatches).toBeLessThanOrEqual(8);
  });

  it("keeps memory flat while it counts right answers and lists them", { timeout: LONG }, async () => {
    const { step, right } = training();
    let total: Tensor = zeros([]);
    const list: Tensor[] = [];
    await checkFlat(() => {
      const now = right();
      total = total.add(now);
      // A list of small values may grow by a small buffer each.
      list.push(now);
      if (list.length > 100) list.shift();
      step();
    }, 2 ** 20);
    expect(await total.item()).toBeGreaterThanOrEqual(0);
  });
});

describe("a loop of operations alone", () => {
  it("gives back what the collector found, without a read, a realize or a step", { timeout: LONG }, async () => {
    const x = tensor(new Float32Array(1000).fill(1));
    let most = 0;
    for (let i = 0; i < 20_000; i++) {
      const y = x.add(i).mul(2).sum();
      if (y.size !== 1) throw new Error("a sum is one element");
      if (i % 500 === 499) await collect();
      most = Math.max(most, memory().tensors);
    }
    await collect();
    expect(most).toBeLessThan(16_000);
  });

  it("holds no memory on the device for results that keep nothing alive, even where no finalizer can run", async () => {
    const x = tensor(new Float32Array(2 ** 16).fill(1));
    const before = stats();
    let y: Tensor = x;
    for (let i = 0; i < 20_000; i++) y = x.add(i);
    expect(stats().bytesLive).toBeLessThanOrEqual(before.bytesLive + 2 ** 18);
    expect((await values(y))[0]).toBe(20_000);
  });

  it("stays flat when it carries its state", { timeout: LONG }, async () => {
    const batch = new Float32Array(2 ** 18).fill(1);
    let x: Tensor = zeros([2 ** 18]);
    await checkFlat(() => (x = x.mul(0.5).add(tensor(batch))), 2 ** 27);
    expect((await values(x))[0]).toBeCloseTo(2, 5);
  });
});

it("what is sorted is sorted once, whether how many there are is read or not", async () => {
  const dispatches = async (run: () => Promise<unknown>): Promise<number> => {
    await run();
    const before = stats().dispatches;
    await run();
    return stats().dispatches - before;
  };
  const [a, b] = [arange(20_000).mul(5).remainder(301), arange(200).mul(3).remainder(103)];
  await realize(a, b);
  const sets = await dispatches(async () => {
    const { values: found, count } = union1dWithSize(a, b, 20_200);
    await realize(found, count);
  });
  expect(sets).toBeGreaterThan(2);
  // And the slice.
  expect(await dispatches(async () => (await union1d(a, b)).array())).toBeLessThanOrEqual(sets + 1);
  const different = await dispatches(async () => {
    const { values: found, counts, indices, inverse } = uniqueWithSize(a, 20_000);
    await realize(found, counts, indices, inverse, uniqueCount(a));
  });
  const read = async () => {
    const { values: found, counts, indices, inverse } = await uniqueAll(a);
    await realize(found, counts, indices, inverse);
  };
  expect(await dispatches(read)).toBeLessThanOrEqual(different + 3);
});
