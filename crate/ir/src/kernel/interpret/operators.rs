//! Operators of the kernel IR on the 32-bit words that hold their operands: WGSL's arithmetic, in
//! f32. The interpreter applies them lane by lane; `constant` evaluates expressions of literals.

use super::Fault;
use crate::dtype::{DType, Literal};
use crate::kernel::{AtomicOp, BinaryOp, Expr, ExprId, Kernel, SubgroupOp, UnaryOp};

/// The value of a scalar expression of operators on literals alone; `None` of any other, and where
/// an operator fails.
pub fn constant(kernel: &Kernel, id: ExprId) -> Option<Literal> {
    let of = |id: &ExprId| constant(kernel, *id);
    let bits = match &kernel.exprs[id.index()] {
        Expr::Literal(literal) => return Some(*literal),
        Expr::Unary(op, x) => {
            let x = of(x)?;
            unary(*op, x.dtype(), x.bits())
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            binary(*op, a.dtype(), a.bits(), b.bits()).ok()?
        }
        Expr::Select(condition, a, b) => {
            let (condition, a, b) = (of(condition)?, of(a)?, of(b)?);
            if condition == Literal::Bool(true) { a.bits() } else { b.bits() }
        }
        Expr::Cast(to, x) => {
            let x = of(x)?;
            cast(x.dtype(), *to, x.bits())
        }
        Expr::Bitcast(_, x) => of(x)?.bits(),
        _ => return None,
    };
    Some(Literal::from_bits(kernel.type_of(id).scalar, bits))
}

/// One lane of a unary operator on a word of `dtype`.
pub(super) fn unary(op: UnaryOp, dtype: DType, x: u32) -> u32 {
    let float = f32::from_bits(x);
    match (op, dtype) {
        (UnaryOp::Neg, DType::F32) => (-float).to_bits(),
        (UnaryOp::Neg, _) => x.wrapping_neg(),
        (UnaryOp::Not, DType::Bool) => x ^ 1,
        (UnaryOp::Not, _) => !x,
        (UnaryOp::Abs, DType::F32) => float.abs().to_bits(),
        (UnaryOp::Abs, DType::I32) => (x as i32).wrapping_abs() as u32,
        (UnaryOp::Abs, _) => x,
        (UnaryOp::Floor, _) => float.floor().to_bits(),
        (UnaryOp::Ceil, _) => float.ceil().to_bits(),
        (UnaryOp::Round, _) => float.round_ties_even().to_bits(),
        (UnaryOp::Sqrt, _) => float.sqrt().to_bits(),
    }
}

/// One lane of a binary operator on words of `dtype`.
pub(super) fn binary(op: BinaryOp, dtype: DType, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(match dtype {
        DType::F32 => binary_f32(op, f32::from_bits(a), f32::from_bits(b)),
        DType::I32 => binary_i32(op, a as i32, b as i32)?,
        DType::U32 => binary_u32(op, a, b)?,
        DType::Bool => match op {
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor | BinaryOp::Ne => a ^ b,
            _ => (a ^ b) ^ 1,
        },
        packed => unreachable!("kernels hold words, not {packed}"),
    })
}

fn binary_f32(op: BinaryOp, a: f32, b: f32) -> u32 {
    use BinaryOp::*;
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div => a / b,
        Rem => a % b,
        Min => a.min(b),
        Max => a.max(b),
        _ => return u32::from(compare(op, &a, &b)),
    };
    value.to_bits()
}

fn binary_i32(op: BinaryOp, a: i32, b: i32) -> Result<u32, Fault> {
    use BinaryOp::*;
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        Div | Rem if b == 0 => return Err(Fault::DivisionByZero),
        Div => a.wrapping_div(b),
        Rem => a.wrapping_rem(b),
        Min => a.min(b),
        Max => a.max(b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => a << shift(b as u32)?,
        Shr => a >> shift(b as u32)?,
        _ => return Ok(u32::from(compare(op, &a, &b))),
    };
    Ok(value as u32)
}

fn binary_u32(op: BinaryOp, a: u32, b: u32) -> Result<u32, Fault> {
    use BinaryOp::*;
    Ok(match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        Div => a.checked_div(b).ok_or(Fault::DivisionByZero)?,
        Rem => a.checked_rem(b).ok_or(Fault::DivisionByZero)?,
        Min => a.min(b),
        Max => a.max(b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => a << shift(b)?,
        Shr => a >> shift(b)?,
        _ => u32::from(compare(op, &a, &b)),
    })
}

fn shift(by: u32) -> Result<u32, Fault> {
    if by < 32 { Ok(by) } else { Err(Fault::ShiftTooFar(by)) }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        _ => a >= b,
    }
}

/// One lane of a conversion.
pub(super) fn cast(from: DType, to: DType, x: u32) -> u32 {
    let value = crate::functions::Element::<f32>::from_literal(Literal::from_bits(from, x));
    crate::functions::cast(to, value).to_literal().bits()
}

/// The operator by which a subgroup combines.
pub(super) fn subgroup_operator(op: SubgroupOp) -> BinaryOp {
    match op {
        SubgroupOp::Add | SubgroupOp::AddBefore => BinaryOp::Add,
        SubgroupOp::Mul => BinaryOp::Mul,
        SubgroupOp::Min => BinaryOp::Min,
        SubgroupOp::Max => BinaryOp::Max,
    }
}

/// The operator by which an atomic statement combines.
pub(super) fn atomic_operator(op: AtomicOp) -> BinaryOp {
    match op {
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::Min => BinaryOp::Min,
        AtomicOp::Max => BinaryOp::Max,
        AtomicOp::And => BinaryOp::And,
        AtomicOp::Or => BinaryOp::Or,
        AtomicOp::Xor => BinaryOp::Xor,
    }
}
