// The largest elements, and the unique ones: functions that give several tensors.

import { axisOf, countOf, noMore } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import { sizeOf } from "../core/tensor/shape.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { counted } from "./sized.js";
import { lifted } from "./lift.js";
import { invoke, invokeAll } from "./operation.js";
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
  return invokeAll(largest, (call) => call.tensor(x).put(count, along)) as [Tensor, Tensor];
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

const parts = {
  values: register("unique.values"),
  indices: register("unique.indices"),
  inverse: register("unique.inverse"),
  counts: register("unique.counts"),
};

function part(opcode: OpCode, x: Operand, size: number): Tensor {
  return invoke(opcode, (call) => call.tensor(x).put(size));
}

/**
 * The different elements of the flattened tensor in `size` places, without a read: behind them the
 * first is repeated, with a count and an index of 0, and what there is no place for is left out.
 * `uniqueAll` waits for how many there are. Throws `ShapeError` where there is nothing to fill
 * places with.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * uniqueWithSize([2, 1, 2], 3).values; // [1,2,1]
 */
export function uniqueWithSize(x: Operand, size: number): Unique {
  const places = countOf("uniqueWithSize", "the number of places", size);
  noMore("uniqueWithSize", arguments, 2);
  const of = (opcode: OpCode): Tensor => part(opcode, x, places);
  return { values: of(parts.values), indices: of(parts.indices), inverse: of(parts.inverse), counts: of(parts.counts) };
}

/** The parts of these names, as long as there are different elements. */
function found<Name extends keyof Unique>(op: string, x: Operand, ...names: Name[]): Promise<Record<Name, Tensor>> {
  const find = () => {
    const all = lifted(op, x);
    const entries = names.map((name) => [name, part(parts[name], all, sizeOf(all.shape))] as const);
    return { count: uniqueCount(all), found: Object.fromEntries(entries) as Record<Name, Tensor> };
  };
  return counted(op, find, ["inverse" as Name]);
}

/**
 * The different elements of the flattened tensor in ascending order. How many there are is data:
 * asynchronous, and not in `jit`, where `uniqueWithSize` is.
 *
 * @example
 * await uniqueValues([2, 1, 2]); // [1,2]
 */
export async function uniqueValues(x: Operand): Promise<Tensor> {
  noMore("uniqueValues", arguments, 1);
  return (await found("uniqueValues", x, "values")).values;
}

/**
 * The different elements, and how often each occurs.
 *
 * @example
 * (await uniqueCounts([2, 1, 2])).counts; // [1,2]
 */
export async function uniqueCounts(x: Operand): Promise<Pick<Unique, "values" | "counts">> {
  noMore("uniqueCounts", arguments, 1);
  return found("uniqueCounts", x, "values", "counts");
}

/**
 * The different elements, and which of them each element is.
 *
 * @example
 * (await uniqueInverse([2, 1, 2])).inverse; // [1,0,1]
 */
export async function uniqueInverse(x: Operand): Promise<Pick<Unique, "values" | "inverse">> {
  noMore("uniqueInverse", arguments, 1);
  return found("uniqueInverse", x, "values", "inverse");
}

/**
 * The different elements, where each first occurs, which of them each element is, and how often
 * each occurs.
 *
 * @example
 * (await uniqueAll([2, 1, 2])).indices; // [1,0]
 */
export async function uniqueAll(x: Operand): Promise<Unique> {
  noMore("uniqueAll", arguments, 1);
  return found("uniqueAll", x, "values", "indices", "inverse", "counts");
}
