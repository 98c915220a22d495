//! Functions of sampled curves: convolution, interpolation, areas, polynomials, angles without jumps, covariances.

pub(crate) mod distance;
pub(crate) mod interpolate;
pub mod polynomials;
pub(crate) mod resize;
pub(crate) mod samples;

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::ops::conv;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Literal, Result};

/// Which part of a convolution is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// Wherever the two overlap.
    Full,
    /// As many as the longer has, from the middle.
    Same,
    /// Where the shorter lies within the longer.
    Valid,
}

impl Overlap {
    /// All, in the order of their codes.
    pub const ALL: [Overlap; 3] = [Overlap::Full, Overlap::Same, Overlap::Valid];
}

impl Tensor {
    /// The convolution of two vectors. Errors with `Shape` for other ranks and for empty ones.
    pub fn convolve(&self, other: &Tensor, overlap: Overlap) -> Result<Tensor> {
        let name = "convolve";
        if self.rank() != 1 || other.rank() != 1 || self.size() == 0 || other.size() == 0 {
            let what = format!("takes two vectors with elements, got {} and {}", self.shape(), other.shape());
            return Err(Error::shape(name, what));
        }
        let (short, long) = if self.size() <= other.size() { (self, other) } else { (other, self) };
        let few = short.size();
        // As many as the longer has begin at the middle of the overlap.
        let padding = match overlap {
            Overlap::Full => (few - 1, few - 1),
            Overlap::Same => (few / 2, (few - 1) / 2),
            Overlap::Valid => (0, 0),
        };
        conv::of_vectors(name, long, short, padding)
    }

    /// The correlation of two vectors: the convolution with the second reversed. Which of two middles `same` keeps is turned, too, where the first is shorter,
    /// as in NumPy. Errors as [`Tensor::convolve`].
    pub fn correlate(&self, other: &Tensor, overlap: Overlap) -> Result<Tensor> {
        if self.size() < other.size() {
            self.flip(None)?.convolve(other, overlap)?.flip(None)
        } else {
            self.convolve(&other.flip(None)?, overlap)
        }
    }

    /// The position at which each of `values` would have to be inserted into this sorted vector so that it stays sorted, as i32: before
    /// equals, or after them if `after`. NaN belongs at the end. Errors with `Shape` unless this is a vector.
    pub fn search_sorted(&self, values: impl Into<Operand>, after: bool) -> Result<Tensor> {
        search_sorted(self.device(), self, values.into(), after)
    }

    /// The area under a curve of values along `axis`, by trapezoids of the given widths: a number, or one for each step; as many
    /// numbers as there are values are their places. A vector lies along the axis, and other tensors broadcast. In f32.
    pub fn trapezoid(&self, widths: impl Into<Operand>, axis: i64) -> Result<Tensor> {
        let name = "trapezoid";
        let axis = self.shape().axis(name, axis)?;
        let x = build::cast(name, self, DType::F32)?;
        let extent = x.shape()[axis] as i64;
        // Widths may have more axes in front, or fewer.
        let from_end = axis as i64 - x.rank() as i64;
        let ends = build::binary(
            name,
            Binary::Add,
            &x.between(name, axis, 1, extent.max(1))?,
            &x.between(name, axis, 0, (extent - 1).max(0))?,
        )?;
        let widths = match widths.into() {
            Operand::Tensor(given) if given.rank() > 0 => {
                let widths = if given.rank() == 1 {
                    let mut shape = vec![1; x.rank()];
                    shape[axis] = given.size();
                    build::reshape(name, &given, &shape.into())?
                } else {
                    given
                };
                let own = (widths.rank() + axis).checked_sub(x.rank()).map(|own| widths.shape()[own] as i64);
                let are_places = extent > 1 && own == Some(extent);
                Operand::Tensor(if are_places { widths.diff(1, from_end)? } else { widths })
            }
            widths => widths,
        };
        ends.mul(widths)?.sum(Some(&[from_end]), false)?.mul(0.5)
    }

    /// A polynomial at each x, this being its coefficients, that of the highest power first. Errors with `Shape` unless this is a vector.
    pub fn polyval(&self, x: impl Into<Operand>) -> Result<Tensor> {
        polyval(self.device(), self, x.into())
    }

    /// Numbers along `axis` that count modulo a period, as angles, without jumps of more than half of it, or than `most` where that is more. In f32. Errors with
    /// `Axis`, and with `Value` unless the period is above 0.
    pub fn unwrap_angles(&self, axis: i64, period: f64, most: Option<f64>) -> Result<Tensor> {
        let name = "unwrap";
        let axis = self.shape().axis(name, axis)?;
        if !(period > 0.0 && period.is_finite()) {
            return Err(Error::value(name, "the period must be above 0"));
        }
        let x = build::cast(name, self, DType::F32)?;
        if x.shape()[axis] < 2 {
            return Ok(x);
        }
        let steps = x.diff(1, axis as i64)?;
        let size = steps.abs()?;
        // Whole periods too many, of which half a period exactly is none.
        let turns = steps.mul(1.0 / period)?.round()?;
        let half = period / 2.0;
        let large = size.greater(half)?;
        let large = match most {
            Some(most) if most > half => large.logical_and(size.less(most)?.logical_not()?)?,
            _ => large,
        };
        let turns = crate::ops::elementwise::select(&large, &turns, 0.0)?;
        let off = build::pad_axis(name, &turns, axis, (1, 0), Literal::F32(0.0))?.cumsum(axis as i64)?;
        x.sub(off.mul(period)?)
    }

    /// Covariances of the rows of a matrix, each a variable, over its columns, each an observation; of a vector its variance. Divided by as many less
    /// `correction`, in f32. Errors with `Shape` above two axes.
    pub fn cov(&self, correction: f64) -> Result<Tensor> {
        let name = "cov";
        if self.rank() == 0 || self.rank() > 2 {
            return Err(Error::shape(name, format!("takes a vector or a matrix, got {}", self.shape())));
        }
        let x = self.about_middle(name, Some(&[-1]))?;
        let x = x.sub(x.mean(Some(&[-1]), true)?)?;
        let count = x.shape()[x.rank() - 1] as f64;
        let found = x.inner(&x)?.div((count - correction).max(0.0))?;
        // One variable has a variance, not a matrix of it.
        if found.size() == 1 { build::reshape(name, &found, &[].into()) } else { Ok(found) }
    }

    /// The rows of this and then those of `other`, vectors being rows.
    pub(crate) fn beside(&self, name: &str, other: Option<Tensor>) -> Result<Tensor> {
        let Some(other) = other else { return Ok(self.clone()) };
        let rows = |x: &Tensor| match x.rank() {
            0 | 1 => build::reshape(name, x, &[1, x.size()].into()),
            _ => Ok(x.clone()),
        };
        let [x, y] = [rows(self)?, rows(&other)?];
        if x.shape()[1..] != y.shape()[1..] {
            let what = format!("{} and {} are not of as many observations", self.shape(), other.shape());
            return Err(Error::shape(name, what));
        }
        crate::ops::shape::join::concat(&[&x, &y], 0)
    }

    /// Correlations of the rows of a matrix. Otherwise as [`Tensor::cov`].
    pub fn corrcoef(&self) -> Result<Tensor> {
        let covariance = self.cov(0.0)?;
        if covariance.rank() == 0 {
            return covariance.div(&covariance);
        }
        let spread = covariance.diagonal(0, 0, 1)?.sqrt()?;
        covariance.div(spread.outer(&spread)?)?.clip(Some(-1.0), Some(1.0))
    }
}

/// The places of `values` in a sorted vector, by halving.
pub(crate) fn search_sorted(
    device: &Device,
    sorted: &Tensor,
    values: Operand,
    after: bool,
) -> Result<Tensor> {
    let name = "searchSorted";
    if sorted.rank() != 1 {
        return Err(Error::shape(name, format!("takes a sorted vector, got {}", sorted.shape())));
    }
    let dtype = operand::meet(&Operand::Tensor(sorted.clone()), &values);
    let (sorted, values) = (build::cast(name, sorted, dtype)?, values.to_tensor(name, device, dtype)?);
    let count = sorted.size();
    let whole = |value: usize| {
        let like = build::cast(name, &values, DType::I32)?;
        build::constant_like(name, &like, Literal::I32(value as i32))
    };
    let (low, high) = (whole(0)?, whole(count)?);
    if count == 0 {
        return Ok(low);
    }
    let one = whole(1)?;
    let halvings = usize::BITS - count.leading_zeros();
    let beyond = if after { Compare::Lt } else { Compare::Le };
    let found = device.for_loop(
        0,
        halvings as i32,
        |_, state| {
            let [low, high] = state else { return Err(Error::value(name, "a state of two")) };
            let sum = build::binary(name, Binary::Add, low, high)?;
            let middle = build::binary(name, Binary::Shr, &sum, &one)?;
            let open = build::compare(name, Compare::Lt, low, high)?;
            let here = sorted.take(&middle, Some(0))?;
            // NaN is beyond all, since nothing compares with it; and of two of them as what is equal.
            let mut above = build::compare(name, beyond, &values, &here)?.logical_not()?;
            if dtype == DType::F32 {
                let is_nan = |x: &Tensor| build::unary(name, Unary::IsNan, x);
                above = build::binary(name, Binary::And, &above, &is_nan(&here)?.logical_not()?)?;
                if after {
                    above = build::binary(name, Binary::Or, &above, &is_nan(&values)?)?;
                }
            }
            let right = build::binary(name, Binary::And, &open, &above)?;
            let left = build::binary(name, Binary::And, &open, &above.logical_not()?)?;
            let next = build::binary(name, Binary::Add, &middle, &one)?;
            Ok(vec![build::select(name, &right, &next, low)?, build::select(name, &left, &middle, high)?])
        },
        &[&low, &high],
    )?;
    Ok(found[0].clone())
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

/// Between the points (`places`, `heights`) of a curve the height at each x, by straight lines; beyond them those of the ends. In f32.
///
/// Errors with `Shape` unless both are vectors of one length with elements.
pub(crate) fn interp(device: &Device, x: Operand, places: &Tensor, heights: &Tensor) -> Result<Tensor> {
    let name = "interp";
    if places.rank() != 1 || heights.shape() != places.shape() || places.size() == 0 {
        let what = format!("takes two vectors of one length, got {} and {}", places.shape(), heights.shape());
        return Err(Error::shape(name, what));
    }
    let float = |x: &Tensor| build::cast(name, x, DType::F32);
    let (places, heights) = (float(places)?, float(heights)?);
    let x = x.to_tensor(name, device, DType::F32)?;
    let last = places.size() as i64 - 1;
    let end = |of: &Tensor, n: i64| {
        let one = build::reshape(name, &of.between(name, 0, n, n + 1)?, &[].into())?;
        build::expand(name, &one, x.shape())
    };
    if last == 0 {
        return end(&heights, 0);
    }
    let right = search_sorted(device, &places, Operand::Tensor(x.clone()), true)?;
    let right = right.clip(Some(1.0), Some(last as f64))?;
    let left = right.sub(1.0)?;
    let at = |of: &Tensor, index: &Tensor| of.take(index, Some(0));
    let (x0, x1, y0, y1) =
        (at(&places, &left)?, at(&places, &right)?, at(&heights, &left)?, at(&heights, &right)?);
    let (width, height) = (x1.sub(&x0)?, y1.sub(&y0)?);
    let flat =
        build::compare(name, Compare::Eq, &width, &build::constant_like(name, &x, Literal::F32(0.0))?)?;
    let width = build::select(name, &flat, &build::constant_like(name, &x, Literal::F32(1.0))?, &width)?;
    let inside = y0.add(height.mul(x.sub(&x0)?.div(width)?)?)?;
    let (first, final_place) = (end(&places, 0)?, end(&places, last)?);
    let before = build::compare(name, Compare::Lt, &x, &first)?;
    let inside = build::select(name, &before, &end(&heights, 0)?, &inside)?;
    let beyond = build::compare(name, Compare::Le, &final_place, &x)?;
    build::select(name, &beyond, &end(&heights, last)?, &inside)
}
