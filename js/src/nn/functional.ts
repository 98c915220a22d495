// Which functions do neural networks add to the operations? Each is a method of tensors too. Names are PyTorch's.

import { noMore } from "../core/check.js";
import { core, register } from "../core/core.js";
import { isFloat } from "../core/dtype.js";
import { flattenNested } from "../core/shape.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { numbersOf } from "../ops/create.js";
import { putIndices } from "../ops/lift.js";
import { invoke } from "../ops/operation.js";

export * from "../ops/lesser.js";
export * from "../ops/network.js";

/**
 * The mean of −log softmax(logits)[target]: `logits` [..., classes], `targets` class numbers [...] (i32, u32 or plain numbers),
 * or probabilities of the shape of the logits. A 0-d f32.
 *
 * Throws `ShapeError`, `DTypeError`, and `ValueError` for a class that there is not where it can be known without waiting for the
 * device: in numbers, arrays, and integer tensors whose values are `known`. Elsewhere such a class counts as the one with the largest logit.
 *
 * Takes any dtype, then i32, u32, f32; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * crossEntropy([[1, 2, 3], [1, 2, 3]], [2, 0]); // 1.4076
 * crossEntropy([[1, 2, 3]], [3]); // throws ValueError
 */
export function crossEntropy(logits: Operand, targets: Operand): Tensor {
  noMore("crossEntropy", arguments, 2);
  const op = "crossEntropy";
  return invoke(entropy, (call) => {
    call.tensor(logits);
    const shape = logits instanceof Tensor ? logits.shape : Array.from(core().shape(call.numbers[0] as number));
    const target = targets instanceof Tensor ? targets : flattenNested(numbersOf(op, targets), op);
    const areChances = shape.length > 0 && target.shape.join() === shape.join() && !(target instanceof Tensor && !isFloat(target.dtype));
    if (areChances) return call.tensor(targets, "f32");
    // Of other shapes the core says how they differ.
    const fits = target.shape.join() === shape.slice(0, -1).join();
    return putIndices(call, targets, { what: "class", least: 0, below: (fits && shape.at(-1)) || 2 ** 31 });
  });
}

const entropy = register("crossEntropy");
