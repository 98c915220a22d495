// Python in cells: what is said where the parser gives up, and that what it says to write computes
// what Python would.

import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "weft-gpu";
import type { Tensor } from "weft-gpu";
import { divisionLike } from "../../src/state/code/division";
import { CellSyntaxError, transformCell } from "../../src/state/code/transform";
import { installIndices } from "../../src/worker/run/operators";
import { runCells } from "../operators/cells";

beforeAll(async () => {
  await weft.init({ device: "cpu" });
  Object.assign(globalThis, weft);
  installIndices();
});

const said = (source: string): string => {
  try {
    transformCell(source);
  } catch (error) {
    if (error instanceof CellSyntaxError) return error.message;
    throw error;
  }
  return "nothing";
};
const written = (source: string, form: RegExp): string => form.exec(said(source))?.[1] ?? `no advice: ${said(source)}`;
const value = async (...cells: string[]): Promise<unknown> => {
  const result = await runCells(cells, { operators: true });
  return result instanceof weft.Tensor ? (result as Tensor).array() : result;
};

describe("slices", () => {
  // x is [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]; the second of each is what NumPy gives.
  const X = "let x = arange(12).reshape([3, 4]), o = { x }, i = 1, rows = [0, 2]; const f = (t) => t;";
  it.each([
    ["x[1:]", [[4, 5, 6, 7], [8, 9, 10, 11]]],
    ["x[:1]", [[0, 1, 2, 3]]],
    ["x[-1:]", [[8, 9, 10, 11]]],
    ["x[::2]", [[0, 1, 2, 3], [8, 9, 10, 11]]],
    ["x[::-1, 0]", [8, 4, 0]],
    ["x[:, 1]", [1, 5, 9]],
    ["x[0:2, 1:-1]", [[1, 2], [5, 6]]],
    ["x[2:0:-1, ::3]", [[8, 11], [4, 7]]],
    ["x[..., -1]", [3, 7, 11]],
    ["x[0, None, :2]", [[0, 1]]],
    ["x[1:2, np.newaxis, :1]", [[[4]]]],
    ["x[i:]", [[4, 5, 6, 7], [8, 9, 10, 11]]],
    ["x[i - 1:i + 1, 0]", [0, 4]],
    ["x[rows, 1:3]", [[1, 2], [9, 10]]],
    ["arange(10)[::3]", [0, 3, 6, 9]],
    ["f(x)[1][2:]", [6, 7]],
    ["(x + 1)[:, 0]", [1, 5, 9]],
    ["o.x[1:, 0]", [4, 8]],
    ["x.at(0).get()[1:3]", [1, 2]],
    ["f(x[1:])", [[4, 5, 6, 7], [8, 9, 10, 11]]],
  ])("%s", async (python, expected) => expect(await value(X, written(python, /write (.*?)(?:;|$)/))).toEqual(expected));

  it.each([
    ["x[1:] = 0", [[0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 0]]],
    ["x[:, 0] += 5", [[5, 1, 2, 3], [9, 5, 6, 7], [13, 9, 10, 11]]],
    ["x[0, ::2] *= i + 1", [[0, 1, 4, 3], [4, 5, 6, 7], [8, 9, 10, 11]]],
  ])("%s", async (python, expected) => expect(await value(X, written(python, /write (.*)$/), "x")).toEqual(expected));

  it.each([["list[1:3]", [6, 7]], ["list[-2:]", [7, 8]], ["list[:n]", [5, 6]], ["[5, 6, 7, 8][1:]", [6, 7, 8]]])("of a list: %s", async (python, expected) => expect(await value("const list = [5, 6, 7, 8], n = 2", written(python, /(?:a list has|write) (?!list\.at)(.+\.slice\(.*\))$/))).toEqual(expected));

  it("none is seen where an index has something else wrong", () => {
    for (const source of ["x[a ? 1 :]", "[1:3]", "x[1 2]", "f(a: 1)", "const o = { a: [1 2] }", `${"(".repeat(300)}x[1:]`]) expect(said(source)).not.toContain("slices");
  });
});

describe("what JavaScript writes computes what Python does", () => {
  const NAMES = 'const xs = [1, 2, 3], c = true, x = 2, p = tensor([1, 0, 1], { dtype: "bool" }), q = tensor([1, 1, 0], { dtype: "bool" });';
  it.each([
    ["const s = [i ** 2 for i in range(3)]", /as (.*)$/, [0, 1, 4]],
    ["[v + 1 for v in xs]", /as (.*)$/, [2, 3, 4]],
    ["[v for v in xs if v > 1]", /as (.*)$/, [2, 3]],
    ["const s = [v * 2 for v in xs if v > 1]", /as (.*)$/, [4, 6]],
    ["xs.map(lambda v: v + 1)", /as (.*)$/, "function"],
    ["x if c else 3", /as (.*?);/, 2],
    ["const y = x + 1 if x > 2 else x - 1", /as (.*?);/, 1],
    ["c and x", /writes (.*?);/, 2],
    ["p and q", /element, (.*)$/, [true, false, false]],
    ["p or q", /element, (.*)$/, [true, true, true]],
    ['f"x is {x:.2f}, {c}!"', /as (.*)$/, "x is 2.00, true!"],
    ["print(f'{x} of {x + 1:>5}')", /as (.*)$/, "2 of 3"],
    ["-x ** 2", /parentheses: (.*?),/, -4],
    ['let t = "-" * 3', /write (.*)$/, "---"],
    ["a, b = xs", /const (.*) = xs where/, [1, 2]],
    ["2 in [1, 2]", /write (.*)$/, true],
    ["b, a = a, b", /write (.*?), or/, [2, 1]],
  ])("%s", async (python, form, expected) => {
    const code = written(python, form);
    const run = python.startsWith("a, b") ? [`const ${code} = xs`, "[a, b]"] : python.startsWith("b, a") ? ["let a = 1, b = 2;", code, "[a, b]"] : [`(${code})`];
    const result = await value(NAMES, ...run);
    expect(typeof result === "function" ? typeof result : result).toEqual(expected);
  });

  it.each([
    ["for k in range(3):\n  s += k", /as (.*) \{ … \}/, 3],
    ["for k in range(1, 3):\n  s += k", /as (.*) \{ … \}/, 3],
    ["for (k in range(3)):", /as (.*) \{ … \}/, 3],
    ["for k, v in enumerate(xs):", /as (.*) \{ … \}/, 3],
  ])("%s", async (python, form, expected) => expect(await value(NAMES, `let s = 0; ${written(python, form)} { s += k }`, "s")).toBe(expected));
});

describe("lines of Python", () => {
  it.each([
    ["import numpy as np", /need no import/], ["import math", /need no import/], ["from torch import nn", /need no import/],
    ["def f(x):\n  return x", /function f\(x\) \{/], ["def f(x: int) -> int: return x", /function f/], ["async def f():\n  pass", /function f/], ["function f(x):\n  return x", /function f\(x\) \{/],
    ["for x in xs: print(x)", /for \(const x of list\)/], ["for i in 1..3 {}", /for \(let i = 0/],
    ["if x > 2:\n  y", /in braces/], ["if x > 2: print(x)", /in braces/], ["if (x):\n  y", /in braces/], ["else:\n  y", /in braces/], ["while x:\n  y", /in braces/], ["elif x:\n  y", /else if \(a > 0\)/], ["if x > 2 { y }", /in parentheses/],
    ["try:\n  x", /try \{ … \} catch \(error\)/], ["except ValueError as e:\n  x", /catch \(error\)/], ["raise ValueError('x')", /throw new Error/],
    ["class Net(nn.Module):\n  def forward(self): pass", /class Net extends nn\.Module/], ["with torch.no_grad():\n  y", /leave the line out/], ["with open('a') as f:\n  y", /await file\.text\(/], ["with lock:\n  y", /no with/],
    ["assert x == 3, 'why'", /if \(!\(x == 3\)\) throw/], ["print x", /print\(x\)/], ["print 'a'", /print\('a'\)/], ["global x", /no declaration/], ["del x", /x\.dispose\(\)/],
    ["@jit\ndef f(x): pass", /jit\(\(x\) =>/], ["@wraps\ndef f(x): pass", /wrapper\(f\)/], ["%matplotlib inline", /leave the line out/], ["!pip install torch", /leave the line out/],
    ["const a, b = f()", /const \[a, b\] = f\(\)$/], ["let a, b = 1, 2", /const \[a, b\] = \[1, 2\]$/], ['"""doc"""\nx', /in backquotes/], ["'''doc'''", /in backquotes/],
    ["{k: v for k, v in items}", /Object\.fromEntries/], ["sum(x for x in f(xs))", /list\.map/], ["f(lambda: 3)", /without a name/], ["r'\\d'", /String\.raw/], ["b'a'", /TextEncoder/], ["print('a' 'b')", /joined by \+/],
    ["# comment", /begins with \/\//], ["#comment", /begins with \/\//], ["x = 3 # three", /begins with \/\//], ["x = 3 #three", /begins with \/\//],
    ["x is None", /x === null/], ["if (x is not None) {}", /x !== null/], ["x not in y", /!list\.includes\(x\)/], ["not x", /!x for a truth value/], ["const m = not x", /logicalNot/], ["x @ y", /a\.matmul\(b\)/],
    ["f(*args)", /three dots: f\(\.\.\.list\)/], ["[*a, *b]", /three dots/], ["f(**options)", /\{ \.\.\.options \}/], ["x := 3", /no :=/], ["(x) -> x", /\(x\) => x \+ 1/], ["x <> y", /!==/], ["2j * x", /new Complex\(re, im\)/], ["2x + 1", /2 \* x/], ["const o = {a=3}", /\{ a: 3 \}/],
    ['"%d and %.2f" % 3', /toFixed\(2\)/],
  ])("%s", (source, expected) => expect(said(source)).toMatch(expected));

  it.each(["let b = ;", "const o = { a: 1, b: };", "const x = 3 const y", "let x == 3", "f(1,, 2)", "const s = 'it's'", "class A { foo: 3 }", "f(a b)", "const x = y z", "else { }", "a..b", "x ==== y", "switch (a) { case 1 b }", "const q = a ? b : ;", "a & & b", "[a ? 1 :: 2]"])("an error of JavaScript's own is left as it is: %s", (source) => expect(said(source)).toMatch(/^Unexpected token$/));
  it.each(["pass", "x in y", "x ** -1", "(-x) ** 2", "1_000", '"50%" % 2', '"3" * 2', "a = b = 3", "'a' + 'b'", "x != y"])("what JavaScript reads is read: %s", (source) => expect(said(source)).toBe("nothing"));
  it("a long line is not repeated", () => {
    for (const unit of ["[x for ", 'f"{x:.2f', "x if ", "lambda a, ", "a[1:", "let a, ", "not ", "(x ", "{a: ", "print x"]) expect(said(unit.repeat(4_000)).length).toBeLessThan(400);
  });
});

describe("comments that may be meant as a division", () => {
  it.each(["x // 2", "const half = w // 2;", "let n = 2; x // n", "f(x) // 2\ny", "x[0]//2.5"])("%s", (source) => {
    const [found, more] = divisionLike(source);
    expect(more).toBeUndefined();
    expect(source.slice(found!.from, found!.to)).toMatch(/^\/\/ ?[\w.]+;?$/);
    expect(found!.message).toMatch(/Math\.floor\(a \/ (?:2|2\.5|n)\), of tensors a\.floorDivide\((?:2|2\.5|n)\)$/);
  });
  it.each(["x; // 2", "x // width", "x // the number 2", "// 2", "x\n// 2", "const a = [ // 2\n]", "`x // 2`", "x /* 2 */", "x // 2 {"])("none in %s", (source) => expect(divisionLike(source)).toEqual([]));
});
