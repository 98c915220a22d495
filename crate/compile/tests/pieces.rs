//! Splitting of long dispatches, so that nothing keeps a device for long. Long dispatches can run
//! in pieces, and no workgroup is long by itself.

use weft_compile::device::{DeviceModel, GPU, SOFTWARE};
use weft_compile::lower::cost;
use weft_compile::{Executable, Limits, compile};
use weft_ir::DType;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;

fn program(build: impl FnOnce(&mut Graph) -> NodeId) -> TensorProgram {
    let mut graph = Graph::new();
    let root = build(&mut graph);
    TensorProgram::from_graph(&graph, &[root]).0
}

fn leaf(graph: &mut Graph, shape: &[usize], dtype: DType) -> NodeId {
    graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap()
}

fn product(m: usize, k: usize, n: usize) -> TensorProgram {
    program(|graph| {
        let (a, b) = (leaf(graph, &[m, k], DType::F32), leaf(graph, &[k, n], DType::F32));
        graph.add(Op::Contract(ContractAxes { batch: vec![], contract: vec![(1, 0)] }), &[a, b]).unwrap()
    })
}

fn sum(length: usize) -> TensorProgram {
    program(|graph| {
        let x = leaf(graph, &[length], DType::F32);
        graph.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[x]).unwrap()
    })
}

/// exp(x − max x) / Σ exp(x − max x) of one long row.
fn softmax(length: usize) -> TensorProgram {
    program(|graph| {
        let x = leaf(graph, &[1, length], DType::F32);
        let wide = |graph: &mut Graph, op, x| {
            let total = graph.add(Op::Reduce { op, axes: vec![1] }, &[x]).unwrap();
            let total = graph.add(Op::View(View::Reshape([1, 1].into())), &[total]).unwrap();
            graph.add(Op::View(View::Expand([1, length].into())), &[total]).unwrap()
        };
        let most = wide(graph, ReduceOp::Max, x);
        let less = graph.add(Op::Binary(Binary::Sub), &[x, most]).unwrap();
        let exp = graph.add(Op::Unary(Unary::Exp), &[less]).unwrap();
        let total = wide(graph, ReduceOp::Sum, exp);
        graph.add(Op::Binary(Binary::Div), &[exp, total]).unwrap()
    })
}

fn scatter(places: usize, indices: usize) -> TensorProgram {
    program(|graph| {
        let base = leaf(graph, &[places], DType::F32);
        let (index, update) = (leaf(graph, &[indices], DType::I32), leaf(graph, &[indices], DType::F32));
        graph.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[base, index, update]).unwrap()
    })
}

fn on(model: &'static DeviceModel) -> Limits {
    Limits { binding_bytes: 2 << 30, ..Limits::of(model) }
}

fn workgroups(counts: [u32; 3]) -> f64 {
    counts.iter().map(|&count| f64::from(count)).product()
}

#[test]
fn no_workgroup_is_long_and_long_dispatches_can_be_cut() {
    let programs = [
        ("product", product(3000, 3000, 3000)),
        ("deep product", product(64, 1 << 20, 64)),
        ("product of few", product(1, 1 << 14, 1 << 14)),
        ("sum", sum(1 << 28)),
        ("softmax", softmax(1 << 26)),
        ("scatter", scatter(1 << 20, 1 << 16)),
    ];
    for (name, program) in &programs {
        for model in [&GPU, &SOFTWARE] {
            let limits = on(model);
            let executable = compile(program, &limits, &[]).unwrap();
            for dispatch in &executable.dispatches {
                let kernel = &executable.kernels[dispatch.kernel];
                let one = cost::of_workgroup(kernel);
                assert!(one <= 2e9, "{name}: a workgroup of {:?} makes {one} operations", kernel.name);
                let all = one * workgroups(dispatch.workgroups);
                assert!(
                    dispatch.in_pieces || all < limits.long_dispatch as f64,
                    "{name}: {:?} makes {all} operations",
                    kernel.name
                );
            }
        }
    }
}

#[test]
fn what_is_short_takes_no_number_of_its_first_workgroup() {
    let cut = |executable: &Executable| executable.dispatches.iter().any(|dispatch| dispatch.in_pieces);
    assert!(!cut(&compile(&product(64, 64, 64), &on(&SOFTWARE), &[]).unwrap()));
    assert!(!cut(&compile(&product(1024, 1024, 1024), &on(&GPU), &[]).unwrap()));
    assert!(cut(&compile(&product(1024, 1024, 1024), &on(&SOFTWARE), &[]).unwrap()));
}

#[test]
fn an_estimate_follows_the_work() {
    let operations = |n: usize| -> f64 {
        let executable = compile(&product(n, n, n), &on(&SOFTWARE), &[]).unwrap();
        let each = |d: &weft_compile::Dispatch| {
            cost::of_workgroup(&executable.kernels[d.kernel]) * workgroups(d.workgroups)
        };
        executable.dispatches.iter().map(each).sum()
    };
    for n in [256usize, 1024] {
        let products = (n * n * n) as f64;
        let counted = operations(n);
        assert!((1.5..8.0).contains(&(counted / products)), "{n}: {counted} for {products} products");
    }
}
