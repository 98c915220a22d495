//! How is a formula of many steps written down so that it takes little room? As arithmetic on [`Value`], which stands for a tensor.
//!
//! A value is the place of a tensor in a list that lives as long as the formula: it is copied, and nothing is freed on the way, so that a step is one call.
//! Otherwise it is as [`Float`], which does the work.

use crate::device::Device;
use crate::formula::{Float, operators};
use crate::operand::Operand;
use crate::tensor::Tensor;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result};

thread_local! {
    static VALUES: RefCell<Vec<Float>> = const { RefCell::new(Vec::new()) };
}

/// A tensor of f32, or a condition, in a formula.
#[derive(Clone, Copy)]
pub(super) struct Value(usize);

/// What a formula makes of tensors; all else that it makes is freed.
pub(super) fn formula(inputs: &[Tensor], make: &dyn Fn(&[Value]) -> Value) -> Result<Tensor> {
    let mut made = formulas(inputs, &|values| vec![make(values)])?;
    made.pop().ok_or_else(|| Error::value("special", "yields nothing"))
}

/// The same of several.
pub(super) fn formulas(inputs: &[Tensor], make: &dyn Fn(&[Value]) -> Vec<Value>) -> Result<Vec<Tensor>> {
    let from = VALUES.with_borrow(Vec::len);
    let values: Vec<Value> = inputs.iter().map(|input| Value::new(Float(Ok(input.clone())))).collect();
    let made = make(&values).into_iter().map(Value::get).collect();
    VALUES.with_borrow_mut(|all| all.truncate(from));
    made
}

impl Value {
    fn new(float: Float) -> Value {
        VALUES.with_borrow_mut(|all| {
            all.push(float);
            Value(all.len() - 1)
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
        other: Value,
    ) -> Value {
        let made = self.get().and_then(|a| function(a.device(), (&a).into(), other.get()?.into()));
        Value::new(Float(made))
    }

    /// A function that has a derivative of its own.
    #[inline(never)]
    pub fn through(self, function: fn(&Tensor) -> Result<Tensor>) -> Value {
        let made = self.get().and_then(|x| function(&x));
        Value::new(Float(made))
    }

    /// A number that is part of the program.
    #[inline(never)]
    pub fn fixed(self, value: f32) -> Value {
        Value::new(self.float().fixed(value))
    }

    #[inline(never)]
    pub fn apply(self, op: Unary) -> Value {
        Value::new(self.float().apply(op))
    }

    #[inline(never)]
    pub fn with(self, op: Binary, other: Value) -> Value {
        Value::new(self.float().with(op, &other.float()))
    }

    /// [`Value::with`] a number.
    #[inline(never)]
    fn with_fixed(self, op: Binary, number: f32) -> Value {
        self.with(op, self.fixed(number))
    }

    #[inline(never)]
    pub fn compare(self, op: Compare, other: Value) -> Value {
        Value::new(self.float().compare(op, &other.float()))
    }

    #[inline(never)]
    pub fn less(self, bound: f32) -> Value {
        self.compare(Compare::Lt, self.fixed(bound))
    }

    #[inline(never)]
    pub fn is(self, value: f32) -> Value {
        self.compare(Compare::Eq, self.fixed(value))
    }

    /// Where this condition holds `a`, else `b`.
    #[inline(never)]
    pub fn or_else(self, a: Value, b: Value) -> Value {
        Value::new(self.float().or_else(&a.float(), &b.float()))
    }

    /// Where this condition holds `a`, else a number.
    #[inline(never)]
    pub fn or(self, a: Value, b: f32) -> Value {
        self.or_else(a, a.fixed(b))
    }

    /// Where this condition holds a number, else `b`.
    #[inline(never)]
    pub fn then(self, a: f32, b: Value) -> Value {
        self.or_else(b.fixed(a), b)
    }

    #[inline(never)]
    pub fn polynomial(self, coefficients: &[f32]) -> Value {
        Value::new(self.float().polynomial(coefficients))
    }

    #[inline(never)]
    pub fn log1p(self) -> Value {
        Value::new(self.float().log1p())
    }

    #[inline(never)]
    pub fn exp(self) -> Value {
        self.apply(Unary::Exp)
    }

    #[inline(never)]
    pub fn log(self) -> Value {
        self.apply(Unary::Log)
    }

    #[inline(never)]
    pub fn magnitude(self) -> Value {
        self.apply(Unary::Abs)
    }

    /// Its digits but for the last twelve bits: what is left may be squared without rounding.
    pub fn head(self) -> Value {
        let bits = self.float().bits(DType::U32);
        Value::new(bits.with(Binary::And, &bits.mask(0xffff_f000)).bits(DType::F32))
    }

    /// Itself where it is positive, `other` where not, or where it is NaN.
    pub fn positive_or(self, other: f32) -> Value {
        self.fixed(0.0).compare(Compare::Lt, self).or(self, other)
    }

    /// The angle of sin(πx) without its whole half turns, and whether their number is odd, as 0 or 1. Exact.
    pub fn half_turns(self) -> (Value, Value) {
        let whole = self.apply(Unary::Round);
        let odd = whole - (whole * 0.5).apply(Unary::Round) * 2.0;
        ((self - whole) * std::f32::consts::PI, odd.magnitude())
    }
}

operators! {
    Value, Value:
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        self.apply(Unary::Neg)
    }
}
