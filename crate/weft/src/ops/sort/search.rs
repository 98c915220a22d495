//! Binary search in sorted vectors, and bins by edges.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::ops::elementwise::select;
use crate::ops::shape::slice::Part;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Literal, Result};

impl Tensor {
    /// The position at which each of `values` would have to be inserted into this sorted vector so
    /// that it stays sorted, as i32: before equals, or after them if `after`. NaN belongs at the
    /// end. Errors with `Shape` unless this is a vector.
    pub fn search_sorted(&self, values: impl Into<Operand>, after: bool) -> Result<Tensor> {
        search_sorted(self.device(), self, values.into(), after)
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
            // NaN is above every number, since no comparison with it holds; two NaNs are equal.
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

/// The bin in which each element lies: how many of the ascending edges are not above it (or, from
/// the right, below it), as i32. Edges may descend, too. Errors with `Shape` unless they are a
/// vector.
pub(crate) fn digitize(device: &Device, x: Operand, edges: &Tensor, right: bool) -> Result<Tensor> {
    if edges.rank() != 1 {
        return Err(Error::shape("digitize", format!("takes a vector of edges, got {}", edges.shape())));
    }
    let ascending = search_sorted(device, edges, x.clone(), !right)?;
    if edges.size() < 2 {
        return Ok(ascending);
    }
    let before = search_sorted(device, &edges.flip(None)?, x, !right)?;
    let descending = before.neg()?.add(edges.size() as f64)?;
    let falls = edges.part(&[Part::At(0)])?.greater(edges.part(&[Part::At(-1)])?)?;
    select(&falls, descending, ascending)
}
