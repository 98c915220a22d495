//! How many kernels programs that people write become, and why.

mod sketch;

use sketch::Sketch;
use weft_ir::op::{Binary, Op, ReduceOp, Unary};

#[test]
fn softmax_is_one_kernel() {
    for shape in [[64, 1000], [3, 7], [1000, 33], [2, 2], [300, 1]] {
        let mut s = Sketch::default();
        let x = s.input(shape);
        let y = s.softmax(x);
        assert_eq!(s.compile(&[y]).dispatches.len(), 1, "{shape:?}");
    }
}

#[test]
fn an_elementwise_chain_and_its_sum_are_at_most_two() {
    let mut s = Sketch::default();
    let x = s.input([1000, 100]);
    let two = s.number(2.0, x);
    let twice = s.binary(Binary::Mul, x, two);
    let one = s.number(1.0, x);
    let y = s.binary(Binary::Add, twice, one);
    let y = s.unary(Unary::Tanh, y);
    let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[y]);
    assert!(s.compile(&[sum]).dispatches.len() <= 2);
}

#[test]
fn bias_and_activation_follow_a_matmul_in_its_kernel() {
    let mut s = Sketch::default();
    let (x, w, b) = (s.input([128, 784]), s.input([784, 10]), s.input([10]));
    let product = s.matmul(x, w);
    let bias = s.expand(b, [128, 10].into());
    let z = s.binary(Binary::Add, product, bias);
    let y = s.unary(Unary::Relu, z);
    assert_eq!(s.compile(&[y]).dispatches.len(), 1);
}

#[test]
fn layer_norm_is_one_kernel() {
    let mut s = Sketch::default();
    let x = s.input([64, 512]);
    let sum = s.row(ReduceOp::Sum, x);
    let n = s.number(1.0 / 512.0, x);
    let mean = s.binary(Binary::Mul, sum, n);
    let centred = s.binary(Binary::Sub, x, mean);
    let squared = s.binary(Binary::Mul, centred, centred);
    let total = s.row(ReduceOp::Sum, squared);
    let variance = s.binary(Binary::Mul, total, n);
    let scale = s.unary(Unary::Rsqrt, variance);
    let y = s.binary(Binary::Mul, centred, scale);
    assert_eq!(s.compile(&[y]).dispatches.len(), 1);
}

#[test]
fn a_long_chain_is_a_few_kernels_of_one_pipeline() {
    let mut s = Sketch::default();
    let mut x = s.input([16]);
    for _ in 0..4000 {
        let one = s.number(1.0, x);
        x = s.binary(Binary::Add, x, one);
    }
    let executable = s.compile(&[x]);
    assert!(executable.dispatches.len() <= 40);
    assert!(executable.kernels.len() <= 2);
}
