//! Optimizers: what becomes of parameters, given gradients.
//!
//! Rates and step counts are run-time numbers, so that changing them compiles nothing, also in a captured function. A step
//! is a flush point: the new parameters and state are computed in one submit, and the gradients are freed.

mod adam;
mod sgd;

pub use adam::{Adam, AdamOptions};
pub use sgd::{Sgd, SgdOptions, sgd_update};

use crate::device::Device;
use crate::parameter::Parameter;
use crate::tensor::Tensor;
use weft_ir::{Decimal, Error, Result};

/// A rule that improves parameters.
pub trait Optimizer {
    /// One step: assigns each parameter, frees the gradients and flushes. Inside a captured function the step becomes part of it.
    ///
    /// Errors with `Shape` when gradients do not fit the parameters, and as a flush does.
    fn step(&self, gradients: Vec<Tensor>) -> Result<()>;

    /// The learning rate.
    fn lr(&self) -> f64;

    /// Changes the learning rate, also of captured functions that step.
    fn set_lr(&self, lr: f64);

    /// The parameters it improves.
    fn parameters(&self) -> &[Parameter];
}

/// The device of all parameters. Errors with `Value` when there are none or they live apart.
fn device_of(name: &str, parameters: &[Parameter]) -> Result<Device> {
    let first = parameters.first().ok_or_else(|| Error::value(name, "there are no parameters"))?;
    if parameters.iter().all(|p| p.device().is(first.device())) {
        return Ok(first.device().clone());
    }
    Err(Error::value(name, "the parameters live on several devices"))
}

/// Errors with `Value` unless `value` is a number from 0 to below `end`.
fn check_option(name: &str, what: &str, value: f64, end: f64) -> Result<()> {
    if (0.0..end).contains(&value) {
        return Ok(());
    }
    let below = if end.is_finite() { format!(" and below {}", Decimal::from(end)) } else { String::new() };
    Err(Error::value(name, format!("{what} must be at least 0{below}, got {}", Decimal::from(value))))
}

/// A cell of zeros for each parameter.
fn zeros_like(parameters: &[Parameter]) -> Result<Vec<Parameter>> {
    let zeros = |p: &Parameter| {
        let tensor = p.get()?;
        Parameter::new(p.device().zeros(tensor.shape(), tensor.dtype())?)
    };
    parameters.iter().map(zeros).collect()
}

fn check(name: &str, parameters: &[Parameter], gradients: &[Tensor]) -> Result<()> {
    if parameters.len() != gradients.len() {
        let what = format!("{} gradients for {} parameters", gradients.len(), parameters.len());
        return Err(Error::shape(name, what));
    }
    for (parameter, gradient) in parameters.iter().zip(gradients) {
        gradient.expect_shape(name, parameter.get()?.shape())?;
    }
    Ok(())
}

/// Flushes, unless the step is part of a function that is being captured.
fn finish(device: &Device, gradients: Vec<Tensor>) -> Result<()> {
    gradients.iter().for_each(Tensor::dispose);
    if device.is_tracing() { Ok(()) } else { device.flush_parameters() }
}
