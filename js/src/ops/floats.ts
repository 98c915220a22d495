// What are numbers made of? Exponents, bits, common divisors.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/floats.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Binary, Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * x · 2ⁿ for whole n.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * ldexp([0.5, 3], [4, -1]); // [8,1.5]
 */
export const ldexp: (x: Operand, n: Operand) => Tensor = operation("ldexp", kind.tensor, kind.tensor);

/**
 * The float next to a towards b, which is b where they are equal. Devices may take what is below 2⁻¹²⁶ for 0.
 *
 * Takes any dtype; gives f32, f16 of halves. Without a gradient; `vmap` batches it.
 *
 * @example
 * nextafter(1, 2).sub(1); // 1.1921e-7
 */
export const nextafter: Binary = operation("nextafter", kind.operand, kind.operand);

/**
 * aᵇ in f32, whatever the dtypes.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * floatPower(Int32Array.of(2), -1); // [0.5]
 */
export const floatPower: Binary = operation("floatPower", kind.operand, kind.operand);

/**
 * log₂(2ᵃ + 2ᵇ), without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logAddExp2([3, 1000], [3, 1000]); // [4,1001]
 */
export const logAddExp2: Binary = operation("logAddExp2", kind.operand, kind.operand);

/**
 * Whether x is ∞.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isposinf([Infinity, -Infinity, 1]); // [true,false,false]
 */
export const isposinf: Unary = operation("isposinf", kind.tensor);

/**
 * Whether x is −∞.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isneginf([Infinity, -Infinity, 1]); // [false,true,false]
 */
export const isneginf: Unary = operation("isneginf", kind.tensor);

/**
 * How many bits of integers are set, as i32; of negative ones those of the magnitude.
 *
 * Takes bool, i32, u32; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * bitwiseCount(Int32Array.of(0, 7, -1)); // [0,3,1]
 */
export const bitwiseCount: Unary = operation("bitwiseCount", kind.integers);

/**
 * The greatest common divisor of integers, 0 of zeros.
 *
 * Takes bool, i32, u32; gives the promoted dtype, i32 of bools. Without a gradient; `vmap` batches it.
 *
 * @example
 * gcd(Int32Array.of(12, -18, 0), 9); // [3,9,9]
 */
export const gcd: Binary = operation("gcd", kind.integers, kind.integers);

/**
 * The least common multiple of integers, 0 where either is.
 *
 * Takes bool, i32, u32; gives the promoted dtype, i32 of bools. Without a gradient; `vmap` batches it.
 *
 * @example
 * lcm(Int32Array.of(4, 0), 6); // [12,0]
 */
export const lcm: Binary = operation("lcm", kind.integers, kind.integers);
