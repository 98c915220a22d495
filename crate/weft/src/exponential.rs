//! Functions made of exponentials and logarithms where the plain formula would lose its digits: eˣ − 1, log(1 + x), and the inverses
//! of the hyperbolic functions.
//!
//! Compilers of GPUs take sums of floats apart and put them together otherwise, so nothing here depends on the rounding of a sum:
//! near zero there are series.

use crate::build;
use crate::elementwise::select;
use crate::tensor::Tensor;
use std::f32::consts::LN_2;
use std::ops::{Add, Div, Mul, Sub};
use weft_ir::op::{Binary, Unary};
use weft_ir::{DType, Literal, Result};

impl Tensor {
    /// eˣ − 1, to its relative precision near 0 too, in f32.
    pub fn expm1(&self) -> Result<Tensor> {
        let x = Float::of("expm1", self);
        let near = x.magnitude().less(1.0);
        // With t = tanh(x/2), eˣ is (1 + t)/(1 − t).
        let t = (&near.or_else(&x, &x.fixed(0.0)) * &x.fixed(0.5)).apply(Unary::Tanh);
        let close = &(&t + &t) / &(&x.fixed(1.0) - &t);
        near.or_else(&close, &(&x.apply(Unary::Exp) - &x.fixed(1.0))).0
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
        let x = Float::of("acosh", self);
        // cosh 2y is 1 + 2 sinh² y.
        let y = (&(&x - &x.fixed(1.0)) * &x.fixed(0.5)).apply(Unary::Sqrt).asinh();
        (&y + &y).0
    }

    /// The inverse of tanh, to its relative precision near 0 too, in f32. Infinite at 1 and −1, NaN beyond.
    pub fn atanh(&self) -> Result<Tensor> {
        let x = Float::of("atanh", self);
        // Half of log((1 + x)/(1 − x)); the two terms have one sign.
        (&(&x.log1p() - &x.apply(Unary::Neg).log1p()) * &x.fixed(0.5)).0
    }
}

/// A float tensor in a formula, or why there is none: a formula says once that it may fail.
struct Float(Result<Tensor>);

impl Float {
    /// A tensor as f32, in the name of an operation.
    fn of(name: &str, x: &Tensor) -> Float {
        Float(build::cast(name, x, DType::F32))
    }

    /// A number that is part of the program.
    fn fixed(&self, value: f32) -> Float {
        Float(self.as_ref().and_then(|x| build::constant_like("constant", x, Literal::F32(value))))
    }

    fn as_ref(&self) -> Result<&Tensor> {
        self.0.as_ref().map_err(Clone::clone)
    }

    fn apply(&self, op: Unary) -> Float {
        Float(self.as_ref().and_then(|x| build::unary("unary", op, x)))
    }

    fn with(&self, op: Binary, other: &Float) -> Float {
        Float(self.as_ref().and_then(|a| build::binary("binary", op, a, other.as_ref()?)))
    }

    fn magnitude(&self) -> Float {
        self.apply(Unary::Abs)
    }

    /// Whether this is less than `bound`: a condition.
    fn less(&self, bound: f32) -> Float {
        Float(self.as_ref().and_then(|x| x.less(self.fixed(bound).as_ref()?)))
    }

    /// Where this condition holds `a`, else `b`. What is not chosen must have a finite slope, since 0 times others is no number.
    fn or_else(&self, a: &Float, b: &Float) -> Float {
        Float(self.as_ref().and_then(|condition| select(condition, a.as_ref()?, b.as_ref()?)))
    }

    fn asinh(&self) -> Float {
        // Not |x|, which has no slope at 0.
        let negative = self.less(0.0);
        let size = negative.or_else(&self.apply(Unary::Neg), self);
        // From here on it is log 2x, and x² may not be taken for much longer.
        let near = size.less(4096.0);
        let inside = near.or_else(&size, &self.fixed(1.0));
        let (one, square) = (self.fixed(1.0), &inside * &inside);
        let root = (&square + &one).apply(Unary::Sqrt);
        let close = (&(&square / &(&root + &one)) + &inside).log1p();
        let result = near.or_else(&close, &(&size.apply(Unary::Log) + &self.fixed(LN_2)));
        negative.or_else(&result.apply(Unary::Neg), &result)
    }

    fn log1p(&self) -> Float {
        let near = self.magnitude().less(0.25);
        let inside = near.or_else(self, &self.fixed(0.0));
        // 2·atanh(s) with s = x/(2 + x), of which five terms are enough where |s| is at most 1/7.
        let s = &inside / &(&inside + &self.fixed(2.0));
        let square = &s * &s;
        let mut series = self.fixed(2.0 / 9.0);
        for term in [2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0, 2.0] {
            series = &(&series * &square) + &self.fixed(term);
        }
        near.or_else(&(&series * &s), &(self + &self.fixed(1.0)).apply(Unary::Log))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $op:ident;)*) => {
        $(impl $operator for &Float {
            type Output = Float;
            fn $method(self, other: &Float) -> Float {
                self.with(Binary::$op, other)
            }
        })*
    };
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
}
