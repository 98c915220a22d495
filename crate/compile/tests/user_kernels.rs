//! Users' kernels on the kernel interpreter: lowered, they compute what the interpreter of users'
//! kernels does.

use crate::common::kernels::{run_as_written, same, words};
use crate::common::programs::random_inputs;
use crate::common::rotation;
use crate::common::user_kernels::{program_around, program_followed, program_of, random_call};
use std::rc::Rc;
use weft_compile::{Limits, compile, plan};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::region::results;
use weft_ir::op::{Binary, KernelCall, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::user_kernel::verify::verify;
use weft_ir::user_kernel::{Combine, Coordinate, Edge, Expr, ExprId, Stmt, SubgroupOp, UserKernel};
use weft_ir::{DType, Literal, Shape, interpret};

#[test]
fn random_kernels_compute_what_they_mean() {
    for seed in rotation::seeds(50_000, 200) {
        let (call, shapes) = random_call(seed);
        let program = match seed % 3 {
            0 => program_of(&call, &shapes),
            1 => program_around(&call, &shapes, seed),
            _ => program_followed(&call, &shapes, seed),
        };
        agrees(&call, &program, seed);
    }
}

/// Each operation across subgroups, of whole workgroups and of a last subgroup that is smaller.
#[test]
fn subgroups_exchange_values_through_the_memory_of_their_workgroup() {
    for (seed, sides) in (0..).zip([[32, 1, 1], [48, 1, 1], [4, 5, 2], [8, 8, 4], [3, 1, 1]]) {
        for dtype in [DType::F32, DType::I32, DType::U32] {
            let mut kernel = UserKernel::new("across", 3);
            kernel.workgroup = Some(sides);
            let x = kernel.tensor("x", dtype, 3);
            let at = [0, 1, 2].map(|axis| kernel.index(axis));
            let value = kernel.load(x, &at, Edge::Clamp);
            let number = kernel.expr(Expr::Index(Coordinate::Local, 0));
            let from = kernel.expr(Expr::Cast(DType::U32, number));
            let ops = [SubgroupOp::Add, SubgroupOp::Min, SubgroupOp::Max, SubgroupOp::AddBefore];
            let mut values = ops.map(|op| Expr::Subgroup(op, value)).to_vec();
            values.push(Expr::Shuffle(value, from));
            for value in values {
                let value = kernel.expr(value);
                // What was exchanged is exchanged again.
                let local = kernel.local("all", dtype);
                let own = kernel.read(local);
                let again = kernel.expr(Expr::Subgroup(SubgroupOp::Max, own));
                let output = kernel.output("out", dtype, 3, Combine::Set);
                kernel.body.push(Stmt::Let(local, value));
                kernel.body.push(Stmt::Let(local, again));
                kernel.body.push(Stmt::Store { output, indices: at.to_vec(), value: own, before: None });
            }
            verify(&kernel).unwrap();
            let grid: Shape = sides.iter().rev().map(|&side| 2 * side as usize).collect::<Vec<_>>().into();
            let shapes = vec![grid.clone(); kernel.outputs.len()];
            let call = KernelCall { kernel: Rc::new(kernel), grid: grid.clone(), shapes };
            let program = program_of(&call, &[grid]);
            agrees(&call, &program, seed);
        }
    }
}

/// Asserts that a program is lowered to kernels that compute what it does.
fn agrees(call: &KernelCall, program: &TensorProgram, seed: u64) {
    let (buffers, scalars) = random_inputs(program, seed, true);
    let expected = interpret::run::<f32>(program, &buffers, &scalars).unwrap();
    let limits =
        Limits { long_dispatch: if seed.is_multiple_of(4) { 1 } else { u64::MAX }, ..Limits::floor() };
    let executable = compile(program, &limits, &[]).unwrap();
    assert_eq!(plan::verify::plan(program, &executable), Ok(()), "seed {seed}\n{executable}");
    let got = run_as_written(&executable, &words(&buffers), &scalars);
    for (n, (got, expected)) in got.iter().zip(&expected).enumerate() {
        let kernels: Vec<String> = executable.kernels.iter().map(ToString::to_string).collect();
        assert!(
            same(got, expected),
            "seed {seed}, output {n}: {:?} expected {:?}\n{}\n{}{executable}\n{}",
            got,
            expected.to_bits(),
            call.kernel,
            program,
            kernels.join("\n")
        );
    }
}

/// A kernel over `grid` that stores `x[i, j] · 2` into an output of its elements, its square root
/// into one of two for each, and adds it to a third that is elsewhere.
fn of_three_outputs(grid: [usize; 2]) -> KernelCall {
    let mut kernel = UserKernel::new("three", 2);
    let x = kernel.tensor("x", DType::F32, 2);
    let at = [kernel.index(0), kernel.index(1)];
    let value = kernel.load(x, &at, Edge::Clamp);
    let twice = kernel.binary(Binary::Add, value, value);
    let one = kernel.output("one", DType::F32, 2, Combine::Set);
    let two = kernel.output("two", DType::F32, 3, Combine::Set);
    let sum = kernel.output("sum", DType::I32, 2, Combine::Add);
    let store = |output, indices: Vec<ExprId>, value| Stmt::Store { output, indices, value, before: None };
    let ends = [0, 1].map(|n| kernel.literal(Literal::I32(n)));
    let whole = kernel.expr(Expr::Cast(DType::I32, value));
    kernel.body = vec![
        store(one, at.to_vec(), twice),
        store(two, vec![at[0], at[1], ends[0]], value),
        store(two, vec![at[0], at[1], ends[1]], twice),
        store(sum, vec![at[1], ends[0]], whole),
    ];
    verify(&kernel).unwrap();
    let [high, wide] = grid;
    let shapes = vec![grid.into(), [high, wide, 2].into(), grid.into()];
    KernelCall { kernel: Rc::new(kernel), grid: grid.into(), shapes }
}

/// How many kernels compute what `follow` makes of the outputs of that kernel, after it was
/// compared.
fn dispatches(follow: impl FnOnce(&mut Graph, &[NodeId]) -> Vec<NodeId>) -> usize {
    let grid = [6, 6];
    let call = of_three_outputs(grid);
    let mut graph = Graph::new();
    let x = graph.add_placeholder(Op::Buffer(grid.into(), DType::F32)).unwrap();
    let op = Op::Kernel(Rc::new(call.clone()));
    let types = results(&op);
    let node = graph.add(op, &[x]).unwrap();
    let part = |(index, (shape, dtype))| graph.add(Op::Part { index, shape, dtype }, &[node]).unwrap();
    let mut parts: Vec<NodeId> = types.into_iter().enumerate().map(part).collect();
    parts.push(x);
    let roots = follow(&mut graph, &parts);
    let program = TensorProgram::from_graph(&graph, &roots).0;
    agrees(&call, &program, 5);
    compile(&program, &Limits::floor(), &[]).unwrap().dispatches.len()
}

/// The kernel alone takes two dispatches, as its sum begins with nothing.
#[test]
fn elementwise_nodes_join_the_kernel_whose_elements_they_read() {
    let unary = |graph: &mut Graph, op, x| graph.add(Op::Unary(op), &[x]).unwrap();
    let binary = |graph: &mut Graph, a, b| graph.add(Op::Binary(Binary::Add), &[a, b]).unwrap();
    let view = |graph: &mut Graph, view, x| graph.add(Op::View(view), &[x]).unwrap();
    assert_eq!(dispatches(|_, parts| parts[..3].to_vec()), 2);
    // A chain, with a tensor of its own, whose middle is a result; and what it reads is none.
    assert_eq!(
        dispatches(|graph, parts| {
            let more = binary(graph, parts[0], parts[3]);
            vec![parts[2], more, unary(graph, Unary::Neg, more)]
        }),
        2
    );
    // Of two for each invocation, and both kinds at once.
    assert_eq!(
        dispatches(|graph, parts| {
            let wide = view(graph, View::Reshape([6, 6, 1].into()), parts[0]);
            let wide = view(graph, View::Expand([6, 6, 2].into()), wide);
            vec![parts[2], binary(graph, wide, parts[1]), unary(graph, Unary::Neg, parts[0])]
        }),
        2
    );
    // Seen otherwise, in one order.
    assert_eq!(
        dispatches(|graph, parts| {
            let flat = view(graph, View::Reshape([36].into()), parts[0]);
            vec![parts[0], parts[2], unary(graph, Unary::Neg, flat)]
        }),
        2
    );
    // At other elements, of a sum, and of all.
    assert_eq!(
        dispatches(|graph, parts| {
            let turned = view(graph, View::Permute(vec![1, 0]), parts[0]);
            vec![parts[2], binary(graph, parts[0], turned)]
        }),
        3
    );
    assert_eq!(dispatches(|graph, parts| vec![unary(graph, Unary::Neg, parts[2])]), 3);
    assert_eq!(
        dispatches(|graph, parts| {
            let op = Op::Reduce { op: ReduceOp::Max, axes: vec![0, 1] };
            let most = graph.add(op, &[parts[0]]).unwrap();
            let all = view(graph, View::Reshape([1, 1].into()), most);
            let all = view(graph, View::Expand([6, 6].into()), all);
            vec![parts[2], binary(graph, all, parts[0])]
        }),
        3
    );
}
