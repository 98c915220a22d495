//! Loss of a device and exhausted memory, on a GPU. Errors report them, and the program survives.

use crate::support::{cpu, floats, gpu, wait};
use weft::{DType, Device, DeviceKind, ErrorKind};
use weft_runtime::OpenOptions;

#[test]
fn a_lost_device_is_reported_and_replaced() {
    let device = gpu();
    assert_eq!(device.kind(), DeviceKind::Gpu);
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let y = x.add(1.0).unwrap();
    device.runtime().expect("this is a GPU").destroy();
    assert!(device.is_lost());
    assert_eq!(wait(y.words()).unwrap_err().kind, ErrorKind::DeviceLost);
    assert_eq!(device.tensor(&[1.0f32], &[1]).unwrap_err().kind, ErrorKind::DeviceLost);
    let error = x.mul(2.0).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disposed);
    assert!(error.to_string().starts_with("mul: the device that held the tensor f32["), "{error}");
    let new = gpu();
    let z = new.tensor(&[3.0f32, 4.0], &[2]).unwrap();
    assert_eq!(z.add(&x).unwrap_err().kind, ErrorKind::Disposed);
    assert_eq!(floats(&z.add(1.0).unwrap()), [4.0, 5.0]);
    drop((x, y));
}

#[test]
fn memory_that_runs_out_is_an_error_and_not_the_end() {
    let options = OpenOptions { memory_budget: Some(1 << 20), ..OpenOptions::default() };
    let device = wait(Device::gpu(options)).expect("a GPU, or a Vulkan driver that stands for one");
    let small = device.ones(&[1000], DType::F32).unwrap();
    device.realize(&[&small]).unwrap();
    let error = device.tensor(&vec![0.0f32; 1 << 20], &[1 << 20]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OutOfMemory, "{error}");
    let large = device.ones(&[1 << 20], DType::F32).unwrap();
    assert_eq!(wait(large.words()).unwrap_err().kind, ErrorKind::OutOfMemory);
    drop(large);
    assert_eq!(floats(&small.add(1.0).unwrap())[999], 2.0);
}

#[test]
fn handles_outlive_every_other_owner() {
    let device = cpu();
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    drop(device);
    let y = x.add(1.0).unwrap();
    drop(x);
    assert_eq!(floats(&y), [2.0, 3.0]);
}
