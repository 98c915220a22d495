//! Parameters, and the optimizers that improve them.

use crate::error::Result;
use crate::session::{adopt, device, insert, settle_watched, with, with_all, with_entry};
use crate::slab::Entry;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::optim::{Adadelta, Adagrad, Adam, Adamax, Lion, Muon, Optimizer, RmsProp, Rule, Sgd};
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
    static OPTIMIZERS: RefCell<Vec<Option<Rc<Optimizer>>>> = const { RefCell::new(Vec::new()) };
}

/// Lets go of every optimizer; their numbers stay taken.
pub(crate) fn forget() {
    let all: Vec<_> = OPTIMIZERS.with_borrow_mut(|all| all.iter_mut().map(Option::take).collect());
    drop(all);
}

fn optimizer(number: u32) -> weft::Result<Rc<Optimizer>> {
    let found = OPTIMIZERS.with_borrow(|all| all.get(number as usize).cloned().flatten());
    found.ok_or_else(|| {
        let message = "the optimizer was disposed, or went with a device that was lost or closed";
        Error::new(ErrorKind::Disposed, "step", message)
    })
}

fn cells(op: &str, parameters: &[u32]) -> weft::Result<Vec<Parameter>> {
    parameters.iter().map(|&at| cell(op, at)).collect()
}

/// An optimizer of some parameters: by the number of its rule, with the rule's options in order, flags as 0 and 1.
#[wasm_bindgen]
pub fn optimizer_new(rule: u32, parameters: &[u32], options: &[f64]) -> Result<u32> {
    let at = |n: usize| options.get(n).copied().unwrap_or(f64::NAN);
    let (lr, weight_decay, flag) = (at(0), at(1), at(2) != 0.0);
    let optimizer = match rule {
        0 => made("sgd", parameters, Sgd { lr, weight_decay, nesterov: flag, momentum: at(3) }),
        1 => {
            let name = if flag { "adamw" } else { "adam" };
            made(
                name,
                parameters,
                Adam { lr, weight_decay, decoupled: flag, betas: (at(3), at(4)), eps: at(5) },
            )
        }
        2 => made("adamax", parameters, Adamax { lr, weight_decay, betas: (at(3), at(4)), eps: at(5) }),
        3 => made("lion", parameters, Lion { lr, weight_decay, betas: (at(3), at(4)) }),
        4 => made("muon", parameters, Muon { lr, weight_decay, momentum: at(3) }),
        5 => {
            let (alpha, eps, momentum) = (at(3), at(4), at(5));
            made("rmsprop", parameters, RmsProp { lr, weight_decay, centered: flag, alpha, eps, momentum })
        }
        6 => made("adagrad", parameters, Adagrad { lr, weight_decay, lr_decay: at(3), eps: at(4) }),
        7 => made("adadelta", parameters, Adadelta { lr, weight_decay, rho: at(3), eps: at(4) }),
        _ => Err(Error::value("optimizer", "there is no such rule")),
    };
    let optimizer = Rc::new(optimizer?);
    Ok(OPTIMIZERS.with_borrow_mut(|all| {
        all.push(Some(optimizer));
        all.len() as u32 - 1
    }))
}

fn made(name: &str, parameters: &[u32], rule: impl Rule) -> weft::Result<Optimizer> {
    Optimizer::new(cells(name, parameters)?, rule)
}

/// Handles of what an optimizer keeps, of each parameter one tensor after the other: they are parameters, to be read and assigned.
#[wasm_bindgen]
pub fn optimizer_states(number: u32) -> Result<Vec<u32>> {
    let optimizer = optimizer(number)?;
    optimizer.states().iter().flatten().map(|state| insert(Entry::Parameter(state.clone()))).collect()
}

/// How many steps it made.
#[wasm_bindgen]
pub fn optimizer_steps(number: u32) -> Result<i32> {
    Ok(optimizer(number)?.steps())
}

/// Has it go on as if it had made this many steps.
#[wasm_bindgen]
pub fn optimizer_set_steps(number: u32, steps: i32) -> Result<()> {
    optimizer(number)?.set_steps(steps);
    Ok(())
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
