//! Fourier transforms longer than one kernel takes, along any axis, and the number of their
//! kernels.

use crate::support::{cpu, floats, gpu, hardware, phone};
use std::f64::consts::TAU;
use weft::fft::{Complex, Kind, Norm, transform};
use weft::{Device, Result, Tensor, grad};

/// Numbers without a pattern in [−½, ½).
fn numbers(count: usize, salt: u32) -> Vec<f32> {
    let hashed = |k: u32| (k ^ salt).wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    (0..count as u32).map(|k| hashed(k) as f32 / 4_294_967_296.0 - 0.5).collect()
}

fn forward(re: &Tensor, im: Option<&Tensor>, axis: i64, kind: Kind) -> Result<Complex> {
    transform(re, im, Some(&[axis]), None, kind, Norm::Backward)
}

/// One frequency of some numbers, in f64.
fn frequency(re: &[f32], im: &[f32], k: usize) -> [f64; 2] {
    let n = re.len();
    let terms = re.iter().zip(im).enumerate().map(|(j, (&re, &im))| {
        let (sine, cosine) = (-TAU * (j as u64 * k as u64 % n as u64) as f64 / n as f64).sin_cos();
        let (re, im) = (f64::from(re), f64::from(im));
        [re * cosine - im * sine, re * sine + im * cosine]
    });
    terms.fold([0.0; 2], |sum, term| [sum[0] + term[0], sum[1] + term[1]])
}

fn long_transforms(device: &Device) {
    // Of two kernels, and of a large prime, which is a convolution.
    for (outer, n, inner) in [(2, 2197, 3), (1, 6000, 1), (1, 16384, 1), (1, 4099, 1)] {
        let shape = [outer, n, inner];
        let (re, im) = (numbers(outer * n * inner, 1), numbers(outer * n * inner, 2));
        let (x, y) = (device.tensor(&re, &shape).unwrap(), device.tensor(&im, &shape).unwrap());
        let found = forward(&x, Some(&y), 1, Kind::Forward).unwrap();
        let (found_re, found_im) = (floats(&found.re), floats(&found.im));
        let line = |of: &[f32]| -> Vec<f32> {
            (0..n).map(|j| of[((outer - 1) * n + j) * inner + inner - 1]).collect()
        };
        let (line_re, line_im) = (line(&re), line(&im));
        let (result_re, result_im) = (line(&found_re), line(&found_im));
        // Frequencies are as large as the root of their number; sums of floats are right to a few
        // of the last places of that.
        let bound = 4e-7 * (n as f64).sqrt() * (n as f64).log2();
        for k in [0, 1, 2, 3, n / 3, n / 2, n / 2 + 1, n - 2, n - 1] {
            let expected = frequency(&line_re, &line_im, k);
            let error = (f64::from(result_re[k]) - expected[0]).hypot(f64::from(result_im[k]) - expected[1]);
            assert!(error < bound, "frequency {k} of {n}: off by {error}, bound {bound}");
        }
        let back = forward(&found.re, Some(&found.im), 1, Kind::Inverse).unwrap();
        let worst = floats(&back.re).iter().zip(&re).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 2e-6, "there and back, {n}: off by {worst}");
    }
}

#[test]
fn long_transforms_on_the_cpu() {
    long_transforms(&cpu());
}

#[test]
fn long_transforms_on_a_gpu() {
    long_transforms(&gpu());
}

#[test]
fn long_transforms_as_on_hardware() {
    long_transforms(&hardware());
}

#[test]
fn long_transforms_on_a_phone() {
    long_transforms(&phone());
}

#[test]
fn a_transform_is_a_kernel() {
    // On software each round is a kernel of its own, without barriers.
    let device = hardware();
    let dispatches = |n: usize| {
        let x = device.tensor(&numbers(3 * n, 3), &[3, n]).unwrap();
        let before = device.stats().dispatches;
        let found = forward(&x, None, 1, Kind::Forward).unwrap();
        let power = found.re.mul(&found.re).unwrap().add(found.im.mul(&found.im).unwrap()).unwrap();
        floats(&power.sum(None, false).unwrap());
        device.stats().dispatches - before
    };
    // And one or two for the sum.
    assert!(dispatches(1024) <= 3, "{}", dispatches(1024));
    // Factors of unit length are stored once for all lines.
    assert!(dispatches(1 << 14) <= 6, "{}", dispatches(1 << 14));
}

#[test]
fn the_gradient_of_a_long_transform_is_one() {
    for device in [cpu(), gpu()] {
        let n = 4096;
        let x = device.tensor(&numbers(n, 4), &[n]).unwrap();
        let power = |x: &Tensor| -> Result<Tensor> {
            let found = forward(x, None, 0, Kind::Forward)?;
            found.re.mul(&found.re)?.add(&found.im.mul(&found.im)?)?.sum(None, false)
        };
        // Parseval: the sum is n times that of the squares.
        let found = floats(&grad(|x| power(&x[0]), &[&x]).unwrap()[0]);
        for (found, x) in found.iter().zip(floats(&x)) {
            assert!((found - 2.0 * n as f32 * x).abs() < 0.02, "{found} for {x}");
        }
    }
}
