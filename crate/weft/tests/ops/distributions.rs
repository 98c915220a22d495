//! Distributions of the draws that JAX makes by other algorithms: their mean and variance, by a
//! fixed key, within five standard errors.

use crate::support::rotation::share;
use crate::support::{cpu, floats, gpu, item};
use weft::op::Arguments;
use weft::random;
use weft::{DType, Device, Tensor};

const COUNT: i64 = 20_000;

/// Mean and variance of a draw with parameters.
fn moments(device: &Device, name: &str, parameters: &[f64]) -> (f64, f64) {
    let arguments = Arguments::default().operand(random::key(device, 3).unwrap());
    let arguments = parameters.iter().fold(arguments, |arguments, &p| arguments.operand(p)).list([COUNT]);
    let x = arguments.call(device, name).unwrap();
    (item(&x.mean(None, false).unwrap()), item(&x.var(None, false, 0.0).unwrap()))
}

#[test]
fn moments_are_those_of_the_distribution() {
    let device = cpu();
    // The fourth moment about the mean, for the error of the variance, is bounded by what is given
    // last, in squares of the variance.
    let cases: [(&str, &[f64], f64, f64, f64); 19] = [
        ("random.gamma", &[0.3], 0.3, 0.3, 23.0),
        ("random.gamma", &[1.0], 1.0, 1.0, 9.0),
        ("random.gamma", &[2.5], 2.5, 2.5, 5.4),
        ("random.gamma", &[50.0], 50.0, 50.0, 3.2),
        ("random.beta", &[2.0, 3.0], 0.4, 0.04, 3.0),
        ("random.beta", &[0.5, 0.5], 0.5, 0.125, 3.0),
        ("random.chisquare", &[4.0], 4.0, 8.0, 6.0),
        ("random.binomial", &[10.0, 0.3], 3.0, 2.1, 3.0),
        ("random.binomial", &[10.0, 0.9], 9.0, 0.9, 3.6),
        ("random.binomial", &[40.0, 0.5], 20.0, 10.0, 3.0),
        ("random.binomial", &[90000.0, 0.6], 54000.0, 21600.0, 3.1),
        ("random.f", &[8.0, 40.0], 40.0 / 38.0, 0.353_955, 8.0),
        ("random.generalizedNormal", &[2.0], 0.0, 0.5, 3.0),
        ("random.generalizedNormal", &[4.0], 0.0, 0.337_989, 2.3),
        ("random.loggamma", &[1.0], -0.577_216, 1.644_934, 5.4),
        ("random.loggamma", &[0.01], -100.560_9, 10_001.621, 9.0),
        ("random.wald", &[2.0], 2.0, 8.0, 33.0),
        ("random.t", &[10.0], 0.0, 1.25, 4.0),
        ("random.t", &[30.0], 0.0, 30.0 / 28.0, 3.3),
    ];
    let (first, step) = share(2, 6);
    for (name, parameters, mean, variance, fourth) in cases.into_iter().skip(first).step_by(step) {
        let found = moments(&device, name, parameters);
        let root = (COUNT as f64).sqrt();
        let off = (found.0 - mean).abs() / (variance.sqrt() / root);
        assert!(off < 5.0, "{name} of {parameters:?} has the mean {}, expected {mean}", found.0);
        let off = (found.1 - variance).abs() / (variance * (fourth - 1.0).sqrt() / root);
        assert!(off < 5.0, "{name} of {parameters:?} has the variance {}, expected {variance}", found.1);
    }
}

#[test]
fn what_takes_several_draws_has_its_moments() {
    const COUNT: usize = 4000;
    let device = cpu();
    let key = random::key(&device, 3).unwrap();
    let x = random::double_sided_maxwell(&key, 2.0, 0.5, &[COUNT]).unwrap();
    // The fourth moment about the mean is 5/3 squares of the variance.
    let (mean, variance, root) = (2.0, 0.75, (COUNT as f64).sqrt());
    let (found, spread) = (item(&x.mean(None, false).unwrap()), item(&x.var(None, false, 0.0).unwrap()));
    assert!((found - mean).abs() < 5.0 * f64::sqrt(variance) / root, "the mean is {found}, expected {mean}");
    let slack = 5.0 * variance * f64::sqrt(2.0 / 3.0) / root;
    assert!((spread - variance).abs() < slack, "the variance is {spread}, expected {variance}");
    let wrong = random::poisson(&key, &device.tensor(&[1.0f32, 2.0], &[2]).unwrap(), Some(&[3]));
    assert_eq!(wrong.unwrap_err().kind, weft::ErrorKind::Shape);
}

fn lengths(x: &Tensor) -> Tensor {
    x.norm(2.0, Some(&[-1]), false).unwrap()
}

#[test]
fn points_fill_the_ball_evenly() {
    let key = random::key(&cpu(), 5).unwrap();
    for dimension in [1, 2, 5] {
        // Of such points the length to the power of the dimension is uniform.
        let inside = lengths(&random::ball(&key, dimension, &[4000]).unwrap());
        let even = inside.pow(dimension as f64).unwrap();
        assert!(floats(&even).iter().all(|x| (0.0..=1.0).contains(x)));
        let mean = item(&even.mean(None, false).unwrap());
        assert!((mean - 0.5).abs() < 5.0 * (1.0f64 / 12.0 / 4000.0).sqrt(), "{dimension}: {mean}");
    }
}

#[test]
fn counts_of_several_ways_add_up() {
    let device = cpu();
    let (key, ways) =
        (random::key(&device, 4).unwrap(), device.tensor(&[0.2f32, 0.3, 0.0, 0.5], &[4]).unwrap());
    let n = device.tensor(&[30.0f32], &[]).unwrap();
    let x = random::multinomial(&key, &n, &ways, Some(&[5000])).unwrap();
    assert!(floats(&x.sum(Some(&[-1]), false).unwrap()).iter().all(|&sum| sum == 30.0));
    let means = floats(&x.mean(Some(&[0]), false).unwrap());
    for (mean, expected) in means.iter().zip([6.0, 9.0, 0.0, 15.0]) {
        assert!((mean - expected).abs() < 5.0 * (30.0f32 / 4.0 / 5000.0).sqrt(), "{means:?}");
    }
}

#[test]
fn binomials_are_whole_numbers_within_their_tries() {
    let device = cpu();
    let found = |n: f64, p: f64| {
        let arguments = Arguments::default().operand(random::key(&device, 3).unwrap());
        floats(&arguments.operand(n).operand(p).list([2000]).call(&device, "random.binomial").unwrap())
    };
    for (n, p) in [(0.0, 0.5), (7.0, 0.0), (7.0, 1.0), (3.0, 0.5), (50.0, 0.5), (2000.0, 0.999)] {
        assert!(found(n, p).iter().all(|&k| k.fract() == 0.0 && (0.0..=n as f32).contains(&k)), "{n} {p}");
    }
    assert!(found(7.0, 1.0).iter().all(|&k| k == 7.0) && found(7.0, 0.0).iter().all(|&k| k == 0.0));
    for (n, p) in [(5.0, 1.5), (5.0, -0.1), (-1.0, 0.5), (5.0, f64::NAN)] {
        assert!(found(n, p).iter().all(|k| k.is_nan()), "{n} {p}");
    }
}

#[test]
fn shares_add_up_to_one() {
    let device = cpu();
    let alpha = device.tensor(&[1.0f32, 2.0, 5.0], &[3]).unwrap();
    let x = random::dirichlet(&random::key(&device, 9).unwrap(), &alpha, &[4000]).unwrap();
    assert!(floats(&x.sum(Some(&[-1]), false).unwrap()).iter().all(|sum| (sum - 1.0).abs() < 1e-6));
}

#[test]
fn turns_are_orthogonal() {
    let device = cpu();
    let q = random::orthogonal(&random::key(&device, 2).unwrap(), 4, &[3]).unwrap();
    let product = q.matmul(&q.swap_axes(-1, -2).unwrap()).unwrap();
    let one = device.eye(4, 4, 0, weft::DType::F32).unwrap();
    assert!(floats(&product.sub(one).unwrap()).iter().all(|x| x.abs() < 1e-5));
}

/// So many that four standard errors of a share of them are 1e-3 at most.
const MANY: i64 = 1 << 22;
/// As many at once, which keeps memory small.
const PIECE: i64 = 1 << 19;

/// Draws with parameters, in pieces that keep memory small, each given to `look`.
fn drawn(name: &str, parameters: &[f64], mut look: impl FnMut(&[f32])) {
    // A kernel draws them: the interpreter takes ten times as long.
    let device = gpu();
    for seed in 0..MANY / PIECE {
        let arguments = Arguments::default().operand(random::key(&device, seed).unwrap());
        let arguments = parameters.iter().fold(arguments, |arguments, &p| arguments.operand(p));
        look(&floats(&arguments.list([PIECE]).call(&device, name).unwrap()));
    }
}

/// Fails unless the share of draws below each place is what it should be to 1e-3.
fn shares(name: &str, parameters: &[f64], expected: &[(f32, f64)]) {
    let mut below = vec![0u64; expected.len()];
    drawn(name, parameters, |x| {
        assert!(x.iter().all(|x| !x.is_nan()), "{name} of {parameters:?} is no number");
        for (count, &(place, _)) in below.iter_mut().zip(expected) {
            *count += x.iter().filter(|&&x| x < place).count() as u64;
        }
    });
    for (&count, &(place, share)) in below.iter().zip(expected) {
        let found = count as f64 / MANY as f64;
        let what = format!("{name} of {parameters:?} is below {place} with {found}, expected {share}");
        assert!((found - share).abs() < 1e-3, "{what}");
    }
}

/// Two of these run at a landing, as each takes seconds.
#[test]
fn small_parameters_have_their_tails() {
    // A beta of a and 1 is below x with xᵃ; of equal parameters half of it is below a half, and
    // hardly any near it.
    let beta = |a: f64| {
        let below = |x: f32| (x, f64::from(x).powf(a));
        ("random.beta", vec![a, 1.0], [1e-30, 1e-6, 0.1, 0.5, 0.9].map(below).to_vec())
    };
    // Near 0 a gamma of a is below x with xᵃ/Γ(a + 1), which is 0.999424 at 1.001.
    let gamma = |x: f32| (x, f64::from(x).powf(1e-3) / 0.999_424);
    let twice = |x: f32| (2.0 * x, f64::from(x).powf(1e-3) / 0.999_424);
    // Of so high a power nearly uniform: below x with (1 + x/Γ(1 + 1/1000))/2.
    let flat = |x: f32| (x, 0.5 + f64::from(x) / (2.0 * 0.999_424));
    let tails = [
        beta(1e-3),
        beta(0.03),
        beta(0.3),
        ("random.beta", vec![1e-3, 1e-3], vec![(0.5, 0.5)]),
        ("random.gamma", vec![1e-3], [1e-30, 1e-12, 1e-4].map(gamma).to_vec()),
        ("random.chisquare", vec![2e-3], [1e-30, 1e-4].map(twice).to_vec()),
        ("random.f", vec![2e-3, 2e-3], vec![(1.0, 0.5)]),
        ("random.t", vec![2e-3], vec![(0.0, 0.5)]),
        ("random.generalizedNormal", vec![1000.0], [-0.9, -0.1, 0.5, 0.9].map(flat).to_vec()),
    ];
    let (first, step) = share(5, 2);
    for (name, parameters, expected) in tails.iter().skip(first).step_by(step) {
        shares(name, parameters, expected);
    }
}

#[test]
fn betas_of_small_parameters_have_their_moments() {
    let (mut sum, mut squares) = (0.0, 0.0);
    drawn("random.beta", &[1e-3, 1e-3], |x| {
        sum += x.iter().map(|&x| f64::from(x)).sum::<f64>();
        squares += x.iter().map(|&x| (f64::from(x) - 0.5).powi(2)).sum::<f64>();
    });
    let (mean, variance) = (sum / MANY as f64, squares / MANY as f64);
    assert!((mean - 0.5).abs() < 1e-3 && (variance - 0.25 / 1.002).abs() < 1e-3, "{mean} {variance}");
}

/// Each share is a beta of its parameter and the sum of the others, whose moments are known up to
/// the fourth. A landing looks at one of these.
#[test]
fn shares_have_the_moments_of_betas() {
    const COUNT: i64 = MANY / 4;
    let device = gpu();
    let (first, step) = share(3, 3);
    for alphas in
        [[1e-3f32, 1e-3, 2e-3], [0.02, 0.02, 0.04], [1.0, 2.0, 5.0]].into_iter().skip(first).step_by(step)
    {
        let alpha = device.tensor(&alphas, &[3]).unwrap();
        let (mut sums, mut squares) = ([0.0; 3], [0.0; 3]);
        let total: f64 = alphas.iter().map(|&a| f64::from(a)).sum();
        let mean = |part: usize| f64::from(alphas[part]) / total;
        for seed in 0..COUNT / PIECE {
            let key = random::key(&device, seed).unwrap();
            let x = floats(&random::dirichlet(&key, &alpha, &[PIECE as usize]).unwrap());
            for row in x.chunks(3) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{row:?}");
                for (part, &share) in row.iter().enumerate() {
                    let off = f64::from(share) - mean(part);
                    sums[part] += off;
                    squares[part] += off * off;
                }
            }
        }
        for part in 0..3 {
            let (a, b) = (f64::from(alphas[part]), total - f64::from(alphas[part]));
            let variance = a * b / (total * total * (total + 1.0));
            let excess = 6.0 * ((a - b).powi(2) * (total + 1.0) - a * b * (total + 2.0))
                / (a * b * (total + 2.0) * (total + 3.0));
            let (off, spread) = (sums[part] / COUNT as f64, squares[part] / COUNT as f64);
            let error = (variance / COUNT as f64).sqrt();
            assert!(off.abs() < 4.0 * error, "{alphas:?}: the mean of {part} is off by {off}");
            let error = variance * ((excess + 2.0) / COUNT as f64).sqrt();
            assert!((spread - variance).abs() < 4.0 * error, "{alphas:?}: {spread}, expected {variance}");
        }
    }
}

/// Shares of Poisson's counts up to a place, and their moments. A landing looks at half of the
/// rates.
#[test]
fn counts_are_as_probable_as_poisson_says() {
    // Each takes dozens of tries.
    const COUNT: usize = 1 << 18;
    let device = gpu();
    let (first, step) = share(2, 4);
    for rate in [0.5f64, 8.0, 9.99, 10.01, 40.0, 3e4].into_iter().skip(first).step_by(step) {
        let rates = device.tensor(&[rate as f32], &[1]).unwrap();
        let places: Vec<f64> = if rate < 10.0 {
            (0..(2.0 * rate) as i32 + 2).map(f64::from).collect()
        } else {
            [-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0]
                .map(|z| (rate + z * rate.sqrt()).floor())
                .to_vec()
        };
        let (mut up_to, mut sum, mut squares) = (vec![0u64; places.len()], 0.0, 0.0);
        let x = random::poisson(&random::key(&device, 3).unwrap(), &rates, Some(&[COUNT])).unwrap();
        for k in floats(&x.cast(DType::F32).unwrap()).into_iter().map(f64::from) {
            assert!(k >= 0.0 && k.fract() == 0.0);
            up_to.iter_mut().zip(&places).for_each(|(count, &place)| *count += u64::from(k <= place));
            sum += k - rate;
            squares += (k - rate).powi(2);
        }
        let count = COUNT as f64;
        // e^−λ·λᵏ/k!, by logarithms; rounded as f32 rounds the rate.
        let rate = f64::from(rate as f32);
        let (mut logarithm, mut share, mut k) = (-rate, 0.0, 0.0);
        for (&found, &place) in up_to.iter().zip(&places) {
            while k <= place {
                share += f64::exp(logarithm);
                k += 1.0;
                logarithm += (rate / k).ln();
            }
            let error = (share * (1.0 - share) / count).sqrt();
            let found = found as f64 / count;
            assert!(
                (found - share).abs() < 4.5 * error,
                "of {rate} up to {place}: {found}, expected {share}"
            );
        }
        let (off, spread) = (sum / count, squares / count);
        assert!(off.abs() < 4.0 * (rate / count).sqrt(), "the mean of {rate} is off by {off}");
        let error = ((2.0 * rate * rate + rate) / count).sqrt();
        assert!((spread - rate).abs() < 4.0 * error, "the variance of {rate} is {spread}");
    }
}

/// A landing looks at half of the means.
#[test]
fn walks_with_little_drift_arrive() {
    // Φ(√(1/x)·(x/μ − 1)) + e^(2/μ)·Φ(−√(1/x)·(x/μ + 1)).
    let normal = |x: f64| {
        let x = cpu().tensor(&[(x / std::f64::consts::SQRT_2) as f32], &[]).unwrap();
        (1.0 + item(&x.erf().unwrap())) / 2.0
    };
    let (first, step) = share(2, 5);
    for mean in [0.5, 3.0, 1e3, 1e6, 1e20].into_iter().skip(first).step_by(step) {
        drawn("random.wald", &[mean], |x| assert!(x.iter().all(|&x| x > 0.0), "of the mean {mean}"));
        let below = |x: f32| {
            let (at, root) = (f64::from(x), f64::from(x).recip().sqrt());
            (x, normal(root * (at / mean - 1.0)) + (2.0 / mean).exp() * normal(-root * (at / mean + 1.0)))
        };
        shares("random.wald", &[mean], &[0.1, 0.3, 1.0, 10.0, 100.0].map(below));
    }
}

#[test]
fn integers_reach_the_ends_of_their_dtype() {
    let device = cpu();
    let draw = |low: f64, high: f64, dtype: DType| {
        let x = random::randint(&random::key(&device, 3).unwrap(), &[1 << 16], low, high, dtype).unwrap();
        assert_eq!(x.dtype(), dtype);
        x
    };
    for (low, high, dtype) in [
        (0.0, 2f64.powi(32), DType::U32),
        (-(2f64.powi(31)), 2f64.powi(31), DType::I32),
        (-128.0, 128.0, DType::I8),
        (0.0, 256.0, DType::U8),
        (-1e9, 1e9, DType::I32),
        (5.0, 4e9, DType::U32),
    ] {
        let x = draw(low, high, dtype);
        let float = x.cast(DType::F32).unwrap();
        let (least, most) = (item(&float.min(None, false).unwrap()), item(&float.max(None, false).unwrap()));
        let width = high - low;
        assert!(least >= low && least < low + width * 0.01 && most <= high && most > high - width * 0.01);
    }
    for (low, high, dtype) in
        [(0.0, 2f64.powi(32) + 1.0, DType::U32), (-1.0, 5.0, DType::U32), (0.0, 257.0, DType::U8)]
    {
        let key = random::key(&device, 3).unwrap();
        assert_eq!(random::randint(&key, &[1], low, high, dtype).unwrap_err().kind, weft::ErrorKind::Value);
    }
}

/// Each number is what the bits say, in whole numbers without end: so it is as probable as any
/// other to 2⁻³².
#[test]
fn integers_are_fair() {
    for device in [cpu(), gpu()] {
        let key = random::key(&device, 3).unwrap();
        let keys = random::split(&key, 2).unwrap();
        let words = |n: i64| {
            let key = keys.slice(&[(n..n + 1).into()]).unwrap().reshape(&[2]).unwrap();
            let bits = random::bits(&key, &[4096]).unwrap();
            crate::support::wait(bits.data::<u32>()).unwrap()
        };
        let (first, second) = (words(0), words(1));
        for (low, high, dtype) in [
            (0i64, 3 << 30, DType::U32),
            (0, 1 << 32, DType::U32),
            (5, 4_000_000_000, DType::U32),
            (-(1 << 31), 1 << 31, DType::I32),
            (-1_000_000_000, 1_000_000_000, DType::I32),
            (-3, 65_534, DType::I32),
            (0, 65_536, DType::I32),
            (0, 65_535, DType::U32),
            (-128, 128, DType::I8),
            (0, 256, DType::U8),
            (1, 7, DType::I32),
        ] {
            let x = random::randint(&key, &[4096], low as f64, high as f64, dtype).unwrap();
            assert_eq!(x.dtype(), dtype);
            let wide = if dtype == DType::U32 { x.clone() } else { x.cast(DType::I32).unwrap() };
            let found: Vec<i64> = if dtype == DType::U32 {
                crate::support::wait(wide.data::<u32>()).unwrap().into_iter().map(i64::from).collect()
            } else {
                crate::support::wait(wide.data::<i32>()).unwrap().into_iter().map(i64::from).collect()
            };
            let span = (high - low) as u128;
            for ((&found, &a), &b) in found.iter().zip(&first).zip(&second) {
                let both = (u128::from(a) << 32) | u128::from(b);
                let offset = if span > 1 << 16 { (both * span) >> 64 } else { both % span };
                assert_eq!(found, low + offset as i64, "{low} {high}");
            }
        }
    }
}
