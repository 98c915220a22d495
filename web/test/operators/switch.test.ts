// The switch of operators: the notebook's first line holds it, and nothing else of the text
// changes.
import { describe, expect, it } from "vitest";
import { hasOperators, parseNotebook, serializeNotebook, setOperators } from "../../src/state/notebook/notebook";

const OFF = "<!-- operators: off -->";
const switched = (markdown: string, on: boolean) => serializeNotebook(setOperators(parseNotebook(markdown), on));

describe("the switch of operators", () => {
  it.each(["# Title\n\nText.\n\n```js\n1\n```\n", "```js\n1\n```\n"])("goes into the first line and out again: %j", (markdown) => {
    const off = switched(markdown, false);
    expect(off.split("\n")[0]).toBe(OFF);
    expect(hasOperators(parseNotebook(off))).toBe(false);
    expect(switched(off, false)).toBe(off);
    expect(switched(off, true)).toBe(markdown);
  });
  it("is on unless the notebook begins with it", () => {
    expect(hasOperators(parseNotebook("# Title\n"))).toBe(true);
    expect(hasOperators(parseNotebook(`Text\n${OFF}\n`))).toBe(true);
    expect(hasOperators([])).toBe(true);
  });
});
