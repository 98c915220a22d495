// Options that all plots take, and the frame of a plot's content that they make.

import { PLOT } from "../../protocol/plots";
import type { Axis, Mark, Plot } from "../../protocol/plots";
import type { Content } from "../../protocol/messages";
import { callFrom, currentRun } from "../channel/context";
import { checkOptions } from "../displays/arguments";
import { track } from "../channel/pending";
import { Pace } from "../channel/pace";
import { fill, openSlot } from "../displays/displays";
import { replaced } from "../displays/frame";
import type { Call } from "./bins";
import { MOST_SERIES } from "./values";
import type { Column, Kind, PlotValues } from "./values";

export interface CommonOptions {
  title?: string;
  /** The name of the horizontal axis. */
  x?: string;
  /** The name of the vertical axis. */
  y?: string;
  /** Logarithmic axes: `true` or "y" the vertical one, "x" the horizontal one, "xy" both. */
  log?: boolean | "x" | "y" | "xy";
  /** The ends of the horizontal axis; by default, found from the values. */
  domain?: readonly [number | Date, number | Date];
  /** The ends of the vertical axis; by default, found from the values. */
  range?: readonly [number, number];
  /** The height in pixels; by default, chosen from the width. */
  height?: number;
}

export interface FacetOptions {
  /** Small multiples: a panel for each different word or number of this list, with the values that
   * stand beside it. */
  facet?: PlotValues;
}

export const COMMON = ["title", "x", "y", "log", "domain", "range", "height"] as const;

export const clip = (value: unknown, length = 190): string => (value === undefined || value === null ? "" : String(value).slice(0, length));

/** Checks the options of a function, those that all plots take and its own. */
export function checkPlotOptions(what: string, options: CommonOptions, own: readonly string[] = []): void {
  checkOptions(what, options, [...COMMON, ...own]);
  const { log, height, domain, range } = options;
  if (log !== undefined && !([true, false, "x", "y", "xy"] as unknown[]).includes(log)) throw new TypeError(`${what}: log must be true, "x", "y" or "xy", not ${String(log)}`);
  if (height !== undefined && !(Number.isInteger(height) && height >= 100 && height <= 1_000)) throw new RangeError(`${what}: height must be a whole number from 100 to 1000, not ${String(height)}`);
  for (const [name, ends] of [["domain", domain], ["range", range]] as const) {
    if (ends !== undefined && !(Array.isArray(ends) && ends.length === 2 && ends.every((end) => Number.isFinite(Number(end))) && Number(ends[0]) < Number(ends[1]))) throw new RangeError(`${what}: ${name} must be [low, high] with low < high, both finite`);
  }
}

export const logOf = ({ log }: CommonOptions) => ({ x: log === "x" || log === "xy", y: log === true || log === "y" || log === "xy" });

const SCALES: Readonly<Record<Kind, Axis["scale"]>> = { numbers: "linear", dates: "time", words: "categories" };

export function axisOf(label: unknown, ends: readonly [number | Date, number | Date] | undefined, kind: Kind, log: boolean, categories: readonly string[] = []): Axis {
  const scale = kind === "numbers" && log ? "log" : SCALES[kind];
  return { label: clip(label), scale, ends: ends ? [Number(ends[0]), Number(ends[1])] : null, categories: categories.map((name) => clip(name, 190)) };
}

export interface Axes {
  readonly x: Kind;
  readonly y: Kind;
  readonly xNames?: readonly string[];
  readonly yNames?: readonly string[];
}

export function frameOf(options: CommonOptions, kinds: Axes, panels: Plot["panels"], more: Partial<Plot> = {}): Content<"plot"> {
  const log = logOf(options);
  return {
    kind: "plot", title: clip(options.title, 390), x: axisOf(options.x, options.domain, kinds.x, log.x, kinds.xNames), y: axisOf(options.y, options.range, kinds.y, log.y, kinds.yNames),
    scale: null, panels, height: options.height ?? null, equal: false, ...more,
  };
}

/** A plot in its place: a promise of its first drawing. */
export interface Drawn extends Promise<void> {
  /** Draws other values in the same place; takes what the function took. */
  update(...values: unknown[]): Promise<void>;
}

/** The place of the plot that is being updated. */
let placed: Place | null = null;

/** Milliseconds between drawings of a plot. */
const PACE = 50;

/** The place of a plot in the cell's output. What it shows is never older than what it showed
 * before. */
class Place {
  private readonly slot = openSlot();
  private readonly run = this.slot.run ?? currentRun();
  private readonly pace = new Pace(() => this.content && fill(this.slot, this.content), PACE);
  private content: Content<"plot"> | null = null;
  private asked = 0;
  private shown = 0;

  draw(make: (call: Call) => Promise<Content<"plot">>): Promise<void> {
    const turn = ++this.asked;
    const call: Call = (work) => callFrom(this.run, work);
    const drawn = make(call).then((content) => {
      if (turn < this.shown) return;
      this.shown = turn;
      this.content = content;
      this.pace.changed();
    });
    return track(drawn, this.run);
  }

  again(work: () => Promise<void>): Promise<void> {
    const before = placed;
    placed = this;
    try {
      return work();
    } finally {
      placed = before;
    }
  }
}

/** Reserves the place of a plot in the cell's output, and fills it when the values have come; a
 * cell waits for its plots. `plot` is the function that draws it. */
export function show(plot: (...values: never[]) => Promise<void>, make: (call: Call) => Promise<Content<"plot">>): Drawn {
  const place = placed ?? replaced((known): known is Place => known instanceof Place, () => new Place());
  return Object.assign(place.draw(make), { update: (...values: unknown[]) => place.again(() => plot(...(values as never[]))) });
}

export function checkLengths(what: string, names: string, a: { length: number }, b: { length: number }): void {
  if (a.length !== b.length) throw new RangeError(`${what}: ${names} must have as many values as each other, not ${a.length.toLocaleString("en")} and ${b.length.toLocaleString("en")}`);
}

export function checkSeries(what: string, count: number): void {
  if (count > MOST_SERIES) throw new RangeError(`${what}: at most ${MOST_SERIES} series, not ${count}`);
}

const dayOf = (time: number) => (Number.isNaN(time) ? "no date" : new Date(time).toISOString().slice(0, 10));

/** The different words of a column, in the order in which they first come, and the number of each
 * one's word. */
export function groupsOf(what: string, by: Column, most: number = PLOT.categories): { names: string[]; of: Int32Array } {
  const texts: readonly unknown[] | Float64Array = by.kind === "words" ? by.words : by.numbers;
  const known = new Map<string, number>();
  const of = Int32Array.from({ length: by.length }, (_, i) => {
    const text = by.kind === "dates" ? dayOf(by.numbers[i]!) : String(texts[i]);
    const at = known.get(text) ?? known.size;
    known.set(text, at);
    if (known.size > most) throw new RangeError(`${what}: at most ${most} different values can be distinguished, and there are more`);
    return at;
  });
  const names = [...known.keys()];
  if (by.kind !== "numbers") return { names, of };
  // Numbers are in their own order.
  const order = names.map((name, i) => ({ name, i })).sort((a, b) => Number(a.name) - Number(b.name));
  const rank = new Int32Array(order.length);
  order.forEach(({ i }, at) => (rank[i] = at));
  return { names: order.map(({ name }) => name), of: of.map((at) => rank[at]!) };
}

/** The values of a group, in order. */
export const pick = (values: Float64Array, of: Int32Array, group: number): Float64Array => values.filter((_, i) => of[i] === group);

/** Panels of marks, one for each group, or one for all. */
export const onePanel = (marks: Mark[]): Plot["panels"] => [{ title: "", marks }];
