//! Runs of executables on the kernel interpreter, and comparison of their results with values.

use weft_compile::plan::walk::Walk;
use weft_compile::{Executable, Limits, Slot, Uniform};
use weft_ir::Literal;
use weft_ir::interpret::{self, Value};
use weft_ir::kernel::{Expr, Kernel, Space, Stmt, interpret as kernels, verify};

/// Runs an executable's dispatches on the kernel interpreter and returns its outputs' words.
pub fn run(executable: &Executable, leaves: &[Vec<u32>], scalars: &[Literal]) -> Vec<Vec<u32>> {
    run_counting(executable, leaves, scalars).0
}

/// As [`run`], with how many dispatches had workgroups.
pub fn run_counting(
    executable: &Executable,
    leaves: &[Vec<u32>],
    scalars: &[Literal],
) -> (Vec<Vec<u32>>, usize) {
    run_in_subgroups(executable, leaves, scalars, kernels::SUBGROUP_SIZE)
}

/// As [`run_counting`], in subgroups of so many invocations.
pub fn run_in_subgroups(
    executable: &Executable,
    leaves: &[Vec<u32>],
    scalars: &[Literal],
    subgroup: usize,
) -> (Vec<Vec<u32>>, usize) {
    run_checking(executable, leaves, scalars, subgroup, &|kernel| {
        check_loops(kernel);
        check_bindings(kernel);
    })
}

/// As [`run`], of kernels that users wrote, whose loops are as they wrote them.
pub fn run_as_written(executable: &Executable, leaves: &[Vec<u32>], scalars: &[Literal]) -> Vec<Vec<u32>> {
    run_checking(executable, leaves, scalars, kernels::SUBGROUP_SIZE, &check_bindings).0
}

fn run_checking(
    executable: &Executable,
    leaves: &[Vec<u32>],
    scalars: &[Literal],
    subgroup: usize,
    check: &dyn Fn(&Kernel),
) -> (Vec<Vec<u32>>, usize) {
    let mut ran = 0;
    let mut buffers: Vec<Vec<u32>> = executable
        .slots
        .iter()
        .map(|slot| match slot {
            Slot::Leaf(n) => leaves[*n].clone(),
            // What is not written shows.
            Slot::Output(bytes) | Slot::Temporary(bytes) => vec![0x7fc0_dead; *bytes as usize / 4],
            Slot::Alias(_) => Vec::new(),
        })
        .collect();
    let mut walk = Walk::of(executable);
    loop {
        let Some(number) = walk.next() else {
            let Some(slot) = walk.asks else { break };
            let goes_on = buffers[walk.means[slot]][0];
            assert!(goes_on < 2, "{goes_on} says whether a loop goes on\n{executable}");
            walk.answer(goes_on == 1);
            continue;
        };
        let dispatch = &executable.dispatches[number];
        let slots: Vec<usize> = dispatch.bindings.iter().map(|&slot| walk.means[slot]).collect();
        assert!(dispatch.bindings.len() <= Limits::floor().storage_buffers as usize, "{executable}");
        let kernel = &executable.kernels[dispatch.kernel];
        verify::verify(kernel).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        check(kernel);
        let scalars = dispatch.uniforms.iter().map(|given| match *given {
            Uniform::Scalar(n) => scalars[n].bits(),
            Uniform::Index(repeat) => walk.index(repeat),
            Uniform::Number(number) => number,
        });
        let uniforms: Vec<u32> = dispatch.in_pieces.then_some(0).into_iter().chain(scalars).collect();
        let mut bound: Vec<Vec<u32>> = slots.iter().map(|&slot| buffers[slot].clone()).collect();
        let workgroups = dispatch.counted.map_or(dispatch.workgroups, |(slot, byte)| {
            let word = byte as usize / 4;
            let counts: [u32; 3] = buffers[slot][word..word + 3].try_into().expect("three words");
            assert!(counts == [0; 3] || counts == dispatch.workgroups, "{counts:?} workgroups\n{executable}");
            counts
        });
        ran += usize::from(workgroups != [0; 3]);
        kernels::run_in_subgroups(kernel, &mut bound, &uniforms, workgroups, subgroup)
            .unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        for ((&slot, words), (_, array)) in slots.iter().zip(bound).zip(kernel.storage()) {
            if array.space != Space::Read {
                buffers[slot] = words;
            }
        }
    }
    (executable.outputs.iter().map(|&slot| buffers[slot].clone()).collect(), ran)
}

/// What costs real GPUs dearly is in no kernel: loops that Tint cannot prove finite, which it
/// guards with counters of 64 bits.
fn check_loops(kernel: &Kernel) {
    let mut open = vec![&kernel.body];
    while let Some(block) = open.pop() {
        for stmt in block {
            match stmt {
                Stmt::For { to, step, body, .. } => {
                    let constant = matches!(kernel.exprs[to.index()], Expr::Literal(_));
                    assert!(constant && *step == 1, "a loop does not count by one to a constant\n{kernel}");
                    open.push(body);
                }
                Stmt::While(_, body) => open.push(body),
                Stmt::If(_, then, otherwise) => open.extend([then, otherwise]),
                _ => {}
            }
        }
    }
}

/// Nor are arrays that are bound to be written and only read, which go past the caches.
fn check_bindings(kernel: &Kernel) {
    let mut written = Vec::new();
    let mut open = vec![&kernel.body];
    while let Some(block) = open.pop() {
        for stmt in block {
            match stmt {
                Stmt::For { body, .. } | Stmt::While(_, body) => open.push(body),
                Stmt::If(_, then, otherwise) => open.extend([then, otherwise]),
                Stmt::Store(array, ..) | Stmt::Atomic { array, .. } => written.push(*array),
                _ => {}
            }
        }
    }
    for (array, declared) in kernel.storage() {
        let bound_written = declared.space != Space::Read;
        assert_eq!(
            bound_written,
            written.contains(&array),
            "{} is bound otherwise than it is used\n{kernel}",
            declared.name
        );
    }
}

/// What buffers hold for values; an empty tensor's is one word long.
pub fn words(values: &[Value<f32>]) -> Vec<Vec<u32>> {
    let words = values.iter().map(|value| {
        let mut words = value.to_bits();
        words.resize(words.len().max(1), 0);
        words
    });
    words.collect()
}

/// Whether words are a value's, floats nearly.
pub fn same(got: &[u32], expected: &Value<f32>) -> bool {
    let words = expected.to_bits();
    let float = matches!(expected.data(), interpret::Data::Float(_));
    words.iter().zip(got).all(|(&want, &got)| {
        let (x, y) = (f32::from_bits(got), f32::from_bits(want));
        got == want
            || (float && ((x - y).abs() <= 2e-4 * (1.0 + y.abs()) || x == y || (x.is_nan() && y.is_nan())))
    })
}
