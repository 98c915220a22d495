//! Unique elements. They are sorted, an element that differs from its neighbour begins a group, and
//! a running sum numbers the groups. The number of results is data, so the caller says how many
//! places there are.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::sort;
use crate::ops::sort::search::search_sorted;
use weft_ir::op::{Binary, Compare};
use weft_ir::{DType, Error, Literal, Result};

/// What [`Tensor::unique`] finds.
pub struct Unique {
    /// The different elements in ascending order, NaN once and last; behind them the first again.
    pub values: Tensor,
    /// Where each first stands in the flattened tensor, as i32; 0 behind them.
    pub indices: Tensor,
    /// Which of them each element is, as i32, in the shape of the tensor.
    pub inverse: Tensor,
    /// How often each stands there, as i32; 0 behind them.
    pub counts: Tensor,
}

/// The elements in order, and the group of each.
struct Groups {
    order: Tensor,
    group: Tensor,
}

impl Tensor {
    /// How many different elements there are, as a 0-d i32; all NaN are one.
    pub fn unique_count(&self) -> Result<Tensor> {
        let name = "uniqueCount";
        let flat = build::reshape(name, self, &[self.size()].into())?;
        if flat.size() == 0 {
            return self.device().constant(name, Literal::I32(0));
        }
        groups(name, &flat)?.group.max(None, false)?.add(1.0)
    }

    /// The different elements, of the flattened tensor, with `size` places: behind them the first
    /// stands again, and what there is no place for is left out. Errors with `Shape` where there is
    /// nothing to fill places with.
    pub fn unique(&self, size: usize) -> Result<Unique> {
        let name = "unique";
        let device = self.device();
        let flat = build::reshape(name, self, &[self.size()].into())?;
        if flat.size() == 0 {
            if size > 0 {
                return Err(Error::shape(
                    name,
                    format!("{} has no elements to fill {size} places", self.shape()),
                ));
            }
            let none = device.zeros(&[0], DType::I32)?;
            let inverse = build::reshape(name, &none, self.shape())?;
            return Ok(Unique { values: flat, indices: none.clone(), inverse, counts: none });
        }
        let Groups { order, group } = groups(name, &flat)?;
        let numbers = device.positions(name, &[size + 1].into(), 0, DType::I32)?;
        // Where each group begins in the order; the last entry is the end.
        let starts = search_sorted(device, &group, Operand::Tensor(numbers), false)?;
        let (from, to) =
            (starts.between(name, 0, 0, size as i64)?, starts.between(name, 0, 1, size as i64 + 1)?);
        let end = build::constant_like(name, &from, Literal::I32(flat.size() as i32))?;
        let is_group = build::compare(name, Compare::Lt, &from, &end)?;
        let nothing = build::constant_like(name, &from, Literal::I32(0))?;
        let first = order.along(name, &build::select(name, &is_group, &from, &nothing)?, 0)?;
        let values = flat.along(name, &first, 0)?;
        let ranks = sort::ranks(name, &order, 0)?;
        let inverse = build::reshape(name, &group.along(name, &ranks, 0)?, self.shape())?;
        let indices = build::select(name, &is_group, &first, &nothing)?;
        Ok(Unique { values, indices, inverse, counts: build::binary(name, Binary::Sub, &to, &from)? })
    }
}

/// Which of the different slices along `axis` each is, as i32, in the order of their elements, the
/// first element first: a vector. All NaN are one.
/// Errors with `Axis`.
pub(crate) fn unique_slices(x: &Tensor, axis: i64) -> Result<Tensor> {
    let name = "unique";
    let axis = x.shape().axis(name, axis)?;
    let (count, width) = (x.shape()[axis], x.shape().without(&[axis]).iter().product());
    if count == 0 || width == 0 {
        return x.device().zeros(&[count], DType::I32);
    }
    let rows = build::reshape(name, &x.move_axis(&[axis as i64], &[0])?, &[count, width].into())?;
    let (keys, bits) = sort::keys(name, &rows, false)?;
    let by = |keys: &Tensor| keys.device().append(name, weft_ir::op::Op::ArgSort { axis: 0, bits }, &[keys]);
    // From the last column to the first: each sort keeps the order of equals.
    let mut order: Option<Tensor> = None;
    for column in (0..width as i64).rev() {
        let own = build::reshape(name, &keys.between(name, 1, column, column + 1)?, &[count].into())?;
        order = Some(match order {
            None => by(&own)?,
            Some(order) => order.along(name, &by(&own.along(name, &order, 0)?)?, 0)?,
        });
    }
    let Some(order) = order else { return x.device().zeros(&[count], DType::I32) };
    let sorted = keys.take(&order, Some(0))?;
    let count = count as i64;
    let (before, own) = (sorted.between(name, 0, 0, count - 1)?, sorted.between(name, 0, 1, count)?);
    let differs = build::compare(name, Compare::Ne, &before, &own)?.any(Some(&[1]), false)?;
    let group = build::pad_axis(name, &build::cast(name, &differs, DType::I32)?, 0, (1, 0), Literal::I32(0))?;
    group.cumsum(0)?.along(name, &sort::ranks(name, &order, 0)?, 0)
}

/// The groups of a vector's elements; there is at least one.
fn groups(name: &str, flat: &Tensor) -> Result<Groups> {
    let count = flat.size() as i64;
    let (keys, bits) = sort::keys(name, flat, false)?;
    let order = flat.device().append(name, weft_ir::op::Op::ArgSort { axis: 0, bits }, &[&keys])?;
    let sorted = keys.along(name, &order, 0)?;
    let (before, own) = (sorted.between(name, 0, 0, count - 1)?, sorted.between(name, 0, 1, count)?);
    let differs = build::cast(name, &build::compare(name, Compare::Ne, &before, &own)?, DType::I32)?;
    let group = build::pad_axis(name, &differs, 0, (1, 0), Literal::I32(0))?.cumsum(0)?;
    Ok(Groups { order, group })
}
