// `plot`: lines over their positions or over x, functions over an interval, and live charts.

import { PLOT } from "../../protocol/plots";
import type { Mark, MarkOf } from "../../protocol/plots";
import { openChart } from "../displays/chart";
import type { Chart, ChartOptions } from "../displays/chart";
import { isPlain } from "../displays/arguments";
import { isTensor } from "../library/library";
import { checkInterval, isCurve, nameOf, sample } from "./curves";
import type { Curve } from "./curves";
import { thinBothOnDevice, thinLine, thinOnDevice } from "./bins";
import type { Call, Points } from "./bins";
import { checkLengths, checkPlotOptions, checkSeries, clip, frameOf, groupsOf, logOf, onePanel, pick, show } from "./options";
import type { Axes, CommonOptions, Drawn, FacetOptions } from "./options";
import { isOnDevice, read, seriesOf, take } from "./values";
import type { Column, PlotValues, Series, Values } from "./values";

export interface LineOptions extends CommonOptions, FacetOptions {
  /** Dots at the points too; or the names of the series to draw as dots alone, such as measurements
   * beside curves: they take the lines' colours, in order. */
  dots?: boolean | readonly string[];
  /** How many points of a function are drawn; 1001 by default. */
  samples?: number;
  /** One unit is as long on both axes. */
  equal?: boolean;
}

type Several<T> = T | readonly T[] | Readonly<Record<string, T>>;

const isLive = (value: unknown): value is ChartOptions => typeof value === "object" && value !== null && !isTensor(value) && Array.isArray((value as { series?: unknown }).series) && (value as { series: unknown[] }).series.every((each) => typeof each !== "number");

/**
 * Draws lines: `plot(y)`, `plot(x, y)`, `plot({ train, test })`, or a function,
 * `plot(sin, [0, 10])`. Given `{ series: ["loss"] }` it opens a live chart, whose
 * `chart.add({ step, loss })` extends its curves.
 *
 * @example
 * const x = linspace(0, 6, 100);
 * plot(x, { sine: sin(x), cosine: cos(x) }, { title: "Waves", x: "seconds" });
 */
export function plot(options: ChartOptions): Chart;
export function plot(y: PlotValues | Readonly<Record<string, PlotValues>>, options?: LineOptions): Drawn;
export function plot(x: PlotValues, y: Several<PlotValues>, options?: LineOptions): Drawn;
export function plot(fn: Several<Curve>, interval: readonly [number, number], options?: LineOptions): Drawn;
export function plot(first: unknown, ...rest: unknown[]): Chart | Promise<void> {
  if (isLive(first) && rest.length === 0) return openChart(first);
  const curves = seriesOf(first, isCurve);
  if (curves.length > 0 && curves.every(({ values }) => isCurve(values))) return plotCurves(curves as Series<(x: unknown) => unknown>[], rest[0], rest[1] as LineOptions | undefined);
  if (rest[1] !== undefined && !isPlain(rest[1])) throw new TypeError(`plot: takes x, the lines and options, as in plot(x, { sine: y, cosine: z }, { title: "Waves" }): ${typeof rest[1] === "string" ? "{ dots: true } draws points" : "several lines are an object with their names"}`);
  const [given, options] = rest.length === 0 || (rest.length === 1 && isOptions(rest[0])) ? [undefined, rest[0]] : [rest[0], rest[1]];
  return plotLines(given === undefined ? undefined : first, given === undefined ? first : given, (options ?? {}) as LineOptions);
}

const OPTIONS = ["facet", "dots", "samples", "equal"] as const;
const LISTS: ReadonlySet<string> = new Set(["facet", "domain", "range", "dots"]);
/** An object of options rather than of named series: what it holds is no list, except where an
 * option is one. */
const isOptions = (value: unknown) => typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && Object.entries(value).every(([name, each]) => LISTS.has(name) || typeof each !== "object");

function plotLines(x: unknown, y: unknown, options: LineOptions): Drawn {
  refuseLabels(options, x !== undefined);
  checkPlotOptions("plot", options, OPTIONS);
  const series = seriesOf(y);
  checkDots(options.dots, series.map(({ name }) => name));
  if (series.length === 0) throw new TypeError("plot: there are no series");
  checkSeries("plot", series.length);
  // All reading begins before anything is waited for.
  const across = x === undefined ? null : take("plot", x);
  const lines = series.map(({ name, values }) => ({ name, values: take("plot", values) }));
  const facet = options.facet === undefined ? null : read("plot", options.facet);
  return show(plot, async (call) => {
    const xs = await across;
    const found = await Promise.all(lines.map(async ({ name, values }) => ({ name, values: await values })));
    const by = await facet;
    const log = logOf(options);
    try {
      if (by) return await facetted(xs, found, by, options);
      const marks = await Promise.all(found.map(async ({ name, values }, colour) => lineMark(name, colour, await pointsOf(xs, values, log.x, call), options)));
      return frameOf(named(options, series), axesOf(xs), onePanel(marks), equally(options));
    } finally {
      for (const each of [xs, ...found.map(({ values }) => values)]) if (each && isOnDevice(each)) each.tensor.dispose();
    }
  });
}

/** Other libraries name a line by an option. */
function refuseLabels(options: object, hasX: boolean): void {
  const key = ["label", "labels", "legend", "name"].find((each) => Object.hasOwn(options, each));
  if (key === undefined) return;
  const given = (options as Record<string, unknown>)[key];
  const name = typeof given === "string" && /^[A-Za-z_]\w{0,30}$/.test(given) ? given : "sine";
  throw new TypeError(`plot: no option “${key}”: lines are named as an object, plot(${hasX ? "x, " : ""}{ ${name}: y })`);
}

function checkDots(dots: unknown, names: readonly string[]): void {
  if (dots === undefined || typeof dots === "boolean") return;
  if (!Array.isArray(dots)) throw new TypeError(`plot: dots must be true, false or a list of names, not ${typeof dots}`);
  const unknown = dots.find((name) => !names.includes(name as string)) as unknown;
  if (unknown !== undefined) throw new RangeError(`plot: no series “${clip(unknown)}” to draw as dots; the series are ${names.map((name) => clip(name)).join(", ")}`);
}

function axesOf(xs: Values | null): Axes {
  if (!xs || isOnDevice(xs)) return { x: "numbers", y: "numbers" };
  return { x: xs.kind, y: "numbers", ...(xs.kind === "words" && { xNames: checkedWords(xs) }) };
}

function checkedWords({ words }: Column): readonly string[] {
  if (words.length > PLOT.categories) throw new RangeError(`plot: at most ${PLOT.categories} words have room along an axis, not ${words.length}`);
  return words;
}

/** The axis of a single named line has its name. */
const named = (options: LineOptions, series: readonly Series<unknown>[]): LineOptions => (options.y === undefined && series.length === 1 && series[0]!.name !== "" ? { ...options, y: series[0]!.name } : options);

const equally = ({ equal = false }: LineOptions) => ({ equal });

/** More dots than these are smaller. */
const MANY = 60;

function lineMark(name: string, colour: number, { x, y }: Points, { dots = false }: LineOptions): MarkOf<"line"> | MarkOf<"dots"> {
  const series = { name: clip(name), colour };
  if (typeof dots === "boolean" || !dots.includes(name)) return { ...series, type: "line", x: x.slice(0, PLOT.points), y: y.slice(0, PLOT.points), dots: dots === true };
  series.colour = dots.indexOf(name);
  const seen = Array.from(y, (_, i) => i).filter((i) => Number.isFinite(x[i]) && Number.isFinite(y[i])).slice(0, PLOT.points);
  return { ...series, type: "dots", x: Float64Array.from(seen, (i) => x[i]!), y: Float64Array.from(seen, (i) => y[i]!), values: null, radius: seen.length > MANY ? 2.2 : 3.5 };
}

async function pointsOf(xs: Values | null, y: Values, log: boolean, call: Call): Promise<Points> {
  if (xs) checkLengths("plot", "x and y", xs, y);
  if (isOnDevice(y)) {
    if (!xs) return thinOnDevice(y.tensor, 0, 1, call);
    if (isOnDevice(xs)) {
      const points = await thinBothOnDevice(xs.tensor, y.tensor, log, call);
      if (points) return points;
    }
  }
  const [across, up] = await Promise.all([xs && numbersOf(xs, call), numbersOf(y, call)]);
  return thinLine(across ?? Float64Array.from(up, (_, i) => i), up, log);
}

async function numbersOf(values: Values, call: Call): Promise<Float64Array> {
  if (isOnDevice(values)) return Float64Array.from(await call(() => values.tensor.data()));
  return values.kind === "words" ? Float64Array.from(values.words, (_, i) => i) : values.numbers;
}

async function facetted(xs: Values | null, found: readonly Series<Values>[], by: Column, options: LineOptions) {
  const { names, of } = groupsOf("plot", by, PLOT.panels);
  const plain: Call = (work) => work();
  const x = xs && (await numbersOf(xs, plain));
  const lines = await Promise.all(found.map(async ({ name, values }) => ({ name, y: await numbersOf(values, plain) })));
  for (const { y } of lines) checkLengths("plot", "facet and y", of, y);
  const panels = names.map((title, group) => ({
    title: clip(title),
    marks: lines.map(({ name, y }, colour): Mark => {
      const values = pick(y, of, group);
      return lineMark(name, colour, thinLine(x ? pick(x, of, group) : Float64Array.from(values, (_, i) => i), values, logOf(options).x), options);
    }),
  }));
  return frameOf(named(options, found), { x: xs && !isOnDevice(xs) && xs.kind === "dates" ? "dates" : "numbers", y: "numbers" }, panels, equally(options));
}

function plotCurves(curves: readonly Series<(x: unknown) => unknown>[], interval: unknown, options: LineOptions = {}): Drawn {
  const [from, to] = checkInterval("plot", interval, "plot(sin, [0, 10])");
  checkPlotOptions("plot", options, OPTIONS);
  checkSeries("plot", curves.length);
  checkDots(options.dots, curves.map(({ name }) => name));
  const samples = options.samples ?? 1_001;
  if (!(Number.isInteger(samples) && samples >= 2 && samples <= 10_000)) throw new RangeError(`plot: samples must be a whole number from 2 to 10000, not ${String(options.samples)}`);
  const { x: log } = logOf(options);
  if (log && from <= 0) throw new RangeError(`plot: a logarithmic axis begins above 0, not at ${from}`);
  const results = curves.map(({ name, values: fn }) => ({ name: name || nameOf(fn), points: sample("plot", fn, from, to, samples, log) }));
  return show(plot, async () => {
    const marks = await Promise.all(results.map(async ({ name, points }, colour) => lineMark(curves.length > 1 ? name : "", colour, await points, options)));
    const single = curves.length === 1 ? results[0]!.name : "";
    return frameOf({ x: "x", ...options, ...(options.y === undefined && single !== "" ? { y: single } : {}) }, { x: "numbers", y: "numbers" }, onePanel(marks), equally(options));
  });
}
