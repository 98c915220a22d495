//! Square matrices, and products of them that are a dispatch each, for tests of loops and branches.

use super::programs::random_inputs;
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, ContractAxes, Loop, Op, ReduceOp, Unary};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

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

/// Loops that run inside one kernel: over states of some sizes that start from something computed,
/// with tensors from outside that are looked up, a number, and the index, forwards and backwards;
/// of two states, of which one or both are asked for.
pub fn inside_kernels() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let mut cases = Vec::new();
    for (seed, shape) in [[1, 1], [3, 7], [65, 4], [2, 130]].into_iter().map(Shape::from).enumerate() {
        for asked in [&[0][..], &[0, 1]] {
            let leaves = |builder: &mut ProgramBuilder| {
                let states = [0; 2].map(|_| builder.input(&shape, DType::F32).unwrap());
                let table = builder.input(&[5].into(), DType::F32).unwrap();
                let number = builder.push(Op::Scalar(DType::F32), Vec::new(), Shape::scalar(), DType::F32);
                (states, table, Ref(number.0))
            };
            let mut builder = ProgramBuilder::default();
            let index = Ref(builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
            let ([a, b], table, number) = leaves(&mut builder);
            let emit: &mut dyn Build = &mut builder;
            let place = if seed % 2 == 0 { emit.repeat(index, &shape) } else { emit.cast(b, DType::I32) };
            let found = emit.gather(0, table, place.unwrap()).unwrap();
            let number = emit.repeat(number, &shape).unwrap();
            let all = emit.sum(table, &[0]).and_then(|sum| emit.repeat(sum, &shape)).unwrap();
            let scaled = emit.mul(found, number).unwrap();
            let next = emit.add(a, scaled).and_then(|sum| emit.unary(Unary::Sin, sum)).unwrap();
            let other = emit.binary(Binary::Max, a, all).and_then(|most| emit.scale(most, 0.5)).unwrap();
            let body = builder.finish(&[next, other], &[]);
            let iterations = Some([1, 2, 9, 30][seed]);
            let reverse = seed % 3 == 1;
            let it = Loop { body, condition: None, iterations, carried: 2, sliced: 0, reverse };

            let mut builder = ProgramBuilder::default();
            let ([a, b], table, number) = leaves(&mut builder);
            let emit: &mut dyn Build = &mut builder;
            let start = emit.unary(Unary::Tanh, a).unwrap();
            let ends = emit.region(Op::Loop(Rc::new(it)), &[start, b, table, number]).unwrap();
            let most = emit.reduce(ReduceOp::Max, ends[0], &[1]).unwrap();
            let mut outputs: Vec<Ref> = asked.iter().map(|&n| ends[n]).collect();
            outputs.push(most);
            let program = builder.finish(&outputs, &[]);
            let (buffers, scalars) = random_inputs(&program, seed as u64, true);
            cases.push((program, buffers, scalars));
        }
    }
    cases
}
