// Curves: functions that a plot draws over an interval. Each is asked for all points at once, as a
// tensor, or else number by number.

import { linspace, tidy } from "weft-gpu";
import { isTensor } from "../library/library";
import type { Points } from "./bins";

/** A function of x: of a tensor of all points, or of one number. */
export type Curve = (x: never) => unknown;

/** Points of a function that is asked number by number. */
const SINGLE = 513;

export const isCurve = (value: unknown): value is (x: unknown) => unknown => typeof value === "function";

/** An arrow function that is written into the call has no name of its own. */
export const nameOf = (fn: { name: string }) => (/^(fn|anonymous)?$/.test(fn.name) ? "" : fn.name);

export function checkInterval(what: string, interval: unknown, example: string): readonly [number, number] {
  const [from, to] = Array.isArray(interval) ? (interval as unknown[]) : [];
  if (!(typeof from === "number" && typeof to === "number" && Number.isFinite(from) && Number.isFinite(to) && from < to)) throw new TypeError(`${what}: a function is drawn over an interval [from, to] with from < to, as in ${example}`);
  return [from, to];
}

const place = (from: number, to: number, i: number, count: number, log: boolean) => (log ? from * (to / from) ** (i / (count - 1)) : from + ((to - from) * i) / (count - 1));

/** Asks the function for all points at once, as a tensor, or, where it does not take one, number by
 * number. */
export async function sample(what: string, fn: (x: unknown) => unknown, from: number, to: number, count: number, log: boolean): Promise<Points> {
  const x = Float64Array.from({ length: count }, (_, i) => place(from, to, i, count, log));
  let failure: unknown = null;
  try {
    const found = log ? fn(tensorOf(x)) : fn(linspace(from, to, count));
    const y = await (found as unknown);
    if (isTensor(y) && y.size === count) return { x, y: Float64Array.from(await y.data()) };
    if (isTensor(y) && y.size === 1) return { x, y: new Float64Array(count).fill(Number(await y.item())) };
    if (isTensor(y)) throw new TypeError(`${what}: the function of ${count} points gives [${y.shape.join(",")}] rather than a value for each`);
  } catch (error) {
    failure = error;
  }
  const few = Math.min(count, SINGLE);
  const places = Float64Array.from({ length: few }, (_, i) => place(from, to, i, few, log));
  try {
    const values = await Promise.all(Array.from(places, (each) => scalar(what, fn(each))));
    return { x: places, y: Float64Array.from(values) };
  } catch (error) {
    throw failure ?? error;
  }
}

const tensorOf = (x: Float64Array) => tidy(() => linspace(Math.log(x[0]!), Math.log(x.at(-1)!), x.length).exp());

export async function scalar(what: string, given: unknown): Promise<number> {
  const value = await given;
  if (isTensor(value) && value.size === 1) return value.item();
  if (typeof value === "number") return value;
  throw new TypeError(`${what}: a function must give a number or a tensor for each x, not ${value === null ? "null" : typeof value}`);
}
