//! The rule of contractions: any batch, free and contracted axes, in any order on either side.

use super::check::{check_nested, config, numbers, random};
use proptest::prelude::*;
use weft_ir::op::{ContractAxes, Op};

/// Where each of the axes goes when they are shuffled by `seed`.
fn places(seed: u64, rank: usize) -> Vec<usize> {
    let keys = numbers(seed, rank);
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
    axes
}

fn shuffled(extents: &[usize], places: &[usize]) -> Vec<usize> {
    let mut out = vec![0; extents.len()];
    for (&extent, &place) in extents.iter().zip(places) {
        out[place] = extent;
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_axes(
        batch in prop::collection::vec(1usize..3, 0..3),
        contracted in prop::collection::vec(1usize..4, 0..3),
        left_free in prop::collection::vec(1usize..3, 0..3),
        right_free in prop::collection::vec(1usize..3, 0..3),
        seed: u64,
    ) {
        let left = [&batch[..], &contracted, &left_free].concat();
        let right = [&batch[..], &contracted, &right_free].concat();
        let (l, r) = (places(seed, left.len()), places(seed ^ 1, right.len()));
        let pair = |i: usize| (l[i], r[i]);
        let axes = ContractAxes {
            batch: (0..batch.len()).map(pair).collect(),
            contract: (batch.len()..batch.len() + contracted.len()).map(pair).collect(),
        };
        let inputs = [random(seed, shuffled(&left, &l)), random(seed ^ 2, shuffled(&right, &r))];
        check_nested(&inputs, |b, x| b.op(Op::Contract(axes.clone()), x));
    }
}

#[test]
fn a_matrix_with_itself() {
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    check_nested(&[random(1, [3, 3])], |b, x| b.op(Op::Contract(axes.clone()), &[x[0], x[0]]));
}

#[test]
fn nothing_contracted_over() {
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    check_nested(&[random(1, [2, 0]), random(2, [0, 3])], |b, x| b.op(Op::Contract(axes.clone()), x));
}
