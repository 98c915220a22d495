// Which functions do neural networks add to the operations? Each is a method of tensors too. Names are PyTorch's.

import { axisOf } from "../core/check.js";
import { core } from "../core/core.js";
import { inScope } from "../core/scope.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { mul, sub } from "../ops/arithmetic.js";
import { tensorFrom } from "../ops/create.js";
import { neg, square } from "../ops/elementwise.js";
import { apply, lend } from "../ops/lift.js";
import { mean, sum } from "../ops/reduce.js";

/** eˣ / Σ eˣ along an axis, without overflow, in f32. One kernel. */
export function softmax(x: Operand, axis = -1): Tensor {
  return apply("softmax", [x], (handle) => core().softmax(handle, axisOf("softmax", axis)));
}

/** log(softmax(x)) along an axis. */
export function logSoftmax(x: Operand, axis = -1): Tensor {
  return apply("logSoftmax", [x], (handle) => core().log_softmax(handle, axisOf("logSoftmax", axis)));
}

/**
 * The mean of −log softmax(logits)[target]: `logits` [..., classes], `targets` class numbers [...] (i32, u32 or plain numbers),
 * or probabilities of the shape of the logits. A 0-d f32. Throws `ShapeError`, `DTypeError`.
 */
export function crossEntropy(logits: Operand, targets: Operand): Tensor {
  return composed(() => {
    const scores = logits instanceof Tensor ? logits : tensorFrom(logits, "crossEntropy");
    const chances = targets instanceof Tensor ? targets : tensorFrom(targets, "crossEntropy");
    const areChances = chances.dtype === "f32" && chances.ndim > 0 && chances.shape.join() === scores.shape.join();
    if (areChances) return mean(neg(sum(mul(chances, logSoftmax(scores)), -1)));
    return lend("crossEntropy", [targets], (classes) => Tensor.adopt(core().cross_entropy(scores.handle, classes)), "i32");
  });
}

/** The mean of (x − target)². A 0-d f32. */
export function mseLoss(x: Operand, target: Operand): Tensor {
  return composed(() => mean(square(sub(x, target))));
}

/** Computes a tensor from others that are freed. */
function composed(compute: () => Tensor): Tensor {
  return inScope(compute, (result) => [result]);
}
