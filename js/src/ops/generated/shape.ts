// Reshaping, permuting, repeating, padding and slicing.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/shape.rs`: change that.

import type { Axes, Shape } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * The same elements in row-major order under another shape; one extent may be −1 and is worked
 * out. Throws `ShapeError`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * reshape([1, 2, 3, 4], [2, -1]); // [[1,2],[3,4]]
 */
export const reshape: (x: Operand, shape: Shape) => Tensor = operation("reshape", kind.tensor, kind.reshape);

/**
 * The axes from `start` to `end`, both among them, as one: all of them by default. Throws
 * `AxisError`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * flatten([[1, 2], [3, 4]]); // [1,2,3,4]
 * flatten(zeros([2, 3, 4]), 1).shape; // [2,12]
 */
export const flatten: (x: Operand, start?: number | null, end?: number | null) => Tensor = operation("flatten", kind.tensor, kind.position, kind.position);

/**
 * Output axis i is input axis `axes[i]`. Throws `AxisError` unless `axes` is a permutation.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * permute(zeros([2, 3, 4]), [2, 0, 1]).shape; // [4,2,3]
 */
export const permute: (x: Operand, axes: readonly number[]) => Tensor = operation("permute", kind.tensor, kind.order);

/**
 * Two axes exchanged.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * swapAxes(zeros([2, 3, 4]), 0, -1).shape; // [4,3,2]
 */
export const swapAxes: (x: Operand, a: number, b: number) => Tensor = operation("swapAxes", kind.tensor, kind.axis, kind.axis);

/**
 * The last two axes exchanged.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
 */
export const matrixTranspose: Unary = operation("matrixTranspose", kind.tensor);

/**
 * Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws
 * `ShapeError` when that does not fit.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * broadcastTo([1, 2], [2, 2]); // [[1,2],[1,2]]
 */
export const broadcastTo: (x: Operand, shape: Shape) => Tensor = operation("broadcastTo", kind.tensor, kind.extents);

/**
 * A new axis of extent 1 at `axis`, or several at the given positions of the result.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * expandDims([1, 2], -1); // [[1],[2]]
 */
export const expandDims: (x: Operand, axis?: Axes) => Tensor = operation("expandDims", kind.tensor, kind.or(kind.axes, 0));

/**
 * Without the given axes of extent 1, or without all such.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * squeeze([[[1, 2]]]); // [1,2]
 */
export const squeeze: (x: Operand, axis?: Axes) => Tensor = operation("squeeze", kind.tensor, kind.axes);

/**
 * With at least one axis.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * atLeast1d(3); // [3]
 */
export const atLeast1d: Unary = operation("atLeast1d", kind.tensor);

/**
 * With at least two axes; a vector is a row.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * atLeast2d([1, 2]); // [[1,2]]
 */
export const atLeast2d: Unary = operation("atLeast2d", kind.tensor);

/**
 * With at least three axes, as NumPy's: a vector lies along the second, a matrix along the
 * first two.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * atLeast3d([1, 2]); // [[[1],[2]]]
 */
export const atLeast3d: Unary = operation("atLeast3d", kind.tensor);

/**
 * Reversed along the given axes, or all.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * flip([[1, 2], [3, 4]], 1); // [[2,1],[4,3]]
 */
export const flip: (x: Operand, axis?: Axes) => Tensor = operation("flip", kind.tensor, kind.axes);

/**
 * The rows in the opposite order.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * flipud([[1, 2], [3, 4]]); // [[3,4],[1,2]]
 */
export const flipud: Unary = operation("flipud", kind.tensor);

/**
 * The columns in the opposite order.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * fliplr([[1, 2], [3, 4]]); // [[2,1],[4,3]]
 */
export const fliplr: Unary = operation("fliplr", kind.tensor);

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
 * Elements moved along the given axes, or of the flattened tensor; those that leave at one end
 * come in at the other. One shift serves all axes, or each has its own; they may be a tensor
 * of integers. Throws `ShapeError` for another number of shifts.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * roll([1, 2, 3], 1); // [3,1,2]
 * roll([[1, 2], [3, 4]], -1, 0); // [[3,4],[1,2]]
 * roll([[1, 2], [3, 4]], [1, 1], [0, 1]); // [[4,3],[2,1]]
 */
export const roll: (x: Operand, shift: number | readonly number[] | Tensor, axis?: Axes) => Tensor = operation("roll", kind.tensor, kind.shifts("the shift"), kind.axes);

/**
 * The whole repeated along each axis, or along the last one; where there are more numbers than
 * axes, along new axes in front.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * tile([1, 2], 2); // [1,2,1,2]
 * tile([1, 2], [2, 1]); // [[1,2],[1,2]]
 */
export const tile: (x: Operand, times: number | readonly number[]) => Tensor = operation("tile", kind.tensor, kind.counts("the times"));

/**
 * An axis moved to another place, or several to as many places, the others in their order.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * moveAxis(zeros([2, 3, 4]), 0, -1).shape; // [3,4,2]
 * moveAxis(zeros([2, 3, 4]), [0, 1], [-1, 0]).shape; // [3,4,2]
 */
export const moveAxis: (x: Operand, from: number | readonly number[], to: number | readonly number[]) => Tensor = operation("moveAxis", kind.tensor, kind.places, kind.places);

/**
 * The elements on and below a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
 * right. Throws `ShapeError` below two axes.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * tril([[1, 2], [3, 4]]); // [[1,0],[3,4]]
 */
export const tril: (x: Operand, diagonal?: number) => Tensor = operation("tril", kind.tensor, kind.or(kind.whole("the diagonal"), 0));

/**
 * The elements on and above a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
 * right. Throws `ShapeError` below two axes.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * triu([[1, 2], [3, 4]]); // [[1,2],[0,4]]
 */
export const triu: (x: Operand, diagonal?: number) => Tensor = operation("triu", kind.tensor, kind.or(kind.whole("the diagonal"), 0));

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
 * A vector along the diagonal of a matrix otherwise 0, or the diagonal of a matrix; `offset`
 * moves it to the right.
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

/**
 * The windows that slide along some axes, or all: their positions are along those axes, and
 * their elements along new last axes, as `numpy.lib.stride_tricks.sliding_window_view`. Throws
 * `ShapeError` for a window longer than its axis.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * slidingWindowView([1, 2, 3, 4], 3); // [[1,2,3],[2,3,4]]
 */
export const slidingWindowView: (x: Operand, window: number | readonly number[], axis?: Axes) => Tensor = operation("slidingWindowView", kind.tensor, kind.counts("the window"), kind.axes);
