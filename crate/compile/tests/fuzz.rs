//! Random programs on the kernel interpreter. Whatever the compiler makes of them is well formed
//! and computes what the graph interpreter does, with every family's variants, subgroups and
//! donated leaves. No GPU is needed.

use crate::common::attentions::attentions;
use crate::common::contractions::contractions;
use crate::common::kernels::{run, run_in_subgroups, same, words};
use crate::common::lines::{scans, sorts, transforms};
use crate::common::pairs::pairs;
use crate::common::programs::random_program;
use crate::common::regions::inside_kernels;
use crate::common::rotation;
use crate::common::rows::{
    bodies, columns, large_maps, levels_of_columns, levels_of_rows, padded_maps, pictures, short_rows,
    transposed_maps,
};
use crate::common::scatters::{scatters, scatters_in_turns, scatters_into_few, sorted_scatters};
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use weft_compile::device::{GPU, SOFTWARE};
use weft_compile::family::{Candidate, Choice, FAMILIES, Problem, fallback};
use weft_compile::{Fused, Limits, Slot, compile, compile_with, fuse, plan};
use weft_ir::graph::{Graph, ValueId};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Compare, Op, ScatterOp, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

#[test]
fn kernels_of_random_programs_compute_what_the_programs_mean() {
    let lowered_by = RefCell::new(HashSet::new());
    // Random rows, products and maps are too small for some families.
    let programs = levels_of_rows().into_iter();
    let programs = programs.chain((0..4).flat_map(|_| contractions())).chain(transposed_maps());
    let programs = programs.chain(sorts()).chain(transforms()).chain(inside_kernels());
    let programs = programs.chain((0..2).flat_map(|_| sorted_scatters())).chain(scatters_into_few());
    let programs = programs.chain(pairs()).chain(attentions());
    let programs = programs.chain((0..4).flat_map(|_| bodies(&[[64, 2, 2048]])));
    let random = rotation::seeds(10_000, 150).map(|seed| (seed, random_program(seed)));
    for (seed, (program, buffers, scalars)) in random.chain((10_300..).zip(programs)) {
        let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
        let expected = interpret::run::<f32>(&program, &given, &scalars).unwrap();
        let (subgroups, model) = (seed % 2 == 0, if seed % 3 == 0 { &SOFTWARE } else { &GPU });
        let limits = Limits { subgroups, least_copied: 0, ..Limits::of(model) };
        let donated: Vec<usize> = if seed % 4 == 1 { (0..buffers.len()).collect() } else { Vec::new() };
        let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
            // Of many candidates the last ones' turn would never come.
            let turn = if seed % 4 == 3 { candidates.len() - 1 } else { seed as usize * 5 + problem.own };
            let idle = |c: &&Candidate| !lowered_by.borrow().contains(c.choice.family().name());
            // Some families have few candidates, for few programs.
            let first = candidates.iter().find(|c| seed % 4 == 2 && idle(c));
            let choice = first.unwrap_or(&candidates[turn % candidates.len()]).choice;
            fallback(candidates);
            lowered_by.borrow_mut().insert(choice.family().name());
            assert_eq!(choice.to_string().parse(), Ok(choice), "what is remembered is what was chosen");
            choice
        };
        let executable = compile_with(&program, &limits, &donated, &choose).unwrap();
        for Fused { program, clusters } in &executable.fused {
            assert_eq!(weft_ir::verify::verify(program), Ok(()), "seed {seed}\n{program}");
            assert_eq!(fuse::verify::clusters(program, clusters, &limits), Ok(()), "seed {seed}\n{program}");
        }
        assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "seed {seed}\n{program}\n{executable}");
        let leaves = words(&buffers);
        for (n, (got, expected)) in run(&executable, &leaves, &scalars).iter().zip(&expected).enumerate() {
            assert!(same(got, expected), "seed {seed}, output {n}\n{program}\n{executable}");
        }
    }
    // Users' kernels have random programs of their own (`user_kernels`).
    let mut all = FAMILIES.iter().map(|family| family.name()).filter(|&name| name != "user");
    let idle = all.find(|name| !lowered_by.borrow().contains(name));
    assert_eq!(idle, None, "a family that lowers nothing: add programs for it to `programs`");
}

type Programs = Vec<(TensorProgram, Vec<Value<f32>>, Vec<Literal>)>;

/// Compiles programs with each of the candidates that `wanted` picks, runs them, and returns how
/// many there were.
fn try_variants(programs: Programs, donated: &[usize], wanted: fn(&Choice) -> bool) -> usize {
    try_variants_on(&Limits::floor(), programs, donated, wanted)
}

/// The same for a device.
fn try_variants_on(
    limits: &Limits,
    programs: Programs,
    donated: &[usize],
    wanted: fn(&Choice) -> bool,
) -> usize {
    let mut variants = 0;
    for (program, buffers, scalars) in programs {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        for number in 0.. {
            let chosen = std::cell::Cell::new(false);
            let choose = |_: &Problem<'_>, candidates: &[Candidate]| {
                let found = candidates.iter().filter(|c| wanted(&c.choice)).nth(number);
                chosen.set(chosen.get() || found.is_some());
                found.map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let executable = compile_with(&program, limits, donated, &choose).unwrap();
            if !chosen.get() {
                break;
            }
            variants += 1;
            for (n, got) in run(&executable, &words(&buffers), &scalars).iter().enumerate() {
                assert!(same(got, &expected[n]), "variant {number}, output {n}\n{program}\n{executable}");
            }
        }
    }
    variants
}

#[test]
fn contractions_through_workgroup_memory_compute_what_they_mean() {
    let variants = try_variants(contractions(), &[], |c| c.family().name() == "shared-tiles");
    assert!(variants >= 8, "{variants} variants were tried");
}

#[test]
fn attention_by_blocks_and_by_rows_computes_what_it_means() {
    let larger = Limits { workgroup_bytes: 48 << 10, ..Limits::floor() };
    for (limits, least) in [(Limits::floor(), 5), (larger, 18)] {
        let variants = try_variants_on(&limits, attentions(), &[], |c| c.family().name() == "attention");
        assert!(variants >= least, "{variants} variants were tried");
    }
    let software = Limits::of(&SOFTWARE);
    let variants = try_variants_on(&software, attentions(), &[], |c| c.family().name() == "attention-rows");
    assert!(variants >= 26, "{variants} variants were tried");
}

#[test]
fn contractions_whose_terms_invocations_share_compute_what_they_mean() {
    let variants = try_variants(contractions(), &[], |c| c.family().name() == "sliced");
    assert!(variants >= 6, "{variants} variants were tried");
}

#[test]
fn scatters_by_updates_compute_what_they_mean() {
    let variants = try_variants(scatters(), &[], |c| c.family().name() == "scatter");
    // Sums of floats have two, one of which has a window for what is near the largest.
    let of_one = scatters().iter().filter(|(program, ..)| is_of_one(program)).count();
    assert_eq!(variants, scatters().len() - of_one + float_sums());
}

#[test]
fn sums_scattered_into_copies_compute_what_they_mean() {
    let software = Limits::of(&SOFTWARE);
    let variants = try_variants_on(&software, scatters(), &[], |c| c.family().name() == "scatter-copies");
    assert_eq!(variants, 2 * float_sums());
}

#[test]
fn scatters_into_copies_that_workgroups_share_compute_what_they_mean() {
    let shared = |c: &Choice| c.family().name() == "scatter-shared";
    let sums = scatters_into_few().iter().filter(|(program, ..)| is_float_sum(program)).count();
    // The base written over, and not.
    for donated in [[].as_slice(), &[0]] {
        let variants = try_variants(scatters_into_few(), donated, shared);
        assert_eq!(variants, scatters_into_few().len() + sums);
    }
    // With as many workgroups as there are turns for, and with fewer.
    assert_eq!(try_variants(scatters_in_turns(), &[], shared), 2 + 4);
}

/// Whether a program scatters at one index: all is copied but what it names, by a map.
fn is_of_one(program: &TensorProgram) -> bool {
    let scatters = |op: &Op| matches!(op, Op::Scatter { .. });
    program.ids().any(|id| scatters(&program[id].op) && program[program[id].inputs[1]].shape.size() == 1)
}

/// How many of the scatters are sums of floats, of more than one index.
fn float_sums() -> usize {
    scatters().iter().filter(|(program, ..)| is_float_sum(program) && !is_of_one(program)).count()
}

/// Whether a program scatters sums of floats.
fn is_float_sum(program: &TensorProgram) -> bool {
    let add = |op: &Op| matches!(op, Op::Scatter { op: ScatterOp::Add, .. });
    program.ids().any(|id| add(&program[id].op) && program[id].dtype == DType::F32)
}

#[test]
fn scatters_in_order_compute_what_they_mean() {
    let variants = try_variants(sorted_scatters(), &[], |c| c.family().name() == "sorted-scatter");
    assert_eq!(variants, sorted_scatters().len());
}

#[test]
fn rows_held_in_registers_compute_what_they_mean() {
    let variants = try_variants(levels_of_rows(), &[], |c| c.family().name() == "held-rows");
    assert!(variants >= 24, "{variants} variants were tried");
}

#[test]
fn rows_whose_exponentials_are_summed_online_compute_what_they_mean() {
    let variants = try_variants(levels_of_rows(), &[], |c| c.family().name() == "online-rows");
    assert!(variants >= 24, "{variants} variants were tried");
}

#[test]
fn rows_walked_level_by_level_compute_what_they_mean() {
    let variants =
        try_variants(levels_of_rows(), &[], |c| ["rows", "split-rows"].contains(&c.family().name()));
    assert!(variants >= 24, "{variants} variants were tried");
}

/// Devices of larger workgroups have more ways.
fn larger() -> Limits {
    Limits { invocations: 1024, workgroup_bytes: 48 << 10, ..Limits::floor() }
}

#[test]
fn columns_that_share_a_workgroup_compute_what_they_mean_level_by_level() {
    for donated in [[].as_slice(), &[0]] {
        for name in ["rows", "held-rows", "online-rows"] {
            let wanted = match name {
                "rows" => |c: &Choice| c.family().name() == "rows" && c.get("width") > Some(1),
                "held-rows" => |c: &Choice| c.family().name() == "held-rows",
                _ => |c: &Choice| c.family().name() == "online-rows",
            };
            let variants = try_variants_on(&larger(), levels_of_columns(), donated, wanted);
            assert!(variants >= 30, "{name}: {variants} variants were tried");
        }
    }
}

#[test]
fn short_rows_that_share_a_workgroup_compute_what_they_mean() {
    for donated in [[].as_slice(), &[0]] {
        let variants = try_variants(short_rows(), donated, |c| c.get("width") > Some(1));
        assert!(variants >= 60, "{variants} variants were tried");
    }
}

#[test]
fn short_rows_that_a_workgroup_copies_compute_what_they_mean() {
    for donated in [[].as_slice(), &[0], &[0, 1]] {
        let limits = Limits { least_copied: 0, ..Limits::floor() };
        let variants =
            try_variants_on(&limits, short_rows(), donated, |c| c.family().name() == "copied-rows");
        assert!(variants >= 56, "{variants} variants were tried");
    }
}

/// WebGPU leaves the size of subgroups between 4 and 128, a workgroup's end may lie within one, and
/// each candidate is right for all.
#[test]
fn subgroups_of_any_size_compute_what_they_mean() {
    let limits = Limits { subgroups: true, ..Limits::floor() };
    let mut with_subgroups = 0;
    for (program, buffers, scalars) in levels_of_rows() {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        for (number, size) in [4, 8, 16, 32, 64, 128].into_iter().enumerate() {
            let choose = |_: &Problem<'_>, candidates: &[Candidate]| {
                let lanes = |c: &&Candidate| c.choice.get("lanes").or(c.choice.get("workgroup")) > Some(1);
                let shared: Vec<&Candidate> = candidates.iter().filter(lanes).collect();
                shared.get(number % shared.len().max(1)).map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let executable = compile_with(&program, &limits, &[], &choose).unwrap();
            with_subgroups += executable.kernels.iter().filter(|kernel| kernel.uses_subgroups()).count();
            let (found, _) = run_in_subgroups(&executable, &words(&buffers), &scalars, size);
            for (n, got) in found.iter().enumerate() {
                assert!(same(got, &expected[n]), "subgroups of {size}, output {n}\n{program}\n{executable}");
            }
        }
    }
    assert!(with_subgroups >= 48, "{with_subgroups} kernels with subgroups were tried");
}

#[test]
fn scans_compute_what_they_mean() {
    let variants = try_variants(scans(), &[], |c| c.family().name() == "scan");
    assert!(variants >= 100, "{variants} variants were tried");
}

#[test]
fn scans_by_subgroups_of_any_size_compute_what_they_mean() {
    let limits = Limits { subgroups: true, ..Limits::floor() };
    let mut variants = 0;
    for (program, buffers, scalars) in scans() {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        for (number, size) in [4, 8, 32, 128].into_iter().enumerate() {
            let choose = |_: &Problem<'_>, candidates: &[Candidate]| {
                let by_subgroups: Vec<&Candidate> =
                    candidates.iter().filter(|c| c.choice.get("subgroups") == Some(1)).collect();
                by_subgroups
                    .get(number % by_subgroups.len().max(1))
                    .map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let executable = compile_with(&program, &limits, &[], &choose).unwrap();
            variants += executable.kernels.iter().filter(|kernel| kernel.uses_subgroups()).count();
            let (found, _) = run_in_subgroups(&executable, &words(&buffers), &scalars, size);
            for (n, got) in found.iter().enumerate() {
                assert!(same(got, &expected[n]), "subgroups of {size}, output {n}\n{program}\n{executable}");
            }
        }
    }
    assert!(variants >= 12, "{variants} kernels with subgroups were tried");
}

#[test]
fn sorts_compute_what_they_mean() {
    let variants = try_variants(sorts(), &[], |c| ["sort", "radix", "merge"].contains(&c.family().name()));
    assert!(variants >= 20, "{variants} variants were tried");
    let software = Limits::of(&SOFTWARE);
    let serial = try_variants_on(&software, sorts(), &[], |c| c.get("serial") == Some(1));
    let shared = try_variants_on(&software, sorts(), &[], |c| c.get("serial") == Some(0));
    assert!(serial >= 5 && shared >= 5, "{serial} serial variants and {shared} others were tried");
}

#[test]
fn fourier_transforms_compute_what_they_mean() {
    let variants = try_variants(transforms(), &[], |c| c.family().name() == "fourier");
    assert!(variants >= 60, "{variants} variants were tried");
    let software = Limits::of(&SOFTWARE);
    for donated in [[].as_slice(), &[0]] {
        let variants = try_variants_on(&software, transforms(), donated, |c| c.get("in_passes") == Some(1));
        assert!(variants >= 20, "{variants} variants in passes were tried");
    }
}

#[test]
fn columns_reduced_together_compute_what_they_mean() {
    let variants = try_variants(columns(), &[], |c| c.get("lanes") == Some(1) && c.get("rows") > Some(1));
    assert!(variants >= 6, "{variants} variants were tried");
}

#[test]
fn rows_that_share_what_they_walk_compute_what_they_mean() {
    let in_parts = |c: &Choice| c.family().name() == "split-tiled-rows";
    let variants = try_variants(bodies(&[[64, 2, 2048], [128, 3, 2048]]), &[], in_parts);
    assert!(variants >= 3, "{variants} variants were tried");
    // Of the last neither rows nor what they walk are divided by a workgroup's.
    let in_teams = |c: &Choice| c.family().name() == "tiled-rows";
    for donated in [[].as_slice(), &[0]] {
        let variants = try_variants(bodies(&[[32, 2, 256], [20, 3, 680]]), donated, in_teams);
        assert!(variants >= 28, "{variants} variants were tried");
    }
}

#[test]
fn reductions_of_pairs_compute_what_they_mean() {
    // The last leaf of some is what a result is written over.
    for donated in [[].as_slice(), &[2]] {
        let variants = try_variants(pairs(), donated, |c| c.family().name() == "pairs");
        assert!(variants >= 2 * pairs().len(), "{variants} variants were tried");
    }
}

#[test]
fn maps_that_read_across_compute_what_they_mean() {
    for donated in [[].as_slice(), &[2]] {
        let variants = try_variants(transposed_maps(), donated, |c| c.family().name() == "transposed-map");
        assert!(variants >= 7, "{variants} variants were tried");
    }
}

#[test]
fn maps_of_several_elements_compute_what_they_mean() {
    for donated in [[].as_slice(), &[0, 1]] {
        let variants = try_variants(large_maps(), donated, |c| c.get("each") > Some(1));
        assert!(variants >= 2, "{variants} variants were tried");
    }
}

#[test]
fn neighbours_of_padded_maps_are_computed_together() {
    for donated in [[].as_slice(), &[1]] {
        let variants = try_variants(padded_maps(), donated, |c| c.family().name() == "vector-map");
        assert!(variants >= 3, "{variants} variants were tried");
    }
}

#[test]
fn what_software_reads_as_vectors_computes_what_it_means() {
    let software = Limits::of(&SOFTWARE);
    let vectors = |c: &Choice| c.family().name() == "vector-map";
    for donated in [[].as_slice(), &[2]] {
        let variants = try_variants_on(&software, transposed_maps(), donated, vectors);
        assert!(variants >= 8, "{variants} variants of maps that read across were tried");
    }
    for donated in [[].as_slice(), &[0, 1]] {
        let variants = try_variants_on(&software, large_maps(), donated, vectors);
        assert!(variants >= 3, "{variants} variants of maps were tried");
    }
    for donated in [[].as_slice(), &[3]] {
        let variants = try_variants_on(&software, pictures(), donated, |c| c.get("lines") == Some(3));
        assert!(variants >= 4, "{variants} variants of pictures were tried");
    }
    let wide =
        |c: &Choice| c.get("terms") == Some(4) && c.get("rows") >= Some(4) && c.get("columns") >= Some(8);
    let variants = try_variants_on(&software, contractions(), &[], wide);
    assert!(variants >= 6, "{variants} variants of products were tried");
    let alone = |c: &Choice| c.get("lanes") == Some(1) && c.get("each") == Some(4);
    let variants = try_variants_on(&software, levels_of_rows(), &[], alone);
    assert!(variants >= 4, "{variants} variants of rows were tried");
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
