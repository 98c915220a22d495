//! Program builder in few words, for tests of whole compilations.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod growth;
pub mod regions;

use weft_compile::{Executable, Limits, compile};
use weft_ir::graph::{Graph, NodeId, NodeValue, ValueId};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// A graph under construction, with just enough sugar to write programs down.
#[derive(Default)]
pub struct Sketch {
    pub graph: Graph,
    values: u32,
}

impl Sketch {
    pub fn input(&mut self, shape: impl Into<Shape>) -> NodeId {
        self.values += 1;
        self.graph.add_stored(ValueId(self.values), shape.into(), DType::F32)
    }

    pub fn add(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    pub fn unary(&mut self, op: Unary, x: NodeId) -> NodeId {
        self.add(Op::Unary(op), &[x])
    }

    pub fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.add(Op::Binary(op), &[a, b])
    }

    /// `number` in the shape of `like`.
    pub fn number(&mut self, number: f32, like: NodeId) -> NodeId {
        let shape = self.graph[like].shape.clone();
        let scalar = self.graph.add_number(Literal::F32(number));
        self.expand(scalar, shape)
    }

    pub fn expand(&mut self, x: NodeId, to: Shape) -> NodeId {
        let ones: Shape = vec![1; to.rank() - self.graph[x].shape.rank()]
            .into_iter()
            .chain(self.graph[x].shape.iter().copied())
            .collect::<Vec<_>>()
            .into();
        let x = self.add(Op::View(View::Reshape(ones)), &[x]);
        self.add(Op::View(View::Expand(to)), &[x])
    }

    /// Reduces the last axis and repeats the result along it.
    pub fn row(&mut self, op: ReduceOp, x: NodeId) -> NodeId {
        let shape = self.graph[x].shape.clone();
        let last = shape.rank() - 1;
        let reduced = self.add(Op::Reduce { op, axes: vec![last] }, &[x]);
        let kept = self.add(Op::View(View::Reshape(shape.keepdims(&[last]))), &[reduced]);
        self.add(Op::View(View::Expand(shape)), &[kept])
    }

    pub fn softmax(&mut self, x: NodeId) -> NodeId {
        let max = self.row(ReduceOp::Max, x);
        let shifted = self.binary(Binary::Sub, x, max);
        let e = self.unary(Unary::Exp, shifted);
        let sum = self.row(ReduceOp::Sum, e);
        self.binary(Binary::Div, e, sum)
    }

    pub fn matmul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
        self.add(Op::Contract(axes), &[a, b])
    }

    /// A weight of a layer and what it is multiplied with.
    pub fn linear(&mut self, x: NodeId, w: NodeId, b: NodeId) -> NodeId {
        let product = self.matmul(x, w);
        let shape = self.graph[product].shape.clone();
        let bias = self.expand(b, shape);
        self.binary(Binary::Add, product, bias)
    }

    pub fn program(&self, roots: &[NodeId]) -> TensorProgram {
        TensorProgram::from_graph(&self.graph, roots).0
    }

    /// The numbers that a program's scalar leaves stand for.
    pub fn numbers(&self, roots: &[NodeId]) -> Vec<Literal> {
        let leaves = TensorProgram::from_graph(&self.graph, roots).1;
        let number = |id: &NodeId| match self.graph[*id].value {
            NodeValue::Number(literal) => literal,
            _ => unreachable!("scalars of a sketch are numbers"),
        };
        leaves.scalars.iter().map(number).collect()
    }

    pub fn compile(&self, roots: &[NodeId]) -> Executable {
        compile(&self.program(roots), &Limits::floor(), &[]).unwrap()
    }
}
