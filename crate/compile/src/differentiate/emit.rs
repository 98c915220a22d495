//! How rules write nodes: a checked builder over the live graph that holds a handle to everything it makes and gives all of them
//! back when it goes, so that a rule that fails half-way leaks nothing.

use std::collections::HashMap;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::{Binary, Coefficient, Compare, ContractAxes, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::{DType, Literal, Result, Shape};

/// The builder. See the module's header.
pub(super) struct Emit<'g> {
    graph: &'g mut Graph,
    held: Vec<NodeId>,
    /// Constants are made once per shape.
    constants: HashMap<(Literal, Shape), NodeId>,
}

impl Drop for Emit<'_> {
    fn drop(&mut self) {
        for id in self.held.drain(..) {
            self.graph.release(id);
        }
    }
}

impl<'g> Emit<'g> {
    pub fn new(graph: &'g mut Graph) -> Emit<'g> {
        Emit { graph, held: Vec::new(), constants: HashMap::new() }
    }

    /// The graph, to read.
    pub fn graph(&self) -> &Graph {
        self.graph
    }

    /// Takes a handle that outlives the builder.
    pub fn keep(&mut self, id: NodeId) -> NodeId {
        self.graph.retain(id);
        id
    }

    pub fn shape(&self, id: NodeId) -> Shape {
        self.graph[id].shape.clone()
    }

    pub fn dtype(&self, id: NodeId) -> DType {
        self.graph[id].dtype
    }

    /// Appends any node.
    pub fn op(&mut self, op: Op, inputs: &[NodeId]) -> Result<NodeId> {
        let id = self.graph.add(op, inputs)?;
        self.held.push(id);
        Ok(id)
    }

    /// `literal` everywhere in `shape`.
    pub fn full(&mut self, literal: Literal, shape: &Shape) -> Result<NodeId> {
        let key = (literal, shape.clone());
        if let Some(&id) = self.constants.get(&key) {
            return Ok(id);
        }
        let constant = self.op(Op::Constant(literal), &[])?;
        let ones = self.reshape(constant, &vec![1; shape.rank()].into())?;
        let id = self.expand(ones, shape)?;
        self.constants.insert(key, id);
        Ok(id)
    }

    /// A float everywhere in `shape`.
    pub fn float(&mut self, number: f32, shape: &Shape) -> Result<NodeId> {
        self.full(Literal::F32(number), shape)
    }

    /// A float in the shape of `x`.
    pub fn like(&mut self, x: NodeId, number: f32) -> Result<NodeId> {
        let shape = self.shape(x);
        self.float(number, &shape)
    }

    pub fn unary(&mut self, op: Unary, x: NodeId) -> Result<NodeId> {
        self.op(Op::Unary(op), &[x])
    }

    pub fn neg(&mut self, x: NodeId) -> Result<NodeId> {
        self.unary(Unary::Neg, x)
    }

    pub fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.op(Op::Binary(op), &[a, b])
    }

    pub fn add(&mut self, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.binary(Binary::Add, a, b)
    }

    pub fn sub(&mut self, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.binary(Binary::Sub, a, b)
    }

    pub fn mul(&mut self, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.binary(Binary::Mul, a, b)
    }

    pub fn div(&mut self, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.binary(Binary::Div, a, b)
    }

    /// `x` times a number.
    pub fn scale(&mut self, x: NodeId, number: f32) -> Result<NodeId> {
        let factor = self.like(x, number)?;
        self.mul(x, factor)
    }

    pub fn compare(&mut self, op: Compare, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.op(Op::Compare(op), &[a, b])
    }

    /// `x` compared with a number.
    pub fn compare_number(&mut self, op: Compare, x: NodeId, number: f64) -> Result<NodeId> {
        let (shape, dtype) = (self.shape(x), self.dtype(x));
        let number = self.full(Literal::from_f64(dtype, number), &shape)?;
        self.compare(op, x, number)
    }

    pub fn select(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Result<NodeId> {
        self.op(Op::Select, &[condition, a, b])
    }

    /// `x` where the condition holds, else 0.
    pub fn keep_where(&mut self, condition: NodeId, x: NodeId) -> Result<NodeId> {
        let zero = self.like(x, 0.0)?;
        self.select(condition, x, zero)
    }

    /// `x` where the condition does not hold, else `number`.
    pub fn replace_where(&mut self, condition: NodeId, x: NodeId, number: f32) -> Result<NodeId> {
        let number = self.like(x, number)?;
        self.select(condition, number, x)
    }

    pub fn cast(&mut self, x: NodeId, dtype: DType) -> Result<NodeId> {
        self.op(Op::Cast(dtype), &[x])
    }

    pub fn reduce(&mut self, op: ReduceOp, x: NodeId, axes: &[usize]) -> Result<NodeId> {
        if axes.is_empty() {
            return Ok(x);
        }
        self.op(Op::Reduce { op, axes: axes.to_vec() }, &[x])
    }

    pub fn reshape(&mut self, x: NodeId, shape: &Shape) -> Result<NodeId> {
        if self.graph[x].shape == *shape {
            return Ok(x);
        }
        self.op(Op::View(View::Reshape(shape.clone())), &[x])
    }

    pub fn permute(&mut self, x: NodeId, axes: &[usize]) -> Result<NodeId> {
        if axes.iter().enumerate().all(|(i, &a)| i == a) {
            return Ok(x);
        }
        self.op(Op::View(View::Permute(axes.to_vec())), &[x])
    }

    pub fn expand(&mut self, x: NodeId, shape: &Shape) -> Result<NodeId> {
        if self.graph[x].shape == *shape {
            return Ok(x);
        }
        self.op(Op::View(View::Expand(shape.clone())), &[x])
    }

    /// A reduction's result spread over what it was reduced from: `axes` come back and repeat to `shape`'s extents.
    pub fn spread(&mut self, x: NodeId, shape: &Shape, axes: &[usize]) -> Result<NodeId> {
        let kept = self.reshape(x, &shape.keepdims(axes))?;
        self.expand(kept, shape)
    }

    /// The inverse of an expansion from `shape`: sums over the axes that repeat.
    pub fn reduce_to_shape(&mut self, x: NodeId, shape: &Shape) -> Result<NodeId> {
        let wide = self.shape(x);
        let axes: Vec<usize> = (0..shape.rank()).filter(|&a| wide[a] != shape[a]).collect();
        let sum = self.reduce(ReduceOp::Sum, x, &axes)?;
        self.reshape(sum, shape)
    }

    /// `x` of rank 1 or more read backwards along the axes that are flagged.
    pub fn flip(&mut self, x: NodeId, flags: &[bool]) -> Result<NodeId> {
        let shape = self.shape(x);
        if !flags.iter().zip(shape.iter()).any(|(&flag, &extent)| flag && extent > 1) {
            return Ok(x);
        }
        let start = |a: usize| if flags[a] { shape[a] as i64 - 1 } else { 0 };
        let view = View::Slice {
            starts: (0..shape.rank()).map(|a| Coefficient::Const(start(a))).collect(),
            steps: flags.iter().map(|&flag| if flag { -1 } else { 1 }).collect(),
            lengths: shape.to_vec(),
        };
        self.op(Op::View(view), &[x])
    }

    pub fn contract(&mut self, axes: ContractAxes, left: NodeId, right: NodeId) -> Result<NodeId> {
        self.op(Op::Contract(axes), &[left, right])
    }

    pub fn gather(&mut self, axis: usize, source: NodeId, indices: NodeId) -> Result<NodeId> {
        self.op(Op::Gather { axis }, &[source, indices])
    }

    pub fn scatter(
        &mut self,
        op: ScatterOp,
        axis: usize,
        base: NodeId,
        indices: NodeId,
        updates: NodeId,
    ) -> Result<NodeId> {
        self.op(Op::Scatter { axis, op }, &[base, indices, updates])
    }
}
