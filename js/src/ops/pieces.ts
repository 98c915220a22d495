// What is a tensor with its rows, columns or axes otherwise?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/pieces.rs`: change that.

import type { Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

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
 * The last two axes exchanged.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
 */
export const matrixTranspose: Unary = operation("matrixTranspose", kind.tensor);

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
 * With at least three axes, as NumPy's: a vector lies along the second, a matrix along the first two.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * atLeast3d([1, 2]); // [[[1],[2]]]
 */
export const atLeast3d: Unary = operation("atLeast3d", kind.tensor);
