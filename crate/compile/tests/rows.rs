//! Choice of a variant for row reductions on hardware, by the estimates, for shapes that were
//! measured.

use crate::sketch::Sketch;
use weft_compile::device::SOFTWARE;
use weft_compile::family::{Candidate, Choice, Problem, cheapest, fallback};
use weft_compile::{Limits, compile_with};
use weft_ir::graph::NodeId;
use weft_ir::kernel::{Kernel, Space, Stmt};
use weft_ir::op::{Binary, Op, ReduceOp, Unary, View};

/// A reduction along an axis, and the same repeated along it.
fn along(s: &mut Sketch, op: ReduceOp, x: NodeId, axis: usize) -> [NodeId; 2] {
    let shape = s.graph[x].shape.clone();
    let reduced = s.add(Op::Reduce { op, axes: vec![axis] }, &[x]);
    let kept = s.add(Op::View(View::Reshape(shape.keepdims(&[axis]))), &[reduced]);
    [reduced, s.add(Op::View(View::Expand(shape)), &[kept])]
}

fn sum(s: &mut Sketch, x: NodeId, axis: usize) -> NodeId {
    along(s, ReduceOp::Sum, x, axis)[0]
}

fn argmin(s: &mut Sketch, x: NodeId, axis: usize) -> NodeId {
    along(s, ReduceOp::ArgMin, x, axis)[0]
}

fn softmax(s: &mut Sketch, x: NodeId, axis: usize) -> NodeId {
    let [_, largest] = along(s, ReduceOp::Max, x, axis);
    let shifted = s.binary(Binary::Sub, x, largest);
    let power = s.unary(Unary::Exp, shifted);
    let [_, total] = along(s, ReduceOp::Sum, power, axis);
    s.binary(Binary::Div, power, total)
}

fn log_sum_exp(s: &mut Sketch, x: NodeId, axis: usize) -> NodeId {
    let [most, largest] = along(s, ReduceOp::Max, x, axis);
    let shifted = s.binary(Binary::Sub, x, largest);
    let power = s.unary(Unary::Exp, shifted);
    let [total, _] = along(s, ReduceOp::Sum, power, axis);
    let log = s.unary(Unary::Log, total);
    s.binary(Binary::Add, log, most)
}

fn variance(s: &mut Sketch, x: NodeId, axis: usize) -> NodeId {
    let length = s.graph[x].shape[axis] as f32;
    let scale = s.number(1.0 / length, x);
    let scaled = s.binary(Binary::Mul, x, scale);
    let [_, mean] = along(s, ReduceOp::Sum, scaled, axis);
    let apart = s.binary(Binary::Sub, x, mean);
    let squared = s.binary(Binary::Mul, apart, apart);
    let scaled = s.binary(Binary::Mul, squared, scale);
    sum(s, scaled, axis)
}

type Build = fn(&mut Sketch, NodeId, usize) -> NodeId;

/// The limits of a device like an NVIDIA H100, and the least that WebGPU promises.
fn devices() -> [Limits; 2] {
    let large = Limits {
        invocations: 1024,
        workgroup_bytes: 48 << 10,
        subgroups: true,
        binding_bytes: 4 << 30,
        ..Limits::floor()
    };
    [large, Limits { binding_bytes: 4 << 30, ..Limits::floor() }]
}

/// What is chosen for a reduction of a shape along an axis.
fn choices(build: Build, shape: &[usize], axis: usize, limits: &Limits) -> Vec<Choice> {
    let mut s = Sketch::default();
    let x = s.input(shape);
    let y = build(&mut s, x, axis);
    let executable = compile_with(&s.program(&[y]), limits, &[], &cheapest).unwrap();
    executable.dispatches.iter().filter_map(|dispatch| dispatch.choice).collect()
}

/// One dispatch of a family in which so many invocations share each row, and as many rows a
/// workgroup, at least.
fn expect_shared(family: &str, build: Build, shape: &[usize], axis: usize, [lanes, width]: [u32; 2]) {
    for limits in devices() {
        let found = choices(build, shape, axis, &limits);
        let [choice] = found[..] else { panic!("{shape:?} along {axis}: {found:?}") };
        assert_eq!(choice.family().name(), family, "{shape:?} along {axis}: {choice}");
        let shares = choice.get("lanes") >= Some(lanes) && choice.get("width") >= Some(width);
        assert!(shares, "{shape:?} along {axis}: {choice}");
    }
}

#[test]
fn invocations_of_a_workgroup_share_long_columns_of_several_levels() {
    expect_shared("online-rows", softmax, &[8192, 8192], 0, [16, 16]);
    expect_shared("online-rows", softmax, &[8193, 8191], 0, [16, 16]);
    expect_shared("online-rows", log_sum_exp, &[8192, 8192], 0, [16, 16]);
    expect_shared("rows", variance, &[8192, 8192], 0, [16, 16]);
}

#[test]
fn columns_that_fit_registers_are_held_there() {
    expect_shared("held-rows", softmax, &[64, 512, 1024], 1, [16, 16]);
    expect_shared("held-rows", variance, &[64, 512, 1024], 1, [16, 16]);
}

#[test]
fn short_rows_are_copied_or_share_workgroups() {
    for limits in devices() {
        let cases: [(Build, [usize; 2]); 4] = [
            (sum, [1 << 20, 32]),
            (softmax, [1 << 20, 10]),
            (softmax, [1 << 19, 49]),
            (log_sum_exp, [1_000_001, 51]),
        ];
        for (build, shape) in cases {
            let found = choices(build, &shape, 1, &limits);
            let [choice] = found[..] else { panic!("{shape:?}: {found:?}") };
            assert_eq!(choice.family().name(), "copied-rows", "{shape:?}: {choice}");
        }
    }
    expect_shared("rows", argmin, &[1 << 18, 128], 1, [8, 16]);
    expect_shared("held-rows", softmax, &[1 << 17, 200], 1, [8, 8]);
}

#[test]
fn rows_go_other_roads_where_sharing_a_workgroup_gains_nothing() {
    let cases: [(Build, &[usize], usize); 6] = [
        // Short columns, enough of them.
        (softmax, &[16, 1 << 20], 0),
        // One level goes in parts.
        (sum, &[8192, 8192], 0),
        // Too few columns lie side by side.
        (softmax, &[1 << 18, 4], 0),
        (sum, &[1 << 16, 8], 0),
        // A workgroup has enough to do with a row.
        (softmax, &[8192, 8192], 1),
        (sum, &[65_536, 512], 1),
    ];
    for (build, shape, axis) in cases {
        for limits in devices() {
            let found = choices(build, shape, axis, &limits);
            let shared = found.iter().find(|choice| choice.get("width") > Some(1));
            assert_eq!(shared, None, "{shape:?} along {axis}: {found:?}");
        }
    }
    // Software has no workgroups to share.
    let software = Limits { binding_bytes: 4 << 30, ..Limits::of(&SOFTWARE) };
    for (build, shape, axis) in [(softmax as Build, [8192, 8192], 0), (sum, [1 << 20, 32], 1)] {
        let found = choices(build, &shape, axis, &software);
        assert!(found.iter().all(|choice| choice.get("width") <= Some(1)), "{found:?}");
    }
}

/// Stores to buffers that every invocation makes.
fn unconditional_stores(kernel: &Kernel) -> usize {
    let (mut open, mut stores) = (vec![&kernel.body], 0);
    while let Some(block) = open.pop() {
        for stmt in block {
            match stmt {
                Stmt::For { body, .. } => open.push(body),
                Stmt::Store(array, ..) => {
                    stores += usize::from(kernel.arrays[array.index()].space == Space::ReadWrite);
                }
                _ => {}
            }
        }
    }
    stores
}

/// An invocation that has the last row once more would read of a donated leaf what the row's own
/// has overwritten by then.
#[test]
fn no_row_is_stored_twice_where_workgroups_have_room_for_more() {
    let mut tried = 0;
    for (shape, axis) in [([40, 33], 0), ([33, 40], 1)] {
        let mut s = Sketch::default();
        let x = s.input(shape);
        let y = softmax(&mut s, x, axis);
        for number in 0.. {
            let chosen = std::cell::Cell::new(false);
            let choose = |_: &Problem<'_>, candidates: &[Candidate]| {
                let shares =
                    |c: &&Candidate| c.choice.get("width") > Some(1) || c.choice.get("copied").is_some();
                let found = candidates.iter().filter(shares).nth(number);
                chosen.set(found.is_some());
                found.map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let executable = compile_with(&s.program(&[y]), &Limits::floor(), &[0], &choose).unwrap();
            if !chosen.get() {
                break;
            }
            let choice = executable.dispatches[0].choice.unwrap();
            let width = choice.get("width").or(choice.get("copied")).unwrap() as usize;
            let rows = if axis == 0 { 33 } else { shape[0] };
            if rows % width > 0 {
                tried += 1;
                assert_eq!(unconditional_stores(&executable.kernels[0]), 0, "{choice}\n{executable}");
            }
        }
    }
    assert!(tried >= 10, "{tried} were tried");
}
