// Functions of neural networks besides the operations. Each is a method of tensors too. Names are
// PyTorch's.

import { countOf, noMore, optionsOf } from "../core/check/check.js";
import { core, register } from "../core/wasm/core.js";
import { isFloat } from "../core/tensor/dtype.js";
import { flattenNested } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { numbersOf } from "../ops/create.js";
import { putIndices } from "../ops/lift.js";
import { ValueError } from "../core/errors.js";
import { invoke, type Call } from "../ops/operation.js";

/**
 * What counts in a cross entropy.
 *
 * @example
 * const options: CrossEntropyOptions = { ignoreIndex: -1 };
 * crossEntropy([[1, 2, 3], [1, 2, 3]], [2, -1], options); // 0.40761
 */
export interface CrossEntropyOptions {
  /** The class whose rows do not count, as of padding; it need not be one that there is. None by
   * default. */
  ignoreIndex?: number | null;
  /** How much of each target is shared among all classes; 0 by default. */
  labelSmoothing?: number;
}

/**
 * The mean of −log softmax(logits)[target]: `logits` [..., classes], `targets` class numbers [...]
 * (i32, u32 or plain numbers), or probabilities of the shape of the logits. A 0-d f32; NaN where
 * all rows are ignored.
 *
 * Throws `ShapeError`, `DTypeError`, and `ValueError` for a class that there is not where it can be
 * known without waiting for the device: in numbers, arrays, and integer tensors whose values are
 * `known`. Elsewhere such a class counts as the one with the largest logit.
 *
 * Takes any dtype, then i32, u32, f32; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * crossEntropy([[1, 2, 3], [1, 2, 3]], [2, 0]); // 1.4076
 * crossEntropy([[1, 2, 3]], [3]); // throws ValueError
 * crossEntropy([[1, 2, 3]], [2], { labelSmoothing: 0.1 }); // 0.50761
 */
export function crossEntropy(logits: Operand, targets: Operand, options?: CrossEntropyOptions): Tensor {
  const op = "crossEntropy";
  noMore(op, arguments, 3);
  const { ignoreIndex, labelSmoothing } = optionsOf(op, options, { ignoreIndex: null as number | null, labelSmoothing: 0 });
  if (labelSmoothing < 0 || labelSmoothing > 1) throw new ValueError(op, `labelSmoothing must lie in [0, 1], got ${labelSmoothing}`);
  const ignored = ignoreIndex === null ? null : countOf(op, "ignoreIndex", ignoreIndex, -(2 ** 31));
  const isPlain = ignored === null && labelSmoothing === 0;
  return invoke(isPlain ? entropy : { ...weighted, name: op }, (call) => {
    putRows(call, logits, targets, ignored);
    if (isPlain) return;
    call.put(...(ignored === null ? [0] : [1, ignored]), labelSmoothing);
  });
}

/** Puts logits, and targets where they fit. */
function putRows(call: Call, logits: Operand, targets: Operand, ignored: number | null): void {
  const op = call.op;
  call.tensor(logits);
  const shape = logits instanceof Tensor ? logits.shape : Array.from(core().shape(call.numbers[0] as number));
  const target = targets instanceof Tensor ? targets : flattenNested(numbersOf(op, targets), op);
  const areChances = shape.length > 0 && target.shape.join() === shape.join() && !(target instanceof Tensor && !isFloat(target.dtype));
  if (areChances) {
    call.tensor(targets, "f32");
    return;
  }
  // Of other shapes the core says how they differ.
  const fits = target.shape.join() === shape.slice(0, -1).join();
  putIndices(call, targets, { what: "class", least: 0, below: (fits && shape.at(-1)) || 2 ** 31, ...(ignored === null ? {} : { also: ignored }) });
}

const [entropy, weighted] = [register("crossEntropy"), register("crossEntropy.weighted")];
