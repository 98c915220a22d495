// Spelling suggestions for errors about names.

import { describe, expect, test } from "vitest";
import type { LibraryName } from "../../src/protocol/messages";
import { membersSaid, nameMeant } from "../../src/state/code/meant";
import { saidElsewhere } from "../../src/state/code/elsewhere";
import { saidOfMethod } from "../../src/state/code/chains";
import { explained } from "../../src/state/code/explained";
import { declaringCell } from "../../src/state/code/definitions";
import { readCell } from "../../src/state/code/read";
import { CellReader } from "../../src/state/code/reading";
import { transformCell } from "../../src/state/code/transform";
import type { Cell } from "../../src/state/notebook/notebook";

const names: LibraryName[] = [
  { label: "tensor", kind: "function", members: [] },
  { label: "Tensor", kind: "class", members: ["matmul", "reshape", "sum", "softmax"] },
  { label: "nn", kind: "namespace", members: ["Linear", "Sequential"] },
  { label: "print", kind: "function", members: [] },
];
const meant = (message: string, declared: string[] = []) => nameMeant(message, names, declared);

test.each([
  ["tensr is not defined", "tensor"],
  ["tesnor is not defined", "tensor"],
  ["Print is not defined", "print"],
  ["Can't find variable: tensr", "tensor"],
  ["learningRat is not defined", "learningRate"],
  ["a.mtmul is not a function", "matmul"],
  ["tensor(...).reshpae is not a function", "reshape"],
  ["a.mtmul is not a function. (In 'a.mtmul(b)', 'a.mtmul' is undefined)", "matmul"],
  ["nn.Liner is not a constructor", "Linear"],
  ["Linear is not defined", "nn.Linear"],
  ["sequential is not defined", "nn.Sequential"],
  ['"weft-gpu" exports no “tensr”', "tensor"],
])("%s", (message, expected) => expect(meant(message, ["learningRate"])).toBe(expected));

test.each(["x is not defined", "wholly.other is not a function", "unrelated is not defined", "nn.matmul is not a function", "Something else went wrong", `${"a".repeat(10_000)} is not defined`])(
  "nothing is guessed: %s",
  (message) => expect(meant(message)).toBeNull(),
);

test("names of other libraries say what is written here", () => {
  expect(saidElsewhere("s.at(...).sin is not a function")).toMatch(/x\.at\(i\)\.get\(\) reads them/);
  expect(saidElsewhere("row.sum is not a function", () => ({ get: () => 0, apply: () => 0 }))).toMatch(/x\.at\(i\)\.get\(\) reads them/);
  expect(saidElsewhere("np is not defined")).toMatch(/no prefix/);
  expect(saidElsewhere("randn is not defined")).toMatch(/random\.normal\(\[3\]\)/);
  const values: Record<string, unknown> = { net: { forward: () => 1 }, random: { normal: () => 1, seed: () => 2 }, five: 5 };
  const said = (message: string) => saidElsewhere(message, (name) => values[name]);
  expect(said("net is not a function")).toBe("net is a module: apply it by net.forward(x).");
  expect(said("this.conv1 is not a function")).toBe("A layer is applied by its forward: this.conv1.forward(x).");
  expect(said("random is not a function")).toBe("random has functions: random.normal, random.seed and others.");
  expect(said("m is not a function")).toBe("A module is applied by its forward: m.forward(x).");
  expect(said("nn.mse is not a function")).toMatch(/nn\.mseLoss/);
  expect(said("concatenate is not defined")).toMatch(/concat\(\[a, b\]\)/);
  expect(said("tensor(...).plus is not a function")).toBe("Write add(other), or the operator.");
  expect(said("x.shape is not a function")).toMatch(/without \(\)/);
  expect(said("loss.toFixed is not a function")).toMatch(/await t\.item\(\)/);
  expect(said("random.randn is not a function")).toMatch(/random\.normal/);
  expect(said("random.shuffle is not a function")).toMatch(/random\.permutation\(x\)/);
  expect(said("random.default_rng is not a function")).toMatch(/random\.seed\(1\)/);
  expect(said("random.integers is not a function")).toMatch(/random\.randint\(\[3\], 0, 10\)/);
  expect(said("padding is not defined")).toMatch(/\{ padding: … \}/);
  expect(said("x.clone is not a function")).toMatch(/needs no copy/);
  expect(said("Failed to fetch")).toMatch(/await allow/);
  for (const other of ["random.plus is not a function", "five.shape is not a function"]) expect(said(other)).toBeUndefined();
  for (const other of ["five is not a function", "gone is not a function", "net.other is not a function"]) expect(said(other)).toBeUndefined();
  for (const other of ["constructor is not defined", "__proto__ is not defined", "x.np is not a function", ""]) expect(saidElsewhere(other)).toBeUndefined();
});

describe("assignments to names that nothing declares", () => {
  // Lines are those of the code that runs.
  const said = (name: string, source: string) => saidElsewhere(`${name} is not defined`, () => undefined, transformCell(source).rewritten.code);
  test.each([
    ["y2", "y2 = x * 2", /write const y2 = …, or let y2 = …/], ["total", "total = 0", /const total = …/], ["model", "model = new nn.Linear(2, 3)", /const model = …/], ["lr", "lr = 0.1", /const lr = …/], ["len", "len = 3", /const len = …/],
    ["y", "const f = (x) => { y = x; return y }", /const y = …/], ["arr", "arr = [1, 2]", /const arr = …/], ["$a", "$a = 1", /const \$a = …/],
    ["total", "total += x", /let total = 0 in front/], ["n", "n++", /let n = 0/], ["k", "k ??= 3", /let k = 0/], ["w", "w = w - 0.1 * g", /let w = 0/],
    ["i", "for (i = 0; i < 3; i++) {}", /for \(let i = 0; …\)/], ["v", "for (v of list) {}", /for \(const v of list\)/],
    ["p", "[p, q] = [1, 2]", /const \[p, q\] = …/], ["q", "({ p, q } = o)", /const \{ p, q \} = …/], ["int", "x: int = 3", /no types in JavaScript: write const x = …/],
    ["num", "linspace(0, 1, num=5)", /go by position/], ["requires_grad", "const w = tensor([1], requires_grad=true)", /go by position/], ["padding", "f(x, padding=1)", /\{ padding: … \}/], ["dim", "x.sum(dim=0)", /t\.sum\(0\)/], ["label", "plot(x, label='sine')", /plot\(x, \{ sine: y/], ["end", "print(1, end='')", /print writes a line/],
  ])("%s in %s", (name, source, expected) => expect(said(name, source)).toMatch(expected));
  test.each([["y2", "print(y2)"], ["a", "if (a == 3) 1"], ["a", "b = a"], ["a", "a.b = 3"], ["f", "f(b = 3)"], ["a", "const g = (x) => a"], ["a", "x === a"], ["a", "a <= 3"], ["a", "const { b = a } = c"]])("%s in %s is none", (name, source) => expect(said(name, source)).toBeUndefined());
});

test("a near name begins alike, and is nearer the shorter it is", () => {
  const all: LibraryName[] = ["std", "init", "sum", "sin", "cos", "bars", "div", "tile", "hist", "floor", "tune", "max", "modf", "table", "file", "sort", "mean"].map((label) => ({ label, kind: "function", members: [] }));
  for (const name of ["str", "num", "bin", "os", "vars", "dir", "list", "float", "tuple", "map", "model", "label", "filter", "sorted"]) expect(nameMeant(`${name} is not defined`, all, [])).toBeNull();
  for (const [name, near] of [["sni", "sin"], ["men", "mean"], ["flor", "floor"], ["tabel", "table"], ["isn", "sin"]]) expect(nameMeant(`${name} is not defined`, all, [])).toBe(near);
  for (const owner of ["[1]", '"a"', "{}"]) expect(meant(`${owner}.matmol is not a function`)).toBeNull();
});

describe("functions and methods of Python", () => {
  class Tensor {
    matmul() {}
    relu() {}
    size = 3;
  }
  const values: Record<string, unknown> = { Tensor, t: new Tensor(), list: [1], word: "a", own: { a: 1 }, input: { draw: () => 1 }, weft: {}, Math };
  const said = (message: string, line = "") => explained(message, line, (name) => values[name]);
  test.each([
    ["np.pi", /^np\.pi is Math\.PI here\.$/], ["math.pi", /Math\.PI/], ["np.e", /Math\.E/], ["np.inf", /Infinity/], ["np.nan", /NaN/], ["torch.float32", /"f32"/], ["np.int64", /"i32"/], ["np.newaxis", /null/],
    ["math.sqrt(2)", /Math\.sqrt here/], ["math.floor(x)", /Math\.floor here/], ["math.erfc(x)", /Math has functions/], ["torch.manual_seed(1)", /random\.seed\(1\)/], ["torch.device('cuda')", /the badge/],
  ])("%s", (line, expected) => expect(said(`${line.split(".")[0]} is not defined`, line)).toMatch(expected));
  test.each([
    ["str", /String\(3\)/], ["int", /Math\.trunc/], ["float", /Number\(/], ["bool", /Boolean/], ["list", /\[\.\.\.values\]/], ["tuple", /\[1, 2\]/], ["dict", /Object\.fromEntries/], ["set", /new Set/], ["len", /\.length/], ["enumerate", /list\.entries\(\)/], ["zip", /b\[i\]/],
    ["map", /list\.map/], ["filter", /extract\(x > 0, x\)/], ["sorted", /sort\(/], ["reversed", /reverse\(\)/], ["isinstance", /instanceof/], ["type", /typeof/], ["open", /await file\.text\(/], ["pass", /\{ \}/], ["float32", /"f32"/], ["pi", /Math\.PI/], ["tqdm", /progress\(/], ["json", /JSON\.parse/], ["sns", /Plots are functions/],
  ])("%s", (name, expected) => expect(said(`${name} is not defined`, `${name}(x)`)).toMatch(expected));
  test.each([
    ["t.t", /x\.transpose\(\)/], ["t.map", /act on all elements/], ["t.size", /both are properties/], ["t.filter", /extract/], ["t.long", /cast\("i32"\)/], ["t.ravel", /flatten/], ["t.numel", /x\.size/], ["t.get", /x\[i\]/], ["t.append", /concat\(\[x, y\]\)/], ["t.relu_", /t = t\.relu\(…\)/],
    ["list.append", /list\.push\(value\)/], ["[1].index", /list\.indexOf/], ["word.upper", /text\.toUpperCase\(\)/], ['"a".strip', /text\.trim\(\)/], ['", ".join', /list\.join/], ["own.items", /Object\.entries\(object\)/], ["{}.keys", /Object\.keys/], ["v.append", /list\.push\(value\)\. A tensor never changes/], ["v.upper", /toUpperCase/],
  ])("%s()", (called, expected) => expect(said(`${called} is not a function`)).toMatch(expected));
  test.each([
    ["max: axis 2 is out of range for []: it has no axes", /Math\.max\(1, 2\)/], ["min: takes options such as { keepdims: … }, got 3", /Math\.min\(1, 2\)/], ["max: an axis is a whole number, not a Tensor", /maximum\(a, b\)/],
    ["range: the first argument must be a string, the label", /arange\(10\)/], ["input is not a function", /text\("Your name"\)/], ["Cannot use 'in' operator to search for 'a' in abc", /text\.includes/],
  ])("%s", (message, expected) => expect(said(message)).toMatch(expected));
  test.each([
    ["plt.plot(x)", /^plt\.plot is plot here/], ["plt.loglog(x, y)", /\{ log: "xy" \}/], ["plt.semilogy(y)", /\{ log: "y" \}/], ["plt.semilogx(y)", /\{ log: "x" \}/], ["plt.colorbar()", /show their scale/], ["plt.subplots(2)", /facet/], ["plt.savefig('a.png')", /buttons that save them/], ["plt.figure()", /title: "Loss"/],
    ["plt.show()", /shown by itself/], ["plt.imshow(t)", /image\(t\)/], ["plt.axhline(0.5)", /full\(x\.shape, 0\.5\)/], ["plt.legend()", /its legend/], ["plt.fill_between(x, a, b)", /low: y - s/], ["plt.contourf(z)", /filled: true/], ["plt.barh(a, b)", /horizontal: true/], ["plt.grid()", /leave the line out/], ["sns.lineplot(x)", /plot\(x, y\)/], ["plt.gone()", /Plots are functions/],
  ])("%s", (line, expected) => expect(said(`${line.slice(0, 3)} is not defined`, line)).toMatch(expected));
  test.each([["loglog", /log: "xy"/], ["subplots", /facet/], ["axhline", /full/], ["colorbar", /scale/]])("%s", (name, expected) => expect(said(`${name} is not defined`, `${name}(x)`)).toMatch(expected));
  test.each(["title", "set_xlabel", "legend", "gone"])("plot(…).%s()", (member) => expect(said(`plot(...).${member} is not a function`)).toMatch(/\{ title: "Loss"/));
  test("nothing is said of what is the reader's own", () => {
    for (const message of ["own.gone is not a function", "word.gone is not a function", "max: axis 2 is out of range for [3]: expected -1 to 0"]) expect(said(message)).toBeUndefined();
  });
});

test("a method that is not called says how to", () => {
  class Tensor {
    item() {}
    relu() {}
  }
  const said = (line: string, value: unknown) => saidOfMethod(line, value, (name) => (name === "Tensor" ? Tensor : undefined));
  expect(said("x.item))", Tensor.prototype.item)).toBe("item is a method: call it, as in await x.item().");
  expect(said("x.mul(2).relu ))", Tensor.prototype.relu)).toBe("relu is a method: call it, as in x.relu().");
  for (const [line, value] of [["x.item))", () => 1], ["f))", Tensor.prototype.item], ["x.gone))", undefined], ["x.relu()))", 3]] as const) expect(said(line, value)).toBeUndefined();
});

test("picks of texts say how to pick their places", () => {
  expect(explained("random.choice: [0] is a string; expected numbers, booleans, or arrays of them", 'random.choice(["a", "b"])', () => undefined)).toMatch(/words\[await random\.choice\(words\.length\)\.item\(\)\]/);
});

describe("names of other libraries at any depth", () => {
  class Tensor {
    matmul() {}
    mean() {}
  }
  const namespaces = { fft: { fft: () => 1 }, linalg: { lstsq: () => 1 }, nn: { Conv2d: class {}, conv2d: () => 1, relu: () => 1, Linear: class {}, init: {} }, optim: { adam: () => 1 }, random: { uniform: () => 1 } };
  const values: Record<string, unknown> = {
    ...namespaces,
    Tensor, price: { dtype: "f64", tensor: () => 1 }, list: [1],
    weft: { extract: () => 1, linspace: () => 1, zerosLike: () => 1, relu: () => 1, ...namespaces },
    df: { names: ["price", "Size"], typed: () => 1 }, z: { re: 1, im: 1 }, t: new Tensor(), net: { forward: () => 1 }, optimizer: { step: () => 1 }, own: { a: {} },
  };
  const nothing = "Cannot read properties of undefined (reading 'x')";
  test.each([
    [nothing, "df.price.mean()", /df\.typed\("price"\).*df\.tensor\(\["price"\]\)/],
    ["undefined is not an object (evaluating 'df.price.mean')", "const a = 2 * df.price.mean();", /df\.typed/],
    [nothing, 'df["price"].mean()', /df\.typed\("price"\)/],
    [nothing, "df.columns.length", /df\.names/],
    [nothing, "df.size.mean()", /df\.typed\("Size"\)/],
    ["scatter: expected a tensor or an array of values, got undefined", "scatter(df.size, df.price)", /df\.typed\("Size"\)/],
    ["df.mean is not a function", "", /df\.tensor\(\["name", …\]\)\.mean\(0\)/],
    ["df.dropna is not a function", "", /await extract\(t\.isfinite\(\)\.all\(1\), t\)/],
    ['csv: line 2 of column "date" is no number: "2024-01-03"', "df.tensor()", /name their columns/],
    ["price.mean is not a function", "price.mean()", /price\.tensor\(\)\.mean\(…\)/],
    ["df.typed(...).mean is not a function", "", /df\.typed\(\.\.\.\)\.tensor\(\)\.mean/],
    ["[90,3,1].mean is not a function", "", /tensor\(\[90,3,1\]\)\.mean/],
    ["list.mean is not a function", "list.mean()", /tensor\(list\)\.mean/],
    ["abs: expected a tensor, numbers or arrays of them, got a Complex", "abs(z)", /z\.abs\(\)/],
    ["z.mean is not a function", "z.mean()", /z\.map\(\(part\) => part\.mean\(…\)\)/],
    ["k: line 1, column 11: there is no `sin` here. A kernel sees its parameters, Math, and what you give it by name", "", /write Math\.sin\(…\)/],
    ["k: line 1, column 11: there is no `where` here. A kernel sees", "", /condition \? a : b/],
    ["k: line 1, column 11: `x.at(i)` has no `exp`\n  (x, i) => x.at(i).exp()", "", /write Math\.exp\(x\.at\(i\)\)/],
    ["k: line 1, column 11: `x` is no function", "", /x\.at\(i\)/],
    ["t.extract is not a function", "", /It is a function: extract\(…\)/],
    ["t.lstsq is not a function", "", /It is a function: linalg\.lstsq\(…\)/],
    ["t.fft is not a function", "", /It is a function: fft\.fft\(…\)/],
    ["F is not defined", "F.conv2d(t)", /is nn\.conv2d here/],
    ["torch is not defined", "torch.nn.Conv2d(1, 8, 3)", /is nn\.Conv2d here/],
    ["torch is not defined", "torch.save(net.state_dict(), 'm.pt')", /data\.toSafetensors/],
    ["net.save is not a function", "", /data\.toSafetensors\(model\.stateDict\(\)\)/],
    ["valueAndGrad: takes a function, got object", "", /\(model\)/],
    ["step: trees are matched by name, but parameters is { layers }, and gradients is a tensor", "", /first argument/],
    ["scatter: x is undefined", "scatter(df.size, df.price)", /df\.typed\("Size"\)/],
    [nothing, "nn.functional.relu(t)", /nn\.relu/],
    [nothing, "const x = nn.utils.clip_grad_norm_(net, 1)", /clipByGlobalNorm/],
    [nothing, "t.grad.sum()", /grad\(f\)\(x\)/],
    ["np is not defined", "np.linspace(0, 1, 5)", /^np\.linspace is linspace here\.$/],
    ["torch is not defined", "new torch.nn.Linear(2, 3)", /^torch\.nn\.Linear is nn\.Linear here\.$/],
    ["torch is not defined", "torch.zeros_like(t)", /is zerosLike here/],
    ["torch is not defined", "torch.optim.Adam(net)", /is optim\.adam here/],
    ["F is not defined", "F.relu(t)", /is nn\.relu here|is relu here/],
    ["np is not defined", "np.random.rand(3)", /random\.uniform\(\[3\]\)/],
    ["np is not defined", "np.array([1])", /tensor\(\[1, 2, 3\]\)/],
    ["np is not defined", "np", /no prefix/],
    ["optim.Adam is not a constructor", "", /optim\.adam\(model/],
    ["t.requires_grad_ is not a function", "", /valueAndGrad/],
    ["t.add_ is not a function", "", /t = t\.add\(other\)/],
    ["optimizer.zero_grad is not a function", "", /leave it out/],
    ["self.conv1 is not a function", "", /this\.conv1\.forward\(x\)/],
    ['image: takes a picture, got "cat.png"', "", /await file\(/],
    ["net.to is not a function", "", /on one device/],
  ])("%s: %s", (message, line, said) => expect(explained(message, line, (name) => values[name])).toMatch(said));

  test.each([[nothing, "own.b.c"], [nothing, "own.a.b.c"], [nothing, "gone.a"], ["mdoel is not defined", "mdoel.forward(x)"], ["optim.nothing is not a function", ""], [nothing, "a.".repeat(100_000)], [nothing, "t.nothing.more"], [nothing, ""]])(
    "nothing is guessed: %s: %.20s",
    (message, line) => expect(explained(message, line, (name) => values[name])).toBeUndefined(),
  );
});

test("of another value than a tensor its own members are meant, or listed", () => {
  const members = ["names", "length", "column", "typed"];
  expect(nameMeant("table.colunm is not a function", names, [], members)).toBe("column");
  expect(nameMeant("table.smu is not a function", names, [], members)).toBeNull();
  expect(membersSaid("table.describe is not a function", members)).toBe("table has names, length, column, typed.");
  expect(membersSaid("x.describe is not a function", [])).toBeNull();
  expect(membersSaid("x.describe is not a function", Array.from({ length: 200 }, (_, i) => `m${i}`))).toBeNull();
});

test("a name is declared where it is bound, and not where a line that declares another uses it", () => {
  const cell = (id: string, source: string) => ({ kind: "code", id, source }) as Cell;
  const cells = [cell("a", "const q = np.linspace(0, 1)"), cell("b", "const { rows, names: [first] } = table, w = 1;\nfunction f() { const inner = 2; }"), cell("c", "const good = t[:, 2]; const bad = t"), cell("d", "const own = 1")];
  const by = (name: string) => declaringCell(cells, name, "d", new CellReader(() => Promise.reject(new Error()), readCell));
  expect(["np", "rows", "first", "w", "f", "inner", "good", "t", "own", "$"].map(by)).toEqual([null, 2, 2, 2, 2, null, 3, null, null, null]);
});
