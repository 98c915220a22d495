// Forms of calls that programs for NumPy and JAX use. Each gives the same result as there, and an
// error where they would refuse it.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import {
  arange,
  arraySplit,
  corrcoef,
  cov,
  einsum,
  fft,
  full,
  grad,
  jit,
  meshgrid,
  ones,
  onesLike,
  pad,
  random,
  round,
  standardize,
  tensor,
  tile,
  trapezoid,
  vjp,
  vjpAux,
  vmap,
  zeros,
  zerosLike,
  type Tensor,
} from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const refused = (call: () => unknown): string => String(errorOf(call));
const close = (found: unknown, expected: readonly number[]) => {
  const numbers = (found as number[]).flat(3);
  expect(numbers.length).toBe(expected.length);
  numbers.forEach((number, n) => expect(number).toBeCloseTo(expected[n] as number, 5));
};

describe("einsum with lists of axes", () => {
  const [matrix, vector] = [() => arange(12).reshape([3, 4]), () => arange(4)];

  it("means what the letters would", async () => {
    const table: [found: Tensor, text: Tensor][] = [
      [einsum(matrix(), [0, 1], vector(), [1], [0]), einsum("ab,b->a", matrix(), vector())],
      [einsum(matrix(), [7, 3]), einsum("ba", matrix())],
      [einsum(matrix(), [0, 1], []), einsum("ab->", matrix())],
      [einsum([1, 2], [0], [3, 4, 5], [1]), einsum("a,b", [1, 2], [3, 4, 5])],
      [einsum(matrix(), [40, 2], matrix(), [40, 5], [5, 2]), einsum("ca,cb->ba", matrix(), matrix())],
    ];
    for (const [found, text] of table) expect([found.shape, await values(found)]).toEqual([text.shape, await values(text)]);
  });

  it("says what is no list of axes", () => {
    expect(refused(() => einsum(matrix(), vector() as never))).toBe("ValueError: einsum: takes a text, or a list of axes behind each operand, got a Tensor");
    expect(refused(() => einsum(matrix(), [0, 52]))).toBe("ValueError: einsum: axes are numbered from 0 to 51, got 52");
    expect(refused(() => einsum(matrix(), [0]))).toMatch(/^ShapeError: einsum: /);
  });

  it("sums over the axes of ... that the result has not", async () => {
    expect(await einsum("...->", ones([2, 3])).item()).toBe(6);
    expect(await einsum("...i,...i->i", arange(6).reshape([3, 2]), [1, 10]).array()).toEqual([6, 90]);
  });
});

describe("vjp without cotangents", () => {
  it("gives the function that takes them, as often as one likes", async () => {
    let calls = 0;
    const [outputs, pull] = vjp(
      (x: Tensor, { y }: { y: Tensor }) => (calls++, { product: x.mul(y), sum: x.sum() }),
      [tensor([1, 2]), { y: tensor([3, 4]) }],
    );
    expect([await outputs.product.array(), await outputs.sum.item()]).toEqual([[3, 8], 3]);
    for (const [product, sum] of [[[1, 0], 0], [[0, 10], 5]] as const) {
      const [x, { y }] = pull({ product: tensor(product as never), sum });
      expect(await x.array()).toEqual([3 * product[0] + sum, 4 * product[1] + sum]);
      expect(await y.array()).toEqual([product[0], 2 * product[1]]);
    }
    expect(calls).toBe(1);
    expect(refused(() => pull({ product: tensor([1, 1]) } as never))).toBe("ValueError: vjp: trees are matched by name, but outputs is { product, sum }, and cotangents is { product }");
  });

  it("takes numbers for single numbers, and lets what comes along be", async () => {
    const cube = (x: Tensor) => x.pow(3);
    const [, [slope]] = vjp(cube, [tensor(2)], 10);
    expect(await slope.item()).toBe(120);
    const [value, pull, aux] = vjpAux((x: Tensor) => [x.square().sum(), x.mul(2)] as const, [tensor([1, 2])]);
    expect([await value.item(), await aux.array(), await pull(3)[0].array()]).toEqual([5, [2, 4], [6, 12]]);
  });

  it("works in jit and under itself", async () => {
    const slope = jit((x: Tensor) => vjp((x: Tensor) => x.sin(), [x])[1](1)[0]);
    close([await slope(tensor(0.5)).item()], [Math.cos(0.5)]);
    const [, second] = vjp((x: Tensor) => vjp((x: Tensor) => x.pow(3), [x])[1](1)[0], [tensor(2)]);
    expect(await second(1)[0].item()).toBe(12);
  });
});

describe("arguments", () => {
  it("of vmap: axes without names", async () => {
    const x = tensor([[1, 2], [3, 4]]);
    expect(await vmap((row: Tensor) => row.sum(), 1)(x).array()).toEqual([4, 6]);
    expect(await vmap((row: Tensor, n: number) => row.mul(n), [0, null])(x, 10).array()).toEqual([[10, 20], [30, 40]]);
    expect(await vmap((row: Tensor) => row.mul(2), 0, 1)(x).array()).toEqual([[2, 6], [4, 8]]);
    expect(refused(() => vmap((row: Tensor) => row, 0.5)(x))).toMatch(/^ValueError: vmap: inAxes must be whole numbers/);
  });

  it("of pad, tile, meshgrid and arraySplit", async () => {
    expect(await pad([1, 2], [1, 2]).array()).toEqual([0, 1, 2, 0, 0]);
    expect(pad(ones([1, 2, 3]), [[0, 1]]).shape).toEqual([2, 3, 4]);
    expect(await pad([1, 2, 3], [2, 0], "reflect").array()).toEqual([3, 2, 1, 2, 3]);
    expect(await tile([[1, 2]], 2).array()).toEqual([[1, 2, 1, 2]]);
    const [x, y] = meshgrid([tensor([1, 2, 3]), tensor([4, 5])]) as [Tensor, Tensor];
    expect([x.shape, await y.array()]).toEqual([[2, 3], [[4, 4, 4], [5, 5, 5]]]);
    expect(meshgrid([tensor([1, 2, 3]), [4, 5]], { indexing: "ij" }).map(({ shape }) => shape)).toEqual([[3, 2], [3, 2]]);
    const parts = arraySplit(arange(8).reshape([1, 8]), [3, -3, 9], 1);
    expect(await Promise.all(parts.map((part) => part.array()))).toEqual([[[0, 1, 2]], [[3, 4]], [[5, 6, 7]], [[]]]);
  });

  it("of full, zerosLike and onesLike: tensors and arrays", async () => {
    const filled = full([2, 2], tensor([1, 2], { dtype: "i32" }));
    expect([filled.dtype, await filled.array()]).toEqual(["i32", [[1, 2], [1, 2]]]);
    expect(await full([2], tensor(0.5), { dtype: "bool" }).array()).toEqual([true, true]);
    expect(refused(() => full([2], [1, 2, 3]))).toMatch(/ShapeError: .*\[3\] does not broadcast to \[2\]/);
    expect([await zerosLike([1, 2]).array(), onesLike(3).shape, zerosLike([true]).dtype]).toEqual([[0, 0], [], "bool"]);
  });

  it("of round: decimals", async () => {
    close(await round([1.234, 2.567, -3.456], 2).array(), [1.23, 2.57, -3.46]);
    close(await tensor([1250, 1350, -2751]).round(-2).array(), [1200, 1400, -2800]);
    const half = tensor([1.26, 3.14], { dtype: "f16" }).round(1);
    expect([half.dtype, await half.array()]).toEqual(["f16", [Math.fround(1.2998046875), Math.fround(3.099609375)]]);
    expect(await tensor([5, -7], { dtype: "i32" }).round(2).array()).toEqual([5, -7]);
    expect(refused(() => tensor([15], { dtype: "i32" }).round(-1))).toBe("ValueError: round: integers are not rounded to -1 decimals");
    expect(await weft.grad((x: Tensor) => x.round(1).sum())(tensor([1.26])).array()).toEqual([0]);
  });

  it("of trapezoid: places", async () => {
    expect(await trapezoid([1, 2, 3], [4, 6, 8]).item()).toBe(8);
    expect(await trapezoid([[1, 2, 3], [3, 2, 1]], [0, 1, 3]).array()).toEqual([6.5, 5.5]);
    expect(await trapezoid([[1, 2], [3, 4]], [0, 2], 0).array()).toEqual([4, 6]);
    expect(await trapezoid([1, 2, 3], [1, 2]).item()).toBe(6.5);
  });

  it("of cov and corrcoef: a second set of variables", async () => {
    expect(await cov([-1, 0, 1], [1, 0, -1]).array()).toEqual([[1, -1], [-1, 1]]);
    close(await cov([[1, 2, 4], [0, 1, 0]], [[3, 1, 1]], 0).array(), [14 / 9, -1 / 9, -8 / 9, -1 / 9, 2 / 9, -2 / 9, -8 / 9, -2 / 9, 8 / 9]);
    close(await corrcoef([1, 2, 3], [1, 2, 4]).array(), [1, 0.9819805, 0.9819805, 1]);
    expect(refused(() => cov([1, 2, 3], [1, 2]))).toBe("ShapeError: cov: [3] and [2] differ in the number of observations");
    expect(refused(() => corrcoef([1, 2, 3], [[1, 2]]))).toMatch(/^ShapeError: corrcoef: /);
  });

  it("of standardize and fft: the last axis, unless another is given", async () => {
    close(await standardize([[1, 3], [10, 30]], -1, 0).array(), [-1, 1, -1, 1]);
    close(await standardize([[1, 3], [10, 30]]).array(), [-0.999995, 0.999995, -1, 1]);
    close(await standardize([[1, 2], [3, 4]], null, 0).array(), [-3, -1, 1, 3].map((x) => x / Math.sqrt(5)));
    expect(await fft.fft([[1, 2], [3, 4]], null, 0).re.array()).toEqual([[4, 6], [-2, -2]]);
  });
});

describe("shapes", () => {
  it("of one axis are whole numbers, too", async () => {
    const key = random.key(1);
    for (const made of [zeros(3), ones(3), full(3, 1), random.normal(3), random.uniform(key, 3), random.gumbel(key, 3), random.choice(key, 5, 3), tensor([[1, 2, 3]]).reshape(3), tensor(1).broadcastTo(3)]) {
      expect(made.shape).toEqual([3]);
    }
    expect(tensor([[1, 2], [3, 4]]).reshape(-1).shape).toEqual([4]);
    expect(tensor([1, 2, 3], { shape: 3 }).shape).toEqual([3]);
    for (const wrong of [-1, 1.5, NaN, 2 ** 40]) expect(refused(() => zeros(wrong))).toMatch(/^ShapeError: zeros: \[/);
  });
});

describe("reductions of a part", () => {
  const x = () => tensor([[1, 2, 3], [4, 5, 6]]);

  it("differentiate, and run for each member", async () => {
    const mask = tensor([true, false, true]);
    expect(await grad((v: Tensor) => v.sum(1, { where: mask, initial: 1 }).square().sum())(x()).array()).toEqual([[10, 0, 10], [22, 0, 22]]);
    expect(await vmap((v: Tensor) => v.mean(null, { where: mask }))(x()).array()).toEqual([2, 5]);
    expect(await vmap((m: Tensor) => x().max(null, { where: m, initial: 0 }))(tensor([[true, false, false], [false, false, false]])).array()).toEqual([4, 0]);
  });

  it("keep small dtypes", async () => {
    for (const dtype of ["i8", "u8", "f16"] as const) {
      const small = x().cast(dtype);
      for (const name of ["max", "min"] as const) {
        const found = small[name](0, { where: [1, 0, 1], initial: 2 });
        expect([found.dtype, await found.cast("f32").array()]).toEqual([dtype, name === "max" ? [4, 2, 6] : [1, 2, 2]]);
      }
      expect(small.sum(0, { initial: 1 }).dtype).toBe(small.sum(0).dtype);
      expect(small.mean(0, { where: [1, 0, 1] }).dtype).toBe(small.mean(0).dtype);
    }
  });

  it("say in their own names what does not fit", () => {
    expect(refused(() => x().max(0, { where: [1, 0, 1] }))).toMatch(/^ValueError: max: with a mask it needs `initial`/);
    expect(refused(() => x().sum(0, { where: [1, 0] }))).toMatch(/^ShapeError: sum: /);
    expect(refused(() => x().sum(2, { initial: 1 }))).toMatch(/^AxisError: sum: /);
    expect(refused(() => x().sum(0, { initial: "1" as never }))).toMatch(/^ValueError: sum: the initial must be a number/);
    expect(refused(() => x().mean(0, { initial: 1 } as never))).toMatch(/^ValueError: mean: there is no option "initial"/);
  });
});

describe("draws", () => {
  it("by a key alone are single numbers", async () => {
    const key = random.key(7);
    for (const draw of [random.bits, random.uniform, random.normal] as ((key: Tensor, shape?: number[]) => Tensor)[]) {
      const found = draw(key);
      expect(found.shape).toEqual([]);
      expect(await found.item()).toBe(await draw(key, [1]).item());
    }
    expect(refused(() => (random.uniform as () => unknown)())).toMatch(/^ShapeError: random\.uniform: a shape is a list/);
  });

  it("of keys of tensors are those of their numbers", async () => {
    const keys = vmap(random.key)(arange(4));
    expect(await keys.array()).toEqual(await Promise.all([0, 1, 2, 3].map((seed) => random.key(seed).array())));
    const draw = jit((seed: Tensor) => random.uniform(random.key(seed), [2]));
    expect(await values(draw(tensor(5, { dtype: "u32" })))).toEqual(await values(random.uniform(random.key(5), [2])));
    expect(refused(() => random.key(tensor(1.5)))).toBe("ValueError: random.key: a seed is one whole number, got f32[]");
  });

  it("of bernoulli have each its probability", async () => {
    const shares = random.bernoulli(random.key(1), [2, 4000], [[0.2], [0.9]]).mean(1);
    const [few, many] = await values(shares);
    expect(few).toBeGreaterThan(0.18);
    expect(few).toBeLessThan(0.22);
    expect(many).toBeGreaterThan(0.88);
    expect(many).toBeLessThan(0.92);
    expect(await values(random.bernoulli(random.key(1), [100], 0.3))).toEqual(await values(random.bernoulli(random.key(1), [100], [0.3])));
    expect(refused(() => random.bernoulli(random.key(1), [2], [0.5, 0.5, 0.5]))).toMatch(/^ShapeError: random\.bernoulli: /);
  });

  it("of categorical without replacement are all different, likelier ones first", async () => {
    const all = random.categorical(random.key(3), [[0, 1, 2, 3], [3, 2, 1, 0]], -1, [4, 2], true);
    expect(all.dtype).toBe("i32");
    expect(await all.sort(0).array()).toEqual([[0, 0], [1, 1], [2, 2], [3, 3]]);
    const sure = random.categorical(random.key(4), [-1000, 0, -2000, 500], -1, [3, 1], true);
    expect(await sure.array()).toEqual([[3], [1], [0]]);
    // Of one draw, the same as with replacement.
    const logits = random.normal(random.key(5), [6]);
    expect(await random.categorical(random.key(6), logits, -1, [], true).item()).toBe(await random.categorical(random.key(6), logits).item());
    expect(refused(() => random.categorical(random.key(3), [1, 2], -1, [3], true))).toBe("ShapeError: random.categorical: cannot draw 3 different elements of 2");
  });
});

describe("signals of several axes", () => {
  const [image, kernel] = [() => tensor([[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 3]]), () => tensor([[1, 2], [3, 4]])];

  // SciPy's `convolve` and `correlate`.
  it("are convolved along all of them", async () => {
    expect(await weft.convolve(image(), kernel()).array()).toEqual([[1, 4, 7, 10, 8], [8, 26, 36, 46, 32], [24, 57, 49, 59, 38], [27, 39, 10, 17, 12]]);
    expect(await weft.convolve(image(), kernel(), "same").array()).toEqual([[1, 4, 7, 10], [8, 26, 36, 46], [24, 57, 49, 59]]);
    expect(await weft.convolve(kernel(), image(), "valid").array()).toEqual([[26, 36, 46], [57, 49, 59]]);
    expect(await weft.convolve(kernel(), image(), "same").array()).toEqual([[26, 36], [57, 49]]);
    expect(await weft.correlate(image(), kernel()).array()).toEqual([[44, 54, 64], [48, 31, 41]]);
    expect(await weft.correlate(kernel(), image()).array()).toEqual([[41, 31, 48], [64, 54, 44]]);
    expect(await weft.correlate(image(), kernel(), "same").array()).toEqual([[4, 11, 18, 25], [22, 44, 54, 64], [46, 48, 31, 41]]);
    expect(weft.convolve(ones([2, 3, 4]), ones([2, 1, 3])).shape).toEqual([3, 3, 6]);
    const slope = grad((x: Tensor) => weft.convolve(x, kernel(), "valid").sum())(image());
    expect(await slope.array()).toEqual([[4, 7, 7, 3], [6, 10, 10, 4], [2, 3, 3, 1]]);
    const batched = vmap((x: Tensor) => weft.convolve(x, kernel()))(weft.stack([image(), image()]));
    expect(await values(batched.slice(1))).toEqual(await values(weft.convolve(image(), kernel())));
  });

  it("are refused where they do not fit", () => {
    expect(refused(() => weft.convolve(image(), [1, 2]))).toBe("ShapeError: convolve: takes two tensors of one rank with elements, got [3,4] and [2]");
    expect(refused(() => weft.correlate(ones([2, 5]), ones([3, 2])))).toBe("ShapeError: correlate: neither of [2,5] and [3,2] lies within the other");
  });
});

describe("products and slices as in NumPy", () => {
  it("cross vectors of the plane", async () => {
    expect(await weft.cross([1, 2], [3, 4]).item()).toBe(-2);
    expect(await weft.cross([[1, 2], [3, 4]], [3, 4]).array()).toEqual([-2, 0]);
    expect(await weft.cross([1, 2, 3], [3, 4]).array()).toEqual([-12, 9, -2]);
    expect(await weft.cross([[1, 2], [3, 4]], [3, 4, 5]).array()).toEqual([[10, -5, -2], [20, -15, 0]]);
    expect(await weft.cross([[1, 2], [3, 4]], [[3, 4], [5, 6]], 0).array()).toEqual([-4, -4]);
    expect(await weft.cross([[1, 2], [3, 4]], [[3, 4], [5, 6]], -1, { axisA: 0 }).array()).toEqual([-5, -8]);
    expect(refused(() => weft.cross([1, 2, 3, 4], [1, 2, 3, 4]))).toBe("ShapeError: cross: axis 0 of [4] must have extent 3, or 2 in the plane");
  });

  it("find different slices of an axis", async () => {
    const rows = () => tensor([[2, 1], [0, 5], [2, 1], [2, 0]]);
    const { values: found, indices, inverse, counts } = await weft.uniqueAll(rows(), { axis: 0 });
    expect(await found.array()).toEqual([[0, 5], [2, 0], [2, 1]]);
    expect([await values(indices), await values(inverse), await values(counts)]).toEqual([[1, 3, 0], [2, 0, 2, 1], [1, 1, 2]]);
    expect(await (await rows().transpose().uniqueValues({ axis: -1 })).array()).toEqual([[0, 2, 2], [5, 0, 1]]);
    expect(await weft.uniqueWithSize(rows(), 4, { axis: 0 }).values.array()).toEqual([[0, 5], [2, 0], [2, 1], [0, 5]]);
    expect((await weft.uniqueValues(zeros([0, 3]), { axis: 0 })).shape).toEqual([0, 3]);
    expect((await weft.uniqueValues(zeros([3, 0]), { axis: 0 })).shape).toEqual([1, 0]);
    await expect(weft.uniqueValues(rows(), { axis: 2 })).rejects.toThrow(/^uniqueValues: axis 2 is out of range/);
  });

  it("give residuals for each column", () => {
    const shapes = (b: Tensor) => weft.linalg.lstsq(ones([4, 2]), b).map(({ shape }) => shape);
    expect(shapes(ones([4]))).toEqual([[2], [1], [], [2]]);
    expect(shapes(ones([4, 3]))).toEqual([[2, 3], [3], [], [2]]);
  });
});
