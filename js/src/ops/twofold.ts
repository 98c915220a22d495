// Which functions that few call yield several tensors?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/twofold.rs`: change that.

import type { Shape } from "../core/check.js";
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

/**
 * `floorDivide` and `remainder`.
 *
 * Takes any dtype; gives quotient promoted, rest promoted. Differentiable; `vmap` batches it.
 *
 * @example
 * const [quotient, rest] = divmod([7, -7], 3);
 * quotient; // [2,-3]
 * rest; // [1,2]
 */
export const divmod: (a: Operand, b: Operand) => [quotient: Tensor, rest: Tensor] = several("divmod", kind.operand, kind.operand);

/**
 * What is left of numbers without their whole parts, and these, both with the sign of the number.
 *
 * Takes any dtype; gives rest f32 even of f16, whole f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * const [rest, whole] = modf([1.5, -2.25]);
 * rest; // [0.5,-0.25]
 * whole; // [1,-2]
 */
export const modf: (x: Operand) => [rest: Tensor, whole: Tensor] = several("modf", kind.tensor);

/**
 * Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or not finite is its own m, with the exponent 0. The
 * gradient is that of m, with e kept.
 *
 * Takes any dtype; gives mantissa f32 even of f16, exponent i32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [m, e] = frexp([8, -0.75]);
 * m; // [0.5,-0.75]
 * e; // [4,0]
 */
export const frexp: (x: Operand) => [mantissa: Tensor, exponent: Tensor] = several("frexp", kind.tensor);

/**
 * The quotient of two polynomials and what is left, which has one coefficient less than the divisor (at least one). Throws `ShapeError` for an empty divisor.
 *
 * Takes any dtype; gives quotient f32 even of f16, rest f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
 * quotient; // [1,3]
 * rest; // [1]
 */
export const polydiv: (a: Operand, b: Operand) => [quotient: Tensor, rest: Tensor] = several("polydiv", kind.tensor, kind.tensor);

/**
 * The positions along each axis of a shape of what stands at row-major positions.
 *
 * Takes i32, u32; gives each the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * const [row, column] = unravelIndex([1, 5], [2, 3]);
 * row; // [0,1]
 */
export const unravelIndex: (positions: Operand, shape: Shape) => Tensor[] = several("unravelIndex", kind.integers, kind.extents);
