//! Muon (Jordan et al. 2024): matrices step along the nearest orthogonal matrix to their momentum,
//! all else as AdamW does.
//!
//! Deferred: most training uses SGD or Adam.

use super::{Adam, Facts, Rule, Step, average};
use crate::device::tensor::Tensor;
use weft_ir::Result;

/// How the iteration towards an orthogonal matrix combines X, X·Xᵀ·X and (X·Xᵀ)²·X: tuned by its
/// authors to be quick, not exact.
const STEP: (f64, f64, f64) = (3.4445, -4.775, 2.0315);
/// How many iterations there are.
const ITERATIONS: usize = 5;
/// What keeps a gradient of zeros from being divided by its length.
const LEAST: f64 = 1e-7;

/// Muon, with Nesterov's momentum and decoupled weight decay, as `torch.optim.Muon`; parameters
/// that are no matrices step as AdamW's of rate `lr`, as in Optax.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Muon {
    /// Learning rate.
    pub lr: f64,
    /// How much of the momentum stays.
    pub momentum: f64,
    /// `lr · weight_decay` of the parameter is taken from it.
    pub weight_decay: f64,
}

impl Default for Muon {
    fn default() -> Muon {
        Muon { lr: 1e-3, momentum: 0.95, weight_decay: 0.1 }
    }
}

impl Muon {
    fn adam(&self) -> Adam {
        Adam {
            lr: self.lr,
            betas: (0.9, 0.95),
            weight_decay: self.weight_decay,
            decoupled: true,
            ..Adam::default()
        }
    }
}

impl Rule for Muon {
    fn facts(&self) -> Facts {
        Facts {
            name: "muon",
            lr: self.lr,
            options: vec![
                ("the momentum", self.momentum, 1.0),
                ("the weight decay", self.weight_decay, f64::INFINITY),
            ],
            states: 2,
        }
    }

    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        let mut numbers = self.adam().numbers(step, lr);
        numbers.extend([self.momentum, 1.0 - self.momentum, lr, 1.0 - lr * self.weight_decay]);
        numbers
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient, state, numbers } = step;
        let (adam, own) = numbers.split_at(numbers.len() - 4);
        let [rows, columns] = p.shape()[..] else {
            return self.adam().update(Step { numbers: adam, ..step });
        };
        let [momentum, rest, lr, shrink] = Step { numbers: own, ..step }.numbers();
        let moment = average(&state[0], momentum, gradient.clone(), rest)?;
        let ahead = average(&moment, momentum, gradient.clone(), rest)?;
        let scale = (rows as f64 / columns.max(1) as f64).max(1.0).sqrt();
        let direction = orthogonal(&ahead, rows > columns)?.mul(scale)?;
        let p = if self.weight_decay == 0.0 { p.clone() } else { p.mul(shrink)? };
        Ok(vec![p.sub(direction.mul(lr)?)?, moment, state[1].clone()])
    }
}

/// A matrix with the same singular vectors and singular values near 1, by Newton and Schulz's
/// iteration on the side that is shorter.
fn orthogonal(x: &Tensor, tall: bool) -> Result<Tensor> {
    let wide = if tall { x.transpose()? } else { x.clone() };
    let length = wide.square()?.sum(None, true)?.sqrt()?;
    let mut wide = wide.div(length.maximum(LEAST)?)?;
    for _ in 0..ITERATIONS {
        let gram = wide.matmul(&wide.transpose()?)?;
        let mix = gram.mul(STEP.1)?.add(gram.matmul(&gram)?.mul(STEP.2)?)?;
        wide = wide.mul(STEP.0)?.add(mix.matmul(&wide)?)?;
    }
    if tall { wide.transpose() } else { Ok(wide) }
}
