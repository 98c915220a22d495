//! Functions that neural networks add.

use crate::error::Result;
use crate::session::{map, with};
use wasm_bindgen::prelude::*;

/// eˣ / Σ eˣ along an axis.
#[wasm_bindgen]
pub fn softmax(x: u32, axis: i32) -> Result<u32> {
    map("softmax", x, |x| x.softmax(i64::from(axis)))
}

/// The logarithm of softmax.
#[wasm_bindgen]
pub fn log_softmax(x: u32, axis: i32) -> Result<u32> {
    map("logSoftmax", x, |x| x.log_softmax(i64::from(axis)))
}

/// The mean of −log softmax(logits) at target classes.
#[wasm_bindgen]
pub fn cross_entropy(logits: u32, targets: u32) -> Result<u32> {
    map("crossEntropy", logits, |logits| {
        with("crossEntropy", targets, |targets| logits.cross_entropy(targets))
    })
}
