//! Losses of each element or line, to be reduced by `mean` or `sum`, and a few activations that are
//! formulas. As optax's, but for [`cosine_similarity`], which is differentiable at 0.

use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
pub use crate::nn::ctc::ctc;
use crate::ops::elementwise::{select, two};
use crate::ops::index::is_class;
use std::f64::consts::LN_2;
use weft_ir::{DType, Error, Result};

/// `number` less x.
fn less(number: f64, x: &Tensor) -> Result<Tensor> {
    two::sub(x.device(), number.into(), x.into())
}

/// The sum of each line of the last axis.
fn line(x: &Tensor) -> Result<Tensor> {
    x.sum(Some(&[-1]), false)
}

/// [`Tensor::cross_entropy`] of the rows whose class is not `ignored`, NaN where there are none,
/// against targets of which `smoothing` is shared among all classes. Of probabilities no row is
/// ignored. Errors as that.
pub fn cross_entropy(
    logits: &Tensor,
    targets: &Tensor,
    ignored: Option<f64>,
    smoothing: f64,
) -> Result<Tensor> {
    let name = "crossEntropy";
    if targets.dtype() == DType::F32 {
        return logits.cross_entropy(&smooth_labels(targets, smoothing)?);
    }
    let Some(&classes) = logits.shape().last() else { return logits.cross_entropy(targets) };
    if logits.shape()[..logits.rank() - 1] != targets.shape()[..] || logits.size() == 0 {
        return logits.cross_entropy(targets);
    }
    let logs = logits.log_softmax(-1)?;
    let chosen = line(&select(&is_class(name, targets, classes)?, &logs, 0.0)?)?;
    // A class out of range counts as the likeliest one.
    let is_there = targets.greater_equal(0.0)?.logical_and(targets.less(classes as f64)?)?;
    let chosen = select(&is_there, chosen, logs.max(Some(&[-1]), false)?)?;
    let lost = match smoothing {
        0.0 => chosen.neg()?,
        _ => chosen.mul(smoothing - 1.0)?.sub(logs.mean(Some(&[-1]), false)?.mul(smoothing)?)?,
    };
    let Some(ignored) = ignored else { return lost.mean(None, false) };
    let counts = targets.not_equal(ignored)?;
    select(&counts, lost, 0.0)?.sum(None, false)?.div(counts.sum(None, false)?)
}

/// ½·(x − target)² of each element, in f32. Errors with `Shape` when the shapes do not broadcast,
/// as all of these do.
pub fn l2(x: &Tensor, target: impl Into<Operand>) -> Result<Tensor> {
    x.sub(target)?.square()?.mul(0.5)
}

/// |x − target| of each element.
pub fn l1(x: &Tensor, target: impl Into<Operand>) -> Result<Tensor> {
    x.sub(target)?.abs()
}

/// log(cosh(x − target)) of each element, without overflow, in f32.
pub fn log_cosh(x: &Tensor, target: impl Into<Operand>) -> Result<Tensor> {
    let off = x.sub(target)?;
    // Near 0, where logarithms would cancel, the first terms of the series.
    let near = off.abs()?.less(0.1)?;
    let small = select(&near, &off, 0.0)?.square()?;
    let terms = less(1.0 / 12.0, &small.mul(1.0 / 45.0)?)?;
    let series = small.mul(less(0.5, &small.mul(terms)?)?)?;
    select(&near, series, off.add(off.mul(-2.0)?.softplus()?)?.sub(LN_2)?)
}

/// max(0, 1 − x·target) of each element, targets −1 and 1.
pub fn hinge(x: &Tensor, target: impl Into<Operand>) -> Result<Tensor> {
    less(1.0, &x.mul(target)?)?.relu()
}

/// The binary cross-entropy of each element of logits with labels from 0 to 1, without overflow, in
/// f32.
pub fn sigmoid_cross_entropy(logits: &Tensor, labels: &Tensor) -> Result<Tensor> {
    let missed = less(1.0, labels)?.mul(logits.neg()?.log_sigmoid()?)?;
    labels.mul(logits.log_sigmoid()?)?.neg()?.sub(missed)
}

/// The cross-entropy of each line of the last axis of logits with probabilities, in f32.
pub fn softmax_cross_entropy(logits: &Tensor, labels: &Tensor) -> Result<Tensor> {
    let logs = logits.log_softmax(-1)?;
    // An impossible class with probability 0 adds 0, though its logarithm is −∞.
    line(&labels.mul(select(&logs.less(-3e38)?, -3e38, &logs)?)?)?.neg()
}

/// [`softmax_cross_entropy`] where a label of 0 counts nothing, whatever its logit is: also −∞ and
/// NaN.
pub fn safe_softmax_cross_entropy(logits: &Tensor, labels: &Tensor) -> Result<Tensor> {
    let none = labels.equal(0.0)?;
    let counted = labels.mul(select(&none, 0.0, logits.log_softmax(-1)?)?)?;
    line(&select(&none, 0.0, counted)?)?.neg()
}

/// Probabilities mixed with equal ones: `amount` of each line of the last axis is shared among all
/// classes. In f32.
pub fn smooth_labels(labels: &Tensor, amount: f64) -> Result<Tensor> {
    let classes = labels.shape().last().copied().unwrap_or(1);
    labels.cast(DType::F32)?.mul(1.0 - amount)?.add(amount / classes as f64)
}

/// The cosine of the angle between lines of the last axis, whose lengths count as `epsilon` at
/// least, in f32.
pub fn cosine_similarity(x: &Tensor, target: &Tensor, epsilon: f64) -> Result<Tensor> {
    // Keeps the root away from 0, where it has no slope.
    let least = (epsilon * epsilon).max(1e-37);
    let unit = |of: &Tensor| of.div(of.square()?.sum(Some(&[-1]), true)?.maximum(least)?.sqrt()?);
    line(&unit(x)?.mul(unit(target)?)?)
}

/// 1 less [`cosine_similarity`].
pub fn cosine_distance(x: &Tensor, target: &Tensor, epsilon: f64) -> Result<Tensor> {
    less(1.0, &cosine_similarity(x, target, epsilon)?)
}

/// How far distributions are from targets: Σ t·(log t − x) over the last axis, x logarithms of
/// probabilities, t probabilities. In f32.
pub fn kl_divergence(logs: &Tensor, targets: &Tensor) -> Result<Tensor> {
    let none = targets.less(1e-37)?;
    let counted = targets.mul(select(&none, 1.0, targets)?.log()?.sub(logs)?)?;
    line(&select(&none, 0.0, counted)?)
}

/// [`kl_divergence`] of what need not add up to 1: Σ t·(log t − x) − t + eˣ over the last axis.
/// Convex in both.
pub fn convex_kl_divergence(logs: &Tensor, targets: &Tensor) -> Result<Tensor> {
    kl_divergence(logs, targets)?.add(line(&logs.exp()?.sub(targets)?)?)
}

/// eˣ − target·x of each element: the likelihood of counts, x logarithms of rates. In f32.
pub fn poisson(logs: &Tensor, counts: impl Into<Operand>) -> Result<Tensor> {
    logs.exp()?.sub(logs.mul(counts)?)
}

/// How far, by a margin, lines of the last axis are nearer to the negative than to the positive
/// ones: max(0, |a − p| − |a − n| + margin). In f32.
pub fn triplet(anchors: &Tensor, positives: &Tensor, negatives: &Tensor, margin: f64) -> Result<Tensor> {
    let distance = |to: &Tensor| line(&anchors.sub(to)?.square()?)?.add(1e-30)?.sqrt();
    distance(positives)?.sub(distance(negatives)?)?.add(margin)?.relu()
}

/// The binary cross-entropy of each element, in which what is predicted well counts less: times (1
/// − p)ᵞ, p the probability of the label. In f32.
pub fn focal(logits: &Tensor, labels: &Tensor, gamma: f64) -> Result<Tensor> {
    let chance = logits.sigmoid()?;
    let missed = chance.add(labels)?.sub(chance.mul(labels)?.mul(2.0)?)?;
    sigmoid_cross_entropy(logits, labels)?.mul(missed.pow(gamma)?)
}

/// log(1 − e⁻ˣ) for x above 0, without cancellation, in f32.
pub fn log1mexp(x: &Tensor) -> Result<Tensor> {
    let near = x.less(LN_2)?;
    let inside = select(&near, x, 1.0)?.neg()?.expm1()?.neg()?.log()?;
    select(&near, inside, select(&near, 1.0, x)?.neg()?.exp()?.neg()?.log1p()?)
}

/// 0 below −1, x from 1 on, and (x + 1)²/4 between, in f32.
pub fn sparse_plus(x: &Tensor) -> Result<Tensor> {
    let bent = x.clip(Some(-1.0), Some(1.0))?.add(1.0)?.square()?.div(4.0)?;
    select(&x.greater_equal(1.0)?, x, bent)
}

/// 0 below −1, 1 above 1, and (x + 1)/2 between, in f32.
pub fn sparse_sigmoid(x: &Tensor) -> Result<Tensor> {
    x.clip(Some(-1.0), Some(1.0))?.add(1.0)?.div(2.0)
}

/// How far a batch of vectors, `[batch, features]`, is from one in which those of one label point
/// the same way and all others elsewhere: the normalised cross-entropy of cosines over a
/// temperature (Chen et al. 2020). A 0-d f32; NaN where no label stands twice. Errors with `Shape`
/// unless there is one label for each vector.
pub fn ntxent(vectors: &Tensor, labels: &Tensor, temperature: f64) -> Result<Tensor> {
    let name = "ntxent";
    if vectors.rank() != 2 || labels.shape()[..] != vectors.shape()[..1] {
        let what = format!("vectors {} and labels {} do not fit", vectors.shape(), labels.shape());
        return Err(Error::shape(name, what));
    }
    let length = vectors.square()?.sum(Some(&[-1]), true)?.maximum(1e-14)?.sqrt()?;
    let unit = vectors.div(length)?;
    let cosines = unit.matmul(&unit.transpose()?)?.div(temperature)?;
    let same = labels.expand_dims(1)?.equal(labels.expand_dims(0)?)?;
    let count = vectors.shape()[0];
    let itself = vectors.device().eye(count, count, 0, DType::Bool)?;
    let pairs = same.logical_and(itself.logical_not()?)?;
    let others = select(&same, -1e30, &cosines)?.log_sum_exp(Some(&[-1]), true)?;
    let lost = select(&pairs, others.sub(&cosines)?.softplus()?, 0.0)?;
    lost.sum(None, false)?.div(pairs.sum(None, false)?)
}
