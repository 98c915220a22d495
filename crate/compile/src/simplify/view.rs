//! Views that change nothing, undo each other, are one view, or look at one element repeated.

use super::rewrite::Rewriter;
use super::{Rule, contract, table};
use weft_ir::Shape;
use weft_ir::op::{Coefficient, Op, View};
use weft_ir::program::{ProgramId, ProgramNode};

pub(super) const RULES: &[Rule] = table![
    "view-of-everything" Bits view_of_everything,
    "view-of-one-element" Bits view_of_one_element,
    "pad-with-the-same" Bits pad_with_the_same,
    "pad-of-nothing" Bits pad_of_nothing,
    "reshape-of-reshape" Bits reshape_of_reshape,
    "reshape-of-expand" Bits reshape_of_expand,
    "permute-of-permute" Bits permute_of_permute,
    "expand-of-expand" Bits expand_of_expand,
    "slice-of-slice" Bits slice_of_slice,
    "pad-of-pad" Bits pad_of_pad,
    "slice-out-of-pad" Bits slice_out_of_pad,
    "slice-of-reduce" Rounding slice_of_reduce,
    "permute-of-contract" Bits contract::permute_of_contract,
    "permute-of-unit-axes" Bits permute_of_unit_axes,
    "view-of-positions" Bits view_of_positions,
];

/// The numbers of a list of coefficients without parameters.
fn constants(list: &[Coefficient]) -> Option<Vec<i64>> {
    let number = |c: &Coefficient| match c {
        Coefficient::Const(value) => Some(*value),
        Coefficient::Param { .. } => None,
    };
    list.iter().map(number).collect()
}

fn are_zero(list: &[Coefficient]) -> bool {
    list.iter().all(|c| *c == Coefficient::Const(0))
}

/// Whether a slice takes axis `axis` whole, or from its start in steps of 1.
fn is_prefix(view: &View, axis: usize) -> bool {
    let View::Slice { starts, steps, lengths } = view else { return false };
    starts[axis] == Coefficient::Const(0) && (steps[axis] == 1 || lengths[axis] <= 1)
}

/// What a view of a view of x views: the inner view and x.
fn inner(to: &Rewriter, node: &ProgramNode) -> Option<(View, ProgramId)> {
    let below = &to[*node.inputs.first()?];
    let Op::View(view) = &below.op else { return None };
    Some((view.clone(), below.inputs[0]))
}

fn view_of_everything(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(view) = &node.op else { return None };
    let x = node.inputs[0];
    let same = match view {
        View::Reshape(_) | View::Expand(_) => true,
        View::Permute(axes) => axes.is_sorted(),
        View::Slice { .. } => (0..node.shape.rank()).all(|axis| is_prefix(view, axis)),
        View::Pad { low, .. } => are_zero(low),
        View::Window(windows) => windows.is_empty(),
    };
    (same && to[x].shape == node.shape).then_some(x)
}

/// Any rearrangement of one element repeated is that element repeated.
fn view_of_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let source = to.source(node.inputs[0])?;
    match &node.op {
        Op::View(View::Reshape(_) | View::Permute(_) | View::Expand(_) | View::Window(_)) => {}
        Op::View(View::Slice { starts, .. }) if constants(starts).is_some() => {}
        _ => return None,
    }
    let plain = to.splat(source, &node.shape);
    // This very form is what is left of it.
    (to[plain].op != node.op || to[plain].inputs != node.inputs).then_some(plain)
}

fn pad_with_the_same(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Pad { low, value, .. }) = &node.op else { return None };
    let same = to.uniform(node.inputs[0])? == *value && constants(low).is_some();
    same.then(|| to.constant(*value, &node.shape))
}

fn pad_of_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Pad { low, value, .. }) = &node.op else { return None };
    let nothing = to[node.inputs[0]].shape.size() == 0 && constants(low).is_some();
    nothing.then(|| to.constant(*value, &node.shape))
}

fn reshape_of_reshape(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    match (&node.op, inner(to, node)?) {
        (Op::View(View::Reshape(shape)), (View::Reshape(_), x)) => Some(to.reshape(x, shape.clone())),
        _ => None,
    }
}

/// A reshape that only puts in or takes out axes of extent 1 goes below an expansion, where
/// reshapes meet, and expansions above.
fn reshape_of_expand(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::View(View::Reshape(shape)), (View::Expand(expanded), x)) = (&node.op, inner(to, node)?) else {
        return None;
    };
    let long = |shape: &Shape| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<_>>();
    if long(shape) != long(&expanded) {
        return None;
    }
    // The extents of x at the axes that are longer than 1 once expanded.
    let own = to[x].shape.clone();
    let mut long = (0..own.rank()).filter(|&axis| expanded[axis] != 1).map(|axis| own[axis]);
    let once: Vec<usize> =
        shape.iter().map(|&extent| if extent == 1 { Some(1) } else { long.next() }).collect::<Option<_>>()?;
    let once = to.reshape(x, once.into());
    Some(to.expand(once, shape.clone()))
}

fn permute_of_permute(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    match (&node.op, inner(to, node)?) {
        (Op::View(View::Permute(outer)), (View::Permute(inner), x)) => {
            Some(to.permute(x, outer.iter().map(|&axis| inner[axis]).collect()))
        }
        _ => None,
    }
}

fn expand_of_expand(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    match (&node.op, inner(to, node)?) {
        (Op::View(View::Expand(shape)), (View::Expand(_), x)) => Some(to.expand(x, shape.clone())),
        _ => None,
    }
}

/// Starts and steps compose as affine maps do. Slices with parameters stay: a start may not depend
/// on two.
fn slice_of_slice(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Slice { starts, steps, lengths }) = &node.op else { return None };
    let (View::Slice { starts: inner_starts, steps: inner_steps, .. }, x) = inner(to, node)? else {
        return None;
    };
    let (starts, inner_starts) = (constants(starts)?, constants(&inner_starts)?);
    let axes = 0..lengths.len();
    let view = View::Slice {
        starts: axes
            .clone()
            .map(|a| match lengths[a] {
                0 => Coefficient::Const(0),
                _ => Coefficient::Const(inner_starts[a] + starts[a] * inner_steps[a]),
            })
            .collect(),
        steps: axes.map(|a| if lengths[a] <= 1 { 1 } else { steps[a] * inner_steps[a] }).collect(),
        lengths: lengths.clone(),
    };
    Some(to.add(Op::View(view), &[x]))
}

/// Padding around what was padded with the same value.
fn pad_of_pad(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Pad { low, interior, shape, value }) = &node.op else { return None };
    let (View::Pad { low: inner_low, interior: gaps, value: inner_value, .. }, x) = inner(to, node)? else {
        return None;
    };
    if inner_value != *value || interior.iter().any(|&gap| gap > 0) {
        return None;
    }
    let (low, inner_low) = (constants(low)?, constants(&inner_low)?);
    let low = low.iter().zip(&inner_low).map(|(a, b)| Coefficient::Const(a + b)).collect();
    let view = View::Pad { low, interior: gaps, shape: shape.clone(), value: *value };
    Some(to.add(Op::View(view), &[x]))
}

/// The slice that takes out just what was padded, as gradients of paddings do.
fn slice_out_of_pad(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Slice { starts, steps, lengths }) = &node.op else { return None };
    let (View::Pad { low, interior, .. }, x) = inner(to, node)? else { return None };
    let (starts, low) = (constants(starts)?, constants(&low)?);
    let whole = (0..lengths.len()).all(|axis| {
        let step_fits = steps[axis] == interior[axis] as i64 + 1 || lengths[axis] <= 1;
        starts[axis] == low[axis] && step_fits
    });
    (whole && to[x].shape == node.shape).then_some(x)
}

/// Only what is taken is reduced. Fewer rows may be walked otherwise, and so added up in another
/// order.
fn slice_of_reduce(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Slice { starts, steps, lengths }) = &node.op else { return None };
    let below = &to[node.inputs[0]];
    let Op::Reduce { axes, .. } = &below.op else { return None };
    if to.shared(node.inputs[0]) || constants(starts).is_none() || node.shape.size() == below.shape.size() {
        return None;
    }
    let (reduce, x) = (below.op.clone(), below.inputs[0]);
    let mut extents = to[x].shape.to_vec();
    let (mut from, mut by, mut kept) = (Vec::new(), Vec::new(), 0);
    for (axis, extent) in extents.iter_mut().enumerate() {
        if axes.contains(&axis) {
            from.push(Coefficient::Const(0));
            by.push(1);
        } else {
            from.push(starts[kept]);
            by.push(steps[kept]);
            *extent = lengths[kept];
            kept += 1;
        }
    }
    let taken = to.add(Op::View(View::Slice { starts: from, steps: by, lengths: extents }), &[x]);
    Some(to.add(reduce, &[taken]))
}

/// A permutation that only moves axes of extent 1 is a reshape.
fn permute_of_unit_axes(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Permute(axes)) = &node.op else { return None };
    let x = node.inputs[0];
    let ordered = axes.iter().filter(|&&axis| to[x].shape[axis] != 1).is_sorted();
    ordered.then(|| to.reshape(x, node.shape.clone()))
}

/// Positions along an axis, seen so that they are positions along an axis of another shape.
fn view_of_positions(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::View(view), Op::Iota { shape, axis, dtype }) = (&node.op, &to[*node.inputs.first()?].op) else {
        return None;
    };
    let seen = match view {
        View::Permute(axes) => axes.iter().position(|a| a == axis)?,
        View::Expand(to) if to[*axis] == shape[*axis] => *axis,
        View::Slice { starts, .. } if constants(starts).is_some() && is_prefix(view, *axis) => *axis,
        View::Reshape(to) => same_place(shape, *axis, to)?,
        _ => return None,
    };
    let op = Op::Iota { shape: node.shape.clone(), axis: seen, dtype: *dtype };
    Some(to.add(op, &[]))
}

/// The axis of `to` along which positions are those along `axis` of `from`, a shape of the same
/// size.
fn same_place(from: &Shape, axis: usize, to: &Shape) -> Option<usize> {
    let stride = from.strides()[axis];
    let strides = to.strides();
    (0..to.rank()).find(|&a| strides[a] == stride && to[a] == from[axis])
}
