//! Where do reductions and contractions read their inputs? Coordinates put together from those that stay and those that are walked.

use weft_ir::kernel::ExprId;
use weft_ir::op::ContractAxes;

/// The coordinates of a reduction's input: `kept` on the axes that stay, `inner` on `axes`.
pub fn interleave(kept: &[ExprId], inner: &[ExprId], axes: &[usize]) -> Vec<ExprId> {
    let (mut kept, mut inner) = (kept.iter(), inner.iter());
    let rank = kept.len() + inner.len();
    (0..rank)
        .map(|axis| if axes.contains(&axis) { inner.next() } else { kept.next() })
        .map(|c| *c.expect("ranks agree"))
        .collect()
}

/// The coordinates in the left and right inputs for output coordinates `at` and contracted coordinates `inner`.
pub fn contract_coordinates(
    axes: &ContractAxes,
    left_rank: usize,
    right_rank: usize,
    at: &[ExprId],
    inner: &[ExprId],
) -> (Vec<ExprId>, Vec<ExprId>) {
    let (mut left, mut right) = (vec![ExprId(0); left_rank], vec![ExprId(0); right_rank]);
    for (&(l, r), &c) in axes.batch.iter().zip(at) {
        (left[l], right[r]) = (c, c);
    }
    for (&(l, r), &c) in axes.contract.iter().zip(inner) {
        (left[l], right[r]) = (c, c);
    }
    let free_left = axes.left_free(left_rank);
    let free_right = axes.right_free(right_rank);
    let rest = &at[axes.batch.len()..];
    for (&axis, &c) in free_left.iter().zip(rest) {
        left[axis] = c;
    }
    for (&axis, &c) in free_right.iter().zip(&rest[free_left.len()..]) {
        right[axis] = c;
    }
    (left, right)
}
