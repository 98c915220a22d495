//! Batched convolutions: members become more of the batch, more outputs, or, where each has a
//! kernel of its own, groups (as in JAX).

use super::Item;
use std::rc::Rc;
use weft_ir::Result;
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Conv, Op};

pub(super) fn conv(emit: &mut dyn Build, it: &Conv, x: Item, w: Item, size: usize) -> Result<Ref> {
    let mut all = it.clone();
    // Where members are among the output's features or batch, behind so many groups.
    let (input, kernel, place, behind) = match (x.batched, w.batched) {
        (true, false) => (into(emit, x.x, it.input[0], it.batch_groups)?, w.x, it.output[0], 1),
        (false, _) => {
            let groups = it.feature_groups * it.batch_groups;
            (x.x, into(emit, w.x, it.kernel[0], groups)?, it.output[1], groups)
        }
        (true, true) => {
            let axis = if it.batch_groups > 1 { it.input[0] } else { it.input[1] };
            let groups = if it.batch_groups > 1 { &mut all.batch_groups } else { &mut all.feature_groups };
            *groups *= size;
            (into(emit, x.x, axis, 1)?, into(emit, w.x, it.kernel[0], 1)?, it.output[1], 1)
        }
    };
    let found = emit.op(Op::Conv(Rc::new(all)), &[input, kernel])?;
    let mut extents = emit.shape(found).to_vec();
    extents.splice(place..=place, [behind, size, extents[place] / size / behind]);
    let split = emit.reshape(found, &extents.clone().into())?;
    let first = emit.move_axis(split, place + 1, 0)?;
    let mut extents = emit.shape(first).to_vec();
    extents.splice(place + 1..place + 3, [behind * extents[place + 2]]);
    emit.reshape(first, &extents.into())
}

/// The members of `x`, which are along its first axis, within the member's axis `axis`, behind so
/// many groups.
fn into(emit: &mut dyn Build, x: Ref, axis: usize, groups: usize) -> Result<Ref> {
    let mut extents = emit.shape(x).to_vec();
    let (members, own) = (extents[0], extents[1 + axis]);
    extents.splice(1 + axis..2 + axis, [groups, own / groups]);
    let split = emit.reshape(x, &extents.into())?;
    // Behind the groups, which stand at the axis once the members are taken from the front.
    let moved = emit.move_axis(split, 0, axis + 1)?;
    let mut extents = emit.shape(moved).to_vec();
    extents.splice(axis..axis + 3, [members * own]);
    emit.reshape(moved, &extents.into())
}
