//! Graph building: appends single primitives in the name of a user's operation, and leaves out
//! those that would change nothing.

use crate::device::tensor::Tensor;
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, Unary, View};
use weft_ir::{DType, Literal, Result, Shape};

pub(crate) fn unary(name: &str, op: Unary, x: &Tensor) -> Result<Tensor> {
    x.device().append(name, Op::Unary(op), &[x])
}

/// Both of one shape and dtype.
pub(crate) fn binary(name: &str, op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    a.device().append(name, Op::Binary(op), &[a, b])
}

/// Both of one shape and dtype.
pub(crate) fn compare(name: &str, op: Compare, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    a.device().append(name, Op::Compare(op), &[a, b])
}

/// All of one shape.
pub(crate) fn select(name: &str, condition: &Tensor, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    condition.device().append(name, Op::Select, &[condition, a, b])
}

pub(crate) fn cast(name: &str, x: &Tensor, dtype: DType) -> Result<Tensor> {
    if x.dtype() == dtype {
        x.node(name)?;
        return Ok(x.clone());
    }
    x.device().append(name, Op::Cast(dtype), &[x])
}

pub(crate) fn bitcast(name: &str, x: &Tensor, dtype: DType) -> Result<Tensor> {
    x.device().append(name, Op::Bitcast(dtype), &[x])
}

pub(crate) fn reshape(name: &str, x: &Tensor, shape: &Shape) -> Result<Tensor> {
    if x.shape() == shape {
        x.node(name)?;
        return Ok(x.clone());
    }
    x.device().append(name, Op::View(View::Reshape(shape.clone())), &[x])
}

/// Repeats axes of extent 1, and the whole along new axes in front. `x` must broadcast to `shape`.
pub(crate) fn expand(name: &str, x: &Tensor, shape: &Shape) -> Result<Tensor> {
    if x.shape() == shape {
        x.node(name)?;
        return Ok(x.clone());
    }
    let mut aligned = vec![1; shape.rank() - x.rank()];
    aligned.extend_from_slice(x.shape());
    let x = reshape(name, x, &aligned.into())?;
    if x.shape() == shape {
        return Ok(x);
    }
    x.device().append(name, Op::View(View::Expand(shape.clone())), &[&x])
}

pub(crate) fn permute(name: &str, x: &Tensor, axes: Vec<usize>) -> Result<Tensor> {
    if axes.iter().enumerate().all(|(i, &a)| i == a) {
        x.node(name)?;
        return Ok(x.clone());
    }
    x.device().append(name, Op::View(View::Permute(axes)), &[x])
}

/// Reduces over sorted distinct `axes`.
pub(crate) fn reduce(name: &str, op: ReduceOp, x: &Tensor, axes: &[usize], keepdims: bool) -> Result<Tensor> {
    let reduced = if axes.is_empty() {
        x.node(name)?;
        x.clone()
    } else {
        x.device().append(name, Op::Reduce { op, axes: axes.to_vec() }, &[x])?
    };
    if keepdims { reshape(name, &reduced, &x.shape().keepdims(axes)) } else { Ok(reduced) }
}

/// `value` everywhere, as part of the program's key.
pub(crate) fn constant_like(name: &str, x: &Tensor, value: Literal) -> Result<Tensor> {
    expand(name, &x.device().constant(name, value)?, x.shape())
}

/// Surrounded by `value`: for each axis how many elements before and after.
pub(crate) fn pad(name: &str, x: &Tensor, pads: &[(usize, usize)], value: Literal) -> Result<Tensor> {
    if pads.iter().all(|&p| p == (0, 0)) {
        return cast(name, x, x.dtype());
    }
    let extents = x.shape().iter().zip(pads).map(|(&e, &(b, a))| e.saturating_add(b).saturating_add(a));
    let view = View::Pad {
        low: pads.iter().map(|p| Coefficient::Const(p.0 as i64)).collect(),
        interior: vec![0; x.rank()],
        shape: Shape::checked(name, &extents.collect::<Vec<_>>())?,
        value,
    };
    x.device().append(name, Op::View(view), &[x])
}

/// [`pad`] of one axis.
pub(crate) fn pad_axis(
    name: &str,
    x: &Tensor,
    axis: usize,
    widths: (usize, usize),
    value: Literal,
) -> Result<Tensor> {
    let mut pads = vec![(0, 0); x.rank()];
    pads[axis] = widths;
    pad(name, x, &pads, value)
}
