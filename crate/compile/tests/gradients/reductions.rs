//! Rules of reductions over random axes of random shapes; ties, and zeros among factors.

use super::check::{Bench, check, check_nested, config, random, vector};
use proptest::prelude::*;
use weft_ir::interpret::Value;
use weft_ir::op::{Op, ReduceOp};

fn axes(mask: u8, rank: usize) -> Vec<usize> {
    (0..rank).filter(|a| mask >> a & 1 == 1).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_axes(shape in prop::collection::vec(1usize..4, 0..4), mask: u8, seed: u64) {
        for op in [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min] {
            let axes = axes(mask, shape.len());
            check_nested(&[random(seed, shape.clone())], |b, x| {
                b.op(Op::Reduce { op, axes: axes.clone() }, x)
            });
        }
    }

    #[test]
    fn products_with_zeros(mut factors in prop::collection::vec(-2.0f64..2.0, 1..9), zeros: u16) {
        for (i, factor) in factors.iter_mut().enumerate() {
            if zeros >> i & 1 == 1 {
                *factor = 0.0;
            }
        }
        check_nested(&[vector(&factors)], |b, x| b.op(Op::Reduce { op: ReduceOp::Prod, axes: vec![0] }, x));
    }
}

fn gradient(op: ReduceOp, axes: &[usize], x: Value<f64>) -> Vec<f64> {
    let mut bench = Bench::new();
    let x = bench.input(&x);
    let y = bench.op(Op::Reduce { op, axes: axes.to_vec() }, &[x]);
    let gradient = bench.gradients(y, &[x])[0];
    bench.value(gradient)
}

#[test]
fn tied_extremes_share_the_gradient() {
    let x = || Value::float([2, 3], [1.0, 3.0, 3.0, 2.0, 2.0, 2.0]).unwrap();
    assert_eq!(gradient(ReduceOp::Max, &[1], x()), [0.0, 0.5, 0.5, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    assert_eq!(gradient(ReduceOp::Min, &[0, 1], x()), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn one_zero_factor_gets_the_product_of_the_rest_and_two_leave_nothing() {
    assert_eq!(gradient(ReduceOp::Prod, &[0], vector(&[2.0, 0.0, 5.0])), [0.0, 10.0, 0.0]);
    assert_eq!(gradient(ReduceOp::Prod, &[0], vector(&[0.0, 0.0, 5.0])), [0.0, 0.0, 0.0]);
}

#[test]
fn nothing_to_reduce_has_an_empty_gradient() {
    for op in [ReduceOp::Sum, ReduceOp::Prod] {
        assert_eq!(gradient(op, &[1], Value::float([2, 0], []).unwrap()), []);
        check(&[Value::float([0, 3], []).unwrap()], |b, x| b.op(Op::Reduce { op, axes: vec![1] }, x));
    }
}

#[test]
fn positions_have_no_gradient() {
    check(&[vector(&[1.0, 5.0, 2.0])], |b, x| {
        let at = b.op(Op::Reduce { op: ReduceOp::ArgMax, axes: vec![0] }, x);
        b.op(Op::Gather { axis: 0 }, &[x[0], at])
    });
}
