//! Row reductions, level by level, of rows longer than a workgroup and shorter, and maps larger
//! than one, for every variant.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// A program with values for its leaves.
type Case = (TensorProgram, Vec<Value<f32>>, Vec<Literal>);

fn leaf(graph: &mut Graph, shape: &[usize]) -> NodeId {
    graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap()
}

fn binary(graph: &mut Graph, op: Binary, a: NodeId, b: NodeId) -> NodeId {
    graph.add(Op::Binary(op), &[a, b]).unwrap()
}

fn reduced(graph: &mut Graph, op: ReduceOp, x: NodeId, axis: usize) -> NodeId {
    graph.add(Op::Reduce { op, axes: vec![axis] }, &[x]).unwrap()
}

/// A value for each row, along an axis of `shape`.
fn repeated(graph: &mut Graph, x: NodeId, shape: &Shape, axis: usize) -> NodeId {
    let kept = graph.add(Op::View(View::Reshape(shape.keepdims(&[axis]))), &[x]).unwrap();
    graph.add(Op::View(View::Expand(shape.clone())), &[kept]).unwrap()
}

/// A reduction of an axis, repeated along it.
fn along(graph: &mut Graph, op: ReduceOp, x: NodeId, axis: usize) -> NodeId {
    let shape: Shape = graph[x].shape.clone();
    let reduced = reduced(graph, op, x, axis);
    repeated(graph, reduced, &shape, axis)
}

/// Softmax, and per row where its largest and the product of half of its elements are.
fn softmax(graph: &mut Graph, x: NodeId, axis: usize) -> Vec<NodeId> {
    let largest = along(graph, ReduceOp::Max, x, axis);
    let shifted = binary(graph, Binary::Sub, x, largest);
    let exp = graph.add(Op::Unary(Unary::Exp), &[shifted]).unwrap();
    let sum = along(graph, ReduceOp::Sum, exp, axis);
    let y = binary(graph, Binary::Div, exp, sum);
    let place = reduced(graph, ReduceOp::ArgMax, x, axis);
    let product = reduced(graph, ReduceOp::Prod, y, axis);
    vec![y, place, product]
}

/// The spread of each row round its sum.
fn spread(graph: &mut Graph, x: NodeId, axis: usize) -> Vec<NodeId> {
    let sum = along(graph, ReduceOp::Sum, x, axis);
    let apart = binary(graph, Binary::Sub, x, sum);
    let squared = binary(graph, Binary::Mul, apart, apart);
    vec![reduced(graph, ReduceOp::Sum, squared, axis), reduced(graph, ReduceOp::Min, apart, axis)]
}

/// The logarithm of a sum of exponentials shifted by a maximum that is 0 where it is infinite, and
/// softmax beside where the largest is.
fn exponentials(graph: &mut Graph, x: NodeId, axis: usize) -> Vec<NodeId> {
    let shape: Shape = graph[x].shape.clone();
    let largest = reduced(graph, ReduceOp::Max, x, axis);
    let apart = binary(graph, Binary::Sub, largest, largest);
    let is_finite = graph.add(Op::Compare(Compare::Eq), &[apart, apart]).unwrap();
    let zero = graph.add(Op::Constant(Literal::F32(0.0)), &[]).unwrap();
    let rows = graph[largest].shape.clone();
    let ones = graph.add(Op::View(View::Reshape(vec![1; rows.rank()].into())), &[zero]).unwrap();
    let zeros = graph.add(Op::View(View::Expand(rows)), &[ones]).unwrap();
    let shift = graph.add(Op::Select, &[is_finite, largest, zeros]).unwrap();
    let (shift, largest) = (repeated(graph, shift, &shape, axis), repeated(graph, largest, &shape, axis));
    let mut powers = |shift| {
        let shifted = binary(graph, Binary::Sub, x, shift);
        graph.add(Op::Unary(Unary::Exp), &[shifted]).unwrap()
    };
    let (finite, plain) = (powers(shift), powers(largest));
    let total = reduced(graph, ReduceOp::Sum, finite, axis);
    let log = graph.add(Op::Unary(Unary::Log), &[total]).unwrap();
    let sum = along(graph, ReduceOp::Sum, plain, axis);
    let y = binary(graph, Binary::Div, plain, sum);
    vec![log, reduced(graph, ReduceOp::ArgMax, x, axis), y]
}

/// Normalised along an axis, with a weight for each of its elements and one for each row, and the
/// largest.
fn normalised(graph: &mut Graph, x: NodeId, axis: usize) -> Vec<NodeId> {
    let shape: Shape = graph[x].shape.clone();
    let gain = leaf(graph, &[shape[axis]]);
    let ones: Vec<usize> = (0..shape.rank()).map(|a| if a == axis { shape[a] } else { 1 }).collect();
    let gain = graph.add(Op::View(View::Reshape(ones.into())), &[gain]).unwrap();
    let gain = graph.add(Op::View(View::Expand(shape.clone())), &[gain]).unwrap();
    let weight = leaf(graph, &shape.without(&[axis]));
    let weight = repeated(graph, weight, &shape, axis);
    let largest = reduced(graph, ReduceOp::Max, x, axis);
    let middle = along(graph, ReduceOp::Sum, x, axis);
    let apart = binary(graph, Binary::Sub, x, middle);
    let squared = binary(graph, Binary::Mul, apart, apart);
    let spread = along(graph, ReduceOp::Sum, squared, axis);
    let scaled = binary(graph, Binary::Div, apart, spread);
    let scaled = binary(graph, Binary::Mul, scaled, gain);
    vec![binary(graph, Binary::Add, scaled, weight), largest]
}

/// How one input is compared with another: the sum of what is far, how many places it has, and
/// where the first is.
fn compared(graph: &mut Graph, x: NodeId, axis: usize) -> Vec<NodeId> {
    let shape: Shape = graph[x].shape.clone();
    let y = leaf(graph, &shape);
    let apart = binary(graph, Binary::Sub, x, y);
    let less = graph.add(Op::Compare(Compare::Lt), &[x, y]).unwrap();
    let coarse = graph.add(Op::Unary(Unary::Round), &[x]).unwrap();
    let squared = binary(graph, Binary::Mul, apart, apart);
    vec![
        reduced(graph, ReduceOp::Sum, squared, axis),
        reduced(graph, ReduceOp::Max, less, axis),
        reduced(graph, ReduceOp::ArgMin, coarse, axis),
    ]
}

type Build = fn(&mut Graph, NodeId, usize) -> Vec<NodeId>;

fn case(seed: u64, shape: &[usize], axis: usize, build: Build) -> Case {
    let mut graph = Graph::new();
    let x = leaf(&mut graph, shape);
    let roots = build(&mut graph, x, axis);
    let program = TensorProgram::from_graph(&graph, &roots).0;
    let (buffers, scalars) = random_inputs(&program, seed, true);
    (program, buffers, scalars)
}

/// Rows, 18 of them of `length` elements along an axis, of which each has other numbers that are
/// hardly numbers: some, and all.
fn extremes(length: usize, axis: usize, build: Build) -> Case {
    let (inf, most) = (f32::INFINITY, f32::MAX);
    let kinds: [&[f32]; 9] = [
        &[inf],
        &[-inf],
        &[f32::NAN],
        &[most],
        &[-most],
        &[inf, -inf],
        &[most, -most],
        &[-inf, most],
        &[-inf, f32::NAN],
    ];
    let shape = if axis == 0 { [length, 18] } else { [18, length] };
    let (program, mut buffers, scalars) = case(0, &shape, axis, build);
    let mut numbers: Vec<f32> = buffers[0].to_bits().into_iter().map(f32::from_bits).collect();
    for (n, number) in numbers.iter_mut().enumerate() {
        let (outer, inner) = (n / shape[1], n % shape[1]);
        let (row, column) = if axis == 0 { (inner, outer) } else { (outer, inner) };
        let kind = kinds[row / 2];
        if row % 2 == 0 || column % 90 == 17 {
            *number = kind[column / 7 % kind.len()];
        }
    }
    buffers[0] = Value::float(shape, numbers).unwrap();
    (program, buffers, scalars)
}

/// Programs of several levels, over rows that a workgroup divides and rows that it does not.
pub fn levels_of_rows() -> Vec<Case> {
    let shapes: [&[usize]; 6] = [&[3, 64], &[5, 33], &[2, 257], &[300, 40], &[2, 3, 512], &[1, 1000]];
    let cases = shapes.iter().enumerate();
    let cases = cases.flat_map(|(n, shape)| {
        [softmax, spread, exponentials].map(|build| case(n as u64, shape, shape.len() - 1, build))
    });
    cases.chain([extremes(301, 1, exponentials)]).collect()
}

/// Programs of several levels along axes that are not the last, whose rows lie side by side: as
/// many as share a workgroup, some more, in pieces of them, and too few.
pub fn levels_of_columns() -> Vec<Case> {
    let shapes: [(&[usize], usize); 7] = [
        (&[64, 32], 0),
        (&[65, 37], 0),
        (&[3, 130, 9], 1),
        (&[2, 33, 3, 5], 1),
        (&[600, 17], 0),
        (&[40, 1], 0),
        (&[5, 40], 0),
    ];
    let cases = shapes.iter().enumerate().flat_map(|(n, &(shape, axis))| {
        [softmax, spread, exponentials, normalised, compared].map(|build| case(n as u64, shape, axis, build))
    });
    cases.chain([extremes(301, 0, exponentials), extremes(40, 0, softmax)]).collect()
}

/// Programs of one level and of several over many short rows, some of them shorter than what
/// invocations share, and fewer than share a workgroup.
pub fn short_rows() -> Vec<Case> {
    let shapes: [&[usize]; 8] =
        [&[257, 10], &[130, 49], &[8, 5, 32], &[70, 3], &[64, 1], &[9, 128], &[33, 100], &[5, 7]];
    let cases = shapes.iter().enumerate().flat_map(|(n, shape)| {
        [softmax, spread, exponentials, normalised, compared]
            .map(|build| case(n as u64, shape, shape.len() - 1, build))
    });
    cases.chain([extremes(50, 1, exponentials), extremes(12, 1, softmax)]).collect()
}

/// Elementwise programs of two inputs and two results, of sizes that divide and that do not.
pub fn large_maps() -> Vec<Case> {
    let sizes: [&[usize]; 4] = [&[4, 512], &[3, 1024], &[37, 61], &[5000]];
    let build = |(seed, shape): (usize, &&[usize])| {
        let mut graph = Graph::new();
        let (x, y) = (leaf(&mut graph, shape), leaf(&mut graph, shape));
        let sum = binary(&mut graph, Binary::Add, x, y);
        let product = binary(&mut graph, Binary::Mul, sum, y);
        let program = TensorProgram::from_graph(&graph, &[sum, product]).0;
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    sizes.iter().enumerate().map(build).collect()
}

/// Maps over padded tensors, of rows that four divides and does not: a number is added, in one
/// result, and compared with, in the other.
pub fn padded_maps() -> Vec<Case> {
    let shapes: [(&[usize], &[usize]); 4] =
        [(&[4, 9], &[6, 10]), (&[2, 3, 5], &[4, 5, 7]), (&[3, 500], &[4, 511]), (&[17, 6], &[19, 8])];
    let build = |(seed, (shape, padded)): (usize, &(&[usize], &[usize]))| {
        let mut graph = Graph::new();
        let (x, y) = (leaf(&mut graph, shape), leaf(&mut graph, padded));
        let low = vec![Coefficient::Const(1); shape.len()];
        let (interior, value) = (vec![0; shape.len()], Literal::F32(0.5));
        let view = View::Pad { low, interior, shape: (*padded).into(), value };
        let x = graph.add(Op::View(view), &[x]).unwrap();
        sum_and_comparison(graph, x, y, seed as u64)
    };
    shapes.iter().enumerate().map(build).collect()
}

/// The sum of two values, and where the first is less.
fn sum_and_comparison(mut graph: Graph, x: NodeId, y: NodeId, seed: u64) -> Case {
    let sum = binary(&mut graph, Binary::Add, x, y);
    let less = graph.add(Op::Compare(Compare::Lt), &[x, y]).unwrap();
    let program = TensorProgram::from_graph(&graph, &[sum, less]).0;
    let (buffers, scalars) = random_inputs(&program, seed, true);
    (program, buffers, scalars)
}

/// Stacks of three planes, of numbers of pixels that four divides: added to a picture in one
/// result, and compared with it in the other.
pub fn pictures() -> Vec<Case> {
    let shapes: [&[usize]; 4] = [&[4], &[2, 6], &[12, 5], &[3, 2, 14]];
    let build = |(seed, shape): (usize, &&[usize])| {
        let mut graph = Graph::new();
        let planes: Vec<_> = (0..3).map(|_| leaf(&mut graph, shape)).collect();
        let [one, three] = [1, 3].map(|colours| shape.iter().copied().chain([colours]).collect::<Vec<_>>());
        let picture = leaf(&mut graph, &three);
        let padded = |graph: &mut Graph, (n, &plane): (usize, &NodeId)| {
            let plane = graph.add(Op::View(View::Reshape(Shape::from(&one[..]))), &[plane]).unwrap();
            let mut low = vec![Coefficient::Const(0); three.len()];
            low[shape.len()] = Coefficient::Const(n as i64);
            let (interior, value) = (vec![0; three.len()], Literal::F32(0.0));
            let view = View::Pad { low, interior, shape: Shape::from(&three[..]), value };
            graph.add(Op::View(view), &[plane]).unwrap()
        };
        let all: Vec<_> = planes.iter().enumerate().map(|it| padded(&mut graph, it)).collect();
        let two = binary(&mut graph, Binary::Add, all[0], all[1]);
        let stack = binary(&mut graph, Binary::Max, two, all[2]);
        sum_and_comparison(graph, picture, stack, seed as u64)
    };
    shapes.iter().enumerate().map(build).collect()
}

/// Columns reduced in several ways, of numbers and lengths that divide by four, by three and by
/// neither, with equal elements among them.
pub fn columns() -> Vec<Case> {
    let shapes: [&[usize]; 6] = [&[257, 12], &[70, 9], &[2, 600, 5], &[33, 4, 2, 3], &[200, 9], &[64, 6]];
    let build = |(seed, shape): (usize, &&[usize])| {
        let mut graph = Graph::new();
        let x = leaf(&mut graph, shape);
        let axis = shape.len() / 2 - usize::from(shape.len() == 2);
        let coarse = graph.add(Op::Unary(Unary::Round), &[x]).unwrap();
        let roots =
            [(ReduceOp::Sum, x), (ReduceOp::Max, x), (ReduceOp::ArgMax, coarse), (ReduceOp::ArgMin, coarse)]
                .map(|(op, x)| graph.add(Op::Reduce { op, axes: vec![axis] }, &[x]).unwrap());
        let program = TensorProgram::from_graph(&graph, &roots).0;
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    shapes.iter().enumerate().map(build).collect()
}

/// Elementwise programs of what is permuted and what is not, of extents that tiles divide and that
/// they do not.
pub fn transposed_maps() -> Vec<Case> {
    let shapes: [(&[usize], &[usize]); 8] = [
        (&[300, 3], &[1, 0]),
        (&[8, 150], &[1, 0]),
        (&[2, 290, 5], &[0, 2, 1]),
        (&[64, 32], &[1, 0]),
        (&[37, 70], &[1, 0]),
        (&[3, 40, 33], &[0, 2, 1]),
        (&[35, 2, 50], &[2, 1, 0]),
        (&[5, 7, 3, 2], &[3, 1, 2, 0]),
    ];
    let build = |(seed, (shape, axes)): (usize, &(&[usize], &[usize]))| {
        let mut graph = Graph::new();
        let turned: Vec<usize> = axes.iter().map(|&axis| shape[axis]).collect();
        let (x, y, z) = (leaf(&mut graph, shape), leaf(&mut graph, shape), leaf(&mut graph, &turned));
        let mut permute = |x| graph.add(Op::View(View::Permute(axes.to_vec())), &[x]).unwrap();
        let (x, y) = (permute(x), permute(y));
        let sum = binary(&mut graph, Binary::Add, x, z);
        let product = binary(&mut graph, Binary::Mul, sum, y);
        let program = TensorProgram::from_graph(&graph, &[sum, product]).0;
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    shapes.iter().enumerate().map(build).collect()
}

/// What forces between bodies move them to: how many, of how many coordinates, each of which reads
/// so many others.
pub fn bodies(sizes: &[[usize; 3]]) -> Vec<Case> {
    let build = |(seed, [count, width, others]): (usize, [usize; 3])| {
        let mut graph = Graph::new();
        let (x, y) = (leaf(&mut graph, &[count, width]), leaf(&mut graph, &[others, width]));
        let mass = leaf(&mut graph, &[others]);
        let from = x;
        let mut spread = |node, through: &[usize]| {
            let reshaped = graph.add(Op::View(View::Reshape(through.into())), &[node]).unwrap();
            graph.add(Op::View(View::Expand([count, others, width].into())), &[reshaped]).unwrap()
        };
        let (x, y) = (spread(x, &[count, 1, width]), spread(y, &[1, others, width]));
        let mass = spread(mass, &[1, others, 1]);
        let apart = binary(&mut graph, Binary::Sub, y, x);
        let squares = binary(&mut graph, Binary::Mul, apart, apart);
        let distance = graph.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[squares]).unwrap();
        let distance = graph.add(Op::View(View::Reshape([count, others, 1].into())), &[distance]).unwrap();
        let distance = graph.add(Op::View(View::Expand([count, others, width].into())), &[distance]).unwrap();
        let root = graph.add(Op::Unary(Unary::Sqrt), &[distance]).unwrap();
        let (above, pull) = (
            graph.add(Op::Unary(Unary::Exp), &[root]).unwrap(),
            binary(&mut graph, Binary::Mul, apart, mass),
        );
        let force = binary(&mut graph, Binary::Div, pull, above);
        let sum = graph.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[force]).unwrap();
        let moved = binary(&mut graph, Binary::Add, from, sum);
        let program = TensorProgram::from_graph(&graph, &[moved]).0;
        let (buffers, scalars) = random_inputs(&program, seed as u64, true);
        (program, buffers, scalars)
    };
    sizes.iter().copied().enumerate().map(build).collect()
}
