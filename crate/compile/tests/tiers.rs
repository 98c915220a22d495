//! Kernels that serve until others are compiled: they are at most half as long, and compute the
//! same bits on the kernel interpreter. No GPU is needed.

use crate::common::attentions::attentions;
use crate::common::contractions::contractions;
use crate::common::kernels::{run, words};
use crate::common::lines::{sorts, transforms};
use crate::common::rotation::share;
use std::cell::{Cell, RefCell};
use weft_compile::device::SOFTWARE;
use weft_compile::family::{Candidate, Choice, Problem, fallback};
use weft_compile::{Compiler, Limits, compile_for};
use weft_ir::Literal;
use weft_ir::interpret::Value;
use weft_ir::kernel::Kernel;
use weft_ir::program::TensorProgram;

/// To which every kernel is slow, or none.
struct Everything {
    is_slow: bool,
    firsts: RefCell<Vec<Option<Kernel>>>,
}

impl Everything {
    fn new(is_slow: bool) -> Everything {
        Everything { is_slow, firsts: RefCell::default() }
    }
}

impl Compiler for Everything {
    fn is_slow(&self, _: &Kernel) -> bool {
        self.is_slow
    }

    fn is_sooner(&self, kernel: &Kernel, first: &Kernel) -> bool {
        2 * first.exprs.len() <= kernel.exprs.len()
    }

    fn begin(&self, _: &Kernel, first: Option<&Kernel>) {
        self.firsts.borrow_mut().push(first.cloned());
    }
}

/// A program with values for its leaves.
type Case = (TensorProgram, Vec<Value<f32>>, Vec<Literal>);

/// Products, convolutions and attention.
fn products() -> Vec<Case> {
    contractions().into_iter().chain(attentions()).collect()
}

/// Of all candidates of a family, how many have something that serves first.
fn try_first_kernels(cases: Vec<Case>, limits: &Limits, wanted: fn(&Choice) -> bool) -> usize {
    let mut served = 0;
    for (program, buffers, scalars) in cases {
        for number in 0.. {
            let chosen = Cell::new(false);
            let choose = |_: &Problem<'_>, candidates: &[Candidate]| {
                let found = candidates.iter().filter(|c| wanted(&c.choice)).nth(number);
                chosen.set(chosen.get() || found.is_some());
                found.map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let compiler = Everything::new(true);
            let mut executable = compile_for(&program, limits, &[], &choose, &compiler).unwrap();
            if !chosen.get() {
                break;
            }
            let firsts = compiler.firsts.take();
            assert_eq!(firsts.len(), executable.kernels.len());
            if firsts.iter().all(Option::is_none) {
                continue;
            }
            served += 1;
            let inputs = words(&buffers);
            let whole = run(&executable, &inputs, &scalars);
            for (kernel, first) in executable.kernels.iter_mut().zip(firsts) {
                let Some(first) = first else { continue };
                *kernel = first;
            }
            assert_eq!(run(&executable, &inputs, &scalars), whole, "candidate {number}\n{executable}");
        }
    }
    served
}

#[test]
fn what_serves_first_computes_the_same_bits() {
    let limits = Limits { workgroup_bytes: 48 << 10, invocations: 1024, ..Limits::floor() };
    let tiles = try_first_kernels(products(), &limits, |c| c.family().name() == "shared-tiles");
    let attention = try_first_kernels(products(), &limits, |c| c.family().name() == "attention");
    assert!(tiles >= 8 && attention >= 5, "{tiles} and {attention} candidates were tried");
    // Of which the last cuts every dispatch.
    let cut = Limits { long_dispatch: 1, ..Limits::of(&SOFTWARE) };
    let (first, step) = share(3, 0);
    for limits in [Limits::floor(), Limits::of(&SOFTWARE), cut].iter().skip(first).step_by(step) {
        let registers = try_first_kernels(products(), limits, |c| c.family().name() == "contract");
        assert!(registers >= 20, "{registers} candidates were tried");
    }
}

#[test]
fn transforms_that_serve_first_compute_the_same_bits() {
    let limits = Limits { workgroup_bytes: 48 << 10, invocations: 1024, ..Limits::floor() };
    let served = try_first_kernels(transforms(), &limits, |c| c.family().name() == "fourier");
    assert!(served >= 20, "{served} candidates were tried");
}

#[test]
fn sorts_that_serve_first_compute_the_same_bits() {
    let served = try_first_kernels(sorts(), &Limits::floor(), |c| c.family().name() == "sort");
    assert!(served >= 4, "{served} candidates were tried");
}

/// Nobody waits for what is compiled soon, and what nobody waits for is made once.
#[test]
fn what_is_compiled_soon_is_made_once() {
    for (program, ..) in contractions() {
        let compiler = Everything::new(false);
        let choose = |_: &Problem<'_>, candidates: &[Candidate]| candidates[candidates.len() - 1].choice;
        compile_for(&program, &Limits::floor(), &[], &choose, &compiler).unwrap();
        assert!(compiler.firsts.borrow().iter().all(Option::is_none));
    }
}
