// Content of a plot that is drawn once: panels of marks over two axes, as numbers. The worker sends
// it, and the page draws it: no text of a notebook says how, and nothing in it is evaluated.

import { array, boolean, finite, floats, integer, nullable, object, oneOf, text, tuple, union } from "./schema";
import type { Infer } from "./schema";

/** Bounds on what one plot holds. */
export const PLOT = {
  panels: 24,
  /** Marks of a panel. */
  marks: 24,
  /** Points of a line or of a cloud. */
  points: 16_384,
  /** Bars of a series. */
  bars: 1_024,
  /** Columns, and rows, of a grid of numbers. */
  side: 512,
  levels: 40,
  categories: 200,
} as const;

const label = text(200);
const points = floats(PLOT.points);
const bars = floats(PLOT.bars);
const extent = tuple(finite, finite);
const side = integer(1, PLOT.side);
const grid = floats(PLOT.side * PLOT.side);

/** `colour` numbers a series; marks of one series have one colour in all panels. */
const series = { name: label, colour: integer(0, 1_000) };

const mark = union("type", {
  /** A gap where a coordinate is not finite. */
  line: { ...series, x: points, y: points, dots: boolean },
  /** `values` colour the dots by the plot's scale. */
  dots: { ...series, x: points, y: points, values: nullable(points), radius: finite },
  /** A cloud of more points than can be drawn, counted in cells that are equally wide on the axes'
   * scales; row 0 is the lowest. `values` are means. */
  density: { ...series, columns: side, rows: side, x: extent, y: extent, counts: grid, values: nullable(grid) },
  /** Rectangles from (x0, y0) to (x1, y1), each of which stands for a value along an axis. */
  bars: { ...series, along: oneOf("x", "y"), x0: bars, x1: bars, y0: bars, y1: bars, values: bars },
  /** Five numbers (whisker, quartile, median, quartile, whisker) of a category, and what lies
   * outside. */
  box: { ...series, at: integer(0, PLOT.categories), along: oneOf("x", "y"), five: floats(5), outliers: points, count: integer(0, Number.MAX_SAFE_INTEGER) },
  /** Values of cells, row 0 the lowest; with `levels`, contours of them. */
  field: { ...series, columns: side, rows: side, x: extent, y: extent, values: grid, levels: nullable(floats(PLOT.levels)), filled: boolean },
});
export type Mark = Infer<typeof mark>;
export type MarkOf<T extends Mark["type"]> = Extract<Mark, { type: T }>;

/** `categories` name the whole numbers from 0 on. `ends` are found from the marks where they are
 * not given. */
const axis = object({ label, scale: oneOf("linear", "log", "time", "categories"), ends: nullable(extent), categories: array(label, PLOT.categories) });
export type Axis = Infer<typeof axis>;

export const COLORMAPS = ["viridis", "gray", "diverging"] as const;
export type ColormapName = (typeof COLORMAPS)[number];

export const plotFields = {
  title: text(400),
  x: axis,
  y: axis,
  /** What colours mean, where they mean values. */
  scale: nullable(object({ label, low: finite, high: finite, colormap: oneOf(...COLORMAPS) })),
  panels: array(object({ title: label, marks: array(mark, PLOT.marks) }), PLOT.panels),
  /** Pixels that the plot is high; chosen from its width where it is not given. */
  height: nullable(integer(100, 1_000)),
  /** One unit is as long on both axes. */
  equal: boolean,
} as const;
const plot = object(plotFields);
export type Plot = Infer<typeof plot>;

/** Bytes of the numbers of a plot. */
export function plotBytes({ panels }: Plot): number {
  let bytes = 0;
  for (const { marks } of panels) for (const each of marks) for (const value of Object.values(each)) if (value instanceof Float64Array) bytes += value.byteLength;
  return bytes;
}
