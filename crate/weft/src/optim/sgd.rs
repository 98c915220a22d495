//! Stochastic gradient descent, with momentum, Nesterov's variant and weight decay as in
//! `torch.optim.SGD`.

use super::{Facts, Rule, Step, decayed};
use crate::device::tensor::Tensor;
use weft_ir::{Error, Result};

/// Stochastic gradient descent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sgd {
    /// Learning rate.
    pub lr: f64,
    /// How much of the last velocity stays; 0 keeps no velocity at all.
    pub momentum: f64,
    /// Looks ahead along the velocity (Sutskever et al. 2013); needs momentum.
    pub nesterov: bool,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for Sgd {
    fn default() -> Sgd {
        Sgd { lr: 1e-2, momentum: 0.0, nesterov: false, weight_decay: 0.0 }
    }
}

impl Rule for Sgd {
    fn facts(&self) -> Facts {
        Facts {
            name: "sgd",
            lr: self.lr,
            options: vec![
                ("the momentum", self.momentum, f64::INFINITY),
                ("the weight decay", self.weight_decay, f64::INFINITY),
            ],
            states: usize::from(self.momentum != 0.0),
        }
    }

    fn check(&self) -> Result<()> {
        if self.nesterov && self.momentum == 0.0 {
            return Err(Error::value("sgd", "Nesterov's variant needs a momentum"));
        }
        Ok(())
    }

    fn numbers(&self, _step: i32, lr: f64) -> Vec<f64> {
        vec![lr, self.momentum, self.weight_decay]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient, state, .. } = step;
        let [lr, momentum, decay] = step.numbers();
        let gradient = decayed(gradient, p, self.weight_decay, decay)?;
        let [velocity] = state else { return Ok(vec![p.sub(gradient.mul(lr)?)?]) };
        let velocity = velocity.mul(momentum)?.add(&gradient)?;
        let direction =
            if self.nesterov { velocity.mul(momentum)?.add(&gradient)? } else { velocity.clone() };
        Ok(vec![p.sub(direction.mul(lr)?)?, velocity])
    }
}
