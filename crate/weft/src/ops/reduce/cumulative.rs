//! Cumulative reductions along an axis.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Op, ReduceOp, Scan};
use weft_ir::{DType, Literal, Result};

/// Which elements a running reduction takes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Running {
    /// All from each element on, instead of up to it.
    pub reverse: bool,
    /// Not the element itself, so that the first result is that of nothing: 0 for a sum, 1 for a
    /// product, the least or greatest of the dtype.
    pub exclusive: bool,
}

impl Tensor {
    /// The sum of all elements up to each along `axis`; of bools as i32. Errors with `Axis` when
    /// out of range, as all of these do.
    pub fn cumsum(&self, axis: i64) -> Result<Tensor> {
        self.cumsum_with(axis, Running::default())
    }

    /// [`Tensor::cumsum`] the other way or without each element's own.
    pub fn cumsum_with(&self, axis: i64, how: Running) -> Result<Tensor> {
        let x = build::cast("cumsum", self, self.dtype().accumulate())?;
        running("cumsum", &x, axis, ReduceOp::Sum, how)
    }

    /// The product of all elements up to each along `axis`; of bools as i32.
    pub fn cumprod(&self, axis: i64) -> Result<Tensor> {
        self.cumprod_with(axis, Running::default())
    }

    /// [`Tensor::cumprod`] the other way or without each element's own.
    pub fn cumprod_with(&self, axis: i64, how: Running) -> Result<Tensor> {
        let x = build::cast("cumprod", self, self.dtype().accumulate())?;
        running("cumprod", &x, axis, ReduceOp::Prod, how)
    }

    /// The largest of all elements up to each along `axis`; NaN from the first on. Its gradient
    /// goes to the first of equal ones.
    pub fn cummax(&self, axis: i64) -> Result<Tensor> {
        self.cummax_with(axis, Running::default())
    }

    /// [`Tensor::cummax`] the other way or without each element's own.
    pub fn cummax_with(&self, axis: i64, how: Running) -> Result<Tensor> {
        running("cummax", self, axis, ReduceOp::Max, how)
    }

    /// The smallest of all elements up to each along `axis`; NaN from the first on. Its gradient
    /// goes to the first of equal ones.
    pub fn cummin(&self, axis: i64) -> Result<Tensor> {
        self.cummin_with(axis, Running::default())
    }

    /// [`Tensor::cummin`] the other way or without each element's own.
    pub fn cummin_with(&self, axis: i64, how: Running) -> Result<Tensor> {
        running("cummin", self, axis, ReduceOp::Min, how)
    }

    /// log Σ eˣ of all elements up to each along `axis`, without overflow, in f32.
    pub fn log_cum_sum_exp(&self, axis: i64) -> Result<Tensor> {
        self.log_cum_sum_exp_with(axis, false)
    }

    /// [`Tensor::log_cum_sum_exp`], of all from each on if `reverse`.
    ///
    /// Deferred: few first programs add running exponentials.
    pub fn log_cum_sum_exp_with(&self, axis: i64, reverse: bool) -> Result<Tensor> {
        let name = "logCumSumExp";
        let x = build::cast(name, self, DType::F32)?;
        let mut join =
            |a: &[Tensor], b: &[Tensor]| -> Result<Vec<Tensor>> { Ok(vec![a[0].log_add_exp(&b[0])?]) };
        let mut all = crate::ops::reduce::associative::associative_scan(&mut join, &[x], axis, reverse)
            .map_err(|error| error.named(name))?;
        Ok(all.remove(0))
    }

    /// [`Tensor::cumsum`], behind a 0 if `initial`.
    pub fn cumulative_sum(&self, axis: i64, initial: bool) -> Result<Tensor> {
        self.cumsum(axis)?.behind("cumulativeSum", axis, initial, Literal::zero)
    }

    /// [`Tensor::cumprod`], behind a 1 if `initial`.
    pub fn cumulative_prod(&self, axis: i64, initial: bool) -> Result<Tensor> {
        self.cumprod(axis)?.behind("cumulativeProd", axis, initial, Literal::one)
    }

    /// A running result, behind that of nothing where it is asked for.
    fn behind(self, name: &str, axis: i64, asked: bool, nothing: fn(DType) -> Literal) -> Result<Tensor> {
        if !asked {
            return Ok(self);
        }
        let along = self.shape().axis(name, axis)?;
        build::pad_axis(name, &self, along, (1, 0), nothing(self.dtype()))
    }
}

/// Along an axis; a number is a vector of one.
fn running(name: &str, x: &Tensor, axis: i64, op: ReduceOp, how: Running) -> Result<Tensor> {
    let x = if x.rank() == 0 { &build::reshape(name, x, &[1].into())? } else { x };
    let axis = x.shape().axis(name, axis)?;
    let block = x.shape()[axis].max(1);
    let Running { reverse, exclusive } = how;
    x.device().append(name, Op::Scan(Scan { axis, op, reverse, exclusive, block }), &[x])
}
