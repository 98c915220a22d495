//! Gradients of reductions. Ties of max and min share equally; products need no division, so that
//! zeros among the factors are right.

use super::{Pulled, Step};
use weft_ir::build::{Build, Ref};

use weft_ir::op::{Coefficient, Compare, Op, ReduceOp, View};
use weft_ir::{DType, Literal, Result, Shape};

/// x ↦ x reduced over `axes`.
pub(super) fn reduce(emit: &mut dyn Build, step: &Step, op: ReduceOp, axes: &[usize]) -> Result<Pulled> {
    let (x, y, g) = (step.inputs[0], step.node, step.cotangent);
    let shape = emit.shape(x);
    let pulled = match op {
        ReduceOp::Sum => emit.spread(g, &shape, axes)?,
        ReduceOp::Max | ReduceOp::Min => {
            let best = emit.spread(y, &shape, axes)?;
            let chosen = emit.compare(Compare::Eq, x, best)?;
            let ones = emit.cast(chosen, DType::F32)?;
            let count = emit.reduce(ReduceOp::Sum, ones, axes)?;
            let share = emit.div(g, count)?;
            let spread = emit.spread(share, &shape, axes)?;
            emit.keep_where(chosen, spread)?
        }
        ReduceOp::Prod if shape.size() == 0 => return Ok(vec![None]),
        ReduceOp::Prod => product(emit, x, g, &shape, axes)?,
        ReduceOp::ArgMax | ReduceOp::ArgMin => return Ok(vec![None]),
    };
    Ok(vec![Some(pulled)])
}

/// The cotangent times the product of all *other* factors, by a binary tree (Blelloch, *Prefix Sums
/// and Their Applications*, §1.4, with the sibling in place of the left neighbour): going up,
/// products of pairs; going down, each child gets its parent's cotangent times its sibling's
/// product. 2·log₂ n steps, no division, right to every order where factors are 0.
///
/// Deferred: few products of many elements are differentiated.
#[inline(never)]
fn product(emit: &mut dyn Build, x: Ref, g: Ref, shape: &Shape, axes: &[usize]) -> Result<Ref> {
    let kept: Vec<usize> = (0..shape.rank()).filter(|a| !axes.contains(a)).collect();
    let order = [&kept[..], axes].concat();
    let rows: usize = kept.iter().map(|&a| shape[a]).product();
    let factors: usize = axes.iter().map(|&a| shape[a]).product();
    let width = factors.next_power_of_two();

    let ordered = emit.permute(x, &order)?;
    let ordered_shape = emit.shape(ordered);
    let flat = emit.reshape(ordered, &[rows, factors].into())?;
    let mut pairs = Vec::new();
    let mut level = pad_with_ones(emit, flat, rows, factors, width)?;
    for half in std::iter::successors(Some(width / 2), |half| Some(half / 2)).take_while(|&half| half > 0) {
        let pair = emit.reshape(level, &[rows, half, 2].into())?;
        pairs.push((pair, half));
        level = emit.reduce(ReduceOp::Prod, pair, &[2])?;
    }
    let mut down = emit.reshape(g, &[rows, 1].into())?;
    for (pair, half) in pairs.into_iter().rev() {
        let both = emit.spread(down, &[rows, half, 2].into(), &[2])?;
        let sibling = emit.flip(pair, &[false, false, true])?;
        let children = emit.mul(both, sibling)?;
        down = emit.reshape(children, &[rows, 2 * half].into())?;
    }
    if width > factors {
        let first = View::Slice {
            starts: vec![Coefficient::Const(0); 2],
            steps: vec![1; 2],
            lengths: vec![rows, factors],
        };
        down = emit.op(Op::View(first), &[down])?;
    }
    let unflattened = emit.reshape(down, &ordered_shape)?;
    emit.permute(unflattened, &super::view::inverse(&order))
}

fn pad_with_ones(emit: &mut dyn Build, x: Ref, rows: usize, from: usize, to: usize) -> Result<Ref> {
    if from == to {
        return Ok(x);
    }
    let view = View::Pad {
        low: vec![Coefficient::Const(0); 2],
        interior: vec![0; 2],
        shape: [rows, to].into(),
        value: Literal::F32(1.0),
    };
    emit.op(Op::View(view), &[x])
}
