//! Each rule of the simplifier against the interpreter, and the pass as a whole on random programs.

mod common {
    pub mod programs;
}

#[path = "simplify/cases.rs"]
mod cases;

use cases::CASES;
use common::programs::{random_inputs, random_program, wild_program};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use weft_compile::simplify::{Exactness, rules, simplify, simplify_with};
use weft_ir::interpret::{self, Value};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, verify};

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
fn least_exact(applied: &BTreeMap<&str, usize>) -> Exactness {
    let exactness = rules().filter(|rule| applied.contains_key(rule.name)).map(|rule| rule.exactness);
    exactness.max().unwrap_or(Exactness::Bits)
}

#[test]
fn each_rule_keeps_what_is_computed() {
    let strategy = (proptest::collection::vec(1usize..=4, 0..=3), any::<u64>()).boxed();
    for case in CASES {
        let config = Config { cases: 100, failure_persistence: None, ..Config::default() };
        let mut runner =
            TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let outcome = runner.run(&strategy, |(shape, seed)| {
            for &dtype in case.dtypes {
                let program = case.program(&shape, dtype, seed);
                // Some rules join constants, and are nothing without the one that computes them.
                let allowed = |rule: &_| rule_is(rule, case.rule) || rule_is(rule, "fold-constants");
                let (alone, applied) = simplify_with(&program, &allowed);
                assert!(applied.contains_key(case.rule), "{} was not applied to\n{program}", case.rule);
                let (together, all) = simplify_with(&program, &|_| true);
                for (after, exactness) in [(alone, least_exact(&applied)), (together, least_exact(&all))] {
                    let inputs = random_inputs(&program, seed, exactness == Exactness::Rounding);
                    assert_same(&program, &after, &inputs, exactness);
                }
            }
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{}: {error}", case.rule));
    }
}

fn rule_is(rule: &weft_compile::simplify::Rule, name: &str) -> bool {
    rule.name == name
}

#[test]
fn every_rule_has_a_case_and_a_name_of_its_own() {
    let names: Vec<&str> = rules().map(|rule| rule.name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), distinct.len());
    assert_eq!(CASES.iter().map(|case| case.rule).collect::<BTreeSet<_>>(), distinct);
}

#[test]
fn wild_programs_keep_their_bits() {
    let mut counts = BTreeMap::new();
    for seed in 0..3000 {
        let (program, buffers, scalars) = wild_program(seed);
        let (after, applied) = simplify_with(&program, &|rule| rule.exactness == Exactness::Bits);
        assert_same(&program, &after, &(buffers, scalars), Exactness::Bits);
        for (name, count) in applied {
            *counts.entry(name).or_insert(0) += count;
        }
    }
    println!("{counts:?}");
}

#[test]
fn tame_programs_stay_within_rounding() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..3000 {
        let (program, buffers, scalars) = random_program(seed);
        let simple = simplify(&program);
        assert_same(&program, &simple, &(buffers, scalars), Exactness::Rounding);
        before += program.nodes.len();
        after += simple.nodes.len();
    }
    println!("{before} nodes became {after}");
}

#[test]
fn generated_programs_are_well_formed_and_tame_ones_do_not_magnify_rounding() {
    for seed in 0..1000 {
        let (program, buffers, scalars) = wild_program(seed);
        verify::verify(&program).unwrap();
        interpret::run(&program, &buffers, &scalars).unwrap();
        let (program, buffers, scalars) = random_program(seed);
        verify::verify(&program).unwrap();
        let widen = |v: &Value<f32>| Value::<f64>::from_bits(v.shape().clone(), v.dtype(), &v.to_bits()).unwrap();
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
