//! Distributions of the draws that JAX makes by other algorithms: their mean and variance, by a
//! fixed key, within five standard errors.

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
    for (name, parameters, mean, variance, fourth) in cases {
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
    let count = |rate: f32| {
        let rate = device.tensor(&[rate], &[1]).unwrap();
        random::poisson(&key, &rate, Some(&[COUNT])).unwrap().cast(weft::DType::F32).unwrap()
    };
    let sided = random::double_sided_maxwell(&key, 2.0, 0.5, &[COUNT]).unwrap();
    // The fourth moment about the mean comes last, in squares of the variance.
    let cases = [
        (count(0.5), 0.5, 0.5, 5.0),
        (count(8.0), 8.0, 8.0, 3.125),
        (count(40.0), 40.0, 40.0, 3.025),
        (count(3e4), 3e4, 3e4, 3.0),
        (sided, 2.0, 0.75, 5.0 / 3.0),
    ];
    for (x, mean, variance, fourth) in cases {
        let root = (COUNT as f64).sqrt();
        let (found, spread) = (item(&x.mean(None, false).unwrap()), item(&x.var(None, false, 0.0).unwrap()));
        assert!(
            (found - mean).abs() < 5.0 * f64::sqrt(variance) / root,
            "the mean is {found}, expected {mean}"
        );
        let slack = 5.0 * variance * f64::sqrt(fourth - 1.0) / root;
        assert!((spread - variance).abs() < slack, "the variance is {spread}, expected {variance}");
    }
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
    let means = floats(&x.mean(Some(&[0]), false).unwrap());
    for (mean, expected) in means.iter().zip([0.125, 0.25, 0.625]) {
        assert!((mean - expected).abs() < 0.02, "{means:?}");
    }
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

#[test]
fn small_parameters_have_their_tails() {
    // A beta of a and 1 is below x with xᵃ; of equal parameters half of it is below a half, and
    // hardly any near it.
    for a in [1e-3, 0.03, 0.3] {
        let below = |x: f32| (x, f64::from(x).powf(a));
        shares("random.beta", &[a, 1.0], &[1e-30, 1e-6, 0.1, 0.5, 0.9].map(below));
    }
    shares("random.beta", &[1e-3, 1e-3], &[(0.5, 0.5)]);
    let (mut sum, mut squares) = (0.0, 0.0);
    drawn("random.beta", &[1e-3, 1e-3], |x| {
        sum += x.iter().map(|&x| f64::from(x)).sum::<f64>();
        squares += x.iter().map(|&x| (f64::from(x) - 0.5).powi(2)).sum::<f64>();
    });
    let (mean, variance) = (sum / MANY as f64, squares / MANY as f64);
    assert!((mean - 0.5).abs() < 1e-3 && (variance - 0.25 / 1.002).abs() < 1e-3, "{mean} {variance}");
    // Near 0 a gamma of a is below x with xᵃ/Γ(a + 1), which is 0.999424 at 1.001.
    let gamma = |x: f32| (x, f64::from(x).powf(1e-3) / 0.999_424);
    shares("random.gamma", &[1e-3], &[1e-30, 1e-12, 1e-4].map(gamma));
    let twice = |x: f32| (2.0 * x, f64::from(x).powf(1e-3) / 0.999_424);
    shares("random.chisquare", &[2e-3], &[1e-30, 1e-4].map(twice));
    shares("random.f", &[2e-3, 2e-3], &[(1.0, 0.5)]);
    shares("random.t", &[2e-3], &[(0.0, 0.5)]);
    // Of so high a power nearly uniform: below x with (1 + x/Γ(1 + 1/1000))/2.
    let flat = |x: f32| (x, 0.5 + f64::from(x) / (2.0 * 0.999_424));
    shares("random.generalizedNormal", &[1000.0], &[-0.9, -0.1, 0.5, 0.9].map(flat));
}

#[test]
fn shares_of_small_parameters_add_up_to_one() {
    let device = cpu();
    for a in [1e-3f32, 0.02] {
        let alpha = device.tensor(&[a, a, 2.0 * a], &[3]).unwrap();
        let x = random::dirichlet(&random::key(&device, 9).unwrap(), &alpha, &[100_000]).unwrap();
        assert!(floats(&x.sum(Some(&[-1]), false).unwrap()).iter().all(|sum| (sum - 1.0).abs() < 1e-6));
        let means = floats(&x.mean(Some(&[0]), false).unwrap());
        let spreads = floats(&x.var(Some(&[0]), false, 0.0).unwrap());
        for ((mean, spread), share) in means.iter().zip(&spreads).zip([0.25, 0.25, 0.5f32]) {
            assert!((mean - share).abs() < 4.0 * (0.25f32 / 1e5).sqrt(), "{means:?}");
            let expected = share * (1.0 - share) / (4.0 * a + 1.0);
            assert!((spread - expected).abs() < 4e-3, "{spreads:?}");
        }
    }
}

#[test]
fn walks_with_little_drift_arrive() {
    // Φ(√(1/x)·(x/μ − 1)) + e^(2/μ)·Φ(−√(1/x)·(x/μ + 1)).
    let normal = |x: f64| {
        let x = cpu().tensor(&[(x / std::f64::consts::SQRT_2) as f32], &[]).unwrap();
        (1.0 + item(&x.erf().unwrap())) / 2.0
    };
    for mean in [0.5, 3.0, 1e3, 1e6, 1e20] {
        drawn("random.wald", &[mean], |x| assert!(x.iter().all(|&x| x > 0.0), "of the mean {mean}"));
        let below = |x: f32| {
            let (at, root) = (f64::from(x), f64::from(x).recip().sqrt());
            (x, normal(root * (at / mean - 1.0)) + (2.0 / mean).exp() * normal(-root * (at / mean + 1.0)))
        };
        shares("random.wald", &[mean], &[0.1, 0.3, 1.0, 10.0, 100.0].map(below));
    }
}

#[test]
fn integers_are_fair_over_wide_spans_and_to_the_ends_of_their_dtype() {
    let device = cpu();
    let draw = |low: f64, high: f64, dtype: DType| {
        let x = random::randint(&random::key(&device, 3).unwrap(), &[1 << 20], low, high, dtype).unwrap();
        assert_eq!(x.dtype(), dtype);
        x
    };
    let third = draw(0.0, 3.0 * 2f64.powi(30), DType::U32).less(2f64.powi(30)).unwrap();
    let share = item(&third.mean(None, false).unwrap());
    assert!((share - 1.0 / 3.0).abs() < 2e-3, "{share}");
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
        let middle = x.less(low + width / 2.0).unwrap();
        let share = item(&middle.mean(None, false).unwrap());
        assert!((share - 0.5).abs() < 2e-3, "{low} {high}: {share}");
    }
    for (low, high, dtype) in
        [(0.0, 2f64.powi(32) + 1.0, DType::U32), (-1.0, 5.0, DType::U32), (0.0, 257.0, DType::U8)]
    {
        let key = random::key(&device, 3).unwrap();
        assert_eq!(random::randint(&key, &[1], low, high, dtype).unwrap_err().kind, weft::ErrorKind::Value);
    }
}
