//! Exponentials and logarithms where the plain formula would lose its digits: eˣ − 1, log(1 + x),
//! logarithms of base 2 and 10, hyperbolic functions and their inverses.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::formula::Float;
use crate::ops::elementwise::two;
use std::f32::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Result};

impl Tensor {
    /// eˣ − 1, to its relative precision near 0 too, in f32.
    pub fn expm1(&self) -> Result<Tensor> {
        Float::of("expm1", self).expm1().0
    }

    /// log(1 + x), to its relative precision near 0 too, in f32.
    pub fn log1p(&self) -> Result<Tensor> {
        Float::of("log1p", self).log1p().0
    }

    /// The inverse of sinh, to its relative precision near 0 too, in f32.
    pub fn asinh(&self) -> Result<Tensor> {
        Float::of("asinh", self).asinh().0
    }

    /// The inverse of cosh, to its relative precision near 1 too, in f32. NaN below 1.
    pub fn acosh(&self) -> Result<Tensor> {
        // cosh 2y is 1 + 2 sinh² y.
        let y = (&(&Float::of("acosh", self) - 1.0) * 0.5).apply(Unary::Sqrt).asinh();
        (&y + &y).0
    }

    /// The inverse of tanh, to its relative precision near 0 too, in f32. Infinite at 1 and −1, NaN
    /// beyond.
    pub fn atanh(&self) -> Result<Tensor> {
        let x = Float::of("atanh", self);
        // Half of log((1 + x)/(1 − x)); the two terms have one sign.
        (&(&x.log1p() - &(-&x).log1p()) * 0.5).0
    }

    /// 2ˣ, in f32.
    pub fn exp2(&self) -> Result<Tensor> {
        two::pow(self.device(), Operand::Number(2.0), build::cast("exp2", self, DType::F32)?.into())
    }

    /// Logarithm to base 2, in f32; whole for powers of 2.
    pub fn log2(&self) -> Result<Tensor> {
        Float::of("log2", self).logarithm(LOG2_E, 1.0).0
    }

    /// Logarithm to base 10, in f32.
    pub fn log10(&self) -> Result<Tensor> {
        Float::of("log10", self).logarithm(LOG10_E, LOG10_2).0
    }

    /// Hyperbolic sine, to its relative precision near 0 too, in f32.
    pub fn sinh(&self) -> Result<Tensor> {
        let x = Float::of("sinh", self);
        let near = x.magnitude().less(1.0);
        let close = near.or_else(&x, &x.fixed(0.0)).sinh_near();
        let (half, inverse) = x.halves();
        near.or_else(&close, &(&half - &inverse)).0
    }

    /// Hyperbolic cosine, in f32.
    pub fn cosh(&self) -> Result<Tensor> {
        let x = Float::of("cosh", self);
        let near = x.magnitude().less(1.0);
        // 1 + 2 sinh² of half of x, whose slope keeps its digits near 0.
        let y = (&near.or_else(&x, &x.fixed(0.0)) * 0.5).sinh_near();
        let close = &(&(&y + &y) * &y) + 1.0;
        let (half, inverse) = x.halves();
        near.or_else(&close, &(&half + &inverse)).0
    }

    /// log(eᵃ + eᵇ) without overflow, in f32.
    pub fn log_add_exp(&self, other: impl Into<Operand>) -> Result<Tensor> {
        log_add_exp(self.device(), self.into(), other.into())
    }

    /// log(1 + eˣ) without overflow, in f32.
    pub fn softplus(&self) -> Result<Tensor> {
        let x = Float::of("softplus", self);
        x.log_add_exp(&x.fixed(0.0)).0
    }

    /// log(sigmoid(x)) without overflow, in f32.
    pub fn log_sigmoid(&self) -> Result<Tensor> {
        let x = -&Float::of("logSigmoid", self);
        (-&x.log_add_exp(&x.fixed(0.0))).0
    }
}

/// log(eᵃ + eᵇ) of operands.
pub(crate) fn log_add_exp(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let (a, b) = Float::pair("logAddExp", device, &a, &b)?;
    a.log_add_exp(&b).0
}

impl Float {
    fn log_add_exp(&self, other: &Float) -> Float {
        // Equal infinities have distance 0.
        let infinite = self.magnitude().is(f32::INFINITY);
        let meet = infinite.with(Binary::And, &self.compare(Compare::Eq, other));
        let apart = meet.or_else(&self.fixed(0.0), &(self - other));
        // Not max and |a − b|, which have no second derivative where both are equal. A select has
        // one: at 0 both sides equal the function.
        let above = self.fixed(0.0).compare(Compare::Lt, &apart);
        let size = above.or_else(&-&apart, &apart);
        let larger = above.or_else(self, other);
        &larger + &size.apply(Unary::Exp).log1p()
    }

    /// Hyperbolic sine where the magnitude is less than 1.
    fn sinh_near(&self) -> Float {
        let e = self.expm1();
        &(&e + &(&e / &(&e + 1.0))) * 0.5
    }

    pub fn expm1(&self) -> Float {
        let near = self.magnitude().less(1.0);
        // With t = tanh(x/2), eˣ is (1 + t)/(1 − t).
        let t = (&near.or_else(self, &self.fixed(0.0)) * 0.5).apply(Unary::Tanh);
        let close = &(&t + &t) / &(&self.fixed(1.0) - &t);
        near.or_else(&close, &(&self.apply(Unary::Exp) - 1.0))
    }

    fn asinh(&self) -> Float {
        // Not |x|, which has no slope at 0.
        let negative = self.has_sign();
        let size = negative.or_else(&-self, self);
        // From 4096 on it is log 2x, and x² would soon overflow.
        let near = size.less(4096.0);
        let inside = near.or_else(&size, &self.fixed(1.0));
        let square = &inside * &inside;
        let root = (&square + 1.0).apply(Unary::Sqrt);
        let close = (&(&square / &(&root + 1.0)) + &inside).log1p();
        let outside = near.or_else(&self.fixed(1.0), &size);
        let result = near.or_else(&close, &(&outside.apply(Unary::Log) + LN_2));
        negative.or_else(&-&result, &result)
    }

    pub fn log1p(&self) -> Float {
        let near = self.magnitude().less(0.25);
        let inside = near.or_else(self, &self.fixed(0.0));
        // 2·atanh(s) with s = x/(2 + x), of which five terms are enough where |s| is at most 1/7.
        let s = &inside / &(&inside + 2.0);
        let series = (&s * &s).polynomial(&[2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0, 2.0]);
        near.or_else(&(&series * &s), &(self + 1.0).apply(Unary::Log))
    }

    /// eˣ/2 and e⁻ˣ/2, each in two factors, since eˣ overflows before its half does.
    fn halves(&self) -> (Float, Float) {
        let root = |x: &Float| (x * 0.5).apply(Unary::Exp);
        let half = |root: Float| &(&root * 0.5) * &root;
        (half(root(self)), half(root(&-self)))
    }

    /// A logarithm, by that of x / 2ᵉ near 1 and the whole e: `of_e` and `of_two` are the
    /// logarithms of e and 2.
    fn logarithm(&self, of_e: f32, of_two: f32) -> Float {
        const SQRT_HALF: i32 = 0x3f35_04f3;
        let of_bits = |op, x: &Float, by: i32| x.with(op, &x.whole(by));
        // Of the magnitude: the scale of a negative number would make it 0, whose logarithm is no
        // NaN.
        let bits = of_bits(Binary::And, &self.bits(DType::I32), i32::MAX);
        let bits = of_bits(Binary::Sub, &bits, SQRT_HALF);
        let exponent = of_bits(Binary::Shr, &bits, 23);
        let exponent = of_bits(Binary::Max, &of_bits(Binary::Min, &exponent, 126), -126);
        let scale =
            of_bits(Binary::Shl, &exponent.whole(127).with(Binary::Sub, &exponent), 23).bits(DType::F32);
        let near = (self * &scale).apply(Unary::Log);
        &(&near * of_e) + &(&exponent.cast(DType::F32) * of_two)
    }
}
