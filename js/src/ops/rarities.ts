// What do signals, bits and packed weights need now and then?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/rarities.rs`: change that.

import type { Axes, Shape } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import type { ReduceOptions, Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The window of Kaiser: a Bessel function of the distance from the middle. The larger `beta`, the narrower.
 *
 * Gives f32.
 *
 * @example
 * kaiser(3, 0); // [1,1,1]
 */
export const kaiser: (count: number, beta: number) => Tensor = operation("kaiser", kind.count("the count"), kind.number("the beta"));

/**
 * `gelu` by a hyperbolic tangent, within 5e-4 of it: as GPT-2 has it, and `jax.nn.gelu` unless told.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * geluTanh([-1, 0, 1]); // [-0.15881,0,0.84119]
 */
export const geluTanh: Unary = operation("geluTanh", kind.tensor);

/**
 * The slope of samples along an axis: central differences inside, one-sided ones at the ends. `spacing` is the distance between samples, or a
 * vector of where they are. Throws `ShapeError` for fewer than two.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * gradient([1, 2, 4, 7]); // [1,1.5,2.5,3]
 * gradient([1, 2, 4], [0, 1, 3]); // [1,1,1]
 */
export const gradient: (x: Operand, spacing?: Operand, axis?: number) => Tensor = operation("gradient", kind.tensor, kind.or(kind.operand, 1), kind.or(kind.axis, -1));

/**
 * How many zeros stand before the first one of each element's 32 bits.
 *
 * Takes i32, u32; gives the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * clz(tensor([0, 1, -1], { dtype: "i32" })); // [32,31,0]
 */
export const clz: Unary = operation("clz", kind.tensor);

/**
 * The exclusive or of all elements: of bools whether an odd number of them holds.
 *
 * Takes bool, i32, u32; gives the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * reduceXor(tensor([5, 3, 1], { dtype: "i32" })); // 7
 */
export const reduceXor: (x: Operand, axis?: Axes, keepdims?: ReduceOptions) => Tensor = operation("reduceXor", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * Whether elements are not 0, as bits, eight to a byte: along an axis, or of the flattened tensor. The first is the highest bit, or the lowest with `little`;
 * zeros fill the last byte.
 *
 * Takes any dtype; gives u8. Without a gradient; `vmap` batches it.
 *
 * @example
 * packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]); // [131,128]
 */
export const packbits: (x: Operand, axis?: number | null, little?: boolean) => Tensor = operation("packbits", kind.tensor, kind.position, kind.or(kind.flag("the little"), false));

/**
 * The bits of bytes as 0 and 1, along an axis, or of the flattened tensor: the first `count`, followed by zeros where
 * there are fewer, or all but the last −`count`, where it is told. Throws `DTypeError` for other than u8.
 *
 * Takes u8; gives u8. Without a gradient; `vmap` batches it.
 *
 * @example
 * unpackbits(packbits([1, 0, 1]), null, 4); // [1,0,1,0]
 */
export const unpackbits: (x: Operand, axis?: number | null, count?: number | null, little?: boolean) => Tensor = operation("unpackbits", kind.tensor, kind.position, kind.bound("the count"), kind.or(kind.flag("the little"), false));

/**
 * The windows that slide along axes, or all: their places stand where the axes do, and the windows along new last axes, as
 * `numpy.lib.stride_tricks.sliding_window_view`. Throws `ShapeError` for a window longer than its axis.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * slidingWindowView([1, 2, 3, 4], 3); // [[1,2,3],[2,3,4]]
 */
export const slidingWindowView: (x: Operand, window: number | readonly number[], axis?: Axes) => Tensor = operation("slidingWindowView", kind.tensor, kind.counts("the window"), kind.axes);

/**
 * Samples, such as those of pictures, with other extents, as `jax.image.resize`: `method` is "nearest", "linear", "cubic", "lanczos3" or "lanczos5", and what
 * gets smaller is averaged over what it stands for, unless `antialias` is false. Throws `ShapeError` where axes are missing.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * resizeImage([[0, 2], [4, 6]], [1, 2]); // [[2,4]]
 * resizeImage([1, 2], [4], "nearest"); // [1,1,2,2]
 */
export const resizeImage: (x: Operand, shape: Shape, method?: string, antialias?: boolean) => Tensor = operation("resizeImage", kind.tensor, kind.extents, kind.or(kind.text("the method"), "linear"), kind.or(kind.flag("the antialias"), true));

/**
 * What `quantize4` packed, in full.
 *
 * Takes u32, then f32, f16; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(full([8, 1], -3.5), 8);
 * dequantize4(packed, scales).min(); // -3.5
 */
export const dequantize4: (packed: Operand, scales: Operand) => Tensor = operation("dequantize4", kind.tensor, kind.tensor);

/**
 * `matmul` by a matrix that `quantize4` packed: it is unpacked where it is multiplied, and stays packed in memory. Differentiable by x and the scales.
 *
 * Takes any dtype, then u32, then f32, f16; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(ones([8, 1]), 8);
 * matmul4(ones([1, 8]), packed, scales); // [[8]]
 */
export const matmul4: (x: Operand, packed: Operand, scales: Operand) => Tensor = operation("matmul4", kind.tensor, kind.tensor, kind.tensor);

/**
 * What lies at coordinates, those along each axis one after the other along the first axis: of order 1 between elements by straight lines, of order 0 the nearest. Beyond the ends lies
 * `value`, or by the modes "nearest", "wrap", "mirror" and "reflect" what SciPy's `map_coordinates` finds there. Throws `ValueError` for other orders.
 *
 * Takes any dtype, then any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * mapCoordinates([0, 10, 20], [[0.5, 1.25, 9]]); // [5,12.5,0]
 * mapCoordinates([0, 10, 20], [[9]], 1, "nearest"); // [20]
 */
export const mapCoordinates: (x: Operand, coordinates: Operand, order?: number, mode?: string, value?: number) => Tensor = operation("mapCoordinates", kind.tensor, kind.tensor, kind.or(kind.count("the order"), 1), kind.or(kind.text("the mode"), "constant"), kind.or(kind.number("the value"), 0));

/**
 * The rank of each element among all, or of a line of an axis, from 1. Equal ones share their mean, or by the method "min", "max" or "dense" what SciPy's `rankdata` gives them; by
 * "ordinal" they are ranked as they stand. Beside NaN all are NaN.
 *
 * Takes any dtype; gives f32. Without a gradient; `vmap` batches it.
 *
 * @example
 * rankData([20, 10, 20, 40]); // [2.5,1,2.5,4]
 * rankData([20, 10, 20, 40], "dense"); // [2,1,2,3]
 */
export const rankData: (x: Operand, method?: string, axis?: number | null) => Tensor = operation("rankData", kind.tensor, kind.or(kind.text("the method"), "average"), kind.position);
