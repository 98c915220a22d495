//! Sampled signals: convolution, areas by trapezoids, angles without jumps.

pub(crate) mod gradient;
pub(crate) mod interpolate;
pub mod polynomials;
pub(crate) mod resize;

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::conv;
use weft_ir::op::Binary;
use weft_ir::{DType, Error, Literal, Result};

/// Which part of a convolution is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// Wherever the two overlap.
    Full,
    /// As many as the longer vector has, and as the first tensor has along each of several axes,
    /// from the middle.
    Same,
    /// Where the smaller lies within the larger.
    Valid,
}

impl Overlap {
    /// All, in the order of their codes.
    pub const ALL: [Overlap; 3] = [Overlap::Full, Overlap::Same, Overlap::Valid];
}

/// A convolution along all axes.
fn convolved(name: &str, a: &Tensor, b: &Tensor, overlap: Overlap) -> Result<Tensor> {
    let rank = a.rank();
    if rank != b.rank() || rank == 0 || a.size() == 0 || b.size() == 0 {
        let what =
            format!("takes two tensors of one rank with elements, got {} and {}", a.shape(), b.shape());
        return Err(Error::shape(name, what));
    }
    let is_within = |a: &Tensor, b: &Tensor| a.shape().iter().zip(b.shape().iter()).all(|(a, b)| a <= b);
    let exchanges = match overlap {
        Overlap::Valid if !is_within(a, b) && !is_within(b, a) => {
            let what = format!("neither of {} and {} lies within the other", a.shape(), b.shape());
            return Err(Error::shape(name, what));
        }
        Overlap::Same if rank > 1 => false,
        _ => is_within(a, b),
    };
    let (first, second) = if exchanges { (b, a) } else { (a, b) };
    let padding = |&size: &usize| match overlap {
        Overlap::Full => (size - 1, size - 1),
        Overlap::Same => (size / 2, (size - 1) / 2),
        Overlap::Valid => (0, 0),
    };
    conv::of_signals(name, first, second, second.shape().iter().map(padding).collect())
}

impl Tensor {
    /// The convolution of two tensors of one rank, along all axes. Errors with `Shape` for other
    /// ranks, for empty ones, and unless one lies within the other where only that part is kept.
    pub fn convolve(&self, other: &Tensor, overlap: Overlap) -> Result<Tensor> {
        convolved("convolve", self, other, overlap)
    }

    /// The correlation: the convolution with the second reversed along all axes. Which of two
    /// middles `same` keeps is turned, too, where a first vector is shorter, as in NumPy. Errors as
    /// [`Tensor::convolve`].
    pub fn correlate(&self, other: &Tensor, overlap: Overlap) -> Result<Tensor> {
        let name = "correlate";
        let is_within = self.shape().iter().zip(other.shape().iter()).all(|(own, other)| own <= other);
        let turns = is_within && (self.rank() == 1 || overlap == Overlap::Valid);
        if turns && self.shape() != other.shape() {
            convolved(name, &self.flip(None)?, other, overlap)?.flip(None)
        } else {
            convolved(name, self, &other.flip(None)?, overlap)
        }
    }

    /// The area under a curve of values along `axis`, by trapezoids of the given widths: a number,
    /// or one for each step; as many numbers as there are values are their places. A vector lies
    /// along the axis, and other tensors broadcast. In f32.
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

    /// Numbers along `axis` that count modulo a period, as angles, without jumps of more than half
    /// of it, or than `most` where that is more. In f32. Errors with `Axis`, and with `Value`
    /// unless the period is above 0.
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
        // Whole periods to take off; a step of exactly half a period stays.
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
}
