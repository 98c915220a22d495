// Read-out of a plot: the value that is nearest to the pointer, and the one that an arrow key leads
// to, with the words for it.

import type { MarkOf } from "../../protocol/plots";
import type { Drawing, Frame } from "./draw";
import { barBox, barCount } from "./marks";
import { usable } from "../outputs/curve";
import { figureText, valueText } from "./scales";

/** One value of a plot: the panel, the mark and which of its values. */
export interface Datum {
  readonly frame: number;
  readonly mark: number;
  readonly index: number;
}

export interface Row {
  readonly name: string;
  readonly text: string;
  /** The series' colour; null where the row has none. */
  readonly colour: string | null;
}

export interface Hit {
  /** Where the value is in the drawing. */
  readonly x: number;
  readonly y: number;
  /** What it covers, where it is no point. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number } | null;
  readonly rows: readonly Row[];
}

/** How far from a dot the pointer may be, in pixels. */
const REACH = 28;

const within = (frame: Frame, x: number, y: number, air = 8) => x >= frame.left - air && x <= frame.left + frame.width + air && y >= frame.top - air && y <= frame.top + frame.height + air;

function countOf(drawing: Drawing, { frame, mark }: Pick<Datum, "frame" | "mark">): number {
  const found = drawing.frames[frame]?.marks[mark];
  switch (found?.type) {
    case "line":
    case "dots":
      return Math.min(found.x.length, found.y.length);
    case "bars":
      return barCount(found);
    case "box":
      return 1;
    case "density":
    case "field":
      return found.columns * found.rows;
    default:
      return 0;
  }
}

/** The place of a point of a line or a cloud; null where it is a gap or beyond the ends. */
function placeOf(frame: Frame, { x, y }: MarkOf<"line" | "dots">, i: number): { x: number; y: number } | null {
  const [a, b] = [x[i]!, y[i]!];
  if (!usable(a) || !usable(b) || !frame.x.shows(a) || !frame.y.shows(b)) return null;
  return { x: frame.x.at(a), y: frame.y.at(b) };
}

/** The cell of a grid at fractions of the axes' scales, as `x` and `y` extend. */
function cellBox(frame: Frame, { columns, rows, x, y }: MarkOf<"field" | "density">, index: number) {
  const [column, row] = [index % columns, Math.floor(index / columns)];
  const [left, right, bottom, top] = [frame.x.at(x[0]), frame.x.at(x[1]), frame.y.at(y[0]), frame.y.at(y[1])];
  const [w, h] = [(right - left) / columns, (top - bottom) / rows];
  const [a, b] = [left + column * w, bottom + row * h];
  return { left: Math.min(a, a + w), top: Math.min(b, b + h), width: Math.abs(w), height: Math.abs(h) };
}

/** What a value is, and where; null where there is none. */
export function hitAt(drawing: Drawing, datum: Datum): Hit | null {
  const frame = drawing.frames[datum.frame];
  const mark = frame?.marks[datum.mark];
  if (!frame || !mark || datum.index < 0 || datum.index >= countOf(drawing, datum)) return null;
  const { plot, inks } = drawing;
  const { index: i } = datum;
  const colour = inks.series[mark.colour % inks.series.length]!;
  const [xName, yName] = [plot.x.label || "x", plot.y.label || "y"];
  const panel: Row[] = frame.title === "" ? [] : [{ name: frame.title, text: "", colour: null }];
  const row = (name: string, text: string, own: string | null = null): Row => ({ name, text, colour: own });
  const valueName = plot.scale?.label || "value";
  switch (mark.type) {
    case "line":
    case "dots": {
      const place = placeOf(frame, mark, i);
      if (!place) return null;
      const values = mark.type === "dots" && mark.values ? [row(valueName, figureText(mark.values[i]!))] : [];
      const names = mark.type === "line" ? [row(xName, valueText(plot.x, mark.x[i]!)), row(mark.name || yName, valueText(plot.y, mark.y[i]!), colour)] : [...(mark.name ? [row(mark.name, "", colour)] : []), row(xName, valueText(plot.x, mark.x[i]!)), row(yName, valueText(plot.y, mark.y[i]!))];
      return { ...place, box: null, rows: [...panel, ...names, ...values] };
    }
    case "bars": {
      const { left, right, top, bottom } = barBox(mark, i, frame);
      if (![left, right, top, bottom].every(Number.isFinite)) return null;
      const upright = mark.along === "y";
      const [axis, low, high] = upright ? [plot.x, mark.x0[i]!, mark.x1[i]!] : [plot.y, mark.y0[i]!, mark.y1[i]!];
      const name = axis.label || (upright ? "x" : "y");
      const where = axis.scale === "categories" ? row(valueText(axis, (low + high) / 2), "") : row(name, `${valueText(axis, low)} to ${valueText(axis, high)}`);
      const what = upright ? plot.y.label || "value" : plot.x.label || "value";
      const y = Math.max(frame.top, Math.min(frame.top + frame.height, top));
      return { x: upright ? (left + right) / 2 : right, y: upright ? y : (top + bottom) / 2, box: { left, top, width: right - left, height: bottom - top }, rows: [...panel, where, row(mark.name || what, figureText(mark.values[i]!), colour)] };
    }
    case "box": {
      const flat = mark.along === "x";
      const [along, across] = flat ? [frame.x, frame.y] : [frame.y, frame.x];
      const [low = NaN, lower = NaN, median = NaN, upper = NaN, high = NaN] = mark.five;
      if (![low, lower, median, upper, high].every(usable)) return null;
      const [a, b] = [across.at(mark.at - 0.34), across.at(mark.at + 0.34)];
      const [c, d] = [along.at(low), along.at(high)];
      const box = flat ? { left: Math.min(c, d), top: Math.min(a, b), width: Math.abs(d - c), height: Math.abs(b - a) } : { left: Math.min(a, b), top: Math.min(c, d), width: Math.abs(b - a), height: Math.abs(d - c) };
      const figures: [string, number][] = [["upper whisker", high], ["upper quartile", upper], ["median", median], ["lower quartile", lower], ["lower whisker", low]];
      return {
        x: flat ? along.at(upper) : across.at(mark.at), y: flat ? across.at(mark.at) : along.at(upper), box,
        rows: [...panel, row(mark.name || valueText(across.axis, mark.at), "", colour), ...figures.map(([name, value]) => row(name, figureText(value))), row("values", mark.count.toLocaleString("en"))],
      };
    }
    case "density":
    case "field": {
      const box = cellBox(frame, mark, i);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const where = [row(xName, valueText(plot.x, frame.x.invert(x))), row(yName, valueText(plot.y, frame.y.invert(y)))];
      if (mark.type === "field") return { x, y, box, rows: [...panel, ...where, row(valueName, figureText(mark.values[i] ?? NaN))] };
      const count = mark.counts[i] ?? 0;
      const mean = mark.values ? [row(`mean ${valueName}`, figureText(mark.values[i] ?? NaN))] : [];
      return { x, y, box, rows: [...panel, ...(mark.name ? [row(mark.name, "", colour)] : []), ...where, row("points", count.toLocaleString("en")), ...(count > 0 ? mean : [])] };
    }
  }
}

/** The value nearest to a place of the drawing; null where none is near. */
export function nearest(drawing: Drawing, x: number, y: number): Datum | null {
  const at = drawing.frames.findIndex((each) => within(each, x, y));
  const frame = drawing.frames[at];
  if (!frame) return null;
  let best: { datum: Datum; distance: number } | null = null;
  const offer = (mark: number, index: number, distance: number) => {
    if (!best || distance < best.distance) best = { datum: { frame: at, mark, index }, distance };
  };
  frame.marks.forEach((mark, n) => {
    switch (mark.type) {
      case "line": {
        // Along the axis the nearest of each line, and of these the nearest up or down.
        let [index, off] = [-1, Infinity];
        for (let i = 0; i < Math.min(mark.x.length, mark.y.length); i++) {
          const place = placeOf(frame, mark, i);
          const far = place ? Math.abs(place.x - x) + Math.abs(place.y - y) * 1e-3 : Infinity;
          if (far < off) [index, off] = [i, far];
        }
        const place = index < 0 ? null : placeOf(frame, mark, index);
        if (place) offer(n, index, Math.abs(place.x - x) * 4 + Math.abs(place.y - y));
        return;
      }
      case "dots": {
        for (let i = 0; i < Math.min(mark.x.length, mark.y.length); i++) {
          const place = placeOf(frame, mark, i);
          const far = place ? Math.hypot(place.x - x, place.y - y) : Infinity;
          if (far <= REACH) offer(n, i, far);
        }
        return;
      }
      case "bars": {
        for (let i = 0; i < barCount(mark); i++) {
          const box = barBox(mark, i, frame);
          const [from, to, place] = mark.along === "y" ? [box.left, box.right, x] : [box.top, box.bottom, y];
          const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
          const aside = place < from ? from - place : place > to ? place - to : 0;
          if (aside < 3) offer(n, i, inside ? 0 : 5 + aside + (mark.along === "y" ? Math.abs(box.top - y) : Math.abs(box.right - x)) * 1e-3);
        }
        return;
      }
      case "box": {
        const across = mark.along === "x" ? frame.y : frame.x;
        if (Math.abs(across.invert(mark.along === "x" ? y : x) - mark.at) <= 0.5) offer(n, 0, 1);
        return;
      }
      case "density":
      case "field": {
        const whole = cellBox(frame, { ...mark, columns: 1, rows: 1 }, 0);
        const [column, up] = [Math.floor(((x - whole.left) / whole.width) * mark.columns), Math.floor((1 - (y - whole.top) / whole.height) * mark.rows)];
        if (column >= 0 && column < mark.columns && up >= 0 && up < mark.rows && (mark.type === "field" || (mark.counts[up * mark.columns + column] ?? 0) > 0)) offer(n, up * mark.columns + column, 10);
      }
    }
  });
  return (best as { datum: Datum } | null)?.datum ?? null;
}

/** The read-outs of the other lines at the place of one, so that they can be compared. */
export function besides(drawing: Drawing, datum: Datum): Row[] {
  const frame = drawing.frames[datum.frame]!;
  const mark = frame.marks[datum.mark]!;
  if (mark.type !== "line") return [];
  const at = mark.x[datum.index]!;
  return frame.marks.flatMap((other, n): Row[] => {
    if (n === datum.mark || other.type !== "line") return [];
    let index = -1;
    for (let i = 0; i < Math.min(other.x.length, other.y.length); i++) if (usable(other.x[i]!) && (index < 0 || Math.abs(other.x[i]! - at) < Math.abs(other.x[index]! - at))) index = i;
    const value = other.y[index];
    if (value === undefined || Math.abs(frame.x.at(other.x[index]!) - frame.x.at(at)) > 12) return [];
    return [{ name: other.name, text: valueText(frame.y.axis, value), colour: drawing.inks.series[other.colour % drawing.inks.series.length]! }];
  });
}

/** Keys that move the read-out, and where to. Left and right go through the values of a series, up
 * and down to another or, in a grid, to another row. */
export function move(drawing: Drawing, from: Datum | null, key: string): Datum | null {
  const all = drawing.frames.flatMap((frame, n) => frame.marks.map((_, mark) => ({ frame: n, mark })));
  if (all.length === 0) return null;
  if (from === null) return firstOf(drawing, all);
  const count = countOf(drawing, from);
  const mark = drawing.frames[from.frame]!.marks[from.mark]!;
  const grid = mark.type === "field" || mark.type === "density" ? mark.columns : 0;
  const big = Math.max(1, Math.round((grid || count) / 10));
  const along = (by: number) => walk(drawing, from, by, count, grid > 0 && Math.abs(by) < grid ? grid : 0);
  switch (key) {
    case "ArrowRight":
      return along(1);
    case "ArrowLeft":
      return along(-1);
    case "PageDown":
      return along(grid ? -grid * Math.max(1, Math.round(count / grid / 10)) : big);
    case "PageUp":
      return along(grid ? grid * Math.max(1, Math.round(count / grid / 10)) : -big);
    case "Home":
      return walk(drawing, { ...from, index: grid ? from.index - (from.index % grid) - 1 : -1 }, 1, count, 0);
    case "End":
      return walk(drawing, { ...from, index: grid ? from.index - (from.index % grid) + grid : count }, -1, count, 0);
    case "ArrowUp":
    case "ArrowDown": {
      const up = key === "ArrowUp";
      const row = grid ? along(up ? grid : -grid) : from;
      // Beyond the edge of a grid is what is drawn over it.
      if (grid && (row.index !== from.index || all.length === 1)) return row;
      const at = all.findIndex((each) => each.frame === from.frame && each.mark === from.mark);
      const next = all[(at + (up ? -1 : 1) + all.length) % all.length]!;
      return walk(drawing, { ...next, index: Math.min(from.index, Math.max(0, countOf(drawing, next) - 1)) }, 0, countOf(drawing, next), 0);
    }
    default:
      return null;
  }
}

function firstOf(drawing: Drawing, all: readonly { frame: number; mark: number }[]): Datum | null {
  // What is drawn over a grid comes before it.
  const isGrid = ({ frame, mark }: { frame: number; mark: number }) => Number(drawing.frames[frame]?.marks[mark]?.type === "field");
  for (const each of [...all].sort((a, b) => isGrid(a) - isGrid(b))) {
    const found = walk(drawing, { ...each, index: -1 }, 1, countOf(drawing, each), 0);
    if (hitAt(drawing, found)) return found;
  }
  return null;
}

/** The next value that can be read, `by` steps on; `width` keeps within a row of a grid. Cells of a
 * cloud without points are passed over. */
function walk(drawing: Drawing, from: Datum, by: number, count: number, width: number): Datum {
  const mark = drawing.frames[from.frame]?.marks[from.mark];
  const readable = (index: number) => hitAt(drawing, { ...from, index }) !== null && (mark?.type !== "density" || (mark.counts[index] ?? 0) > 0);
  const order = mark?.type === "dots" ? ordered(mark) : null;
  const rank = order && from.index >= 0 && from.index < count ? order.rank[from.index]! : from.index;
  const real = (at: number) => (order ? order.index[at]! : at);
  const row = (at: number) => Math.floor(at / width);
  const step = by === 0 ? 1 : by;
  for (let at = rank + by; at >= 0 && at < count; at += Math.abs(step) > 1 && by !== 0 && width === 0 && mark?.type !== "field" && mark?.type !== "density" ? Math.sign(step) : step) {
    if (width > 0 && row(at) !== row(rank)) break;
    if (readable(real(at))) return { ...from, index: real(at) };
  }
  // A long step beyond the end ends there.
  if (Math.abs(by) > 1 && mark?.type !== "field" && mark?.type !== "density") {
    for (let at = by > 0 ? count - 1 : 0; at >= 0 && at < count; at -= Math.sign(by)) if (readable(real(at))) return { ...from, index: real(at) };
  }
  return from;
}

interface Order {
  /** Points from left to right. */
  readonly index: Uint32Array;
  readonly rank: Uint32Array;
}
const orders = new WeakMap<MarkOf<"dots">, Order>();

function ordered(mark: MarkOf<"dots">): Order {
  const known = orders.get(mark);
  if (known) return known;
  const index = Uint32Array.from({ length: Math.min(mark.x.length, mark.y.length) }, (_, i) => i).sort((a, b) => mark.x[a]! - mark.x[b]! || a - b);
  const rank = new Uint32Array(index.length);
  index.forEach((of, at) => (rank[of] = at));
  const made = { index, rank };
  orders.set(mark, made);
  return made;
}
