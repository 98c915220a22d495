// What is put into the lines of an axis, taken out of them, or told of them?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/lines.rs`: change that.

import type { Shape } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import type { RunningOptions } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

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
 * `values` put before `positions`, which are those before anything is put in; flattened, or along an axis.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * insert([1, 2, 3], 1, 9); // [1,9,2,3]
 * insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
 */
export const insert: (x: Operand, positions: number | readonly number[], values: Operand, axis?: number | null) => Tensor = operation("insert", kind.tensor, kind.wholes("the positions"), kind.tensor, kind.position);

/**
 * Without what stands at `positions`; flattened, or along an axis. NumPy's `delete`, which is a word of the language here.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * remove([1, 2, 3, 4], [0, -1]); // [2,3]
 */
export const remove: (x: Operand, positions: number | readonly number[], axis?: number | null) => Tensor = operation("remove", kind.tensor, kind.wholes("the positions"), kind.position);

/**
 * A part of `sizes` elements along each axis, from `starts` on, which may be computed: numbers and 0-d integer tensors. Negative starts count from the
 * end; one from which the part would not fit is the last from which it does. Throws `ShapeError` for a part larger than x. As `jax.lax.dynamic_slice`.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * dynamicSlice([1, 2, 3, 4], [tensor([5, 9, 7]).argmax()], [2]); // [2,3]
 */
export const dynamicSlice: (x: Operand, starts: readonly Operand[], sizes: Shape) => Tensor = operation("dynamicSlice", kind.tensor, kind.scalars, kind.extents);

/**
 * `x` with `update`, which becomes of its dtype, in the place of the part that `dynamicSlice` would give. As `jax.lax.dynamic_update_slice`.
 *
 * Takes any dtype, then any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * dynamicUpdateSlice([1, 2, 3, 4], [8, 9], [tensor([5, 9, 7]).argmax()]); // [1,8,9,4]
 */
export const dynamicUpdateSlice: (x: Operand, update: Operand, starts: readonly Operand[]) => Tensor = operation("dynamicUpdateSlice", kind.tensor, kind.tensor, kind.scalars);

/**
 * The elements in row-major order as often as fills a shape.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
 */
export const resize: (x: Operand, shape: Shape) => Tensor = operation("resize", kind.tensor, kind.extents);

/**
 * The sum of each element and all before it along an axis; with `includeInitial` after a 0, so that there is one more than there are elements.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumulativeSum([1, 2, 3]); // [1,3,6]
 * cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
 */
export const cumulativeSum: (x: Operand, axis?: number | null, options?: RunningOptions) => Tensor = operation("cumulativeSum", kind.tensor, kind.or(kind.position, -1), kind.options({ includeInitial: false }));

/**
 * The product of each element and all before it along an axis; with `includeInitial` after a 1, so that there is one more than there are elements.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
 */
export const cumulativeProd: (x: Operand, axis?: number | null, options?: RunningOptions) => Tensor = operation("cumulativeProd", kind.tensor, kind.or(kind.position, -1), kind.options({ includeInitial: false }));

/**
 * `cumsum` with 0 for NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nancumsum([1, NaN, 2]); // [1,1,3]
 */
export const nancumsum: (x: Operand, axis?: number | null) => Tensor = operation("nancumsum", kind.tensor, kind.or(kind.position, -1));

/**
 * `cumprod` with 1 for NaN.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * nancumprod([2, NaN, 3]); // [2,2,6]
 */
export const nancumprod: (x: Operand, axis?: number | null) => Tensor = operation("nancumprod", kind.tensor, kind.or(kind.position, -1));

/**
 * The bin in which each element lies: how many of the ascending edges are not above it (or, from the right, below it). Edges may descend, too.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
 * digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
 */
export const digitize: (x: Operand, edges: Operand, right?: boolean) => Tensor = operation("digitize", kind.operand, kind.tensor, kind.or(kind.flag("the right"), false));
