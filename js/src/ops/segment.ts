// Segment reductions: rows grouped by a number each.

import { countOf, noMore } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import type { Indices } from "./indexing.js";
import { numbered, putIndices } from "./lift.js";
import { invoke } from "./operation.js";

/** Calls a reduction of segments. */
function segments(opcode: OpCode, x: Operand, ids: Indices, count: number): Tensor {
  const most = countOf(opcode.name, "the number of segments", count);
  return invoke(opcode, (call) => putIndices(call.tensor(x), ids, numbered("segment")).put(most));
}

/**
 * The sums of the rows, along the first axis, of each of `count` segments; `ids` names the segment
 * of each row, in any order. Rows of segments that there are not, as of −1, are left out; the sum
 * of none is 0. Bools count as 0 and 1. Throws `ShapeError` unless there is one id for each row.
 *
 * Takes any dtype, then i32, u32; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * segmentSum([1, 2, 3, 4], [0, 2, 0, -1], 3); // [4,0,2]
 */
export function segmentSum(x: Operand, ids: Indices, count: number): Tensor {
  noMore("segmentSum", arguments, 3);
  return segments(sums, x, ids, count);
}

/**
 * The means of the rows of each segment, as `segmentSum` names them; NaN for a segment without
 * rows.
 *
 * Takes any dtype, then i32, u32; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * segmentMean([1, 2, 3, 4], [0, 2, 0, -1], 3); // [2,NaN,2]
 */
export function segmentMean(x: Operand, ids: Indices, count: number): Tensor {
  noMore("segmentMean", arguments, 3);
  return segments(means, x, ids, count);
}

/**
 * The largest of the rows of each segment, as `segmentSum` names them; −∞, or the least of an
 * integer dtype, for a segment without rows.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * segmentMax([1, 2, 3, 4], [0, 1, 0, -1], 3); // [3,2,-Infinity]
 */
export function segmentMax(x: Operand, ids: Indices, count: number): Tensor {
  noMore("segmentMax", arguments, 3);
  return segments(largest, x, ids, count);
}

/**
 * The smallest of the rows of each segment, as `segmentSum` names them; ∞, or the greatest of an
 * integer dtype, for a segment without rows.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * segmentMin([1, 2, 3, 4], [0, 1, 0, -1], 3); // [1,2,Infinity]
 */
export function segmentMin(x: Operand, ids: Indices, count: number): Tensor {
  noMore("segmentMin", arguments, 3);
  return segments(smallest, x, ids, count);
}

const sums = register("segmentSum");
const means = register("segmentMean");
const largest = register("segmentMax");
const smallest = register("segmentMin");
