//! Tensors from data and from rules, and the shape and dtype of each.

use crate::error::Result;
use crate::memory::filled;
use crate::session::{adopt, code, device, dtype, extents, map, with_entry};
use crate::slab::Entry;
use js_sys::{Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use weft::{DType, Shape};

/// A tensor of the words that a buffer would hold.
#[wasm_bindgen]
pub fn from_words(words: &Uint32Array, shape: &[u32], of: u32) -> Result<u32> {
    const OP: &str = "tensor";
    let (device, shape, of) = (device()?, extents(shape), dtype(OP, of)?);
    // Uploads without a copy in this memory. Not so bools, whose words are checked, and a wrong
    // length, which is reported below.
    if let Some(runtime) = device.runtime().filter(|_| of != DType::Bool) {
        let bytes = Uint8Array::new_with_byte_offset_and_length(
            &words.buffer(),
            words.byte_offset(),
            words.byte_length(),
        );
        let store = |wanted| {
            let fits = wanted == u64::from(bytes.length());
            fits.then(|| runtime.upload_array(&bytes)).transpose()
        };
        if let Some(made) = device.store_by(OP, &shape, of, store)? {
            return adopt(made);
        }
    }
    let words = filled(OP, words.length() as usize, |into| words.copy_to(into))?;
    adopt(device.from_words(&words, &shape, of)?)
}

/// A 0-d tensor of a number that is no part of what is compiled.
#[wasm_bindgen]
pub fn number(value: f64, of: u32) -> Result<u32> {
    adopt(device()?.number(value, dtype("tensor", of)?)?)
}

/// A plain number as a 0-d f32 that takes the dtype of what it meets.
#[wasm_bindgen]
pub fn weak_number(value: f64) -> Result<u32> {
    adopt(device()?.weak_number(value)?)
}

/// A plain number that stands as a tensor, as a tensor of a dtype; any other tensor as it is.
#[wasm_bindgen]
pub fn number_as(x: u32, of: u32) -> Result<u32> {
    let of = dtype("tensor", of)?;
    map("tensor", x, |x| x.number_as(of))
}

/// Extents of a tensor.
#[wasm_bindgen]
pub fn shape(x: u32) -> Result<Vec<u32>> {
    let extents = |shape: &Shape| shape.iter().map(|&extent| extent as u32).collect();
    Ok(with_entry("shape", x, |entry| match entry {
        Entry::Tensor(tensor) => Ok(extents(tensor.shape())),
        Entry::Parameter(parameter) => Ok(extents(parameter.get()?.shape())),
        Entry::Ledger(_) => Ok(Vec::new()),
    })?)
}

/// The code of a tensor's dtype.
#[wasm_bindgen(js_name = dtype)]
pub fn dtype_of(x: u32) -> Result<u32> {
    Ok(with_entry("dtype", x, |entry| match entry {
        Entry::Tensor(tensor) => Ok(code(tensor.dtype())),
        Entry::Parameter(parameter) => Ok(code(parameter.get()?.dtype())),
        Entry::Ledger(_) => Ok(code(DType::F32)),
    })?)
}
