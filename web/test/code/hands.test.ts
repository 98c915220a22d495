// Help while a reader writes code: signatures of calls, keys of options, names of files, brackets
// that stay open, and search over all cells.

import { CompletionContext } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { describe, expect, it, test } from "vitest";
import { complete } from "../../src/editing/complete";
import { provideFileNames } from "../../src/editing/options";
import { parametersOf, signatureAt } from "../../src/editing/signature";
import { unmatchedBracket } from "../../src/state/code/brackets";
import { CellSyntaxError, transformCell } from "../../src/state/code/transform";
import type { Vocabulary } from "../../src/state/code/vocabulary";
import { findAll, replaceAll } from "../../src/state/notebook/find";
import { makeCell, parseNotebook } from "../../src/state/notebook/notebook";
import { missingCell } from "../../src/view/notebook/commands";
import { Workspace } from "../../src/state/notebook/workspace";
import { nowhere } from "../../src/state/notebook/records";
import { definitionsOf } from "../../src/state/code/definitions";
import { reader } from "../support/reader";

const vocabulary: Vocabulary = {
  library: [["linspace", "(from: number, to: number, count: number): Tensor", "Evenly spaced.", ["F", "Tensor"]]],
  kernels: [],
  notebook: [
    ["plot", "(x: Operand, options?: PlotOptions): Chart", "A chart.", ["F", null], { 1: ["PlotOptions"] }],
    ["show", "(x: Tensor, options?: { title?: string; wide?: boolean }): void", "", ["F", null], { 1: ["#1"] }],
    ["file", "(path: string): Promise<Uint8Array>", "", ["F", null]],
  ],
  language: [],
  types: { Tensor: [["add", "(b: Operand): Tensor", "", ["F", "Tensor"]]] },
  options: { PlotOptions: [["title", "string", "Above it.", null], ["log", "boolean", "", null]], "#1": [["title", "string", "", null], ["wide", "boolean", "", null]] },
};

/** The text before and behind `|`, read at that place. */
function at(marked: string) {
  const pos = marked.indexOf("|");
  const text = marked.replace("|", "");
  return { pos, text, tree: javascriptLanguage.parser.parse(text) };
}

describe("signatures", () => {
  const world = { vocabulary, others: [] };
  const found = (marked: string) => {
    const { pos, ...code } = at(marked);
    const signature = signatureAt(code, pos, world);
    return signature && `${signature.name} ${signature.parameters[signature.at]}`;
  };
  test.each([
    ["linspace(|", "linspace from: number"],
    ["linspace(0, |)", "linspace to: number"],
    ["linspace(0, max(1, 2), |", "linspace count: number"],
    ["const t = linspace(0, 1, 5);\nt.add(|)", "add b: Operand"],
    ["linspace(0, 1, 5)|", null],
    ["plot((x) => { | })", null],
    ["unknown(|)", null],
  ])("%s", (marked, expected) => expect(found(marked)).toBe(expected));

  it("keep commas of types within a parameter", () => {
    expect(parametersOf("(fn: (a: A, b: B) => C, options?: { a: 1, b: 2 }): void")).toEqual(["fn: (a: A, b: B) => C", "options?: { a: 1, b: 2 }"]);
    expect(parametersOf("tensor: Tensor")).toBe(null);
  });
});

describe("proposals in arguments", () => {
  const labels = (marked: string) => {
    const { pos, text } = at(marked);
    const state = EditorState.create({ doc: text, extensions: [javascriptLanguage] });
    return complete(new CompletionContext(state, pos, true), vocabulary, [])?.options.map(({ label }) => label) ?? [];
  };
  it("are keys of options, but those that are given", () => {
    expect(labels("plot(x, { |")).toEqual(["title", "log"]);
    expect(labels("plot(x, { title: 'a', | })")).toEqual(["log"]);
    expect(labels("show(x, { w|")).toEqual(["title", "wide"]);
    expect(labels("plot(x, { title: | })")).not.toContain("log");
  });
  it("are names of files, in a string that takes one", () => {
    provideFileNames(() => ["iris.csv", "photo.png"]);
    expect(labels('await file("i|")')).toEqual(["iris.csv", "photo.png", ...["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"].map((name) => `data/digits/${name}-ubyte.gz`)]);
    expect(labels('print("i|")')).toEqual([]);
  });
  it("are names that end no string", () => {
    provideFileNames(() => ["it's ${1}.csv"]);
    const applied = (marked: string) => {
      const { pos, text } = at(marked);
      const state = EditorState.create({ doc: text, extensions: [javascriptLanguage] });
      return complete(new CompletionContext(state, pos, true), vocabulary, [])?.options[0]?.apply;
    };
    expect(applied("await file('i|')")).toBe("it\\'s ${1}.csv");
    expect(applied('await file("i|")')).toBe("it's ${1}.csv");
  });
});

describe("brackets", () => {
  test.each([
    ["const a = tensor([1, 2);\na", "“[” is closed by “)” on line 1", 17],
    ["plot(\n  [1, 2],\n  { a: 1 }\nprint(1)", "“(” is never closed", 4],
    ["`${a`", "“${” is never closed", 1],
    ["f(1))", "“)” closes nothing", 4],
    ['f(")", /\\(/, `(`)', null, 0],
  ])("%s", (source, message, position) => {
    const found = unmatchedBracket(source);
    expect(found?.message ?? null).toBe(message);
    if (found) expect(found.at).toBe(position);
  });
  it("are reported where they were opened", () => {
    try {
      transformCell("const a = 1;\nfor (const x of [1, 2]) {\n  print(x);\n");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CellSyntaxError);
      expect((error as CellSyntaxError).message).toBe("“{” is never closed");
      expect((error as CellSyntaxError).position).toEqual({ line: 2, column: 25 });
    }
  });
});

describe("search", () => {
  const cells = [makeCell("code", "const Rate = 1;\nrate * rate"), makeCell("prose", "The rate is a rate.")];
  const query = { text: "rate", matchCase: false, regular: false };
  it("finds in code and text, with and without case", () => {
    expect(findAll(cells, query)).toHaveLength(5);
    expect(findAll(cells, { ...query, matchCase: true })).toHaveLength(4);
    expect(findAll(cells, { ...query, text: "" })).toEqual([]);
    expect(findAll(cells, { text: "x*", matchCase: false, regular: true })).toEqual([]);
    expect(() => findAll(cells, { text: "(", matchCase: false, regular: true })).toThrow(SyntaxError);
    expect(findAll(cells, { text: "a.", matchCase: false, regular: false })).toEqual([]);
  });
  it("replaces all, with groups of regular expressions", () => {
    const texts = replaceAll(cells, { text: "(r)ate", matchCase: true, regular: true }, "$1oot$$");
    expect([...texts.values()]).toEqual(["const Rate = 1;\nroot$ * root$", "The root$ is a root$."]);
    expect([...replaceAll(cells, query, "$1").values()][1]).toBe("The $1 is a $1.");
  });
  it("is one step to take back", () => {
    const workspace = new Workspace(nowhere);
    workspace.open({ kind: "own", id: "a", file: "a.md" }, "```js\nrate\n```\n\n```js\nrate + rate\n```\n", null);
    const before = workspace.markdown;
    workspace.rewrite(replaceAll(workspace.cells, query, "speed"));
    expect(workspace.markdown).toContain("speed + speed");
    workspace.undo();
    expect(workspace.markdown).toBe(before);
  });
});

it("cells change their kind, and are pasted, and both are taken back", () => {
  const workspace = new Workspace(nowhere);
  workspace.open({ kind: "own", id: "a", file: "a.md" }, "# A\n\n```js\n1\n```\n", null);
  const before = workspace.markdown;
  const turned = workspace.turn(workspace.cells[1]!.id, "prose")!;
  expect(turned).toMatchObject({ kind: "prose", source: "1" });
  expect(workspace.turn(turned.id, "prose")).toBe(null);
  workspace.undo();
  workspace.paste(0, "code", "2");
  expect(workspace.cells.map(({ source }) => source)).toEqual(["2", "# A", "1"]);
  workspace.undo();
  expect(workspace.markdown).toBe(before);
});

it("a name that another cell defines leads to that cell, unless it has run", () => {
  const workspace = new Workspace(nowhere);
  workspace.open({ kind: "own", id: "a", file: "a.md" }, "```js\nconst scenes = 1;\n```\n\n```js\nscenes\n```\n", null);
  const [first] = parseNotebook(workspace.markdown);
  const missing = (message: string, ran = false) => missingCell(message, workspace, (cell) => definitionsOf(cell, reader), () => ran);
  expect(missing("scenes is not defined\nDid you mean “scene”?")).toMatchObject({ name: "scenes", cell: { source: first!.source } });
  expect(missing("Can't find variable: scenes")).toMatchObject({ name: "scenes" });
  expect(missing("scenes is not defined", true)).toBe(null);
  expect(missing("other is not defined")).toBe(null);
});
