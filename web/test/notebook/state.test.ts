// Smaller parts of the page's state, one after another.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fromWorker } from "../../src/protocol/messages";
import { acrossOf, extentOf, logTicks, thin, tickLabel, ticks } from "../../src/state/outputs/curve";
import { normalizeInk } from "../../src/state/outputs/digit";
import { parseStack } from "../../src/state/code/errors";
import { resolveFile } from "../../src/state/notebook/files";
import { galleryOf } from "../../build/notebooks";
import { SECTIONS } from "../../build/sections";
import { chooseNotebook, parseGallery } from "../../src/state/notebook/gallery";
import { Outputs } from "../../src/state/outputs/outputs";
import { duration, TimeLeft } from "../../src/state/outputs/progress";
import { BadLink, decodeShare, encodeShare } from "../../src/state/notebook/share";
import { nowhere } from "../../src/state/notebook/records";
import { Workspace } from "../../src/state/notebook/workspace";
import { MemoryStore } from "../support/memory";

describe("messages from the worker", () => {
  it.each([
    [{ type: "finished", run: 1, status: "done", error: null }, true],
    [{ type: "finished", run: -1, status: "done", error: null }, false],
    [{ type: "finished", run: 1, status: "won", error: null }, false],
    [{ type: "text", run: 1, output: 1, stream: "print", text: "x", omitted: 0 }, true],
    [{ type: "text", run: 1, output: 1, stream: "print", text: "x".repeat(500_000), omitted: 0 }, false],
    [{ type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: 2 } }] }, true],
    [{ type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: "2" } }] }, false],
    [{ type: "output", run: 1, output: 1, content: { kind: "progress", label: "", done: 1, total: 2, text: "", elapsed: 3, ended: false } }, true],
    [{ type: "output", run: 1, output: 1, content: { kind: "script", source: "" } }, false],
    [{ type: "constructor" }, false],
    [null, false],
    ["ready", false],
  ])("%j: %s", (message, valid) => expect(fromWorker(message)).toBe(valid));
});

describe("stack traces", () => {
  it("of V8, Firefox and Safari", () => {
    const frame = (name: string) => ({ run: 3, line: 2, column: 7, name });
    expect(parseStack("Error: x\n    at step$weft (cell-3.js:2:7)\n    at async cell-3.js:2:7\n    at data:text/javascript,x:1:1")).toEqual([frame("step"), frame("")]);
    expect(parseStack("step$weft@cell-3.js:2:7\n@cell-3.js:2:7\nasync*@cell-3.js:2:7")).toEqual([frame("step"), frame(""), frame("")]);
    expect(parseStack("module code@cell-3.js:2:7")).toEqual([{ ...frame("") }]);
    expect(parseStack("    at new Box (cell-3.js:2:7)\n    at Object.f (cell-3.js:2:7)")).toEqual([frame("Box"), frame("f")]);
  });
});

describe("files", () => {
  const site = "https://example.org/weft/";
  it("of the site's data and notebooks", () => {
    expect(resolveFile("data/mnist/x.gz", site)).toEqual({ ok: true, url: "https://example.org/weft/data/mnist/x.gz" });
    expect(resolveFile("./notebooks/a b.bin", site)).toEqual({ ok: true, url: "https://example.org/weft/notebooks/a%20b.bin" });
  });
  it.each(["", "data/", "../data/x", "data/../../x", "/data/x", "//evil.org/data/x", "https://evil.org/data/x", "data\\x", "data/%2e%2e/x", "data/%2E%2E%2Fx", "index.html", "datax/y", "data/x?y", "data/x#y", "javascript:1"])(
    "not %j",
    (path) => expect(resolveFile(path, site).ok).toBe(false),
  );
});

describe("links", () => {
  it("carry any text", async () => {
    const text = "# Überschrift 🧵\n\n```js\nlet a = `x`;\n```\n".repeat(50);
    const link = await encodeShare(text);
    expect(link).toMatch(/^#nb=[\w-]+$/);
    expect(await decodeShare(link)).toBe(text);
    expect(link.length).toBeLessThan(text.length / 10);
  });
  it("that are cut, altered or bombs are refused", async () => {
    const link = await encodeShare("hello hello hello");
    await expect(decodeShare(link.slice(0, -6))).rejects.toThrow(BadLink);
    await expect(decodeShare("#nb=****")).rejects.toThrow(BadLink);
    await expect(decodeShare("#other")).rejects.toThrow(BadLink);
    await expect(decodeShare(await encodeShare("0".repeat(5_000_000)))).rejects.toThrow("larger than 4 MB");
  });
});

describe("the workspace", () => {
  it("keeps edits, brings them back, and forgets them on reset", async () => {
    const store = new MemoryStore();
    const text = "# A\n\n```js\n1\n```\n";
    const first = new Workspace(store);
    first.open({ kind: "gallery", file: "a.md" }, text, null);
    expect(first.edited).toBe(false);
    first.edit(first.cells[1]!.id, "2", true);
    await first.save();
    const second = new Workspace(store);
    second.open({ kind: "gallery", file: "a.md" }, text, await store.read("gallery:a.md"));
    expect([second.edited, second.cells[1]!.source, second.title]).toEqual([true, "2", "A"]);
    second.reset();
    await second.save();
    expect([second.edited, store.texts.size]).toEqual([false, 0]);
  });
  it("brings a deleted cell back to its place", () => {
    const workspace = new Workspace(nowhere);
    workspace.open({ kind: "link" }, "```js\n1\n```\n\n```js\n2\n```\n\n```js\n3\n```\n", null);
    workspace.remove(workspace.cells[1]!.id);
    workspace.undo();
    expect(workspace.cells.map(({ source }) => source)).toEqual(["1", "2", "3"]);
  });
});

describe("the gallery", () => {
  const entries = parseGallery('[{"file":"welcome.md","title":"W","summary":""},{"file":"mnist.md","title":"M","summary":""},{"file":"../x.md","title":"X","summary":""}]');
  it("chooses by name", () => {
    const chosen = (query: string) => chooseNotebook(entries, query)?.file ?? null;
    expect(["", "?notebook=mnist", "?notebook=mnist.md", "?notebook=notebooks/mnist.md", "?notebook=none", "?notebook=../x.md"].map(chosen)).toEqual(["welcome.md", "mnist.md", "mnist.md", "mnist.md", null, null]);
  });
  it("refuses what is no list", () => expect(() => parseGallery("<!doctype html>")).toThrow("not a list"));
  it("holds every notebook once, in the order of its sections", () => {
    const built = galleryOf(fileURLToPath(new URL("../../../notebooks", import.meta.url)));
    expect(built[0]).toMatchObject({ file: "welcome.md", section: "Learn" });
    expect(built.map(({ file }) => file)).toEqual(Object.values(SECTIONS).flatMap((names) => names.map((name) => `${name}.md`)));
    expect(new Set(built.map(({ file }) => file)).size).toBe(built.length);
    expect(() => galleryOf(fileURLToPath(new URL("../../../notebooks", import.meta.url)), { Learn: ["welcome"] })).toThrow(/\.md is in no section of the gallery/);
  });
});

describe("outputs", () => {
  it("keep the first and the latest lines", () => {
    const outputs = new Outputs();
    for (let i = 0; i < 20_000; i++) outputs.apply({ type: "text", run: 1, output: 1, stream: "print", text: `line ${i}\n`, omitted: 0 });
    const [text] = outputs.list;
    if (text?.kind !== "text") throw new Error("a text output");
    expect(text.head.startsWith("line 0\n")).toBe(true);
    expect(text.tail.endsWith("line 19999\n")).toBe(true);
    expect(text.head.length + text.tail.length).toBeLessThan(130_000);
    const kept = (text.head + text.tail).split("\n").length - 1;
    expect(kept + text.omitted).toBe(20_000);
  });
});

describe("time left", () => {
  it("follows the pace", () => {
    const left = new TimeLeft();
    expect(left.update({ done: 0, elapsed: 10 }, 100)).toBe(null);
    expect(left.update({ done: 10, elapsed: 1_000 }, 100)).toBeCloseTo(9_000);
    expect(left.update({ done: 20, elapsed: 2_000 }, 100)).toBeCloseTo(8_000);
    expect(left.update({ done: 100, elapsed: 9_000 }, 100)).toBe(0);
  });
  it.each([[12.4, "12 ms"], [1_500, "1.5 s"], [42_000, "42 s"], [59_990, "1 min 00 s"], [125_000, "2 min 05 s"], [7_800_000, "2 h 10 min"]])("%d is %s", (ms, text) => expect(duration(ms)).toBe(text));
});

describe("curves", () => {
  it("have round ticks", () => {
    expect(ticks({ low: 0, high: 1 }, 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1].map((v) => expect.closeTo(v, 9)));
    expect(ticks({ low: -3, high: 17 }, 4)).toEqual([0, 5, 10, 15]);
    expect(ticks({ low: 2, high: 2 }, 4)).toEqual([2]);
    expect(logTicks({ low: 0.01, high: 100 }, 5)).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(logTicks({ low: 0.3, high: 4 }, 5)).toEqual([0.5, 1, 2]);
    expect([0, 0.25, 12_500, 1e-7, 1e9].map(tickLabel)).toEqual(["0", "0.25", "12.5k", "1e-7", "1e9"]);
  });
  it("have an extent without NaN and infinities", () => {
    expect(extentOf([NaN, 1, Infinity, 3], false)).toEqual({ low: expect.closeTo(0.88), high: expect.closeTo(3.12) });
    expect(extentOf([0.5, 3], false)).toEqual({ low: 0, high: expect.closeTo(3.18) });
    expect(extentOf([], false)).toEqual({ low: 0, high: 1 });
  });
  it("have few ticks, at numbers, whatever their ends are", () => {
    const ends = [0, -1, 1, 1 + 2 ** -52, 5e-324, 1e-300, 1e17, 1e17 + 16, 1e149, 1e308, -1e308, NaN, Infinity, -Infinity];
    for (const low of ends) {
      for (const high of ends) {
        for (const found of [ticks({ low, high }, 5), logTicks({ low, high }, 8)]) {
          expect(found.length, `${low} to ${high}`).toBeLessThan(700);
          expect(found.every(Number.isFinite), `${low} to ${high}: ${found.join(" ")}`).toBe(true);
        }
      }
      for (const log of [false, true]) {
        const { low: from, high: to } = extentOf([low, low, low + 16], log);
        expect(to > from && Number.isFinite(to - from), `around ${low}: ${from} to ${to}`).toBe(true);
      }
      const { low: from, high: to } = acrossOf([{ x: low }, { x: low + 16 }]);
      expect(to > from && Number.isFinite(to - from), `from ${low}: ${from} to ${to}`).toBe(true);
    }
  });
  it("are thinned without losing peaks", () => {
    const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 5_003 ? 100 : Math.sin(x) }));
    const kept = thin(points, 500);
    expect(kept.length).toBeLessThan(520);
    expect(Math.max(...kept.map(({ y }) => y))).toBe(100);
    expect(kept.at(-1)).toBe(points.at(-1));
  });
});

describe("a drawn digit", () => {
  it("is scaled into the margin and centred by its mass", () => {
    const [width, height] = [100, 100];
    const values = new Float32Array(width * height);
    for (let y = 70; y < 90; y++) for (let x = 10; x < 15; x++) values[y * width + x] = 1;
    const result = normalizeInk({ values, width, height }, { size: 28, margin: [4, 4], fit: "mass", ink: null });
    let [mass, x, y, top, bottom] = [0, 0, 0, 28, 0];
    result.forEach((value, i) => {
      mass += value;
      x += value * ((i % 28) + 0.5);
      y += value * (Math.floor(i / 28) + 0.5);
      if (value > 0.01) [top, bottom] = [Math.min(top, Math.floor(i / 28)), Math.max(bottom, Math.floor(i / 28))];
    });
    expect([x / mass, y / mass, top, bottom]).toEqual([expect.closeTo(14, 3), expect.closeTo(14, 3), 4, 23]);
    expect(mass).toBeCloseTo(20 * 5);
  });
  it("is nothing where nothing was drawn", () => {
    expect(normalizeInk({ values: new Float32Array(100), width: 10, height: 10 }, { size: 4, margin: [0, 0], fit: "mass", ink: 0.3 })).toEqual(new Float32Array(16));
  });
});
