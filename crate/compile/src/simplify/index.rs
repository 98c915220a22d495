//! Positions that are all zero, gathers that are slices, and scatters that are elementwise or several.

use super::rewrite::Rewriter;
use super::{Rule, table};
use crate::limits::LONGEST_WALK;
use weft_ir::Literal;
use weft_ir::op::{Binary, Coefficient, Op, ScatterOp, View};
use weft_ir::program::{ProgramId, ProgramNode};

pub(super) const RULES: &[Rule] = table![
    "positions-along-unit-axis" Bits positions_along_unit_axis,
    "gather-from-one-element" Bits gather_from_one_element,
    "gather-one-position" Bits gather_one_position,
    "gather-in-order" Bits gather_in_order,
    "scatter-nothing" Bits scatter_nothing,
    "scatter-outside" Bits scatter_outside,
    "scatter-in-order" Bits scatter_in_order,
    "scatter-add-zero" SignOfZero scatter_add_zero,
    "scatter-in-parts" Bits scatter_in_parts,
];

fn positions_along_unit_axis(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Iota { shape, axis, dtype } = &node.op else { return None };
    (shape[*axis] == 1).then(|| to.number(0.0, *dtype, shape))
}

fn gather(node: &ProgramNode) -> Option<(usize, ProgramId, ProgramId)> {
    match node.op {
        Op::Gather { axis } => Some((axis, node.inputs[0], node.inputs[1])),
        _ => None,
    }
}

/// Whatever is looked up is the one element there is.
fn gather_from_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (_, source, _) = gather(node)?;
    let element = to.source(source)?;
    Some(to.splat(element, &node.shape))
}

/// `length` positions of `axis` from `start`, and all of the other axes.
fn rows(to: &mut Rewriter, x: ProgramId, axis: usize, start: i64, length: usize) -> ProgramId {
    let mut lengths = to[x].shape.to_vec();
    let mut starts = vec![Coefficient::Const(0); lengths.len()];
    (starts[axis], lengths[axis]) = (Coefficient::Const(start), length);
    let steps = vec![1; lengths.len()];
    to.add(Op::View(View::Slice { starts, steps, lengths }), &[x])
}

/// One position, looked up once or many times, is a slice; there is no choice along an axis of extent 1.
fn gather_one_position(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, source, indices) = gather(node)?;
    let extent = to[source].shape[axis] as i64;
    let position = match to.uniform(indices) {
        _ if extent == 1 => 0,
        Some(Literal::I32(position)) => i64::from(position).clamp(0, extent - 1),
        Some(Literal::U32(position)) => i64::from(position).clamp(0, extent - 1),
        _ => return None,
    };
    let row = rows(to, source, axis, position, 1);
    let (own, ones) = (to[row].shape.clone(), vec![1; to[indices].shape.rank()]);
    let aligned = [&own[..axis], &ones, &own[axis + 1..]].concat();
    let aligned = to.reshape(row, aligned.into());
    Some(to.expand(aligned, node.shape.clone()))
}

/// Whether `indices` are 0, 1, 2, … and how many.
fn in_order(to: &Rewriter, indices: ProgramId) -> Option<usize> {
    match &to[indices].op {
        Op::Iota { shape, .. } if shape.rank() == 1 => Some(shape[0]),
        _ => None,
    }
}

/// The first rows of an axis.
fn gather_in_order(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, source, indices) = gather(node)?;
    let count = in_order(to, indices)?;
    (count <= to[source].shape[axis]).then(|| rows(to, source, axis, 0, count))
}

fn scatter(node: &ProgramNode) -> Option<(usize, ScatterOp, [ProgramId; 3])> {
    match node.op {
        Op::Scatter { axis, op } => Some((axis, op, [node.inputs[0], node.inputs[1], node.inputs[2]])),
        _ => None,
    }
}

fn scatter_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (_, _, [base, _, updates]) = scatter(node)?;
    (to[updates].shape.size() == 0).then_some(base)
}

/// Updates that all go to one place that is not there.
fn scatter_outside(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, _, [base, indices, _]) = scatter(node)?;
    let position = match to.uniform(indices)? {
        Literal::I32(position) => i64::from(position),
        other => i64::from(other.bits()),
    };
    (!(0..node.shape[axis] as i64).contains(&position)).then_some(base)
}

/// Each row updated once, in order, is elementwise.
fn scatter_in_order(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, op, [base, indices, updates]) = scatter(node)?;
    if in_order(to, indices)? != node.shape[axis] {
        return None;
    }
    let binary = match op {
        ScatterOp::Set => return Some(updates),
        ScatterOp::Add => Binary::Add,
        ScatterOp::Min => Binary::Min,
        ScatterOp::Max => Binary::Max,
    };
    Some(to.add(Op::Binary(binary), &[base, updates]))
}

fn scatter_add_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (_, op, [base, _, updates]) = scatter(node)?;
    (op == ScatterOp::Add && to.uniform(updates)? == Literal::zero(node.dtype)).then_some(base)
}

/// More updates than one invocation should look at are scattered in parts, one after the other.
fn scatter_in_parts(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, op, [base, indices, updates]) = scatter(node)?;
    let count = to[indices].shape.size();
    if count <= LONGEST_WALK || node.shape.size() == 0 {
        return None;
    }
    let rank = to[indices].shape.rank();
    let extents = to[updates].shape.clone();
    let flat = [&extents[..axis], &[count], &extents[axis + rank..]].concat();
    let (indices, updates) = (to.reshape(indices, [count].into()), to.reshape(updates, flat.into()));
    let parts = (0..count).step_by(LONGEST_WALK);
    Some(parts.fold(base, |base, start| {
        let length = LONGEST_WALK.min(count - start);
        let part = |to: &mut Rewriter, x: ProgramId, axis: usize| rows(to, x, axis, start as i64, length);
        let (indices, updates) = (part(to, indices, 0), part(to, updates, axis));
        to.add(Op::Scatter { axis, op }, &[base, indices, updates])
    }))
}
