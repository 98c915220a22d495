// Geometry of curves: ticks at round numbers, an extent that one outlier does not spoil, and a
// reduction to no more points than there are pixels that keeps the peaks.

import type { ChartPoint } from "../../protocol/messages";

export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** Beyond this the difference of two values may be no number. */
const LARGEST = 1e150;
/** Whether a screen could place a value: NaN, infinities and 1e200 are no part of an axis. */
export const usable = (value: number): boolean => value > -LARGEST && value < LARGEST;
/** As `usable`, on a logarithmic axis. */
export const usableOn = (log: boolean, value: number): boolean => usable(value) && (!log || value > 1 / LARGEST);

/** Whether doubles are fine enough to divide the space between two values. */
export const apart = (low: number, high: number): boolean => high > low && high - low > 1e-290 && high - low > Math.max(Math.abs(low), Math.abs(high)) * 1e-12;

/** Round numbers within [low, high], about `count` of them. */
export function ticks({ low, high }: Extent, count: number): number[] {
  if (!usable(low) || !usable(high)) return [];
  if (!apart(low, high)) return [low];
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw * 0.999)!;
  const result: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) result.push(i === 0 ? 0 : i * step);
  return result;
}

/** Powers of ten, with 2 and 5 between them where there is room. */
export function logTicks({ low, high }: Extent, count: number): number[] {
  if (!(low > 0) || !usable(high)) return [];
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const factors = to - from <= 3 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((to - from) / Math.max(count, 1)));
  const result: number[] = [];
  for (let power = from; power <= to; power++) {
    if ((power - from) % every !== 0) continue;
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) result.push(value);
    }
  }
  // Within a decade, or little more, round numbers say more.
  return result.length > 2 ? result : ticks({ low, high }, Math.min(count, 5)).filter((value) => value > 0);
}

/** A figure of a logarithmic axis: far from one, as a power of ten. */
export function logLabel(value: number): string {
  const power = Math.round(Math.log10(value));
  if (Math.abs(power) < 4 || Math.abs(value / 10 ** power - 1) > 1e-6) return tickLabel(value);
  return `10${String(power).replace(/./g, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]!))}`;
}

export function tickLabel(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6 || (magnitude < 1e-3 && magnitude > 0)) return Number(value.toPrecision(4)).toExponential().replace("e+", "e");
  if (magnitude >= 10_000) return `${Number((value / 1_000).toPrecision(4))}k`;
  return String(Number(value.toPrecision(5)));
}

/** The vertical extent of a panel: the ends that were asked for, where an axis can have them, or
 * those of its curves. */
export function upOf({ log, range }: { readonly log: boolean; readonly range: readonly number[] | null }, curves: readonly (readonly CurvePoint[])[]): Extent {
  const [low, high] = range ?? [];
  if (low !== undefined && high !== undefined && usableOn(log, low) && usable(high) && apart(low, high)) return { low, high };
  return extentOf(curves.flatMap((curve) => curve.map(({ y }) => y)), log);
}

/** The points of one series, without those that no screen could place. */
export function curveOf(points: readonly ChartPoint[], name: string, log: boolean): CurvePoint[] {
  return points.flatMap(({ x, values }) => {
    const y = values[name];
    return y === undefined || !usable(x) || !usableOn(log, y) ? [] : [{ x, y }];
  });
}

/** The vertical extent of usable values, with a little air; for a logarithmic axis of the positive
 * ones. */
export function extentOf(values: Iterable<number>, log: boolean): Extent {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!usableOn(log, value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return log ? { low: 0.1, high: 1 } : { low: 0, high: 1 };
  if (log) return { low: low / 1.1, high: high * 1.1 };
  // An axis that almost reaches zero might as well begin there.
  if (low > 0 && low < (high - low) * 0.35) low = 0;
  if (!apart(low, high)) return widened(low, high);
  const air = (high - low) * 0.06;
  return { low: low === 0 ? 0 : low - air, high: high + air };
}

/** An extent around values that are one. */
export function widened(low: number, high: number): Extent {
  const middle = (low + high) / 2;
  const reach = Math.abs(middle) > 1e-280 ? Math.abs(middle) * 0.1 : 1;
  return { low: middle - reach, high: middle + reach };
}

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** At most about `limit` points: of each run of neighbours the lowest and the highest, in order. */
export function thin(points: readonly CurvePoint[], limit: number): readonly CurvePoint[] {
  if (points.length <= limit) return points;
  const run = Math.ceil((points.length * 2) / limit);
  const kept: CurvePoint[] = [];
  for (let start = 0; start < points.length; start += run) {
    let low = start;
    let high = start;
    for (let i = start; i < Math.min(start + run, points.length); i++) {
      if (points[i]!.y < points[low]!.y) low = i;
      if (points[i]!.y > points[high]!.y) high = i;
    }
    kept.push(points[Math.min(low, high)]!);
    if (low !== high) kept.push(points[Math.max(low, high)]!);
  }
  const last = points.at(-1)!;
  if (kept.at(-1) !== last) kept.push(last);
  return kept;
}

/** From the least to the largest x of points. */
export function acrossOf(points: Iterable<{ readonly x: number }>): Extent {
  let [low, high] = [Infinity, -Infinity];
  for (const { x } of points) {
    if (!usable(x)) continue;
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  if (low > high) return { low: 0, high: 1 };
  if (apart(low, high)) return { low, high };
  // One point stands at the left, where the next ones follow.
  return apart(low, low + 1) ? { low, high: low + 1 } : widened(low, high);
}
