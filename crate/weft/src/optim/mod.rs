//! Optimizers: update rules for parameters, given gradients.
//!
//! A [`Rule`] says what a step does to one parameter, an [`Optimizer`] does it to all and keeps the
//! state. Rates and step counts are run-time numbers, so that changing them compiles nothing, also
//! in a captured function. A step is a flush point: the new parameters and state are computed in
//! one submit, and the gradients are freed.

mod adam;
mod adaptive;
mod factored;
pub(crate) mod ledger;
mod muon;
mod optax;
mod sgd;

pub use adam::{Adam, Adamax, Lion};
pub use adaptive::{Adadelta, Adagrad, RmsProp};
pub use factored::{Adafactor, Sm3};
pub use muon::Muon;
pub use optax::{Optax, OptaxRule};
pub use sgd::Sgd;

use crate::device::Device;
use crate::device::cell::ScalarSource;
use crate::device::parameter::Parameter;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::replay::Replay;
use std::cell::Cell;
use std::rc::Rc;
use weft_ir::{DType, Decimal, Error, Literal, Result};

/// What is known of a rule before it makes a step.
pub struct Facts {
    /// How errors call it.
    pub name: &'static str,
    /// The learning rate it begins with.
    pub lr: f64,
    /// Its other options: what errors call them, their values, and what they must be below.
    pub options: Vec<(&'static str, f64, f64)>,
    /// How many tensors of state a parameter has; they begin as zeros, of the shapes that
    /// [`Rule::shapes`] says.
    pub states: usize,
}

/// What a step does to one parameter.
pub trait Rule: 'static {
    /// What it is called and begins with.
    fn facts(&self) -> Facts;

    /// Errors with `Value` where its options do not go together.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The shapes of the tensors of state of a parameter of this shape.
    fn shapes(&self, shape: &[usize]) -> Vec<Vec<usize>> {
        vec![shape.to_vec(); self.facts().states]
    }

    /// The numbers that step `step`, counted from 1, computes with.
    fn numbers(&self, step: i32, lr: f64) -> Vec<f64>;

    /// The parameter after a step, then its state. What differs from step to step is among the
    /// step's numbers, as what was made of a parameter once is made again without asking.
    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>>;
}

/// What a step is made of, for one parameter.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The parameter before it.
    pub parameter: &'a Tensor,
    /// The gradient, of the parameter's shape.
    pub gradient: &'a Tensor,
    /// The parameter's state before it, of the shapes that [`Rule::shapes`] says.
    pub state: &'a [Tensor],
    /// [`Rule::numbers`] of it, as 0-d f32 tensors.
    pub numbers: &'a [Tensor],
}

impl<'a> Step<'a> {
    /// The state of a rule that always keeps the same number of tensors.
    fn state<const N: usize>(self) -> &'a [Tensor; N] {
        self.state.try_into().expect("there are as many as `facts` says")
    }

    /// The numbers: a rule always gives `N`.
    fn numbers<const N: usize>(self) -> &'a [Tensor; N] {
        self.numbers.try_into().expect("there are as many as `numbers` gives")
    }
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
    /// How errors call it.
    name: &'static str,
    device: Device,
    parameters: Vec<Parameter>,
    /// Of each parameter the tensors of its state.
    states: Vec<Vec<Parameter>>,
    rates: Rc<Rates>,
    source: Rc<dyn ScalarSource>,
    /// What the rule made of each parameter last.
    updates: Vec<Replay>,
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
        self.numbers(step)
    }

    /// Deferred: an export is asked for by hand.
    fn upcoming(&self, calls: usize) -> Vec<Vec<Literal>> {
        (1..=calls as i32).map(|call| self.numbers(self.steps.get().saturating_add(call))).collect()
    }
}

impl Rates {
    fn numbers(&self, step: i32) -> Vec<Literal> {
        self.rule.numbers(step, self.lr.get()).iter().map(|&n| Literal::F32(n as f32)).collect()
    }
}

impl Optimizer {
    /// For these parameters. Errors with `Value` when there are none or they live apart, and for an
    /// option that is negative, too large or no number.
    pub fn new(parameters: Vec<Parameter>, rule: impl Rule) -> Result<Optimizer> {
        Optimizer::of(parameters, Box::new(rule))
    }

    fn of(parameters: Vec<Parameter>, rule: Box<dyn Rule>) -> Result<Optimizer> {
        let Facts { name, lr, options, .. } = rule.facts();
        let rate = ("the learning rate", lr, f64::INFINITY);
        for (what, value, end) in std::iter::once(rate).chain(options) {
            if !(0.0..end).contains(&value) {
                let below = if end.is_finite() {
                    format!(" and below {}", Decimal::from(end))
                } else {
                    String::new()
                };
                let what = format!("{what} must be at least 0{below}, got {}", Decimal::from(value));
                return Err(Error::value(name, what));
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
            // Of packed parameters the state is kept in full.
            let dtype = tensor.dtype().computed();
            let shapes = rule.shapes(tensor.shape());
            shapes.iter().map(|shape| Parameter::new(device.zeros(shape, dtype)?)).collect()
        };
        let states = parameters.iter().map(zeros);
        let states = states.collect::<Result<_>>()?;
        let rates = Rc::new(Rates { lr: Cell::new(lr), rule, steps: Cell::new(0) });
        let updates = parameters.iter().map(|_| Replay::default()).collect();
        Ok(Optimizer { name, device, parameters, states, source: rates.clone(), rates, updates })
    }

    /// One step: assigns each parameter, frees the gradients and flushes. Inside a captured
    /// function the step becomes part of it.
    ///
    /// Errors with `Shape` when gradients do not fit the parameters, and as a flush does.
    pub fn step(&self, gradients: Vec<Tensor>) -> Result<()> {
        self.apply(gradients.into_iter().map(Some).collect())?;
        if self.device.is_tracing() { Ok(()) } else { self.device.flush_parameters() }
    }

    /// What [`Optimizer::step`] does before it flushes, so that steps of several optimizers, each
    /// with options of its own, are one submit: that of [`Device::flush_parameters`] after the
    /// last. A parameter without a gradient (`None`) stays as it is, with its state.
    pub fn apply(&self, gradients: Vec<Option<Tensor>>) -> Result<()> {
        let name = self.name;
        if self.parameters.len() != gradients.len() {
            let what = format!("{} gradients for {} parameters", gradients.len(), self.parameters.len());
            return Err(Error::shape(name, what));
        }
        for (parameter, gradient) in self.parameters.iter().zip(&gradients) {
            if let Some(gradient) = gradient {
                gradient.expect_shape(name, parameter.get()?.shape())?;
            }
        }
        let numbers = self.device.scalars(&self.source)?;
        for (n, (parameter, cells)) in self.parameters.iter().zip(&self.states).enumerate() {
            let Some(gradient) = &gradients[n] else { continue };
            let cells = || std::iter::once(parameter).chain(cells);
            let before: Vec<Tensor> = cells().map(Parameter::get).collect::<Result<_>>()?;
            let after = self.update(n, &before, gradient, &numbers)?;
            for (cell, value) in cells().zip(after) {
                cell.set(value)?;
            }
        }
        gradients.iter().flatten().for_each(Tensor::dispose);
        Ok(())
    }

    /// What becomes of parameter `n` and its state, which are `before`, in their dtypes.
    fn update(
        &self,
        n: usize,
        before: &[Tensor],
        gradient: &Tensor,
        numbers: &[Tensor],
    ) -> Result<Vec<Tensor>> {
        let given: Vec<&Tensor> = before.iter().chain([gradient]).chain(numbers).collect();
        self.updates[n].make(self.name, &given, &|| {
            let (parameter, state) = (&before[0], &before[1..]);
            let made = self.rates.rule.update(Step { parameter, gradient, state, numbers })?;
            let fit = |(value, before): (&Tensor, &Tensor)| build::cast(self.name, value, before.dtype());
            made.iter().zip(before).map(fit).collect()
        })
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
