// The largest elements, and the unique ones: functions that give several tensors.

import { axisOf, countOf, noMore, optionsOf } from "../core/check/check.js";
import { aboveResults } from "../core/check/elsewhere.js";
import { register } from "../core/wasm/core.js";
import { sizeOf } from "../core/tensor/shape.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { counted } from "./sized.js";
import { greater, where } from "./generated/compare.js";
import { take } from "./indexing.js";
import { composed, lifted } from "./lift.js";
import { invoke, invokeAll } from "./operation.js";
import { slice } from "./shape.js";
import { uniqueCount } from "./generated/sort.js";

const largest = register("topK");

/**
 * The `k` largest elements of each line of an axis, the largest first, and their positions as i32.
 * Of equal ones the first comes first; NaN counts as the largest. Throws `ValueError` when there
 * are fewer.
 *
 * Takes any dtype; gives values same, indices i32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [values, positions] = topK([3, 1, 4, 1, 5], 2);
 * values; // [5,4]
 * positions; // [4,2]
 */
export function topK(x: Operand, k: number, axis = -1): [values: Tensor, indices: Tensor] {
  const count = countOf("topK", "the number of elements", k);
  const along = axisOf("topK", axis);
  noMore("topK", arguments, 3);
  const above = aboveResults("topK", "values, indices");
  return Object.setPrototypeOf(invokeAll(largest, (call) => call.tensor(x).put(count, along)), above) as [Tensor, Tensor];
}

/**
 * What the different elements of a tensor are.
 *
 * @example
 * const found: Unique = uniqueWithSize([2, 1, 2], 2);
 * found.counts; // [1,2]
 */
export interface Unique {
  /** The different elements in ascending order, NaN once and last. */
  values: Tensor;
  /** The first position of each in the flattened tensor, as i32. */
  indices: Tensor;
  /** Which of them each element is, as i32, in the shape of the tensor. */
  inverse: Tensor;
  /** How often each occurs, as i32. */
  counts: Tensor;
}

/**
 * What unique elements are of.
 *
 * @example
 * const options: UniqueOptions = { axis: 0 };
 * uniqueWithSize([[1, 2], [1, 2]], 1, options).values; // [[1,2]]
 */
export interface UniqueOptions {
  /** The axis whose slices are compared as wholes, as rows by axis 0: `indices`, `inverse` and
   * `counts` are then vectors. By default the elements of the flattened tensor are. */
  axis?: number | null;
}

const parts = {
  values: register("unique.values"),
  indices: register("unique.indices"),
  inverse: register("unique.inverse"),
  counts: register("unique.counts"),
};

const slices = register("unique.slices");

/** How to make the parts: of elements, or of numbers that stand for slices. */
function partsOf(op: string, x: Operand, options: UniqueOptions): { of: Tensor; part: (name: keyof Unique, size: number) => Tensor; axis: number } {
  const { axis } = optionsOf(op, options, { axis: null as number | null });
  const all = lifted(op, x);
  const along = axis === null ? 0 : axisOf(op, axis);
  const of = axis === null ? all : invoke(slices, (call) => call.tensor(all).put(along));
  const part = (name: keyof Unique, size: number): Tensor => {
    if (axis === null || name !== "values") return invoke(parts[name], (call) => call.tensor(of).put(size));
    // Behind the last slice the first is repeated, whose index is not 0.
    const first = part("indices", size);
    return take(all, where(greater(part("counts", size), 0), first, slice(first, [0, 1])), along);
  };
  return { of, part, axis: along < 0 ? along + all.ndim : along };
}

/**
 * The different elements of the flattened tensor, or slices of an axis, in `size` places, without a
 * read: behind them the first is repeated, with a count and an index of 0, and what there is no
 * place for is left out. `uniqueAll` waits for how many there are. Throws `ShapeError` where there
 * is nothing to fill places with.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * uniqueWithSize([2, 1, 2], 3).values; // [1,2,1]
 */
export function uniqueWithSize(x: Operand, size: number, options: UniqueOptions = {}): Unique {
  const op = "uniqueWithSize";
  const places = countOf(op, "the number of places", size);
  noMore(op, arguments, 3);
  return composed(op, () => {
    const { part } = partsOf(op, x, options);
    return { values: part("values", places), indices: part("indices", places), inverse: part("inverse", places), counts: part("counts", places) };
  });
}

/** The parts of these names, as long as there are different elements. */
function found<Name extends keyof Unique>(op: string, x: Operand, options: UniqueOptions, ...names: Name[]): Promise<Record<Name, Tensor>> {
  let along = 0;
  const find = () => {
    const { of, part, axis } = partsOf(op, x, options);
    along = axis;
    const entries = names.map((name) => [name, part(name, sizeOf(of.shape))] as const);
    return { count: uniqueCount(of), found: Object.fromEntries(entries) as Record<Name, Tensor> };
  };
  return counted(op, find, ["inverse" as Name], (name) => (name === "values" ? along : 0));
}

/**
 * The different elements of the flattened tensor in ascending order, or the different slices of an
 * axis, in the order of their elements. How many there are is data: asynchronous, and not in `jit`,
 * where `uniqueWithSize` is.
 *
 * @example
 * await uniqueValues([2, 1, 2]); // [1,2]
 * await uniqueValues([[2, 0], [1, 9], [2, 0]], { axis: 0 }); // [[1,9],[2,0]]
 */
export async function uniqueValues(x: Operand, options: UniqueOptions = {}): Promise<Tensor> {
  noMore("uniqueValues", arguments, 2);
  return (await found("uniqueValues", x, options, "values")).values;
}

/**
 * The different elements, and how often each occurs.
 *
 * @example
 * (await uniqueCounts([2, 1, 2])).counts; // [1,2]
 */
export async function uniqueCounts(x: Operand, options: UniqueOptions = {}): Promise<Pick<Unique, "values" | "counts">> {
  noMore("uniqueCounts", arguments, 2);
  return found("uniqueCounts", x, options, "values", "counts");
}

/**
 * The different elements, and which of them each element is.
 *
 * @example
 * (await uniqueInverse([2, 1, 2])).inverse; // [1,0,1]
 */
export async function uniqueInverse(x: Operand, options: UniqueOptions = {}): Promise<Pick<Unique, "values" | "inverse">> {
  noMore("uniqueInverse", arguments, 2);
  return found("uniqueInverse", x, options, "values", "inverse");
}

/**
 * The different elements, where each first occurs, which of them each element is, and how often
 * each occurs.
 *
 * @example
 * (await uniqueAll([2, 1, 2])).indices; // [1,0]
 */
export async function uniqueAll(x: Operand, options: UniqueOptions = {}): Promise<Unique> {
  noMore("uniqueAll", arguments, 2);
  return found("uniqueAll", x, options, "values", "indices", "inverse", "counts");
}
