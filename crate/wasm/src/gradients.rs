//! Building blocks of the transformations of JavaScript functions.

use crate::control::named;
use crate::error::Result;
use crate::session::{adopt_all, device, map, with, with_all, with_held, with_held_mut};
use wasm_bindgen::prelude::*;
use weft::{Derivative, Device, Tensor};

/// Opens a transform. Every call needs an [`end_transform`].
#[wasm_bindgen]
pub fn begin_transform() -> Result<()> {
    device()?.begin_transform();
    Ok(())
}

/// Ends the last transform opened.
#[wasm_bindgen]
pub fn end_transform() {
    if let Ok(device) = device() {
        device.end_transform();
    }
}

/// Whether a transform is open.
#[wasm_bindgen]
pub fn is_transforming() -> bool {
    device().is_ok_and(|device| device.is_transforming())
}

/// The same tensor with an identity of its own, to differentiate by.
#[wasm_bindgen]
pub fn mark(x: u32) -> Result<u32> {
    map("grad", x, weft::Tensor::mark)
}

/// The gradients of a loss by each of `marks`.
#[wasm_bindgen]
pub fn gradients(loss: u32, marks: &[u32]) -> Result<Vec<u32>> {
    let device = device()?;
    adopt_all(with("grad", loss, |loss| with_all("grad", marks, |marks| device.gradients(loss, marks)))?)
}

/// The gradients of Σ outputs · cotangents by each of `marks`.
#[wasm_bindgen]
pub fn vjp(outputs: &[u32], cotangents: &[u32], marks: &[u32]) -> Result<Vec<u32>> {
    three("vjp", [outputs, cotangents, marks], |device, [outputs, cotangents, marks]| {
        device.vjp(outputs, cotangents, marks)
    })
}

/// The derivatives of the outputs along tangents of the marks.
///
/// Deferred: few programs differentiate forwards.
#[wasm_bindgen]
pub fn jvp(outputs: &[u32], marks: &[u32], tangents: &[u32]) -> Result<Vec<u32>> {
    three("jvp", [outputs, marks, tangents], |device, [outputs, marks, tangents]| {
        device.jvp(outputs, marks, tangents)
    })
}

/// What stands for a tensor like `x` that is given later.
#[wasm_bindgen]
pub fn stand_in(x: u32) -> Result<u32> {
    let device = device()?;
    map("linearize", x, |x| device.stand_in(x))
}

/// The outputs with stand-ins exchanged for tensors.
///
/// Deferred: few programs linearise.
#[wasm_bindgen]
pub fn substitute(outputs: &[u32], stand_ins: &[u32], xs: &[u32]) -> Result<Vec<u32>> {
    three("linearize", [outputs, stand_ins, xs], |device, [outputs, stand_ins, xs]| {
        device.substitute(outputs, stand_ins, xs)
    })
}

/// The derivatives of each output by each mark, output by output.
///
/// Deferred: few programs need whole Jacobians.
#[wasm_bindgen]
pub fn jacobians(outputs: &[u32], marks: &[u32], reverse: bool) -> Result<Vec<u32>> {
    three("jacobian", [outputs, marks, &[]], |device, [outputs, marks, _]| {
        device.jacobians(outputs, marks, reverse)
    })
}

/// Opens a batch. Every call needs a [`batch_end`].
///
/// Deferred: few programs call `vmap`.
#[wasm_bindgen]
pub fn batch_begin() -> Result<()> {
    let batch = device()?.begin_batch()?;
    with_held_mut(|held| held.running.batches.push(batch));
    Ok(())
}

/// Ends the batch opened last.
#[wasm_bindgen]
pub fn batch_end() {
    let batch = with_held_mut(|held| held.running.batches.pop());
    drop(batch);
}

/// What stands for one member's part of `x`.
///
/// Deferred: few programs call `vmap`.
#[wasm_bindgen]
pub fn batch_input(x: u32, axis: i32) -> Result<u32> {
    let device = device()?;
    map("vmap", x, |x| device.batch_input(x, axis.into()))
}

/// What stands for no axis: a result that is the same for all members.
const NO_AXIS: i32 = i32::MIN;

/// The outputs for all members of the innermost batch.
///
/// Deferred: few programs call `vmap`.
#[wasm_bindgen]
pub fn batch_outputs(
    outputs: &[u32],
    stand_ins: &[u32],
    xs: &[u32],
    axes: Vec<i32>,
    out_axes: Vec<i32>,
) -> Result<Vec<u32>> {
    let axes: Vec<i64> = axes.into_iter().map(i64::from).collect();
    let out_axes: Vec<Option<i64>> =
        out_axes.into_iter().map(|axis| (axis != NO_AXIS).then_some(axis.into())).collect();
    three("vmap", [outputs, stand_ins, xs], |device, [outputs, stand_ins, xs]| {
        device.batch_outputs(outputs, stand_ins, xs, &axes, &out_axes)
    })
}

/// Takes in what `f` makes of three lists of tensors.
fn three(
    op: &str,
    [a, b, c]: [&[u32]; 3],
    f: impl FnOnce(&Device, [&[&Tensor]; 3]) -> weft::Result<Vec<Tensor>>,
) -> Result<Vec<u32>> {
    let device = device()?;
    adopt_all(with_all(op, &[a, b, c].concat(), |all| {
        let (a, rest) = all.split_at(a.len());
        let (b, c) = rest.split_at(b.len());
        f(&device, [a, b, c])
    })?)
}

/// What makes functions with derivatives of their own, and whose those are.
const DERIVATIVES: [(&str, Derivative); 3] = [
    ("checkpoint", Derivative::Checkpoint),
    ("customVjp", Derivative::Reverse),
    ("customJvp", Derivative::Forward),
];

/// Begins a function with a derivative of its own: what stands for its inputs. Every call needs a
/// [`custom_end`] or [`custom_abort`].
///
/// Deferred: few programs give derivatives of their own.
#[wasm_bindgen]
pub fn custom_begin(name: &str, inputs: &[u32]) -> Result<Vec<u32>> {
    let (device, (name, _)) = (device()?, named(&DERIVATIVES, name)?);
    let region = with_all(name, inputs, |inputs| device.custom(name, inputs))?;
    let placeholders = region.placeholders.clone();
    with_held_mut(|held| held.running.custom.push(region));
    adopt_all(placeholders)
}

/// Gives up the function begun last.
#[wasm_bindgen]
pub fn custom_abort() {
    let region = with_held_mut(|held| held.running.custom.pop());
    drop(region);
}

/// What stands for a derivative of a tensor like `x`.
#[wasm_bindgen]
pub fn custom_seed(x: u32) -> Result<u32> {
    map("custom", x, |x| {
        with_held(|held| match held.running.custom.last() {
            Some(region) => region.seed(x),
            None => x.device().stand_in(x),
        })
    })
}

/// Ends the function begun last, with its results and the derivatives that its rule makes of the
/// seeds; `again` where it called itself.
///
/// Deferred: few programs give derivatives of their own.
#[wasm_bindgen]
pub fn custom_end(
    name: &str,
    inputs: &[u32],
    outputs: &[u32],
    seeds: &[u32],
    derived: &[u32],
    again: bool,
) -> Result<Vec<u32>> {
    let (name, derivative) = named(&DERIVATIVES, name)?;
    let Some(region) = with_held_mut(|held| held.running.custom.pop()) else { return Ok(Vec::new()) };
    adopt_all(with_all(name, inputs, |inputs| {
        with_all(name, derived, |derived| {
            with_all(name, &[outputs, seeds].concat(), |all| {
                let (outputs, seeds) = all.split_at(outputs.len());
                region.close_custom(inputs, outputs, seeds, derived, derivative, again)
            })
        })
    })?)
}
