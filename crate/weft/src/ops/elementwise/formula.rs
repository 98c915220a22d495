//! Formulas of floats, as arithmetic on [`Float`], which carries the first error along.
//!
//! GPU compilers reorder sums of floats, so no formula may depend on the rounding of a sum: where
//! one would lose its digits there is a series. The branch that a condition does not choose must
//! have a finite slope, since 0 times infinity is NaN: exchange the argument before, not only the
//! result after.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use std::ops::{Add, Div, Mul, Neg, Sub};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Literal, Result};

/// A tensor in a formula, or why there is none: a formula says once that it may fail.
pub(crate) struct Float(pub Result<Tensor>);

impl Float {
    /// A tensor as f32, in the name of an operation.
    pub fn of(name: &str, x: &Tensor) -> Float {
        Float(build::cast(name, x, DType::F32))
    }

    /// Two operands as f32 of one shape, in the name of an operation.
    pub fn pair(name: &str, device: &Device, a: &Operand, b: &Operand) -> Result<(Float, Float)> {
        let (a, b) = operand::pair(name, device, a, b, DType::F32)?;
        Ok((Float(Ok(a)), Float(Ok(b))))
    }

    /// A number that is part of the program.
    pub fn fixed(&self, value: f32) -> Float {
        self.constant(Literal::F32(value))
    }

    /// The same of i32.
    pub fn whole(&self, value: i32) -> Float {
        self.constant(Literal::I32(value))
    }

    /// The same of u32.
    pub fn mask(&self, value: u32) -> Float {
        self.constant(Literal::U32(value))
    }

    fn constant(&self, value: Literal) -> Float {
        Float(self.as_ref().and_then(|x| build::constant_like("constant", x, value)))
    }

    fn as_ref(&self) -> Result<&Tensor> {
        self.0.as_ref().map_err(Clone::clone)
    }

    pub fn apply(&self, op: Unary) -> Float {
        Float(self.as_ref().and_then(|x| build::unary("unary", op, x)))
    }

    pub fn with(&self, op: Binary, other: &Float) -> Float {
        Float(self.as_ref().and_then(|a| build::binary("binary", op, a, other.as_ref()?)))
    }

    fn with_fixed(&self, op: Binary, other: f32) -> Float {
        self.with(op, &self.fixed(other))
    }

    pub fn compare(&self, op: Compare, other: &Float) -> Float {
        Float(self.as_ref().and_then(|a| build::compare("compare", op, a, other.as_ref()?)))
    }

    /// |x|, with slope 0 at 0.
    pub fn magnitude(&self) -> Float {
        self.apply(Unary::Abs)
    }

    /// Whether it is less than `bound`: a condition.
    pub fn less(&self, bound: f32) -> Float {
        self.compare(Compare::Lt, &self.fixed(bound))
    }

    /// Whether it is `value`: a condition.
    pub fn is(&self, value: f32) -> Float {
        self.compare(Compare::Eq, &self.fixed(value))
    }

    /// Where this condition holds `a`, else `b`.
    pub fn or_else(&self, a: &Float, b: &Float) -> Float {
        Float(self.as_ref().and_then(|condition| build::select("where", condition, a.as_ref()?, b.as_ref()?)))
    }

    /// Σ cₖ·xᵏ, the coefficient of the highest power first.
    pub fn polynomial(&self, coefficients: &[f32]) -> Float {
        let mut sum = self.fixed(coefficients[0]);
        for &c in &coefficients[1..] {
            sum = &(&sum * self) + c;
        }
        sum
    }

    /// The same bits as another dtype; no slope.
    pub fn bits(&self, dtype: DType) -> Float {
        Float(self.as_ref().and_then(|x| build::bitcast("bitcast", x, dtype)))
    }

    /// The same values as another dtype.
    pub fn cast(&self, dtype: DType) -> Float {
        Float(self.as_ref().and_then(|x| build::cast("cast", x, dtype)))
    }
}

/// Arithmetic of a formula: among its values, and with numbers.
macro_rules! operators {
    (<$lifetime:lifetime> $value:ty, $result:ty: $($operator:ident $method:ident;)*) => {
        $(impl<$lifetime> $operator for $value {
            type Output = $result;
            fn $method(self, other: $value) -> $result {
                self.with(Binary::$operator, other)
            }
        }

        impl<$lifetime> $operator<f32> for $value {
            type Output = $result;
            fn $method(self, other: f32) -> $result {
                self.with_fixed(Binary::$operator, other)
            }
        })*
    };
}
pub(crate) use operators;

operators! {
    <'a> &'a Float, Float:
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for &Float {
    type Output = Float;
    fn neg(self) -> Float {
        self.apply(Unary::Neg)
    }
}
