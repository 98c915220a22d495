// What repeats elements, moves and turns them and picks diagonals?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/copies.rs`: change that.

import type { Axes } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The whole repeated along each axis, or along the last one; where there are more numbers than axes, along new axes in front.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * tile([1, 2], 2); // [1,2,1,2]
 * tile([1, 2], [2, 1]); // [[1,2],[1,2]]
 */
export const tile: (x: Operand, times: number | readonly number[]) => Tensor = operation("tile", kind.tensor, kind.counts("the times"));

/**
 * Elements moved along the given axes, or of the flattened tensor; those that leave at one end come in at the other. One shift serves all axes, or
 * each has its own. Throws `ShapeError` for another number of shifts.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * roll([1, 2, 3], 1); // [3,1,2]
 * roll([[1, 2], [3, 4]], -1, 0); // [[3,4],[1,2]]
 * roll([[1, 2], [3, 4]], [1, 1], [0, 1]); // [[4,3],[2,1]]
 */
export const roll: (x: Operand, shift: number | readonly number[], axis?: Axes) => Tensor = operation("roll", kind.tensor, kind.wholes("the shift"), kind.axes);

/**
 * Turned by quarter turns in the plane of two axes, from the first towards the second.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * rot90([[1, 2], [3, 4]]); // [[2,4],[1,3]]
 */
export const rot90: (x: Operand, times?: number, from?: number, to?: number) => Tensor = operation("rot90", kind.tensor, kind.or(kind.whole("the times"), 1), kind.or(kind.axis, 0), kind.or(kind.axis, 1));

/**
 * The diagonal of the matrices of two axes, as a last axis; `offset` moves it to the right.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * diagonal([[1, 2], [3, 4]]); // [1,4]
 */
export const diagonal: (x: Operand, offset?: number, a?: number, b?: number) => Tensor = operation("diagonal", kind.tensor, kind.or(kind.whole("the offset"), 0), kind.or(kind.axis, 0), kind.or(kind.axis, 1));

/**
 * A vector along the diagonal of a matrix otherwise 0, or the diagonal of a matrix; `offset` moves it to the right.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * diag([1, 2]); // [[1,0],[0,2]]
 * diag([[1, 2], [3, 4]], 1); // [2]
 */
export const diag: (x: Operand, offset?: number) => Tensor = operation("diag", kind.tensor, kind.or(kind.whole("the offset"), 0));

/**
 * The sum of the diagonal of the matrices of two axes; `offset` moves it to the right.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * trace([[1, 2], [3, 4]]); // 5
 */
export const trace: (x: Operand, offset?: number, a?: number, b?: number) => Tensor = operation("trace", kind.tensor, kind.or(kind.whole("the offset"), 0), kind.or(kind.axis, 0), kind.or(kind.axis, 1));
