//! Stochastic gradient descent, with momentum, Nesterov's variant and weight decay as in `torch.optim.SGD`.

use super::{Optimizer, check, check_option, device_of, finish, zeros_like};
use crate::cell::ScalarSource;
use crate::device::Device;
use crate::parameter::Parameter;
use crate::tensor::Tensor;
use std::cell::Cell;
use std::rc::Rc;
use weft_ir::{DType, Error, Literal, Result};

/// How [`Sgd`] steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SgdOptions {
    /// Learning rate.
    pub lr: f64,
    /// How much of the last velocity stays; 0 keeps no velocity at all.
    pub momentum: f64,
    /// Looks ahead along the velocity (Sutskever et al. 2013); needs momentum.
    pub nesterov: bool,
    /// L2 penalty: this times the parameter is added to its gradient.
    pub weight_decay: f64,
}

impl Default for SgdOptions {
    fn default() -> SgdOptions {
        SgdOptions { lr: 1e-2, momentum: 0.0, nesterov: false, weight_decay: 0.0 }
    }
}

/// The optimizer.
pub struct Sgd {
    device: Device,
    parameters: Vec<Parameter>,
    velocities: Vec<Parameter>,
    options: SgdOptions,
    rates: Rc<Rates>,
    source: Rc<dyn ScalarSource>,
}

/// Learning rate, momentum, weight decay.
struct Rates {
    lr: Cell<f64>,
    rest: [f64; 2],
}

impl ScalarSource for Rates {
    fn dtypes(&self) -> Vec<DType> {
        vec![DType::F32; 3]
    }

    fn next(&self) -> Vec<Literal> {
        let numbers = [self.lr.get(), self.rest[0], self.rest[1]];
        numbers.iter().map(|&n| Literal::F32(n as f32)).collect()
    }
}

impl Sgd {
    /// For these parameters. Errors with `Value` when there are none, for an option that is negative or no number, and for Nesterov
    /// without momentum.
    pub fn new(parameters: Vec<Parameter>, options: SgdOptions) -> Result<Sgd> {
        for (what, value) in [
            ("the learning rate", options.lr),
            ("the momentum", options.momentum),
            ("the weight decay", options.weight_decay),
        ] {
            check_option("sgd", what, value, f64::INFINITY)?;
        }
        if options.nesterov && options.momentum == 0.0 {
            return Err(Error::value("sgd", "Nesterov's variant needs a momentum"));
        }
        let rates =
            Rc::new(Rates { lr: Cell::new(options.lr), rest: [options.momentum, options.weight_decay] });
        Ok(Sgd {
            device: device_of("sgd", &parameters)?,
            velocities: if options.momentum == 0.0 { Vec::new() } else { zeros_like(&parameters)? },
            parameters,
            options,
            source: rates.clone(),
            rates,
        })
    }
}

/// One parameter's step as a pure function, for use inside any function: the new parameter, and the new velocity if one is
/// given. Rates are 0-d f32 tensors; a weight decay of `None` is left out of the program.
pub fn sgd_update(
    parameter: &Tensor,
    gradient: &Tensor,
    velocity: Option<(&Tensor, &Tensor)>,
    lr: &Tensor,
    weight_decay: Option<&Tensor>,
    nesterov: bool,
) -> Result<(Tensor, Option<Tensor>)> {
    let gradient = match weight_decay {
        Some(decay) => gradient.add(parameter.mul(decay)?)?,
        None => gradient.clone(),
    };
    let Some((velocity, momentum)) = velocity else {
        return Ok((parameter.sub(gradient.mul(lr)?)?, None));
    };
    let velocity = velocity.mul(momentum)?.add(&gradient)?;
    let direction = if nesterov { velocity.mul(momentum)?.add(&gradient)? } else { velocity.clone() };
    Ok((parameter.sub(direction.mul(lr)?)?, Some(velocity)))
}

impl Optimizer for Sgd {
    fn step(&self, gradients: Vec<Tensor>) -> Result<()> {
        check("sgd", &self.parameters, &gradients)?;
        let rates = self.device.scalars(&self.source)?;
        let [lr, momentum, decay] = &rates[..] else { unreachable!("there are three rates") };
        let decay = (self.options.weight_decay != 0.0).then_some(decay);
        for (n, (parameter, gradient)) in self.parameters.iter().zip(&gradients).enumerate() {
            let before = parameter.get()?;
            let velocity = self.velocities.get(n).map(Parameter::get).transpose()?;
            let velocity = velocity.as_ref().map(|v| (v, momentum));
            let (after, velocity) =
                sgd_update(&before, gradient, velocity, lr, decay, self.options.nesterov)?;
            parameter.set(after)?;
            if let (Some(cell), Some(velocity)) = (self.velocities.get(n), velocity) {
                cell.set(velocity)?;
            }
        }
        drop(rates);
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
