// Which functions that few call yield two tensors?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/twofold.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { several } from "./operation.js";

/**
 * Si(x), the integral of sin(t)/t from 0, and Ci(|x|), that of cos(t)/t from ∞: within 2e-6 of max(1, |Ci|).
 *
 * Takes any dtype; gives si f32, ci f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [si, ci] = special.sici([1, 2]);
 * si; // [0.94608,1.6054]
 * ci; // [0.3374,0.42298]
 */
export const sici: (x: Operand) => [si: Tensor, ci: Tensor] = several("special.sici", kind.tensor);

/**
 * Fresnel's integrals S(x) and C(x), of sin(πt²/2) and cos(πt²/2) from 0, within 1e-6.
 *
 * Takes any dtype; gives s f32, c f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [s, c] = special.fresnel([0, 1]);
 * s; // [0,0.43826]
 * c; // [0,0.77989]
 */
export const fresnel: (x: Operand) => [s: Tensor, c: Tensor] = several("special.fresnel", kind.tensor);

/**
 * A matrix, or a stack of them, with four bits for each element. The rows are taken in groups of `group`, a multiple of 8 that divides their number, and each column of a group has
 * a scale, a seventh of its largest magnitude: an element is a whole number from −7 to 7 of scales, so that it is off by half a scale at most. Eight rows
 * are a row of words, the first in the lowest bits. Throws `ShapeError` where the rows are no whole groups. `matmul4` multiplies by it as it is.
 *
 * Takes any dtype; gives packed u32, scales f32. Without a gradient; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(ones([32, 2]).mul(7));
 * scales; // [[1,1]]
 * dequantize4(packed, scales).max(); // 7
 */
export const quantize4: (x: Operand, group?: number) => [packed: Tensor, scales: Tensor] = several("quantize4", kind.tensor, kind.or(kind.count("the group"), 32));
