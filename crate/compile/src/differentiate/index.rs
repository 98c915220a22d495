//! Gradients of gather and scatter: each is the other's transpose, with indices clamped where gather clamps and updates left out
//! where scatter drops or overwrites them.

use super::emit::Emit;
use super::{Pulled, Step};
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Compare, Op, ScatterOp};
use weft_ir::{DType, Literal, Result, Shape};

/// (source, indices) ↦ source at indices: the cotangent is added where it was read.
pub(super) fn gather(emit: &mut Emit, step: &Step, axis: usize) -> Result<Pulled> {
    let (source, indices, g) = (step.inputs[0], step.inputs[1], step.cotangent);
    let shape = emit.shape(source);
    if emit.shape(indices).size() == 0 {
        return Ok(vec![None, None]);
    }
    let inside = clamp(emit, indices, shape[axis])?;
    let zeros = emit.float(0.0, &shape)?;
    Ok(vec![Some(emit.scatter(ScatterOp::Add, axis, zeros, inside, g)?), None])
}

/// Indices as gather takes them: outside ones moved to the nearest end.
fn clamp(emit: &mut Emit, indices: NodeId, extent: usize) -> Result<NodeId> {
    let (shape, dtype) = (emit.shape(indices), emit.dtype(indices));
    let last = emit.full(Literal::from_f64(dtype, extent as f64 - 1.0), &shape)?;
    let below = emit.binary(Binary::Min, indices, last)?;
    if dtype == DType::U32 {
        return Ok(below);
    }
    let zero = emit.full(Literal::zero(dtype), &shape)?;
    emit.binary(Binary::Max, below, zero)
}

/// (base, indices, updates) ↦ base with updates put in.
pub(super) fn scatter(emit: &mut Emit, step: &Step, op: ScatterOp, axis: usize) -> Result<Pulled> {
    let [base, indices, updates] = [step.inputs[0], step.inputs[1], step.inputs[2]];
    let g = step.cotangent;
    if emit.shape(indices).size() == 0 {
        return Ok(vec![Some(g), None, None]);
    }
    let place = Place { axis, indices, base: emit.shape(base), updates: emit.shape(updates) };
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
        // Equal shares to all that equal the result: the base's element and any number of updates.
        ScatterOp::Min | ScatterOp::Max => {
            let base_is = emit.compare(Compare::Eq, base, step.node)?;
            let there = emit.gather(axis, step.node, indices)?;
            let equal = emit.compare(Compare::Eq, updates, there)?;
            let arrives = place.arrives(emit)?;
            let update_is = emit.binary(Binary::And, equal, arrives)?;
            let base_count = emit.cast(base_is, DType::F32)?;
            let update_count = emit.cast(update_is, DType::F32)?;
            let count = emit.scatter(ScatterOp::Add, axis, base_count, indices, update_count)?;
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

/// Where a scatter's updates go.
struct Place {
    axis: usize,
    indices: NodeId,
    base: Shape,
    updates: Shape,
}

impl Place {
    /// A truth per index, repeated to the updates' shape.
    fn along_updates(&self, emit: &mut Emit, truth: NodeId) -> Result<NodeId> {
        let indices = emit.shape(self.indices);
        let before = vec![1; self.axis];
        let after = vec![1; self.base.rank() - self.axis - 1];
        let aligned = emit.reshape(truth, &[&before[..], &indices, &after].concat().into())?;
        emit.expand(aligned, &self.updates)
    }

    /// A truth per position of the indexed axis, repeated to the base's shape.
    fn along_base(&self, emit: &mut Emit, truth: NodeId) -> Result<NodeId> {
        let mut extents = vec![1; self.base.rank()];
        extents[self.axis] = self.base[self.axis];
        let aligned = emit.reshape(truth, &extents.into())?;
        emit.expand(aligned, &self.base)
    }

    /// Whether each update lands inside the base.
    fn arrives(&self, emit: &mut Emit) -> Result<NodeId> {
        let below = emit.compare_number(Compare::Lt, self.indices, self.base[self.axis] as f64)?;
        let inside = if emit.dtype(self.indices) == DType::U32 {
            below
        } else {
            let above = emit.compare_number(Compare::Ge, self.indices, 0.0)?;
            emit.binary(Binary::And, below, above)?
        };
        self.along_updates(emit, inside)
    }

    /// For each position of the axis the number of the last update to it, −1 where there is none; and the updates' numbers.
    fn owners(&self, emit: &mut Emit) -> Result<(NodeId, NodeId)> {
        let indices = emit.shape(self.indices);
        let iota = Op::Iota { shape: [indices.size()].into(), axis: 0, dtype: DType::I32 };
        let flat = emit.op(iota, &[])?;
        let numbers = emit.reshape(flat, &indices)?;
        let nobody = emit.full(Literal::I32(-1), &[self.base[self.axis]].into())?;
        Ok((emit.scatter(ScatterOp::Max, 0, nobody, self.indices, numbers)?, numbers))
    }
}
