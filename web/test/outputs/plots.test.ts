// Plots as drawings: every kind is drawn from any numbers, read out by keys, saved and kept; and
// what a worker sends is copied, bounded and never taken for more than numbers and names.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { Gate } from "../../src/protocol/gate";
import { fromWorker } from "../../src/protocol/messages";
import { PLOT } from "../../src/protocol/plots";
import type { Axis, Mark, Plot } from "../../src/protocol/plots";
import { makeCell } from "../../src/state/notebook/notebook";
import { Outputs } from "../../src/state/outputs/outputs";
import { INKS } from "../../src/state/plots/colours";
import { drawPlot } from "../../src/state/plots/draw";
import { besides, hitAt, move, nearest } from "../../src/state/plots/find";
import { readFloats, writeFloats } from "../../src/state/plots/kept";
import { pictureUrl } from "../../src/state/plots/png";
import { endsOf } from "../../src/state/plots/scales";
import type { Shape } from "../../src/state/plots/shape";
import { plotSvg } from "../../src/state/plots/svg";
import { plotText } from "../../src/state/plots/text";
import { isWhole, pan, WHOLE, zoomAt, zoomed, zoomTo } from "../../src/state/plots/zoom";
import type { CellRun } from "../../src/state/run/cell-run";
import { pointMarks } from "../../src/worker/plots/points";
import { packOutputs, unpackOutputs } from "../../src/state/run/saved";

vi.stubGlobal("ImageBitmap", class {});

const of = (...values: number[]) => Float64Array.from(values);
const axis = (more: Partial<Axis> = {}): Axis => ({ label: "", scale: "linear", ends: null, categories: [], ...more });
const plot = (marks: Mark[], more: Partial<Plot> = {}): Plot => ({ title: "", x: axis(), y: axis(), scale: null, panels: [{ title: "", marks }], height: null, equal: false, ...more });
const line = (x: Float64Array, y: Float64Array, name = "", colour = 0): Mark => ({ type: "line", name, colour, x, y, dots: false });
const field = (values: Float64Array, levels: Float64Array | null = null, filled = true): Mark => ({ type: "field", name: "", colour: 0, columns: 8, rows: 8, x: [0, 8], y: [0, 8], values, levels, filled });

/** A mark of each kind, made of these numbers. */
const kinds = (v: Float64Array): Record<string, Plot> => {
  const scale = { label: "v", low: 0, high: 1, colormap: "viridis" as const };
  const grid = Float64Array.from({ length: 64 }, (_, i) => v[i % v.length]!);
  return {
    line: plot([line(v, v)]),
    dots: plot([{ type: "dots", name: "", colour: 0, x: v, y: v, values: v, radius: 3 }], { scale }),
    density: plot([{ type: "density", name: "", colour: 1, columns: 8, rows: 8, x: [0, 8], y: [0, 8], counts: grid, values: null }]),
    bars: plot([{ type: "bars", name: "", colour: 0, along: "y", x0: v, x1: v.map((value) => value + 1), y0: new Float64Array(v.length), y1: v, values: v }]),
    box: plot([{ type: "box", name: "", colour: 0, at: 0, along: "y", five: v.slice(0, 5), outliers: v, count: 9 }], { x: axis({ scale: "categories", categories: ["a"] }) }),
    field: plot([field(grid)], { scale }),
    contour: plot([field(grid, of(0.5, 1))], { scale }),
    lines: plot([field(grid, of(0.5, 1), false)], { scale }),
  };
};

function* shapes(shape: Shape): Generator<Shape> {
  yield shape;
  for (const child of shape.children) if (typeof child !== "string") yield* shapes(child);
}

const VALUES: Record<string, Float64Array> = {
  plain: of(0, 1, 2, 3, 4, 2), none: of(), one: of(3), same: of(2, 2, 2, 2, 2), gaps: of(1, NaN, 3, NaN, 5, NaN), "no numbers": of(NaN, NaN, NaN, NaN, NaN),
  infinite: of(-Infinity, 0, 1, Infinity, 3), huge: of(-1e308, 1e308, 1e300, 0, 1), tiny: of(5e-324, 1e-323, 0, 1e-310, 5e-324), close: of(1e15, 1e15 + 0.125, 1e15, 1e15, 1e15), negative: of(-5, -3, -1, -2, -4),
};

describe("a plot", () => {
  for (const [kind] of Object.entries(kinds(of(1)))) {
    it.each(Object.keys(VALUES))(`of ${kind} is drawn from %s values on every scale, without a coordinate that is no number`, (name) => {
      const made = kinds(VALUES[name]!)[kind]!;
      for (const scale of ["linear", "log", "time"] as const) {
        const scaled = kind === "box" ? { ...made, y: axis({ scale }) } : { ...made, x: axis({ scale }), y: axis({ scale }) };
        for (const width of [1, 390, 1_200]) {
          const drawing = drawPlot(scaled, { width, theme: "dark" });
          expect(drawing.height).toBeLessThan(2_000);
          for (const { attributes } of shapes(drawing.shape)) for (const [key, value] of Object.entries(attributes)) expect(`${key} ${String(value)}`).not.toMatch(/NaN|Infinity|undefined/);
          let at = move(drawing, null, "ArrowRight");
          for (const key of ["End", "ArrowLeft", "ArrowUp", "PageDown", "Home", "PageUp", "ArrowDown"]) at = at && move(drawing, at, key);
          nearest(drawing, drawing.width / 2, drawing.height / 2);
        }
      }
    });
  }
  it("has ticks that do not overlap, within its width", () => {
    for (const width of [300, 390, 860]) {
      for (const [low, high] of [[0, 1], [-1e6, 1e6], [0.001, 0.0012], [1e9, 3e9], [999_990, 1_000_010]] as const) {
        const { shape } = drawPlot(plot([line(of(low, high), of(low, high))]), { width, theme: "light" });
        const texts = [...shapes(shape)].filter(({ tag, attributes }) => tag === "text" && attributes["text-anchor"] === "middle");
        const places = texts.map(({ attributes, children }) => ({ at: Number(attributes["x"]), half: String(children[0]).length * 3.1 })).sort((a, b) => a.at - b.at);
        places.forEach(({ at, half }, i) => {
          expect(at + half).toBeLessThanOrEqual(width + 2);
          if (i > 0) expect(at - half).toBeGreaterThan(places[i - 1]!.at + places[i - 1]!.half);
        });
        expect(new Set(texts.map(({ children }) => children[0])).size).toBe(texts.length);
      }
    }
  });
  it("reaches down to the foot of its bars, and leaves out what it cannot show", () => {
    expect(endsOf(kinds(of(3, 4, 5))["bars"]!, "y")).toMatchObject({ low: 0 });
    expect(endsOf(plot([line(of(0, 1, 2), of(1, 1e200, 3))]), "y").high).toBeLessThan(4);
    expect(endsOf(plot([line(of(-1, 1, 100), of(1, 2, 3))], { x: axis({ scale: "log" }) }), "x")).toEqual({ low: 1, high: 100 });
  });
  it("has a gap where a value is missing, and a dot where one stands alone", () => {
    const drawing = drawPlot(plot([line(of(0, 1, 2, 3, 4), of(1, 2, NaN, 3, NaN))]), { width: 500, theme: "light" });
    const [path] = [...shapes(drawing.shape)].filter(({ tag }) => tag === "path");
    expect(String(path!.attributes["d"]).match(/M/g)?.length).toBe(2);
    expect(path!.attributes["d"]).toMatch(/h0\.01$/);
  });
});

describe("the read-out", () => {
  const drawing = drawPlot(plot([line(of(0, 1, 2), of(5, 6, 7), "a"), line(of(0, 1, 2), of(8, 9, 10), "b", 1)]), { width: 600, theme: "light" });
  it("is of the nearest value, beside those of other lines", () => {
    const frame = drawing.frames[0]!;
    const found = nearest(drawing, frame.x.at(1) + 3, frame.y.at(8.6))!;
    expect(hitAt(drawing, found)!.rows.map(({ name, text }) => `${name} ${text}`)).toEqual(["x 1", "b 9"]);
    expect(besides(drawing, found).map(({ name, text }) => `${name} ${text}`)).toEqual(["a 6"]);
    expect(nearest(drawing, -50, 10)).toBe(null);
  });
  it("moves by the arrow keys, from value to value and from line to line", () => {
    let at = move(drawing, null, "ArrowRight");
    expect(at).toEqual({ frame: 0, mark: 0, index: 0 });
    at = move(drawing, at, "ArrowRight");
    at = move(drawing, at, "ArrowDown");
    expect(at).toEqual({ frame: 0, mark: 1, index: 1 });
    expect(move(drawing, at, "End")).toEqual({ frame: 0, mark: 1, index: 2 });
    expect(move(drawing, move(drawing, at, "End"), "ArrowRight")).toEqual({ frame: 0, mark: 1, index: 2 });
    expect(move(drawing, at, "a")).toBe(null);
  });
  it("goes through a grid in two directions, and through a cloud from left to right", () => {
    const grid = drawPlot(plot([field(Float64Array.from({ length: 64 }, (_, i) => i))], { scale: { label: "", low: 0, high: 63, colormap: "gray" } }), { width: 500, theme: "light" });
    const up = move(grid, move(grid, { frame: 0, mark: 0, index: 0 }, "ArrowUp"), "ArrowRight")!;
    expect(hitAt(grid, up)!.rows.at(-1)).toMatchObject({ name: "value", text: "9" });
    expect(move(grid, { frame: 0, mark: 0, index: 7 }, "ArrowRight")!.index).toBe(7);
    const cloud = drawPlot(plot([{ type: "dots", name: "", colour: 0, x: of(3, 1, 2), y: of(0, 0, 0), values: null, radius: 3 }]), { width: 500, theme: "light" });
    const first = move(cloud, null, "ArrowRight")!;
    expect([first.index, move(cloud, first, "ArrowRight")!.index]).toEqual([1, 2]);
  });
});

describe("points over a surface", () => {
  const dots = (name = "", colour = 0): Mark => ({ type: "dots", name, colour, x: of(0, 4, 7), y: of(0, 4, 7), values: null, radius: 4 });
  const over = (more: Partial<Plot> = {}) => drawPlot(plot([field(Float64Array.from({ length: 64 }, (_, i) => i)), dots("seen", 1)], { scale: { label: "v", low: 0, high: 63, colormap: "gray" }, ...more }), { width: 500, theme: "light" });
  it("are whole and ringed, while the surface ends at the axes", () => {
    const parts = over().shape.children.flatMap((child) => (typeof child !== "string" && child.tag === "svg" ? [child] : []));
    expect(parts.map(({ children }) => children.map((child) => (typeof child === "string" ? "" : child.tag)))).toEqual([["image"], ["circle", "circle", "circle"]]);
    expect(Number(parts[1]!.attributes["width"]) - Number(parts[0]!.attributes["width"])).toBeCloseTo(10);
    const circles = [...shapes(parts[1]!)].filter(({ tag }) => tag === "circle");
    expect(circles.map(({ attributes }) => [attributes["fill"], attributes["fill-opacity"], attributes["stroke"]])).toEqual(Array(3).fill([INKS.light.series[1], 1, INKS.light.paper]));
  });
  it("are read before the surface, by pointer and keys, which lead to it and back", () => {
    const drawing = over();
    const { x, y } = drawing.frames[0]!;
    expect(nearest(drawing, x.at(4) + 3, y.at(4))).toEqual({ frame: 0, mark: 1, index: 1 });
    expect(nearest(drawing, x.at(1.5), y.at(5.5))?.mark).toBe(0);
    const first = move(drawing, null, "ArrowRight")!;
    expect(hitAt(drawing, first)!.rows.map(({ name, text }) => `${name} ${text}`.trim())).toEqual(["seen", "x 0", "y 0"]);
    const below = move(drawing, first, "ArrowDown")!;
    expect(below.mark).toBe(0);
    expect(move(drawing, { frame: 0, mark: 0, index: 3 }, "ArrowDown")?.mark).toBe(1);
  });
  it("stand where an axis that goes down has them", () => {
    const { frames: [frame], plot: drawn } = over({ y: axis({ ends: [8, 0] }) });
    expect(endsOf(drawn, "y")).toEqual({ low: 8, high: 0 });
    expect(frame!.y.at(0)).toBeCloseTo(frame!.top);
    expect(frame!.y.shows(4) && !frame!.y.shows(9)).toBe(true);
    expect(frame!.y.ticks(4).length).toBeGreaterThan(2);
    for (const scale of ["log", "time"] as const) expect(endsOf(plot([line(of(1, 2), of(1, 2))], { y: axis({ scale, ends: [8, 1] }) }), "y").low).toBeLessThan(2);
  });
  it("have a colour for each word and whole number, or one of the scale", async () => {
    const xy = [[0, 1], [2, 3], [4, 5]];
    const marks = (color?: unknown) => pointMarks("contour", { points: xy, color: color as number[] }).then((made) => made.map((mark) => mark.type === "dots" && [mark.name, mark.colour, [...mark.x], mark.values && [...mark.values]]));
    expect(await marks()).toEqual([["", 0, [0, 2, 4], null]]);
    expect(await marks([1, 0, 1])).toEqual([["0", 0, [2], null], ["1", 1, [0, 4], null]]);
    expect(await marks(["b", "a", "b"])).toEqual([["b", 0, [0, 4], null], ["a", 1, [2], null]]);
    expect(await marks([0.5, 1, 2])).toEqual([["", 0, [0, 2, 4], [0.5, 1, 2]]]);
    expect(await pointMarks("contour", { points: { x: of(1, 2), y: [3, 4] } })).toMatchObject([{ x: of(1, 2), y: of(3, 4) }]);
    await expect(marks([1])).rejects.toThrow("contour: color and points must have as many values as each other, not 1 and 3");
    await expect(pointMarks("contour", { points: Array.from({ length: 10_001 }, () => [0, 0]) })).rejects.toThrow("at most 10,000 points are drawn over it, not 10,001");
    expect(() => pointMarks("heatmap", { points: [1, 2, 3] })).toThrow("heatmap: points are a tensor [N, 2], a list of [x, y], or { x, y }");
    expect(() => pointMarks("contour", { color: [1] })).toThrow("contour: color is that of points: give points too");
    expect(() => pointMarks("contour", { points: xy, size: 99 })).toThrow("contour: size must be a number from 0.5 to 20");
  });
});

describe("a plot as SVG", () => {
  it("has its ground around it where a margin is asked for", () => {
    const text = plotSvg(plot([line(of(0, 1), of(0, 1))]), { width: 500, margin: 16 });
    const [, x, y, width, height] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(text)!.map(Number);
    expect([x, y, width]).toEqual([-16, -16, 532]);
    expect(text).toContain(`<rect x="-16" y="-16" width="532" height="${height}" fill="${INKS.light.paper}"/>`);
  });
  it("is text that says what it shows, in which names are names", () => {
    const text = plotSvg(plot([line(of(0, 1), of(0, 1), '<script>alert("1")</script>\u202e&\u0000')], { title: "a < b" }));
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).not.toMatch(/<script|[\u202e\u0000]|style=/);
    expect(text).toContain("a &lt; b");
    expect(plotText(plot([line(of(0, 1), of(0, 1), "a")], { title: "T" }))).toBe("T: line chart of a: 2 values, y over x");
  });
  it("contains pictures that any reader of PNG takes", () => {
    const url = pictureUrl(Uint8Array.from([0, 1, 255, 0, 1, 255]), 3, 2, [[1, 2, 3], [4, 5, 6]]);
    const bytes = Buffer.from(url.split(",")[1]!, "base64");
    const at = bytes.indexOf("IDAT");
    expect([...inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))]).toEqual([0, 0, 1, 255, 0, 0, 1, 255]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([3, 2]);
  });
});

describe("colours", () => {
  it("are those of the page", () => {
    const css = readFileSync(new URL("../../src/styles/page.css", import.meta.url), "utf8");
    const [light, dark] = css.split(':root[data-theme="dark"]') as [string, string];
    const variable = (text: string, name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)?.[1];
    for (const [text, inks] of [[light, INKS.light], [dark, INKS.dark]] as const) {
      expect(["paper", "ink", "ink-soft", "ink-faint", "line", "line-strong", "indigo"].map((name) => variable(text, name))).toEqual([inks.paper, inks.ink, inks.soft, inks.faint, inks.line, inks.strong, inks.series[0]]);
    }
  });
  it.each(["light", "dark"] as const)("of series differ in the %s without red, green or blue", (theme) => {
    const linear = (hex: string) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    const lab = ([r, g, b]: number[]) => {
      const [l, m, s] = [0.4122214708 * r! + 0.5363325363 * g! + 0.0514459929 * b!, 0.2119034982 * r! + 0.6806995451 * g! + 0.1073969566 * b!, 0.0883024619 * r! + 0.2817188376 * g! + 0.6299787005 * b!].map(Math.cbrt) as [number, number, number];
      return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
    };
    // Machado, Oliveira and Fernandes (2009), severity 1: none, no red, no green, no blue.
    const blind = [
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]], [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    ];
    for (const matrix of blind) {
      const seen = INKS[theme].series.map((hex) => lab(matrix.map((row) => Math.max(0, row.reduce((sum, factor, i) => sum + factor * linear(hex)[i]!, 0)))));
      seen.forEach((a, i) => seen.slice(0, i).forEach((b, j) => expect(Math.hypot(...a.map((part, n) => part - b[n]!)), `${i} and ${j}`).toBeGreaterThan(0.09)));
    }
  });
});

const message = (content: object) => ({ type: "output", run: 1, output: 1, content });

describe("a plot that a worker sends", () => {
  it("passes as a copy with memory of its own", () => {
    const memory = new ArrayBuffer(1_000_000);
    const y = new Float64Array(memory, 8, 2);
    y[0] = 5;
    const verdict = new Gate().judge(message({ kind: "plot", ...plot([line(of(0, 1), y)]), spec: "alert(1)" }));
    const passed = typeof verdict === "object" && verdict.pass.type === "output" && verdict.pass.content.kind === "plot" ? verdict.pass.content : null;
    const [mark] = passed!.panels[0]!.marks;
    y[0] = 6;
    expect(mark?.type === "line" && [mark.y[0], mark.y.buffer.byteLength]).toEqual([5, 16]);
    expect("spec" in passed!).toBe(false);
  });
  const long = new Float64Array(PLOT.points + 1);
  it.each([
    ["more points than a line has", plot([line(long, long)])],
    ["arrays that are none", plot([{ ...line(of(1), of(1)), x: [1] } as unknown as Mark])],
    ["arrays of another type", plot([{ ...line(of(1), of(1)), x: new Float32Array(1) } as unknown as Mark])],
    ["an unknown mark", plot([{ ...line(of(1), of(1)), type: "__proto__" } as unknown as Mark])],
    ["ends that are no numbers", plot([], { x: axis({ ends: [NaN, 1] }) })],
    ["a grid without cells", plot([{ ...(field(of()) as Extract<Mark, { type: "field" }>), columns: 0 }])],
    ["too many marks", plot(Array.from({ length: PLOT.marks + 1 }, () => line(of(1), of(1))))],
    ["too many panels", plot([], { panels: Array.from({ length: PLOT.panels + 1 }, () => ({ title: "", marks: [] })) })],
    ["more points over a surface than a cloud has", plot([field(of(1)), { type: "dots", name: "", colour: 0, x: long, y: long, values: null, radius: 4 }])],
    ["classes of points that are no plain names", plot([field(of(1)), { type: "dots", name: { toString: () => "a" } as unknown as string, colour: 0, x: of(1), y: of(1), values: null, radius: 4 }])],
    ["points whose radius is no number", plot([field(of(1)), { type: "dots", name: "", colour: 0, x: of(1), y: of(1), values: null, radius: Infinity }])],
    ["a name as long as a book", plot([line(of(1), of(1), "x".repeat(1_000))])],
    ["a colormap that is none", plot([], { scale: { label: "", low: 0, high: 1, colormap: "constructor" as "gray" } })],
  ])("is refused with %s", (_, content) => expect(new Gate().judge(message({ kind: "plot", ...content }))).toBe("refused"));
  it("is drawn in little time where its arrays do not fit together", () => {
    const content = plot([
      line(of(1, 2, 3), of(1)), { ...(field(of(1, 2)) as Extract<Mark, { type: "field" }>), columns: 512, rows: 512 },
      { ...(field(Float64Array.from({ length: 512 * 512 }, (_, i) => (i + (i >> 9)) % 2), Float64Array.from({ length: 40 }, (_, i) => i / 40)) as Extract<Mark, { type: "field" }>), columns: 512, rows: 512 },
      { type: "box", name: "", colour: 999, at: 200, along: "y", five: of(), outliers: of(1), count: 0 },
    ], { scale: { label: "", low: 1, high: 0, colormap: "diverging" } });
    expect(fromWorker(message({ kind: "plot", ...content }))).toBe(true);
    const points = [...shapes(drawPlot(content, { width: 600, theme: "light" }).shape)].reduce((sum, { attributes }) => sum + String(attributes["d"] ?? "").length, 0);
    expect(points).toBeLessThan(3_000_000);
  });
});

describe("a plot of an earlier visit", () => {
  it("stands there again", () => {
    const cell = makeCell("code", "x");
    const content = { kind: "plot" as const, ...plot([line(of(1.5, NaN, Infinity), of(1e12 + 1, 1e12 + 2, 1e12 + 3))], { title: "kept" }) };
    const outputs = new Outputs();
    outputs.apply({ type: "output", run: 1, output: 1, content });
    const run = { status: "done", source: "x", outputs, saved: null, error: null, milliseconds: 1 } as unknown as CellRun;
    const saved = unpackOutputs(packOutputs([{ cell, run }], () => null), [cell]).get(cell.id);
    expect(saved?.messages[0]).toMatchObject({ type: "output", content });
  });
  it.each(["", "0;", "0;AAA=", "x;AAAA", "1e999;AAAAAA==", "0;AAAAAAA", 5, null, { length: 4 }])("has no numbers in %j, or none that are wrong", (text) => {
    const read = readFloats(text);
    expect(read === null || read.every(Number.isFinite)).toBe(true);
  });
  it("has its numbers to the seventh digit, and its dates to the second", () => {
    const dates = of(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2, 3, 4, 5));
    expect([...readFloats(writeFloats(dates))!].map((time, i) => Math.abs(time - dates[i]!) < 1_000)).toEqual([true, true]);
    expect(readFloats(writeFloats(of(0.1, 1e-8)))![1]).toBeCloseTo(1e-8, 14);
  });
});

describe("the zoom of a plot", () => {
  it("keeps the point under the pointer, and ends at the whole and at a 64th", () => {
    let view = zoomAt(WHOLE, { x: 0.25, y: 1 }, 0.5);
    expect(view).toEqual({ x: [0.125, 0.625], y: [0.5, 1] });
    for (let i = 0; i < 40; i++) view = zoomAt(view, { x: 0.3, y: 0.3 }, 0.5);
    expect(view.x[1] - view.x[0]).toBeCloseTo(1 / 64, 9);
    for (let i = 0; i < 40; i++) view = zoomAt(view, { x: 0.9, y: 0 }, 2);
    expect(isWhole(view)).toBe(true);
    expect(pan(zoomAt(WHOLE, { x: 0, y: 0 }, 0.5), 9, -9)).toEqual({ x: [0.5, 1], y: [0, 0.5] });
  });
  it("goes to a box, in proportion where a unit is as long on both axes", () => {
    const part = { x: [0.2, 0.4], y: [0, 0.5] } as const;
    expect(zoomTo(WHOLE, part, false).x.map((end) => Math.round(end * 10))).toEqual([2, 4]);
    const { x, y } = zoomTo(WHOLE, part, true);
    expect(x[1] - x[0]).toBeCloseTo(y[1] - y[0], 12);
  });
  it("is the same share of every scale, and leaves categories whole", () => {
    const view = { x: [0.5, 1], y: [0, 0.5] } as const;
    const shown = (scale: Axis["scale"]) => zoomed(plot([line(of(1, 100), of(1, 100))], { x: axis({ scale }), y: axis({ scale: "linear", ends: [0, 10] }) }), view);
    expect(shown("linear").x.ends).toEqual([50.5, 100]);
    expect(shown("log").x.ends?.map((end) => Math.round(end * 1e6) / 1e6)).toEqual([10, 100]);
    expect(shown("categories").x.ends).toBeNull();
    expect(shown("linear").y.ends).toEqual([0, 5]);
  });
  it.each(Object.keys(kinds(of(1))))("draws %s of any values without a coordinate that is no number", (kind) => {
    for (const values of Object.values(VALUES)) {
      const drawing = drawPlot(zoomed(kinds(values)[kind]!, { x: [0.4, 0.4 + 1 / 64], y: [0.9, 1] }), { width: 500, theme: "light" });
      for (const { attributes } of shapes(drawing.shape)) for (const value of Object.values(attributes)) expect(String(value)).not.toMatch(/NaN|Infinity/);
    }
  });
});
