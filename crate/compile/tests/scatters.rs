//! Choice of a family for a scatter, by the numbers of updates and of places, and by the device.

use std::cell::RefCell;
use weft_compile::device::SOFTWARE;
use weft_compile::family::{Candidate, Problem, cheapest};
use weft_compile::{Limits, compile_with};
use weft_ir::DType;
use weft_ir::graph::Graph;
use weft_ir::op::{Op, ScatterOp};
use weft_ir::program::TensorProgram;

fn scatter(op: ScatterOp, dtype: DType, count: usize, places: usize) -> TensorProgram {
    let mut graph = Graph::new();
    let mut leaf = |n: usize, dtype| graph.add_placeholder(Op::Buffer([n].into(), dtype)).unwrap();
    let inputs = [leaf(places, dtype), leaf(count, DType::I32), leaf(count, dtype)];
    let put = graph.add(Op::Scatter { axis: 0, op }, &inputs).unwrap();
    TensorProgram::from_graph(&graph, &[put]).0
}

/// The candidates for a program's scatter as they print, the cheapest first.
fn candidates(program: &TensorProgram, limits: &Limits) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
        let mut sorted = candidates.to_vec();
        sorted.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        *found.borrow_mut() = sorted.iter().map(|candidate| candidate.choice.to_string()).collect();
        cheapest(problem, candidates)
    };
    compile_with(program, limits, &[], &choose).unwrap();
    found.into_inner()
}

const MANY: usize = 1 << 24;

#[test]
fn many_updates_into_few_places_are_for_workgroups_that_share_copies() {
    let hardware = Limits::floor();
    let is_shared = |op, dtype, count, places, limits: &Limits| {
        candidates(&scatter(op, dtype, count, places), limits)[0].starts_with("scatter-shared ")
    };
    let integers = [ScatterOp::Add, ScatterOp::Min, ScatterOp::Max].map(|op| (op, DType::I32));
    let floats = [ScatterOp::Add, ScatterOp::Min, ScatterOp::Max].map(|op| (op, DType::F32));
    for (op, dtype) in integers.into_iter().chain(floats) {
        for (count, places) in [(MANY, 256), (MANY, 10), (MANY, 1), (1 << 16, 10)] {
            assert!(is_shared(op, dtype, count, places, &hardware), "{op:?} {dtype} {count} into {places}");
        }
        // Into many places, and of few updates.
        for (count, places) in [(MANY, 1 << 20), (MANY, 1 << 14), (1 << 10, 10), (1 << 14, 1000)] {
            assert!(!is_shared(op, dtype, count, places, &hardware), "{op:?} {dtype} {count} into {places}");
        }
        let software = Limits::of(&SOFTWARE);
        assert!(!is_shared(op, dtype, 1 << 20, 256, &software), "{op:?} {dtype}");
    }
    // What sets tells which update was the last.
    assert!(!is_shared(ScatterOp::Set, DType::I32, MANY, 256, &hardware));
}

#[test]
fn copies_fit_workgroup_memory() {
    let near_and_far = |places, bytes| {
        let limits = Limits { workgroup_bytes: bytes, ..Limits::floor() };
        let of = |dtype| {
            let all = candidates(&scatter(ScatterOp::Add, dtype, MANY, places), &limits);
            let has = |near: &str| {
                all.iter().any(|text| text.starts_with("scatter-shared ") && text.ends_with(near))
            };
            [has("near=0"), has("near=1")]
        };
        (of(DType::U32), of(DType::F32))
    };
    // Of an integer a word; of a float two, or four.
    assert_eq!(near_and_far(1024, 16 << 10), ([true, false], [true, true]));
    assert_eq!(near_and_far(1025, 16 << 10), ([true, false], [true, false]));
    assert_eq!(near_and_far(2049, 16 << 10), ([true, false], [false, false]));
    assert_eq!(near_and_far(4097, 16 << 10), ([false, false], [false, false]));
    // No more where there is more memory, which leaves processors their workgroups, and less where
    // there is less.
    assert_eq!(near_and_far(4097, 48 << 10), ([false, false], [false, false]));
    assert_eq!(near_and_far(1025, 4 << 10), ([false, false], [false, false]));
}

/// Places that each look at thousands of indices, one after the other, take longer than a kernel
/// for the updates.
#[test]
fn some_thousand_updates_are_not_looked_at_by_each_place() {
    let hardware = Limits::floor();
    for count in [1 << 12, 1 << 13, 1 << 15] {
        let first = candidates(&scatter(ScatterOp::Add, DType::I32, count, 256), &hardware).remove(0);
        assert!(first.starts_with("scatter"), "{count}: {first}");
    }
    let first = candidates(&scatter(ScatterOp::Add, DType::I32, 16, 256), &hardware).remove(0);
    assert!(!first.starts_with("scatter"), "{first}");
}

/// Rows of 32 that are added at so many places.
fn rows(places: usize) -> TensorProgram {
    let (count, width) = (1 << 20, 32);
    let mut graph = Graph::new();
    let mut leaf = |shape: Vec<usize>, dtype| graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap();
    let inputs = [
        leaf(vec![places, width], DType::F32),
        leaf(vec![count], DType::I32),
        leaf(vec![count, width], DType::F32),
    ];
    let put = graph.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &inputs).unwrap();
    TensorProgram::from_graph(&graph, &[put]).0
}

#[test]
fn long_rows_are_sorted_unless_their_places_fit_a_workgroup() {
    let families = |places| {
        let executable = compile_with(&rows(places), &Limits::floor(), &[], &cheapest).unwrap();
        let names = executable.dispatches.iter().filter_map(|dispatch| dispatch.choice);
        names.map(|choice| choice.family().name()).collect::<Vec<_>>()
    };
    assert!(families(10).iter().all(|name| *name == "scatter-shared"), "{:?}", families(10));
    assert!(families(4096).contains(&"sorted-scatter"), "{:?}", families(4096));
}
