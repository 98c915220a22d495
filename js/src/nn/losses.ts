// How far are predictions from what they should be? Losses of each element or line, to be reduced by `mean` or `sum`; and a few activations that are formulas.

import { finiteOf, noMore, noOptions } from "../core/check.js";
import type { Operand, Tensor } from "../core/tensor.js";
import { add, div, maximum, mul, pow, sub } from "../ops/arithmetic.js";
import { clip } from "../ops/clip.js";
import { equal, less, where } from "../ops/compare.js";
import { abs, exp, expm1, log, log1p, neg, relu, sigmoid, sqrt, square } from "../ops/elementwise.js";
import { composed, lifted } from "../ops/lift.js";
import { logSigmoid, logSoftmax, softplus } from "../ops/network.js";
import { sum } from "../ops/reduce.js";

/**
 * ½·(x − target)² of each element.
 *
 * @example
 * nn.l2Loss([1, 3], 1); // [0,2]
 */
export function l2Loss(x: Operand, target: Operand = 0): Tensor {
  noOptions("l2Loss", arguments, 2);
  return composed("l2Loss", () => mul(square(sub(x, target)), 0.5));
}

/**
 * |x − target| of each element.
 *
 * @example
 * nn.l1Loss([1, 3], 1); // [0,2]
 */
export function l1Loss(x: Operand, target: Operand = 0): Tensor {
  noOptions("l1Loss", arguments, 2);
  return composed("l1Loss", () => abs(sub(x, target)));
}

/**
 * log(cosh(x − target)) of each element, without overflow.
 *
 * @example
 * nn.logCosh([0, 100]); // [0,99.307]
 */
export function logCosh(x: Operand, target: Operand = 0): Tensor {
  noOptions("logCosh", arguments, 2);
  return composed("logCosh", () => {
    const off = sub(x, target);
    // Near 0, where logarithms would cancel, the first terms of the series.
    const near = less(abs(off), 0.1);
    const small = square(where(near, off, 0));
    const series = mul(small, sub(0.5, mul(small, sub(1 / 12, mul(small, 1 / 45)))));
    return where(near, series, sub(add(off, softplus(mul(off, -2))), Math.LN2));
  });
}

/**
 * max(0, 1 − x·target) of each element, targets −1 and 1.
 *
 * @example
 * nn.hingeLoss([0.5, 2], [1, -1]); // [0.5,3]
 */
export function hingeLoss(x: Operand, target: Operand): Tensor {
  noOptions("hingeLoss", arguments, 2);
  return composed("hingeLoss", () => relu(sub(1, mul(x, target))));
}

/**
 * The binary cross-entropy of each element of logits with labels from 0 to 1, without overflow.
 *
 * @example
 * nn.sigmoidCrossEntropy([0, -100], [1, 1]); // [0.69315,100]
 */
export function sigmoidCrossEntropy(logits: Operand, labels: Operand): Tensor {
  noOptions("sigmoidCrossEntropy", arguments, 2);
  return composed("sigmoidCrossEntropy", () => sub(neg(mul(labels, logSigmoid(logits))), mul(sub(1, labels), logSigmoid(neg(logits)))));
}

/**
 * The cross-entropy of each line of the last axis of logits with probabilities.
 *
 * @example
 * nn.softmaxCrossEntropy([[0, 0]], [[0.5, 0.5]]); // [0.69315]
 */
export function softmaxCrossEntropy(logits: Operand, labels: Operand): Tensor {
  noOptions("softmaxCrossEntropy", arguments, 2);
  return composed("softmaxCrossEntropy", () => {
    const logs = logSoftmax(logits);
    // A class that cannot be counts nothing, be its logarithm infinite.
    return neg(sum(mul(labels, where(less(logs, -3e38), -3e38, logs)), -1));
  });
}

/**
 * `nn.softmaxCrossEntropy` where a label of 0 counts nothing, whatever its logit is: also −∞ and NaN.
 *
 * @example
 * nn.safeSoftmaxCrossEntropy([[0, 0, -Infinity]], [[0.5, 0.5, 0]]); // [0.69315]
 */
export function safeSoftmaxCrossEntropy(logits: Operand, labels: Operand): Tensor {
  noOptions("safeSoftmaxCrossEntropy", arguments, 2);
  return composed("safeSoftmaxCrossEntropy", () => {
    const none = equal(labels, 0);
    return neg(sum(where(none, 0, mul(labels, where(none, 0, logSoftmax(logits)))), -1));
  });
}

/**
 * Probabilities mixed with equal ones: `amount` of each line of the last axis is shared among all classes.
 *
 * @example
 * nn.smoothLabels([[1, 0]], 0.2); // [[0.9,0.1]]
 */
export function smoothLabels(labels: Operand, amount: number): Tensor {
  const op = "smoothLabels";
  noMore(op, [...arguments], 2);
  const share = finiteOf(op, "the amount", amount);
  return composed(op, () => {
    const given = lifted(op, labels);
    return add(mul(given, 1 - share), share / (given.shape.at(-1) ?? 1));
  });
}

/**
 * The cosine of the angle between lines of the last axis, whose lengths count as `epsilon` at least.
 *
 * @example
 * nn.cosineSimilarity([[1, 0]], [[1, 1]]); // [0.70711]
 */
export function cosineSimilarity(x: Operand, target: Operand, epsilon = 1e-8): Tensor {
  const op = "cosineSimilarity";
  noMore(op, [...arguments], 3);
  const least = finiteOf(op, "epsilon", epsilon);
  return composed(op, () => {
    // The root of 0 has no slope.
    const unit = (of: Operand) => div(of, sqrt(maximum(sum(square(of), -1, { keepdims: true }), Math.max(least * least, 1e-37))));
    return sum(mul(unit(x), unit(target)), -1);
  });
}

/**
 * 1 less `nn.cosineSimilarity`.
 *
 * @example
 * nn.cosineDistance([[1, 0]], [[0, 1]]); // [1]
 */
export function cosineDistance(x: Operand, target: Operand, epsilon = 1e-8): Tensor {
  noMore("cosineDistance", [...arguments], 3);
  return composed("cosineDistance", () => sub(1, cosineSimilarity(x, target, epsilon)));
}

/**
 * How far distributions are from targets: Σ t·(log t − x) over the last axis, x logarithms of probabilities, t probabilities.
 *
 * @example
 * nn.klDivergence(log([[0.5, 0.5]]), [[1, 0]]); // [0.69315]
 */
export function klDivergence(logs: Operand, targets: Operand): Tensor {
  noOptions("klDivergence", arguments, 2);
  return composed("klDivergence", () => {
    const none = where(less(targets, 1e-37), true, false);
    return sum(where(none, 0, mul(targets, sub(log(where(none, 1, targets)), logs))), -1);
  });
}

/**
 * `nn.klDivergence` of what need not add up to 1: Σ t·(log t − x) − t + eˣ over the last axis. Convex in both.
 *
 * @example
 * nn.convexKlDivergence(log([[0.5, 1]]), [[1, 1]]); // [0.19315]
 */
export function convexKlDivergence(logs: Operand, targets: Operand): Tensor {
  noOptions("convexKlDivergence", arguments, 2);
  return composed("convexKlDivergence", () => add(klDivergence(logs, targets), sum(sub(exp(logs), targets), -1)));
}

/**
 * eˣ − target·x of each element: the likelihood of counts, x logarithms of rates.
 *
 * @example
 * nn.poissonLoss([0, 0], [1, 2]); // [1,1]
 */
export function poissonLoss(logs: Operand, counts: Operand): Tensor {
  noOptions("poissonLoss", arguments, 2);
  return composed("poissonLoss", () => sub(exp(logs), mul(counts, logs)));
}

/**
 * How far, by a margin, lines of the last axis are nearer to the negative than to the positive ones: max(0, |a − p| − |a − n| + margin).
 *
 * @example
 * nn.tripletLoss([[0, 0]], [[3, 4]], [[0, 1]]); // [5]
 */
export function tripletLoss(anchors: Operand, positives: Operand, negatives: Operand, margin = 1): Tensor {
  const op = "tripletLoss";
  noMore(op, [...arguments], 4);
  const apart = finiteOf(op, "the margin", margin);
  return composed(op, () => {
    const distance = (to: Operand) => sqrt(add(sum(square(sub(anchors, to)), -1), 1e-30));
    return relu(add(sub(distance(positives), distance(negatives)), apart));
  });
}

/**
 * The binary cross-entropy of each element, in which what is predicted well counts less: times (1 − p)ᵞ, p the probability of the label.
 *
 * @example
 * nn.focalLoss([0], [1]); // [0.17329]
 */
export function focalLoss(logits: Operand, labels: Operand, gamma = 2): Tensor {
  const op = "focalLoss";
  noMore(op, [...arguments], 3);
  const power = finiteOf(op, "gamma", gamma);
  return composed(op, () => {
    const chance = sigmoid(logits);
    const missed = sub(add(chance, labels), mul(mul(chance, labels), 2));
    return mul(sigmoidCrossEntropy(logits, labels), pow(missed, power));
  });
}

/**
 * log(1 − e⁻ˣ) for x above 0, without cancellation.
 *
 * @example
 * nn.log1mexp([1, 50]); // [-0.45868,-1.9287e-22]
 */
export function log1mexp(x: Operand): Tensor {
  noOptions("log1mexp", arguments, 1);
  return composed("log1mexp", () => {
    const near = less(x, Math.LN2);
    return where(near, log(neg(expm1(neg(where(near, x, 1))))), log1p(neg(exp(neg(where(near, 1, x))))));
  });
}

/**
 * 0 below −1, x above 1, and (x + 1)²/4 between.
 *
 * @example
 * nn.sparsePlus([-2, 0, 3]); // [0,0.25,3]
 */
export function sparsePlus(x: Operand): Tensor {
  noOptions("sparsePlus", arguments, 1);
  return composed("sparsePlus", () => add(div(square(add(clip(x, -1, 1), 1)), 4), relu(sub(x, 1))));
}

/**
 * 0 below −1, 1 above 1, and (x + 1)/2 between.
 *
 * @example
 * nn.sparseSigmoid([-2, 0, 3]); // [0,0.5,1]
 */
export function sparseSigmoid(x: Operand): Tensor {
  noOptions("sparseSigmoid", arguments, 1);
  return composed("sparseSigmoid", () => div(add(clip(x, -1, 1), 1), 2));
}
