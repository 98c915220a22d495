//! Weak numbers inside a function: plain numbers that are 0-d f32 tensors there, since each call
//! gives others, and yet take the dtype of what they meet, as plain numbers do.
//!
//! Where such a number is a placeholder and meets integers, another scalar of the captured function
//! replaces it, its *twin*: the call writes the number there too, as an integer, and refuses one
//! that the dtype does not hold.
//!
//! Deferred: numbers of captured functions seldom meet integers.

use crate::device::cell::{Towards, Trace, Twin, Use, trace_error};
use crate::device::tensor::Tensor;
use crate::device::{Device, literal};
use crate::lazy::build;
use weft_ir::graph::NodeValue;
use weft_ir::op::{Compare, Op};
use weft_ir::{DType, Decimal, Error, Literal, Result};

impl Towards {
    fn of(self, number: f64) -> f64 {
        match self {
            Towards::Floor => number.floor(),
            Towards::Ceil => number.ceil(),
        }
    }
}

impl Twin {
    /// The dtype in which a call's number is given itself; `None` where something else of it is.
    ///
    /// Deferred: an export is asked for by hand.
    #[inline(never)]
    pub fn plain(&self) -> Option<DType> {
        (self.used == Use::Itself).then_some(self.dtype.computed())
    }

    /// The value for a call that gives `number`. Errors with `Value` where that must fit and does
    /// not.
    pub fn value(&self, number: f64) -> Result<Literal> {
        value("jit", number, self.used, self.dtype)
    }
}

/// What a scalar holds of a number.
fn value(name: &str, number: f64, used: Use, dtype: DType) -> Result<Literal> {
    let (least, most) = ends(dtype);
    match used {
        Use::Itself if dtype.is_integer() && number.fract() != 0.0 => {
            let what = format!(
                "{} is not whole, as the number was when the function was captured",
                Decimal::from(number)
            );
            Err(Error::value(name, what))
        }
        Use::Itself => {
            literal(name, number, dtype)?;
            literal(name, number, dtype.computed())
        }
        Use::Bound(towards) => {
            let bound = towards.of(number);
            literal(name, if bound.is_nan() { 0.0 } else { bound.max(least).min(most) }, dtype.computed())
        }
        Use::Beyond(towards) => {
            let bound = towards.of(number);
            let beyond = i32::from(bound > most) - i32::from(bound < least);
            Ok(Literal::I32(if bound.is_nan() { 2 } else { beyond }))
        }
    }
}

/// The least and the largest number of an integer dtype.
fn ends(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::I8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
        DType::U8 => (0.0, f64::from(u8::MAX)),
        DType::U32 => (0.0, f64::from(u32::MAX)),
        DType::I32 | DType::Bool | DType::F32 | DType::F16 => (f64::from(i32::MIN), f64::from(i32::MAX)),
    }
}

impl Device {
    /// A number that each call of the captured function will give, as a 0-d f32 that takes the
    /// dtype of what it meets. `like` is one such number: whole if those of calls are. Errors as
    /// [`Device::scalar_placeholder`].
    pub fn number_placeholder(&self, like: f64) -> Result<Tensor> {
        Ok(self.scalar_placeholder(DType::F32)?.into_number(like))
    }

    /// `number` as a 0-d f32 that takes the dtype of what it meets.
    pub fn weak_number(&self, number: f64) -> Result<Tensor> {
        Ok(self.number(number, DType::F32)?.into_number(number))
    }
}

impl Tensor {
    /// The plain number that this tensor stands for, where it is known now.
    #[inline(never)]
    pub(crate) fn known_number(&self) -> Option<f64> {
        let number = self.plain_number()?;
        let id = self.node("number").ok()?;
        (self.device().graph()[id].value != NodeValue::Placeholder).then_some(number)
    }

    /// This plain number as a tensor of `dtype`. Errors with `Value` where it is known and does not
    /// fit; the call that gives it errs otherwise.
    ///
    /// Deferred: numbers of captured functions seldom meet integers.
    pub(crate) fn given_as(&self, name: &str, dtype: DType) -> Result<Tensor> {
        if !dtype.is_integer() {
            return build::cast(name, self, dtype);
        }
        build::cast(name, &self.used_as(name, Use::Itself, dtype)?, dtype)
    }

    /// As [`Tensor::given_as`]; any other tensor as it is.
    pub fn number_as(&self, dtype: DType) -> Result<Tensor> {
        if self.plain_number().is_none() { Ok(self.clone()) } else { self.given_as("tensor", dtype) }
    }

    /// Has each call refuse a number that `dtype` does not hold. Errors with `Value` where it is
    /// known and does not fit.
    pub(crate) fn expect_to_fit(&self, name: &str, dtype: DType) -> Result<()> {
        if let Some(number) = self.known_number() {
            return literal(name, number, dtype).map(drop);
        }
        if !dtype.is_integer() {
            return Ok(());
        }
        let twin = Twin { number: self.clone(), used: Use::Itself, dtype, scalar: None };
        self.device().with_trace(|trace| trace.twins.push(twin))
    }

    /// The scalar of what is used of this number.
    ///
    /// Deferred: numbers of captured functions seldom meet integers.
    fn used_as(&self, name: &str, used: Use, dtype: DType) -> Result<Tensor> {
        let device = self.device();
        if let Some(number) = self.known_number() {
            return Ok(device.scalar(value(name, number, used, dtype)?));
        }
        let known = device.with_trace(|trace| {
            let mut all = trace.twins.iter();
            let found = all.find(|twin| twin.number.is(self) && (twin.dtype, twin.used) == (dtype, used));
            found.and_then(|twin| twin.scalar.clone())
        })?;
        if let Some(scalar) = known {
            return Ok(scalar);
        }
        let of = if matches!(used, Use::Beyond(_)) { DType::I32 } else { dtype.computed() };
        let scalar = device.new_placeholder(Op::Scalar(of))?;
        let twin = Twin { number: self.clone(), used, dtype, scalar: Some(scalar.clone()) };
        device.with_trace(|trace| trace.twins.push(twin))?;
        Ok(scalar)
    }
}

/// Integers or bools compared with a number that is given later, exactly, whether or not their
/// dtype holds it.
pub(crate) fn compare(name: &str, op: Compare, x: &Tensor, number: &Tensor) -> Result<Tensor> {
    let (device, dtype) = (x.device(), DType::promote_number(x.dtype(), 0.0).computed());
    // Whole numbers are below 2.5 where they are below 3.
    let towards = match op {
        Compare::Lt | Compare::Ge => Towards::Ceil,
        Compare::Le | Compare::Gt => Towards::Floor,
        Compare::Eq | Compare::Ne if number.plain_number().is_some_and(|like| like.fract() == 0.0) => {
            Towards::Floor
        }
        Compare::Eq | Compare::Ne => {
            return device.full(x.shape(), f64::from(u8::from(op == Compare::Ne)), DType::Bool);
        }
    };
    let spread = |scalar: &Tensor| build::expand(name, scalar, x.shape());
    let bound = spread(&number.used_as(name, Use::Bound(towards), dtype)?)?;
    let within = build::compare(name, op, &build::cast(name, x, dtype)?, &bound)?;
    let beyond = number.used_as(name, Use::Beyond(towards), dtype)?;
    let is = |which: Compare, side: i32| {
        build::compare(name, which, &beyond, &device.constant(name, Literal::I32(side))?)
    };
    let otherwise = match op {
        Compare::Lt | Compare::Le => is(Compare::Eq, 1)?,
        Compare::Gt | Compare::Ge => is(Compare::Eq, -1)?,
        Compare::Eq => device.constant(name, Literal::Bool(false))?,
        Compare::Ne => device.constant(name, Literal::Bool(true))?,
    };
    build::select(name, &spread(&is(Compare::Eq, 0)?)?, &within, &spread(&otherwise)?)
}

impl Device {
    fn with_trace<T>(&self, f: impl FnOnce(&mut Trace) -> T) -> Result<T> {
        let mut trace = self.inner.functions.trace.borrow_mut();
        trace
            .as_mut()
            .map(f)
            .ok_or_else(|| trace_error("a number of a function that was captured is used outside of it"))
    }
}
