//! Scans, sorts and Fourier transforms along lines of all sorts: short and long, many and few,
//! contiguous and not, with computations before and after them.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Op, ReduceOp, Scan, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

/// A program with values for its leaves.
type Case = (TensorProgram, Vec<Value<f32>>, Vec<Literal>);

fn finish(seed: u64, graph: &Graph, roots: &[NodeId], tame: bool) -> Case {
    let program = TensorProgram::from_graph(graph, roots).0;
    let (buffers, scalars) = random_inputs(&program, seed, tame);
    (program, buffers, scalars)
}

/// Scans of something computed, of which something is computed: over blocks too, of every dtype, in
/// every direction.
pub fn scans() -> Vec<Case> {
    use ReduceOp::{Max, Min, Prod, Sum};
    let mut cases = Vec::new();
    let shapes: [(&[usize], usize); 14] = [
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
        // What subgroups scan: as many as a workgroup has, and blocks of as many.
        (&[3, 256], 1),
        (&[2, 2048], 1),
        (&[4096], 0),
        (&[5, 1, 1024], 2),
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

/// The positions that sort something computed, and what stands there: keys with many ties and with
/// few, of many bits and of few.
pub fn sorts() -> Vec<Case> {
    let shapes: [(&[usize], usize, u32); 12] = [
        (&[1], 0, 32),
        (&[2], 0, 32),
        (&[7], 0, 32),
        (&[3, 64], 1, 32),
        (&[130, 5], 1, 32),
        (&[300, 3], 0, 32),
        (&[2, 33, 4], 1, 1),
        (&[2, 2048], 1, 32),
        (&[2, 2049], 1, 32),
        (&[5000], 0, 32),
        (&[2100, 3], 0, 8),
        (&[4099], 0, 1),
    ];
    let mut cases = Vec::new();
    for (seed, (shape, axis, bits)) in shapes.into_iter().enumerate() {
        {
            let tame = seed % 2 == 1;
            let mut graph = Graph::new();
            let x = graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap();
            let words = graph.add(Op::Bitcast(DType::U32), &[x]).unwrap();
            // The highest bits, which tell most floats apart.
            let by = graph.add(Op::Constant(Literal::U32(32 - bits)), &[]).unwrap();
            let one = graph.add(Op::View(View::Reshape(vec![1; shape.len()].into())), &[by]).unwrap();
            let by = graph.add(Op::View(View::Expand(shape.into())), &[one]).unwrap();
            let keys = graph.add(Op::Binary(Binary::Shr), &[words, by]).unwrap();
            let order = graph.add(Op::ArgSort { axis, bits }, &[keys]).unwrap();
            let after = graph.add(Op::Cast(DType::F32), &[order]).unwrap();
            let flat =
                graph.add(Op::View(View::Reshape([shape.iter().product::<usize>()].into())), &[x]).unwrap();
            let found = graph.add(Op::Gather { axis: 0 }, &[flat, order]).unwrap();
            cases.push(finish(seed as u64, &graph, &[order, after, found], tame));
        }
    }
    cases
}

/// Transforms of something computed, of which something is computed: along the last axis and
/// others, of what lies in order and transposed, of every radix.
pub fn transforms() -> Vec<Case> {
    let shapes: [(&[usize], usize, usize, bool); 14] = [
        (&[2, 1], 0, 1, false),
        (&[2, 2], 0, 1, false),
        (&[2, 3, 7], 0, 2, true),
        (&[2, 5, 16], 0, 2, false),
        (&[60, 2, 3], 1, 0, false),
        (&[3, 13, 2], 2, 1, true),
        (&[2, 33, 8], 0, 1, false),
        (&[2, 4, 128, 9], 0, 2, false),
        (&[2, 5, 1024], 0, 2, true),
        (&[2, 1024, 11], 0, 1, true),
        (&[2, 2048], 0, 1, false),
        (&[2048, 2, 3], 1, 0, false),
        (&[2, 2, 1001], 1, 2, false),
        (&[2, 300, 45], 0, 2, true),
    ];
    let mut cases = Vec::new();
    for (seed, (shape, parts, axis, transposed)) in shapes.into_iter().enumerate() {
        let mut graph = Graph::new();
        let n = shape[axis];
        let rank = shape.len();
        let back: Vec<usize> = (0..rank).rev().collect();
        let given: Vec<usize> =
            if transposed { back.iter().map(|&axis| shape[axis]).collect() } else { shape.to_vec() };
        let x = graph.add_placeholder(Op::Buffer(given.into(), DType::F32)).unwrap();
        let turned = if transposed { graph.add(Op::View(View::Permute(back)), &[x]).unwrap() } else { x };
        let before = graph.add(Op::Unary(Unary::Sin), &[turned]).unwrap();
        let table = graph.add_placeholder(Op::Buffer([2, n].into(), DType::U32)).unwrap();
        let found = graph.add(Op::Fourier { parts, axis }, &[before, table]).unwrap();
        let after = graph.add(Op::Binary(Binary::Mul), &[found, found]).unwrap();
        cases.push(finish(seed as u64, &graph, &[found, after], true));
    }
    cases
}
