//! The table of operations, a file for each domain. A row reads
//!
//! ```text
//! /// What it does, and when it fails.
//! ///
//! /// @example
//! /// roll([1, 2, 3], 1); // [3,1,2]
//! roll(x: tensor, shift: wholes, axis: axes) ["any" -> "same", smooth, deferred] => x.roll(&shift, axis.as_deref());
//! ```
//!
//! A parameter has a name, a kind, and where it may be left out a default. The kinds are those of
//! `rust_type!` below; `js/src/ops/kinds.ts` says of each what JavaScript passes. The kind `device`
//! is the open device, which callers do not pass. In brackets are the dtypes taken, the dtype
//! yielded, and the gradient: `smooth`, `zero` (it flows nowhere), `none` (the result is no f32) or
//! `draws`. After these come attributes:
//!
//! | attribute | means |
//! |---|---|
//! | `deferred` | The browser fetches the code with the second download, when such an operation is called first. |
//! | `several` | The row yields several tensors, each named before its dtype: `"q f32, r f32"`; or any number of them: `"each f32"`. |
//! | `function` | JavaScript has a function of this name and no method. |
//!
//! `xtask` reads the same files for the JavaScript package, so they hold nothing else. Rows
//! without a comment are called by functions that are written by hand in JavaScript, for what only
//! that language takes. Rows of one file have different names behind their dot.

use super::frame::{Frame, Ranges, Scalars, Spread, Stored, StoredOperand, Take, Triangle, Widths, Winding};
use super::{Call, Download, Operation};
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
use crate::ops::index::ravel::ravel;
use crate::ops::index::update::Put;
use crate::ops::reduce::cumulative::Running;
use crate::ops::reduce::masked::{Among, among_by_name};
use crate::ops::reduce::nan::{self, Closeness};
use crate::ops::shape::arrange::{column_stack, dstack, hstack, vstack};
use crate::ops::shape::padding::Border;
use crate::ops::shape::shift::Shifts;
use crate::ops::signal::Overlap;
use crate::ops::signal::interpolate::{self, Beyond, Ends};
use crate::ops::signal::polynomials as polynomial;
use crate::ops::signal::resize;
use crate::ops::sort::lexsort;
use crate::ops::sort::quantile::{Between, hundredth};
use crate::ops::sort::rank::Ties;
use crate::ops::sort::search;
use crate::ops::sort::sets::Members;
use crate::ops::sort::unique;
use crate::ops::statistics::histogram::histogramdd;
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
    (shifts) => { Shifts };
    (ends) => { Ends };
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

/// The function and the facts of a row. Deferred functions are called so: `xtask/src/build.rs`
/// knows them by this name.
macro_rules! row {
    (($name:expr, $gives:literal, $frame:ident, $body:block) $kind:ident $function:ident deferred $($rest:ident)*) => {
        row!(($name, $gives, $frame, $body) $kind deferred $($rest)*)
    };
    (($name:expr, $gives:literal, $frame:ident, $body:block) $kind:ident $function:ident several $($rest:ident)*) => {
        row!(($name, $gives, $frame, $body) Several $function $($rest)*)
    };
    (($name:expr, $gives:literal, $frame:ident, $body:block) $kind:ident $function:ident function $($rest:ident)*) => {
        row!(($name, $gives, $frame, $body) $kind $function $($rest)*)
    };
    (($name:expr, $gives:literal, $frame:ident, $body:block) $kind:ident $function:ident) => {{
        fn $function($frame: &mut Frame<'_>) -> Result<made!($kind)> $body
        Operation { name: $name, gives: $gives, call: Call::$kind(download!($function), $function) }
    }};
}

macro_rules! made {
    (One) => { Tensor };
    (Several) => { Vec<Tensor> };
}

macro_rules! download {
    (prompt) => {
        Download::First
    };
    (deferred) => {
        Download::Second
    };
}

macro_rules! operations {
    ($group:ident $title:literal $(
        $(#[doc = $doc:literal])*
        $name:ident $(. $member:ident)? ($($parameter:ident: $kind:ident $(= $default:literal)?),*)
            [$takes:literal -> $gives:literal, $gradient:ident $(, $attribute:ident)*] => $call:expr;
    )*) => {
        pub(super) static ROWS: &[Operation] = &[$(
            row!((concat!(stringify!($name) $(, ".", stringify!($member))?), $gives, frame, {
                $(let $parameter = <rust_type!($kind) as Take>::take(frame)?;)*
                $call
            }) One prompt $($attribute)*),
        )*];
    };
}

macro_rules! groups {
    ($($group:ident)*) => {
        mod rows {
            use super::Operation;

            $(mod $group {
                use super::super::*;
                include!(concat!(stringify!($group), ".rs"));
            })*

            pub(in crate::op) static GROUPS: &[&[Operation]] = &[$($group::ROWS),*];
        }
    };
}

include!("groups.rs");

/// All rows, by domain.
pub(super) use rows::GROUPS;

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
