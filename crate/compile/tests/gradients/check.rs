//! Gradient check: build, pull back, run, compare with (f(x+h) − f(x−h)) / 2h, and count nodes
//! before and after.

use proptest::prelude::ProptestConfig;
use weft_compile::transform::vjp;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Binary, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape, verify};

/// Few cases, each of which checks every element; no files written.
pub fn config() -> ProptestConfig {
    ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() }
}

/// Float data that repeats nothing, in [−1, 1] and away from 0, from a seed.
pub fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
        let signed = 2.0 * unit - 1.0;
        signed + 0.05 * signed.signum()
    };
    (0..count).map(|_| next()).collect()
}

/// A float tensor of [`numbers`].
pub fn random(seed: u64, shape: impl Into<Shape>) -> Value<f64> {
    let shape = shape.into();
    let data = numbers(seed, shape.size());
    Value::float(shape, data).unwrap()
}

/// A 1-d float tensor.
pub fn vector(data: &[f64]) -> Value<f64> {
    Value::float([data.len()], data).unwrap()
}

/// A graph under construction, with placeholders whose values are known.
pub struct Bench {
    pub graph: Graph,
    bound: Vec<(NodeId, Value<f64>)>,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { graph: Graph::new(), bound: Vec::new() }
    }

    /// A leaf holding `value`.
    pub fn leaf(&mut self, value: &Value<f64>) -> NodeId {
        let id = self.graph.add_placeholder(Op::Buffer(value.shape().clone(), value.dtype())).unwrap();
        self.bound.push((id, value.clone()));
        id
    }

    /// A leaf, marked for differentiation if it is float.
    pub fn input(&mut self, value: &Value<f64>) -> NodeId {
        let leaf = self.leaf(value);
        if value.dtype() == DType::F32 { self.op(Op::Mark(self.bound.len() as u32), &[leaf]) } else { leaf }
    }

    pub fn op(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    /// The values of `roots`.
    pub fn values(&self, roots: &[NodeId]) -> Vec<Value<f64>> {
        let (program, leaves, positions) = TensorProgram::from_graph(&self.graph, roots);
        verify::verify(&program).unwrap();
        let buffers: Vec<&Value<f64>> = leaves
            .buffers
            .iter()
            .map(|b| &self.bound.iter().find(|(id, _)| id == b).expect("every placeholder is bound").1)
            .collect();
        let out = interpret::run(&program, &buffers, &[]).unwrap();
        positions.into_iter().map(|p| out[p].clone()).collect()
    }

    pub fn value(&self, root: NodeId) -> Vec<f64> {
        self.values(&[root])[0].to_f64()
    }

    /// Gives the leaf with this number another value.
    pub fn rebind(&mut self, leaf: usize, value: Value<f64>) {
        self.bound[leaf].1 = value;
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.bound.len()
    }

    /// Forgets leaves whose nodes are gone.
    pub fn forget_from(&mut self, count: usize) {
        self.bound.truncate(count);
    }

    /// A float everywhere in `shape`.
    pub fn full(&mut self, number: f32, shape: &Shape) -> NodeId {
        let constant = self.op(Op::Constant(Literal::F32(number)), &[]);
        let ones = self.op(Op::View(View::Reshape(vec![1; shape.rank()].into())), &[constant]);
        self.op(Op::View(View::Expand(shape.clone())), &[ones])
    }

    /// Σ x², a scalar.
    pub fn energy(&mut self, x: NodeId) -> NodeId {
        let square = self.op(Op::Binary(Binary::Mul), &[x, x]);
        let axes = (0..self.graph[x].shape.rank()).collect();
        self.op(Op::Reduce { op: ReduceOp::Sum, axes }, &[square])
    }

    pub fn unary(&mut self, op: Unary, x: NodeId) -> NodeId {
        self.op(Op::Unary(op), &[x])
    }

    /// The gradient of Σ y, one per input.
    pub fn gradients(&mut self, y: NodeId, wrt: &[NodeId]) -> Vec<NodeId> {
        let shape = self.graph[y].shape.clone();
        let ones = self.full(1.0, &shape);
        vjp(&mut self.graph, &[y], &[ones], wrt).unwrap()
    }
}

/// Checks the gradient of Σ w·f(inputs), w arbitrary, with respect to every element of every float
/// input.
pub fn check(inputs: &[Value<f64>], f: impl Fn(&mut Bench, &[NodeId]) -> NodeId) {
    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let y = f(&mut bench, &xs);
    let weights = random(77, bench.graph[y].shape.clone());
    let cotangent = bench.leaf(&weights);
    let wrt: Vec<usize> = (0..xs.len()).filter(|&i| inputs[i].dtype() == DType::F32).collect();
    let marks: Vec<NodeId> = wrt.iter().map(|&i| xs[i]).collect();

    let live = bench.graph.live();
    let gradients = vjp(&mut bench.graph, &[y], &[cotangent], &marks).unwrap();
    let computed = bench.values(&gradients);
    for gradient in gradients {
        bench.graph.release(gradient);
    }
    assert_eq!(bench.graph.live(), live, "nodes are leaked");

    let weights = weights.to_f64();
    let mut loss = |leaf: usize, data: &[f64]| -> f64 {
        bench.rebind(leaf, Value::float(inputs[leaf].shape().clone(), data).unwrap());
        bench.value(y).iter().zip(&weights).map(|(y, w)| y * w).sum()
    };
    for (&leaf, gradient) in wrt.iter().zip(computed) {
        assert_eq!(gradient.shape(), inputs[leaf].shape());
        let mut data = inputs[leaf].to_f64();
        for (at, computed) in gradient.to_f64().into_iter().enumerate() {
            let x = data[at];
            let h = 1e-6 * x.abs().max(1.0);
            data[at] = x + h;
            let above = loss(leaf, &data);
            data[at] = x - h;
            let below = loss(leaf, &data);
            data[at] = x;
            let expected = (above - below) / (2.0 * h);
            assert!(
                (computed - expected).abs() <= 2e-6 * (1.0 + expected.abs()),
                "input {leaf} element {at} at {x}: the rule gives {computed}, differences give {expected}"
            );
        }
        loss(leaf, &data);
    }
}

/// [`check`], and again for Σ (∂f)², so that what rules emit is differentiated too, cotangent
/// included.
pub fn check_nested(inputs: &[Value<f64>], f: impl Fn(&mut Bench, &[NodeId]) -> NodeId) {
    check(inputs, &f);
    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let y = f(&mut bench, &xs);
    let weights = random(78, bench.graph[y].shape.clone());
    let with_weights = [inputs, &[weights]].concat();
    check(&with_weights, |bench, xs| {
        let (cotangent, xs) = xs.split_last().unwrap();
        let y = f(bench, xs);
        let wrt: Vec<NodeId> = xs.iter().copied().filter(|&x| bench.graph[x].dtype == DType::F32).collect();
        let gradients = vjp(&mut bench.graph, &[y], &[*cotangent], &wrt).unwrap();
        let mut total = bench.full(0.0, &Shape::scalar());
        for gradient in gradients {
            let energy = bench.energy(gradient);
            total = bench.op(Op::Binary(Binary::Add), &[total, energy]);
        }
        total
    });
}

/// Compares numbers that differ by no more than f64 does.
pub fn close(found: &[f64], expected: &[f64], what: impl Fn() -> String) {
    assert_eq!(found.len(), expected.len(), "{}", what());
    for (found, expected) in found.iter().zip(expected) {
        let same =
            (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()) || found.is_nan() && expected.is_nan();
        assert!(same, "{}: {found}, expected {expected}", what());
    }
}

/// The results of a program without scalars.
pub fn run(program: &TensorProgram, inputs: &[Value<f64>]) -> Vec<Value<f64>> {
    interpret::run(program, &inputs.iter().collect::<Vec<_>>(), &[]).unwrap()
}
