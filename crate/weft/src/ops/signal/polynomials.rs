//! Polynomials, as vectors of coefficients, that of the highest power first, as [`Tensor::polyval`]
//! takes them; a number is a constant. Each errors with `Shape` for more than one axis.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::linalg::lstsq;
use crate::ops::shape::join::{concat, stack};
use crate::ops::shape::slice::{Part, Range};
use crate::ops::signal::Overlap;
use weft_ir::op::Binary;
use weft_ir::{DType, Error, Literal, Result};

fn coefficients(name: &str, p: &Tensor) -> Result<Tensor> {
    if p.rank() > 1 {
        return Err(Error::shape(name, format!("takes a vector of coefficients, got {}", p.shape())));
    }
    p.flatten()
}

/// With `count` zeros for the highest powers.
fn raised(name: &str, p: &Tensor, count: usize) -> Result<Tensor> {
    build::pad_axis(name, p, 0, (count, 0), Literal::zero(p.dtype()))
}

/// Both with as many coefficients as the longer.
fn alike(name: &str, a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let (a, b) = (coefficients(name, a)?, coefficients(name, b)?);
    let length = a.size().max(b.size());
    Ok((raised(name, &a, length - a.size())?, raised(name, &b, length - b.size())?))
}

/// The numbers from `count` down to 1.
fn down(x: &Tensor, count: usize, dtype: DType) -> Result<Tensor> {
    x.device().arange(count as f64, 0.0, -1.0, dtype)
}

/// The sum of two polynomials.
pub fn add(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = alike("polyadd", a, b)?;
    a.add(b)
}

/// The difference of two polynomials.
pub fn sub(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = alike("polysub", a, b)?;
    a.sub(b)
}

/// The product of two polynomials; one without coefficients is 0.
pub fn mul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let name = "polymul";
    let some = |p: &Tensor| {
        let p = coefficients(name, p)?;
        if p.size() == 0 { raised(name, &p, 1) } else { Ok(p) }
    };
    some(a)?.convolve(&some(b)?, Overlap::Full)
}

/// The quotient of two polynomials and what is left, which has one coefficient less than the
/// divisor (at least one), in f32. Errors with `Shape` for an empty divisor.
pub fn div(a: &Tensor, b: &Tensor) -> Result<Vec<Tensor>> {
    let name = "polydiv";
    let mut rest = coefficients(name, a)?.cast(DType::F32)?;
    let divisor = coefficients(name, b)?.cast(DType::F32)?;
    if divisor.size() == 0 {
        return Err(Error::shape(name, "the divisor has no coefficients"));
    }
    let lead = divisor.part(&[Part::At(0)])?;
    let mut quotient = Vec::new();
    while rest.size() >= divisor.size() {
        let factor = rest.part(&[Part::At(0)])?.div(&lead)?;
        let lower = (0, rest.size() - divisor.size());
        let taken = build::pad_axis(name, &divisor.mul(&factor)?, 0, lower, Literal::F32(0.0))?;
        rest = rest.sub(taken)?.slice(&[Range { start: Some(1), ..Range::ALL }])?;
        quotient.push(factor);
    }
    let quotient = if quotient.is_empty() {
        rest.device().zeros(&[1], DType::F32)?
    } else {
        stack(&quotient.iter().collect::<Vec<_>>(), 0)?
    };
    let least = (divisor.size() - 1).max(1);
    let rest = raised(name, &rest, least.saturating_sub(rest.size()))?;
    Ok(vec![quotient, rest])
}

/// The derivative of a polynomial, of order `times`.
pub fn derivative(p: &Tensor, times: usize) -> Result<Tensor> {
    let mut found = coefficients("polyder", p)?;
    let dtype = found.dtype().accumulate();
    found = found.cast(dtype)?;
    for _ in 0..times {
        let Some(powers) = found.size().checked_sub(1) else { break };
        found = found.slice(&[Range::new(0, powers as i64)])?.mul(down(&found, powers, dtype)?)?;
    }
    Ok(found)
}

/// The integral of a polynomial, `times` over, in f32: at 0 it is `constant`, which is one number
/// or one for each integration.
pub fn integral(p: &Tensor, times: usize, constant: impl Into<Operand>) -> Result<Tensor> {
    let name = "polyint";
    let mut found = coefficients(name, p)?.cast(DType::F32)?;
    let last = constant.into().to_tensor(name, p.device(), DType::F32)?.flatten()?;
    for n in 0..times as i64 {
        let own = if last.size() > 1 { last.slice(&[Range::new(n, n + 1)])? } else { last.clone() };
        if found.size() > 0 {
            found = found.div(down(&found, found.size(), DType::F32)?)?;
        }
        found = concat(&[&found, &own], 0)?;
    }
    Ok(found)
}

/// The polynomial of a degree that lies nearest to points, in the sense of least squares, each
/// weighted or not, in f32: of high degrees, or far from 0, digits are lost. `y` are heights, or a
/// matrix of columns of them. Errors with `Shape` unless there is one for each place.
pub fn fit(x: &Tensor, y: &Tensor, degree: usize, weights: Option<&Tensor>) -> Result<Tensor> {
    let name = "polyfit";
    let (places, heights) = (coefficients(name, x)?.cast(DType::F32)?, y.cast(DType::F32)?);
    let rank = heights.rank();
    if !(1..=2).contains(&rank) || heights.shape()[0] != places.size() || places.size() == 0 {
        let what = format!("takes a height for each place, got {} and {}", places.shape(), heights.shape());
        return Err(Error::shape(name, what));
    }
    let share = match weights {
        Some(weights) => coefficients(name, weights)?.cast(DType::F32)?.expand_dims(1)?,
        None => places.device().ones(&[places.size(), 1], DType::F32)?,
    };
    let powers = places.vander(degree.saturating_add(1), false)?.mul(&share)?;
    // Columns scaled to length 1 make the system better conditioned.
    let lengths = powers.square()?.sum(Some(&[0]), false)?.sqrt()?;
    let weighted = heights.mul(if rank == 1 { share.flatten()? } else { share })?;
    let found = lstsq(&powers.div(&lengths)?, &weighted, None)?.swap_remove(0);
    found.div(if rank == 1 { lengths } else { lengths.expand_dims(1)? })
}

/// The polynomial with the given roots, in f32.
pub fn of_roots(roots: &Tensor) -> Result<Tensor> {
    let roots = coefficients("poly", roots)?;
    let one = roots.device().ones(&[1], DType::F32)?;
    let mut found = one.clone();
    for n in 0..roots.size() as i64 {
        let factor = concat(&[&one, &roots.slice(&[Range::new(n, n + 1)])?.neg()?], 0)?;
        found = found.convolve(&factor, Overlap::Full)?;
    }
    Ok(found)
}

impl Tensor {
    /// A polynomial at each x, this being its coefficients, that of the highest power first. Errors
    /// with `Shape` unless this is a vector.
    pub fn polyval(&self, x: impl Into<Operand>) -> Result<Tensor> {
        polyval(self.device(), self, x.into())
    }
}

/// The polynomial of a vector of coefficients at `x`.
pub(crate) fn polyval(device: &Device, coefficients: &Tensor, x: Operand) -> Result<Tensor> {
    let name = "polyval";
    if coefficients.rank() != 1 {
        return Err(Error::shape(
            name,
            format!("takes a vector of coefficients, got {}", coefficients.shape()),
        ));
    }
    let dtype = operand::meet(&Operand::Tensor(coefficients.clone()), &x).accumulate();
    let (p, x) = (build::cast(name, coefficients, dtype)?, x.to_tensor(name, device, dtype)?);
    let mut sum = build::constant_like(name, &x, Literal::zero(dtype))?;
    for n in 0..p.size() as i64 {
        let c = build::expand(
            name,
            &build::reshape(name, &p.between(name, 0, n, n + 1)?, &[].into())?,
            x.shape(),
        )?;
        sum = build::binary(name, Binary::Add, &build::binary(name, Binary::Mul, &sum, &x)?, &c)?;
    }
    Ok(sum)
}
