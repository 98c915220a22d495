//! Construction of users' kernels, piece by piece: declarations and expressions are appended and
//! named by the ids that they get.

use super::{
    Array, ArrayId, Combine, Coordinate, Edge, Expr, ExprId, Initial, Local, LocalId, Output, OutputId,
    Scalar, Tensor, TensorId, UserKernel,
};
use crate::dtype::{DType, Literal};
use crate::op::{Binary, Compare, Unary};

impl UserKernel {
    /// A kernel over a grid of `rank` axes that does nothing yet.
    pub fn new(name: &str, rank: u32) -> UserKernel {
        UserKernel {
            name: name.to_owned(),
            rank,
            workgroup: None,
            tensors: Vec::new(),
            scalars: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            arrays: Vec::new(),
            exprs: Vec::new(),
            body: Vec::new(),
            source: None,
            lean: None,
        }
    }

    /// Declares a tensor that it reads.
    pub fn tensor(&mut self, name: &str, dtype: DType, rank: u32) -> TensorId {
        self.tensors.push(Tensor { name: name.to_owned(), dtype, rank });
        TensorId(self.tensors.len() as u32 - 1)
    }

    /// Declares a number that it reads, and yields it.
    pub fn scalar(&mut self, name: &str, dtype: DType) -> ExprId {
        self.scalars.push(Scalar { name: name.to_owned(), dtype });
        self.expr(Expr::Scalar(self.scalars.len() as u32 - 1))
    }

    /// Declares an output that is zero at first.
    pub fn output(&mut self, name: &str, dtype: DType, rank: u32, combine: Combine) -> OutputId {
        let initial = Initial::Value(Literal::zero(dtype));
        self.outputs.push(Output { name: name.to_owned(), dtype, rank, combine, initial });
        OutputId(self.outputs.len() as u32 - 1)
    }

    /// Declares a local.
    pub fn local(&mut self, name: &str, dtype: DType) -> LocalId {
        self.locals.push(Local { name: name.to_owned(), dtype });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Declares a local or shared array.
    pub fn array(&mut self, name: &str, dtype: DType, length: u32, shared: bool) -> ArrayId {
        self.arrays.push(Array { name: name.to_owned(), dtype, length, shared });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    /// Appends an expression.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// A value known now.
    pub fn literal(&mut self, literal: Literal) -> ExprId {
        self.expr(Expr::Literal(literal))
    }

    /// The invocation's coordinate along an axis of the grid.
    pub fn index(&mut self, axis: u32) -> ExprId {
        self.expr(Expr::Index(Coordinate::Grid, axis))
    }

    /// The present value of a local.
    pub fn read(&mut self, local: LocalId) -> ExprId {
        self.expr(Expr::Local(local))
    }

    /// A function of one element.
    pub fn unary(&mut self, op: Unary, x: ExprId) -> ExprId {
        self.expr(Expr::Unary(op, x))
    }

    /// A function of two.
    pub fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    /// A comparison.
    pub fn compare(&mut self, op: Compare, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Compare(op, a, b))
    }

    /// An element of a tensor.
    pub fn load(&mut self, tensor: TensorId, indices: &[ExprId], edge: Edge) -> ExprId {
        self.expr(Expr::Load(tensor, indices.to_vec(), edge))
    }
}
