// How are elements arranged anew? Views cost nothing by themselves: whatever reads one reads through it.

import { axesOf, axisOf, countOf, extentsOf, listOf, type Axes } from "../core/check.js";
import { core, register } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { AxisError, ShapeError, ValueError } from "../errors.js";
import { apply, applyUnary } from "./lift.js";

/** A shape in which one extent may be −1, for the core to check. */
function inferable(shape: readonly number[]): Int32Array {
  extentsOf("reshape", Array.isArray(shape) ? shape.map(Math.abs) : shape);
  return Int32Array.from(shape);
}

/** The same elements in row-major order under another shape; one extent may be −1 and is worked out. Throws `ShapeError`. */
export function reshape(x: Operand, shape: readonly number[]): Tensor {
  return apply("reshape", [x], (handle) => core().reshape(handle, inferable(shape)));
}

const flat = register("unary", "flatten");

/** All elements along one axis. */
export function flatten(x: Operand): Tensor {
  return applyUnary(flat, x);
}

/** Output axis i is input axis `axes[i]`. Throws `AxisError` unless `axes` is a permutation. */
export function permute(x: Operand, axes: readonly number[]): Tensor {
  listOf("permute", "a list of axes", axes);
  return apply("permute", [x], (handle) => core().permute(handle, axesOf("permute", axes) as Int32Array));
}

const reversed = register("unary", "transpose");

/** The axes in reverse order, which transposes a matrix; or permuted by `axes`. */
export function transpose(x: Operand, axes?: readonly number[]): Tensor {
  return axes ? permute(x, axes) : applyUnary(reversed, x);
}

/** Two axes exchanged. */
export function swapAxes(x: Operand, a: number, b: number): Tensor {
  return apply("swapAxes", [x], (handle) => core().swap_axes(handle, axisOf("swapAxes", a), axisOf("swapAxes", b)));
}

/** Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws `ShapeError` when that does not fit. */
export function broadcastTo(x: Operand, shape: readonly number[]): Tensor {
  return apply("broadcastTo", [x], (handle) => core().broadcast_to(handle, extentsOf("broadcastTo", shape)));
}

/** PyTorch's name for `broadcastTo`. */
export function expand(x: Operand, shape: readonly number[]): Tensor {
  return broadcastTo(x, shape);
}

/** A new axis of extent 1 at `axis`. */
export function expandDims(x: Operand, axis: number): Tensor {
  return apply("expandDims", [x], (handle) => core().expand_dims(handle, axisOf("expandDims", axis)));
}

/** Without the given axes of extent 1, or without all such. */
export function squeeze(x: Operand, axis: Axes = null): Tensor {
  return apply("squeeze", [x], (handle) => core().squeeze(handle, axesOf("squeeze", axis)));
}

/** Reversed along the given axes, or all. */
export function flip(x: Operand, axis: Axes = null): Tensor {
  return apply("flip", [x], (handle) => core().flip(handle, axesOf("flip", axis)));
}

/**
 * What `slice` takes along one axis: `null` for all of it; a number for one position, which drops the axis; or
 * `[start, stop, step]` as in Python: `stop` and `step` may be left out or null, negatives count from the end, and a
 * negative step goes backwards.
 */
export type Range = null | number | readonly [start?: number | null, stop?: number | null, step?: number | null];

/** Numbers per range in the core's form: kind, start, stop, step. */
const WORDS = 4;
/** Kinds, and a stop or start that was left out. */
const ALL = 0;
const INDEX = 1;
const SPAN = 2;
const OPEN = -0x8000_0000;

/** A part of a tensor: one range per axis from the first; axes without one are taken whole. Starts are run-time values, so a
 * moving slice compiles once. Throws `AxisError` for too many ranges, `ValueError` for a position out of range. */
export function slice(x: Operand, ...ranges: Range[]): Tensor {
  const words = new Int32Array(WORDS * ranges.length);
  ranges.forEach((range, axis) => words.set(rangeWords(range, axis), WORDS * axis));
  return apply("slice", [x], (handle) => core().slice(handle, words));
}

function rangeWords(range: Range, axis: number): readonly number[] {
  if (range === null || range === undefined) return [ALL, 0, 0, 1];
  if (typeof range === "number") return [INDEX, whole(range, axis), 0, 1];
  if (!Array.isArray(range) || range.length > 3) {
    throw new ValueError("slice", `axis ${axis}: expected null, a number or [start, stop, step], got ${String(range)}`);
  }
  const [start, stop, step] = range as readonly (number | null | undefined)[];
  return [SPAN, whole(start ?? OPEN, axis), whole(stop ?? OPEN, axis), whole(step ?? 1, axis)];
}

function whole(number: number, axis: number): number {
  if (Number.isInteger(number)) return Math.max(OPEN, Math.min(0x7fff_ffff, number));
  throw new ValueError("slice", `axis ${axis}: ${number} is not a whole number`);
}

/** Elements added before and after each axis, filled with `value`: one pair for every axis, or one for all. */
export function pad(x: Operand, widths: number | readonly (readonly [number, number])[], value = 0): Tensor {
  if (typeof widths !== "number") listOf("pad", "a width or a list of pairs", widths);
  return apply("pad", [x], (handle) => {
    const rank = core().shape(handle).length;
    const pairs = typeof widths === "number" ? Array.from({ length: rank }, () => [widths, widths] as const) : widths;
    return core().pad(handle, Uint32Array.from(pairs.flat(), (width) => countOf("pad", "a width", width)), value);
  });
}

/** Cut along an axis: into as many equal parts as a number says, or into parts of the given lengths. */
export function split(x: Operand, parts: number | readonly number[], axis = 0): Tensor[] {
  const tensor = x instanceof Tensor ? x : apply("split", [x], (handle) => core().clone(handle));
  const at = axis < 0 ? axis + tensor.ndim : axis;
  const extent = tensor.shape[at];
  if (extent === undefined) throw new AxisError("split", `axis ${axis} is out of range for [${tensor.shape.join(",")}]`);
  if (typeof parts !== "number") listOf("split", "a number of parts or a list of lengths", parts);
  const lengths = typeof parts === "number" ? equalParts(extent, parts) : parts;
  const words = Uint32Array.from(lengths, (length) => countOf("split", "a length", length));
  const handles = core().split(tensor.handle, words, axisOf("split", axis));
  if (tensor !== x) tensor.dispose();
  return Array.from(handles, (handle) => Tensor.adopt(handle));
}

function equalParts(extent: number, parts: number): number[] {
  if (Number.isInteger(parts) && parts > 0 && extent % parts === 0) return Array.from({ length: parts }, () => extent / parts);
  throw new ShapeError("split", `an axis of ${extent} does not split into ${parts} equal parts`);
}
