// Which numbers may be extents, counts and axes? The core counts in whole numbers and would cut others short; so they are refused here.

import { AxisError, ShapeError, ValueError } from "../errors.js";
import { shapeText, sizeOf } from "./shape.js";

/** Numbers up to here fit the core. */
const MOST = 2 ** 31 - 1;

/** Extents as the core takes them. Throws `ShapeError` for anything but whole numbers of 0 or more. */
export function extentsOf(op: string, shape: readonly number[]): Uint32Array {
  if (!Array.isArray(shape)) throw new ShapeError(op, `a shape is a list such as [2, 3], got ${String(shape)}`);
  const wrong = (shape as readonly number[]).find((extent) => !isWhole(extent, 0));
  if (wrong !== undefined) throw new ShapeError(op, `${shapeText(shape)}: an extent is a whole number of 0 or more, not ${wrong}`);
  if (sizeOf(shape) > MOST) throw new ShapeError(op, `${shapeText(shape)} has more than 2^31 - 1 elements`);
  return Uint32Array.from(shape);
}

/** A count as the core takes it. Throws `ValueError` for anything but a whole number of `least` or more. */
export function countOf(op: string, what: string, count: number, least = 0): number {
  if (isWhole(count, least)) return count;
  throw new ValueError(op, `${what} must be a whole number of ${least} or more, got ${count}`);
}

/** Throws `ValueError` for anything but a list. */
export function listOf(op: string, what: string, list: unknown): void {
  if (!Array.isArray(list)) throw new ValueError(op, `takes ${what}, got ${list === null ? "null" : typeof list}`);
}

/** An axis as the core takes it: range is for the core to check. Throws `AxisError` for a fraction. */
export function axisOf(op: string, axis: number): number {
  if (isWhole(axis, -MOST)) return axis;
  throw new AxisError(op, `an axis is a whole number, not ${axis}`);
}

/** One axis, several, or (null) all. Negative axes count from the end. */
export type Axes = number | readonly number[] | null;

/** Axes as the core takes them: `undefined` for all. Throws `AxisError` for a fraction. */
export function axesOf(op: string, axes: Axes | undefined): Int32Array | undefined {
  if (axes === null || axes === undefined) return undefined;
  return Int32Array.from(typeof axes === "number" ? [axes] : axes, (axis) => axisOf(op, axis));
}

function isWhole(number: number, least: number): boolean {
  return Number.isInteger(number) && number >= least && number <= MOST;
}
