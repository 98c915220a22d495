// The namespace `special`: special functions under SciPy's names, including those that other
// modules define.

import { sigmoid } from "../ops/generated/activation.js";
import type { Unary } from "../ops/signatures.js";

export * from "../ops/generated/special.js";
export { logSumExp } from "../ops/generated/reduce.js";
export { erf, erfInv, sinc } from "../ops/generated/elementwise.js";
export { logSoftmax, softmax } from "../ops/generated/activation.js";

/**
 * 1 / (1 + e⁻ˣ), which is `sigmoid`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.expit([0, 100]); // [0.5,1]
 */
export const expit: Unary = sigmoid;
