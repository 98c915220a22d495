//! Reductions over any axes, and functions composed of them: mean, variance, log-sum-exp.
//!
//! All take axes (`None` is all of them, negatives count from the end) and whether the axes stay
//! with extent 1.

pub(crate) mod associative;
pub(crate) mod cumulative;
pub(crate) mod masked;
pub(crate) mod nan;
pub(crate) mod parity;
pub(crate) mod segment;

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Literal, Result, Shape};

impl Tensor {
    /// Sum; of bools, how many are true, as i32. 0 over nothing.
    ///
    /// Errors with `Axis` for axes out of range or repeated, as every reduction does.
    pub fn sum(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.reduced("sum", ReduceOp::Sum, axes, keepdims, self.dtype().accumulate())
    }

    /// Product; of bools as i32. 1 over nothing.
    pub fn prod(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.reduced("prod", ReduceOp::Prod, axes, keepdims, self.dtype().accumulate())
    }

    /// Largest; NaN if any is. Errors with `Shape` over nothing.
    pub fn max(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.reduced("max", ReduceOp::Max, axes, keepdims, self.dtype())
    }

    /// Smallest; NaN if any is. Errors with `Shape` over nothing.
    pub fn min(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.reduced("min", ReduceOp::Min, axes, keepdims, self.dtype())
    }

    /// Whether all are true (not zero); true over nothing.
    pub fn all(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.quantified("all", ReduceOp::Min, axes, keepdims)
    }

    /// Whether any is true (not zero); false over nothing.
    pub fn any(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.quantified("any", ReduceOp::Max, axes, keepdims)
    }

    /// Arithmetic mean, in f32; NaN over nothing.
    pub fn mean(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.averaged("mean", axes, keepdims, 0.0)
    }

    /// Mean squared distance from the mean, divided by n − `correction` (0: of the population, 1:
    /// unbiased), in f32.
    pub fn var(&self, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        self.spread("variance", axes, keepdims, correction)
    }

    /// Square root of [`Tensor::var`].
    pub fn std(&self, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        build::unary("std", Unary::Sqrt, &self.spread("std", axes, keepdims, correction)?)
    }

    /// The variance, in the name of an operation.
    fn spread(&self, name: &str, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        let over = self.shape().axes(name, axes)?;
        let count = over.iter().map(|&axis| self.shape()[axis]).product::<usize>() as f64;
        let away = self.about_middle(name, axes)?;
        let sum = |x: &Tensor| build::reduce(name, ReduceOp::Sum, x, &over, keepdims);
        squares_about(name, &sum(&away)?, &sum(&away.square()?)?, count)?.div((count - correction).max(0.0))
    }

    /// Distances, in f32, from about the mean over axes. That passes on no gradient, so nothing
    /// that is made of them should depend on it. It is rounded, where elements are large by more
    /// than they lie apart: so distances have a mean of their own, which is small beside what they
    /// come to.
    pub(crate) fn about_middle(&self, name: &str, axes: Option<&[i64]>) -> Result<Tensor> {
        let x = build::cast(name, self, DType::F32)?;
        x.sub(x.averaged(name, axes, true, 0.0)?.detach()?)
    }

    /// Position of the largest, the lowest among ties, the first NaN if any, as i32. Over several
    /// axes or all, the row-major position within them. Errors with `Shape` over nothing.
    pub fn argmax(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.position("argmax", ReduceOp::ArgMax, axes, keepdims)
    }

    /// Position of the smallest; otherwise as [`Tensor::argmax`].
    pub fn argmin(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        self.position("argmin", ReduceOp::ArgMin, axes, keepdims)
    }

    /// log Σ eˣ without overflow, in f32; −∞ over nothing.
    pub fn log_sum_exp(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let name = "logSumExp";
        let x = build::cast(name, self, DType::F32)?;
        let over = x.shape().axes(name, axes)?;
        if over_nothing(x.shape(), &over) {
            return x.sum(axes, keepdims)?.log();
        }
        let top = finite_maximum(name, &x, &over)?;
        let sum = build::reduce(name, ReduceOp::Sum, &x.sub(&top)?.exp()?, &over, keepdims)?;
        sum.log()?.add(build::reshape(name, &top, sum.shape())?)
    }

    fn reduced(
        &self,
        name: &str,
        op: ReduceOp,
        axes: Option<&[i64]>,
        keepdims: bool,
        dtype: DType,
    ) -> Result<Tensor> {
        let axes = self.shape().axes(name, axes)?;
        if over_nothing(self.shape(), &axes) && matches!(op, ReduceOp::Max | ReduceOp::Min) {
            let left = if keepdims { self.shape().keepdims(&axes) } else { self.shape().without(&axes) };
            if self.shape().without(&axes).size() > 0 {
                return Err(nothing(name, self.shape(), &axes));
            }
            return build::expand(name, &self.device().constant(name, Literal::zero(dtype))?, &left);
        }
        build::reduce(name, op, &build::cast(name, self, dtype)?, &axes, keepdims)
    }

    fn quantified(&self, name: &str, op: ReduceOp, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let axes = self.shape().axes(name, axes)?;
        if over_nothing(self.shape(), &axes) {
            let shape = if keepdims { self.shape().keepdims(&axes) } else { self.shape().without(&axes) };
            let value = self.device().constant(name, op.identity(DType::Bool))?;
            return build::expand(name, &value, &shape);
        }
        build::reduce(name, op, &build::cast(name, self, DType::Bool)?, &axes, keepdims)
    }

    fn averaged(&self, name: &str, axes: Option<&[i64]>, keepdims: bool, correction: f64) -> Result<Tensor> {
        let axes = self.shape().axes(name, axes)?;
        let count: usize = axes.iter().map(|&a| self.shape()[a]).product();
        let sum = build::reduce(name, ReduceOp::Sum, &build::cast(name, self, DType::F32)?, &axes, keepdims)?;
        let divisor = Literal::from_f64(DType::F32, (count as f64 - correction).max(0.0));
        let divisor = build::constant_like(name, &sum, divisor)?;
        build::binary(name, weft_ir::op::Binary::Div, &sum, &divisor)
    }

    fn position(&self, name: &str, op: ReduceOp, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let axes = self.shape().axes(name, axes)?;
        let kept: Vec<usize> = (0..self.rank()).filter(|a| !axes.contains(a)).collect();
        let outer = self.shape().without(&axes);
        let result = if outer.size() == 0 {
            build::expand(name, &self.device().constant(name, Literal::I32(0))?, &outer)?
        } else if over_nothing(self.shape(), &axes) {
            return Err(nothing(name, self.shape(), &axes));
        } else if let [axis] = axes[..] {
            build::reduce(name, op, self, &[axis], false)?
        } else {
            let count = axes.iter().map(|&a| self.shape()[a]).product();
            let last = build::permute(name, self, [kept, axes.clone()].concat())?;
            let flat = build::reshape(name, &last, &[&outer[..], &[count]].concat().into())?;
            build::reduce(name, op, &flat, &[outer.rank()], false)?
        };
        if keepdims { build::reshape(name, &result, &self.shape().keepdims(&axes)) } else { Ok(result) }
    }

    /// The mean over `axes`, of elements that count differently if there are weights: of the same
    /// shape, or a vector along the one axis. NaN or infinite where the weights add up to 0. Errors
    /// with `Axis`, and with `Shape` where weights do not fit.
    pub fn average(&self, axes: Option<&[i64]>, weights: Option<&Tensor>, keepdims: bool) -> Result<Tensor> {
        let name = "average";
        let Some(weights) = weights else { return self.mean(axes, keepdims) };
        let mut shares = weights.clone();
        if shares.rank() == 1 && self.rank() != 1 {
            let Some(&[axis]) = axes else {
                return Err(Error::shape(name, "a vector of weights needs one axis"));
            };
            let mut shape = vec![1; self.rank()];
            shape[self.shape().axis(name, axis)?] = shares.size();
            shares = build::reshape(name, &shares, &shape.into())?;
        }
        let shares = shares.broadcast_to(self.shape())?;
        self.mul(&shares)?.sum(axes, keepdims)?.div(shares.sum(axes, keepdims)?)
    }
}

/// The sum of squared distances from the mean of `count` elements, given the sum of distances from
/// anything near it and that of their squares: Σd² − (Σd)²/n (T. Chan, G. Golub and R. LeVeque,
/// "Algorithms for Computing the Sample Variance", 1983, §3). Not below 0, whatever was rounded;
/// derivatives are as if nothing were.
pub(crate) fn squares_about(
    name: &str,
    sum: &Tensor,
    squares: &Tensor,
    count: impl Into<Operand>,
) -> Result<Tensor> {
    let found = squares.sub(sum.mul(sum.div(count)?)?)?;
    let below = build::unary(name, Unary::Relu, &found.neg()?)?;
    found.add(below.detach()?)
}

fn over_nothing(shape: &Shape, axes: &[usize]) -> bool {
    axes.iter().any(|&a| shape[a] == 0)
}

fn nothing(name: &str, shape: &Shape, axes: &[usize]) -> Error {
    let what = format!("{shape} has no elements along {axes:?}; the {name} of nothing is not defined");
    Error::shape(name, what)
}

/// The maximum over `axes`, which stay with extent 1; 0 where it is not finite; no gradient flows
/// through it. Subtracting it keeps eˣ in range and changes no gradient.
fn finite_maximum(name: &str, x: &Tensor, axes: &[usize]) -> Result<Tensor> {
    let top = build::reduce(name, ReduceOp::Max, x, axes, true)?.detach()?;
    let infinity = build::constant_like(name, &top, Literal::F32(f32::INFINITY))?;
    let finite = build::compare(name, Compare::Lt, &top.abs()?, &infinity)?;
    build::select(name, &finite, &top, &build::constant_like(name, &top, Literal::F32(0.0))?)
}
