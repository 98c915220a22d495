// Sampled signals: interpolation, integrals, gradients, convolution in one dimension, resampled pictures.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/signal.rs`: change that.

import type { Shape } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { InterpOptions, UnwrapOptions } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * Between the points of a curve the height at each x, by straight lines; beyond them the
 * heights of its ends, or the numbers that `left` and `right` say. The places must ascend, but
 * for those of a curve with a `period`, which has no ends.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * interp([0.5, 1.5, 9], [0, 1, 2], [0, 10, 40]); // [5,25,40]
 * interp([-1, 0.5, 9], [0, 1], [0, 10], { left: -1 }); // [-1,5,10]
 * interp([355, 5], [350, 10], [0, 20], { period: 360 }); // [5,15]
 */
export const interp: (x: Operand, places: Operand, heights: Operand, options?: InterpOptions) => Tensor = operation("interp", kind.operand, kind.tensor, kind.tensor, kind.ends);

/**
 * The area under a curve of values along an axis, by trapezoids of the given widths: a number,
 * or one for each step. If there are as many numbers as values, they are positions instead, as
 * NumPy's `x`. A vector lies along the axis, and other tensors broadcast.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * trapezoid([1, 2, 3]); // 4
 * trapezoid([1, 2, 3], [0, 1, 3]); // 6.5
 */
export const trapezoid: (y: Operand, widths?: Operand, axis?: number) => Tensor = operation("trapezoid", kind.tensor, kind.or(kind.operand, 1), kind.or(kind.axis, -1));

/**
 * The slope of samples along an axis: central differences inside, one-sided ones at the ends.
 * `spacing` is the distance between samples, or a vector of where they are. Throws
 * `ShapeError` for fewer than two.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * gradient([1, 2, 4, 7]); // [1,1.5,2.5,3]
 * gradient([1, 2, 4], [0, 1, 3]); // [1,1,1]
 */
export const gradient: (x: Operand, spacing?: Operand, axis?: number) => Tensor = operation("gradient", kind.tensor, kind.or(kind.operand, 1), kind.or(kind.axis, -1));

/**
 * Angles along an axis without jumps of more than half a turn, or numbers of another period.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * unwrap([3, -3]); // [3,3.2832]
 * unwrap([350, 10], -1, { period: 360 }); // [350,370]
 */
export const unwrap: (x: Operand, axis?: number, options?: UnwrapOptions) => Tensor = operation("unwrap", kind.tensor, kind.or(kind.axis, -1), kind.winding);

/**
 * Samples, such as those of pictures, with other extents, as `jax.image.resize`: `method` is
 * "nearest", "linear", "cubic", "lanczos3" or "lanczos5", and shrinking averages over the
 * samples that an element covers, unless `antialias` is false. Throws `ShapeError` where axes
 * are missing.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * resizeImage([[0, 2], [4, 6]], [1, 2]); // [[2,4]]
 * resizeImage([1, 2], [4], "nearest"); // [1,1,2,2]
 */
export const resizeImage: (x: Operand, shape: Shape, method?: string, antialias?: boolean) => Tensor = operation("resizeImage", kind.tensor, kind.extents, kind.or(kind.text("the method"), "linear"), kind.or(kind.flag("the antialias"), true));

/**
 * Values at coordinates, whose first axis runs over the axes of x: order 1 interpolates
 * linearly, order 0 takes the nearest element. Beyond the ends is `value`, or, by the modes
 * "nearest", "wrap", "mirror" and "reflect", the value of SciPy's `map_coordinates`. Throws
 * `ValueError` for other orders.
 *
 * Takes any dtype, then any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * mapCoordinates([0, 10, 20], [[0.5, 1.25, 9]]); // [5,12.5,0]
 * mapCoordinates([0, 10, 20], [[9]], 1, "nearest"); // [20]
 */
export const mapCoordinates: (x: Operand, coordinates: Operand, order?: number, mode?: string, value?: number) => Tensor = operation("mapCoordinates", kind.tensor, kind.tensor, kind.or(kind.count("the order"), 1), kind.or(kind.text("the mode"), "constant"), kind.or(kind.number("the value"), 0));
