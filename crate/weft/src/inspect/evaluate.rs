//! Evaluation of programs past the live graph, for inspections: nothing of it is recorded, and its
//! values are released with their last owner.

use super::Inspector;
use crate::device::cache::Key;
use std::rc::Rc;
use weft_ir::Result;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::ValueId;
use weft_ir::op::{Binary, Compare, Op, ReduceOp};
use weft_ir::program::{ProgramNode, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// Bits of an f32 without its sign.
const MAGNITUDE: f64 = 0x7fff_ffff_u32 as f64;
/// The bits of infinity; those of NaN are greater.
const INFINITE: f64 = 0x7f80_0000_u32 as f64;

/// A value that is released with its last owner.
pub(super) struct Held {
    device: Inspector,
    pub value: ValueId,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.device.inner.backend.release(self.value);
    }
}

/// What a node yields.
#[derive(Clone)]
pub(super) enum Item {
    Stored(Rc<Held>),
    /// A number that is no part of what is compiled.
    Scalar(u32),
}

impl Inspector {
    /// The owner of a value that the caller owns.
    pub(super) fn held(&self, value: ValueId) -> Item {
        Item::Stored(Rc::new(Held { device: self.clone(), value }))
    }

    /// Another owner of a value.
    pub(super) fn held_too(&self, value: ValueId) -> Item {
        self.inner.backend.retain(value);
        self.held(value)
    }

    /// The outputs of a program whose leaves are `given`, in their order.
    pub(super) fn evaluate(&self, program: TensorProgram, given: &[Item]) -> Result<Vec<Item>> {
        let (mut leaves, mut scalars, mut made) = (Vec::new(), Vec::new(), Vec::new());
        for (id, item) in program.leaves().zip(given) {
            match (&program[id].op, item) {
                (Op::Buffer(..), Item::Stored(held)) => leaves.push(held.value),
                (Op::Buffer(shape, dtype), &Item::Scalar(bits)) => {
                    let value = self.inner.backend.upload(&[bits], shape, *dtype)?;
                    leaves.push(value);
                    made.push(self.held(value));
                }
                (_, &Item::Scalar(bits)) => scalars.push(bits),
                (_, Item::Stored(_)) => {
                    let what = "a number of a region is no number";
                    return Err(weft_ir::Error::new(weft_ir::ErrorKind::Internal, "inspect", what));
                }
            }
        }
        if program.outputs.is_empty() {
            return Ok(Vec::new());
        }
        let compiled = self.compiled(Key { program: Rc::new(program), donated: Vec::new() })?;
        let values = self.inner.backend.run(&compiled, &leaves, &scalars)?;
        Ok(values.into_iter().map(|value| self.held(value)).collect())
    }

    /// The words of values.
    pub(super) async fn words_of(&self, items: &[Item]) -> Result<Vec<Vec<u32>>> {
        let stored = items.iter().filter_map(|item| match item {
            Item::Stored(held) => Some(held.value),
            Item::Scalar(_) => None,
        });
        let reading = self.inner.backend.read(&stored.collect::<Vec<_>>());
        let mut read = reading.await?.into_iter();
        Ok(items
            .iter()
            .map(|item| match item {
                Item::Stored(_) => read.next().unwrap_or_default(),
                Item::Scalar(bits) => vec![*bits],
            })
            .collect())
    }
}

/// The leaf of a program that stands for an item of this shape and dtype.
pub(super) fn leaf(builder: &mut ProgramBuilder, item: &Item, node: &ProgramNode) -> Ref {
    let op = match item {
        Item::Scalar(_) => Op::Scalar(node.dtype),
        Item::Stored(_) => Op::Buffer(node.shape.clone(), node.dtype),
    };
    Ref(builder.push(op, Vec::new(), node.shape.clone(), node.dtype).0)
}

/// Where an f32 is NaN, and where it is infinite; by its bits, for a shader compiler may assume
/// that there is neither.
pub(super) fn kinds(build: &mut dyn Build, x: Ref) -> Result<[Ref; 2]> {
    let bits = build.op(Op::Bitcast(DType::U32), &[x])?;
    let shape = build.shape(x);
    let mask = build.full(Literal::from_f64(DType::U32, MAGNITUDE), &shape)?;
    let magnitude = build.binary(Binary::And, bits, mask)?;
    let infinite = build.full(Literal::from_f64(DType::U32, INFINITE), &shape)?;
    Ok([build.compare(Compare::Gt, magnitude, infinite)?, build.compare(Compare::Eq, magnitude, infinite)?])
}

/// Whether there is any: 0-d bools as i32.
pub(super) fn any(build: &mut dyn Build, x: Ref) -> Result<Ref> {
    let all: Vec<usize> = (0..build.shape(x).rank()).collect();
    let found = build.reduce(ReduceOp::Max, x, &all)?;
    build.cast(found, DType::I32)
}

/// 2 where there is a NaN among the elements of an f32, 1 where there is an infinity and no NaN,
/// else 0.
pub(super) fn flag(build: &mut dyn Build, x: Ref) -> Result<Ref> {
    if build.shape(x).size() == 0 {
        return build.full(Literal::I32(0), &Shape::scalar());
    }
    let [nan, infinite] = kinds(build, x)?;
    let (nan, infinite) = (any(build, nan)?, any(build, infinite)?);
    let twice = build.scale(nan, 2.0)?;
    build.binary(Binary::Max, twice, infinite)
}
