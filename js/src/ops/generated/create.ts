// Tensors from a rule: constants, ranges, window functions.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/create.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { SpacingOptions } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * Numbers in equal ratios from `start` to `stop`, both included by default. Throws
 * `ValueError` where one is 0 or their signs differ.
 *
 * Gives `dtype`.
 *
 * @example
 * geomspace(1, 1000, 4); // [1,10,100,1000]
 * geomspace(1, 16, 4, { endpoint: false }); // [1,2,4,8]
 */
export const geomspace: (start: number, stop: number, count?: number, options?: SpacingOptions) => Tensor = operation("geomspace", kind.number("the start"), kind.number("the stop"), kind.or(kind.count("the count"), 50), kind.spacing);

/**
 * `base` to the power of evenly spaced numbers from `start` to `stop`, both included by
 * default; integers without their fractions.
 *
 * Gives `dtype`.
 *
 * @example
 * logspace(0, 3, 4); // [1,10,100,1000]
 * logspace(0, 4, 4, 2, { endpoint: false, dtype: "i32" }); // [1,2,4,8]
 */
export const logspace: (start: number, stop: number, count?: number, base?: number, options?: SpacingOptions) => Tensor = operation("logspace", kind.number("the start"), kind.number("the stop"), kind.or(kind.count("the count"), 50), kind.or(kind.number("the base"), 10), kind.spacing);

/**
 * The window of Hann: half a cosine up from 0 and down.
 *
 * Gives f32.
 *
 * @example
 * hann(5); // [0,0.5,1,0.5,0]
 */
export const hann: (count: number) => Tensor = operation("hann", kind.count("the count"));

/**
 * The window of Hamming: Hann's raised so that its first side lobe vanishes.
 *
 * Gives f32.
 *
 * @example
 * hamming(5); // [0.08,0.54,1,0.54,0.08]
 */
export const hamming: (count: number) => Tensor = operation("hamming", kind.count("the count"));

/**
 * The window of Blackman, of two cosines.
 *
 * Gives f32.
 *
 * @example
 * blackman(3).max(); // 1
 */
export const blackman: (count: number) => Tensor = operation("blackman", kind.count("the count"));

/**
 * The window of Bartlett: a triangle from 0 to 1 and back.
 *
 * Gives f32.
 *
 * @example
 * bartlett(5); // [0,0.5,1,0.5,0]
 */
export const bartlett: (count: number) => Tensor = operation("bartlett", kind.count("the count"));

/**
 * The window of Kaiser: a Bessel function of the distance from the middle. The larger `beta`,
 * the narrower.
 *
 * Gives f32.
 *
 * @example
 * kaiser(3, 0); // [1,1,1]
 */
export const kaiser: (count: number, beta: number) => Tensor = operation("kaiser", kind.count("the count"), kind.number("the beta"));

/**
 * The powers of a vector's elements as rows, the highest first, or from 0 up. Throws
 * `ShapeError` unless it is a vector.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * vander([1, 2, 3], 3); // [[1,1,1],[4,2,1],[9,3,1]]
 */
export const vander: (x: Operand, columns: number, ascending?: boolean) => Tensor = operation("vander", kind.tensor, kind.count("the columns"), kind.or(kind.flag("the ascending"), false));
