//! Scatters: copies of a tensor with the elements changed that positions, ranges and indices name
//! together. Several updates of one place apply one after the other: a scatter does that for sums,
//! minima and maxima; others are combined by place first.
//!
//! Deferred: few programs index by tensors.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::select;
use crate::ops::index::advanced::{Outside, Pick, Plan};
use crate::ops::reduce::associative::associative_scan;
use crate::ops::shape::slice::Range;
use weft_ir::op::{Binary, Compare, Op, ScatterOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// How an element and what is put there become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operations")]
pub enum Put {
    Set,
    Add,
    Min,
    Max,
    Sub,
    Mul,
    Div,
    Pow,
    And,
    Or,
    Xor,
}

impl Put {
    /// Each by its number.
    pub const ALL: [Put; 11] = {
        use Put::*;
        [Set, Add, Min, Max, Sub, Mul, Div, Pow, And, Or, Xor]
    };

    /// The primitive that a scatter does by itself.
    fn scatter(self) -> Option<ScatterOp> {
        Some(match self {
            Put::Set => ScatterOp::Set,
            Put::Add => ScatterOp::Add,
            Put::Min => ScatterOp::Min,
            Put::Max => ScatterOp::Max,
            _ => return None,
        })
    }

    /// The function of two elements.
    fn of(self, name: &str, x: &Tensor, value: &Tensor) -> Result<Tensor> {
        let op = match self {
            Put::Set => return Ok(value.clone()),
            Put::Div => return x.div(value),
            Put::Add => Binary::Add,
            Put::Sub => Binary::Sub,
            Put::Min => Binary::Min,
            Put::Max => Binary::Max,
            Put::Mul => Binary::Mul,
            Put::Pow => Binary::Pow,
            Put::And => Binary::And,
            Put::Or => Binary::Or,
            Put::Xor => Binary::Xor,
        };
        build::binary(name, op, x, value)
    }

    /// What puts several updates together, and what that begins with.
    fn together(self, dtype: DType) -> (Put, Literal) {
        match self {
            Put::And if dtype == DType::Bool => (self, Literal::Bool(true)),
            Put::And if dtype == DType::I32 => (self, Literal::I32(-1)),
            Put::And => (self, Literal::U32(u32::MAX)),
            Put::Or | Put::Xor => (self, Literal::zero(dtype)),
            Put::Sub => (Put::Add, Literal::zero(dtype)),
            _ => (Put::Mul, Literal::from_f64(dtype, 1.0)),
        }
    }
}

impl Tensor {
    /// A copy in which `values`, which broadcast to what `picks` name, are put there. Of several
    /// replacements of one element the last counts; products of all, and bits of all, are put
    /// together first, as JAX does.
    ///
    /// A mask, a bool tensor that alone stands for the first axes, names the elements where it
    /// holds; `values` then broadcast to what it leaves of the axes.
    ///
    /// Errors as [`Tensor::pick`] does but where there is nothing to take, and with `DType` for
    /// arithmetic on bool and for bits of floats.
    pub fn put(
        &self,
        picks: &[Pick],
        outside: Outside,
        way: Put,
        values: impl Into<Operand>,
    ) -> Result<Tensor> {
        let (name, device, values) = ("at.set", self.device(), values.into());
        let is_bits = matches!(way, Put::And | Put::Or | Put::Xor);
        let suits = match self.dtype() {
            DType::Bool => is_bits || matches!(way, Put::Set | Put::Min | Put::Max),
            dtype => dtype.is_integer() || !is_bits,
        };
        if !suits {
            let what = if is_bits { "bits to change" } else { "arithmetic" };
            return Err(Error::dtype(name, format!("{} has no {what}", self.dtype())));
        }
        let value = values.to_tensor(name, device, self.dtype())?;
        if let [Pick::Many(mask)] = picks
            && mask.indices.dtype() == DType::Bool
        {
            return self.put_where(name, &mask.indices, way, &value);
        }
        let plan = Plan::new(name, self, picks, outside)?;
        if Shape::broadcast(name, value.shape(), &plan.shape)? != plan.shape {
            let what = format!("{} does not broadcast to the {} elements named", value.shape(), plan.shape);
            return Err(Error::shape(name, what));
        }
        if plan.shape.size() == 0 {
            return build::cast(name, self, if way == Put::Div { DType::F32 } else { self.dtype() });
        }
        let value = build::expand(name, &value, &plan.shape)?;
        // The tensor before each range is applied, and after.
        let (mut wholes, mut part) = (Vec::new(), self.clone());
        for (axis, &range) in plan.ranges.iter().enumerate().filter(|(_, range)| **range != Range::ALL) {
            let mut ranges = vec![Range::ALL; axis + 1];
            ranges[axis] = range;
            let inner = part.sliced(name, &ranges)?;
            wholes.push((axis, range, std::mem::replace(&mut part, inner)));
        }
        let mut changed = match &plan.found {
            None => way.of(name, &part, &build::reshape(name, &value, part.shape())?)?,
            Some(found) => {
                let lines = found.lines(name, &part)?;
                let (before, after) = lines.shape().split_at(found.axis);
                let shape = [before, found.at.shape(), &after[1..]].concat();
                let value = build::reshape(name, &value, &shape.into())?;
                // Indices out of range are dropped, unless the mode maps them to an element.
                let nowhere = build::constant_like(name, &found.at, Literal::I32(after[0] as i32))?;
                let at = match outside {
                    Outside::Usual | Outside::Fill(_) => {
                        build::select(name, &found.beyond, &nowhere, &found.at)?
                    }
                    Outside::Nearest | Outside::FromStart | Outside::Wrap => found.at.clone(),
                };
                let lines = scatter(name, &lines, found.axis, &at, &value, way)?;
                found.part(name, &lines, part.shape())?
            }
        };
        for (axis, range, whole) in wholes.into_iter().rev() {
            let (start, count) = range.resolve(whole.shape()[axis]);
            let whole = build::cast(name, &whole, changed.dtype())?;
            let along = device.positions(name, &[count].into(), 0, DType::I32)?;
            let step = if count > 1 { range.step as f64 } else { 0.0 };
            let at = along.mul(step)?.add(start as f64)?;
            changed =
                device.append(name, Op::Scatter { axis, op: ScatterOp::Set }, &[&whole, &at, &changed])?;
        }
        Ok(changed)
    }

    fn put_where(&self, name: &str, mask: &Tensor, way: Put, value: &Tensor) -> Result<Tensor> {
        let (own, shape) = (mask.shape(), self.shape());
        if own.rank() > shape.rank() || own[..] != shape[..own.rank()] {
            return Err(Error::shape(name, format!("a mask {own} is not of the first axes of {shape}")));
        }
        let rest: Shape = shape[own.rank()..].into();
        if Shape::broadcast(name, value.shape(), &rest)? != rest {
            let what = format!("{} does not broadcast to {rest}", value.shape());
            return Err(Error::shape(name, what));
        }
        let changed = way.of(name, self, &build::expand(name, value, shape)?)?;
        let column = [&own[..], &vec![1; rest.rank()]].concat();
        select(&build::reshape(name, mask, &column.into())?, &changed, self)
    }

    /// With `values` at the positions along `axis` that [`Tensor::take_along_axis`] would take; of
    /// positions given twice any may win. Those beyond the axis are left out, or mean what
    /// `outside` says. Errors with `Axis`, with `Value` for positions that are no integers, and
    /// with `Shape` where these or the values do not fit.
    pub fn put_along_axis(
        &self,
        positions: &Tensor,
        values: &Tensor,
        axis: i64,
        outside: Outside,
    ) -> Result<Tensor> {
        let name = "putAlongAxis";
        let place = self.shape().axis(name, axis)?;
        if !positions.dtype().is_integer() {
            let what = format!("positions are whole numbers, got {}", positions.dtype());
            return Err(Error::value(name, what));
        }
        if positions.rank() != self.rank() {
            let what = format!("{} are no positions in {}", positions.shape(), self.shape());
            return Err(Error::shape(name, what));
        }
        let (extent, mut shape) = (self.shape()[place], self.shape().to_vec());
        shape[place] = positions.shape()[place];
        let along = build::cast(name, positions, DType::I32)?.broadcast_to(&shape)?;
        let along = match outside {
            Outside::Nearest => along.clip(Some(0.0), Some(extent.saturating_sub(1) as f64))?,
            Outside::Wrap => along.remainder(extent as f64)?,
            Outside::Usual | Outside::FromStart | Outside::Fill(_) => along,
        };
        let shape: Shape = shape.into();
        // Indices out of range go beyond the last element, and are dropped.
        let mut flat = select(&along.less(0.0)?, along.add(extent as f64)?, &along)?;
        let beyond = flat.less(0.0)?.logical_or(flat.greater_equal(extent as f64)?)?;
        let stride = |axis: usize| self.shape()[axis + 1..].iter().product::<usize>() as f64;
        flat = flat.mul(stride(place))?;
        for axis in (0..self.rank()).filter(|&axis| axis != place) {
            let own = self.device().positions(name, &shape, axis, DType::I32)?;
            flat = flat.add(own.mul(stride(axis))?)?;
        }
        let flat = select(&beyond, self.size() as f64, flat)?;
        let put = values.broadcast_to(&shape)?.cast(self.dtype())?;
        let found = self.flatten()?.at(flat.flatten()?).set(put.flatten()?)?;
        build::reshape(name, &found, self.shape())
    }
}

/// `x` with `value` put at positions along an axis; those beyond it are left out.
fn scatter(name: &str, x: &Tensor, axis: usize, at: &Tensor, value: &Tensor, way: Put) -> Result<Tensor> {
    let append = |op, base: &Tensor, at: &Tensor, value: &Tensor| {
        base.device().append(name, Op::Scatter { axis, op }, &[base, at, value])
    };
    if let Some(op) = way.scatter() {
        return append(op, x, at, value);
    }
    let (kind, first) = way.together(x.dtype());
    let first = build::constant_like(name, x, first)?;
    let all = match kind.scatter() {
        Some(op) => append(op, &first, at, value)?,
        None => {
            let (at, value) = by_place(name, x.shape()[axis], axis, at, value, kind)?;
            append(ScatterOp::Set, &first, &at, &value)?
        }
    };
    let changed = way.of(name, x, &all)?;
    if !matches!(way, Put::Div | Put::Pow) {
        return Ok(changed);
    }
    // Divisions and powers round: x / 1 and x¹ may differ from x, so elements without an update are
    // taken from x itself.
    let none = build::constant_like(name, x, Literal::I32(0))?;
    let ones = build::constant_like(name, value, Literal::I32(1))?;
    let touched = build::cast(name, &append(ScatterOp::Max, &none, at, &ones)?, DType::Bool)?;
    select(&touched, &changed, x)
}

/// One update for each place of an axis of `extent`: all to it, in their order, put together. The
/// others' places lie beyond the axis.
fn by_place(
    name: &str,
    extent: usize,
    axis: usize,
    at: &Tensor,
    value: &Tensor,
    way: Put,
) -> Result<(Tensor, Tensor)> {
    let count = at.size();
    let (before, after) = (&value.shape()[..axis], &value.shape()[axis + at.rank()..]);
    let lines = build::reshape(name, value, &[before, &[count], after].concat().into())?;
    let at = build::reshape(name, at, &[count].into())?;
    if count < 2 {
        return Ok((at, lines));
    }
    let order = at.argsort(0, false)?;
    let sorted = at.along(name, &order, 0)?;
    let lines = lines.device().append(name, Op::Gather { axis }, &[&lines, &order])?;
    let (left, right) =
        (sorted.between(name, 0, 0, count as i64 - 1)?, sorted.between(name, 0, 1, count as i64)?);
    let differs = build::compare(name, Compare::Ne, &left, &right)?;
    let edge = |widths| build::pad_axis(name, &differs, 0, widths, Literal::Bool(true));
    let mut column = vec![1; lines.rank()];
    column[axis] = count;
    let begins = build::reshape(name, &edge((1, 0))?, &column.into())?;
    // A segmented scan: an update that begins a position discards what came before it.
    let mut join = |a: &[Tensor], b: &[Tensor]| {
        let both = way.of(name, &a[1], &b[1])?;
        Ok(vec![build::binary(name, Binary::Or, &a[0], &b[0])?, select(&b[0], &b[1], &both)?])
    };
    let joined = associative_scan(&mut join, &[begins, lines], axis as i64, false)?;
    let nowhere = build::constant_like(name, &sorted, Literal::I32(extent as i32))?;
    Ok((build::select(name, &edge((0, 1))?, &sorted, &nowhere)?, joined[1].clone()))
}
