// Scales of a plot's axes: their ends, from the marks or as asked for, their ticks, and how numbers
// on them are written. Values that no screen could place (NaN, infinities, 1e200) are no part of
// them.

import { scaleLinear, scaleLog, scaleUtc } from "d3-scale";
import type { Axis, Mark, Plot } from "../../protocol/plots";
import { brief } from "../figure";
import { apart, logLabel, logTicks, usableOn, widened } from "../outputs/curve";
import type { Extent } from "../outputs/curve";

/** The last day that a `Date` has. */
const LAST_DAY = 8.64e15;

export interface Tick {
  readonly value: number;
  readonly label: string;
}

export interface Scale {
  readonly axis: Axis;
  readonly low: number;
  readonly high: number;
  /** The place of a value, of one that the scale can show. */
  at(value: number): number;
  /** The value at a place. */
  invert(place: number): number;
  shows(value: number): boolean;
  ticks(count: number): Tick[];
}

/** Extents of a mark along both axes, without what cannot be shown. */
function* reaches(mark: Mark, along: "x" | "y"): Generator<ArrayLike<number>> {
  switch (mark.type) {
    case "line":
    case "dots":
      return yield mark[along];
    case "density":
    case "field":
      return yield mark[along];
    case "bars":
      yield mark[`${along}0`];
      return yield mark[`${along}1`];
    case "box":
      if (mark.along !== along) return;
      yield mark.five;
      return yield mark.outliers;
  }
}

/** Whether a bar's foot or a grid's edge is an end of this axis: no air is left beyond it. */
const tight = (mark: Mark, along: "x" | "y") => mark.type === "field" || mark.type === "density" || (mark.type === "bars" && mark.along !== along);

/** The ends of an axis over all panels. */
export function endsOf(plot: Plot, along: "x" | "y"): Extent {
  const axis = plot[along];
  const log = axis.scale === "log";
  const fits = (value: number) => usableOn(log, value) && (axis.scale !== "time" || Math.abs(value) <= LAST_DAY);
  if (axis.scale === "categories") return { low: -0.5, high: Math.max(1, axis.categories.length) - 0.5 };
  // A linear axis may go down: rows of a matrix are counted from the top.
  if (axis.ends && fits(axis.ends[0]) && fits(axis.ends[1]) && (apart(axis.ends[0], axis.ends[1]) || (axis.scale === "linear" && apart(axis.ends[1], axis.ends[0])))) return { low: axis.ends[0], high: axis.ends[1] };
  let [low, high] = [Infinity, -Infinity];
  let close = along === "x";
  let footed = false;
  for (const { marks } of plot.panels) {
    for (const mark of marks) {
      if (mark.type === "dots" || mark.type === "box") close = false;
      if (tight(mark, along)) close = true;
      if (mark.type === "bars" && mark.along === along) footed = true;
      for (const values of reaches(mark, along)) {
        for (let i = 0; i < values.length; i++) {
          const value = values[i]!;
          if (!fits(value)) continue;
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
    }
  }
  if (low > high) return axis.scale === "time" ? { low: 0, high: 86_400_000 } : log ? { low: 0.1, high: 1 } : { low: 0, high: 1 };
  if (!apart(low, high)) return log ? { low: low / 2, high: high * 2 } : widened(low, high);
  if (close) return { low, high };
  if (log) {
    const air = (high / low) ** 0.04;
    return { low: low / air, high: high * air };
  }
  // An axis that almost reaches zero might as well begin there; bars do.
  if (low > 0 && low < (high - low) * 0.35 && axis.scale === "linear") low = 0;
  const air = (high - low) * 0.05;
  const grounded = (end: number) => end === 0 && (footed || axis.scale === "linear");
  return { low: grounded(low) ? 0 : low - air, high: grounded(high) && footed ? 0 : high + air };
}


export function scaleOf(axis: Axis, { low, high }: Extent, from: number, to: number): Scale {
  const common = { axis, low, high, shows: (value: number) => value >= Math.min(low, high) && value <= Math.max(low, high) };
  const bounded = (place: number) => Math.max(-1e5, Math.min(1e5, place));
  if (axis.scale === "log") {
    const scale = scaleLog([low, high], [from, to]);
    return { ...common, at: (value) => bounded(value > 0 ? scale(value) : from > to ? 1e5 : -1e5), invert: (place) => scale.invert(place), ticks: (count) => logTicks({ low, high }, Math.max(count, Math.min(8, Math.log10(high / low) + 2))).map((value) => ({ value, label: logLabel(value) })) };
  }
  if (axis.scale === "time") {
    const scale = scaleUtc([low, high], [from, to]);
    const format = scale.tickFormat();
    return { ...common, at: (value) => bounded(scale(Math.max(-LAST_DAY, Math.min(LAST_DAY, value)))), invert: (place) => scale.invert(place).getTime(), ticks: (count) => scale.ticks(count).map((date) => ({ value: date.getTime(), label: format(date) })) };
  }
  const scale = scaleLinear([low, high], [from, to]);
  const ticks = (count: number) => {
    if (axis.scale === "categories") return axis.categories.map((label, value) => ({ value, label }));
    const values = scale.ticks(count);
    return values.map((value) => ({ value, label: figure(value, values) }));
  };
  return { ...common, at: (value) => bounded(scale(value)), invert: (place) => scale.invert(place), ticks };
}

/** A figure of an axis, with as many digits as tell it from its neighbours. */
function figure(value: number, among: readonly number[]): string {
  if (value === 0) return "0";
  const step = among.length > 1 ? Math.abs(among[1]! - among[0]!) : Math.abs(value);
  const largest = Math.max(...among.map(Math.abs));
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  if (largest < 1e6 && (digits <= 5 || (largest >= 0.01 && digits <= 9))) return minus(value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: largest >= 10_000 }));
  const precise = Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9);
  return minus(value.toExponential(Math.max(0, Math.min(12, precise))).replace(/(\.\d*?)0+(?=e)/, "$1").replace(/\.(?=e)/, "").replace("e+", "e"));
}

export const minus = (text: string): string => text.replace(/-/g, "−");

/** A value of an axis, for the reader who points at it. */
export function valueText(axis: Axis, value: number): string {
  if (axis.scale === "categories") return axis.categories[Math.round(value)] ?? "";
  if (axis.scale === "time" && Math.abs(value) <= LAST_DAY) return new Date(Math.round(value)).toISOString().replace(/T00:00:00\.000Z$/, "").replace("T", " ").replace(/(?::00)?\.000Z$/, "").replace(/Z$/, "");
  return figureText(value);
}

export const figureText = (value: number): string => minus(brief(Math.abs(value) < 1e9 ? Number(value.toPrecision(6)) : value));
