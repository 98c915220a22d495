//! What an element is: the dtypes a tensor can have, literals of them, and how dtypes combine.
//!
//! Promotion follows the rule that only plain numbers are weak; a 0-d tensor promotes as any tensor does.

use crate::decimal::float_text;
use crate::error::{Error, ErrorKind};
use std::fmt;

/// The type of a tensor's elements. Every dtype occupies four bytes in a buffer; `Bool` is stored as a `u32` of 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// Two's-complement 32-bit integer; arithmetic wraps.
    I32,
    /// Unsigned 32-bit integer; arithmetic wraps.
    U32,
    /// Truth value.
    Bool,
}

impl DType {
    /// Every dtype, for tables and tests.
    pub const ALL: [DType; 4] = [DType::F32, DType::I32, DType::U32, DType::Bool];

    /// Bytes per element in a buffer.
    pub const fn bytes(self) -> usize {
        4
    }

    /// The name used in every API: `f32`, `i32`, `u32`, `bool`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::I32 => "i32",
            DType::U32 => "u32",
            DType::Bool => "bool",
        }
    }

    /// The dtype called `name`. Errors with `ErrorKind::DType` when there is none.
    pub fn parse(op: &str, name: &str) -> Result<DType, Error> {
        DType::ALL.into_iter().find(|d| d.name() == name).ok_or_else(|| {
            Error::new(
                ErrorKind::DType,
                op,
                format!("no dtype is called {name:?}; expected f32, i32, u32 or bool"),
            )
        })
    }

    /// Whether this is `F32`.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F32)
    }

    /// Whether this is `I32` or `U32`.
    pub const fn is_integer(self) -> bool {
        matches!(self, DType::I32 | DType::U32)
    }

    /// The dtype in which tensors of dtypes `a` and `b` meet: bool < u32 < i32 < f32.
    pub fn promote(a: DType, b: DType) -> DType {
        let rank = |d| match d {
            DType::Bool => 0,
            DType::U32 => 1,
            DType::I32 => 2,
            DType::F32 => 3,
        };
        if rank(a) >= rank(b) { a } else { b }
    }

    /// The dtype in which a tensor of dtype `tensor` meets the plain number `number`: a fractional (or non-finite)
    /// number makes integers f32; a whole number takes the tensor's dtype, except that with bool it is i32.
    pub fn promote_number(tensor: DType, number: f64) -> DType {
        let whole = number.fract() == 0.0 && number.is_finite();
        match tensor {
            DType::F32 => DType::F32,
            _ if !whole => DType::F32,
            DType::Bool => DType::I32,
            integer => integer,
        }
    }

    /// The dtype in which sums of this dtype are accumulated and returned: bool counts as i32.
    pub const fn accumulate(self) -> DType {
        match self {
            DType::Bool => DType::I32,
            other => other,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value of a dtype. Floats compare and hash by bits, so that literals can stand in keys.
#[derive(Clone, Copy)]
pub enum Literal {
    /// A binary32 value, any bits.
    F32(f32),
    /// A signed integer.
    I32(i32),
    /// An unsigned integer.
    U32(u32),
    /// A truth value.
    Bool(bool),
}

impl Literal {
    /// The literal's dtype.
    pub const fn dtype(self) -> DType {
        match self {
            Literal::F32(_) => DType::F32,
            Literal::I32(_) => DType::I32,
            Literal::U32(_) => DType::U32,
            Literal::Bool(_) => DType::Bool,
        }
    }

    /// The four bytes a buffer or the scalar ring holds for it.
    pub const fn bits(self) -> u32 {
        match self {
            Literal::F32(v) => v.to_bits(),
            Literal::I32(v) => v as u32,
            Literal::U32(v) => v,
            Literal::Bool(v) => v as u32,
        }
    }

    /// The literal whose buffer bits are `bits`.
    pub const fn from_bits(dtype: DType, bits: u32) -> Literal {
        match dtype {
            DType::F32 => Literal::F32(f32::from_bits(bits)),
            DType::I32 => Literal::I32(bits as i32),
            DType::U32 => Literal::U32(bits),
            DType::Bool => Literal::Bool(bits != 0),
        }
    }

    /// `number` as a value of `dtype`: integers wrap modulo 2³², truth is "not zero" (NaN is true).
    pub fn from_f64(dtype: DType, number: f64) -> Literal {
        match dtype {
            DType::F32 => Literal::F32(number as f32),
            DType::I32 => Literal::I32(number as i64 as i32),
            DType::U32 => Literal::U32(number as i64 as u32),
            DType::Bool => Literal::Bool(number != 0.0),
        }
    }

    /// The value as a number; true is 1.
    pub fn to_f64(self) -> f64 {
        match self {
            Literal::F32(v) => f64::from(v),
            Literal::I32(v) => f64::from(v),
            Literal::U32(v) => f64::from(v),
            Literal::Bool(v) => f64::from(u8::from(v)),
        }
    }

    /// Zero, or false.
    pub fn zero(dtype: DType) -> Literal {
        Literal::from_bits(dtype, 0)
    }

    /// One, or true.
    pub fn one(dtype: DType) -> Literal {
        Literal::from_f64(dtype, 1.0)
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Literal) -> bool {
        self.dtype() == other.dtype() && self.bits() == other.bits()
    }
}

impl Eq for Literal {}

impl std::hash::Hash for Literal {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.dtype().hash(state);
        self.bits().hash(state);
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::F32(v) => f.write_str(&float_text(*v)),
            Literal::I32(v) => write!(f, "{v}i"),
            Literal::U32(v) => write!(f, "{v}u"),
            Literal::Bool(v) => write!(f, "{v}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_numbers_are_weak() {
        assert_eq!(DType::promote(DType::I32, DType::U32), DType::I32);
        assert_eq!(DType::promote(DType::U32, DType::F32), DType::F32);
        assert_eq!(DType::promote(DType::Bool, DType::Bool), DType::Bool);
        assert_eq!(DType::promote_number(DType::I32, 2.0), DType::I32);
        assert_eq!(DType::promote_number(DType::I32, 2.5), DType::F32);
        assert_eq!(DType::promote_number(DType::U32, f64::INFINITY), DType::F32);
        assert_eq!(DType::promote_number(DType::Bool, 3.0), DType::I32);
    }

    #[test]
    fn literals_compare_by_bits() {
        assert_ne!(Literal::F32(0.0), Literal::F32(-0.0));
        assert_eq!(Literal::F32(f32::NAN), Literal::F32(f32::NAN));
        assert_eq!(Literal::from_f64(DType::U32, -1.0), Literal::U32(u32::MAX));
    }
}
