//! The pieces that gradients of JavaScript functions are made of.

use crate::error::Result;
use crate::session::{adopt_all, device, map, with, with_all};
use wasm_bindgen::prelude::*;

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
    let device = device()?;
    adopt_all(with_all("vjp", outputs, |outputs| {
        with_all("vjp", cotangents, |cotangents| {
            with_all("vjp", marks, |marks| device.vjp(outputs, cotangents, marks))
        })
    })?)
}
