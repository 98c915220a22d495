// Random notebooks: cells with what formats could trip over, such as fences, comments of cells,
// ends of scripts, line ends and letters beyond ASCII.

import { makeCell, parseNotebook, serializeNotebook } from "../../src/state/notebook/notebook";
import type { Cell } from "../../src/state/notebook/notebook";

/** Mulberry32. */
export function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const CODE = [
  "const a = tensor([1, 2]);", "a", "let b = 1, c", "function step(x) { return x }", "step(1);", "print('</script><!--')", "`\n```js\nx\n```\n`", "/* %% */", "// %% [markdown]", "// %%", "//# weft-notebook=abc",
  "class A {}", "({ a: 1 })", "[1, 2]", "async () => {}", "export const e = 1", 'import { grad } from "weft-gpu"', "await tick()", "// ende äöü 𝒳 \u2028", "const { p, q: [r] } = { p: 1, q: [2] };", "syntax error here", "<!-- cell -->", "\t\tx", "", "s = 3", "kernel((x, i) => x.at(i))", "\u0000", '"use strict"', "-->",
];
const PROSE = [
  "# Title", "Text *with* marks, $x^2$ and `code`.", "```python\nprint(1)\n```", "~~~\n<b>x</b>\n~~~", "````md\n```js\ninner\n```\n````", "<script>alert(1)</script>", "- a\n  - b", "> quote", "// %%", "</script>", "//# weft-notebook=x", "ä 𝒳 \u2028 \u00a0x", "![p](data:image/png;base64,AAAA)", "| a | b |\n| - | - |\n| 1 | 2 |", "{", '{"nbformat": 4}', "<!doctype html>", "[link](mnist.md)", "\\", "---", "*/ /*",
];

/** As a file of these cells would be read: what is trimmed there is trimmed. */
export function randomNotebook(next: () => number): Cell[] {
  const pick = <T>(among: readonly T[]) => among[Math.floor(next() * among.length)]!;
  const cells = Array.from({ length: 1 + Math.floor(next() * 6) }, () => {
    const kind = next() < 0.6 ? "code" : "prose";
    const source = Array.from({ length: Math.floor(next() * 4) }, () => pick(kind === "code" ? CODE : PROSE)).join(next() < 0.5 ? "\n" : "\n\n");
    const cell = makeCell(kind, source);
    return kind === "code" && next() < 0.2 ? { ...cell, fold: true as const } : cell;
  });
  return parseNotebook(serializeNotebook(cells));
}

export const plainCells = (cells: readonly Cell[]) => cells.map(({ kind, source, fold }) => ({ kind, source, ...(fold ? { fold } : {}) }));
