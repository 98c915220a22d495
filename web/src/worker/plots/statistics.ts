// `hist`, `bars` and `box`: distributions and amounts.

import { histogram } from "weft-gpu";
import { PLOT } from "../../protocol/plots";
import type { Mark, MarkOf } from "../../protocol/plots";
import { spanOf, spanOnDevice } from "./bins";
import type { Call, Span } from "./bins";
import { checkPlotOptions, checkSeries, clip, frameOf, groupsOf, logOf, onePanel, pick, show } from "./options";
import type { CommonOptions, Drawn, FacetOptions } from "./options";
import { isOnDevice, read, seriesOf, take } from "./values";
import type { PlotValues, Values } from "./values";

type Named = PlotValues | Readonly<Record<string, PlotValues>>;

export interface HistogramOptions extends CommonOptions, FacetOptions {
  /** How many bins there are, from 1 to 1000; by default, as many as the number of values
   * suggests. */
  bins?: number;
  /** Whether bars are densities, whose areas sum to 1, rather than counts. */
  density?: boolean;
}

/**
 * Draws a histogram of values, or of several named ones over each other: `hist(x, 40)` of so many
 * bins, `hist({ before, after })`.
 *
 * @example
 * hist(random.normal([2_000]), { bins: 40, title: "Normal numbers" });
 */
export function hist(values: Named, given: HistogramOptions | number = {}): Drawn {
  const options = typeof given === "number" ? { bins: given } : given;
  checkPlotOptions("hist", options, ["facet", "bins", "density"]);
  if (options.bins !== undefined && !(Number.isInteger(options.bins) && options.bins >= 1 && options.bins <= 1_000)) throw new RangeError(`hist: bins must be a whole number from 1 to 1000, not ${String(options.bins)}`);
  const series = seriesOf(values, () => false, "hist");
  checkSeries("hist", series.length);
  const taken = series.map((each) => ({ name: each.name, values: take("hist", each.values) }));
  const facet = options.facet === undefined ? null : read("hist", options.facet);
  return show(hist, async (call) => {
    const found = await Promise.all(taken.map(async ({ name, values }) => ({ name, values: await values })));
    const by = await facet;
    const log = logOf(options).x;
    try {
      const spans = await Promise.all(found.map(({ values }) => (isOnDevice(values) ? spanOnDevice(values.tensor, call, log) : spanOf(log ? values.numbers.map((value) => (value > 0 ? value : NaN)) : values.numbers))));
      const ends = edgesWithin({ low: Math.min(...spans.map(({ low }) => low)), high: Math.max(...spans.map(({ high }) => high)) }, options);
      const most = Math.max(...found.map(({ values }) => values.length));
      const bins = options.bins ?? Math.max(8, Math.min(80, Math.ceil(2 * Math.cbrt(most))));
      const dates = found.some(({ values }) => !isOnDevice(values) && values.kind === "dates");
      const frame = { ...options, y: options.y ?? (options.density ? "density" : "count"), x: options.x ?? (found.length === 1 ? found[0]!.name : "") };
      const groups = by && groupsOf("hist", by, PLOT.panels);
      const panels = await Promise.all((groups?.names ?? [""]).map(async (title, group) => ({
        title: clip(title),
        marks: await Promise.all(found.map(async ({ name, values }, colour): Promise<Mark> => {
          const part: Values = groups && !isOnDevice(values) ? { ...values, numbers: pick(values.numbers, groups.of, group) } : values;
          return { ...histogramMark(await countBins(part, ends, bins, log, call), ends, log, options), name: clip(found.length > 1 ? name : ""), colour };
        })),
      })));
      return frameOf(frame, { x: dates ? "dates" : "numbers", y: "numbers" }, panels);
    } finally {
      for (const { values } of found) if (isOnDevice(values)) values.tensor.dispose();
    }
  });
}

function edgesWithin({ low, high }: Span, { domain }: CommonOptions): Span {
  const [from, to] = domain ? [Number(domain[0]), Number(domain[1])] : [low, high];
  if (from > to) return { low: 0, high: 1 };
  return to > from ? { low: from, high: to } : { low: from - 0.5, high: to + 0.5 };
}

async function countBins(values: Values, { low, high }: Span, bins: number, log: boolean, call: Call): Promise<Float64Array> {
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  if (isOnDevice(values)) {
    const { counts, edges } = call(() => histogram(log ? values.tensor.log() : values.tensor, { bins, range: [from, to] }));
    try {
      return Float64Array.from(await counts.data());
    } finally {
      counts.dispose();
      edges.dispose();
    }
  }
  const counts = new Float64Array(bins);
  for (const each of values.numbers) {
    const value = log ? Math.log(each) : each;
    const at = value === to ? bins - 1 : Math.floor(((value - from) / (to - from)) * bins);
    if (at >= 0 && at < bins) counts[at]!++;
  }
  return counts;
}

function histogramMark(counts: Float64Array, { low, high }: Span, log: boolean, { density }: HistogramOptions): Omit<MarkOf<"bars">, "name" | "colour"> {
  const bins = counts.length;
  const edge = (i: number) => (log ? low * (high / low) ** (i / bins) : low + ((high - low) * i) / bins);
  const [x0, x1] = [counts.map((_, i) => edge(i)), counts.map((_, i) => edge(i + 1))];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const values = density && total > 0 ? counts.map((count, i) => count / total / (x1[i]! - x0[i]!)) : counts;
  return { type: "bars", along: "y", x0, x1, y0: new Float64Array(bins), y1: values, values };
}

export interface BarOptions extends CommonOptions {
  /** Bars from left to right, with their names beside them. */
  horizontal?: boolean;
  /** Several series on top of each other rather than side by side. */
  stacked?: boolean;
}

/**
 * Draws bars: `bars({ apples: 3, pears: 5 })`, `bars(names, values)`, or several series,
 * `bars(names, { before, after })`.
 *
 * @example
 * bars({ apples: 3, pears: 5, plums: 2 }, { title: "Fruit" });
 */
export function bars(amounts: Named | Readonly<Record<string, number>>, options?: BarOptions): Drawn;
export function bars(names: PlotValues, values: Named, options?: BarOptions): Drawn;
export function bars(first: unknown, ...rest: unknown[]): Drawn {
  const amounts = typeof first === "object" && first !== null && Object.getPrototypeOf(first) === Object.prototype && !("data" in first && "dtype" in first) && Object.values(first).every((each) => typeof each === "number");
  const single = amounts || rest.length === 0 || (rest.length === 1 && isBarOptions(rest[0]));
  const options = ((single ? rest[0] : rest[1]) ?? {}) as BarOptions;
  checkPlotOptions("bars", options, ["horizontal", "stacked"]);
  const names = amounts ? Promise.resolve(Object.keys(first as object)) : single ? null : read("bars", first).then((column) => (column.kind === "words" ? column.words : column.kind === "dates" ? Array.from(column.numbers, (time) => new Date(time).toISOString().slice(0, 10)) : Array.from(column.numbers, String)));
  const series = amounts ? [{ name: "", values: Object.values(first as object) as unknown }] : seriesOf(single ? first : rest[0], () => false, "bars");
  checkSeries("bars", series.length);
  const given = series.map(({ name, values }) => ({ name, values: read("bars", values) }));
  return show(bars, async () => {
    const found = await Promise.all(given.map(async ({ name, values }) => ({ name, values: (await values).numbers })));
    const count = Math.max(...found.map(({ values }) => values.length));
    const labels = (await names) ?? Array.from({ length: count }, (_, i) => String(i));
    for (const { values } of found) if (values.length !== labels.length) throw new RangeError(`bars: there must be as many values as names, not ${values.length} and ${labels.length}`);
    if (count > PLOT.categories) throw new RangeError(`bars: at most ${PLOT.categories} bars have room, not ${count}; hist counts values in bins`);
    const { horizontal = false, stacked = false } = options;
    // Upwards the first is at the bottom; names are read from the top.
    const at = (i: number) => (horizontal ? count - 1 - i : i);
    const base = { up: new Float64Array(count), down: new Float64Array(count) };
    const marks = found.map(({ name, values }, n): Mark => {
      const width = stacked ? 0.8 : 0.8 / found.length;
      const from = Float64Array.from(values, (_, i) => at(i) - 0.4 + (stacked ? 0 : (horizontal ? found.length - 1 - n : n) * width));
      const to = from.map((start) => start + width);
      const foot = values.map((value, i) => (stacked ? (value < 0 ? base.down : base.up)[i]! : 0));
      const head = values.map((value, i) => foot[i]! + value);
      if (stacked) head.forEach((end, i) => ((values[i]! < 0 ? base.down : base.up)[i] = Number.isFinite(end) ? end : foot[i]!));
      const series = { type: "bars" as const, name: clip(name), colour: n, values };
      return horizontal ? { ...series, along: "x", x0: foot, x1: head, y0: from, y1: to } : { ...series, along: "y", x0: from, x1: to, y0: foot, y1: head };
    });
    const words = horizontal ? [...labels].reverse() : labels;
    return frameOf(options, horizontal ? { x: "numbers", y: "words", yNames: words } : { x: "words", y: "numbers", xNames: words }, onePanel(marks));
  });
}

const isBarOptions = (value: unknown) => typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && Object.entries(value).every(([name, each]) => name === "domain" || name === "range" || typeof each !== "object");

export interface BoxOptions extends CommonOptions {
  /** Boxes from left to right, with their names beside them. */
  horizontal?: boolean;
}

/** Outliers of a box that are drawn. */
const OUTLIERS = 400;

/**
 * Draws the quartiles of values, with whiskers to the last value within 1.5 times the box, and
 * dots beyond (Tukey, 1977): `box({ a, b })`, or the columns of a matrix.
 *
 * @example
 * box({ narrow: random.normal([200]), wide: random.normal([200]) * 3 });
 */
export function box(values: Named, options: BoxOptions = {}): Drawn {
  checkPlotOptions("box", options, ["horizontal"]);
  const series = seriesOf(values, () => false, "box");
  checkSeries("box", series.length);
  const given = series.map((each) => ({ name: each.name, values: read("box", each.values) }));
  return show(box, async () => {
    const { horizontal = false } = options;
    const marks = await Promise.all(given.map(async ({ values }, i): Promise<Mark> => ({ type: "box", name: "", colour: 0, at: horizontal ? given.length - 1 - i : i, along: horizontal ? "x" : "y", ...tukey((await values).numbers) })));
    const names = given.map(({ name }) => clip(name));
    return frameOf(options, horizontal ? { x: "numbers", y: "words", yNames: [...names].reverse() } : { x: "words", y: "numbers", xNames: names }, onePanel(marks));
  });
}

function tukey(values: Float64Array): { five: Float64Array<ArrayBuffer>; outliers: Float64Array<ArrayBuffer>; count: number } {
  const sorted = new Float64Array(values.filter((value) => Number.isFinite(value))).sort();
  if (sorted.length === 0) return { five: new Float64Array(5).fill(NaN), outliers: new Float64Array(0), count: 0 };
  const quantile = (share: number) => {
    const at = share * (sorted.length - 1);
    const low = Math.floor(at);
    return sorted[low]! + (sorted[Math.min(sorted.length - 1, low + 1)]! - sorted[low]!) * (at - low);
  };
  const [lower, median, upper] = [quantile(0.25), quantile(0.5), quantile(0.75)];
  const reach = 1.5 * (upper - lower);
  const inside = sorted.filter((value) => value >= lower - reach && value <= upper + reach);
  const outside = sorted.filter((value) => value < lower - reach || value > upper + reach);
  // Of many, evenly: the extremes are among them.
  const shown = Math.min(OUTLIERS, outside.length);
  const outliers = Float64Array.from({ length: shown }, (_, i) => outside[shown < 2 ? 0 : Math.round((i * (outside.length - 1)) / (shown - 1))]!);
  return { five: Float64Array.of(Math.min(lower, inside[0] ?? lower), lower, median, upper, Math.max(upper, inside.at(-1) ?? upper)), outliers, count: sorted.length };
}
