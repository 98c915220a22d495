// Notebook format: a notebook survives reading, editing and writing.
import { describe, expect, it } from "vitest";
import { cellNumber, describeNotebook, insertCell, makeCell, moveCell, parseNotebook, removeCell, serializeNotebook } from "../../src/state/notebook/notebook";

const shape = (markdown: string) => parseNotebook(markdown).map(({ kind, source }) => [kind, source]);

describe("parseNotebook", () => {
  it("takes js fences as code and the rest as prose", () => {
    expect(shape("# Title\n\nText.\n\n```js\nconst a = 1;\n```\n\nMore.\n")).toEqual([
      ["prose", "# Title\n\nText."],
      ["code", "const a = 1;"],
      ["prose", "More."],
    ]);
  });
  it("leaves fences of other languages, and js inside a longer fence, in prose", () => {
    const text = "```python\nprint(1)\n```\n\n````md\n```js\nx\n```\n````";
    expect(shape(text)).toEqual([["prose", text]]);
  });
  it("reads tilde fences, indented fences, Windows line ends and a fence never closed", () => {
    expect(shape("~~~javascript\r\na\r\n~~~\r\n  ```js\r\nb\r\n")).toEqual([["code", "a"], ["code", "b"]]);
  });
  it("keeps blank lines and indentation inside code", () => {
    expect(shape("```js\n\n  a\n\n  b\n```")).toEqual([["code", "\n  a\n\n  b"]]);
  });
  it("is empty for an empty file", () => expect(shape("\n\n")).toEqual([]));
});

describe("serializeNotebook", () => {
  it.each([
    "# T\n\nText.\n\n```js\na\n```\n\nMore.\n",
    "```js\n```\n\n```js\nb\n```\n",
    "One.\n\n<!-- cell -->\n\nTwo.\n",
  ])("writes back what it read", (markdown) => {
    expect(serializeNotebook(parseNotebook(markdown))).toBe(markdown);
  });
  it("fences code that holds fences with a longer one", () => {
    const cells = [makeCell("code", "const s = `\n```js\n`;")];
    const [back] = parseNotebook(serializeNotebook(cells));
    expect(back?.source).toBe(cells[0]!.source);
  });
});

describe("editing", () => {
  const cells = [makeCell("prose", "p"), makeCell("code", "1"), makeCell("code", "2")];
  it("numbers code cells only", () => expect(cells.map((c) => cellNumber(cells, c.id))).toEqual([0, 1, 2]));
  it("moves within bounds", () => {
    expect(moveCell(cells, cells[2]!.id, -1).map((c) => c.source)).toEqual(["p", "2", "1"]);
    expect(moveCell(cells, cells[0]!.id, -1)).toBe(cells);
  });
  it("inserts and removes", () => {
    const more = insertCell(cells, 1, makeCell("code", "new"));
    expect(more.map((c) => c.source)).toEqual(["p", "new", "1", "2"]);
    expect(removeCell(more, more[1]!.id).map((c) => c.source)).toEqual(["p", "1", "2"]);
  });
});

describe("describeNotebook", () => {
  it("finds the heading and the first paragraph", () => {
    expect(describeNotebook("# A *big* title\n\n```js\nx\n```\n\n> quote\n\nSee [the docs](x.md)\nand `more`.\n\nNext")).toEqual({
      title: "A big title",
      summary: "See the docs and more.",
    });
  });
});
