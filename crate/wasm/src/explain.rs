//! Explanations of programs as JSON, which the package turns into objects, and programs that are
//! compiled ahead of their first run.

use crate::error::Result;
use crate::export::trace_export;
use crate::read::promise;
use crate::session::{device, with, with_all, with_held};
use js_sys::Promise;
use wasm_bindgen::prelude::*;

/// What reading a tensor now would run.
///
/// Deferred: an explanation is asked for by hand.
#[wasm_bindgen]
pub fn explain_tensor(x: u32) -> Result<String> {
    Ok(with("explain", x, |x| Ok(x.explain()?.json()))?)
}

/// Ends capturing, and tells what a call of the captured function would run.
///
/// Deferred: an explanation is asked for by hand.
#[wasm_bindgen]
pub fn trace_explain(outputs: &[u32]) -> Result<String> {
    if let Some(placeholders) = with_held(|held| held.export.as_ref().map(|it| it.placeholders.clone())) {
        return trace_export(outputs, &placeholders);
    }
    let device = device()?;
    Ok(with_all("explain", outputs, |outputs| Ok(device.trace_explain(outputs)?.json()))?)
}

/// Ends capturing, and compiles what a call of the captured function would run: a promise of its
/// fast kernels.
///
/// Deferred: programs are compiled ahead by hand.
#[wasm_bindgen]
pub fn trace_precompile(outputs: &[u32]) -> Result<Promise> {
    let device = device()?;
    let ready = with_all("precompile", outputs, |outputs| device.trace_precompile(outputs))?;
    Ok(promise(async move { Ok(ready.await.map(|()| JsValue::UNDEFINED)?) }))
}

/// Notes from now on which programs run, under a label other than 0.
#[wasm_bindgen]
pub fn label_runs(label: u32) -> Result<()> {
    device()?.label_runs(label);
    Ok(())
}

/// What ran under a label: how often each program did, then what it is.
///
/// Deferred: an explanation is asked for by hand.
#[wasm_bindgen]
pub fn explain_runs(label: u32) -> Result<Vec<String>> {
    let runs = device()?.explain_runs(label)?;
    Ok(runs.iter().flat_map(|run| [run.times.to_string(), run.explanation.json()]).collect())
}
