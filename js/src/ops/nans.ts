// Which reductions leave out what is NaN?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/nans.rs`: change that.

import type { Axes } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import type { ArgReduction, FoldOptions, SumOptions, MeanOptions, VarianceOptions } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * Sum of what is not NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nansum([1, NaN, 2]); // 3
 */
export const nansum: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("nansum", kind.tensor, kind.axes, kind.totalled);

/**
 * Product of what is not NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nanprod([2, NaN, 3]); // 6
 */
export const nanprod: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("nanprod", kind.tensor, kind.axes, kind.totalled);

/**
 * Mean of what is not NaN; NaN where nothing is.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmean([1, NaN, 3]); // 2
 */
export const nanmean: (x: Operand, axis?: Axes, options?: MeanOptions) => Tensor = operation("nanmean", kind.tensor, kind.axes, kind.averaged);

/**
 * The largest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmax([1, NaN, 3]); // 3
 */
export const nanmax: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("nanmax", kind.tensor, kind.axes, kind.fold);

/**
 * The smallest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmin([1, NaN, 3]); // 1
 */
export const nanmin: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("nanmin", kind.tensor, kind.axes, kind.fold);

/**
 * Variance of what is not NaN.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanvar([1, NaN, 3]); // 1
 */
export const nanvar: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("nanvar", kind.tensor, kind.axes, kind.spread);

/**
 * Standard deviation of what is not NaN.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanstd([1, NaN, 5]); // 2
 */
export const nanstd: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("nanstd", kind.tensor, kind.axes, kind.spread);

/**
 * The position of the largest of what is not NaN, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * nanargmax([1, NaN, 3]); // 2
 */
export const nanargmax: ArgReduction = operation("nanargmax", kind.tensor, kind.position, kind.options({ keepdims: false }));

/**
 * The position of the smallest of what is not NaN, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * nanargmin([1, NaN, 3]); // 0
 */
export const nanargmin: ArgReduction = operation("nanargmin", kind.tensor, kind.position, kind.options({ keepdims: false }));
