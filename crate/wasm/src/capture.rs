//! Capture of the graph that a JavaScript function builds, and calls of the capture without the
//! function.

use crate::error::Result;
use crate::held::{Destination, Function};
use crate::session::{adopt, device, insert, ledger, open_ledger, with, with_all, with_held, with_held_mut};
use crate::slab::Entry;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::{DType, Error, ErrorKind, Tensor};

/// Begins to capture.
#[wasm_bindgen]
pub fn trace_begin() -> Result<()> {
    if let Some(ledger) = open_ledger() {
        ledger.settle()?;
    }
    Ok(device()?.trace_begin()?)
}

/// Gives up capturing.
#[wasm_bindgen]
pub fn trace_abort() {
    if let Ok(device) = device() {
        device.trace_abort();
    }
}

/// What stands for a tensor like `x` in the function being captured.
#[wasm_bindgen]
pub fn placeholder(x: u32) -> Result<u32> {
    let device = device()?;
    placed(with("jit", x, |x| device.placeholder(x.shape(), x.dtype()))?)
}

/// What stands for a number in the function being captured.
#[wasm_bindgen]
pub fn number_placeholder(like: f64) -> Result<u32> {
    placed(device()?.number_placeholder(like)?)
}

/// The handle of a placeholder, which an export notes.
fn placed(placeholder: Tensor) -> Result<u32> {
    let handle = adopt(placeholder)?;
    with_held_mut(|held| held.export.iter_mut().for_each(|it| it.placeholders.push(handle)));
    Ok(handle)
}

/// Ends capturing, and gives the captured function's number. The results of a function that is a
/// training step are written into the ledger where they are single floats: losses.
#[wasm_bindgen]
pub fn trace_end(outputs: &[u32], placeholders: &[u32], is_step: bool) -> Result<u32> {
    let device = device()?;
    let (mut kept, mut results) = (Vec::new(), Vec::new());
    for &output in outputs {
        let tensor = with("jit", output, |tensor| Ok(tensor.clone()))?;
        if is_step && tensor.rank() == 0 && tensor.dtype() == DType::F32 {
            ledger()?.write(&tensor)?;
            results.push(Destination::Ledger);
        } else {
            kept.push(tensor);
            results.push(Destination::Output);
        }
    }
    let kept: Vec<&Tensor> = kept.iter().collect();
    let captured = with_all("jit", placeholders, |placeholders| device.trace_end(&kept, placeholders))?;
    let function = Rc::new(Function { captured, results });
    Ok(with_held_mut(|held| held.captured.add(function)))
}

/// Calls a captured function; `donate` says which inputs it may overwrite.
#[wasm_bindgen]
pub fn captured_call(number: u32, inputs: &[u32], numbers: &[f64], donate: &[u8]) -> Result<Vec<u32>> {
    let found = with_held(|held| held.captured.get(number).cloned());
    let function = found.ok_or_else(|| {
        Error::new(ErrorKind::Disposed, "jit", "the function was captured on a device that is gone")
    })?;
    let donate: Vec<bool> = donate.iter().map(|&donate| donate != 0).collect();
    let written = function.results.iter().filter(|&&place| place == Destination::Ledger).count();
    let mut slots = Vec::new();
    if written > 0 {
        let ledger = ledger()?;
        let first = ledger.slots_from(written)?;
        slots.extend((first..).take(written).map(|slot| ledger.entry(slot)));
    }
    let outputs = with_all("jit", inputs, |inputs| function.captured.call(inputs, numbers, &donate))?;
    let (mut outputs, mut slots) = (outputs.into_iter(), slots.into_iter());
    let entry = |place: &Destination| match place {
        Destination::Output => outputs.next().map(Entry::Tensor),
        Destination::Ledger => slots.next().map(Entry::Ledger),
    };
    function.results.iter().filter_map(entry).map(insert).collect()
}

/// Lets go of a captured function.
#[wasm_bindgen]
pub fn captured_drop(number: u32) {
    let captured = with_held_mut(|held| held.captured.remove(number));
    drop(captured);
}
