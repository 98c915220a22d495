//! Formulas of many steps that take little code, as arithmetic on [`Quantity`], which names a
//! tensor.
//!
//! A quantity is the place of a tensor in a list that the formula owns: it is copied, and nothing
//! is freed on the way, so that a step is one call. Otherwise it is as [`Float`], which does the
//! work.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::formula::{Float, operators};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result};

/// The values of a formula, which owns them: all are freed at its end.
#[derive(Default)]
struct Values(RefCell<Vec<Float>>);

impl Values {
    fn add(&self, float: Float) -> Quantity<'_> {
        let mut all = self.0.borrow_mut();
        all.push(float);
        Quantity { values: self, index: all.len() - 1 }
    }
}

/// A tensor of f32, or a condition, in a formula.
#[derive(Clone, Copy)]
pub(super) struct Quantity<'f> {
    values: &'f Values,
    index: usize,
}

/// What a formula makes of tensors; all else that it makes is freed.
pub(super) fn formula(
    inputs: &[Tensor],
    make: &dyn for<'f> Fn(&[Quantity<'f>]) -> Quantity<'f>,
) -> Result<Tensor> {
    let mut made = formulas(inputs, &|values| vec![make(values)])?;
    made.pop().ok_or_else(|| Error::value("special", "yields nothing"))
}

/// The same of several.
pub(super) fn formulas(
    inputs: &[Tensor],
    make: &dyn for<'f> Fn(&[Quantity<'f>]) -> Vec<Quantity<'f>>,
) -> Result<Vec<Tensor>> {
    let values = Values::default();
    let given: Vec<Quantity> = inputs.iter().map(|input| values.add(Float(Ok(input.clone())))).collect();
    make(&given).into_iter().map(Quantity::get).collect()
}

impl Quantity<'_> {
    /// Another value of the same formula.
    fn add_beside(self, float: Float) -> Self {
        self.values.add(float)
    }

    /// The tensor, or why there is none.
    fn float(self) -> Float {
        Float(self.values.0.borrow()[self.index].0.clone())
    }

    fn get(self) -> Result<Tensor> {
        self.float().0
    }

    /// A function of two arguments that has derivatives of its own.
    pub fn through_both(
        self,
        function: fn(&Device, Operand, Operand) -> Result<Tensor>,
        other: Self,
    ) -> Self {
        let made = self.get().and_then(|a| function(a.device(), (&a).into(), other.get()?.into()));
        self.add_beside(Float(made))
    }

    /// A function that has a derivative of its own.
    #[inline(never)]
    pub fn through(self, function: fn(&Tensor) -> Result<Tensor>) -> Self {
        let made = self.get().and_then(|x| function(&x));
        self.add_beside(Float(made))
    }

    /// A number that is part of the program.
    #[inline(never)]
    pub fn fixed(self, value: f32) -> Self {
        self.add_beside(self.float().fixed(value))
    }

    #[inline(never)]
    pub fn apply(self, op: Unary) -> Self {
        self.add_beside(self.float().apply(op))
    }

    #[inline(never)]
    pub fn with(self, op: Binary, other: Self) -> Self {
        self.add_beside(self.float().with(op, &other.float()))
    }

    /// [`Quantity::with`] a number.
    #[inline(never)]
    fn with_fixed(self, op: Binary, number: f32) -> Self {
        self.with(op, self.fixed(number))
    }

    #[inline(never)]
    pub fn compare(self, op: Compare, other: Self) -> Self {
        self.add_beside(self.float().compare(op, &other.float()))
    }

    #[inline(never)]
    pub fn less(self, bound: f32) -> Self {
        self.compare(Compare::Lt, self.fixed(bound))
    }

    #[inline(never)]
    pub fn is(self, value: f32) -> Self {
        self.compare(Compare::Eq, self.fixed(value))
    }

    /// Where this condition holds `a`, else `b`.
    #[inline(never)]
    pub fn or_else(self, a: Self, b: Self) -> Self {
        self.add_beside(self.float().or_else(&a.float(), &b.float()))
    }

    /// Where this condition holds `a`, else a number.
    #[inline(never)]
    pub fn or(self, a: Self, b: f32) -> Self {
        self.or_else(a, a.fixed(b))
    }

    /// Where this condition holds a number, else `b`.
    #[inline(never)]
    pub fn then(self, a: f32, b: Self) -> Self {
        self.or_else(b.fixed(a), b)
    }

    #[inline(never)]
    pub fn polynomial(self, coefficients: &[f32]) -> Self {
        self.add_beside(self.float().polynomial(coefficients))
    }

    #[inline(never)]
    pub fn log1p(self) -> Self {
        self.add_beside(self.float().log1p())
    }

    #[inline(never)]
    pub fn exp(self) -> Self {
        self.apply(Unary::Exp)
    }

    #[inline(never)]
    pub fn log(self) -> Self {
        self.apply(Unary::Log)
    }

    #[inline(never)]
    pub fn magnitude(self) -> Self {
        self.apply(Unary::Abs)
    }

    /// Its digits but for the last twelve bits: what is left may be squared without rounding.
    pub fn head(self) -> Self {
        let bits = self.float().bits(DType::U32);
        self.add_beside(bits.with(Binary::And, &bits.mask(0xffff_f000)).bits(DType::F32))
    }

    /// Itself where it is positive, `other` where not, or where it is NaN.
    pub fn positive_or(self, other: f32) -> Self {
        self.fixed(0.0).compare(Compare::Lt, self).or(self, other)
    }

    /// The angle of sin(πx) without its whole half turns, and whether their number is odd, as 0 or
    /// 1. Exact.
    pub fn half_turns(self) -> (Self, Self) {
        let whole = self.apply(Unary::Round);
        let odd = whole - (whole * 0.5).apply(Unary::Round) * 2.0;
        ((self - whole) * std::f32::consts::PI, odd.magnitude())
    }
}

operators! {
    <'f> Quantity<'f>, Quantity<'f>:
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Quantity<'_> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.apply(Unary::Neg)
    }
}
