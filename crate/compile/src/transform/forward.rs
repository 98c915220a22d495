//! Forward mode: tangents of nodes, given those of nodes they are made from.
//!
//! It needs few rules of its own. The Jacobian of an elementwise primitive is diagonal, hence its
//! own transpose: the rule that pulls a cotangent back also pushes a tangent on. Linear primitives
//! do to tangents what they do to values, and a reduction's tangent is a sum of the input's,
//! weighted with what a cotangent of ones would become.
//!
//! Deferred: few programs differentiate forwards.

use super::inline_custom::inlined_values;
use super::reverse::Step;
use super::reverse::index::winners;
use super::scan;
use super::segment::{Mode, segment};
use weft_ir::HashMap;
use weft_ir::build::{Build, Ref};
use weft_ir::graph::OF_GRADIENT;
use weft_ir::op::{Op, ReduceOp, ScatterOp, View, region};
use weft_ir::{Literal, Result};

/// What gives the tangents of a region's results: the pass is given it, because it transforms the
/// programs that the region holds, by this pass.
pub(super) type OfRegion = fn(&mut dyn Build, &Op, &[Ref], &[Option<Ref>]) -> Result<Vec<Option<Ref>>>;

/// Tangents, and the values that they are written with.
pub(super) type Pushed = (Vec<Option<Ref>>, HashMap<Ref, Ref>);

/// The tangents of `outputs`; `None` where they do not depend on `from`. Nodes of `from` are taken
/// for independent. With them the values that tangents are written with, where these are others
/// than the nodes themselves ([`inlined_values`]).
pub(super) fn push(
    emit: &mut dyn Build,
    outputs: &[Ref],
    from: &[Ref],
    tangents: &[Ref],
    of_region: OfRegion,
) -> Result<Pushed> {
    let mut known: HashMap<Ref, Ref> = from.iter().copied().zip(tangents.iter().copied()).collect();
    // The tangents of the results of regions.
    let mut parts: HashMap<Ref, Vec<Option<Ref>>> = HashMap::default();
    let segment = segment(emit, outputs, from, Mode::Derivative);
    let values = if segment.has_custom_rules { inlined_values(emit, &segment)? } else { HashMap::default() };
    let value = |x: Ref| values.get(&x).copied().unwrap_or(x);
    for node in segment.order {
        if known.contains_key(&node) {
            continue;
        }
        let (op, inputs) = emit.definition(node);
        emit.set_site(emit.site(node) | OF_GRADIENT);
        let tangents: Vec<Option<Ref>> = inputs.iter().map(|i| known.get(i).copied()).collect();
        let own: Vec<Ref> = inputs.iter().map(|&x| value(x)).collect();
        if region::is_region(&op) {
            parts.insert(node, of_region(emit, &op, &own, &tangents)?);
        } else if let Op::Part { index, .. } = op {
            if let Some(tangent) = parts.get(&inputs[0]).and_then(|parts| parts[index]) {
                known.insert(node, tangent);
            }
        } else if let Some(tangent) = rule(emit, value(node), &op, &own, &tangents)? {
            known.insert(node, tangent);
        }
    }
    Ok((outputs.iter().map(|y| known.get(y).copied()).collect(), values))
}

/// The one place that says which rule belongs to which primitive.
fn rule(
    emit: &mut dyn Build,
    node: Ref,
    op: &Op,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Option<Ref>> {
    match op {
        Op::Unary(_) | Op::Binary(_) | Op::Select | Op::Cast(_) | Op::Mark(_) | Op::Cut => {
            let mut sum = None;
            for (i, &tangent) in tangents.iter().enumerate() {
                let Some(cotangent) = tangent else { continue };
                let mut wanted = vec![false; inputs.len()];
                wanted[i] = true;
                let step = Step { node, op, inputs, cotangent, wanted: &wanted };
                let pushed = step.pull(emit)?[i];
                sum = added(emit, sum, pushed)?;
            }
            Ok(sum)
        }
        Op::Reduce { op: kind, axes } => {
            let [Some(tangent)] = *tangents else { return Ok(None) };
            if *kind == ReduceOp::Sum {
                return emit.sum(tangent, axes).map(Some);
            }
            let ones = emit.like(node, 1.0)?;
            let step = Step { node, op, inputs, cotangent: ones, wanted: &[true] };
            let Some(weights) = step.pull(emit)?[0] else { return Ok(None) };
            let weighted = emit.mul(weights, tangent)?;
            emit.sum(weighted, axes).map(Some)
        }
        Op::View(view) => {
            let Some(tangent) = tangents[0] else { return Ok(None) };
            let mut view = view.clone();
            if let View::Pad { value, .. } = &mut view {
                *value = Literal::F32(0.0);
            }
            emit.op(Op::View(view), &[&[tangent], &inputs[1..]].concat()).map(Some)
        }
        Op::Contract(_) | Op::Conv(_) => product(emit, op, inputs, tangents),
        Op::Gather { axis } => match tangents[0] {
            Some(tangent) => emit.gather(*axis, tangent, inputs[1]).map(Some),
            None => Ok(None),
        },
        Op::Scan(kind) => match tangents[0] {
            Some(tangent) => scan::push(emit, kind, inputs[0], tangent).map(Some),
            None => Ok(None),
        },
        Op::Fourier { .. } => match tangents[0] {
            Some(tangent) => emit.op(op.clone(), &[tangent, inputs[1]]).map(Some),
            None => Ok(None),
        },
        Op::Scatter { axis, op } => scatter(emit, *axis, *op, node, inputs, tangents),
        Op::Buffer(..)
        | Op::Scalar(_)
        | Op::Constant(_)
        | Op::Iota { .. }
        | Op::Compare(_)
        | Op::Bitcast(_)
        | Op::ArgSort { .. }
        | Op::Detach
        | Op::Loop(_)
        | Op::Branch(_)
        | Op::Custom(_)
        | Op::Kernel(_)
        | Op::Part { .. } => Ok(None),
    }
}

fn added(emit: &mut dyn Build, a: Option<Ref>, b: Option<Ref>) -> Result<Option<Ref>> {
    match (a, b) {
        (Some(a), Some(b)) => emit.add(a, b).map(Some),
        _ => Ok(a.or(b)),
    }
}

/// Linear in each side.
fn product(emit: &mut dyn Build, op: &Op, inputs: &[Ref], tangents: &[Option<Ref>]) -> Result<Option<Ref>> {
    let mut sum = None;
    for (i, &tangent) in tangents.iter().enumerate() {
        let Some(tangent) = tangent else { continue };
        let sides = if i == 0 { [tangent, inputs[1]] } else { [inputs[0], tangent] };
        let product = emit.op(op.clone(), &sides)?;
        sum = added(emit, sum, Some(product))?;
    }
    Ok(sum)
}

/// Tangents are put where values are, or where those come from that win.
fn scatter(
    emit: &mut dyn Build,
    axis: usize,
    op: ScatterOp,
    node: Ref,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Option<Ref>> {
    let [base, indices, updates] = [inputs[0], inputs[1], inputs[2]];
    if emit.shape(indices).size() == 0 || (tangents[2].is_none() && op == ScatterOp::Add) {
        return Ok(tangents[0]);
    }
    let mut to_base = or_zero(emit, tangents[0], base)?;
    let mut to_updates = or_zero(emit, tangents[2], updates)?;
    Ok(Some(match op {
        ScatterOp::Add | ScatterOp::Set => emit.scatter(op, axis, to_base, indices, to_updates)?,
        ScatterOp::Min | ScatterOp::Max => {
            let (base_is, update_is, count) = winners(emit, axis, node, [base, indices, updates])?;
            to_base = emit.keep_where(base_is, to_base)?;
            to_updates = emit.keep_where(update_is, to_updates)?;
            let sum = emit.scatter(ScatterOp::Add, axis, to_base, indices, to_updates)?;
            emit.div(sum, count)?
        }
    }))
}

fn or_zero(emit: &mut dyn Build, tangent: Option<Ref>, of: Ref) -> Result<Ref> {
    match tangent {
        Some(tangent) => Ok(tangent),
        None => emit.like(of, 0.0),
    }
}
