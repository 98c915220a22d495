// What do signals, bits and packed weights need now and then?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/rarities.rs`: change that.

import type { Axes } from "../core/check.js";
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
