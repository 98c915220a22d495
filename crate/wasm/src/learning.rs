//! Parameters, and the optimizers that update them.

use crate::error::Result;
use crate::held::StandIn;
use crate::session::{
    adopt_all, device, dispose_all, insert, settle_watched, with, with_entry, with_held, with_held_mut,
};
use crate::slab::Entry;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::optim::{
    Adadelta, Adafactor, Adagrad, Adam, Adamax, Lion, Muon, Optax, OptaxRule, Optimizer, RmsProp, Rule, Sgd,
    Sm3,
};
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

/// Puts marks of what parameters hold in its place, and gives their handles. Every call that
/// succeeds needs a [`stand_in_end`].
#[wasm_bindgen]
pub fn stand_in_begin(parameters: &[u32]) -> Result<Vec<u32>> {
    let parameters = cells("grad", parameters)?;
    let marks = parameters.iter().map(|parameter| parameter.get()?.mark());
    let marks = marks.collect::<weft::Result<Vec<_>>>()?;
    let mut standing = Vec::with_capacity(marks.len());
    for (parameter, mark) in parameters.into_iter().zip(&marks) {
        match parameter.replace(mark.clone()) {
            Ok(before) => standing.push(StandIn { parameter, mark: mark.clone(), before }),
            Err(error) => {
                restore(standing)?;
                return Err(error.into());
            }
        }
    }
    with_held_mut(|held| held.running.stand_ins.push(standing));
    adopt_all(marks)
}

/// Gives the parameters of the last [`stand_in_begin`] their tensors back, but for those that were
/// assigned since.
#[wasm_bindgen]
pub fn stand_in_end() -> Result<()> {
    let standing = with_held_mut(|held| held.running.stand_ins.pop());
    Ok(restore(standing.unwrap_or_default())?)
}

/// Restores all, whatever fails, and tells the first failure.
fn restore(standing: Vec<StandIn>) -> weft::Result<()> {
    standing.into_iter().map(StandIn::restore).fold(Ok(()), weft::Result::and)
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

fn optimizer(number: u32) -> weft::Result<Rc<Optimizer>> {
    let found = with_held(|held| held.optimizers.get(number).cloned());
    found.ok_or_else(|| {
        let message = "the optimizer was disposed, or went with a device that was lost or closed";
        Error::new(ErrorKind::Disposed, "step", message)
    })
}

fn cells(op: &str, parameters: &[u32]) -> weft::Result<Vec<Parameter>> {
    parameters.iter().map(|&at| cell(op, at)).collect()
}

/// An optimizer by a deferred rule: `xtask/src/build.rs` knows this function by its name.
///
/// Deferred: most training uses SGD or Adam.
#[inline(never)]
fn seldom(rule: u32, parameters: &[u32], options: &[f64]) -> weft::Result<Optimizer> {
    let at = |n: usize| options.get(n).copied().unwrap_or(f64::NAN);
    let (lr, weight_decay, flag) = (at(0), at(1), at(2) != 0.0);
    match rule {
        2 => made("adamax", parameters, Adamax { lr, weight_decay, betas: (at(3), at(4)), eps: at(5) }),
        3 => made("lion", parameters, Lion { lr, weight_decay, betas: (at(3), at(4)) }),
        4 => made("muon", parameters, Muon { lr, weight_decay, momentum: at(3) }),
        5 => {
            let (alpha, eps, momentum) = (at(3), at(4), at(5));
            made("rmsprop", parameters, RmsProp { lr, weight_decay, centered: flag, alpha, eps, momentum })
        }
        6 => made("adagrad", parameters, Adagrad { lr, weight_decay, lr_decay: at(3), eps: at(4) }),
        7 => made("adadelta", parameters, Adadelta { lr, weight_decay, rho: at(3), eps: at(4) }),
        // Far from those that are numbered in their order.
        100 => {
            let (momentum, eps) = ((at(3) >= 0.0).then_some(at(3)), at(4));
            let (threshold, least_factored) = (at(6), at(7) as usize);
            let (decay_rate, in_proportion) = (at(5), flag);
            made(
                "adafactor",
                parameters,
                Adafactor {
                    lr,
                    weight_decay,
                    momentum,
                    eps,
                    threshold,
                    least_factored,
                    decay_rate,
                    in_proportion,
                },
            )
        }
        101 => made("sm3", parameters, Sm3 { lr, momentum: at(3) }),
        _ => match OptaxRule::ALL.get((rule as usize).wrapping_sub(8)) {
            Some(&rule) => {
                let (betas, eps, third) = ((at(3), at(4)), at(5), at(6));
                made(
                    "optimizer",
                    parameters,
                    Optax { rule, lr, weight_decay, nesterov: flag, betas, eps, third },
                )
            }
            None => Err(Error::value("optimizer", "there is no such rule")),
        },
    }
}

/// An optimizer of some parameters: by the number of its rule, with the rule's options in order,
/// flags as 0 and 1.
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
        _ => seldom(rule, parameters, options),
    };
    let optimizer = Rc::new(optimizer?);
    Ok(with_held_mut(|held| held.optimizers.add(optimizer)))
}

fn made(name: &str, parameters: &[u32], rule: impl Rule) -> weft::Result<Optimizer> {
    Optimizer::new(cells(name, parameters)?, rule)
}

/// Handles of what an optimizer keeps of one of its parameters: they are parameters, to be read and
/// assigned.
///
/// Deferred: most training uses SGD or Adam.
#[wasm_bindgen]
pub fn optimizer_states(number: u32, parameter: u32) -> Result<Vec<u32>> {
    let optimizer = optimizer(number)?;
    let kept = optimizer.states().get(parameter as usize).into_iter().flatten();
    kept.map(|state| insert(Entry::Parameter(state.clone()))).collect()
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

/// One step by these gradients, whose handles are given back, and a flush, unless more optimizers
/// make theirs with it. 0 stands for no gradient.
#[wasm_bindgen]
pub fn optimizer_step(number: u32, gradients: &[u32], more: bool) -> Result<()> {
    let optimizer = optimizer(number)?;
    let clone = |&handle: &u32| match handle {
        0 => Ok(None),
        _ => with("step", handle, |x| Ok(Some(x.clone()))),
    };
    let all = gradients.iter().map(clone).collect::<weft::Result<_>>()?;
    // Before the flush, which would look into what anyone still holds.
    dispose_all(gradients);
    let device = device()?;
    let flushes = !more && !device.is_tracing();
    let held = if flushes { settle_watched()? } else { Vec::new() };
    optimizer.apply(all)?;
    if flushes {
        device.flush_parameters()?;
    }
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
    let optimizer = with_held_mut(|held| held.optimizers.remove(number));
    drop(optimizer);
}
