// Segments, bins and places in a tensor: what plain loops give, and how gradients go through them.

import { describe, expect, it } from "vitest";
import * as weft from "../src/index.js";
import { grad, tensor, vmap, type Tensor } from "../src/index.js";
import { errorOf, onCpu, values } from "./cpu.js";

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
