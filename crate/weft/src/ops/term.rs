//! Formulas of whole tensors, as arithmetic on [`Term`], which broadcasts and carries the first
//! error along.
//!
//! A formula says once that it may fail; a chain of `?` takes several times the room in
//! WebAssembly.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use crate::ops::elementwise::select;
use std::ops::{Add, Div, Mul, Neg, Sub};
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Literal, Result, Shape};

/// A tensor in a formula, or why there is none.
#[derive(Clone)]
pub(crate) struct Term(pub Result<Tensor>);

impl Term {
    pub fn of(x: &Tensor) -> Term {
        Term(Ok(x.clone()))
    }

    pub fn get(&self) -> Result<&Tensor> {
        self.0.as_ref().map_err(Clone::clone)
    }

    pub fn map(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Term {
        Term(self.get().and_then(f))
    }

    /// A number of its dtype that is part of the program.
    pub fn number(&self, value: f64) -> Term {
        self.map(|x| x.device().constant("constant", Literal::from_f64(x.dtype(), value)))
    }

    /// 0 everywhere.
    pub fn zero(&self) -> Term {
        self.map(|x| build::constant_like("constant", x, Literal::zero(x.dtype())))
    }

    /// The positions up to `count`, as i32.
    pub fn positions(&self, count: usize) -> Term {
        self.map(|x| x.device().positions("positions", &[count].into(), 0, DType::I32))
    }

    /// The identity of `count` rows, as bool.
    pub fn identity(&self, count: usize) -> Term {
        self.map(|x| x.device().eye(count, count, 0, DType::Bool))
    }

    fn both(&self, other: &Term, f: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>) -> Term {
        Term(self.get().and_then(|a| {
            let b = other.get()?;
            let (a, b): (Operand, Operand) = (a.into(), b.into());
            let dtype = operand::meet(&a, &b);
            let device = match &a {
                Operand::Tensor(a) => a.device().clone(),
                Operand::Number(_) => unreachable!("made of a tensor"),
            };
            let (a, b) = operand::pair("arithmetic", &device, &a, &b, dtype)?;
            f(&a, &b)
        }))
    }

    pub fn with(&self, op: Binary, other: &Term) -> Term {
        self.both(other, |a, b| build::binary("arithmetic", op, a, b))
    }

    pub fn compare(&self, op: Compare, other: &Term) -> Term {
        self.both(other, |a, b| build::compare("compare", op, a, b))
    }

    pub fn apply(&self, op: Unary) -> Term {
        self.map(|x| build::unary("unary", op, x))
    }

    /// Where this condition holds `a`, else `b`.
    pub fn or_else(&self, a: &Term, b: &Term) -> Term {
        Term(self.get().and_then(|condition| select(condition, a.get()?, b.get()?)))
    }

    pub fn and(&self, other: &Term) -> Term {
        self.with(Binary::And, other)
    }

    pub fn cast(&self, dtype: DType) -> Term {
        self.map(|x| build::cast("cast", x, dtype))
    }

    /// Reduced along an axis, which stays with an extent of 1 where it is kept.
    pub fn reduce(&self, op: ReduceOp, axis: i64, keep: bool) -> Term {
        self.map(|x| build::reduce("reduce", op, x, &[x.shape().axis("reduce", axis)?], keep))
    }

    pub fn sum(&self, axis: i64) -> Term {
        self.reduce(ReduceOp::Sum, axis, false)
    }

    /// The product of matrices.
    pub fn dot(&self, other: &Term) -> Term {
        Term(self.get().and_then(|a| a.matmul(other.get()?)))
    }

    /// The transposes of matrices.
    pub fn t(&self) -> Term {
        self.map(|x| x.swap_axes(-1, -2))
    }

    /// Vectors as columns.
    pub fn column(&self) -> Term {
        self.map(|x| x.expand_dims(-1))
    }

    /// Vectors as rows.
    pub fn row(&self) -> Term {
        self.map(|x| x.expand_dims(-2))
    }

    /// What lies at an index along an axis.
    pub fn at(&self, index: &Term, axis: i64) -> Term {
        Term(self.get().and_then(|x| x.take(index.get()?, Some(axis))))
    }

    /// What lies at indices of the same rank along an axis.
    pub fn along(&self, indices: &Term, axis: i64) -> Term {
        Term(self.get().and_then(|x| x.take_along_axis(indices.get()?, axis)))
    }

    /// From `start` to before `stop` of an axis.
    pub fn between(&self, axis: i64, start: usize, stop: usize) -> Term {
        self.map(|x| x.between("slice", x.shape().axis("slice", axis)?, start as i64, stop as i64))
    }

    /// Beside another along an axis.
    pub fn beside(&self, other: &Term, axis: i64) -> Term {
        Term(self.get().and_then(|x| crate::ops::shape::join::concat(&[x, other.get()?], axis)))
    }

    /// The diagonals of matrices.
    pub fn diagonal(&self, offset: usize) -> Term {
        self.map(|x| x.diagonal(offset as i64, -2, -1))
    }

    /// Repeated to a shape.
    pub fn expand(&self, shape: &[usize]) -> Term {
        self.map(|x| build::expand("expand", x, &Shape::checked("expand", shape)?))
    }

    /// The same elements in another shape.
    pub fn shaped(&self, shape: &[usize]) -> Term {
        self.map(|x| build::reshape("reshape", x, &Shape::checked("reshape", shape)?))
    }

    /// Through which no gradient flows.
    pub fn detach(&self) -> Term {
        self.map(Tensor::detach)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {
        $(impl $operator for &Term {
            type Output = Term;
            fn $method(self, other: &Term) -> Term {
                self.with(Binary::$operator, other)
            }
        }

        impl $operator<f64> for &Term {
            type Output = Term;
            fn $method(self, other: f64) -> Term {
                self.with(Binary::$operator, &self.number(other))
            }
        })*
    };
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for &Term {
    type Output = Term;
    fn neg(self) -> Term {
        self.apply(Unary::Neg)
    }
}
