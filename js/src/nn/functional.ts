// Which functions do neural networks add to the operations? Each is a method of tensors too. Names are PyTorch's.

import { axisOf, noOptions } from "../core/check.js";
import { core } from "../core/core.js";
import { inScope } from "../core/scope.js";
import { flattenNested } from "../core/shape.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { mul, sub } from "../ops/arithmetic.js";
import { numbersOf, tensorFrom } from "../ops/create.js";
import { neg, square } from "../ops/elementwise.js";
import { apply, lendIndices } from "../ops/lift.js";
import { mean, sum } from "../ops/reduce.js";

/**
 * eˣ / Σ eˣ along an axis, without overflow, in f32. One kernel.
 *
 * @example
 * softmax([1, 1]); // [0.5,0.5]
 */
export function softmax(x: Operand, axis = -1): Tensor {
  noOptions("softmax", arguments, 2);
  const along = axisOf("softmax", axis);
  return apply("softmax", [x], (handle) => core().softmax(handle, along));
}

/**
 * log(softmax(x)) along an axis.
 *
 * @example
 * logSoftmax([1, 1]); // [-0.69315,-0.69315]
 */
export function logSoftmax(x: Operand, axis = -1): Tensor {
  noOptions("logSoftmax", arguments, 2);
  const along = axisOf("logSoftmax", axis);
  return apply("logSoftmax", [x], (handle) => core().log_softmax(handle, along));
}

/**
 * The mean of −log softmax(logits)[target]: `logits` [..., classes], `targets` class numbers [...] (i32, u32 or plain numbers),
 * or probabilities of the shape of the logits. A 0-d f32.
 *
 * Throws `ShapeError`, `DTypeError`, and `ValueError` for a class that there is not where it can be known without waiting for the
 * device: in numbers, arrays, and integer tensors whose values are `known`. Elsewhere such a class counts as the one with the largest logit.
 *
 * @example
 * crossEntropy([[1, 2, 3], [1, 2, 3]], [2, 0]); // 1.4076
 * crossEntropy([[1, 2, 3]], [3]); // throws ValueError
 */
export function crossEntropy(logits: Operand, targets: Operand): Tensor {
  noOptions("crossEntropy", arguments, 2);
  const op = "crossEntropy";
  return composed(() => {
    const scores = logits instanceof Tensor ? logits : tensorFrom(logits, op);
    const { shape } = scores;
    const target = targets instanceof Tensor ? targets : flattenNested(numbersOf(op, targets), op);
    const areChances = shape.length > 0 && target.shape.join() === shape.join() && !(target instanceof Tensor && target.dtype !== "f32");
    if (areChances) return mean(neg(sum(mul(targets, logSoftmax(scores)), -1)));
    // Of other shapes the core says how they differ.
    const fits = target.shape.join() === shape.slice(0, -1).join();
    const classes = { what: "class", least: 0, below: (fits && shape.at(-1)) || 2 ** 31 };
    return lendIndices(op, targets, classes, (handle) => Tensor.adopt(core().cross_entropy(scores.handle, handle)));
  });
}

/**
 * The mean of (x − target)². A 0-d f32.
 *
 * @example
 * mseLoss([1, 2], [3, 2]); // 2
 */
export function mseLoss(x: Operand, target: Operand): Tensor {
  noOptions("mseLoss", arguments, 2);
  return composed(() => mean(square(sub(x, target))));
}

/** Computes a tensor from others that are freed. */
function composed(compute: () => Tensor): Tensor {
  return inScope(compute, (result) => [result]);
}
