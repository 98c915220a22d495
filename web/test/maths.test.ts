// Formulas in texts, hostile ones included.

import { expect, test } from "vitest";
import { readMaths } from "../src/prose/maths";
import { LIMITS } from "../src/state/limits";
import { formatProse } from "../src/state/prose/prose";
import type { MathElement, ProseNode } from "../src/state/prose/prose-tree";

function* all(nodes: readonly ProseNode[]): Generator<Exclude<ProseNode, string>> {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    yield node;
    yield* all(node.children);
  }
}
const formulas = (text: string): MathElement[] => [...all(formatProse(text, readMaths).nodes)].filter((node) => "math" in node).filter(({ math }) => math === "math");
const textOf = (nodes: readonly ProseNode[]): string => nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");

test("formulas in a line and by themselves", () => {
  const [inline, display] = formulas("The line $y = 3x - 1$ and\n\n$$\\sum_{i=1}^n x_i^2$$\n\nend.");
  expect(inline?.tex).toBe("y = 3x - 1");
  expect(inline?.attributes["display"]).toBeUndefined();
  expect(display?.attributes["display"]).toBe("block");
  expect([...all([display!])].map((node) => ("math" in node ? node.math : ""))).toContain("munderover");
  expect(formulas("in a list\n\n- $a_1$\n- **$b$**\n\n| $c$ |\n| --- |\n| $d$ |").map(({ tex }) => tex)).toEqual(["a_1", "b", "c", "d"]);
  expect(formulas("over $$x$$ in a line")[0]?.attributes["display"]).toBe("block");
});

test.each(["It costs $5 and $10.", "between $ signs $ there", "`$x$` is code", "```\n$x$\n```", "one $ alone", "\\$x\\$", "$$\n\n$$", "US$100 to US$200"])("no formula: %s", (text) => {
  expect(formulas(text)).toEqual([]);
});

test("what cannot be read stays as it was written", () => {
  for (const text of ["$\\frac{a}$", "$\\unheardof{x}$", "$\\href{javascript:alert(1)}{x}$", "$\\includegraphics{https://example.com/a.png}$", "$\\def\\a{\\a\\a}\\a$"])
    expect(textOf(formatProse(text, readMaths).nodes)).toBe(text);
});

test("nothing passes but names and plain lengths", () => {
  for (const node of all(formulas("$\\rule{1e9em}{99999em} \\kern{12345em} \\color{red}{x} \\begin{aligned}a&=b\\\\c&=d\\end{aligned}$")))
    if ("math" in node) for (const value of Object.values(node.attributes)) expect(value).toMatch(/^[\w.#%-]{1,24}$/);
});

test("formulas written to do harm are bounded", () => {
  const begun = performance.now();
  const doubling = `$\\def\\a{xx}\\def\\b{\\a\\a}\\def\\c{\\b\\b}\\def\\d{\\c\\c}\\def\\e{\\d\\d}\\def\\f{\\e\\e}\\def\\g{\\f\\f}\\def\\h{\\g\\g}\\def\\i{\\h\\h}\\i\\i\\i\\i$`;
  const harm = [
    "$".repeat(50_000), "$a".repeat(20_000), "$$a".repeat(15_000), "$a$ ".repeat(12_000), "$\\".repeat(20_000), "$ ".repeat(25_000),
    `$${"\\frac{".repeat(300)}1${"}{2}".repeat(300)}$`, `$${"{".repeat(900)}${"}".repeat(900)}$`, `$${"\\sqrt{".repeat(280)}x${"}".repeat(280)}$`, `$${"x_".repeat(900)}$`, doubling,
    `$${"\\left(".repeat(200)}${"\\right)".repeat(200)}$`, `$${"x".repeat(60_000)}$`,
  ];
  for (const text of harm) {
    const { nodes } = formatProse(text, readMaths);
    expect([...all(nodes)].length).toBeLessThanOrEqual(LIMITS.proseElements + LIMITS.formulaElements);
  }
  expect(performance.now() - begun).toBeLessThan(10_000);
});
