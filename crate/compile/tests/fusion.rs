//! How many kernels programs that people write become, and why.

use weft_compile::{Executable, Limits, compile};
use weft_ir::graph::{Graph, NodeId, ValueId};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// A graph under construction, with just enough sugar to write programs down.
#[derive(Default)]
struct Sketch {
    graph: Graph,
    values: u32,
}

impl Sketch {
    fn input(&mut self, shape: impl Into<Shape>) -> NodeId {
        self.values += 1;
        self.graph.add_stored(ValueId(self.values), shape.into(), DType::F32)
    }

    fn add(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    fn unary(&mut self, op: Unary, x: NodeId) -> NodeId {
        self.add(Op::Unary(op), &[x])
    }

    fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.add(Op::Binary(op), &[a, b])
    }

    /// `number` in the shape of `like`.
    fn number(&mut self, number: f32, like: NodeId) -> NodeId {
        let shape = self.graph[like].shape.clone();
        let scalar = self.graph.add_number(Literal::F32(number));
        self.expand(scalar, shape)
    }

    fn expand(&mut self, x: NodeId, to: Shape) -> NodeId {
        let ones: Shape = vec![1; to.rank() - self.graph[x].shape.rank()]
            .into_iter()
            .chain(self.graph[x].shape.iter().copied())
            .collect::<Vec<_>>()
            .into();
        let x = self.add(Op::View(View::Reshape(ones)), &[x]);
        self.add(Op::View(View::Expand(to)), &[x])
    }

    /// Reduces the last axis and repeats the result along it.
    fn row(&mut self, op: ReduceOp, x: NodeId) -> NodeId {
        let shape = self.graph[x].shape.clone();
        let last = shape.rank() - 1;
        let reduced = self.add(Op::Reduce { op, axes: vec![last] }, &[x]);
        let kept = self.add(Op::View(View::Reshape(shape.keepdims(&[last]))), &[reduced]);
        self.add(Op::View(View::Expand(shape)), &[kept])
    }

    fn softmax(&mut self, x: NodeId) -> NodeId {
        let max = self.row(ReduceOp::Max, x);
        let shifted = self.binary(Binary::Sub, x, max);
        let e = self.unary(Unary::Exp, shifted);
        let sum = self.row(ReduceOp::Sum, e);
        self.binary(Binary::Div, e, sum)
    }

    fn matmul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
        self.add(Op::Contract(axes), &[a, b])
    }

    fn compile(&self, roots: &[NodeId]) -> Executable {
        let (program, _, _) = TensorProgram::from_graph(&self.graph, roots);
        let executable = compile(&program, &Limits::floor(), &[]).unwrap();
        println!("{program}{executable}");
        for kernel in &executable.kernels {
            println!("{}", weft_compile::wgsl::print(kernel, weft_compile::wgsl::Dialect::Naga));
        }
        executable
    }
}

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
