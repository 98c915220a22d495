// What can be done to each element by itself? Every function here is a method of tensors too, and keeps shape and dtype unless it
// says otherwise. Accuracy is documented with the core's operations.

import { noOptions } from "../core/check.js";
import { core, register } from "../core/core.js";
import { dtypeCode, type DType } from "../core/dtype.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { maximum, minimum } from "./arithmetic.js";
import { apply, applyUnary } from "./lift.js";

/**
 * A function of each element.
 *
 * @example
 * const swish: Unary = (x) => mul(x, sigmoid(x));
 * swish(0); // 0
 */
export type Unary = (x: Operand) => Tensor;

function unary(name: string): Unary {
  const slot = register("unary", name);
  return (x, ...more: unknown[]) => {
    noOptions(name, more, 0);
    return applyUnary(slot, x);
  };
}

/**
 * −x. Not of bool.
 *
 * @example
 * neg([1, -2]); // [-1,2]
 */
export const neg: Unary = unary("neg");

/**
 * |x|. Not of bool.
 *
 * @example
 * abs([1, -2]); // [1,2]
 */
export const abs: Unary = unary("abs");

/**
 * −1, 0 or 1; NaN stays NaN. Not of bool.
 *
 * @example
 * sign([3, 0, -2]); // [1,0,-1]
 */
export const sign: Unary = unary("sign");

/**
 * The largest whole number not above x. f32; integers stay.
 *
 * @example
 * floor([1.5, -1.5]); // [1,-2]
 */
export const floor: Unary = unary("floor");

/**
 * The smallest whole number not below x. f32; integers stay.
 *
 * @example
 * ceil([1.5, -1.5]); // [2,-1]
 */
export const ceil: Unary = unary("ceil");

/**
 * The nearest whole number, ties to even. f32; integers stay.
 *
 * @example
 * round([0.5, 1.5, 2.6]); // [0,2,3]
 */
export const round: Unary = unary("round");

/**
 * eˣ. Integers become f32, here and below.
 *
 * @example
 * exp([0, 1]); // [1,2.7183]
 */
export const exp: Unary = unary("exp");

/**
 * Natural logarithm: −∞ at 0, NaN below.
 *
 * @example
 * log([1, 0, -1]); // [0,-Infinity,NaN]
 */
export const log: Unary = unary("log");

/**
 * Square root: NaN below 0.
 *
 * @example
 * sqrt([4, 2]); // [2,1.4142]
 */
export const sqrt: Unary = unary("sqrt");

/**
 * 1/√x.
 *
 * @example
 * rsqrt([4, 1]); // [0.5,1]
 */
export const rsqrt: Unary = unary("rsqrt");

/**
 * Sine of radians.
 *
 * @example
 * sin([0, Math.PI / 2]); // [0,1]
 */
export const sin: Unary = unary("sin");

/**
 * Cosine of radians.
 *
 * @example
 * cos([0, Math.PI]); // [1,-1]
 */
export const cos: Unary = unary("cos");

/**
 * Hyperbolic tangent.
 *
 * @example
 * tanh([0, 1]); // [0,0.76159]
 */
export const tanh: Unary = unary("tanh");

/**
 * 1/(1+e⁻ˣ).
 *
 * @example
 * sigmoid([0, 2]); // [0.5,0.8808]
 */
export const sigmoid: Unary = unary("sigmoid");

/**
 * max(x, 0).
 *
 * @example
 * relu([-1, 2]); // [0,2]
 */
export const relu: Unary = unary("relu");

/**
 * Error function.
 *
 * @example
 * erf([0, 1]); // [0,0.8427]
 */
export const erf: Unary = unary("erf");

/**
 * Inverse of the error function, on [−1, 1].
 *
 * @example
 * erfInv([0, 0.5]); // [0,0.47694]
 */
export const erfInv: Unary = unary("erfInv");

/**
 * x².
 *
 * @example
 * square([2, -3]); // [4,9]
 */
export const square: Unary = unary("square");

/**
 * 1/x. f32.
 *
 * @example
 * reciprocal([2, 4]); // [0.5,0.25]
 */
export const reciprocal: Unary = unary("reciprocal");

/**
 * Whether x is zero, or false. Yields bool.
 *
 * @example
 * logicalNot([0, 2]); // [true,false]
 */
export const logicalNot: Unary = unary("logicalNot");

/**
 * Each bit flipped. Integers, and bool (not).
 *
 * @example
 * bitwiseNot(Int32Array.of(0, 1)); // [-1,-2]
 */
export const bitwiseNot: Unary = unary("bitwiseNot");

/**
 * Whether x is NaN. Yields bool.
 *
 * @example
 * isnan([NaN, 1]); // [true,false]
 */
export const isnan: Unary = unary("isNan");

/**
 * Whether x is neither NaN nor infinite. Yields bool.
 *
 * @example
 * isfinite([Infinity, 1]); // [false,true]
 */
export const isfinite: Unary = unary("isFinite");

/**
 * The same values, through which no gradient flows.
 *
 * @example
 * grad((x: Tensor) => x.mul(x.detach()))(tensor(3)); // 3
 */
export const detach: Unary = unary("detach");

/**
 * Gaussian error linear unit: x·Φ(x).
 *
 * @example
 * gelu([-1, 0, 1]); // [-0.15866,0,0.84134]
 */
export const gelu: Unary = unary("gelu");

/**
 * x between `low` and `high`, which broadcast; `null` leaves an end open. `high` wins where they cross.
 *
 * @example
 * clip([-5, 0, 5], -1, 2); // [-1,0,2]
 */
export function clip(x: Operand, low: Operand | null = null, high: Operand | null = null): Tensor {
  noOptions("clip", arguments, 3);
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

/**
 * The elements as another dtype. Float to integer truncates towards zero and saturates, NaN gives 0; bool is "not zero".
 *
 * @example
 * cast([1.9, -1.9], "i32"); // [1,-1]
 */
export function cast(x: Operand, dtype: DType): Tensor {
  noOptions("cast", arguments, 2);
  const code = dtypeCode(dtype, "cast");
  return apply("cast", [x], (handle) => core().cast(handle, code));
}

/**
 * The same bits as another dtype. Not of or to bool.
 *
 * @example
 * bitcast([1], "u32"); // [1065353216]
 */
export function bitcast(x: Operand, dtype: DType): Tensor {
  noOptions("bitcast", arguments, 2);
  const code = dtypeCode(dtype, "bitcast");
  return apply("bitcast", [x], (handle) => core().bitcast(handle, code));
}
