//! Builder of the simplifier's cases: a graph under construction, and a case as a rule's name, the
//! dtypes it takes and a function that builds the pattern around a leaf of any shape.

use crate::common::programs::Random;
use weft_ir::DType::{self, Bool, F32, I32, U32};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::{Binary, Coefficient, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{Literal, Shape};

/// A graph under construction.
pub struct Sketch {
    pub graph: Graph,
    pub random: Random,
}

impl Sketch {
    pub fn new(seed: u64) -> Sketch {
        Sketch { graph: Graph::new(), random: Random::new(seed) }
    }

    /// The program of some of its nodes.
    pub fn program(&self, roots: &[NodeId]) -> TensorProgram {
        TensorProgram::from_graph(&self.graph, roots).0
    }

    pub fn leaf(&mut self, shape: impl Into<Shape>, dtype: DType) -> NodeId {
        self.graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap()
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

    pub fn view(&mut self, view: View, x: NodeId) -> NodeId {
        self.add(Op::View(view), &[x])
    }

    pub fn shape(&self, id: NodeId) -> Shape {
        self.graph[id].shape.clone()
    }

    pub fn dtype(&self, id: NodeId) -> DType {
        self.graph[id].dtype
    }

    /// The 0-d `id` in `shape`.
    pub fn splat(&mut self, id: NodeId, shape: &Shape) -> NodeId {
        let ones = self.view(View::Reshape(vec![1; shape.rank()].into()), id);
        self.view(View::Expand(shape.clone()), ones)
    }

    pub fn constant(&mut self, literal: Literal, shape: &Shape) -> NodeId {
        let id = self.add(Op::Constant(literal), &[]);
        self.splat(id, shape)
    }

    /// `number` in the shape and dtype of `like`.
    pub fn number(&mut self, number: f64, like: NodeId) -> NodeId {
        self.constant(Literal::from_f64(self.dtype(like), number), &self.shape(like))
    }

    /// Another leaf like `x`.
    pub fn twin(&mut self, x: NodeId) -> NodeId {
        self.leaf(self.shape(x), self.dtype(x))
    }

    /// `x ∘ number`, or the other way around if that is as good.
    pub fn with(&mut self, op: Binary, x: NodeId, number: f64) -> NodeId {
        let number = self.number(number, x);
        let swap = matches!(op, Binary::Add | Binary::Mul) && self.random.one_in(2);
        if swap { self.binary(op, number, x) } else { self.binary(op, x, number) }
    }

    /// Extents from 2 to 5.
    pub fn extents<const N: usize>(&mut self) -> [usize; N] {
        std::array::from_fn(|_| 2 + self.random.below(4))
    }

    pub fn reduce(&mut self, op: ReduceOp, axes: &[usize], x: NodeId) -> NodeId {
        self.add(Op::Reduce { op, axes: axes.to_vec() }, &[x])
    }

    /// A reduction that takes `dtype`.
    pub fn reduction(&mut self, dtype: DType) -> ReduceOp {
        use ReduceOp::{Max, Min, Prod, Sum};
        self.random.pick(if dtype == Bool { &[Max, Min] } else { &[Max, Min, Sum, Prod] })
    }

    pub fn permutation(&mut self, rank: usize) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..rank).collect();
        (1..rank).for_each(|i| axes.swap(i, self.random.below(i + 1)));
        axes
    }

    pub fn contract(
        &mut self,
        batch: &[(usize, usize)],
        contract: &[(usize, usize)],
        a: NodeId,
        b: NodeId,
    ) -> NodeId {
        let axes = ContractAxes { batch: batch.to_vec(), contract: contract.to_vec() };
        self.add(Op::Contract(axes), &[a, b])
    }

    /// Any slice of `x` without parameters.
    pub fn slice(&mut self, x: NodeId) -> NodeId {
        let (mut starts, mut steps, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for &extent in self.shape(x).iter() {
            let step: i64 = self.random.pick(&[1, 1, 2, -1, -2]);
            let most = (extent - 1) / step.unsigned_abs() as usize + 1;
            let length = 1 + self.random.below(most);
            let span = (length as i64 - 1) * step;
            let first = (-span).max(0);
            let room = extent - span.unsigned_abs() as usize;
            starts.push(Coefficient::Const(first + self.random.below(room) as i64));
            steps.push(step);
            lengths.push(length);
        }
        self.view(View::Slice { starts, steps, lengths }, x)
    }

    /// `x` with room around and between its elements.
    pub fn pad(&mut self, x: NodeId, value: Literal, gaps: bool) -> NodeId {
        let (mut low, mut interior, mut to) = (Vec::new(), Vec::new(), Vec::new());
        for &extent in self.shape(x).iter() {
            let (before, after) = (self.random.below(3), self.random.below(2));
            let gap = if gaps { self.random.below(3) } else { 0 };
            low.push(Coefficient::Const(before as i64));
            interior.push(gap);
            to.push(before + extent + extent.saturating_sub(1) * gap + after);
        }
        self.view(View::Pad { low, interior, shape: to.into(), value }, x)
    }
}

/// A program that `rule` applies to, made from a leaf of any shape.
pub struct Case {
    pub rule: &'static str,
    pub dtypes: &'static [DType],
    pub build: fn(&mut Sketch, NodeId) -> NodeId,
}

impl Case {
    /// The program for a leaf of `shape` and `dtype`.
    pub fn program(&self, shape: &[usize], dtype: DType, seed: u64) -> TensorProgram {
        let mut sketch = Sketch::new(seed);
        let x = sketch.leaf(shape, dtype);
        let root = (self.build)(&mut sketch, x);
        sketch.program(&[root])
    }
}

pub const ALL: &[DType] = &[DType::F32, DType::I32, DType::U32, DType::Bool];
pub const NUMBERS: &[DType] = &[F32, I32, U32];
pub const SIGNED: &[DType] = &[F32, I32];
pub const INTEGERS: &[DType] = &[I32, U32];
pub const BITS: &[DType] = &[I32, U32, Bool];

/// A case; lists of them are written with it.
pub const fn case(
    rule: &'static str,
    dtypes: &'static [DType],
    build: fn(&mut Sketch, NodeId) -> NodeId,
) -> Case {
    Case { rule, dtypes, build }
}
