//! Memory of the interpreter of users' kernels: cells of a dtype, and outputs with the way in which
//! stores meet.

use super::{Combine, Initial, Output};
use crate::dtype::{DType, Literal};
use crate::error::Result;
use crate::functions::{self, Element, Real};
use crate::interpret::{Data, Value};
use crate::op::function::Binary;
use crate::shape::Shape;

/// What an output has gathered.
pub(super) struct OutputCells<R> {
    combine: Combine,
    cells: Data<R>,
    /// Sums of floats, which are wide.
    sums: Option<Vec<f64>>,
    /// The last invocation that has stored, plus one, where they do not come in order.
    last: Option<Vec<u32>>,
}

impl<R: Real> OutputCells<R> {
    /// What `output` is before the first store; `ordered` is false where invocations come in
    /// row-major order anyway.
    pub fn new(output: &Output, shape: &Shape, tensors: &[Value<R>], ordered: bool) -> OutputCells<R> {
        let cells = match output.initial {
            Initial::Value(literal) => Data::filled(Element::from_literal(literal), shape.size()),
            Initial::Tensor(tensor) => tensors[tensor.index()].data().clone(),
        };
        let sums = match (&cells, output.combine) {
            (Data::Float(cells), Combine::Add) => Some(cells.iter().map(|x| x.to_f64()).collect()),
            _ => None,
        };
        let last = (ordered && output.combine == Combine::Set).then(|| vec![0; shape.size()]);
        OutputCells { combine: output.combine, cells, sums, last }
    }

    /// Stores what invocation `number` does; yields what was there.
    pub fn store(&mut self, at: usize, value: Element<R>, number: u32) -> Element<R> {
        if let (Some(sums), Element::F32(value)) = (&mut self.sums, value) {
            sums[at] += value.to_f64();
            return Element::F32(R::from_f64(0.0));
        }
        let old = self.cells.element(at);
        let new = match self.combine {
            Combine::Set => {
                if let Some(last) = &mut self.last {
                    if last[at] > number + 1 {
                        return old;
                    }
                    last[at] = number + 1;
                }
                value
            }
            Combine::Add => functions::binary(Binary::Add, old, value),
            Combine::Min => functions::binary(Binary::Min, old, value),
            Combine::Max => functions::binary(Binary::Max, old, value),
            Combine::And => functions::binary(Binary::And, old, value),
            Combine::Or => functions::binary(Binary::Or, old, value),
            Combine::Xor => functions::binary(Binary::Xor, old, value),
        };
        self.cells.set(at, new);
        old
    }

    /// The output.
    pub fn finish(self, shape: &Shape) -> Result<Value<R>> {
        let data = match self.sums {
            Some(sums) => Data::Float(sums.into_iter().map(R::from_f64).collect()),
            None => self.cells,
        };
        Value::new(shape.clone(), data)
    }
}

impl<R: Real> Data<R> {
    /// One element everywhere.
    pub(super) fn filled(element: Element<R>, length: usize) -> Data<R> {
        match element {
            Element::F32(x) => Data::Float(vec![x; length]),
            Element::I32(x) => Data::I32(vec![x; length]),
            Element::U32(x) => Data::U32(vec![x; length]),
            Element::Bool(x) => Data::Bool(vec![x; length]),
        }
    }

    /// Writes one element everywhere.
    pub(super) fn fill(&mut self, element: Element<R>) {
        match (self, element) {
            (Data::Float(cells), Element::F32(x)) => cells.fill(x),
            (Data::I32(cells), Element::I32(x)) => cells.fill(x),
            (Data::U32(cells), Element::U32(x)) => cells.fill(x),
            (Data::Bool(cells), Element::Bool(x)) => cells.fill(x),
            (_, element) => unreachable!("cells of another dtype than {}", element.dtype()),
        }
    }

    /// The element at a row-major position.
    pub(super) fn element(&self, at: usize) -> Element<R> {
        match self {
            Data::Float(cells) => Element::F32(cells[at]),
            Data::I32(cells) => Element::I32(cells[at]),
            Data::U32(cells) => Element::U32(cells[at]),
            Data::Bool(cells) => Element::Bool(cells[at]),
        }
    }

    /// Writes the element at a row-major position.
    pub(super) fn set(&mut self, at: usize, element: Element<R>) {
        match (self, element) {
            (Data::Float(cells), Element::F32(x)) => cells[at] = x,
            (Data::I32(cells), Element::I32(x)) => cells[at] = x,
            (Data::U32(cells), Element::U32(x)) => cells[at] = x,
            (Data::Bool(cells), Element::Bool(x)) => cells[at] = x,
            (_, element) => unreachable!("cells of another dtype than {}", element.dtype()),
        }
    }
}

/// What memory of a dtype holds at first.
pub(super) fn zero<R: Real>(dtype: DType) -> Element<R> {
    Element::from_literal(Literal::zero(dtype))
}
