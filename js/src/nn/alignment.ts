// CTC loss.

import { countOf, finiteOf, noMore, optionsOf } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { invoke } from "../ops/operation.js";

const aligned = register("ctcLoss");

/**
 * How `nn.ctcLoss` reads its arguments.
 *
 * @example
 * const options: nn.CtcOptions = { blank: 0 };
 */
export interface CtcOptions {
  /** The class that stands for no label; 0 by default. */
  blank?: number;
  /** The logarithm of a probability that counts as none; −1e5 by default. */
  logEpsilon?: number;
}

/**
 * The negative logarithm of the probability that a sequence of logits, `[batch, time, classes]`,
 * says a shorter sequence of labels, `[batch, length]` of whole numbers, in whatever rhythm:
 * connectionist temporal classification (Graves et al. 2006), as `optax.ctc_loss`. Paddings, of the
 * shapes `[batch, time]` and `[batch, length]`, are 1 where nothing stands, at the end. One number
 * for each sequence. Throws `ShapeError` where shapes do not fit.
 *
 * Takes any dtype, then any dtype, then i32, u32, then any dtype; gives f32. Differentiable; `vmap`
 * batches it.
 *
 * @example
 * const logits = log([[[0.1, 0.9], [0.8, 0.2]]]);
 * nn.ctcLoss(logits, zeros([1, 2]), tensor([[1]], { dtype: "i32" }), zeros([1, 1])).neg().exp(); // [0.92]
 */
export function ctcLoss(logits: Operand, logitPaddings: Operand, labels: Operand, labelPaddings: Operand, options: CtcOptions = {}): Tensor {
  const op = "ctcLoss";
  noMore(op, [...arguments], 5);
  const chosen = optionsOf(op, options, { blank: 0, logEpsilon: -1e5 });
  return invoke(aligned, (call) => {
    call.tensor(logits).tensor(logitPaddings).tensor(labels, "i32").tensor(labelPaddings);
    call.put(countOf(op, "the blank", chosen.blank), finiteOf(op, "logEpsilon", chosen.logEpsilon));
  });
}
