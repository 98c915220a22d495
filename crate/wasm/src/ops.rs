//! Operations that are told apart by their place in a table, and those with arguments of their own.

use crate::error::Result;
use crate::session::{adopt, axes, device, dtype, map, operand, with};
use wasm_bindgen::prelude::*;
use weft::ops::{BinaryFn, REDUCE, UNARY, binaries};
use weft::{Error, Operand};

thread_local! {
    static BINARY: Vec<(&'static str, BinaryFn)> = binaries().collect();
}

/// The names of a table of operations, in the order of their codes: `unary`, `binary` or `reduce`.
#[wasm_bindgen]
pub fn op_names(table: &str) -> Vec<String> {
    let owned = |name: &&str| (*name).to_owned();
    match table {
        "unary" => UNARY.iter().map(|(name, _)| owned(name)).collect(),
        "binary" => BINARY.with(|binary| binary.iter().map(|(name, _)| owned(name)).collect()),
        "reduce" => REDUCE.iter().map(|(name, _)| owned(name)).collect(),
        _ => Vec::new(),
    }
}

fn unknown(code: u32) -> Error {
    Error::value("weft", format!("no operation has the code {code}"))
}

/// A function of one tensor.
#[wasm_bindgen]
pub fn unary(op: u32, x: u32) -> Result<u32> {
    let &(name, f) = UNARY.get(op as usize).ok_or_else(|| unknown(op))?;
    map(name, x, f)
}

/// A function of two operands; handle 0 stands for `number`.
#[wasm_bindgen]
pub fn binary(op: u32, a: u32, b: u32, number: f64) -> Result<u32> {
    let (name, f) = BINARY.with(|binary| binary.get(op as usize).copied()).ok_or_else(|| unknown(op))?;
    let (a, b) = (operand(name, a, number)?, operand(name, b, number)?);
    adopt(f(&device()?, a, b)?)
}

/// A reduction over axes, or all of them.
#[wasm_bindgen]
pub fn reduce(op: u32, x: u32, over: Option<Vec<i32>>, keepdims: bool) -> Result<u32> {
    let &(name, f) = REDUCE.get(op as usize).ok_or_else(|| unknown(op))?;
    map(name, x, |x| f(x, axes(over).as_deref(), keepdims))
}

/// The variance over axes, or all of them.
#[wasm_bindgen]
pub fn variance(x: u32, over: Option<Vec<i32>>, correction: f64, keepdims: bool) -> Result<u32> {
    map("variance", x, |x| x.var(axes(over).as_deref(), keepdims, correction))
}

/// The standard deviation over axes, or all of them.
#[wasm_bindgen]
pub fn std(x: u32, over: Option<Vec<i32>>, correction: f64, keepdims: bool) -> Result<u32> {
    map("std", x, |x| x.std(axes(over).as_deref(), keepdims, correction))
}

/// x between two numbers.
#[wasm_bindgen]
pub fn clip(x: u32, low: Option<f64>, high: Option<f64>) -> Result<u32> {
    map("clip", x, |x| x.clip(low, high))
}

/// x as another dtype.
#[wasm_bindgen]
pub fn cast(x: u32, to: u32) -> Result<u32> {
    map("cast", x, |x| x.cast(dtype("cast", to)?))
}

/// The bits of x as another dtype.
#[wasm_bindgen]
pub fn bitcast(x: u32, to: u32) -> Result<u32> {
    map("bitcast", x, |x| x.bitcast(dtype("bitcast", to)?))
}

/// `a` where the condition holds, else `b`; handle 0 stands for the number after it.
#[wasm_bindgen(js_name = where_)]
pub fn choose(condition: u32, a: u32, a_number: f64, b: u32, b_number: f64) -> Result<u32> {
    let (a, b) = (operand("where", a, a_number)?, operand("where", b, b_number)?);
    map("where", condition, |condition| weft::select(condition, a, b))
}

/// The sub-tensors at indices along an axis, or of the flattened tensor.
#[wasm_bindgen]
pub fn take(x: u32, indices: u32, axis: Option<i32>) -> Result<u32> {
    map("take", x, |x| with("take", indices, |indices| x.take(indices, axis.map(i64::from))))
}

/// 1 at each element's class, 0 elsewhere.
#[wasm_bindgen]
pub fn one_hot(x: u32, classes: u32, to: u32) -> Result<u32> {
    map("oneHot", x, |x| x.one_hot(classes as usize, dtype("oneHot", to)?))
}

/// A copy of x with values set, or added, at indices along the first axis; handle 0 stands for the number after it.
#[wasm_bindgen]
pub fn scatter(add: bool, x: u32, indices: u32, index: f64, values: u32, value: f64) -> Result<u32> {
    let name = if add { "at.add" } else { "at.set" };
    let (indices, values) = (operand(name, indices, index)?, operand(name, values, value)?);
    map(name, x, |x| if add { x.at(indices).add(values) } else { x.at(indices).set(values) })
}

/// Matrix product.
#[wasm_bindgen]
pub fn matmul(a: u32, b: u32) -> Result<u32> {
    map("matmul", a, |a| with("matmul", b, |b| a.matmul(b)))
}

/// Another handle to the same tensor.
#[wasm_bindgen]
pub fn clone(x: u32) -> Result<u32> {
    map("tensor", x, |x| match x.into() {
        Operand::Tensor(tensor) => Ok(tensor),
        Operand::Number(_) => unreachable!("a tensor is not a number"),
    })
}
