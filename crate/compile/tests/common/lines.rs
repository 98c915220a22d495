//! Scans and sorts of lines of all sorts: short and long, many and few, side by side and not, with something before and after them.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Op, ReduceOp, Scan, Unary};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

/// A program with values for its leaves.
type Case = (TensorProgram, Vec<Value<f32>>, Vec<Literal>);

fn finish(seed: u64, graph: &Graph, roots: &[NodeId], tame: bool) -> Case {
    let program = TensorProgram::from_graph(graph, roots).0;
    let (buffers, scalars) = random_inputs(&program, seed, tame);
    (program, buffers, scalars)
}

/// Scans of something computed, of which something is computed: over blocks too, of every dtype, in every direction.
pub fn scans() -> Vec<Case> {
    use ReduceOp::{Max, Min, Prod, Sum};
    let mut cases = Vec::new();
    let shapes: [(&[usize], usize); 10] = [
        (&[1], 0),
        (&[7], 0),
        (&[3, 64], 1),
        (&[130, 5], 1),
        (&[2, 1030], 1),
        (&[1000, 3], 0),
        (&[2, 33, 4], 1),
        (&[5000], 0),
        (&[2, 4097], 1),
        (&[1100, 2], 0),
    ];
    for (seed, (shape, axis)) in shapes.into_iter().enumerate() {
        for (n, op) in [Sum, Max, Min, Prod].into_iter().enumerate() {
            let dtype = match op {
                // Products of many floats leave every range.
                Prod => DType::U32,
                Max if seed % 3 == 1 => DType::Bool,
                Sum if seed % 4 == 3 => DType::I32,
                _ => DType::F32,
            };
            let mut graph = Graph::new();
            let x = graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap();
            let before =
                if dtype == DType::F32 { graph.add(Op::Unary(Unary::Sin), &[x]).unwrap() } else { x };
            let (reverse, exclusive) = ((seed + n) % 2 == 1, (seed + n) % 3 == 2);
            let extent = shape[axis];
            let block = if seed % 5 == 4 { 1 + extent / 3 } else { extent };
            let scan = Scan { axis, op, reverse, exclusive, block };
            let found = graph.add(Op::Scan(scan), &[before]).unwrap();
            let after = graph.add(Op::Binary(Binary::Max), &[found, x]).unwrap();
            cases.push(finish(seed as u64, &graph, &[found, after], true));
        }
    }
    cases
}
