//! Adam (Kingma & Ba 2015, algorithm 1), with weight decay as in `torch.optim.Adam`.
//!
//! The corrections for the moments' start at zero depend on the step alone: they are computed on the host, in f64, and given to
//! each step as numbers.

use super::{Optimizer, check, check_option, device_of, finish, zeros_like};
use crate::cell::ScalarSource;
use crate::device::Device;
use crate::parameter::Parameter;
use crate::tensor::Tensor;
use std::cell::Cell;
use std::rc::Rc;
use weft_ir::{DType, Literal, Result};

/// How [`Adam`] steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamOptions {
    /// Learning rate.
    pub lr: f64,
    /// How much of the first and second moments stays.
    pub betas: (f64, f64),
    /// Added to the root of the second moment.
    pub eps: f64,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for AdamOptions {
    fn default() -> AdamOptions {
        AdamOptions { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0 }
    }
}

/// The optimizer.
pub struct Adam {
    device: Device,
    parameters: Vec<Parameter>,
    firsts: Vec<Parameter>,
    seconds: Vec<Parameter>,
    rates: Rc<Rates>,
    source: Rc<dyn ScalarSource>,
}

struct Rates {
    options: AdamOptions,
    lr: Cell<f64>,
    steps: Cell<i32>,
}

/// What a step multiplies by: numbers in the order of [`Rates::next`].
const NUMBERS: usize = 8;

impl ScalarSource for Rates {
    fn dtypes(&self) -> Vec<DType> {
        vec![DType::F32; NUMBERS]
    }

    fn next(&self) -> Vec<Literal> {
        let step = self.steps.get().saturating_add(1);
        self.steps.set(step);
        let AdamOptions { betas: (b1, b2), eps, weight_decay, .. } = self.options;
        let rate = self.lr.get() / (1.0 - b1.powi(step));
        let root = 1.0 / (1.0 - b2.powi(step)).sqrt();
        let numbers: [f64; NUMBERS] = [b1, 1.0 - b1, b2, 1.0 - b2, rate, root, eps, weight_decay];
        numbers.iter().map(|&n| Literal::F32(n as f32)).collect()
    }
}

impl Adam {
    /// For these parameters. Errors with `Value` when there are none, and for an option that is negative, too large or no number.
    pub fn new(parameters: Vec<Parameter>, options: AdamOptions) -> Result<Adam> {
        for (what, value, end) in [
            ("the learning rate", options.lr, f64::INFINITY),
            ("the first beta", options.betas.0, 1.0),
            ("the second beta", options.betas.1, 1.0),
            ("eps", options.eps, f64::INFINITY),
            ("the weight decay", options.weight_decay, f64::INFINITY),
        ] {
            check_option("adam", what, value, end)?;
        }
        let rates = Rc::new(Rates { options, lr: Cell::new(options.lr), steps: Cell::new(0) });
        Ok(Adam {
            device: device_of("adam", &parameters)?,
            firsts: zeros_like(&parameters)?,
            seconds: zeros_like(&parameters)?,
            parameters,
            source: rates.clone(),
            rates,
        })
    }

    /// How many steps were made; calls of captured functions that step count.
    pub fn steps(&self) -> i32 {
        self.rates.steps.get()
    }
}

impl Optimizer for Adam {
    fn step(&self, gradients: Vec<Tensor>) -> Result<()> {
        check("adam", &self.parameters, &gradients)?;
        let numbers = self.device.scalars(&self.source)?;
        let [b1, rest1, b2, rest2, rate, root, eps, decay] = &numbers[..] else {
            unreachable!("there are as many numbers as are named here")
        };
        for (n, (parameter, gradient)) in self.parameters.iter().zip(&gradients).enumerate() {
            let before = parameter.get()?;
            let gradient = if self.rates.options.weight_decay == 0.0 {
                gradient.clone()
            } else {
                gradient.add(before.mul(decay)?)?
            };
            let first = self.firsts[n].get()?.mul(b1)?.add(gradient.mul(rest1)?)?;
            let second = self.seconds[n].get()?.mul(b2)?.add(gradient.square()?.mul(rest2)?)?;
            let size = second.sqrt()?.mul(root)?.add(eps)?;
            parameter.set(before.sub(first.div(&size)?.mul(rate)?)?)?;
            self.firsts[n].set(first)?;
            self.seconds[n].set(second)?;
        }
        drop(numbers);
        finish(&self.device, gradients)
    }

    fn lr(&self) -> f64 {
        self.rates.lr.get()
    }

    fn set_lr(&self, lr: f64) {
        self.rates.lr.set(lr);
    }

    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }
}
