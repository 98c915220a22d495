// Versions of a notebook that are kept, differences of texts, and the search over notebooks.
import { describe, expect, it } from "vitest";
import { differenceOf, KEPT, thin } from "../../src/state/notebook/history";
import type { Stamp } from "../../src/state/notebook/history";
import { ago, findIn, wordsOf } from "../../src/state/notebook/search";

describe("versions", () => {
  it("are bounded in number; the newest stay, and the first, and old ones are far apart", () => {
    const kept: Stamp[] = [];
    for (let i = 1; i <= 2_000; i++) {
      kept.push({ at: i * 1_000, size: 100 });
      for (const at of thin(kept, i * 1_000)) kept.splice(kept.findIndex((stamp) => stamp.at === at), 1);
    }
    const times = kept.map(({ at }) => at / 1_000);
    expect([times.length, times[0]]).toEqual([KEPT.versions, 1]);
    expect(times.slice(-30)).toEqual(Array.from({ length: 30 }, (_, i) => 1_971 + i));
    const largest = Math.max(...times.slice(1).map((time, i) => time - times[i]!));
    expect(largest).toBeLessThan(200);
    expect(times.filter((time) => time < 1_000).length).toBeGreaterThan(10);
  });
  it("are bounded in characters, and the last always stays", () => {
    const large = [1, 2, 3].map((at) => ({ at, size: KEPT.characters }));
    expect(thin(large, 4)).toEqual([1, 2]);
    expect(thin([{ at: 1, size: 2 * KEPT.characters }], 2)).toEqual([]);
  });
});

describe("a difference", () => {
  it("shows what changed with the lines around it", () => {
    const before = Array.from({ length: 12 }, (_, i) => `line ${i}`);
    const after = before.toSpliced(5, 1, "new a", "new b");
    expect(differenceOf(`${before.join("\n")}\n`, `${after.join("\n")}\n`)).toEqual({
      gone: 1,
      added: 2,
      lines: [
        { kind: "gap", lines: 3 },
        { kind: "same", text: "line 3" },
        { kind: "same", text: "line 4" },
        { kind: "gone", text: "line 5" },
        { kind: "new", text: "new a" },
        { kind: "new", text: "new b" },
        { kind: "same", text: "line 6" },
        { kind: "same", text: "line 7" },
        { kind: "gap", lines: 4 },
      ],
    });
  });
});

describe("a search", () => {
  it("finds words in any order, whatever their case and accents, and shows where", () => {
    expect(findIn(wordsOf("wave ÉTUDE"), "Étude of a wave", "")).toBe("");
    expect(findIn(wordsOf("notes fft"), "Notes", "# Notes\n\nconst y = fft.fft(x)")).toBe("const y = fft.fft(x)");
    expect(findIn(wordsOf("notes other"), "Notes", "# Notes")).toBe(null);
    expect([wordsOf("  "), findIn([], "Any", "thing")]).toEqual([[], ""]);
    expect(findIn(wordsOf("needle"), "T", `${"x".repeat(500)} needle ${"y".repeat(500)}`)!.length).toBeLessThan(90);
  });
  it("tells times as a reader would", () => {
    const now = 1_700_000_000_000;
    expect([0, 59, 60, 3_600, 90_000, 700_000, 40_000_000].map((seconds) => ago(now - seconds * 1_000, now))).toEqual(["just now", "just now", "1 minute ago", "1 hour ago", "yesterday", "last week", "last year"]);
  });
});
