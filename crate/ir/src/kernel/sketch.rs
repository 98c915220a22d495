//! Kernels for tests of this module, written down quickly.

use super::{Array, ArrayId, BinaryOp, Builtin, Expr, ExprId, Kernel, Local, LocalId, Space, Stmt, Type};
use crate::dtype::{DType, Literal};

/// A kernel under construction.
pub(super) struct Sketch(pub(super) Kernel);

impl Sketch {
    /// An empty kernel of `invocations` along x.
    pub(super) fn new(invocations: u32) -> Sketch {
        Sketch(Kernel { name: "sketch".to_owned(), workgroup: [invocations, 1, 1], ..Kernel::default() })
    }

    pub(super) fn expr(&mut self, expr: Expr) -> ExprId {
        self.0.exprs.push(expr);
        ExprId(self.0.exprs.len() as u32 - 1)
    }

    pub(super) fn f32(&mut self, x: f32) -> ExprId {
        self.expr(Expr::Literal(Literal::F32(x)))
    }

    pub(super) fn i32(&mut self, x: i32) -> ExprId {
        self.expr(Expr::Literal(Literal::I32(x)))
    }

    pub(super) fn u32(&mut self, x: u32) -> ExprId {
        self.expr(Expr::Literal(Literal::U32(x)))
    }

    pub(super) fn bool(&mut self, x: bool) -> ExprId {
        self.expr(Expr::Literal(Literal::Bool(x)))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    pub(super) fn load(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        self.expr(Expr::Load(array, index))
    }

    /// `local_invocation_index`.
    pub(super) fn index(&mut self) -> ExprId {
        self.expr(Expr::Builtin(Builtin::LocalIndex))
    }

    pub(super) fn array(&mut self, name: &str, ty: impl Into<Type>, space: Space) -> ArrayId {
        self.0.arrays.push(Array { name: name.to_owned(), ty: ty.into(), space });
        ArrayId(self.0.arrays.len() as u32 - 1)
    }

    pub(super) fn local(&mut self, name: &str, ty: impl Into<Type>) -> LocalId {
        self.0.locals.push(Local { name: name.to_owned(), ty: ty.into() });
        LocalId(self.0.locals.len() as u32 - 1)
    }

    /// A local and the expression that reads it.
    pub(super) fn local_read(&mut self, name: &str, dtype: DType) -> (LocalId, ExprId) {
        let local = self.local(name, dtype);
        (local, self.expr(Expr::Local(local)))
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.0.body.push(stmt);
    }
}
