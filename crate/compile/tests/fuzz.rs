//! Whatever the compiler makes of random programs is well formed and, on the kernel interpreter, computes what the graph
//! interpreter does: every family's variants, subgroups and donated leaves included. No GPU is needed.

mod common;

use common::contractions::contractions;
use common::kernels::{run, same, words};
use common::programs::random_program;
use weft_compile::family::{Family, Parameters, Problem};
use weft_compile::{Limits, Slot, compile, compile_with};
use weft_ir::graph::{Graph, ValueId};
use weft_ir::interpret;
use weft_ir::op::{Compare, Op, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

#[test]
fn kernels_of_random_programs_compute_what_the_programs_mean() {
    for seed in 10_000..10_300u64 {
        let (program, buffers, scalars) = random_program(seed);
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        let limits = Limits { subgroups: seed % 2 == 0, fallback: seed % 3 == 0, ..Limits::floor() };
        let donated: Vec<usize> = if seed % 4 == 1 { (0..buffers.len()).collect() } else { Vec::new() };
        let choose = |_: &dyn Family, problem: &Problem<'_>, candidates: &[Parameters]| {
            candidates[(seed as usize * 5 + problem.own) % candidates.len()]
        };
        let executable = compile_with(&program, &limits, &donated, &choose).unwrap();
        let leaves = words(&buffers);
        for (n, (got, expected)) in run(&executable, &leaves, &scalars).iter().zip(&expected).enumerate() {
            assert!(same(got, expected), "seed {seed}, output {n}\n{program}\n{executable}");
        }
    }
}

#[test]
fn contractions_through_workgroup_memory_compute_what_they_mean() {
    let mut variants = 0;
    for (program, buffers, scalars) in contractions() {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        for number in 0.. {
            let shared = |p: &&Parameters| matches!(p, Parameters::SharedTiles { .. });
            let chosen = std::cell::Cell::new(false);
            let choose = |_: &dyn Family, _: &Problem<'_>, candidates: &[Parameters]| {
                let found = candidates.iter().filter(shared).nth(number);
                chosen.set(found.is_some());
                *found.unwrap_or(&candidates[0])
            };
            let executable = compile_with(&program, &Limits::floor(), &[], &choose).unwrap();
            if !chosen.get() {
                break;
            }
            variants += 1;
            let got = run(&executable, &words(&buffers), &scalars);
            assert!(same(&got[0], &expected[0]), "variant {number}\n{program}\n{executable}");
        }
    }
    assert!(variants >= 8, "{variants} variants were tried");
}

#[test]
fn a_result_written_over_a_leaf_changes_nothing_of_what_others_read_of_it() {
    let mut graph = Graph::new();
    let x = graph.add_stored(ValueId(1), [4].into(), DType::Bool);
    let truth = graph.add_number(Literal::Bool(true));
    let one = graph.add(Op::View(View::Reshape([1].into())), &[truth]).unwrap();
    let all = graph.add(Op::View(View::Expand([4].into())), &[one]).unwrap();
    let equal = graph.add(Op::Compare(Compare::Eq), &[x, all]).unwrap();
    let program = TensorProgram::from_graph(&graph, &[equal, all]).0;
    let executable = compile(&program, &Limits::floor(), &[0]).unwrap();
    assert!(executable.outputs.iter().any(|&slot| executable.slots[slot] == Slot::Leaf(0)), "{executable}");
    let outputs = run(&executable, &[vec![0, 1, 0, 1]], &[Literal::Bool(true)]);
    assert_eq!(outputs, [vec![0, 1, 0, 1], vec![1, 1, 1, 1]]);
}
