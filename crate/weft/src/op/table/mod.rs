//! The rows, one file for each group of operations. A row reads
//!
//! ```text
//! /// What it does, and when it fails.
//! ///
//! /// @example
//! /// roll([1, 2, 3], 1); // [3,1,2]
//! roll(x: tensor, shift: wholes, axis: axes) ["any" -> "same", smooth] => x.roll(&shift, axis.as_deref());
//! ```
//!
//! A parameter has a name, a kind, and where it may be left out a default; `device` is given by nobody. In brackets stand the dtypes
//! taken, the dtype yielded, and the gradient: `smooth`, `zero` (it flows nowhere) or `none` (the result is no f32). In a group that begins with
//! `several!` rows yield several tensors, each named before its dtype: `"q f32, r f32"`; or any number of them: `"each f32"`. `xtask` reads
//! the same files for the JavaScript package, so nothing else may stand in them. Without a comment a row is called by a function
//! that is written by hand in JavaScript, for what only that language takes.

use super::frame::{Ranges, Scalars, Spread, Stored, StoredOperand, Take, Triangle, Widths, Winding};
use super::{Call, Operation};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::fft;
use crate::fft::complex;
use crate::fft::stft;
use crate::lazy::operand::Operand;
use crate::linalg::{self as matrix, Half, Order};
use crate::nn::losses as loss;
use crate::ops::contract::einsum::einsum;
use crate::ops::contract::{quantized, tensordot};
use crate::ops::conv;
use crate::ops::create::sequence::Spacing;
use crate::ops::elementwise::exponential::log_add_exp;
use crate::ops::elementwise::floats::two as float;
use crate::ops::elementwise::sign;
use crate::ops::elementwise::{bits, trigonometry};
use crate::ops::elementwise::{choose, two};
use crate::ops::index::advanced;
use crate::ops::index::insert as piece;
use crate::ops::index::update::Put;
use crate::ops::reduce::cumulative::Running;
use crate::ops::reduce::histogram::histogramdd;
use crate::ops::reduce::masked::{Among, among_by_name};
use crate::ops::reduce::nan::{self, Closeness};
use crate::ops::shape::arrange::{column_stack, dstack, hstack, vstack};
use crate::ops::shape::padding::Border;
use crate::ops::signal::interpolate::{Beyond, Ties};
use crate::ops::signal::polynomials as polynomial;
use crate::ops::signal::resize;
use crate::ops::signal::{self, Overlap};
use crate::ops::sort::lexsort;
use crate::ops::sort::quantile::{Between, hundredth};
use crate::ops::sort::sets::Members;
use crate::random::{self, Family, Picks, Standard};
use crate::special as formulas;
use weft_ir::{DType, Result};

/// The Rust type of a kind of parameter.
macro_rules! rust_type {
    (device) => { Device };
    (tensor) => { Tensor };
    (stored) => { Stored };
    (operand) => { Operand };
    (storedOperand) => { StoredOperand };
    (integers) => { Tensor };
    (tensors) => { Vec<Tensor> };
    (operands) => { Vec<Operand> };
    (scalars) => { Scalars };
    (number) => { f64 };
    (finite) => { f64 };
    (bound) => { Option<f64> };
    (count) => { usize };
    (whole) => { i64 };
    (wholes) => { Vec<i64> };
    (counts) => { Vec<usize> };
    (places) => { Vec<i64> };
    (axis) => { i64 };
    (axes) => { Option<Vec<i64>> };
    (position) => { Option<Vec<i64>> };
    (order) => { Vec<i64> };
    (reshape) => { Vec<i64> };
    (extents) => { Vec<usize> };
    (widths) => { Widths };
    (ranges) => { Ranges };
    (dtype) => { DType };
    (flag) => { bool };
    (keepdims) => { bool };
    (initial) => { bool };
    (fold) => { bool };
    (part) => { bool };
    (totalled) => { bool };
    (averaged) => { bool };
    (spacing) => { Spacing };
    (equality) => { bool };
    (inversion) => { bool };
    (winding) => { Winding };
    (thirds) => { Option<Vec<i64>> };
    (half) => { Half };
    (spread) => { Spread };
    (closeness) => { Closeness };
    (between) => { (bool, Between) };
    (text) => { String };
    (key) => { Tensor };
    (outer) => { Option<Vec<usize>> };
    (maybe) => { Option<Tensor> };
    (triangle) => { Triangle };
    (matrixOrder) => { Option<Order> };
}

macro_rules! rows {
    ($call_of:ident $group:ident $question:literal $(
        $(#[doc = $doc:literal])*
        $name:ident $(. $member:ident)? ($($parameter:ident: $kind:ident $(= $default:literal)?),*)
            [$takes:literal -> $gives:literal, $gradient:ident] => $call:expr;
    )*) => {
        pub(super) static ROWS: &[Operation] = &[$(
            Operation {
                name: concat!(stringify!($name) $(, ".", stringify!($member))?),
                gives: $gives,
                call: Call::$call_of(|frame| {
                    $(let $parameter = <rust_type!($kind) as Take>::take(frame)?;)*
                    $call
                }),
            },
        )*];
    };
}

macro_rules! operations {
    ($($row:tt)*) => { rows! { One $($row)* } };
}

macro_rules! several {
    ($($row:tt)*) => { rows! { Several $($row)* } };
}

macro_rules! groups {
    ($name:ident: $($group:ident)*) => {
        mod $name {
            use super::*;

            $(mod $group {
                use super::*;
                include!(concat!(stringify!($group), ".rs"));
            })*

            pub(super) static GROUPS: &[&[Operation]] = &[$($group::ROWS),*];
        }
    };
}

groups!(common: elementwise arithmetic compare reduce view product join network pieces hand);
// Their functions are fetched when the first of them is called: `xtask/src/build.rs` knows them by the name of this module.
groups!(rare: lesser linalg factors samplers spectra special twofold rarities recipes nans order loops sequence copies mathematics running tallies losses polynomials floats lines pairs seldom);

/// The groups that nearly everyone needs, and those that few need.
pub(super) static GROUPS: [&[&[Operation]]; 2] = [common::GROUPS, rare::GROUPS];

/// A function of the lines of an axis, or (none) of all elements in row-major order.
fn on(x: Tensor, axis: Option<Vec<i64>>, act: impl FnOnce(&Tensor, i64) -> Result<Tensor>) -> Result<Tensor> {
    match axis {
        Some(axis) => act(&x, axis[0]),
        None => act(&x.flatten()?, 0),
    }
}

/// Tensors joined along an axis, or (none) all of their elements.
fn joined(tensors: &[Tensor], axis: Option<Vec<i64>>) -> Result<Tensor> {
    match axis {
        Some(axis) => crate::concat(&each(tensors), axis[0]),
        None => {
            let flat = tensors.iter().map(Tensor::flatten).collect::<Result<Vec<_>>>()?;
            crate::concat(&each(&flat), 0)
        }
    }
}

/// Tensors by reference.
fn each(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}
