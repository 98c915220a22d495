//! Reductions of the elements that a mask chooses, with an initial value.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::elementwise::select;
use crate::ops::reduce::squares_about;
use weft_ir::op::ReduceOp;
use weft_ir::{DType, Error, Literal, Result};

/// What a reduction takes besides axes.
#[derive(Clone, Debug, Default)]
pub struct Among {
    /// Counted among the elements of each result; what an extreme of nothing is.
    pub initial: Option<f64>,
    /// Which elements count: not zero, and broadcast to the tensor's shape. All of them if there is
    /// none.
    pub mask: Option<Tensor>,
    /// What elements are cast to before they are combined, and the result is of: of sums, products
    /// and means.
    pub dtype: Option<DType>,
}

/// The reductions that [`Tensor::among`] knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Over {
    /// [`Tensor::sum`].
    Sum,
    /// [`Tensor::prod`].
    Prod,
    /// [`Tensor::max`]: of a part of the elements it needs something to begin with.
    Max,
    /// [`Tensor::min`], in the same way.
    Min,
    /// [`Tensor::any`].
    Any,
    /// [`Tensor::all`].
    All,
    /// [`Tensor::mean`].
    Mean,
    /// [`Tensor::log_sum_exp`].
    LogSumExp,
    /// [`Tensor::var`] with a correction.
    Variance(f64),
    /// [`Tensor::std`] with a correction.
    Deviation(f64),
}

impl Over {
    /// As JavaScript calls it.
    fn name(self) -> &'static str {
        match self {
            Over::Sum => "sum",
            Over::Prod => "prod",
            Over::Max => "max",
            Over::Min => "min",
            Over::Any => "any",
            Over::All => "all",
            Over::Mean => "mean",
            Over::LogSumExp => "logSumExp",
            Over::Variance(_) => "variance",
            Over::Deviation(_) => "std",
        }
    }
}

impl Tensor {
    /// A reduction of some of the elements, or with something that it begins with, as NumPy's
    /// `where` and `initial`.
    ///
    /// Errors with `Shape` for a mask that does not broadcast to the tensor's shape, with `Value`
    /// for an extreme of a part of the elements that begins with nothing, and as the reduction
    /// does.
    pub fn among(&self, over: Over, axes: Option<&[i64]>, keepdims: bool, among: &Among) -> Result<Tensor> {
        self.reduced_among(over, axes, keepdims, among).map_err(|error| error.named(over.name()))
    }

    fn reduced_among(
        &self,
        over: Over,
        axes: Option<&[i64]>,
        keepdims: bool,
        among: &Among,
    ) -> Result<Tensor> {
        let name = over.name();
        let mask =
            among.mask.as_ref().map(|mask| mask.cast(DType::Bool)?.broadcast_to(self.shape())).transpose()?;
        let is_extreme = matches!(over, Over::Max | Over::Min);
        if is_extreme && mask.is_some() && among.initial.is_none() {
            return Err(Error::value(
                name,
                "with a mask it needs `initial`, the result where no element is chosen",
            ));
        }
        let packed = among.dtype.unwrap_or(self.dtype());
        let full = self.cast(packed)?.cast(packed.computed())?;
        let x = match over {
            Over::Sum | Over::Prod => full.cast(full.dtype().accumulate())?,
            Over::Max | Over::Min => full,
            Over::Any | Over::All => full.cast(DType::Bool)?,
            _ => full.cast(DType::F32)?,
        };
        // Masked elements are replaced by the identity of the reduction.
        let counted = |x: &Tensor, op: ReduceOp| match &mask {
            None => Ok(x.clone()),
            Some(mask) => select(mask, x, build::constant_like(name, x, op.identity(x.dtype()))?),
        };
        let sum = |x: &Tensor, keepdims: bool| counted(x, ReduceOp::Sum)?.sum(axes, keepdims);
        let count = |keepdims: bool| match &mask {
            Some(mask) => mask.cast(DType::F32)?.sum(axes, keepdims),
            None => build::constant_like(name, &x, Literal::F32(1.0))?.sum(axes, keepdims),
        };
        let spread = |correction: f64| {
            // Masked elements are replaced before the square: the gradient of a masked infinity
            // would be NaN.
            let middle = sum(&x, true)?.div(count(true)?)?.detach()?;
            let away = counted(&x.sub(middle)?, ReduceOp::Sum)?;
            let [sum, squares] = [away.sum(axes, keepdims)?, away.square()?.sum(axes, keepdims)?];
            let count = count(keepdims)?;
            squares_about(name, &sum, &squares, &count)?.div(count.sub(correction)?.clip(Some(0.0), None)?)
        };
        let found = match over {
            Over::Sum => sum(&x, keepdims)?,
            Over::Prod => counted(&x, ReduceOp::Prod)?.prod(axes, keepdims)?,
            // An empty reduction yields its initial value.
            Over::Max | Over::Min if x.size() == 0 && among.initial.is_some() => {
                let none = x.cast(DType::F32)?.sum(axes, keepdims)?.cast(x.dtype())?;
                let op = if over == Over::Max { ReduceOp::Max } else { ReduceOp::Min };
                build::constant_like(name, &none, op.identity(x.dtype()))?
            }
            Over::Max => counted(&x, ReduceOp::Max)?.max(axes, keepdims)?,
            Over::Min => counted(&x, ReduceOp::Min)?.min(axes, keepdims)?,
            Over::Any => counted(&x, ReduceOp::Max)?.any(axes, keepdims)?,
            Over::All => counted(&x, ReduceOp::Min)?.all(axes, keepdims)?,
            Over::Mean => sum(&x, keepdims)?.div(count(keepdims)?)?,
            Over::LogSumExp => counted(&x, ReduceOp::Max)?.log_sum_exp(axes, keepdims)?,
            Over::Variance(correction) => spread(correction)?,
            Over::Deviation(correction) => spread(correction)?.sqrt()?,
        };
        let found = match (among.initial, over) {
            (Some(initial), Over::Sum) => found.add(initial)?,
            (Some(initial), Over::Prod) => found.mul(initial)?,
            (Some(initial), Over::Max) => found.maximum(initial)?,
            (Some(initial), Over::Min) => found.minimum(initial)?,
            _ => found,
        };
        if let Some(dtype) = among.dtype {
            return found.cast(dtype);
        }
        let halved = packed == DType::F16 && found.dtype() == DType::F32;
        let kept = is_extreme && found.dtype() == packed.computed();
        if packed.is_packed() && (halved || kept) { found.cast(packed) } else { Ok(found) }
    }

    /// [`Tensor::among`] of what is not NaN.
    fn among_numbers(
        &self,
        over: Over,
        axes: Option<&[i64]>,
        keepdims: bool,
        among: &Among,
    ) -> Result<Tensor> {
        let numbers = self.isnan()?.logical_not()?;
        let mask = match &among.mask {
            Some(mask) => mask.logical_and(&numbers)?,
            None => numbers,
        };
        self.among(over, axes, keepdims, &Among { mask: Some(mask), ..among.clone() })
    }
}

/// A reduction by its name in JavaScript. Those beginning with "nan" skip NaN.
pub(crate) fn among_by_name(
    x: &Tensor,
    name: &str,
    axes: Option<&[i64]>,
    keepdims: bool,
    correction: f64,
    among: &Among,
) -> Result<Tensor> {
    let known = |name: &str| {
        let known =
            [Over::Sum, Over::Prod, Over::Max, Over::Min, Over::Any, Over::All, Over::Mean, Over::LogSumExp];
        let known = known.into_iter().find(|over| over.name() == name);
        known.or(match name {
            "variance" | "var" => Some(Over::Variance(correction)),
            "std" => Some(Over::Deviation(correction)),
            _ => None,
        })
    };
    let made = match (known(name), name.strip_prefix("nan").and_then(known)) {
        (Some(over), _) => x.among(over, axes, keepdims, among),
        (None, Some(over)) => x.among_numbers(over, axes, keepdims, among),
        _ => Err(Error::value("among", format!("there is no reduction {name}"))),
    };
    made.map_err(|error| error.named(name))
}
