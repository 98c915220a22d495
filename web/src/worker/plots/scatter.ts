// `scatter`: points, coloured by values or by words, and curves through them. Many points,
// which would cover one another, are counted in cells.

import { PLOT } from "../../protocol/plots";
import type { ColormapName, Mark, Plot } from "../../protocol/plots";
import { checkImageOptions } from "../displays/images";
import { isTensor } from "../library/library";
import { countCloud, countOnDevice, spanOf, spanOnDevice } from "./bins";
import type { Call, Cloud, Span } from "./bins";
import { isCurve, nameOf, sample } from "./curves";
import type { Curve } from "./curves";
import { checkLengths, checkPlotOptions, checkSeries, clip, frameOf, groupsOf, logOf, show } from "./options";
import type { CommonOptions, Drawn, FacetOptions } from "./options";
import { checkSize, pairsOf } from "./points";
import { isOnDevice, read, seriesOf, take } from "./values";
import type { Column, OnDevice, PlotValues, Values } from "./values";

export interface ScatterOptions extends CommonOptions, FacetOptions {
  /** What colours the points: numbers by a scale, words a colour each. */
  color?: PlotValues;
  /** The name of what `color` is. */
  label?: string;
  /** The radius of a point in pixels, from 0.5 to 20; by default 3.5. */
  size?: number;
  colormap?: ColormapName;
  /** One unit is as long on both axes. */
  equal?: boolean;
  /** A function of x to draw over the points, such as the line that fits them; or several, by their
   * names. */
  curve?: Curve | Readonly<Record<string, Curve>>;
}

/** Points of a curve. */
const SAMPLES = 401;

/** Points of a panel that are drawn one by one. */
const SINGLE = 10_000;

/**
 * Draws points: `scatter(x, y)`, or `scatter(points)` of [N, 2] or a list of pairs. `color` gives
 * each a colour by its value or its word. Many points are counted in cells. `curve` is a function
 * drawn over them.
 *
 * @example
 * const points = random.normal([300, 2]);
 * scatter(points, { color: (points ** 2).sum(1), title: "A cloud" });
 */
export function scatter(x: PlotValues, options?: ScatterOptions): Drawn;
export function scatter(x: PlotValues, y: PlotValues, options?: ScatterOptions): Drawn;
export function scatter(first: PlotValues, ...rest: [(PlotValues | ScatterOptions)?, ScatterOptions?]): Drawn {
  const pairs = rest.length === 0 || !isGiven(rest[0]) ? pairsOf(first) : null;
  if (pairs) return scatter(...pairs, rest[0] as ScatterOptions | undefined);
  const paired = isTensor(first) && first.ndim === 2 && !isGiven(rest[0]);
  if (!paired && !isGiven(rest[0])) {
    const nothing = [first, ...rest].findIndex((value) => value === undefined);
    if (nothing >= 0 && nothing < 2 && rest.length > 0) throw new TypeError(`scatter: ${nothing === 0 ? "x" : "y"} is undefined`);
    if (typeof first === "object" && first !== null) seriesOf(first, () => true, "scatter");
    throw new TypeError("scatter: give x and y, as in scatter(x, y), or a tensor of [N, 2]");
  }
  const options = ((paired ? rest[0] : rest[1]) ?? {}) as ScatterOptions;
  checkPlotOptions("scatter", options, ["facet", "color", "label", "size", "colormap", "equal", "curve"]);
  if (options.label !== undefined && options.color === undefined) throw new TypeError('scatter: label is the name of what color shows, and there is no color; the plot is named by { title: "…" }, its axes by { x: "…", y: "…" }');
  const curves = options.curve === undefined ? [] : seriesOf<(x: unknown) => unknown>(options.curve, isCurve);
  if (!curves.every(({ values }) => isCurve(values))) throw new TypeError("scatter: curve is a function of x, such as (x) => x * 2, or an object of functions");
  checkSeries("scatter", curves.length);
  checkImageOptions("scatter", options.colormap === undefined ? {} : { colormap: options.colormap });
  const { size = 3.5 } = options;
  checkSize("scatter", size);
  if (paired && first.shape[1] !== 2) throw new TypeError(`scatter: points are [N, 2], not [${first.shape.join(",")}]`);
  const [x, y] = paired ? [take("scatter", first.slice(null, 0)), take("scatter", first.slice(null, 1))] : [take("scatter", first), take("scatter", rest[0])];
  if (typeof options.color === "string") throw new TypeError(`scatter: color is a value for each point, such as a tensor or a list of words, not ${JSON.stringify(String(options.color).slice(0, 60))}`);
  const color = options.color === undefined ? null : take("scatter", options.color);
  const facet = options.facet === undefined ? null : read("scatter", options.facet);
  return show(scatter, async (call) => {
    const values = await Promise.all([x, y, color]);
    const by = await facet;
    try {
      return await draw(values, by, options, call);
    } finally {
      for (const each of values) if (each && isOnDevice(each)) each.tensor.dispose();
    }
  });
}

const isGiven = (value: unknown) => isTensor(value) || Array.isArray(value) || ArrayBuffer.isView(value) || (typeof value === "object" && value !== null && ("then" in value || "data" in value || Symbol.iterator in value));

async function draw([x, y, color]: readonly [Values, Values, Values | null], by: Column | null, options: ScatterOptions, call: Call) {
  checkLengths("scatter", "x and y", x, y);
  if (color) checkLengths("scatter", "color and y", color, y);
  const log = logOf(options);
  if (!by && isOnDevice(x) && isOnDevice(y) && (color === null || isOnDevice(color))) return drawOnDevice(x, y, color, options, call);
  const [xs, ys, cs] = await Promise.all([here(x, call), here(y, call), color && here(color, call)]);
  const axes = { x: xs.kind, y: ys.kind, ...(xs.kind === "words" ? { xNames: groupsOf("scatter", xs).names } : {}), ...(ys.kind === "words" ? { yNames: groupsOf("scatter", ys).names } : {}) };
  const [a, b] = [placed(xs), placed(ys)];
  const facets = by ? groupsOf("scatter", by, PLOT.panels) : { names: [""], of: new Int32Array(a.length) };
  checkLengths("scatter", "facet and y", facets.of, b);
  const numeric = cs && cs.kind !== "words" ? cs.numbers : null;
  const classes = cs?.kind === "words" ? groupsOf("scatter", cs, PLOT.marks) : { names: [""], of: new Int32Array(a.length) };
  const ends = (values: Float64Array, own: boolean) => spanOf(own ? values.map((value) => (value > 0 ? value : NaN)) : values);
  const span = { x: ends(a, log.x && xs.kind === "numbers"), y: ends(b, log.y && ys.kind === "numbers") };
  const scale = numeric ? scaleOf(spanOf(numeric), options) : null;
  const lines = await curveMarks(options, span.x, log.x && xs.kind === "numbers", classes.names.length, call);
  const panels: Plot["panels"] = facets.names.map((title, group) => ({
    title: clip(title),
    marks: [...classes.names.map((name, colour): Mark => {
      const member = (values: Float64Array) => values.filter((_, i) => facets.of[i] === group && classes.of[i] === colour);
      const whole = facets.names.length === 1 && classes.names.length === 1;
      const [u, v, w] = whole ? [a, b, numeric] : [member(a), member(b), numeric && member(numeric)];
      const known = { name: clip(name), colour };
      if (u.length <= SINGLE / classes.names.length) return { type: "dots", ...known, x: u, y: v, values: w, radius: options.size ?? 3.5 };
      return { ...cloudMark(countCloud(u, v, w, { ...widened(span), log: { x: log.x && xs.kind === "numbers", y: log.y && ys.kind === "numbers" } })), ...known };
    }), ...lines],
  }));
  return frameOf(options, axes, panels, { scale, equal: options.equal ?? false });
}

async function drawOnDevice(x: OnDevice, y: OnDevice, color: OnDevice | null, options: ScatterOptions, call: Call) {
  const log = logOf(options);
  const [across, up, reach] = await Promise.all([spanOnDevice(x.tensor, call, log.x), spanOnDevice(y.tensor, call, log.y), color && spanOnDevice(color.tensor, call)]);
  const cloud = await countOnDevice(x.tensor, y.tensor, color?.tensor ?? null, { ...widened({ x: across, y: up }), log }, call);
  const lines = await curveMarks(options, across, log.x, 1, call);
  return frameOf(options, { x: "numbers", y: "numbers" }, [{ title: "", marks: [{ ...cloudMark(cloud), name: "", colour: 0 }, ...lines] }], { scale: reach && scaleOf(reach, options), equal: options.equal ?? false });
}

/** The curves over the span of the points, in the colours from `first` on. */
async function curveMarks({ curve }: ScatterOptions, { low, high }: Span, log: boolean, first: number, call: Call): Promise<Mark[]> {
  if (curve === undefined || !(low < high)) return [];
  return Promise.all(
    seriesOf<(x: unknown) => unknown>(curve, isCurve).map(async ({ name, values: fn }, i): Promise<Mark> => {
      const { x, y } = await call(() => sample("scatter", fn, low, high, SAMPLES, log));
      return { type: "line", name: clip(typeof curve === "function" ? name || nameOf(fn) : name), colour: first + i, x, y, dots: false };
    }),
  );
}

/** Cells need a width, and every one of them has ends. */
function widened(span: { x: Span; y: Span }): { x: Span; y: Span } {
  const wide = ({ low, high }: Span): Span => (low > high ? { low: 0, high: 1 } : high > low ? { low, high } : { low: low - (Math.abs(low) || 1) * 0.05, high: high + (Math.abs(high) || 1) * 0.05 });
  return { x: wide(span.x), y: wide(span.y) };
}

const cloudMark = (cloud: Cloud) => ({ type: "density" as const, ...cloud });

function scaleOf({ low, high }: Span, { label, colormap = "viridis" }: ScatterOptions): NonNullable<Plot["scale"]> {
  const [from, to] = low > high ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high];
  return { label: clip(label), low: from, high: to, colormap };
}

async function here(values: Values, call: Call): Promise<Column> {
  if (!isOnDevice(values)) return values;
  const numbers = Float64Array.from(await call(() => values.tensor.data()));
  return { kind: "numbers", numbers, words: [], length: numbers.length };
}

/** Numbers of an axis: words by the order in which they first come. */
const placed = (column: Column): Float64Array => (column.kind === "words" ? Float64Array.from(groupsOf("scatter", column).of) : column.numbers);
