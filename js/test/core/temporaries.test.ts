// Memory of results that nobody disposed. Loops that hold every handle, or leave all of them to the
// collector, run on the CPU device, whose reads end without a turn of the event loop: live memory
// stays near what the program holds.

import { expect, it } from "vitest";
import { arange, grad, jit, memory, ones, realize, stats, type Tensor } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";

onCpu();

/** Other work on the machine must not fail a test that counts bytes. */
const SLOW = { timeout: 120_000 };
const LARGE = 2 ** 20;
const BYTES = 4 * LARGE;
/** What may be stored before the core looks at what holds it, and what is at work. */
const BOUND = 64 * 2 ** 20 + 4 * BYTES;

/** Runs `body` so many times; says by how much what is live rose above what there was. */
async function rise(times: number, body: (i: number) => Promise<void>): Promise<number> {
  const before = stats().bytesLive;
  let most = 0;
  for (let i = 0; i < times; i++) {
    await body(i);
    most = Math.max(most, stats().bytesLive - before);
  }
  return most;
}

it("a result that is disposed is freed, though what was read through is held", SLOW, async () => {
  const x = await large();
  const f = jit((x: Tensor) => x.neg());
  const held: Tensor[] = [];
  const most = await rise(30, async () => {
    const y = f(x);
    const part = y.slice([0, 1]);
    const sum = part.sum();
    held.push(part, sum);
    expect(await sum.item()).toBe(-1);
    y.dispose();
  });
  expect(most).toBeLessThan(BOUND + BYTES);
  expect(await (held[0] as Tensor).item()).toBe(-1);
  for (const tensor of held) tensor.dispose();
  x.dispose();
});

it("what a loss was computed from is freed, though the loss and its gradients are held", SLOW, async () => {
  const held: Tensor[] = [];
  const most = await rise(40, async (i) => {
    const x = await large();
    const slope = grad((w: Tensor) => x.mul(w).sum())(ones([]).add(i));
    held.push(slope, slope.mul(2), x.slice([0, 3]));
    if (i % 2 === 0) await slope.mul(3).item();
    x.dispose();
  });
  expect(most).toBeLessThan(BOUND);
  for (const tensor of held) expect((await tensor.data()).every(Number.isFinite)).toBe(true);
});

it("10,000 results that are left to the collector are freed on the way, though nothing but reads is awaited", SLOW, async () => {
  const x = await realized(ones([LARGE / 64]));
  const f = jit((x: Tensor) => x.neg());
  const most = await rise(10_000, async () => {
    // Two handles each.
    expect(await f(x).slice([0, 1]).item()).toBe(-1);
  });
  // All of them take 655 MB.
  expect(most).toBeLessThan(384 * 2 ** 20);
  expect(memory().tensors).toBeLessThan(15_000);
});

it("results that are realized and never read are freed likewise", SLOW, async () => {
  const most = await rise(200, async (i) => {
    await realize(arange(LARGE).add(i));
  });
  expect(most).toBeLessThan(384 * 2 ** 20);
});

async function realized(tensor: Tensor): Promise<Tensor> {
  await realize(tensor);
  return tensor;
}

const large = () => realized(ones([LARGE]).mul(1));
