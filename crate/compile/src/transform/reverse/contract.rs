//! Gradients of contractions: each side's is the other side contracted with the cotangent over the
//! axes they have in common.

use super::view::inverse;
use super::{Pulled, Step};
use weft_ir::Result;
use weft_ir::build::Build;
use weft_ir::op::ContractAxes;
use weft_ir::order;

/// (L, R) ↦ y[batch, left free, right free] = Σ L·R.
pub(super) fn contract(emit: &mut dyn Build, step: &Step, axes: &ContractAxes) -> Result<Pulled> {
    let (left, right, g) = (step.inputs[0], step.inputs[1], step.cotangent);
    let left_free = axes.left_free(emit.shape(left).rank());
    let right_free = axes.right_free(emit.shape(right).rank());
    let batches = axes.batch.len();
    let batched = |side: fn(&(usize, usize)) -> usize| axes.batch.iter().map(side).enumerate();

    // g over the right's free axes: what stays of g is batch and left free, what stays of R are its
    // contracted axes in order.
    let to_left = step.want(emit, 0, |emit| {
        let first = batches + left_free.len();
        let pairs = ContractAxes {
            batch: batched(|p| p.1).collect(),
            contract: right_free.iter().enumerate().map(|(n, &a)| (first + n, a)).collect(),
        };
        let product = emit.contract(pairs, g, right)?;
        let mut rest = axes.contract.clone();
        order::sort_by_key(&mut rest, |p| p.1 as u64);
        let batch = axes.batch.iter().map(|p| p.0);
        let order: Vec<usize> = batch.chain(left_free.clone()).chain(rest.iter().map(|p| p.0)).collect();
        emit.permute(product, &inverse(&order))
    })?;
    // L over its free axes: what stays of L are its contracted axes in order, what stays of g is
    // batch and right free.
    let to_right = step.want(emit, 1, |emit| {
        let pairs = ContractAxes {
            batch: batched(|p| p.0).map(|(n, a)| (a, n)).collect(),
            contract: left_free.iter().enumerate().map(|(n, &a)| (a, batches + n)).collect(),
        };
        let product = emit.contract(pairs, left, g)?;
        let mut rest = axes.contract.clone();
        order::sort_by_key(&mut rest, |p| p.0 as u64);
        let batch = axes.batch.iter().map(|p| p.1);
        let order: Vec<usize> = batch.chain(rest.iter().map(|p| p.1)).chain(right_free.clone()).collect();
        emit.permute(product, &inverse(&order))
    })?;
    Ok(vec![to_left, to_right])
}
