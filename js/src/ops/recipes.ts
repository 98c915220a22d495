// What do numerical recipes take products and sums for?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/recipes.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Binary, CrossAxes, UnwrapOptions } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The sum of products along an axis, broadcast otherwise.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * vecdot([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const vecdot: (a: Operand, b: Operand, axis?: number) => Tensor = operation("vecdot", kind.operand, kind.operand, kind.or(kind.axis, -1));

/**
 * The cross product of the three elements along an axis, or along one of each of the two, broadcast otherwise.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * cross([1, 0, 0], [0, 1, 0]); // [0,0,1]
 * cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
 */
export const cross: (a: Operand, b: Operand, axis?: number, axes?: CrossAxes) => Tensor = operation("cross", kind.operand, kind.operand, kind.or(kind.axis, -1), kind.thirds);

/**
 * Kronecker product: each element of a times the whole of b.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * kron([1, 2], [3, 4]); // [3,4,6,8]
 */
export const kron: Binary = operation("kron", kind.tensor, kind.tensor);

/**
 * A square matrix multiplied by itself so many times, the identity for 0.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * matrixPower([[1, 1], [0, 1]], 3); // [[1,3],[0,1]]
 */
export const matrixPower: (x: Operand, times: number) => Tensor = operation("matrixPower", kind.tensor, kind.count("the times"));

/**
 * Covariances of the rows of a matrix, each a variable, over its columns, each an observation; of a vector its variance. Divided by as many
 * less `correction`. The variables of `y` come behind those of `x`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cov([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
 * cov([1, 2, 3], [3, 2, 1]); // [[1,-1],[-1,1]]
 */
export const cov: (x: Operand, y?: Operand | null, correction?: number) => Tensor = operation("cov", kind.tensor, kind.maybe, kind.or(kind.number("the correction"), 1));

/**
 * Correlations of the rows of a matrix, each a variable, over its columns, each an observation. The variables of `y` come
 * behind those of `x`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * corrcoef([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
 */
export const corrcoef: (x: Operand, y?: Operand | null) => Tensor = operation("corrcoef", kind.tensor, kind.maybe);

/**
 * A polynomial at each x, by its coefficients, that of the highest power first.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * polyval([1, 0, -2], [0, 3]); // [-2,7]
 */
export const polyval: (coefficients: Operand, x: Operand) => Tensor = operation("polyval", kind.tensor, kind.operand);

/**
 * Between the points of a curve the height at each x, by straight lines; beyond them the heights of its ends. The places must ascend.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * interp([0.5, 1.5, 9], [0, 1, 2], [0, 10, 40]); // [5,25,40]
 */
export const interp: (x: Operand, places: Operand, heights: Operand) => Tensor = operation("interp", kind.operand, kind.tensor, kind.tensor);

/**
 * The area under a curve of values along an axis, by trapezoids of the given widths: a number, or one for each step. As many numbers as there are
 * values are their places instead, as NumPy's `x`. A vector lies along the axis, and other tensors broadcast.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * trapezoid([1, 2, 3]); // 4
 * trapezoid([1, 2, 3], [0, 1, 3]); // 6.5
 */
export const trapezoid: (y: Operand, widths?: Operand, axis?: number) => Tensor = operation("trapezoid", kind.tensor, kind.or(kind.operand, 1), kind.or(kind.axis, -1));

/**
 * Angles along an axis without jumps of more than half a turn, or numbers of another period.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * unwrap([3, -3]); // [3,3.2832]
 * unwrap([350, 10], -1, { period: 360 }); // [350,370]
 */
export const unwrap: (x: Operand, axis?: number, options?: UnwrapOptions) => Tensor = operation("unwrap", kind.tensor, kind.or(kind.axis, -1), kind.winding);

/**
 * The distances of all points in rows of `a` from all in rows of `b`, by the norm of an order: `Infinity` for the largest difference, 0 for how many differ. Between points in
 * one place the slope is 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cdist([[0, 0]], [[3, 4], [0, 1]]); // [[5,1]]
 * cdist([[0, 0]], [[3, 4]], 1); // [[7]]
 */
export const cdist: (a: Operand, b: Operand, order?: number) => Tensor = operation("cdist", kind.tensor, kind.tensor, kind.or(kind.number("the order"), 2));

/**
 * The distances of each point in rows of a matrix from those behind it, one after the other.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * pdist([[0, 0], [3, 4], [0, 1]]); // [5,1,4.2426]
 */
export const pdist: (x: Operand, order?: number) => Tensor = operation("pdist", kind.tensor, kind.or(kind.number("the order"), 2));
