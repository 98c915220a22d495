// Cumulative reductions and differences along an axis.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/scan.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { RunningOptions } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * The sum of all elements up to each along an axis, or (null) of all in row-major order, or
 * from each on; without its own if `exclusive`.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumsum([1, 2, 3]); // [1,3,6]
 * cumsum([[1, 2], [3, 4]], null); // [1,3,6,10]
 */
export const cumsum: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cumsum", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The product of all elements up to each along an axis, or (null) of all in row-major order,
 * or from each on; without its own if `exclusive`.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumprod([1, 2, 3]); // [1,2,6]
 */
export const cumprod: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cumprod", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The largest of all elements up to each along an axis, or (null) of all in row-major order,
 * or from each on; without its own if `exclusive`. The gradient goes to the first of equal
 * ones.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * cummax([1, 3, 2]); // [1,3,3]
 */
export const cummax: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cummax", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The smallest of all elements up to each along an axis, or (null) of all in row-major order,
 * or from each on; without its own if `exclusive`. The gradient goes to the first of equal
 * ones.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * cummin([3, 1, 2]); // [3,1,1]
 */
export const cummin: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cummin", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * log Σ eˣ of all elements up to each along an axis, or (null) of all in row-major order, or
 * from each on, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logCumSumExp([0, 0]); // [0,0.69315]
 */
export const logCumSumExp: (x: Operand, axis?: number | null, reverse?: boolean) => Tensor = operation("logCumSumExp", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false));

/**
 * The sum of each element and all before it along an axis; with `includeInitial` after a 0, so
 * that there is one more than there are elements.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumulativeSum([1, 2, 3]); // [1,3,6]
 * cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
 */
export const cumulativeSum: (x: Operand, axis?: number | null, options?: RunningOptions) => Tensor = operation("cumulativeSum", kind.tensor, kind.or(kind.position, -1), kind.options({ includeInitial: false }));

/**
 * The product of each element and all before it along an axis; with `includeInitial` after a
 * 1, so that there is one more than there are elements.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
 */
export const cumulativeProd: (x: Operand, axis?: number | null, options?: RunningOptions) => Tensor = operation("cumulativeProd", kind.tensor, kind.or(kind.position, -1), kind.options({ includeInitial: false }));

/**
 * `cumsum` with 0 for NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nancumsum([1, NaN, 2]); // [1,1,3]
 */
export const nancumsum: (x: Operand, axis?: number | null) => Tensor = operation("nancumsum", kind.tensor, kind.or(kind.position, -1));

/**
 * `cumprod` with 1 for NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nancumprod([2, NaN, 3]); // [2,2,6]
 */
export const nancumprod: (x: Operand, axis?: number | null) => Tensor = operation("nancumprod", kind.tensor, kind.or(kind.position, -1));
