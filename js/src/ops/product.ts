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

/**
 * NumPy's `dot`: over the last axis of a and the last but one of b; with a 0-d tensor, its multiple. Throws `ShapeError` when the extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * dot([1, 2, 3], [4, 5, 6]); // 32
 */
export const dot: Binary = operation("dot", kind.tensor, kind.tensor);

/**
 * Over the last axes of both; with a 0-d tensor, its multiple. Throws `ShapeError` when the extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * inner([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const inner: Binary = operation("inner", kind.tensor, kind.tensor);

/**
 * Each element of a times each of b, both flattened: a matrix.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * outer([1, 2], [3, 4]); // [[3,4],[6,8]]
 */
export const outer: Binary = operation("outer", kind.tensor, kind.tensor);

/**
 * The sum of the products of all elements, both flattened.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * vdot([[1, 2]], [3, 4]); // 11
 */
export const vdot: Binary = operation("vdot", kind.tensor, kind.tensor);
