// Views with arguments of several forms: ranges, pairs, a number or a list.

import { axisOf, countOf, isArray, listOf, noMore, numberOf, optionsOf, shown, type Shape } from "../core/check/check.js";
import { core, register } from "../core/wasm/core.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { AxisError, DTypeError, ShapeError, ValueError } from "../core/errors.js";
import type { Indices } from "./indexing.js";
import { position, tensor, text } from "./kinds.js";
import { concat } from "./generated/join.js";
import { checkIndices, composed, lend, lifted, numbered, putIndices } from "./lift.js";
import { invoke, operation, type Call } from "./operation.js";
import { broadcastTo, permute } from "./generated/shape.js";

const reversed = operation("transpose", tensor);

/**
 * The axes in reverse order, which transposes a matrix; or permuted by `axes`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * transpose([[1, 2], [3, 4]]); // [[1,3],[2,4]]
 */
export function transpose(x: Operand, axes?: readonly number[]): Tensor {
  noMore("transpose", arguments, 2);
  if (axes === undefined) return reversed(x);
  return permute(x, listOf("transpose", "a list of all axes in their new order; swapAxes exchanges two", axes) as readonly number[]);
}

/**
 * PyTorch's name for `broadcastTo`.
 *
 * @example
 * expand([[1], [2]], [2, 2]); // [[1,1],[2,2]]
 */
export function expand(x: Operand, shape: Shape): Tensor {
  noMore("expand", arguments, 2);
  return broadcastTo(x, shape);
}

/**
 * What `slice` takes along one axis: `null` for all of it; a number for one position, which drops
 * the axis; or `[start, stop, step]` as in Python: `stop` and `step` may be left out or null,
 * negatives count from the end, and a negative step goes backwards.
 *
 * @example
 * const everyOther: Range = [null, null, 2];
 * arange(5).slice(everyOther); // [0,2,4]
 */
export type Range = null | number | readonly [start?: number | null, stop?: number | null, step?: number | null];

const sliced = register("slice");

/** Kinds of ranges in the core's form, and a stop or start that was left out. */
const ALL = 0;
const INDEX = 1;
const SPAN = 2;
const OPEN = -0x8000_0000;

/**
 * A part of a tensor: one range per axis from the first; axes without one are taken whole. Starts
 * are run-time values, so a moving slice compiles once. Throws `AxisError` for too many ranges,
 * `ValueError` for a position out of range.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * slice([[1, 2, 3], [4, 5, 6]], 0); // [1,2,3]
 * arange(6).slice([1, -1]); // [1,2,3,4]
 */
export function slice(x: Operand, ...ranges: Range[]): Tensor {
  return invoke(sliced, (call) => {
    call.tensor(x).put(4 * ranges.length);
    for (let axis = 0; axis < ranges.length; axis++) putRange(call, ranges[axis] as Range, axis);
  });
}

/** Puts a range in the core's form: kind, start, stop, step. */
function putRange(call: Call, range: Range, axis: number): Call {
  if (range === null || range === undefined) return call.put(ALL, 0, 0, 1);
  if (typeof range === "number") return call.put(INDEX, whole(range, axis), 0, 1);
  if (!isArray(range) || range.length > 3) {
    const got = isArray(range) ? `a list of ${range.length}` : shown(range);
    const hint = range instanceof Tensor ? "; at(…).get() and take choose by indices" : "";
    throw new ValueError("slice", `axis ${axis}: expected null, a number or [start, stop, step], got ${got}${hint}`);
  }
  const [start, stop, step] = range as readonly (number | null | undefined)[];
  return call.put(SPAN, whole(start ?? OPEN, axis), whole(stop ?? OPEN, axis), whole(step ?? 1, axis));
}

function whole(number: number, axis: number): number {
  if (Number.isInteger(number)) return Math.max(OPEN, Math.min(0x7fff_ffff, number));
  throw new ValueError("slice", `axis ${axis}: ${shown(number)} is not a whole number`);
}

const differences = register("diff");

/**
 * What stands around what differences are taken of.
 *
 * @example
 * const options: DiffOptions = { prepend: 0 };
 * diff([1, 4, 9], 1, 0, options); // [1,3,5]
 */
export interface DiffOptions {
  /** What comes before it along the axis: as much as one wants, or a number, which is one place
   * everywhere. */
  prepend?: Operand;
  /** What comes behind it. */
  append?: Operand;
}

/**
 * The difference of each element and the one before it along an axis, `times` times; of bools,
 * whether they differ. Throws `AxisError`, and `ShapeError` for ends that do not fit.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * diff([1, 4, 9, 16]); // [3,5,7]
 * diff([1, 4, 9, 16], 2); // [2,2]
 */
export function diff(x: Operand, times = 1, axis = -1, options: DiffOptions = {}): Tensor {
  const op = "diff";
  noMore(op, [...arguments], 4);
  const { prepend, append } = optionsOf<{ prepend: Operand | null; append: Operand | null }>(op, options, { prepend: null, append: null });
  const taken = (x: Operand) => invoke(differences, (call) => call.tensor(x).put(countOf(op, "the times", times), axisOf(op, axis)));
  if (prepend === null && append === null) return taken(x);
  // As NumPy has it: of no differences there are no ends either.
  if (times === 0) return taken(x);
  return composed(op, () => {
    const given = lifted(op, x);
    const place = axis < 0 ? axis + given.ndim : axis;
    const edge = (of: Operand | null): Tensor[] => {
      if (of === null) return [];
      const made = lifted(op, of, of instanceof Tensor ? undefined : given.dtype);
      return [made.ndim === 0 ? broadcastTo(made, given.shape.map((extent, n) => (n === place ? 1 : extent))) : made];
    };
    return taken(concat([...edge(prepend), given, ...edge(append)], axis));
  });
}

const [repeated, repeatedBy] = [register("repeat"), register("repeat.by")];

/**
 * How `repeat` counts.
 *
 * @example
 * const counts = tensor([1, 2], { dtype: "i32" }).add(0);
 * const options: RepeatOptions = { length: 3 };
 * repeat([5, 7], counts, null, options); // [5,7,7]
 */
export interface RepeatOptions {
  /** How many elements come of it: those beyond are left out, and the last one fills up what is
   * missing. By default as many as the numbers say, which must be known then. */
  length?: number | null;
}

/**
 * Each element repeated along an axis, or of the flattened tensor: all as often, or each as often
 * as a list says. A tensor of integers whose values are not `known` takes a `length`, for the shape
 * would depend on data. Throws `ShapeError` for a list of another length.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * repeat([1, 2], 2); // [1,1,2,2]
 * repeat([1, 2, 3], [2, 0, 1]); // [1,1,3]
 */
export function repeat(x: Operand, times: Indices, axis: number | null = null, options: RepeatOptions = {}): Tensor {
  const op = "repeat";
  noMore(op, arguments, 4);
  const { length } = optionsOf(op, options, { length: null as number | null });
  if (length !== null) return invoke({ ...repeatedBy, name: op }, (call) => position(putIndices(call.tensor(x), times, numbered("number")).put(countOf(op, "the length", length)), axis));
  if (times instanceof Tensor && times.dtype !== "i32" && times.dtype !== "u32") throw new DTypeError(op, `the counts must be integers, got ${times.dtype}`);
  if (times instanceof Tensor && times.known === null) throw new ValueError(op, "the counts are not known before the device has computed them: give { length }, the number of elements of the result");
  return invoke(repeated, (call) => {
    call.tensor(x);
    const given = checkIndices(op, times, { what: "number of times", least: 0, below: 2 ** 31 }) ?? { shape: (times as Tensor).shape, values: (times as Tensor).known as ArrayLike<number> };
    if (given.shape.length > 1) throw new ShapeError(op, `the counts must be a number or a list, got [${given.shape.join(",")}]`);
    position(call.list(Array.from(given.values as ArrayLike<number>)), axis);
  });
}

const [padded, continued] = [register("pad"), register("pad.border")];

/**
 * How a tensor goes on beyond its ends: with the element there, backwards from the one beside it,
 * backwards from it, or from the other end; with what the elements along the axis have for their
 * largest, smallest, mean or median; or in a straight line to 0.
 *
 * @example
 * const border: Border = "reflect";
 * pad([1, 2, 3], 2, border); // [3,2,1,2,3,2,1]
 */
export type Border = "edge" | "reflect" | "symmetric" | "wrap" | "maximum" | "minimum" | "mean" | "median" | "linear_ramp";

/**
 * Elements added before and after each axis, filled with `value`, or as a border says: a pair of
 * widths for every axis, one pair for all, or one width for all ends. Throws `ShapeError` when
 * there are not as many pairs as axes.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * pad([1, 2], 1); // [0,1,2,0]
 * pad([[1]], [[0, 0], [1, 2]], 9); // [[9,1,9,9]]
 * pad([1, 2], [0, 2]); // [1,2,0,0]
 * pad([1, 2, 3], 1, "edge"); // [1,1,2,3,3]
 */
export function pad(x: Operand, widths: number | readonly [number, number] | readonly (readonly [number, number])[], value: number | Border = 0): Tensor {
  noMore("pad", arguments, 3);
  const isBorder = typeof value === "string";
  const filling = isBorder ? 0 : numberOf("pad", "the value, a number or the name of a border,", value);
  const list = typeof widths === "number" ? [[widths, widths]] : listOf("pad", "a width or a list of pairs", widths);
  const pairs = (typeof list[0] === "number" ? [list] : list).map(pairOf);
  const fill = (call: Call) => {
    call.tensor(x);
    const rank = x instanceof Tensor ? x.ndim : core().shape(call.numbers[0] as number).length;
    call.list((pairs.length === 1 ? new Array<readonly number[]>(rank).fill(pairs[0] as readonly number[]) : pairs).flat());
    if (isBorder) text("the mode")(call, value);
    else call.put(filling);
  };
  return isBorder ? composed("pad", () => invoke(continued, fill)) : invoke(padded, fill);
}

function pairOf(pair: unknown): readonly number[] {
  if (isArray(pair) && pair.length === 2) return pair.map((width) => countOf("pad", "a width", width));
  throw new ValueError("pad", `widths come in pairs [before, after], got ${isArray(pair) ? `a list of ${pair.length}` : shown(pair)}`);
}

/**
 * Cut along an axis: into as many equal parts as a number says, or into parts of the given lengths.
 *
 * @example
 * const [left, right] = split([1, 2, 3], [1, 2]);
 * right; // [2,3]
 */
export function split(x: Operand, parts: number | readonly number[], axis = 0): Tensor[] {
  noMore("split", arguments, 3);
  const along = axisOf("split", axis);
  return lend("split", [x], (handle) => {
    const shape = Array.from(core().shape(handle));
    const extent = shape[along < 0 ? along + shape.length : along];
    if (extent === undefined) throw new AxisError("split", `axis ${along} is out of range for [${shape.join(",")}]`);
    const lengths = typeof parts === "number" ? equalParts(extent, parts) : listOf("split", "a number of parts or a list of lengths", parts);
    const words = Uint32Array.from(Array.from(lengths), (length) => countOf("split", "a length", length));
    return Array.from(core().split(handle, words, along), (part) => Tensor.adopt(part));
  });
}

function equalParts(extent: number, parts: number): number[] {
  if (Number.isInteger(parts) && parts > 0 && extent % parts === 0) return Array.from({ length: parts }, () => extent / parts);
  throw new ShapeError("split", `an axis of ${extent} does not split into ${parts} equal parts`);
}
