//! Long sums. Sums by blocks round as little as the dtype allows, and variances are those of the
//! elements however large these are.

use crate::support::rotation::share;
use crate::support::{cpu, floats, gpu, hardware, phone};
use std::iter;
use weft::{Among, Device, Over, Result, Tensor, grad, vmap};

/// The devices: the CPU's, software, and what passes for hardware and for a phone.
fn devices() -> [(&'static str, Device); 4] {
    [("cpu", cpu()), ("software", gpu()), ("hardware", hardware()), ("phone", phone())]
}

/// Numbers without a pattern (xorshift).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The mean and the variance of f32 elements.
fn moments(elements: &[f32]) -> (f64, f64) {
    let mean = |of: &dyn Fn(f64) -> f64| {
        elements.iter().map(|&x| of(f64::from(x))).sum::<f64>() / elements.len() as f64
    };
    let middle = mean(&|x| x);
    (middle, mean(&|x| (x - middle).powi(2)))
}

fn assert_near(what: &str, found: f64, expected: f64, relative: f64) {
    let off = ((found - expected) / expected).abs();
    assert!(off <= relative, "{what} is {found}, expected {expected}: off by {off:.1e}");
}

/// Elements that alternate between an offset and one more.
fn alternating(offset: f64, count: usize) -> Vec<f32> {
    (0..count).map(|n| (offset + (n % 2) as f64) as f32).collect()
}

#[test]
fn the_variance_of_a_million_elements_is_theirs_at_every_offset() {
    let mut rng = Rng(7);
    let offsets = [0.0, 1e3, 1e5, 1e6, 1e7, -1e6].into_iter();
    let offsets: Vec<f64> = offsets.chain((0..4).map(|_| 10f64.powf(6.0 * rng.unit()))).collect();
    for (name, device) in devices() {
        for &offset in &offsets {
            let elements = alternating(offset, 1 << 20);
            let x = device.tensor(&elements, &[1 << 20]).unwrap();
            let (_, variance) = moments(&elements);
            let found =
                [x.var(None, false, 0.0).unwrap(), x.std(None, false, 0.0).unwrap()].map(|x| floats(&x)[0]);
            assert_near(&format!("{name}: the variance about {offset}"), found[0].into(), variance, 1e-3);
            assert_near(
                &format!("{name}: the deviation about {offset}"),
                found[1].into(),
                variance.sqrt(),
                1e-3,
            );
        }
    }
}

/// Variances along axes of random shapes, by all ways to ask for one: each on the CPU's device and
/// on one of the others, or on all for a release. Each shape is kernels of its own.
#[test]
fn variances_along_axes_are_those_of_the_elements() {
    let (mut rng, devices) = (Rng(11), devices());
    for trial in 0..12 {
        let [rows, columns] = [1 + rng.below(40), 2 + rng.below(3000)];
        let (offset, size) = (10f64.powf(6.0 * rng.unit()), 0.5 + 2.0 * rng.unit());
        let elements: Vec<f32> = (0..rows * columns).map(|_| (offset + size * rng.unit()) as f32).collect();
        let expected: Vec<(f64, f64)> = elements.chunks(columns).map(moments).collect();
        let (first, step) = share(3, trial);
        let [cpu, gpus @ ..] = &devices;
        for (name, device) in iter::once(cpu).chain(gpus.iter().skip(first).step_by(step)) {
            let x = device.tensor(&elements, &[rows, columns]).unwrap();
            let turned = x.transpose().unwrap().mul(1.0).unwrap();
            let mask = device.tensor(&vec![true; columns], &[columns]).unwrap();
            let among = Among { mask: Some(mask), ..Among::default() };
            let of_member = |x: &[Tensor]| Ok(vec![x[0].var(None, false, 0.0)?]);
            let ways: [(&str, Result<Tensor>); 5] = [
                ("along rows", x.var(Some(&[1]), false, 0.0)),
                ("of a batch's members", vmap(of_member, &[&x], &[Some(0)]).map(|mut found| found.remove(0))),
                ("along columns", turned.var(Some(&[0]), false, 0.0)),
                ("of what counts", x.among(Over::Variance(0.0), Some(&[1]), false, &among)),
                (
                    "as a covariance",
                    x.cov(0.0).and_then(
                        |found| if rows > 1 { found.diagonal(0, 0, 1) } else { found.reshape(&[1]) },
                    ),
                ),
            ];
            for (way, found) in ways {
                for (&found, &(_, variance)) in floats(&found.unwrap()).iter().zip(&expected) {
                    assert_near(
                        &format!("{name}, trial {trial}, {way}: a variance about {offset}"),
                        found.into(),
                        variance,
                        1e-3,
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_standardized_has_mean_0_and_variance_1() {
    let mut rng = Rng(13);
    for offset in [0.0, 1e4, 1e5, 1e6] {
        let elements: Vec<f32> = (0..6000).map(|_| (offset + 2.0 * rng.unit()) as f32).collect();
        for (name, device) in devices() {
            let x = device.tensor(&elements, &[2, 3000]).unwrap();
            let along_rows = floats(&x.standardize(Some(&[1]), 0.0).unwrap());
            let turned = x.transpose().unwrap().mul(1.0).unwrap().standardize(Some(&[0]), 0.0).unwrap();
            let along_columns = floats(&turned.transpose().unwrap().mul(1.0).unwrap());
            for found in [along_rows, along_columns] {
                for (row, elements) in found.chunks(3000).zip(elements.chunks(3000)) {
                    let (mean, variance) = moments(elements);
                    for (&found, &element) in row.iter().zip(elements) {
                        let expected = (f64::from(element) - mean) / variance.sqrt();
                        let off = (f64::from(found) - expected).abs();
                        assert!(off < 1e-3, "{name}, about {offset}: {found}, expected {expected}");
                    }
                }
            }
        }
    }
}

/// The derivative of a variance is 2(x − mean)/n, its second one 2/n off the diagonal less,
/// whatever rounding does.
#[test]
fn derivatives_of_variances_are_right_at_every_offset() {
    for offset in [0.0, 1e3, 1e6, 0.1] {
        let elements = alternating(offset, 1000);
        let (mean, _) = moments(&elements);
        for (name, device) in devices() {
            let x = device.tensor(&elements, &[1000]).unwrap();
            let found = grad(|x| x[0].var(None, false, 0.0), &[&x]).unwrap();
            for (&found, &element) in floats(&found[0]).iter().zip(&elements) {
                let expected = 2.0 * (f64::from(element) - mean) / 1000.0;
                assert_near(&format!("{name}: the slope about {offset}"), found.into(), expected, 1e-3);
            }
        }
    }
    // Elements that are equal have no variance, but it has a second derivative.
    for (name, device) in devices() {
        for number in [0.1f32, 3.0, 1e6] {
            let x = device.tensor(&[number; 3], &[3]).unwrap();
            let variance = |x: &[Tensor]| x[0].var(None, false, 0.0);
            let found = floats(&variance(std::slice::from_ref(&x)).unwrap())[0];
            assert!((0.0..1e-3).contains(&found), "{name}: the variance of equals is {found}");
            let slope =
                |x: &[Tensor]| grad(variance, &[&x[0]])?.remove(0).slice(&[(0..1).into()])?.sum(None, false);
            let second = floats(&grad(slope, &[&x]).unwrap().remove(0));
            for (&found, expected) in second.iter().zip([4.0 / 9.0, -2.0 / 9.0, -2.0 / 9.0]) {
                assert_near(
                    &format!("{name}: a second derivative of {number}"),
                    found.into(),
                    expected,
                    1e-4,
                );
            }
        }
    }
}

/// Sums of elements that are rounded the same way at each addition, were they added one by one.
#[test]
fn long_sums_round_little() {
    for (name, device) in devices() {
        for count in [1000, 32_768, 100_003, 1 << 20] {
            let elements: Vec<f32> = (0..count).map(|n| 0.1 + (n % 7) as f32 * 1e-3).collect();
            let exact: f64 = elements.iter().map(|&x| f64::from(x)).sum();
            let x = device.tensor(&elements, &[count]).unwrap();
            let weight = device.tensor(&[1.0f32], &[1]).unwrap();
            let slope = grad(|w| w[0].mul(&x)?.sum(None, false), &[&weight]).unwrap().remove(0);
            let many = x.reshape(&[-1, 1]).unwrap().broadcast_to(&[count, 3]).unwrap();
            let column = many.add(0.0).unwrap().sum(Some(&[0]), false).unwrap();
            for (way, found) in
                [("sum", x.sum(None, false).unwrap()), ("gradient", slope), ("column", column)]
            {
                assert_near(&format!("{name}: the {way} of {count}"), floats(&found)[0].into(), exact, 5e-7);
            }
            let squares: f64 = elements.iter().map(|&x| f64::from(x).powi(2)).sum();
            let [row, column] = [x.reshape(&[1, -1]).unwrap(), x.reshape(&[-1, 1]).unwrap()];
            assert_near(
                &format!("{name}: the dot product of {count}"),
                floats(&row.matmul(&column).unwrap())[0].into(),
                squares,
                5e-7,
            );
        }
    }
}

/// Products of matrices whose sums are long. Hardware that has registers for no more adds up one by
/// one.
#[test]
fn long_products_round_little() {
    for (name, device) in [("cpu", cpu()), ("software", gpu())] {
        for (rows, depth, columns) in [(16, 20_000, 16), (1, 4096, 300), (70, 1021, 9), (9, 300, 80)] {
            let element = |n: usize| 0.1 + (n % 7) as f32 * 1e-3;
            let [left, right] =
                [rows * depth, depth * columns].map(|count| (0..count).map(element).collect::<Vec<f32>>());
            let exact: f64 = (0..depth).map(|k| f64::from(left[k]) * f64::from(right[k * columns])).sum();
            let [x, y] = [(&left, [rows, depth]), (&right, [depth, columns])]
                .map(|(data, shape)| device.tensor(data, &shape).unwrap());
            let turned = y.transpose().unwrap().mul(1.0).unwrap().transpose().unwrap();
            for y in [y, turned] {
                let found = floats(&x.matmul(&y).unwrap())[0];
                assert_near(&format!("{name}: {rows} × {depth} × {columns}"), found.into(), exact, 5e-7);
            }
        }
    }
}
