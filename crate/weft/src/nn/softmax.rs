//! Softmax, its logarithm, the losses of everyday use and GELU, composed from other operations.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::index::is_class;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Literal, Result};

impl Tensor {
    /// eˣ / Σ eˣ along `axis`, in f32, without overflow. Errors with `Axis` when out of range.
    pub fn softmax(&self, axis: i64) -> Result<Tensor> {
        self.softmax_over(Some(&[axis]))
    }

    /// [`Tensor::softmax`] over several axes together, or all.
    pub fn softmax_over(&self, axes: Option<&[i64]>) -> Result<Tensor> {
        let name = "softmax";
        let axes = self.shape().axes(name, axes)?;
        let x = build::cast(name, self, DType::F32)?;
        if x.size() == 0 {
            return Ok(x);
        }
        let exponentials = shifted(name, &x, &axes)?.exp()?;
        let sum = build::reduce(name, ReduceOp::Sum, &exponentials, &axes, true)?;
        exponentials.div(&sum)
    }

    /// log of [`Tensor::softmax`], computed without its cancellation. Errors with `Axis` when out
    /// of range.
    pub fn log_softmax(&self, axis: i64) -> Result<Tensor> {
        self.log_softmax_over(Some(&[axis]))
    }

    /// [`Tensor::log_softmax`] over several axes together, or all.
    pub fn log_softmax_over(&self, axes: Option<&[i64]>) -> Result<Tensor> {
        let name = "logSoftmax";
        let axes = self.shape().axes(name, axes)?;
        let x = build::cast(name, self, DType::F32)?;
        if x.size() == 0 {
            return Ok(x);
        }
        let shifted = shifted(name, &x, &axes)?;
        let sum = build::reduce(name, ReduceOp::Sum, &shifted.exp()?, &axes, true)?;
        shifted.sub(sum.log()?)
    }

    /// [`Tensor::softmax`] along the last axis with 0 where every element of a line is −∞, as of a
    /// query that sees no key. Its gradient is 0 there.
    pub fn attention_weights(&self) -> Result<Tensor> {
        let name = "attentionWeights";
        let last = self.shape().axes(name, Some(&[-1]))?;
        let x = build::cast(name, self, DType::F32)?;
        if x.size() == 0 {
            return Ok(x);
        }
        let at_least = |x: &Tensor, least: f32| {
            let least = build::constant_like(name, x, Literal::F32(least))?;
            build::binary(name, Binary::Max, x, &least)
        };
        // −∞ less a finite number is −∞, whose exponential is 0. Any other line has an element that
        // is the maximum, so that its sum is 1 or more.
        let top = at_least(&build::reduce(name, ReduceOp::Max, &x, &last, true)?.detach()?, f32::MIN)?;
        let exponentials = below(name, &x, &top)?.exp()?;
        let sum = build::reduce(name, ReduceOp::Sum, &exponentials, &last, true)?;
        exponentials.div(&at_least(&sum, 0.5)?)
    }

    /// Mean of −log softmax(logits) at the target classes: logits `[…, classes]`, targets `[…]` of
    /// i32 or u32; or weighted by probabilities, f32 of the shape of the logits. Yields a 0-d f32.
    ///
    /// Errors with `Shape` when the targets' shape is not the logits' without the last axis,
    /// `DType` for other targets.
    pub fn cross_entropy(&self, targets: &Tensor) -> Result<Tensor> {
        let name = "crossEntropy";
        let logits = build::cast(name, self, DType::F32)?;
        if targets.dtype() == DType::F32 && targets.shape() == logits.shape() && logits.rank() > 0 {
            return targets.mul(logits.log_softmax(-1)?)?.sum(Some(&[-1]), false)?.neg()?.mean(None, false);
        }
        let outer = logits.rank().checked_sub(1).map(|last| logits.shape().without(&[last]));
        if outer.as_ref() != Some(targets.shape()) {
            let what = format!("logits {} × targets {}: expected [N,C] × [N]", self.shape(), targets.shape());
            return Err(Error::shape(name, what));
        }
        if logits.size() == 0 {
            return Err(Error::shape(name, format!("logits {} are empty", self.shape())));
        }
        let last = logits.rank() - 1;
        let hit = is_class(name, targets, logits.shape()[last])?;
        // Chosen before the maximum is subtracted, so that one pass over a row computes everything.
        let zero = build::constant_like(name, &logits, Literal::F32(0.0))?;
        let chosen = build::select(name, &hit, &logits, &zero)?;
        let chosen = build::reduce(name, ReduceOp::Sum, &chosen, &[last], false)?;
        let top = build::reduce(name, ReduceOp::Max, &logits, &[last], true)?.detach()?;
        let below = build::binary(name, Binary::Sub, &logits, &build::expand(name, &top, logits.shape())?)?;
        let sum = build::reduce(name, ReduceOp::Sum, &below.exp()?, &[last], false)?;
        let chosen = build::binary(name, Binary::Sub, &chosen, &build::reshape(name, &top, chosen.shape())?)?;
        // A class out of range chooses nothing. As u32, a negative class is out of range as well.
        let wide = if targets.dtype() == DType::U32 { DType::U32 } else { DType::I32 };
        let class = build::bitcast(name, &build::cast(name, targets, wide)?, DType::U32)?;
        let count = build::constant_like(name, &class, Literal::U32(logits.shape()[last] as u32))?;
        let is_there = build::compare(name, Compare::Lt, &class, &count)?;
        let none = build::constant_like(name, &chosen, Literal::F32(0.0))?;
        let chosen = build::select(name, &is_there, &chosen, &none)?;
        build::binary(name, Binary::Sub, &sum.log()?, &chosen)?.mean(None, false)
    }

    /// The mean of (x − target)². A 0-d f32. Errors with `Shape` when the shapes do not broadcast.
    pub fn mse_loss(&self, target: impl Into<Operand>) -> Result<Tensor> {
        self.sub(target)?.square()?.mean(None, false)
    }

    /// The mean of |x − target|. A 0-d f32. Errors with `Shape` when the shapes do not broadcast,
    /// as those below do.
    pub fn l1_loss(&self, target: impl Into<Operand>) -> Result<Tensor> {
        self.sub(target)?.abs()?.mean(None, false)
    }

    /// The mean of (x − target)²/2 where that is nearer than `delta`, of delta · (|x − target| −
    /// delta/2) beyond. A 0-d f32.
    pub fn huber_loss(&self, target: impl Into<Operand>, delta: f64) -> Result<Tensor> {
        let off = self.sub(target)?.abs()?;
        let near = off.minimum(delta)?;
        near.mul(off.sub(near.mul(0.5)?)?)?.mean(None, false)
    }

    /// The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
    pub fn binary_cross_entropy(&self, target: impl Into<Operand>) -> Result<Tensor> {
        let name = "binaryCrossEntropy";
        let x = build::cast(name, self, DType::F32)?;
        x.softplus()?.sub(x.mul(target)?)?.mean(None, false)
    }

    /// x·Φ(x), Φ the normal distribution function, to its relative precision for negative x too. In
    /// f32.
    pub fn gelu(&self) -> Result<Tensor> {
        let name = "gelu";
        let x = build::cast(name, self, DType::F32)?;
        build::binary(name, Binary::Mul, &x, &build::unary(name, Unary::NormalCdf, &x)?)
    }

    /// [`Tensor::gelu`] by a hyperbolic tangent, as GPT-2 has it and `jax.nn.gelu` by default:
    /// within 5e-4 of it. In f32.
    pub fn gelu_tanh(&self) -> Result<Tensor> {
        let x = build::cast("geluTanh", self, DType::F32)?;
        // (1 + tanh a)/2 is the sigmoid of 2a, which keeps its digits below 0.
        let twice =
            x.square()?.mul(0.044_715)?.add(1.0)?.mul(&x)?.mul((8.0 / std::f64::consts::PI).sqrt())?;
        twice.sigmoid()?.mul(&x)
    }
}

/// x less its maximum along `axes`: at most 0, so that its exponential cannot overflow. No gradient
/// flows through the maximum: subtracting a constant changes no softmax.
fn shifted(name: &str, x: &Tensor, axes: &[usize]) -> Result<Tensor> {
    below(name, x, &build::reduce(name, ReduceOp::Max, x, axes, true)?.detach()?)
}

/// x less a number for each line.
fn below(name: &str, x: &Tensor, top: &Tensor) -> Result<Tensor> {
    build::binary(name, Binary::Sub, x, &build::expand(name, top, x.shape())?)
}
