//! Segment reductions: rows grouped by a number each, as scatters into the identity of the
//! reduction.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Binary, Op, ReduceOp, ScatterOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

impl Tensor {
    /// The sums of the rows, along axis 0, of each of `count` segments; `ids` (i32 or u32) names
    /// the segment of each. Rows of others are left out; 0 for a segment of none. Bools count as 0
    /// and 1.
    ///
    /// Errors with `DType` for ids that are not integers, `Shape` unless there is one for each row,
    /// `Axis` for a 0-d tensor, as all of these do.
    pub fn segment_sum(&self, ids: &Tensor, count: usize) -> Result<Tensor> {
        let counted = if self.dtype() == DType::Bool { DType::I32 } else { self.dtype() };
        let rows = build::cast("segmentSum", self, counted)?;
        segments("segmentSum", &rows, ids, count, ScatterOp::Add, ReduceOp::Sum)
    }

    /// The largest of each segment, as [`Tensor::segment_sum`] names them; −∞, or the least that
    /// there is, for one of none.
    pub fn segment_max(&self, ids: &Tensor, count: usize) -> Result<Tensor> {
        segments("segmentMax", self, ids, count, ScatterOp::Max, ReduceOp::Max)
    }

    /// The smallest of each segment, as [`Tensor::segment_sum`] names them; ∞, or the greatest that
    /// there is, for one of none.
    pub fn segment_min(&self, ids: &Tensor, count: usize) -> Result<Tensor> {
        segments("segmentMin", self, ids, count, ScatterOp::Min, ReduceOp::Min)
    }

    /// The means of each segment, as [`Tensor::segment_sum`] names them, in f32; NaN for one of
    /// none.
    pub fn segment_mean(&self, ids: &Tensor, count: usize) -> Result<Tensor> {
        let name = "segmentMean";
        let sum = |rows: &Tensor| segments(name, rows, ids, count, ScatterOp::Add, ReduceOp::Sum);
        let sums = sum(&build::cast(name, self, DType::F32)?)?;
        let ones = build::expand(name, &self.device().constant(name, Literal::I32(1))?, ids.shape())?;
        let counts = build::cast(name, &sum(&ones)?, DType::F32)?;
        let column = [&[count][..], &vec![1; self.rank() - 1]].concat().into();
        let counts = build::expand(name, &build::reshape(name, &counts, &column)?, sums.shape())?;
        build::binary(name, Binary::Div, &sums, &counts)
    }
}

/// Rows put together by `op`, beginning with the identity of `whole`.
fn segments(
    name: &str,
    rows: &Tensor,
    ids: &Tensor,
    count: usize,
    op: ScatterOp,
    whole: ReduceOp,
) -> Result<Tensor> {
    let axis = rows.shape().axis(name, 0)?;
    if !ids.dtype().is_integer() {
        return Err(Error::dtype(name, format!("ids must be i32 or u32, got {}", ids.dtype())));
    }
    if ids.shape()[..] != rows.shape()[..1] {
        let what = format!("{} has {} rows, and ids are {}", rows.shape(), rows.shape()[0], ids.shape());
        return Err(Error::shape(name, what));
    }
    let shape = Shape::checked(name, &[&[count], &rows.shape()[1..]].concat())?;
    let first = rows.device().constant(name, whole.identity(rows.dtype()))?;
    let base = build::expand(name, &first, &shape)?;
    if count == 0 {
        return Ok(base);
    }
    rows.device().append(name, Op::Scatter { axis, op }, &[&base, ids, rows])
}
