//! Cost of compilation, linear in the program's length. The tests count the dispatches, expressions
//! and characters that programs of many kinds compile to as they grow, and check that the programs
//! compute the right values.

use crate::common::kernels::{run, same, words};
use crate::sketch::growth::{self, Kind, reshapes_and_transposes};
use crate::sketch::{Sketch, regions};
use std::rc::Rc;
use weft_compile::target::wgsl::{Dialect, print};
use weft_compile::{Executable, Limits, compile};
use weft_ir::graph::NodeId;
use weft_ir::interpret::{self, Data, Value};
use weft_ir::op::{Binary, Op};
use weft_ir::program::TensorProgram;
use weft_ir::{Literal, Shape};

/// What a program was made into, in numbers that take no clock.
#[derive(Debug, Clone, Copy)]
struct Counts {
    dispatches: usize,
    expressions: usize,
    characters: usize,
}

fn counts(executable: &Executable) -> Counts {
    // Every dispatch counts its kernel, so that many that share one are as many.
    let kernels = || executable.dispatches.iter().map(|d| &executable.kernels[d.kernel]);
    Counts {
        dispatches: kernels().count(),
        expressions: kernels().map(|k| k.exprs.len()).sum(),
        characters: kernels().map(|k| print(k, Dialect::Naga).len()).sum(),
    }
}

/// A program of a kind, and the numbers its scalars stand for.
fn program(build: fn(&mut Sketch, usize) -> Vec<NodeId>, steps: usize) -> (TensorProgram, Vec<Literal>) {
    let mut sketch = Sketch::default();
    let roots = build(&mut sketch, steps);
    (sketch.program(&roots), sketch.numbers(&roots))
}

/// Every kind, those with regions also with every branch and every end of a loop left to the
/// device.
fn kinds() -> impl Iterator<Item = (Kind, Limits)> {
    let gated = Limits { least_spared: 0, ..Limits::floor() };
    let all = growth::KINDS.into_iter().chain(regions::KINDS).map(|kind| (kind, Limits::floor()));
    all.chain(regions::KINDS.into_iter().map(move |kind| (kind, gated.clone())))
}

#[test]
fn what_is_made_of_a_program_grows_no_faster_than_the_program() {
    for (number, ((name, build), limits)) in kinds().enumerate() {
        // A step with a region is many nodes.
        let (short, long) = if number < growth::KINDS.len() { (150, 1200) } else { (40, 240) };
        let of = |steps: usize| {
            let program = program(build, steps).0;
            (regions::nodes(&program), counts(&compile(&program, &limits, &[]).unwrap()))
        };
        let ((few, small), (many, large)) = (of(short), of(long));
        let growth = many as f64 / few as f64;
        for (a, b) in [
            (small.dispatches, large.dispatches),
            (small.expressions, large.expressions),
            (small.characters, large.characters),
        ] {
            let most = growth * 1.5 * a as f64 + 500.0;
            assert!(b as f64 <= most, "{name}: {few} nodes make {small:?}, {many} make {large:?}");
        }
        // No kernel is more than a shader compiler takes.
        let dispatches = large.dispatches.max(1);
        assert!(large.characters / dispatches < 60_000, "{name}: {large:?}");
    }
}

/// Values that differ from each other and stay near 1.
fn values(program: &TensorProgram) -> Vec<Value<f32>> {
    let value = |shape: &Shape| {
        let data = (0..shape.size()).map(|i| (i * 7919 % 997) as f32 / 997.0 - 0.3).collect();
        Value::new(shape.clone(), Data::Float(data)).unwrap()
    };
    program.buffer_leaves().iter().map(|&leaf| value(&program[leaf].shape)).collect()
}

fn check(name: &str, program: &TensorProgram, limits: &Limits, scalars: &[Literal]) {
    let buffers = values(program);
    let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run::<f32>(program, &given, scalars).unwrap();
    let executable = compile(program, limits, &[]).unwrap();
    for (n, (got, expected)) in run(&executable, &words(&buffers), scalars).iter().zip(&expected).enumerate()
    {
        assert!(same(got, expected), "{name}, output {n}\n{program}\n{executable}");
    }
}

#[test]
fn programs_of_every_kind_compute_what_they_mean() {
    for ((name, build), limits) in kinds() {
        for steps in [5, 47] {
            let (program, scalars) = program(build, steps);
            check(name, &program, &limits, &scalars);
        }
    }
}

#[test]
fn a_stack_of_views_is_stored_where_its_index_has_grown_too_much() {
    let (program, scalars) = program(reshapes_and_transposes, 80);
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    assert!((2..=12).contains(&executable.dispatches.len()), "{executable}");
    let cuts = &executable.fused[0].clusters.cuts;
    assert!(cuts.iter().all(|cut| cut.reason.contains("its index has grown")), "{executable}");
    check("views", &program, &Limits::floor(), &scalars);
    // One that is small enough is not.
    let few = compiled(12);
    assert_eq!(few.dispatches.len(), 1, "{few}");
}

fn compiled(views: usize) -> Executable {
    compile(&program(reshapes_and_transposes, views).0, &Limits::floor(), &[]).unwrap()
}

/// The same element of a stack of views is read through many paths: what they share is computed
/// once and has a name.
#[test]
fn what_paths_share_has_a_name() {
    let mut s = Sketch::default();
    let mut x = reshapes_and_transposes(&mut s, 14)[0];
    for _ in 0..6 {
        let t = s.unary(weft_ir::op::Unary::Neg, x);
        x = s.binary(Binary::Mul, x, t);
    }
    let y = s.input([10, 6]);
    let shape = s.graph[x].shape.clone();
    let y = s.add(Op::View(weft_ir::op::View::Reshape(shape)), &[y]);
    let root = s.binary(Binary::Add, x, y);
    let program = s.program(&[root]);
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    for kernel in &executable.kernels {
        let text = print(kernel, Dialect::Naga);
        let longest = text.lines().map(str::len).max().unwrap_or(0);
        assert!(longest < 1500, "{text}");
    }
    check("shared", &program, &Limits::floor(), &s.numbers(&[root]));
}
