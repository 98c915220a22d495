//! Scatters of every operation and dtype, of indices that repeat and lie outside, with something before and after.

use super::programs::random_inputs;
use weft_ir::graph::Graph;
use weft_ir::interpret::Value;
use weft_ir::op::infer::gathered;
use weft_ir::op::{Binary, Op, ScatterOp};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// Programs with inputs.
pub fn scatters() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let mut all = Vec::new();
    for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Min, ScatterOp::Max] {
        for dtype in [DType::F32, DType::I32, DType::U32, DType::Bool] {
            if dtype == DType::Bool && op == ScatterOp::Add {
                continue;
            }
            for (shape, axis, indices) in
                [(&[7][..], 0, &[40][..]), (&[3, 5, 2], 1, &[4, 3]), (&[4, 6], 1, &[])]
            {
                let (shape, indices) = (Shape::from(shape), Shape::from(indices));
                let mut graph = Graph::new();
                let mut leaf = |shape: Shape, dtype| graph.add_placeholder(Op::Buffer(shape, dtype)).unwrap();
                let updates = gathered(&shape, axis, &indices);
                let (base, index) = (leaf(shape, dtype), leaf(indices, DType::I32));
                let updates = leaf(updates, dtype);
                let twice = Op::Binary(if dtype == DType::Bool { Binary::Xor } else { Binary::Add });
                let updates = graph.add(twice.clone(), &[updates, updates]).unwrap();
                let put = graph.add(Op::Scatter { axis, op }, &[base, index, updates]).unwrap();
                let after = graph.add(twice, &[put, put]).unwrap();
                let program = TensorProgram::from_graph(&graph, &[after, put]).0;
                let (buffers, scalars) = random_inputs(&program, all.len() as u64, true);
                all.push((program, buffers, scalars));
            }
        }
    }
    all
}
