//! Capturing what a JavaScript function builds, and calling it again without the function.

use crate::error::Result;
use crate::session::{adopt, adopt_all, device, with, with_all};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::{Captured, DType, Error, ErrorKind};

thread_local! {
    /// Captured functions by number; a number is not used again.
    static CAPTURED: RefCell<Vec<Option<Rc<Captured>>>> = const { RefCell::new(Vec::new()) };
}

/// Lets go of every captured function; their numbers stay taken.
pub(crate) fn forget() {
    let all: Vec<_> = CAPTURED.with_borrow_mut(|all| all.iter_mut().map(Option::take).collect());
    drop(all);
}

/// Begins to capture.
#[wasm_bindgen]
pub fn trace_begin() -> Result<()> {
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
    adopt(with("jit", x, |x| device.placeholder(x.shape(), x.dtype()))?)
}

/// What stands for a number in the function being captured.
#[wasm_bindgen]
pub fn scalar_placeholder() -> Result<u32> {
    adopt(device()?.scalar_placeholder(DType::F32)?)
}

/// Ends capturing, and gives the captured function's number.
#[wasm_bindgen]
pub fn trace_end(outputs: &[u32], placeholders: &[u32]) -> Result<u32> {
    let device = device()?;
    let captured = with_all("jit", outputs, |outputs| {
        with_all("jit", placeholders, |placeholders| device.trace_end(outputs, placeholders))
    })?;
    Ok(CAPTURED.with_borrow_mut(|all| {
        all.push(Some(Rc::new(captured)));
        all.len() as u32 - 1
    }))
}

/// Calls a captured function; `donate` says which inputs it may overwrite.
#[wasm_bindgen]
pub fn captured_call(number: u32, inputs: &[u32], numbers: &[f64], donate: &[u8]) -> Result<Vec<u32>> {
    let found = CAPTURED.with_borrow(|all| all.get(number as usize).cloned().flatten());
    let captured = found.ok_or_else(|| {
        Error::new(ErrorKind::Disposed, "jit", "the function was captured on a device that is gone")
    })?;
    let donate: Vec<bool> = donate.iter().map(|&donate| donate != 0).collect();
    adopt_all(with_all("jit", inputs, |inputs| captured.call(inputs, numbers, &donate))?)
}

/// Lets go of a captured function.
#[wasm_bindgen]
pub fn captured_drop(number: u32) {
    let captured =
        CAPTURED.with_borrow_mut(|all| all.get_mut(number as usize).and_then(Option::take));
    drop(captured);
}
