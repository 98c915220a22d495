//! Kernels of users written as expressions of Rust.

use super::super::check::Bench;
use std::ops;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Compare, KernelCall, Op, ReduceOp, Unary};
use weft_ir::user_kernel::verify::verify;
use weft_ir::user_kernel::{
    ArrayId, Combine, Edge, Expr, ExprId, Initial, LocalId, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, Literal, Shape};

/// An expression to be written into a kernel.
#[derive(Clone, Debug)]
pub enum X {
    Number(f32),
    Whole(i32),
    Local(LocalId),
    Scalar(u32),
    Index(u32),
    Extent(TensorId, u32),
    OutputExtent(OutputId, u32),
    Unary(Unary, Box<X>),
    Binary(Binary, Box<X>, Box<X>),
    Compare(Compare, Box<X>, Box<X>),
    Select(Box<X>, Box<X>, Box<X>),
    Cast(DType, Box<X>),
    Load(TensorId, Vec<X>, Where),
    Element(ArrayId, Box<X>),
}

/// What is beyond an edge.
#[derive(Clone, Debug)]
pub enum Where {
    Clamp,
    Wrap,
    Mirror,
    Fill(Box<X>),
}

impl X {
    pub fn unary(self, op: Unary) -> X {
        X::Unary(op, Box::new(self))
    }

    pub fn binary(self, op: Binary, other: X) -> X {
        X::Binary(op, Box::new(self), Box::new(other))
    }

    pub fn compare(self, op: Compare, other: X) -> X {
        X::Compare(op, Box::new(self), Box::new(other))
    }

    pub fn lt(self, other: X) -> X {
        self.compare(Compare::Lt, other)
    }

    pub fn select(self, then: X, otherwise: X) -> X {
        X::Select(Box::new(self), Box::new(then), Box::new(otherwise))
    }

    pub fn float(self) -> X {
        X::Cast(DType::F32, Box::new(self))
    }

    pub fn sin(self) -> X {
        self.unary(Unary::Sin)
    }

    /// Writes it; its id.
    pub fn write(&self, to: &mut UserKernel) -> ExprId {
        let expr = match self {
            X::Number(x) => Expr::Literal(Literal::F32(*x)),
            X::Whole(x) => Expr::Literal(Literal::I32(*x)),
            X::Local(local) => Expr::Local(*local),
            X::Scalar(n) => Expr::Scalar(*n),
            X::Index(axis) => return to.index(*axis),
            X::Extent(tensor, axis) => Expr::Extent(*tensor, *axis),
            X::OutputExtent(output, axis) => Expr::OutputExtent(*output, *axis),
            X::Unary(op, x) => Expr::Unary(*op, x.write(to)),
            X::Binary(op, a, b) => Expr::Binary(*op, a.write(to), b.write(to)),
            X::Compare(op, a, b) => Expr::Compare(*op, a.write(to), b.write(to)),
            X::Select(c, a, b) => Expr::Select(c.write(to), a.write(to), b.write(to)),
            X::Cast(dtype, x) => Expr::Cast(*dtype, x.write(to)),
            X::Load(tensor, indices, edge) => {
                let indices = indices.iter().map(|i| i.write(to)).collect();
                let edge = match edge {
                    Where::Clamp => Edge::Clamp,
                    Where::Wrap => Edge::Wrap,
                    Where::Mirror => Edge::Mirror,
                    Where::Fill(x) => Edge::Fill(x.write(to)),
                };
                Expr::Load(*tensor, indices, edge)
            }
            X::Element(array, i) => Expr::Element(*array, i.write(to)),
        };
        to.expr(expr)
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $op:ident,)*) => {
        $(impl ops::$trait for X {
            type Output = X;
            fn $name(self, other: X) -> X {
                self.binary(Binary::$op, other)
            }
        })*
    };
}

operators! { Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, Rem rem Rem, BitAnd bitand And, }

impl From<f32> for X {
    fn from(x: f32) -> X {
        X::Number(x)
    }
}

impl From<i32> for X {
    fn from(x: i32) -> X {
        X::Whole(x)
    }
}

/// A kernel that is being written, in blocks.
pub struct Writing {
    pub kernel: UserKernel,
    blocks: Vec<Vec<Stmt>>,
}

impl Writing {
    pub fn new(rank: u32) -> Writing {
        Writing { kernel: UserKernel::new("written", rank), blocks: vec![Vec::new()] }
    }

    pub fn tensor(&mut self, dtype: DType, rank: u32) -> TensorId {
        self.kernel.tensor("x", dtype, rank)
    }

    pub fn scalar(&mut self, dtype: DType) -> X {
        self.kernel.scalar("s", dtype);
        X::Scalar(self.kernel.scalars.len() as u32 - 1)
    }

    pub fn output(&mut self, rank: u32, combine: Combine) -> OutputId {
        self.kernel.output("y", DType::F32, rank, combine)
    }

    pub fn begins_as(&mut self, output: OutputId, tensor: TensorId) {
        self.kernel.outputs[output.index()].initial = Initial::Tensor(tensor);
    }

    pub fn array(&mut self, dtype: DType, length: u32) -> ArrayId {
        self.kernel.array("a", dtype, length, false)
    }

    /// A local with a first value.
    pub fn local(&mut self, dtype: DType, value: impl Into<X>) -> LocalId {
        let local = self.kernel.local("v", dtype);
        self.set(local, value);
        local
    }

    pub fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().unwrap().push(stmt);
    }

    pub fn set(&mut self, local: LocalId, value: impl Into<X>) {
        let value = value.into().write(&mut self.kernel);
        self.push(Stmt::Let(local, value));
    }

    pub fn set_element(&mut self, array: ArrayId, index: impl Into<X>, value: impl Into<X>) {
        let index = index.into().write(&mut self.kernel);
        let value = value.into().write(&mut self.kernel);
        self.push(Stmt::SetElement(array, index, value));
    }

    pub fn store(&mut self, output: OutputId, indices: &[X], value: impl Into<X>) {
        let indices = indices.iter().map(|i| i.write(&mut self.kernel)).collect();
        let value = value.into().write(&mut self.kernel);
        self.push(Stmt::Store { output, indices, value, before: None });
    }

    /// Begins a block.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Ends the innermost block; its statements.
    pub fn close(&mut self) -> Vec<Stmt> {
        self.blocks.pop().unwrap()
    }

    fn block(&mut self, write: impl FnOnce(&mut Writing)) -> Vec<Stmt> {
        self.open();
        write(self);
        self.close()
    }

    pub fn when(
        &mut self,
        condition: X,
        then: impl FnOnce(&mut Writing),
        otherwise: impl FnOnce(&mut Writing),
    ) {
        let condition = condition.write(&mut self.kernel);
        let (then, otherwise) = (self.block(then), self.block(otherwise));
        self.push(Stmt::If(condition, then, otherwise));
    }

    pub fn count(
        &mut self,
        from: impl Into<X>,
        to: impl Into<X>,
        step: i32,
        body: impl FnOnce(&mut Writing, X),
    ) {
        let from = from.into().write(&mut self.kernel);
        let to = to.into().write(&mut self.kernel);
        let counter = self.kernel.local("k", DType::I32);
        let body = self.block(|k| body(k, X::Local(counter)));
        self.push(Stmt::For { counter, from, to, step, body });
    }

    pub fn repeat(&mut self, condition: X, limit: u32, body: impl FnOnce(&mut Writing)) {
        let condition = condition.write(&mut self.kernel);
        let body = self.block(body);
        self.push(Stmt::While { condition, limit, body });
    }

    /// The kernel, over `grid`, with outputs of `shapes`.
    pub fn call(mut self, grid: impl Into<Shape>, shapes: &[&[usize]]) -> KernelCall {
        self.kernel.body = self.blocks.pop().unwrap();
        if let Err(error) = verify(&self.kernel) {
            panic!("{error}\n{}", self.kernel);
        }
        let shapes = shapes.iter().map(|&shape| shape.into()).collect();
        KernelCall { kernel: Rc::new(self.kernel), grid: grid.into(), shapes }
    }
}

/// The float outputs of a call.
pub fn outputs(bench: &mut Bench, call: &KernelCall, inputs: &[NodeId]) -> Vec<NodeId> {
    let node = bench.op(Op::Kernel(Rc::new(call.clone())), inputs);
    let results = call.results().into_iter().enumerate();
    results
        .filter(|(_, (_, dtype))| *dtype == DType::F32)
        .map(|(index, (shape, dtype))| bench.op(Op::Part { index, shape, dtype }, &[node]))
        .collect()
}

/// Σ of the sines of all float outputs' elements, each time another phase; or the one output.
pub fn total(bench: &mut Bench, call: &KernelCall, inputs: &[NodeId]) -> NodeId {
    let all = outputs(bench, call, inputs);
    if let [one] = all[..] {
        return one;
    }
    let mut total = bench.full(0.0, &Shape::scalar());
    for part in all {
        let bent = bench.unary(Unary::Sin, part);
        let axes = (0..bench.graph[part].shape.rank()).collect();
        let sum = bench.op(Op::Reduce { op: ReduceOp::Sum, axes }, &[bent]);
        total = bench.op(Op::Binary(Binary::Add), &[total, sum]);
    }
    total
}
