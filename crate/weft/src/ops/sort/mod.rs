//! Sorting. One primitive sorts unsigned keys, stably: every dtype becomes such keys, and every
//! function here uses the positions that it yields. Values are gathered by them, and so
//! differentiate and batch.

pub(crate) mod quantile;
pub(crate) mod rank;
pub(crate) mod search;
pub(crate) mod sets;
pub(crate) mod unique;

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Binary, Compare, Op, ReduceOp, Unary};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Bits of a key.
const BITS: u32 = 32;
/// The bit of a float's or integer's sign.
const SIGN: u32 = 1 << 31;
/// Elements of a line that GPUs sort in one dispatch.
const SORTED: usize = 2048;
/// Elements of the groups in which the first of a line are looked for: at most, and so few that
/// choosing among groups would be hardly less than sorting.
const GROUP: usize = 128;
const LEAST_GROUP: usize = 4;

/// Unsigned numbers in the order of a tensor's elements, and how many of their bits count. Floats
/// go from −∞ to ∞, both zeros equal, NaN behind all.
pub(crate) fn keys(name: &str, x: &Tensor, descending: bool) -> Result<(Tensor, u32)> {
    let word = |of: &Tensor, value: u32| build::constant_like(name, of, Literal::U32(value));
    let bits = if x.dtype() == DType::Bool { 1 } else { BITS };
    let ascending = match x.dtype() {
        DType::Bool | DType::U32 => build::cast(name, x, DType::U32)?,
        DType::I32 => {
            let bits = build::bitcast(name, x, DType::U32)?;
            build::binary(name, Binary::Xor, &bits, &word(&bits, SIGN)?)?
        }
        DType::F32 => {
            let bits = build::bitcast(name, x, DType::U32)?;
            let (sign, all) = (word(&bits, SIGN)?, word(&bits, u32::MAX)?);
            let is_negative = build::compare(name, Compare::Gt, &bits, &sign)?;
            let flips = build::select(name, &is_negative, &all, &sign)?;
            let turned = build::binary(name, Binary::Xor, &bits, &flips)?;
            // −0 gets the key of 0.
            let is_zero = build::compare(name, Compare::Eq, &bits, &sign)?;
            let turned = build::select(name, &is_zero, &sign, &turned)?;
            build::select(name, &build::unary(name, Unary::IsNan, x)?, &all, &turned)?
        }
        packed => return keys(name, &build::cast(name, x, packed.computed())?, descending),
    };
    if !descending {
        return Ok((ascending, bits));
    }
    let all = word(&ascending, u32::MAX >> (BITS - bits))?;
    Ok((build::binary(name, Binary::Xor, &ascending, &all)?, bits))
}

/// The positions that sort each line of an axis that there is, as i32.
pub(crate) fn positions(name: &str, x: &Tensor, axis: usize, descending: bool) -> Result<Tensor> {
    let (keys, bits) = keys(name, x, descending)?;
    x.device().append(name, Op::ArgSort { axis, bits }, &[&keys])
}

/// The rank of each element in the order of positions that come from [`positions`]: the inverse
/// permutation.
pub(crate) fn ranks(name: &str, order: &Tensor, axis: usize) -> Result<Tensor> {
    let keys = build::cast(name, order, DType::U32)?;
    let bits = bits_of(order.shape()[axis]);
    order.device().append(name, Op::ArgSort { axis, bits }, &[&keys])
}

/// Bits of the numbers below `count`.
fn bits_of(count: usize) -> u32 {
    BITS - (count.max(1) as u32 - 1).leading_zeros()
}

impl Tensor {
    /// The elements of each line of `axis` in ascending order, or descending; NaN behind all, in
    /// descending order before. Errors with `Axis`, as all of these do.
    pub fn sort(&self, axis: i64, descending: bool) -> Result<Tensor> {
        let name = "sort";
        let at = self.shape().axis(name, axis)?;
        self.along(name, &positions(name, self, at, descending)?, at)
    }

    /// The positions that put each line of `axis` in order, as i32; those of equal elements in
    /// ascending order either way.
    pub fn argsort(&self, axis: i64, descending: bool) -> Result<Tensor> {
        let axis = self.shape().axis("argsort", axis)?;
        positions("argsort", self, axis, descending)
    }

    /// The `k` largest elements of each line of `axis`, the largest first, and their positions as
    /// i32; of equal ones the first comes first, and NaN counts as the largest. Errors with `Value`
    /// when there are fewer.
    pub fn top_k(&self, k: usize, axis: i64) -> Result<(Tensor, Tensor)> {
        let name = "topK";
        let at = self.shape().axis(name, axis)?;
        enough(name, self.shape(), k, at)?;
        let (keys, bits) = keys(name, self, true)?;
        let order = least(name, &keys, bits, k, at)?;
        Ok((self.along(name, &order, at)?, order))
    }

    /// [`Tensor::sort`], which leaves the element at `kth` where it belongs, none greater before it
    /// and none smaller behind. Errors with `Value` where there is no such position.
    pub fn partition(&self, kth: i64, axis: i64) -> Result<Tensor> {
        self.has_place("partition", kth, axis)?;
        self.sort(axis, false)
    }

    /// The positions that [`Tensor::partition`] takes elements from.
    pub fn argpartition(&self, kth: i64, axis: i64) -> Result<Tensor> {
        self.has_place("argpartition", kth, axis)?;
        self.argsort(axis, false)
    }

    fn has_place(&self, name: &str, kth: i64, axis: i64) -> Result<()> {
        let extent = self.shape()[self.shape().axis(name, axis)?] as i64;
        if (-extent..extent).contains(&kth) {
            return Ok(());
        }
        Err(Error::value(name, format!("{kth} is no position on axis {axis} of {}", self.shape())))
    }
}

/// The first `count` elements along an axis that there is.
pub(crate) fn first(name: &str, x: &Tensor, count: usize, axis: usize) -> Result<Tensor> {
    enough(name, x.shape(), count, axis)?;
    x.between(name, axis, 0, count as i64)
}

fn enough(name: &str, shape: &Shape, count: usize, axis: usize) -> Result<()> {
    if count <= shape[axis] {
        return Ok(());
    }
    Err(Error::value(name, format!("axis {axis} of {shape} has fewer than {count} elements")))
}

/// The positions of the `k` least keys of each line of an axis, the least first, of equal ones the
/// first, as i32. Long lines are not sorted: none of the `k` lies outside of the `k` groups of
/// neighbours whose own least keys are least, or that group's least and those of the others would
/// all come before it. So the groups are chosen by their least keys, in the same way, and what lies
/// in them is sorted.
fn least(name: &str, keys: &Tensor, bits: u32, k: usize, axis: usize) -> Result<Tensor> {
    let (shape, device) = (keys.shape(), keys.device());
    let sorted = |keys: &Tensor, bits: u32| device.append(name, Op::ArgSort { axis, bits }, &[keys]);
    let group = 1 << (SORTED / k.max(1)).clamp(1, GROUP).ilog2();
    if shape[axis] <= SORTED || group < LEAST_GROUP {
        return first(name, &sorted(keys, bits)?, k, axis);
    }
    let groups = shape[axis].div_ceil(group);
    // The last group is padded with the largest key.
    let last = Literal::U32(u32::MAX >> (BITS - bits));
    let filled = build::pad_axis(name, keys, axis, (0, groups * group - shape[axis]), last)?;
    let mut parted = shape.to_vec();
    parted.splice(axis..=axis, [groups, group]);
    let parted = build::reshape(name, &filled, &parted.into())?;
    let heads = build::reduce(name, ReduceOp::Min, &parted, &[axis + 1], false)?;
    let chosen = least(name, &heads, bits, k, axis)?;
    // In their original order, so that the sort is stable.
    let order = sorted(&build::cast(name, &chosen, DType::U32)?, bits_of(groups))?;
    let chosen = chosen.along(name, &order, axis)?;

    let mut spread = chosen.shape().to_vec();
    spread.insert(axis + 1, 1);
    let first_of = build::reshape(name, &chosen, &spread.clone().into())?;
    spread[axis + 1] = group;
    let spread: Shape = spread.into();
    let first_of = build::expand(name, &first_of, &spread)?;
    let size = build::constant_like(name, &first_of, Literal::I32(group as i32))?;
    let first_of = build::binary(name, Binary::Mul, &first_of, &size)?;
    let within = device.positions(name, &spread, axis + 1, DType::I32)?;
    let members = build::binary(name, Binary::Add, &first_of, &within)?;
    let mut flat = shape.to_vec();
    flat[axis] = k * group;
    let members = build::reshape(name, &members, &flat.into())?;
    let order = first(name, &sorted(&filled.along(name, &members, axis)?, bits)?, k, axis)?;
    members.along(name, &order, axis)
}

/// The positions that sort by several keys, the last being the primary one, as i32. All keys have
/// one shape.
///
/// Errors with `Value` without keys, `Shape` where shapes differ, and `Axis`.
pub fn lexsort(keys: &[&Tensor], axis: i64) -> Result<Tensor> {
    let name = "lexsort";
    let Some(least) = keys.first() else { return Err(Error::value(name, "takes at least one key")) };
    if let Some(other) = keys.iter().find(|key| key.shape() != least.shape()) {
        return Err(Error::shape(
            name,
            format!("keys must have one shape, got {} and {}", least.shape(), other.shape()),
        ));
    }
    let axis = least.shape().axis(name, axis)?;
    let mut order = positions(name, least, axis, false)?;
    for key in &keys[1..] {
        let sorted = positions(name, &key.along(name, &order, axis)?, axis, false)?;
        order = order.along(name, &sorted, axis)?;
    }
    Ok(order)
}
