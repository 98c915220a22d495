// Representations of numbers: signs, exponents and mantissas, bits, common divisors.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/number.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary, Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * Whether the sign of x is set.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * signbit([1, -2]); // [false,true]
 */
export const signbit: Unary = operation("signbit", kind.tensor);

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
 * x · 2ⁿ for whole n.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * ldexp([0.5, 3], [4, -1]); // [8,1.5]
 */
export const ldexp: (x: Operand, n: Operand) => Tensor = operation("ldexp", kind.tensor, kind.tensor);

/**
 * The float next to a towards b, which is b where they are equal. Devices may take magnitudes
 * below 2⁻¹²⁶ for 0.
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
 * `floorDivide` and `remainder`.
 *
 * Takes any dtype; gives quotient promoted, rest promoted. Differentiable; `vmap` batches it.
 *
 * @example
 * const [quotient, rest] = divmod([7, -7], 3);
 * quotient; // [2,-3]
 * rest; // [1,2]
 */
export const divmod: (a: Operand, b: Operand) => [quotient: Tensor, rest: Tensor] = several("divmod", "quotient, rest", kind.operand, kind.operand);

/**
 * The fraction and the whole part of numbers, both with the sign of the number.
 *
 * Takes any dtype; gives rest f32 even of f16, whole f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * const [rest, whole] = modf([1.5, -2.25]);
 * rest; // [0.5,-0.25]
 * whole; // [1,-2]
 */
export const modf: (x: Operand) => [rest: Tensor, whole: Tensor] = several("modf", "rest, whole", kind.tensor);

/**
 * Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or
 * not finite is its own m, with the exponent 0. The gradient is that of m, with e kept.
 *
 * Takes any dtype; gives mantissa f32 even of f16, exponent i32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [m, e] = frexp([8, -0.75]);
 * m; // [0.5,-0.75]
 * e; // [4,0]
 */
export const frexp: (x: Operand) => [mantissa: Tensor, exponent: Tensor] = several("frexp", "mantissa, exponent", kind.tensor);

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
 * The number of leading zeros of each element's 32 bits.
 *
 * Takes i32, u32; gives the same. Without a gradient; `vmap` batches it.
 *
 * @example
 * clz(tensor([0, 1, -1], { dtype: "i32" })); // [32,31,0]
 */
export const clz: Unary = operation("clz", kind.tensor);

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

/**
 * Whether elements are not 0, as bits, eight to a byte: along an axis, or of the flattened
 * tensor. The first is the highest bit, or the lowest with `little`; zeros fill the last byte.
 *
 * Takes any dtype; gives u8. Without a gradient; `vmap` batches it.
 *
 * @example
 * packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]); // [131,128]
 */
export const packbits: (x: Operand, axis?: number | null, little?: boolean) => Tensor = operation("packbits", kind.tensor, kind.position, kind.or(kind.flag("the little"), false));

/**
 * The bits of bytes as 0 and 1, along an axis, or of the flattened tensor: the first `count`,
 * followed by zeros where there are fewer, or all but the last −`count`, where it is given.
 * Throws `DTypeError` for other than u8.
 *
 * Takes u8; gives u8. Without a gradient; `vmap` batches it.
 *
 * @example
 * unpackbits(packbits([1, 0, 1]), null, 4); // [1,0,1,0]
 */
export const unpackbits: (x: Operand, axis?: number | null, count?: number | null, little?: boolean) => Tensor = operation("unpackbits", kind.tensor, kind.position, kind.bound("the count"), kind.or(kind.flag("the little"), false));
