// Functions composed of other functions. Expected values are NumPy's 2.4.6.

import { expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { arange, eye, fft, grad, jit, nn, ones, random, tensor, valueAndGrad, vmap, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu } from "../support/cpu.js";

onCpu();

const i32 = (...numbers: number[]) => Int32Array.from(numbers);
const array = (x: Tensor) => x.array();
const near = async (x: Tensor, expected: unknown) => {
  const flat = (nested: unknown): number[] => (Array.isArray(nested) ? nested.flatMap(flat) : [nested as number]);
  const [got, want] = [flat(await x.array()), flat(expected)];
  expect(got.length).toBe(want.length);
  got.forEach((value, n) => expect(value).toBeCloseTo(want[n] as number, 4));
};

it("elements are put in, taken out, and repeated as NumPy does", async () => {
  const square = [[1, 2], [3, 4]];
  expect(await array(weft.insert(square, 1, [9, 8], 0))).toEqual([[1, 2], [9, 8], [3, 4]]);
  expect(await array(weft.insert(square, 1, [9, 8], 1))).toEqual([[1, 9, 2], [3, 8, 4]]);
  expect(await array(weft.insert([1, 2, 3], [1, 1], [8, 9]))).toEqual([1, 8, 9, 2, 3]);
  expect(await array(weft.insert(square, [0, 2], [[5], [6]], 1))).toEqual([[5, 1, 2, 5], [6, 3, 4, 6]]);
  expect(await array(weft.insert([1, 2, 3], -1, 7))).toEqual([1, 2, 7, 3]);
  expect(await array(weft.remove(square, 0, 1))).toEqual([[2], [4]]);
  expect(await array(weft.remove([1, 2], [0, 1]))).toEqual([]);
  expect(await array(weft.resize(arange(5), [2, 4]))).toEqual([[0, 1, 2, 3], [4, 0, 1, 2]]);
  expect(await array(weft.append(square, [[5, 6]], 0))).toEqual([[1, 2], [3, 4], [5, 6]]);
  expect(await array(weft.ediff1d([1, 2, 4], { toBegin: [-1, 0], toEnd: 9 }))).toEqual([-1, 0, 1, 2, 9]);
  expect(await array(weft.block([[eye(2), zeros([2, 1])], [ones([1, 3])]]))).toEqual([[1, 0, 0], [0, 1, 0], [1, 1, 1]]);
  expect(errorOf(() => weft.insert([1], 5, 1)).message).toBe("insert: position 5 is out of range: expected -1 to 1");
  expect(errorOf(() => weft.append([[1]], [2], 0)).message).toMatch(/^append: /);
});

it("polynomials are fitted, divided, integrated", async () => {
  await near(weft.polyfit([0, 1, 2, 3], [1, 0, 3, 9], 2), [1.75, -2.55, 0.95]);
  await near(weft.polyfit([0, 1, 2, 3], [[1, 2], [0, 4], [3, 6], [9, 8]], 1, [1, 1, 1, 1]), [[2.7, 2], [-0.8, 2]]);
  expect(await array(weft.polyint([3, 2, 1], 2, [5, 6]))).toEqual([0.25, Math.fround(1 / 3), 0.5, 5, 6]);
  expect(await array(weft.polyder([1, 2, 3, 4], 2))).toEqual([6, 4]);
  expect(await array(weft.polyder([1, 2], 5))).toEqual([]);
  const [quotient, rest] = weft.polydiv([1, 5, 7, 9], [1, 2]);
  expect([await array(quotient), await array(rest)]).toEqual([[1, 3, 1], [7]]);
  expect(await array(weft.polyadd(i32(1, 2, 3), i32(4)))).toEqual([1, 2, 7]);
  expect(weft.polyder(i32(1, 2, 3)).dtype).toBe("i32");
});

it("numbers fall into bins, also of descending edges", async () => {
  expect(await array(weft.digitize([0.5, 2, 3, 4], [4, 3, 2, 1]))).toEqual([4, 2, 1, 0]);
  expect(await array(weft.digitize([0.5, 2, 3, 4], [4, 3, 2, 1], true))).toEqual([4, 3, 2, 1]);
  expect(await array(weft.digitize([0.5, 2, 3, 4], [1, 2, 3]))).toEqual([0, 2, 3, 3]);
});

it("floats come apart and together", async () => {
  const [mantissa, exponent] = weft.frexp([8, -0.3, 0, Infinity, 3e-38, 3e38]);
  await near(mantissa, [0.5, -0.6, 0, Infinity, 0.6380479, 0.881621]);
  expect(await array(exponent)).toEqual([4, -1, 0, 0, -124, 128]);
  expect(await array(weft.ldexp(mantissa, exponent))).toEqual([8, Math.fround(-0.3), 0, Infinity, Math.fround(3e-38), Math.fround(3e38)]);
  const [rest, whole] = weft.modf([1.5, -2.25, Infinity, NaN]);
  expect([await array(rest), await array(whole)]).toEqual([[0.5, -0.25, 0, NaN], [1, -2, Infinity, NaN]]);
  expect(await array(weft.nextafter([1, 1, -1], [2, 0, 0]).bitcast("u32"))).toEqual([1065353217, 1065353215, 3212836863]);
  expect(await array(weft.nextafter([2, NaN, 1], [2, 1, NaN]))).toEqual([2, NaN, NaN]);
  expect(await array(weft.ldexp([1, 1.5, 1], [127, 10, -126]))).toEqual([2 ** 127, 1536, 2 ** -126]);
  expect(await array(grad((x: Tensor) => weft.ldexp(x, [3, 4]).sum())(tensor([1, 2])))).toEqual([8, 16]);
  await near(weft.logAddExp2([1, 1000], [2, 1000]), [2.584963, 1001]);
});

it("integers have divisors and bits", async () => {
  expect(await array(weft.gcd(i32(12, -18, 0, 1071, 1134903170), i32(9, 12, 5, 462, 1836311903)))).toEqual([3, 6, 5, 21, 1]);
  expect(await array(weft.lcm(i32(4, 6, 0), i32(6, -4, 3)))).toEqual([12, 12, 0]);
  expect(await array(weft.bitwiseCount(i32(0, 7, -1, 2 ** 31 - 1)))).toEqual([0, 3, 1, 31]);
  expect(errorOf(() => weft.gcd(tensor([1.5]), 2)).name).toBe("DTypeError");
  const [quotient, rest] = weft.divmod(i32(7, -7), 3);
  expect([quotient.dtype, await array(quotient), await array(rest)]).toEqual(["i32", [2, -3], [1, 2]]);
});

it("lines, weights and places", async () => {
  const x = arange(24).reshape([2, 3, 4]);
  const lines = weft.applyAlongAxis((line) => weft.stack([line.sum(), line.max()]), 1, x);
  expect(await array(lines)).toEqual([[[12, 15, 18, 21], [8, 9, 10, 11]], [[48, 51, 54, 57], [20, 21, 22, 23]]]);
  expect(await array(weft.applyOverAxes((v, axis) => v.sum(axis), x, [0, 2]))).toEqual([[[60], [92], [124]]]);
  expect(await array(weft.average([[1, 2], [3, 4]], 0, { weights: [1, 3] }))).toEqual([2.5, 3.5]);
  expect(await array(weft.average([[1, 2], [3, 4]], 1, { keepdims: true }))).toEqual([[1.5], [3.5]]);
  expect(await array(weft.putAlongAxis([[1, 2], [3, 4]], [[1], [0]], 9, 1))).toEqual([[1, 9], [9, 4]]);
  expect(await array(weft.putAlongAxis([[1, 2], [3, 4]], [[-1], [5]], [[7], [8]], 1))).toEqual([[1, 7], [3, 4]]);
  const v = tensor([-2, 0, 3]);
  expect(await array(weft.piecewise(v, [[true, true, false], [false, true, true]], [1, 2]))).toEqual([1, 2, 2]);
  expect(await array(jit((y: Tensor) => weft.piecewise(y, [y.less(0)], [(p) => p.neg()], (p) => p.mul(10)))(v))).toEqual([2, 0, 30]);
  expect(await array(weft.nancumsum([[1, NaN], [2, 3]], 0))).toEqual([[1, 0], [3, 3]]);
});

it("positions of shapes and triangles", async () => {
  expect(await Promise.all(weft.unravelIndex([1, 5, 11], [2, 2, 3]).map(array))).toEqual([[0, 0, 1], [0, 1, 1], [1, 2, 2]]);
  expect(await array(weft.ravelMultiIndex([[0, 1], [1, 0], [2, 1]], [2, 2, 3]))).toEqual([5, 7]);
  expect(await Promise.all(weft.trilIndices(3, 1, 2).map(array))).toEqual([[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]]);
  expect(await Promise.all(weft.triuIndices(2, -1, 3).map(array))).toEqual([[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]);
  expect(weft.atLeast3d(ones([2, 3])).shape).toEqual([2, 3, 1]);
  expect(weft.broadcastShapes([3, 1], [], [1, 4])).toEqual([3, 4]);
  expect(weft.broadcastShapes([0], [1])).toEqual([0]);
  expect(errorOf(() => weft.broadcastShapes([2], [3])).message).toBe("broadcastShapes: [2] and [3] do not broadcast");
});

it("dtypes meet as in operations", () => {
  for (const a of ["f32", "i32", "u32", "bool"] as const) {
    for (const b of ["f32", "i32", "u32", "bool"] as const) {
      expect(weft.promoteTypes(a, b)).toBe(weft.maximum(ones([1], { dtype: a }), ones([1], { dtype: b })).dtype);
    }
  }
  expect([weft.resultType("i32", 2), weft.resultType(2.5, i32(1)), weft.resultType("bool", 1), weft.resultType(1)]).toEqual(["i32", "f32", "i32", "f32"]);
  expect([weft.canCast("bool", "u32"), weft.canCast("i32", "u32"), weft.canCast("f32", "f32")]).toEqual([true, false, true]);
  expect([weft.isDType("u32", "integral"), weft.isDType("bool", "numeric"), weft.isDType("f32", ["bool", "real floating"])]).toEqual([true, false, true]);
  expect(1 + weft.finfo().eps).toBeGreaterThan(1);
  expect([weft.isDType("i8", "signed integer"), weft.isDType("u8", "integral"), weft.isDType("f16", "real floating")]).toEqual([true, true, true]);
  // As NumPy's finfo and iinfo say.
  expect(weft.finfo("f16")).toEqual({ dtype: "f16", bits: 16, eps: 0.0009765625, epsneg: 0.00048828125, max: 65504, min: -65504, tiny: 6.103515625e-5, smallestNormal: 6.103515625e-5 });
  expect([weft.finfo("f32").max, weft.finfo("f32").tiny]).toEqual([3.4028234663852886e38, 1.1754943508222875e-38]);
  expect((["i8", "u8", "i32", "u32"] as const).map((dtype) => [weft.iinfo(dtype).min, weft.iinfo(dtype).max])).toEqual([[-128, 127], [0, 255], [-2147483648, 2147483647], [0, 4294967295]]);
  expect(() => weft.iinfo("f16")).toThrow(weft.DTypeError);
});

it("Hermitian transforms", async () => {
  const z = new weft.Complex([1, 2, 3, 4], [0, 1, -1, 0]);
  await near(fft.hfft(z), [15, -4, 3.464102, -1, -3.464102, -4]);
  const back = fft.ihfft([1, 2, 3, 4, 5]);
  await near(back.re, [3, -0.5, -0.5]);
  await near(back.im, [0, -0.688191, -0.16246]);
});

it("tensors sort, count and choose by methods", async () => {
  const x = tensor([3, 1, 2]);
  expect(await array(x.sort())).toEqual([1, 2, 3]);
  expect(await array(x.argsort(-1, true))).toEqual([0, 2, 1]);
  expect([await x.median().item(), await x.quantile(0.5).item(), await x.nanmedian().item()]).toEqual([2, 2, 2]);
  const [values, positions] = x.topK(2);
  expect([await array(values), await array(positions)]).toEqual([[3, 2], [0, 2]]);
  expect(await array(await tensor([2, 1, 2]).uniqueValues())).toEqual([1, 2]);
  expect(x.softmax([0]).shape).toEqual([3]);
  expect(x.expandDims([0, 2]).shape).toEqual([1, 3, 1]);
});

it("losses and their gradients stay finite at the edges", async () => {
  const [loss, slope] = valueAndGrad((x: Tensor) => nn.sigmoidCrossEntropy(x, [1, 0]).sum())(tensor([-1000, 1000]));
  expect([await loss.item(), await array(slope as Tensor)]).toEqual([2000, [-1, 1]]);
  for (const f of [(x: Tensor) => nn.cosineSimilarity(x, ones([2])), (x: Tensor) => nn.logCosh(x).sum(), (x: Tensor) => nn.tripletLoss(x, x, x).sum()]) {
    expect((await array(grad(f)(zeros([2])) as Tensor) as number[]).every(Number.isFinite)).toBe(true);
  }
  await near(nn.logCosh([-50, -0.2, 0.05, 2]), [49.306853, 0.019868, 0.00124948, 1.325003]);
  await near(nn.klDivergence(weft.log([[0.25, 0.75]]), [[0.5, 0.5]]), [0.143841]);
  await near(nn.softmaxCrossEntropy([[0, -Infinity]], [[1, 0]]), [0]);
  await near(nn.log1mexp([1e-5, 0.5, 3]), [-11.51293, -0.932752, -0.051069]);
});

it("Poisson's counts have his mean and variance", async () => {
  for (const rate of [3, 40]) {
    const counts = random.poisson(random.key(3), rate, [1500]);
    expect(counts.dtype).toBe("i32");
    const [mean, variance] = [await counts.mean().item(), await counts.cast("f32").variance().item()];
    // Five standard errors.
    expect(Math.abs(mean - rate)).toBeLessThan(5 * Math.sqrt(rate / 1500));
    expect(Math.abs(variance / rate - 1)).toBeLessThan(5 * Math.sqrt((2 + 1 / rate) / 1500));
  }
  expect((await array(vmap((k: Tensor) => random.poisson(k, 3))(random.split(random.key(1), 4)) as Tensor) as number[]).length).toBe(4);
  expect(await random.poisson(random.key(0), 0).item()).toBe(0);
  expect(errorOf(() => random.poisson(random.key(0), [1, 2], [3])).message).toMatch(/^random.poisson: /);
});
