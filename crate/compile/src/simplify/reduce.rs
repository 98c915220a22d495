//! Reductions that combine nothing, one element, or one element many times, and reductions of
//! reductions.

use super::rewrite::Rewriter;
use super::{Rule, table};
use weft_ir::functions::pow_u32;
use weft_ir::op::{Binary, Op, ReduceOp, View};
use weft_ir::order;
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{DType, Literal, Shape};

pub(super) const RULES: &[Rule] = table![
    "reduce-nothing" Bits reduce_nothing,
    "reduce-constant" Bits reduce_constant,
    "reduce-one-element" Bits reduce_one_element,
    "sum-one-element" SignOfZero sum_one_element,
    "position-of-one-element" Bits position_of_one_element,
    "reduce-repeated" Rounding reduce_repeated,
    "reduce-of-reduce" Rounding reduce_of_reduce,
];

/// Past this many terms a sum of equals in f64 may be rounded on the way.
const MAX_TERMS: usize = 1 << 24;

fn parts(node: &ProgramNode) -> Option<(ReduceOp, &[usize], ProgramId)> {
    match &node.op {
        Op::Reduce { op, axes } => Some((*op, axes, node.inputs[0])),
        _ => None,
    }
}

/// How many elements each element of the result combines.
fn terms(shape: &Shape, axes: &[usize]) -> usize {
    axes.iter().map(|&axis| shape[axis]).product()
}

/// The sum or product of no elements.
fn reduce_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, axes, x) = parts(node)?;
    (terms(&to[x].shape, axes) == 0).then(|| to.constant(op.identity(node.dtype), &node.shape))
}

/// One constant, combined with itself, where no rounding depends on the order.
fn reduce_constant(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, axes, x) = parts(node)?;
    let constant = to.uniform(x)?;
    let count = terms(&to[x].shape, axes);
    let value = match (op, constant) {
        (ReduceOp::Max | ReduceOp::Min, c) => c,
        (ReduceOp::ArgMax | ReduceOp::ArgMin, _) => Literal::I32(0),
        (ReduceOp::Sum, Literal::F32(c)) if (1..=MAX_TERMS).contains(&count) => {
            // Adding 0 makes −0 what a sum of such is.
            Literal::F32((0.0 + f64::from(c) * count as f64) as f32)
        }
        (ReduceOp::Sum, Literal::I32(c)) => Literal::I32(c.wrapping_mul(count as i32)),
        (ReduceOp::Sum, Literal::U32(c)) => Literal::U32(c.wrapping_mul(count as u32)),
        (ReduceOp::Prod, Literal::F32(c)) if count <= 2 || c == 0.0 || c.abs() == 1.0 || !c.is_finite() => {
            Literal::F32(f64::from(c).powi(count as i32) as f32)
        }
        (ReduceOp::Prod, Literal::I32(c)) => Literal::I32(pow_u32(c as u32, count as u32) as i32),
        (ReduceOp::Prod, Literal::U32(c)) => Literal::U32(pow_u32(c, count as u32)),
        _ => return None,
    };
    Some(to.constant(value, &node.shape))
}

/// Over axes of extent 1 (or none) there is nothing to combine.
fn one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, axes, x) = parts(node)?;
    let one = axes.iter().all(|&axis| to[x].shape[axis] == 1) && !op.is_arg();
    one.then(|| to.reshape(x, node.shape.clone()))
}

fn reduce_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, ..) = parts(node)?;
    if op == ReduceOp::Sum && node.dtype == DType::F32 { None } else { one_element(to, node) }
}

/// The sum of one float, which is 0 where that is −0.
fn sum_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, ..) = parts(node)?;
    if op == ReduceOp::Sum { one_element(to, node) } else { None }
}

fn position_of_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, axes, x) = parts(node)?;
    let one = op.is_arg() && to[x].shape[axes[0]] == 1;
    one.then(|| to.number(0.0, DType::I32, &node.shape))
}

/// Repeated elements are combined once: the largest of copies is any, the sum of n copies is n
/// times one.
fn reduce_repeated(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, axes, x) = parts(node)?;
    let Op::View(View::Expand(expanded)) = to[x].op.clone() else { return None };
    let y = to[x].inputs[0];
    let own = to[y].shape.clone();
    let (repeated, kept): (Vec<usize>, Vec<usize>) =
        axes.iter().partition(|&&axis| own[axis] == 1 && expanded[axis] > 1);
    let count = terms(&expanded, &repeated);
    if repeated.is_empty()
        || !matches!(op, ReduceOp::Max | ReduceOp::Min | ReduceOp::Sum)
        || count > MAX_TERMS
    {
        return None;
    }
    // y without the repeated axes, repeated along the others as before, and reduced along those
    // that are left.
    let mut result = to.reshape(y, own.without(&repeated));
    result = to.expand(result, expanded.without(&repeated));
    if !kept.is_empty() {
        let axes = kept.iter().map(|axis| axis - repeated.iter().filter(|r| *r < axis).count()).collect();
        result = to.add(Op::Reduce { op, axes }, &[result]);
    }
    if op != ReduceOp::Sum {
        return Some(result);
    }
    let count = to.number(count as f64, node.dtype, &node.shape);
    Some(to.add(Op::Binary(Binary::Mul), &[result, count]))
}

/// A sum of sums is one sum, and so for the others, unless the inner one is needed anyway.
fn reduce_of_reduce(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (op, outer, x) = parts(node)?;
    let (inner_op, inner, y) = parts(&to[x])?;
    if inner_op != op || op.is_arg() || to.shared(x) {
        return None;
    }
    let kept: Vec<usize> = (0..to[y].shape.rank()).filter(|axis| !inner.contains(axis)).collect();
    let mut axes: Vec<usize> = inner.iter().copied().chain(outer.iter().map(|&axis| kept[axis])).collect();
    order::sort(&mut axes);
    Some(to.add(Op::Reduce { op, axes }, &[y]))
}
