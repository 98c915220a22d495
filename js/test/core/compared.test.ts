// Values that were read and are compared with what they were made of afterwards. The program that
// compares computes them again, whatever their size: a copy of their numbers might differ in its
// last bit from what another kernel computes.

import { beforeAll, describe, expect, it } from "vitest";
import { equal, explainRuns, init, labelRuns, max, memory, min, segmentMax, sort, take, tensor, tidy, type Tensor } from "../../src/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

beforeAll(async () => {
  await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes(), tune: false });
});

let label = 0;
const numbers = (shape: number[], from: number) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(Float32Array.from({ length: size }, (_, n) => Math.sin(3 * n + from)), { shape });
};
/** A value of several roundings. */
const valueOf = (shape: number[]) => {
  const [a, b] = [numbers(shape, 1), numbers(shape, 2)];
  return a.mul(b).add(a.square());
};
/** What the program that computes a tensor is. */
async function programOf(x: Tensor): Promise<string> {
  labelRuns(++label);
  await x.data();
  labelRuns(0);
  return explainRuns(label).map(({ explanation }) => String(explanation)).join("\n");
}

describe("a small value that was read", () => {
  const segments = Array.from({ length: 24 }, (_, n) => n % 3);
  const made: Record<string, [(x: Tensor) => Tensor, (x: Tensor, m: Tensor) => Tensor, RegExp]> = {
    "one number": [(x) => max(x), equal, / max %/],
    "one for each row": [(x) => min(x, 1, { keepdims: true }), equal, / min %/],
    "all of them, sorted": [(x) => sort(x, 1), equal, /bitonic|sort|rank/],
    "one for each segment": [(x) => segmentMax(x.flatten(), segments, 3), (x, m) => equal(x.flatten(), take(m, segments, 0)), /max/],
  };
  it.each(Object.keys(made))("is computed again where it is compared: %s", async (name) => {
    const [make, compare, found] = made[name] as (typeof made)[string];
    const x = valueOf([4, 6]);
    const m = make(x);
    const before = await m.data();
    expect(await programOf(compare(x, m))).toMatch(found);
    expect(await m.data()).toEqual(before);
  });

  it("keeps no buffer once many others were read", async () => {
    const held: Tensor[] = [];
    const before = memory().tensors;
    for (let n = 0; n < 600; n++) {
      const m = tidy(() => max(numbers([8], n).mul(2).add(numbers([8], -n))));
      await m.data();
      held.push(m);
    }
    expect(memory().tensors - before).toBeLessThan(300);
    // The values are still those.
    expect((await (held[0] as Tensor).add(0).item()) - (await (held[0] as Tensor).item())).toBe(0);
    for (const m of held) m.dispose();
    expect(memory().tensors).toBeLessThanOrEqual(before);
  });

  it("of integers, or read as it was given, keeps none", async () => {
    const before = memory().tensors;
    const m = tidy(() => max(tensor([1, 2, 3], { dtype: "i32" }).add(1)));
    await m.data();
    expect(memory().tensors).toBe(before);
    m.dispose();
  });
});
