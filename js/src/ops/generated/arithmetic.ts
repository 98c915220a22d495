// Functions of two operands that broadcast: arithmetic, minima and maxima, bits.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/arithmetic.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * a + b.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * add([1, 2], 10); // [11,12]
 */
export const add: Binary = operation("add", kind.operand, kind.operand);

/**
 * a − b.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * sub([1, 2], 10); // [-9,-8]
 */
export const sub: Binary = operation("sub", kind.operand, kind.operand);

/**
 * a · b.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * mul([[1], [2]], [3, 4]); // [[3,4],[6,8]]
 */
export const mul: Binary = operation("mul", kind.operand, kind.operand);

/**
 * a / b. Integers become f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * div([1, 2], 4); // [0.25,0.5]
 */
export const div: Binary = operation("div", kind.operand, kind.operand);

/**
 * The floor of a / b.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * floorDivide([7, -7], 2); // [3,-4]
 */
export const floorDivide: Binary = operation("floorDivide", kind.operand, kind.operand);

/**
 * The remainder of a divided by b, with the sign of b.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * remainder([7, -7], 3); // [1,2]
 */
export const remainder: Binary = operation("remainder", kind.operand, kind.operand);

/**
 * The remainder of a divided by b, with the sign of a.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * fmod([7, -7], 3); // [1,-1]
 */
export const fmod: Binary = operation("fmod", kind.operand, kind.operand);

/**
 * aᵇ.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * pow([2, 3], 2); // [4,9]
 */
export const pow: Binary = operation("pow", kind.operand, kind.operand);

/**
 * The smaller of a and b; NaN if either is.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * minimum([1, 5], 3); // [1,3]
 */
export const minimum: Binary = operation("minimum", kind.operand, kind.operand);

/**
 * The larger of a and b; NaN if either is.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * maximum([1, 5], 3); // [3,5]
 */
export const maximum: Binary = operation("maximum", kind.operand, kind.operand);

/**
 * The smaller of a and b; of a number and NaN the number.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * fmin([1, NaN], 2); // [1,2]
 */
export const fmin: Binary = operation("fmin", kind.operand, kind.operand);

/**
 * The larger of a and b; of a number and NaN the number.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * fmax([1, NaN], 2); // [2,2]
 */
export const fmax: Binary = operation("fmax", kind.operand, kind.operand);

/**
 * Bitwise and, of integers.
 *
 * Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitwiseAnd(Int32Array.of(6, 5), 4); // [4,4]
 */
export const bitwiseAnd: Binary = operation("bitwiseAnd", kind.operand, kind.operand);

/**
 * Bitwise or, of integers.
 *
 * Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitwiseOr(Int32Array.of(1, 2), 4); // [5,6]
 */
export const bitwiseOr: Binary = operation("bitwiseOr", kind.operand, kind.operand);

/**
 * Bitwise exclusive or, of integers.
 *
 * Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitwiseXor(Int32Array.of(6, 5), 4); // [2,1]
 */
export const bitwiseXor: Binary = operation("bitwiseXor", kind.operand, kind.operand);

/**
 * a · 2ᵇ, of integers; bits shifted out are lost.
 *
 * Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * shiftLeft(Int32Array.of(1, 3), 2); // [4,12]
 */
export const shiftLeft: Binary = operation("shiftLeft", kind.operand, kind.operand);

/**
 * The floor of a / 2ᵇ, of integers.
 *
 * Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * shiftRight(Int32Array.of(8, -8), 1); // [4,-4]
 */
export const shiftRight: Binary = operation("shiftRight", kind.operand, kind.operand);

/**
 * The angle of the point (x, y), in (−π, π]; 0 at the origin.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * atan2([1, 0], [1, -1]); // [0.7854,3.1416]
 */
export const atan2: (y: Operand, x: Operand) => Tensor = operation("atan2", kind.operand, kind.operand);

/**
 * √(a² + b²), without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * hypot([3, 5], [4, 12]); // [5,13]
 */
export const hypot: Binary = operation("hypot", kind.operand, kind.operand);

/**
 * log(eᵃ + eᵇ), without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logAddExp([1000, 0], [1000, 0]); // [1000.7,0.69315]
 */
export const logAddExp: Binary = operation("logAddExp", kind.operand, kind.operand);

/**
 * The magnitude of a with the sign of b.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * copysign([1, 2], [-3, 4]); // [-1,2]
 */
export const copysign: Binary = operation("copysign", kind.operand, kind.operand);

/**
 * 0 where x is below 0, 1 above, `zero` at 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * heaviside([-1, 0, 2], 0.5); // [0,0.5,1]
 */
export const heaviside: (x: Operand, zero: Operand) => Tensor = operation("heaviside", kind.operand, kind.operand);
