//! Special functions.
//!
//! Each is a formula in f32 over its whole range: minimax polynomials by relative error where a
//! function is smooth, series, continued fractions and asymptotic expansions of a fixed length
//! elsewhere. So each is elementwise, fuses, and batches. Where the derivative of a fit would be
//! less exact than the fit, the derivative is a formula of its own. Bounds are in the rows of the
//! table of operations.
//!
//! Deferred: few programs need special functions.

mod bessel_first;
mod bessel_modified;
mod combinatorics;
mod entropy;
mod formula;
mod fresnel;
mod gamma;
mod incomplete;
mod integral;
mod normal;

pub use bessel_first::{bessel_jn, j0, j1};
pub use bessel_modified::{i0, i0e, i1, i1e};
pub use combinatorics::{boxcox, boxcox1p, comb, factorial, poch};
pub use entropy::{entr, kl_div, logit, rel_entr, xlog1py, xlogy};
pub use fresnel::{fresnel, sici};
pub use gamma::{beta, betaln, digamma, gamma, gammaln, gammasgn, multigammaln, polygamma, zeta};
pub use incomplete::{betainc, gammainc, gammaincc};
pub use integral::{exp1, expi, expn, spence};
pub use normal::{erfc, erfcx, log_ndtr, ndtr, ndtri};

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::transform::custom::ruled;
use formula::{Quantity, formula};
use weft_ir::{DType, Error, Result, Shape};

/// A formula of up to three arguments; the first stands in the places of those that there are not.
type Formula = for<'f> fn([Quantity<'f>; 3]) -> Quantity<'f>;

/// `value(x)`, differentiated by `slope`.
fn of_one(name: &str, x: &Tensor, value: Formula, slope: Formula) -> Result<Tensor> {
    differentiated(vec![build::cast(name, x, DType::F32)?], value, &[slope])
}

/// `value(a, b)` of what broadcasts, differentiated by `slopes`.
fn of_two(
    name: &str,
    device: &Device,
    operands: [&Operand; 2],
    value: Formula,
    slopes: [Formula; 2],
) -> Result<Tensor> {
    differentiated(alike(name, device, &operands)?, value, &slopes)
}

/// `value` of what broadcasts, differentiated step by step.
fn of_all(name: &str, device: &Device, operands: &[&Operand], value: Formula) -> Result<Tensor> {
    formula(&alike(name, device, operands)?, &|values| value(padded(values)))
}

/// Operands as f32 of one shape.
fn alike(name: &str, device: &Device, operands: &[&Operand]) -> Result<Vec<Tensor>> {
    let mut shape = Shape::scalar();
    for operand in operands {
        shape = Shape::broadcast(name, &shape, &operand.shape())?;
    }
    let shape = Shape::checked(name, &shape)?;
    let fit = |operand: &&Operand| build::expand(name, &operand.to_tensor(name, device, DType::F32)?, &shape);
    operands.iter().map(fit).collect()
}

fn differentiated(inputs: Vec<Tensor>, value: Formula, slopes: &[Formula]) -> Result<Tensor> {
    let of: Vec<&Tensor> = inputs.iter().collect();
    let results = ruled(
        |inputs| Ok(vec![formula(inputs, &|values| value(padded(values)))?]),
        |inputs, tangents| {
            let all = [inputs, tangents].concat();
            let sum = formula(&all, &|values| {
                let (arguments, tangents) = values.split_at(inputs.len());
                let terms = slopes.iter().zip(tangents);
                let terms = terms.map(|(slope, &tangent)| slope(padded(arguments)) * tangent);
                terms.reduce(|sum, term| sum + term).unwrap_or(values[0])
            });
            Ok(vec![sum?])
        },
        &of,
    )?;
    results.into_iter().next().ok_or_else(|| Error::value("special", "yields nothing"))
}

fn padded<'f>(values: &[Quantity<'f>]) -> [Quantity<'f>; 3] {
    std::array::from_fn(|n| values[if n < values.len() { n } else { 0 }])
}
