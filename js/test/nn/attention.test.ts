// Attention under masks: a query that sees no key has a result and a gradient of 0, whichever
// kernels compute it.

import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { grad, jit, nn, tensor, vmap, type DType, type Tensor } from "../../src/index.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

const [batch, heads, queries, keys, width] = [2, 2, 9, 7, 4] as const;
const size = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

/** Numbers that look random and are the same each time. */
const numbers = (shape: readonly number[], salt: number) => Array.from({ length: size(shape) }, (_, n) => Math.sin(1.7 * n + salt));
const made = (shape: readonly number[], salt: number, dtype: DType = "f32") => tensor(numbers(shape, salt), { shape, dtype });

/** Masks as truths, by a seed; a third of the rows see nothing. */
const truthsOf = (shape: readonly number[], seed: number) =>
  Array.from({ length: size(shape) }, (_, n) => {
    const row = Math.floor(n / keys);
    return (row + seed) % 3 > 0 && Math.sin(n * 5.3 + seed) > -0.2;
  });

/** What attention is, in f64. */
function expected(of: number[][], truths: boolean[], causal: boolean): number[] {
  const [q, k, v] = of as [number[], number[], number[]];
  const out: number[] = [];
  for (let h = 0; h < batch * heads; h++) {
    for (let i = 0; i < queries; i++) {
      const sees = (j: number) => truths[((h * queries + i) * keys + j) % truths.length] && (!causal || j <= i);
      const scores = Array.from({ length: keys }, (_, j) => (sees(j) ? Array.from({ length: width }, (_, c) => q[(h * queries + i) * width + c]! * k[(h * keys + j) * width + c]!).reduce((a, b) => a + b) / Math.sqrt(width) : -Infinity));
      const top = Math.max(...scores);
      const weights = scores.map((score) => (top === -Infinity ? 0 : Math.exp(score - top)));
      const sum = weights.reduce((a, b) => a + b) || 1;
      for (let c = 0; c < width; c++) out.push(weights.reduce((all, weight, j) => all + (weight / sum) * v[(h * keys + j) * width + c]!, 0));
    }
  }
  return out;
}

const near = (found: number[], wanted: number[], most: number) => {
  expect(found.length).toBe(wanted.length);
  const off = found.findIndex((x, n) => !(Math.abs(x - wanted[n]!) <= most));
  if (off >= 0) throw new Error(`element ${off} is ${found[off]}, expected ${wanted[off]}`);
};

describe.each(["cpu", "webgpu"] as const)("masks with blind rows, on %s", (device) => {
  beforeAll(async () => {
    await weft.init(device === "cpu" ? { device, wasm: wasmBytes() } : { device, gpu: await dawn(), wasm: wasmBytes() });
  });

  // A quick run takes two of these, which rotate with the commit: each compiles many kernels.
  const first = Number(process.env["WEFT_SEED"] ?? 0) % 6;
  it.each(process.env["WEFT_TIER"] === "quick" ? [first, (first + 3) % 6] : [0, 1, 2, 3, 4, 5])("are right by number, by truth and by −∞, eager, in jit, in chunks, under vmap and differentiated: seed %i", async (seed) => {
    const dtype: DType = seed % 3 === 2 ? "f16" : "f32";
    const causal = seed % 2 === 1;
    const maskShape = [[queries, keys], [heads, queries, keys], [batch, heads, queries, keys]][seed % 3]!;
    const given = [made([batch, heads, queries, width], seed, dtype), made([batch, heads, keys, width], seed + 1, dtype), made([batch, heads, keys, width], seed + 2, dtype)] as const;
    const exact = await Promise.all(given.map((x) => values(x)));
    const truths = truthsOf(maskShape, seed);
    const wanted = expected(exact, truths, causal);
    const blind = wanted.map((x) => x === 0);
    expect(blind.includes(true) && blind.includes(false)).toBe(true);
    const masks = [tensor(truths, { shape: maskShape }), tensor(truths.map((seen) => (seen ? 0 : -Infinity)), { shape: maskShape, dtype })];
    const most = dtype === "f16" ? 1e-3 : 1e-5;
    for (const mask of masks) {
      const attend = (q: Tensor, k: Tensor, v: Tensor) => nn.scaledDotProductAttention(q, k, v, { mask, causal });
      const ways: [string, (q: Tensor, k: Tensor, v: Tensor) => Tensor][] = [
        ["eager", attend],
        ["jit", jit(attend)],
        ["chunks", (q, k, v) => nn.scaledDotProductAttention(q, k, v, { mask, causal, queryChunk: 4 })],
        ["vmap", vmap((q: Tensor, k: Tensor, v: Tensor, m: Tensor) => nn.scaledDotProductAttention(q, k, v, { mask: m, causal }), [0, 0, 0, maskShape.length === 4 ? 0 : null]) as never],
      ];
      for (const [way, act] of ways) {
        const found = way === "vmap" ? (act as never as (...x: readonly Tensor[]) => Tensor)(...given, mask) : act(...given);
        expect([way, found.dtype]).toEqual([way, dtype]);
        near(await values(found), wanted, most);
        expect([way, (await values(found)).every((x, n) => !blind[n] || x === 0)]).toEqual([way, true]);
      }
      for (const act of [attend, ways[2]![1]]) {
        const slopes = (grad((q: Tensor, k: Tensor, v: Tensor) => act(q, k, v).square().sum(), { argnums: [0, 1, 2] }) as unknown as (...x: readonly Tensor[]) => Tensor[])(...given);
        const [byQuery, ...others] = await Promise.all(slopes.map((x) => values(x)));
        expect(byQuery!.every((x, n) => Number.isFinite(x) && (!blind[n] || x === 0))).toBe(true);
        for (const slope of others) expect(slope.every(Number.isFinite)).toBe(true);
      }
      if (mask.dtype === "bool") continue;
      const byMask = grad((m: Tensor) => nn.scaledDotProductAttention(...given, { mask: m, causal }).square().sum())(mask) as Tensor;
      expect((await values(byMask)).every(Number.isFinite)).toBe(true);
    }
  });

  it("scores of halves do not overflow", async () => {
    // Products of 400·400·4, which are infinite as halves, of which the second is larger.
    const [q, k] = [weft.full([1, 1, 4], 400, { dtype: "f16" }), tensor([[[400, 400, 400, 400], [400.25, 401, 401, 401]]], { dtype: "f16" })];
    const v = tensor([[[1, 2], [3, 4]]], { dtype: "f16" });
    expect(await values(nn.scaledDotProductAttention(q, k, v))).toEqual([3, 4]);
    expect(await values(nn.scaledDotProductAttention(q, k, v, { causal: true }))).toEqual([1, 2]);
  });

  it("a layer of heads passes over padding", async () => {
    const attention = new nn.MultiheadAttention(8, 2, { bias: false }).eval();
    const x = made([1, 3, 8], 1);
    const mask = tensor([[true, true, false], [false, false, false], [false, true, true]]);
    const found = await values(attention.forward(x, { mask }));
    expect(found.slice(8, 16)).toEqual(new Array(8).fill(0));
    expect(found.slice(0, 8).some((value) => value !== 0)).toBe(true);
  });
});
