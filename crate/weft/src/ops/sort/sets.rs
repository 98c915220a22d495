//! Union, intersection and differences of sets. Both tensors are sorted as one, equal elements are
//! a group, and each group knows which tensor it came from. The number of results is data, so the
//! caller says how many places there are.
//!
//! Deferred: few programs need sets.

use crate::device::literal;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::concat;
use crate::ops::sort;
use weft_ir::op::{Binary, Compare, Op, ScatterOp, Unary};
use weft_ir::{DType, Literal, Result};

/// Which different elements of two tensors are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Members {
    /// Those of either.
    Union,
    /// Those of both.
    Common,
    /// Those of the first that are not of the second.
    First,
    /// Those of one alone.
    Alone,
}

impl Members {
    /// Each by its number.
    pub const ALL: [Members; 4] = [Members::Union, Members::Common, Members::First, Members::Alone];
}

/// What is wanted of the elements in order.
struct Sorted {
    elements: Tensor,
    /// The place of each among the members, and beyond all for those that are none, or no longer
    /// the first of their kind.
    places: Tensor,
    count: Tensor,
}

impl Tensor {
    /// The different elements of this and `other` that are wanted, of the flattened tensors, in
    /// ascending order and in the dtype in which both meet, with `size` places: `fill` behind them,
    /// and what there is no place for is left out. NaN, which equals nothing, is not in common.
    ///
    /// Errors with `Value` for a number that does not fit the dtype.
    pub fn members(&self, other: &Tensor, which: Members, size: usize, fill: f64) -> Result<Tensor> {
        let name = "members";
        let Sorted { elements, places, .. } = sorted(name, self, other, which)?;
        let fill = self.device().scalar(literal(name, fill, elements.dtype())?);
        let base = build::expand(name, &build::cast(name, &fill, elements.dtype())?, &[size].into())?;
        if size == 0 || elements.size() == 0 {
            return Ok(base);
        }
        self.device().append(name, Op::Scatter { axis: 0, op: ScatterOp::Set }, &[&base, &places, &elements])
    }

    /// How many elements [`Tensor::members`] finds, as a 0-d i32.
    pub fn member_count(&self, other: &Tensor, which: Members) -> Result<Tensor> {
        Ok(sorted("members", self, other, which)?.count)
    }
}

fn sorted(name: &str, a: &Tensor, b: &Tensor, which: Members) -> Result<Sorted> {
    let both = concat(&[&a.flatten()?, &b.flatten()?], 0)?;
    let count = both.size();
    if count == 0 {
        let count = a.device().constant(name, Literal::I32(0))?;
        return Ok(Sorted { places: build::cast(name, &both, DType::I32)?, elements: both, count });
    }
    let (keys, bits) = sort::keys(name, &both, false)?;
    let order = a.device().append(name, Op::ArgSort { axis: 0, bits }, &[&keys])?;
    let (elements, keys) = (both.along(name, &order, 0)?, keys.along(name, &order, 0)?);
    // The sort is stable: of equal elements those of the second come last.
    let second = order.greater_equal(a.size() as f64)?;
    let pairs = |x: &Tensor| -> Result<(Tensor, Tensor)> {
        Ok((x.between(name, 0, 0, count as i64 - 1)?, x.between(name, 0, 1, count as i64)?))
    };
    let differs =
        |x: &Tensor| pairs(x).and_then(|(left, right)| build::compare(name, Compare::Ne, &left, &right));
    let mut begins = differs(&keys)?;
    if which != Members::Union && elements.dtype() == DType::F32 {
        let nan = build::unary(name, Unary::IsNan, &pairs(&elements)?.1)?;
        let other = build::binary(name, Binary::And, &nan, &differs(&second)?)?;
        begins = build::binary(name, Binary::Or, &begins, &other)?;
    }
    let begins = build::pad_axis(name, &begins, 0, (1, 0), Literal::Bool(true))?;
    let group = build::cast(name, &begins, DType::I32)?.cumsum(0)?.sub(1.0)?;
    // Whether a group has elements of the first, and of the second.
    let none = build::constant_like(name, &second, Literal::Bool(false))?;
    let has = |which: &Tensor| {
        a.device().append(name, Op::Scatter { axis: 0, op: ScatterOp::Max }, &[&none, &group, which])
    };
    let (first, second) = (has(&second.logical_not()?)?, has(&second)?);
    let wanted = match which {
        Members::Union => build::binary(name, Binary::Or, &first, &second)?,
        Members::Common => build::binary(name, Binary::And, &first, &second)?,
        Members::First => build::compare(name, Compare::Gt, &first, &second)?,
        Members::Alone => build::binary(name, Binary::Xor, &first, &second)?,
    };
    let number = build::cast(name, &wanted, DType::I32)?;
    let ranks = number.cumsum(0)?.sub(1.0)?;
    let is_member = build::binary(name, Binary::And, &begins, &wanted.along(name, &group, 0)?)?;
    let nowhere = build::constant_like(name, &group, Literal::I32(i32::MAX))?;
    let places = build::select(name, &is_member, &ranks.along(name, &group, 0)?, &nowhere)?;
    Ok(Sorted { elements, places, count: number.sum(None, false)? })
}
