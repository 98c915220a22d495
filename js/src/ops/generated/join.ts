// Concatenation, and lines of an axis inserted, deleted and appended.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/join.rs`: change that.

import type { Shape } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * Joined along an existing axis, or (null) flattened before; the other extents must agree.
 * Throws `ShapeError`.
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

/**
 * `values` behind `x`: both flattened, or joined along an axis.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * append([1, 2], [[3], [4]]); // [1,2,3,4]
 */
export const append: (x: Operand, values: Operand, axis?: number | null) => Tensor = operation("append", kind.tensor, kind.tensor, kind.position);

/**
 * `values` put before `positions`, which are those before anything is put in; flattened, or
 * along an axis.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * insert([1, 2, 3], 1, 9); // [1,9,2,3]
 * insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
 */
export const insert: (x: Operand, positions: number | readonly number[], values: Operand, axis?: number | null) => Tensor = operation("insert", kind.tensor, kind.wholes("the positions"), kind.tensor, kind.position);

/**
 * A copy without the elements at `positions`; flattened, or along an axis. NumPy's `delete`,
 * which is a keyword of JavaScript.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * remove([1, 2, 3, 4], [0, -1]); // [2,3]
 */
export const remove: (x: Operand, positions: number | readonly number[], axis?: number | null) => Tensor = operation("remove", kind.tensor, kind.wholes("the positions"), kind.position);

/**
 * The elements in row-major order as often as fills a shape.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
 */
export const resize: (x: Operand, shape: Shape) => Tensor = operation("resize", kind.tensor, kind.extents);
