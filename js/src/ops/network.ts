// Which functions do neural networks add?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/network.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * eˣ / Σ eˣ along an axis, without overflow, in f32. One kernel.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * softmax([1, 1]); // [0.5,0.5]
 */
export const softmax: (x: Operand, axis?: number) => Tensor = operation("softmax", kind.tensor, kind.or(kind.axis, -1));

/**
 * log(softmax(x)) along an axis.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logSoftmax([1, 1]); // [-0.69315,-0.69315]
 */
export const logSoftmax: (x: Operand, axis?: number) => Tensor = operation("logSoftmax", kind.tensor, kind.or(kind.axis, -1));

/**
 * The mean of (x − target)². A 0-d f32.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * mseLoss([1, 2], [3, 2]); // 2
 */
export const mseLoss: (x: Operand, target: Operand) => Tensor = operation("mseLoss", kind.tensor, kind.operand);
