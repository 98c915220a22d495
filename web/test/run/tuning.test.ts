// Permission for kernel races, and the winners that the page reads from a text.

import { describe, expect, it } from "vitest";
import { tablesIn, TuningPreference, winnersIn } from "../../src/state/device/tuning";

const store = (kept: Record<string, string> = {}) => ({
  kept,
  getItem: (key: string) => kept[key] ?? null,
  setItem: (key: string, value: string) => void (kept[key] = value),
  removeItem: (key: string) => void delete kept[key],
});

describe("whether kernels may race", () => {
  it("is not said until the reader says so, and remembered then", () => {
    const browser = store();
    expect(new TuningPreference(browser).value).toBe(null);
    for (const allowed of [true, false]) {
      new TuningPreference(browser).choose(allowed);
      expect(new TuningPreference(browser).value).toBe(allowed);
    }
    expect(new TuningPreference(store({ "weft:tuning": "perhaps" })).value).toBe(null);
  });

  it("can be said where nothing is kept", () => {
    const forbidden = () => {
      throw new Error("forbidden");
    };
    for (const browser of [null, { getItem: forbidden, setItem: forbidden, removeItem: forbidden }]) {
      const preference = new TuningPreference(browser);
      preference.choose(false);
      expect(preference.value).toBe(false);
    }
  });
});

describe("a text of winners", () => {
  const first = "weft-tune 2 0.1.0 17 google swiftshader";
  const second = "weft-tune 2 0.1.0 23 nvidia hopper";
  const entry = "sum along f32 rows=8\trows lanes=64\t9";

  it("is its tables, each under its first line", () => {
    const text = `${first}\n${entry}\n${second}\n`;
    expect(tablesIn(text)).toEqual([{ name: first, text: `${first}\n${entry}\n` }, { name: second, text: `${second}\n` }]);
    expect(tablesIn(text).map((table) => winnersIn(table.text))).toEqual([1, 0]);
    // Beside them are times of compilation.
    expect(winnersIn(`${first}\n${entry}\ncompiled pace\texpression\t9\ncompiled 1f\ttext\t9\n`)).toBe(1);
  });

  it("is nothing where it is something else, or too long", () => {
    for (const other of ["", "# A notebook\n", `${entry}\n`, "weft-tune of my own", "weft-tune 2\n", `${first}\n${`${entry}\n`.repeat(200_000)}`]) expect(tablesIn(other)).toEqual([]);
    expect(winnersIn("")).toBe(0);
  });
});
