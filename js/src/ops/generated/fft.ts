// Fourier transforms, spectrograms and functions of complex numbers.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/fft.rs`: change that.

import type { Axes } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * The frequencies of n numbers that are `spacing` apart, in the order of `fft.fft`.
 *
 * Gives f32.
 *
 * @example
 * fft.fftfreq(4); // [0,0.25,-0.5,-0.25]
 */
export const fftfreq: (n: number, spacing?: number) => Tensor = operation("fft.fftfreq", kind.count("the n"), kind.or(kind.number("the spacing"), 1));

/**
 * The frequencies of n real numbers that are `spacing` apart, in the order of `fft.rfft`.
 *
 * Gives f32.
 *
 * @example
 * fft.rfftfreq(4); // [0,0.25,0.5]
 */
export const rfftfreq: (n: number, spacing?: number) => Tensor = operation("fft.rfftfreq", kind.count("the n"), kind.or(kind.number("the spacing"), 1));

/**
 * Rolled by half of each axis, so that the frequency 0 comes to the middle.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.fftshift([0, 1, 2, -2, -1]); // [-2,-1,0,1,2]
 */
export const fftshift: (x: Operand, axis?: Axes) => Tensor = operation("fft.fftshift", kind.tensor, kind.axes);

/**
 * The inverse of `fft.fftshift`.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.ifftshift([-2, -1, 0, 1, 2]); // [0,1,2,-2,-1]
 */
export const ifftshift: (x: Operand, axis?: Axes) => Tensor = operation("fft.ifftshift", kind.tensor, kind.axes);
