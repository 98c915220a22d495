// What do predictions lose that are compared as a whole: a sequence with a shorter one, a batch with itself?

import { countOf, finiteOf, noMore, optionsOf } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import { ShapeError } from "../errors.js";
import { add, div, maximum, mul, sub } from "../ops/arithmetic.js";
import { logAddExp } from "../ops/mathematics.js";
import { equal, logicalAnd, where } from "../ops/compare.js";
import { eye, full, zeros } from "../ops/create.js";
import { cast, logicalNot, neg, sqrt, square } from "../ops/elementwise.js";
import { takeAlongAxis } from "../ops/indexing.js";
import { concat } from "../ops/join.js";
import { composed, lifted } from "../ops/lift.js";
import { logSoftmax, softplus } from "../ops/network.js";
import { pad, slice, transpose } from "../ops/parts.js";
import { matmul } from "../ops/product.js";
import { logSumExp, sum } from "../ops/reduce.js";
import { broadcastTo, expandDims, permute } from "../ops/view.js";
import { scan } from "../transforms/control.js";

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
 * The negative logarithm of the probability that a sequence of logits, `[batch, time, classes]`, says a shorter sequence of labels, `[batch, length]` of whole numbers,
 * in whatever rhythm: connectionist temporal classification (Graves et al. 2006), as `optax.ctc_loss`. Paddings, of the shapes `[batch, time]` and
 * `[batch, length]`, are 1 where nothing stands, at the end. One number for each sequence. Throws `ShapeError` where shapes do not fit.
 *
 * @example
 * const logits = log([[[0.1, 0.9], [0.8, 0.2]]]);
 * nn.ctcLoss(logits, zeros([1, 2]), tensor([[1]], { dtype: "i32" }), zeros([1, 1])).neg().exp(); // [0.92]
 */
export function ctcLoss(logits: Operand, logitPaddings: Operand, labels: Operand, labelPaddings: Operand, options: CtcOptions = {}): Tensor {
  const op = "ctcLoss";
  noMore(op, [...arguments], 5);
  const chosen = optionsOf(op, options, { blank: 0, logEpsilon: -1e5 });
  const [blank, none] = [countOf(op, "the blank", chosen.blank), finiteOf(op, "logEpsilon", chosen.logEpsilon)];
  return composed(op, () => {
    const [scores, ids] = [lifted(op, logits), lifted(op, labels, "i32")];
    const [pads, idPads] = [lifted(op, logitPaddings), lifted(op, labelPaddings)];
    const [batch, time, classes] = scores.shape as [number, number, number];
    const length = ids.shape[1] as number;
    const fits = scores.ndim === 3 && ids.ndim === 2 && ids.shape[0] === batch && `${pads.shape}` === `${[batch, time]}` && `${idPads.shape}` === `${ids.shape}` && blank < classes;
    if (!fits) {
      const all = [scores, pads, ids, idPads].map((x) => `[${x.shape.join(",")}]`);
      throw new ShapeError(op, `logits ${all[0]} with paddings ${all[1]}, labels ${all[2]} with paddings ${all[3]} and the blank ${blank} do not fit`);
    }
    const logs = logSoftmax(scores);
    const byTime = (x: Tensor) => permute(x, [1, 0, 2]);
    const blanks = byTime(slice(logs, null, null, [blank, blank + 1]));
    const said = byTime(takeAlongAxis(logs, broadcastTo(expandDims(ids, 1), [batch, time, length]), 2));
    // Where the next label is the same one, a blank must stand between.
    const same = cast(equal(slice(ids, null, [0, Math.max(0, length - 1)]), slice(ids, null, [Math.min(1, length), length])), "f32");
    const repeated = pad(same, [[0, 0], [0, length - (same.shape[1] as number)]]);
    const after = (phi: Tensor, gained: Tensor) => concat([slice(phi, null, [0, 1]), logAddExp(slice(phi, null, [1, length + 1]), gained)], 1);
    const step = ([phi, emit]: Tensor[], [saying, resting, padding]: Tensor[]): [Tensor[], Tensor[]] => {
      const [before, last] = [phi as Tensor, emit as Tensor];
      const free = after(before, add(last, mul(repeated, none)));
      const nextEmit = add(logAddExp(slice(free, null, [0, length]), last), saying as Tensor);
      const nextPhi = after(add(free, resting as Tensor), add(add(last, resting as Tensor), mul(sub(1, repeated), none)));
      const stays = equal(padding as Tensor, 1);
      return [[where(stays, before, nextPhi), where(stays, last, nextEmit)], []];
    };
    const start = [concat([zeros([batch, 1]), full([batch, length], none)], 1), full([batch, length], none)];
    const padding = expandDims(transpose(cast(pads, "f32")), 2);
    const [[phi, emit]] = scan(step as never, start, [said, blanks, padding]) as unknown as [Tensor[], Tensor[]];
    const ends = expandDims(cast(sub(length, sum(idPads, 1)), "i32"), 1);
    return neg(slice(takeAlongAxis(after(phi as Tensor, emit as Tensor), ends, 1), null, 0));
  });
}

/**
 * How far a batch of vectors, `[batch, features]`, is from one in which those of one label point the same way and all others elsewhere: the normalised cross-entropy of
 * cosines over a temperature (Chen et al. 2020), as `optax.ntxent`. A 0-d f32; NaN where no label stands twice.
 *
 * @example
 * nn.ntxent([[1, 0], [1, 0], [0, 1]], tensor([0, 0, 1], { dtype: "i32" }), 1); // 0.31326
 */
export function ntxent(vectors: Operand, labels: Operand, temperature = 0.07): Tensor {
  const op = "ntxent";
  noMore(op, [...arguments], 3);
  const heat = finiteOf(op, "the temperature", temperature);
  return composed(op, () => {
    const [x, ids] = [lifted(op, vectors), lifted(op, labels, "i32")];
    if (x.ndim !== 2 || `${ids.shape}` !== `${[x.shape[0]]}`) throw new ShapeError(op, `vectors [${x.shape.join(",")}] and labels [${ids.shape.join(",")}] do not fit`);
    const unit = div(x, sqrt(maximum(sum(square(x), -1, { keepdims: true }), 1e-14)));
    const cosines = div(matmul(unit, transpose(unit)), heat);
    const same = equal(expandDims(ids, 1), expandDims(ids, 0));
    const pairs = logicalAnd(same, logicalNot(eye(x.shape[0] as number, x.shape[0], { dtype: "bool" })));
    const others = logSumExp(where(same, -1e30, cosines), -1, { keepdims: true });
    return div(sum(where(pairs, softplus(sub(others, cosines)), 0)), sum(pairs));
  });
}
