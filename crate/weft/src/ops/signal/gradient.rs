//! Gradients of samples by central differences.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::shape::join::concat;
use weft_ir::op::Binary;
use weft_ir::{DType, Error, Result};

impl Tensor {
    /// The slope of samples along `axis`, in f32: central differences inside, of second order also
    /// where samples are not evenly spaced, and one-sided ones at the ends. `spacing` is the
    /// distance between samples, or a vector of where they are.
    ///
    /// Errors with `Shape` for fewer than two samples and where `spacing` does not fit, with `Axis`
    /// when out of range.
    pub fn slope(&self, spacing: impl Into<Operand>, axis: i64) -> Result<Tensor> {
        let name = "gradient";
        let axis = self.shape().axis(name, axis)?;
        let count = self.shape()[axis];
        if count < 2 {
            return Err(Error::shape(
                name,
                format!("axis {axis} of {} has fewer than 2 samples", self.shape()),
            ));
        }
        let last = count as i64 - 1;
        let x = build::cast(name, self, DType::F32)?;
        let differences = |x: &Tensor, axis| -> Result<Tensor> {
            let (after, before) = (x.between(name, axis, 1, last + 1)?, x.between(name, axis, 0, last)?);
            build::binary(name, Binary::Sub, &after, &before)
        };
        let spacing = spacing.into().to_tensor(name, self.device(), DType::F32)?;
        let spacing = build::cast(name, &spacing, DType::F32)?;
        let rise = differences(&x, axis)?;
        let (slopes, widths) = match spacing.rank() {
            0 => (rise.div(&spacing)?, None),
            1 if spacing.size() == count => {
                let mut along = vec![1; x.rank()];
                along[axis] = count - 1;
                let widths = build::reshape(name, &differences(&spacing, 0)?, &along.as_slice().into())?;
                (rise.div(&widths)?, Some(widths))
            }
            _ => {
                let what =
                    format!("the spacing {} is neither a number nor a vector of {count}", spacing.shape());
                return Err(Error::shape(name, what));
            }
        };
        let (first, end) = (slopes.between(name, axis, 0, 1)?, slopes.between(name, axis, last - 1, last)?);
        if count == 2 {
            return concat(&[&first, &end], axis as i64);
        }
        let (left, right) = (slopes.between(name, axis, 0, last - 1)?, slopes.between(name, axis, 1, last)?);
        // The slope of each side is weighted with the width of the other.
        let inside = match widths {
            None => left.add(&right)?.mul(0.5)?,
            Some(widths) => {
                let (before, after) =
                    (widths.between(name, axis, 0, last - 1)?, widths.between(name, axis, 1, last)?);
                let weighted = left.mul(&after)?.add(right.mul(&before)?)?;
                weighted.div(before.add(&after)?)?
            }
        };
        concat(&[&first, &inside, &end], axis as i64)
    }
}
