//! Attention at sizes that blocks divide and that they do not, with what is done to the scores, read by views, and of few columns and many.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

/// A batch of softmax(q·kᵀ)·v: of so many heads, queries, keys, terms of a score and columns of the values.
fn attention(heads: usize, [queries, keys, terms, columns]: [usize; 4], masked: bool) -> TensorProgram {
    let mut graph = Graph::new();
    let mut leaf = |shape: &[usize]| graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap();
    let (q, k, v) =
        (leaf(&[heads, queries, terms]), leaf(&[heads, keys, terms]), leaf(&[heads, keys, columns]));
    let bias = leaf(&[queries, keys]);
    let mut add = |op: Op, inputs: &[NodeId]| graph.add(op, inputs).unwrap();
    let axes = |pair| ContractAxes { batch: vec![(0, 0)], contract: vec![pair] };
    let all = [heads, queries, keys];
    let mut scores = add(Op::Contract(axes((2, 2))), &[q, k]);
    if masked {
        let bias = add(Op::View(View::Reshape([1, queries, keys].into())), &[bias]);
        let bias = add(Op::View(View::Expand(all.into())), &[bias]);
        let sum = add(Op::Binary(Binary::Add), &[scores, bias]);
        let position = |axis| Op::Iota { shape: all.into(), axis, dtype: DType::I32 };
        let (row, key) = (add(position(1), &[]), add(position(2), &[]));
        let seen = add(Op::Compare(Compare::Ge), &[row, key]);
        let unseen = add(Op::Constant(Literal::F32(-1e30)), &[]);
        let unseen = add(Op::View(View::Reshape([1, 1, 1].into())), &[unseen]);
        let unseen = add(Op::View(View::Expand(all.into())), &[unseen]);
        scores = add(Op::Select, &[seen, sum, unseen]);
    }
    let of_rows = |add: &mut dyn FnMut(Op, &[NodeId]) -> NodeId, op, x| {
        let found = add(Op::Reduce { op, axes: vec![2] }, &[x]);
        let found = add(Op::View(View::Reshape([heads, queries, 1].into())), &[found]);
        add(Op::View(View::Expand(all.into())), &[found])
    };
    let largest = of_rows(&mut add, ReduceOp::Max, scores);
    let below = add(Op::Binary(Binary::Sub), &[scores, largest]);
    let exponentials = add(Op::Unary(Unary::Exp), &[below]);
    let sum = of_rows(&mut add, ReduceOp::Sum, exponentials);
    let weights = add(Op::Binary(Binary::Div), &[exponentials, sum]);
    let seen = add(Op::Contract(axes((2, 1))), &[weights, v]);
    let root = add(Op::Unary(Unary::Neg), &[seen]);
    TensorProgram::from_graph(&graph, &[root]).0
}

/// The programs, with inputs.
pub fn attentions() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let sizes = [
        (1, [64, 64, 16, 32], false),
        (2, [37, 53, 20, 12], true),
        (1, [33, 70, 9, 5], true),
        (2, [70, 65, 16, 100], false),
        (3, [2, 3, 2, 2], true),
    ];
    let with_inputs = |(seed, (heads, sizes, masked)): (usize, (usize, [usize; 4], bool))| {
        let program = attention(heads, sizes, masked);
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    sizes.into_iter().enumerate().map(with_inputs).collect()
}
