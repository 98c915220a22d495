// Properties of `random.choice` and `associativeScan` that hold for any draw and any associative
// function. Single numbers are in the cases of JAX.

import { describe, expect, it } from "vitest";
import { arange, associativeScan, grad, jit, random, ShapeError, tensor, ValueError, vmap, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

describe("random.choice", () => {
  const key = random.key;

  it("picks among the elements, as often as they are likely", async () => {
    const picked = await values(random.choice(key(1), [10, 20, 30, 40], [4000], { p: [0.5, 0, 0.3, 0.2] }));
    const share = (value: number) => picked.filter((one) => one === value).length / picked.length;
    expect(share(20)).toBe(0);
    expect(share(10) + share(30) + share(40)).toBe(1);
    // Three standard deviations are 0.024.
    for (const [value, p] of [[10, 0.5], [30, 0.3], [40, 0.2]] as const) expect(Math.abs(share(value) - p)).toBeLessThan(0.03);
    const even = await values(random.choice(key(2), 5, [4000]));
    for (let n = 0; n < 5; n++) expect(Math.abs(even.filter((one) => one === n).length / 4000 - 0.2)).toBeLessThan(0.03);
  });

  it("without replacement picks each once; with probabilities too", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const all = await values(random.choice(key(seed), 7, [7], { replace: false }));
      expect([...all].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
      const some = await values(random.choice(key(seed), 4, [2], { replace: false, p: [0.1, 0.2, 0, 0.7] }));
      expect(new Set(some).size).toBe(2);
      expect(some).not.toContain(2);
    }
  });

  it("takes whole rows or columns, into any shape, the same for the same key", async () => {
    const x = tensor([[1, 2, 3], [4, 5, 6]]);
    const rows = random.choice(key(3), x, [2, 2]);
    expect(rows.shape).toEqual([2, 2, 3]);
    const flat = await values(rows);
    for (let n = 0; n < 12; n += 3) expect([[1, 2, 3], [4, 5, 6]]).toContainEqual(flat.slice(n, n + 3));
    expect(await values(random.choice(key(3), x, [2, 2]))).toEqual(flat);
    const columns = random.choice(key(3), x, [2], { axis: 1, replace: false });
    expect(columns.shape).toEqual([2, 2]);
    const [a, b, c, d] = await values(columns);
    expect([c, d]).toEqual([(a as number) + 3, (b as number) + 3]);
    expect(random.choice(key(3), x).shape).toEqual([3]);
  });

  it("draws from the stateful generator without a key, as with null, and so do permutations", async () => {
    const draws = async (...calls: (() => Tensor)[]) => {
      random.seed(3);
      return Promise.all(calls.map((call) => values(call())));
    };
    const x = [20, 30, 40, 50, 60, 70, 80];
    const options = { replace: false };
    expect(await draws(() => random.choice(x), () => random.choice(9, [3], options), () => random.choice(tensor(x), 4), () => random.permutation(x), () => random.permutation(8), () => random.permutation(tensor([x, x]), { axis: 1 }))).toEqual(
      await draws(() => random.choice(null, x), () => random.choice(null, 9, [3], options), () => random.choice(null, tensor(x), 4), () => random.permutation(null, x), () => random.permutation(null, 8), () => random.permutation(null, tensor([x, x]), { axis: 1 })),
    );
    expect((await values(random.permutation(x))).toSorted()).toEqual(x);
    // A u32 tensor of shape [2] is a key.
    expect(await values(random.permutation(key(1), 5))).toEqual(await values(random.permutation(tensor([0, 1], { dtype: "u32" }), 5)));
  });

  it("passes gradients to what was picked, and draws for each key of a batch", async () => {
    const gradient = await values(grad((x: Tensor) => random.choice(key(4), x, [10]).sum())(tensor([1, 2, 3])));
    expect(gradient.reduce((a, b) => a + b)).toBe(10);
    const batched = vmap((one: Tensor) => random.choice(one, 100, [5]))(random.split(key(5), 3));
    expect(batched.shape).toEqual([3, 5]);
    const alone = await Promise.all([...random.split(key(5), 3)].map((one) => values(random.choice(one, 100, [5]))));
    expect(await values(batched)).toEqual(alone.flat());
  });

  it("says what it cannot do", () => {
    expect(errorOf(() => random.choice(key(0), 3, [4], { replace: false }))).toBeInstanceOf(ValueError);
    expect(errorOf(() => random.choice(key(0), 3, [2], { p: [0.5, 0.5] })).message).toMatch(/^random\.choice: /);
    expect(errorOf(() => random.choice(key(0), 3, [2], { replaced: true } as never)).message).toMatch(/did you mean replace\?/);
  });
});

describe("associativeScan", () => {
  const add = (a: Tensor, b: Tensor) => a.add(b);
  /** Products of matrices, which do not commute. */
  const product = (a: Tensor, b: Tensor) => a.matmul(b);

  it("is a loop, for every length around powers of two, both ways", async () => {
    for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31]) {
      const numbers = Array.from({ length }, (_, n) => (n * 7) % 5);
      const sums = numbers.map((_, n) => numbers.slice(0, n + 1).reduce((a, b) => a + b, 0));
      const rest = numbers.map((_, n) => numbers.slice(n).reduce((a, b) => a + b, 0));
      expect([length, await values(associativeScan(add, tensor(numbers)))]).toEqual([length, sums]);
      expect([length, await values(associativeScan(add, tensor(numbers), { reverse: true }))]).toEqual([length, rest]);
    }
  });

  it("joins what came earlier with what comes later, in this order", async () => {
    const matrices = random.randint([6, 2, 2], -2, 3).cast("f32");
    const scanned = associativeScan(product, matrices);
    let sofar = matrices.slice(0);
    for (let n = 0; n < 6; n++) {
      if (n > 0) sofar = sofar.matmul(matrices.slice(n));
      expect([n, await values(scanned.slice(n))]).toEqual([n, await values(sofar)]);
    }
    // Backwards each is joined with what comes before it from there: as JAX does it, which turns
    // the elements round.
    const backwards = associativeScan(product, matrices, { reverse: true });
    expect(await values(backwards.slice(4))).toEqual(await values(matrices.slice(5).matmul(matrices.slice(4))));
  });

  it("goes along any axis, over trees, in captures, batches and gradients", async () => {
    const x = arange(6).reshape([2, 3]).cast("f32");
    expect(await values(associativeScan(add, x, { axis: -1 }))).toEqual([0, 1, 3, 3, 7, 12]);
    expect(await values(jit((v: Tensor) => associativeScan(add, v, { axis: 1 }))(x))).toEqual([0, 1, 3, 3, 7, 12]);
    expect(await values(vmap((row: Tensor) => associativeScan(add, row))(x))).toEqual([0, 1, 3, 3, 7, 12]);
    // h[i] = a[i] · h[i − 1] + b[i]
    type Line = { a: Tensor; b: Tensor };
    const line = (u: Line, v: Line): Line => ({ a: u.a.mul(v.a), b: v.a.mul(u.b).add(v.b) });
    const recurrence = (a: Tensor) => associativeScan(line, { a, b: tensor([1, 2, 3, 4]) }).b;
    expect(await values(recurrence(tensor([5, 2, 3, 4])))).toEqual([1, 4, 15, 64]);
    // Of the last: dh₃/da = (0, a₃a₂ · h₀, a₃ · h₁, h₂).
    expect(await values(grad((a: Tensor) => recurrence(a).slice(3).sum())(tensor([5, 2, 3, 4])))).toEqual([0, 12, 16, 15]);
  });

  it("says what does not fit", () => {
    expect(errorOf(() => associativeScan(add, tensor(1)))).toBeInstanceOf(ShapeError);
    expect(errorOf(() => associativeScan((u: Tensor[], v: Tensor[]) => [...u, ...v], [tensor([1, 2]), tensor([1, 2, 3])]))).toBeInstanceOf(ShapeError);
    expect(errorOf(() => associativeScan((a: Tensor) => a.sum(), tensor([1, 2, 3]))).message).toMatch(/the function must give what it takes/);
    expect(errorOf(() => associativeScan(add, {} as Tensor))).toBeInstanceOf(ValueError);
  });
});
