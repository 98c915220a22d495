//! Each rule of the simplifier against the interpreter, and the pass as a whole on random programs.

mod elementwise;
mod near;
mod sketch;
mod structure;

use crate::common::programs::{random_inputs, random_program, wild_program};
use crate::common::rotation::seeds;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sketch::{Case, Sketch};
use std::collections::BTreeSet;
use weft_compile::Limits;
use weft_compile::simplify::{Exactness, Rule, rules, simplify, simplify_with};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, verify};

fn cases() -> impl Iterator<Item = &'static Case> {
    elementwise::CASES.iter().chain(structure::CASES)
}

/// Asserts that two programs compute the same outputs, as exactly as is promised.
fn assert_same(
    before: &TensorProgram,
    after: &TensorProgram,
    (buffers, scalars): &(Vec<Value<f32>>, Vec<Literal>),
    exactness: Exactness,
) {
    let context = || format!("before\n{before}\nafter\n{after}\non {buffers:?} {scalars:?}");
    verify::verify(after).unwrap_or_else(|error| panic!("{error}\n{}", context()));
    let expected = interpret::run(before, buffers, scalars).unwrap();
    let got = interpret::run(after, buffers, scalars).unwrap();
    assert_eq!(expected.len(), got.len(), "{}", context());
    for (number, (expected, got)) in expected.iter().zip(&got).enumerate() {
        assert_eq!((expected.shape(), expected.dtype()), (got.shape(), got.dtype()), "{}", context());
        let float = expected.dtype() == DType::F32;
        for (&expected, &got) in expected.to_bits().iter().zip(&got.to_bits()) {
            let (x, y) = (f32::from_bits(expected), f32::from_bits(got));
            let same = match exactness {
                _ if expected == got => true,
                _ if !float => false,
                _ if x.is_nan() && y.is_nan() => true,
                Exactness::Bits => false,
                Exactness::SignOfZero => x == y,
                Exactness::Rounding => (x - y).abs() <= 1e-4 * x.abs().max(1.0),
            };
            assert!(same, "output {number}: {x} became {y}\n{}", context());
        }
    }
}

/// The least exact of the rules that were applied.
fn least_exact(applied: &[&str]) -> Exactness {
    let exactness = rules().filter(|rule| applied.contains(&rule.name)).map(|rule| rule.exactness);
    exactness.max().unwrap_or(Exactness::Bits)
}

/// Calls `check` with programs of a case: shapes and values vary.
fn for_each_program(case: &Case, check: impl Fn(&TensorProgram, u64)) {
    let strategy = (proptest::collection::vec(1usize..=4, 0..=3), any::<u64>());
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&strategy, |(shape, seed)| {
        for &dtype in case.dtypes {
            check(&case.program(&shape, dtype, seed), seed);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{}: {error}", case.rule));
}

/// Which of the `allowed` rules apply to a program, after asserting that what they make of it
/// computes the same.
fn simplified(program: &TensorProgram, seed: u64, allowed: &dyn Fn(&Rule) -> bool) -> Vec<&'static str> {
    let limits = Limits { least_arranged: 0, ..Limits::floor() };
    let (after, applied) = simplify_with(program, &limits, allowed);
    let exactness = least_exact(&applied);
    assert_same(program, &after, &random_inputs(program, seed, exactness == Exactness::Rounding), exactness);
    applied
}

/// Accepts a rule and the one that computes constants: some join constants, and are nothing without
/// it.
fn alone(name: &str) -> impl Fn(&Rule) -> bool {
    move |rule| [name, "fold-constants"].contains(&rule.name)
}

#[test]
fn each_rule_keeps_what_is_computed() {
    for case in cases() {
        for_each_program(case, |program, seed| {
            let applied = simplified(program, seed, &alone(case.rule));
            assert!(applied.contains(&case.rule), "{} was not applied to\n{program}", case.rule);
            simplified(program, seed, &|_| true);
        });
    }
}

#[test]
fn each_rule_leaves_alone_what_only_looks_alike() {
    for case in near::CASES {
        for_each_program(case, |program, seed| {
            let applied = simplified(program, seed, &alone(case.rule));
            assert!(!applied.contains(&case.rule), "{} was applied to\n{program}", case.rule);
            simplified(program, seed, &|_| true);
        });
    }
}

#[test]
fn every_rule_has_a_case_and_a_name_of_its_own() {
    let names: Vec<&str> = rules().map(|rule| rule.name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), distinct.len());
    assert_eq!(cases().map(|case| case.rule).collect::<BTreeSet<_>>(), distinct);
}

#[test]
fn a_mean_of_a_product_reads_the_transposed_matrix_where_it_lies() {
    let mut s = Sketch::new(0);
    let (a, b) = (s.leaf([4, 8], DType::F32), s.leaf([2, 8], DType::F32));
    let transposed = s.view(View::Permute(vec![1, 0]), b);
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let product = s.add(Op::Contract(axes), &[a, transposed]);
    let one = s.number(1.0, product);
    let scaled = s.binary(Binary::Mul, one, product);
    let sum = s.reduce(ReduceOp::Sum, &[1], scaled);
    let total = s.reduce(ReduceOp::Sum, &[0], sum);
    let count = s.number(8.0, total);
    let mean = s.binary(Binary::Div, total, count);
    assert_eq!(
        simplify(&s.program(&[mean]), &Limits::floor()).to_string(),
        "%0: f32[4,8] = buffer 0\n\
         %1: f32[2,8] = buffer 1\n\
         %2: f32[4,2] = contract %0 %1 batch=[] contract=[(1, 1)]\n\
         %3: f32[] = sum %2 axes=[0, 1]\n\
         %4: f32[] = constant 0.125\n\
         %5: f32[] = mul %3 %4\n\
         return %5\n"
    );
}

#[test]
fn leaves_stay_in_order_even_when_nothing_reads_them() {
    let mut s = Sketch::new(0);
    let (x, y) = (s.leaf([3], DType::I32), s.leaf([3], DType::I32));
    let rate = s.graph.add_placeholder(Op::Scalar(DType::I32)).unwrap();
    let rate = s.splat(rate, &[3].into());
    let zero = s.number(0.0, x);
    let unread = s.binary(Binary::Mul, x, rate);
    let unread = s.binary(Binary::Mul, unread, zero);
    let sum = s.binary(Binary::Add, unread, y);
    assert_eq!(
        simplify(&s.program(&[sum]), &Limits::floor()).to_string(),
        "%0: i32[3] = buffer 0\n%1: i32[3] = buffer 1\n%2: i32[] = scalar 0\nreturn %1\n"
    );
}

#[test]
fn outputs_that_turn_out_equal_stay_distinct_and_in_order() {
    let mut s = Sketch::new(0);
    let x = s.leaf([3], DType::F32);
    let one = s.number(1.0, x);
    let (product, quotient) = (s.binary(Binary::Mul, x, one), s.binary(Binary::Div, x, one));
    let (exp, again) = (s.unary(Unary::Exp, x), s.unary(Unary::Exp, quotient));
    let program = s.program(&[again, quotient, exp, product]);
    let after = simplify(&program, &Limits::floor());
    // The first in the program is x itself and exp x; the others are copies.
    let names: Vec<&str> = after.outputs.iter().map(|&o| after[o].op.name()).collect();
    assert_eq!(names, ["cut", "cut", "exp", "buffer"]);
    assert_eq!(simplify(&after, &Limits::floor()), after);
    assert_same(&program, &after, &random_inputs(&program, 0, false), Exactness::Bits);
}

#[test]
fn chains_of_any_length_are_simplified_without_recursion() {
    let mut s = Sketch::new(0);
    let leaf = s.leaf([2], DType::F32);
    let one = s.number(1.0, leaf);
    let (mut cancelled, mut kept) = (leaf, leaf);
    for _ in 0..50_000 {
        cancelled = s.unary(Unary::Neg, cancelled);
        kept = s.binary(Binary::Add, kept, one);
    }
    let program = s.program(&[cancelled, kept]);
    let after = simplify(&program, &Limits::floor());
    assert_eq!(after.outputs[0].0, 0);
    assert_eq!(after.nodes.len(), 50_004);
}

#[test]
fn wild_programs_keep_their_bits() {
    for seed in seeds(0, 400) {
        let (program, buffers, scalars) = wild_program(seed);
        let (after, _) = simplify_with(&program, &Limits::floor(), &|rule| rule.exactness == Exactness::Bits);
        assert_same(&program, &after, &(buffers, scalars), Exactness::Bits);
    }
}

#[test]
fn tame_programs_stay_within_rounding_and_are_settled() {
    for seed in seeds(0, 400) {
        let (program, buffers, scalars) = random_program(seed);
        let after = simplify(&program, &Limits::floor());
        assert_same(&program, &after, &(buffers, scalars), Exactness::Rounding);
        assert!(
            after == simplify(&after, &Limits::floor()),
            "not settled:\n{after}\n{}",
            simplify(&after, &Limits::floor())
        );
    }
}

#[test]
fn generated_programs_are_well_formed_and_tame_ones_do_not_magnify_rounding() {
    for seed in seeds(0, 500) {
        let (program, buffers, scalars) = wild_program(seed);
        verify::verify(&program).unwrap();
        interpret::run(&program, &buffers, &scalars).unwrap();
        let (program, buffers, scalars) = random_program(seed);
        verify::verify(&program).unwrap();
        let widen =
            |v: &Value<f32>| Value::<f64>::from_bits(v.shape().clone(), v.dtype(), &v.to_bits()).unwrap();
        let wide: Vec<Value<f64>> = buffers.iter().map(widen).collect();
        let narrow = interpret::run(&program, &buffers, &scalars).unwrap();
        let wide = interpret::run(&program, &wide, &scalars).unwrap();
        for (narrow, wide) in narrow.iter().zip(&wide) {
            for (x, y) in narrow.to_f64().into_iter().zip(wide.to_f64()) {
                let bound = if narrow.dtype() == DType::F32 { 1e-5 * y.abs().max(1.0) } else { 0.0 };
                assert!((x - y).abs() <= bound, "{x} in f32, {y} in f64\n{program}");
            }
        }
    }
}

#[test]
fn nothing_becomes_too_large_to_count() {
    let mut s = Sketch::new(0);
    let (a, b) = (s.leaf([16, 1 << 24], DType::F32), s.leaf([1 << 24, 16], DType::F32));
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let product = s.add(Op::Contract(axes), &[a, b]);
    let after = simplify(&s.program(&[product]), &Limits::floor());
    assert!(after.nodes.iter().all(|node| node.shape.size() <= i32::MAX as usize), "{after}");
}
