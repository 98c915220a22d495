//! Signs, rounding and remainders, and replacement of NaN.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::ops::elementwise::formula::Float;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Literal, Result};

impl Tensor {
    /// The whole number next to x towards 0; integers are themselves. Errors with `DType` for bool.
    pub fn trunc(&self) -> Result<Tensor> {
        if self.dtype() != DType::F32 {
            return self.floor();
        }
        let x = Float::of("trunc", self);
        x.less(0.0).or_else(&x.apply(Unary::Ceil), &x.apply(Unary::Floor)).0
    }

    /// Whether x is infinite; integers never are. Yields bool.
    pub fn isinf(&self) -> Result<Tensor> {
        Float::of("isinf", self).magnitude().is(f32::INFINITY).0
    }

    /// Whether the sign of x is set, of −0 too. Yields bool.
    pub fn signbit(&self) -> Result<Tensor> {
        match self.dtype() {
            DType::F32 => Float::of("signbit", self).has_sign().0,
            DType::I32 => self.less(0.0),
            _ => build::constant_like("signbit", self, Literal::Bool(false)),
        }
    }

    /// Cube root, in f32.
    pub fn cbrt(&self) -> Result<Tensor> {
        let x = Float::of("cbrt", self);
        let negative = x.has_sign();
        let magnitude = negative.or_else(&-&x, &x);
        let finite = magnitude.less(f32::INFINITY);
        let ordinary = magnitude.compare(Compare::Gt, &x.fixed(0.0)).with(Binary::And, &finite);
        let size = ordinary.or_else(&magnitude, &x.fixed(1.0));
        let root = (&size.apply(Unary::Log) / 3.0).apply(Unary::Exp);
        // One Newton step restores the digits that the logarithm lost.
        let off = &(&(&root * &root) * &root) - &size;
        let root = &root - &(&off / &(&(&root * &root) * 3.0));
        // For 0, infinities and NaN the square root has the same value and slope.
        let other = ordinary.or_else(&x.fixed(1.0), &magnitude).apply(Unary::Sqrt);
        let root = ordinary.or_else(&root, &other);
        negative.or_else(&-&root, &root).0
    }

    /// NaN and infinities exchanged for numbers; without one for an infinity, the finite number
    /// next to it. In f32.
    pub fn nan_to_num(&self, nan: f64, above: Option<f64>, below: Option<f64>) -> Result<Tensor> {
        let x = Float::of("nanToNum", self);
        let (above, below) = (above.map_or(f32::MAX, |n| n as f32), below.map_or(f32::MIN, |n| n as f32));
        let x = x.compare(Compare::Ne, &x).or_else(&x.fixed(nan as f32), &x);
        let x = x.is(f32::INFINITY).or_else(&x.fixed(above), &x);
        x.is(f32::NEG_INFINITY).or_else(&x.fixed(below), &x).0
    }

    /// The magnitude of this with the sign of `sign`, in f32.
    pub fn copysign(&self, sign: impl Into<Operand>) -> Result<Tensor> {
        two::copysign(self.device(), self.into(), sign.into())
    }

    /// 0 below 0, 1 above, `at_zero` at 0, in f32.
    pub fn heaviside(&self, at_zero: impl Into<Operand>) -> Result<Tensor> {
        two::heaviside(self.device(), self.into(), at_zero.into())
    }

    /// What is left of this when divided by `other`, with the sign of this, as C's `fmod`.
    pub fn fmod(&self, other: impl Into<Operand>) -> Result<Tensor> {
        two::fmod(self.device(), self.into(), other.into())
    }

    /// The larger, of a number and NaN the number.
    pub fn fmax(&self, other: impl Into<Operand>) -> Result<Tensor> {
        two::fmax(self.device(), self.into(), other.into())
    }

    /// The smaller, of a number and NaN the number.
    pub fn fmin(&self, other: impl Into<Operand>) -> Result<Tensor> {
        two::fmin(self.device(), self.into(), other.into())
    }
}

impl Float {
    pub fn has_sign(&self) -> Float {
        let bits = self.bits(DType::I32);
        bits.compare(Compare::Lt, &bits.whole(0))
    }
}

/// As functions of operands, either of which may be a number.
pub(crate) mod two {
    use super::*;

    pub fn copysign(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let (a, b) = Float::pair("copysign", device, &a, &b)?;
        let same = a.has_sign().compare(Compare::Eq, &b.has_sign());
        same.or_else(&a, &-&a).0
    }

    pub fn heaviside(device: &Device, x: Operand, at_zero: Operand) -> Result<Tensor> {
        let (x, at_zero) = Float::pair("heaviside", device, &x, &at_zero)?;
        let step = x.less(0.0).or_else(&x.fixed(0.0), &x.fixed(1.0));
        let number = x.compare(Compare::Eq, &x);
        x.is(0.0).or_else(&at_zero, &number.or_else(&step, &x)).0
    }

    pub fn fmod(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let name = "fmod";
        let (a, b) = operand::pair(name, device, &a, &b, operand::meet(&a, &b).accumulate())?;
        if a.dtype() == DType::U32 {
            return build::binary(name, Binary::Rem, &a, &b);
        }
        let zero = build::constant_like(name, &a, Literal::zero(a.dtype()))?;
        let is_negative = |x: &Tensor| build::compare(name, Compare::Lt, x, &zero);
        // −|x| exists for the least integer too; |x| would overflow.
        let down = |x: &Tensor| build::select(name, &is_negative(x)?, x, &x.neg()?);
        let rest = build::binary(name, Binary::Rem, &down(&a)?, &down(&b)?)?;
        build::select(name, &is_negative(&a)?, &rest, &rest.neg()?)
    }

    /// `op`, but of a number and NaN the number.
    fn number_of(name: &str, op: Binary, device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let (a, b) = operand::pair(name, device, &a, &b, operand::meet(&a, &b))?;
        let both = build::binary(name, op, &a, &b)?;
        if both.dtype() != DType::F32 {
            return Ok(both);
        }
        let both = build::select(name, &build::unary(name, Unary::IsNan, &a)?, &b, &both)?;
        build::select(name, &build::unary(name, Unary::IsNan, &b)?, &a, &both)
    }

    pub fn fmax(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        number_of("fmax", Binary::Max, device, a, b)
    }

    pub fn fmin(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        number_of("fmin", Binary::Min, device, a, b)
    }
}
