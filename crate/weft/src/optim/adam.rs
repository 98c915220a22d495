//! Adam, Adamax and Lion: steps along averages of the gradient.
//!
//! The corrections for the averages' start at zero depend on the step alone: the host computes
//! them, in f64, and gives them to each step as numbers.

use super::{Facts, Rule, Step, average, decayed};
use crate::device::tensor::Tensor;
use weft_ir::Result;

/// Adam (Kingma & Ba 2015, algorithm 1) as `torch.optim.Adam`, or AdamW (Loshchilov & Hutter 2019)
/// with `decoupled`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adam {
    /// Learning rate.
    pub lr: f64,
    /// How much of the first and second moments stays.
    pub betas: (f64, f64),
    /// Added to the root of the second moment.
    pub eps: f64,
    /// Pulls parameters towards 0.
    pub weight_decay: f64,
    /// Whether `lr · weight_decay` of the parameter is taken from it, rather than the L2 penalty's
    /// slope added to its gradient.
    pub decoupled: bool,
}

impl Default for Adam {
    fn default() -> Adam {
        Adam { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0, decoupled: false }
    }
}

fn betas((first, second): (f64, f64)) -> [(&'static str, f64, f64); 2] {
    [("the first beta", first, 1.0), ("the second beta", second, 1.0)]
}

/// Of a rule with two moments.
fn facts(name: &'static str, lr: f64, both: (f64, f64), eps: f64, weight_decay: f64) -> Facts {
    let [first, second] = betas(both);
    let options =
        vec![first, second, ("eps", eps, f64::INFINITY), ("the weight decay", weight_decay, f64::INFINITY)];
    Facts { name, lr, options, states: 2 }
}

impl Rule for Adam {
    fn facts(&self) -> Facts {
        let name = if self.decoupled { "adamw" } else { "adam" };
        facts(name, self.lr, self.betas, self.eps, self.weight_decay)
    }

    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        let (b1, b2) = self.betas;
        let rate = lr / (1.0 - b1.powi(step));
        let root = 1.0 / (1.0 - b2.powi(step)).sqrt();
        let decay = if self.decoupled { 1.0 - lr * self.weight_decay } else { self.weight_decay };
        vec![b1, 1.0 - b1, b2, 1.0 - b2, rate, root, self.eps, decay]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let (Step { parameter: p, gradient, .. }, [first, second]) = (step, step.state());
        let [b1, rest1, b2, rest2, rate, root, eps, decay] = step.numbers();
        let shrinks = self.decoupled && self.weight_decay != 0.0;
        let penalty = if self.decoupled { 0.0 } else { self.weight_decay };
        let gradient = decayed(gradient, p, penalty, decay)?;
        let first = average(first, b1, gradient.clone(), rest1)?;
        let second = average(second, b2, gradient.square()?, rest2)?;
        let size = second.sqrt()?.mul(root)?.add(eps)?;
        let p = if shrinks { p.mul(decay)? } else { p.clone() };
        Ok(vec![p.sub(first.div(&size)?.mul(rate)?)?, first, second])
    }
}

/// Adam by the largest gradient in place of the second moment (Kingma & Ba 2015, algorithm 2), as
/// `torch.optim.Adamax`.
///
/// Deferred: most training uses SGD or Adam.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adamax {
    /// Learning rate.
    pub lr: f64,
    /// How much of the first moment and of the largest gradient stays.
    pub betas: (f64, f64),
    /// Added to the size of a gradient.
    pub eps: f64,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for Adamax {
    fn default() -> Adamax {
        Adamax { lr: 2e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0 }
    }
}

impl Rule for Adamax {
    fn facts(&self) -> Facts {
        facts("adamax", self.lr, self.betas, self.eps, self.weight_decay)
    }

    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        let (b1, b2) = self.betas;
        vec![b1, 1.0 - b1, b2, lr / (1.0 - b1.powi(step)), self.eps, self.weight_decay]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let (Step { parameter: p, gradient, .. }, [first, largest]) = (step, step.state());
        let [b1, rest, b2, rate, eps, decay] = step.numbers();
        let gradient = decayed(gradient, p, self.weight_decay, decay)?;
        let first = average(first, b1, gradient.clone(), rest)?;
        let largest = largest.mul(b2)?.maximum(gradient.abs()?.add(eps)?)?;
        Ok(vec![p.sub(first.div(&largest)?.mul(rate)?)?, first, largest])
    }
}

/// Steps of one size along the sign of an average (Chen et al. 2023); the weight decay is
/// decoupled.
///
/// Deferred: most training uses SGD or Adam.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lion {
    /// Learning rate.
    pub lr: f64,
    /// How much of the average stays for the step, and for the next steps.
    pub betas: (f64, f64),
    /// `lr · weight_decay` of the parameter is taken from it.
    pub weight_decay: f64,
}

impl Default for Lion {
    fn default() -> Lion {
        Lion { lr: 1e-4, betas: (0.9, 0.99), weight_decay: 0.0 }
    }
}

impl Rule for Lion {
    fn facts(&self) -> Facts {
        let [first, second] = betas(self.betas);
        Facts {
            name: "lion",
            lr: self.lr,
            options: vec![first, second, ("the weight decay", self.weight_decay, f64::INFINITY)],
            states: 1,
        }
    }

    fn numbers(&self, _step: i32, lr: f64) -> Vec<f64> {
        let (b1, b2) = self.betas;
        vec![b1, 1.0 - b1, b2, 1.0 - b2, lr, 1.0 - lr * self.weight_decay]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let (Step { parameter: p, gradient, .. }, [moment]) = (step, step.state());
        let [b1, rest1, b2, rest2, lr, shrink] = step.numbers();
        let direction = average(moment, b1, gradient.clone(), rest1)?.sign()?;
        let p = if self.weight_decay == 0.0 { p.clone() } else { p.mul(shrink)? };
        Ok(vec![p.sub(direction.mul(lr)?)?, average(moment, b2, gradient.clone(), rest2)?])
    }
}
