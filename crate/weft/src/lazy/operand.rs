//! Operands: tensors and plain numbers, and the dtype and shape in which they meet.
//!
//! Only plain numbers are weak: they take the tensor's dtype where they fit it, also those that are
//! tensors inside a captured function. A number becomes a run-time scalar, so that programs do not
//! differ by it.

use crate::device::tensor::Tensor;
use crate::device::{Device, literal};
use crate::lazy::build;
use weft_ir::{DType, Result, Shape};

/// A tensor or a plain number.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A tensor.
    Tensor(Tensor),
    /// A plain number, which takes the dtype of what it meets.
    Number(f64),
}

impl From<&Tensor> for Operand {
    #[inline(never)]
    fn from(tensor: &Tensor) -> Operand {
        tensor.clone().into()
    }
}

impl From<Tensor> for Operand {
    /// A tensor that stands for a plain number that is known is that number.
    #[inline(never)]
    fn from(tensor: Tensor) -> Operand {
        match tensor.known_number() {
            Some(number) => Operand::Number(number),
            None => Operand::Tensor(tensor),
        }
    }
}

impl From<&Operand> for Operand {
    fn from(operand: &Operand) -> Operand {
        operand.clone()
    }
}

macro_rules! from_number {
    ($($ty:ty)*) => {
        $(impl From<$ty> for Operand {
            fn from(number: $ty) -> Operand {
                Operand::Number(f64::from(number))
            }
        })*
    };
}

from_number!(f64 f32 i32 u32);

impl Operand {
    /// Its shape; a number is 0-d.
    pub fn shape(&self) -> Shape {
        match self {
            Operand::Tensor(tensor) => tensor.shape().clone(),
            Operand::Number(_) => Shape::scalar(),
        }
    }

    /// The dtype it would have alone: a number is f32.
    pub fn dtype(&self) -> DType {
        match self {
            Operand::Tensor(tensor) => tensor.dtype(),
            Operand::Number(_) => DType::F32,
        }
    }

    /// As a tensor of `dtype`. Errors with `Value` when a number does not fit it.
    pub(crate) fn to_tensor(&self, name: &str, device: &Device, dtype: DType) -> Result<Tensor> {
        match self {
            Operand::Tensor(tensor) if tensor.plain_number().is_some() => tensor.given_as(name, dtype),
            Operand::Tensor(tensor) => build::cast(name, tensor, dtype),
            Operand::Number(number) => {
                build::cast(name, &device.scalar(literal(name, *number, dtype)?), dtype)
            }
        }
    }
}

/// The dtype in which `a` and `b` meet.
pub(crate) fn meet(a: &Operand, b: &Operand) -> DType {
    match (a, b) {
        (Operand::Tensor(a), Operand::Tensor(b)) => match (a.plain_number(), b.plain_number()) {
            (Some(number), None) => DType::promote_number(b.dtype(), number),
            (None, Some(number)) => DType::promote_number(a.dtype(), number),
            _ => DType::promote(a.dtype(), b.dtype()),
        },
        (Operand::Tensor(t), Operand::Number(n)) | (Operand::Number(n), Operand::Tensor(t)) => {
            DType::promote_number(t.dtype(), *n)
        }
        (Operand::Number(_), Operand::Number(_)) => DType::F32,
    }
}

/// Both as tensors of `dtype`, broadcast to one shape. Errors with `Shape` naming both shapes when
/// they do not broadcast.
pub(crate) fn pair(
    name: &str,
    device: &Device,
    a: &Operand,
    b: &Operand,
    dtype: DType,
) -> Result<(Tensor, Tensor)> {
    let shape = match (a, b) {
        (Operand::Tensor(a), Operand::Tensor(b)) if a.shape() == b.shape() => a.shape().clone(),
        (Operand::Tensor(one), Operand::Number(_)) | (Operand::Number(_), Operand::Tensor(one)) => {
            one.shape().clone()
        }
        _ => {
            let shape = Shape::broadcast(name, &a.shape(), &b.shape())?;
            Shape::checked(name, &shape)?;
            shape
        }
    };
    let fit = |operand: &Operand| match operand {
        // In one step, without a tensor for each view.
        Operand::Number(number) if !dtype.is_packed() => {
            Ok(device.spread(literal(name, *number, dtype)?, &shape))
        }
        _ => build::expand(name, &operand.to_tensor(name, device, dtype)?, &shape),
    };
    Ok((fit(a)?, fit(b)?))
}
