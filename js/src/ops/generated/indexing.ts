// Elements by index: gathers, scatters, dynamic slices, segments.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/indexing.rs`: change that.

import type { Shape } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * A part of `sizes` elements along each axis, from `starts` on, which may be computed: numbers
 * and 0-d integer tensors. Negative starts count from the end; one from which the part would
 * not fit is the last from which it does. Throws `ShapeError` for a part larger than x. As
 * `jax.lax.dynamic_slice`.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * dynamicSlice([1, 2, 3, 4], [tensor([5, 9, 7]).argmax()], [2]); // [2,3]
 */
export const dynamicSlice: (x: Operand, starts: readonly Operand[], sizes: Shape) => Tensor = operation("dynamicSlice", kind.tensor, kind.scalars, kind.extents);

/**
 * `x` with `update`, which becomes of its dtype, in the place of the part that `dynamicSlice`
 * would give. As `jax.lax.dynamic_update_slice`.
 *
 * Takes any dtype, then any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * dynamicUpdateSlice([1, 2, 3, 4], [8, 9], [tensor([5, 9, 7]).argmax()]); // [1,8,9,4]
 */
export const dynamicUpdateSlice: (x: Operand, update: Operand, starts: readonly Operand[]) => Tensor = operation("dynamicUpdateSlice", kind.tensor, kind.tensor, kind.scalars);

/**
 * The coordinates, along each axis of a shape, of row-major positions.
 *
 * Takes i32, u32; gives each the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * const [row, column] = unravelIndex([1, 5], [2, 3]);
 * row; // [0,1]
 */
export const unravelIndex: (positions: Operand, shape: Shape) => Tensor[] = several("unravelIndex", "first, second", kind.integers, kind.extents);
