//! Batched gathers and scatters. Where every member has indices of its own, the members' axes are
//! laid one after the other, and indices count along the whole.

use super::{Item, whole};
use crate::transform::reverse::index::{clamp, inside};
use weft_ir::build::{Build, Ref};
use weft_ir::op::ScatterOp;
use weft_ir::op::infer::gathered;
use weft_ir::{DType, Result, Shape};

pub(super) fn gather(emit: &mut dyn Build, axis: usize, source: Item, indices: Item) -> Result<Ref> {
    if !indices.batched {
        return emit.gather(axis + 1, source.x, indices.x);
    }
    if !source.batched {
        let found = emit.gather(axis, source.x, indices.x)?;
        return emit.move_axis(found, axis, 0);
    }
    let (shape, rank) = (emit.shape(source.x), emit.shape(indices.x).rank() - 1);
    let extent = shape[axis + 1];
    let flat = flatten(emit, axis, source.x)?;
    let clamped = clamp(emit, indices.x, extent)?;
    let along = offset(emit, clamped, extent)?;
    // Members, the indices' axes, the source's other axes.
    let found = emit.gather(0, flat, along)?;
    let before = (1 + rank..1 + rank + axis).collect::<Vec<_>>();
    let after = 1 + rank + axis..rank + shape.rank() - 1;
    let order: Vec<usize> = [0].into_iter().chain(before).chain(1..1 + rank).chain(after).collect();
    emit.permute(found, &order)
}

pub(super) fn scatter(
    emit: &mut dyn Build,
    axis: usize,
    op: ScatterOp,
    items: &[Item],
    size: usize,
) -> Result<Ref> {
    let base = whole(emit, items[0], size)?;
    let updates = whole(emit, items[2], size)?;
    let indices = items[1];
    if !indices.batched {
        return emit.scatter(op, axis + 1, base, indices.x, updates);
    }
    let (shape, index_shape) = (emit.shape(base), emit.shape(indices.x));
    let (extent, rank) = (shape[axis + 1], index_shape.rank() - 1);
    let flat = flatten(emit, axis, base)?;
    // What would be dropped must not reach another member.
    let inside = inside(emit, indices.x, extent)?;
    let clamped = clamp(emit, indices.x, extent)?;
    let along = offset(emit, clamped, extent)?;
    let nowhere = emit.like(along, -1.0)?;
    let along = emit.select(inside, along, nowhere)?;
    let first = 1 + axis;
    let own = (first..first + rank).chain(1..first).chain(first + rank..rank + shape.rank() - 1);
    let order: Vec<usize> = [0].into_iter().chain(own).collect();
    let updates = emit.permute(updates, &order)?;
    debug_assert_eq!(emit.shape(updates), gathered(&emit.shape(flat), 0, &index_shape));
    let result = emit.scatter(op, 0, flat, along, updates)?;
    unflatten(emit, axis, result, &shape)
}

/// The batched `x`, whose members have `axis`, with members and axis as one in front.
fn flatten(emit: &mut dyn Build, axis: usize, x: Ref) -> Result<Ref> {
    let moved = emit.move_axis(x, axis + 1, 1)?;
    let shape = emit.shape(moved);
    emit.reshape(moved, &[&[shape[0] * shape[1]], &shape[2..]].concat().into())
}

fn unflatten(emit: &mut dyn Build, axis: usize, x: Ref, shape: &Shape) -> Result<Ref> {
    let mut moved = shape.to_vec();
    let extent = moved.remove(axis + 1);
    moved.insert(1, extent);
    let split = emit.reshape(x, &moved.into())?;
    emit.move_axis(split, 1, axis + 1)
}

/// Each member's indices into its axis of `extent` as i32 into all members' axes, one after the
/// other.
fn offset(emit: &mut dyn Build, indices: Ref, extent: usize) -> Result<Ref> {
    let shape = emit.shape(indices);
    let members = emit.positions(shape[0])?;
    let starts = emit.with_number(weft_ir::op::Binary::Mul, members, extent as f64)?;
    let all: Vec<usize> = (1..shape.rank()).collect();
    let starts = emit.spread(starts, &shape, &all)?;
    let indices = emit.cast(indices, DType::I32)?;
    emit.add(indices, starts)
}
