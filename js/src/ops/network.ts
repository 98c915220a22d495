// Which functions do neural networks add?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/network.rs`: change that.

import type { Axes } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import type { Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

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
 * The mean of (x − target)². A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * mseLoss([1, 2], [3, 2]); // 2
 */
export const mseLoss: (x: Operand, target: Operand) => Tensor = operation("mseLoss", kind.tensor, kind.operand);

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
 * x above 0, slope · x below.
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
 * Shifted and scaled along the last axis or given ones to mean 0 and variance 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * standardize([10, 30]); // [-1,1]
 */
export const standardize: (x: Operand, axis?: Axes, epsilon?: number) => Tensor = operation("standardize", kind.tensor, kind.or(kind.axes, -1), kind.or(kind.number("the epsilon"), 0.00001));

/**
 * The mean of |x − target|. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * l1Loss([1, 2], [3, 2]); // 1
 */
export const l1Loss: (x: Operand, target: Operand) => Tensor = operation("l1Loss", kind.tensor, kind.operand);

/**
 * The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * binaryCrossEntropy([0, 0], [0, 1]); // 0.69315
 */
export const binaryCrossEntropy: (x: Operand, target: Operand) => Tensor = operation("binaryCrossEntropy", kind.tensor, kind.operand);
