//! Families of algorithms at every size: empty, one element, odd, prime, a power of two, beyond a
//! workgroup, beyond one dimension of a dispatch, and beyond 2²⁴, where f32 no longer holds every
//! position. Each family is a function of a device and a size that compares with f64 computed here,
//! and runs at all of them, so that there can be no gap. Cases by NumPy at small sizes are in
//! `tests/conformance`.

use crate::support::rotation::share;
use crate::support::{floats, gpu, wait};
use std::f64::consts::TAU;
use weft::linalg;
use weft::random::{self, Picks};
use weft::{
    Convolution, DType, Device, Outside, Padding, Pick, Put, Range, ReduceOp, Running, Tensor, Windows,
};

/// Nothing, one, odd, prime, a power of two, and longer than a workgroup and than a block of a
/// scan.
const SMALL: [usize; 6] = [0, 1, 9, 31, 1024, 6001];

/// A prime beyond 2²⁴, and so beyond 65,535 workgroups of 256 invocations.
const LARGE: usize = (1 << 24) + 43;

macro_rules! families {
    ($($family:ident)*) => {
        mod small {
            $(#[test] fn $family() {
                let device = super::gpu();
                super::SMALL.into_iter().for_each(|n| super::$family(&device, n));
            })*
        }
        mod large {
            $(#[test] fn $family() { super::$family(&super::gpu(), super::LARGE) })*
        }
    };
}

families! {
    reductions arguments scans extremes_so_far segmented_scans gathers scatters repeated_scatters segments
    orders members transforms windows convolutions matrices picks
}

fn hash(k: usize, salt: u32) -> u32 {
    let hashed = (k as u32 ^ salt).wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    hashed ^ hashed >> 15
}

/// Numbers without a pattern in [−½, ½).
fn numbers(count: usize, salt: u32) -> Vec<f32> {
    (0..count).map(|k| (hash(k, salt) >> 8) as f32 / 16_777_216.0 - 0.5).collect()
}

fn wholes(count: usize, below: usize, salt: u32) -> Vec<i32> {
    (0..count).map(|k| (hash(k, salt) as usize % below.max(1)) as i32).collect()
}

fn vector(device: &Device, data: &[f32]) -> Tensor {
    device.tensor(data, &[data.len()]).unwrap()
}

fn indices(device: &Device, data: &[i32]) -> Tensor {
    device.tensor(data, &[data.len()]).unwrap()
}

fn ints(x: &Tensor) -> Vec<i32> {
    wait(x.words()).unwrap().into_iter().map(|word| word as i32).collect()
}

fn item(x: weft::Result<Tensor>) -> f64 {
    wait(x.unwrap().item()).unwrap()
}

/// That each element is within `bound` of what it should be.
#[track_caller]
fn near(got: &[f32], bound: f64, what: &str, expected: impl Fn(usize) -> f64) {
    for (at, &got) in got.iter().enumerate() {
        let expected = expected(at);
        let fine = (f64::from(got) - expected).abs() <= bound || f64::from(got) == expected;
        assert!(fine, "{what}, element {at}: {got}, expected {expected}");
    }
}

#[track_caller]
fn same(got: &[i32], what: &str, expected: impl Fn(usize) -> i32) {
    let wrong = got.iter().enumerate().find(|&(at, &got)| got != expected(at));
    assert!(wrong.is_none(), "{what}: element and value {wrong:?}, expected {}", expected(wrong.unwrap().0));
}

/// Of a sum of so many terms of at most ½: blocks' rounding grows with the root, with room for a
/// few levels.
fn bound_of_sum(n: usize) -> f64 {
    8.0 * f64::from(f32::EPSILON) * (n as f64).sqrt().max(1.0)
}

fn reductions(device: &Device, n: usize) {
    let data = numbers(n, 1);
    let x = vector(device, &data);
    let sum: f64 = data.iter().map(|&x| f64::from(x)).sum();
    let bound = bound_of_sum(n);
    assert!((item(x.sum(None, false)) - sum).abs() <= bound, "sum of {n}");
    let powers: f64 = data.iter().map(|&x| f64::from(x).exp()).sum();
    let found = item(x.log_sum_exp(None, false));
    assert!(found == powers.ln() || (found - powers.ln()).abs() < 1e-5, "logSumExp of {n}: {found}");
    // Powers of two multiply exactly, in whatever order.
    let factors: Vec<f32> = (0..n).map(|k| [1.0, 2.0, 1.0, 0.5, -1.0][k % 5]).collect();
    let product = factors.iter().map(|&x| f64::from(x)).product::<f64>();
    assert_eq!(item(vector(device, &factors).prod(None, false)), product, "product of {n}");
    let flags = x.greater(-0.5).unwrap();
    assert_eq!(item(flags.sum(None, false)), data.iter().filter(|&&x| x > -0.5).count() as f64);
    assert_eq!(item(x.less(2.0).unwrap().all(None, false)), 1.0, "all of {n}");
    assert_eq!(item(x.greater(2.0).unwrap().any(None, false)), 0.0, "any of {n}");
    assert_eq!(item(x.less(2.0).unwrap().any(None, false)), f64::from(u8::from(n > 0)), "any of {n}");
    if n > 0 {
        assert!((item(x.mean(None, false)) - sum / n as f64).abs() <= bound / n as f64, "mean of {n}");
        let mean = sum / n as f64;
        let spread: f64 = data.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / n as f64;
        assert!((item(x.var(None, false, 0.0)) - spread).abs() <= 1e-6, "variance of {n}");
    }
    // Of pairs, and of what lies apart.
    let even = n / 2 * 2;
    let pairs = pairs(&x);
    let sums = floats(&pairs.sum(Some(&[1]), false).unwrap());
    near(&sums, 1e-6, "sums of pairs", |k| f64::from(data[2 * k]) + f64::from(data[2 * k + 1]));
    let odd = |first: usize| data[first..even].iter().step_by(2).map(|&x| f64::from(x)).sum::<f64>();
    let columns = if even > 0 { [odd(0), odd(1)] } else { [0.0; 2] };
    near(&floats(&pairs.sum(Some(&[0]), false).unwrap()), bound, "sums over rows", |k| columns[k]);
}

/// All pairs of neighbours, as rows.
fn pairs(x: &Tensor) -> Tensor {
    let even = x.size() / 2 * 2;
    x.slice(&[Range::new(0, even as i64)]).unwrap().reshape(&[(even / 2) as i64, 2]).unwrap()
}

fn arguments(device: &Device, n: usize) {
    let mut data = numbers(n, 2);
    let x = vector(device, &data);
    if n == 0 {
        assert!(x.argmax(None, false).is_err() && x.max(None, false).is_err() && x.min(None, false).is_err());
        return;
    }
    // An odd position near the end, which no f32 holds beyond 2²⁴, and the same extremes behind it.
    let at = n.saturating_sub(2);
    for (extreme, of) in [(3.0, true), (-3.0, false)] {
        let kept = std::mem::replace(&mut data[at], extreme);
        data[n - 1] = extreme;
        let x = vector(device, &data);
        let found = if of { x.argmax(None, false) } else { x.argmin(None, false) };
        assert_eq!(ints(&found.unwrap()), [at as i32], "{extreme} of {n}");
        let value = if of { x.max(None, false) } else { x.min(None, false) };
        assert_eq!(item(value), f64::from(extreme), "{extreme} of {n}");
        data[at] = kept;
        data[n - 1] = 0.25;
    }
    let found = ints(&pairs(&vector(device, &data)).argmax(Some(&[1]), false).unwrap());
    same(&found, "argmax of pairs", |k| i32::from(data[2 * k + 1] > data[2 * k]));
}

/// All the ways to run along a vector of so many elements.
fn ways(n: usize) -> Vec<Running> {
    let all = [(false, false), (true, true), (false, true), (true, false)];
    let taken = if n < LARGE { &all[..] } else { &all[..2] };
    taken.iter().map(|&(reverse, exclusive)| Running { reverse, exclusive }).collect()
}

/// What a running function of numbers gives.
fn running(data: &[f32], how: Running, first: f64, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let (n, mut sum, mut found) = (data.len(), first, vec![0.0; data.len()]);
    for step in 0..n {
        let at = if how.reverse { n - 1 - step } else { step };
        let next = f(sum, f64::from(data[at]));
        found[at] = if how.exclusive { sum } else { next };
        sum = next;
    }
    found
}

fn scans(device: &Device, n: usize) {
    let data = numbers(n, 3);
    let factors: Vec<f32> = (0..n).map(|k| [1.0, 2.0, 1.0, 0.5, -1.0][k % 5]).collect();
    let (x, y) = (vector(device, &data), vector(device, &factors));
    for how in ways(n) {
        let expected = running(&data, how, 0.0, |a, b| a + b);
        near(&floats(&x.cumsum_with(0, how).unwrap()), bound_of_scan(&expected), "cumsum", |k| expected[k]);
        let expected = running(&factors, how, 1.0, |a, b| a * b);
        near(&floats(&y.cumprod_with(0, how).unwrap()), 0.0, "cumprod", |k| expected[k]);
    }
    let reverse = n.is_multiple_of(2);
    let how = Running { reverse, exclusive: false };
    let expected = running(&data, how, 0.0, |a, b| a + b.exp());
    near(&floats(&x.log_cum_sum_exp_with(0, reverse).unwrap()), 1e-5, "logCumSumExp", |k| expected[k].ln());
    // Many short lines, and few long ones whose neighbours lie apart.
    let pairs = pairs(&x);
    let short = floats(&pairs.cumsum(1).unwrap());
    near(&short, 1e-6, "cumsum of pairs", |k| {
        f64::from(data[k]) + if k % 2 == 1 { f64::from(data[k - 1]) } else { 0.0 }
    });
    let line = Running { reverse: false, exclusive: false };
    let second: Vec<f32> = data[..n / 2 * 2].iter().skip(1).step_by(2).copied().collect();
    let expected = running(&second, line, 0.0, |a, b| a + b);
    let apart = pairs.cumsum(0).unwrap().slice(&[Range::ALL, Range::new(1, 2)]).unwrap();
    near(&floats(&apart), bound_of_scan(&expected), "cumsum of columns", |k| expected[k]);
}

/// Of running sums: 64 ε of the largest of them.
fn bound_of_scan(sums: &[f64]) -> f64 {
    64.0 * f64::from(f32::EPSILON) * sums.iter().fold(1.0, |a, b| b.abs().max(a))
}

fn extremes_so_far(device: &Device, n: usize) {
    let data = numbers(n, 4);
    let x = vector(device, &data);
    for how in ways(n) {
        let expected = running(&data, how, f64::NEG_INFINITY, f64::max);
        near(&floats(&x.cummax_with(0, how).unwrap()), 0.0, "cummax", |k| expected[k]);
        let expected = running(&data, how, f64::INFINITY, f64::min);
        near(&floats(&x.cummin_with(0, how).unwrap()), 0.0, "cummin", |k| expected[k]);
    }
}

/// A running sum that starts anew where a flag stands.
fn segmented_scans(device: &Device, n: usize) {
    let data = numbers(n, 5);
    let begins: Vec<i32> = (0..n).map(|k| i32::from(k == 0 || hash(k, 6).is_multiple_of(37))).collect();
    let flags = indices(device, &begins).not_equal(0.0).unwrap();
    let mut join = |a: &[Tensor], b: &[Tensor]| {
        Ok(vec![a[0].logical_or(&b[0])?, weft::select(&b[0], &b[1], &a[1].add(&b[1])?)?])
    };
    let found = weft::associative_scan(&mut join, &[flags, vector(device, &data)], 0, false).unwrap();
    let (mut sum, mut expected) = (0.0, vec![0.0; n]);
    for k in 0..n {
        sum = if begins[k] == 1 { 0.0 } else { sum } + f64::from(data[k]);
        expected[k] = sum;
    }
    near(&floats(&found[1]), 1e-4, "sums by segment", |k| expected[k]);
}

fn gathers(device: &Device, n: usize) {
    let data = numbers(n, 7);
    let x = vector(device, &data);
    let mut places = wholes(n, n, 8);
    if n > 0 {
        (places[0], places[n - 1]) = (n as i32 - 1, -1);
    }
    let at = |k: usize| places[k].rem_euclid(n as i32) as usize;
    let chosen = indices(device, &places);
    near(&floats(&x.take(&chosen, Some(0)).unwrap()), 0.0, "take", |k| f64::from(data[at(k)]));
    if n == 0 {
        return;
    }
    if n < LARGE {
        let along = x.take_along_axis(&chosen, 0).unwrap();
        near(&floats(&along), 0.0, "takeAlongAxis", |k| f64::from(data[at(k)]));
    }
    // Beyond the ends: the nearest, the other end, and a number.
    let beyond: Vec<i32> = places.iter().map(|&k| k.max(0) + n as i32 / 2).collect();
    let pick = [Pick::from(&indices(device, &beyond))];
    let (last, inside) = (n - 1, |k: usize| (beyond[k] as usize) < n);
    let value = |k: usize| f64::from(data[k]);
    let found = floats(&x.pick(&pick, Outside::Wrap).unwrap());
    near(&found, 0.0, "wrapped", |k| value(beyond[k] as usize % n));
    if n < LARGE {
        let found = floats(&x.pick(&pick, Outside::Nearest).unwrap());
        near(&found, 0.0, "nearest", |k| value((beyond[k] as usize).min(last)));
        let found = floats(&x.pick(&pick, Outside::Fill(Some(7.0))).unwrap());
        near(&found, 0.0, "filled", |k| if inside(k) { value(beyond[k] as usize) } else { 7.0 });
    }
}

/// Each place once, in an order without a pattern that is easily seen: multiples of what has no
/// divisor in common with the size.
fn places_once(n: usize) -> Vec<i32> {
    let step = [7_368_787, 15_485_863].into_iter().find(|&step| !n.is_multiple_of(step)).unwrap_or(1);
    (0..n).map(|k| (k * step % n) as i32).collect()
}

fn scatters(device: &Device, n: usize) {
    // A prime number of places is met once each; others are met more than once where they share a
    // divisor with the step, which has none below it.
    let (base, values, places) = (numbers(n, 9), numbers(n, 10), places_once(n));
    let (x, at, values_at) = (vector(device, &base), indices(device, &places), vector(device, &values));
    let mut expected = vec![0.0f32; n];
    places.iter().zip(&values).for_each(|(&place, &value)| expected[place as usize] = value);
    near(&floats(&x.at(&at).set(&values_at).unwrap()), 0.0, "set", |k| f64::from(expected[k]));
    let found = floats(&x.at(&at).add(&values_at).unwrap());
    near(&found, 1e-6, "add", |k| f64::from(base[k]) + f64::from(expected[k]));
    let found = floats(&x.at(&at).max(&values_at).unwrap());
    near(&found, 0.0, "max", |k| f64::from(base[k].max(expected[k])));
    if n == 0 || n >= LARGE {
        return;
    }
    let found = floats(&x.at(&at).min(&values_at).unwrap());
    near(&found, 0.0, "min", |k| f64::from(base[k].min(expected[k])));
    // Half of them lie beyond the end, and are left out; or go on counting from the other.
    let beyond: Vec<i32> = places.iter().map(|&k| k + n as i32 / 2).collect();
    let pick = [Pick::from(&indices(device, &beyond))];
    let put = |outside| floats(&x.put(&pick, outside, Put::Set, &values_at).unwrap());
    let from = |k: usize| (k + n - n / 2) % n;
    near(&put(Outside::Wrap), 0.0, "wrapped", |k| f64::from(expected[from(k)]));
    let left = |k: usize| if k < n / 2 { base[k] } else { expected[k - n / 2] };
    near(&put(Outside::Usual), 0.0, "left out", |k| f64::from(left(k)));
}

/// Several updates to each of few places, by each way there is.
fn repeated_scatters(device: &Device, n: usize) {
    let rows = n / 16 + 3;
    let (places, values) = (wholes(n, rows, 11), wholes(n, 200, 12));
    let (at, values_at) = (indices(device, &places), indices(device, &values));
    let base = device.full(&[rows], 100.0, DType::I32).unwrap();
    type Way = (Put, fn(i32, i32) -> i32);
    let ways: &[Way] = &[
        (Put::Add, i32::wrapping_add),
        (Put::Max, i32::max),
        (Put::Set, |_, value| value),
        (Put::Min, i32::min),
        (Put::Sub, i32::wrapping_sub),
        (Put::Mul, i32::wrapping_mul),
        (Put::And, |a, b| a & b),
        (Put::Or, |a, b| a | b),
        (Put::Xor, |a, b| a ^ b),
    ];
    // Those from subtraction on sort the places first: that is in `orders`, and their scan in
    // `scans`.
    let ways = if n < LARGE { ways } else { &ways[..3] };
    let (first, step) = if n < LARGE { share(3, n) } else { (0, 1) };
    for &(way, f) in ways.iter().skip(first).step_by(step) {
        let mut expected = vec![100i32; rows];
        places.iter().zip(&values).for_each(|(&at, &value)| {
            expected[at as usize] = f(expected[at as usize], value);
        });
        let found = base.put(&[Pick::from(&at)], Outside::Usual, way, &values_at).unwrap();
        same(&ints(&found), &format!("{way:?} of {n}"), |k| expected[k]);
    }
}

fn segments(device: &Device, n: usize) {
    let count = n / 16 + 3;
    // Some belong to no segment.
    let ids: Vec<i32> = wholes(n, count + 1, 13).iter().map(|&id| id - 1).collect();
    let data = numbers(n, 14);
    let (x, segments) = (vector(device, &data), indices(device, &ids));
    let (mut sums, mut most) = (vec![0.0f64; count], vec![f64::NEG_INFINITY; count]);
    let (mut least, mut sizes) = (vec![f64::INFINITY; count], vec![0.0f64; count]);
    for (&id, &x) in ids.iter().zip(&data).filter(|(id, _)| **id >= 0) {
        let (id, x) = (id as usize, f64::from(x));
        sums[id] += x;
        sizes[id] += 1.0;
        most[id] = most[id].max(x);
        least[id] = least[id].min(x);
    }
    near(&floats(&x.segment_sum(&segments, count).unwrap()), 4e-6, "sums", |k| sums[k]);
    near(&floats(&x.segment_max(&segments, count).unwrap()), 0.0, "maxima", |k| most[k]);
    if n >= LARGE {
        return;
    }
    near(&floats(&x.segment_min(&segments, count).unwrap()), 0.0, "minima", |k| least[k]);
    let means = x.segment_mean(&segments, count).unwrap();
    let filled = sizes.iter().map(|&size| size > 0.0).collect::<Vec<_>>();
    let zeros: Vec<f32> =
        floats(&means).iter().zip(&filled).map(|(&x, &f)| if f { x } else { 0.0 }).collect();
    near(&zeros, 2e-6, "means", |k| if filled[k] { sums[k] / sizes[k] } else { 0.0 });
}

fn orders(device: &Device, n: usize) {
    // Few different ones: what is equal stays in order.
    let data = wholes(n, 5000, 15);
    let x = indices(device, &data);
    let mut expected: Vec<u64> = (0..n).map(|k| (data[k] as u64) << 32 | k as u64).collect();
    expected.sort_unstable();
    let order = x.argsort(0, false).unwrap();
    let found = [&order, &x.take(&order, Some(0)).unwrap()].map(ints);
    same(&found[0], "argsort", |k| expected[k] as i32);
    same(&found[1], "sort", |k| (expected[k] >> 32) as i32);
    let sorted = indices(device, &found[1]);
    let sought = wholes(100, 5000, 16);
    let places = ints(&sorted.search_sorted(indices(device, &sought), false).unwrap());
    same(&places, "searchSorted", |k| found[1].partition_point(|&x| x < sought[k]) as i32);
    if n < LARGE {
        let down = ints(&x.sort(0, true).unwrap());
        same(&down, "descending", |k| (expected[n - 1 - k] >> 32) as i32);
        let k = n.min(5);
        let (values, _) = x.top_k(k, 0).unwrap();
        same(&ints(&values), "topK", |k| (expected[n - 1 - k] >> 32) as i32);
        let (lines, columns) = (n.div_ceil(3), 3);
        let lines_of = vector(device, &numbers(lines * columns, 17)).reshape(&[-1, 3]);
        if let Ok(all) = lines_of {
            let sorted = floats(&all.sort(1, false).unwrap());
            assert!(sorted.chunks(3).all(|line| line.is_sorted()), "lines of three of {n}");
        }
    }
}

/// What stands where another condition holds, and how many different ones there are.
fn members(device: &Device, n: usize) {
    let data = wholes(n, n / 2 + 1, 18);
    let x = indices(device, &data);
    let odd = |k: usize| data[k] % 2 == 1;
    // Compaction: where each goes by a running sum, what does not beyond the end.
    let mask = x.remainder(2.0).unwrap();
    let rank = mask.cumsum(0).unwrap().sub(1.0).unwrap();
    let places = weft::select(&mask.equal(1.0).unwrap(), &rank, n as f64).unwrap();
    let found = device.zeros(&[n], DType::I32).unwrap().at(&places).set(&x).unwrap();
    let mut expected: Vec<i32> = (0..n).filter(|&k| odd(k)).map(|k| data[k]).collect();
    expected.resize(n, 0);
    same(&ints(&found), "compaction", |k| expected[k]);
    if n < LARGE {
        let mut different = data.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(item(x.unique_count()), different.len() as f64, "different ones of {n}");
        let values = x.unique(different.len()).unwrap().values;
        same(&ints(&values), "unique", |k| different[k]);
    }
}

fn transforms(device: &Device, n: usize) {
    use weft::fft::{Kind, Norm, transform};
    // Lines of at most 64; as many as there are, and so beyond one dimension of a dispatch.
    let width = n.clamp(1, 64);
    // More than 2²⁴ complex numbers are more than a buffer holds on every device.
    let lines = n.min(1 << 24).div_ceil(width);
    let (re, im) = (numbers(lines * width, 19), numbers(lines * width, 20));
    let x = device.tensor(&re, &[lines, width]).unwrap();
    let frequency = |line: usize, k: usize, imaginary: f64| {
        let (mut sum_re, mut sum_im) = (0.0, 0.0);
        for j in 0..width {
            let (sine, cosine) = (-TAU * (j * k % width) as f64 / width as f64).sin_cos();
            let (re, im) = (f64::from(re[line * width + j]), imaginary * f64::from(im[line * width + j]));
            sum_re += re * cosine - im * sine;
            sum_im += re * sine + im * cosine;
        }
        (sum_re, sum_im)
    };
    let check = |found: &weft::fft::Complex, kept: usize, imaginary: f64| {
        let [found_re, found_im] = [floats(&found.re), floats(&found.im)];
        for line in [0, lines / 2, lines.saturating_sub(1)].into_iter().filter(|_| n > 0) {
            for k in 0..kept {
                let (at, (re, im)) = (line * kept + k, frequency(line, k, imaginary));
                let off = (f64::from(found_re[at]) - re).hypot(f64::from(found_im[at]) - im);
                assert!(off < 1e-5, "line {line}, frequency {k} of {n}: off by {off}");
            }
        }
    };
    let real = transform(&x, None, Some(&[1]), None, Kind::Real, Norm::Backward).unwrap();
    check(&real, width / 2 + 1, 0.0);
    if n >= LARGE {
        return;
    }
    let y = device.tensor(&im, &[lines, width]).unwrap();
    let found = transform(&x, Some(&y), Some(&[1]), None, Kind::Forward, Norm::Backward).unwrap();
    check(&found, width, 1.0);
    let back = transform(&found.re, Some(&found.im), Some(&[1]), None, Kind::Inverse, Norm::Backward);
    near(&floats(&back.unwrap().re), 2e-6, "there and back", |k| f64::from(re[k]));
    // Real numbers over two and three axes, there and back.
    for shape in [vec![lines, width], vec![lines, 1, width]].into_iter().filter(|_| n > 0) {
        let x = x.reshape(&shape.iter().map(|&e| e as i64).collect::<Vec<_>>()).unwrap();
        let axes: Vec<i64> = (0..shape.len() as i64).collect();
        let found = transform(&x, None, Some(&axes), None, Kind::Real, Norm::Ortho).unwrap();
        let [re_of, im_of] = [&found.re, &found.im];
        let back = transform(re_of, Some(im_of), Some(&axes), Some(&shape), Kind::RealInverse, Norm::Ortho);
        near(&floats(&back.unwrap().re), 4e-6, "real, there and back", |k| f64::from(re[k]));
    }
}

/// The shapes of 1, 2 and 3 axes to slide along that a size gives.
fn spatial(n: usize) -> Vec<Vec<usize>> {
    let rows = n.clamp(1, 50);
    let all = [vec![n], vec![rows, n / rows], vec![2, rows, n / rows / 2]];
    if n < LARGE { all.to_vec() } else { all[..2].to_vec() }
}

fn windows(device: &Device, n: usize) {
    for shape in spatial(n) {
        let data = numbers(shape.iter().product(), 21);
        let x = device.tensor(&data, &shape).unwrap();
        // Three side by side along the last axis, which padding keeps as long.
        let mut over = Windows::last(shape.len(), &[3]);
        over.strides = vec![1; shape.len()];
        over.padding = Padding::Same;
        let width = *shape.last().unwrap();
        let near_by = |k: usize| {
            let at = k % width;
            let line = &data[k - at..][..width];
            line[at.saturating_sub(1)..(at + 2).min(width)].iter().map(|&x| f64::from(x))
        };
        let found = floats(&x.reduce_window(ReduceOp::Max, &over).unwrap());
        near(&found, 0.0, "maxima", |k| near_by(k).fold(f64::NEG_INFINITY, f64::max));
        let found = floats(&x.reduce_window(ReduceOp::Sum, &over).unwrap());
        near(&found, 1e-6, "sums", |k| near_by(k).sum());
    }
}

fn convolutions(device: &Device, n: usize) {
    for shape in spatial(n) {
        let data = numbers(shape.iter().product(), 22);
        let axes = shape.len();
        let x = device.tensor(&data, &[&[1, 1], &shape[..]].concat()).unwrap();
        let mut how = Convolution::new(axes);
        how.padding = Padding::Same;
        let kernel = [0.5f32, -1.0, 0.25];
        let kernel_shape: Vec<usize> =
            (0..axes + 2).map(|axis| if axis == axes + 1 { 3 } else { 1 }).collect();
        let found = floats(&x.conv(&device.tensor(&kernel, &kernel_shape).unwrap(), &how).unwrap());
        let width = *shape.last().unwrap();
        near(&found, 1e-6, "convolution", |k| {
            let at = k % width;
            let tap = |j: usize| match (at + j).checked_sub(1) {
                Some(place) if place < width => f64::from(kernel[j]) * f64::from(data[k - at + place]),
                _ => 0.0,
            };
            tap(0) + tap(1) + tap(2)
        });
    }
}

/// As many 2 × 2 matrices as come to the size, against the formulas.
fn matrices(device: &Device, n: usize) {
    let count = n.div_ceil(4);
    let mut data = numbers(4 * count, 23);
    // Of diagonals that rule.
    (0..4 * count).filter(|k| k % 4 == 0 || k % 4 == 3).for_each(|k| data[k] += 2.0);
    let a = device.tensor(&data, &[count, 2, 2]).unwrap();
    let of = |k: usize, i: usize| f64::from(data[4 * k + i]);
    let det = |k: usize| of(k, 0) * of(k, 3) - of(k, 1) * of(k, 2);
    near(&floats(&linalg::det(&a).unwrap()), 4e-6, "determinants", det);
    let sides = numbers(2 * count, 24);
    let b = device.tensor(&sides, &[count, 2, 1]).unwrap();
    let b_of = |k: usize| (f64::from(sides[2 * k]), f64::from(sides[2 * k + 1]));
    let solved = |at: usize| {
        let (k, (top, bottom)) = (at / 2, b_of(at / 2));
        match at % 2 {
            0 => (top * of(k, 3) - of(k, 1) * bottom) / det(k),
            _ => (of(k, 0) * bottom - of(k, 2) * top) / det(k),
        }
    };
    if n < LARGE {
        near(&floats(&linalg::solve(&a, &b).unwrap()), 2e-6, "solutions", solved);
        let transposed = a.swap_axes(-1, -2).unwrap();
        let definite = a.matmul(&transposed).unwrap();
        let l = linalg::cholesky(&definite, false).unwrap();
        let again = l.matmul(&l.swap_axes(-1, -2).unwrap()).unwrap();
        let expected = floats(&definite);
        near(&floats(&again), 4e-6, "Cholesky", |k| f64::from(expected[k]));
        let [q, r] = linalg::qr(&a, false).unwrap().try_into().expect("two factors");
        near(&floats(&q.matmul(&r).unwrap()), 4e-6, "QR", |k| f64::from(data[k]));
        let [w, v] = linalg::eigh(&definite).unwrap().try_into().expect("values and vectors");
        let again = v.mul(w.expand_dims(-2).unwrap()).unwrap().matmul(&v.swap_axes(-1, -2).unwrap()).unwrap();
        near(&floats(&again), 1e-5, "eigh", |k| f64::from(expected[k]));
    } else {
        let lower = a.tril(0).unwrap();
        let found = floats(&linalg::triangular_solve(&lower, &b, true, false, false).unwrap());
        near(&found, 2e-6, "solutions", |at| {
            let (k, (top, bottom)) = (at / 2, b_of(at / 2));
            let first = top / of(k, 0);
            if at % 2 == 0 { first } else { (bottom - of(k, 2) * first) / of(k, 3) }
        });
    }
}

/// What chance picks: each once, or any of them; and how often each was.
fn picks(device: &Device, n: usize) {
    let key = random::key(device, 5).unwrap();
    let places = device.arange(0.0, n as f64, 1.0, DType::I32).unwrap();
    if n < LARGE {
        let mut mixed = ints(&random::permutation(&key, &places, 0, false).unwrap());
        assert!(n < 9 || !mixed.is_sorted(), "{n} are in order");
        mixed.sort_unstable();
        same(&mixed, "permutation", |k| k as i32);
    }
    if n == 0 {
        assert!(random::choice(&key, &places, &[3], &Picks::default()).is_err());
        return;
    }
    let chosen = random::choice(&key, &places, &[n], &Picks::default()).unwrap();
    let bins = 8.min(n);
    let bin = chosen.floor_divide(n.div_ceil(bins) as f64).unwrap();
    let counts = device.ones(&[n], DType::I32).unwrap().segment_sum(&bin, bins).unwrap();
    let mut expected = vec![0; bins];
    for place in ints(&chosen) {
        assert!((0..n as i32).contains(&place), "{place} of {n}");
        expected[place as usize / n.div_ceil(bins)] += 1;
    }
    same(&ints(&counts), "histogram", |k| expected[k]);
}
