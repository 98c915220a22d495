//! Scatters of every operation and dtype, with indices that repeat or are out of range, and
//! computations before and after.

use super::programs::random_inputs;
use weft_ir::graph::Graph;
use weft_ir::interpret::Value;
use weft_ir::op::infer::gathered;
use weft_ir::op::{Binary, Op, ScatterOp, View};
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
                [(&[7][..], 0, &[40][..]), (&[9], 0, &[128]), (&[3, 5, 2], 1, &[4, 3]), (&[4, 6], 1, &[])]
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

/// Programs that put many updates into few places, some of them outside: numbers of updates that no
/// power of two divides, one place, more places than a workgroup has invocations, fewer updates
/// than that, and windows. The sums of floats have places where all is far from the largest, and
/// infinite ones.
pub fn scatters_into_few() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let mut all = Vec::new();
    for op in [ScatterOp::Add, ScatterOp::Min, ScatterOp::Max] {
        for dtype in [DType::F32, DType::I32, DType::U32, DType::Bool] {
            if dtype == DType::Bool && op == ScatterOp::Add {
                continue;
            }
            for (shape, axis, indices) in [
                (&[7][..], 0, &[3000][..]),
                (&[1], 0, &[1025]),
                (&[300], 0, &[2501]),
                (&[40], 0, &[100]),
                (&[3, 5, 2], 1, &[40, 3]),
            ] {
                all.push(into_few(op, dtype, (shape, axis, indices), all.len() as u64));
            }
        }
    }
    all
}

/// So many updates that each workgroup has more than one turn.
pub fn scatters_in_turns() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let scatter = |dtype| into_few(ScatterOp::Add, dtype, (&[4], 0, &[132_100]), 7);
    [DType::I32, DType::F32].map(scatter).into()
}

fn into_few(
    op: ScatterOp,
    dtype: DType,
    (shape, axis, indices): (&[usize], usize, &[usize]),
    seed: u64,
) -> (TensorProgram, Vec<Value<f32>>, Vec<Literal>) {
    let (shape, indices) = (Shape::from(shape), Shape::from(indices));
    let mut graph = Graph::new();
    let mut leaf = |shape: &Shape, dtype| graph.add_placeholder(Op::Buffer(shape.clone(), dtype)).unwrap();
    let (base, index) = (leaf(&shape, dtype), leaf(&indices, DType::I32));
    let updates = gathered(&shape, axis, &indices);
    let updates = leaf(&updates, dtype);
    let put = graph.add(Op::Scatter { axis, op }, &[base, index, updates]).unwrap();
    let twice = Op::Binary(if dtype == DType::Bool { Binary::Xor } else { Binary::Add });
    let after = graph.add(twice, &[put, put]).unwrap();
    let program = TensorProgram::from_graph(&graph, &[after, put]).0;
    let (mut buffers, scalars) = random_inputs(&program, seed, true);
    // As many lie outside on either side.
    let extent = shape[axis] as u64;
    let around = |n: u64| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % (extent + 4);
    let places: Vec<i32> = (0..indices.size() as u64).map(|n| around(n) as i32 - 2).collect();
    if dtype == DType::F32 && shape.rank() == 1 {
        let mut words = buffers[2].to_bits();
        for (n, (word, place)) in words.iter_mut().zip(&places).enumerate() {
            let value = f32::from_bits(*word);
            // One place has the largest, and of another all is infinite that is so in more than one
            // workgroup.
            *word = match place {
                0 if n % 2 == 0 => value * 1024.0 * 1024.0,
                3 if n % 500 == 0 || n > indices.size() - 50 => f32::INFINITY,
                _ => value,
            }
            .to_bits();
        }
        buffers[2] = Value::from_bits(buffers[2].shape().clone(), dtype, &words).unwrap();
    }
    buffers[1] = Value::i32(indices, places).unwrap();
    (program, buffers, scalars)
}

/// Programs that add rows at places that were put in order: runs within a piece, across pieces, and
/// beyond the last place.
pub fn sorted_scatters() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let mut all = Vec::new();
    for (shape, count, below) in
        [(&[7, 3][..], 100, 9), (&[60, 2, 2], 96, 70), (&[3, 5], 130, 2), (&[4], 33, 1)]
    {
        let mut graph = Graph::new();
        let mut leaf = |shape: Shape, dtype| graph.add_placeholder(Op::Buffer(shape, dtype)).unwrap();
        let rows: Shape = [&[count], &shape[1..]].concat().into();
        let (base, numbers) = (leaf(Shape::from(shape), DType::F32), leaf([count].into(), DType::U32));
        let updates = leaf(rows, DType::F32);
        let number = graph.add_number(Literal::U32(below));
        let number = graph.add(Op::View(View::Reshape([1].into())), &[number]).unwrap();
        let number = graph.add(Op::View(View::Expand([count].into())), &[number]).unwrap();
        let keys = graph.add(Op::Binary(Binary::Rem), &[numbers, number]).unwrap();
        let keys = graph.add(Op::Cut, &[keys]).unwrap();
        let order = graph.add(Op::ArgSort { axis: 0, bits: 32 }, &[keys]).unwrap();
        let sorted = graph.add(Op::Gather { axis: 0 }, &[keys, order]).unwrap();
        let sorted = graph.add(Op::Cut, &[sorted]).unwrap();
        let updates = graph.add(Op::Gather { axis: 0 }, &[updates, order]).unwrap();
        let put = Op::Scatter { axis: 0, op: ScatterOp::Add };
        let put = graph.add(put, &[base, sorted, updates]).unwrap();
        let program = TensorProgram::from_graph(&graph, &[put]).0;
        let (buffers, _) = random_inputs(&program, all.len() as u64, true);
        all.push((program, buffers, vec![Literal::U32(below)]));
    }
    all
}
