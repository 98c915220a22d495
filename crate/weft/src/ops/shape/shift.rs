//! Differences of neighbours, and rotation along axes.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::concat;
use crate::ops::shape::slice::Range;
use weft_ir::op::Binary;
use weft_ir::{DType, Error, Result, Shape};

/// By how much elements move.
pub(crate) enum Shifts {
    Known(Vec<i64>),
    /// Integers that the device has.
    Computed(Tensor),
}

impl Tensor {
    /// The difference of each element and the one before it along `axis`, taken `times` times; of
    /// bools, whether they differ. Errors with `Axis` when out of range.
    pub fn diff(&self, times: usize, axis: i64) -> Result<Tensor> {
        let name = "diff";
        let axis = self.shape().axis(name, axis)?;
        let mut x = build::cast(name, self, self.dtype())?;
        // After as many differences as there are elements nothing is left.
        for _ in 0..times.min(self.shape()[axis]) {
            let extent = x.shape()[axis] as i64;
            let (after, before) = (x.between(name, axis, 1, extent)?, x.between(name, axis, 0, extent - 1)?);
            let op = if x.dtype() == DType::Bool { Binary::Xor } else { Binary::Sub };
            x = build::binary(name, op, &after, &before)?;
        }
        Ok(x)
    }

    /// Elements moved by one shift along each of `axes`, or by a shift for each; those that leave
    /// at one end come in at the other. Without axes, of the flattened tensor. The shifts of an
    /// axis that is given again add up. Errors with `Axis` when out of range, and with `Shape` for
    /// another number of shifts.
    ///
    /// Deferred: few programs roll.
    pub fn roll(&self, shifts: &[i64], axes: Option<&[i64]>) -> Result<Tensor> {
        let name = "roll";
        let Some(axes) = axes else {
            let flat = build::reshape(name, self, &[self.size()].into())?.roll(shifts, Some(&[0]))?;
            return build::reshape(name, &flat, self.shape());
        };
        let mut x = build::cast(name, self, self.dtype())?;
        if shifts.len() != 1 && shifts.len() != axes.len() {
            return Err(Error::shape(name, format!("{} shifts for {} axes", shifts.len(), axes.len())));
        }
        for (&axis, &shift) in axes.iter().zip(shifts.iter().cycle()) {
            let axis = self.shape().axis(name, axis)?;
            let extent = x.shape()[axis] as i64;
            let by = shift.rem_euclid(extent.max(1));
            if by > 0 {
                x = match x.twice(name, axis)? {
                    Some(twice) => twice.between(name, axis, extent - by, 2 * extent - by)?,
                    None => {
                        let (last, first) = (
                            x.between(name, axis, extent - by, extent)?,
                            x.between(name, axis, 0, extent - by)?,
                        );
                        concat(&[&last, &first], axis as i64)?
                    }
                };
            }
        }
        Ok(x)
    }

    /// [`Tensor::roll`] by numbers that may be a tensor, whose elements are taken from where the
    /// shifts say. Errors as that, and with `DType` unless they are integers.
    ///
    /// Deferred: few programs roll.
    pub(crate) fn rolled(&self, shifts: &Shifts, axes: Option<&[i64]>) -> Result<Tensor> {
        let name = "roll";
        let by = match shifts {
            Shifts::Known(shifts) => return self.roll(shifts, axes),
            Shifts::Computed(by) => by,
        };
        let Some(axes) = axes else {
            let flat = build::reshape(name, self, &[self.size()].into())?.rolled(shifts, Some(&[0]))?;
            return build::reshape(name, &flat, self.shape());
        };
        if !by.dtype().is_integer() {
            return Err(Error::dtype(name, format!("the shifts must be integers, got {}", by.dtype())));
        }
        if by.rank() > 1 || by.size() != 1 && by.size() != axes.len() {
            let what = format!("shifts of shape {} for {} axes", by.shape(), axes.len());
            return Err(Error::shape(name, what));
        }
        let by = by.flatten()?.cast(DType::I32)?;
        let mut x = build::cast(name, self, self.dtype())?;
        for (n, &axis) in axes.iter().enumerate() {
            let axis = self.shape().axis(name, axis)?;
            let extent = x.shape()[axis];
            if extent == 0 {
                continue;
            }
            let n = if by.size() == 1 { 0 } else { n as i64 };
            let shift = by.between(name, 0, n, n + 1)?.remainder(extent as f64)?;
            let places = self.device().arange(0.0, extent as f64, 1.0, DType::I32)?;
            // Not below 0, and no sum that could overflow.
            let back = places.sub(&shift)?;
            let places = build::select(name, &back.less(0.0)?, &back.add(extent as f64)?, &back)?;
            x = x.take(&places, Some(axis as i64))?;
        }
        Ok(x)
    }

    /// The tensor after itself along an axis, unless that is more than a shape can say. It is a
    /// view: of what is cut from it each element is one read, wherever it is cut, and where that is
    /// is a number of the program.
    fn twice(&self, name: &str, axis: usize) -> Result<Option<Tensor>> {
        let shape = self.shape();
        let mut apart = shape.to_vec();
        apart.insert(axis, 1);
        let mut repeated = apart.clone();
        repeated[axis] = 2;
        let mut whole = shape.to_vec();
        whole[axis] *= 2;
        if apart.len() > Shape::MAX_RANK || Shape::checked(name, &whole).is_err() {
            return Ok(None);
        }
        let apart = build::reshape(name, self, &apart.into())?;
        let repeated = build::expand(name, &apart, &repeated.into())?;
        build::reshape(name, &repeated, &whole.into()).map(Some)
    }

    /// The positions from `start` to before `stop` of one axis.
    pub(crate) fn between(&self, name: &str, axis: usize, start: i64, stop: i64) -> Result<Tensor> {
        let mut ranges = vec![Range::ALL; axis + 1];
        ranges[axis] = Range::new(start, stop);
        self.sliced(name, &ranges)
    }

    /// The differences of neighbours in the flattened tensor, between `begin` and `end`, in its
    /// dtype.
    pub fn ediff1d(&self, begin: &Tensor, end: &Tensor) -> Result<Tensor> {
        let inner = self.flatten()?.diff(1, -1)?;
        let edge = |of: &Tensor| of.flatten()?.cast(inner.dtype());
        concat(&[&edge(begin)?, &inner, &edge(end)?], 0)
    }
}
