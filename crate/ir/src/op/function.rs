//! Functions of one and two elements, and comparisons: which there are, and what they take.

use crate::dtype::DType;

listed! {
    /// Functions of one element. Result dtype is the input's, except where noted.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Unary {
        /// −x. f32, i32, u32 (wraps).
        Neg,
        /// |x|. f32, i32 (|−2³¹| wraps), u32.
        Abs,
        /// −1, 0 or 1; NaN stays NaN, ±0 stays. f32, i32, u32.
        Sign,
        /// Largest integer not above x. f32.
        Floor,
        /// Smallest integer not below x. f32.
        Ceil,
        /// Nearest integer, ties to even. f32.
        Round,
        /// eˣ. f32.
        Exp,
        /// Natural logarithm; NaN below zero, −∞ at zero. f32.
        Log,
        /// Square root; NaN below zero. f32.
        Sqrt,
        /// 1/√x; ∞ at zero, NaN below. f32.
        Rsqrt,
        /// Sine of radians, the range reduced. f32.
        Sin,
        /// Cosine of radians, the range reduced. f32.
        Cos,
        /// Hyperbolic tangent; ±1 for large |x|. f32.
        Tanh,
        /// 1/(1+e⁻ˣ). f32.
        Sigmoid,
        /// max(x, 0) with gradient 0 at 0; NaN stays NaN. f32, i32.
        Relu,
        /// Error function. f32.
        Erf,
        /// Inverse of the error function on [−1, 1]; ±∞ at ±1. f32.
        ErfInv,
        /// The normal distribution function Φ, to its relative precision in both tails. f32.
        NormalCdf,
        /// Logical not of bool; bitwise not of i32 and u32.
        Not,
        /// Whether x is NaN. f32 to bool.
        IsNan,
        /// The 16 bits of the half nearest to x, ties to even; one for all NaN. f32 to u32. Written
        /// where something is packed.
        ToHalf,
        /// The value of the half whose bits are the lower 16 of x. u32 to f32. Written where
        /// something is unpacked.
        OfHalf,
    }
}

listed! {
    /// Functions of two elements of one dtype. Result dtype is theirs.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Binary {
        /// a + b; integers wrap.
        Add,
        /// a − b; integers wrap.
        Sub,
        /// a · b; integers wrap.
        Mul,
        /// a / b. f32; integers: the floor of the quotient, 0 where b is 0.
        Div,
        /// ⌊a / b⌋ of the exact quotient, as NumPy's `floor_divide`: NaN for infinite a, −1 or 0
        /// for infinite b, ±∞ by 0. f32; of integers it is `Div`.
        FloorDiv,
        /// Remainder with the sign of b (NumPy's `remainder`); NaN (f32) or 0 (integers) where b is
        /// 0.
        Rem,
        /// aᵇ, as C's `pow`: whole exponents of negative bases are right, x⁰ is 1. f32; integers
        /// with b ≥ 0 (b < 0 gives 0, ±1 as is).
        Pow,
        /// The smaller; NaN if either is NaN.
        Min,
        /// The larger; NaN if either is NaN.
        Max,
        /// Logical and of bool, bitwise of integers.
        And,
        /// Logical or of bool, bitwise of integers.
        Or,
        /// Exclusive or of bool, bitwise of integers.
        Xor,
        /// a · 2ᵇ, bits shifted out lost; 0 where b is 32 or more. i32, u32.
        Shl,
        /// a shifted right by b (arithmetically for i32); b of 32 or more shifts everything out.
        /// i32, u32.
        Shr,
    }
}

listed! {
    /// Comparisons of two elements of one dtype; the result is bool. With NaN all but `Ne` are
    /// false.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs, reason = "the names are the relations")]
    pub enum Compare {
        Eq,
        Ne,
        Lt,
        Le,
        Gt,
        Ge,
    }
}

/// Which dtypes a unary op takes, and what it yields.
pub fn unary_result(op: Unary, x: DType) -> Option<DType> {
    use Unary::*;
    let fits = match op {
        Neg | Abs | Sign => x != DType::Bool,
        Relu => matches!(x, DType::F32 | DType::I32),
        Not => x != DType::F32,
        Floor | Ceil | Round | Exp | Log | Sqrt | Rsqrt | Sin | Cos | Tanh | Sigmoid | Erf | ErfInv
        | NormalCdf | IsNan | ToHalf => x == DType::F32,
        OfHalf => x == DType::U32,
    };
    fits.then_some(match op {
        IsNan => DType::Bool,
        ToHalf => DType::U32,
        OfHalf => DType::F32,
        Neg | Abs | Sign | Floor | Ceil | Round | Exp | Log | Sqrt | Rsqrt | Sin | Cos | Tanh | Sigmoid
        | Relu | Erf | ErfInv | NormalCdf | Not => x,
    })
}

/// Whether a binary op takes dtype `x`.
pub fn binary_takes(op: Binary, x: DType) -> bool {
    use Binary::*;
    match op {
        Add | Sub | Mul | Div | Rem | Pow => x != DType::Bool,
        FloorDiv => x == DType::F32,
        Min | Max => true,
        And | Or | Xor => x != DType::F32,
        Shl | Shr => x.is_integer(),
    }
}
