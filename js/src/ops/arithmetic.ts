// What can be done with two numbers at each place? Shapes broadcast from the last axis; tensors of different dtypes meet at the
// larger of bool < u32 < i32 < f32; plain numbers take the tensor's dtype, unless a fraction would be lost.

import { register } from "../core/core.js";
import type { Operand, Tensor } from "../core/tensor.js";
import { applyBinary } from "./lift.js";

/** A function of two operands. Throws `ShapeError` when their shapes do not broadcast. */
export type Binary = (a: Operand, b: Operand) => Tensor;

function binary(name: string): Binary {
  const slot = register("binary", name);
  return (a, b) => applyBinary(slot, a, b);
}

/** a + b. */
export const add: Binary = binary("add");
/** a − b. */
export const sub: Binary = binary("sub");
/** a · b. */
export const mul: Binary = binary("mul");
/** a / b. Integers become f32. */
export const div: Binary = binary("div");
/** The floor of a / b. */
export const floorDivide: Binary = binary("floorDivide");
/** What is left of a when divided by b, with the sign of b. */
export const remainder: Binary = binary("remainder");
/** aᵇ. */
export const pow: Binary = binary("pow");
/** The smaller of a and b; NaN if either is. */
export const minimum: Binary = binary("minimum");
/** The larger of a and b; NaN if either is. */
export const maximum: Binary = binary("maximum");
/** Bitwise and, of integers. */
export const bitwiseAnd: Binary = binary("bitwiseAnd");
/** Bitwise or, of integers. */
export const bitwiseOr: Binary = binary("bitwiseOr");
/** Bitwise exclusive or, of integers. */
export const bitwiseXor: Binary = binary("bitwiseXor");
/** a · 2ᵇ, of integers; bits shifted out are lost. */
export const shiftLeft: Binary = binary("shiftLeft");
/** The floor of a / 2ᵇ, of integers. */
export const shiftRight: Binary = binary("shiftRight");
