//! Rules of gather and scatter: repeated indices, indices out of range, and the owner of a place
//! that is written twice.

use super::check::{Bench, check_nested, config, random, vector};
use proptest::prelude::*;
use weft_ir::interpret::Value;
use weft_ir::op::infer::gathered;
use weft_ir::op::{Op, ScatterOp};

/// Shape of the source, the indexed axis, and indices some of which lie outside.
fn problem() -> impl Strategy<Value = (Vec<usize>, usize, Value<f64>)> {
    (
        prop::collection::vec(1usize..4, 1..4),
        any::<prop::sample::Index>(),
        prop::collection::vec(0usize..3, 0..3),
    )
        .prop_flat_map(|(shape, axis, index_shape)| {
            let axis = axis.index(shape.len());
            let count = index_shape.iter().product::<usize>();
            let outside = shape[axis] as i32 + 2;
            (
                Just(shape),
                Just(axis),
                Just(index_shape),
                prop::collection::vec(-2..outside, count),
                any::<bool>(),
            )
        })
        .prop_map(|(shape, axis, index_shape, indices, unsigned)| {
            let indices = if unsigned {
                Value::u32(index_shape, indices.into_iter().map(|i| i as u32).collect::<Vec<_>>())
            } else {
                Value::i32(index_shape, indices)
            };
            (shape, axis, indices.unwrap())
        })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn gather((shape, axis, indices) in problem(), seed: u64) {
        check_nested(&[random(seed, shape), indices], |b, x| b.op(Op::Gather { axis }, x));
    }

    #[test]
    fn scatter((shape, axis, indices) in problem(), seed: u64) {
        let updates = gathered(&shape.clone().into(), axis, indices.shape());
        let inputs = [random(seed, shape), indices, random(seed ^ 1, updates)];
        for op in [ScatterOp::Add, ScatterOp::Set, ScatterOp::Min, ScatterOp::Max] {
            check_nested(&inputs, |b, x| b.op(Op::Scatter { axis, op }, x));
        }
    }
}

fn gradients(op: ScatterOp, base: &[f64], indices: &[i32], updates: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut bench = Bench::new();
    let base = bench.input(&vector(base));
    let indices = bench.leaf(&Value::i32([indices.len()], indices).unwrap());
    let updates = bench.input(&vector(updates));
    let y = bench.op(Op::Scatter { axis: 0, op }, &[base, indices, updates]);
    let found = bench.gradients(y, &[base, updates]);
    (bench.value(found[0]), bench.value(found[1]))
}

#[test]
fn the_last_update_to_a_place_owns_it() {
    let (base, updates) = gradients(ScatterOp::Set, &[0.0; 3], &[1, 2, 1, 7], &[5.0; 4]);
    assert_eq!(base, [1.0, 0.0, 0.0]);
    assert_eq!(updates, [0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn tied_extremes_share_the_gradient() {
    let (base, updates) =
        gradients(ScatterOp::Max, &[2.0, 1.0], &[0, 0, 0, 1, -1], &[2.0, 2.0, 1.0, 9.0, 2.0]);
    assert_eq!(base, [1.0 / 3.0, 0.0]);
    assert_eq!(updates, [1.0 / 3.0, 1.0 / 3.0, 0.0, 1.0, 0.0]);
}
