//! Scatters of many updates, and of few into large tensors. A GPU's results follow the definition,
//! whatever repeats, is out of range or is not finite, with the same bits on every run.

use crate::support::{cpu, gpu, hardware, phone, wait};
use weft::{Device, Tensor};

/// Whole numbers that look random.
fn numbers(count: usize, below: u32) -> Vec<i32> {
    let mut state = 0x9e37_79b9u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state % below) as i32
    };
    (0..count).map(|_| next()).collect()
}

fn words(x: &Tensor) -> Vec<u32> {
    wait(x.words()).unwrap()
}

fn devices() -> Vec<Device> {
    vec![cpu(), gpu(), hardware(), phone()]
}

/// base[indices] += updates, of rows of `width`.
fn added(device: &Device, rows: usize, width: usize, indices: &[i32], updates: &[f32]) -> Tensor {
    let base = device.zeros(&[rows, width], weft::DType::F32).unwrap();
    let indices = device.tensor(indices, &[indices.len()]).unwrap();
    let updates = device.tensor(updates, &[indices.size(), width]).unwrap();
    base.at(&indices).add(&updates).unwrap()
}

#[test]
fn sums_of_many_updates_are_those_of_f64_and_the_same_on_every_run() {
    for device in devices() {
        let cases = [
            (1000, 3, 70_000),
            (3, 1, 100_000),
            (5000, 40, 300),
            (700, 64, 20_011),
            (2, 64, 17_000),
            (60_000, 33, 40_000),
        ];
        for (rows, width, count) in cases {
            let indices: Vec<i32> = numbers(count, rows as u32 + 4).iter().map(|n| n - 2).collect();
            let updates: Vec<f32> =
                numbers(count * width, 2001).iter().map(|&n| (n as f32 - 1000.0) / 700.0).collect();
            let mut expected = vec![0.0f64; rows * width];
            let mut sizes = vec![0.0f64; rows * width];
            for (k, &index) in
                indices.iter().enumerate().filter(|(_, index)| (0..rows as i32).contains(index))
            {
                for column in 0..width {
                    let value = f64::from(updates[k * width + column]);
                    expected[index as usize * width + column] += value;
                    sizes[index as usize * width + column] += value.abs();
                }
            }
            // Negative indices count from the end.
            for (k, &index) in indices.iter().enumerate().filter(|(_, index)| **index < 0) {
                for column in 0..width {
                    let value = f64::from(updates[k * width + column]);
                    expected[(rows as i32 + index) as usize * width + column] += value;
                    sizes[(rows as i32 + index) as usize * width + column] += value.abs();
                }
            }
            let found = added(&device, rows, width, &indices, &updates);
            let bits = words(&found);
            for (n, &word) in bits.iter().enumerate() {
                let (value, bound) = (f64::from(f32::from_bits(word)), 1e-6 * sizes[n] + 1e-6);
                assert!(
                    (value - expected[n]).abs() <= bound,
                    "{:?} {rows}×{width} of {count}: {n} is {value}, not {}",
                    device.kind(),
                    expected[n]
                );
            }
            assert_eq!(bits, words(&added(&device, rows, width, &indices, &updates)));
        }
    }
}

#[test]
fn one_row_takes_all_updates() {
    for device in devices() {
        let count = 80_000;
        let found = added(&device, 2, 1, &vec![1; count], &vec![0.1; count]);
        let value = f64::from(f32::from_bits(words(&found)[1]));
        assert!((value - 8000.0).abs() < 0.01, "{:?}: {value}", device.kind());
    }
}

/// What floats in order would lose: large ones that cancel leave the small ones, sums below zero,
/// places that are of very different sizes, and tens of thousands of carries.
#[test]
fn what_cancels_leaves_the_rest_exactly() {
    for device in devices() {
        let (rows, count) = (64, 131_072);
        let indices: Vec<i32> = (0..count as i32).map(|n| n % rows as i32).collect();
        // To each place: its power of two, 2^24 of it and its opposite, and −3/4 of it, in turn.
        let updates: Vec<f32> = (0..count)
            .map(|n| {
                [1.0, 16_777_216.0, -16_777_216.0, -0.75][n / rows % 4]
                    * 2f32.powi((n % rows) as i32 * 3 - 96)
            })
            .collect();
        let found = words(&added(&device, rows, 1, &indices, &updates));
        let each = (count / rows / 4) as f32;
        for (place, &word) in found.iter().enumerate() {
            let expected = 0.25 * each * 2f32.powi(place as i32 * 3 - 96);
            assert_eq!(f32::from_bits(word), expected, "{:?}: place {place}", device.kind());
        }
        let opposite: Vec<f32> = updates.iter().map(|x| -x).collect();
        let negative = words(&added(&device, rows, 1, &indices, &opposite));
        let turned: Vec<u32> = found.iter().map(|word| word ^ 1 << 31).collect();
        assert_eq!(negative, turned, "{:?}", device.kind());
    }
}

#[test]
fn what_is_not_finite_stays_so() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for device in devices() {
        let rows = 40_000;
        let indices: Vec<i32> =
            [0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 6].into_iter().chain((0..300).map(|n| 100 + n)).collect();
        let mut updates = vec![inf, inf, -inf, nan, 1.0, -inf, 3e38, 3e38, 1e-30, 1e30, -1e30];
        updates.extend((0..300).map(|n| n as f32));
        let found = words(&added(&device, rows, 1, &indices, &updates));
        let value = |n: usize| f32::from_bits(found[n]);
        assert_eq!((value(0), value(3), value(4), value(6)), (inf, -inf, inf, 0.0), "{:?}", device.kind());
        assert!(value(1).is_nan() && value(2).is_nan(), "{:?}", device.kind());
        assert!((value(5) - 1e-30).abs() <= 1e-34, "{:?}: {}", device.kind(), value(5));
        assert_eq!((value(100), value(399), value(400)), (0.0, 299.0, 0.0));
    }
}

#[test]
fn the_last_of_many_updates_stands() {
    for device in devices() {
        let (rows, count) = (30_000, 70_000);
        let indices = numbers(count, rows as u32 + 10);
        let values: Vec<i32> = (0..count as i32).collect();
        let mut expected = vec![-7i32; rows];
        for (&index, &value) in indices.iter().zip(&values) {
            if let Some(place) = expected.get_mut(index as usize) {
                *place = value;
            }
        }
        let base = device.full(&[rows], -7.0, weft::DType::I32).unwrap();
        let indices = device.tensor(&indices, &[count]).unwrap();
        let values = device.tensor(&values, &[count]).unwrap();
        let found = base.at(&indices).set(&values).unwrap();
        assert_eq!(
            words(&found),
            expected.iter().map(|&x| x as u32).collect::<Vec<_>>(),
            "{:?}",
            device.kind()
        );
        let sums = base.at(&indices).add(&values).unwrap();
        assert_eq!(words(&sums), words(&base.at(&indices).add(&values).unwrap()));
    }
}

/// On hardware, workgroups count in copies of their own.
#[test]
fn many_numbers_are_counted_in_few_bins() {
    for (device, is_hardware) in devices().into_iter().zip([false, false, true, true]) {
        for count in [70_001, 200_000] {
            let among = numbers(count, 260);
            let bins = device.tensor(&among, &[count]).unwrap();
            let mut counts = vec![0u32; 256];
            let mut least = vec![i32::MAX; 256];
            for (n, &bin) in among.iter().enumerate().filter(|(_, bin)| **bin < 256) {
                counts[bin as usize] += 1;
                least[bin as usize] = least[bin as usize].min(-(n as i32));
            }
            let found = bins.bincount(256, None).unwrap();
            if is_hardware {
                let explanation = found.explain().unwrap().to_string();
                assert!(explanation.contains("scatter-shared"), "{explanation}");
            }
            assert_eq!(words(&found), counts, "{:?}", device.kind());
            let values: Vec<i32> = (0..count as i32).map(|n| -n).collect();
            let values = device.tensor(&values, &[count]).unwrap();
            let base = device.full(&[256], f64::from(i32::MAX), weft::DType::I32).unwrap();
            let found = base.at(&bins).min(&values).unwrap();
            assert_eq!(wait(found.data::<i32>()).unwrap(), least, "{:?}", device.kind());
        }
    }
}
