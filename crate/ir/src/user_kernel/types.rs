//! Typing rules of users' kernels.

use super::verify::Rule;
use super::{Coordinate, Edge, Expr, ExprId, Stmt, UserKernel};
use crate::dtype::DType;
use crate::op::function::{Unary, binary_takes, unary_result};

impl Expr {
    /// Calls `visit` for each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Scalar(_) | Expr::Index(..) => {}
            Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => {}
            Expr::Unary(_, x) | Expr::Cast(_, x) | Expr::Bitcast(_, x) => visit(*x),
            Expr::Element(_, x) | Expr::Subgroup(_, x) => visit(*x),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::Shuffle(a, b) => {
                [*a, *b].into_iter().for_each(visit);
            }
            Expr::Select(condition, a, b) => [*condition, *a, *b].into_iter().for_each(visit),
            Expr::Load(_, indices, edge) => {
                indices.iter().copied().for_each(&mut visit);
                if let Edge::Fill(value) = edge {
                    visit(*value);
                }
            }
        }
    }

    /// The same expression of other operands.
    pub fn map_operands(&self, mut of: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Scalar(_) | Expr::Index(..) => self.clone(),
            Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => self.clone(),
            Expr::Unary(op, x) => Expr::Unary(*op, of(*x)),
            Expr::Cast(dtype, x) => Expr::Cast(*dtype, of(*x)),
            Expr::Bitcast(dtype, x) => Expr::Bitcast(*dtype, of(*x)),
            Expr::Element(array, x) => Expr::Element(*array, of(*x)),
            Expr::Subgroup(op, x) => Expr::Subgroup(*op, of(*x)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, of(*a), of(*b)),
            Expr::Compare(op, a, b) => Expr::Compare(*op, of(*a), of(*b)),
            Expr::Shuffle(a, b) => Expr::Shuffle(of(*a), of(*b)),
            Expr::Select(condition, a, b) => Expr::Select(of(*condition), of(*a), of(*b)),
            Expr::Load(tensor, indices, edge) => {
                let indices = indices.iter().map(|&index| of(index)).collect();
                let edge = if let Edge::Fill(value) = edge { Edge::Fill(of(*value)) } else { *edge };
                Expr::Load(*tensor, indices, edge)
            }
        }
    }
}

impl Stmt {
    /// Calls `visit` for each expression that it evaluates, in order.
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Stmt::Let(_, value) => visit(*value),
            Stmt::SetElement(_, index, value) => [*index, *value].into_iter().for_each(visit),
            Stmt::Store { indices, value, .. } => indices.iter().chain([value]).copied().for_each(visit),
            Stmt::If(condition, ..) | Stmt::While { condition, .. } => visit(*condition),
            Stmt::For { from, to, .. } => [*from, *to].into_iter().for_each(visit),
            Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => {}
        }
    }

    /// Calls `visit` for each block within it, in order.
    pub fn for_each_block<'s>(&'s self, mut visit: impl FnMut(&'s [Stmt])) {
        match self {
            Stmt::If(_, then, otherwise) => {
                visit(then);
                visit(otherwise);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } => visit(body),
            _ => {}
        }
    }
}

impl UserKernel {
    /// The dtype of every expression, or the first that breaks a rule.
    pub fn types(&self) -> Result<Vec<DType>, (ExprId, Rule)> {
        let mut types = Vec::with_capacity(self.exprs.len());
        for (number, expr) in (0..).zip(&self.exprs) {
            types.push(type_of(self, &types, expr).map_err(|rule| (ExprId(number), rule))?);
        }
        Ok(types)
    }
}

/// The dtype of an expression whose operands have `types`, or the rule it breaks.
pub(super) fn type_of(kernel: &UserKernel, types: &[DType], expr: &Expr) -> Result<DType, Rule> {
    let of = |id: &ExprId| types.get(id.index()).copied().ok_or(Rule::OperandIsEarlier);
    let takes = |fits: bool| if fits { Ok(()) } else { Err(Rule::OperatorTakesDType) };
    let two = |a: &ExprId, b: &ExprId| {
        let (a, b) = (of(a)?, of(b)?);
        if a == b { Ok(a) } else { Err(Rule::OperandsAgree) }
    };
    let computed = |dtype: DType| if dtype.is_packed() { Err(Rule::DTypeIsComputed) } else { Ok(dtype) };
    let in_range = |exists: bool| if exists { Ok(DType::I32) } else { Err(Rule::IdIsInRange) };
    let in_group = |dtype: DType| match kernel.workgroup {
        Some(_) => Ok(dtype),
        None => Err(Rule::OnlyGroupsShare),
    };
    match expr {
        Expr::Literal(literal) => Ok(literal.dtype()),
        Expr::Local(local) => Ok(kernel.locals.get(local.index()).ok_or(Rule::IdIsInRange)?.dtype),
        Expr::Scalar(n) => Ok(kernel.scalars.get(*n as usize).ok_or(Rule::IdIsInRange)?.dtype),
        Expr::Index(Coordinate::Grid, axis) | Expr::GridExtent(axis) => in_range(*axis < kernel.rank),
        Expr::Index(Coordinate::Local | Coordinate::Group, axis) => {
            in_group(DType::I32)?;
            in_range(*axis < 3)
        }
        Expr::Extent(tensor, axis) => {
            in_range(kernel.tensors.get(tensor.index()).is_some_and(|tensor| *axis < tensor.rank))
        }
        Expr::OutputExtent(output, axis) => {
            in_range(kernel.outputs.get(output.index()).is_some_and(|output| *axis < output.rank))
        }
        Expr::Unary(op, x) => {
            let x = of(x)?;
            // The tables of tensors take packed dtypes for others.
            takes(!(x == DType::Bool && *op == Unary::IsNan))?;
            unary_result(*op, x).ok_or(Rule::OperatorTakesDType)
        }
        Expr::Binary(op, a, b) => {
            let dtype = two(a, b)?;
            takes(binary_takes(*op, dtype)).map(|()| dtype)
        }
        Expr::Compare(_, a, b) => two(a, b).map(|_| DType::Bool),
        Expr::Select(condition, a, b) => match of(condition)? {
            DType::Bool => two(a, b),
            _ => Err(Rule::ConditionIsBool),
        },
        Expr::Cast(to, x) => of(x).and_then(|_| computed(*to)),
        Expr::Bitcast(to, x) => {
            takes(of(x)? != DType::Bool && *to != DType::Bool)?;
            computed(*to)
        }
        Expr::Load(tensor, indices, edge) => {
            let tensor = kernel.tensors.get(tensor.index()).ok_or(Rule::IdIsInRange)?;
            for index in indices {
                index_type(of(index)?)?;
            }
            if indices.len() != tensor.rank as usize {
                return Err(Rule::CoordinatesMatchRank);
            }
            match edge {
                Edge::Fill(value) if of(value)? != tensor.dtype => Err(Rule::OperandsAgree),
                _ => Ok(tensor.dtype),
            }
        }
        Expr::Element(array, index) => {
            let array = kernel.arrays.get(array.index()).ok_or(Rule::IdIsInRange)?;
            index_type(of(index)?)?;
            Ok(array.dtype)
        }
        Expr::Subgroup(_, x) => {
            let dtype = of(x)?;
            takes(dtype != DType::Bool)?;
            in_group(dtype)
        }
        Expr::Shuffle(x, invocation) => {
            let dtype = of(x)?;
            takes(dtype != DType::Bool && of(invocation)? == DType::U32)?;
            in_group(dtype)
        }
    }
}

/// Whether `dtype` is that of coordinates.
pub(super) fn index_type(dtype: DType) -> Result<(), Rule> {
    if dtype == DType::I32 { Ok(()) } else { Err(Rule::IndexIsI32) }
}
