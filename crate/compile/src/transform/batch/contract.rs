//! Batched contractions: members run in step where both sides have them; where one has, they are
//! rows or columns like others.

use super::Item;
use weft_ir::Result;
use weft_ir::build::{Build, Ref};
use weft_ir::op::ContractAxes;

pub(super) fn contract(emit: &mut dyn Build, axes: &ContractAxes, left: Item, right: Item) -> Result<Ref> {
    let moved = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
        pairs.iter().map(|p| (p.0 + usize::from(left.batched), p.1 + usize::from(right.batched))).collect()
    };
    let mut pairs = ContractAxes { batch: moved(&axes.batch), contract: moved(&axes.contract) };
    // Where the members are: in front, the first of the left's free axes, or the first of the
    // right's.
    let place = match (left.batched, right.batched) {
        (true, true) => {
            pairs.batch.insert(0, (0, 0));
            0
        }
        (true, false) => pairs.batch.len(),
        (false, _) => pairs.batch.len() + pairs.left_free(emit.shape(left.x).rank()).len(),
    };
    let product = emit.contract(pairs, left.x, right.x)?;
    emit.move_axis(product, place, 0)
}
