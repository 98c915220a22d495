// Cost of work that nobody waits for, on a GPU that nothing has slowed. The time that commands take
// decides how many share a submit, so this file runs little else.

import { beforeAll, expect, it } from "vitest";
import { init, jit, ones, realize, stats, synchronize, type Tensor } from "../../src/index.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

beforeAll(async () => {
  await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes() });
});

it("shares submits from the first few steps on", async () => {
  const turn = jit((x: Tensor) => x.mul(0.5).add(1));
  let x = turn(ones([64]));
  const submits = async () => {
    await synchronize();
    const before = stats().submits;
    for (let i = 0; i < 28; i++) x = turn(x);
    return stats().submits - before;
  };
  // One by itself, four, eight, and the others wait for more. At first the device has not vouched
  // for the buffers, and what may fail by another shares nothing.
  expect(await submits()).toBeLessThan(12);
  expect(await submits()).toBeLessThan(5);
  expect((await values(x))[0]).toBeCloseTo(2, 3);
});

it("costs as much after thousands of results, which the device has had no turn to vouch for, as at first", async () => {
  const all: Tensor[] = [ones([3])];
  // 15 s for a third of these where each looked at all before it.
  for (let i = 0; i < 10_000; i++) {
    const next = (all.at(-1) as Tensor).add(1);
    void realize(next);
    all.push(next);
  }
  expect(await values(all.at(-1) as Tensor)).toEqual([10_001, 10_001, 10_001]);
}, 60_000);
