//! Padding by a rule for places beyond the borders, and sliding windows.
//!
//! Deferred: few programs pad otherwise than by zeros.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::option::by_name;
use crate::ops::shape::join;
use weft_ir::{DType, Error, Result, Shape};

/// How a tensor goes on beyond its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    /// With the element at the end.
    Edge,
    /// Backwards, from the element beside the end.
    Reflect,
    /// Backwards, from the end.
    Symmetric,
    /// From the other end.
    Wrap,
    /// With the largest element along the axis.
    Maximum,
    /// With the smallest.
    Minimum,
    /// With their mean, of integers the whole number nearest to it.
    Mean,
    /// With their median, of integers the whole number nearest to it.
    Median,
    /// In a straight line to 0.
    LinearRamp,
}

/// All of them by their names.
const BORDERS: [(&str, Border); 9] = [
    ("edge", Border::Edge),
    ("reflect", Border::Reflect),
    ("symmetric", Border::Symmetric),
    ("wrap", Border::Wrap),
    ("maximum", Border::Maximum),
    ("minimum", Border::Minimum),
    ("mean", Border::Mean),
    ("median", Border::Median),
    ("linear_ramp", Border::LinearRamp),
];

impl Border {
    /// What stands everywhere beyond the ends of an axis, where that is one number for each line.
    fn constant(self, x: &Tensor, axis: i64) -> Result<Option<Tensor>> {
        let axes: Option<&[i64]> = Some(&[axis]);
        let found = match self {
            Border::Maximum => x.max(axes, true)?,
            Border::Minimum => x.min(axes, true)?,
            Border::Mean => x.mean(axes, true)?,
            Border::Median => x.median(axes, true)?,
            _ => return Ok(None),
        };
        let found = if x.dtype().is_float() { found } else { found.round()? };
        Ok(Some(build::cast("pad", &found, x.dtype())?))
    }

    /// By name. Errors with `Value` for another.
    pub fn parse(op: &str, name: &str) -> Result<Border> {
        by_name(op, "border", &BORDERS, name)
    }

    /// The places within an axis of `extent` that stand for places, some beyond it. Computed on the
    /// device: there may be very many.
    fn places(self, places: &Tensor, extent: usize) -> Result<Tensor> {
        let extent = extent as f64;
        let back = |period: f64, last: f64| -> Result<Tensor> {
            let place = places.remainder(period.max(1.0))?;
            place.minimum(place.mul(-1.0)?.add(last)?)
        };
        match self {
            Border::Wrap => places.remainder(extent),
            Border::Reflect => back(2.0 * extent - 2.0, (2.0 * extent - 2.0).max(1.0)),
            Border::Symmetric => back(2.0 * extent, 2.0 * extent - 1.0),
            _ => places.clip(Some(0.0), Some(extent - 1.0)),
        }
    }
}

impl Tensor {
    /// Continued by `widths[axis]` elements before and after. Errors with `Shape` unless there is
    /// one pair per axis, and where there is nothing to continue.
    pub fn pad_with(&self, widths: &[(usize, usize)], border: Border) -> Result<Tensor> {
        let name = "pad";
        if widths.len() != self.rank() {
            let what =
                format!("{} has {} axes, got {} pairs of widths", self.shape(), self.rank(), widths.len());
            return Err(Error::shape(name, what));
        }
        let mut x = self.clone();
        for (axis, &(before, after)) in widths.iter().enumerate().filter(|(_, pair)| **pair != (0, 0)) {
            let extent = self.shape()[axis];
            if extent == 0 {
                return Err(Error::shape(
                    name,
                    format!("axis {axis} of {} has nothing to continue", self.shape()),
                ));
            }
            let mut shape = x.shape().to_vec();
            shape[axis] = extent.saturating_add(before).saturating_add(after);
            Shape::checked(name, &shape)?;
            if let Some(constant) = border.constant(&x, axis as i64)? {
                let beside = |count: usize| {
                    let mut shape = x.shape().to_vec();
                    shape[axis] = count;
                    build::expand(name, &constant, &shape.into())
                };
                x = join::concat(&[&beside(before)?, &x, &beside(after)?], axis as i64)?;
                continue;
            }
            let whole = (before + extent + after) as f64;
            let count = |start: f64, stop: f64, step| self.device().arange(start, stop, step, DType::I32);
            let places = count(-(before as f64), whole - before as f64, 1.0)?;
            x = x.take(&border.places(&places, extent)?, Some(axis as i64))?;
            if border == Border::LinearRamp {
                // A ramp that falls from each end to 0.
                let mut shape = vec![1; x.rank()];
                shape[axis] = -1;
                let left = |x: &Tensor, from_end: Tensor, count: usize| match count {
                    0 => Ok(x.clone()),
                    _ => x.mul(from_end.cast(DType::F32)?.div(count as f64)?.minimum(1.0)?.reshape(&shape)?),
                };
                let begun = left(&x, count(0.0, whole, 1.0)?, before)?;
                let ended = left(&begun, count(whole - 1.0, -1.0, -1.0)?, after)?;
                x = build::cast(name, &ended, self.dtype())?;
            }
        }
        Ok(x)
    }

    /// The windows of these lengths along `axes`, or all: how they lie along the axes, and each
    /// along new last axes. Errors with `Axis`, with `Value` where there are not as many lengths as
    /// axes, and with `Shape` for a window longer than its axis.
    pub fn sliding_windows(&self, lengths: &[usize], axes: Option<&[i64]>) -> Result<Tensor> {
        let name = "slidingWindowView";
        let all: Vec<i64> = (0..self.rank() as i64).collect();
        let axes = axes.unwrap_or(&all);
        if lengths.len() != axes.len() {
            return Err(Error::value(name, format!("{} lengths for {} axes", lengths.len(), axes.len())));
        }
        let mut x = self.clone();
        for (&axis, &length) in axes.iter().zip(lengths) {
            let axis = self.shape().axis(name, axis)?;
            // An axis may be given twice: the second window slides over the positions of the first.
            let extent = x.shape()[axis];
            if length > extent {
                return Err(Error::shape(
                    name,
                    format!("a window of {length} along axis {axis} of {}", x.shape()),
                ));
            }
            let count = extent - length + 1;
            let whole = Shape::checked(name, &[count, length])?;
            let along = |axis| self.device().positions(name, &whole, axis, DType::I32);
            x = x.take(&along(0)?.add(along(1)?)?, Some(axis as i64))?;
            x = x.move_axis(&[axis as i64 + 1], &[-1])?;
        }
        Ok(x)
    }
}
