// Losses of each element or line, to be reduced by `mean` or `sum`, and a few activations that optax has beside them.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/loss_per_element.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * ½·(x − target)² of each element.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.l2Loss([1, 3], 1); // [0,2]
 */
export const l2Loss: (x: Operand, target?: Operand) => Tensor = operation("l2Loss", kind.tensor, kind.or(kind.operand, 0));

/**
 * |x − target| of each element.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.l1Loss([1, 3], 1); // [0,2]
 */
export const l1Loss: (x: Operand, target?: Operand) => Tensor = operation("nn.l1Loss", kind.tensor, kind.or(kind.operand, 0));

/**
 * log(cosh(x − target)) of each element, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.logCosh([0, 100]); // [0,99.307]
 */
export const logCosh: (x: Operand, target?: Operand) => Tensor = operation("logCosh", kind.tensor, kind.or(kind.operand, 0));

/**
 * max(0, 1 − x·target) of each element, targets −1 and 1.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.hingeLoss([0.5, 2], [1, -1]); // [0.5,3]
 */
export const hingeLoss: (x: Operand, target: Operand) => Tensor = operation("hingeLoss", kind.tensor, kind.operand);

/**
 * The binary cross-entropy of each element of logits with labels from 0 to 1, without
 * overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.sigmoidCrossEntropy([0, -100], [1, 1]); // [0.69315,100]
 */
export const sigmoidCrossEntropy: (logits: Operand, labels: Operand) => Tensor = operation("sigmoidCrossEntropy", kind.tensor, kind.tensor);

/**
 * The cross-entropy of each line of the last axis of logits with probabilities.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.softmaxCrossEntropy([[0, 0]], [[0.5, 0.5]]); // [0.69315]
 */
export const softmaxCrossEntropy: (logits: Operand, labels: Operand) => Tensor = operation("softmaxCrossEntropy", kind.tensor, kind.tensor);

/**
 * `nn.softmaxCrossEntropy` where a label of 0 counts nothing, whatever its logit is: also −∞
 * and NaN.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.safeSoftmaxCrossEntropy([[0, 0, -Infinity]], [[0.5, 0.5, 0]]); // [0.69315]
 */
export const safeSoftmaxCrossEntropy: (logits: Operand, labels: Operand) => Tensor = operation("safeSoftmaxCrossEntropy", kind.tensor, kind.tensor);

/**
 * Probabilities mixed with equal ones: `amount` of each line of the last axis is shared among
 * all classes.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.smoothLabels([[1, 0]], 0.2); // [[0.9,0.1]]
 */
export const smoothLabels: (labels: Operand, amount: number) => Tensor = operation("smoothLabels", kind.tensor, kind.finite("the amount"));

/**
 * The cosine of the angle between lines of the last axis, whose lengths count as `epsilon` at
 * least.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.cosineSimilarity([[1, 0]], [[1, 1]]); // [0.70711]
 */
export const cosineSimilarity: (x: Operand, target: Operand, epsilon?: number) => Tensor = operation("cosineSimilarity", kind.tensor, kind.tensor, kind.or(kind.finite("the epsilon"), 1e-8));

/**
 * 1 less `nn.cosineSimilarity`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.cosineDistance([[1, 0]], [[0, 1]]); // [1]
 */
export const cosineDistance: (x: Operand, target: Operand, epsilon?: number) => Tensor = operation("cosineDistance", kind.tensor, kind.tensor, kind.or(kind.finite("the epsilon"), 1e-8));

/**
 * How far distributions are from targets: Σ t·(log t − x) over the last axis, x logarithms of
 * probabilities, t probabilities.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.klDivergence(log([[0.5, 0.5]]), [[1, 0]]); // [0.69315]
 */
export const klDivergence: (logs: Operand, targets: Operand) => Tensor = operation("klDivergence", kind.tensor, kind.tensor);

/**
 * `nn.klDivergence` of what need not add up to 1: Σ t·(log t − x) − t + eˣ over the last axis.
 * Convex in both.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.convexKlDivergence(log([[0.5, 1]]), [[1, 1]]); // [0.19315]
 */
export const convexKlDivergence: (logs: Operand, targets: Operand) => Tensor = operation("convexKlDivergence", kind.tensor, kind.tensor);

/**
 * eˣ − target·x of each element: the likelihood of counts, x logarithms of rates.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.poissonLoss([0, 0], [1, 2]); // [1,1]
 */
export const poissonLoss: (logs: Operand, counts: Operand) => Tensor = operation("poissonLoss", kind.tensor, kind.operand);

/**
 * How far, by a margin, lines of the last axis are nearer to the negative than to the positive
 * ones: max(0, |a − p| − |a − n| + margin).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.tripletLoss([[0, 0]], [[3, 4]], [[0, 1]]); // [5]
 */
export const tripletLoss: (anchors: Operand, positives: Operand, negatives: Operand, margin?: number) => Tensor = operation("tripletLoss", kind.tensor, kind.tensor, kind.tensor, kind.or(kind.finite("the margin"), 1));

/**
 * The binary cross-entropy of each element, in which well predicted elements count less: times
 * (1 − p)ᵞ, p the probability of the label.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.focalLoss([0], [1]); // [0.17329]
 */
export const focalLoss: (logits: Operand, labels: Operand, gamma?: number) => Tensor = operation("focalLoss", kind.tensor, kind.tensor, kind.or(kind.finite("the gamma"), 2));

/**
 * How far a batch of vectors, `[batch, features]`, is from one in which those of one label
 * point the same way and all others elsewhere: the normalised cross-entropy of cosines over a
 * temperature (Chen et al. 2020), as `optax.ntxent`. A 0-d f32; NaN where no label occurs
 * twice.
 *
 * Takes any dtype, then i32, u32; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.ntxent([[1, 0], [1, 0], [0, 1]], tensor([0, 0, 1], { dtype: "i32" }), 1); // 0.31326
 */
export const ntxent: (vectors: Operand, labels: Operand, temperature?: number) => Tensor = operation("ntxent", kind.tensor, kind.integers, kind.or(kind.finite("the temperature"), 0.07));

/**
 * log(1 − e⁻ˣ) for x above 0, without cancellation.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.log1mexp([1, 50]); // [-0.45868,-1.9287e-22]
 */
export const log1mexp: Unary = operation("log1mexp", kind.tensor);

/**
 * 0 below −1, x above 1, and (x + 1)²/4 between.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.sparsePlus([-2, 0, 3]); // [0,0.25,3]
 */
export const sparsePlus: Unary = operation("sparsePlus", kind.tensor);

/**
 * 0 below −1, 1 above 1, and (x + 1)/2 between.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.sparseSigmoid([-2, 0, 3]); // [0,0.5,1]
 */
export const sparseSigmoid: Unary = operation("sparseSigmoid", kind.tensor);
