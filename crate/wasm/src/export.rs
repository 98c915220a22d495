//! Exports of captured functions. Between `export_begin` and `export_take` a function is captured
//! as for an explanation, and kept instead.
//!
//! Deferred: an export is asked for by hand.

use crate::error::Result;
use crate::session::{adopt_all, device, with_all, with_held_mut};
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind, Tensor};

/// An export that was begun. It holds nothing that the main part of the code could not drop
/// already.
#[derive(Default)]
pub struct Export {
    /// Handles of what stands for the function's arguments, in order.
    pub placeholders: Vec<u32>,
    /// The plan, then the WGSL of each kernel; none before the function was captured.
    texts: Vec<String>,
    /// What the plan calls weights.
    weights: Vec<Tensor>,
}

/// Begins: the next function that is explained is exported.
///
/// Deferred: an export is asked for by hand.
#[wasm_bindgen]
#[inline(never)]
pub fn export_begin() {
    let before = with_held_mut(|held| held.export.replace(Export::default()));
    drop(before);
}

/// Ends capturing a function that is exported, and explains it.
///
/// Deferred: an export is asked for by hand.
#[inline(never)]
pub fn trace_export(outputs: &[u32], placeholders: &[u32]) -> Result<String> {
    let device = device()?;
    let captured = with_all("exportWGSL", outputs, |outputs| {
        let placeholders =
            with_all("exportWGSL", placeholders, |given| Ok(given.iter().map(|&it| it.clone()).collect()));
        let placeholders: Vec<Tensor> = placeholders?;
        device.trace_end(outputs, &placeholders.iter().collect::<Vec<_>>())
    })?;
    let exported = captured.export()?;
    with_held_mut(|held| {
        if let Some(export) = &mut held.export {
            export.texts = [vec![exported.plan], exported.wgsl].concat();
            export.weights = exported.weights;
        }
    });
    Ok(exported.explanation.json())
}

/// Ends, and gives the plan, then the WGSL of each kernel.
///
/// Deferred: an export is asked for by hand.
#[wasm_bindgen]
#[inline(never)]
pub fn export_take() -> Result<Vec<String>> {
    let taken = with_held_mut(|held| held.export.take());
    let export = taken.filter(|it| !it.texts.is_empty());
    let export =
        export.ok_or_else(|| Error::new(ErrorKind::Trace, "exportWGSL", "no function was captured"))?;
    with_held_mut(|held| held.exported = export.weights);
    Ok(export.texts)
}

/// The tensors that the plan taken last calls weights.
///
/// Deferred: an export is asked for by hand.
#[wasm_bindgen]
#[inline(never)]
pub fn export_weights() -> Result<Vec<u32>> {
    adopt_all(with_held_mut(|held| std::mem::take(&mut held.exported)))
}
