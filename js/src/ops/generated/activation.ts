// Activations, softmax and positional encodings of neural networks.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/activation.rs`: change that.

import type { Axes } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * 1/(1+e⁻ˣ).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * sigmoid([0, 2]); // [0.5,0.8808]
 */
export const sigmoid: Unary = operation("sigmoid", kind.tensor);

/**
 * max(x, 0).
 *
 * Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * relu([-1, 2]); // [0,2]
 */
export const relu: Unary = operation("relu", kind.tensor);

/**
 * Gaussian error linear unit: x·Φ(x).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * gelu([-1, 0, 1]); // [-0.15866,0,0.84134]
 */
export const gelu: Unary = operation("gelu", kind.tensor);

/**
 * `gelu` by a hyperbolic tangent, within 5e-4 of it: as GPT-2 has it, and `jax.nn.gelu` by
 * default.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * geluTanh([-1, 0, 1]); // [-0.15881,0,0.84119]
 */
export const geluTanh: Unary = operation("geluTanh", kind.tensor);

/**
 * x · sigmoid(x).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * silu([0, 1]); // [0,0.73106]
 */
export const silu: Unary = operation("silu", kind.tensor);

/**
 * log(1 + eˣ), without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * softplus([0, 100]); // [0.69315,100]
 */
export const softplus: Unary = operation("softplus", kind.tensor);

/**
 * log(sigmoid(x)), without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logSigmoid([0, -100]); // [-0.69315,-100]
 */
export const logSigmoid: Unary = operation("logSigmoid", kind.tensor);

/**
 * x above 0, alpha · (eˣ − 1) below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * elu([-1, 2]); // [-0.63212,2]
 */
export const elu: (x: Operand, alpha?: number) => Tensor = operation("elu", kind.tensor, kind.or(kind.number("the alpha"), 1));

/**
 * `elu` scaled so that means of 0 and variances of 1 stay.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * selu([-1, 2]); // [-1.1113,2.1014]
 */
export const selu: Unary = operation("selu", kind.tensor);

/**
 * x above 0, alpha · (e^(x/alpha) − 1) below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * celu([-1, 2]); // [-0.63212,2]
 */
export const celu: (x: Operand, alpha?: number) => Tensor = operation("celu", kind.tensor, kind.or(kind.number("the alpha"), 1));

/**
 * x from 0 on, slope · x below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * leakyRelu([-1, 2]); // [-0.01,2]
 */
export const leakyRelu: (x: Operand, slope?: number) => Tensor = operation("leakyRelu", kind.tensor, kind.or(kind.number("the slope"), 0.01));

/**
 * x within 0 and 6.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * relu6([-1, 2, 9]); // [0,2,6]
 */
export const relu6: Unary = operation("relu6", kind.tensor);

/**
 * (x + 3)/6 within 0 and 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * hardSigmoid([-4, 0, 4]); // [0,0.5,1]
 */
export const hardSigmoid: Unary = operation("hardSigmoid", kind.tensor);

/**
 * x · hardSigmoid(x).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * hardSilu([-4, 1, 4]); // [0,0.66667,4]
 */
export const hardSilu: Unary = operation("hardSilu", kind.tensor);

/**
 * x within −1 and 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * hardTanh([-4, 0.5, 4]); // [-1,0.5,1]
 */
export const hardTanh: Unary = operation("hardTanh", kind.tensor);

/**
 * x · tanh(softplus(x)).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * mish([0, 1]); // [0,0.8651]
 */
export const mish: Unary = operation("mish", kind.tensor);

/**
 * x / (1 + |x|).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * softSign([-1, 3]); // [-0.5,0.75]
 */
export const softSign: Unary = operation("softSign", kind.tensor);

/**
 * (x + √(x² + b))/2.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * squareplus([0, 1]); // [1,1.618]
 */
export const squareplus: (x: Operand, b?: number) => Tensor = operation("squareplus", kind.tensor, kind.or(kind.number("the b"), 4));

/**
 * The first half of an axis times the sigmoid of the second. Throws `ShapeError` where it has
 * no halves.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * glu([2, 0]); // [1]
 */
export const glu: (x: Operand, axis?: number) => Tensor = operation("glu", kind.tensor, kind.or(kind.axis, -1));

/**
 * eˣ / Σ eˣ along the last axis or given ones, without overflow, in f32. One kernel.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * softmax([1, 1]); // [0.5,0.5]
 */
export const softmax: (x: Operand, axis?: Axes) => Tensor = operation("softmax", kind.tensor, kind.or(kind.axes, -1));

/**
 * log(softmax(x)) along the last axis or given ones.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logSoftmax([1, 1]); // [-0.69315,-0.69315]
 */
export const logSoftmax: (x: Operand, axis?: Axes) => Tensor = operation("logSoftmax", kind.tensor, kind.or(kind.axes, -1));

/**
 * Shifted and scaled along the last axis or given ones to mean 0 and variance 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * standardize([10, 30]); // [-1,1]
 */
export const standardize: (x: Operand, axis?: Axes, epsilon?: number) => Tensor = operation("standardize", kind.tensor, kind.or(kind.axes, -1), kind.or(kind.number("the epsilon"), 0.00001));
