// Values and slopes at the edges of functions: beside NaN and infinities, at 0, at the least
// integer, and where a rounding would change which element is found. Expected by NumPy and SciPy.

import { describe, expect, it } from "vitest";
import {
  arange, atan2, Complex, cosh, elu, gcd, grad, hardSigmoid, hardSilu, hardTanh, hypot, interp, lcm, leakyRelu, linspace, log10, log2, mean, median, nanmedian, nanpercentile,
  nanquantile, nn, percentile, quantile, relu, relu6, special, tensor, vmap, zeros, type Tensor,
} from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const slopes = (f: (x: Tensor) => Tensor, at: number[]) => values(vmap(grad(f))(tensor(at)));

describe("an edge", () => {
  it("of logarithms is 0: below it they are NaN, however near", async () => {
    const below = [-1e-20, -1e-37, -1e-3, -87, -1e10, -Infinity, NaN];
    for (const f of [log2, log10]) {
      expect(await values(f(below))).toEqual(below.map(() => NaN));
      expect(await values(f([0, -0, Infinity]))).toEqual([-Infinity, -Infinity, Infinity]);
    }
    expect((await slopes(log2, [0.5, 8])).map((slope) => slope.toFixed(5))).toEqual(["2.88539", "0.18034"]);
  });

  it("beside NaN is NaN", async () => {
    expect(await values(atan2([Infinity, -Infinity, NaN, NaN], [NaN, NaN, Infinity, -Infinity]))).toEqual([NaN, NaN, NaN, NaN]);
    expect((await values(atan2([Infinity, -Infinity], [-Infinity, Infinity]))).map((angle) => angle.toFixed(5))).toEqual(["2.35619", "-0.78540"]);
    for (const f of [special.relEntr, special.klDiv]) expect(await values(f([NaN, NaN, -1, 1], [0, -1, NaN, NaN]))).toEqual([NaN, NaN, NaN, NaN]);
    expect(await values(special.relEntr([1, -1, 0, 0], [0, 1, 0, 2]))).toEqual([Infinity, Infinity, 0, 0]);
  });

  it("of the length of nothing has no slope", async () => {
    const length = grad((a: Tensor, b: Tensor) => hypot(a, b).sum(), { argnums: [0, 1] });
    const [a, b] = length(tensor([0, 0, -0, 3, 0]), tensor([0, -0, -0, 4, -2]));
    expect((await values(a)).map((slope) => slope.toFixed(3))).toEqual(["0.000", "0.000", "0.000", "0.600", "0.000"]);
    expect((await values(b)).map((slope) => slope.toFixed(3))).toEqual(["0.000", "0.000", "0.000", "0.800", "-1.000"]);
    const silence = grad((re: Tensor, im: Tensor) => new Complex(re, im).abs().sum(), { argnums: [0, 1] });
    expect(await Promise.all(silence(tensor([0]), tensor([0])).map(values))).toEqual([[0], [0]]);
  });

  it("of cosh is flat, and its slope keeps its digits", async () => {
    const at = [1e-20, 1e-7, -1e-3, 0.1, 3];
    const found = await slopes(cosh, at);
    at.forEach((x, n) => expect(Math.abs((found[n] as number) / Math.sinh(x) - 1)).toBeLessThan(2e-6));
    expect(await values(cosh([0, 89, -89, 90, NaN]))).toEqual([1, expect.closeTo(2.2448063e38, -33), expect.closeTo(2.2448063e38, -33), Infinity, NaN]);
  });

  it("of the integers has divisors above 0", async () => {
    const least = -(2 ** 31);
    const i32 = (x: number[]) => tensor(x, { dtype: "i32" });
    expect(await values(gcd(i32([1, 2, -2, 6, least, 0]), i32([least, least, least, least, 48, least])))).toEqual([1, 2, 2, 2, 16, least]);
    expect(await values(lcm(i32([4, -6, 0, 1]), i32([6, 4, least, least])))).toEqual([12, 12, 0, least]);
  });

  it("of incomplete gamma functions is open at a = 0, and no share is below 0", async () => {
    expect(await values(special.gammainc([0, 0, -1, NaN, 1, 1], [0.5, 0, 1, 1, -1, NaN]))).toEqual([NaN, NaN, NaN, NaN, NaN, NaN]);
    expect(await values(special.gammaincc([0, 0, 1, 1], [0.5, Infinity, 0, Infinity]))).toEqual([NaN, NaN, 1, 0]);
    const shares = await values(special.gammaincc(1e-10, linspace(0.001, 5, 400)));
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
  });

  it("of Hurwitz' zeta function at infinity is 0", async () => {
    expect(await values(special.zeta([2, 5, 1, NaN], [Infinity, Infinity, Infinity, 1]))).toEqual([0, 0, Infinity, NaN]);
  });

  it("of quantiles that step is where the share is, though f32 rounds it", async () => {
    // A thousand and one elements that are their positions.
    const x = arange(1001);
    const percents = Array.from({ length: 99 }, (_, n) => n + 1);
    for (const method of ["lower", "higher", "nearest", "midpoint"] as const) {
      expect(await values(percentile(x, percents, null, { method }))).toEqual(percents.map((percent) => percent * 10));
      expect(await values(nanpercentile(x, percents, null, { method }))).toEqual(percents.map((percent) => percent * 10));
    }
    const hundred = arange(1, 101);
    const shares = percents.map((percent) => percent / 100);
    for (const method of ["inverted_cdf", "closest_observation"] as const) expect(await values(quantile(hundred, shares, null, { method }))).toEqual(percents);
    expect(await values(quantile(hundred, shares, null, { method: "averaged_inverted_cdf" }))).toEqual(percents.map((percent) => percent + 0.5));
    expect(errorOf(() => percentile(x, 101)).message).toBe("percentile: 101 is no percentage between 0 and 100");
    expect(errorOf(() => nanpercentile(x, -1)).message).toBe("nanpercentile: -1 is no percentage between 0 and 100");
    // Between them they step as before.
    expect(await values(quantile(x, [0.00051, 0.1004, 0.1006], null, { method: "nearest" }))).toEqual([1, 100, 101]);
    expect(await values(quantile(x, [0.00051, 0.1004], null, { method: "higher" }))).toEqual([1, 101]);
  });

  it("of a curve is at its points, whatever stands beside them", async () => {
    expect(await values(interp([0, 1, 1.5, 2, 3], [0, 1, 2], [5, 6, Infinity]))).toEqual([5, 6, Infinity, Infinity, Infinity]);
    expect(await slopes((x) => interp(x, [0, 1, 2], [5, 6, 9]), [0.5, 1, 1.5])).toEqual([1, 3, 3]);
  });

  it("of activations has the slope of jax.nn, and of what is smooth the slope beside it", async () => {
    const table: [f: (x: Tensor) => Tensor, at: number[], expected: number[]][] = [
      [relu, [-1, 0, 1], [0, 0, 1]],
      [relu6, [-1, 0, 3, 6, 7], [0, 0, 1, 0, 0]],
      [leakyRelu, [-1, 0, 1], [0.01, 1, 1]],
      [hardTanh, [-2, -1, 0, 1, 2], [0, 1, 1, 1, 0]],
      [hardSigmoid, [-4, -3, 0, 3, 4], [0, 0, 1 / 6, 0, 0]],
      [hardSilu, [-4, -3, 0, 3, 4], [0, 0, 0.5, 1, 1]],
      [elu, [-1, 0, 1], [Math.exp(-1), 1, 1]],
      [nn.sparsePlus, [-2, -1, 0, 1, 2], [0, 0, 0.5, 1, 1]],
      [nn.sparseSigmoid, [-2, -1, 0, 1, 2], [0, 0.25, 0.5, 0.25, 0]],
    ];
    for (const [f, at, expected] of table) (await slopes(f, at)).forEach((slope, n) => expect(slope).toBeCloseTo(expected[n] as number, 6));
    for (const f of [relu6, hardTanh, hardSigmoid, hardSilu, leakyRelu, nn.sparsePlus]) expect(await values(f([NaN]))).toEqual([NaN]);
    expect(await values(nn.sparsePlus([Infinity, -Infinity, 1e30]))).toEqual([Infinity, 0, Math.fround(1e30)]);
  });

  it("of rising factorials is a product of whole numbers, or as SciPy's", async () => {
    const table: [x: number, n: number, expected: number][] = [
      [0, 0, 1], [0, 1, 0], [0, 40, 0], [0, 0.5, 0], [0, -1, -1], [0, -3, -1 / 6], [1, -1, Infinity], [5, -2, 1 / 12], [2.5, -5, -0.71111],
      [-2, 1, -2], [-2, 2, 2], [-2, 3, 0], [-3, 3, -6], [-3, 5, 0], [-3, 0, 1], [-2.5, 3, -1.875], [-3.7, 2, 9.99], [-0.5, 0.5, Infinity], [-1.5, 0.25, 1.6593],
    ];
    const expected = table.map(([, , value]) => value);
    const found = await values(special.poch(table.map(([x]) => x), table.map(([, n]) => n)));
    found.forEach((value, n) => (Number.isFinite(value) ? expect(value).toBeCloseTo(expected[n] as number, 3) : expect(value).toBe(expected[n])));
    const slope = (await slopes((x) => special.poch(x, 3), [0.5, -0.5, -2.5])).map((slope) => slope.toFixed(3));
    expect(slope).toEqual([0.5, -0.5, -2.5].map((x) => (3 * x * x + 6 * x + 2).toFixed(3)));
  });

  it("of the beta function is infinite at 0, and nothing at infinity", async () => {
    const [a, b] = [[0, 0, 2, 0, Infinity, Infinity, NaN, -0.5], [0, 3, 0, Infinity, 2, Infinity, Infinity, Infinity]];
    expect(await values(special.betaln(a, b))).toEqual([Infinity, Infinity, Infinity, Infinity, -Infinity, -Infinity, NaN, Infinity]);
    expect((await values(special.beta(a, b))).slice(0, 7)).toEqual([Infinity, Infinity, Infinity, Infinity, 0, 0, NaN]);
    expect((await values(special.betaln([1e-30], [1e-30])))[0]).toBeCloseTo(69.7707, 3);
  });

  it("of medians is NaN over nothing, as a mean's", async () => {
    for (const f of [median, nanmedian, mean]) {
      expect(await values(f(zeros([0])))).toEqual([NaN]);
      expect(await values(f(zeros([2, 0]), 1))).toEqual([NaN, NaN]);
      expect(f(zeros([2, 0]), 1, { keepdims: true }).shape).toEqual([2, 1]);
      expect(f(zeros([2, 0]), 0).shape).toEqual([0]);
    }
    expect(await values(nanquantile([], [0.1, 0.5]))).toEqual([NaN, NaN]);
    expect(errorOf(() => quantile([], 0.5)).message).toBe("quantile: [0] has no elements along [0]");
  });
});
