// The hardware kit (`tests/hardware`) on the GPU that Dawn finds here: some items of each part, so
// that the kit itself keeps working: every second part, which rotates, and all of them in a full
// run. `cargo xtask hardware` runs all items.

import { beforeAll, expect, it, vi } from "vitest";
import { itemsOf, check, PARTS, type Side } from "../../../tests/hardware/parts.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

/** Items of each part that are checked: where software compiles their kernels, a random one takes
 * seconds. */
const FEW = { conformance: 20, programs: 3, gradients: 2, comparisons: 4, identities: 12, derivatives: 1, kernels: 2, tiers: 3 };
/** The first items of random parts. The kernel to differentiate is a short one: the compiler takes
 * twelve seconds for the second derivative of the first. */
const SEED = { conformance: 1, programs: 1, gradients: 1, comparisons: 1, identities: 1, derivatives: 15, kernels: 1, tiers: 1 };

let gpu: Side;
let cpu: Side;

beforeAll(async () => {
  gpu = await import("../../../tests/hardware/side.js");
  await gpu.open(await dawn(), { wasm: wasmBytes() });
  // A copy of the library of its own.
  vi.resetModules();
  cpu = await import("../../../tests/hardware/side.js");
  await cpu.open(null, { wasm: wasmBytes() });
});

const turn = Number(process.env["WEFT_SEED"] ?? 0) % 2;
const tried = PARTS.filter((_, n) => process.env["WEFT_TIER"] === "full" || n % 2 === turn);

it.each(tried)("%s", async (part) => {
  const items = itemsOf(part, gpu, { seed: SEED[part], count: FEW[part], stride: 1 }).slice(0, FEW[part]);
  expect(items.length).toBe(FEW[part]);
  const outcomes = [];
  for (const item of items) outcomes.push(await check(part, item, gpu, cpu));
  expect(outcomes.filter(({ verdict }) => verdict === "different")).toEqual([]);
  expect(outcomes.some(({ verdict }) => verdict === "same")).toBe(true);
}, 240_000);

it("a gradient that is left over from larger terms may be off by their rounding", async () => {
  // That of a standardized line of two values: 1.3e-3 where each term is about 5.
  const slack = (await cpu.prepare("gradients", 131202)).expected.gradient?.slack[2];
  expect(slack).toBeGreaterThan(5e-6);
  expect(slack).toBeLessThan(5e-5);
});

it("an order of numbers that only rounding makes equal decides nothing", async () => {
  // Variances of three equal numbers are 0 where their mean is exact.
  expect((await cpu.prepare("comparisons", 180568)).expected.value).toBe(null);
});

it("a wrong result is different, and tells how to see it again", async () => {
  const wrong: Side = { ...gpu, attempt: async (program, mode) => (await gpu.attempt(program, mode)).map((elements) => elements.map((x) => x + 1)) };
  const outcome = await check("comparisons", 1, wrong, cpu);
  expect(outcome.verdict).toBe("different");
  expect(outcome.wrong[0]).toMatch(/^eager: result 0, element 0 is/);
  expect(outcome.text).toMatch(/^const v0 = tensor\(\[/);
});
