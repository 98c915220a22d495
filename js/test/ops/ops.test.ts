// Operations as functions and methods, dtypes and promotion.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { tensor, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const near = async (x: Tensor, expected: number[], digits = 5) => {
  const found = await values(x);
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i] as number, digits));
};

describe("every operation", () => {
  it("is a function and a method", async () => {
    const x = tensor([1, 4]);
    expect(await values(weft.sqrt(x))).toEqual([1, 2]);
    expect(await values(x.sqrt())).toEqual([1, 2]);
    expect(await values(weft.add(x, 1))).toEqual(await values(x.add(1)));
    expect(await values(weft.sum(x))).toEqual(await values(x.sum()));
  });

  it("takes numbers and arrays where tensors stand", async () => {
    const x = tensor([1, 2]);
    expect(await values(weft.sub(10, x))).toEqual([9, 8]);
    expect(await values(x.mul([3, 4]))).toEqual([3, 8]);
    expect(await values(weft.mul([[1], [2]], [3, 4]))).toEqual([3, 4, 6, 8]);
    expect(await weft.add(1, 2).item()).toBe(3);
    expect(await values(weft.exp(0))).toEqual([1]);
    expect(await values(weft.matmul([[1, 2]], [[3], [4]]))).toEqual([11]);
    expect(await values(weft.where([true, false], x, 0))).toEqual([1, 0]);
    expect(await values(weft.where(tensor([1, 0]).greater(0), 5, [7, 8]))).toEqual([5, 8]);
  });

  it("leaves nothing behind for operands that were made for it", () => {
    const before = weft.memory().tensors;
    const x = tensor([1, 2]);
    const made = [x.add([1, 2]), weft.concat([x, [3]]), x.take([0]), x.at([0]).set([5]), weft.where([true, false], x, 0)];
    expect(weft.memory().tensors).toBe(before + 1 + made.length);
    for (const tensor of [x, ...made]) tensor.dispose();
    expect(() => tensor([1, 2]).add([1, 2, 3])).toThrow();
    expect(weft.memory().tensors).toBe(before + 1);
  });
});

describe("dtypes", () => {
  it("meet as documented; plain numbers are weak", () => {
    const i = tensor([1, 2], { dtype: "i32" });
    const u = tensor([1, 2], { dtype: "u32" });
    expect(i.add(1).dtype).toBe("i32");
    expect(i.add(1.5).dtype).toBe("f32");
    expect(i.add(u).dtype).toBe("i32");
    expect(u.mul(2).dtype).toBe("u32");
    expect(i.add(tensor(1)).dtype).toBe("f32");
    expect(i.div(2).dtype).toBe("f32");
    expect(i.mean().dtype).toBe("f32");
    expect(weft.where([true, false], i, 0).dtype).toBe("i32");
    expect(i.equal(1).dtype).toBe("bool");
    expect(tensor([true]).sum().dtype).toBe("i32");
    expect(i.clip(0, 1).dtype).toBe("i32");
  });

  it("cast", async () => {
    expect(await tensor([1.9, -1.9, NaN]).cast("i32").data()).toEqual(Int32Array.of(1, -1, 0));
    expect(await tensor([1]).bitcast("u32").item()).toBe(0x3f800000);
    expect(await tensor([0, 2]).cast("bool").array()).toEqual([false, true]);
  });
});

describe("elementwise", () => {
  it("computes", async () => {
    await near(tensor([-1, 0, 1]).gelu(), [-0.158655, 0, 0.841345]);
    await near(tensor([-1, 0, 2]).relu(), [0, 0, 2]);
    await near(tensor([0, 1]).erf(), [0, 0.842701]);
    await near(tensor([-2.5, 0.5, 1.5]).round(), [-2, 0, 2]);
    await near(tensor([-5, 0, 5]).clip(-1, 2), [-1, 0, 2]);
    await near(tensor([-5, 0, 5]).clip(null, 2), [-5, 0, 2]);
    await near(tensor([-5, 0, 5]).clip(tensor([-1, 1, 1]), null), [-1, 1, 5]);
    await near(tensor([7, -7]).remainder(3), [1, 2]);
    await near(tensor([7, -7]).floorDivide(2), [3, -4]);
    await near(tensor([2, 3]).pow(2), [4, 9]);
    expect(await tensor([NaN, 1]).isnan().array()).toEqual([true, false]);
    expect(await tensor([Infinity, 1]).isfinite().array()).toEqual([false, true]);
    expect(await values(tensor([5, 3], { dtype: "i32" }).bitwiseAnd(1))).toEqual([1, 1]);
    expect(await values(tensor([1, 3], { dtype: "i32" }).shiftLeft(2))).toEqual([4, 12]);
    expect(await tensor([true, false]).logicalAnd(true).array()).toEqual([true, false]);
  });
});

describe("reductions", () => {
  const matrix = () => tensor([[1, 2, 3], [4, 5, 6]]);

  it("take axes and keepdims", async () => {
    expect(await values(matrix().sum())).toEqual([21]);
    expect(await values(matrix().sum(0))).toEqual([5, 7, 9]);
    expect(matrix().sum(-1, { keepdims: true }).shape).toEqual([2, 1]);
    expect(await values(matrix().max([0, 1]))).toEqual([6]);
    expect(await values(matrix().mean(1))).toEqual([2, 5]);
    expect(await matrix().argmax(1).data()).toEqual(Int32Array.of(2, 2));
    expect(await matrix().argmin().item()).toBe(0);
    await near(matrix().logSumExp(1), [3.407606, 6.407606]);
    await near(matrix().variance(1), [2 / 3, 2 / 3]);
    await near(matrix().std(1, { correction: 1 }), [1, 1]);
    expect(await matrix().greater(5).any(1).array()).toEqual([false, true]);
  });

  it("refuse axes that are not there", () => {
    const error = errorOf(() => matrix().sum(2));
    expect(error).toBeInstanceOf(weft.AxisError);
    expect(error.message).toBe("sum: axis 2 is out of range for [2,3]: expected -2 to 1");
    expect(errorOf(() => matrix().sum([0, 0]))).toBeInstanceOf(weft.AxisError);
  });
});

describe("views", () => {
  const matrix = () => tensor([[1, 2, 3], [4, 5, 6]]);

  it("rearrange", async () => {
    expect(await matrix().reshape([3, -1]).array()).toEqual([[1, 2], [3, 4], [5, 6]]);
    expect(await matrix().transpose().array()).toEqual([[1, 4], [2, 5], [3, 6]]);
    expect(await values(matrix().flatten())).toEqual([1, 2, 3, 4, 5, 6]);
    expect(matrix().expandDims(-1).squeeze(-1).shape).toEqual([2, 3]);
    expect(matrix().permute([1, 0]).shape).toEqual([3, 2]);
    expect(matrix().expand([2, 2, 3]).shape).toEqual([2, 2, 3]);
    expect(await matrix().flip(1).array()).toEqual([[3, 2, 1], [6, 5, 4]]);
    expect(await tensor([1]).pad(1, 9).array()).toEqual([9, 1, 9]);
    expect(await tensor([[1]]).pad([[0, 0], [1, 0]]).array()).toEqual([[0, 1]]);
  });

  it("slice as Python does", async () => {
    expect(await matrix().slice([0, 1]).array()).toEqual([[1, 2, 3]]);
    expect(await matrix().slice(null, -1).array()).toEqual([3, 6]);
    expect(await matrix().slice(1, [null, null, -2]).array()).toEqual([6, 4]);
    expect(await matrix().slice(-1, 0).item()).toBe(4);
    expect(matrix().slice([5, 9]).shape).toEqual([0, 3]);
    expect(errorOf(() => matrix().slice(2))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => matrix().slice(0, 0, 0))).toBeInstanceOf(weft.AxisError);
    expect(errorOf(() => matrix().slice(0.5))).toBeInstanceOf(weft.ValueError);
  });

  it("join and split", async () => {
    expect(await weft.concat([[1], tensor([2, 3])]).array()).toEqual([1, 2, 3]);
    expect(await weft.stack([[1, 2], [3, 4]], 1).array()).toEqual([[1, 3], [2, 4]]);
    const [left, right] = matrix().split([1, 2], 1);
    expect([left?.shape, right?.shape]).toEqual([[2, 1], [2, 2]]);
    expect(matrix().split(3, -1)).toHaveLength(3);
    expect(errorOf(() => matrix().split(2, 1))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => matrix().split(2, 5))).toBeInstanceOf(weft.AxisError);
    expect(errorOf(() => weft.concat([]))).toBeInstanceOf(weft.ValueError);
  });
});

describe("indexing", () => {
  it("takes and marks classes", async () => {
    const x = tensor([[1, 2], [3, 4], [5, 6]]);
    expect(await x.take([2, 0], 0).array()).toEqual([[5, 6], [1, 2]]);
    expect(await x.take(-1, 0).array()).toEqual([5, 6]);
    expect(await x.take([[0, 1]]).array()).toEqual([[1, 2]]);
    expect(await weft.oneHot([1, 0], 2).array()).toEqual([[0, 1], [1, 0]]);
    expect(weft.oneHot([1], 2, { dtype: "bool" }).dtype).toBe("bool");
    expect(errorOf(() => x.take(tensor([0.5]), 0))).toBeInstanceOf(weft.DTypeError);
  });

  it("makes changed copies", async () => {
    const x = tensor([1, 2, 3]);
    expect(await values(x.at(0).set(9))).toEqual([9, 2, 3]);
    expect(await values(x.at([-1, 0]).set([7, 8]))).toEqual([8, 2, 7]);
    expect(await values(x.at([1, 1]).add(1))).toEqual([1, 4, 3]);
    expect(await values(x)).toEqual([1, 2, 3]);
    expect(errorOf(() => x.at(5).set(1))).toBeInstanceOf(weft.ValueError);
  });
});

describe("matmul", () => {
  it("multiplies", async () => {
    expect(await values(weft.matmul([1, 2, 3], [4, 5, 6]))).toEqual([32]);
    expect(tensor([[[1, 2]], [[3, 4]]]).matmul(weft.ones([2, 5])).shape).toEqual([2, 1, 5]);
  });

  it("says which extents differ", () => {
    const error = errorOf(() => weft.zeros([64, 784]).matmul(weft.zeros([10, 784])));
    expect(error).toBeInstanceOf(weft.ShapeError);
    expect(error.op).toBe("matmul");
    expect(error.message).toBe("matmul: [64,784] × [10,784]: 784 ≠ 10");
  });

  it("fails with a stack that leads to the caller and shows nothing of the core", () => {
    const caller = () => weft.matmul([1, 2], [1, 2, 3]);
    const stack = errorOf(caller).stack?.split("\n") ?? [];
    expect(stack[0]).toBe("ShapeError: matmul: [2] × [3]: 2 ≠ 3");
    expect(stack.findIndex((frame) => frame.includes("caller"))).toBeGreaterThan(0);
    expect(stack.findIndex((frame) => frame.includes("caller"))).toBeLessThan(10);
    expect(stack.some((frame) => frame.includes("wasm-function"))).toBe(false);
  });
});

describe("functions of networks", () => {
  it("are right", async () => {
    await near(tensor([[1, 2, 3]]).softmax(), [0.090031, 0.244728, 0.665241]);
    await near(tensor([1, 2, 3]).logSoftmax(), [-2.407606, -1.407606, -0.407606]);
    await near(weft.crossEntropy([[1, 2, 3], [1, 2, 3]], [2, 0]), [1.407606]);
    await near(weft.crossEntropy(tensor([[1, 2, 3]]), tensor([[0, 0, 1]])), [0.407606]);
    await near(weft.crossEntropy(tensor([[1, 2, 3]]), [[0, 0, 1]]), [0.407606]);
    await near(weft.crossEntropy([[1, 2, 3]], tensor([[0, 0, 1]])), [0.407606]);
    await near(weft.mseLoss([1, 2], [3, 2]), [2]);
    expect(errorOf(() => weft.crossEntropy([[1, 2]], [0, 1]))).toBeInstanceOf(weft.ShapeError);
  });
});

describe("errors", () => {
  it("are WeftErrors with a name and an operation", () => {
    const error = errorOf(() => tensor([1, 2]).add([1, 2, 3]));
    expect(error).toBeInstanceOf(weft.WeftError);
    expect(error).toBeInstanceOf(weft.ShapeError);
    expect(error.name).toBe("ShapeError");
    expect(String(error)).toMatch(/^ShapeError: add: /);
  });

  it("name tensors that are too large, and nothing is lost", async () => {
    expect(errorOf(() => weft.matmul(weft.ones([65536, 2]), weft.ones([2, 65536])))).toBeInstanceOf(weft.ShapeError);
    const indices = weft.zeros([65536], { dtype: "i32" });
    expect(errorOf(() => weft.ones([1, 1]).broadcastTo([65536, 16384]).take(indices, 1))).toBeInstanceOf(weft.ShapeError);
    await expect(weft.full([2 ** 30], 1).data()).rejects.toBeInstanceOf(weft.OutOfMemoryError);
    expect(await tensor([1]).add(1).item()).toBe(2);
  });

  it("name what is no list", () => {
    for (const call of [() => weft.concat(tensor(1) as never), () => tensor([1]).permute(null as never), () => tensor([1]).pad("a" as never)]) {
      expect(errorOf(call)).toBeInstanceOf(weft.ValueError);
    }
    expect(errorOf(() => weft.random.key(2n ** 70n))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => weft.random.randint([1], -1, 5, "u32"))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => tensor([tensor(1)] as never)).message).toContain("a Tensor");
  });

  it("name shapes, whatever stands for one", () => {
    expect(errorOf(() => weft.zeros([6]).reshape("2,3" as never))).toBeInstanceOf(weft.ShapeError);
    expect(String(errorOf(() => weft.zeros([1e6, 1e6])))).toMatch(/^ShapeError: zeros: .*more than 2\^31/);
  });

  it("say which dtype does not fit", () => {
    expect(errorOf(() => tensor([1.5]).bitwiseAnd(1))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => tensor([true]).neg())).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => tensor([1]).cast("f64" as never))).toBeInstanceOf(weft.DTypeError);
  });
});
