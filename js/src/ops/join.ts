// How do several tensors become one?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/join.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * Joined along an existing axis; the other extents must agree. Throws `ShapeError`.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * concat([[1, 2], tensor([3])]); // [1,2,3]
 */
export const concat: (tensors: readonly Operand[], axis?: number) => Tensor = operation("concat", kind.tensors, kind.or(kind.axis, 0));

/**
 * Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
 */
export const stack: (tensors: readonly Operand[], axis?: number) => Tensor = operation("stack", kind.tensors, kind.or(kind.axis, 0));
