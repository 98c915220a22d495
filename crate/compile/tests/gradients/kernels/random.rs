//! Random kernels, whose derivatives agree with differences, with each other and with those of the
//! members of batches.

use super::super::check::{check, check_nested};
use super::agree::{batches, jumps, modes, second_order_fits};
use super::generator::random_kernel;
use super::total;
use crate::common::rotation::{is_fixed, seeds, share};

/// First derivatives agree with differences, modes with each other.
#[test]
fn derivatives_agree() {
    for seed in seeds(1, 100) {
        let (call, inputs) = random_kernel(seed, false);
        println!("seed {seed}\n{}", call.kernel);
        jumps(&call, &inputs);
        check(&inputs, |bench, xs| total(bench, &call, xs));
        modes(&call, &inputs);
        let batched: Vec<bool> = (0..inputs.len()).map(|i| seed >> (i % 4) & 1 == 0).collect();
        if batched.contains(&true) {
            batches(&call, &inputs, &batched);
        }
    }
}

/// So do second derivatives.
#[test]
fn second_derivatives_agree() {
    let (mut tried, mut refused) = (0, 0);
    for seed in seeds(100_000, 40) {
        let (call, inputs) = random_kernel(seed, false);
        println!("seed {seed}\n{}", call.kernel);
        let counted = u64::from(is_fixed(100_000, seed));
        tried += counted;
        if second_order_fits(&call, &inputs) {
            check_nested(&inputs, |bench, xs| total(bench, &call, xs));
        } else {
            refused += counted;
        }
    }
    assert!(refused * 10 <= tried, "{refused} of {tried} have no second derivative");
}

/// Functions that bend, away from where they do: of fixed seeds, a third of them at a landing.
#[test]
fn derivatives_of_functions_that_bend_agree() {
    let (first, step) = share(3, 0);
    for seed in (1..60).skip(first).step_by(step) {
        let (call, inputs) = random_kernel(seed, true);
        println!("seed {seed}\n{}", call.kernel);
        check(&inputs, |bench, xs| total(bench, &call, xs));
        modes(&call, &inputs);
    }
}
