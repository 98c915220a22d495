//! Formulas of many steps that take little code, as arithmetic on [`Quantity`], which names a tensor.
//!
//! A quantity is the place of a tensor in a list that lives as long as the formula: it is copied, and nothing is freed on the way, so that a step is one call.
//! Otherwise it is as [`Float`], which does the work.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::formula::{Float, operators};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result};

thread_local! {
    static VALUES: RefCell<Vec<Float>> = const { RefCell::new(Vec::new()) };
}

/// A tensor of f32, or a condition, in a formula.
#[derive(Clone, Copy)]
pub(super) struct Quantity(usize);

/// What a formula makes of tensors; all else that it makes is freed.
pub(super) fn formula(inputs: &[Tensor], make: &dyn Fn(&[Quantity]) -> Quantity) -> Result<Tensor> {
    let mut made = formulas(inputs, &|values| vec![make(values)])?;
    made.pop().ok_or_else(|| Error::value("special", "yields nothing"))
}

/// The same of several.
pub(super) fn formulas(
    inputs: &[Tensor],
    make: &dyn Fn(&[Quantity]) -> Vec<Quantity>,
) -> Result<Vec<Tensor>> {
    let from = VALUES.with_borrow(Vec::len);
    let values: Vec<Quantity> = inputs.iter().map(|input| Quantity::new(Float(Ok(input.clone())))).collect();
    let made = make(&values).into_iter().map(Quantity::get).collect();
    VALUES.with_borrow_mut(|all| all.truncate(from));
    made
}

impl Quantity {
    fn new(float: Float) -> Quantity {
        VALUES.with_borrow_mut(|all| {
            all.push(float);
            Quantity(all.len() - 1)
        })
    }

    /// The tensor, or why there is none.
    fn float(self) -> Float {
        let missing = || Err(Error::value("special", "a formula is over"));
        Float(VALUES.with_borrow(|all| all.get(self.0).map_or_else(missing, |float| float.0.clone())))
    }

    fn get(self) -> Result<Tensor> {
        self.float().0
    }

    /// A function of two arguments that has derivatives of its own.
    pub fn through_both(
        self,
        function: fn(&Device, Operand, Operand) -> Result<Tensor>,
        other: Quantity,
    ) -> Quantity {
        let made = self.get().and_then(|a| function(a.device(), (&a).into(), other.get()?.into()));
        Quantity::new(Float(made))
    }

    /// A function that has a derivative of its own.
    #[inline(never)]
    pub fn through(self, function: fn(&Tensor) -> Result<Tensor>) -> Quantity {
        let made = self.get().and_then(|x| function(&x));
        Quantity::new(Float(made))
    }

    /// A number that is part of the program.
    #[inline(never)]
    pub fn fixed(self, value: f32) -> Quantity {
        Quantity::new(self.float().fixed(value))
    }

    #[inline(never)]
    pub fn apply(self, op: Unary) -> Quantity {
        Quantity::new(self.float().apply(op))
    }

    #[inline(never)]
    pub fn with(self, op: Binary, other: Quantity) -> Quantity {
        Quantity::new(self.float().with(op, &other.float()))
    }

    /// [`Quantity::with`] a number.
    #[inline(never)]
    fn with_fixed(self, op: Binary, number: f32) -> Quantity {
        self.with(op, self.fixed(number))
    }

    #[inline(never)]
    pub fn compare(self, op: Compare, other: Quantity) -> Quantity {
        Quantity::new(self.float().compare(op, &other.float()))
    }

    #[inline(never)]
    pub fn less(self, bound: f32) -> Quantity {
        self.compare(Compare::Lt, self.fixed(bound))
    }

    #[inline(never)]
    pub fn is(self, value: f32) -> Quantity {
        self.compare(Compare::Eq, self.fixed(value))
    }

    /// Where this condition holds `a`, else `b`.
    #[inline(never)]
    pub fn or_else(self, a: Quantity, b: Quantity) -> Quantity {
        Quantity::new(self.float().or_else(&a.float(), &b.float()))
    }

    /// Where this condition holds `a`, else a number.
    #[inline(never)]
    pub fn or(self, a: Quantity, b: f32) -> Quantity {
        self.or_else(a, a.fixed(b))
    }

    /// Where this condition holds a number, else `b`.
    #[inline(never)]
    pub fn then(self, a: f32, b: Quantity) -> Quantity {
        self.or_else(b.fixed(a), b)
    }

    #[inline(never)]
    pub fn polynomial(self, coefficients: &[f32]) -> Quantity {
        Quantity::new(self.float().polynomial(coefficients))
    }

    #[inline(never)]
    pub fn log1p(self) -> Quantity {
        Quantity::new(self.float().log1p())
    }

    #[inline(never)]
    pub fn exp(self) -> Quantity {
        self.apply(Unary::Exp)
    }

    #[inline(never)]
    pub fn log(self) -> Quantity {
        self.apply(Unary::Log)
    }

    #[inline(never)]
    pub fn magnitude(self) -> Quantity {
        self.apply(Unary::Abs)
    }

    /// Its digits but for the last twelve bits: what is left may be squared without rounding.
    pub fn head(self) -> Quantity {
        let bits = self.float().bits(DType::U32);
        Quantity::new(bits.with(Binary::And, &bits.mask(0xffff_f000)).bits(DType::F32))
    }

    /// Itself where it is positive, `other` where not, or where it is NaN.
    pub fn positive_or(self, other: f32) -> Quantity {
        self.fixed(0.0).compare(Compare::Lt, self).or(self, other)
    }

    /// The angle of sin(πx) without its whole half turns, and whether their number is odd, as 0 or 1. Exact.
    pub fn half_turns(self) -> (Quantity, Quantity) {
        let whole = self.apply(Unary::Round);
        let odd = whole - (whole * 0.5).apply(Unary::Round) * 2.0;
        ((self - whole) * std::f32::consts::PI, odd.magnitude())
    }
}

operators! {
    Quantity, Quantity:
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Quantity {
    type Output = Quantity;
    #[inline]
    fn neg(self) -> Quantity {
        self.apply(Unary::Neg)
    }
}
