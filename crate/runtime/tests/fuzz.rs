//! Random programs on a device. The device computes what the interpreter does: with every variant
//! of every family, with leaves donated, and on the schedules of both software and hardware
//! devices.

use crate::compile_tests as common;

use std::cell::RefCell;
use std::collections::HashSet;
use weft_compile::device::{GPU, SOFTWARE};
use weft_compile::family::{Candidate, Problem};
use weft_compile::{Limits, Slot, compile_with};
use weft_ir::Literal;
use weft_ir::interpret::{self, Data, Value};
use weft_ir::program::TensorProgram;
use weft_runtime::{AdapterFacts, OpenOptions, Runtime};

fn words(value: &Value<f32>) -> Vec<u8> {
    let bits: Vec<u32> = match value.data() {
        Data::Float(v) => v.iter().map(|x| x.to_bits()).collect(),
        Data::I32(v) => v.iter().map(|&x| x as u32).collect(),
        Data::U32(v) => v.clone(),
        Data::Bool(v) => v.iter().map(|&x| u32::from(x)).collect(),
    };
    bits.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The first element on which device and interpreter disagree.
fn difference(got: &[u8], expected: &Value<f32>) -> Option<String> {
    let bits = words(expected);
    let floats = matches!(expected.data(), Data::Float(_));
    got.chunks_exact(4).zip(bits.chunks_exact(4)).enumerate().find_map(|(n, (a, b))| {
        let (a, b) = (a.try_into().unwrap(), b.try_into().unwrap());
        if !floats {
            let (a, b) = (u32::from_le_bytes(a), u32::from_le_bytes(b));
            return (a != b).then(|| format!("element {n}: {a}, expected {b}"));
        }
        let (a, b) = (f32::from_le_bytes(a), f32::from_le_bytes(b));
        let near = a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 2e-4 * (1.0 + b.abs());
        (!near).then(|| format!("element {n}: {a}, expected {b}"))
    })
}

/// Variants, more than there are candidates, in steps of `check`'s own: one of `of`, which rotate
/// with the seed and with `salt`, or all for a release. The kernel interpreter runs all of them at
/// every landing (`crate/compile/tests/fuzz.rs`).
fn variants(count: u64, of: usize, salt: usize) -> impl Iterator<Item = u64> {
    let (first, step) = common::rotation::share(of, salt);
    (first as u64..count).step_by(step)
}

struct Case {
    program: TensorProgram,
    buffers: Vec<Value<f32>>,
    scalars: Vec<Literal>,
    expected: Vec<Value<f32>>,
    /// The plans that were run already, and by which runtime: variants outnumber them, and some
    /// drivers take seconds for a kernel.
    seen: RefCell<HashSet<(*const Runtime, String)>>,
}

impl Case {
    fn new((program, buffers, scalars): (TensorProgram, Vec<Value<f32>>, Vec<Literal>)) -> Case {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).expect("a program that runs");
        Case { program, buffers, scalars, expected, seen: RefCell::default() }
    }
}

/// Runs a case on the device and compares; `variant` seeds the choice of parameters.
fn check(runtime: &Runtime, case: &Case, limits: &Limits, donate: bool, variant: u64) -> Result<(), String> {
    let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
        candidates[(variant as usize * 7 + problem.own * 3) % candidates.len()].choice
    };
    let donated: Vec<usize> = if donate { (0..case.buffers.len()).collect() } else { Vec::new() };
    let executable = compile_with(&case.program, limits, &donated, &choose).map_err(|e| e.to_string())?;
    let sources: Vec<String> = executable
        .kernels
        .iter()
        .map(|k| weft_compile::target::wgsl::print(k, weft_compile::target::wgsl::Dialect::Naga))
        .collect();
    let plan = format!("{}\n{executable}\n{}", case.program, sources.join("\n"));
    if !case.seen.borrow_mut().insert((runtime, plan.clone())) {
        return Ok(());
    }
    let untouched: Vec<bool> = (0..case.buffers.len())
        .map(|n| !executable.outputs.iter().any(|&o| executable.slots[o] == Slot::Leaf(n)))
        .collect();
    let prepared = runtime.prepare(executable).map_err(|e| format!("{e}\n{plan}"))?;
    let leaves: Vec<_> = case.buffers.iter().map(|b| runtime.upload(&words(b)).unwrap()).collect();
    let scalars: Vec<u32> = case.scalars.iter().map(|s| s.bits()).collect();
    let outputs = runtime.run(&prepared, &leaves, &scalars).map_err(|e| format!("{e}\n{plan}"))?;
    for (n, (&output, expected)) in outputs.iter().zip(&case.expected).enumerate() {
        let got = pollster::block_on(runtime.read(output)).map_err(|e| format!("{e}\n{plan}"))?;
        if let Some(difference) = difference(&got, expected) {
            return Err(format!("output {n}, {difference}\n{plan}"));
        }
        runtime.release(output);
    }
    for (n, (&leaf, before)) in leaves.iter().zip(&case.buffers).enumerate() {
        if untouched[n] {
            let after = pollster::block_on(runtime.read(leaf)).map_err(|e| e.to_string())?;
            if after[..words(before).len()] != words(before) {
                return Err(format!("leaf {n} was overwritten\n{plan}"));
            }
        }
        runtime.release(leaf);
    }
    Ok(())
}

#[test]
fn random_programs_agree_with_the_interpreter() {
    let runtime =
        pollster::block_on(Runtime::open(Default::default())).expect("a GPU or a software Vulkan driver");
    // One that cuts every run into pieces, however short.
    let options = OpenOptions { piece_operations: Some(3000), ..OpenOptions::default() };
    let in_pieces = pollster::block_on(Runtime::open(options)).expect("it opened before");
    let mut failures = Vec::new();
    for seed in common::rotation::seeds(0, 250) {
        let case = Case::new(common::programs::random_program(seed));
        let mut limits = runtime.limits().clone();
        limits.model = if seed % 2 == 0 { &SOFTWARE } else { &GPU };
        limits.subgroups &= seed % 3 != 0;
        // Also within what every device has.
        limits.storage_buffers = if seed % 5 == 0 { 8 } else { limits.storage_buffers.min(10) };
        limits.invocations = 256;
        let cut = seed % 3 == 1;
        limits.long_dispatch = if cut { 1 } else { limits.long_dispatch };
        let runtime = if cut { &in_pieces } else { &runtime };
        if let Err(what) = check(runtime, &case, &limits, seed % 4 == 1, seed) {
            failures.push(format!("seed {seed}: {what}"));
        }
    }
    assert!(failures.is_empty(), "{} failures; the first:\n{}", failures.len(), failures[0]);
}

/// A device that has no more than WebGPU promises and counts as hardware compiles and runs what a
/// phone would.
#[test]
fn random_programs_agree_with_the_interpreter_on_a_phone() {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, least_limits: true, ..OpenOptions::default() };
    let runtime = pollster::block_on(Runtime::open(options)).expect("a GPU or a software Vulkan driver");
    assert_eq!(*runtime.limits(), Limits::floor());
    for seed in common::rotation::seeds(30_000, 50) {
        let case = Case::new(common::programs::random_program(seed));
        if let Err(what) = check(&runtime, &case, runtime.limits(), seed % 4 == 1, seed) {
            panic!("seed {seed}: {what}");
        }
    }
}

#[test]
fn every_way_of_contracting_agrees_with_the_interpreter() {
    let runtime =
        pollster::block_on(Runtime::open(Default::default())).expect("a GPU or a software Vulkan driver");
    let options = OpenOptions { piece_operations: Some(20_000), ..OpenOptions::default() };
    let in_pieces = pollster::block_on(Runtime::open(options)).expect("it opened before");
    let mut whole = 0;
    let cases = common::contractions::contractions().into_iter().map(Case::new);
    for (number, case) in cases.enumerate() {
        let limits = Limits { model: &GPU, ..runtime.limits().clone() };
        for (turn, variant) in variants(32, 7, number).enumerate() {
            if let Err(what) = check(&runtime, &case, &limits, false, variant) {
                panic!("variant {variant}: {what}");
            }
            if turn % 4 > 0 {
                continue;
            }
            let before = runtime.stats().dispatches;
            check(&runtime, &case, &limits, false, variant).unwrap();
            whole += runtime.stats().dispatches - before;
            let limits = Limits { long_dispatch: 1, ..limits.clone() };
            if let Err(what) = check(&in_pieces, &case, &limits, false, variant) {
                panic!("variant {variant} in pieces: {what}");
            }
        }
    }
    let pieces = in_pieces.stats().dispatches;
    assert!(pieces >= 2 * whole, "{whole} dispatches in {pieces} pieces");
}

/// Copies that workgroups share: of few updates, of more than a turn, and in pieces of which each
/// has some of the workgroups.
#[test]
fn every_way_of_scattering_into_few_places_agrees_with_the_interpreter() {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, least_limits: true, ..OpenOptions::default() };
    let in_pieces = OpenOptions { piece_operations: Some(20_000), ..options.clone() };
    let [runtime, in_pieces] =
        [options, in_pieces].map(|options| pollster::block_on(Runtime::open(options)).expect("a GPU"));
    let programs = common::scatters::scatters_into_few().into_iter();
    let programs = programs.chain(common::scatters::scatters_in_turns());
    for (number, case) in programs.map(Case::new).enumerate() {
        for variant in variants(8, 3, number) {
            if let Err(what) = check(&runtime, &case, runtime.limits(), variant % 3 == 1, variant) {
                panic!("variant {variant}: {what}");
            }
            let limits = Limits { long_dispatch: 1, ..runtime.limits().clone() };
            if let Err(what) = check(&in_pieces, &case, &limits, false, variant) {
                panic!("variant {variant} in pieces: {what}");
            }
        }
    }
}

/// Every way to compute each, within what the device has, within what every device has, and in
/// pieces.
fn check_every_way(cases: impl IntoIterator<Item = Case>) {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, ..OpenOptions::default() };
    let in_pieces = OpenOptions { piece_operations: Some(20_000), ..options.clone() };
    let [runtime, in_pieces] =
        [options, in_pieces].map(|options| pollster::block_on(Runtime::open(options)).expect("a GPU"));
    for (number, case) in cases.into_iter().enumerate() {
        // Of 13 in turn as many have subgroups, and donated leaves, as of all.
        for variant in variants(64, 13, number) {
            let donate = variant % 3 == 1;
            let least = Limits { subgroups: variant % 2 == 0, ..Limits::floor() };
            for limits in [runtime.limits(), &least] {
                if let Err(what) = check(&runtime, &case, limits, donate, variant) {
                    panic!("variant {variant}: {what}");
                }
            }
            let limits = Limits { long_dispatch: 1, ..least };
            if let Err(what) = check(&in_pieces, &case, &limits, donate, variant) {
                panic!("variant {variant} in pieces: {what}");
            }
        }
    }
}

/// Bodies of which each reads all: one by one, in parts, and in teams that meet in workgroup
/// memory; few rows at a time where that is small.
#[test]
fn every_way_of_summing_over_bodies_agrees_with_the_interpreter() {
    check_every_way(common::rows::bodies(&[[32, 2, 256], [20, 3, 680]]).into_iter().map(Case::new));
}

/// Reductions of all pairs of two sets.
#[test]
fn every_way_of_summing_over_pairs_agrees_with_the_interpreter() {
    check_every_way(common::pairs::pairs().into_iter().map(Case::new));
}

/// Rows of which several share a workgroup, along columns and one behind the other, and those that
/// a workgroup copies.
#[test]
fn every_way_of_sharing_a_workgroup_agrees_with_the_interpreter() {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, ..OpenOptions::default() };
    let runtime = pollster::block_on(Runtime::open(options)).expect("a GPU or a software Vulkan driver");
    let programs = common::rows::levels_of_columns().into_iter().chain(common::rows::short_rows());
    for (number, case) in (0..).zip(programs.map(Case::new)) {
        for variant in variants(8, 4, number as usize) {
            let least = Limits { subgroups: variant % 2 == 0, ..Limits::floor() };
            let limits = if variant % 4 == 0 { runtime.limits() } else { &least };
            if let Err(what) = check(&runtime, &case, limits, variant % 3 == 1, variant + 8 * number) {
                panic!("program {number}, variant {variant}: {what}");
            }
        }
    }
}

#[test]
fn random_users_kernels_agree_with_the_interpreter() {
    let runtime =
        pollster::block_on(Runtime::open(Default::default())).expect("a GPU or a software Vulkan driver");
    for seed in common::rotation::seeds(60_000, 60) {
        let (call, shapes) = common::user_kernels::random_call(seed);
        let program = match seed % 2 {
            0 => common::user_kernels::program_of(&call, &shapes),
            _ => common::user_kernels::program_followed(&call, &shapes, seed),
        };
        let (buffers, scalars) = common::programs::random_inputs(&program, seed, true);
        let case = Case::new((program, buffers, scalars));
        if let Err(what) = check(&runtime, &case, runtime.limits(), seed % 4 == 1, seed) {
            panic!("seed {seed}: {what}\n{}", call.kernel);
        }
    }
}
