//! Verifiers of clusters and plans. A test gives each rule something that breaks it, and the rule
//! must report it.

use crate::sketch::Sketch;
use std::rc::Rc;
use weft_compile::cluster::{Clusters, Domain};
use weft_compile::{Executable, Fused, Limits, Repeat, Slot, Uniform, compile, fuse, plan};
use weft_ir::build::ProgramBuilder;
use weft_ir::kernel::Space;
use weft_ir::op::{Binary, Loop, Op, Unary};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Shape};

/// A product, its softmax and a product of that: several kernels, with values between them.
fn attention() -> (TensorProgram, Executable) {
    let mut s = Sketch::default();
    let (a, b, c) = (s.input([16, 8]), s.input([8, 16]), s.input([16, 4]));
    let scores = s.matmul(a, b);
    let weights = s.softmax(scores);
    let result = s.matmul(weights, c);
    let doubled = s.number(2.0, result);
    let doubled = s.binary(Binary::Mul, result, doubled);
    let last = s.unary(Unary::Tanh, scores);
    let program = s.program(&[doubled, last]);
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    (program, executable)
}

/// The error of the clusters of `attention` after a change.
fn clusters_refused(change: impl FnOnce(&mut TensorProgram, &mut Clusters)) -> String {
    let Fused { mut program, mut clusters } = attention().1.fused.remove(0);
    assert_eq!(fuse::verify::clusters(&program, &clusters, &Limits::floor()), Ok(()));
    change(&mut program, &mut clusters);
    fuse::verify::clusters(&program, &clusters, &Limits::floor()).unwrap_err()
}

/// The error of the plan of `attention` after a change.
fn plan_refused(change: impl FnOnce(&mut Executable)) -> String {
    let (program, mut executable) = attention();
    assert_eq!(plan::verify::plan(&program, &executable), Ok(()));
    change(&mut executable);
    plan::verify::plan(&program, &executable).unwrap_err()
}

/// The first cluster that another one reads.
fn read_by_others(clusters: &Clusters) -> usize {
    let cut = clusters.cuts[0].node;
    clusters.home[cut.index()].unwrap()
}

#[test]
fn members_are_at_home_in_one_cluster() {
    let moved = clusters_refused(|_, c| c.home[c.clusters[0].members[0].index()] = Some(1));
    assert!(
        moved.starts_with("cluster 0: %") && moved.ends_with("is a member and at home elsewhere"),
        "{moved}"
    );
    let orphan = clusters_refused(|_, c| c.home[0] = Some(0));
    assert_eq!(orphan, "%0 is no member of its home");
    let short = clusters_refused(|_, c| c.home.truncate(1));
    assert!(short.starts_with("homes are known of "), "{short}");
}

#[test]
fn what_is_stored_is_computed_there_once_and_results_are_stored() {
    let foreign = clusters_refused(|_, c| c.clusters[0].outputs.push(ProgramId(0)));
    assert_eq!(foreign, "cluster 0: stores %0, which is no member");
    let twice = clusters_refused(|_, c| {
        let output = c.clusters[0].outputs[0];
        c.clusters[0].outputs.push(output);
    });
    assert!(twice.ends_with("is stored twice"), "{twice}");
    let lost = clusters_refused(|_, c| c.clusters.last_mut().unwrap().outputs.clear());
    assert!(lost.starts_with("the result %"), "{lost}");
}

#[test]
fn a_cluster_reads_what_was_stored_before_it() {
    let unstored = clusters_refused(|_, c| {
        let own = read_by_others(c);
        let cut = c.cuts[0].node;
        c.clusters[own].outputs.retain(|&id| id != cut);
    });
    assert!(unstored.ends_with("which no earlier cluster stores"), "{unstored}");
    let backwards = clusters_refused(|_, c| {
        let last = c.clusters.len() - 1;
        c.clusters.reverse();
        c.home.iter_mut().flatten().for_each(|own| *own = last - *own);
    });
    assert!(backwards.ends_with("which no earlier cluster stores"), "{backwards}");
}

#[test]
fn a_heavy_node_is_computed_on_the_spot_by_nobody() {
    let inlined = clusters_refused(|program, c| {
        let is_product = |id: &ProgramId| matches!(program[*id].op, Op::Contract(_));
        let product = program.ids().find(is_product).unwrap();
        let own = c.home[product.index()].take().unwrap();
        c.clusters[own].members.retain(|&id| id != product);
        c.clusters[own].outputs.retain(|&id| id != product);
        c.clusters[own].domain = Domain::elements(program[product].shape.clone());
    });
    assert!(inlined.ends_with("(contract) on the spot"), "{inlined}");
}

#[test]
fn a_domain_is_its_outputs() {
    let other = clusters_refused(|_, c| c.clusters[0].domain = Domain::elements([3].into()));
    assert!(other.ends_with("walks 3 elements"), "{other}");
    let wrong = clusters_refused(|_, c| c.clusters[0].domain.anchor = Some(ProgramId(0)));
    assert_eq!(wrong, "cluster 0: is made around %0, which is another kind of node or no member");
    let Fused { program, clusters } = attention().1.fused.remove(0);
    let few = Limits { storage_buffers: 2, ..Limits::floor() };
    assert!(fuse::verify::clusters(&program, &clusters, &few).unwrap_err().ends_with(" buffers of 2"));
}

#[test]
fn a_dispatch_names_what_is_there() {
    for (wanted, change) in [
        ("there is no kernel 99", (|d| d.dispatches[0].kernel = 99) as fn(&mut Executable)),
        ("binds 1 buffers to 4 arrays", |d| d.dispatches[0].bindings.truncate(1)),
        ("there is no slot 99", |d| d.dispatches[0].bindings[0] = 99),
        ("gives 1 scalars of 0", |d| d.dispatches[0].uniforms.push(Uniform::Scalar(0))),
        ("has no workgroups", |d| d.dispatches[0].workgroups[1] = 0),
        ("there is no cluster 99 in part 0", |d| d.dispatches[0].cluster = (0, 99)),
        ("there is no cluster 0 in part 7", |d| d.dispatches[0].cluster = (7, 0)),
    ] {
        assert_eq!(plan_refused(change), format!("dispatch 0: {wanted}"));
    }
    let scalar = plan_refused(|d| {
        let with_scalar = d.dispatches.iter().position(|it| !it.uniforms.is_empty()).unwrap();
        d.dispatches[with_scalar].uniforms[0] = Uniform::Index(0);
    });
    assert!(scalar.ends_with("there is no Index(0)"), "{scalar}");
}

#[test]
fn a_dispatch_finds_the_values_it_reads() {
    let swapped = plan_refused(|d| d.dispatches.swap(0, 1));
    assert!(swapped.contains("reads Node(0, "), "{swapped}");
    // Two values in one buffer whose lives overlap.
    let shared = plan_refused(|d| {
        let outputs: Vec<usize> = d.outputs.clone();
        let temporary = d.slots.iter().position(|slot| matches!(slot, Slot::Temporary(_)));
        let first = temporary.unwrap_or(outputs[1]);
        for dispatch in &mut d.dispatches {
            dispatch.bindings.iter_mut().filter(|slot| outputs.contains(slot)).for_each(|slot| *slot = first);
        }
    });
    assert!(shared.contains("twice and writes it") || shared.contains("which holds Some"), "{shared}");
    let other = plan_refused(|d| d.dispatches[0].holds[0] = d.dispatches[0].holds[1]);
    assert!(other.starts_with("dispatch 0: reads Node(0, "), "{other}");
}

#[test]
fn buffers_are_large_enough_and_written_by_one_binding() {
    let small = plan_refused(|d| {
        let slot = d.outputs[0];
        d.slots[slot] = Slot::Output(4);
    });
    assert!(small.contains(" bytes, and buffer ") && small.ends_with(" has 4"), "{small}");
    let twice = plan_refused(|d| {
        let kernel = &d.kernels[d.dispatches[0].kernel];
        let spaces: Vec<Space> = kernel.storage().map(|(_, array)| array.space).collect();
        let (read, written) = (
            spaces.iter().position(|space| *space == Space::Read).unwrap(),
            spaces.iter().position(|space| *space != Space::Read).unwrap(),
        );
        d.dispatches[0].bindings[written] = d.dispatches[0].bindings[read];
    });
    assert!(twice.ends_with("twice and writes it"), "{twice}");
}

#[test]
fn results_are_there_in_the_end() {
    let unwritten = plan_refused(|d| {
        d.slots.push(Slot::Output(1024));
        d.outputs[0] = d.slots.len() - 1;
    });
    assert!(unwritten.starts_with("result 0 is in slot ") && unwritten.ends_with("which nothing writes"));
    assert!(plan_refused(|d| d.outputs.truncate(1)).starts_with("2 results are in slots "));
    assert!(plan_refused(|d| d.slots.push(Slot::Leaf(9))).ends_with("is no leaf of the program"));
}

#[test]
fn loops_lie_within_one_another() {
    let around = |first, end, iterations| Repeat {
        first,
        end,
        iterations,
        until: None,
        reverse: false,
        carried: Vec::new(),
    };
    for (loops, wrong) in [
        (vec![around(0, 0, 2)], 0),
        (vec![around(0, 99, 2)], 0),
        (vec![around(0, 1, 0)], 0),
        (vec![around(1, 2, 2), around(0, 1, 2)], 1),
    ] {
        let complaint = plan_refused(|d| d.repeats = loops);
        assert!(complaint.starts_with(&format!("loop {wrong} repeats ")), "{complaint}");
    }
}

/// Five iterations of a recurrence that no kernel holds by itself: a product with a matrix.
fn recurrence() -> (TensorProgram, Executable) {
    let mut s = Sketch::default();
    let (h, w) = (s.input([4, 4]), s.input([4, 4]));
    let mut body = ProgramBuilder::default();
    let shape: Shape = [4, 4].into();
    let mut leaf = |op: Op, shape: Shape, dtype| body.push(op, Vec::new(), shape, dtype);
    leaf(Op::Scalar(DType::I32), Shape::scalar(), DType::I32);
    let state = leaf(Op::Buffer(shape.clone(), DType::F32), shape.clone(), DType::F32);
    let matrix = leaf(Op::Buffer(shape.clone(), DType::F32), shape.clone(), DType::F32);
    let axes = weft_ir::op::ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let product = body.push(Op::Contract(axes), vec![state, matrix], shape.clone(), DType::F32);
    let next = body.push(Op::Unary(Unary::Tanh), vec![product], shape.clone(), DType::F32);
    let it = Loop {
        body: body.whole(vec![next]),
        condition: None,
        iterations: Some(5),
        carried: 1,
        sliced: 0,
        reverse: false,
    };
    let region = s.add(Op::Loop(Rc::new(it)), &[h, w]);
    let last = s.add(Op::Part { index: 0, shape, dtype: DType::F32 }, &[region]);
    let program = s.program(&[last]);
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    (program, executable)
}

#[test]
fn a_loop_whose_iterations_write_over_what_they_read_is_found() {
    let (program, mut executable) = recurrence();
    assert_eq!(plan::verify::plan(&program, &executable), Ok(()));
    assert_eq!(executable.repeats.len(), 1);
    let carried = &mut executable.repeats[0].carried[0];
    carried.pair = [carried.pair[0]; 2];
    let complaint = plan::verify::plan(&program, &executable).unwrap_err();
    assert!(complaint.ends_with("twice and writes it"), "{complaint}");
}

/// A product of a matrix, or the matrix, as a number says.
fn choice() -> (TensorProgram, Executable) {
    let shape: Shape = [4, 4].into();
    let alternative = |multiplied: bool| {
        let mut it = ProgramBuilder::default();
        let leaf = it.push(Op::Buffer(shape.clone(), DType::F32), Vec::new(), shape.clone(), DType::F32);
        let axes = weft_ir::op::ContractAxes { batch: vec![], contract: vec![(1, 0)] };
        let result = if multiplied {
            it.push(Op::Contract(axes), vec![leaf, leaf], shape.clone(), DType::F32)
        } else {
            leaf
        };
        it.whole(vec![result])
    };
    let mut s = Sketch::default();
    let (number, x) = (s.input(Shape::scalar()), s.input([4, 4]));
    let number = s.add(Op::Cast(DType::I32), &[number]);
    let region = s.add(Op::Branch(Rc::new(vec![alternative(true), alternative(false)])), &[number, x]);
    let result = s.add(Op::Part { index: 0, shape: shape.clone(), dtype: DType::F32 }, &[region]);
    let program = s.program(&[result]);
    let executable = compile(&program, &Limits { least_spared: 0, ..Limits::floor() }, &[]).unwrap();
    (program, executable)
}

#[test]
fn what_is_counted_is_counted_by_a_gate_before_it() {
    let refused = |change: fn(&mut Executable, usize)| {
        let (program, mut executable) = choice();
        assert_eq!(plan::verify::plan(&program, &executable), Ok(()));
        let counted = executable.dispatches.iter().position(|it| it.counted.is_some()).unwrap();
        assert!(executable.dispatches[counted - 1].is_gate, "{executable}");
        change(&mut executable, counted);
        plan::verify::plan(&program, &executable).unwrap_err()
    };
    let late = refused(|d, n| d.dispatches.swap(n - 1, n));
    assert!(late.contains(": is counted in buffer ") && late.ends_with("which holds None"), "{late}");
    let beyond = refused(|d, n| d.dispatches[n].counted.as_mut().unwrap().1 += 1 << 20);
    assert!(beyond.ends_with("where there are no counts"), "{beyond}");
    let nowhere = refused(|d, n| d.dispatches[n].counted = Some((99, 0)));
    assert!(nowhere.ends_with("byte 0 of slot 99, where there are no counts"), "{nowhere}");
    // Another value where the counts should be.
    let other = refused(|d, n| {
        let selector = d.dispatches[n - 1].bindings[0];
        d.slots[selector] = Slot::Temporary(64);
        d.dispatches[n].counted = Some((selector, 0));
    });
    assert!(other.contains(", which holds Some(Node("), "{other}");
}
