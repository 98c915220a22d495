//! Read-back of values. Each call flushes at once, and its promise is for the values that it
//! flushed. A loss in the ledger is read with its page: nothing is computed for it.

use crate::error::Result;
use crate::memory::bytes_out;
use crate::session::{device, settle_watched, with, with_entry};
use crate::slab::Entry;
use js_sys::{Promise, Uint8Array};
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use weft::Tensor;

/// A promise for what a future yields. The future is boxed, so that what drives promises is there
/// once and not for each.
pub(crate) fn promise(future: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    let boxed: Pin<Box<dyn Future<Output = std::result::Result<JsValue, JsValue>>>> =
        Box::pin(async move { Ok(future.await?) });
    future_to_promise(boxed)
}

/// The page of a loss in the ledger, and its place there.
fn page_of(op: &str, x: u32) -> weft::Result<Option<(Tensor, usize)>> {
    with_entry(op, x, |entry| match entry {
        Entry::Ledger(entry) => entry.place().map(Some),
        _ => Ok(None),
    })
}

/// The bytes of a tensor: four for each element.
#[wasm_bindgen]
pub fn read(x: u32) -> Result<Promise> {
    let reading: Reading = match page_of("data", x)? {
        Some((page, slot)) => {
            let words = page.words();
            Box::pin(async move { bytes_out("data", &words.await?[slot..=slot]) })
        }
        None => with("data", x, |x| match x.device().runtime() {
            // It lies on the GPU, where a number, or nothing, would not.
            Some(runtime) if x.size() > 1 => Ok(Box::pin(runtime.read_array(x.stored("data")?)) as Reading),
            _ => {
                let words = x.words();
                Ok(Box::pin(async move { bytes_out("data", &words.await?) }))
            }
        })?,
    };
    Ok(promise(async move { Ok(reading.await?.into()) }))
}

/// Whether a comparison may compute a tensor's value again: then its values do not stand for it.
#[wasm_bindgen]
pub fn has_recipe(x: u32) -> bool {
    with("data", x, |x| Ok(x.has_recipe())).unwrap_or(false)
}

/// Bytes that are on their way.
type Reading = Pin<Box<dyn Future<Output = weft::Result<Uint8Array>>>>;

/// Computes tensors without reading them, in one submit.
#[wasm_bindgen]
pub fn realize(tensors: &[u32]) -> Result<()> {
    let device = device()?;
    let held = settle_watched()?;
    let stored = |&x: &u32| match page_of("realize", x)? {
        Some((page, _)) => Ok(page),
        None => with("realize", x, |x| Ok(x.clone())),
    };
    let stored = tensors.iter().map(stored).collect::<weft::Result<Vec<_>>>()?;
    device.realize(&stored.iter().collect::<Vec<_>>())?;
    drop(held);
    Ok(())
}

/// A promise for the moment when the device has caught up with what was asked of it; nothing where
/// it has.
#[wasm_bindgen]
pub fn throttle() -> Result<Option<Promise>> {
    let device = device()?;
    if !device.is_busy() {
        return Ok(None);
    }
    let throttle = device.throttle();
    Ok(Some(promise(async move {
        // A loss is reported by the next call.
        let _ = throttle.await;
        Ok(JsValue::UNDEFINED)
    })))
}

/// A promise for the moment when everything submitted has run.
#[wasm_bindgen]
pub fn idle() -> Result<Promise> {
    let idle = device()?.idle();
    Ok(promise(async move {
        idle.await?;
        Ok(JsValue::UNDEFINED)
    }))
}
