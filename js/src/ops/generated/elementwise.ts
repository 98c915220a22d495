// Functions of each element: arithmetic of one operand, exponentials, trigonometry, rounding, and changes of dtype.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/elementwise.rs`: change that.

import type { DType } from "../../core/tensor/dtype.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * −x. Not of bool.
 *
 * Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * neg([1, -2]); // [-1,2]
 */
export const neg: Unary = operation("neg", kind.tensor);

/**
 * |x|. Not of bool.
 *
 * Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * abs([1, -2]); // [1,2]
 */
export const abs: Unary = operation("abs", kind.tensor);

/**
 * −1, 0 or 1; NaN stays NaN. Not of bool.
 *
 * Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * sign([3, 0, -2]); // [1,0,-1]
 */
export const sign: Unary = operation("sign", kind.tensor);

/**
 * The largest whole number not above x. f32; integers stay.
 *
 * Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * floor([1.5, -1.5]); // [1,-2]
 */
export const floor: Unary = operation("floor", kind.tensor);

/**
 * The smallest whole number not below x. f32; integers stay.
 *
 * Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * ceil([1.5, -1.5]); // [2,-1]
 */
export const ceil: Unary = operation("ceil", kind.tensor);

/**
 * The nearest whole number, ties to even, or the nearest with a number of decimals: below 0
 * they are tens, hundreds and so on. f32; integers stay. Throws `ValueError` for integers to
 * less than whole numbers.
 *
 * Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * round([0.5, 1.5, 2.6]); // [0,2,3]
 * round([1.26, 12.6], 1); // [1.3,12.6]
 */
export const round: (x: Operand, decimals?: number) => Tensor = operation("round", kind.tensor, kind.or(kind.whole("the decimals"), 0));

/**
 * The whole number next to x towards 0. f32; integers stay.
 *
 * Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * trunc([1.7, -1.7]); // [1,-1]
 */
export const trunc: Unary = operation("trunc", kind.tensor);

/**
 * eˣ. Integers become f32, here and below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * exp([0, 1]); // [1,2.7183]
 */
export const exp: Unary = operation("exp", kind.tensor);

/**
 * 2ˣ.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * exp2([0, 3, -1]); // [1,8,0.5]
 */
export const exp2: Unary = operation("exp2", kind.tensor);

/**
 * eˣ − 1, without the cancellation near 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * expm1([0, 1e-7]); // [0,1e-7]
 */
export const expm1: Unary = operation("expm1", kind.tensor);

/**
 * Natural logarithm: −∞ at 0, NaN below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * log([1, 0, -1]); // [0,-Infinity,NaN]
 */
export const log: Unary = operation("log", kind.tensor);

/**
 * Logarithm to base 2, whole for powers of 2.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * log2([1, 8, 0.5]); // [0,3,-1]
 */
export const log2: Unary = operation("log2", kind.tensor);

/**
 * Logarithm to base 10.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * log10([1, 1000]); // [0,3]
 */
export const log10: Unary = operation("log10", kind.tensor);

/**
 * log(1 + x), without the rounding near 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * log1p([0, 1e-7]); // [0,1e-7]
 */
export const log1p: Unary = operation("log1p", kind.tensor);

/**
 * Square root: NaN below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sqrt([4, 2]); // [2,1.4142]
 */
export const sqrt: Unary = operation("sqrt", kind.tensor);

/**
 * 1/√x.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * rsqrt([4, 1]); // [0.5,1]
 */
export const rsqrt: Unary = operation("rsqrt", kind.tensor);

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
 * x².
 *
 * Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * square([2, -3]); // [4,9]
 */
export const square: Unary = operation("square", kind.tensor);

/**
 * 1/x. f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * reciprocal([2, 4]); // [0.5,0.25]
 */
export const reciprocal: Unary = operation("reciprocal", kind.tensor);

/**
 * Sine of radians.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sin([0, Math.PI / 2]); // [0,1]
 */
export const sin: Unary = operation("sin", kind.tensor);

/**
 * Cosine of radians.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * cos([0, Math.PI]); // [1,-1]
 */
export const cos: Unary = operation("cos", kind.tensor);

/**
 * Tangent of radians.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * tan([0, 1]); // [0,1.5574]
 */
export const tan: Unary = operation("tan", kind.tensor);

/**
 * The angle in [−π/2, π/2] whose sine is x; NaN beyond ±1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * asin([0, 1]); // [0,1.5708]
 */
export const asin: Unary = operation("asin", kind.tensor);

/**
 * The angle in [0, π] whose cosine is x; NaN beyond ±1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * acos([1, -1]); // [0,3.1416]
 */
export const acos: Unary = operation("acos", kind.tensor);

/**
 * The angle in [−π/2, π/2] whose tangent is x.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * atan([0, 1]); // [0,0.7854]
 */
export const atan: Unary = operation("atan", kind.tensor);

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
 * Hyperbolic tangent.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * tanh([0, 1]); // [0,0.76159]
 */
export const tanh: Unary = operation("tanh", kind.tensor);

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
 * sin(πx)/(πx), 1 at 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sinc([0, 0.5, 1]); // [1,0.63662,0]
 */
export const sinc: Unary = operation("sinc", kind.tensor);

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
 * Error function.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * erf([0, 1]); // [0,0.8427]
 */
export const erf: Unary = operation("erf", kind.tensor);

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
 * Whether x is zero, or false. Yields bool.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * logicalNot([0, 2]); // [true,false]
 */
export const logicalNot: Unary = operation("logicalNot", kind.tensor);

/**
 * Each bit flipped. Integers, and bool (not).
 *
 * Takes i32, u32, bool; gives the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitwiseNot(Int32Array.of(0, 1)); // [-1,-2]
 */
export const bitwiseNot: Unary = operation("bitwiseNot", kind.tensor);

/**
 * Whether x is NaN. Yields bool.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isnan([NaN, 1]); // [true,false]
 */
export const isnan: Unary = operation("isnan", kind.tensor);

/**
 * Whether x is infinite.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isinf([1, Infinity, NaN]); // [false,true,false]
 */
export const isinf: Unary = operation("isinf", kind.tensor);

/**
 * Whether x is neither NaN nor infinite. Yields bool.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isfinite([Infinity, 1]); // [false,true]
 */
export const isfinite: Unary = operation("isfinite", kind.tensor);

/**
 * NaN and infinities exchanged for numbers; without one for an infinity, the finite number
 * next to it.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nanToNum([NaN, 1, Infinity], 0, 9); // [0,1,9]
 */
export const nanToNum: (x: Operand, nan?: number, above?: number | null, below?: number | null) => Tensor = operation("nanToNum", kind.tensor, kind.or(kind.number("the nan"), 0), kind.bound("the above"), kind.bound("the below"));

/**
 * The same values, through which no gradient flows.
 *
 * Takes any dtype; gives the same. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * grad((x: Tensor) => x.mul(x.detach()))(tensor(3)); // 3
 */
export const detach: Unary = operation("detach", kind.tensor);

/**
 * The elements as another dtype. Float to integer truncates towards zero and saturates, NaN
 * gives 0; bool is "not zero".
 *
 * Takes any dtype; gives `dtype`. Differentiable; `vmap` batches it.
 *
 * @example
 * cast([1.9, -1.9], "i32"); // [1,-1]
 */
export const cast: (x: Operand, dtype: DType) => Tensor = operation("cast", kind.tensor, kind.dtype);

/**
 * The same bits as another dtype. Not of or to bool.
 *
 * Takes f32, i32, u32; gives `dtype`. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitcast([1], "u32"); // [1065353216]
 */
export const bitcast: (x: Operand, dtype: DType) => Tensor = operation("bitcast", kind.tensor, kind.dtype);
