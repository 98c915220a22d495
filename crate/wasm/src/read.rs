//! Values out: each call flushes at once, and the promise is for what it flushed.

use crate::error::{Result, Thrown};
use crate::session::{device, with, with_all};
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// The bytes of a tensor: four for each element.
#[wasm_bindgen]
pub fn read(x: u32) -> Result<Promise> {
    let words = with("data", x, |x| Ok(x.words()))?;
    Ok(future_to_promise(async move {
        let words = words.await.map_err(Thrown::from)?;
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        Ok(Uint8Array::from(&bytes[..]).into())
    }))
}

/// Computes tensors without reading them, in one submit.
#[wasm_bindgen]
pub fn realize(tensors: &[u32]) -> Result<()> {
    let device = device()?;
    Ok(with_all("realize", tensors, |tensors| device.realize(tensors))?)
}

/// A promise for the moment when everything submitted has run.
#[wasm_bindgen]
pub fn idle() -> Result<Promise> {
    let idle = device()?.idle();
    Ok(future_to_promise(async move {
        idle.await.map_err(Thrown::from)?;
        Ok(JsValue::UNDEFINED)
    }))
}
