//! Files of tensors, read into typed arrays; copies of tensors from and to buffers of the caller's
//! WebGPU code.
//!
//! Deferred: few programs read compressed files.

use crate::error::Result;
use crate::memory::filled;
use crate::session::{adopt, device, dtype, extents, with};
use js_sys::{Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array};
use wasm_bindgen::prelude::*;
use weft::data::{IdxValues, Inflated, idx_within, inflate};
use weft::{Device, Error};
use weft_runtime::Runtime;

/// Reads an IDX file, gzipped or not, of at most `max_bytes` bytes when it is unpacked: an array of
/// its extents (an array too) and its elements, in the typed array of their type.
#[wasm_bindgen]
pub fn read_idx(bytes: &Uint8Array, max_bytes: f64) -> Result<Array> {
    let file =
        idx_within(&filled("idx", bytes.length() as usize, |into| bytes.copy_to(into))?, max_bytes as usize)?;
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

/// Inflates raw deflated data until `plain` is full: how many bytes there are, infinite if they are
/// more than that, NaN where the data is corrupt or ends too soon.
#[wasm_bindgen]
pub fn inflate_raw(packed: &Uint8Array, plain: &Uint8Array) -> f64 {
    let (mut read, mut written) = (0, 0);
    let next = |into: &mut [u8]| {
        let length = (into.len() as u32).min(packed.length() - read);
        packed.subarray(read, read + length).copy_to(&mut into[..length as usize]);
        read += length;
        length as usize
    };
    let end = inflate(next, |piece| {
        let length = (piece.len() as u32).min(plain.length() - written);
        plain.subarray(written, written + length).copy_from(&piece[..length as usize]);
        written += length;
        length as usize == piece.len()
    });
    match end {
        Inflated::Whole => f64::from(written),
        Inflated::Stopped => f64::INFINITY,
        Inflated::Corrupt => f64::NAN,
    }
}

const IN: &str = "fromGPUBuffer";
const OUT: &str = "toGPUBuffer";

fn runtime<'a>(op: &str, device: &'a Device) -> weft::Result<&'a Runtime> {
    device.runtime().ok_or_else(|| Error::value(op, "the CPU device has no GPU buffers"))
}

/// A tensor copied from the caller's buffer, from a byte on. Nothing where it must be tried again
/// when the device is idle.
#[wasm_bindgen]
pub fn buffer_in(offset: f64, shape: &[u32], of: u32) -> Result<Option<u32>> {
    let device = device()?;
    let runtime = runtime(IN, &device)?;
    let store = |bytes| runtime.copy_in(IN, offset as u64, bytes);
    match device.store_by(IN, &extents(shape), dtype(IN, of)?, store)? {
        Some(tensor) => Ok(Some(adopt(tensor)?)),
        None => Ok(None),
    }
}

/// Copies a tensor to the caller's buffer. Says whether it did; if not, it must be tried again when
/// the device is idle.
#[wasm_bindgen]
pub fn buffer_out(x: u32) -> Result<bool> {
    let device = device()?;
    let runtime = runtime(OUT, &device)?;
    Ok(with(OUT, x, |x| runtime.copy_out(OUT, x.stored(OUT)?))?)
}
