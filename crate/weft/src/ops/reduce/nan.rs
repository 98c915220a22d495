//! Reductions that ignore NaN, and others that count and compare.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use weft_ir::op::{ReduceOp, Unary};
use weft_ir::{DType, Error, Literal, Result};

impl Tensor {
    /// Sum of what is not NaN. Errors with `Axis` for axes out of range or repeated, as all of
    /// these do.
    pub fn nansum(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.without_nan("nansum", 0.0)?.sum(axes, keepdims)
    }

    /// Product of what is not NaN.
    pub fn nanprod(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.without_nan("nanprod", 1.0)?.prod(axes, keepdims)
    }

    /// Largest of what is not NaN; NaN where nothing is. Errors with `Shape` over nothing.
    pub fn nanmax(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let found = self.without_nan("nanmax", f32::NEG_INFINITY)?.max(axes, keepdims)?;
        self.nan_where_all_are("nanmax", &found, axes, keepdims)
    }

    /// Smallest of what is not NaN; NaN where nothing is. Errors with `Shape` over nothing.
    pub fn nanmin(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let found = self.without_nan("nanmin", f32::INFINITY)?.min(axes, keepdims)?;
        self.nan_where_all_are("nanmin", &found, axes, keepdims)
    }

    /// Mean of what is not NaN, in f32; NaN where nothing is.
    pub fn nanmean(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let count = build::cast("nanmean", &self.numbers("nanmean", axes, keepdims)?, DType::F32)?;
        self.nansum(axes, keepdims)?.div(count)
    }

    /// Mean squared distance from the mean of what is not NaN, divided by as many less
    /// `correction`, in f32; NaN where that leaves none.
    pub fn nanvar(&self, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        let name = "nanvar";
        let x = build::cast(name, self, DType::F32)?;
        let away = x.sub(x.nanmean(axes, true)?)?;
        // What is missing is 0 before it is squared: a square passes NaN on to its gradient. NaN
        // made of infinities is not missing.
        let zero = build::constant_like(name, &x, Literal::F32(0.0))?;
        let away = build::select(name, &build::unary(name, Unary::IsNan, &x)?, &zero, &away)?;
        let count = build::cast(name, &self.numbers(name, axes, keepdims)?, DType::F32)?.sub(correction)?;
        let squares = away.square()?.sum(axes, keepdims)?;
        let nan = build::constant_like(name, &count, Literal::F32(f32::NAN))?;
        squares.div(build::select(name, &count.greater(0.0)?, &count, &nan)?)
    }

    /// Square root of [`Tensor::nanvar`].
    pub fn nanstd(&self, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        self.nanvar(axes, keepdims, correction)?.sqrt()
    }

    /// Position of the largest of what is not NaN, the first of equals, 0 where nothing is, as i32.
    /// Errors with `Shape` over nothing.
    pub fn nanargmax(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.without_nan("nanargmax", f32::NEG_INFINITY)?.argmax(axes, keepdims)
    }

    /// Position of the smallest; otherwise as [`Tensor::nanargmax`].
    pub fn nanargmin(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.without_nan("nanargmin", f32::INFINITY)?.argmin(axes, keepdims)
    }

    /// How many elements are not zero, as i32.
    pub fn count_nonzero(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        build::cast("countNonzero", self, DType::Bool)?.sum(axes, keepdims)
    }

    /// The largest less the smallest. Errors with `Shape` over nothing.
    pub fn ptp(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.max(axes, keepdims)?.sub(self.min(axes, keepdims)?)
    }

    /// (Σ |x|ᵖ)^(1/p), in f32: of order 2 the length, of ∞ and −∞ the largest and the smallest
    /// magnitude, of 0 how many are not zero.
    pub fn norm(&self, order: f64, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let x = build::cast("norm", self, DType::F32)?;
        match order {
            f64::INFINITY => x.abs()?.max(axes, keepdims),
            f64::NEG_INFINITY => x.abs()?.min(axes, keepdims),
            0.0 => build::cast("norm", &x.count_nonzero(axes, keepdims)?, DType::F32),
            1.0 => x.abs()?.sum(axes, keepdims),
            2.0 => x.square()?.sum(axes, keepdims)?.sqrt(),
            _ if order.is_nan() => Err(Error::value("norm", "the order must not be NaN")),
            _ => x.abs()?.pow(order)?.sum(axes, keepdims)?.pow(1.0 / order),
        }
    }

    /// log of the mean of eˣ, without overflow, in f32.
    pub fn log_mean_exp(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let over = self.shape().axes("logMeanExp", axes)?;
        let count: usize = over.iter().map(|&a| self.shape()[a]).product();
        self.log_sum_exp(axes, keepdims)?.sub((count as f64).ln())
    }

    /// With `value` for NaN.
    pub(crate) fn without_nan(&self, name: &str, value: f32) -> Result<Tensor> {
        if self.dtype() != DType::F32 {
            return build::cast(name, self, self.dtype());
        }
        let missing = build::unary(name, Unary::IsNan, self)?;
        build::select(name, &missing, &build::constant_like(name, self, Literal::F32(value))?, self)
    }

    /// How many are not NaN, as i32.
    fn numbers(&self, name: &str, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        build::unary(name, Unary::Not, &self.isnan()?)?.sum(axes, keepdims)
    }

    fn nan_where_all_are(
        &self,
        name: &str,
        found: &Tensor,
        axes: Option<&[i64]>,
        keepdims: bool,
    ) -> Result<Tensor> {
        if self.dtype() != DType::F32 {
            return Ok(found.clone());
        }
        let none = self.isnan()?.all(axes, keepdims)?;
        build::select(name, &none, &build::constant_like(name, found, Literal::F32(f32::NAN))?, found)
    }

    /// Whether each element is one of `values`, or none of them if `invert`. Yields bool.
    pub fn is_in(&self, values: &Tensor, invert: bool) -> Result<Tensor> {
        let name = "isIn";
        let column = build::reshape(name, self, &[&self.shape()[..], &[1]].concat().into())?;
        let equal = column.equal(values.flatten()?)?;
        let last = equal.rank() - 1;
        if values.size() == 0 {
            return build::constant_like(name, &build::cast(name, self, DType::Bool)?, Literal::Bool(invert));
        }
        let found = build::reduce(name, ReduceOp::Max, &equal, &[last], false)?;
        if invert { build::unary(name, Unary::Not, &found) } else { Ok(found) }
    }

    /// [`Tensor::cumsum`] with 0 for NaN.
    pub fn nancumsum(&self, axis: i64) -> Result<Tensor> {
        self.without_nan("nancumsum", 0.0)?.cumsum(axis)
    }

    /// [`Tensor::cumprod`] with 1 for NaN.
    pub fn nancumprod(&self, axis: i64) -> Result<Tensor> {
        self.without_nan("nancumprod", 1.0)?.cumprod(axis)
    }
}

/// How far numbers may be apart that count as close.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Closeness {
    /// In proportion to the second.
    pub relative: f64,
    /// Besides.
    pub absolute: f64,
    /// Whether NaN is close to NaN.
    pub equal_nan: bool,
}

impl Default for Closeness {
    /// NumPy's: 1e-5, 1e-8, and no.
    fn default() -> Closeness {
        Closeness { relative: 1e-5, absolute: 1e-8, equal_nan: false }
    }
}

/// As functions of operands, either of which may be a number.
pub(crate) mod two {
    use super::*;

    pub fn is_close(device: &Device, a: Operand, b: Operand, how: Closeness) -> Result<Tensor> {
        let (a, b) = operand::pair("isClose", device, &a, &b, DType::F32)?;
        let most = b.abs()?.mul(how.relative)?.add(how.absolute)?;
        // Infinities are close only to themselves.
        let near = a.sub(&b)?.abs()?.less_equal(most)?.logical_and(b.isfinite()?)?;
        let close = near.logical_or(a.equal(&b)?)?;
        if !how.equal_nan {
            return Ok(close);
        }
        close.logical_or(a.isnan()?.logical_and(b.isnan()?)?)
    }

    pub fn all_close(device: &Device, a: Operand, b: Operand, how: Closeness) -> Result<Tensor> {
        is_close(device, a, b, how)?.all(None, false)
    }
}

impl Tensor {
    /// Whether |a − b| ≤ absolute + relative · |b| for each pair. Yields bool.
    pub fn is_close(&self, other: impl Into<Operand>, how: Closeness) -> Result<Tensor> {
        two::is_close(self.device(), self.into(), other.into(), how)
    }

    /// Whether all pairs are close, as [`Tensor::is_close`] tells: a 0-d bool.
    pub fn all_close(&self, other: impl Into<Operand>, how: Closeness) -> Result<Tensor> {
        two::all_close(self.device(), self.into(), other.into(), how)
    }

    /// Whether both have one shape and equal elements, where NaN equals NaN if `equal_nan`: a 0-d
    /// bool.
    pub fn array_equal(&self, other: &Tensor, equal_nan: bool) -> Result<Tensor> {
        if self.shape() != other.shape() {
            self.node("arrayEqual")?;
            other.node("arrayEqual")?;
            return self.device().constant("arrayEqual", Literal::Bool(false));
        }
        let equal = self.equal(other)?;
        let equal =
            if equal_nan { equal.logical_or(self.isnan()?.logical_and(other.isnan()?)?)? } else { equal };
        equal.all(None, false)
    }
}
