//! Files of tensors, read into typed arrays.

use crate::error::Result;
use crate::memory::filled;
use js_sys::{Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array};
use wasm_bindgen::prelude::*;
use weft::data::{IdxValues, idx};

/// Reads an IDX file, gzipped or not: an array of its extents (an array too) and its elements, in the typed array of their type.
#[wasm_bindgen]
pub fn read_idx(bytes: &Uint8Array) -> Result<Array> {
    let file = idx(&filled("idx", bytes.length() as usize, |into| bytes.copy_to(into))?)?;
    let elements: JsValue = match &file.values {
        IdxValues::U8(values) => Uint8Array::from(&values[..]).into(),
        IdxValues::I8(values) => Int8Array::from(&values[..]).into(),
        IdxValues::I16(values) => Int16Array::from(&values[..]).into(),
        IdxValues::I32(values) => Int32Array::from(&values[..]).into(),
        IdxValues::F32(values) => Float32Array::from(&values[..]).into(),
        IdxValues::F64(values) => Float64Array::from(&values[..]).into(),
    };
    let shape: Array = file.shape.iter().map(|&extent| JsValue::from(extent as f64)).collect();
    Ok(Array::of2(&shape, &elements))
}
