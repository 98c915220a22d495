//! Running reductions and scans of the caller's own function: their results, their gradients, and
//! how many kernels they take.

use crate::support::{floats, gpu, hardware, phone};
use weft::{DType, Device, Running, Tensor, associative_scan, grad};

/// Each kind that is computed otherwise.
fn devices() -> [Device; 4] {
    [Device::cpu(), gpu(), phone(), hardware()]
}

fn wave(device: &Device, shape: &[usize]) -> (Vec<f32>, Tensor) {
    let data: Vec<f32> = (0..shape.iter().product()).map(|i| ((i * 37 % 101) as f32 - 50.0) / 16.0).collect();
    let x = device.tensor(&data, shape).unwrap();
    (data, x)
}

fn near(got: &[f32], expected: &[f64], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    for (n, (&got, &expected)) in got.iter().zip(expected).enumerate() {
        let error = (f64::from(got) - expected).abs();
        assert!(error <= 2e-6 * largest, "{what}, element {n}: {got}, expected {expected}");
    }
}

#[test]
fn sums_of_lines_of_any_length_either_way_with_and_without_their_own() {
    for device in devices() {
        for (length, reverse, exclusive) in [
            (1usize, false, true),
            (64, true, false),
            (65, false, true),
            (2048, true, true),
            (2049, false, false),
            (5000, true, true),
            (70_001, true, false),
            (70_001, false, true),
        ] {
            let how = Running { reverse, exclusive };
            let (data, x) = wave(&device, &[length]);
            let mut expected = vec![0.0; length];
            let mut sum = 0.0;
            for step in 0..length {
                let at = if how.reverse { length - 1 - step } else { step };
                let own = f64::from(data[at]);
                expected[at] = if how.exclusive { sum } else { sum + own };
                sum += own;
            }
            let got = floats(&x.cumsum_with(0, how).unwrap());
            near(&got, &expected, &format!("{length} {how:?}"));
        }
    }
}

#[test]
fn a_long_sum_rounds_no_more_than_a_tree_does() {
    for device in devices() {
        let x = device.full(&[1 << 20], 0.1, DType::F32).unwrap();
        let got = floats(&x.cumsum(0).unwrap());
        for n in [1usize << 10, 1 << 15, 1 << 20] {
            let expected = f64::from(0.1f32) * n as f64;
            let error = (f64::from(got[n - 1]) - expected).abs() / expected;
            assert!(error < 2e-6, "{n}: {error}");
        }
    }
}

#[test]
fn a_short_scan_is_one_kernel_with_what_surrounds_it_and_a_long_one_three() {
    let device = gpu();
    for (length, dispatches) in [(2048, 1), (2049, 3), (100_000, 3)] {
        let (_, x) = wave(&device, &[2, length]);
        let before = device.stats();
        floats(&x.mul(3.0).unwrap().cumsum(-1).unwrap().mul(2.0).unwrap().add(&x).unwrap());
        let after = device.stats();
        assert_eq!(after.dispatches - before.dispatches, dispatches, "{length}");
    }
}

#[test]
fn the_gradient_of_a_product_is_right_where_factors_are_zero() {
    for device in devices() {
        let x = device.tensor(&[2.0f32, 0.0, 3.0, 0.0, 4.0], &[5]).unwrap();
        let g = grad(|x| x[0].cumprod(0)?.sum(None, false), &[&x]).unwrap();
        // 2, 0, 0, 0, 0: by the first 1, by the second 2 and 2·3, by what comes after a zero
        // nothing.
        assert_eq!(floats(&g[0]), [1.0, 8.0, 0.0, 0.0, 0.0]);
    }
}

#[test]
fn the_gradient_of_an_extreme_goes_to_what_won() {
    for device in devices() {
        let x = device.tensor(&[1.0f32, 3.0, 3.0, 2.0, 5.0, f32::NAN, 9.0], &[7]).unwrap();
        let weights = device.tensor(&[1.0f32, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], &[7]).unwrap();
        let of = |x: &[Tensor]| x[0].cummax(0)?.mul(&weights)?.sum(None, false);
        assert_eq!(floats(&grad(of, &[&x]).unwrap()[0]), [1.0, 14.0, 0.0, 0.0, 16.0, 96.0, 0.0]);
    }
}

#[test]
fn a_function_of_ones_own_is_scanned_with_its_state_and_differentiates() {
    // First-order recurrences h[i] = a[i]·h[i − 1] + b[i] are joined as pairs (a, b).
    let mut join = |x: &[Tensor], y: &[Tensor]| Ok(vec![x[0].mul(&y[0])?, y[0].mul(&x[1])?.add(&y[1])?]);
    for device in devices() {
        for length in [1usize, 2, 3, 7, 64, 1000] {
            let a: Vec<f32> = (0..length).map(|i| 0.5 + (i % 5) as f32 / 10.0).collect();
            let b: Vec<f32> = (0..length).map(|i| (i % 7) as f32 - 3.0).collect();
            for reverse in [false, true] {
                let mut expected = vec![0.0f64; length];
                let mut h = 0.0;
                for step in 0..length {
                    let at = if reverse { length - 1 - step } else { step };
                    h = f64::from(a[at]) * h + f64::from(b[at]);
                    expected[at] = h;
                }
                let pair = [device.tensor(&a, &[length]).unwrap(), device.tensor(&b, &[length]).unwrap()];
                let found = associative_scan(&mut join, &pair, 0, reverse).unwrap();
                near(&floats(&found[1]), &expected, &format!("{length} {reverse}"));
            }
        }
        let b = device.ones(&[5], DType::F32).unwrap();
        let half = device.full(&[5], 0.5, DType::F32).unwrap();
        let mut join = |x: &[Tensor], y: &[Tensor]| Ok(vec![x[0].mul(&y[0])?, y[0].mul(&x[1])?.add(&y[1])?]);
        let last = |b: &[Tensor]| {
            associative_scan(&mut join, &[half.clone(), b[0].clone()], 0, false)?[1].sum(None, false)
        };
        let g = grad(last, &[&b]).unwrap();
        near(&floats(&g[0]), &[1.9375, 1.875, 1.75, 1.5, 1.0], "gradient");
    }
}

/// A running sum that starts anew where a flag stands, as pairs of a flag and a sum.
fn sums_by_segment(begins: &Tensor, x: &Tensor, axis: i64, reverse: bool) -> weft::Result<Tensor> {
    let mut join = |a: &[Tensor], b: &[Tensor]| {
        Ok(vec![a[0].logical_or(&b[0])?, weft::select(&b[0], &b[1], &a[1].add(&b[1])?)?])
    };
    Ok(associative_scan(&mut join, &[begins.clone(), x.clone()], axis, reverse)?.swap_remove(1))
}

#[test]
fn sums_that_start_anew_cancel_nothing_differentiate_and_batch() {
    for device in devices() {
        for (length, every) in [(1usize, 1usize), (7, 3), (64, 1), (300, 17)] {
            for reverse in [false, true] {
                let (mut data, _) = wave(&device, &[length]);
                // What a difference of sums over all could not tell from 0 behind it.
                data[0] = 1e12;
                let edge = |at: usize| {
                    if reverse { (at + 1).is_multiple_of(every) } else { at.is_multiple_of(every) }
                };
                let flags: Vec<bool> = (0..length).map(edge).collect();
                let mut expected = vec![0.0f64; length];
                let mut sum = 0.0;
                for step in 0..length {
                    let at = if reverse { length - 1 - step } else { step };
                    sum = if flags[at] { 0.0 } else { sum } + f64::from(data[at]);
                    expected[at] = sum;
                }
                let begins = device.tensor(&flags, &[length]).unwrap();
                let x = device.tensor(&data, &[length]).unwrap();
                let found = floats(&sums_by_segment(&begins, &x, 0, reverse).unwrap());
                let behind = every.min(length)..length;
                near(&found[behind.clone()], &expected[behind], &format!("{length} by {every} {reverse}"));
                near(&found[..1], &expected[..1], "the large one");
            }
        }
        let begins = device.tensor(&[true, false, true, false, false], &[5]).unwrap();
        let weights = device.tensor(&[1.0f32, 2.0, 4.0, 8.0, 16.0], &[5]).unwrap();
        let x = device.ones(&[5], DType::F32).unwrap();
        let of = |x: &[Tensor]| sums_by_segment(&begins, &x[0], 0, false)?.mul(&weights)?.sum(None, false);
        assert_eq!(floats(&grad(of, &[&x]).unwrap()[0]), [3.0, 2.0, 28.0, 24.0, 16.0]);
        // Each member has flags of its own.
        let flags = device.tensor(&[true, true, false, true, false, false], &[2, 3]).unwrap();
        let lines = device.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
        let each = |x: &[Tensor]| Ok(vec![sums_by_segment(&x[0], &x[1], 0, false)?]);
        let batch = weft::vmap(each, &[&flags, &lines], &[Some(0), Some(0)]);
        assert_eq!(floats(&batch.unwrap()[0]), [1.0, 2.0, 5.0, 4.0, 9.0, 15.0]);
    }
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let device = Device::cpu();
    let (a, b) = (device.ones(&[3], DType::F32).unwrap(), device.ones(&[4], DType::F32).unwrap());
    let mut join = |x: &[Tensor], _: &[Tensor]| Ok(x.to_vec());
    assert!(
        associative_scan(&mut join, &[a.clone(), b], 0, false).unwrap_err().to_string().contains("differ")
    );
    let mut join = |x: &[Tensor], _: &[Tensor]| Ok(vec![x[0].sum(None, true)?.broadcast_to(&[9])?]);
    let error = associative_scan(&mut join, &[a], 0, false).unwrap_err().to_string();
    assert!(error.contains("must yield what it takes"), "{error}");
}
