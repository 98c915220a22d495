// Union, intersection and differences of sets. The number of results is data, which is read; where
// a number of places is given, nothing is read.

import { countOf, noMore, numberOf } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import { sizeOf } from "../core/tensor/shape.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { keep, tidy } from "../core/tensor/tidy.js";
import { counted } from "./sized.js";
import { take } from "./indexing.js";
import { composed, lifted } from "./lift.js";
import { searchSorted, argsort } from "./generated/sort.js";
import { invoke } from "./operation.js";
import { flatten } from "./generated/shape.js";

/**
 * Members of sets in as many places as were asked for, and how many there are.
 *
 * @example
 * const found: Members = union1dWithSize([2, 1], [3, 2], 4);
 * found.values; // [1,2,3,0]
 * found.count; // 3
 */
export interface Members {
  /** In ascending order, and behind them what was asked for, by default 0; those that there was no
   * place for are left out. */
  values: Tensor;
  /** How many there are, as a 0-d i32. */
  count: Tensor;
}

const [valuesOf, countOfThem] = [register("members.values"), register("members.count")];

/** Members of the kind of this number, in as many places as there may be or as are asked for. */
function members(op: string, which: number, a: Operand, b: Operand, size?: number, fillValue = 0): Members {
  return composed(op, () => {
    const [first, second] = [lifted(op, a), lifted(op, b)];
    const places = size === undefined ? sizeOf(first.shape) + sizeOf(second.shape) : size;
    const of = (opcode: OpCode, ...numbers: number[]) => invoke(opcode, (call) => call.tensor(first).tensor(second).put(which, ...numbers));
    return { values: of(valuesOf, places, fillValue), count: of(countOfThem) };
  });
}

const withSize =
  (op: string, which: number): ((...args: [a: Operand, b: Operand, size: number, fillValue?: number, ...more: unknown[]]) => Members) =>
  (a, b, size, fillValue = 0, ...more) => {
    noMore(op, [a, b, size, fillValue, ...more], 4);
    return members(op, which, a, b, countOf(op, "the number of places", size), numberOf(op, "fillValue", fillValue));
  };

/** As many as there are. */
const awaited =
  (op: string, which: number): ((...args: [a: Operand, b: Operand, ...more: unknown[]]) => Promise<Tensor>) =>
  async (a, b, ...more) => {
    noMore(op, [a, b, ...more], 2);
    const find = () => {
      const { values, count } = members(op, which, a, b);
      return { count, found: { values } };
    };
    return (await counted(op, find)).values;
  };

/**
 * The different elements of both tensors, flattened, in ascending order. How many there are is
 * data: asynchronous, and not in `jit`, where `union1dWithSize` is.
 *
 * @example
 * await union1d([2, 1], [3, 2]); // [1,2,3]
 */
export const union1d: (a: Operand, b: Operand) => Promise<Tensor> = awaited("union1d", 0);

/**
 * The different elements that both tensors have, in ascending order; NaN equals nothing.
 * Asynchronous, as `union1d`.
 *
 * @example
 * await intersect1d([2, 1, 2], [3, 2]); // [2]
 */
export const intersect1d: (a: Operand, b: Operand) => Promise<Tensor> = awaited("intersect1d", 1);

/**
 * `intersect1d`, and where each of them first stands in the first and in the second tensor,
 * flattened, as i32: what NumPy's `return_indices` gives. Asynchronous, as `union1d`.
 *
 * @example
 * const [values, inFirst, inSecond] = await intersect1dIndices([4, 2, 2], [3, 2]);
 * inFirst; // [1]
 * inSecond; // [1]
 */
export async function intersect1dIndices(a: Operand, b: Operand, ...more: unknown[]): Promise<[values: Tensor, inFirst: Tensor, inSecond: Tensor]> {
  const op = "intersect1dIndices";
  noMore(op, [a, b, ...more], 2);
  // What is asked of the arguments is asked before the wait, and outlives the scopes around the
  // call. Of equal elements the first comes first.
  const sorted = composed(op, () =>
    [a, b].map((x) => {
      const flat = flatten(lifted(op, x));
      const order = argsort(flat);
      return [take(flat, order), order] as const;
    }),
  );
  for (const each of sorted) each.forEach(keep);
  try {
    const values = await intersect1d(a, b);
    const [inFirst, inSecond] = sorted.map(([elements, order]) => tidy(() => take(order, searchSorted(elements, values))));
    return [values, inFirst as Tensor, inSecond as Tensor];
  } finally {
    for (const [elements, order] of sorted) {
      elements.dispose();
      order.dispose();
    }
  }
}

/**
 * The different elements of the first tensor that the second has not, in ascending order; NaN
 * equals nothing. Asynchronous, as `union1d`.
 *
 * @example
 * await setdiff1d([2, 1, 4], [3, 2]); // [1,4]
 */
export const setdiff1d: (a: Operand, b: Operand) => Promise<Tensor> = awaited("setdiff1d", 2);

/**
 * The different elements that one tensor has and the other has not, in ascending order; NaN equals
 * nothing. Asynchronous, as `union1d`.
 *
 * @example
 * await setxor1d([2, 1], [3, 2]); // [1,3]
 */
export const setxor1d: (a: Operand, b: Operand) => Promise<Tensor> = awaited("setxor1d", 3);

/**
 * `union1d` with `size` places, which needs no read and so works in `jit`.
 *
 * Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * union1dWithSize([2, 1], [3, 2], 2).values; // [1,2]
 */
export const union1dWithSize: (a: Operand, b: Operand, size: number, fillValue?: number) => Members = withSize("union1dWithSize", 0);

/**
 * `intersect1d` with `size` places, which needs no read and so works in `jit`.
 *
 * Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * intersect1dWithSize([2, 1], [3, 2], 2, -1).values; // [2,-1]
 */
export const intersect1dWithSize: (a: Operand, b: Operand, size: number, fillValue?: number) => Members = withSize("intersect1dWithSize", 1);

/**
 * `setdiff1d` with `size` places, which needs no read and so works in `jit`.
 *
 * Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * setdiff1dWithSize([2, 1], [3, 2], 2).count; // 1
 */
export const setdiff1dWithSize: (a: Operand, b: Operand, size: number, fillValue?: number) => Members = withSize("setdiff1dWithSize", 2);

/**
 * `setxor1d` with `size` places, which needs no read and so works in `jit`.
 *
 * Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * setxor1dWithSize([2, 1], [3, 2], 3).values; // [1,3,0]
 */
export const setxor1dWithSize: (a: Operand, b: Operand, size: number, fillValue?: number) => Members = withSize("setxor1dWithSize", 3);
