// How do several tensors become one?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/join.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * Joined along an existing axis, or (null) flattened before; the other extents must agree. Throws `ShapeError`.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * concat([[1, 2], tensor([3])]); // [1,2,3]
 */
export const concat: (tensors: readonly Operand[], axis?: number | null) => Tensor = operation("concat", kind.tensors, kind.or(kind.position, 0));

/**
 * Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
 */
export const stack: (tensors: readonly Operand[], axis?: number) => Tensor = operation("stack", kind.tensors, kind.or(kind.axis, 0));

/**
 * Joined along the second axis, vectors along their only one.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * hstack([[1, 2], [3]]); // [1,2,3]
 */
export const hstack: (tensors: readonly Operand[]) => Tensor = operation("hstack", kind.tensors);

/**
 * Joined along the first axis, vectors as rows.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * vstack([[1, 2], [3, 4]]); // [[1,2],[3,4]]
 */
export const vstack: (tensors: readonly Operand[]) => Tensor = operation("vstack", kind.tensors);

/**
 * Joined along the third axis.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * dstack([[1, 2], [3, 4]]); // [[[1,3],[2,4]]]
 */
export const dstack: (tensors: readonly Operand[]) => Tensor = operation("dstack", kind.tensors);

/**
 * Vectors as the columns of a matrix, and matrices beside them.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * columnStack([[1, 2], [3, 4]]); // [[1,3],[2,4]]
 */
export const columnStack: (tensors: readonly Operand[]) => Tensor = operation("columnStack", kind.tensors);
