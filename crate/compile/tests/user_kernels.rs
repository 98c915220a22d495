//! Users' kernels on the kernel interpreter: lowered, they compute what the interpreter of users'
//! kernels does.

use crate::common::kernels::{run_as_written, same, words};
use crate::common::programs::random_inputs;
use crate::common::rotation;
use crate::common::user_kernels::{program_around, program_of, random_call};
use weft_compile::{Limits, compile, plan};
use weft_ir::interpret;

#[test]
fn random_kernels_compute_what_they_mean() {
    for seed in rotation::seeds(50_000, 200) {
        let (call, shapes) = random_call(seed);
        let program = match seed % 2 {
            0 => program_of(&call, &shapes),
            _ => program_around(&call, &shapes, seed),
        };
        let (buffers, scalars) = random_inputs(&program, seed, true);
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        let limits = Limits { long_dispatch: if seed % 3 == 0 { 1 } else { u64::MAX }, ..Limits::floor() };
        let executable = compile(&program, &limits, &[]).unwrap();
        assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "seed {seed}\n{executable}");
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
}
