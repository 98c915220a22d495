// Completion and documentation at each place in code, with the types of the package as they are.
// `|` is the caret.

import { CompletionContext } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { readVocabulary } from "../../build/types";
import { complete } from "../../src/editing/complete";
import { meaningAt } from "../../src/editing/hover";
import type { Code } from "../../src/editing/infer";
import type { Vocabulary } from "../../src/state/code/vocabulary";

let vocabulary: Vocabulary;
beforeAll(() => {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  vocabulary = readVocabulary({ library: path("../../../js/src/index.ts"), kernels: path("../../../js/src/kernel/index.ts") }).vocabulary;
}, 180_000);

const parsed = (text: string): Code => ({ text, tree: javascriptLanguage.parser.parse(text) });
const labels = (marked: string, above: readonly string[] = [], explicit = false): string[] => {
  const pos = marked.indexOf("|");
  const state = EditorState.create({ doc: marked.replace("|", ""), extensions: [javascriptLanguage] });
  const found = complete(new CompletionContext(state, pos, explicit), vocabulary, above.map(parsed));
  return found ? found.options.map(({ label }) => label) : [];
};

test("every name of the notebook's own is explained", () => {
  const bare = vocabulary.notebook.filter(([, , doc]) => doc === "").map(([name]) => name);
  expect(bare).toEqual([]);
  expect(vocabulary.notebook.length).toBeGreaterThan(20);
});

const TENSOR = ["matmul", "reshape", "sum", "shape", "array", "item", "relu"];
const NUMBER = ["toFixed"];
const STRING = ["toUpperCase", "padStart", "split"];
const ARRAY = ["map", "filter", "push"];

interface Place {
  at: string;
  above?: string[];
  offers?: string[];
  lacks?: string[];
  /** Nothing at all. */
  silent?: true;
}

const PLACES: Place[] = [
  // Tensors.
  { at: "tensor([1, 2]).|", offers: TENSOR, lacks: ["toFixed", "tensor"] },
  { at: "const a = tensor([1]);\na.|", offers: TENSOR },
  { at: "const a = tensor([1]);\na.ma|", offers: ["matmul", "max"] },
  { at: "const b = zeros([2]).add(1).mul(2);\nb.|", offers: TENSOR },
  { at: "a.|", above: ["const a = eye(3);"], offers: TENSOR },
  { at: "random.normal([3]).|", offers: TENSOR },
  { at: "const a = tensor([1]);\n(2 * a + 1).|", offers: TENSOR, lacks: NUMBER },
  { at: "const a = tensor([1]), m = -a < 2;\nm.|", offers: TENSOR },
  { at: "const a = tensor([1]);\na[0].|", offers: TENSOR },
  { at: "const n = 2 * 3;\nn.|", offers: NUMBER, lacks: TENSOR },
  { at: "const f = (x) => x.|", offers: TENSOR },
  { at: "const f = (x) => x.square();\nf(tensor(2)).|", offers: TENSOR },
  { at: "const g = grad(f);\nconst step = valueAndGrad(loss);\nconst [error, gradient] = step(1);\nerror.|", offers: TENSOR },
  { at: "const px = random.uniform([200]);\nconst loss = ({ slope }) => px.mul(slope).|", offers: TENSOR },
  { at: "tensor([1]).shape.|", offers: ARRAY, lacks: ["matmul"] },
  { at: "const n = await tensor(1).item();\nn.|", offers: NUMBER, lacks: TENSOR },
  { at: "const d = await tensor([1]).data();\nd.|", offers: ["subarray", "length"], lacks: ["matmul"] },
  { at: "tensor([1]).data().|", offers: ["then", "catch"], lacks: ["length"] },
  { at: "for (const each of [tensor(1)]) each.|", offers: TENSOR },
  { at: "[tensor(1)].map((t) => t.|)", offers: TENSOR },
  { at: "let line = { slope: tensor(0), offset: tensor(0) };\nline.|", offers: ["slope", "offset"], lacks: ["matmul"] },
  { at: "let line = { slope: tensor(0), offset: tensor(0) };\nline.slope.|", offers: TENSOR },
  // Namespaces and what they make.
  { at: "nn.|", offers: ["Linear", "Sequential", "ReLU"], lacks: ["matmul", "sgd"] },
  { at: "new nn.Li|", offers: ["Linear"] },
  { at: "optim.|", offers: ["sgd", "adam"], lacks: ["Linear"] },
  { at: "random.|", offers: ["normal", "seed"], lacks: ["Linear"] },
  { at: "const model = new nn.Linear(2, 3);\nmodel.|", offers: ["weight", "parameters"], lacks: ["toFixed"] },
  { at: "const o = optim.adam(model);\no.|", offers: ["step"], lacks: ["matmul"] },
  { at: "stats().|", offers: ["dispatches"], lacks: ["matmul"] },
  { at: "const chart = plot({ series: [\"a\"] });\nchart.|", offers: ["add"], lacks: ["matmul"] },
  { at: "input.|", offers: ["draw"], lacks: ["matmul"] },
  { at: 'import * as weft from "weft-gpu";\nweft.|', offers: ["tensor", "nn", "grad"], lacks: ["print"] },
  { at: 'import { nn as net } from "weft-gpu";\nnet.|', offers: ["Linear"] },
  { at: "ker|", offers: ["kernel", "KernelError"] },
  { at: 'import { ker| } from "weft-gpu/kernel";', offers: ["kernel", "rand"], lacks: ["tensor", "display"] },
  { at: 'import { te| } from "weft-gpu";', offers: ["tensor", "grad"], lacks: ["print", "const"] },
  // The language.
  { at: "Math.|", offers: ["sqrt", "PI", "max"], lacks: ["matmul"] },
  { at: "console.|", offers: ["log", "warn"], lacks: ["matmul"] },
  { at: '"text".|', offers: STRING, lacks: TENSOR },
  { at: "const s = `a ${1}`;\ns.|", offers: STRING },
  { at: "[1, 2].|", offers: ARRAY, lacks: ["matmul"] },
  { at: "JSON.|", offers: ["stringify", "parse"] },
  { at: "Object.|", offers: ["keys", "entries"] },
  // Names.
  { at: "const learningRate = 0.1;\nlear|", offers: ["learningRate"] },
  { at: "lear|", above: ["const learningRate = 0.1;"], offers: ["learningRate"] },
  { at: "function f(alpha, beta) { return al| }", offers: ["alpha", "beta"] },
  { at: "prin|", offers: ["print"] },
  { at: "aw|", offers: ["await"] },
  { at: "`value ${pri|}`", offers: ["print"] },
  { at: "{ const hidden = 1; }\nhid|", lacks: ["hidden"] },
  // Where nothing may stand in the way.
  { at: "// tensor.|", silent: true },
  { at: "// ten|", silent: true },
  { at: "/* nn. ten| */", silent: true },
  { at: '"nn.|"', silent: true },
  { at: '"ten|"', silent: true },
  { at: "`some ten|`", silent: true },
  { at: "`nn.|`", silent: true },
  { at: "const r = /ten|/;", silent: true },
  { at: "1.|", silent: true },
  { at: "12|", silent: true },
  { at: "0.5e|", silent: true },
  { at: "const ten|", silent: true },
  { at: "function ten|", silent: true },
  { at: "const f = (ten|) => 1", silent: true },
  { at: "unknown.|", silent: true },
  { at: "unknown().|", silent: true },
  { at: "setTimeout((x) => x.|)", silent: true },
  { at: "print(...|", silent: true },
  { at: "|", silent: true },
];

describe("what is proposed", () => {
  test("the list is as long as it says", () => expect(PLACES.length).toBeGreaterThanOrEqual(40));
  test.each(PLACES)("$at", ({ at, above, offers = [], lacks = [], silent }) => {
    const found = labels(at, above);
    if (silent) expect(found).toEqual([]);
    else if (offers.length > 0) expect(found).toEqual(expect.arrayContaining(offers));
    for (const label of lacks) expect(found).not.toContain(label);
  });
  test("on request, what is in scope is offered where nothing is written yet, and still nothing in a comment", () => {
    expect(labels("|", [], true)).toContain("tensor");
    expect(labels("// |", [], true)).toEqual([]);
  });
  test("half a program is enough, and a deep one does not hold the editor", () => {
    expect(labels("const a = tensor([1]);\nif (a.|")).toContain("matmul");
    const deep = `${"(".repeat(5_000)}tensor(1)${")".repeat(5_000)}.|`;
    const begun = performance.now();
    expect(labels(deep)).toEqual([]);
    expect(labels(`const a0 = tensor(1);\n${Array.from({ length: 300 }, (_, i) => `const a${i + 1} = a${i}.add(a${i});`).join("\n")}\na300.|`)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe("what a name means", () => {
  const meaning = (marked: string) => {
    const code = parsed(marked.replace("|", ""));
    return meaningAt(code, marked.indexOf("|"), { vocabulary, others: [] });
  };
  test("a method's signature and documentation", () => {
    const found = meaning("tensor([1]).mat|mul(2)");
    expect(found?.signature).toMatch(/^matmul\(.*\): Tensor$/);
    expect(found?.doc).not.toBe("");
  });
  test("a function of a namespace, of the notebook, of the language", () => {
    expect(meaning("random.nor|mal([1])")?.signature).toMatch(/^normal\(.*\): Tensor$/);
    expect(meaning("random.gum|bel([1])")?.signature).toBe("gumbel(shape: Shape): Tensor");
    expect(meaning("prin|t(1)")?.signature).toMatch(/^print\(/);
    expect(meaning("Math.sq|rt(1)")?.doc).toMatch(/square root/i);
  });
  test("a name of the reader's own", () => expect(meaning("const a = tensor(1);\n|a.add(1)")?.signature).toBe("a: Tensor"));
  test("nothing of a parameter that may be anything, and a tensor where a transform gives one", () => {
    expect(meaning("const draw = (cou|nt) => plot(count);")).toBeNull();
    expect(meaning("const draw = (count) => plot(cou|nt + 1);")).toBeNull();
    expect(meaning("function f({ si|ze }) { return size; }")).toBeNull();
    expect(meaning("const g = grad((x|) => x.sum());")?.signature).toBe("x: Tensor");
    expect(meaning("const f = (n| = 1) => n;")?.signature).toBe("n: number");
    expect(meaning("[1, 2].map((n|) => n)")?.signature).toBe("n: number");
    // What is said of a method is a guess that names itself.
    expect(meaning("const f = (x) => x.mat|mul(2);")?.signature).toMatch(/^matmul/);
  });
  test("the dtype of a number in a kernel", () => {
    const kernel = (marked: string) => meaning(`const k = kernel((x, rate, i, j) => {\n  ${marked}\n});`)?.signature;
    expect(kernel("let n| = 0; n += x.at(i, j); return n;")).toBe("n: f32");
    expect(kernel("let n| = 0; for (let k = 0; k < x.length; k++) n += k; return n;")).toBe("n: i32");
    expect(kernel("let h = 1; h = pcg(i) >>> 3; return h|;")).toBe("h: u32");
    expect(kernel("const half| = i / 2; return half;")).toBe("half: f32");
    expect(kernel("const half| = Math.floor(i / 2); return half;")).toBe("half: i32");
    expect(kernel("const floor| = Math.floor(rate); return floor;")).toBe("floor: f32");
    expect(kernel("const [h|, w] = x.shape; return h * w;")).toBe("h: i32");
    expect(kernel("const inside| = i > 0 && j < x.shape[1]; return inside ? 1 : 0;")).toBe("inside: bool");
    expect(kernel("const a| = [0, 0]; a[i] = x.at(i, j); return a[0];")).toBe("a: f32");
    expect(kernel("let s = 0; for (const v| of [1, 2.5]) s += v; return s;")).toBe("v: f32");
    expect(kernel("let a| = 1, b = 2; [a, b] = [b, a]; a = b; b = a * 1.5; return a;")).toBe("a: f32");
    expect(kernel("return i| + rate;")).toBe("i: i32");
    expect(kernel("return i + rate|;")).toBe("rate: f32");
    expect(kernel("return x|.at(i, j);")).not.toBe("x: f32");
    expect(meaning("const n| = 1;")?.signature).toBe("n: number");
    expect(meaning("kernel.group((x, i, { local }) => { const l| = local[0]; return l; })")?.signature).toBe("l: i32");
    const long = Array.from({ length: 300 }, (_, n) => `a${n + 1} = a${n} + a${n};`).join(" ");
    expect(meaning(`kernel((x, i) => { let a0 = 1; let ${Array.from({ length: 300 }, (_, n) => `a${n + 1} = 0`).join(", ")}; ${long} return a300|; })`)).toBeDefined();
  });
  test("nothing in a comment, a string, or where nothing is known", () => {
    expect(meaning("// ten|sor")).toBeNull();
    expect(meaning('"ten|sor"')).toBeNull();
    expect(meaning("what|ever")).toBeNull();
  });
});
