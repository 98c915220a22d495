//! Other arrangements of the same elements, and several tensors as one.

use crate::error::Result;
use crate::session::{adopt, adopt_all, axes, extents, map, with, with_all};
use wasm_bindgen::prelude::*;
use weft::{Error, Range, Tensor};

fn wide(numbers: &[i32]) -> Vec<i64> {
    numbers.iter().map(|&n| i64::from(n)).collect()
}

/// Under another shape; one extent may be −1.
#[wasm_bindgen]
pub fn reshape(x: u32, shape: &[i32]) -> Result<u32> {
    map("reshape", x, |x| x.reshape(&wide(shape)))
}

/// Axes in another order.
#[wasm_bindgen]
pub fn permute(x: u32, order: &[i32]) -> Result<u32> {
    map("permute", x, |x| x.permute(&wide(order)))
}

/// Two axes exchanged.
#[wasm_bindgen]
pub fn swap_axes(x: u32, a: i32, b: i32) -> Result<u32> {
    map("swapAxes", x, |x| x.swap_axes(i64::from(a), i64::from(b)))
}

/// Repeated to a shape.
#[wasm_bindgen]
pub fn broadcast_to(x: u32, shape: &[u32]) -> Result<u32> {
    map("broadcastTo", x, |x| x.broadcast_to(&extents(shape)))
}

/// With a new axis of extent 1.
#[wasm_bindgen]
pub fn expand_dims(x: u32, axis: i32) -> Result<u32> {
    map("expandDims", x, |x| x.expand_dims(i64::from(axis)))
}

/// Without axes of extent 1.
#[wasm_bindgen]
pub fn squeeze(x: u32, which: Option<Vec<i32>>) -> Result<u32> {
    map("squeeze", x, |x| x.squeeze(axes(which).as_deref()))
}

/// Reversed along axes.
#[wasm_bindgen]
pub fn flip(x: u32, which: Option<Vec<i32>>) -> Result<u32> {
    map("flip", x, |x| x.flip(axes(which).as_deref()))
}

/// With `value` before and after each axis: pairs of widths, one after the other.
#[wasm_bindgen]
pub fn pad(x: u32, widths: &[u32], value: f64) -> Result<u32> {
    let pairs: Vec<(usize, usize)> = widths.chunks_exact(2).map(|w| (w[0] as usize, w[1] as usize)).collect();
    map("pad", x, |x| x.pad(&pairs, value))
}

/// Consecutive pieces of the given lengths.
#[wasm_bindgen]
pub fn split(x: u32, lengths: &[u32], axis: i32) -> Result<Vec<u32>> {
    adopt_all(with("split", x, |x| x.split(&extents(lengths), i64::from(axis)))?)
}

/// One after the other along an axis.
#[wasm_bindgen]
pub fn concat(tensors: &[u32], axis: i32) -> Result<u32> {
    adopt(with_all("concat", tensors, |tensors| weft::concat(tensors, i64::from(axis)))?)
}

/// Side by side along a new axis.
#[wasm_bindgen]
pub fn stack(tensors: &[u32], axis: i32) -> Result<u32> {
    adopt(with_all("stack", tensors, |tensors| weft::stack(tensors, i64::from(axis)))?)
}

/// What a range of [`slice`] is.
const ALL: i32 = 0;
const INDEX: i32 = 1;
/// Stands for a start or stop that was left out.
const OPEN: i32 = i32::MIN;

/// A part: for each axis four words, kind (0 all, 1 one position, which drops the axis, 2 a span), start, stop and step.
#[wasm_bindgen]
pub fn slice(x: u32, words: &[i32]) -> Result<u32> {
    map("slice", x, |x| sliced(x, words))
}

fn sliced(x: &Tensor, words: &[i32]) -> weft::Result<Tensor> {
    let given = |word: i32| (word != OPEN).then_some(i64::from(word));
    let (mut ranges, mut dropped) = (Vec::new(), Vec::new());
    for (axis, word) in words.chunks_exact(4).enumerate() {
        ranges.push(match word[0] {
            ALL => Range::ALL,
            INDEX => {
                dropped.push(axis as i64);
                position(x, axis, i64::from(word[1]))?
            }
            _ => Range { start: given(word[1]), stop: given(word[2]), step: i64::from(word[3]) },
        });
    }
    let part = x.slice(&ranges)?;
    if dropped.is_empty() { Ok(part) } else { part.squeeze(Some(&dropped)) }
}

/// The range of the one position `index` of an axis.
fn position(x: &Tensor, axis: usize, index: i64) -> weft::Result<Range> {
    // An axis that does not exist is `slice`'s to report, by the number of ranges.
    let Some(&extent) = x.shape().get(axis) else { return Ok(Range::ALL) };
    let extent = extent as i64;
    let from_start = if index < 0 { index + extent } else { index };
    if (0..extent).contains(&from_start) {
        return Ok(Range::new(from_start, from_start + 1));
    }
    let what = format!("{index} is not a position on axis {axis} of {}", x.shape());
    Err(Error::value("slice", what))
}
