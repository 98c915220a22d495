//! Elementwise operations: functions of one tensor, arithmetic, comparison, logic and bits of two,
//! and choice.

pub(crate) mod bits;
pub(crate) mod exponential;
pub(crate) mod floats;
pub(crate) mod formula;
pub(crate) mod sign;
pub(crate) mod trigonometry;

use crate::device::tensor::Tensor;
use crate::device::{Device, literal};
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::lazy::weak;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// A whole exponent of at most this is multiplied out, and is part of the program. Negative ones
/// are not: what is multiplied out first could overflow, or be flushed to 0, where its inverse is
/// an ordinary number.
const LARGEST_CONSTANT_EXPONENT: f64 = 8.0;

macro_rules! float_functions {
    ($($(#[$meta:meta])* $method:ident $name:literal $op:ident;)*) => {
        impl Tensor {
            $($(#[$meta])*
            ///
            /// Integers and bools are made f32 first.
            pub fn $method(&self) -> Result<Tensor> {
                build::unary($name, Unary::$op, &build::cast($name, self, DType::F32)?)
            })*
        }
    };
}

float_functions! {
    /// eˣ.
    exp "exp" Exp;
    /// Natural logarithm: −∞ at 0, NaN below.
    log "log" Log;
    /// Square root; NaN below 0.
    sqrt "sqrt" Sqrt;
    /// 1/√x.
    rsqrt "rsqrt" Rsqrt;
    /// Sine of radians.
    sin "sin" Sin;
    /// Cosine of radians.
    cos "cos" Cos;
    /// Hyperbolic tangent.
    tanh "tanh" Tanh;
    /// 1/(1+e⁻ˣ).
    sigmoid "sigmoid" Sigmoid;
    /// Error function.
    erf "erf" Erf;
    /// Inverse of the error function on [−1, 1].
    erf_inv "erfInv" ErfInv;
}

impl Tensor {
    /// −x; unsigned integers wrap. Errors with `DType` for bool.
    pub fn neg(&self) -> Result<Tensor> {
        build::unary("neg", Unary::Neg, self)
    }

    /// |x|. Errors with `DType` for bool.
    pub fn abs(&self) -> Result<Tensor> {
        build::unary("abs", Unary::Abs, self)
    }

    /// −1, 0 or 1; NaN stays NaN. Errors with `DType` for bool.
    pub fn sign(&self) -> Result<Tensor> {
        build::unary("sign", Unary::Sign, self)
    }

    /// max(x, 0), with gradient 0 at 0. Errors with `DType` for bool.
    pub fn relu(&self) -> Result<Tensor> {
        match self.dtype() {
            DType::U32 => build::cast("relu", self, DType::U32),
            _ => build::unary("relu", Unary::Relu, self),
        }
    }

    /// The largest integer not above x; integers are themselves. Errors with `DType` for bool.
    pub fn floor(&self) -> Result<Tensor> {
        self.rounded("floor", Unary::Floor)
    }

    /// The smallest integer not below x; integers are themselves. Errors with `DType` for bool.
    pub fn ceil(&self) -> Result<Tensor> {
        self.rounded("ceil", Unary::Ceil)
    }

    /// The nearest integer, ties to even; integers are themselves. Errors with `DType` for bool.
    pub fn round(&self) -> Result<Tensor> {
        self.rounded("round", Unary::Round)
    }

    /// The nearest number with `decimals` decimals, computed as JAX does, by powers of ten in f32;
    /// below 0 they are tens, hundreds and so on. Otherwise as [`Tensor::round`]. Errors with
    /// `Value` for integers to less than whole numbers.
    pub fn round_to(&self, decimals: i64) -> Result<Tensor> {
        if decimals == 0 || (decimals > 0 && self.dtype().is_integer()) {
            return self.round();
        }
        if self.dtype().is_integer() {
            return Err(Error::value("round", format!("integers are not rounded to {decimals} decimals")));
        }
        let x = match self.dtype() {
            DType::F16 => build::cast("round", self, DType::F32)?,
            _ => self.clone(),
        };
        let power = 10f64.powi(decimals.unsigned_abs().min(38) as i32);
        let found = if decimals > 0 {
            x.mul(power)?.round()?.div(power)?
        } else {
            x.div(power)?.round()?.mul(power)?
        };
        build::cast("round", &found, self.dtype())
    }

    fn rounded(&self, name: &str, op: Unary) -> Result<Tensor> {
        if self.dtype().is_integer() {
            return build::cast(name, self, self.dtype());
        }
        build::unary(name, op, self)
    }

    /// Not: of a bool tensor; others count as "not zero". Yields bool.
    pub fn logical_not(&self) -> Result<Tensor> {
        build::unary("logicalNot", Unary::Not, &build::cast("logicalNot", self, DType::Bool)?)
    }

    /// Every bit inverted; of bool, not. Errors with `DType` for f32.
    pub fn bitwise_not(&self) -> Result<Tensor> {
        build::unary("bitwiseNot", Unary::Not, self)
    }

    /// Whether x is NaN; integers never are. Yields bool.
    pub fn isnan(&self) -> Result<Tensor> {
        build::unary("isnan", Unary::IsNan, &build::cast("isnan", self, DType::F32)?)
    }

    /// Whether x is neither NaN nor infinite. Yields bool.
    pub fn isfinite(&self) -> Result<Tensor> {
        build::cast("isfinite", self, DType::F32)?.abs()?.less(f64::INFINITY)
    }

    /// x².
    pub fn square(&self) -> Result<Tensor> {
        let x = build::cast("square", self, self.dtype().accumulate())?;
        build::binary("square", Binary::Mul, &x, &x)
    }

    /// 1/x, in f32.
    pub fn reciprocal(&self) -> Result<Tensor> {
        let x = build::cast("reciprocal", self, DType::F32)?;
        let one = build::constant_like("reciprocal", &x, Literal::F32(1.0))?;
        build::binary("reciprocal", Binary::Div, &one, &x)
    }

    /// The same values as another dtype: float to integer truncates towards zero and saturates, NaN
    /// gives 0; to bool is "not zero"; between i32 and u32 wraps.
    pub fn cast(&self, dtype: DType) -> Result<Tensor> {
        build::cast("cast", self, dtype)
    }

    /// The same bits as another dtype. Errors with `DType` for bool.
    pub fn bitcast(&self, dtype: DType) -> Result<Tensor> {
        if self.dtype() == dtype && dtype != DType::Bool {
            return build::cast("bitcast", self, dtype);
        }
        build::bitcast("bitcast", self, dtype)
    }

    /// min(max(x, low), high): no bound where `None`; `high` wins where they cross; NaN stays NaN.
    pub fn clip(&self, low: Option<f64>, high: Option<f64>) -> Result<Tensor> {
        let raised = match low {
            Some(low) => arithmetic("clip", Binary::Max, self.device(), self.into(), low.into())?,
            None => build::cast("clip", self, self.dtype())?,
        };
        match high {
            Some(high) => arithmetic("clip", Binary::Min, self.device(), raised.into(), high.into()),
            None => Ok(raised),
        }
    }
}

/// `op` of two operands in the dtype in which they meet, bools counting as i32 where `op` does not
/// take them.
fn arithmetic(name: &str, op: Binary, device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let mut dtype = operand::meet(&a, &b);
    if !matches!(op, Binary::Min | Binary::Max) {
        dtype = dtype.accumulate();
    }
    let (a, b) = operand::pair(name, device, &a, &b, dtype)?;
    build::binary(name, op, &a, &b)
}

fn comparison(name: &str, op: Compare, device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    match (&a, &b) {
        (Operand::Tensor(x), Operand::Number(n)) if !x.dtype().is_float() => {
            return compared_with(name, op, x, *n);
        }
        (Operand::Number(n), Operand::Tensor(x)) if !x.dtype().is_float() => {
            return compared_with(name, turned(op), x, *n);
        }
        (Operand::Tensor(x), Operand::Tensor(n)) if is_exact(x, n) => return weak::compare(name, op, x, n),
        (Operand::Tensor(n), Operand::Tensor(x)) if is_exact(x, n) => {
            return weak::compare(name, turned(op), x, n);
        }
        _ => {}
    }
    let (a, b) = operand::pair(name, device, &a, &b, operand::meet(&a, &b))?;
    build::compare(name, op, &a, &b)
}

/// The comparison that holds between b and a where `op` holds between a and b.
fn turned(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        Compare::Eq | Compare::Ne => op,
    }
}

/// Whether `n` is a plain number that stands as a tensor, compared with integers or bools.
fn is_exact(x: &Tensor, n: &Tensor) -> bool {
    n.plain_number().is_some() && x.plain_number().is_none() && !x.dtype().is_float()
}

/// Integers or bools compared with a number, exactly as NumPy 2 compares: also with one that their
/// dtype does not hold.
fn compared_with(name: &str, op: Compare, x: &Tensor, number: f64) -> Result<Tensor> {
    let dtype = DType::promote_number(x.dtype(), 0.0);
    // Whole numbers are below 2.5 where they are below 3.
    let bound = match op {
        Compare::Lt | Compare::Ge => number.ceil(),
        Compare::Le | Compare::Gt => number.floor(),
        Compare::Eq | Compare::Ne => number,
    };
    if bound.fract() == 0.0 && literal(name, bound, dtype).is_ok() {
        let (x, bound) = operand::pair(name, x.device(), &x.into(), &Operand::Number(bound), dtype)?;
        return build::compare(name, op, &x, &bound);
    }
    let holds = match op {
        Compare::Eq => false,
        Compare::Ne => true,
        Compare::Lt | Compare::Le => bound > 0.0,
        Compare::Gt | Compare::Ge => bound < 0.0,
    };
    x.device().full(x.shape(), f64::from(u8::from(holds)), DType::Bool)
}

fn logic(name: &str, op: Binary, device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let (a, b) = operand::pair(name, device, &a, &b, operand::meet(&a, &b))?;
    build::binary(name, op, &build::cast(name, &a, DType::Bool)?, &build::cast(name, &b, DType::Bool)?)
}

fn bits(name: &str, op: Binary, device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let dtype = operand::meet(&a, &b);
    if !weft_ir::op::infer::binary_takes(op, dtype) {
        let (a, b) = (a.dtype(), b.dtype());
        return Err(Error::dtype(name, format!("takes integers, got {a} and {b}")));
    }
    let (a, b) = operand::pair(name, device, &a, &b, dtype)?;
    build::binary(name, op, &a, &b)
}

macro_rules! two_operands {
    ($($(#[$meta:meta])* $method:ident $name:literal $how:ident $op:expr;)*) => {
        impl Tensor {
            $($(#[$meta])*
            pub fn $method(&self, other: impl Into<Operand>) -> Result<Tensor> {
                two::$method(self.device(), self.into(), other.into())
            })*
        }

        /// As functions of operands, either of which may be a number.
        pub(crate) mod two {
            use super::*;
            pub(crate) use super::{divide as div, floor_divide, power as pow};

            $(pub(crate) fn $method(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
                $how($name, $op, device, a, b)
            })*
        }
    };
}

two_operands! {
    /// a + b. Shapes broadcast; dtypes promote; integers wrap.
    add "add" arithmetic Binary::Add;
    /// a − b. Shapes broadcast; dtypes promote; integers wrap.
    sub "sub" arithmetic Binary::Sub;
    /// a · b, element by element. Shapes broadcast; dtypes promote; integers wrap.
    mul "mul" arithmetic Binary::Mul;
    /// a − b·⌊a/b⌋, with the sign of b. By zero: NaN, or 0 for integers.
    remainder "remainder" arithmetic Binary::Rem;
    /// The smaller of both; NaN if either is.
    minimum "minimum" arithmetic Binary::Min;
    /// The larger of both; NaN if either is.
    maximum "maximum" arithmetic Binary::Max;
    /// a = b. Yields bool.
    equal "equal" comparison Compare::Eq;
    /// a ≠ b. Yields bool; NaN differs from itself.
    not_equal "notEqual" comparison Compare::Ne;
    /// a < b. Yields bool.
    less "less" comparison Compare::Lt;
    /// a ≤ b. Yields bool.
    less_equal "lessEqual" comparison Compare::Le;
    /// a > b. Yields bool.
    greater "greater" comparison Compare::Gt;
    /// a ≥ b. Yields bool.
    greater_equal "greaterEqual" comparison Compare::Ge;
    /// Both not zero. Yields bool.
    logical_and "logicalAnd" logic Binary::And;
    /// Either not zero. Yields bool.
    logical_or "logicalOr" logic Binary::Or;
    /// Exactly one not zero. Yields bool.
    logical_xor "logicalXor" logic Binary::Xor;
    /// And of each bit. Errors with `DType` for f32.
    bitwise_and "bitwiseAnd" bits Binary::And;
    /// Or of each bit. Errors with `DType` for f32.
    bitwise_or "bitwiseOr" bits Binary::Or;
    /// Exclusive or of each bit. Errors with `DType` for f32.
    bitwise_xor "bitwiseXor" bits Binary::Xor;
    /// a · 2ᵇ; 0 where b is 32 or more. Integers only.
    shift_left "shiftLeft" bits Binary::Shl;
    /// a shifted right by b, keeping the sign of i32. Integers only.
    shift_right "shiftRight" bits Binary::Shr;
}

impl Tensor {
    /// a / b in f32, whatever the dtypes.
    pub fn div(&self, other: impl Into<Operand>) -> Result<Tensor> {
        divide(self.device(), self.into(), other.into())
    }

    /// ⌊a/b⌋ of the exact quotient, in the dtype in which both meet, so that a = b·⌊a/b⌋ +
    /// `remainder`; 0 where an integer b is 0. Of floats as NumPy's: ±∞ by 0, NaN for infinite a.
    pub fn floor_divide(&self, other: impl Into<Operand>) -> Result<Tensor> {
        floor_divide(self.device(), self.into(), other.into())
    }

    /// aᵇ. −1, ±½ and whole exponents from 0 to 8 are part of the program and need no logarithm;
    /// other numbers are run-time values. Of integers: b < 0 gives 0, except for ±1.
    pub fn pow(&self, exponent: impl Into<Operand>) -> Result<Tensor> {
        power(self.device(), self.into(), exponent.into())
    }
}

/// `a` where `condition` (bool) is true, else `b`; the value not chosen leaves no trace. Shapes
/// broadcast, dtypes of `a` and `b` promote. Errors with `Shape`, and with `DType` for a condition
/// that is not bool.
pub fn select(condition: &Tensor, a: impl Into<Operand>, b: impl Into<Operand>) -> Result<Tensor> {
    let (a, b) = (a.into(), b.into());
    if condition.dtype() != DType::Bool {
        return Err(Error::dtype("where", format!("the condition must be bool, got {}", condition.dtype())));
    }
    let shape = Shape::broadcast("where", &a.shape(), &b.shape())?;
    let shape = Shape::broadcast("where", condition.shape(), &shape)?;
    let (device, dtype) = (condition.device(), operand::meet(&a, &b));
    let fit = |operand: &Operand| build::expand("where", &operand.to_tensor("where", device, dtype)?, &shape);
    let condition = build::expand("where", condition, &shape)?;
    build::select("where", &condition, &fit(&a)?, &fit(&b)?)
}

/// At each place the choice whose condition is the first to hold, or `otherwise` where none does.
/// Errors with `Value` unless there is a choice for each condition and at least one, and as
/// [`select`].
pub fn choose(conditions: &[Tensor], choices: &[Operand], otherwise: impl Into<Operand>) -> Result<Tensor> {
    let (count, several) = (conditions.len(), choices.len());
    let mut pairs = conditions.iter().zip(choices).rev();
    let (Some((condition, choice)), true) = (pairs.next(), count == several) else {
        let what = format!("takes a choice for each condition, got {count} conditions and {several} choices");
        return Err(Error::value("select", what));
    };
    let last = select(condition, choice, otherwise)?;
    pairs.try_fold(last, |rest, (condition, choice)| select(condition, choice, rest))
}

pub(crate) fn divide(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let (a, b) = operand::pair("div", device, &a, &b, DType::F32)?;
    build::binary("div", Binary::Div, &a, &b)
}

pub(crate) fn floor_divide(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let dtype = operand::meet(&a, &b).accumulate();
    let (a, b) = operand::pair("floorDivide", device, &a, &b, dtype)?;
    let op = if dtype.is_float() { Binary::FloorDiv } else { Binary::Div };
    build::binary("floorDivide", op, &a, &b)
}

pub(crate) fn power(device: &Device, base: Operand, exponent: Operand) -> Result<Tensor> {
    if let (Operand::Tensor(base), Operand::Number(n)) = (&base, &exponent) {
        let base = build::cast("pow", base, operand::meet(&base.into(), &exponent).accumulate())?;
        if let Some(power) = constant_power(&base, *n)? {
            return Ok(power);
        }
    }
    arithmetic("pow", Binary::Pow, device, base, exponent)
}

/// xⁿ for the exponents that are worth a program of their own.
fn constant_power(x: &Tensor, n: f64) -> Result<Option<Tensor>> {
    let float = x.dtype().is_float();
    let one = || build::constant_like("pow", x, Literal::one(x.dtype()));
    if float && n.abs() == 0.5 {
        // A power takes −∞ as ∞, where a root has no value. By bits: compilers may assume that
        // there are no infinities.
        let bits = build::bitcast("pow", x, DType::U32)?;
        let lowest = build::constant_like("pow", &bits, Literal::U32(f32::NEG_INFINITY.to_bits()))?;
        let lowest = build::compare("pow", Compare::Eq, &bits, &lowest)?;
        let highest = build::constant_like("pow", x, Literal::F32(f32::INFINITY))?;
        let x = build::select("pow", &lowest, &highest, x)?;
        let op = if n > 0.0 { Unary::Sqrt } else { Unary::Rsqrt };
        return build::unary("pow", op, &x).map(Some);
    }
    if float && n == -1.0 {
        return build::binary("pow", Binary::Div, &one()?, x).map(Some);
    }
    if n.fract() != 0.0 || !(0.0..=LARGEST_CONSTANT_EXPONENT).contains(&n) {
        return Ok(None);
    }
    let mut result: Option<Tensor> = None;
    let mut square = build::cast("pow", x, x.dtype())?;
    let mut rest = n as u32;
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(result) => build::binary("pow", Binary::Mul, &result, &square)?,
                None => square.clone(),
            });
        }
        rest >>= 1;
        if rest > 0 {
            square = build::binary("pow", Binary::Mul, &square, &square)?;
        }
    }
    match result {
        Some(power) => Ok(Some(power)),
        None => one().map(Some),
    }
}
