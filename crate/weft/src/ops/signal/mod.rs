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
        // `same` has the length of the longer, centred on the full result.
        let padding = match overlap {
            Overlap::Full => (few - 1, few - 1),
            Overlap::Same => (few / 2, (few - 1) / 2),
            Overlap::Valid => (0, 0),
        };
        conv::of_vectors(name, long, short, padding)
    }

    /// The correlation of two vectors: the convolution with the second reversed. Which of two
    /// middles `same` keeps is turned, too, where the first is shorter, as in NumPy. Errors as
    /// [`Tensor::convolve`].
    pub fn correlate(&self, other: &Tensor, overlap: Overlap) -> Result<Tensor> {
        if self.size() < other.size() {
            self.flip(None)?.convolve(other, overlap)?.flip(None)
        } else {
            self.convolve(&other.flip(None)?, overlap)
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
