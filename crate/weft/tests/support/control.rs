//! Helpers of the tests of loops and branches.

use super::{cpu, gpu, hardware, phone, wait};
use weft::{DType, Device, Result, Tensor};

/// Where everything here is run.
pub fn devices() -> Vec<Device> {
    vec![cpu(), gpu(), phone(), hardware()]
}

/// The values of a tensor, whatever its dtype.
pub fn read(tensor: &Tensor) -> Vec<f32> {
    wait(tensor.cast(DType::F32).unwrap().data::<f32>()).unwrap()
}

pub fn input(device: &Device, shape: &[usize], seed: u32) -> Tensor {
    let size = shape.iter().product::<usize>() as u32;
    let numbers: Vec<f32> = (0..size).map(|i| ((i * 37 + seed * 101) % 64) as f32 / 32.0 - 1.0).collect();
    device.tensor(&numbers, shape).unwrap()
}

pub fn close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (n, (a, b)) in got.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()) || (a.is_nan() && b.is_nan()), "{n}: {a} is not {b}");
    }
}

/// A recurrent cell: one matrix, one input, tanh.
pub fn cell(h: &Tensor, x: &Tensor, w: &Tensor) -> Result<Tensor> {
    h.matmul(w)?.add(x)?.tanh()
}
