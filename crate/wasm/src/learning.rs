//! Parameters, and the optimizers that improve them.

use crate::error::Result;
use crate::session::{adopt, device, insert, settle_watched, with, with_all, with_entry};
use crate::slab::Entry;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::optim::{Adam, AdamOptions, Optimizer, Sgd, SgdOptions};
use weft::{Error, ErrorKind, Parameter, Tensor};

/// A parameter that holds the tensor of `x`; its handle serves as a tensor's.
#[wasm_bindgen]
pub fn parameter(x: u32) -> Result<u32> {
    let held = with("parameter", x, |x| Ok(x.clone()))?;
    insert(Entry::Parameter(Parameter::new(held)?))
}

/// Puts another tensor in a parameter's place.
#[wasm_bindgen]
pub fn parameter_set(at: u32, x: u32) -> Result<()> {
    drop(exchange("assign", at, x)?);
    Ok(())
}

/// Puts another tensor in a parameter's place, and gives the handle of the one that was there.
#[wasm_bindgen]
pub fn parameter_swap(at: u32, x: u32) -> Result<u32> {
    adopt(exchange("parameter", at, x)?)
}

/// Whether a parameter holds just this tensor.
#[wasm_bindgen]
pub fn parameter_holds(at: u32, x: u32) -> Result<bool> {
    let held = cell("parameter", at)?.get()?;
    Ok(with("parameter", x, |x| Ok(held.is(x)))?)
}

fn exchange(op: &str, at: u32, x: u32) -> weft::Result<Tensor> {
    let next = with(op, x, |x| Ok(x.clone()))?;
    cell(op, at)?.replace(next)
}

fn cell(op: &str, at: u32) -> weft::Result<Parameter> {
    with_entry(op, at, |entry| match entry {
        Entry::Parameter(parameter) => Ok(parameter.clone()),
        Entry::Tensor(_) | Entry::Ledger(_) => Err(Error::value(op, "this tensor is not a parameter")),
    })
}

thread_local! {
    /// Optimizers by number; a number is not used again.
    static OPTIMIZERS: RefCell<Vec<Option<Rc<dyn Optimizer>>>> = const { RefCell::new(Vec::new()) };
}

/// Lets go of every optimizer; their numbers stay taken.
pub(crate) fn forget() {
    let all: Vec<_> = OPTIMIZERS.with_borrow_mut(|all| all.iter_mut().map(Option::take).collect());
    drop(all);
}

fn enter(optimizer: impl Optimizer + 'static) -> u32 {
    OPTIMIZERS.with_borrow_mut(|all| {
        all.push(Some(Rc::new(optimizer)));
        all.len() as u32 - 1
    })
}

fn optimizer(number: u32) -> weft::Result<Rc<dyn Optimizer>> {
    let found = OPTIMIZERS.with_borrow(|all| all.get(number as usize).cloned().flatten());
    found.ok_or_else(|| {
        let message = "the optimizer was disposed, or went with a device that was lost or closed";
        Error::new(ErrorKind::Disposed, "step", message)
    })
}

fn cells(op: &str, parameters: &[u32]) -> weft::Result<Vec<Parameter>> {
    parameters.iter().map(|&at| cell(op, at)).collect()
}

/// Stochastic gradient descent for some parameters.
#[wasm_bindgen]
pub fn optimizer_sgd(
    parameters: &[u32],
    lr: f64,
    momentum: f64,
    nesterov: bool,
    weight_decay: f64,
) -> Result<u32> {
    let options = SgdOptions { lr, momentum, nesterov, weight_decay };
    Ok(enter(Sgd::new(cells("sgd", parameters)?, options)?))
}

/// Adam for some parameters.
#[wasm_bindgen]
pub fn optimizer_adam(
    parameters: &[u32],
    lr: f64,
    first: f64,
    second: f64,
    eps: f64,
    weight_decay: f64,
) -> Result<u32> {
    let options = AdamOptions { lr, betas: (first, second), eps, weight_decay };
    Ok(enter(Adam::new(cells("adam", parameters)?, options)?))
}

/// One step by these gradients, and a flush.
#[wasm_bindgen]
pub fn optimizer_step(number: u32, gradients: &[u32]) -> Result<()> {
    let optimizer = optimizer(number)?;
    let gradients =
        with_all("step", gradients, |gradients| Ok(gradients.iter().map(|&g| g.clone()).collect()))?;
    let held = if device()?.is_tracing() { Vec::new() } else { settle_watched()? };
    optimizer.step(gradients)?;
    drop(held);
    Ok(())
}

/// The learning rate.
#[wasm_bindgen]
pub fn optimizer_lr(number: u32) -> Result<f64> {
    Ok(optimizer(number)?.lr())
}

/// Changes the learning rate.
#[wasm_bindgen]
pub fn optimizer_set_lr(number: u32, lr: f64) -> Result<()> {
    optimizer(number)?.set_lr(lr);
    Ok(())
}

/// Lets go of an optimizer and its state.
#[wasm_bindgen]
pub fn optimizer_drop(number: u32) {
    let optimizer = OPTIMIZERS.with_borrow_mut(|all| all.get_mut(number as usize).and_then(Option::take));
    drop(optimizer);
}
