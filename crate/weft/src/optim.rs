//! Optimizers: what becomes of parameters, given gradients.
//!
//! A [`Rule`] says what a step does to one parameter, an [`Optimizer`] does it to all and keeps the state. Rates and step counts are run-time numbers, so
//! that changing them compiles nothing, also in a captured function. A step is a flush point: the new parameters and state are
//! computed in one submit, and the gradients are freed.

mod adam;
mod adaptive;
mod muon;
mod sgd;

pub use adam::{Adam, Adamax, Lion};
pub use adaptive::{Adadelta, Adagrad, RmsProp};
pub use muon::Muon;
pub use sgd::Sgd;

use crate::cell::ScalarSource;
use crate::device::Device;
use crate::parameter::Parameter;
use crate::tensor::Tensor;
use std::cell::Cell;
use std::rc::Rc;
use weft_ir::{DType, Decimal, Error, Literal, Result};

/// What a step does to one parameter.
pub trait Rule: 'static {
    /// How errors call it.
    fn name(&self) -> &'static str;

    /// The learning rate it begins with.
    fn lr(&self) -> f64;

    /// Its other options: what errors call them, their values, and what they must be below.
    fn options(&self) -> Vec<(&'static str, f64, f64)>;

    /// Errors with `Value` where its options do not go together.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// How many tensors of state a parameter has; they begin as zeros of its shape.
    fn states(&self) -> usize;

    /// The numbers that step `step`, counted from 1, computes with.
    fn numbers(&self, step: i32, lr: f64) -> Vec<f64>;

    /// The parameter after a step, then its state. `numbers` are those of [`Rule::numbers`], as 0-d f32 tensors.
    fn update(
        &self,
        parameter: &Tensor,
        gradient: &Tensor,
        state: &[Tensor],
        numbers: &[Tensor],
    ) -> Result<Vec<Tensor>>;
}

/// A rule, applied to some parameters.
///
/// ```
/// # fn main() -> weft::Result<()> {
/// # use weft::{Device, Parameter, optim::{Optimizer, Sgd}};
/// let device = Device::cpu();
/// let weight = Parameter::new(device.tensor(&[1.0_f32, 2.0], &[2])?)?;
/// let optimizer = Optimizer::new(vec![weight.clone()], Sgd { lr: 0.5, ..Sgd::default() })?;
/// optimizer.step(vec![device.tensor(&[2.0_f32, 4.0], &[2])?])?;
/// assert_eq!(pollster::block_on(weight.get()?.abs()?.sum(None, false)?.item())?, 0.0);
/// # Ok(())
/// # }
/// ```
pub struct Optimizer {
    device: Device,
    parameters: Vec<Parameter>,
    /// Of each parameter the tensors of its state.
    states: Vec<Vec<Parameter>>,
    rates: Rc<Rates>,
    source: Rc<dyn ScalarSource>,
}

/// Where the numbers of the next step come from.
struct Rates {
    rule: Box<dyn Rule>,
    lr: Cell<f64>,
    steps: Cell<i32>,
}

impl ScalarSource for Rates {
    fn dtypes(&self) -> Vec<DType> {
        vec![DType::F32; self.rule.numbers(1, 0.0).len()]
    }

    fn next(&self) -> Vec<Literal> {
        let step = self.steps.get().saturating_add(1);
        self.steps.set(step);
        self.rule.numbers(step, self.lr.get()).iter().map(|&n| Literal::F32(n as f32)).collect()
    }
}

impl Optimizer {
    /// For these parameters. Errors with `Value` when there are none or they live apart, and for an option that is negative, too large or no number.
    pub fn new(parameters: Vec<Parameter>, rule: impl Rule) -> Result<Optimizer> {
        Optimizer::of(parameters, Box::new(rule))
    }

    fn of(parameters: Vec<Parameter>, rule: Box<dyn Rule>) -> Result<Optimizer> {
        let name = rule.name();
        let rate = ("the learning rate", rule.lr(), f64::INFINITY);
        for (what, value, end) in [vec![rate], rule.options()].concat() {
            if !(0.0..end).contains(&value) {
                let below = if end.is_finite() {
                    format!(" and below {}", Decimal::from(end))
                } else {
                    String::new()
                };
                let told = format!("{what} must be at least 0{below}, got {}", Decimal::from(value));
                return Err(Error::value(name, told));
            }
        }
        rule.check()?;
        let first = parameters.first().ok_or_else(|| Error::value(name, "there are no parameters"))?;
        let device = first.device().clone();
        if !parameters.iter().all(|p| p.device().is(&device)) {
            return Err(Error::value(name, "the parameters live on several devices"));
        }
        let zeros = |p: &Parameter| {
            let tensor = p.get()?;
            Parameter::new(device.zeros(tensor.shape(), tensor.dtype())?)
        };
        let states = parameters.iter().map(|p| (0..rule.states()).map(|_| zeros(p)).collect());
        let states = states.collect::<Result<_>>()?;
        let rates = Rc::new(Rates { lr: Cell::new(rule.lr()), rule, steps: Cell::new(0) });
        Ok(Optimizer { device, parameters, states, source: rates.clone(), rates })
    }

    /// One step: assigns each parameter, frees the gradients and flushes. Inside a captured function the step becomes part of it.
    ///
    /// Errors with `Shape` when gradients do not fit the parameters, and as a flush does.
    pub fn step(&self, gradients: Vec<Tensor>) -> Result<()> {
        let rule = &*self.rates.rule;
        let name = rule.name();
        if self.parameters.len() != gradients.len() {
            let what = format!("{} gradients for {} parameters", gradients.len(), self.parameters.len());
            return Err(Error::shape(name, what));
        }
        for (parameter, gradient) in self.parameters.iter().zip(&gradients) {
            gradient.expect_shape(name, parameter.get()?.shape())?;
        }
        let numbers = self.device.scalars(&self.source)?;
        for ((parameter, gradient), cells) in self.parameters.iter().zip(&gradients).zip(&self.states) {
            let state: Vec<Tensor> = cells.iter().map(Parameter::get).collect::<Result<_>>()?;
            let after = rule.update(&parameter.get()?, gradient, &state, &numbers)?;
            for (cell, value) in std::iter::once(parameter).chain(cells).zip(after) {
                cell.set(value)?;
            }
        }
        drop(numbers);
        gradients.iter().for_each(Tensor::dispose);
        if self.device.is_tracing() { Ok(()) } else { self.device.flush_parameters() }
    }

    /// The learning rate.
    pub fn lr(&self) -> f64 {
        self.rates.lr.get()
    }

    /// Changes the learning rate, also of captured functions that step.
    pub fn set_lr(&self, lr: f64) {
        self.rates.lr.set(lr);
    }

    /// The parameters it improves.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// What it keeps of each parameter: to be saved, and assigned again before training goes on.
    pub fn states(&self) -> &[Vec<Parameter>] {
        &self.states
    }

    /// How many steps were made; calls of captured functions that step count.
    pub fn steps(&self) -> i32 {
        self.rates.steps.get()
    }

    /// Goes on as if this many steps had been made.
    pub fn set_steps(&self, steps: i32) {
        self.rates.steps.set(steps.max(0));
    }
}

/// The gradient with the slope of `decay`/2 · |parameter|² added; a decay that is 0 costs nothing.
fn decayed(gradient: &Tensor, parameter: &Tensor, decay: f64, number: &Tensor) -> Result<Tensor> {
    if decay == 0.0 { Ok(gradient.clone()) } else { gradient.add(parameter.mul(number)?) }
}

/// `rest` of the value that runs and the remainder of what is new: an exponential average.
fn average(running: &Tensor, rest: &Tensor, new: Tensor, remainder: &Tensor) -> Result<Tensor> {
    running.mul(rest)?.add(new.mul(remainder)?)
}
