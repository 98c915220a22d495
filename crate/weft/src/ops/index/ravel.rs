//! Row-major positions of elements, from indices along each axis and back.

use crate::device::Device;
use crate::device::tensor::Tensor;
use weft_ir::{DType, Error, Result};

impl Tensor {
    /// The positions along each axis of `shape` of what stands at row-major positions.
    pub fn unravel(&self, shape: &[usize]) -> Result<Vec<Tensor>> {
        let mut rest = self.clone();
        let mut found = Vec::new();
        for &extent in shape.iter().rev() {
            found.push(rest.remainder(extent as f64)?);
            rest = rest.floor_divide(extent as f64)?;
        }
        found.reverse();
        Ok(found)
    }
}

/// The row-major positions of what stands at positions along each axis of `shape`. Errors with
/// `Shape` unless there are as many.
pub fn ravel(device: &Device, positions: &[&Tensor], shape: &[usize]) -> Result<Tensor> {
    if positions.len() != shape.len() {
        let what = format!("takes positions along {} axes, got {}", shape.len(), positions.len());
        return Err(Error::shape("ravelMultiIndex", what));
    }
    let mut sum = device.number(0.0, DType::I32)?;
    for (&along, &extent) in positions.iter().zip(shape) {
        sum = sum.mul(extent as f64)?.add(along)?;
    }
    Ok(sum)
}
