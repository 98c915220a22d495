// Sorting, order statistics, searches in sorted vectors, unique elements and sets.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/sort.rs`: change that.

import type { Axes } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { MembershipOptions, QuantileOptions, Reduction, Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * The elements of each line of an axis, or (null) all of them, in ascending order, or
 * descending; NaN behind all, in descending order before.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * sort([3, 1, 2]); // [1,2,3]
 * sort([3, 1, 2], -1, true); // [3,2,1]
 */
export const sort: (x: Operand, axis?: number | null, descending?: boolean) => Tensor = operation("sort", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the descending"), false));

/**
 * The positions that put each line of an axis, or (null) all elements in row-major order, in
 * order; those of equal elements in ascending order either way.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * argsort([3, 1, 2]); // [1,2,0]
 */
export const argsort: (x: Operand, axis?: number | null, descending?: boolean) => Tensor = operation("argsort", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the descending"), false));

/**
 * The positions that put lines of several keys in order, of which the last counts most. Throws
 * `ShapeError` where shapes differ.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * lexsort([[2, 1, 0], [0, 1, 0]]); // [2,0,1]
 */
export const lexsort: (keys: readonly Operand[], axis?: number) => Tensor = operation("lexsort", kind.tensors, kind.or(kind.axis, -1));

/**
 * Each line of an axis, or (null) all elements as one, with the element at `kth` where it
 * belongs: none greater before it and none smaller behind, which all are sorted too.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * partition([3, 1, 2], 1); // [1,2,3]
 */
export const partition: (x: Operand, kth: number, axis?: number | null) => Tensor = operation("partition", kind.tensor, kind.whole("the kth"), kind.or(kind.position, -1));

/**
 * The positions that `partition` takes elements from.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * argpartition([3, 1, 2], 1); // [1,2,0]
 */
export const argpartition: (x: Operand, kth: number, axis?: number | null) => Tensor = operation("argpartition", kind.tensor, kind.whole("the kth"), kind.or(kind.position, -1));

/**
 * The middle element in order, or the mean of the two in the middle; NaN where any is, and
 * of nothing.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * median([3, 1, 2]); // 2
 */
export const median: Reduction = operation("median", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * The median of the elements that are not NaN; NaN where all are, and of nothing.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanmedian([3, NaN, 2]); // 2.5
 */
export const nanmedian: Reduction = operation("nanmedian", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * The value below which a share `q` of the elements lies; NaN where any element is NaN. The
 * axes of `q` come first. Throws `ValueError` for a number outside 0 to 1.
 *
 * Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * quantile([1, 2, 3, 4], 0.5); // 2.5
 * quantile([1, 2, 3, 4], 0.5, null, { method: "lower" }); // 2
 */
export const quantile: (x: Operand, q: Operand, axis?: Axes, options?: QuantileOptions) => Tensor = operation("quantile", kind.tensor, kind.operand, kind.axes, kind.between);

/**
 * `quantile` of the elements that are not NaN; NaN where all are.
 *
 * Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanquantile([1, NaN, 3], 0.5); // 2
 */
export const nanquantile: (x: Operand, q: Operand, axis?: Axes, options?: QuantileOptions) => Tensor = operation("nanquantile", kind.tensor, kind.operand, kind.axes, kind.between);

/**
 * The value below which a percentage of the elements lies: `quantile` of a hundredth of it.
 *
 * Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * percentile([1, 2, 3, 4], 50); // 2.5
 */
export const percentile: (x: Operand, percent: Operand, axis?: Axes, options?: QuantileOptions) => Tensor = operation("percentile", kind.tensor, kind.operand, kind.axes, kind.between);

/**
 * `percentile` of the elements that are not NaN.
 *
 * Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanpercentile([1, NaN, 3], 50); // 2
 */
export const nanpercentile: (x: Operand, percent: Operand, axis?: Axes, options?: QuantileOptions) => Tensor = operation("nanpercentile", kind.tensor, kind.operand, kind.axes, kind.between);

/**
 * How many different elements there are; all NaN are one.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * uniqueCount([2, 1, 2]); // 2
 */
export const uniqueCount: Unary = operation("uniqueCount", kind.tensor);

/**
 * The rank of each element among all, or of a line of an axis, from 1. Equal elements get the
 * mean of their ranks, or by the methods "min", "max" and "dense" the rank of SciPy's
 * `rankdata`; by "ordinal" they are ranked in their order. With a NaN among them all ranks are
 * NaN.
 *
 * Takes any dtype; gives f32. Without a gradient; `vmap` batches it.
 *
 * @example
 * rankData([20, 10, 20, 40]); // [2.5,1,2.5,4]
 * rankData([20, 10, 20, 40], "dense"); // [2,1,2,3]
 */
export const rankData: (x: Operand, method?: string, axis?: number | null) => Tensor = operation("rankData", kind.tensor, kind.or(kind.text("the method"), "average"), kind.position);

/**
 * Where each of `values` would have to be inserted into a sorted vector so that it stays
 * sorted: before equals, or after them.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * searchSorted([1, 2, 2, 5], [2, 9]); // [1,4]
 */
export const searchSorted: (sorted: Operand, values: Operand, after?: boolean) => Tensor = operation("searchSorted", kind.tensor, kind.operand, kind.or(kind.flag("the after"), false));

/**
 * The bin in which each element lies: how many of the ascending edges are not above it (or,
 * from the right, below it). Edges may descend, too.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
 * digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
 */
export const digitize: (x: Operand, edges: Operand, right?: boolean) => Tensor = operation("digitize", kind.operand, kind.tensor, kind.or(kind.flag("the right"), false));

/**
 * Whether each element is one of `values`, or, with `invert`, none of them.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isIn([1, 2, 3], [3, 1]); // [true,false,true]
 * isIn([1, 2, 3], [3, 1], { invert: true }); // [false,true,false]
 */
export const isIn: (x: Operand, values: Operand, options?: MembershipOptions) => Tensor = operation("isIn", kind.tensor, kind.tensor, kind.options({ invert: false }));
