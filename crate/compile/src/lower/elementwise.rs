//! Elementwise operations as kernel expressions, dtype by dtype, with the edge cases that
//! `weft_ir::op` promises.

use super::builder::KernelBuilder;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Function, UnaryOp};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Literal};

impl KernelBuilder {
    /// A unary operation on a value of `dtype`.
    pub fn tensor_unary(&mut self, op: Unary, dtype: DType, x: ExprId) -> ExprId {
        let zero = Literal::zero(dtype);
        match (op, dtype) {
            (Unary::Neg, DType::U32) => {
                let zero = self.literal(zero);
                self.binary(BinaryOp::Sub, zero, x)
            }
            (Unary::Neg, _) => self.unary(UnaryOp::Neg, x),
            (Unary::Abs, DType::U32) => x,
            (Unary::Abs, _) => self.unary(UnaryOp::Abs, x),
            (Unary::Sign, DType::F32) => self.call(Function::SignF32, &[x]),
            (Unary::Sign, DType::U32) => {
                let one = self.literal(Literal::U32(1));
                self.binary(BinaryOp::Min, x, one)
            }
            (Unary::Sign, _) => {
                let (low, high) = (self.literal(Literal::I32(-1)), self.literal(Literal::I32(1)));
                let at_most = self.binary(BinaryOp::Min, x, high);
                self.binary(BinaryOp::Max, at_most, low)
            }
            (Unary::Floor, _) => self.unary(UnaryOp::Floor, x),
            (Unary::Ceil, _) => self.unary(UnaryOp::Ceil, x),
            (Unary::Round, _) => self.unary(UnaryOp::Round, x),
            (Unary::Sqrt, _) => self.unary(UnaryOp::Sqrt, x),
            (Unary::Exp, _) => self.call(Function::Exp, &[x]),
            (Unary::Log, _) => self.call(Function::Log, &[x]),
            (Unary::Rsqrt, _) => self.call(Function::Rsqrt, &[x]),
            (Unary::Sin, _) => self.call(Function::Sin, &[x]),
            (Unary::Cos, _) => self.call(Function::Cos, &[x]),
            (Unary::Tanh, _) => self.call(Function::Tanh, &[x]),
            (Unary::Sigmoid, _) => self.call(Function::Sigmoid, &[x]),
            (Unary::Erf, _) => self.call(Function::Erf, &[x]),
            (Unary::ErfInv, _) => self.call(Function::ErfInv, &[x]),
            (Unary::NormalCdf, _) => self.call(Function::NormalCdf, &[x]),
            (Unary::IsNan, _) => self.call(Function::IsNan, &[x]),
            (Unary::ToHalf, _) => self.call(Function::ToHalf, &[x]),
            (Unary::OfHalf, _) => self.call(Function::OfHalf, &[x]),
            (Unary::Relu, DType::F32) => {
                // By bits: a compiler may make max of a comparison, and max may drop NaN. Less than
                // 0 are −0 … −∞.
                let bits = self.expr(Expr::Bitcast(DType::U32, x));
                let (sign, count) =
                    (self.literal(Literal::U32(1 << 31)), self.literal(Literal::U32(0x7F80_0001)));
                let magnitude = self.binary(BinaryOp::Sub, bits, sign);
                let below = self.binary(BinaryOp::Lt, magnitude, count);
                let zero = self.literal(zero);
                self.select(below, zero, x)
            }
            (Unary::Relu, _) => {
                let zero = self.literal(zero);
                self.binary(BinaryOp::Max, x, zero)
            }
            (Unary::Not, _) => self.unary(UnaryOp::Not, x),
        }
    }

    /// A binary operation on values of `dtype`.
    pub fn tensor_binary(&mut self, op: Binary, dtype: DType, a: ExprId, b: ExprId) -> ExprId {
        use DType::{Bool, F32, I32, U32};
        let (a, b) = if dtype == F32 { self.guarded(op, a, b) } else { (a, b) };
        let function = match (op, dtype) {
            (Binary::Div, F32) => Some(Function::DivF32),
            (Binary::Div, I32) => Some(Function::FloorDivI32),
            (Binary::Div, U32) => Some(Function::DivU32),
            (Binary::FloorDiv, _) => Some(Function::FloorDivF32),
            (Binary::Rem, F32) => Some(Function::RemF32),
            (Binary::Rem, I32) => Some(Function::FloorRemI32),
            (Binary::Rem, U32) => Some(Function::RemU32),
            (Binary::Pow, F32) => Some(Function::PowF32),
            (Binary::Pow, I32) => Some(Function::PowI32),
            (Binary::Pow, U32) => Some(Function::PowU32),
            (Binary::Min, F32) => Some(Function::MinF32),
            (Binary::Max, F32) => Some(Function::MaxF32),
            _ => None,
        };
        if let Some(function) = function {
            return self.call(function, &[a, b]);
        }
        let operator = match (op, dtype) {
            (Binary::Add, _) => BinaryOp::Add,
            (Binary::Sub, _) => BinaryOp::Sub,
            (Binary::Mul, _) => BinaryOp::Mul,
            (Binary::Min, Bool) | (Binary::And, _) => BinaryOp::And,
            (Binary::Max, Bool) | (Binary::Or, _) => BinaryOp::Or,
            (Binary::Min, _) => BinaryOp::Min,
            (Binary::Max, _) => BinaryOp::Max,
            (Binary::Xor, Bool) => BinaryOp::Ne,
            (Binary::Xor, _) => BinaryOp::Xor,
            (Binary::Shl, _) => return self.shift_left(dtype, a, b),
            (Binary::Shr, _) => return self.shift_right(dtype, a, b),
            (Binary::Div | Binary::FloorDiv | Binary::Rem | Binary::Pow, _) => BinaryOp::Div,
        };
        self.binary(operator, a, b)
    }

    /// A choice between values of `dtype`.
    pub fn tensor_select(&mut self, dtype: DType, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let chosen = self.select(condition, a, b);
        let (mut asked, mut is_opposite) = (self.unnamed(condition), false);
        while let Expr::Unary(UnaryOp::Not, opposite) = *self.get(asked) {
            (asked, is_opposite) = (self.unnamed(opposite), !is_opposite);
        }
        let Expr::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, x, y) = *self.get(asked)
        else {
            return chosen;
        };
        let [compared, offered] = [(x, y), (a, b)].map(|(a, b)| (self.unnamed(a), self.unnamed(b)));
        if dtype != DType::F32 || offered != compared && offered != (compared.1, compared.0) {
            return chosen;
        }
        // A compiler makes min or max of a choice between what is compared, and those may drop NaN.
        let (x, y) = (self.call(Function::IsNan, &[x]), self.call(Function::IsNan, &[y]));
        let unordered = self.binary(BinaryOp::Or, x, y);
        self.select(unordered, if is_opposite { a } else { b }, chosen)
    }

    /// By how many bits a shift by `b` goes, if that is a literal, as for most.
    fn known_shift(&self, b: ExprId) -> Option<u32> {
        match *self.get(b) {
            Expr::Literal(Literal::U32(count)) => Some(count),
            Expr::Literal(Literal::I32(count)) => Some(count as u32),
            _ => None,
        }
    }

    fn shift_left(&mut self, dtype: DType, a: ExprId, b: ExprId) -> ExprId {
        let zero = self.literal(Literal::zero(dtype));
        if let Some(count) = self.known_shift(b) {
            let by = self.literal(Literal::U32(count));
            return if count < 32 { self.binary(BinaryOp::Shl, a, by) } else { zero };
        }
        let by = self.cast(DType::U32, b);
        let (bits, mask) = (self.literal(Literal::U32(32)), self.literal(Literal::U32(31)));
        let inside = self.binary(BinaryOp::Lt, by, bits);
        let masked = self.binary(BinaryOp::And, by, mask);
        let shifted = self.binary(BinaryOp::Shl, a, masked);
        self.select(inside, shifted, zero)
    }

    fn shift_right(&mut self, dtype: DType, a: ExprId, b: ExprId) -> ExprId {
        let last = self.literal(Literal::U32(31));
        let zero = self.literal(Literal::zero(dtype));
        if let Some(count) = self.known_shift(b) {
            let by = self.literal(Literal::U32(count.min(31)));
            return if count < 32 || dtype == DType::I32 { self.binary(BinaryOp::Shr, a, by) } else { zero };
        }
        let by = self.cast(DType::U32, b);
        let clamped = self.binary(BinaryOp::Min, by, last);
        let shifted = self.binary(BinaryOp::Shr, a, clamped);
        if dtype == DType::I32 {
            return shifted;
        }
        let inside = self.binary(BinaryOp::Le, by, last);
        self.select(inside, shifted, zero)
    }

    /// A comparison of values of `dtype`.
    pub fn tensor_compare(&mut self, op: Compare, dtype: DType, a: ExprId, b: ExprId) -> ExprId {
        if dtype == DType::F32 && a == b {
            // A compiler may assume that there is no NaN, and know the answer.
            let unordered = self.call(Function::IsNan, &[a]);
            return match op {
                Compare::Ne => unordered,
                Compare::Lt | Compare::Gt => self.literal(Literal::Bool(false)),
                Compare::Eq | Compare::Le | Compare::Ge => self.unary(UnaryOp::Not, unordered),
            };
        }
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let (a, b) = if dtype == DType::Bool && !equality {
            (self.cast(DType::U32, a), self.cast(DType::U32, b))
        } else {
            (a, b)
        };
        match op {
            Compare::Eq => self.binary(BinaryOp::Eq, a, b),
            // `x != x` is false for NaN on some devices; `!(x == x)` is not.
            Compare::Ne if dtype == DType::F32 => {
                let equal = self.binary(BinaryOp::Eq, a, b);
                self.unary(UnaryOp::Not, equal)
            }
            Compare::Ne => self.binary(BinaryOp::Ne, a, b),
            Compare::Lt => self.binary(BinaryOp::Lt, a, b),
            Compare::Le => self.binary(BinaryOp::Le, a, b),
            Compare::Gt => self.binary(BinaryOp::Gt, a, b),
            Compare::Ge => self.binary(BinaryOp::Ge, a, b),
        }
    }

    /// A conversion of a value from one dtype to another.
    pub fn tensor_cast(&mut self, from: DType, to: DType, x: ExprId) -> ExprId {
        match (from, to) {
            (a, b) if a == b => x,
            (DType::F32, DType::I32) => self.call(Function::F32ToI32, &[x]),
            (DType::U32, DType::F32) => self.call(Function::U32ToF32, &[x]),
            (DType::F32, DType::U32) => self.call(Function::F32ToU32, &[x]),
            (_, DType::Bool) => {
                let zero = self.literal(Literal::zero(from));
                self.tensor_compare(Compare::Ne, from, x, zero)
            }
            _ => self.cast(to, x),
        }
    }

    /// What a buffer holds for a value: bools become u32.
    pub fn to_storage(&mut self, x: ExprId) -> ExprId {
        if self.type_of(x).scalar == DType::Bool { self.cast(DType::U32, x) } else { x }
    }

    /// The value of `dtype` for what a buffer holds.
    pub fn from_storage(&mut self, dtype: DType, x: ExprId) -> ExprId {
        if dtype == DType::Bool {
            let zero = self.literal(Literal::U32(0));
            return self.binary(BinaryOp::Ne, x, zero);
        }
        x
    }
}

/// The dtype of the buffer that stores values of `dtype`.
pub const fn storage_dtype(dtype: DType) -> DType {
    match dtype {
        DType::Bool => DType::U32,
        other => other,
    }
}
