// How are elements arranged anew?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/view.rs`: change that.

import type { Axes, Shape } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The same elements in row-major order under another shape; one extent may be −1 and is worked out. Throws `ShapeError`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * reshape([1, 2, 3, 4], [2, -1]); // [[1,2],[3,4]]
 */
export const reshape: (x: Operand, shape: Shape) => Tensor = operation("reshape", kind.tensor, kind.reshape);

/**
 * The axes from `start` to `end`, both among them, as one: all of them unless told. Throws `AxisError`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * flatten([[1, 2], [3, 4]]); // [1,2,3,4]
 * flatten(zeros([2, 3, 4]), 1).shape; // [2,12]
 */
export const flatten: (x: Operand, start?: number | null, end?: number | null) => Tensor = operation("flatten", kind.tensor, kind.position, kind.position);

/**
 * Output axis i is input axis `axes[i]`. Throws `AxisError` unless `axes` is a permutation.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * permute(zeros([2, 3, 4]), [2, 0, 1]).shape; // [4,2,3]
 */
export const permute: (x: Operand, axes: readonly number[]) => Tensor = operation("permute", kind.tensor, kind.order);

/**
 * Two axes exchanged.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * swapAxes(zeros([2, 3, 4]), 0, -1).shape; // [4,3,2]
 */
export const swapAxes: (x: Operand, a: number, b: number) => Tensor = operation("swapAxes", kind.tensor, kind.axis, kind.axis);

/**
 * Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws `ShapeError` when that does not fit.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * broadcastTo([1, 2], [2, 2]); // [[1,2],[1,2]]
 */
export const broadcastTo: (x: Operand, shape: Shape) => Tensor = operation("broadcastTo", kind.tensor, kind.extents);

/**
 * A new axis of extent 1 at `axis`, or several at the places where they are to stand in the end.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * expandDims([1, 2], -1); // [[1],[2]]
 */
export const expandDims: (x: Operand, axis?: Axes) => Tensor = operation("expandDims", kind.tensor, kind.or(kind.axes, 0));

/**
 * Without the given axes of extent 1, or without all such.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * squeeze([[[1, 2]]]); // [1,2]
 */
export const squeeze: (x: Operand, axis?: Axes) => Tensor = operation("squeeze", kind.tensor, kind.axes);

/**
 * Reversed along the given axes, or all.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * flip([[1, 2], [3, 4]], 1); // [[2,1],[4,3]]
 */
export const flip: (x: Operand, axis?: Axes) => Tensor = operation("flip", kind.tensor, kind.axes);

/**
 * An axis moved to another place, or several to as many places, the others in their order.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * moveAxis(zeros([2, 3, 4]), 0, -1).shape; // [3,4,2]
 * moveAxis(zeros([2, 3, 4]), [0, 1], [-1, 0]).shape; // [3,4,2]
 */
export const moveAxis: (x: Operand, from: number | readonly number[], to: number | readonly number[]) => Tensor = operation("moveAxis", kind.tensor, kind.places, kind.places);

/**
 * What lies on and below a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the right. Throws `ShapeError` below two axes.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * tril([[1, 2], [3, 4]]); // [[1,0],[3,4]]
 */
export const tril: (x: Operand, diagonal?: number) => Tensor = operation("tril", kind.tensor, kind.or(kind.whole("the diagonal"), 0));

/**
 * What lies on and above a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the right. Throws `ShapeError` below two axes.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * triu([[1, 2], [3, 4]]); // [[1,2],[0,4]]
 */
export const triu: (x: Operand, diagonal?: number) => Tensor = operation("triu", kind.tensor, kind.or(kind.whole("the diagonal"), 0));
