//! What do reductions give of all elements up to each?
//!
//! An axis is cut into blocks. Within a block each element reduces those up to it, which lie in one short row; what the blocks before
//! give together is found in the same way from the blocks' own results, and joined on. So no sum is longer than a few blocks, and the work
//! of an element is a block and a little more.

use crate::build;
use crate::tensor::Tensor;
use weft_ir::op::{Binary, Compare, ReduceOp};
use weft_ir::{DType, Literal, Result, Shape};

/// Elements of a block.
const BLOCK: usize = 32;

/// A reduction and how two of its results are joined.
#[derive(Clone, Copy)]
enum Running {
    Plain(ReduceOp, Binary),
    LogSumExp,
}

impl Tensor {
    /// The sum of all elements up to each along `axis`; of bools as i32. Errors with `Axis` when out of range, as all of these do.
    pub fn cumsum(&self, axis: i64) -> Result<Tensor> {
        let x = build::cast("cumsum", self, self.dtype().accumulate())?;
        running("cumsum", &x, axis, Running::Plain(ReduceOp::Sum, Binary::Add))
    }

    /// The product of all elements up to each along `axis`; of bools as i32.
    pub fn cumprod(&self, axis: i64) -> Result<Tensor> {
        let x = build::cast("cumprod", self, self.dtype().accumulate())?;
        running("cumprod", &x, axis, Running::Plain(ReduceOp::Prod, Binary::Mul))
    }

    /// The largest of all elements up to each along `axis`; NaN from the first on.
    pub fn cummax(&self, axis: i64) -> Result<Tensor> {
        running("cummax", self, axis, Running::Plain(ReduceOp::Max, Binary::Max))
    }

    /// The smallest of all elements up to each along `axis`; NaN from the first on.
    pub fn cummin(&self, axis: i64) -> Result<Tensor> {
        running("cummin", self, axis, Running::Plain(ReduceOp::Min, Binary::Min))
    }

    /// log Σ eˣ of all elements up to each along `axis`, without overflow, in f32.
    pub fn log_cum_sum_exp(&self, axis: i64) -> Result<Tensor> {
        let x = build::cast("logCumSumExp", self, DType::F32)?;
        running("logCumSumExp", &x, axis, Running::LogSumExp)
    }
}

impl Running {
    fn identity(self, dtype: DType) -> Literal {
        match self {
            Running::Plain(op, _) => op.identity(dtype),
            Running::LogSumExp => Literal::F32(f32::NEG_INFINITY),
        }
    }

    /// Over the last axis.
    fn reduce(self, name: &str, x: &Tensor) -> Result<Tensor> {
        match self {
            Running::Plain(op, _) => build::reduce(name, op, x, &[x.rank() - 1], false),
            Running::LogSumExp => x.log_sum_exp(Some(&[-1]), false),
        }
    }

    fn join(self, name: &str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        match self {
            Running::Plain(_, op) => build::binary(name, op, a, b),
            Running::LogSumExp => a.log_add_exp(b),
        }
    }
}

fn running(name: &str, x: &Tensor, axis: i64, how: Running) -> Result<Tensor> {
    let axis = x.shape().axis(name, axis)?;
    if x.shape()[axis] < 2 || x.size() == 0 {
        return build::cast(name, x, x.dtype());
    }
    let mut last: Vec<usize> = (0..x.rank()).filter(|&a| a != axis).collect();
    last.push(axis);
    let mut back: Vec<usize> = (0..x.rank() - 1).collect();
    back.insert(axis, x.rank() - 1);
    build::permute(name, &along_last(name, &build::permute(name, x, last)?, how)?, back)
}

fn along_last(name: &str, x: &Tensor, how: Running) -> Result<Tensor> {
    let outer = &x.shape()[..x.rank() - 1];
    let extent = x.shape()[x.rank() - 1];
    let block = extent.min(BLOCK);
    let blocks = extent.div_ceil(block);
    let shaped = |more: &[usize]| Shape::checked(name, &[outer, more].concat());
    let identity = how.identity(x.dtype());
    let axis = outer.len();
    let x = build::pad_axis(name, x, axis, (0, blocks * block - extent), identity)?;
    // [.., block, place, earlier place]
    let rows = shaped(&[blocks, block, block])?;
    let each = build::reshape(name, &x, &shaped(&[blocks, 1, block])?)?;
    let place = x.device().positions(name, &rows, rows.rank() - 2, DType::I32)?;
    let earlier = x.device().positions(name, &rows, rows.rank() - 1, DType::I32)?;
    let until = build::compare(name, Compare::Le, &earlier, &place)?;
    let each = build::expand(name, &each, &rows)?;
    let each = build::select(name, &until, &each, &build::constant_like(name, &each, identity)?)?;
    let mut within = how.reduce(name, &each)?;
    if blocks > 1 {
        let totals = how.reduce(name, &build::reshape(name, &x, &shaped(&[blocks, block])?)?)?;
        // What the blocks before each give: shifted by one.
        let totals = along_last(name, &totals, how)?;
        let before = totals.between(name, axis, 0, blocks as i64 - 1)?;
        let before = build::pad_axis(name, &before, axis, (1, 0), identity)?;
        let before = build::reshape(name, &before, &shaped(&[blocks, 1])?)?;
        within = how.join(name, &build::expand(name, &before, within.shape())?, &within)?;
    }
    let all = build::reshape(name, &within, &shaped(&[blocks * block])?)?;
    all.between(name, axis, 0, extent as i64)
}
