// Differences of texts, and merges of a notebook that two tabs have edited.
import { describe, expect, it } from "vitest";
import { align } from "../../src/state/notebook/diff";
import { merge } from "../../src/state/notebook/merge";
import { makeCell } from "../../src/state/notebook/notebook";
import type { Cells } from "../../src/state/notebook/notebook";

/** The length of the longest common subsequence, by the quadratic table. */
function longest(a: readonly string[], b: readonly string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    let diagonal = 0;
    b.forEach((y, j) => {
      const above = row[j + 1]!;
      row[j + 1] = x === y ? diagonal + 1 : Math.max(above, row[j]!);
      diagonal = above;
    });
  }
  return row[b.length]!;
}

describe("a difference", () => {
  it("keeps the longest common subsequence, in order, of random lists", () => {
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let trial = 0; trial < 2_000; trial++) {
      const [a, b] = [0, 1].map(() => Array.from({ length: random(9) }, () => "abc"[random(3)]!)) as [string[], string[]];
      const pairs = align(a, b);
      expect(pairs.every(([i, j], at) => a[i] === b[j] && (at === 0 || (pairs[at - 1]![0] < i && pairs[at - 1]![1] < j)))).toBe(true);
      expect([a, b, pairs.length]).toEqual([a, b, longest(a, b)]);
    }
  });
  it("of long lists without anything in common ends early", () => {
    const list = (name: string) => Array.from({ length: 20_000 }, (_, i) => `${name}${i}`);
    expect(align(["same", ...list("a"), "end"], ["same", ...list("b"), "end"])).toEqual([[0, 0], [20_001, 20_001]]);
  });
});

describe("a merge", () => {
  const cells = (...sources: string[]): Cells => sources.map((source) => makeCell(source.startsWith("#") ? "prose" : "code", source));
  const base = cells("# T", "1", "2", "3");
  const merged = (mine: Cells, theirs: Cells, from = base) => merge(from, mine, theirs)?.map(({ source }) => source) ?? null;

  it("takes each cell from the tab that changed it", () => {
    expect(merged(cells("# T", "1", "mine", "3"), cells("# U", "1", "2", "theirs"))).toEqual(["# U", "1", "mine", "theirs"]);
    expect(merged(cells("# T", "1", "3"), cells("# T", "x", "2", "3"))).toEqual(["# T", "x", "3"]);
    expect(merged(cells("# T", "1", "2"), cells("# T", "2", "3"))).toEqual(["# T", "2"]);
  });
  it("keeps what both added, and once what both added alike", () => {
    expect(merged(cells("# T", "1", "2", "3", "a"), cells("# T", "1", "2", "3", "b"))).toEqual(["# T", "1", "2", "3", "a", "b"]);
    expect(merged(cells("# T", "1", "new", "2", "3"), cells("# T", "1", "new", "2", "3"))).toEqual(["# T", "1", "new", "2", "3"]);
    expect(merged(cells("# T", "0", "1", "2", "3"), cells("# T", "1", "2", "3", "4"))).toEqual(["# T", "0", "1", "2", "3", "4"]);
  });
  it("is a conflict where both changed one cell, unless to the same", () => {
    expect(merged(cells("# T", "x", "2", "3"), cells("# T", "y", "2", "3"))).toBe(null);
    expect(merged(cells("# T", "x", "2", "3"), cells("# T", "2", "3"))).toBe(null);
    expect(merged(cells("# T", "x", "2", "3"), cells("# T", "x", "2", "4"))).toEqual(["# T", "x", "2", "4"]);
  });
  it("of one side alone is that side, whatever it is", () => {
    for (const other of [cells(), cells("3", "2", "1"), cells("# T", "1", "1", "2", "# U", "3", "3")]) {
      expect(merged(base, other)).toEqual(other.map(({ source }) => source));
      expect(merged(other, base)).toEqual(other.map(({ source }) => source));
    }
  });
  it("keeps the ids of the cells that this tab has", () => {
    const mine = base.map((cell, i) => (i === 3 ? { ...cell, source: "mine" } : cell));
    const found = merge(base, mine, cells("# T", "theirs", "2", "3"))!;
    expect(found.map(({ id }) => id)).toEqual(base.map(({ id }) => id));
    expect(found.map(({ source }) => source)).toEqual(["# T", "theirs", "2", "mine"]);
  });
});
