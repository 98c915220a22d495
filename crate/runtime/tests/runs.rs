//! Runs of programs: leaves in, outputs out, scalars, temporaries, results in place.

use crate::common::*;
use weft_compile::{Executable, Slot};
use weft_ir::error::ErrorKind;

#[test]
fn a_program_computes_from_leaves() {
    let runtime = open();
    let prepared = runtime.prepare(single(add(1000), 1000)).unwrap();
    let (a, b) = (upload(&runtime, &iota(1000)), upload(&runtime, &vec![0.5; 1000]));
    let out = runtime.run(&prepared, &[a, b], &[]).unwrap();
    assert_eq!(out.len(), 1);
    let expected: Vec<f32> = iota(1000).iter().map(|x| x + 0.5).collect();
    assert_eq!(read(&runtime, out[0]), expected);
    assert_eq!(runtime.bytes(out[0]), 4000);
    let stats = runtime.stats();
    assert_eq!((stats.submits, stats.passes, stats.dispatches, stats.pipelines_compiled), (2, 1, 1, 1));
}

#[test]
fn equal_kernels_are_compiled_once() {
    let runtime = open();
    runtime.prepare(single(add(8), 8)).unwrap();
    runtime.prepare(single(add(8), 8)).unwrap();
    runtime.prepare(single(add(9), 9)).unwrap();
    assert_eq!(runtime.stats().pipelines_compiled, 2);
}

/// A chain of a hundred dispatches of one pipeline, each with a scalar of its own.
fn hundred_shifts() -> Executable {
    let mut slots = vec![Slot::Leaf(0)];
    slots.extend((0..99).map(|_| Slot::Temporary(256)));
    slots.push(Slot::Output(256));
    Executable {
        kernels: vec![shift(64)],
        dispatches: (0..100).map(|n| dispatch(0, &[n, n + 1], &[n], 64)).collect(),
        slots,
        outputs: vec![100],
        fused: vec![],
        repeats: vec![],
    }
}

#[test]
fn every_dispatch_sees_its_own_scalars() {
    let runtime = open();
    let prepared = runtime.prepare(hundred_shifts()).unwrap();
    let x = upload(&runtime, &iota(64));
    // Several runs in a row without waiting: the ring must not let a later run's scalars reach an
    // earlier one.
    let outs: Vec<_> = (1..=20u32)
        .map(|round| {
            let scalars: Vec<u32> = (0..100).map(|n| ((n * round) as f32).to_bits()).collect();
            runtime.run(&prepared, &[x], &scalars).unwrap()[0]
        })
        .collect();
    for (round, out) in (1..=20u32).zip(outs) {
        let sum = (4950 * round) as f32;
        let expected: Vec<f32> = iota(64).iter().map(|x| x + sum).collect();
        assert_eq!(read(&runtime, out), expected, "round {round}");
    }
    let stats = runtime.stats();
    assert_eq!((stats.passes, stats.dispatches, stats.pipelines_compiled), (20, 2000, 1));
}

#[test]
fn runs_that_are_held_share_a_submit_and_keep_their_scalars() {
    let runtime = open();
    let prepared = runtime.prepare(hundred_shifts()).unwrap();
    let x = upload(&runtime, &iota(64));
    let batch = runtime.batch_submits();
    // More scalars than the ring holds: it is submitted before it comes round.
    let outs: Vec<_> = (1..=20u32)
        .map(|round| {
            let scalars: Vec<u32> = (0..100).map(|n| ((n * round) as f32).to_bits()).collect();
            runtime.run(&prepared, &[x], &scalars).unwrap()[0]
        })
        .collect();
    drop(batch);
    let stats = runtime.stats();
    assert_eq!(stats.dispatches, 2000);
    assert!(stats.submits < 10 && stats.passes == stats.submits, "{stats:?}");
    for (round, out) in (1..=20u32).zip(outs) {
        let sum = (4950 * round) as f32;
        let expected: Vec<f32> = iota(64).iter().map(|x| x + sum).collect();
        assert_eq!(read(&runtime, out), expected, "round {round}");
    }
}

#[test]
fn what_is_uploaded_while_runs_are_held_disturbs_none_of_them() {
    let runtime = open();
    let prepared = runtime.prepare(hundred_shifts()).unwrap();
    let sum = runtime.prepare(single(add(64), 64)).unwrap();
    let x = upload(&runtime, &iota(64));
    let ones: Vec<u32> = vec![1f32.to_bits(); 100];
    let batch = runtime.batch_submits();
    let shifted = runtime.run(&prepared, &[x], &ones).unwrap()[0];
    // Takes the buffer of a temporary that the run before goes through.
    let hundreds = upload(&runtime, &vec![100.0; 64]);
    let out = runtime.run(&sum, &[shifted, hundreds], &[]).unwrap()[0];
    let expected: Vec<f32> = iota(64).iter().map(|x| x + 200.0).collect();
    assert_eq!(read(&runtime, out), expected);
    drop(batch);
}

#[test]
fn dispatches_with_equal_scalars_share_them_and_many_fit_one_block() {
    let runtime = open();
    let mut k = Elementwise::new("sum_of_six", 0, 4);
    let mut sum = k.literal(0.0);
    for _ in 0..6 {
        let scalar = k.uniform();
        sum = k.binary(weft_ir::kernel::BinaryOp::Add, sum, scalar);
    }
    let kernel = k.store(sum);
    let executable = Executable {
        kernels: vec![kernel],
        dispatches: vec![
            dispatch(0, &[0], &[0, 1, 2, 3, 4, 5], 4),
            dispatch(0, &[1], &[0, 1, 2, 3, 4, 5], 4),
            dispatch(0, &[2], &[5, 5, 5, 5, 5, 5], 4),
        ],
        slots: vec![Slot::Output(16), Slot::Output(16), Slot::Output(16)],
        outputs: vec![2, 1, 0],
        fused: vec![],
        repeats: vec![],
    };
    let prepared = runtime.prepare(executable).unwrap();
    let scalars = [1.0f32, 2.0, 4.0, 8.0, 16.0, 32.0].map(f32::to_bits);
    let out = runtime.run(&prepared, &[], &scalars).unwrap();
    assert_eq!(read(&runtime, out[0]), [192.0; 4]);
    assert_eq!(read(&runtime, out[1]), [63.0; 4]);
    assert_eq!(read(&runtime, out[2]), [63.0; 4]);
}

#[test]
fn temporaries_serve_again_and_later_runs_do_not_disturb_earlier_results() {
    let runtime = open();
    // Large enough for each buffer to be made by itself.
    const LENGTH: u32 = 1 << 15;
    let bytes = u64::from(LENGTH) * 4;
    // x → ×2 (temporary) → ×3 (output)
    let executable = Executable {
        kernels: vec![scale(LENGTH, 2.0), scale(LENGTH, 3.0)],
        dispatches: vec![dispatch(0, &[0, 1], &[], LENGTH), dispatch(1, &[1, 2], &[], LENGTH)],
        slots: vec![Slot::Leaf(0), Slot::Temporary(bytes), Slot::Output(bytes)],
        outputs: vec![2],
        fused: vec![],
        repeats: vec![],
    };
    let prepared = runtime.prepare(executable).unwrap();
    let inputs: Vec<_> = (0..30).map(|n| upload(&runtime, &[n as f32; LENGTH as usize])).collect();
    let outs: Vec<_> = inputs.iter().map(|&x| runtime.run(&prepared, &[x], &[]).unwrap()[0]).collect();
    for (n, out) in outs.iter().enumerate() {
        assert_eq!(read(&runtime, *out), [6.0 * n as f32; LENGTH as usize]);
    }
    // 30 inputs, 30 outputs, one temporary, one staging buffer.
    assert_eq!(runtime.stats().buffers_created, 62);
}

#[test]
fn an_output_may_be_a_leaf_or_written_over_one() {
    let runtime = open();
    let executable = Executable {
        kernels: vec![double_in_place(4)],
        dispatches: vec![dispatch(0, &[1], &[], 4)],
        slots: vec![Slot::Leaf(0), Slot::Leaf(1)],
        outputs: vec![0, 1, 1],
        fused: vec![],
        repeats: vec![],
    };
    let prepared = runtime.prepare(executable).unwrap();
    let (a, b) = (upload(&runtime, &[7.0; 4]), upload(&runtime, &[1.0, 2.0, 3.0, 4.0]));
    let before = runtime.read(b);
    let out = runtime.run(&prepared, &[a, b], &[]).unwrap();
    assert_eq!(out, [a, b, b]);
    assert_eq!(read(&runtime, out[0]), [7.0; 4]);
    assert_eq!(read(&runtime, out[1]), [2.0, 4.0, 6.0, 8.0]);
    // The copy was made when the reading was asked for.
    assert_eq!(numbers(&block_on(before).unwrap()), [1.0, 2.0, 3.0, 4.0]);
    for value in [a, b, a, b] {
        runtime.release(value);
    }
    assert_eq!(
        read(&runtime, b),
        [2.0, 4.0, 6.0, 8.0],
        "b is still held once, for the second of its outputs"
    );
    runtime.release(b);
    assert_eq!(block_on(runtime.read(b)).unwrap_err().kind, ErrorKind::Disposed);
}

#[test]
fn a_program_without_dispatches_only_passes_leaves_on() {
    let runtime = open();
    let executable = Executable { slots: vec![Slot::Leaf(0)], outputs: vec![0], ..Executable::default() };
    let prepared = runtime.prepare(executable).unwrap();
    let a = upload(&runtime, &[1.0]);
    assert_eq!(runtime.run(&prepared, &[a], &[]).unwrap(), [a]);
    assert_eq!(runtime.stats().submits, 0);
}

#[test]
fn one_output_slot_may_be_returned_twice() {
    let runtime = open();
    let mut executable = single(scale(4, 2.0), 4);
    executable.outputs = vec![1, 1];
    let prepared = runtime.prepare(executable).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let out = runtime.run(&prepared, &[a], &[]).unwrap();
    assert_eq!(out[0], out[1]);
    runtime.release(out[0]);
    assert_eq!(read(&runtime, out[1]), [2.0; 4]);
}

#[test]
fn empty_tensors_have_a_value() {
    let runtime = open();
    let empty = runtime.upload(&[]).unwrap();
    assert_eq!(runtime.bytes(empty), 0);
    assert_eq!(block_on(runtime.read(empty)).unwrap(), []);
}

#[test]
fn subgroups_work_where_the_limits_say_so() {
    let runtime = open();
    if !runtime.limits().subgroups {
        assert!(!runtime.adapter().is_fallback, "lavapipe and SwiftShader both have subgroups");
        return;
    }
    let prepared = runtime.prepare(single(subgroup_sum(), 64)).unwrap();
    let out = runtime.run(&prepared, &[], &[]).unwrap();
    assert_eq!(read(&runtime, out[0]), [0.0; 64]);
}

#[test]
fn more_distinct_bindings_than_are_kept_are_made_anew() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(1, 2.0), 1)).unwrap();
    let inputs: Vec<_> = (0..4200).map(|n| upload(&runtime, &[n as f32])).collect();
    for _ in 0..2 {
        for (n, &input) in inputs.iter().enumerate() {
            let out = runtime.run(&prepared, &[input], &[]).unwrap()[0];
            if n % 600 == 0 {
                assert_eq!(read(&runtime, out), [2.0 * n as f32]);
            }
            runtime.release(out);
        }
    }
}
