// What are the products of vectors, matrices and batches of them?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/product.rs`: change that.

import type { Binary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`; axes before them broadcast; a 1-d
 * operand is a row on the left, a column on the right. Throws `ShapeError` when the inner extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const matmul: Binary = operation("matmul", kind.tensor, kind.tensor);
