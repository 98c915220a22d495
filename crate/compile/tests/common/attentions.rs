//! Attention programs: sizes that blocks divide and sizes that they do not, changed scores,
//! operands read through views, and few columns and many.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

/// Which keys a query sees: as it compares with them, and how many more than its own number are
/// compared.
type Mask = Option<(Compare, i32)>;

/// A batch of softmax(q·kᵀ)·v: of so many heads, queries, keys, terms of a score and columns of the
/// values.
fn attention(heads: usize, [queries, keys, terms, columns]: [usize; 4], mask: Mask) -> TensorProgram {
    let mut graph = Graph::new();
    let mut leaf = |shape: &[usize]| graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap();
    let (q, k, v) =
        (leaf(&[heads, queries, terms]), leaf(&[heads, keys, terms]), leaf(&[heads, keys, columns]));
    let bias = leaf(&[queries, keys]);
    let mut add = |op: Op, inputs: &[NodeId]| graph.add(op, inputs).unwrap();
    let axes = |pair| ContractAxes { batch: vec![(0, 0)], contract: vec![pair] };
    let all = [heads, queries, keys];
    let mut scores = add(Op::Contract(axes((2, 2))), &[q, k]);
    if let Some((compare, ahead)) = mask {
        let bias = add(Op::View(View::Reshape([1, queries, keys].into())), &[bias]);
        let bias = add(Op::View(View::Expand(all.into())), &[bias]);
        let sum = add(Op::Binary(Binary::Add), &[scores, bias]);
        let position = |axis| Op::Iota { shape: all.into(), axis, dtype: DType::I32 };
        let (row, key) = (add(position(1), &[]), add(position(2), &[]));
        let mut whole = |number| {
            let number = add(Op::Constant(number), &[]);
            let number = add(Op::View(View::Reshape([1, 1, 1].into())), &[number]);
            add(Op::View(View::Expand(all.into())), &[number])
        };
        let unseen = whole(Literal::F32(if ahead == 0 { -1e30 } else { f32::NEG_INFINITY }));
        let ahead = whole(Literal::I32(ahead));
        let row = add(Op::Binary(Binary::Add), &[row, ahead]);
        let condition = add(Op::Compare(compare), &[row, key]);
        scores = match compare {
            Compare::Lt => add(Op::Select, &[condition, unseen, sum]),
            _ => add(Op::Select, &[condition, sum, unseen]),
        };
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
        (1, [64, 64, 16, 32], None),
        (2, [37, 53, 20, 12], Some((Compare::Ge, 0))),
        (1, [33, 70, 9, 5], Some((Compare::Gt, 1))),
        (2, [70, 65, 16, 100], None),
        (3, [2, 3, 2, 2], Some((Compare::Ge, 0))),
        (1, [70, 100, 8, 12], Some((Compare::Ge, 20))),
        (1, [40, 50, 4, 8], Some((Compare::Lt, 3))),
        // Not all are seen by their number: the first two see nothing, and all that they do not see
        // weighs as much.
        (1, [20, 40, 4, 8], Some((Compare::Gt, -1))),
    ];
    let with_inputs = |(seed, (heads, sizes, mask)): (usize, (usize, [usize; 4], Mask))| {
        let program = attention(heads, sizes, mask);
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    sizes.into_iter().enumerate().map(with_inputs).collect()
}
