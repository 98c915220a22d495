// What can be done with two numbers at each place? Shapes broadcast from the last axis; tensors of different dtypes meet at the
// larger of bool < u32 < i32 < f32; plain numbers take the tensor's dtype, unless a fraction would be lost.

import { noOptions } from "../core/check.js";
import { register } from "../core/core.js";
import type { Operand, Tensor } from "../core/tensor.js";
import { applyBinary } from "./lift.js";

/**
 * A function of two operands. Throws `ShapeError` when their shapes do not broadcast.
 *
 * @example
 * const distance: Binary = (a, b) => sub(a, b).abs();
 * distance([1, 5], 3); // [2,2]
 */
export type Binary = (a: Operand, b: Operand) => Tensor;

function binary(name: string): Binary {
  const slot = register("binary", name);
  return (a, b, ...more: unknown[]) => {
    noOptions(name, more, 0);
    return applyBinary(slot, a, b);
  };
}

/**
 * a + b.
 *
 * @example
 * add([1, 2], 10); // [11,12]
 */
export const add: Binary = binary("add");

/**
 * a − b.
 *
 * @example
 * sub([1, 2], 10); // [-9,-8]
 */
export const sub: Binary = binary("sub");

/**
 * a · b.
 *
 * @example
 * mul([[1], [2]], [3, 4]); // [[3,4],[6,8]]
 */
export const mul: Binary = binary("mul");

/**
 * a / b. Integers become f32.
 *
 * @example
 * div([1, 2], 4); // [0.25,0.5]
 */
export const div: Binary = binary("div");

/**
 * The floor of a / b.
 *
 * @example
 * floorDivide([7, -7], 2); // [3,-4]
 */
export const floorDivide: Binary = binary("floorDivide");

/**
 * What is left of a when divided by b, with the sign of b.
 *
 * @example
 * remainder([7, -7], 3); // [1,2]
 */
export const remainder: Binary = binary("remainder");

/**
 * aᵇ.
 *
 * @example
 * pow([2, 3], 2); // [4,9]
 */
export const pow: Binary = binary("pow");

/**
 * The smaller of a and b; NaN if either is.
 *
 * @example
 * minimum([1, 5], 3); // [1,3]
 */
export const minimum: Binary = binary("minimum");

/**
 * The larger of a and b; NaN if either is.
 *
 * @example
 * maximum([1, 5], 3); // [3,5]
 */
export const maximum: Binary = binary("maximum");

/**
 * Bitwise and, of integers.
 *
 * @example
 * bitwiseAnd(Int32Array.of(6, 5), 4); // [4,4]
 */
export const bitwiseAnd: Binary = binary("bitwiseAnd");

/**
 * Bitwise or, of integers.
 *
 * @example
 * bitwiseOr(Int32Array.of(1, 2), 4); // [5,6]
 */
export const bitwiseOr: Binary = binary("bitwiseOr");

/**
 * Bitwise exclusive or, of integers.
 *
 * @example
 * bitwiseXor(Int32Array.of(6, 5), 4); // [2,1]
 */
export const bitwiseXor: Binary = binary("bitwiseXor");

/**
 * a · 2ᵇ, of integers; bits shifted out are lost.
 *
 * @example
 * shiftLeft(Int32Array.of(1, 3), 2); // [4,12]
 */
export const shiftLeft: Binary = binary("shiftLeft");

/**
 * The floor of a / 2ᵇ, of integers.
 *
 * @example
 * shiftRight(Int32Array.of(8, -8), 1); // [4,-4]
 */
export const shiftRight: Binary = binary("shiftRight");
