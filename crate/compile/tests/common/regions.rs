//! What programs with loops and branches are tested on: square matrices, and products of them that are a dispatch each.

use weft_ir::build::{Build, Ref};
use weft_ir::interpret::Value;
use weft_ir::op::{ContractAxes, Op};
use weft_ir::{DType, Shape};

/// Rows of a matrix, and columns.
pub const SIDE: usize = 6;

/// The shape of a matrix.
pub fn square() -> Shape {
    [SIDE, SIDE].into()
}

/// `times` products, each a dispatch of its own.
pub fn powers(emit: &mut dyn Build, x: Ref, times: usize) -> Ref {
    let mut y = x;
    for _ in 0..times {
        let pairs = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
        let product = emit.contract(pairs, y, x).unwrap();
        y = emit.scale(product, 0.25).unwrap();
    }
    y
}

/// The first `count` results of a region, all of them matrices.
pub fn parts(emit: &mut dyn Build, op: Op, inputs: &[Ref], count: usize) -> Vec<Ref> {
    let region = emit.op(op, inputs).unwrap();
    let part = |index| emit.op(Op::Part { index, shape: square(), dtype: DType::F32 }, &[region]).unwrap();
    (0..count).map(part).collect()
}

/// A matrix of unlike numbers.
pub fn matrix(scale: f32) -> Value<f32> {
    let bits: Vec<u32> =
        (0..SIDE * SIDE).map(|i| (scale * ((i * 7 % 11) as f32 / 11.0 + 0.1)).to_bits()).collect();
    Value::from_bits(square(), DType::F32, &bits).unwrap()
}
