// Covariances, distances and histograms.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/statistics.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * Covariances of the rows of a matrix, each a variable, over its columns, each an observation;
 * of a vector its variance. Divided by as many less `correction`. The variables of `y` come
 * behind those of `x`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cov([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
 * cov([1, 2, 3], [3, 2, 1]); // [[1,-1],[-1,1]]
 */
export const cov: (x: Operand, y?: Operand | null, correction?: number) => Tensor = operation("cov", kind.tensor, kind.maybe, kind.or(kind.number("the correction"), 1));

/**
 * Correlations of the rows of a matrix, each a variable, over its columns, each an
 * observation. The variables of `y` come behind those of `x`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * corrcoef([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
 */
export const corrcoef: (x: Operand, y?: Operand | null) => Tensor = operation("corrcoef", kind.tensor, kind.maybe);

/**
 * The distances of all points in rows of `a` from all in rows of `b`, by the norm of an order:
 * `Infinity` for the largest difference, 0 for how many differ. Between points in one place
 * the slope is 0.
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
