//! Exclusive or of elements along axes.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Binary, Compare, ReduceOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// The bits of a word.
const BITS: usize = 32;

impl Tensor {
    /// The exclusive or of the elements along `axes`, all by default. Errors with `DType` for
    /// floats, with `Axis` when out of range or repeated.
    pub fn parity(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let name = "reduceXor";
        let axes = self.shape().axes(name, axes)?;
        let odd = |counts: &Tensor| {
            build::binary(name, Binary::And, counts, &build::constant_like(name, counts, Literal::U32(1))?)
        };
        match self.dtype() {
            DType::Bool => {
                let ones = build::cast(name, self, DType::U32)?;
                let counts = odd(&build::reduce(name, ReduceOp::Sum, &ones, &axes, keepdims)?)?;
                build::compare(
                    name,
                    Compare::Eq,
                    &counts,
                    &build::constant_like(name, &counts, Literal::U32(1))?,
                )
            }
            DType::I32 | DType::U32 => {
                // The bits become a last axis, along which their parity is summed.
                let planes = |x: &Shape| Shape::checked(name, &[x, &[BITS][..]].concat());
                let x = build::cast(name, self, DType::U32)?;
                let one = build::reshape(name, &x, &[&x.shape()[..], &[1]].concat().as_slice().into())?;
                let x = build::expand(name, &one, &planes(x.shape())?)?;
                let place = |x: &Tensor| self.device().positions(name, x.shape(), x.rank() - 1, DType::U32);
                let bits = odd(&build::binary(name, Binary::Shr, &x, &place(&x)?)?)?;
                let counts = odd(&build::reduce(name, ReduceOp::Sum, &bits, &axes, keepdims)?)?;
                let set = build::binary(name, Binary::Shl, &counts, &place(&counts)?)?;
                let last = set.rank() - 1;
                let whole = build::reduce(name, ReduceOp::Sum, &set, &[last], false)?;
                build::cast(name, &whole, self.dtype())
            }
            dtype => Err(Error::dtype(name, format!("{dtype} has no bits"))),
        }
    }
}
