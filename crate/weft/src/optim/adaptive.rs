//! Optimizers that divide by the size of the gradients so far, as PyTorch's of the same names.
//!
//! Deferred: most training uses SGD or Adam.

use super::{Facts, Rule, Step, average, decayed};
use crate::device::tensor::Tensor;
use weft_ir::Result;

/// Divides by the root of an average of the gradient's squares (Hinton 2012).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RmsProp {
    /// Learning rate.
    pub lr: f64,
    /// How much of the average stays.
    pub alpha: f64,
    /// Added to the root.
    pub eps: f64,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
    /// How much of the last velocity stays; 0 keeps no velocity at all.
    pub momentum: f64,
    /// Whether the average gradient is subtracted, so that it is the variance that counts.
    pub centered: bool,
}

impl Default for RmsProp {
    fn default() -> RmsProp {
        RmsProp { lr: 1e-2, alpha: 0.99, eps: 1e-8, weight_decay: 0.0, momentum: 0.0, centered: false }
    }
}

impl Rule for RmsProp {
    fn facts(&self) -> Facts {
        Facts {
            name: "rmsprop",
            lr: self.lr,
            options: vec![
                ("alpha", self.alpha, 1.0),
                ("eps", self.eps, f64::INFINITY),
                ("the weight decay", self.weight_decay, f64::INFINITY),
                ("the momentum", self.momentum, f64::INFINITY),
            ],
            states: 1 + usize::from(self.centered) + usize::from(self.momentum != 0.0),
        }
    }

    fn numbers(&self, _step: i32, lr: f64) -> Vec<f64> {
        vec![self.alpha, 1.0 - self.alpha, self.eps, self.weight_decay, self.momentum, lr]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient, state, .. } = step;
        let [alpha, remainder, eps, decay, momentum, lr] = step.numbers();
        let gradient = decayed(gradient, p, self.weight_decay, decay)?;
        let squares = average(&state[0], alpha, gradient.square()?, remainder)?;
        let mut next = vec![squares.clone()];
        let mut spread = squares;
        if self.centered {
            let mean = average(&state[1], alpha, gradient.clone(), remainder)?;
            spread = spread.sub(mean.square()?)?;
            next.push(mean);
        }
        let mut direction = gradient.div(spread.sqrt()?.add(eps)?)?;
        if self.momentum != 0.0 {
            direction = state[state.len() - 1].mul(momentum)?.add(direction)?;
            next.push(direction.clone());
        }
        next.insert(0, p.sub(direction.mul(lr)?)?);
        Ok(next)
    }
}

/// Divides by the root of the sum of all squares so far (Duchi et al. 2011).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adagrad {
    /// Learning rate.
    pub lr: f64,
    /// How much the learning rate falls: at step t it is `lr / (1 + (t − 1) · lr_decay)`.
    pub lr_decay: f64,
    /// Added to the root.
    pub eps: f64,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for Adagrad {
    fn default() -> Adagrad {
        Adagrad { lr: 1e-2, lr_decay: 0.0, eps: 1e-10, weight_decay: 0.0 }
    }
}

impl Rule for Adagrad {
    fn facts(&self) -> Facts {
        Facts {
            name: "adagrad",
            lr: self.lr,
            options: vec![
                ("the decay of the learning rate", self.lr_decay, f64::INFINITY),
                ("eps", self.eps, f64::INFINITY),
                ("the weight decay", self.weight_decay, f64::INFINITY),
            ],
            states: 1,
        }
    }

    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        vec![lr / (1.0 + f64::from(step - 1) * self.lr_decay), self.eps, self.weight_decay]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let (Step { parameter: p, gradient, .. }, [sum]) = (step, step.state());
        let [rate, eps, decay] = step.numbers();
        let gradient = decayed(gradient, p, self.weight_decay, decay)?;
        let sum = sum.add(gradient.square()?)?;
        Ok(vec![p.sub(gradient.div(sum.sqrt()?.add(eps)?)?.mul(rate)?)?, sum])
    }
}

/// Steps of the size of earlier steps, over the size of earlier gradients (Zeiler 2012).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adadelta {
    /// Learning rate.
    pub lr: f64,
    /// How much of the averages stays.
    pub rho: f64,
    /// Added below the roots.
    pub eps: f64,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for Adadelta {
    fn default() -> Adadelta {
        Adadelta { lr: 1.0, rho: 0.9, eps: 1e-6, weight_decay: 0.0 }
    }
}

impl Rule for Adadelta {
    fn facts(&self) -> Facts {
        Facts {
            name: "adadelta",
            lr: self.lr,
            options: vec![
                ("rho", self.rho, 1.0),
                ("eps", self.eps, f64::INFINITY),
                ("the weight decay", self.weight_decay, f64::INFINITY),
            ],
            states: 2,
        }
    }

    fn numbers(&self, _step: i32, lr: f64) -> Vec<f64> {
        vec![self.rho, 1.0 - self.rho, self.eps, self.weight_decay, lr]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let (Step { parameter: p, gradient, .. }, [squares, steps]) = (step, step.state());
        let [rho, rest, eps, decay, lr] = step.numbers();
        let gradient = decayed(gradient, p, self.weight_decay, decay)?;
        let squares = average(squares, rho, gradient.square()?, rest)?;
        let step = steps.add(eps)?.sqrt()?.div(squares.add(eps)?.sqrt()?)?.mul(gradient)?;
        let steps = average(steps, rho, step.square()?, rest)?;
        Ok(vec![p.sub(step.mul(lr)?)?, squares, steps])
    }
}
