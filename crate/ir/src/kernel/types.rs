//! Typing rules of the kernel IR.

use super::verify::Rule;
use super::{BinaryOp, Builtin, Expr, ExprId, Kernel, Type, UnaryOp};
use crate::dtype::{DType, Literal};

/// The type of an expression whose operands have `types`, or the rule it breaks.
pub(super) fn type_of(kernel: &Kernel, types: &[Type], expr: &Expr) -> Result<Type, Rule> {
    let of = |id: &ExprId| types.get(id.index()).copied().ok_or(Rule::OperandIsEarlier);
    match expr {
        Expr::Literal(literal) => Ok(literal.dtype().into()),
        Expr::Local(local) => kernel.locals.get(local.index()).map(|l| l.ty).ok_or(Rule::IdIsInRange),
        Expr::Uniform(n) => match kernel.uniforms.get(*n as usize) {
            None => Err(Rule::IdIsInRange),
            Some(DType::Bool) => Ok(DType::U32.into()),
            Some(dtype) => Ok((*dtype).into()),
        },
        Expr::Builtin(builtin) => match builtin {
            Builtin::WorkgroupId(axis) | Builtin::NumWorkgroups(axis) | Builtin::LocalId(axis)
                if *axis > 2 =>
            {
                Err(Rule::IdIsInRange)
            }
            _ => Ok(DType::U32.into()),
        },
        Expr::Unary(op, x) => unary(*op, of(x)?),
        Expr::Binary(op, a, b) => binary(*op, of(a)?, of(b)?, literal(kernel, *b)),
        Expr::Select(condition, a, b) => {
            let (condition, a, b) = (of(condition)?, of(a)?, of(b)?);
            if condition.scalar != DType::Bool || (condition.lanes != 1 && condition.lanes != a.lanes) {
                return Err(Rule::ConditionIsBool);
            }
            if a == b { Ok(a) } else { Err(Rule::OperandsAgree) }
        }
        Expr::Cast(to, x) => {
            let x = of(x)?;
            if x.scalar == DType::F32 && to.is_integer() {
                return Err(Rule::CastIsNotFloatToInteger);
            }
            Ok(Type { scalar: *to, ..x })
        }
        Expr::Bitcast(to, x) => {
            let x = of(x)?;
            if x.scalar == DType::Bool || *to == DType::Bool {
                return Err(Rule::BitcastIsNotOfBool);
            }
            Ok(Type { scalar: *to, ..x })
        }
        Expr::Load(array, index) => {
            let array = kernel.arrays.get(array.index()).ok_or(Rule::IdIsInRange)?;
            index_type(of(index)?)?;
            Ok(array.ty)
        }
        Expr::Call(function, arguments) => {
            let (takes, yields) = function.signature();
            let given = arguments.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            if given.iter().copied().eq(takes.iter().map(|&d| Type::scalar(d))) {
                Ok(yields.into())
            } else {
                Err(Rule::ArgumentsMatchSignature)
            }
        }
        Expr::Subgroup(_, x) => match of(x)? {
            Type { scalar: DType::Bool, .. } => Err(Rule::OperatorTakesDType),
            ty => Ok(ty),
        },
        Expr::Splat(lanes, x) => match of(x)? {
            Type { scalar, lanes: 1 } if (2..=4).contains(lanes) => Ok(Type { scalar, lanes: *lanes }),
            _ => Err(Rule::VectorIsOfScalars),
        },
        Expr::Compose(parts) => {
            let parts = parts.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            match parts[..] {
                [first, ref rest @ ..]
                    if first.lanes == 1
                        && (1..=3).contains(&rest.len())
                        && rest.iter().all(|&p| p == first) =>
                {
                    Ok(Type { scalar: first.scalar, lanes: parts.len() as u8 })
                }
                _ => Err(Rule::VectorIsOfScalars),
            }
        }
        Expr::Component(x, component) => {
            let x = of(x)?;
            if x.lanes > 1 && *component < x.lanes {
                Ok(x.scalar.into())
            } else {
                Err(Rule::ComponentIsOfVector)
            }
        }
    }
}

/// Whether `ty` may index an array.
pub(super) fn index_type(ty: Type) -> Result<(), Rule> {
    if ty.lanes == 1 && ty.scalar.is_integer() { Ok(()) } else { Err(Rule::IndexIsInteger) }
}

fn literal(kernel: &Kernel, id: ExprId) -> Option<Literal> {
    match kernel.exprs.get(id.index()) {
        Some(Expr::Literal(literal)) => Some(*literal),
        _ => None,
    }
}

fn unary(op: UnaryOp, x: Type) -> Result<Type, Rule> {
    use DType::{Bool, F32, I32};
    let fits = match op {
        UnaryOp::Neg => matches!(x.scalar, F32 | I32),
        UnaryOp::Not => x.scalar != F32,
        UnaryOp::Abs => x.scalar != Bool,
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::Sqrt => x.scalar == F32,
    };
    if fits { Ok(x) } else { Err(Rule::OperatorTakesDType) }
}

/// `right` is the right operand where it is a literal.
fn binary(op: BinaryOp, a: Type, b: Type, right: Option<Literal>) -> Result<Type, Rule> {
    use BinaryOp::*;
    if matches!(op, Shl | Shr) {
        if !a.scalar.is_integer() || b.scalar != DType::U32 {
            return Err(Rule::OperatorTakesDType);
        }
        if matches!(right, Some(Literal::U32(32..))) {
            return Err(Rule::ShiftIsBelow32);
        }
        return if a.lanes == b.lanes { Ok(a) } else { Err(Rule::OperandsAgree) };
    }
    if a != b {
        return Err(Rule::OperandsAgree);
    }
    let fits = match op {
        Add | Sub | Mul | Div | Rem | Min | Max | Lt | Le | Gt | Ge => a.scalar != DType::Bool,
        And | Or | Xor => a.scalar != DType::F32,
        Eq | Ne | Shl | Shr => true,
    };
    if !fits {
        return Err(Rule::OperatorTakesDType);
    }
    if matches!(op, Div | Rem) && matches!(right, Some(Literal::I32(0) | Literal::U32(0))) {
        return Err(Rule::DivisorIsNotZero);
    }
    Ok(if op.is_comparison() { Type { scalar: DType::Bool, ..a } } else { a })
}
