// Which functions of elements does one need now and then?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/mathematics.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Binary, Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

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

/**
 * What is left of a when divided by b, with the sign of a.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * fmod([7, -7], 3); // [1,-1]
 */
export const fmod: Binary = operation("fmod", kind.operand, kind.operand);

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
 * The smaller of a and b; of a number and NaN the number.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * fmin([1, NaN], 2); // [1,2]
 */
export const fmin: Binary = operation("fmin", kind.operand, kind.operand);

/**
 * Inverse hyperbolic sine.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * asinh([0, 1, -1]); // [0,0.88137,-0.88137]
 */
export const asinh: Unary = operation("asinh", kind.tensor);

/**
 * Inverse hyperbolic cosine; NaN below 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * acosh([1, 2]); // [0,1.317]
 */
export const acosh: Unary = operation("acosh", kind.tensor);

/**
 * Inverse hyperbolic tangent; infinite at 1 and −1, NaN beyond.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * atanh([0, 0.5, -0.5]); // [0,0.54931,-0.54931]
 */
export const atanh: Unary = operation("atanh", kind.tensor);

/**
 * Inverse of the error function, on [−1, 1].
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * erfInv([0, 0.5]); // [0,0.47694]
 */
export const erfInv: Unary = operation("erfInv", kind.tensor);

/**
 * Cube root.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cbrt([8, -27]); // [2,-3]
 */
export const cbrt: Unary = operation("cbrt", kind.tensor);

/**
 * sin(πx)/(πx), 1 at 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sinc([0, 0.5, 1]); // [1,0.63662,0]
 */
export const sinc: Unary = operation("sinc", kind.tensor);

/**
 * Hyperbolic sine.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sinh([0, 1]); // [0,1.1752]
 */
export const sinh: Unary = operation("sinh", kind.tensor);

/**
 * Hyperbolic cosine.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cosh([0, 1]); // [1,1.5431]
 */
export const cosh: Unary = operation("cosh", kind.tensor);

/**
 * Degrees of radians.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * degrees(Math.PI); // 180
 */
export const degrees: Unary = operation("degrees", kind.tensor);

/**
 * Radians of degrees.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * radians(180); // 3.1416
 */
export const radians: Unary = operation("radians", kind.tensor);

/**
 * NaN and infinities exchanged for numbers; without one for an infinity, the finite number next to it.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanToNum([NaN, 1, Infinity], 0, 9); // [0,1,9]
 */
export const nanToNum: (x: Operand, nan?: number, above?: number | null, below?: number | null) => Tensor = operation("nanToNum", kind.tensor, kind.or(kind.number("the nan"), 0), kind.bound("the above"), kind.bound("the below"));

/**
 * Whether the sign of x is set.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * signbit([1, -2]); // [false,true]
 */
export const signbit: Unary = operation("signbit", kind.tensor);
