//! Elementwise rules: smooth stretches by differences, kinks and corners by hand.

use super::check::{Bench, check, check_nested, random, vector};
use weft_ir::graph::NodeId;
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, Op, Unary};
use weft_ir::{DType, Literal};

#[test]
fn every_unary_op() {
    let everywhere = [-2.7, -1.3, -0.4, 0.3, 0.9, 1.6, 3.2];
    let positive = [0.2, 0.7, 1.0, 2.5, 9.0];
    let inside = [-0.9, -0.5, 0.1, 0.6, 0.8];
    for op in Unary::ALL {
        let inputs: &[f64] = match op {
            Unary::Log | Unary::Sqrt | Unary::Rsqrt => &positive,
            Unary::ErfInv => &inside,
            // Of integers and bools, and to bools and bits: they have no derivative.
            Unary::Not | Unary::IsNan | Unary::ToHalf | Unary::OfHalf => continue,
            _ => &everywhere,
        };
        check_nested(&[vector(inputs)], |b, x| b.unary(op, x[0]));
    }
}

#[test]
fn every_binary_op() {
    for op in Binary::ALL {
        let inputs = match op {
            Binary::Rem | Binary::FloorDiv => {
                [vector(&[7.3, -7.3, 7.3, -7.3, 0.4, 5.0]), vector(&[2.1, 2.1, -2.1, -2.1, 3.0, 0.7])]
            }
            Binary::Pow => [vector(&[0.3, 1.0, 2.5, 4.0, 1.7]), vector(&[2.0, -1.5, 0.5, 3.0, -2.0])],
            // Of integers and bools.
            Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => continue,
            _ => [random(1, [3, 4]), random(2, [3, 4])],
        };
        check_nested(&inputs, |b, x| b.op(Op::Binary(op), x));
    }
}

#[test]
fn an_operand_read_twice_gathers_both_parts() {
    check_nested(&[random(3, [5])], |b, x| b.op(Op::Binary(Binary::Mul), &[x[0], x[0]]));
    check_nested(&[vector(&[0.4, 1.2, 2.0])], |b, x| b.op(Op::Binary(Binary::Pow), &[x[0], x[0]]));
}

#[test]
fn select_takes_each_side_where_it_was_taken() {
    let condition = Value::bool([4], [true, false, false, true]).unwrap();
    check_nested(&[condition, random(4, [4]), random(5, [4])], |b, x| b.op(Op::Select, x));
}

#[test]
fn casts_between_floats_pass_and_integers_stop() {
    check(&[random(6, [3])], |b, x| b.op(Op::Cast(DType::F32), &[x[0]]));
    check(&[vector(&[1.3, -2.6, 0.4])], |b, x| {
        let whole = b.op(Op::Cast(DType::I32), &[x[0]]);
        let back = b.op(Op::Cast(DType::F32), &[whole]);
        b.op(Op::Binary(Binary::Mul), &[back, x[0]])
    });
    let bits = gradient(&[1.5], |b, x| {
        let bits = b.op(Op::Bitcast(DType::U32), &[x]);
        b.op(Op::Bitcast(DType::F32), &[bits])
    });
    assert_eq!(bits, [0.0]);
}

/// The gradient of Σ f(x).
fn gradient(x: &[f64], f: impl Fn(&mut Bench, NodeId) -> NodeId) -> Vec<f64> {
    let mut bench = Bench::new();
    let x = bench.input(&vector(x));
    let y = f(&mut bench, x);
    let gradient = bench.gradients(y, &[x])[0];
    bench.value(gradient)
}

/// The gradients of Σ a·b with respect to both.
fn gradients(op: Binary, a: &[f64], b: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut bench = Bench::new();
    let (a, b) = (bench.input(&vector(a)), bench.input(&vector(b)));
    let y = bench.op(Op::Binary(op), &[a, b]);
    let found = bench.gradients(y, &[a, b]);
    (bench.value(found[0]), bench.value(found[1]))
}

#[test]
fn kinks() {
    let at = |op| gradient(&[-1.0, 0.0, 1.0], |b, x| b.unary(op, x));
    assert_eq!(at(Unary::Relu), [0.0, 0.0, 1.0]);
    assert_eq!(at(Unary::Abs), [-1.0, 0.0, 1.0]);
    for flat in [Unary::Sign, Unary::Floor, Unary::Ceil, Unary::Round] {
        assert_eq!(at(flat), [0.0; 3]);
    }
}

#[test]
fn ties_share_the_gradient() {
    for op in [Binary::Min, Binary::Max] {
        assert_eq!(gradients(op, &[2.0], &[2.0]), (vec![0.5], vec![0.5]));
    }
    assert_eq!(gradients(Binary::Max, &[1.0, 3.0], &[2.0, 2.0]), (vec![0.0, 1.0], vec![1.0, 0.0]));
    assert_eq!(gradients(Binary::Min, &[1.0, 3.0], &[2.0, 2.0]), (vec![1.0, 0.0], vec![0.0, 1.0]));
}

#[test]
fn far_out_the_saturating_functions_are_flat() {
    for op in [Unary::Tanh, Unary::Sigmoid, Unary::Erf] {
        assert_eq!(gradient(&[-800.0, 800.0], |b, x| b.unary(op, x)), [0.0, 0.0], "{op:?}");
    }
}

#[test]
fn powers_of_zero_and_of_negative_numbers() {
    let bases = [0.0, 0.0, 0.0, 0.0, -2.0, -2.0];
    let exponents = [0.0, 1.0, 2.0, 3.0, 2.0, 3.0];
    let (base, exponent) = gradients(Binary::Pow, &bases, &exponents);
    assert_eq!(base, [0.0, 1.0, 0.0, 0.0, -4.0, 12.0]);
    assert_eq!(exponent[..4], [0.0; 4]);
    assert!(exponent[4].is_nan() && exponent[5].is_nan());
}

#[test]
fn higher_derivatives_of_powers_at_zero_are_finite() {
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[0.0, 0.0, 0.0]));
    let n = bench.leaf(&vector(&[2.0, 3.0, 1.0]));
    let mut y = bench.op(Op::Binary(Binary::Pow), &[x, n]);
    for expected in [[0.0, 0.0, 1.0], [2.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 0.0]] {
        y = bench.gradients(y, &[x])[0];
        assert_eq!(bench.value(y), expected);
    }
}

#[test]
fn tanh_to_the_third_order() {
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[2.0]));
    let mut y = bench.unary(Unary::Tanh, x);
    for expected in [0.07065082, -0.13621868, 0.25265408] {
        y = bench.gradients(y, &[x])[0];
        assert!((bench.value(y)[0] - expected).abs() < 2e-8, "{expected} is given to f32 precision");
    }
}

#[test]
fn a_guarded_operand_keeps_infinities_out_of_the_other_branch() {
    let safe = gradient(&[-1.0, 0.0, 4.0], |b, x| {
        let zero = b.full(0.0, &[3].into());
        let one = b.full(1.0, &[3].into());
        let positive = b.op(Op::Compare(Compare::Gt), &[x, zero]);
        let inside = b.op(Op::Select, &[positive, x, one]);
        let root = b.unary(Unary::Sqrt, inside);
        b.op(Op::Select, &[positive, root, zero])
    });
    assert_eq!(safe, [0.0, 0.0, 0.25]);
}

#[test]
fn a_function_put_together_from_many_ops() {
    check_nested(&[random(7, [2, 3]), random(8, [2, 3])], |b, x| {
        let sine = b.unary(Unary::Sin, x[0]);
        let product = b.op(Op::Binary(Binary::Mul), &[sine, x[1]]);
        let exp = b.unary(Unary::Exp, product);
        let one = b.op(Op::Constant(Literal::F32(1.0)), &[]);
        let one = b.op(Op::View(weft_ir::op::View::Reshape([1, 1].into())), &[one]);
        let one = b.op(Op::View(weft_ir::op::View::Expand([2, 3].into())), &[one]);
        let sum = b.op(Op::Binary(Binary::Add), &[exp, one]);
        let log = b.unary(Unary::Log, sum);
        b.op(Op::Binary(Binary::Div), &[log, exp])
    });
}
