// What can be done to each element by itself? Every function here is a method of tensors too, and keeps shape and dtype unless it
// says otherwise. Accuracy is documented with the core's operations.

import { core, register } from "../core/core.js";
import { dtypeCode, type DType } from "../core/dtype.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { maximum, minimum } from "./arithmetic.js";
import { apply, applyUnary } from "./lift.js";

/** A function of each element. */
export type Unary = (x: Operand) => Tensor;

function unary(name: string): Unary {
  const slot = register("unary", name);
  return (x) => applyUnary(slot, x);
}

/** −x. Not of bool. */
export const neg: Unary = unary("neg");
/** |x|. Not of bool. */
export const abs: Unary = unary("abs");
/** −1, 0 or 1; NaN stays NaN. Not of bool. */
export const sign: Unary = unary("sign");
/** The largest whole number not above x. f32; integers stay. */
export const floor: Unary = unary("floor");
/** The smallest whole number not below x. f32; integers stay. */
export const ceil: Unary = unary("ceil");
/** The nearest whole number, ties to even. f32; integers stay. */
export const round: Unary = unary("round");
/** eˣ. Integers become f32, here and below. */
export const exp: Unary = unary("exp");
/** Natural logarithm: −∞ at 0, NaN below. */
export const log: Unary = unary("log");
/** Square root: NaN below 0. */
export const sqrt: Unary = unary("sqrt");
/** 1/√x. */
export const rsqrt: Unary = unary("rsqrt");
/** Sine of radians. */
export const sin: Unary = unary("sin");
/** Cosine of radians. */
export const cos: Unary = unary("cos");
/** Hyperbolic tangent. */
export const tanh: Unary = unary("tanh");
/** 1/(1+e⁻ˣ). */
export const sigmoid: Unary = unary("sigmoid");
/** max(x, 0). */
export const relu: Unary = unary("relu");
/** Error function. */
export const erf: Unary = unary("erf");
/** Inverse of the error function, on [−1, 1]. */
export const erfInv: Unary = unary("erfInv");
/** x². */
export const square: Unary = unary("square");
/** 1/x. f32. */
export const reciprocal: Unary = unary("reciprocal");
/** Whether x is zero, or false. Yields bool. */
export const logicalNot: Unary = unary("logicalNot");
/** Each bit flipped. Integers, and bool (not). */
export const bitwiseNot: Unary = unary("bitwiseNot");
/** Whether x is NaN. Yields bool. */
export const isnan: Unary = unary("isNan");
/** Whether x is neither NaN nor infinite. Yields bool. */
export const isfinite: Unary = unary("isFinite");
/** The same values, through which no gradient flows. */
export const detach: Unary = unary("detach");

/** Gaussian error linear unit: x·Φ(x). */
export const gelu: Unary = unary("gelu");

/** x between `low` and `high`, which broadcast; `null` leaves an end open. `high` wins where they cross. */
export function clip(x: Operand, low: Operand | null = null, high: Operand | null = null): Tensor {
  const isBound = (bound: Operand | null): bound is number | null => bound === null || typeof bound === "number";
  if (isBound(low) && isBound(high)) {
    return apply("clip", [x], (handle) => core().clip(handle, low ?? undefined, high ?? undefined));
  }
  const raised = low === null ? null : maximum(x, low);
  if (high === null) return raised ?? apply("clip", [x], (handle) => core().clip(handle));
  const clipped = minimum(raised ?? x, high);
  raised?.dispose();
  return clipped;
}

/** The elements as another dtype. Float to integer truncates towards zero and saturates, NaN gives 0; bool is "not zero". */
export function cast(x: Operand, dtype: DType): Tensor {
  const code = dtypeCode(dtype, "cast");
  return apply("cast", [x], (handle) => core().cast(handle, code));
}

/** The same bits as another dtype. Not of or to bool. */
export function bitcast(x: Operand, dtype: DType): Tensor {
  const code = dtypeCode(dtype, "bitcast");
  return apply("bitcast", [x], (handle) => core().bitcast(handle, code));
}
