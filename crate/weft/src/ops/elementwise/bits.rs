//! Booleans packed into the bits of bytes, and unpacked.
//!
//! Deferred: few programs work on bits.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Binary, Compare};
use weft_ir::{DType, Error, Literal, Result};

const BYTE: usize = 8;

/// How far the bit of each place of a byte is to be shifted, as u32: the first is the highest,
/// unless it is little.
fn shifts(x: &Tensor, little: bool) -> Result<Tensor> {
    let places: Vec<u32> = (0..BYTE as u32).map(|place| if little { place } else { 7 - place }).collect();
    x.device().tensor(&places, &[BYTE])
}

/// The tensor with `axis` last, or flattened where there is none; what to put back is the axis.
fn last(name: &str, x: &Tensor, axis: Option<i64>) -> Result<(Tensor, i64)> {
    let Some(axis) = axis else { return Ok((x.flatten()?, 0)) };
    let axis = x.shape().axis(name, axis)? as i64;
    Ok((x.move_axis(&[axis], &[-1])?, axis))
}

/// The shape of `x` with other last extents.
fn ending(x: &Tensor, end: &[usize]) -> Vec<i64> {
    let around = &x.shape()[..x.rank() - 1];
    around.iter().chain(end).map(|&extent| extent as i64).collect()
}

/// Whether elements are not 0, eight to a byte along `axis`, or of the flattened tensor; zeros fill
/// the last. As u8. Errors with `Axis`.
pub fn pack(x: &Tensor, axis: Option<i64>, little: bool) -> Result<Tensor> {
    let name = "packbits";
    let (x, axis) = last(name, x, axis)?;
    let zero = build::constant_like(name, &x, Literal::zero(x.dtype()))?;
    let bits = build::cast(name, &build::compare(name, Compare::Ne, &x, &zero)?, DType::U32)?;
    let count = bits.shape()[bits.rank() - 1];
    let bytes = count.div_ceil(BYTE);
    let along = bits.rank() - 1;
    let bits = build::pad_axis(name, &bits, along, (0, bytes * BYTE - count), Literal::zero(DType::U32))?;
    let bits = bits.reshape(&ending(&bits, &[bytes, BYTE]))?;
    let byte = bits.shift_left(shifts(&bits, little)?)?.sum(Some(&[-1]), false)?;
    byte.cast(DType::U8)?.move_axis(&[-1], &[axis])
}

/// The bits of bytes along `axis`, or of the flattened tensor, as u8: the first `count`, followed
/// by zeros where there are fewer, or all but the last −`count`, where it is given. Errors with
/// `Axis`, with `DType` for other than u8, and with `Value` for a count that is not whole or leaves
/// out more than there are.
pub fn unpack(x: &Tensor, axis: Option<i64>, count: Option<f64>, little: bool) -> Result<Tensor> {
    let name = "unpackbits";
    if x.dtype() != DType::U8 {
        return Err(Error::dtype(name, format!("takes u8, got {}", x.dtype())));
    }
    let (x, axis) = last(name, &build::cast(name, x, DType::U32)?, axis)?;
    let apart = x.reshape(&ending(&x, &[x.shape()[x.rank() - 1], 1]))?;
    let bits = apart.shift_right(shifts(&x, little)?)?;
    let one = build::constant_like(name, &bits, Literal::U32(1))?;
    let bits = build::binary(name, Binary::And, &bits, &one)?;
    let all = x.shape()[x.rank() - 1] * BYTE;
    let kept = match count {
        None => all as i64,
        Some(count) if count < 0.0 => all as i64 + count as i64,
        Some(count) => count as i64,
    };
    if kept < 0 || count.is_some_and(|count| count.fract() != 0.0 || !count.is_finite()) {
        return Err(Error::value(name, format!("there are {all} bits along the axis")));
    }
    let bits = bits.reshape(&ending(&x, &[all]))?.between(name, x.rank() - 1, 0, kept.min(all as i64))?;
    let missing = usize::try_from(kept).map_or(0, |kept| kept.saturating_sub(all));
    let along = bits.rank() - 1;
    let bits = build::pad_axis(name, &bits, along, (0, missing), Literal::zero(DType::U32))?;
    bits.cast(DType::U8)?.move_axis(&[-1], &[axis])
}
