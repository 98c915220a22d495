// Kernels as plain JavaScript: what stands for tensors and outputs while the user's own function
// runs on the page's thread, where breakpoints and console.log work.

import { KernelError } from "./errors.js";
import type { KernelDType } from "./ir.js";

/** What a load beyond the edge yields: by name, or this value. */
export type PlainEdge = "clamp" | "wrap" | "mirror" | "zero" | number;

interface LoadOptions {
  edge?: PlainEdge;
  filter?: "linear" | "cubic";
}

/** A tensor as the function reads it. */
export function plainTensor(name: string, shape: readonly number[], data: ArrayLike<number>, edge: PlainEdge) {
  const read = (places: readonly number[], beyond: PlainEdge): number => {
    let flat = 0;
    for (let axis = 0; axis < shape.length; axis++) {
      const extent = shape[axis] as number;
      const place = inside(places[axis] as number, extent, beyond);
      if (place === null) return typeof beyond === "number" ? beyond : 0;
      flat = flat * extent + place;
    }
    return Number(data[flat]);
  };
  const split = (args: readonly unknown[], what: string): [number[], LoadOptions] => {
    const last = args.at(-1);
    const options = typeof last === "object" && last !== null ? (last as LoadOptions) : {};
    const places = (options === last ? args.slice(0, -1) : args) as number[];
    if (places.length !== shape.length) throw new RangeError(`${name} has ${shape.length} axes, and ${what} takes an index for each: this has ${places.length}`);
    return [places, options];
  };
  return {
    shape,
    ndim: shape.length,
    length: shape[0] ?? 1,
    size: shape.reduce((a, b) => a * b, 1),
    at(...args: unknown[]): number {
      const [places, options] = split(args, "at");
      const wrong = places.find((place) => !Number.isInteger(place));
      if (wrong !== undefined) throw new RangeError(`${name}.at takes whole numbers, and this is ${wrong}`);
      return read(places, options.edge ?? edge);
    },
    sample(...args: unknown[]): number {
      const [places, options] = split(args, "sample");
      return between(places, [], options.filter === "cubic", (at) => read(at, options.edge ?? edge));
    },
  };
}

function inside(place: number, extent: number, edge: PlainEdge): number | null {
  if (edge === "wrap") return ((place % extent) + extent) % extent;
  if (edge === "mirror") {
    const period = Math.max(2 * extent - 2, 1);
    const folded = ((place % period) + period) % period;
    return folded < extent ? folded : period - folded;
  }
  if (edge === "clamp") return Math.min(Math.max(place, 0), extent - 1);
  return place >= 0 && place < extent ? place : null;
}

function between(places: readonly number[], before: readonly number[], isCubic: boolean, read: (at: readonly number[]) => number): number {
  const [place, ...rest] = places;
  if (place === undefined) return read(before);
  const base = Math.floor(place);
  const t = place - base;
  const weights = isCubic
    ? [((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t, (0.5 * t - 0.5) * t * t]
    : [1 - t, t];
  const first = isCubic ? -1 : 0;
  return weights.reduce((sum, weight, n) => sum + weight * between(rest, [...before, base + first + n], isCubic, read), 0);
}

/** An output as the function stores to it: into `data`. */
export function plainOutput(name: string, dtype: KernelDType, shape: readonly number[], data: number[]) {
  const held = (value: number) => (dtype === "f32" ? Math.fround(value) : dtype === "i32" ? value | 0 : dtype === "u32" ? value >>> 0 : Number(value !== 0));
  const store = (combine: (old: number, value: number) => number) => (value: number | readonly number[], ...places: number[]): number => {
    if (Array.isArray(value)) {
      (value as readonly number[]).forEach((element, n) => store(combine)(element, ...places, n));
      return NaN;
    }
    if (places.length !== shape.length) throw new RangeError(`${name} has ${shape.length} axes: a store takes a value and an index for each`);
    if (places.some((place, axis) => place < 0 || place >= (shape[axis] as number))) return 0;
    const flat = places.reduce((sum, place, axis) => sum * (shape[axis] as number) + place, 0);
    const old = data[flat] as number;
    data[flat] = held(combine(old, held(value as number)));
    return old;
  };
  return {
    shape,
    ndim: shape.length,
    length: shape[0] ?? 1,
    size: shape.reduce((a, b) => a * b, 1),
    set: store((_, value) => value),
    add: store((old, value) => old + value),
    min: store(Math.min),
    max: store(Math.max),
    and: store((old, value) => old & value),
    or: store((old, value) => old | value),
    xor: store((old, value) => old ^ value),
  };
}

/**
 * Prints values: in a kernel a line with the invocation's index, which the console shows when the
 * call has run; outside, `console.log`. The lines of a kernel's call are few: the first 200 by the
 * invocations' order, of those that the device kept.
 *
 * @example
 * const double = kernel((x, i) => { if (x.at(i) > 2) print("large", x.at(i)); return x.at(i) * 2; });
 * double([1, 3]); // [2,6]
 */
export function print(...values: unknown[]): void {
  console.log(...values);
}

/**
 * Checks a condition: in a kernel the first invocation in which it does not hold is reported when
 * the call has run; outside it throws a `KernelError`.
 *
 * @example
 * const root = kernel((x, i) => { assert(x.at(i) >= 0, "no negative numbers"); return Math.sqrt(x.at(i)); });
 * root([4, 9]); // [2,3]
 */
export function assert(condition: unknown, text = "a condition does not hold"): void {
  if (!condition) throw new KernelError("assert", text, 1, 1);
}
