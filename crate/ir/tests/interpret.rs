//! The reference interpreter on small cases checked by hand: the result of each primitive, corner
//! cases included.

use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Data, Value};
use weft_ir::op::{Binary, Coefficient, Compare, ContractAxes, Op, ReduceOp, Scan, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, ErrorKind, Literal, Shape, verify};

/// Inputs whose shapes and dtypes make the leaves of a graph that `op` ends.
fn apply(op: Op, inputs: &[Value<f32>]) -> Value<f32> {
    let mut graph = Graph::new();
    let leaves: Vec<NodeId> = inputs
        .iter()
        .map(|v| graph.add_placeholder(Op::Buffer(v.shape().clone(), v.dtype())).unwrap())
        .collect();
    let root = graph.add(op, &leaves).unwrap();
    let (program, found, _) = TensorProgram::from_graph(&graph, &[root]);
    verify::verify(&program).unwrap();
    let bound: Vec<&Value<f32>> =
        found.buffers.iter().map(|b| &inputs[leaves.iter().position(|l| l == b).unwrap()]).collect();
    interpret::run(&program, &bound, &[]).unwrap().remove(0)
}

fn f(shape: impl Into<Shape>, data: &[f32]) -> Value<f32> {
    Value::float(shape, data).unwrap()
}

fn i(shape: impl Into<Shape>, data: &[i32]) -> Value<f32> {
    Value::i32(shape, data).unwrap()
}

fn u(shape: impl Into<Shape>, data: &[u32]) -> Value<f32> {
    Value::u32(shape, data).unwrap()
}

fn b(shape: impl Into<Shape>, data: &[bool]) -> Value<f32> {
    Value::bool(shape, data).unwrap()
}

/// 0, 1, 2, … in `shape`.
fn counting(shape: impl Into<Shape>) -> Value<f32> {
    let shape = shape.into();
    let data: Vec<f32> = (0..shape.size()).map(|n| n as f32).collect();
    Value::float(shape, data).unwrap()
}

fn floats(value: &Value<f32>) -> &[f32] {
    match value.data() {
        Data::Float(v) => v,
        other => panic!("expected floats, got {other:?}"),
    }
}

#[test]
fn unary_ops() {
    let x = f([4], &[-2.5, -0.0, 0.5, f32::NAN]);
    let of = |op| apply(Op::Unary(op), std::slice::from_ref(&x));
    assert_eq!(floats(&of(Unary::Relu))[..3], [0.0, 0.0, 0.5]);
    assert!(floats(&of(Unary::Relu))[3].is_nan());
    assert_eq!(floats(&of(Unary::Round))[..3], [-2.0, 0.0, 0.0]);
    assert_eq!(floats(&of(Unary::Floor))[..3], [-3.0, 0.0, 0.0]);
    assert_eq!(floats(&of(Unary::Sign))[..3], [-1.0, 0.0, 1.0]);
    assert!(floats(&of(Unary::Sign))[1].is_sign_negative());
    assert_eq!(of(Unary::IsNan), b([4], &[false, false, false, true]));
    assert_eq!(apply(Op::Unary(Unary::Tanh), &[f([2], &[100.0, -100.0])]), f([2], &[1.0, -1.0]));
    assert_eq!(apply(Op::Unary(Unary::Neg), &[u([1], &[1])]), u([1], &[u32::MAX]));
    assert_eq!(apply(Op::Unary(Unary::Abs), &[i([2], &[i32::MIN, -3])]), i([2], &[i32::MIN, 3]));
    assert_eq!(apply(Op::Unary(Unary::Not), &[b([2], &[true, false])]), b([2], &[false, true]));
}

#[test]
fn binary_ops_and_comparisons() {
    let a = f([4], &[1.0, f32::NAN, 3.0, -7.0]);
    let c = f([4], &[2.0, 1.0, f32::NAN, 3.0]);
    let of = |op| apply(Op::Binary(op), &[a.clone(), c.clone()]);
    let max = of(Binary::Max);
    assert!(floats(&max)[1].is_nan() && floats(&max)[2].is_nan());
    assert_eq!((floats(&max)[0], floats(&max)[3]), (2.0, 3.0));
    assert_eq!(floats(&of(Binary::Rem))[3], 2.0);
    let less = apply(Op::Compare(Compare::Lt), &[a.clone(), c.clone()]);
    assert_eq!(less, b([4], &[true, false, false, true]));
    let differ = apply(Op::Compare(Compare::Ne), &[a.clone(), a]);
    assert_eq!(differ, b([4], &[false, true, false, false]));
    let (x, y) = (i([4], &[7, -7, 7, i32::MAX]), i([4], &[2, 2, 0, 1]));
    assert_eq!(apply(Op::Binary(Binary::Div), &[x.clone(), y.clone()]), i([4], &[3, -4, 0, i32::MAX]));
    assert_eq!(apply(Op::Binary(Binary::Add), &[x, y]), i([4], &[9, -5, 7, i32::MIN]));
    assert_eq!(apply(Op::Binary(Binary::Shl), &[u([2], &[1, 1]), u([2], &[31, 32])]), u([2], &[1 << 31, 0]));
    assert_eq!(
        apply(Op::Binary(Binary::Xor), &[b([2], &[true, true]), b([2], &[true, false])]),
        b([2], &[false, true])
    );
}

#[test]
fn select_cast_and_bitcast() {
    let condition = b([3], &[true, false, true]);
    let picked = apply(Op::Select, &[condition.clone(), i([3], &[1, 2, 3]), i([3], &[10, 20, 30])]);
    assert_eq!(picked, i([3], &[1, 20, 3]));
    let x = f([5], &[-1.9, 3e9, f32::NAN, f32::NEG_INFINITY, 0.0]);
    let cast = |d| apply(Op::Cast(d), std::slice::from_ref(&x));
    assert_eq!(cast(DType::I32), i([5], &[-1, i32::MAX, 0, i32::MIN, 0]));
    assert_eq!(cast(DType::U32), u([5], &[0, 3_000_000_000, 0, 0, 0]));
    assert_eq!(cast(DType::Bool), b([5], &[true, true, true, true, false]));
    assert_eq!(apply(Op::Cast(DType::F32), &[condition]), f([3], &[1.0, 0.0, 1.0]));
    assert_eq!(apply(Op::Cast(DType::U32), &[i([1], &[-1])]), u([1], &[u32::MAX]));
    assert_eq!(apply(Op::Bitcast(DType::U32), &[f([1], &[1.0])]), u([1], &[0x3f80_0000]));
    assert_eq!(apply(Op::Bitcast(DType::F32), &[i([1], &[0x4000_0000])]), f([1], &[2.0]));
}

#[test]
fn reductions_over_any_axes() {
    let x = counting([2, 3, 4]);
    let of = |op, axes: &[usize]| apply(Op::Reduce { op, axes: axes.to_vec() }, std::slice::from_ref(&x));
    assert_eq!(of(ReduceOp::Sum, &[0, 1, 2]), f([], &[276.0]));
    assert_eq!(
        of(ReduceOp::Sum, &[0]),
        f([3, 4], &std::array::from_fn::<f32, 12, _>(|n| 12.0 + 2.0 * n as f32))
    );
    assert_eq!(of(ReduceOp::Sum, &[1]), f([2, 4], &[12.0, 15.0, 18.0, 21.0, 48.0, 51.0, 54.0, 57.0]));
    assert_eq!(of(ReduceOp::Sum, &[0, 2]), f([3], &[60.0, 92.0, 124.0]));
    assert_eq!(of(ReduceOp::Max, &[0, 2]), f([3], &[15.0, 19.0, 23.0]));
    assert_eq!(of(ReduceOp::Min, &[2]), f([2, 3], &[0.0, 4.0, 8.0, 12.0, 16.0, 20.0]));
    assert_eq!(of(ReduceOp::Prod, &[0]).shape(), &Shape::from([3, 4]));
    assert_eq!(of(ReduceOp::Sum, &[]), x);
    assert_eq!(
        apply(Op::Reduce { op: ReduceOp::Max, axes: vec![0] }, &[f([3], &[-5.0, -2.0, -9.0])]),
        f([], &[-2.0])
    );
    assert_eq!(apply(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[f([2, 0], &[])]), f([2], &[0.0; 2]));
    assert_eq!(apply(Op::Reduce { op: ReduceOp::Prod, axes: vec![0] }, &[i([0], &[])]), i([], &[1]));
    assert_eq!(
        apply(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[i([2], &[i32::MAX, 1])]),
        i([], &[i32::MIN])
    );
    assert_eq!(
        apply(Op::Reduce { op: ReduceOp::Min, axes: vec![0] }, &[b([2], &[true, false])]),
        b([], &[false])
    );
}

#[test]
fn nan_wins_reductions_and_ties_go_to_the_lowest_index() {
    let x = f([2, 4], &[1.0, f32::NAN, 3.0, f32::NAN, 2.0, 5.0, 5.0, 2.0]);
    let of = |op| apply(Op::Reduce { op, axes: vec![1] }, std::slice::from_ref(&x));
    assert!(floats(&of(ReduceOp::Max))[0].is_nan() && floats(&of(ReduceOp::Min))[0].is_nan());
    assert_eq!(of(ReduceOp::ArgMax), i([2], &[1, 1]));
    assert_eq!(of(ReduceOp::ArgMin), i([2], &[1, 0]));
    let columns = apply(Op::Reduce { op: ReduceOp::ArgMax, axes: vec![0] }, &[i([2, 2], &[3, 1, 3, 2])]);
    assert_eq!(columns, i([2], &[0, 1]));
}

#[test]
fn a_sum_of_more_than_2_to_the_24_ones_is_exact() {
    let n = (1 << 24) + 3;
    let ones = f([n], &vec![1.0; n]);
    assert_eq!(
        apply(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, std::slice::from_ref(&ones)),
        f([], &[n as f32])
    );
}

#[test]
fn a_contraction_goes_on_counting_past_2_to_the_24() {
    let mut terms = vec![0.0; 256];
    terms[0] = 16_777_216.0;
    terms.extend([1.0; 1024]);
    let ones = f([1280], &[1.0; 1280]);
    let axes = ContractAxes { batch: vec![], contract: vec![(0, 0)] };
    assert_eq!(apply(Op::Contract(axes), &[f([1280], &terms), ones]), f([], &[16_778_240.0]));
}

#[test]
fn views() {
    let x = counting([2, 3]);
    let of = |view| apply(Op::View(view), std::slice::from_ref(&x));
    assert_eq!(of(View::Reshape([3, 2].into())), counting([3, 2]));
    assert_eq!(of(View::Permute(vec![1, 0])), f([3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]));
    let row = f([1, 3], &[7.0, 8.0, 9.0]);
    assert_eq!(
        apply(Op::View(View::Expand([2, 3].into())), &[row]),
        f([2, 3], &[7.0, 8.0, 9.0, 7.0, 8.0, 9.0])
    );
    let constant = |values: &[i64]| values.iter().map(|&v| Coefficient::Const(v)).collect::<Vec<_>>();
    let slice = View::Slice { starts: constant(&[1, 2]), steps: vec![-1, -2], lengths: vec![2, 2] };
    assert_eq!(of(slice), f([2, 2], &[5.0, 3.0, 2.0, 0.0]));
    let pad = View::Pad {
        low: constant(&[0, 1]),
        interior: vec![1, 0],
        shape: [3, 5].into(),
        value: Literal::F32(-1.0),
    };
    #[rustfmt::skip]
    assert_eq!(of(pad), f([3, 5], &[
        -1.0,  0.0,  1.0,  2.0, -1.0,
        -1.0, -1.0, -1.0, -1.0, -1.0,
        -1.0,  3.0,  4.0,  5.0, -1.0,
    ]));
    let empty = View::Slice { starts: constant(&[0, 0]), steps: vec![1, 1], lengths: vec![2, 0] };
    assert_eq!(of(empty), f([2, 0], &[]));
}

#[test]
fn views_stack_without_losing_their_place() {
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer([2, 3, 4].into(), DType::F32)).unwrap();
    let turned = graph.add(Op::View(View::Permute(vec![2, 0, 1])), &[x]).unwrap();
    let slice = View::Slice {
        starts: vec![Coefficient::Const(3), Coefficient::Const(0), Coefficient::Const(1)],
        steps: vec![-2, 1, 1],
        lengths: vec![2, 2, 1],
    };
    let sliced = graph.add(Op::View(slice), &[turned]).unwrap();
    let flat = graph.add(Op::View(View::Reshape([2, 1, 2, 1].into())), &[sliced]).unwrap();
    let wide = graph.add(Op::View(View::Expand([2, 3, 2, 1].into())), &[flat]).unwrap();
    let back = graph.add(Op::View(View::Reshape([12].into())), &[wide]).unwrap();
    let (program, ..) = TensorProgram::from_graph(&graph, &[back, sliced]);
    let out = interpret::run(&program, &[counting([2, 3, 4])], &[]).unwrap();
    assert_eq!(out[1], f([2, 2, 1], &[7.0, 19.0, 5.0, 17.0]));
    let (a, b) = ([7.0, 19.0], [5.0, 17.0]);
    assert_eq!(out[0], f([12], &[a, a, a, b, b, b].concat()));
}

#[test]
fn a_slice_moves_by_a_parameter_within_its_range() {
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer([10].into(), DType::F32)).unwrap();
    let at = graph.add_placeholder(Op::Scalar(DType::I32)).unwrap();
    let start = Coefficient::Param { input: 1, min: 0, max: 7 };
    let view = View::Slice { starts: vec![start], steps: vec![1], lengths: vec![3] };
    let root = graph.add(Op::View(view), &[x, at]).unwrap();
    let (program, ..) = TensorProgram::from_graph(&graph, &[root]);
    let run = |at| interpret::run(&program, &[counting([10])], &[Literal::I32(at)]);
    assert_eq!(run(4).unwrap()[0], f([3], &[4.0, 5.0, 6.0]));
    assert_eq!(run(7).unwrap()[0], f([3], &[7.0, 8.0, 9.0]));
    let error = run(8).unwrap_err();
    assert_eq!(error.to_string(), "interpret: a view's parameter is 8, expected 0 to 7");
}

#[test]
fn contractions() {
    let axes = |batch: &[(usize, usize)], contract: &[(usize, usize)]| {
        Op::Contract(ContractAxes { batch: batch.to_vec(), contract: contract.to_vec() })
    };
    let (a, c) = (counting([2, 3]), counting([3, 2]));
    assert_eq!(apply(axes(&[], &[(1, 0)]), &[a.clone(), c.clone()]), f([2, 2], &[10.0, 13.0, 28.0, 40.0]));
    assert_eq!(apply(axes(&[], &[(0, 1)]), &[a.clone(), c.clone()]).shape(), &Shape::from([3, 3]));
    assert_eq!(apply(axes(&[(1, 0)], &[]), &[a.clone(), c]).shape(), &Shape::from([3, 2, 2]));
    assert_eq!(
        apply(axes(&[(0, 0), (1, 1)], &[]), &[a.clone(), a.clone()]),
        f([2, 3], &[0.0, 1.0, 4.0, 9.0, 16.0, 25.0])
    );
    assert_eq!(apply(axes(&[(0, 0)], &[(1, 1)]), &[a.clone(), a.clone()]), f([2], &[5.0, 50.0]));
    assert_eq!(apply(axes(&[], &[(1, 0)]), &[i([1, 2], &[3, -4]), i([2, 1], &[5, 6])]), i([1, 1], &[-9]));
    assert_eq!(apply(axes(&[], &[(1, 0)]), &[f([2, 0], &[]), f([0, 3], &[])]), f([2, 3], &[0.0; 6]));
}

#[test]
fn blocked_contractions_agree_with_three_loops() {
    let (m, k, n) = (5, 517, 71);
    let number = |seed: usize| ((seed * 7919 % 101) as f64 - 50.0) / 32.0;
    let left: Vec<f64> = (0..m * k).map(number).collect();
    let right: Vec<f64> = (0..k * n).map(|s| number(s + 3)).collect();
    let mut expected = vec![0.0; m * n];
    for row in 0..m {
        for column in 0..n {
            expected[row * n + column] = (0..k).map(|d| left[row * k + d] * right[d * n + column]).sum();
        }
    }
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer([m, k].into(), DType::F32)).unwrap();
    let y = graph.add_placeholder(Op::Buffer([k, n].into(), DType::F32)).unwrap();
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let root = graph.add(Op::Contract(axes), &[x, y]).unwrap();
    let (program, ..) = TensorProgram::from_graph(&graph, &[root]);
    let wide =
        [Value::<f64>::float([m, k], left.clone()).unwrap(), Value::float([k, n], right.clone()).unwrap()];
    assert_eq!(interpret::run(&program, &wide, &[]).unwrap()[0].to_f64(), expected);
    let narrow = [
        Value::<f32>::from_f64([m, k], DType::F32, &left).unwrap(),
        Value::from_f64([k, n], DType::F32, &right).unwrap(),
    ];
    for (a, b) in interpret::run(&program, &narrow, &[]).unwrap()[0].to_f64().iter().zip(&expected) {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(30.0), "{a} {b}");
    }
}

#[test]
fn gathers_clamp() {
    let x = counting([2, 3]);
    let indices = i([2, 2], &[0, 9, -4, 1]);
    assert_eq!(
        apply(Op::Gather { axis: 1 }, &[x.clone(), indices]),
        f([2, 2, 2], &[0.0, 2.0, 0.0, 1.0, 3.0, 5.0, 3.0, 4.0])
    );
    assert_eq!(
        apply(Op::Gather { axis: 0 }, &[x, u([3], &[u32::MAX, 0, 1])]),
        f([3, 3], &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    );
}

#[test]
fn scatters_drop_and_the_last_update_wins() {
    let base = f([4], &[10.0, 20.0, 30.0, 40.0]);
    let indices = i([5], &[1, 3, 1, -1, 4]);
    let updates = f([5], &[1.0, 50.0, 3.0, 99.0, 99.0]);
    let of = |op| apply(Op::Scatter { axis: 0, op }, &[base.clone(), indices.clone(), updates.clone()]);
    assert_eq!(of(ScatterOp::Set), f([4], &[10.0, 3.0, 30.0, 50.0]));
    assert_eq!(of(ScatterOp::Add), f([4], &[10.0, 24.0, 30.0, 90.0]));
    assert_eq!(of(ScatterOp::Min), f([4], &[10.0, 1.0, 30.0, 40.0]));
    assert_eq!(of(ScatterOp::Max), f([4], &[10.0, 20.0, 30.0, 50.0]));
    let rows = apply(
        Op::Scatter { axis: 1, op: ScatterOp::Set },
        &[counting([2, 3]), u([], &[2]), f([2], &[-1.0, -2.0])],
    );
    assert_eq!(rows, f([2, 3], &[0.0, 1.0, -1.0, 3.0, 4.0, -2.0]));
}

#[test]
fn leaves_constants_and_iota() {
    let iota = |axis, dtype| apply(Op::Iota { shape: [2, 3].into(), axis, dtype }, &[]);
    assert_eq!(iota(0, DType::I32), i([2, 3], &[0, 0, 0, 1, 1, 1]));
    assert_eq!(iota(1, DType::U32), u([2, 3], &[0, 1, 2, 0, 1, 2]));
    assert_eq!(apply(Op::Constant(Literal::Bool(true)), &[]), b([], &[true]));
    let empty = apply(Op::Iota { shape: [2, 0].into(), axis: 1, dtype: DType::I32 }, &[]);
    assert_eq!(empty, i([2, 0], &[]));
}

#[test]
fn buffers_are_never_written_and_dead_nodes_are_skipped() {
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer([3].into(), DType::F32)).unwrap();
    let square = graph.add(Op::Binary(Binary::Mul), &[x, x]).unwrap();
    let negated = graph.add(Op::Unary(Unary::Neg), &[square]).unwrap();
    let exp = graph.add(Op::Unary(Unary::Neg), &[negated]).unwrap();
    let (mut program, ..) = TensorProgram::from_graph(&graph, &[exp, x, negated]);
    let value = f([3], &[1.0, 2.0, 3.0]);
    let out = interpret::run(&program, std::slice::from_ref(&value), &[]).unwrap();
    assert_eq!(out, [f([3], &[1.0, 4.0, 9.0]), value.clone(), f([3], &[-1.0, -4.0, -9.0])]);
    program.outputs.truncate(0);
    assert!(interpret::run(&program, &[value], &[]).unwrap().is_empty());
}

#[test]
fn what_does_not_fit_is_an_error() {
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer([3].into(), DType::F32)).unwrap();
    let n = graph.add_placeholder(Op::Scalar(DType::F32)).unwrap();
    let (program, ..) = TensorProgram::from_graph(&graph, &[x, n]);
    let kind = |buffers: &[Value<f32>], scalars: &[Literal]| {
        interpret::run(&program, buffers, scalars).unwrap_err().kind
    };
    let (good, one) = (counting([3]), Literal::F32(1.0));
    assert_eq!(kind(&[], &[one]), ErrorKind::Value);
    assert_eq!(kind(std::slice::from_ref(&good), &[]), ErrorKind::Value);
    assert_eq!(kind(&[good.clone(), good.clone()], &[one]), ErrorKind::Value);
    assert_eq!(kind(&[counting([4])], &[one]), ErrorKind::Shape);
    assert_eq!(kind(&[i([3], &[0; 3])], &[one]), ErrorKind::DType);
    assert_eq!(kind(&[good], &[Literal::I32(1)]), ErrorKind::DType);
    assert!(Value::<f32>::float([2], [1.0]).is_err());
}

#[test]
fn bits_go_in_and_out_as_a_buffer_holds_them() {
    for dtype in [DType::F32, DType::I32, DType::U32, DType::Bool] {
        let bits = [0, 1, 1, 0];
        let value = Value::<f64>::from_bits([2, 2], dtype, &bits).unwrap();
        assert_eq!((value.dtype(), value.to_bits()), (dtype, bits.to_vec()));
    }
}

/// Rows and columns of running reductions along the rows: columns of positive, negative and
/// mixed numbers, so that none agrees with another identity than its own.
const SCANNED: [usize; 2] = [5, 3];

/// By definition: for each element, all of its block up to it, from the identity.
fn running<T: Copy>(x: &[T], how: Scan, identity: T, step: impl Fn(T, T) -> T) -> Vec<T> {
    let [rows, columns] = SCANNED;
    let of = |row: usize, column: usize| {
        let counts = |other: usize| {
            let before = if how.reverse { other > row } else { other < row };
            other / how.block == row / how.block && (before || (other == row && !how.exclusive))
        };
        (0..rows)
            .filter(|&other| counts(other))
            .fold(identity, |total, other| step(total, x[other * columns + column]))
    };
    (0..rows * columns).map(|n| of(n / columns, n % columns)).collect()
}

#[test]
fn running_reductions_of_every_dtype_begin_with_their_identity() {
    use ReduceOp::{Max, Min, Prod, Sum};
    let ints = [3, -4, 2, 7, -1, -5, 2, -6, 0, 9, -2, 4, 5, -3, -1];
    let floats = ints.map(|n| n as f32);
    let naturals = ints.map(|n: i32| n.unsigned_abs() + 1);
    let bools =
        [true, false, true, true, false, false, true, false, true, true, false, false, true, false, true];
    for (reverse, exclusive, block) in
        [(false, false, 5), (true, false, 5), (false, true, 5), (true, true, 2), (false, false, 2)]
    {
        let scan = |op| Scan { axis: 0, op, reverse, exclusive, block };
        let of = |op, x: &Value<f32>| apply(Op::Scan(scan(op)), std::slice::from_ref(x));
        let x = f(SCANNED, &floats);
        for (op, identity, step) in [
            (Sum, 0.0, (|a, b| a + b) as fn(f32, f32) -> f32),
            (Prod, 1.0, |a, b| a * b),
            (Max, f32::NEG_INFINITY, f32::max),
            (Min, f32::INFINITY, f32::min),
        ] {
            assert_eq!(of(op, &x), f(SCANNED, &running(&floats, scan(op), identity, step)), "{:?}", scan(op));
        }
        let x = i(SCANNED, &ints);
        for (op, identity, step) in [
            (Sum, 0, i32::wrapping_add as fn(i32, i32) -> i32),
            (Prod, 1, i32::wrapping_mul),
            (Max, i32::MIN, i32::max),
            (Min, i32::MAX, i32::min),
        ] {
            assert_eq!(of(op, &x), i(SCANNED, &running(&ints, scan(op), identity, step)), "{:?}", scan(op));
        }
        let x = u(SCANNED, &naturals);
        for (op, identity, step) in [
            (Sum, 0, u32::wrapping_add as fn(u32, u32) -> u32),
            (Prod, 1, u32::wrapping_mul),
            (Max, 0, u32::max),
            (Min, u32::MAX, u32::min),
        ] {
            assert_eq!(
                of(op, &x),
                u(SCANNED, &running(&naturals, scan(op), identity, step)),
                "{:?}",
                scan(op)
            );
        }
        let x = b(SCANNED, &bools);
        for (op, identity, step) in
            [(Max, false, (|a, b| a | b) as fn(bool, bool) -> bool), (Min, true, |a, b| a & b)]
        {
            assert_eq!(of(op, &x), b(SCANNED, &running(&bools, scan(op), identity, step)), "{:?}", scan(op));
        }
    }
}
