//! Kernel races in idle moments. JavaScript has those moments, and the storage for the winners.

use crate::error::Result;
use crate::read::promise;
use crate::session::device;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

/// Whether kernels may race on the open device.
#[wasm_bindgen]
pub fn tune_switch(is_on: bool) -> Result<()> {
    device()?.set_tuning(is_on);
    Ok(())
}

/// Has `wake` called when there is something to do in idle moments on the open device and was
/// nothing before; it must not call back.
#[wasm_bindgen]
pub fn tune_begin(wake: Function) -> Result<()> {
    device()?.on_tunable(move || _ = wake.call0(&JsValue::UNDEFINED));
    Ok(())
}

/// Races for some milliseconds, if nothing is asked of the device: a promise of 1 if there is more
/// to do, and 2, added, if a race has ended.
#[wasm_bindgen]
pub fn tune_slice() -> Promise {
    promise(async move {
        let device = device()?;
        let before = device.tune_races();
        let more = device.tune_slice().await?;
        Ok((u32::from(more) + 2 * u32::from(device.tune_races() > before)).into())
    })
}

/// All winners, as text.
#[wasm_bindgen]
pub fn tune_export() -> Result<String> {
    Ok(device()?.tune_export())
}

/// Takes winners; how many were new.
#[wasm_bindgen]
pub fn tune_import(text: &str) -> Result<u32> {
    Ok(device()?.tune_import(text)?.0 as u32)
}

/// How long texts take to compile here: the nanoseconds of an expression, then a name and
/// nanoseconds for each text.
#[wasm_bindgen]
pub fn compile_times() -> Result<Vec<f64>> {
    Ok(device()?.runtime().map(|runtime| runtime.known_compile_times()).unwrap_or_default())
}

/// Takes what `compile_times` gave on an earlier visit.
#[wasm_bindgen]
pub fn learn_compile_times(times: &[f64]) -> Result<()> {
    if let Some(runtime) = device()?.runtime() {
        runtime.learn_compile_times(times);
    }
    Ok(())
}

/// The races that were held, as text, with an empty line between them.
#[wasm_bindgen]
pub fn tune_log() -> Result<String> {
    Ok(device()?.tune_log().join("\n\n"))
}
