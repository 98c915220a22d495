//! Positions that are all zero, gathers that are slices, and scatters that are elementwise or
//! several.

use super::rewrite::Rewriter;
use super::{Rule, table};
use crate::limits::LONGEST_WALK;
use crate::limits::MOST_SHARED_SUMS;
use weft_ir::op::{Binary, Coefficient, Op, ScatterOp, View};
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{DType, Literal, Shape};

/// Elements from which on a row is long, and how many rows with how many elements are worth
/// sorting.
const LONG_ROW: usize = 32;
const MANY_ROWS: usize = 1024;
const MANY_ELEMENTS: usize = 1 << 20;

pub(super) const RULES: &[Rule] = table![
    "positions-along-unit-axis" Bits positions_along_unit_axis,
    "gather-from-one-element" Bits gather_from_one_element,
    "gather-one-position" Bits gather_one_position,
    "gather-in-order" Bits gather_in_order,
    "scatter-nothing" Bits scatter_nothing,
    "scatter-outside" Bits scatter_outside,
    "scatter-in-order" Bits scatter_in_order,
    "scatter-add-zero" SignOfZero scatter_add_zero,
    "scatter-sorted" Rounding scatter_sorted,
    "scatter-apart" Bits scatter_apart,
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

/// One position, looked up once or many times, is a slice; there is no choice along an axis of
/// extent 1.
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

/// Long rows that are added at places in any order are added in the order of their places, run by
/// run: where sorting so few keys is cheap beside what atomics take for so many elements. Where the
/// places fit a workgroup's memory, its atomics are cheaper.
fn scatter_sorted(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, op, [_, indices, updates]) = scatter(node)?;
    let count = to[indices].shape.size();
    let is_sum = axis == 0 && op == ScatterOp::Add && node.dtype == DType::F32;
    let is_sum = is_sum && to.limits.model.scatter.sorts_rows && node.shape.size() > MOST_SHARED_SUMS;
    let long = count >= MANY_ROWS && to[updates].shape.size() >= LONG_ROW * count;
    if !is_sum || !long || to[updates].shape.size() < MANY_ELEMENTS || is_sorted(to, indices) {
        return None;
    }
    Some(scattered_in_order(to, node))
}

/// A function of its own, for few programs need it.
///
/// Deferred: few programs index by tensors.
#[inline(never)]
fn scattered_in_order(to: &mut Rewriter, node: &ProgramNode) -> ProgramId {
    let [base, indices, updates] = [0, 1, 2].map(|n| node.inputs[n]);
    let (count, places) = (to[indices].shape.size(), node.shape[0]);
    let bits = usize::BITS - places.leading_zeros();
    let flat: Shape = [count].into();
    let at = to.reshape(indices, flat.clone());
    // What lies outside comes last, at a place that is not there: as unsigned numbers negative ones
    // are large.
    let at = to.add(Op::Cast(DType::U32), &[at]);
    let end = to.constant(Literal::U32(places as u32), &flat);
    let keys = to.add(Op::Binary(Binary::Min), &[at, end]);
    let keys = to.add(Op::Cut, &[keys]);
    let order = to.add(Op::ArgSort { axis: 0, bits }, &[keys]);
    let sorted = to.add(Op::Gather { axis: 0 }, &[keys, order]);
    let sorted = to.add(Op::Cut, &[sorted]);
    let rows = [&[count], &node.shape[1..]].concat();
    let updates = to.reshape(updates, rows.into());
    let updates = stored(to, updates);
    let updates = to.add(Op::Gather { axis: 0 }, &[updates, order]);
    let base = stored(to, base);
    let found = to.add(node.op.clone(), &[base, sorted, updates]);
    to.add(Op::Cut, &[found])
}

/// Whether these are places that `scatter_sorted` put in order.
fn is_sorted(to: &Rewriter, places: ProgramId) -> bool {
    let input = |x: ProgramId, n: usize| to[x].inputs[n];
    to[places].op == Op::Cut
        && to[input(places, 0)].op == Op::Gather { axis: 0 }
        && matches!(to[input(input(places, 0), 1)].op, Op::ArgSort { .. })
}

/// Whether a value is in memory, or need not be.
fn stands(to: &Rewriter, mut x: ProgramId) -> bool {
    while let Op::View(View::Reshape(_)) = to[x].op {
        x = to[x].inputs[0];
    }
    to[x].op.is_leaf() || to[x].op == Op::Cut || to.source(x).is_some()
}

fn stored(to: &mut Rewriter, x: ProgramId) -> ProgramId {
    if stands(to, x) { x } else { to.add(Op::Cut, &[x]) }
}

/// Operators that each of a scatter's kernels computes anew rather than that their result is
/// stored.
const LIGHT: usize = 8;

/// Whether a value is in memory, or a few operators away from one that is: what a kernel binds and
/// computes is as good as it then.
fn is_light(to: &Rewriter, x: ProgramId) -> bool {
    let (mut open, mut operators, mut leaf) = (vec![x], 0, None);
    while let Some(x) = open.pop() {
        match &to[x].op {
            Op::Constant(_) | Op::Scalar(_) => continue,
            Op::View(View::Reshape(_) | View::Expand(_)) => {}
            _ if stands(to, x) => {
                if *leaf.get_or_insert(x) != x {
                    return false;
                }
                continue;
            }
            op if op.is_elementwise() && operators < LIGHT => operators += 1,
            _ => return false,
        }
        open.extend(to[x].inputs.iter().copied());
    }
    true
}

/// A scatter of more updates than an invocation should look at has kernels for the updates, which
/// bind what is put together: base, indices and updates are stored, but for what is hardly more
/// than a load, and so is the result.
fn scatter_apart(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (axis, op, inputs) = scatter(node)?;
    let short = to[inputs[1]].shape.size() <= LONGEST_WALK;
    let [base, indices, updates] = inputs;
    if short || is_sorted(to, indices) || stands(to, base) && is_light(to, indices) && is_light(to, updates) {
        return None;
    }
    let bound = |to: &mut Rewriter, x| if is_light(to, x) { x } else { stored(to, x) };
    let stored = [stored(to, base), bound(to, indices), bound(to, updates)];
    let found = to.add(Op::Scatter { axis, op }, &stored);
    Some(to.add(Op::Cut, &[found]))
}
