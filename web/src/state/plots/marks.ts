// Marks of a plot as shapes: lines, dots, clouds, bars, boxes, grids and contours.

import { contours } from "d3-contour";
import type { Mark, MarkOf, Plot } from "../../protocol/plots";
import { densityColours, rampColour, rampColours, rgbOf } from "./colours";
import type { Inks } from "./colours";
import type { Frame } from "./draw";
import { pictureUrl } from "./png";
import { usable } from "../outputs/curve";
import { px, shape } from "./shape";
import type { Shape } from "./shape";

/** Dots of a panel that are elements of their own, so that one shows through another. */
const FEW = 800;
/** Colours that dots take by their values. */
const STEPS = 48;

export function drawMark(mark: Mark, frame: Frame, plot: Plot, inks: Inks): Shape[] {
  const colour = inks.series[mark.colour % inks.series.length]!;
  switch (mark.type) {
    case "line":
      return drawLine(mark, frame, colour, inks);
    case "dots":
      return drawDots(mark, frame, plot, colour, inks);
    case "density":
      return [drawDensity(mark, frame, plot, inks)];
    case "bars":
      return drawBars(mark, frame, colour, plot);
    case "box":
      return drawBox(mark, frame, colour, inks);
    case "field":
      return drawField(mark, frame, plot, inks);
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Parts of a line between its gaps, in pixels; of those that fall on one column of pixels only the
 * outermost. */
function pathsOf({ x, y }: MarkOf<"line">, frame: Frame): Place[][] {
  const parts: Place[][] = [];
  let part: Place[] = [];
  const end = () => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  const log = { x: frame.x.axis.scale === "log", y: frame.y.axis.scale === "log" };
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [a, b] = [x[i]!, y[i]!];
    if (usable(a) && usable(b) && !(log.x && a <= 0) && !(log.y && b <= 0)) part.push({ x: frame.x.at(a), y: frame.y.at(b) });
    else end();
  }
  end();
  return parts.map(thinned);
}

function thinned(points: Place[]): Place[] {
  if (points.length < 2_000) return points;
  const kept: Place[] = [];
  for (let at = 0; at < points.length; ) {
    const column = Math.round(points[at]!.x * 2);
    let [low, high, next] = [at, at, at];
    for (; next < points.length && Math.round(points[next]!.x * 2) === column; next++) {
      if (points[next]!.y < points[low]!.y) low = next;
      if (points[next]!.y > points[high]!.y) high = next;
    }
    for (const index of [...new Set([at, Math.min(low, high), Math.max(low, high), next - 1])]) kept.push(points[index]!);
    at = next;
  }
  return kept;
}

function drawLine(mark: MarkOf<"line">, frame: Frame, colour: string, inks: Inks): Shape[] {
  const parts = pathsOf(mark, frame);
  // A point between gaps is a dot: a line of no length with round ends.
  const d = parts.map((part) => part.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${px(x)} ${px(y)}`).join("") + (part.length === 1 ? "h0.01" : "")).join("");
  const dots = mark.dots ? parts.flat().slice(0, FEW).map(({ x, y }) => shape("circle", { cx: px(x), cy: px(y), r: 3, fill: colour, stroke: inks.paper })) : [];
  return [shape("path", { d, fill: "none", stroke: colour, "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-linecap": "round" }), ...dots];
}

const share = (value: number, { low, high }: { low: number; high: number }) => (high > low ? (value - low) / (high - low) : 0.5);

function drawDots(mark: MarkOf<"dots">, frame: Frame, plot: Plot, colour: string, inks: Inks): Shape[] {
  const radius = Math.max(0.5, Math.min(20, mark.radius));
  const groups = new Map<string, Place[]>();
  const count = Math.min(mark.x.length, mark.y.length);
  for (let i = 0; i < count; i++) {
    const [x, y] = [mark.x[i]!, mark.y[i]!];
    if (!usable(x) || !usable(y) || (frame.x.axis.scale === "log" && x <= 0) || (frame.y.axis.scale === "log" && y <= 0)) continue;
    const value = mark.values?.[i];
    const fill = mark.values === null || !plot.scale ? colour : value !== undefined && Number.isFinite(value) ? rampColour(plot.scale.colormap, Math.round(share(value, plot.scale) * STEPS) / STEPS) : inks.strong;
    const place = { x: frame.x.at(x), y: frame.y.at(y) };
    const group = groups.get(fill);
    if (group) group.push(place);
    else groups.set(fill, [place]);
  }
  // On a surface, whose colours would shine through, a dot is whole, with a ring.
  const [opacity, ring] = frame.marks.some(({ type }) => type === "field") ? [1, 1.5] : [0.75, 0.8];
  if (count <= FEW) return [...groups].flatMap(([fill, places]) => places.map(({ x, y }) => shape("circle", { cx: px(x), cy: px(y), r: radius, fill, "fill-opacity": opacity, stroke: inks.paper, "stroke-width": ring })));
  return [...groups].map(([stroke, places]) =>
    shape("path", { d: places.map(({ x, y }) => `M${px(x)} ${px(y)}h0.01`).join(""), fill: "none", stroke, "stroke-opacity": 0.7, "stroke-width": px(2 * Math.max(1.2, radius * 0.7)), "stroke-linecap": "round" }),
  );
}

/** A picture over an extent of both axes, whose pixels number colours; row 0 is the lowest. */
function drawPicture(pixels: Uint8Array, { columns, rows, x, y }: MarkOf<"density" | "field">, frame: Frame, colours: readonly string[]): Shape {
  const turned = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) turned.set(pixels.subarray(row * columns, (row + 1) * columns), (rows - 1 - row) * columns);
  const [left, right] = [frame.x.at(x[0]), frame.x.at(x[1])];
  const [bottom, top] = [frame.y.at(y[0]), frame.y.at(y[1])];
  return shape("image", {
    x: px(Math.min(left, right)), y: px(Math.min(top, bottom)), width: px(Math.abs(right - left)), height: px(Math.abs(bottom - top)),
    preserveAspectRatio: "none", "image-rendering": "pixelated", href: pictureUrl(turned, columns, rows, colours.map(rgbOf)),
  });
}

const CLEAR = 255;

function drawDensity(mark: MarkOf<"density">, frame: Frame, plot: Plot, inks: Inks): Shape {
  const cells = mark.columns * mark.rows;
  let most = 1;
  for (let i = 0; i < cells; i++) if (mark.counts[i]! > most && Number.isFinite(mark.counts[i]!)) most = mark.counts[i]!;
  const pixels = new Uint8Array(cells);
  const { values } = mark;
  for (let i = 0; i < cells; i++) {
    const count = mark.counts[i] ?? 0;
    const value = values?.[i] ?? NaN;
    // Counts span decades: steps of colour are steps of their logarithm.
    const of = values && plot.scale ? share(value, plot.scale) : most === 1 ? 0.5 : Math.log(count) / Math.log(most);
    pixels[i] = count > 0 && Number.isFinite(of) ? Math.round(Math.max(0, Math.min(1, of)) * 254) : CLEAR;
  }
  return drawPicture(pixels, mark, frame, values && plot.scale ? rampColours(plot.scale.colormap, 255) : densityColours(inks, mark.colour, 255));
}

/** The corners of a bar, from left to right and from top to bottom. */
export function barBox({ x0, x1, y0, y1 }: MarkOf<"bars">, i: number, frame: Frame): { left: number; right: number; top: number; bottom: number } {
  const [a, b, c, d] = [frame.x.at(x0[i]!), frame.x.at(x1[i]!), frame.y.at(y0[i]!), frame.y.at(y1[i]!)];
  return { left: Math.min(a, b), right: Math.max(a, b), top: Math.min(c, d), bottom: Math.max(c, d) };
}

export const barCount = ({ x0, x1, y0, y1, values }: MarkOf<"bars">) => Math.min(x0.length, x1.length, y0.length, y1.length, values.length);

function drawBars(mark: MarkOf<"bars">, frame: Frame, colour: string, plot: Plot): Shape[] {
  // Bars of several histograms lie on each other.
  const layered = plot.x.scale !== "categories" && plot.y.scale !== "categories" && frame.marks.length > 1;
  let d = "";
  for (let i = 0; i < barCount(mark); i++) {
    const { left, right, top, bottom } = barBox(mark, i, frame);
    const gap = right - left > 5 && bottom - top > 0 && !layered ? 0.5 : 0;
    const [w, h] = [right - left - (mark.along === "y" ? 2 * gap : 0), bottom - top - (mark.along === "x" ? 2 * gap : 0)];
    if (![left, top, w, h].every(Number.isFinite) || w <= 0 || h <= 0) continue;
    d += `M${px(left + (mark.along === "y" ? gap : 0))} ${px(top + (mark.along === "x" ? gap : 0))}h${px(w)}v${px(h)}h${px(-w)}z`;
  }
  return [shape("path", { d, fill: colour, "fill-opacity": layered ? 0.55 : 0.92 })];
}

function drawBox(mark: MarkOf<"box">, frame: Frame, colour: string, inks: Inks): Shape[] {
  const [low, lower, median, upper, high] = [...mark.five, NaN, NaN, NaN, NaN, NaN];
  const flat = mark.along === "x";
  const [across, along] = flat ? [frame.y, frame.x] : [frame.x, frame.y];
  const middle = across.at(mark.at);
  const half = Math.min(44, Math.abs(across.at(mark.at + 0.5) - across.at(mark.at - 0.5)) * 0.32);
  const point = (value: number, aside: number) => (flat ? `${px(along.at(value))} ${px(middle + aside)}` : `${px(middle + aside)} ${px(along.at(value))}`);
  const parts: Shape[] = [];
  if ([low, lower, median, upper, high].every((value) => usable(value!))) {
    parts.push(
      shape("path", { d: `M${point(low!, 0)}L${point(lower!, 0)}M${point(upper!, 0)}L${point(high!, 0)}M${point(low!, -half / 2)}L${point(low!, half / 2)}M${point(high!, -half / 2)}L${point(high!, half / 2)}`, fill: "none", stroke: colour, "stroke-width": 1.5 }),
      shape("path", { d: `M${point(lower!, -half)}L${point(lower!, half)}L${point(upper!, half)}L${point(upper!, -half)}z`, fill: colour, "fill-opacity": 0.25, stroke: colour, "stroke-width": 1.5, "stroke-linejoin": "round" }),
      shape("path", { d: `M${point(median!, -half)}L${point(median!, half)}`, fill: "none", stroke: inks.ink, "stroke-width": 2 }),
    );
  }
  const dots = [...mark.outliers].filter(usable).map((value) => `M${point(value, 0)}h0.01`).join("");
  if (dots !== "") parts.push(shape("path", { d: dots, fill: "none", stroke: colour, "stroke-opacity": 0.7, "stroke-width": 4, "stroke-linecap": "round" }));
  return parts;
}

function drawField(mark: MarkOf<"field">, frame: Frame, plot: Plot, inks: Inks): Shape[] {
  const scale = plot.scale ?? { low: 0, high: 1, colormap: "viridis" as const };
  if (mark.levels) return drawContours(mark, mark.levels, frame, scale.colormap, inks);
  const cells = mark.columns * mark.rows;
  const pixels = new Uint8Array(cells).fill(CLEAR);
  for (let i = 0; i < Math.min(cells, mark.values.length); i++) {
    const of = share(mark.values[i]!, scale);
    if (!Number.isNaN(of)) pixels[i] = Math.round(Math.max(0, Math.min(1, of)) * 254);
  }
  return [drawPicture(pixels, mark, frame, rampColours(scale.colormap, 255))];
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly values: Float64Array;
}

/** Edges that contours of a grid cross, all levels together. */
function crossings({ columns, rows, values }: Grid, levels: Float64Array): number {
  let count = 0;
  for (const level of levels) {
    for (let row = 0; row < rows; row++) {
      for (let column = 1; column < columns; column++) {
        const at = row * columns + column;
        if (values[at]! >= level !== values[at - 1]! >= level) count++;
      }
    }
  }
  return count;
}

function halved({ columns, rows, values }: Grid): Grid {
  const [half, low] = [Math.max(2, columns >> 1), Math.max(2, rows >> 1)];
  const made = new Float64Array(half * low);
  for (let row = 0; row < low; row++) for (let column = 0; column < half; column++) made[row * half + column] = values[Math.min(rows - 1, 2 * row) * columns + Math.min(columns - 1, 2 * column)]!;
  return { columns: half, rows: low, values: made };
}

/** What contours may come to: more says nothing, and takes long to draw. */
const MOST_CROSSINGS = 40_000;

function drawContours(mark: MarkOf<"field">, levels: Float64Array, frame: Frame, colormap: "viridis" | "gray" | "diverging", inks: Inks): Shape[] {
  const cells = mark.columns * mark.rows;
  if (mark.columns < 2 || mark.rows < 2) return [];
  const values = new Float64Array(cells).fill(NaN);
  values.set(mark.values.subarray(0, cells));
  let grid: Grid = { columns: mark.columns, rows: mark.rows, values };
  while (grid.columns > 8 && crossings(grid, levels) > MOST_CROSSINGS) grid = halved(grid);
  const { columns, rows } = grid;
  const thresholds = [...levels].filter(Number.isFinite).sort((a, b) => a - b);
  // NaN is lower than every level.
  const plain = Array.from(grid.values, (value) => (Number.isNaN(value) ? -Infinity : value));
  const [x0, x1, y0, y1] = [frame.x.at(mark.x[0]), frame.x.at(mark.x[1]), frame.y.at(mark.y[0]), frame.y.at(mark.y[1])];
  const place = ([u, v]: readonly number[]) => `${px(x0 + ((x1 - x0) * u!) / columns)} ${px(y0 + ((y1 - y0) * v!) / rows)}`;
  const outer = ([u, v]: readonly number[], [s, t]: readonly number[]) => (u === s && (u === 0 || u === columns)) || (v === t && (v === 0 || v === rows));
  const found = contours().size([columns, rows]).thresholds(thresholds)(plain);
  const steps = thresholds.length + 1;
  const parts: Shape[] = [];
  if (mark.filled) parts.push(shape("path", { d: `M${px(x0)} ${px(y0)}H${px(x1)}V${px(y1)}H${px(x0)}z`, fill: rampColour(colormap, 0) }));
  found.forEach(({ coordinates }, i) => {
    const colour = rampColour(colormap, steps === 1 ? 0.5 : mark.filled ? (i + 1) / (steps - 1) : (i + 0.5) / Math.max(1, steps - 1));
    const rings = coordinates.flat();
    if (mark.filled) {
      parts.push(shape("path", { d: rings.map((ring) => `M${ring.map(place).join("L")}z`).join(""), fill: colour, stroke: inks.paper, "stroke-width": 0.6, "stroke-opacity": 0.45 }));
      return;
    }
    // Where a contour runs along the edge, the grid ends rather than the values.
    let d = "";
    for (const ring of rings) ring.forEach((point, n) => (d += `${n === 0 || outer(ring[n - 1]!, point) ? "M" : "L"}${place(point)}`));
    parts.push(shape("path", { d, fill: "none", stroke: colour, "stroke-width": 1.5, "stroke-linejoin": "round" }));
  });
  return parts;
}
