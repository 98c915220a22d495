//! Memory: references, reuse, budget, trimming.

use crate::common::*;
use weft_ir::error::ErrorKind;
use weft_runtime::OpenOptions;

#[test]
fn a_repeated_run_creates_no_buffers() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(5000, 1.5), 5000)).unwrap();
    let mut x = upload(&runtime, &vec![1.0; 5000]);
    let mut created = Vec::new();
    let mut live = Vec::new();
    for _ in 0..20 {
        let y = runtime.run(&prepared, &[x], &[]).unwrap()[0];
        runtime.release(x);
        x = y;
        created.push(runtime.stats().buffers_created);
        live.push(runtime.stats().bytes_live);
    }
    assert_eq!(created[2], created[19], "{created:?}");
    assert_eq!(live[0], live[19], "{live:?}");
    let expected = 1.5f32.powi(20);
    assert!(read(&runtime, x).iter().all(|&y| (y / expected - 1.0).abs() < 1e-5));
}

#[test]
fn many_small_buffers_come_several_at_a_time_and_keep_to_the_budget() {
    let budget = 100 * 256;
    for memory_budget in [None, Some(budget)] {
        let runtime = open_with(OpenOptions { memory_budget, ..OpenOptions::default() });
        for held in 1..=100u64 {
            upload(&runtime, &[held as f32; 64]);
            let stats = runtime.stats();
            assert_eq!(stats.bytes_live, held * 256);
            assert!(stats.bytes_pooled <= stats.bytes_live / 2 && stats.bytes_pooled <= 16 * 256);
            assert!(memory_budget.is_none() || stats.bytes_live + stats.bytes_pooled <= budget);
        }
        assert_eq!(runtime.upload(&[0; 256]).is_ok(), memory_budget.is_none());
    }
}

#[test]
fn the_last_release_returns_the_buffer() {
    let runtime = open();
    let a = upload(&runtime, &[1.0; 64]);
    runtime.retain(a);
    runtime.release(a);
    assert_eq!(read(&runtime, a), [1.0; 64]);
    assert_eq!((runtime.stats().bytes_live, runtime.stats().bytes_pooled), (256, 0));
    runtime.release(a);
    assert_eq!((runtime.stats().bytes_live, runtime.stats().bytes_pooled), (0, 256));
    assert_eq!(runtime.bytes(a), 0);
    let error = block_on(runtime.read(a)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disposed);

    let created = runtime.stats().buffers_created;
    let b = upload(&runtime, &[2.0; 50]);
    assert_ne!(a, b);
    assert_eq!(runtime.stats().buffers_created, created, "the buffer serves again");
    assert_eq!(read(&runtime, b), [2.0; 50]);
}

#[test]
fn a_released_leaf_may_be_overwritten_only_after_the_run_that_reads_it() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(1 << 18, 2.0), 1 << 18)).unwrap();
    let mut outs = Vec::new();
    for n in 0..10 {
        let x = upload(&runtime, &vec![n as f32; 1 << 18]);
        outs.push(runtime.run(&prepared, &[x], &[]).unwrap()[0]);
        runtime.release(x);
    }
    for (n, out) in outs.into_iter().enumerate() {
        let got = read(&runtime, out);
        assert!(got.iter().all(|&y| y == 2.0 * n as f32), "run {n} saw {}", got[0]);
    }
}

#[test]
fn trimming_gives_idle_memory_back_and_nothing_else() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(64, 2.0), 64)).unwrap();
    let (a, b) = (upload(&runtime, &[1.0; 64]), upload(&runtime, &[2.0; 64]));
    let c = runtime.run(&prepared, &[b], &[]).unwrap()[0];
    runtime.release(b);
    runtime.trim();
    assert_eq!((runtime.stats().bytes_live, runtime.stats().bytes_pooled), (512, 0));
    assert_eq!(read(&runtime, a), [1.0; 64]);
    assert_eq!(read(&runtime, c), [4.0; 64]);
    let d = runtime.run(&prepared, &[a], &[]).unwrap()[0];
    assert_eq!(read(&runtime, d), [2.0; 64]);
}

#[test]
fn the_budget_counts_and_idle_memory_yields_to_it() {
    let runtime = open_with(OpenOptions { memory_budget: Some(1 << 20), ..OpenOptions::default() });
    let a = runtime.upload(&vec![0; 600 << 10]).unwrap();
    let error = runtime.upload(&vec![0; 600 << 10]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OutOfMemory);
    assert!(error.message.contains("600.0 KiB") && error.message.contains("1.0 MiB"), "{error}");
    runtime.release(a);
    // Another size class: the idle buffer must go to make room.
    let b = runtime.upload(&vec![0; 900 << 10]).unwrap();
    assert_eq!(runtime.stats().bytes_pooled, 0);
    assert_eq!(runtime.bytes(b), 900 << 10);
}

#[test]
fn a_run_that_does_not_fit_takes_nothing() {
    let runtime = open_with(OpenOptions { memory_budget: Some(3 << 20), ..OpenOptions::default() });
    let length = 1 << 18;
    let executable = weft_compile::Executable {
        kernels: vec![scale(length, 2.0)],
        dispatches: (0..3).map(|n| dispatch(0, &[n, n + 1], &[], length)).collect(),
        slots: vec![
            weft_compile::Slot::Leaf(0),
            weft_compile::Slot::Temporary(1 << 20),
            weft_compile::Slot::Temporary(1 << 20),
            weft_compile::Slot::Output(1 << 20),
        ],
        outputs: vec![3],
        fused: vec![],
        repeats: vec![],
    };
    let prepared = runtime.prepare(executable).unwrap();
    let x = runtime.upload(&vec![0; 1 << 20]).unwrap();
    assert_eq!(runtime.run(&prepared, &[x], &[]).unwrap_err().kind, ErrorKind::OutOfMemory);
    assert_eq!(runtime.stats().bytes_live, 1 << 20);
}

#[test]
fn a_tensor_beyond_the_device_is_refused_with_sizes() {
    let runtime = open();
    let most = runtime.limits().binding_bytes;
    let mut executable = single(scale(4, 2.0), 4);
    executable.slots[1] = weft_compile::Slot::Output((most + 4) & !3);
    let error = runtime.prepare(executable).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OutOfMemory);
    assert!(error.message.contains("a kernel can bind"), "{error}");
}

#[test]
fn idle_memory_that_nothing_uses_any_more_goes_back_by_itself() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(64, 2.0), 64)).unwrap();
    let large: Vec<_> = (20..24).map(|n| runtime.upload(&vec![0; n << 20]).unwrap()).collect();
    large.into_iter().for_each(|value| runtime.release(value));
    assert!(runtime.stats().bytes_pooled > 80 << 20);
    let x = upload(&runtime, &[1.0; 64]);
    for _ in 0..200 {
        let y = runtime.run(&prepared, &[x], &[]).unwrap()[0];
        runtime.release(y);
    }
    assert!(runtime.stats().bytes_pooled < 65 << 20, "{:?}", runtime.stats());
}
