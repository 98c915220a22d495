//! Ranks of elements in ascending order, by a rule for ties.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::term::Term;
use weft_ir::op::{Compare, ReduceOp};
use weft_ir::{DType, Error, Literal, Result};

/// How equal elements are ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// All by the mean of their places.
    Average,
    /// All by the first of them.
    Min,
    /// All by the last.
    Max,
    /// As the first, but the next greater one follows it.
    Dense,
    /// As they stand.
    Ordinal,
}

impl Ties {
    const NAMES: [(&str, Ties); 5] = [
        ("average", Ties::Average),
        ("min", Ties::Min),
        ("max", Ties::Max),
        ("dense", Ties::Dense),
        ("ordinal", Ties::Ordinal),
    ];

    /// By its name in SciPy. Errors with `Value` for others.
    pub fn parse(name: &str) -> Result<Ties> {
        let found = Ties::NAMES.iter().find(|(known, _)| *known == name);
        let known = || Ties::NAMES.map(|(known, _)| known).join(", ");
        found.map(|&(_, ties)| ties).ok_or_else(|| {
            Error::value("rankData", format!("the method is one of {}, not \"{name}\"", known()))
        })
    }
}

impl Tensor {
    /// The rank of each element of a line of an axis, or of all, in ascending order, from 1, in
    /// f32. Where there is NaN all ranks of the line are NaN. Errors with `Axis` when out of range.
    pub fn rank_data(&self, axis: Option<i64>, ties: Ties) -> Result<Tensor> {
        let name = "rankData";
        let Some(axis) = axis else {
            let flat = self.flatten()?.rank_data(Some(0), ties)?;
            return build::reshape(name, &flat, self.shape());
        };
        let place = self.shape().axis(name, axis)?;
        let (axis, extent) = (place as i64, self.shape()[place]);
        if self.size() == 0 {
            return self.device().zeros(self.shape(), DType::F32);
        }
        let order = self.argsort(axis, false)?;
        let inverse = Term(order.argsort(axis, false));
        let rank = if ties == Ties::Ordinal {
            inverse.clone()
        } else {
            let sorted = Term(self.take_along_axis(&order, axis));
            let one = sorted
                .between(axis, 0, 1)
                .cast(DType::Bool)
                .map(|x| build::constant_like(name, x, Literal::Bool(true)));
            let (front, back) = (sorted.between(axis, 0, extent - 1), sorted.between(axis, 1, extent));
            let new = one.beside(&back.compare(Compare::Ne, &front), axis);
            let column: Vec<i64> =
                (0..self.rank()).map(|n| if n == place { extent as i64 } else { 1 }).collect();
            let places = new.positions(extent).map(|x| x.reshape(&column)?.broadcast_to(self.shape()));
            // Equal elements begin at the latest new one, and end before the next.
            let first = || new.or_else(&places, &places.zero()).map(|x| x.cummax(axis));
            let last = || {
                let ends = new.between(axis, 1, extent).beside(&one, axis);
                let far = &places.zero() + extent as f64;
                ends.or_else(&places, &far)
                    .map(|x| x.cummin_with(axis, crate::Running { reverse: true, exclusive: false }))
            };
            let found = match ties {
                Ties::Min => first(),
                Ties::Max => last(),
                Ties::Dense => &new.map(|x| x.cumsum(axis)) - 1.0,
                _ => &(&first() + &last()).cast(DType::F32) * 0.5,
            };
            found.along(&inverse, axis)
        };
        let rank = &rank.cast(DType::F32) + 1.0;
        if self.dtype() != DType::F32 {
            return rank.0;
        }
        let missing = Term(self.isnan()).reduce(ReduceOp::Max, axis, true);
        missing.or_else(&rank.number(f64::NAN), &rank).0
    }
}
