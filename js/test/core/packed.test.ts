// Packed dtypes, of fewer bits than a word.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { data, grad, jit, Parameter, scan, tensor, vmap, zeros, type DType, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const packed = ["f16", "i8", "u8"] as const satisfies readonly DType[];
const half = (data: Parameters<typeof tensor>[0]) => tensor(data, { dtype: "f16" });

describe("packed dtypes", () => {
  it("keep what fits them, at every length", async () => {
    for (const dtype of packed) {
      for (const length of [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000]) {
        const given = Array.from({ length }, (_, i) => i % 100);
        const x = tensor(given, { dtype });
        expect([x.dtype, x.shape]).toEqual([dtype, [length]]);
        expect(await values(x)).toEqual(given);
        const twice = x.add(x).sub(x);
        expect(twice.dtype).toBe(dtype);
        expect(await values(twice)).toEqual(given);
      }
    }
  });

  it("are read as arrays of their own", async () => {
    expect(await half([0.1, -2]).add(0).data()).toEqual(Float32Array.of(0.0999755859375, -2));
    expect(await tensor([-128, 127], { dtype: "i8" }).data()).toEqual(Int8Array.of(-128, 127));
    expect(await tensor([0, 255], { dtype: "u8" }).data()).toEqual(Uint8Array.of(0, 255));
    expect(await tensor([[1, 2, 3]], { dtype: "u8" }).mul(2).array()).toEqual([[2, 4, 6]]);
    expect(await half(2.5).item()).toBe(2.5);
  });

  it("round numbers once, whatever they come from", async () => {
    const given = [1 / 3, 65519.99, 65520, -1e9, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0000001, -0, NaN, Infinity, 1 + 2 ** -11, 1 + 2 ** -11 + 2 ** -40];
    const expected = [0.333251953125, 65504, Infinity, -Infinity, 2 ** -24, 0, 2 ** -24, -0, NaN, Infinity, 1, 1 + 2 ** -10];
    const uploaded = half(given);
    expect(Array.from(await uploaded.data())).toEqual(expected);
    // The last lies beside a tie by less than f32 holds.
    const cast = weft.cast(given.slice(0, -1), "f16");
    expect(Array.from(await cast.data())).toEqual(expected.slice(0, -1));
    expect(await weft.cast(uploaded, "f32").data()).toEqual(Float32Array.from(expected));
  });

  it("print as what they are", async () => {
    expect(String(half([1, 0.5]))).toBe("Tensor f16[2] [  1, 0.5]");
    expect(String(tensor([-1, 2], { dtype: "i8" }))).toBe("Tensor i8[2] [-1,  2]");
  });

  it("refuse what they cannot hold", () => {
    expect(errorOf(() => tensor([256], { dtype: "u8" })).message).toBe("tensor: 256 does not fit in u8");
    expect(errorOf(() => tensor(Int32Array.of(-129), { dtype: "i8" }))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => weft.full([2], 300, { dtype: "u8" }))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => weft.bitcast(half([1]), "u32"))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => weft.bitcast(tensor([1]), "f16"))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => tensor([1]).cast("f8" as never)).message).toContain("expected f32, i32, u32, bool, f16, i8 or u8");
    expect(errorOf(() => weft.take([1, 2], half([0])))).toBeInstanceOf(weft.WeftError);
  });

  it("are made by rule", async () => {
    for (const dtype of packed) {
      expect(await values(zeros([3], { dtype }))).toEqual([0, 0, 0]);
      expect(await values(weft.ones([3], { dtype }))).toEqual([1, 1, 1]);
      expect(await values(weft.full([3], 7, { dtype }))).toEqual([7, 7, 7]);
      expect(await values(weft.arange(0, 9, 2, { dtype }))).toEqual([0, 2, 4, 6, 8]);
      expect(await values(weft.eye(2, undefined, { dtype }))).toEqual([1, 0, 0, 1]);
      for (const made of [weft.zerosLike, weft.onesLike]) expect(made(zeros([2], { dtype })).dtype).toBe(dtype);
      expect(weft.oneHot(tensor([1], { dtype: "i32" }), 3, { dtype }).dtype).toBe(dtype);
    }
    expect(weft.take(half([1, 2, 3]), [2]).dtype).toBe("f16");
    expect(await values(weft.concat([tensor([1, 2, 3], { dtype: "u8" }), tensor([-1], { dtype: "i8" })]))).toEqual([1, 2, 3, -1]);
  });

  it("stay halves with numbers and integers, and meet floats as floats", () => {
    const x = half([1, 2, 3]);
    expect(x.mul(0.25).dtype).toBe("f16");
    expect(x.add(tensor([1, 2, 3], { dtype: "i32" })).dtype).toBe("f16");
    expect(x.add([1, 2, 3]).dtype).toBe("f32");
    expect(weft.nn.gelu(x).dtype).toBe("f16");
    expect(weft.sort(x).dtype).toBe("f16");
    expect(x.argmax().dtype).toBe("i32");
    expect(x.greater(1).dtype).toBe("bool");
    expect(tensor([1], { dtype: "u8" }).sum().dtype).toBe("u32");
  });
});

describe("halves under transformations", () => {
  it("have gradients of their own dtype, computed in f32", async () => {
    const x = half([1, 2, 300]);
    const by = grad((x: Tensor) => x.square().sum())(x) as Tensor;
    expect(by.dtype).toBe("f16");
    expect(await values(by)).toEqual([2, 4, 600]);
    // The loss is beyond f16, its gradient is not.
    const scaled = grad((x: Tensor) => x.cast("f32").square().sum().mul(0.5))(x) as Tensor;
    expect(await values(scaled)).toEqual([1, 2, 300]);
    const w = half([[1, 2], [3, 4]]);
    const [byX, byW] = grad((x: Tensor, w: Tensor) => weft.matmul(x, w).sum(), { argnums: [0, 1] })(half([[1, 1]]), w) as [Tensor, Tensor];
    expect([await values(byX), await values(byW)]).toEqual([[3, 7], [1, 1, 1, 1]]);
    const [value, pushed] = weft.jvp((x: Tensor) => x.mul(x), [x], [half([1, 1, 1])]) as unknown as [Tensor, Tensor];
    expect([value.dtype, pushed.dtype]).toEqual(["f16", "f16"]);
    expect(await values(pushed)).toEqual([2, 4, 600]);
    const twice = weft.hessian((x: Tensor) => x.mul(x).mul(x).sum())(half([1, 2])) as Tensor;
    expect(await values(twice)).toEqual([6, 0, 0, 12]);
  });

  it("batch, loop, branch and compile", async () => {
    const rows = half([[1, 2, 3], [4, 5, 6]]);
    const sums = vmap((row: Tensor) => row.mul(0.5).sum())(rows) as Tensor;
    expect([sums.dtype, await values(sums)]).toEqual(["f16", [3, 7.5]]);
    const [last, all] = scan((sum: Tensor, x: Tensor) => [sum.add(x), sum.mul(2)], half([0, 0, 0]), rows) as [Tensor, Tensor];
    expect([last.dtype, all.dtype]).toEqual(["f16", "f16"]);
    expect([await values(last), await values(all)]).toEqual([[5, 7, 9], [0, 0, 0, 2, 4, 6]]);
    const through = grad((x: Tensor) => (scan((s: Tensor, x: Tensor) => [s.mul(x), s], half([1, 1, 1]), x) as [Tensor, Tensor])[0].sum())(rows) as Tensor;
    expect([through.dtype, await values(through)]).toEqual(["f16", [4, 5, 6, 1, 2, 3]]);
    const chosen = weft.cond(tensor(true), (x: Tensor) => x.mul(2), (x: Tensor) => x, rows) as Tensor;
    expect([chosen.dtype, await values(chosen)]).toEqual(["f16", [2, 4, 6, 8, 10, 12]]);
    const step = jit((x: Tensor) => x.add(1));
    expect([await values(step(rows)), step(rows).dtype]).toEqual([[2, 3, 4, 5, 6, 7], "f16"]);
    const custom = weft.customVjp((x: Tensor) => x.mul(2), (x: Tensor) => [x.mul(2), null], (_: null, g: Tensor) => [g.mul(3)]);
    const of = grad((x: Tensor) => custom(x).sum())(half([1, 2])) as Tensor;
    expect([of.dtype, await values(of)]).toEqual(["f16", [3, 3]]);
  });

  it("train, with their state in f32", async () => {
    const weight = new Parameter(half([1, 2, 3]));
    const optimizer = weft.optim.adam([weight], { lr: 0.5 });
    for (let n = 0; n < 3; n++) optimizer.step([weight.mul(2)]);
    expect(weight.dtype).toBe("f16");
    const after = await values(weight);
    expect(after.every((x, i) => x < [1, 2, 3][i]! && x > -1)).toBe(true);
  });
});

describe("packed dtypes in files", () => {
  it("are kept as they are", async () => {
    const named = { a: half([[0.1, 65504], [-0, NaN]]), b: tensor([-128, 127, 0], { dtype: "i8" }), c: tensor([0, 255], { dtype: "u8" }), d: tensor([1.5]), e: tensor([true]) };
    const { tensors } = data.safetensors(await data.toSafetensors(named));
    const arrays = await data.npz(await data.toNpz(named));
    for (const [name, x] of Object.entries(named)) {
      for (const file of [tensors[name]!, arrays[name]!]) {
        expect([file.dtype, file.shape]).toEqual([x.dtype, x.shape]);
        expect(await values(file.tensor({ dtype: x.dtype }))).toEqual(await values(x));
      }
    }
    expect((await data.toNpy(named.a)).length).toBe(128 + 8);
  });
});
