//! Users' kernels on the kernel interpreter: lowered, they compute what the interpreter of users'
//! kernels does.

use crate::common::kernels::{run_as_written, same, words};
use crate::common::programs::random_inputs;
use crate::common::rotation;
use crate::common::user_kernels::{program_around, program_of, random_call};
use std::rc::Rc;
use weft_compile::{Limits, compile, plan};
use weft_ir::op::KernelCall;
use weft_ir::program::TensorProgram;
use weft_ir::user_kernel::verify::verify;
use weft_ir::user_kernel::{Combine, Coordinate, Edge, Expr, Stmt, SubgroupOp, UserKernel};
use weft_ir::{DType, Shape, interpret};

#[test]
fn random_kernels_compute_what_they_mean() {
    for seed in rotation::seeds(50_000, 200) {
        let (call, shapes) = random_call(seed);
        let program = match seed % 2 {
            0 => program_of(&call, &shapes),
            _ => program_around(&call, &shapes, seed),
        };
        agrees(&call, &program, seed);
    }
}

/// Each operation across subgroups, of whole workgroups and of a last subgroup that is smaller.
#[test]
fn subgroups_exchange_values_through_the_memory_of_their_workgroup() {
    for (seed, sides) in (0..).zip([[32, 1, 1], [48, 1, 1], [4, 5, 2], [8, 8, 4], [3, 1, 1]]) {
        for dtype in [DType::F32, DType::I32, DType::U32] {
            let mut kernel = UserKernel::new("across", 3);
            kernel.workgroup = Some(sides);
            let x = kernel.tensor("x", dtype, 3);
            let at = [0, 1, 2].map(|axis| kernel.index(axis));
            let value = kernel.load(x, &at, Edge::Clamp);
            let number = kernel.expr(Expr::Index(Coordinate::Local, 0));
            let from = kernel.expr(Expr::Cast(DType::U32, number));
            let ops = [SubgroupOp::Add, SubgroupOp::Min, SubgroupOp::Max, SubgroupOp::AddBefore];
            let mut values = ops.map(|op| Expr::Subgroup(op, value)).to_vec();
            values.push(Expr::Shuffle(value, from));
            for value in values {
                let value = kernel.expr(value);
                // What was exchanged is exchanged again.
                let local = kernel.local("all", dtype);
                let own = kernel.read(local);
                let again = kernel.expr(Expr::Subgroup(SubgroupOp::Max, own));
                let output = kernel.output("out", dtype, 3, Combine::Set);
                kernel.body.push(Stmt::Let(local, value));
                kernel.body.push(Stmt::Let(local, again));
                kernel.body.push(Stmt::Store { output, indices: at.to_vec(), value: own, before: None });
            }
            verify(&kernel).unwrap();
            let grid: Shape = sides.iter().rev().map(|&side| 2 * side as usize).collect::<Vec<_>>().into();
            let shapes = vec![grid.clone(); kernel.outputs.len()];
            let call = KernelCall { kernel: Rc::new(kernel), grid: grid.clone(), shapes };
            let program = program_of(&call, &[grid]);
            agrees(&call, &program, seed);
        }
    }
}

/// Asserts that a program is lowered to kernels that compute what it does.
fn agrees(call: &KernelCall, program: &TensorProgram, seed: u64) {
    let (buffers, scalars) = random_inputs(program, seed, true);
    let expected = interpret::run::<f32>(program, &buffers, &scalars).unwrap();
    let limits =
        Limits { long_dispatch: if seed.is_multiple_of(3) { 1 } else { u64::MAX }, ..Limits::floor() };
    let executable = compile(program, &limits, &[]).unwrap();
    assert_eq!(plan::verify::plan(program, &executable), Ok(()), "seed {seed}\n{executable}");
    let got = run_as_written(&executable, &words(&buffers), &scalars);
    for (n, (got, expected)) in got.iter().zip(&expected).enumerate() {
        let kernels: Vec<String> = executable.kernels.iter().map(ToString::to_string).collect();
        assert!(
            same(got, expected),
            "seed {seed}, output {n}: {:?} expected {:?}\n{}\n{}{executable}\n{}",
            got,
            expected.to_bits(),
            call.kernel,
            program,
            kernels.join("\n")
        );
    }
}
