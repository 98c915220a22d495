//! Gradients of views: each is undone. Slices and pads are each other's inverse and keep their run-time parameters.

use super::{Pulled, Step};
use weft_ir::build::{Build, Ref};

use weft_ir::op::{Coefficient, Op, View};
use weft_ir::{Literal, Result, Shape};

/// The permutation that undoes `axes`.
pub(super) fn inverse(axes: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; axes.len()];
    for (to, &from) in axes.iter().enumerate() {
        inverse[from] = to;
    }
    inverse
}

/// x ↦ x rearranged. The parameters of a view are integers and have no gradient.
pub(super) fn view(emit: &mut dyn Build, step: &Step, view: &View) -> Result<Pulled> {
    let (x, g) = (step.inputs[0], step.cotangent);
    let parameters = &step.inputs[1..];
    let shape = emit.shape(x);
    let mut pulled = vec![None; step.inputs.len()];
    let nothing = shape.size() == 0 || emit.shape(g).size() == 0;
    pulled[0] = match view {
        _ if nothing => None,
        View::Reshape(_) => Some(emit.reshape(g, &shape)?),
        View::Permute(axes) => Some(emit.permute(g, &inverse(axes))?),
        View::Expand(_) => Some(emit.reduce_to_shape(g, &shape)?),
        View::Slice { starts, steps, lengths } => {
            Some(unslice(emit, g, parameters, &shape, starts, steps, lengths)?)
        }
        View::Pad { low, interior, .. } => {
            let slice = View::Slice {
                starts: low.clone(),
                steps: interior.iter().map(|&gap| gap as i64 + 1).collect(),
                lengths: shape.to_vec(),
            };
            Some(emit.op(Op::View(slice), &[&[g], parameters].concat())?)
        }
    };
    Ok(pulled)
}

/// The cotangent of a slice back in its places among zeros.
///
/// Where a slice counts downwards its cotangent is flipped, and its first element then belongs `span` before `start`. For a
/// run-time start, which cannot be offset, everything goes `span` too far into a longer tensor, whose front is then cut off.
fn unslice(
    emit: &mut dyn Build,
    g: Ref,
    parameters: &[Ref],
    shape: &Shape,
    starts: &[Coefficient],
    steps: &[i64],
    lengths: &[usize],
) -> Result<Ref> {
    let rank = shape.rank();
    let span = |a: usize| if steps[a] < 0 { -steps[a] * (lengths[a] as i64 - 1) } else { 0 };
    let mut low = starts.to_vec();
    let mut excess = vec![0; rank];
    for axis in 0..rank {
        match &mut low[axis] {
            Coefficient::Const(start) => *start -= span(axis),
            Coefficient::Param { .. } => excess[axis] = span(axis),
        }
    }
    let downwards: Vec<bool> = steps.iter().map(|&s| s < 0).collect();
    let flipped = emit.flip(g, &downwards)?;
    let pad = View::Pad {
        low,
        interior: steps.iter().map(|s| s.unsigned_abs() as usize - 1).collect(),
        shape: (0..rank).map(|a| shape[a] + excess[a] as usize).collect::<Vec<_>>().into(),
        value: Literal::F32(0.0),
    };
    let padded = emit.op(Op::View(pad), &[&[flipped], parameters].concat())?;
    if excess.iter().all(|&e| e == 0) {
        return Ok(padded);
    }
    let cut = View::Slice {
        starts: excess.into_iter().map(Coefficient::Const).collect(),
        steps: vec![1; rank],
        lengths: shape.to_vec(),
    };
    emit.op(Op::View(cut), &[padded])
}
