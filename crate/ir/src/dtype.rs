//! Dtypes, literals of them, and promotion.
//!
//! Promotion follows the rule that only plain numbers are weak; a 0-d tensor promotes as any tensor
//! does.
//!
//! Packed dtypes say how elements are stored, several to a word; nothing is computed in them. What
//! reads one computes in [`DType::computed`], and a cast packs the result:
//! [`crate::build::ProgramBuilder`] writes both out, so that kernels know words only.

use crate::decimal::float_text;
use crate::error::{Error, ErrorKind};
use std::fmt;

/// The type of a tensor's elements. An element occupies four bytes in a buffer, or a part of them
/// in a packed dtype; `Bool` is stored as a `u32` of 0 or 1.
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
    /// IEEE 754 binary16, two to a word; computed in f32.
    F16,
    /// Two's-complement 8-bit integer, four to a word; computed in i32, and wraps when it is
    /// stored.
    I8,
    /// Unsigned 8-bit integer, four to a word; computed in u32, and wraps when it is stored.
    U8,
}

impl DType {
    /// Every dtype, for tables and tests: a dtype's place is its code in other languages.
    pub const ALL: [DType; 7] =
        [DType::F32, DType::I32, DType::U32, DType::Bool, DType::F16, DType::I8, DType::U8];

    /// How many elements a 32-bit word of a buffer holds.
    pub const fn lanes(self) -> usize {
        match self {
            DType::F32 | DType::I32 | DType::U32 | DType::Bool => 1,
            DType::F16 => 2,
            DType::I8 | DType::U8 => 4,
        }
    }

    /// How many 32-bit words a buffer of `count` elements has.
    pub const fn words(self, count: usize) -> usize {
        count.div_ceil(self.lanes())
    }

    /// The bytes that a buffer of `count` elements has: whole words.
    pub const fn stored_bytes(self, count: usize) -> u64 {
        4 * self.words(count) as u64
    }

    /// Whether this is a dtype of storage alone.
    pub const fn is_packed(self) -> bool {
        self.lanes() > 1
    }

    /// The dtype in which elements of this one are computed.
    pub const fn computed(self) -> DType {
        match self {
            DType::F16 => DType::F32,
            DType::I8 => DType::I32,
            DType::U8 => DType::U32,
            other => other,
        }
    }

    /// The name used in every API: `f32`, `i32`, `u32`, `bool`, `f16`, `i8`, `u8`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::I32 => "i32",
            DType::U32 => "u32",
            DType::Bool => "bool",
            DType::F16 => "f16",
            DType::I8 => "i8",
            DType::U8 => "u8",
        }
    }

    /// The dtype called `name`. Errors with `ErrorKind::DType` when there is none.
    pub fn parse(op: &str, name: &str) -> Result<DType, Error> {
        DType::ALL.into_iter().find(|d| d.name() == name).ok_or_else(|| {
            Error::new(
                ErrorKind::DType,
                op,
                format!("no dtype is called {name:?}; expected f32, i32, u32, bool, f16, i8 or u8"),
            )
        })
    }

    /// Whether this is `F32` or `F16`: what has derivatives.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F16)
    }

    /// Whether this is one of the integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, DType::I32 | DType::U32 | DType::I8 | DType::U8)
    }

    /// The dtype in which tensors of dtypes `a` and `b` meet: bool < u8 < i8 < u32 < i32 < f16 <
    /// f32, but i32 where one is i8 and the other unsigned, since neither holds the other's values.
    pub fn promote(a: DType, b: DType) -> DType {
        let rank = |d| match d {
            DType::Bool => 0,
            DType::U8 => 1,
            DType::I8 => 2,
            DType::U32 => 3,
            DType::I32 => 4,
            DType::F16 => 5,
            DType::F32 => 6,
        };
        match (a, b) {
            (DType::I8, DType::U8 | DType::U32) | (DType::U8 | DType::U32, DType::I8) => DType::I32,
            _ if rank(a) >= rank(b) => a,
            _ => b,
        }
    }

    /// The dtype in which a tensor of dtype `tensor` meets the plain number `number`: a fractional
    /// (or non-finite) number makes integers f32; a whole number takes the tensor's dtype, except
    /// that with bool it is i32.
    pub fn promote_number(tensor: DType, number: f64) -> DType {
        let whole = number.fract() == 0.0 && number.is_finite();
        match tensor {
            DType::F32 | DType::F16 => tensor,
            _ if !whole => DType::F32,
            DType::Bool => DType::I32,
            integer => integer,
        }
    }

    /// The dtype in which sums of this dtype are accumulated: bool counts as i32, and packed dtypes
    /// are computed in theirs.
    pub const fn accumulate(self) -> DType {
        match self {
            DType::Bool => DType::I32,
            other => other.computed(),
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value of a dtype in which something is computed. Floats compare and hash by bits, so that
/// literals can stand in keys.
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

    /// The literal whose buffer bits are `bits`; of a packed dtype, of the dtype it is computed in.
    pub const fn from_bits(dtype: DType, bits: u32) -> Literal {
        match dtype {
            DType::F32 | DType::F16 => Literal::F32(f32::from_bits(bits)),
            DType::I32 | DType::I8 => Literal::I32(bits as i32),
            DType::U32 | DType::U8 => Literal::U32(bits),
            DType::Bool => Literal::Bool(bits != 0),
        }
    }

    /// `number` as a value of `dtype`, or of the dtype it is computed in: integers wrap modulo 2³²,
    /// truth is "not zero" (NaN is true).
    pub fn from_f64(dtype: DType, number: f64) -> Literal {
        match dtype {
            DType::F32 | DType::F16 => Literal::F32(number as f32),
            DType::I32 | DType::I8 => Literal::I32(number as i64 as i32),
            DType::U32 | DType::U8 => Literal::U32(number as i64 as u32),
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
