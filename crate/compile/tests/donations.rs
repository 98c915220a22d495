//! Donated leaves. A kernel writes a result over one only where the invocation that writes an
//! element is the last to read it, and the only one.

use crate::common::kernels::{run, same, words};
use crate::common::programs::random_inputs;
use std::rc::Rc;
use weft_compile::device::SOFTWARE;
use weft_compile::{Limits, Slot, compile, plan};

use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Binary, ContractAxes, KernelCall, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::user_kernel::{Combine, Edge, Stmt, UserKernel};
use weft_ir::{DType, Literal, Shape};

/// Rows and columns of the donated leaf.
const SIDE: usize = 48;

fn leaf(graph: &mut Graph, shape: &[usize]) -> NodeId {
    graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap()
}

fn product(graph: &mut Graph, inputs: [NodeId; 2]) -> NodeId {
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    graph.add(Op::Contract(axes), &inputs).unwrap()
}

fn sum(graph: &mut Graph, a: NodeId, b: NodeId) -> NodeId {
    graph.add(Op::Binary(Binary::Add), &[a, b]).unwrap()
}

/// What a user's kernel finds one below each element.
fn below(graph: &mut Graph, x: NodeId) -> NodeId {
    let mut kernel = UserKernel::new("below", 2);
    let tensor = kernel.tensor("x", DType::F32, 2);
    let [i, j] = [0, 1].map(|axis| kernel.index(axis));
    let one = kernel.literal(Literal::I32(1));
    let next = kernel.binary(Binary::Add, i, one);
    let value = kernel.load(tensor, &[next, j], Edge::Wrap);
    let output = kernel.output("out", DType::F32, 2, Combine::Set);
    kernel.body.push(Stmt::Store { output, indices: vec![i, j], value, before: None });
    let shape: Shape = [SIDE, SIDE].into();
    let call = KernelCall { kernel: Rc::new(kernel), grid: shape.clone(), shapes: vec![shape.clone()] };
    let call = graph.add(Op::Kernel(Rc::new(call)), &[x]).unwrap();
    graph.add(Op::Part { index: 0, shape, dtype: DType::F32 }, &[call]).unwrap()
}

/// A result of a matrix, which is given up, and of another.
type Result = fn(&mut Graph, NodeId, NodeId) -> NodeId;

/// Whether each result is written over the matrix.
const RESULTS: [(&str, Result, bool); 9] = [
    ("each element by itself", |graph, x, _| graph.add(Op::Unary(Unary::Abs), &[x]).unwrap(), true),
    (
        "an update beside the product that it takes",
        |graph, x, y| {
            let step = product(graph, [y, y]);
            sum(graph, x, step)
        },
        true,
    ),
    ("the left operand of a product", |graph, x, y| product(graph, [x, y]), false),
    ("the right operand of a product", |graph, x, y| product(graph, [y, x]), false),
    (
        "an operand of the product that is added to it",
        |graph, x, y| {
            let step = product(graph, [y, x]);
            sum(graph, x, step)
        },
        false,
    ),
    (
        "itself turned",
        |graph, x, _| {
            let turned = graph.add(Op::View(View::Permute(vec![1, 0])), &[x]).unwrap();
            sum(graph, x, turned)
        },
        false,
    ),
    (
        "an update in the kernel of a user's kernel that reads another",
        |graph, x, y| {
            let step = below(graph, y);
            sum(graph, x, step)
        },
        true,
    ),
    (
        "an update in the kernel of a user's kernel that reads its neighbours",
        |graph, x, _| {
            let step = below(graph, x);
            sum(graph, x, step)
        },
        false,
    ),
    (
        "the sums of its rows",
        |graph, x, y| {
            let rows = graph.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[x]).unwrap();
            let rows = graph.add(Op::View(View::Reshape([1, SIDE].into())), &[rows]).unwrap();
            let rows = graph.add(Op::View(View::Expand([SIDE, SIDE].into())), &[rows]).unwrap();
            sum(graph, rows, y)
        },
        false,
    ),
];

#[test]
fn a_leaf_is_written_over_only_where_it_is_read() {
    for (what, result, expected) in RESULTS {
        let mut graph = Graph::new();
        let (x, y) = (leaf(&mut graph, &[SIDE, SIDE]), leaf(&mut graph, &[SIDE, SIDE]));
        let root = result(&mut graph, x, y);
        let program = TensorProgram::from_graph(&graph, &[root]).0;
        let (buffers, scalars) = random_inputs(&program, 1, true);
        let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
        let values = interpret::run::<f32>(&program, &given, &scalars).unwrap();
        for limits in [Limits::floor(), Limits::of(&SOFTWARE)] {
            let executable = compile(&program, &limits, &[0]).unwrap();
            assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "{what}\n{program}\n{executable}");
            let is_written_over = executable.slots[executable.outputs[0]] == Slot::Leaf(0);
            assert_eq!(is_written_over, expected, "{what}\n{program}\n{executable}");
            let got = run(&executable, &words(&buffers), &scalars);
            assert!(same(&got[0], &values[0]), "{what}\n{program}\n{executable}");
        }
    }
}
