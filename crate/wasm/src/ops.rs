//! Operations. One function calls them all, by their place in the table of `weft::op`.

use crate::error::Result;
use crate::session::{adopt, adopt_all, device, extents, map, with};
use wasm_bindgen::prelude::*;
use weft::Tensor;
use weft::op::{self, Handles};

/// The names of all operations, in the order of their numbers.
#[wasm_bindgen]
pub fn op_names() -> Vec<String> {
    op::operations().map(|operation| operation.name.to_owned()).collect()
}

/// The number of the first operation that is in the part of the WebAssembly that few need.
#[wasm_bindgen]
pub fn first_rare_op() -> u32 {
    op::first_rare() as u32
}

/// What JavaScript holds.
struct OfHandles;

impl Handles for OfHandles {
    fn tensor(&self, op: &str, handle: u32) -> weft::Result<Tensor> {
        with(op, handle, |tensor| Ok(tensor.clone()))
    }
}

/// Calls an operation with its arguments as numbers; `weft::op` says how each kind stands there.
#[wasm_bindgen]
pub fn call(operation: u32, arguments: &[f64]) -> Result<u32> {
    adopt(op::call(&device()?, operation as usize, &OfHandles, arguments)?)
}

/// Calls an operation that yields several tensors.
#[wasm_bindgen]
pub fn call_all(operation: u32, arguments: &[f64]) -> Result<Vec<u32>> {
    adopt_all(op::call_all(&device()?, operation as usize, &OfHandles, arguments)?)
}

/// Consecutive pieces of the given lengths.
#[wasm_bindgen]
pub fn split(x: u32, lengths: &[u32], axis: i32) -> Result<Vec<u32>> {
    adopt_all(with("split", x, |x| x.split(&extents(lengths), i64::from(axis)))?)
}

/// Another handle to the same tensor.
#[wasm_bindgen]
pub fn clone(x: u32) -> Result<u32> {
    map("tensor", x, |x| Ok(x.clone()))
}
