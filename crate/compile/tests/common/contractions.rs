//! Contractions large enough for every variant: axes in any order, batches, edges that no tile
//! fits, and computations before and after.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, ContractAxes, Conv, Op, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

fn leaf(graph: &mut Graph, shape: &[usize], dtype: DType) -> NodeId {
    graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap()
}

fn program(build: impl FnOnce(&mut Graph) -> NodeId) -> TensorProgram {
    let mut graph = Graph::new();
    let root = build(&mut graph);
    TensorProgram::from_graph(&graph, &[root]).0
}

fn product(left: &[usize], right: &[usize], axes: ContractAxes, dtype: DType) -> TensorProgram {
    program(|graph| {
        let (a, b) = (leaf(graph, left, dtype), leaf(graph, right, dtype));
        graph.add(Op::Contract(axes), &[a, b]).unwrap()
    })
}

fn axes(batch: &[(usize, usize)], contract: &[(usize, usize)]) -> ContractAxes {
    ContractAxes { batch: batch.to_vec(), contract: contract.to_vec() }
}

/// A layer: what comes in is squared, what comes out gets a bias.
fn layer(rows: usize, inputs: usize, outputs: usize) -> TensorProgram {
    program(|graph| {
        let (x, w) = (leaf(graph, &[rows, inputs], DType::F32), leaf(graph, &[outputs, inputs], DType::F32));
        let bias = leaf(graph, &[outputs], DType::F32);
        let squared = graph.add(Op::Binary(Binary::Mul), &[x, x]).unwrap();
        let y = graph.add(Op::Contract(axes(&[], &[(1, 1)])), &[squared, w]).unwrap();
        let bias = graph.add(Op::View(View::Reshape([1, outputs].into())), &[bias]).unwrap();
        let bias = graph.add(Op::View(View::Expand([rows, outputs].into())), &[bias]).unwrap();
        graph.add(Op::Binary(Binary::Add), &[y, bias]).unwrap()
    })
}

/// Images as [batch, height, width, features] or with the features second, a window of 3 × 3 or 3 ×
/// 2, and what comes before and after.
fn convolution(
    last: bool,
    strides: [usize; 2],
    groups: usize,
    input: [usize; 4],
    made: usize,
) -> TensorProgram {
    let [images, height, width, features] = input;
    let (shape, kernel) = if last {
        ([images, height, width, features], [3, 3, features / groups, made])
    } else {
        ([images, features, height, width], [made, features / groups, 3, 2])
    };
    let axes = |a: [usize; 4], b: [usize; 4]| if last { a.to_vec() } else { b.to_vec() };
    let it = Conv {
        strides: strides.to_vec(),
        padding: vec![(1, 1), (0, 2)],
        input_dilation: vec![1, 1],
        kernel_dilation: vec![1, 2],
        feature_groups: groups,
        batch_groups: 1,
        input: axes([0, 3, 1, 2], [0, 1, 2, 3]),
        kernel: axes([3, 2, 0, 1], [0, 1, 2, 3]),
        output: axes([0, 3, 1, 2], [0, 1, 2, 3]),
    };
    program(|graph| {
        let (x, w) = (leaf(graph, &shape, DType::F32), leaf(graph, &kernel, DType::F32));
        let squared = graph.add(Op::Binary(Binary::Mul), &[x, x]).unwrap();
        let y = graph.add(Op::Conv(it.into()), &[squared, w]).unwrap();
        graph.add(Op::Binary(Binary::Add), &[y, y]).unwrap()
    })
}

/// Programs with inputs.
pub fn contractions() -> Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)> {
    let programs = [
        product(&[64, 32], &[32, 64], axes(&[], &[(1, 0)]), DType::F32),
        product(&[67, 33], &[33, 75], axes(&[], &[(1, 0)]), DType::F32),
        product(&[9, 130], &[66, 9], axes(&[], &[(0, 1)]), DType::I32),
        product(&[70, 16], &[40, 16], axes(&[], &[(1, 1)]), DType::U32),
        product(&[2, 33, 17], &[17, 2, 36], axes(&[(0, 1)], &[(2, 0)]), DType::F32),
        product(&[5, 20, 4, 7], &[7, 34, 5], axes(&[], &[(0, 2), (3, 0)]), DType::F32),
        product(&[16, 192], &[192, 64], axes(&[], &[(1, 0)]), DType::F32),
        product(&[2, 11, 130], &[45, 2, 130], axes(&[(0, 1)], &[(2, 2)]), DType::I32),
        layer(65, 24, 70),
        layer(9, 100, 34),
        convolution(true, [1, 1], 1, [2, 8, 16, 4], 36),
        convolution(true, [2, 3], 1, [3, 9, 20, 3], 33),
        convolution(false, [1, 1], 1, [2, 6, 8, 8], 40),
        convolution(false, [2, 1], 2, [1, 9, 8, 8], 64),
        convolution(true, [1, 1], 4, [1, 6, 7, 4], 4),
    ];
    let with_inputs = |(seed, program): (usize, TensorProgram)| {
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    programs.into_iter().enumerate().map(with_inputs).collect()
}
