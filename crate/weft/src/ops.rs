//! Operations by name: the tables from which wrappers, tests and references are driven.
//!
//! Names are those of the JavaScript API, in camelCase. Adding an operation adds a line here.

use crate::device::Device;
use crate::elementwise;
use crate::operand::Operand;
use crate::tensor::Tensor;
use weft_ir::{Error, Result};

/// A function of one tensor.
pub type UnaryFn = fn(&Tensor) -> Result<Tensor>;
/// A function of two operands on a device.
pub type BinaryFn = fn(&Device, Operand, Operand) -> Result<Tensor>;
/// A reduction over axes (`None`: all) that may keep them with extent 1.
pub type ReduceFn = fn(&Tensor, Option<&[i64]>, bool) -> Result<Tensor>;

/// Functions of one tensor.
pub const UNARY: &[(&str, UnaryFn)] = &[
    ("neg", Tensor::neg),
    ("abs", Tensor::abs),
    ("sign", Tensor::sign),
    ("floor", Tensor::floor),
    ("ceil", Tensor::ceil),
    ("round", Tensor::round),
    ("exp", Tensor::exp),
    ("log", Tensor::log),
    ("sqrt", Tensor::sqrt),
    ("rsqrt", Tensor::rsqrt),
    ("square", Tensor::square),
    ("reciprocal", Tensor::reciprocal),
    ("sin", Tensor::sin),
    ("cos", Tensor::cos),
    ("tanh", Tensor::tanh),
    ("sigmoid", Tensor::sigmoid),
    ("relu", Tensor::relu),
    ("gelu", Tensor::gelu),
    ("erf", Tensor::erf),
    ("erfInv", Tensor::erf_inv),
    ("isNan", Tensor::is_nan),
    ("isFinite", Tensor::is_finite),
    ("logicalNot", Tensor::logical_not),
    ("bitwiseNot", Tensor::bitwise_not),
    ("detach", Tensor::detach),
    ("flatten", Tensor::flatten),
    ("transpose", Tensor::transpose),
];

/// Functions of two operands that are not among the elementwise simple ones.
const COMPOSED: &[(&str, BinaryFn)] = &[
    ("div", elementwise::divide),
    ("floorDivide", elementwise::floor_divide),
    ("pow", elementwise::power),
    ("matmul", |_, a, b| match (a, b) {
        (Operand::Tensor(a), Operand::Tensor(b)) => a.matmul(&b),
        _ => Err(Error::shape("matmul", "a number has no axis to contract")),
    }),
];

/// Reductions.
pub const REDUCE: &[(&str, ReduceFn)] = &[
    ("sum", Tensor::sum),
    ("prod", Tensor::prod),
    ("mean", Tensor::mean),
    ("max", Tensor::max),
    ("min", Tensor::min),
    ("all", Tensor::all),
    ("any", Tensor::any),
    ("argmax", Tensor::argmax),
    ("argmin", Tensor::argmin),
    ("logSumExp", Tensor::log_sum_exp),
];

/// Functions of two operands, with their names.
pub fn binaries() -> impl Iterator<Item = (&'static str, BinaryFn)> {
    elementwise::SIMPLE.iter().chain(COMPOSED).copied()
}

/// Calls the function of one tensor called `name`. Errors with `Value` when there is none.
pub fn unary(name: &str, x: &Tensor) -> Result<Tensor> {
    find(name, UNARY.iter().copied())?(x)
}

/// Calls the function of two operands called `name`; either may be a number. Errors with `Value` when there is none.
pub fn binary(device: &Device, name: &str, a: impl Into<Operand>, b: impl Into<Operand>) -> Result<Tensor> {
    find(name, binaries())?(device, a.into(), b.into())
}

/// Calls the reduction called `name`. Errors with `Value` when there is none.
pub fn reduce(name: &str, x: &Tensor, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
    find(name, REDUCE.iter().copied())?(x, axes, keepdims)
}

fn find<F>(name: &str, mut table: impl Iterator<Item = (&'static str, F)>) -> Result<F> {
    let found = table.find(|(known, _)| *known == name);
    found.map(|(_, f)| f).ok_or_else(|| Error::value(name, "there is no such operation"))
}
