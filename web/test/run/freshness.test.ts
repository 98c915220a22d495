// Names that a cell defines and uses, and the cells whose outputs a change makes stale.
import { parse } from "acorn";
import { describe, expect, it } from "vitest";
import { freshnessOf } from "../../src/state/run/freshness";
import { namesIn } from "../../src/state/code/names";

const names = (source: string) => namesIn(parse(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true }));
const sorted = (set: ReadonlySet<string>) => [...set].sort().join(" ");

describe("the names of a cell", () => {
  it.each([
    ["const a = b + 1", "a", "b"],
    ["let { a, b: [c], ...d } = e; const [f = g] = a", "a c d f", "e g"],
    ["function f(x, { y = z }) { return x + y + w }", "f", "w z"],
    ["class A extends B { p = q; [r]() { return this.s.t } }", "A", "B q r"],
    ["import { grad as g } from 'weft-gpu'; g(h)", "g", "h"],
    ["a = b; c += 1; d++; ({ e, f: h.i } = j); [k] = l", "a c d e k", "b c d h j l"],
    ["const f = (a) => { const b = a; { let c = b; c } return c }", "f", "c"],
    ["for (const i of list) print(i); for (x of list);", "x", "list print"],
    ["for (let i = 0; i < n; i++) { var v = i }", "v", "n"],
    ["try { f() } catch (error) { error } finally { error }", "", "error f"],
    ["const o = { a, b: c, [d]: 1, e() { return f } }; o.g.h", "o", "a c d f"],
    ["loop: for (;;) { break loop }", "", ""],
    ["const f = function self(n) { return n ? self(n - 1) : arguments.length }", "f", ""],
    ["(() => { x = 1; var y = 2; y })()", "x", ""],
    ["switch (a) { case 1: let b = 2; b }", "", "a"],
    ["`${a}`; await b; a?.c?.[d]", "", "a b d"],
    ["export const e = 1", "e", ""],
  ])("%s", (source, defines, reads) => {
    const found = names(source);
    expect([sorted(found.defines), sorted(found.reads)]).toEqual([defines, reads]);
  });
  it("are found however deep the code nests", () => {
    const found = names(`const a = ${"b + ".repeat(2_000)}c`);
    expect(sorted(found.reads)).toBe("b c");
  });
});

describe("what a cell shows", () => {
  /** Cells as [text now, text that ran, run]. */
  const judge = (...cells: [now: string, ran?: string, run?: number][]) => {
    const found = freshnessOf(cells.map(([source, ran = source, run], i) => ({ id: String(i + 1), source, ran: run === undefined ? null : { id: run, source: ran, names: names(ran) } })));
    return cells.map((_, i) => found.get(String(i + 1))).map((each) => (each?.kind === "outdated" ? `by ${each.by}` : (each?.kind ?? "never")));
  };
  it("is fresh after all have run", () => {
    expect(judge(["let n = 1", "let n = 1", 1], ["n += 1", "n += 1", 2], ["n", "n", 3])).toEqual(["fresh", "fresh", "fresh"]);
  });
  it("is old where the text was edited, and in every cell that uses it, through others too", () => {
    expect(judge(["const a = 2", "const a = 1", 1], ["const b = a", "const b = a", 2], ["b", "b", 3], ["7", "7", 4])).toEqual(["edited", "by 1", "by 2", "fresh"]);
  });
  it("is old where a cell it uses has run again, until it runs again too", () => {
    expect(judge(["const a = 1", "const a = 1", 4], ["a", "a", 2], ["1", "1", 3])).toEqual(["fresh", "by 1", "fresh"]);
    expect(judge(["const a = 1", "const a = 1", 4], ["a", "a", 5])).toEqual(["fresh", "fresh"]);
  });
  it("depends on the nearest definition above, not on one below", () => {
    expect(judge(["const a = 1", "const a = 1", 1], ["a", "a", 2], ["const a = 3", "const a = 2", 3])).toEqual(["fresh", "fresh", "edited"]);
    expect(judge(["a", "a", 2], ["const a = 3", "const a = 2", 1])).toEqual(["by 2", "edited"]);
  });
  it("is old where the cell that defined what it uses is gone, and in every cell that uses it, until another defines it", () => {
    const ran = (id: string, source: string, run: number) => ({ id, source, ran: { id: run, source, names: names(source) } });
    const [b, c, other] = [ran("2", "const b = a", 2), ran("3", "b", 3), ran("4", "7", 4)];
    const kinds = (cells: Parameters<typeof freshnessOf>[0]) => [...freshnessOf(cells, new Set(["a"])).values()].map(({ kind }) => kind);
    expect(freshnessOf([b], new Set(["a"])).get("2")).toEqual({ kind: "orphaned", name: "a" });
    expect(kinds([b, c, other])).toEqual(["orphaned", "outdated", "fresh"]);
    expect(kinds([ran("5", "const a = 1", 1), b, c])).toEqual(["fresh", "fresh", "fresh"]);
  });
  it("is nothing where the cell never ran", () => expect(judge(["a"], ["const a = 1", "const a = 1", 1])).toEqual(["never", "fresh"]));
});

describe("what a cell uses", () => {
  it.each([
    ["const k = slider('k')", "slider"],
    ["const k = slider('k'); k + 1", "k slider"],
    ["let n = 0; n = 1", ""],
    ["let n = 0; n += 1", "n"],
    ["const f = (k) => k + j", "j"],
    ["animate((t) => draw(t, k), { fps })", "animate fps"],
    ["const animate = run; animate((t) => k)", "animate k run"],
  ])("%s", (source, uses) => expect(sorted(names(source).uses)).toBe(uses));
});
