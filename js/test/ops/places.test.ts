// Indexing by several indices at once, indices beyond an axis, and membership in sets. Values are
// those of NumPy 2.4.6 and JAX 0.10.2, which agree.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { arange, at, grad, jit, jvp, tensor, vmap, type Place, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const i32 = (data: number[]): Tensor => tensor(data, { dtype: "i32" });
/** Indices that nothing is known of. */
const unknown = (data: number[]): Tensor => i32(data).add(0);
const refused = (call: () => unknown): string => String(errorOf(call));

describe("several places", () => {
  const x = () => arange(24).reshape([2, 3, 4]);
  const got = async (...places: Place[]) => x().at(...places).get().array();

  it("are read as NumPy does", async () => {
    expect(await got(":", [0, 2], [1, 3])).toEqual([[1, 11], [13, 23]]);
    expect(await got([0, 1], ":", [3, 0])).toEqual([[3, 7, 11], [12, 16, 20]]);
    expect(await got(0, ":", [3, 0])).toEqual([[3, 7, 11], [0, 4, 8]]);
    expect(await got(":", "newaxis", [2, 0])).toEqual([[[[8, 9, 10, 11], [0, 1, 2, 3]]], [[[20, 21, 22, 23], [12, 13, 14, 15]]]]);
    expect(await got("...", [[0], [1]], [3, 0])).toEqual([[[3, 0], [7, 4]], [[15, 12], [19, 16]]]);
    expect(await got("1:", "::-1", [0])).toEqual([[[20], [16], [12]]]);
    expect(await got([1], "...", [2])).toEqual([[14, 18, 22]]);
    expect(await got(":", [0], "...", [1])).toEqual([[1, 13]]);
    expect(await got(":", null, [2, 0])).toEqual(await got(":", "newaxis", [2, 0]));
    expect(await at([1, 2], null).get().array()).toEqual([[1, 2]]);
    expect(await at([1, 2], ":", null).set([[3], [4]]).array()).toEqual([3, 4]);
    expect(await at([1, 2], null, 0).add([5]).array()).toEqual([6, 2]);
    expect(await got("newaxis", "...", 0)).toEqual([[[0, 4, 8], [12, 16, 20]]]);
    expect(await got([1, 0], "newaxis", [0, 2])).toEqual([[[12, 13, 14, 15]], [[8, 9, 10, 11]]]);
    expect(await got([1, 0], [0, 2], "newaxis")).toEqual([[[12, 13, 14, 15]], [[8, 9, 10, 11]]]);
    expect(await got(unknown([1, 0]), i32([-1, 0]), 2)).toEqual([22, 2]);
    expect(await got(-1, 0, 0)).toBe(12);
    expect(await got("...", [])).toEqual([[[], [], []], [[], [], []]]);
  });

  it("may be masks, of which it is known how much they choose", async () => {
    expect(await got(":", [true, false, true], 1)).toEqual([[1, 9], [13, 21]]);
    expect(await got([[true, false, true], [false, false, true]])).toEqual([[0, 1, 2, 3], [8, 9, 10, 11], [20, 21, 22, 23]]);
    expect(await got([false, false])).toEqual([]);
    const mask = x().greater(20);
    expect(refused(() => x().at(mask).get())).toMatch(/^DTypeError: at\.get: a mask that is a tensor/);
    expect(refused(() => x().at([true]).get())).toMatch(/^ShapeError: at\.get: a mask along axis 0/);
    expect(refused(() => x().at([[true, 2]] as never).get())).toContain("a mask has truth values alone");
    expect(await values(x().at(mask).set(0).slice(1, 2))).toEqual([20, 0, 0, 0]);
    expect(await x().at(tensor([false, true])).add(weft.ones([3, 4])).slice(null, 0, 0).array()).toEqual([0, 13]);
    const gradient = grad((v: Tensor) => v.at(v.less(2)).mul(v.at(0).get()).sum());
    expect(await values(gradient(tensor([1, 3])))).toEqual([2, 1]);
    expect(await values(jit((v: Tensor) => v.at(v.less(2)).set(9))(tensor([1, 3])))).toEqual([9, 3]);
    expect(refused(() => x().at(tensor([true])).set(1))).toMatch(/^ShapeError: at\.set: a mask \[1\]/);
    expect(refused(() => x().at(mask).set([1, 2]))).toMatch(/^ShapeError: at\.set/);
  });

  it("are written as NumPy does", async () => {
    const part = x().at("1:", [0, 2], "::2").set([[[100, 200], [300, 400]]]);
    expect(await part.array()).toEqual([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[100, 13, 200, 15], [16, 17, 18, 19], [300, 21, 400, 23]]]);
    const apart = x().at([0, 1], ":", [3, 0]).set([-1, -2, -3]);
    expect(await apart.array()).toEqual([[[0, 1, 2, -1], [4, 5, 6, -2], [8, 9, 10, -3]], [[-1, 13, 14, 15], [-2, 17, 18, 19], [-3, 21, 22, 23]]]);
    expect(await values(arange(4).at("::-2").set([8, 9]))).toEqual([0, 9, 2, 8]);
    expect(await values(arange(3).at("2:1").set(9))).toEqual([0, 1, 2]);
    expect(await tensor([[1, 2], [3, 4]]).at([0, 0], [1, 1]).add(1).array()).toEqual([[1, 4], [3, 4]]);
    expect(await values(tensor([1, 2]).at("...").mul(3))).toEqual([3, 6]);
  });

  it("are refused by name", () => {
    expect(refused(() => x().at("1").get())).toMatch(/^ValueError: at\.get: "1" is no range/);
    expect(refused(() => x().at("...", "...").get())).toMatch(/^ValueError: at\.get: only one `\.\.\.` is allowed/);
    expect(refused(() => x().at("::0").set(1))).toContain("the step must not be 0");
    expect(refused(() => x().at(0, 0, 0, 0).get())).toMatch(/^AxisError: at\.get: \[2,3,4\] has 3 axes, got 4 indices/);
    expect(refused(() => x().at(":", [0, 3]).set(1))).toMatch(/^ValueError: at\.set: index 3 is out of range on axis 1/);
    expect(refused(() => x().at([0, 1], [0, 1, 2]).get())).toMatch(/^ShapeError/);
    expect(refused(() => x().at(":", tensor([0.5])).get())).toMatch(/^DTypeError: at\.get: indices must be/);
    expect(refused(() => x().at())).toMatch(/^ValueError: at: takes at least one index/);
    expect(refused(() => x().at(":", undefined as never).get())).toMatch(/^ValueError: at\.get/);
  });

  it("differentiate and batch", async () => {
    const read = grad((v: Tensor) => v.at([0, 0], [1, 1]).get().mul([2, 3]).sum());
    expect(await read(tensor([[1, 2], [3, 4]])).array()).toEqual([[0, 5], [0, 0]]);
    const write = grad((v: Tensor, u: Tensor) => v.at("::2", [1]).set(u).mul([[1, 10], [2, 20], [3, 30]]).sum(), { argnums: [0, 1] });
    const [v, u] = write(weft.ones([3, 2]), tensor([[5], [6]]));
    expect(await (v as Tensor).array()).toEqual([[1, 0], [2, 20], [3, 0]]);
    expect(await (u as Tensor).array()).toEqual([[10], [30]]);
    const rows = vmap((row: Tensor, i: Tensor) => row.at(i).mul([2, 3]));
    expect(await rows(tensor([[1, 2], [3, 4]]), i32([1, 1, 0, 1]).reshape([2, 2])).array()).toEqual([[1, 12], [6, 12]]);
  });
});

describe("updates that repeat", () => {
  it("come one after the other", async () => {
    expect(await values(i32([5, 6, 7]).at([0, 0, 1]).mul([2, 3, 4]))).toEqual([30, 24, 7]);
    expect(await values(tensor([5, 6, 7]).at([0, 0, 1]).div([2, 4, 4]))).toEqual([0.625, 1.5, 7]);
    expect(await values(tensor([2, 3, 4]).at([0, 0, 1]).pow([2, 2, 3]))).toEqual([16, 27, 4]);
    expect(await values(tensor([2, 3, 4]).at([0, 0, 1]).sub([1, 2, 3]))).toEqual([-1, 0, 4]);
    expect(await values(i32([7, 7, 7]).at([0, 0, 2]).and([6, 3, 5]))).toEqual([2, 7, 5]);
    expect(await values(i32([0, 1, 2]).at([0, 0, 2]).or([4, 8, 1]))).toEqual([12, 1, 3]);
    expect(await values(i32([1, 1, 1]).at([0, 0, -1]).xor([3, 3, 3]))).toEqual([1, 1, 2]);
    expect(await values(tensor([true, true]).at([0, 0]).xor([true, true]))).toEqual([1, 1]);
    expect(await values(tensor([2, 3]).at(unknown([0, 9, -9, 0])).mul([2, 5, 7, 3]))).toEqual([12, 3]);
    expect(await tensor([[1, 2], [3, 4]]).at([1, 1]).mul([[2, 3], [4, 5]]).array()).toEqual([[1, 2], [24, 60]]);
    expect(refused(() => tensor([true]).at(0).mul(2))).toMatch(/^DTypeError: at\.mul: bool has no arithmetic/);
    expect(refused(() => tensor([1]).at(0).and(1))).toMatch(/^DTypeError: at\.and: f32 has no bits/);
  });

  it("have the gradients of JAX where it has them, and those of products where factors are zero", async () => {
    const of = (at: number[]) => grad((x: Tensor, v: Tensor) => x.at(at).mul(v).mul([1, 10, 100]).sum(), { argnums: [0, 1] });
    const unique = of([2, 0])(tensor([2, 3, 0]), tensor([0, 5])) as readonly Tensor[];
    expect(await Promise.all(unique.map(values))).toEqual([[5, 10, 0], [0, 2]]);
    // x₀·0·5 and x₂·7, and so on: no factor is divided by.
    const repeated = of([0, 0, 2])(tensor([2, 3, 4]), tensor([0, 5, 7])) as readonly Tensor[];
    expect(await Promise.all(repeated.map(values))).toEqual([[0, 10, 700], [10, 0, 400]]);
    const both = of([0, 0, 0])(tensor([2, 3, 4]), tensor([0, 0, 7])) as readonly Tensor[];
    expect(await Promise.all(both.map(values))).toEqual([[0, 10, 100], [0, 0, 0]]);
    const second = grad((v: Tensor) => grad((w: Tensor) => tensor([2]).at([0, 0]).mul(w).sum())(v).at(0).get().sum());
    expect(await values(second(tensor([0, 5])))).toEqual([0, 2]);
    const [, tangent] = jvp((v: Tensor) => tensor([2]).at([0, 0]).mul(v), [tensor([0, 5])], [tensor([1, 1])]);
    expect(await values(tangent as Tensor)).toEqual([10]);
    const power = grad((x: Tensor) => x.at([1]).pow(2).sum());
    expect(await values(power(tensor([-2, 3])))).toEqual([1, 6]);
  });
});

describe("beyond an axis", () => {
  const x = () => tensor([10, 20, 30]);
  const indices = [-1, -4, -5, 3, 4];

  it("lies what the mode says", async () => {
    const taken = async (mode: "clip" | "wrap" | "fill" | "drop") => values(weft.take(x(), indices, null, { mode }));
    expect(await taken("clip")).toEqual([10, 10, 10, 30, 30]);
    expect(await taken("wrap")).toEqual([30, 30, 20, 10, 20]);
    expect(await taken("fill")).toEqual([30, NaN, NaN, NaN, NaN]);
    expect(await values(x().at(indices, { mode: "clip" }).get())).toEqual([30, 10, 10, 30, 30]);
    expect(await values(x().at(indices, { mode: "drop", fillValue: 7 }).get())).toEqual([30, 7, 7, 7, 7]);
    expect(await values(weft.takeAlongAxis(x(), indices, 0, { mode: "clip" }))).toEqual([30, 10, 10, 30, 30]);
    expect(await values(weft.takeAlongAxis(x(), indices, 0, { mode: "fill" }))).toEqual([30, NaN, NaN, NaN, NaN]);
    expect(await values(weft.takeAlongAxis(x(), unknown([-1, 5])))).toEqual([30, 30]);
    expect(await values(x().at(indices, { mode: "clip" }).set(9))).toEqual([9, 20, 9]);
    expect(await values(x().at(indices, { mode: "wrap" }).add([1, 2, 3, 4, 5]))).toEqual([14, 28, 33]);
    expect(await values(x().at(indices, { mode: "fill" }).set(9))).toEqual([10, 20, 9]);
    expect(await values(x().at(5, { mode: "wrap" }).get())).toEqual([30]);
    expect(await weft.take([[1, 2], [3, 4]], [2, 0], -1, { mode: "fill", fillValue: 0 }).array()).toEqual([[0, 1], [0, 3]]);
    expect(await tensor([[1, 2], [3, 4]]).at([0, 5], [5, 0], { mode: "fill" }).get().array()).toEqual([NaN, NaN]);
    const u32 = tensor([4294967295, 1, 4], { dtype: "u32" });
    expect(await values(x().at(u32, { mode: "fill", fillValue: 0 }).get())).toEqual([0, 20, 0]);
    expect(await values(x().at(u32, { mode: "wrap" }).get())).toEqual([10, 20, 20]);
  });

  it("are filled with what JAX fills them", async () => {
    const filled = async (dtype: weft.DType) => values(weft.take(tensor([1], { dtype }), [5], 0, { mode: "fill" }));
    expect(await Promise.all((["i8", "u8", "i32", "u32", "bool", "f16"] as const).map(filled))).toEqual([[-128], [255], [-(2 ** 31)], [2 ** 32 - 1], [1], [NaN]]);
  });

  it("has gradients, and modes that there are not are refused", async () => {
    expect(await values(grad((v: Tensor) => v.at([0, 5, 1], { mode: "fill", fillValue: 0 }).get().mul([1, 10, 100]).sum())(x()))).toEqual([1, 100, 0]);
    expect(await values(grad((v: Tensor) => weft.take(v, [4, 3], 0, { mode: "wrap" }).mul([1, 10]).sum())(x()))).toEqual([10, 1, 0]);
    for (const call of [(o: never) => weft.take(x(), [0], 0, o), (o: never) => x().at([0], o), (o: never) => weft.takeAlongAxis(x(), [0], 0, o)]) {
      expect(refused(() => call({ mode: "nearest" } as never))).toMatch(/^ValueError: (take|at|takeAlongAxis): the mode is one of clip, wrap, fill, drop, got "nearest"/);
      expect(refused(() => call({ modus: 1 } as never))).toContain('there is no option "modus"');
    }
    expect(refused(() => weft.take(x(), [0], 3, { mode: "clip" }))).toMatch(/^AxisError: take: /);
    expect(refused(() => weft.take(weft.zeros([0]), [0], 0, { mode: "clip" }))).toMatch(/^ShapeError: take: /);
  });
});

describe("members of sets", () => {
  const both = async (f: (a: weft.Operand, b: weft.Operand) => Promise<Tensor>, a: weft.Operand, b: weft.Operand) => values(await f(a, b));

  it("are those of NumPy", async () => {
    const [a, b] = [[[3, 1], [2, 2]], [2, 5, 3]];
    expect(await both(weft.union1d, a, b)).toEqual([1, 2, 3, 5]);
    expect(await both(weft.intersect1d, a, b)).toEqual([2, 3]);
    expect(await both(weft.setdiff1d, a, b)).toEqual([1]);
    expect(await both(weft.setxor1d, a, b)).toEqual([1, 5]);
    expect(await both(weft.setxor1d, [3, 1, NaN], [NaN, 5, 3])).toEqual([1, 5, NaN, NaN]);
    expect(await both(weft.intersect1d, [NaN, 1, Infinity], [NaN, 1, Infinity])).toEqual([1, Infinity]);
    expect(await both(weft.setdiff1d, [NaN, 1, NaN], [NaN, 2])).toEqual([1, NaN]);
    expect(await both(weft.union1d, [NaN, -0], [NaN, 0])).toEqual([-0, NaN]);
    expect(await both(weft.union1d, [], [])).toEqual([]);
    expect(await both(weft.setdiff1d, [1, 2], [])).toEqual([1, 2]);
    expect(await both(weft.intersect1d, [1], [2])).toEqual([]);
    const whole = await weft.union1d(i32([2, -1]), tensor([true]));
    expect([whole.dtype, await values(whole)]).toEqual(["i32", [-1, 1, 2]]);
    expect(await both(weft.intersect1d, arange(3000).mul(2), arange(3000).mul(3))).toHaveLength(1000);
  });

  it("have as many places as are asked for, in jit and under vmap", async () => {
    const { values: found, count } = weft.setdiff1dWithSize([3, 1, 2], [2, 5, 3], 3, -7);
    expect([await values(found), await count.item()]).toEqual([[1, -7, -7], 1]);
    const traced = jit((a: Tensor, b: Tensor) => weft.intersect1dWithSize(a, b, 1).values);
    expect(await values(traced(tensor([3, 1, 2]), tensor([2, 3])))).toEqual([2]);
    const rows = vmap((a: Tensor) => weft.union1dWithSize(a, [1, 4], 4).values);
    expect(await rows(tensor([[1, 2], [9, 8]])).array()).toEqual([[1, 2, 4, 0], [1, 4, 8, 9]]);
    expect(await values(weft.setxor1dWithSize([], [], 2, 5).values)).toEqual([5, 5]);
    expect(refused(() => weft.union1dWithSize([1], [2], -1))).toContain("the number of places");
  });

  it("leave nothing, and may be freed during the wait", async () => {
    const before = weft.memory().tensors;
    const [a, b] = [tensor([1, 2]), tensor([2, 3])];
    const waiting = weft.setxor1d(a, b);
    a.dispose();
    b.dispose();
    const found = await waiting;
    expect(await values(found)).toEqual([1, 3]);
    found.dispose();
    expect(weft.memory().tensors).toBe(before);
  });
});

describe("functions at places", () => {
  it("see what stands there", async () => {
    const x = () => tensor([1, 2, 3, 4]);
    expect(await values(x().at("1:3").apply((part) => part.square()))).toEqual([1, 4, 9, 4]);
    expect(await values(x().at(0).apply((part) => part.sub(5)))).toEqual([-4, 2, 3, 4]);
    // Once, also where a position stands twice.
    expect(await values(x().at([3, 3]).apply((part) => part.mul(2)))).toEqual([1, 2, 3, 8]);
    expect(await values(x().at(unknown([1, 9])).apply((part) => part.neg()))).toEqual([1, -2, 3, 4]);
    expect(await values(x().at(unknown([-5, 5]), { mode: "clip" }).apply((part) => part.mul(10)))).toEqual([10, 2, 3, 40]);
    expect(await tensor([[1, 2], [3, 4]]).at(":", 1).apply((column) => column.sum()).array()).toEqual([[1, 6], [3, 6]]);
    expect(await values(i32([1, 2]).at(0).apply((part) => part.add(0.75)))).toEqual([1, 2]);
  });

  it("see all where a mask in a tensor chooses", async () => {
    const f = (x: Tensor) => x.at(x.greater(1)).apply((all) => all.square());
    expect(await values(f(tensor([1, 2, 3])))).toEqual([1, 4, 9]);
    expect(await values(jit(f)(tensor([1, 2, 3])))).toEqual([1, 4, 9]);
    expect(await values(grad((x: Tensor) => f(x).sum())(tensor([1, 2, 3])))).toEqual([1, 4, 6]);
    expect(await tensor([[1, 2], [3, 4]]).at(tensor([false, true])).apply((all) => all.neg()).array()).toEqual([[1, 2], [-3, -4]]);
    expect(refused(() => tensor([1, 2]).at(tensor([true])).apply((all) => all))).toMatch(/^ShapeError: at\.apply: a mask \[1\]/);
    expect(refused(() => tensor([1, 2]).at(0).apply(() => 3 as never))).toContain("takes a function that returns a tensor");
    expect(refused(() => tensor([1, 2]).at(0).apply(3 as never))).toMatch(/^ValueError: at\.apply/);
    expect(refused(() => tensor([1, 2]).at(0).apply(() => tensor([1, 2])))).toMatch(/^ShapeError/);
  });

  it("derive and batch", async () => {
    const f = (x: Tensor) => x.at([0, 2]).apply((part) => part.pow(3));
    expect(await values(grad((x: Tensor) => f(x).sum())(tensor([1, 2, 3])))).toEqual([3, 1, 27]);
    expect(await (vmap(f)(tensor([[1, 2, 3], [2, 2, 2]])) as Tensor).array()).toEqual([[1, 2, 27], [8, 2, 8]]);
  });
});

describe("putAlongAxis", () => {
  it("has modes for what lies beyond", async () => {
    const put = async (indices: number[], options?: weft.OutsideOptions) => values(weft.putAlongAxis(tensor([1, 2, 3]), unknown(indices), [7, 8], 0, options));
    expect(await put([0, 5])).toEqual([7, 2, 3]);
    expect(await put([0, 5], { mode: "drop" })).toEqual([7, 2, 3]);
    expect(await put([-1, 5], { mode: "fill" })).toEqual([1, 2, 7]);
    expect(await put([0, 5], { mode: "clip" })).toEqual([7, 2, 8]);
    expect(await put([-9, 1], { mode: "clip" })).toEqual([7, 8, 3]);
    expect(await put([4, 5], { mode: "wrap" })).toEqual([1, 7, 8]);
    expect(await put([-4, 3], { mode: "wrap" })).toEqual([8, 2, 7]);
    expect(refused(() => weft.putAlongAxis([1], [0], 1, 0, { mode: "none" as never }))).toMatch(/^ValueError: putAlongAxis: the mode is one of/);
  });
});

describe("intersect1dIndices", () => {
  it("says where members first stand", async () => {
    const [members, inFirst, inSecond] = await weft.intersect1dIndices(i32([5, 2, 9, 2, 7]), [[7, 3], [2, 2]]);
    expect([await values(members), await values(inFirst), await values(inSecond)]).toEqual([[2, 7], [1, 4], [2, 0]]);
    const none = await weft.intersect1dIndices([1, NaN], [NaN, 2]);
    expect(none.map((x) => x.shape)).toEqual([[0], [0], [0]]);
    expect(inFirst.dtype).toBe("i32");
    await expect(weft.intersect1dIndices([1], "x" as never)).rejects.toThrow(/intersect1dIndices/);
  });
});

describe("histograms of several coordinates", () => {
  const x = [0.1, 0.5, 0.9, 0.5, 2, NaN, 1];
  const y = [1, 2, 3, 2, 1, 1, 3];

  it("are NumPy's", async () => {
    const even = weft.histogram2d(x, y, { bins: [2, 3], range: [[0, 1], [1, 3]] });
    expect(await even.counts.array()).toEqual([[1, 0, 0], [0, 2, 2]]);
    expect((await values(even.edges[1] as Tensor)).map((edge) => Math.round(edge as number * 1000))).toEqual([1000, 1667, 2333, 3000]);
    const own = weft.histogram2d(x, y, { bins: [[0, 0.5, 2], 2], range: [undefined, [1, 3]], weights: [1, 2, 3, 4, 5, 6, 7] });
    expect(await own.counts.array()).toEqual([[1, 0], [5, 16]]);
    const density = weft.histogram2d([0, 1, 1], [0, 0, 4], { bins: 2, density: true });
    expect((await values(density.counts)).map((v) => Math.round((v as number) * 1e4))).toEqual([3333, 0, 3333, 3333]);
    const points = weft.histogramdd([[0, 0, 0], [1, 1, 1], [1, 0, 1]], { bins: 2 });
    expect(await points.counts.array()).toEqual([[[1, 0], [0, 0]], [[0, 1], [0, 1]]]);
    expect(await values(weft.histogramBinEdges([1, 2, 5], { bins: 4 }))).toEqual([1, 2, 3, 4, 5]);
    expect(await values(weft.histogramBinEdges([true, false], { bins: 2 }))).toEqual([0, 0.5, 1]);
    expect((await values(weft.histogramdd(weft.zeros([0, 2]), { bins: 2 }).counts))).toEqual([0, 0, 0, 0]);
  });

  it("refuse what does not fit", () => {
    expect(refused(() => weft.histogramdd([1, 2]))).toMatch(/^ShapeError: histogramdd: points are rows of a matrix/);
    expect(refused(() => weft.histogram2d([1, 2], [1]))).toMatch(/^ShapeError: histogram2d: there are 2 and 1/);
    expect(refused(() => weft.histogram2d([1, 2], [1, 2], { bins: [1, 2, 3] }))).toMatch(/^ValueError: histogram2d: bins are given for 3 of 2/);
    expect(refused(() => weft.histogram2d([1, 2], [1, 2], { range: 3 as never }))).toMatch(/^ValueError: histogram2d: takes a range for each/);
  });
});
