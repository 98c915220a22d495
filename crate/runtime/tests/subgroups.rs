//! Kernels that use subgroups, at every subgroup size. The tests run under each driver that there
//! is: SwiftShader has subgroups of 4, lavapipe of 8, GPUs mostly of 32.

use crate::compile_tests as common;

use weft_compile::family::{Candidate, Problem, fallback};
use weft_compile::{Limits, compile_with};
use weft_ir::interpret;
use weft_runtime::{AdapterFacts, OpenOptions, Runtime};

fn open() -> Runtime {
    // Software is taken for hardware, which is what subgroups are used on.
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, ..OpenOptions::default() };
    let runtime = pollster::block_on(Runtime::open(options)).expect("a GPU or a software Vulkan driver");
    assert!(runtime.limits().subgroups, "a driver with subgroups");
    runtime
}

#[test]
fn rows_reduced_by_subgroups_agree_with_the_interpreter() {
    let runtime = open();
    let limits = Limits { invocations: runtime.limits().invocations.min(256), ..runtime.limits().clone() };
    let mut with_subgroups = 0;
    for (number, (program, buffers, scalars)) in common::rows::levels_of_rows().into_iter().enumerate() {
        let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
        for variant in 0..3 {
            let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
                let lanes = |c: &&Candidate| c.choice.get("lanes").or(c.choice.get("workgroup")) > Some(1);
                let shared: Vec<&Candidate> = candidates.iter().filter(lanes).collect();
                let wanted = (number + 3 * variant + problem.own) % shared.len().max(1);
                shared.get(wanted).map_or_else(|| fallback(candidates), |c| c.choice)
            };
            let executable = compile_with(&program, &limits, &[], &choose).unwrap();
            with_subgroups += executable.kernels.iter().filter(|kernel| kernel.uses_subgroups()).count();
            let prepared = runtime.prepare(executable).unwrap();
            let words = common::kernels::words(&buffers);
            let bytes =
                |words: &Vec<u32>| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
            let leaves: Vec<_> = words.iter().map(|words| runtime.upload(&bytes(words)).unwrap()).collect();
            let scalars: Vec<u32> = scalars.iter().map(|scalar| scalar.bits()).collect();
            let outputs = runtime.run(&prepared, &leaves, &scalars).unwrap();
            for (n, (&output, expected)) in outputs.iter().zip(&expected).enumerate() {
                let got = pollster::block_on(runtime.read(output)).unwrap();
                let got: Vec<u32> =
                    got.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
                let what = format!("program {number}, variant {variant}, output {n}\n{program}");
                assert!(common::kernels::same(&got, expected), "{what}");
                runtime.release(output);
            }
            leaves.iter().for_each(|&leaf| runtime.release(leaf));
        }
    }
    assert!(with_subgroups >= 24, "{with_subgroups} kernels with subgroups were run");
}
