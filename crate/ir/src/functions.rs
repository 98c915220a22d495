//! Elementwise functions, defined once for the graph interpreter, the kernel interpreter and
//! constant folding: over f64 (the truth that rules and bounds are tested against) and over f32
//! (what a device computes).
//!
//! Over f32 the transcendental functions are those of f64, rounded once.

use crate::dtype::{DType, Literal};
use crate::kernel::Function;
use crate::op::{Binary, Compare, Unary};
use std::cmp::Ordering;
use std::fmt::{Debug, Display};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

pub mod half;
mod special;
pub(crate) mod tile;

pub use special::{erf, erf_inv, erfc};
use tile::{COLUMNS, ROWS};

/// The numbers that stand for `DType::F32`: f32 itself, or f64 where rounding should not matter.
pub trait Real:
    Copy
    + Debug
    + Display
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The nearest number of this type.
    fn from_f64(x: f64) -> Self;
    /// The same number in f64.
    fn to_f64(self) -> f64;

    /// The value of a 32-bit float.
    fn from_f32(x: f32) -> Self {
        Self::from_f64(f64::from(x))
    }
    /// The nearest 32-bit float.
    fn to_f32(self) -> f32 {
        self.to_f64() as f32
    }
    /// Whether this is NaN.
    fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    /// The products of a few rows with a panel of a few columns, one line of columns at each step
    /// of depth.
    fn tile(rows: [&[Self]; ROWS], panel: &[[Self; COLUMNS]]) -> [[Self; COLUMNS]; ROWS] {
        tile::tile(rows, panel, Self::from_f64(0.0), |sum, a, b| sum + a * b, |a, b| a + b)
    }
}

impl Real for f32 {
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[cfg(target_arch = "wasm32")]
    fn tile(rows: [&[f32]; ROWS], panel: &[[f32; COLUMNS]]) -> [[f32; COLUMNS]; ROWS] {
        tile::vectors::tile(rows, panel)
    }
}

impl Real for f64 {
    fn from_f64(x: f64) -> f64 {
        x
    }
    fn to_f64(self) -> f64 {
        self
    }
}

/// One element of a tensor or of a kernel's memory, with `R` in place of `DType::F32`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Element<R> {
    /// A float.
    F32(R),
    /// A signed integer.
    I32(i32),
    /// An unsigned integer.
    U32(u32),
    /// A truth value.
    Bool(bool),
}

impl<R: Real> Element<R> {
    /// Its dtype.
    pub fn dtype(self) -> DType {
        match self {
            Element::F32(_) => DType::F32,
            Element::I32(_) => DType::I32,
            Element::U32(_) => DType::U32,
            Element::Bool(_) => DType::Bool,
        }
    }

    /// The value of a literal.
    pub fn from_literal(literal: Literal) -> Element<R> {
        match literal {
            Literal::F32(x) => Element::F32(R::from_f32(x)),
            Literal::I32(x) => Element::I32(x),
            Literal::U32(x) => Element::U32(x),
            Literal::Bool(x) => Element::Bool(x),
        }
    }

    /// The literal of this value; floats are rounded to f32.
    pub fn to_literal(self) -> Literal {
        match self {
            Element::F32(x) => Literal::F32(x.to_f32()),
            Element::I32(x) => Literal::I32(x),
            Element::U32(x) => Literal::U32(x),
            Element::Bool(x) => Literal::Bool(x),
        }
    }

    /// The value as a number; true is 1.
    pub fn to_f64(self) -> f64 {
        match self {
            Element::F32(x) => x.to_f64(),
            Element::I32(x) => f64::from(x),
            Element::U32(x) => f64::from(x),
            Element::Bool(x) => f64::from(u8::from(x)),
        }
    }
}

/// [`Unary`] as [`crate::op`] defines it. Panics on a dtype that the op does not take.
pub fn unary<R: Real>(op: Unary, x: Element<R>) -> Element<R> {
    use Unary::*;
    match (op, x) {
        (IsNan, Element::F32(x)) => Element::Bool(x.is_nan()),
        (ToHalf, Element::F32(x)) => Element::U32(half::to_bits(x.to_f32())),
        (OfHalf, Element::U32(bits)) => Element::F32(R::from_f32(half::from_bits(bits))),
        (_, Element::F32(x)) => Element::F32(unary_real(op, x)),
        (Neg, Element::I32(x)) => Element::I32(x.wrapping_neg()),
        (Neg, Element::U32(x)) => Element::U32(x.wrapping_neg()),
        (Abs, Element::I32(x)) => Element::I32(x.wrapping_abs()),
        (Abs, Element::U32(x)) => Element::U32(x),
        (Sign, Element::I32(x)) => Element::I32(x.signum()),
        (Sign, Element::U32(x)) => Element::U32(x.min(1)),
        (Relu, Element::I32(x)) => Element::I32(x.max(0)),
        (Not, Element::I32(x)) => Element::I32(!x),
        (Not, Element::U32(x)) => Element::U32(!x),
        (Not, Element::Bool(x)) => Element::Bool(!x),
        _ => panic!("{op:?} does not take {}", x.dtype()),
    }
}

/// The unary ops from float to float.
pub fn unary_real<R: Real>(op: Unary, x: R) -> R {
    use Unary::*;
    let zero = R::from_f64(0.0);
    let wide = x.to_f64();
    let of = R::from_f64;
    match op {
        Neg => -x,
        Abs => of(wide.abs()),
        Sign => of(sign(wide)),
        Floor => of(wide.floor()),
        Ceil => of(wide.ceil()),
        Round => of(wide.round_ties_even()),
        Exp => of(wide.exp()),
        Log => of(wide.ln()),
        Sqrt => of(wide.sqrt()),
        Rsqrt => of(rsqrt(wide)),
        Sin | Cos | Tanh | Erf | ErfInv | NormalCdf => of(transcendental(op, wide)),
        Sigmoid => of(sigmoid(wide)),
        Relu => {
            if x > zero || x.is_nan() {
                x
            } else {
                zero
            }
        }
        Not | IsNan | ToHalf | OfHalf => panic!("{op:?} is not a function from float to float"),
    }
}

/// Functions of floats that take much code.
///
/// Deferred: devices compute these, and few programs take them of constants.
#[inline(never)]
fn transcendental(op: Unary, x: f64) -> f64 {
    use Unary::*;
    match op {
        Sin => x.sin(),
        Cos => x.cos(),
        Tanh => x.tanh(),
        Erf => erf(x),
        ErfInv => erf_inv(x),
        NormalCdf => 0.5 * erfc(-x / std::f64::consts::SQRT_2),
        Neg | Abs | Sign | Floor | Ceil | Round | Exp | Log | Sqrt | Rsqrt | Sigmoid | Relu | Not | IsNan
        | ToHalf | OfHalf => unreachable!("`unary_real` computes {op:?} itself"),
    }
}

/// −1, ±0 or 1; NaN stays NaN.
pub fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { 1f64.copysign(x) }
}

/// 1/√x; ∞ at ±0, NaN below.
pub fn rsqrt(x: f64) -> f64 {
    if x == 0.0 { f64::INFINITY } else { 1.0 / x.sqrt() }
}

/// 1/(1+e⁻ˣ), without overflow or cancellation on either side.
pub fn sigmoid(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

/// [`Binary`] as [`crate::op`] defines it. Panics when the dtypes differ or the op does not take
/// them.
pub fn binary<R: Real>(op: Binary, a: Element<R>, b: Element<R>) -> Element<R> {
    match (a, b) {
        (Element::F32(a), Element::F32(b)) => Element::F32(binary_real(op, a, b)),
        (Element::I32(a), Element::I32(b)) => Element::I32(binary_i32(op, a, b)),
        (Element::U32(a), Element::U32(b)) => Element::U32(binary_u32(op, a, b)),
        (Element::Bool(a), Element::Bool(b)) => Element::Bool(binary_bool(op, a, b)),
        _ => panic!("{op:?} takes two of one dtype, got {} and {}", a.dtype(), b.dtype()),
    }
}

/// The binary ops on floats.
pub fn binary_real<R: Real>(op: Binary, a: R, b: R) -> R {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::FloorDiv => R::from_f64(floor_div_real(a.to_f64(), b.to_f64())),
        Binary::Rem => floor_rem_real(a, b),
        Binary::Pow => R::from_f64(a.to_f64().powf(b.to_f64())),
        Binary::Min => min_real(a, b),
        Binary::Max => max_real(a, b),
        Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => {
            panic!("{op:?} does not take f32")
        }
    }
}

/// The smaller; NaN if either is.
pub fn min_real<R: Real>(a: R, b: R) -> R {
    if a.is_nan() || a < b { a } else { b }
}

/// The larger; NaN if either is.
pub fn max_real<R: Real>(a: R, b: R) -> R {
    if a.is_nan() || a > b { a } else { b }
}

/// The floor of a / b, as NumPy's `floor_divide`: from the exact remainder, so that 1 by 0.1, which
/// is a little more than a tenth, is 9.
pub fn floor_div_real(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let rest = a % b;
    let quotient = ((a - rest) / b).round();
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        quotient - 1.0
    } else if quotient == 0.0 {
        // What is taken from a leaves no sign.
        0f64.copysign(a) * 1f64.copysign(b)
    } else {
        quotient
    }
}

/// The remainder with the sign of `b`, as NumPy's `remainder`: NaN where `b` is 0, and −∞ for 1 by
/// −∞.
pub fn floor_rem_real<R: Real>(a: R, b: R) -> R {
    let zero = R::from_f64(0.0);
    let rest = a % b;
    if rest == zero {
        R::from_f64(0f64.copysign(b.to_f64()))
    } else if (rest < zero) != (b < zero) && !rest.is_nan() {
        rest + b
    } else {
        rest
    }
}

/// The binary ops on i32.
pub fn binary_i32(op: Binary, a: i32, b: i32) -> i32 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => floor_div_i32(a, b),
        Binary::Rem => floor_rem_i32(a, b),
        Binary::Pow => pow_i32(a, b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.checked_shl(b as u32).unwrap_or(0),
        Binary::Shr => a >> (b as u32).min(31),
        Binary::FloorDiv => panic!("{op:?} does not take i32"),
    }
}

/// The floor of the quotient; 0 where `b` is 0; −2³¹ by −1 wraps.
pub fn floor_div_i32(a: i32, b: i32) -> i32 {
    if b == 0 {
        return 0;
    }
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// The remainder with the sign of `b`; 0 where `b` is 0.
pub fn floor_rem_i32(a: i32, b: i32) -> i32 {
    if b == 0 {
        return 0;
    }
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// aᵇ, wrapping. For b < 0: 0, except that powers of 1 and −1 are themselves ±1.
pub fn pow_i32(a: i32, b: i32) -> i32 {
    match (a, b) {
        (1, _) => 1,
        (-1, _) => 1 - 2 * (b & 1),
        (_, ..=-1) => 0,
        _ => pow_u32(a as u32, b as u32) as i32,
    }
}

/// aᵇ, wrapping.
pub fn pow_u32(a: u32, b: u32) -> u32 {
    a.wrapping_pow(b)
}

/// The binary ops on u32.
pub fn binary_u32(op: Binary, a: u32, b: u32) -> u32 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => a.checked_div(b).unwrap_or(0),
        Binary::Rem => a.checked_rem(b).unwrap_or(0),
        Binary::Pow => pow_u32(a, b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.checked_shl(b).unwrap_or(0),
        Binary::Shr => a.checked_shr(b).unwrap_or(0),
        Binary::FloorDiv => panic!("{op:?} does not take u32"),
    }
}

/// The binary ops on bool; `Min` is "and", `Max` is "or".
pub fn binary_bool(op: Binary, a: bool, b: bool) -> bool {
    match op {
        Binary::Min | Binary::And => a & b,
        Binary::Max | Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::Div
        | Binary::FloorDiv
        | Binary::Rem
        | Binary::Pow
        | Binary::Shl
        | Binary::Shr => panic!("{op:?} does not take bool"),
    }
}

/// [`Compare`]: with NaN all but `Ne` are false; false is less than true. Panics when the dtypes
/// differ.
pub fn compare<R: Real>(op: Compare, a: Element<R>, b: Element<R>) -> bool {
    let order = match (a, b) {
        (Element::F32(a), Element::F32(b)) => a.partial_cmp(&b),
        (Element::I32(a), Element::I32(b)) => Some(a.cmp(&b)),
        (Element::U32(a), Element::U32(b)) => Some(a.cmp(&b)),
        (Element::Bool(a), Element::Bool(b)) => Some(a.cmp(&b)),
        _ => panic!("{op:?} takes two of one dtype, got {} and {}", a.dtype(), b.dtype()),
    };
    match op {
        Compare::Eq => order == Some(Ordering::Equal),
        Compare::Ne => order != Some(Ordering::Equal),
        Compare::Lt => order == Some(Ordering::Less),
        Compare::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Compare::Gt => order == Some(Ordering::Greater),
        Compare::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// Conversion: float to integer truncates towards zero and saturates, NaN gives 0; integers keep
/// their bits; to bool is "not zero", NaN included; true is 1.
pub fn cast<R: Real>(to: DType, x: Element<R>) -> Element<R> {
    match to {
        DType::F32 => match x {
            Element::F32(_) => x,
            other => Element::F32(R::from_f64(other.to_f64())),
        },
        DType::I32 => Element::I32(match x {
            Element::F32(x) => x.to_f64() as i32,
            Element::I32(x) => x,
            Element::U32(x) => x as i32,
            Element::Bool(x) => i32::from(x),
        }),
        DType::U32 => Element::U32(match x {
            Element::F32(x) => x.to_f64() as u32,
            Element::I32(x) => x as u32,
            Element::U32(x) => x,
            Element::Bool(x) => u32::from(x),
        }),
        DType::Bool => Element::Bool(match x {
            Element::F32(x) => x != R::from_f64(0.0),
            Element::I32(x) => x != 0,
            Element::U32(x) => x != 0,
            Element::Bool(x) => x,
        }),
        packed => panic!("{packed} is unpacked where a program is made"),
    }
}

/// The same 32 bits as another dtype; over f64 the float is rounded to f32 first.
pub fn bitcast<R: Real>(to: DType, x: Element<R>) -> Element<R> {
    Element::from_literal(Literal::from_bits(to, x.to_literal().bits()))
}

/// A prelude [`Function`] applied to arguments of its signature; panics on others.
pub fn call<R: Real>(function: Function, arguments: &[Element<R>]) -> Element<R> {
    use Element::{Bool, F32, I32, U32};
    let unary_op = match function {
        Function::Exp | Function::ExpBelow => Some(Unary::Exp),
        Function::Log => Some(Unary::Log),
        Function::Sin => Some(Unary::Sin),
        Function::Cos => Some(Unary::Cos),
        Function::Tanh => Some(Unary::Tanh),
        Function::Sigmoid => Some(Unary::Sigmoid),
        Function::Erf => Some(Unary::Erf),
        Function::ErfInv => Some(Unary::ErfInv),
        Function::NormalCdf => Some(Unary::NormalCdf),
        Function::Rsqrt => Some(Unary::Rsqrt),
        Function::SignF32 => Some(Unary::Sign),
        _ => None,
    };
    match (function, arguments) {
        (_, &[F32(x)]) if unary_op.is_some() => F32(unary_real(unary_op.expect("just tested"), x)),
        (Function::IsNan, &[F32(x)]) => Bool(x.is_nan()),
        (Function::PowF32, &[F32(a), F32(b)]) => F32(binary_real(Binary::Pow, a, b)),
        (Function::PowI32, &[I32(a), I32(b)]) => I32(pow_i32(a, b)),
        (Function::PowU32, &[U32(a), U32(b)]) => U32(pow_u32(a, b)),
        (Function::MinF32, &[F32(a), F32(b)]) => F32(min_real(a, b)),
        (Function::MaxF32, &[F32(a), F32(b)]) => F32(max_real(a, b)),
        (Function::DivF32, &[F32(a), F32(b)]) => F32(a / b),
        (Function::Hidden, &[F32(a), F32(_)]) => F32(a),
        (Function::FloorDivF32, &[F32(a), F32(b)]) => F32(binary_real(Binary::FloorDiv, a, b)),
        (Function::RemF32, &[F32(a), F32(b)]) => F32(floor_rem_real(a, b)),
        (Function::FloorDivI32, &[I32(a), I32(b)]) => I32(floor_div_i32(a, b)),
        (Function::FloorRemI32, &[I32(a), I32(b)]) => I32(floor_rem_i32(a, b)),
        (Function::DivU32, &[U32(a), U32(b)]) => U32(binary_u32(Binary::Div, a, b)),
        (Function::RemU32, &[U32(a), U32(b)]) => U32(binary_u32(Binary::Rem, a, b)),
        (Function::F32ToI32, &[x @ F32(_)]) => cast(DType::I32, x),
        (Function::F32ToU32, &[x @ F32(_)]) => cast(DType::U32, x),
        (Function::U32ToF32, &[x @ U32(_)]) => cast(DType::F32, x),
        (Function::FromBits, &[x @ U32(_)]) => bitcast(DType::F32, x),
        (Function::ToHalf, &[x @ F32(_)]) => unary(Unary::ToHalf, x),
        (Function::OfHalf, &[x @ U32(_)]) => unary(Unary::OfHalf, x),
        _ => panic!("{function:?} does not take {arguments:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_take_the_sign_of_the_divisor() {
        assert_eq!(floor_rem_real(-7.0, 3.0), 2.0);
        assert_eq!(floor_rem_real(7.0, -3.0), -2.0);
        assert_eq!(floor_rem_real(5.0, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!(floor_rem_real(5.0, 0.0).is_nan());
        assert!(floor_rem_real(6.0f64, -3.0).is_sign_negative());
        assert_eq!((floor_div_i32(-7, 2), floor_rem_i32(-7, 2)), (-4, 1));
        assert_eq!(floor_div_real(1.0, f64::from(0.1f32)), 9.0);
        assert_eq!((floor_div_real(-5.0, f64::INFINITY), floor_div_real(5.0, f64::INFINITY)), (-1.0, 0.0));
        assert!(floor_div_real(f64::INFINITY, 3.0).is_nan() && floor_div_real(0.0, 0.0).is_nan());
        assert_eq!(floor_div_real(-1.0, 0.0), f64::NEG_INFINITY);
        assert_eq!((floor_div_i32(7, 0), floor_rem_i32(7, 0)), (0, 0));
        assert_eq!((floor_div_i32(i32::MIN, -1), floor_rem_i32(i32::MIN, -1)), (i32::MIN, 0));
    }

    #[test]
    fn whole_powers_wrap_and_negative_exponents_vanish() {
        assert_eq!((pow_i32(-3, 3), pow_i32(2, 32), pow_i32(7, 0)), (-27, 0, 1));
        assert_eq!((pow_i32(5, -1), pow_i32(-1, -3), pow_i32(1, -9), pow_i32(0, -1)), (0, -1, 1, 0));
    }

    #[test]
    fn shifts_of_32_or_more_shift_everything_out() {
        assert_eq!((binary_i32(Binary::Shl, 1, 32), binary_i32(Binary::Shr, -8, 40)), (0, -1));
        assert_eq!((binary_u32(Binary::Shl, 1, 31), binary_u32(Binary::Shr, 8, 99)), (1 << 31, 0));
    }

    #[test]
    fn nan_wins_and_casts_saturate() {
        assert!(min_real(f32::NAN, 1.0).is_nan() && max_real(1.0, f32::NAN).is_nan());
        assert_eq!(cast::<f32>(DType::I32, Element::F32(3e9)), Element::I32(i32::MAX));
        assert_eq!(cast::<f32>(DType::U32, Element::F32(-1.5)), Element::U32(0));
        assert_eq!(cast::<f32>(DType::I32, Element::F32(f32::NAN)), Element::I32(0));
        assert_eq!(cast::<f32>(DType::Bool, Element::F32(f32::NAN)), Element::Bool(true));
        assert_eq!(bitcast::<f64>(DType::U32, Element::F32(1.0)), Element::U32(0x3f80_0000));
    }

    #[test]
    fn every_function_of_the_prelude_has_a_meaning() {
        for function in Function::ALL {
            let (takes, yields) = function.signature();
            let arguments: Vec<Element<f32>> =
                takes.iter().map(|&d| Element::from_literal(Literal::one(d))).collect();
            assert_eq!(call(function, &arguments).dtype(), yields, "{function:?}");
        }
    }
}
