// Transformation of cells into modules: they share their declarations, keep their lines, and report
// where a syntax error is.
import { describe, expect, it } from "vitest";
import { locateError } from "../../src/state/code/errors";
import { KERNEL_NAMES, usesKernels } from "../../src/state/code/kernels";
import { namesIn } from "../../src/state/code/names";
import { readCell } from "../../src/state/code/read";
import { packReading, unpackReading } from "../../src/state/code/reading";
import { CellSyntaxError, transformCell } from "../../src/state/code/transform";

const code = (source: string) => transformCell(source).rewritten.code;

/** Runs cells one after another as the worker does, in one global scope, and returns the last one's
 * value. */
async function run(...cells: string[]): Promise<unknown> {
  const scope = globalThis as Record<string, unknown>;
  let value: unknown;
  scope.$weft = {
    hoist: (functions: Record<string, unknown>) => Object.assign(globalThis, functions),
    constant: (...names: string[]) => names.forEach((n) => Object.defineProperty(globalThis, n, { writable: false })),
    imported: (_: string, name: string) => `import of ${name}`,
    last: (shown: unknown) => (value = shown),
    made: (value: unknown) => value,
    apart: (value: unknown) => value,
    check: () => void (scope.turns = Number(scope.turns ?? 0) + 1),
  };
  for (const source of cells) {
    const { rewritten, redeclared } = transformCell(source);
    for (const name of redeclared) delete scope[name];
    const url = "data:text/javascript," + encodeURIComponent(`${rewritten.code}\n//${Math.random()}`);
    value = undefined;
    await import(/* @vite-ignore */ url);
  }
  return value;
}

it("what was read can be kept as text, and read from that", () => {
  const source = "function f(t) { return t * 2 }\nconst a = f(g(3)),\n  { b } = other;\na + b";
  const read = readCell(source, true);
  if (!read.ok) throw new Error(read.message);
  const again = unpackReading(source, JSON.parse(JSON.stringify(packReading(read))));
  expect({ ...again, rewritten: again.rewritten.code }).toEqual({ ...read, rewritten: read.rewritten.code });
  const ends = read.rewritten.code.split("\n").flatMap((line, i) => [...line].map((_, column) => ({ line: i + 1, column: column + 1 })));
  expect(ends.map((at) => again.rewritten.toOriginal(at))).toEqual(ends.map((at) => read.rewritten.toOriginal(at)));
});

describe("scope", () => {
  it("shares const, let, var, function and class", async () => {
    expect(await run("const a = 1, b = 2; let c; var d = 4; function f() { return a + b } class K { v = 5 }", "[f(), c, d, new K().v]")).toEqual([3, undefined, 4, 5]);
  });
  it("shares what patterns bind", async () => {
    expect(await run("const { p, q: [r, ...s], t = 7, ...u } = { p: 1, q: [2, 3, 4], v: 8 }", "[p, r, s, t, u]")).toEqual([1, 2, [3, 4], 7, { v: 8 }]);
  });
  it("checks what calls and names give before patterns take it apart, the innermost first", async () => {
    expect(code("const { a } = f(), [b, , c] = await g.h(2), { d = 1, ...e } = k;")).toBe(';({ a: globalThis.a } = $weft.apart(f(), false, "f(…)", ["a"])), ([globalThis.b, , globalThis.c] = $weft.apart(await g.h(2), true, "g.h(…)", ["b","","c"])), ({ d: globalThis.d = 1, ...globalThis.e } = k);;$weft.constant("a", "b", "c", "d", "e");');
    expect(code("[p, q] = [q, p]; [p] = q; ({ p } = { q } = q)")).not.toContain("apart(q, true");
    expect(await run("const give = (x) => ({ v1: x, v2: [x] }); const { v1 } = give(1), { v2: [v3] } = give(2); let v4; ({ v1: v4 } = ((x) => { const { v1 } = give(x); return give(v1) })(3))", "[v1, v3, v4]")).toEqual([1, 2, 3]);
  });
  it("is live: a later cell's function replaces an earlier one, and assignment is seen", async () => {
    expect(await run("function g() { return 1 }\nfunction h() { return g() }", "function g() { return 2 }", "h()")).toBe(2);
    expect(await run("let n = 1; const read = () => n", "n = 5", "read()")).toBe(5);
    expect(await run("function w() { return 1 }\nw = ((f) => () => f() + 1)(w)", "w()")).toBe(2);
  });
  it("lets a cell run again and declare its names again", async () => {
    expect(await run("const z = 1; z", "const z = 2; z")).toBe(2);
  });
  it("keeps const constant", async () => {
    await expect(run("const k = 1", "k = 2")).rejects.toThrow(TypeError);
  });
  it("finds nothing before its declaration", async () => {
    await expect(run("early; const early = 1")).rejects.toThrow("early is not defined");
  });
  it("keeps names of functions and classes", async () => {
    expect(await run("const arrow = () => 1; let F = function () {}; const C = class {}", "[arrow.name, F.name, C.name]")).toEqual(["arrow", "F", "C"]);
  });
  it("leaves inner declarations alone", () => {
    expect(code("{ const x = 1; }\nfor (let i = 0; i < 2; i++) { var y = i; }")).toBe("{ const x = 1; }\nfor (let i = 0; i < 2; i++) { var y = i; }");
  });
  it("calls hoisted functions before their text", async () => expect(await run("const early2 = late(); function late() { return 9 } early2")).toBe(9));
  it("binds imports of the library", async () => {
    expect(await run('import { grad as g2, nn } from "weft-gpu"', "[g2, nn]")).toEqual(["import of grad", "import of nn"]);
    expect(await run('import * as all from "weft-gpu"', "all")).toBe("import of *");
    expect(code('import { kernel as k } from "weft-gpu/kernel"')).toBe(';globalThis.k = $weft.imported("weft-gpu/kernel", "kernel");');
  });
  it("drops export", async () => expect(await run("export const e1 = 3; export function e2() { return e1 }", "e2()")).toBe(3));
  it("has a var from the beginning, and keeps its value where a cell runs again", async () => {
    expect(await run("h1 = 1; const before = () => h2; const seen = before(); var h1, [h2] = [2]; [h1, seen, before()]")).toEqual([1, undefined, 2]);
    expect(await run("var h3; h3", "h3 = null", "var h3; h3")).toBe(null);
  });
  it("takes statements that touch each other for what they are apart", async () => {
    const kinds = ["let t1 = 1;", "const t2 = [2], t3 = () => 3;", "var t4;", "const { t5 } = { t5: 5 };", "class T6 { v = 6 }", "function t7() { return 7 }", "export const t8 = 8;", "for (const _ of [1]) await 0;", "for (;;) { await 0; break }", "if (true) for await (const _ of []) ;", "t9 = new Float32Array(2) * 1;", "{ let a = 1;a * 2 }", "label: for (;;) { await 0;break label }"];
    const touching = "var t9; let seen;seen = () => [typeof t1, typeof t2, typeof t4, typeof t5, typeof T6, typeof t7, typeof t8];";
    for (const [i, kind] of kinds.entries()) for (const next of [...kinds.slice(0, i), ...kinds.slice(i + 1)]) await expect(run(`var t9;${kind}${next}1 + 1`), `${kind}${next}`).resolves.toBe(2);
    expect(await run(`${touching}${kinds.join("")}seen()`)).toEqual(["number", "object", "undefined", "number", "function", "function", "number"]);
  });
  it("survives code without semicolons", async () => {
    expect(await run("let s1 = 1\nconst { s2 } = { s2: 2 }\nconst [s3] = [3]\nclass S4 {}\n[s1, s2, s3]")).toEqual([1, 2, 3]);
  });
});

describe("what a cell makes", () => {
  it.each([
    ["const x = new Float32Array(8)", ';globalThis.x = $weft.made(new Float32Array(8));$weft.constant("x");'],
    ["new Map", ";$weft.last(($weft.made(new Map)))"],
    ["const { a } = new (f())(new B).c;", ';({ a: globalThis.a } = $weft.made(new (f())($weft.made(new B))).c);;$weft.constant("a");'],
    ["for (;;) new A;", "for (;;) $weft.made(new A);"],
  ])("is counted in %j", (source, written) => expect(code(source)).toBe(written));
});

describe("kernels", () => {
  const text = "(x, i) => { const a = new Float32Array(4); for (const v of a) a[0] += v; return a[0] * x.at(i) }";

  it.each([
    [`const k = kernel(${text});`, `;globalThis.k = $weft.control("k", kernel)(${text});;$weft.constant("k");`],
    [`let k = kernel.group(${text}, {});`, `;globalThis.k = $weft.control("k", kernel.group)(${text}, {});;`],
    [`kernel(function (x, i) { return new Array(2)[i] }, new Options)`, `;$weft.last((kernel(function (x, i) { return new Array(2)[i] }, $weft.made(new Options))))`],
  ])("keep the text of the function: %j", (source, written) => expect(code(source)).toBe(written));
  it("are those of calls of kernel alone", () => expect(code(`compile(${text})`)).toContain("$weft.made(new Float32Array(4))"));
  it.each([
    ["const k = kernel((x, i) => rand(i))", true],
    ["rand(1)", true],
    ["try { k(x) } catch (error) { error instanceof KernelError }", true],
    ['import * as kernels from "weft-gpu/kernel"', true],
    ["const kernel = [1, 2, 1]; kernel.map(sqrt)", false],
    ["blur.kernel", false],
    ["print(1)", false],
    ["tensor([1])", false],
  ])("are brought to the cell %j: %j", (source, needed) => {
    const { program } = transformCell(source);
    expect(usesKernels(program, namesIn(program).reads)).toBe(needed);
  });
  it("have the names that the entry exports", async () => expect(Object.keys(KERNEL_NAMES).sort()).toEqual(Object.keys(await import("weft-gpu/kernel")).sort()));
});

describe("the last value", () => {
  it.each([
    ["1 + 1", 2],
    ["1 + 1; // comment", 2],
    ["(1, 5)", 5],
    ["await Promise.resolve(3)", 3],
    ["({ a: 1 }).a;\n\n", 1],
    ["let v9 = 2; v9 = 3", undefined],
    ["const v8 = 2", undefined],
    ["if (true) { 5 }", undefined],
  ])("of %j is %j", async (source, value) => expect(await run(source)).toBe(value));
});

describe("loops", () => {
  it("checks at every turn of a loop that awaits, and nowhere else", async () => {
    expect(await run("var turns = 0; for (let i = 0; i < 3; i++) await 0; while (true) { await 0; break }\nfor (let i = 0; i < 9; i++) ;\nfor (const f of [1]) { async () => { await 0 } }", "turns")).toBe(4);
    expect(code("for await (const x of y) z(x)")).toBe("for await (const x of y) {if ($weft.check()) await $weft.tick();z(x)}");
  });
  it("reaches into functions", () => expect(code("async function f() { do await g(); while (1) }")).toContain("do {if ($weft.check()) await $weft.tick();await g();}"));
});

describe("errors", () => {
  const fails = (source: string) => {
    try {
      transformCell(source);
    } catch (error) {
      if (error instanceof CellSyntaxError) return [error.message, error.position.line, error.position.column];
      throw error;
    }
    return null;
  };
  it.each([
    ["let a = 1;\nlet b = ;", ["Unexpected token", 2, 9]],
    ["const x = 1;\nconst x = 2;", ["Identifier 'x' has already been declared", 2, 7]],
    ["return 1", ["'return' outside of function", 1, 1]],
    ['\nimport x from "lodash"', ['only "weft-gpu" can be imported here, not "lodash": cells have no network access', 2, 15]],
    ["\n\nclass Promise {}", ["“Promise” is a global of the browser: choose another name", 3, 7]],
    ["export default 1", ["a cell cannot export: other cells already see its declarations", 1, 1]],
  ])("%j", (source, expected) => expect(fails(source)).toEqual(expected));
});

describe("tuples of Python", () => {
  const said = (source: string) => {
    try {
      transformCell(source);
    } catch (error) {
      if (error instanceof CellSyntaxError) return error;
      throw error;
    }
    return null;
  };
  it.each([
    ["zeros((2, 3))", "[2, 3]"], ["np.zeros((2,3))", "[2,3]"], ["x.reshape((a.shape[0], -1), 2)", "[a.shape[0], -1]"], ["full((f(2), 3), 1)", "[f(2), 3]"], ["new Grid((2, 3))", "[2, 3]"], ["random.normal(((2, 3)))", "[2, 3]"], ["() => { g?.((2, 3)) }", "[2, 3]"],
    ["const shape = (2, 3)", "[2, 3]"], ["let s; s = (2, n)", "[2, n]"], ["function f() { return a, b }", "[a, b]"], ["const f = (a, b) => (b, a)", "[b, a]"], ["tensor([(1, 2), (3, 4)])", "[1, 2]"], ["f({ shape: (2, 3) })", "[2, 3]"],
  ])("%s is refused", (source, list) => {
    const error = said(source);
    expect(error?.message).toBe(`JavaScript keeps only the last value of “${list.slice(1, -1)}”: write ${list}`);
    expect(error?.position).toEqual({ line: 1, column: source.indexOf(list.slice(1, -1)) + 1 });
  });
  it("does not repeat a long one", () => expect(said(`zeros((${"1, ".repeat(99)}2))`)?.message).toBe("JavaScript keeps only the last value of several with commas between them: write [a, b]"));
  it.each(["f(2, 3)", "f([2, 3])", "(0, g)(2)", "for (let i = 0, j = 9; i < j; i++, j--) f(i, j)", "const f = () => (g(), 3)", "let n = 0; f((n++, n))", "function f() { return (n = 2, n) }", "const k = kernel((x, i) => x.at((i, i)))", "const [a, b] = [b, a]"])("%s is left alone", (source) => expect(said(source)).toBeNull());
});

describe("positions", () => {
  it.each([
    ["function f() {\n  return 1;\n}\nconst { a } = g(), b = h();\na.boom()", ["return", "g()", "h()", "boom"]],
    ['import {\n  sum,\n  mean,\n} from "weft-gpu";\nsum.boom()', ["boom"]],
    ["export\n\nconst a = g();\nconst\n\n  b = h();\na.boom()", ["g()", "h()", "boom"]],
    // Operators on tensors are written out over several lines, and their operands move.
    ["const y = f() *\n  g() +\n  -h();\ny.boom()", ["f()", "g()", "h()", "boom"]],
    ["let x = f() ** g();\nx[0] += g(x)\n  / h();\nif (x < h(1)) x.boom()", ["f()", "h()", "h(1)", "boom"]],
    ["const at = (x) => x[k()] - u().v;\nat(f() % 2).boom()", ["k()", "u()", "f()", "boom"]],
  ])("lead back to what was written: %j", (source, words) => {
    const { rewritten } = transformCell(source);
    expect(rewritten.code.split("\n").length).toBe(source.split("\n").length);
    for (const word of words) {
      const generated = rewritten.code.indexOf(word);
      const before = rewritten.code.slice(0, generated).split("\n");
      const original = source.slice(0, source.indexOf(word)).split("\n");
      const position = rewritten.toOriginal({ line: before.length, column: before.at(-1)!.length + 1 });
      expect(position).toEqual({ line: original.length, column: original.at(-1)!.length + 1 });
    }
  });
});

describe("controls", () => {
  it("learn the name they are declared under", () => {
    expect(code("const rate = slider(\"rate\")")).toBe(';globalThis.rate = $weft.control("rate", slider)("rate");$weft.constant("rate");');
    expect(code("let pad = input.draw({})")).toContain('globalThis.pad = $weft.control("pad", input.draw)({})');
  });
  it("learn none in other places", () => {
    for (const source of ["slider('a')", "const a = slider('a') / 2", "const [a] = [slider('a')]", "{ const a = slider('a') }", "const a = other.slider('a')"]) expect(code(source)).not.toContain("$weft.control");
  });
});

describe("messages of engines", () => {
  const said = (message: string) => locateError({ name: "TypeError", message, frames: [], members: undefined, hint: undefined }, new Map()).message;
  /** What a reader sees where a cell throws. */
  const failed = async (...cells: string[]) => said(await run(...cells).then(() => "nothing was thrown", (error: Error) => error.message));

  it("say what to write where a class is called without new", async () => {
    expect(await failed("class Net1 {}", "Net1()")).toBe("Net1 is a class: write new Net1(…)");
    expect(await failed("class Base {}\nclass Net2 extends Base { constructor(n) { super(n) } }", "Net2(3)")).toBe("Net2 is a class: write new Net2(…)");
    expect(await failed("(class {})()")).toBe("This is a class: write new in front of it.");
    expect(said("Cannot call a class constructor Net without |new|")).toBe("Net is a class: write new Net(…)");
    expect(said("class constructors must be invoked with 'new'")).toBe("This is a class: write new in front of it.");
  });
  it("say which constant is assigned to", async () => {
    expect(await failed("const fixed1 = 1", "fixed1 = 2")).toBe("Assignment to constant “fixed1”.");
    expect(said('"k" is read-only')).toBe("Assignment to constant “k”.");
    expect(said("Class constructor of mine failed")).toBe("Class constructor of mine failed");
  });
});
