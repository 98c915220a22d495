// Operators on tensors: each means the tensor's operation, and the gallery's computations are the
// same to the bit whether they are written by methods or by operators.
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "weft-gpu";
import type { Tensor } from "weft-gpu";
import { installIndices, setOperators } from "../../src/worker/run/operators";
import { runCells } from "./cells";

beforeAll(async () => {
  await weft.init({ device: "cpu" });
  Object.assign(globalThis, weft);
  installIndices();
});

const run = (...cells: string[]) => runCells(cells, { operators: true });
const values = async (...cells: string[]) => ((await run(...cells)) as Tensor).array();
const failure = async (cell: string): Promise<string> => run(cell).then(() => "nothing", (error: unknown) => (error instanceof Error ? `${error.constructor.name} ${error.message}` : "no error"));
const xy = "const x = tensor([1, -2, 3]), y = tensor([4, 5, -6]), n = tensor([6, 5, 3], { dtype: 'i32' }), m = tensor([true, false, true]);\n";

describe("operators", () => {
  it.each([
    ["x + y", "x.add(y)"], ["x - 1", "x.sub(1)"], ["1 - x", "sub(1, x)"], ["2 * x / y", "x.mul(2).div(y)"], ["x * y + 1", "x.mul(y).add(1)"], ["-x", "x.neg()"], ["x ** 2", "x.pow(2)"], ["2 ** x", "pow(2, x)"],
    ["y % 4", "y.fmod(4)"], ["-7 % tensor([3])", "fmod(-7, [3])"], ["x < y", "x.less(y)"], ["x <= 1", "x.lessEqual(1)"], ["1 > x", "greater(1, x)"], ["x >= y", "x.greaterEqual(y)"],
    ["(x > 0) & (y > 0)", "x.greater(0).bitwiseAnd(y.greater(0))"], ["(x > 0) | (y > 0)", "x.greater(0).bitwiseOr(y.greater(0))"], ["m ^ true", "m.bitwiseXor(true)"], ["~n", "n.bitwiseNot()"], ["n & 3", "n.bitwiseAnd(3)"], ["n << 1", "n.shiftLeft(1)"], ["n >> 1", "n.shiftRight(1)"],
    ["[1, 2, 3] * x", "mul([1, 2, 3], x)"], ["x[0]", "x.slice(0)"], ["x[-1]", "x.slice(-1)"], ["const i = 1; x[i]", "x.slice(1)"], ["x[tensor([2, 0], { dtype: 'i32' })]", "x.take([2, 0])"], ["x[[0, 2]]", "x.take([0, 2])"], ["const at = [0]; x[at]", "x.take([0])"],
    ["x * (y, 2)", "x.mul(2)"], ["((a = x * 2) => a + 1)()", "x.mul(2).add(1)"], ["(new (class { f = x * 2 })).f", "x.mul(2)"], ["(await Promise.resolve(x)) * (await Promise.resolve(y))", "x.mul(y)"],
  ])("%s", async (operators, methods) => expect(await values(xy, operators)).toEqual(await values(xy, methods)));

  const parts = async (cell: string) => {
    const value = await run(xy, "const z = new Complex([1, 2, 3], [0, 1, -1]), w = new Complex([2, 0, 1], [1, 1, 0]);", cell);
    return value instanceof weft.Complex ? { re: await value.re.array(), im: await value.im.array() } : (value as Tensor).array();
  };
  it.each([
    ["z + w", "z.add(w)"], ["z + 1", "z.add(1)"], ["1 + z", "z.add(1)"], ["x + z", "z.add(x)"], ["z - x", "z.sub(x)"], ["1 - z", "z.neg().add(1)"], ["z * w", "z.mul(w)"], ["x * z", "z.mul(x)"], ["m * z", "z.mul(m)"], ["z * (x > 0)", "z.mul(x.greater(0))"], ["z / 4", "z.div(4)"], ["2 / z", "new Complex(2).div(z)"], ["x / z", "new Complex(x).div(z)"], ["z ** 2", "z.pow(2)"], ["2 ** z", "new Complex(2).pow(z)"], ["-z", "z.neg()"], ["fft.fft(x) / 3", "fft.fft(x).div(3)"],
    ["z[0]", "z.map((part) => part.slice(0))"], ["z[-1]", "z.map((part) => part.slice(-1))"], ["const i = 1; z[i]", "z.map((part) => part.slice(1))"], ["z[[0, 2]]", "z.map((part) => part.take([0, 2]))"], ["let v = z; v += 1; v++; v *= w; v", "z.add(2).mul(w)"], ["tensor(z.shape)", "tensor([3])"], ["tensor([z.ndim, z.size])", "tensor([1, 3])"],
  ])("of complex numbers: %s", async (operators, methods) => expect(await parts(operators)).toEqual(await parts(methods)));
  it("of complex numbers: numbers beside them are as exact as they are", async () => expect(await run("const p = tensor([1], { dtype: 'f16' }), h = new Complex(p, p); [(2 - h).re.dtype, (h * 2).re.dtype]")).toEqual(["f16", "f16"]));
  it.each([
    ["z < w", "<: complex numbers have no such operation: write it of z.abs(), z.re or z.im"], ["z % 2", "%: complex numbers have no"], ["1 & z", "&: complex numbers have no"], ["~z", "~: complex numbers have no bits"], ["z == w", "==: write (a - b).abs() to see how far apart"], ["if (z) 1", "if: takes one truth value, not complex numbers"], ["z && 1", "&&: takes one"], ["z + 'text'", "+: a tensor is no text"], ["z + Promise.resolve(1)", "+: one side is a promise"], ["z[0] = 1", "[ ] =: tensors do not change"], ["z[0, 1]", "[ ]: takes one index"], ["z[0.5]", "[ ]: “0.5” is no index"],
  ])("%s throws and says what to write", async (cell, message) => expect(await failure(`const z = new Complex([1, 2], [0, 1]), w = z.neg(); ${cell}`)).toContain(message));

  it("rebinds what is assigned to, and leaves other names of the tensor alone", async () => {
    expect(await values("let a = tensor([1, 2]); const b = a; a += 1; a *= a; a -= b; a /= 2; a **= 2; a %= 5; a++; --a; const o = { p: a, k: [a] }; o.p -= b; o.k[0] *= 2; o.p++; stack([a, o.p, o.k[0], b])")).toEqual(
      await values("let a = tensor([1, 2]); const b = a; a = a.add(1); a = a.mul(a).sub(b).div(2).pow(2).fmod(5); stack([a, a.sub(b).add(1), a.mul(2), b])"),
    );
  });

  it("keeps === and asks what == means", async () => {
    expect(await run(xy, "[x === x, x !== y, x == null, x != undefined]")).toEqual([true, true, false, true]);
    expect(await failure(`${xy}x == y`)).toBe("ValueError ==: write a.equal(b) to compare elements, or a === b to ask whether both are one tensor");
  });

  it.each([
    ["if (x < y) 1", "if: takes one truth value, not the tensor bool[3]: write if (await mask.any().item())"],
    ["while (x) {}", "while: takes one"], ["for (; x; ) {}", "for: takes one"], ["do {} while (x)", "while: takes one"], ["x ? 1 : 2", "condition ? a : b: takes one"], ["!x", "!: takes one"], ["x && 1", "&&: takes one truth value, not the tensor f32[3]: write a & b"], ["x || 1", "||: takes one"],
    ["let z = x; z ||= 1", "||: takes one"], ["const o = { x }; o.x &&= 1", "&&: takes one"], ["if (m && n) 1", "&&: takes one"], ["if (1 < 2 && x) 1", "if: takes one"],
    ["x[0] = 5", "[ ] =: tensors do not change: write x = x.at(0).set(value)"], ["x[0] += 5", "[ ] =: tensors do not change"], ["x[m] = 1", "[ ] =: tensors do not change"], ["x[0, 1]", "[ ]: takes one index"], ["x['0:2']", '[ ]: “0:2” is no index: write x.at("0:2").get()'], ["x[0.5]", "[ ]: “0.5” is no index"], ["x[0:2]", "JavaScript has no slices with “:”: write x.at("], ["good[:, -2:, 0]", 'write good.at(":", "-2:", 0).get()'], ["x[i:j, 0]", "write x.at(`${i}:${j}`, 0).get()"], ["[x ? 1 :: 2]", "Unexpected token"], ["[1, 2][n]", "[ ]: an array takes a number"],
    ["'loss ' + x", "+: a tensor is no text"], ["`loss ${x}`", "ValueError text: the tensor f32[3] is no text: write ${await x.item()}"], ["`${x * 2}`", "text: the tensor f32[3]"], ["`${m ? 1 : x}`", "takes one truth"], ["`${null ?? x}`", "text: the tensor"], ["x * x.sum().item()", "*: one side is a promise"], ["n >>> 1", ">>>: shifts tensors of u32"], ["x.length", "tensors have no length: shape[0]"], ["x.T", "tensors have no T: transpose()"], ["x + undefined", "add:"],
  ])("%s throws and says what to write", async (cell, message) => expect(await failure(xy + cell)).toContain(message));

  it.each([
    ["1 < x < 3", "(1 < x) & (x < 3)"], ["3 >= x > -1", "(3 >= x) & (x > -1)"], ["0 < 1 < x", "(0 < 1) & (1 < x)"], ["0 < x.sum() <= y.max()", "(0 < x.sum()) & (x.sum() <= y.max())"], ["x < 1 < y < 3", "(x < 1) & (1 < y)"],
    ["((a = 1 < x < 3) => a)()", "(1 < x) & (x < 3)"], ["jit((v) => -1 < v < 2)(x)", "(-1 < v) & (v < 2)"],
  ])("%s is refused: truth values would be compared", async (cell, instead) => expect(await failure(xy + cell)).toMatch(`truth values of the comparison in front of it: write ${instead}`));

  it("computes what it says of a chain, and chains of numbers and comparisons in parentheses as JavaScript does", async () => {
    expect(await values(xy, "(1 < y) & (y < 5)")).toEqual([true, false, false]);
    expect(await run(xy, "const f = (a, b, c) => a < b < c; [f(1, 2, 3), f(3, 2, 1), f(1, 1, 0), 3 > 2 > 1, f('a', 'b', 2)]")).toEqual([true, true, false, false, true]);
    expect(await values(xy, "(x < y) < true")).toEqual(await values(xy, "x.less(y).less(true)"));
  });

  it("leaves other parts of template texts alone, and texts with a tag", async () => {
    expect(await run(xy, "const o = { toString: () => 'o' }; `${1}${null}${o}${x.shape}${[1, 2]}${String.raw`${x.ndim}`}`")).toBe("1nullo31,21");
    expect(await run(xy, "((texts, value) => value === x)`is it ${x}?`")).toBe(true);
  });

  it.each([
    ["const { solution } = linalg.lstsq([[1], [1]], [1, 3])", "linalg.lstsq: gives an array, which has no solution: write const [x, residuals, rank, s] = linalg.lstsq(…)"],
    ["let u; ({ u } = linalg.svd([[1]]))", "linalg.svd: gives an array, which has no u: write const [u, s, vt] = linalg.svd(…)"],
    ["const f = () => { const { grads } = valueAndGrad((v) => v.sum())(x); return grads }; f()", "const { grads }: this is an array, which has no grads: its parts go by position, as in const [grads] = …"],
    ["const { lower, upper } = split(x, 3)", "const { lower, upper }: split(…) is an array, which has no lower: its parts go by position, as in const [lower, upper] = split(…)"],
    ["const { values, indices } = x.sort()", "tensor: tensors have no values"], ["const { key } = random.split(random.key(0))", "const { key }: random.split(…) is a tensor, which has no key: its parts go by position, as in const [key] = random.split(…)"],
    ["const [values, indices] = x.max(0)", "max: gives the values alone: positions are x.argmax(…)"], ["const [values, order] = sort(x)", "sort: gives the values alone: positions are argsort(…)"],
    ["const [counts, edges] = histogram(x)", "const [counts, edges]: histogram(…) is an object, whose parts have names: write const { counts, edges } = histogram(…)"],
    ["const { values, counts } = uniqueCounts(x)", "const { values, counts }: uniqueCounts(…) is a promise, which is awaited first: write const { values, counts } = await uniqueCounts(…)"],
    ["const [values, counts] = await uniqueCounts(x)", "write const { values, counts } = uniqueCounts(…)"], ["const [a] = x.array()", "x.array(…) is a promise, which is awaited first: write const [a] = await x.array(…)"],
  ])("%s throws and says how to take it apart", async (cell, message) => expect(await failure(xy + cell)).toContain(message));

  it("lets what has the names or the places be taken apart", async () => {
    expect(await run(`${xy}const { length, 1: b, at = 0, gone = 2 } = [5, 6], { shape, ndim } = x, { none } = { some: 1 }, [p, q] = x.slice([0, 2]), { then } = x.data(), [c, d] = linalg.qr([[1, 0], [0, 1]]), { size } = new Map([[1, 2]]), [[k]] = new Map([[1, 2]]); [length, b, gone, shape, ndim, none, q.ndim, typeof then, d.ndim, size, k]`)).toEqual([2, 6, 2, [3], 1, undefined, 0, "function", 2, 1, 1]);
  });

  it("tells a traced function what branches there", async () => {
    expect(await failure("jit((x) => { throw new Error(`${x}`) })(tensor([1]))")).toMatch(/^TraceError text: .*write the text where the function is called/);
    expect(await failure("jit((x) => { if (x > 0) return x; return -x })(tensor([1]))")).toMatch(/^TraceError if: .*write cond\(mask/);
    expect(await failure("jit((x, n) => { while (n) n--; return x })(tensor([1]), 3)")).toMatch(/^TraceError while: .*static: 1.*whileLoop/);
  });

  it("leaves indices to the library where a notebook has none", async () => {
    setOperators(false);
    await expect(runCells([`${xy}x[0]`], { operators: false })).rejects.toThrow("tensors have no [0]: write slice(0)");
    await expect(runCells([`${xy}x * 2`], { operators: false })).rejects.toThrow("JavaScript's operators cannot act on a tensor");
    setOperators(true);
  });
});

/** Computations of the gallery's notebooks, by methods and by operators. */
const PAIRS: Record<string, [string, string]> = {
  "a wave step (waves)": [
    "const lap = (u) => u.roll(1, 0).add(u.roll(-1, 0)).add(u.roll(1, 1)).add(u.roll(-1, 1)).sub(u.mul(4)); const step = jit((u, v) => { const w = v.add(lap(u).mul(0.2)); return u.add(w.mul(0.9)) }); step(s, s.mul(0.1))",
    "const lap = (u) => u.roll(1, 0) + u.roll(-1, 0) + u.roll(1, 1) + u.roll(-1, 1) - u * 4; const step = jit((u, v) => { const w = v + lap(u) * 0.2; return u + w * 0.9 }); step(s, s * 0.1)",
  ],
  "Mandelbrot by whileLoop (mandelbrot)": [
    "const c = [s.mul(2), s.transpose()]; const z = forLoop(0, 20, (i, [a, b]) => [a.mul(a).sub(b.mul(b)).add(c[0]).clip(-4, 4), a.mul(b).mul(2).add(c[1]).clip(-4, 4)], [c[0], c[1]]); z[0].square().add(z[1].square()).less(4).cast('f32')",
    "const c = [s * 2, s.transpose()]; const z = forLoop(0, 20, (i, [a, b]) => [(a * a - b * b + c[0]).clip(-4, 4), (a * b * 2 + c[1]).clip(-4, 4)], [c[0], c[1]]); (z[0] ** 2 + z[1] ** 2 < 4).cast('f32')",
  ],
  "a gradient step (gradients)": [
    "const loss = (w) => s.matmul(w).sub(1).square().mean(); let w = zeros([8, 1]); for (let i = 0; i < 5; i++) w = w.sub(grad(loss)(w).mul(0.1)); w",
    "const loss = (w) => ((s.matmul(w) - 1) ** 2).mean(); let w = zeros([8, 1]); for (let i = 0; i < 5; i++) w -= grad(loss)(w) * 0.1; w",
  ],
  "gravity between bodies (nbody)": [
    "const p = s.slice(':', [0, 2]); const d = p.expandDims(0).sub(p.expandDims(1)); const r = d.square().sum(-1, { keepdims: true }).add(0.01); d.div(r.mul(r.sqrt())).sum(1)".replace("s.slice(':', [0, 2])", "s.at(':', '0:2').get()"),
    "const p = s.at(':', '0:2').get(); const d = p.expandDims(0) - p.expandDims(1); const r = d.square().sum(-1, { keepdims: true }) + 0.01; (d / (r * r.sqrt())).sum(1)",
  ],
  "Jacobi's iteration by scan (poisson)": [
    "scan((u, f) => { const v = u.roll(1, 0).add(u.roll(-1, 0)).add(f).div(3); return [v, v.sub(u).abs().max()] }, s.slice(0), s)[1]",
    "scan((u, f) => { const v = (u.roll(1, 0) + u.roll(-1, 0) + f) / 3; return [v, (v - u).abs().max()] }, s[0], s)[1]",
  ],
  "a softmax and its entropy by vmap (mnist)": [
    "vmap((x) => { const e = x.sub(x.max()).exp(); const p = e.div(e.sum()); return p.mul(p.log()).sum().neg() })(s)",
    "vmap((x) => { const e = (x - x.max()).exp(); const p = e / e.sum(); return -(p * p.log()).sum() })(s)",
  ],
  "Newton's root by whileLoop (welcome)": [
    "whileLoop((x) => x.square().sub(2).abs().any().logicalAnd(x.greater(1.42).any()), (x) => x.sub(x.square().sub(2).div(x.mul(2))), full([4], 3))",
    "whileLoop((x) => (x ** 2 - 2).abs().any() & (x > 1.42).any(), (x) => x - (x ** 2 - 2) / (x * 2), full([4], 3))",
  ],
};

describe("the gallery's computations by operators", () => {
  it.each(Object.entries(PAIRS))("%s", async (_, [methods, operators]) => {
    const start = "const s = linspace(-1, 1, 64).reshape([8, 8]).sin().add(eye(8));\n";
    const [plain, rewritten] = [(await runCells([start, methods], { operators: false })) as Tensor, (await run(start, operators)) as Tensor];
    expect(rewritten.shape).toEqual(plain.shape);
    expect(new Uint8Array((await rewritten.data()).buffer)).toEqual(new Uint8Array((await plain.data()).buffer));
  });
});
