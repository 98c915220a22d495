//! Gated dispatches. The device runs the branch that was chosen and the iterations that a loop
//! takes, and nothing else. The tests count on the kernel interpreter, and compare the results with
//! the graph interpreter's.

use crate::common::kernels::{run_counting, same, words};
use crate::common::regions::{matrix, parts, powers, square};
use std::rc::Rc;
use weft_compile::{Executable, Limits, compile};
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Compare, ContractAxes, Loop, Op, ReduceOp};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Shape};

/// A program of leaves that are matrices, after an index if it is a loop's.
fn program(
    index: bool,
    matrices: usize,
    build: impl FnOnce(&mut dyn Build, &[Ref]) -> Vec<Ref>,
) -> TensorProgram {
    let mut builder = ProgramBuilder::default();
    if index {
        builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32);
    }
    let leaves: Vec<Ref> = (0..matrices).map(|_| builder.input(&square(), DType::F32).unwrap()).collect();
    let outputs = build(&mut builder, &leaves);
    builder.finish(&outputs, &[])
}

/// A branch of three programs on a matrix: with two products, with five, and the matrix itself. The
/// second result of each is the matrix.
fn branch() -> Op {
    let alternative = |times| program(false, 1, |emit, x| vec![powers(emit, x[0], times), x[0]]);
    Op::Branch(Rc::new([2, 5, 0].map(alternative).to_vec()))
}

fn whole(number: i32) -> Value<f32> {
    Value::from_bits(Shape::scalar(), DType::I32, &[number as u32]).unwrap()
}

fn gated(program: &TensorProgram) -> Executable {
    compile(program, &Limits { least_spared: 0, ..Limits::floor() }, &[]).unwrap()
}

/// Runs a program on both interpreters, and says how many dispatches had workgroups.
fn ran(program: &TensorProgram, executable: &Executable, leaves: &[Value<f32>]) -> usize {
    let given: Vec<Rc<Value<f32>>> = leaves.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run(program, &given, &[]).unwrap();
    let (got, ran) = run_counting(executable, &words(leaves), &[]);
    for (n, (got, expected)) in got.iter().zip(&expected).enumerate() {
        assert!(same(got, expected), "result {n}: {got:?} is not {expected:?}\n{program}\n{executable}");
    }
    ran
}

/// A selector, a matrix, and what `build` makes of them.
fn chosen(selectors: usize, build: impl FnOnce(&mut dyn Build, &[Ref], Ref) -> Vec<Ref>) -> TensorProgram {
    let mut builder = ProgramBuilder::default();
    let all: Vec<Ref> =
        (0..selectors).map(|_| builder.input(&Shape::scalar(), DType::I32).unwrap()).collect();
    let x = builder.input(&square(), DType::F32).unwrap();
    let outputs = build(&mut builder, &all, x);
    builder.finish(&outputs, &[])
}

#[test]
fn only_the_branch_that_is_chosen_runs() {
    let program = chosen(1, |emit, selectors, x| parts(emit, branch(), &[selectors[0], x], 2));
    let executable = gated(&program);
    for (selector, dispatches) in [(-3, 2), (0, 2), (1, 5), (2, 1), (9, 1)] {
        // The gate, what was chosen, and the copy of the matrix where products do not come with it.
        let ran = ran(&program, &executable, &[whole(selector), matrix(1.0)]);
        assert!((1 + dispatches..=2 + dispatches).contains(&ran), "{ran} for {selector}\n{executable}");
    }
}

#[test]
fn what_spares_little_is_selected() {
    let program = chosen(1, |emit, selectors, x| parts(emit, branch(), &[selectors[0], x], 1));
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    assert!(executable.dispatches.iter().all(|dispatch| dispatch.counted.is_none()), "{executable}");
}

#[test]
fn gates_within_gates_close_with_them() {
    let inner = |times: usize| {
        // Its leaves: a selector, and a matrix.
        let mut builder = ProgramBuilder::default();
        let selector = builder.input(&Shape::scalar(), DType::I32).unwrap();
        let x = builder.input(&square(), DType::F32).unwrap();
        let y = powers(&mut builder, x, times);
        let outputs = parts(&mut builder, branch(), &[selector, y], 1);
        builder.finish(&outputs, &[])
    };
    let outer = Op::Branch(Rc::new(vec![inner(1), inner(3)]));
    let program = chosen(2, |emit, selectors, x| parts(emit, outer, &[selectors[0], selectors[1], x], 1));
    let executable = gated(&program);
    for (outer, before) in [(0, 1), (1, 3)] {
        for (inner, within) in [(0, 2), (1, 5), (2, 1)] {
            let ran = ran(&program, &executable, &[whole(outer), whole(inner), matrix(0.9)]);
            // Three gates, and a copy of what the inner branch yields into the result of the outer.
            assert_eq!(ran, 3 + before + within + 1, "{outer} {inner}\n{executable}");
        }
    }
}

/// x ← x + x·x/4 while its sum is below `end`, at most `iterations` times.
fn growing(iterations: usize, end: f64) -> Op {
    let body = program(true, 1, |emit, x| {
        let square = powers(emit, x[0], 1);
        vec![emit.add(x[0], square).unwrap()]
    });
    let condition = program(true, 1, |emit, x| {
        let sum = emit.reduce(ReduceOp::Sum, x[0], &[0, 1]).unwrap();
        vec![emit.compare_number(Compare::Lt, sum, end).unwrap()]
    });
    Op::Loop(Rc::new(Loop {
        body,
        condition: Some(condition),
        iterations: Some(iterations),
        carried: 1,
        sliced: 0,
        reverse: false,
    }))
}

#[test]
fn a_loop_that_has_ended_runs_its_gate_and_nothing_else() {
    for limit in [1, 2, 7, 8, 100] {
        let program = chosen(0, |emit, _, x| parts(emit, growing(limit, 30.0), &[x], 1));
        let executable = gated(&program);
        let mut last = 0;
        for (scale, iterations) in [(3.0, 0), (0.2, 7), (1.0, 1)] {
            let ran = ran(&program, &executable, &[matrix(scale)]);
            // The first gate, each iteration's, the result, and for each iteration that was tried
            // the condition and the body.
            let tried = (iterations + 1).min(limit);
            let most = 2 + limit + 2 * tried + tried;
            assert!(ran <= most, "{ran} of at most {most} for {limit} iterations from {scale}\n{executable}");
            last += ran;
        }
        assert!(last > 0);
    }
}

#[test]
fn a_loop_in_a_branch_in_a_loop_runs_where_it_is_chosen() {
    // Iterations alternate between a loop that ends early and a product.
    let alternatives = vec![
        program(false, 1, |emit, x| parts(emit, growing(9, 20.0), &[x[0]], 1)),
        program(false, 1, |emit, x| vec![powers(emit, x[0], 2)]),
    ];
    let body = {
        let mut builder = ProgramBuilder::default();
        let index = Ref(builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
        let x = builder.input(&square(), DType::F32).unwrap();
        let emit: &mut dyn Build = &mut builder;
        let odd = emit.with_number(weft_ir::op::Binary::Rem, index, 2.0).unwrap();
        let outputs = parts(emit, Op::Branch(Rc::new(alternatives)), &[odd, x], 1);
        builder.finish(&outputs, &[])
    };
    for iterations in [1, 2, 5] {
        let it = Loop {
            body: body.clone(),
            condition: None,
            iterations: Some(iterations),
            carried: 1,
            sliced: 0,
            reverse: false,
        };
        let program = chosen(0, |emit, _, x| parts(emit, Op::Loop(Rc::new(it)), &[x], 1));
        for scale in [0.2, 0.7, 2.0] {
            ran(&program, &gated(&program), &[matrix(scale)]);
        }
    }
}

#[test]
fn a_branch_that_is_given_nothing_runs_as_any_other() {
    let alternative = |value: f64| {
        let mut builder = ProgramBuilder::default();
        let emit: &mut dyn Build = &mut builder;
        let all = emit.full(weft_ir::Literal::F32(value as f32), &square()).unwrap();
        let product = powers(&mut builder, all, 1);
        builder.finish(&[product], &[])
    };
    let branch = Op::Branch(Rc::new(vec![alternative(0.5), alternative(2.0)]));
    let program = chosen(1, |emit, selectors, _| parts(emit, branch, &[selectors[0]], 1));
    for selector in [0, 1] {
        let executable = gated(&program);
        assert!(executable.dispatches.iter().any(|dispatch| dispatch.counted.is_some()), "{executable}");
        ran(&program, &executable, &[whole(selector), matrix(1.0)]);
    }
}

#[test]
fn what_is_expensive_or_nothing_is_left_to_the_device() {
    let alternatives = vec![
        program(false, 1, |emit, x| vec![powers(emit, x[0], 1000)]),
        program(false, 1, |_, x| vec![x[0]]),
    ];
    let branch = Op::Branch(Rc::new(alternatives));
    let program = chosen(1, |emit, selectors, x| parts(emit, branch, &[selectors[0], x], 1));
    let few = compile(&program, &Limits { least_spared: 1 << 6, ..Limits::floor() }, &[]).unwrap();
    assert!(few.dispatches.iter().any(|dispatch| dispatch.counted.is_some()), "{few}");
    assert_eq!(ran(&program, &few, &[whole(1), matrix(0.1)]), 2);
}

#[test]
fn a_loop_of_elements_runs_inside_one_kernel_whatever_a_branch_spares() {
    let iteration = |odd: f64| {
        program(false, 1, |emit, x| vec![emit.with_number(weft_ir::op::Binary::Mul, x[0], odd).unwrap()])
    };
    let branch = Op::Branch(Rc::new(vec![iteration(0.5), iteration(-1.5)]));
    let mut builder = ProgramBuilder::default();
    let index = Ref(builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
    let x = builder.input(&square(), DType::F32).unwrap();
    let emit: &mut dyn Build = &mut builder;
    let odd = emit.with_number(weft_ir::op::Binary::Rem, index, 2.0).unwrap();
    let outputs = parts(emit, branch, &[odd, x], 1);
    let body = builder.finish(&outputs, &[]);
    let condition = program(true, 1, |emit, x| {
        let first = emit.op(Op::Constant(weft_ir::Literal::I32(5)), &[]).unwrap();
        let _ = x;
        vec![emit.compare(Compare::Lt, Ref(0), first).unwrap()]
    });
    let it =
        Loop { body, condition: Some(condition), iterations: Some(9), carried: 1, sliced: 0, reverse: false };
    let program = chosen(0, |emit, _, x| parts(emit, Op::Loop(Rc::new(it)), &[x], 1));
    let executable = gated(&program);
    assert_eq!(executable.dispatches.len(), 1, "{executable}");
    ran(&program, &executable, &[matrix(1.0)]);
}

#[test]
fn a_result_that_its_own_alternative_reads_stays_until_what_follows_read_it() {
    let alternative = |scale: f64| {
        program(false, 1, |emit, x| {
            let x = emit.scale(x[0], scale).unwrap();
            let y = powers(emit, x, 1);
            vec![y, powers(emit, y, 2)]
        })
    };
    let branch = Op::Branch(Rc::new(vec![alternative(0.5), alternative(2.0)]));
    let program = chosen(1, |emit, selectors, x| {
        let found = parts(emit, branch, &[selectors[0], x], 2);
        let later = powers(emit, found[1], 3);
        let pairs = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
        vec![emit.contract(pairs, later, found[0]).unwrap()]
    });
    let executable = gated(&program);
    for selector in [0, 1] {
        ran(&program, &executable, &[whole(selector), matrix(1.0)]);
    }
}
