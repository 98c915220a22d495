// The namespace `special`: special functions under SciPy's names, including those that other
// modules define.

import { sigmoid } from "../ops/elementwise.js";
import type { Unary } from "../ops/forms.js";

export * from "../ops/special.js";
export { fresnel, sici } from "../ops/twofold.js";
export { logSumExp } from "../ops/reduce.js";
export { erf } from "../ops/elementwise.js";
export { erfInv, sinc } from "../ops/mathematics.js";
export { logSoftmax, softmax } from "../nn/functional.js";

/**
 * 1 / (1 + e⁻ˣ), which is `sigmoid`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.expit([0, 100]); // [0.5,1]
 */
export const expit: Unary = sigmoid;
