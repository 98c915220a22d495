//! Gradients of gather and scatter: each is the other's transpose, with indices clamped where
//! gather clamps and updates left out where scatter drops or overwrites them.

use super::{Pulled, Step};
use weft_ir::build::{Build, Ref};

use weft_ir::op::{Binary, Compare, ScatterOp};
use weft_ir::{DType, Literal, Result, Shape};

/// (source, indices) ↦ source at indices: the cotangent is added where it was read.
pub(super) fn gather(emit: &mut dyn Build, step: &Step, axis: usize) -> Result<Pulled> {
    let (source, indices, g) = (step.inputs[0], step.inputs[1], step.cotangent);
    let shape = emit.shape(source);
    if emit.shape(indices).size() == 0 {
        return Ok(vec![None, None]);
    }
    let inside = clamp(emit, indices, shape[axis])?;
    let zeros = emit.like(source, 0.0)?;
    Ok(vec![Some(emit.scatter(ScatterOp::Add, axis, zeros, inside, g)?), None])
}

/// Indices as gather takes them: outside ones moved to the nearest end.
pub(in crate::transform) fn clamp(emit: &mut dyn Build, indices: Ref, extent: usize) -> Result<Ref> {
    let below = emit.with_number(Binary::Min, indices, extent as f64 - 1.0)?;
    if emit.dtype(indices) == DType::U32 {
        return Ok(below);
    }
    emit.with_number(Binary::Max, below, 0.0)
}

/// Whether each index lies in an axis of `extent`.
pub(in crate::transform) fn inside(emit: &mut dyn Build, indices: Ref, extent: usize) -> Result<Ref> {
    let below = emit.compare_number(Compare::Lt, indices, extent as f64)?;
    if emit.dtype(indices) == DType::U32 {
        return Ok(below);
    }
    let above = emit.compare_number(Compare::Ge, indices, 0.0)?;
    emit.binary(Binary::And, below, above)
}

/// (base, indices, updates) ↦ base with updates put in.
///
/// Deferred: few programs differentiate what they scatter.
#[inline(never)]
pub(super) fn scatter(emit: &mut dyn Build, step: &Step, op: ScatterOp, axis: usize) -> Result<Pulled> {
    let [base, indices, updates] = [step.inputs[0], step.inputs[1], step.inputs[2]];
    let g = step.cotangent;
    if emit.shape(indices).size() == 0 {
        return Ok(vec![Some(g), None, None]);
    }
    let place = Target { axis, indices, base: emit.shape(base), updates: emit.shape(updates) };
    let (to_base, to_updates) = match op {
        ScatterOp::Add => {
            let to_updates = step.want(emit, 2, |emit| {
                let read = emit.gather(axis, g, indices)?;
                let arrives = place.arrives(emit)?;
                emit.keep_where(arrives, read)
            })?;
            (Some(g), to_updates)
        }
        ScatterOp::Set => {
            let (owners, numbers) = place.owners(emit)?;
            let to_base = step.want(emit, 0, |emit| {
                let untouched = emit.compare_number(Compare::Lt, owners, 0.0)?;
                let wide = place.along_base(emit, untouched)?;
                emit.keep_where(wide, g)
            })?;
            let to_updates = step.want(emit, 2, |emit| {
                let owner = emit.gather(0, owners, indices)?;
                let won = emit.compare(Compare::Eq, owner, numbers)?;
                let wide = place.along_updates(emit, won)?;
                let read = emit.gather(axis, g, indices)?;
                emit.keep_where(wide, read)
            })?;
            (to_base, to_updates)
        }
        ScatterOp::Min | ScatterOp::Max => {
            let (base_is, update_is, count) = winners(emit, axis, step.node, [base, indices, updates])?;
            let share = emit.div(g, count)?;
            let to_base = step.want(emit, 0, |emit| emit.keep_where(base_is, share))?;
            let to_updates = step.want(emit, 2, |emit| {
                let read = emit.gather(axis, share, indices)?;
                emit.keep_where(update_is, read)
            })?;
            (to_base, to_updates)
        }
    };
    Ok(vec![to_base, None, to_updates])
}

/// Which elements of the base and which updates equal a scatter's result `y`, the least or the
/// greatest of them, and how many do at each place: they share alike.
pub(in crate::transform) fn winners(
    emit: &mut dyn Build,
    axis: usize,
    y: Ref,
    [base, indices, updates]: [Ref; 3],
) -> Result<(Ref, Ref, Ref)> {
    let place = Target { axis, indices, base: emit.shape(base), updates: emit.shape(updates) };
    let base_is = emit.compare(Compare::Eq, base, y)?;
    let there = emit.gather(axis, y, indices)?;
    let equal = emit.compare(Compare::Eq, updates, there)?;
    let arrives = place.arrives(emit)?;
    let update_is = emit.binary(Binary::And, equal, arrives)?;
    let base_count = emit.cast(base_is, DType::F32)?;
    let update_count = emit.cast(update_is, DType::F32)?;
    let count = emit.scatter(ScatterOp::Add, axis, base_count, indices, update_count)?;
    Ok((base_is, update_is, count))
}

/// Where a scatter's updates go.
struct Target {
    axis: usize,
    indices: Ref,
    base: Shape,
    updates: Shape,
}

impl Target {
    /// A truth per index, repeated to the updates' shape.
    fn along_updates(&self, emit: &mut dyn Build, truth: Ref) -> Result<Ref> {
        let indices = emit.shape(self.indices);
        let before = vec![1; self.axis];
        let after = vec![1; self.base.rank() - self.axis - 1];
        let aligned = emit.reshape(truth, &[&before[..], &indices, &after].concat().into())?;
        emit.expand(aligned, &self.updates)
    }

    /// A truth per position of the indexed axis, repeated to the base's shape.
    fn along_base(&self, emit: &mut dyn Build, truth: Ref) -> Result<Ref> {
        let mut extents = vec![1; self.base.rank()];
        extents[self.axis] = self.base[self.axis];
        let aligned = emit.reshape(truth, &extents.into())?;
        emit.expand(aligned, &self.base)
    }

    /// Whether each update lands inside the base.
    fn arrives(&self, emit: &mut dyn Build) -> Result<Ref> {
        let inside = inside(emit, self.indices, self.base[self.axis])?;
        self.along_updates(emit, inside)
    }

    /// For each position of the axis the number of the last update to it, −1 where there is none;
    /// and the updates' numbers.
    fn owners(&self, emit: &mut dyn Build) -> Result<(Ref, Ref)> {
        let indices = emit.shape(self.indices);
        let flat = emit.positions(indices.size())?;
        let numbers = emit.reshape(flat, &indices)?;
        let nobody = emit.full(Literal::I32(-1), &[self.base[self.axis]].into())?;
        Ok((emit.scatter(ScatterOp::Max, 0, nobody, self.indices, numbers)?, numbers))
    }
}
