// Reductions over axes, also of what is not NaN.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/reduce.rs`: change that.

import type { Axes } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { ArgReduction, FoldOptions, PartOptions, ReduceOptions, Reduction, SumOptions, MeanOptions, VarianceOptions } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * Sum; bools count as 0 and 1. With a `dtype` elements are cast to it first.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * sum([[1, 2], [3, 4]]); // 10
 * sum([[1, 2], [3, 4]], 0); // [4,6]
 * sum([1, 2, 3], null, { where: [1, 0, 1], initial: 10 }); // 14
 * sum(tensor([200, 100], { dtype: "f16" }), null, { dtype: "f32" }); // 300
 */
export const sum: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("sum", kind.tensor, kind.axes, kind.totalled);

/**
 * Product.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * prod([2, 3, 4]); // 24
 */
export const prod: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("prod", kind.tensor, kind.axes, kind.totalled);

/**
 * Mean, in f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * mean([[1, 2], [3, 6]], 1); // [1.5,4.5]
 */
export const mean: (x: Operand, axis?: Axes, options?: MeanOptions) => Tensor = operation("mean", kind.tensor, kind.axes, kind.averaged);

/**
 * The largest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
 * begin with.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * max([[1, 5], [3, 2]], -1); // [5,3]
 */
export const max: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("max", kind.tensor, kind.axes, kind.fold);

/**
 * The smallest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
 * begin with.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * min([4, 2, 8]); // 2
 */
export const min: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("min", kind.tensor, kind.axes, kind.fold);

/**
 * The position of the largest, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * argmax([[1, 5], [3, 2]], 1); // [1,0]
 */
export const argmax: ArgReduction = operation("argmax", kind.tensor, kind.position, kind.options({ keepdims: false }));

/**
 * The position of the smallest, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * argmin([4, 2, 8]); // 1
 */
export const argmin: ArgReduction = operation("argmin", kind.tensor, kind.position, kind.options({ keepdims: false }));

/**
 * Whether any element is true, or not zero.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * any([false, true]); // true
 */
export const any: (x: Operand, axis?: Axes, options?: PartOptions) => Tensor = operation("any", kind.tensor, kind.axes, kind.part);

/**
 * Whether all elements are true, or not zero.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * all([false, true]); // false
 */
export const all: (x: Operand, axis?: Axes, options?: PartOptions) => Tensor = operation("all", kind.tensor, kind.axes, kind.part);

/**
 * log Σ eˣ, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logSumExp([1000, 1000]); // 1000.7
 */
export const logSumExp: (x: Operand, axis?: Axes, options?: PartOptions) => Tensor = operation("logSumExp", kind.tensor, kind.axes, kind.part);

/**
 * Variance, in f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * variance([1, 2, 3]); // 0.66667
 */
export const variance: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("variance", kind.tensor, kind.axes, kind.spread);

/**
 * Standard deviation, in f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * std([[1, 3], [2, 6]], 1); // [1,2]
 */
export const std: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("std", kind.tensor, kind.axes, kind.spread);

/**
 * (Σ |x|ᵖ)^(1/p): of order 2 the length, of `Infinity` the largest magnitude, of 0 how many
 * are not zero.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * norm([3, 4]); // 5
 * norm([3, -4], Infinity); // 4
 */
export const norm: (x: Operand, order?: number, axis?: Axes, options?: ReduceOptions) => Tensor = operation("norm", kind.tensor, kind.or(kind.number("the order"), 2), kind.axes, kind.options({ keepdims: false }));

/**
 * The largest less the smallest. Throws `ShapeError` over nothing.
 *
 * Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * ptp([4, 2, 8]); // 6
 */
export const ptp: Reduction = operation("ptp", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * How many elements are not zero, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * countNonzero([0, 3, 1]); // 2
 */
export const countNonzero: Reduction = operation("countNonzero", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * log of the mean of eˣ, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logMeanExp([1000, 1000]); // 1000
 */
export const logMeanExp: Reduction = operation("logMeanExp", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * The exclusive or of all elements: of bools whether an odd number of them holds.
 *
 * Takes bool, i32, u32; gives the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * reduceXor(tensor([5, 3, 1], { dtype: "i32" })); // 7
 */
export const reduceXor: (x: Operand, axis?: Axes, keepdims?: ReduceOptions) => Tensor = operation("reduceXor", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * The sum of the elements that are not NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nansum([1, NaN, 2]); // 3
 */
export const nansum: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("nansum", kind.tensor, kind.axes, kind.totalled);

/**
 * The product of the elements that are not NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nanprod([2, NaN, 3]); // 6
 */
export const nanprod: (x: Operand, axis?: Axes, options?: SumOptions) => Tensor = operation("nanprod", kind.tensor, kind.axes, kind.totalled);

/**
 * The mean of the elements that are not NaN; NaN where all are.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmean([1, NaN, 3]); // 2
 */
export const nanmean: (x: Operand, axis?: Axes, options?: MeanOptions) => Tensor = operation("nanmean", kind.tensor, kind.axes, kind.averaged);

/**
 * The largest of the elements that are not NaN; NaN where all are. Throws `ShapeError` over
 * nothing.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmax([1, NaN, 3]); // 3
 */
export const nanmax: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("nanmax", kind.tensor, kind.axes, kind.fold);

/**
 * The smallest of the elements that are not NaN; NaN where all are. Throws `ShapeError` over
 * nothing.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmin([1, NaN, 3]); // 1
 */
export const nanmin: (x: Operand, axis?: Axes, options?: FoldOptions) => Tensor = operation("nanmin", kind.tensor, kind.axes, kind.fold);

/**
 * The variance of the elements that are not NaN.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanvar([1, NaN, 3]); // 1
 */
export const nanvar: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("nanvar", kind.tensor, kind.axes, kind.spread);

/**
 * The standard deviation of the elements that are not NaN.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanstd([1, NaN, 5]); // 2
 */
export const nanstd: (x: Operand, axis?: Axes, options?: VarianceOptions) => Tensor = operation("nanstd", kind.tensor, kind.axes, kind.spread);

/**
 * The position of the largest element that is not NaN, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * nanargmax([1, NaN, 3]); // 2
 */
export const nanargmax: ArgReduction = operation("nanargmax", kind.tensor, kind.position, kind.options({ keepdims: false }));

/**
 * The position of the smallest element that is not NaN, the first among equals, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * nanargmin([1, NaN, 3]); // 0
 */
export const nanargmin: ArgReduction = operation("nanargmin", kind.tensor, kind.position, kind.options({ keepdims: false }));
