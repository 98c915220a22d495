// Segments, bins, masks and indexed updates: values of NumPy and JAX, and their gradients.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { grad, tensor, vmap, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const i32 = (data: number[]): Tensor => tensor(data, { dtype: "i32" });

describe("at", () => {
  it("takes the smaller, the larger, or what is there", async () => {
    const x = tensor([[1, 2], [3, 4], [5, 6]]);
    expect(await x.at([0, 0, -1]).max([[0, 3], [7, 1], [9, 0]]).array()).toEqual([[7, 3], [3, 4], [9, 6]]);
    expect(await x.at([0, 0, -1]).min([[0, 3], [7, 1], [9, 0]]).array()).toEqual([[0, 1], [3, 4], [5, 0]]);
    expect(await x.at(i32([1, 7, -9]).add(0)).max(10).array()).toEqual([[1, 2], [10, 10], [5, 6]]);
    expect(await x.at([2, -3, 2]).get().array()).toEqual([[5, 6], [1, 2], [5, 6]]);
    expect(await x.at(1).get().array()).toEqual([3, 4]);
    expect(await x.at(i32([7, -9]).add(0)).get().array()).toEqual([[5, 6], [1, 2]]);
    expect(await values(i32([3, 1]).at([0, 1]).min(2))).toEqual([2, 1]);
    expect(String(errorOf(() => x.at([3]).get()))).toContain("take: index 3 is out of range");
    expect(String(errorOf(() => x.at([3]).min(1)))).toContain("at.min: index 3 is out of range");
  });

  it("hands gradients to what was chosen, in equal parts where several are", async () => {
    const to = grad((x: Tensor, v: Tensor) => x.at([0, 0, 2]).max(v).mul([1, 10, 100]).sum(), { argnums: [0, 1] });
    const [x, v] = to(tensor([1, 2, 5]), tensor([4, 3, 5]));
    expect(await values(x as Tensor)).toEqual([0, 10, 50]);
    expect(await values(v as Tensor)).toEqual([1, 0, 50]);
    const read = grad((x: Tensor) => x.at([1, 1]).get().sum());
    expect(await values(read(tensor([1, 2])))).toEqual([0, 2]);
  });
});

describe("segments", () => {
  it("have gradients, and batch", async () => {
    const ids = [0, 2, 0, -1];
    const of = (reduce: typeof weft.segmentSum) => values(grad((x: Tensor) => reduce(x, ids, 3).slice([0, null, 2]).mul([1, 10]).sum())(tensor([1, 2, 3, 4])));
    expect(await of(weft.segmentSum)).toEqual([1, 10, 1, 0]);
    expect(await of(weft.segmentMean)).toEqual([0.5, 10, 0.5, 0]);
    expect(await of(weft.segmentMax)).toEqual([0, 10, 1, 0]);
    expect(await of(weft.segmentMin)).toEqual([1, 10, 0, 0]);
    const rows = vmap((x: Tensor, i: Tensor) => weft.segmentSum(x, i, 2));
    expect(await rows(tensor([[1, 2], [3, 4]]), i32([1, 1, 0, 5]).reshape([2, 2])).array()).toEqual([[0, 3], [3, 0]]);
  });

  it("refuse ids that are none", () => {
    expect(String(errorOf(() => weft.segmentSum([1, 2], [0], 1)))).toMatch(/^ShapeError: segmentSum: \[2\] has 2 rows/);
    expect(String(errorOf(() => weft.segmentMax([1], tensor([0]), 1)))).toMatch(/^DTypeError: segmentMax: ids must be/);
    expect(String(errorOf(() => weft.segmentMin([1], [0.5], 1)))).toContain("segmentMin: 0.5 is no segment");
    expect(String(errorOf(() => weft.segmentMean(1, 0, 1)))).toMatch(/^AxisError: segmentMean/);
  });
});

describe("bins", () => {
  it("count numbers", async () => {
    expect(await values(weft.bincount([[1, 3], [1, -1], [7, 0]], { length: 4 }))).toEqual([1, 2, 0, 1]);
    expect(await values(weft.bincount(i32([2, 2, 0]), { length: 3, weights: [0.5, 1, 2] }))).toEqual([2, 0, 1.5]);
    expect(await values(weft.bincount([], { length: 2 }))).toEqual([0, 0]);
    expect(await values(weft.bincount(3, { length: 0 }))).toEqual([]);
    expect(String(errorOf(() => weft.bincount([1], {} as never)))).toContain("bincount: the length must be a whole number");
    expect(String(errorOf(() => weft.bincount([0.5], { length: 1 })))).toContain("0.5 is no segment");
  });

  it("puts whole numbers on whole edges into the bins on their right", async () => {
    const x = weft.arange(-60, 61);
    const expected = Array.from({ length: 60 }, (_, n) => (n < 59 ? 2 : 3));
    for (const options of [{ bins: 60, range: [-60, 60] as const }, { bins: 60 }]) {
      const { counts, edges } = weft.histogram(x, options);
      expect(await counts.array()).toEqual(expected);
      expect(await edges.array()).toEqual(Array.from({ length: 61 }, (_, n) => 2 * n - 60));
    }
  });

  it("are those of NumPy", async () => {
    const of = async (x: weft.Operand, options?: weft.HistogramOptions) => {
      const { counts, edges } = weft.histogram(x, options);
      return [await values(counts), await values(edges)];
    };
    expect(await of([[1, 2], [2, 5]], { bins: 4 })).toEqual([[1, 2, 0, 1], [1, 2, 3, 4, 5]]);
    expect(await of([1, 2, 1], { bins: [0, 1, 2, 3] })).toEqual([[0, 2, 1], [0, 1, 2, 3]]);
    expect(await of([0, 0.5, 1, 1.5, 2, -1, 3, NaN, Infinity], { bins: 2, range: [0, 2] })).toEqual([[2, 3], [0, 1, 2]]);
    expect(await of([7, 7], { bins: 2 })).toEqual([[0, 2], [6.5, 7, 7.5]]);
    expect(await of([], { bins: 2 })).toEqual([[0, 0], [0, 0.5, 1]]);
    expect(await of(i32([0, 1, 2, 3, 9]), { bins: i32([0, 2, 9]) })).toEqual([[2, 3], [0, 2, 9]]);
    expect(await of([true, false, true], { bins: 2 })).toEqual([[1, 2], [0, 0.5, 1]]);
    expect(await of([1, 2, 2], { bins: [0, 2, 2] })).toEqual([[1, 2], [0, 2, 2]]);
    expect(await of([0, 1, 3], { bins: [0, 1, 4], weights: [2, 3, 0.5] })).toEqual([[2, 3.5], [0, 1, 4]]);
    expect((await of([0, 1, 2, 3], { bins: [0, 1, 4], density: true }))[0]).toEqual([0.25, 0.25]);
    expect((await of(weft.arange(1000)))[0]).toEqual(Array.from({ length: 10 }, () => 100));
    const total = async (x: Tensor) => weft.histogram(x, { bins: 7 }).counts.sum().item();
    expect(await total(weft.random.normal([5000]).mul(1e-3).add(1e3))).toBe(5000);
  });

  it("refuse what are none", () => {
    const of = (options: object) => String(errorOf(() => weft.histogram([1], options)));
    expect(of({ bins: 0 })).toContain("histogram: the number of bins must be a whole number of 1 or more");
    expect(of({ bins: [1] })).toMatch(/^ShapeError: histogram: edges are a list of 2 or more/);
    expect(of({ bins: [1, 3, 2] })).toContain("edges must ascend: 2 comes after 3");
    expect(of({ range: [2, 1] })).toContain("a range is two numbers in ascending order");
    expect(of({ range: [0, NaN] })).toContain("where the range ends must be a finite number");
    expect(of({ range: [0, 1], bins: [0, 1] })).toContain("have no range");
  });
});

describe("what a mask chooses", () => {
  it("stands where it is not zero", async () => {
    const x = tensor([[0, 5, NaN], [-1, 0, 2]]);
    expect(await values(await weft.flatNonzero(x))).toEqual([1, 2, 3, 5]);
    expect(await (await weft.argwhere(x)).array()).toEqual([[0, 1], [0, 2], [1, 0], [1, 2]]);
    expect(await Promise.all((await weft.nonzero(x)).map(values))).toEqual([[0, 0, 1, 1], [1, 2, 0, 2]]);
    expect((await weft.argwhere([[0, 0]])).shape).toEqual([0, 2]);
    expect((await weft.argwhere(weft.zeros([3, 0]))).shape).toEqual([0, 2]);
    expect((await weft.argwhere(5)).shape).toEqual([1, 0]);
    expect(await weft.nonzero(5)).toEqual([]);
    expect(await values(await weft.flatNonzero([]))).toEqual([]);
    expect(await values(await weft.flatNonzero(weft.arange(3000).remainder(1000).equal(7)))).toEqual([7, 1007, 2007]);
  });

  it("is taken", async () => {
    const x = tensor([[1, 2, 3], [4, 5, 6]]);
    expect(await (await weft.compress([false, true], x, 0)).array()).toEqual([[4, 5, 6]]);
    expect(await (await weft.compress([0, 1, 1], x, -1)).array()).toEqual([[2, 3], [5, 6]]);
    expect(await values(await weft.compress([true, false, false, true], x))).toEqual([1, 4]);
    expect(await values(await weft.extract(x.remainder(2).equal(0), x))).toEqual([2, 4, 6]);
    expect(await (await weft.extract([false, true], x)).array()).toEqual([[4, 5, 6]]);
    expect((await weft.extract([false, false], x)).shape).toEqual([0, 3]);
    await expect(weft.extract([true], x)).rejects.toThrow("is not of the first axes");
    await expect(weft.compress([true, true, true], x, 0)).rejects.toThrow("no list of at most 2");
    await expect(weft.compress([true], x, 2)).rejects.toBeInstanceOf(weft.AxisError);
  });

  it("survives that its arguments are freed during the wait, and leaves nothing", async () => {
    const before = weft.memory().tensors;
    const [mask, x] = [tensor([true, false, true]), tensor([1, 2, 3])];
    const waiting = weft.extract(mask, x);
    mask.dispose();
    x.dispose();
    const found = await waiting;
    expect(await values(found)).toEqual([1, 3]);
    found.dispose();
    for (const axis of await weft.nonzero([[1]])) axis.dispose();
    expect(weft.memory().tensors).toBe(before);
  });

  it("is not read while a function is traced", async () => {
    let refused: unknown;
    weft.jit((x: Tensor) => {
      weft.flatNonzero(x).catch((error: unknown) => (refused = error));
      return x.add(1);
    })(tensor([1]));
    await weft.synchronize();
    expect(refused).toBeInstanceOf(weft.TraceError);
  });
});
