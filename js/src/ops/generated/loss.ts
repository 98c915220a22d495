// Losses that are means over all elements, as 0-d tensors.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/loss.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

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
 * The mean of |x − target|. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * l1Loss([1, 2], [3, 2]); // 1
 */
export const l1Loss: (x: Operand, target: Operand) => Tensor = operation("l1Loss", kind.tensor, kind.operand);

/**
 * The mean of a loss that is (x − target)²/2 where that is nearer than `delta`, and grows like
 * delta · |x − target| beyond. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * huberLoss([0, 3], [0.5, 0]); // 1.3125
 */
export const huberLoss: (x: Operand, target: Operand, delta?: number) => Tensor = operation("huberLoss", kind.tensor, kind.operand, kind.or(kind.number("the delta"), 1));

/**
 * The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * binaryCrossEntropy([0, 0], [0, 1]); // 0.69315
 */
export const binaryCrossEntropy: (x: Operand, target: Operand) => Tensor = operation("binaryCrossEntropy", kind.tensor, kind.operand);
