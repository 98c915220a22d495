// Options and values of NumPy and PyTorch that have no case in `tests/conformance`, because no case
// can say them.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { crossEntropy, grad, hessian, jit, nn, tensor, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const refused = (call: () => unknown) => String(errorOf(call));
const counts = (numbers: number[]) => tensor(numbers, { dtype: "i32" });

describe("slopes and shapes", () => {
  it("cbrt is as steep at 0 as it is", async () => {
    expect(await values(grad((x: Tensor) => weft.cbrt(x).sum())(tensor([0, -0, 8, -27, Infinity, 1e30])) as Tensor)).toEqual([Infinity, Infinity, expect.closeTo(1 / 12, 6), expect.closeTo(1 / 27, 6), 0, expect.closeTo(0, 6)]);
    expect(await values(weft.cbrt([0, -0, Infinity, -Infinity, NaN]))).toEqual([0, -0, Infinity, -Infinity, NaN]);
  });

  it("no differences have no ends", async () => {
    expect(await values(weft.diff([1, 4], 0, 0, { prepend: 9, append: [7, 7] }))).toEqual([1, 4]);
    expect(await values(weft.diff([1, 4], 1, 0, { prepend: 9 }))).toEqual([-8, 3]);
  });

  it("a diagonal has axes of one extent", () => {
    expect(refused(() => weft.einsum("ii->i", weft.ones([2, 3])))).toMatch(/^ShapeError: einsum: .*2 and 3/);
    expect(refused(() => weft.einsum("ii->i", weft.ones([1, 3])))).toMatch(/^ShapeError: einsum: .*1 and 3/);
    expect(refused(() => weft.einsum("ii", weft.ones([3, 1])))).toMatch(/^ShapeError: einsum/);
    // Between operands an axis of 1 still broadcasts.
    expect(weft.einsum("ij,jk->ik", weft.ones([2, 1]), weft.ones([3, 4])).shape).toEqual([2, 4]);
  });

  it("indices may be open", async () => {
    const [rows, columns] = weft.indices([2, 3], { sparse: true, dtype: "f32" });
    expect([rows!.shape, columns!.shape, rows!.dtype]).toEqual([[2, 1], [1, 3], "f32"]);
    expect(await values(rows!.mul(10).add(columns!))).toEqual([0, 1, 2, 10, 11, 12]);
    expect(refused(() => weft.indices([2], { dtype: "bool" }))).toMatch(/^DTypeError: indices/);
  });
});

describe("repeat", () => {
  it("takes counts as a tensor, whose values are known or whose sum is given", async () => {
    const x = tensor([[1, 2], [3, 4], [5, 6]]);
    expect(await values(weft.repeat(x, counts([2, 0, 1]), 0))).toEqual([1, 2, 1, 2, 5, 6]);
    expect(await values(x.repeat(Int32Array.of(1, 2), 1))).toEqual([1, 2, 2, 3, 4, 4, 5, 6, 6]);
    const unknown = counts([2, 0, 1]).add(0);
    expect(refused(() => weft.repeat(x, unknown, 0))).toContain("repeat: the counts are not known");
    expect(await values(weft.repeat(x, unknown, 0, { length: 3 }))).toEqual([1, 2, 1, 2, 5, 6]);
    expect(await values(weft.repeat(x, unknown, 0, { length: 5 }))).toEqual([1, 2, 1, 2, 5, 6, 5, 6, 5, 6]);
    expect(await values(weft.repeat(x, unknown, 0, { length: 1 }))).toEqual([1, 2]);
    const fixed = jit((x: Tensor, times: Tensor) => weft.repeat(x, times, 0, { length: 3 }));
    expect(await values(fixed(x, counts([0, 3, 0])))).toEqual([3, 4, 3, 4, 3, 4]);
    expect(await values(grad((x: Tensor) => weft.repeat(x, unknown, 0, { length: 3 }).sum())(x) as Tensor)).toEqual([2, 2, 0, 0, 1, 1]);
    expect(refused(() => weft.repeat(x, [1, 2], 0))).toMatch(/^ShapeError: repeat/);
    expect(refused(() => weft.repeat(x, tensor([1.5]), 0))).toMatch(/^DTypeError: repeat/);
  });
});

describe("crossEntropy", () => {
  const logits = () => tensor([[1, 2, 3], [3, 2, 1], [0, 0, 5]]);

  it("passes over rows, with their gradients", async () => {
    const [two, three] = [crossEntropy(logits().slice([0, 2]), [2, 0]), crossEntropy(logits(), [2, 0, -100], { ignoreIndex: -100 })];
    expect(await three.item()).toBeCloseTo(await two.item(), 6);
    const slope = grad((x: Tensor) => crossEntropy(x, [2, 0, -100], { ignoreIndex: -100 }))(logits()) as Tensor;
    expect((await values(slope)).slice(6)).toEqual([0, 0, 0]);
    expect(await crossEntropy(logits(), [1, 1, 1], { ignoreIndex: 1 }).item()).toBeNaN();
    expect(refused(() => crossEntropy(logits(), [2, 0, -100]))).toContain("class -100 is out of range");
    expect(refused(() => crossEntropy(logits(), [2, 0, -1], { ignoreIndex: -100 }))).toContain("class -1 is out of range");
    expect(refused(() => crossEntropy(logits(), [2, 0, 0], { labelSmoothing: 2 }))).toContain("labelSmoothing must lie in [0, 1]");
    expect(refused(() => crossEntropy(logits(), [2, 0], { labelSmoothing: 0.1 }))).toMatch(/^ShapeError: crossEntropy/);
  });

  it("shares targets among classes", async () => {
    const chances = [[0.05, 0.05, 0.9], [0.9, 0.05, 0.05], [0.05, 0.05, 0.9]];
    const [smoothed, mixed] = [crossEntropy(logits(), [2, 0, 2], { labelSmoothing: 0.15 }), crossEntropy(logits(), chances)];
    expect(await smoothed.item()).toBeCloseTo(await mixed.item(), 6);
  });
});

describe("norms as functions", () => {
  const x = () => tensor(Array.from({ length: 24 }, (_, n) => Math.sin(n * n)), { shape: [2, 4, 3] });
  const [weight, bias] = [[1, 2, 3, 4], [0.5, 0, -1, 2]];

  it("give what the layers give", async () => {
    const layer = <M extends nn.Module & { weight: nn.Parameter | null; bias?: nn.Parameter | null }>(made: M): M => {
      made.weight?.assign(tensor(Array.from({ length: made.weight.size }, (_, n) => n + 1), { shape: made.weight.shape }));
      made.bias?.assign(tensor(Array.from({ length: made.bias.size }, (_, n) => [0.5, 0, -1, 2][n % 4]!), { shape: made.bias.shape }));
      return made;
    };
    const same = async (a: Tensor, b: Tensor) => expect(await values(a)).toEqual(await values(b));
    await same(nn.layerNorm(x(), 3, { weight: [1, 2, 3], bias: [0.5, 0, -1] }), layer(new nn.LayerNorm(3)).forward(x()));
    await same(nn.layerNorm(x(), [4, 3], { eps: 0.1 }), new nn.LayerNorm([4, 3], { eps: 0.1, affine: false }).forward(x()));
    await same(nn.rmsNorm(x(), 3, { weight: [1, 2, 3] }), layer(new nn.RMSNorm(3)).forward(x()));
    await same(nn.groupNorm(x(), 2, { weight, bias }), layer(new nn.GroupNorm(2, 4)).forward(x()));
    const batch = layer(new nn.BatchNorm(4));
    await same(nn.batchNorm(x(), { weight, bias }), batch.forward(x()));
    const { runningMean, runningVar } = batch;
    await same(nn.batchNorm(x(), { weight, bias, runningMean, runningVar }), batch.eval().forward(x()));
  });

  it("refuse what does not fit", () => {
    expect(refused(() => nn.layerNorm(x(), 4))).toBe("ShapeError: layerNorm: the last axes must be [4], got [2,4,3]");
    expect(refused(() => nn.layerNorm(x(), 3, { weight: [1] }))).toBe("ShapeError: layerNorm: weight must be [3], got [1]");
    expect(refused(() => nn.groupNorm(x(), 3))).toBe("ValueError: groupNorm: 3 groups do not divide 4 channels");
    expect(refused(() => nn.batchNorm([1, 2]))).toContain("ShapeError: batchNorm: takes [batch, channels, …]");
    expect(refused(() => nn.batchNorm(x(), { runningMean: [0, 0, 0, 0] }))).toContain("together, or neither");
    expect(refused(() => nn.rmsNorm(x(), 3, { eps: -1 }))).toContain("rmsNorm: eps must be 0 or more");
    expect(refused(() => new nn.LayerNorm(4).forward(x()))).toMatch(/^ShapeError: LayerNorm: /);
  });
});

describe("windows", () => {
  it("that overlap in three dimensions and more have derivatives of every order", async () => {
    const shape = [1, 1, 3, 3, 3];
    // All different, by more than they are moved.
    const begin = Array.from({ length: 27 }, (_, n) => ((11 * n) % 27) / 10 - 1.25);
    const scores = [
      (x: Tensor) => nn.maxPool3d(x, 2, { stride: 1 }).square().sum(),
      (x: Tensor) => nn.avgPool3d(x.square(), 2, { stride: 1 }).square().sum(),
    ];
    for (const score of scores) {
      const slope = grad(score) as (x: Tensor) => Tensor;
      const second = await values(hessian((x: Tensor) => score(x.reshape(shape)))(tensor(begin)) as Tensor);
      const step = 1 / 64;
      const [up, down] = await Promise.all([step, -step].map((by) => values(slope(tensor(begin.map((x, n) => (n === 22 ? x + by : x)), { shape })))));
      const expected = up!.map((x, n) => (x - down![n]!) / (2 * step));
      const row = second.slice(22 * 27, 23 * 27);
      row.forEach((x, n) => expect(Math.abs(x - expected[n]!)).toBeLessThan(0.02));
      expect(row.some((x) => Math.abs(x) > 0.1)).toBe(true);
    }
    const thrice = grad((x: Tensor) => (grad((x: Tensor) => (grad((x: Tensor) => weft.averageWindow(x, [2, 2, 2], { stride: 1 }).pow(4).sum())(x) as Tensor).square().sum())(x) as Tensor).sum());
    expect((await values(thrice(tensor(begin.slice(0, 8), { shape: [1, 1, 2, 2, 2] })) as Tensor)).every((x) => Number.isFinite(x) && x !== 0)).toBe(true);
    // Four windows in six axes.
    const four = grad((x: Tensor) => weft.reduceWindow(x, "sum", [2, 2, 2, 2], { stride: 1 }).square().sum())(weft.ones([1, 1, 2, 2, 2, 2])) as Tensor;
    expect(await values(four)).toEqual(new Array(16).fill(32));
    const five = grad((x: Tensor) => weft.reduceWindow(x, "sum", [2, 2, 2, 2, 2, 2], { stride: 1 }).square().sum())(weft.ones([2, 2, 2, 2, 2, 2])) as Tensor;
    expect((await values(five))[0]).toBe(128);
  });

  it("and borders of any width list no places", async () => {
    for (const border of ["edge", "wrap", "reflect", "symmetric"] as const) {
      expect(weft.pad([1, 2, 3], 1_000_000_000, border).shape).toEqual([2_000_000_003]);
      const wide = await values(weft.pad([1, 2, 3], [100_001, 100_000], border).slice([99_996, 100_009]));
      const place = (n: number) => ({ edge: Math.min(Math.max(n, 0), 2), wrap: ((n % 3) + 3) % 3, reflect: [0, 1, 2, 1][((n % 4) + 4) % 4]!, symmetric: [0, 1, 2, 2, 1, 0][((n % 6) + 6) % 6]! })[border];
      expect(wide).toEqual(Array.from({ length: 13 }, (_, n) => place(n - 5) + 1));
    }
    expect(weft.slidingWindowView(weft.zeros([2 ** 20]), 1000).shape).toEqual([2 ** 20 - 999, 1000]);
    expect(weft.repeat([1, 2], [1e9, 1]).shape).toEqual([1_000_000_001]);
    expect(await values(weft.repeat([1, 2, 3], [100_000, 0, 2]).slice([99_998, 100_002]))).toEqual([1, 1, 3, 3]);
    expect(refused(() => weft.pad([1, 2, 3], 2_000_000_000, "edge"))).toMatch(/^ShapeError: pad/);
    expect(weft.linalg.toeplitz(weft.zeros([40_000])).shape).toEqual([40_000, 40_000]);
    expect(weft.fft.stft(weft.zeros([2 ** 24]), { length: 256, hop: 128 }).re.shape[0]).toBe(129);
    expect(refused(() => weft.linspace(0, 9, 1e9, { dtype: "i32" }))).toMatch(/^ValueError: linspace/);
  });
});

describe("topK", () => {
  it("keeps small integers small", async () => {
    for (const dtype of ["i8", "u8", "f16", "i32"] as const) {
      const [best, places] = weft.topK(tensor([3, 100, 7, 101], { dtype }), 2);
      expect([best.dtype, places.dtype]).toEqual([dtype, "i32"]);
      expect([await values(best), await values(places)]).toEqual([[101, 100], [3, 1]]);
    }
  });
});
