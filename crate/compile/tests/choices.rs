//! Choices of each device model: for some fifty workloads of common sizes, which family lowers each
//! cluster, with which numbers, and what the model estimates, kept as text beside this file.
//! `UPDATE_SNAPSHOTS=1` rewrites it; a line that changes is a choice that changes, and belongs into
//! the review with its time before and after on the device that the model stands for.

use crate::sketch::Sketch;
use std::cell::RefCell;
use std::path::Path;
use weft_compile::device::{GPU, SOFTWARE};
use weft_compile::family::{Candidate, Problem, cheapest};
use weft_compile::{Limits, compile_with};
use weft_ir::DType;
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, Scan, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;

/// A name and what computes it.
type Workload = (String, TensorProgram);

fn workload(name: String, build: impl FnOnce(&mut Sketch) -> NodeId) -> Workload {
    let mut sketch = Sketch::default();
    let root = build(&mut sketch);
    (name, sketch.program(&[root]))
}

fn maps() -> Vec<Workload> {
    let sizes: [&[usize]; 5] = [&[1000], &[1024, 1024], &[4096, 4096], &[1001, 1003], &[16, 3, 512, 512]];
    let of = |name: &str, shape: &[usize], build: fn(&mut Sketch, NodeId) -> NodeId| {
        workload(format!("{name} {shape:?}"), |s| {
            let x = s.input(shape);
            build(s, x)
        })
    };
    let mut found = Vec::new();
    for shape in sizes {
        found.push(of("relu", shape, |s, x| s.unary(Unary::Relu, x)));
        if shape.len() > 1 {
            found.push(of("transpose", shape, |s, x| {
                let rank = s.graph[x].shape.rank();
                let mut order: Vec<usize> = (0..rank).collect();
                order.swap(rank - 2, rank - 1);
                let turned = s.add(Op::View(View::Permute(order)), &[x]);
                s.unary(Unary::Relu, turned)
            }));
        }
    }
    found
}

fn rows() -> Vec<Workload> {
    let sum = |s: &mut Sketch, x: NodeId, axis: usize| {
        s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![axis] }, &[x])
    };
    let mut found = Vec::new();
    let shapes = [[1, 1 << 24], [64, 10], [128, 512], [4096, 4096], [1 << 19, 49], [1 << 20, 4], [8, 65_536]];
    for shape in shapes {
        for axis in [0, 1] {
            found.push(workload(format!("sum {shape:?} along {axis}"), |s| {
                let x = s.input(shape);
                sum(s, x, axis)
            }));
        }
        found.push(workload(format!("softmax {shape:?}"), |s| {
            let x = s.input(shape);
            s.softmax(x)
        }));
    }
    for n in [256, 1024, 4096] {
        // What a step of n bodies sums: for each, a force of every other.
        found.push(workload(format!("forces of {n} bodies"), |s| {
            let [x, y] = [[n, 1, 3], [1, n, 3]].map(|shape| {
                let x = s.input(shape);
                s.add(Op::View(View::Expand([n, n, 3].into())), &[x])
            });
            let apart = s.binary(Binary::Sub, x, y);
            let squared = s.binary(Binary::Mul, apart, apart);
            let far = s.row(ReduceOp::Sum, squared);
            let near = s.unary(Unary::Rsqrt, far);
            let cubed = s.binary(Binary::Mul, near, near);
            let cubed = s.binary(Binary::Mul, cubed, near);
            let force = s.binary(Binary::Mul, apart, cubed);
            sum(s, force, 1)
        }));
        found.push(workload(format!("distances of {n} vectors of 64"), |s| {
            let [x, y] = [[n, 1, 64], [1, n, 64]].map(|shape| {
                let x = s.input(shape);
                s.add(Op::View(View::Expand([n, n, 64].into())), &[x])
            });
            let apart = s.binary(Binary::Sub, x, y);
            let apart = s.unary(Unary::Abs, apart);
            sum(s, apart, 2)
        }));
    }
    found
}

fn contractions() -> Vec<Workload> {
    let sizes = [
        [128, 784, 256],
        [1, 4096, 4096],
        [512, 512, 512],
        [4096, 4096, 4096],
        [1024, 256, 1024],
        [16, 4096, 256],
        [65_536, 64, 4],
        [10, 60_000, 784],
    ];
    let mut found = Vec::new();
    for [m, k, n] in sizes {
        found.push(workload(format!("A·B of {m}×{k}×{n}"), |s| {
            let (a, b) = (s.input([m, k]), s.input([k, n]));
            s.matmul(a, b)
        }));
        found.push(workload(format!("Aᵀ·Bᵀ of {m}×{k}×{n}"), |s| {
            let (a, b) = (s.input([k, m]), s.input([n, k]));
            let axes = ContractAxes { batch: vec![], contract: vec![(0, 1)] };
            s.add(Op::Contract(axes), &[a, b])
        }));
    }
    for [heads, length, width] in [[8, 512, 64], [16, 2048, 64], [8, 2048, 128]] {
        found.push(workload(format!("attention of {heads} heads of {length}×{width}"), |s| {
            let [q, k, v] = [(); 3].map(|()| s.input([heads, length, width]));
            let axes = ContractAxes { batch: vec![(0, 0)], contract: vec![(2, 2)] };
            let scores = s.add(Op::Contract(axes), &[q, k]);
            let weights = s.softmax(scores);
            let axes = ContractAxes { batch: vec![(0, 0)], contract: vec![(2, 1)] };
            s.add(Op::Contract(axes), &[weights, v])
        }));
    }
    found
}

fn scatters() -> Vec<Workload> {
    let mut found = Vec::new();
    for [updates, places] in [[16, 1 << 16], [1 << 18, 1 << 14], [1 << 24, 256], [1 << 22, 1 << 20]] {
        for op in [ScatterOp::Add, ScatterOp::Set, ScatterOp::Max] {
            found.push(workload(format!("{op:?} of {updates} into {places}"), |s| {
                let (base, values) = (s.input([places]), s.input([updates]));
                let indices = s.input([updates]);
                let indices = s.add(Op::Cast(DType::I32), &[indices]);
                s.add(Op::Scatter { axis: 0, op }, &[base, indices, values])
            }));
        }
    }
    found
}

fn lines() -> Vec<Workload> {
    let mut found = Vec::new();
    for shape in [[1, 1 << 20], [256, 256], [4096, 2048], [1000, 100]] {
        for axis in [0, 1] {
            found.push(workload(format!("scan {shape:?} along {axis}"), |s| {
                let x = s.input(shape);
                let block = shape[axis];
                let scan = Scan { axis, op: ReduceOp::Sum, reverse: false, exclusive: false, block };
                s.add(Op::Scan(scan), &[x])
            }));
            found.push(workload(format!("sort {shape:?} along {axis}"), |s| {
                let x = s.input(shape);
                let words = s.add(Op::Bitcast(DType::U32), &[x]);
                s.add(Op::ArgSort { axis, bits: 32 }, &[words])
            }));
        }
    }
    for [lines, length] in [[1, 2048], [64, 1024], [4096, 256], [100, 360]] {
        found.push(workload(format!("Fourier transform of {lines} lines of {length}"), |s| {
            let x = s.input([2, lines, length]);
            let table = s.input([2, length]);
            let table = s.add(Op::Bitcast(DType::U32), &[table]);
            s.add(Op::Fourier { parts: 0, axis: 2 }, &[x, table])
        }));
    }
    found
}

/// What each cluster of a program is lowered by, and what that is estimated to take.
fn chosen(program: &TensorProgram, limits: &Limits) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
        let choice = cheapest(problem, candidates);
        let candidate = candidates.iter().find(|candidate| candidate.choice == choice);
        let microseconds = candidate.map_or(f64::NAN, |candidate| candidate.nanoseconds / 1e3);
        found.borrow_mut().push(format!("{choice}: {microseconds:.3} µs"));
        choice
    };
    compile_with(program, limits, &[], &choose).unwrap();
    found.take()
}

/// All workloads.
pub fn all() -> Vec<Workload> {
    [maps(), rows(), contractions(), scatters(), lines()].concat()
}

fn check(model: &str, limits: &Limits) {
    let mut text = String::new();
    for (name, program) in all() {
        text += &format!("{name}\n");
        chosen(&program, limits).iter().for_each(|line| text += &format!("  {line}\n"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/choices").join(format!("{model}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let of_lines = text.lines().zip(expected.lines());
    let changed: Vec<_> = of_lines.filter(|(now, before)| now != before).take(8).collect();
    assert!(text == expected, "choices of {model} changed, the first of them (now, before): {changed:#?}");
}

/// A large GPU, with the limits that an NVIDIA H200 has in a browser.
#[test]
fn of_a_gpu() {
    let limits = Limits {
        invocations: 1024,
        workgroup_bytes: 48 << 10,
        subgroups: true,
        binding_bytes: 2 << 30,
        ..Limits::of(&GPU)
    };
    check("gpu", &limits);
}

/// The GPU's model with the least that WebGPU allows. Phones have this: no phone has a model.
#[test]
fn of_the_least_limits() {
    check("least", &Limits { binding_bytes: 2 << 30, ..Limits::of(&GPU) });
}

pub fn software() -> Limits {
    Limits { model: &SOFTWARE, binding_bytes: 2 << 30, ..Limits::of(&GPU) }
}

#[test]
fn of_software() {
    check("software", &software());
}
