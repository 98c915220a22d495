//! Gradients of loops against differences: at 1, 8, 9 and 1,000 iterations, forwards and backwards,
//! with a condition, and of loops in loops.

use super::check::{Bench, check, check_nested, random, vector};
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Compare, Loop, Op, ReduceOp, Unary};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Shape};

const WIDTH: usize = 2;

fn row() -> Shape {
    [WIDTH].into()
}

/// A program of a loop: of an index and rows.
fn program(rows: usize, write: impl FnOnce(&mut dyn Build, &[Ref]) -> Vec<Ref>) -> TensorProgram {
    let mut builder = ProgramBuilder::default();
    let index = builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32);
    let mut leaves = vec![Ref(index.0)];
    leaves.extend((0..rows).map(|_| builder.input(&row(), DType::F32).unwrap()));
    let outputs = write(&mut builder, &leaves);
    builder.finish(&outputs, &[])
}

/// Σ of the sines of a loop's results.
fn total(bench: &mut Bench, it: Loop, inputs: &[NodeId]) -> NodeId {
    let results = it.results();
    let node = bench.op(Op::Loop(Rc::new(it)), inputs);
    let mut total = bench.full(0.0, &Shape::scalar());
    for (index, (shape, dtype)) in results.into_iter().enumerate() {
        let axes = (0..shape.rank()).collect();
        let part = bench.op(Op::Part { index, shape, dtype }, &[node]);
        let bent = bench.unary(Unary::Sin, part);
        let sum = bench.op(Op::Reduce { op: ReduceOp::Sum, axes }, &[bent]);
        total = bench.op(Op::Binary(Binary::Add), &[total, sum]);
    }
    total
}

/// 0.99 x + 0.02 sin(w x), which neither grows nor vanishes in a thousand iterations.
fn step(emit: &mut dyn Build, x: Ref, w: Ref) -> Ref {
    let bent = emit.mul(w, x).and_then(|y| emit.unary(Unary::Sin, y)).and_then(|y| emit.scale(y, 0.02));
    emit.scale(x, 0.99).and_then(|x| emit.add(x, bent?)).unwrap()
}

/// A scan with a slice and a stack: inputs are the state, the slices and what every iteration
/// reads.
fn scan(iterations: usize, reverse: bool) -> Loop {
    let body = program(3, |emit, leaves| {
        let [index, state, x, w] = leaves[..] else { unreachable!("a state, a slice and one more") };
        let number = emit.cast(index, DType::F32).and_then(|n| emit.repeat(n, &row())).unwrap();
        let moved = emit.mul(state, w).and_then(|y| emit.add(y, x)).unwrap();
        let next = emit.unary(Unary::Tanh, moved).unwrap();
        let scaled = emit.scale(number, 0.1).and_then(|n| emit.mul(n, state)).unwrap();
        vec![next, emit.mul(next, scaled).unwrap()]
    });
    Loop { body, condition: None, iterations: Some(iterations), carried: 1, sliced: 1, reverse }
}

/// Steps of a row: inputs are the state and the weights.
fn steps(iterations: usize) -> Loop {
    let body = program(2, |emit, leaves| vec![step(emit, leaves[1], leaves[2])]);
    Loop { body, condition: None, iterations: Some(iterations), carried: 1, sliced: 0, reverse: false }
}

#[test]
fn of_scans_with_slices_and_stacks() {
    for iterations in [1, 8, 9] {
        for reverse in [false, true] {
            let inputs = [random(1, row()), random(2, [iterations, WIDTH]), random(3, row())];
            let f = |bench: &mut Bench, xs: &[NodeId]| total(bench, scan(iterations, reverse), xs);
            if iterations == 9 { check(&inputs, f) } else { check_nested(&inputs, f) }
        }
    }
}

#[test]
fn of_a_thousand_iterations() {
    let inputs = [vector(&[0.7, -1.1]), vector(&[1.3, 0.4])];
    check_nested(&inputs, |bench, xs| total(bench, steps(1000), xs));
}

#[test]
fn of_loops_in_loops() {
    for (outer, inner) in [(1, 9), (8, 1), (9, 8), (40, 25)] {
        let body = program(2, |emit, leaves| {
            let within = emit.region(Op::Loop(Rc::new(steps(inner))), &leaves[1..3]).unwrap();
            vec![step(emit, within[0], leaves[1])]
        });
        let it =
            Loop { body, condition: None, iterations: Some(outer), carried: 1, sliced: 0, reverse: false };
        let inputs = [vector(&[0.7, -1.1]), vector(&[1.3, 0.4])];
        check_nested(&inputs, |bench, xs| total(bench, it.clone(), xs));
    }
}

#[test]
fn of_loops_that_end_before_their_limit() {
    // x passes 3 after 1, 4, about 800 and, before the limit, no iterations; not so near that a
    // difference would see one more.
    for (x, growth, limit) in [(2.5, 1.5, 8), (0.6, 1.5, 9), (0.6, 1.002, 1000), (0.6, 1.5, 1)] {
        let body = program(2, |emit, leaves| {
            let grown = emit.scale(leaves[1], growth).unwrap();
            let bent = emit.mul(leaves[2], leaves[1]).and_then(|y| emit.unary(Unary::Sin, y)).unwrap();
            let little = emit.scale(bent, 1e-4).unwrap();
            vec![emit.add(grown, little).unwrap()]
        });
        let condition = program(2, |emit, leaves| {
            let most = emit.reduce(ReduceOp::Max, leaves[1], &[0]).unwrap();
            vec![emit.compare_number(Compare::Lt, most, 3.0).unwrap()]
        });
        let it = Loop {
            body,
            condition: Some(condition),
            iterations: Some(limit),
            carried: 1,
            sliced: 0,
            reverse: false,
        };
        check(&[vector(&[x, -x]), vector(&[0.3, 0.4])], |bench, xs| total(bench, it.clone(), xs));
    }
}
