//! Graph builders: one vocabulary for rules over anything that takes nodes, the live graph and
//! tensor programs.
//!
//! A builder needs to know a handful of things ([`Build`]); everything said in its words is written
//! once, for `dyn Build`, so that what ships has one copy of each rule whatever it writes to. Rules
//! read from the same place they write to: a transformation of a program begins with a builder that
//! holds that program.

mod conv;
mod live;
mod pack;
mod program;

pub use live::LiveBuilder;
pub use program::ProgramBuilder;

use crate::dtype::{DType, Literal};
use crate::error::Result;
use crate::op::{
    Binary, Coefficient, Compare, ContractAxes, Op, ReduceOp, Scan, ScatterOp, Unary, View, region,
};
use crate::program::TensorProgram;
use crate::shape::Shape;

/// A node of whatever is being built: the number of a [`crate::graph::NodeId`] or a
/// [`crate::program::ProgramId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ref(pub u32);

/// Something that nodes can be appended to, and that knows the nodes it has.
pub trait Build {
    /// Appends a node, or gives the equal one that was appended before. Errors as
    /// [`crate::op::infer::infer`] does.
    fn op(&mut self, op: Op, inputs: &[Ref]) -> Result<Ref>;
    /// A tensor that is given from outside. Errors with `Shape` when there can be none of that
    /// shape.
    fn input(&mut self, shape: &Shape, dtype: DType) -> Result<Ref>;
    /// What a node computes from what.
    fn definition(&self, x: Ref) -> (Op, Vec<Ref>);
    /// Extents of a node.
    fn shape(&self, x: Ref) -> Shape;
    /// Dtype of a node.
    fn dtype(&self, x: Ref) -> DType;
    /// A number that is greater for a node than for its inputs.
    fn age(&self, x: Ref) -> u64;
    /// Where in the source a node was asked for.
    fn site(&self, x: Ref) -> u32;
    /// Gives this site to the nodes that are appended from now on.
    fn set_site(&mut self, site: u32);
}

/// The vocabulary. Everything errs as [`crate::op::infer::infer`] does.
impl dyn Build + '_ {
    /// The outputs of `program`, whose leaves are `leaves`.
    pub fn inline(&mut self, program: &TensorProgram, leaves: &[Ref]) -> Result<Vec<Ref>> {
        let mut given = leaves.iter();
        let mut numbers: Vec<Ref> = Vec::with_capacity(program.nodes.len());
        for node in &program.nodes {
            let inputs: Vec<Ref> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
            self.set_site(node.site);
            let leaf = if node.op.is_given() { given.next() } else { None };
            numbers.push(match leaf {
                Some(&x) => x,
                None => self.op(node.op.clone(), &inputs)?,
            });
        }
        Ok(program.outputs.iter().map(|output| numbers[output.index()]).collect())
    }

    /// All results of a region that is appended.
    pub fn region(&mut self, op: Op, inputs: &[Ref]) -> Result<Vec<Ref>> {
        let types = region::results(&op);
        let node = self.op(op, inputs)?;
        let part = |(index, (shape, dtype))| self.op(Op::Part { index, shape, dtype }, &[node]);
        types.into_iter().enumerate().map(part).collect()
    }

    /// `literal` everywhere in `shape`.
    pub fn full(&mut self, literal: Literal, shape: &Shape) -> Result<Ref> {
        let constant = self.op(Op::Constant(literal), &[])?;
        self.repeat(constant, shape)
    }

    /// A 0-d node repeated to `shape`.
    pub fn repeat(&mut self, x: Ref, shape: &Shape) -> Result<Ref> {
        let ones = self.reshape(x, &vec![1; shape.rank()].into())?;
        self.expand(ones, shape)
    }

    /// A number in the shape and dtype of `x`.
    pub fn like(&mut self, x: Ref, number: f64) -> Result<Ref> {
        let (shape, dtype) = (self.shape(x), self.dtype(x));
        self.full(Literal::from_f64(dtype, number), &shape)
    }

    /// The position along the only axis of a new tensor, as i32.
    pub fn positions(&mut self, length: usize) -> Result<Ref> {
        self.op(Op::Iota { shape: [length].into(), axis: 0, dtype: DType::I32 }, &[])
    }

    /// A function of each element.
    pub fn unary(&mut self, op: Unary, x: Ref) -> Result<Ref> {
        self.op(Op::Unary(op), &[x])
    }

    /// −x.
    pub fn neg(&mut self, x: Ref) -> Result<Ref> {
        self.unary(Unary::Neg, x)
    }

    /// A function of two elements.
    pub fn binary(&mut self, op: Binary, a: Ref, b: Ref) -> Result<Ref> {
        self.op(Op::Binary(op), &[a, b])
    }

    /// a + b.
    pub fn add(&mut self, a: Ref, b: Ref) -> Result<Ref> {
        self.binary(Binary::Add, a, b)
    }

    /// a − b.
    pub fn sub(&mut self, a: Ref, b: Ref) -> Result<Ref> {
        self.binary(Binary::Sub, a, b)
    }

    /// a · b.
    pub fn mul(&mut self, a: Ref, b: Ref) -> Result<Ref> {
        self.binary(Binary::Mul, a, b)
    }

    /// a / b.
    pub fn div(&mut self, a: Ref, b: Ref) -> Result<Ref> {
        self.binary(Binary::Div, a, b)
    }

    /// `x` times a number.
    pub fn scale(&mut self, x: Ref, number: f64) -> Result<Ref> {
        self.with_number(Binary::Mul, x, number)
    }

    /// A function of each element and a number.
    pub fn with_number(&mut self, op: Binary, x: Ref, number: f64) -> Result<Ref> {
        let number = self.like(x, number)?;
        self.binary(op, x, number)
    }

    /// A relation of two elements.
    pub fn compare(&mut self, op: Compare, a: Ref, b: Ref) -> Result<Ref> {
        self.op(Op::Compare(op), &[a, b])
    }

    /// `x` compared with a number.
    pub fn compare_number(&mut self, op: Compare, x: Ref, number: f64) -> Result<Ref> {
        let number = self.like(x, number)?;
        self.compare(op, x, number)
    }

    /// `a` where the condition holds, else `b`.
    pub fn select(&mut self, condition: Ref, a: Ref, b: Ref) -> Result<Ref> {
        self.op(Op::Select, &[condition, a, b])
    }

    /// `x` where the condition holds, else 0.
    pub fn keep_where(&mut self, condition: Ref, x: Ref) -> Result<Ref> {
        let zero = self.like(x, 0.0)?;
        self.select(condition, x, zero)
    }

    /// `x` where the condition does not hold, else `number`.
    pub fn replace_where(&mut self, condition: Ref, x: Ref, number: f64) -> Result<Ref> {
        let number = self.like(x, number)?;
        self.select(condition, number, x)
    }

    /// `x` converted.
    pub fn cast(&mut self, x: Ref, dtype: DType) -> Result<Ref> {
        if self.dtype(x) == dtype { Ok(x) } else { self.op(Op::Cast(dtype), &[x]) }
    }

    /// `x` reduced over sorted axes.
    pub fn reduce(&mut self, op: ReduceOp, x: Ref, axes: &[usize]) -> Result<Ref> {
        if axes.is_empty() {
            return Ok(x);
        }
        self.op(Op::Reduce { op, axes: axes.to_vec() }, &[x])
    }

    /// The sum over sorted axes.
    pub fn sum(&mut self, x: Ref, axes: &[usize]) -> Result<Ref> {
        self.reduce(ReduceOp::Sum, x, axes)
    }

    /// What is reduced of each line of `axis` up to each of its elements, from the end if
    /// `reverse`, without its own if `exclusive`.
    pub fn scan(&mut self, op: ReduceOp, x: Ref, axis: usize, reverse: bool, exclusive: bool) -> Result<Ref> {
        let block = self.shape(x)[axis].max(1);
        self.op(Op::Scan(Scan { axis, op, reverse, exclusive, block }), &[x])
    }

    /// `x` under another shape.
    pub fn reshape(&mut self, x: Ref, shape: &Shape) -> Result<Ref> {
        if self.shape(x) == *shape {
            return Ok(x);
        }
        self.op(Op::View(View::Reshape(shape.clone())), &[x])
    }

    /// `x` with its axes in another order.
    pub fn permute(&mut self, x: Ref, axes: &[usize]) -> Result<Ref> {
        if axes.iter().enumerate().all(|(i, &a)| i == a) {
            return Ok(x);
        }
        self.op(Op::View(View::Permute(axes.to_vec())), &[x])
    }

    /// `x` with its axis `from` moved to `to`.
    pub fn move_axis(&mut self, x: Ref, from: usize, to: usize) -> Result<Ref> {
        let mut axes: Vec<usize> = (0..self.shape(x).rank()).filter(|&a| a != from).collect();
        axes.insert(to, from);
        self.permute(x, &axes)
    }

    /// `x`, whose axes of extent 1 repeat to `shape`.
    pub fn expand(&mut self, x: Ref, shape: &Shape) -> Result<Ref> {
        if self.shape(x) == *shape {
            return Ok(x);
        }
        self.op(Op::View(View::Expand(shape.clone())), &[x])
    }

    /// A reduction's result spread over what it was reduced from: `axes` come back and repeat to
    /// `shape`'s extents.
    pub fn spread(&mut self, x: Ref, shape: &Shape, axes: &[usize]) -> Result<Ref> {
        let kept = self.reshape(x, &shape.keepdims(axes))?;
        self.expand(kept, shape)
    }

    /// The inverse of an expansion from `shape`: sums over the axes that repeat.
    pub fn reduce_to_shape(&mut self, x: Ref, shape: &Shape) -> Result<Ref> {
        let wide = self.shape(x);
        let axes: Vec<usize> = (0..shape.rank()).filter(|&a| wide[a] != shape[a]).collect();
        let sum = self.sum(x, &axes)?;
        self.reshape(sum, shape)
    }

    /// `x` of rank 1 or more read backwards along the axes that are flagged.
    pub fn flip(&mut self, x: Ref, flags: &[bool]) -> Result<Ref> {
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

    /// Sums of products.
    pub fn contract(&mut self, axes: ContractAxes, left: Ref, right: Ref) -> Result<Ref> {
        self.op(Op::Contract(axes), &[left, right])
    }

    /// `source` at `indices` of `axis`.
    pub fn gather(&mut self, axis: usize, source: Ref, indices: Ref) -> Result<Ref> {
        self.op(Op::Gather { axis }, &[source, indices])
    }

    /// `base` with updates put in at `indices` of `axis`.
    pub fn scatter(
        &mut self,
        op: ScatterOp,
        axis: usize,
        base: Ref,
        indices: Ref,
        updates: Ref,
    ) -> Result<Ref> {
        self.op(Op::Scatter { axis, op }, &[base, indices, updates])
    }
}
