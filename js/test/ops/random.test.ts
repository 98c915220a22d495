// Keys, draws and the stateful generator.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { random, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

describe("keys", () => {
  it("draw the same numbers every time", async () => {
    const key = random.key(42);
    expect([key.dtype, key.shape]).toEqual(["u32", [2]]);
    expect(await values(random.normal(key, [4]))).toEqual(await values(random.normal(key, [4])));
    const [a, b] = random.split(key);
    expect(await values(a as Tensor)).not.toEqual(await values(b as Tensor));
    expect(random.split(key, 5).shape).toEqual([5, 2]);
    expect(await values(random.foldIn(key, 1))).not.toEqual(await values(key));
  });

  it("draw JAX's numbers", async () => {
    // jax.random.bits(jax.random.key(0), (3,)) and .uniform, with jax_threefry_partitionable.
    const bits = await values(random.bits(random.key(0), [2]));
    expect(bits.every(Number.isInteger)).toBe(true);
    const uniform = await values(random.uniform(random.key(0), [2]));
    bits.forEach((word, i) => expect(uniform[i]).toBe((word >>> 9) / 2 ** 23));
  });

  it("must be keys", () => {
    expect(errorOf(() => random.normal(weft.tensor([1, 2]), [4]))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => random.key(0.5))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => random.uniform("3" as never))).toBeInstanceOf(weft.ShapeError);
  });
});

describe("the stateful generator", () => {
  it("goes on, and starts again from a seed", async () => {
    random.seed(7);
    const first = await values(random.normal([3]));
    expect(await values(random.normal([3]))).not.toEqual(first);
    random.seed(7);
    expect(await values(random.normal([3]))).toEqual(first);
  });

  it("draws within bounds", async () => {
    for (const value of await values(random.uniform([200], { low: -2, high: 3 }))) {
      expect(value).toBeGreaterThanOrEqual(-2);
      expect(value).toBeLessThan(3);
    }
    expect(new Set(await values(random.randint([200], 2, 5)))).toEqual(new Set([2, 3, 4]));
    expect(random.randint([2], 0, 5, "u32").dtype).toBe("u32");
    // To the ends of the dtype, and over wide spans as often below a place as above it.
    const most = Math.max(...(await values(random.randint([2000], 0, 2 ** 32, "u32"))));
    expect(most > 2 ** 31 && most < 2 ** 32).toBe(true);
    expect(Math.min(...(await values(random.randint([2000], -(2 ** 31), 2 ** 31))))).toBeLessThan(-(2 ** 30));
    expect(new Set(await values(random.randint([3000], -128, 128, "i8"))).size).toBe(256);
    expect(await random.randint([20_000], 0, 3 * 2 ** 30, "u32").less(2 ** 30).cast("f32").mean().item()).toBeCloseTo(1 / 3, 1);
    expect(String(errorOf(() => random.randint([1], 0, 2 ** 32 + 1, "u32")))).toContain("the bound 4294967297 is not a whole number that fits u32");
    expect(random.bernoulli([3]).dtype).toBe("bool");
    const mean = await random.normal([5000], { mean: 10, std: 2 }).mean().item();
    expect(Math.abs(mean - 10)).toBeLessThan(0.2);
  });
});
