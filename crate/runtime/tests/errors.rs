//! Errors: programs that a device refuses, misuse, and loss. Never a panic.

use crate::common::*;
use weft_compile::{Slot, Uniform};
use weft_ir::error::ErrorKind;

#[test]
fn a_kernel_the_device_refuses_is_an_internal_error_that_names_it() {
    let runtime = open();
    let first = runtime.prepare(single(ill_typed("crooked"), 4)).unwrap_err();
    assert_eq!(first.kind, ErrorKind::Internal);
    assert!(first.message.contains("crooked"), "{first}");
    // It is remembered, not compiled again.
    let second = runtime.prepare(single(ill_typed("crooked"), 4)).unwrap_err();
    assert_eq!(first, second);
    assert_eq!(runtime.stats().pipelines_compiled, 1);
    // It was reported; everything else goes on.
    block_on(runtime.idle()).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let prepared = runtime.prepare(single(scale(4, 2.0), 4)).unwrap();
    let out = runtime.run(&prepared, &[a], &[]).unwrap();
    assert_eq!(read(&runtime, out[0]), [2.0; 4]);
}

#[test]
fn ill_formed_programs_are_refused() {
    let runtime = open();
    let good = || single(add(4), 4);
    let refused = |change: &dyn Fn(&mut weft_compile::Executable), expected: &str| {
        let mut executable = good();
        change(&mut executable);
        let error = runtime.prepare(executable).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal);
        assert!(error.message.contains(expected), "{error}");
    };
    refused(&|e| e.outputs = vec![9], "slot 9");
    refused(&|e| e.dispatches[0].kernel = 3, "kernel 3");
    refused(&|e| e.dispatches[0].bindings.truncate(1), "storage arrays");
    refused(&|e| e.dispatches[0].bindings[0] = 7, "slot 7");
    refused(&|e| e.dispatches[0].uniforms = vec![Uniform::Scalar(0)], "scalars");
    refused(&|e| e.dispatches[0].workgroups[1] = 0, "dispatched");
    refused(&|e| e.dispatches[0].bindings = vec![0, 2, 2], "twice");
}

#[test]
fn runs_are_refused_without_their_leaves() {
    let runtime = open();
    let prepared = runtime.prepare(single(add(4), 4)).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let gone = upload(&runtime, &[1.0; 4]);
    runtime.release(gone);
    assert_eq!(runtime.run(&prepared, &[a], &[]).unwrap_err().kind, ErrorKind::Internal);
    assert_eq!(runtime.run(&prepared, &[a, gone], &[]).unwrap_err().kind, ErrorKind::Disposed);
    let other = open();
    assert_eq!(other.run(&prepared, &[a, a], &[]).unwrap_err().kind, ErrorKind::Internal);
    assert_eq!(runtime.upload(&[1, 2, 3]).unwrap_err().kind, ErrorKind::Value);
}

#[test]
fn a_leaf_that_is_written_may_not_be_another_leaf_too() {
    let runtime = open();
    let mut executable = single(scale(4, 2.0), 4);
    executable.slots[1] = Slot::Leaf(1);
    let prepared = runtime.prepare(executable).unwrap();
    let (a, b) = (upload(&runtime, &[1.0; 4]), upload(&runtime, &[5.0; 4]));
    assert_eq!(runtime.run(&prepared, &[a, a], &[]).unwrap_err().kind, ErrorKind::Internal);
    let out = runtime.run(&prepared, &[a, b], &[]).unwrap();
    assert_eq!(read(&runtime, out[0]), [2.0; 4]);
}

#[test]
fn after_a_loss_everything_fails_alike_and_a_new_device_can_be_opened() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(4, 2.0), 4)).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let reading = runtime.read(a);
    assert!(!runtime.is_lost());
    runtime.destroy();
    assert!(runtime.is_lost());
    let kinds = [
        block_on(reading).unwrap_err().kind,
        block_on(runtime.read(a)).unwrap_err().kind,
        block_on(runtime.idle()).unwrap_err().kind,
        block_on(runtime.throttle(0)).unwrap_err().kind,
        runtime.upload(&[0; 4]).unwrap_err().kind,
        runtime.run(&prepared, &[a], &[]).unwrap_err().kind,
        runtime.prepare(single(add(4), 4)).unwrap_err().kind,
    ];
    assert_eq!(kinds, [ErrorKind::DeviceLost; 7]);
    runtime.release(a);
    drop(runtime);

    let again = open();
    let b = upload(&again, &[3.0; 4]);
    assert_eq!(read(&again, b), [3.0; 4]);
}

/// Where the loader finds no driver. Another process, because this one has its drivers.
#[test]
#[cfg(target_os = "linux")]
fn a_missing_adapter_is_an_error_that_helps() {
    let itself = std::env::current_exe().unwrap();
    let status = std::process::Command::new(itself)
        .args(["--exact", "opening_fails_without_a_driver", "--ignored"])
        .env("VK_DRIVER_FILES", "/nowhere")
        .env("VK_ICD_FILENAMES", "/nowhere")
        .status();
    assert!(status.unwrap().success());
}

#[test]
#[ignore = "run by the test above, with no driver to be found"]
fn opening_fails_without_a_driver() {
    let error = block_on(weft_runtime::Runtime::open(Default::default())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Adapter);
    assert!(error.to_string().starts_with("init: there is no WebGPU adapter"), "{error}");
    assert!(error.message.contains("lavapipe"), "{error}");
}
