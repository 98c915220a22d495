//! Further rules of optax, under its names: other second moments, other kinds of momentum, steps in
//! proportion to the parameter.

use super::{Facts, Rule, Step, average};
use crate::device::tensor::Tensor;
use crate::ops::elementwise::select;
use weft_ir::Result;

/// Which rule it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptaxRule {
    /// By how far gradients are from what was expected (Zhuang et al. 2020).
    AdaBelief,
    /// By the largest second moment so far (Reddi et al. 2018).
    AmsGrad,
    /// Adam with Nesterov's look ahead (Dozat 2016).
    Nadam,
    /// Adam that waits until its second moment is worth dividing by (Liu et al. 2019).
    Radam,
    /// A second moment that changes by steps of the gradient's size (Zaheer et al. 2018).
    Yogi,
    /// By the difference of gradients, too (Xie et al. 2022).
    Adan,
    /// Adam's steps in proportion to the parameter (You et al. 2020).
    Lamb,
    /// Steps with momentum in proportion to the parameter (You et al. 2017).
    Lars,
    /// One second moment for all of a parameter (Ginsburg et al. 2019).
    NovoGrad,
    /// Steps that grow while the gradient keeps its sign (Riedmiller & Braun 1993), as
    /// `torch.optim.Rprop`.
    Rprop,
    /// Steps of one size along the sign.
    SignSgd,
    /// Steps in proportion to the parameter, which does not grow (Bernstein et al. 2020).
    Fromage,
    /// Adamax with decoupled weight decay.
    AdamaxW,
    /// Twice the gradient less the one before.
    OptimisticGradientDescent,
}

impl OptaxRule {
    /// Each by its number.
    pub const ALL: [OptaxRule; 14] = {
        use OptaxRule::*;
        [
            AdaBelief,
            AmsGrad,
            Nadam,
            Radam,
            Yogi,
            Adan,
            Lamb,
            Lars,
            NovoGrad,
            Rprop,
            SignSgd,
            Fromage,
            AdamaxW,
            OptimisticGradientDescent,
        ]
    };
}

/// One of optax's rules, and all that one of them may ask for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Optax {
    /// Which rule it is.
    pub rule: OptaxRule,
    /// Learning rate.
    pub lr: f64,
    /// How much of the moments stays; of Lars the momentum, of Rprop by how much steps shrink and
    /// grow, of optimistic steps the weights of the gradient and of its change.
    pub betas: (f64, f64),
    /// How much of the third moment stays, or of Lars the share of the parameter that is a step.
    pub third: f64,
    /// Added to what is divided by; of Rprop the smallest step.
    pub eps: f64,
    /// `lr · weight_decay` of the parameter is taken from it; of Lars and NovoGrad it is part of
    /// the gradient. Of Rprop the largest step.
    pub weight_decay: f64,
    /// Whether Lars looks ahead along its velocity.
    pub nesterov: bool,
}

/// What Yogi's moments begin with.
const YOGI_START: f64 = 1e-6;
/// From how many gradients' worth on Radam divides.
const RADAM_LEAST: f64 = 5.0;
/// The least length that Fromage takes a tensor to have.
const FROMAGE_LEAST: f64 = 1e-6;

/// The length of a tensor as one vector.
fn length(x: &Tensor) -> Result<Tensor> {
    x.square()?.sum(None, false)?.sqrt()
}

/// `step` made as long as `share` of the parameter is; as it is where either has no length.
fn in_proportion(step: &Tensor, p: &Tensor, share: &Tensor, eps: &Tensor) -> Result<Tensor> {
    let (own, long) = (length(p)?, length(step)?);
    let zero = own.equal(0.0)?.logical_or(long.equal(0.0)?)?;
    let ratio = own.mul(share)?.div(select(&zero, 1.0, long.add(eps)?)?)?;
    step.mul(select(&zero, 1.0, ratio)?)
}

impl Rule for Optax {
    /// Deferred: most training uses SGD or Adam.
    fn facts(&self) -> Facts {
        use OptaxRule::*;
        let (name, states) = match self.rule {
            AdaBelief => ("adabelief", 2),
            AmsGrad => ("amsgrad", 3),
            Nadam if self.weight_decay != 0.0 => ("nadamw", 2),
            Nadam => ("nadam", 2),
            Radam => ("radam", 2),
            Yogi => ("yogi", 2),
            Adan => ("adan", 4),
            Lamb => ("lamb", 2),
            Lars => ("lars", 1),
            NovoGrad => ("novograd", 2),
            Rprop => ("rprop", 2),
            SignSgd => ("signSgd", 0),
            OptimisticGradientDescent => ("optimisticGradientDescent", 1),
            Fromage => ("fromage", 0),
            AdamaxW => ("adamaxw", 2),
        };
        let free = matches!(self.rule, Rprop | OptimisticGradientDescent);
        let below = if free { f64::INFINITY } else { 1.0 };
        let options = vec![
            ("the first beta", self.betas.0, below),
            ("the second beta", self.betas.1, below),
            ("the third beta", self.third, f64::INFINITY),
            ("eps", self.eps, f64::INFINITY),
            ("the weight decay", self.weight_decay, f64::INFINITY),
        ];
        Facts { name, lr: self.lr, options, states }
    }

    fn shapes(&self, shape: &[usize]) -> Vec<Vec<usize>> {
        match self.rule {
            OptaxRule::NovoGrad => vec![shape.to_vec(), Vec::new()],
            _ => vec![shape.to_vec(); self.facts().states],
        }
    }

    /// Deferred: most training uses SGD or Adam.
    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        let (b1, b2) = self.betas;
        let first = if step == 1 { 1.0 } else { 0.0 };
        // Corrects the bias of averages that began at zero.
        let whole = |beta: f64, step: i32| 1.0 / (1.0 - beta.powi(step));
        let mut numbers = vec![
            b1,
            1.0 - b1,
            b2,
            1.0 - b2,
            lr,
            self.eps,
            self.weight_decay,
            whole(b1, step),
            whole(b2, step),
        ];
        numbers.extend(match self.rule {
            OptaxRule::Nadam => [b1 * whole(b1, step + 1), (1.0 - b1) * whole(b1, step)],
            OptaxRule::Radam => {
                let most = 2.0 / (1.0 - b2) - 1.0;
                let power = b2.powi(step);
                let worth = most - 2.0 * f64::from(step) * power / (1.0 - power);
                let share = (worth - 4.0) * (worth - 2.0) * most / ((most - 4.0) * (most - 2.0) * worth);
                if worth >= RADAM_LEAST { [share.sqrt(), 0.0] } else { [0.0, 1.0] }
            }
            OptaxRule::Yogi => [first * YOGI_START, 0.0],
            OptaxRule::Adan => [self.third, 1.0 - self.third],
            OptaxRule::NovoGrad => [if step == 1 { 0.0 } else { b2 }, if step == 1 { 1.0 } else { 1.0 - b2 }],
            OptaxRule::Rprop => [first * lr, first],
            OptaxRule::Fromage => [1.0 / (1.0 + lr * lr).sqrt(), 0.0],
            // The step has the norm of the parameter; no epsilon is added to it.
            OptaxRule::Lamb => [1.0, 0.0],
            _ => [self.third, first],
        });
        numbers.extend([1.0 - first, first, whole(self.third.min(0.999_999), step)]);
        numbers
    }

    /// Deferred: most training uses SGD or Adam.
    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient: g, state, .. } = step;
        let [b1, rest1, b2, rest2, lr, eps, decay, whole1, whole2, own, other, later, first, whole3] =
            step.numbers();
        let decayed = |step: Tensor| -> Result<Tensor> {
            if self.weight_decay == 0.0 { Ok(step) } else { step.add(p.mul(decay)?) }
        };
        let moved = |step: Tensor| p.sub(step.mul(lr)?);
        let size = |squares: &Tensor, whole: &Tensor| squares.mul(whole)?.sqrt()?.add(eps);
        match self.rule {
            OptaxRule::SignSgd => Ok(vec![moved(g.sign()?)?]),
            OptaxRule::Fromage => {
                let long = |x: &Tensor| length(x)?.maximum(FROMAGE_LEAST);
                let step = g.mul(long(p)?.div(long(g)?)?)?;
                Ok(vec![moved(step)?.mul(own)?])
            }
            OptaxRule::OptimisticGradientDescent => {
                let before = state[0].add(g.mul(first)?)?;
                let step = g.mul(b1.add(b2)?)?.sub(before.mul(b2)?)?;
                Ok(vec![moved(step)?, g.clone()])
            }
            OptaxRule::Rprop => {
                let (sizes, before) = (state[0].add(own)?, &state[1]);
                let agreed = g.mul(before)?;
                // `eps` and `decay` hold the least and the largest step.
                let grown = |by: &Tensor| sizes.mul(by)?.maximum(eps)?.minimum(decay);
                let turned = agreed.less(0.0)?;
                let sizes = select(&turned, grown(b1)?, select(&agreed.greater(0.0)?, grown(b2)?, &sizes)?)?;
                let g = select(&turned, 0.0, g)?;
                Ok(vec![p.sub(g.sign()?.mul(&sizes)?)?, sizes, g])
            }
            OptaxRule::Lars => {
                let step = in_proportion(&decayed(g.clone())?, p, own, eps)?.mul(lr)?;
                let velocity = state[0].mul(b1)?.add(&step)?;
                let step = if self.nesterov { velocity.mul(b1)?.add(step)? } else { velocity.clone() };
                Ok(vec![p.sub(step)?, velocity])
            }
            OptaxRule::NovoGrad => {
                let squares = average(&state[1], own, g.square()?.sum(None, false)?, other)?;
                let step = decayed(g.div(squares.sqrt()?.add(eps)?)?)?;
                let mean = state[0].mul(b1)?.add(step)?;
                Ok(vec![moved(mean.clone())?, mean, squares])
            }
            OptaxRule::AdamaxW => {
                let mean = average(&state[0], b1, g.clone(), rest1)?;
                let largest = state[1].mul(b2)?.maximum(g.abs()?.add(eps)?)?;
                let step = decayed(mean.mul(whole1)?.div(&largest)?)?;
                Ok(vec![moved(step)?, mean, largest])
            }
            OptaxRule::Adan => {
                let change = g.sub(&state[3])?.mul(later)?;
                let mean = average(&state[0], b1, g.clone(), rest1)?;
                let changes = average(&state[1], b2, change.clone(), rest2)?;
                let ahead = g.add(change.mul(rest2)?)?;
                let squares = average(&state[2], own, ahead.square()?, other)?;
                let step = mean.mul(whole1)?.add(changes.mul(whole2)?.mul(rest2)?)?;
                // The same epsilon is added under the root and to it.
                let size = squares.mul(whole3)?.add(eps)?.sqrt()?.add(eps)?;
                Ok(vec![moved(decayed(step.div(size)?)?)?, mean, changes, squares, g.clone()])
            }
            OptaxRule::Yogi => {
                let (mean, before) = (state[0].add(own)?, state[1].add(own)?);
                let mean = average(&mean, b1, g.clone(), rest1)?;
                let square = g.square()?;
                let squares = before.sub(before.sub(&square)?.sign()?.mul(square)?.mul(rest2)?)?;
                let step = decayed(mean.mul(whole1)?.div(size(&squares, whole2)?)?)?;
                Ok(vec![moved(step)?, mean, squares])
            }
            OptaxRule::AdaBelief => {
                let mean = average(&state[0], b1, g.clone(), rest1)?;
                let squares = average(&state[1], b2, g.sub(&mean)?.square()?, rest2)?.add(eps)?;
                let step = decayed(mean.mul(whole1)?.div(size(&squares, whole2)?)?)?;
                Ok(vec![moved(step)?, mean, squares])
            }
            OptaxRule::AmsGrad | OptaxRule::Nadam | OptaxRule::Radam | OptaxRule::Lamb => {
                let mean = average(&state[0], b1, g.clone(), rest1)?;
                let squares = average(&state[1], b2, g.square()?, rest2)?;
                let plain = mean.mul(whole1)?;
                let mut next = vec![mean.clone(), squares.clone()];
                let step = match self.rule {
                    OptaxRule::AmsGrad => {
                        let most = state[2].maximum(squares.mul(whole2)?)?;
                        next.push(most.clone());
                        plain.div(most.sqrt()?.add(eps)?)?
                    }
                    OptaxRule::Nadam => mean.mul(own)?.add(g.mul(other)?)?.div(size(&squares, whole2)?)?,
                    OptaxRule::Radam => {
                        plain.mul(own)?.div(size(&squares, whole2)?)?.add(plain.mul(other)?)?
                    }
                    _ => plain.div(size(&squares, whole2)?)?,
                };
                let mut step = decayed(step)?;
                if self.rule == OptaxRule::Lamb {
                    step = in_proportion(&step, p, own, other)?;
                }
                next.insert(0, moved(step)?);
                Ok(next)
            }
        }
    }
}
