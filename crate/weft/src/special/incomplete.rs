//! The incomplete gamma and beta functions, regularised.
//!
//! The incomplete gamma function is a series below its mean and a continued fraction above it; near
//! the mean of large ones it is N. Temme's uniform asymptotic expansion (SIAM J. Math. Anal. 10,
//! 1979). The incomplete beta function is the continued fraction of DiDonato and Morris (ACM Trans.
//! Math. Software 18, 1992). All are of a fixed length, and are differentiated as they are.

use super::formula::Quantity;
use super::gamma::HALF_LOG_TAU;
use super::{betaln, gammaln, ndtr, of_all};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use weft_ir::Result;
use weft_ir::op::{Binary, Compare, Unary};

/// Terms of the series: enough for a up to 20, and beyond for x up to 0.6a.
const TERMS: usize = 32;

/// Steps of the continued fraction of the gamma function.
const STEPS: usize = 24;

/// Steps of that of the beta function: enough for a and b up to 1000.
const BETA_STEPS: usize = 32;

/// Above this a Stirling's formula gives the front factor without cancellation.
const FAR: f32 = 3.5;

/// (log(1 + u) − u)/u² for |u| up to 0.4; the error is 3.7e-10.
const LOG_REST: [f32; 13] = [
    -0.11853025,
    0.12430925,
    -0.07229403,
    0.08048105,
    -0.1012091,
    0.11216066,
    -0.12493422,
    0.14280677,
    -0.16666833,
    0.20000103,
    -0.24999999,
    0.3333333,
    -0.5,
];

/// Temme's coefficients, powers of η, of 1, 1/a and 1/a².
const TEMME: [&[f32]; 3] = [
    &[
        -2.1854485e-6,
        3.9192632e-5,
        -0.00017875514,
        0.00035273369,
        0.0011574074,
        -0.014814815,
        0.083333333,
        -0.33333333,
    ],
    &[-4.0187757e-7, 0.00020576132, -0.000_990_226_3, 0.0026455026, -0.0034722222, -0.0018518519],
    &[0.00077160494, -0.0026813272, 0.004_133_598],
];

/// P(a, x), the share of Γ(a) that lies below x.
pub fn gammainc(device: &Device, a: Operand, x: Operand) -> Result<Tensor> {
    of_all("special.gammainc", device, &[&a, &x], |[a, x, _]| shares(a, x)[0])
}

/// Q(a, x), the share of Γ(a) that lies above x.
pub fn gammaincc(device: &Device, a: Operand, x: Operand) -> Result<Tensor> {
    of_all("special.gammaincc", device, &[&a, &x], |[a, x, _]| shares(a, x)[1])
}

/// The shares below and above x.
fn shares<'f>(a: Quantity<'f>, given: Quantity<'f>) -> [Quantity<'f>; 2] {
    let (zero, one) = (a.fixed(0.0), a.fixed(1.0));
    let inside = given.less(f32::INFINITY);
    let (a_inside, x) = (a.positive_or(1.0), inside.or_else(given, one).positive_or(1.0));
    let mean = a_inside;
    let off = (x - mean) / mean;
    let large = one.fixed(20.0).compare(Compare::Lt, mean);
    let middle = large.with(Binary::And, off.magnitude().less(0.4));
    let below = x.compare(Compare::Lt, mean + 1.0);

    let front = front_of_gamma(mean, x, off);
    let low = below.or_else(x, mean);
    let mut series = a.fixed(1.0);
    for n in (1..=TERMS).rev() {
        series = ((series * low) / (mean + n as f32)) + 1.0;
    }
    let series = (front * series) / mean;

    let high = below.or_else(mean + 1.0, x);
    let base = (high - mean) + 1.0;
    let mut fraction = base + (2 * STEPS) as f32;
    for n in (1..=STEPS).rev() {
        let step = (mean - n as f32) * n as f32;
        fraction = (base + (2 * n - 2) as f32) + (step / fraction);
    }
    let fraction = front / fraction;

    let far = middle.or(mean, 20.0);
    let near = middle.or_else(off, zero);
    let rest = near.polynomial(&LOG_REST);
    let eta = near * (rest * -2.0).apply(Unary::Sqrt);
    let inverse = one / far;
    let sum = TEMME.iter().rev().fold(zero, |sum, powers| (sum * inverse) + eta.polynomial(powers));
    let density = (((rest * (near * near)) * far) - HALF_LOG_TAU).exp() * inverse.apply(Unary::Sqrt);
    let correction = density * sum;
    let deviation = eta * far.apply(Unary::Sqrt);
    let tail = |of: Quantity<'f>| of.through(ndtr);

    let below_in_middle = tail(deviation) - correction;
    let above_in_middle = tail(-deviation) + correction;
    let ends = |value: Quantity<'f>, at_zero: f32, at_infinity: f32| {
        // A share near 0 may round to less.
        let value = inside.or(value.less(0.0).then(0.0, value), at_infinity);
        let value = given.is(0.0).or_else(one.fixed(at_zero), value);
        // a must be positive and x not negative, which NaN is not either.
        let positive = zero.compare(Compare::Lt, a);
        positive.with(Binary::And, zero.compare(Compare::Le, given)).or(value, f32::NAN)
    };
    let p = middle.or_else(below_in_middle, below.or_else(series, one - fraction));
    let q = middle.or_else(above_in_middle, below.or_else(one - series, fraction));
    [ends(p, 0.0, 1.0), ends(q, 1.0, 0.0)]
}

/// xᵃ e⁻ˣ/Γ(a), where x is a(1 + off).
fn front_of_gamma<'f>(a: Quantity<'f>, x: Quantity<'f>, off: Quantity<'f>) -> Quantity<'f> {
    let near = a.less(FAR);
    let large = near.or_else(a.fixed(FAR), a);
    let far = ((large * near.or_else(a.fixed(0.0), off).log_rest()) - large.binet()) - HALF_LOG_TAU;
    let far = far.exp() * large.apply(Unary::Sqrt);
    let small = near.or(a, 1.0);
    let at = near.or(x, 1.0);
    let log_gamma = small.through(gammaln);
    let close = ((small * at.log()) - at) - log_gamma;
    near.or_else(close.exp(), far)
}

/// The share of B(a, b) that lies below x.
pub fn betainc(device: &Device, a: Operand, b: Operand, x: Operand) -> Result<Tensor> {
    of_all("special.betainc", device, &[&a, &b, &x], |[a, b, x]| share(a, b, x))
}

fn share<'f>(first: Quantity<'f>, second: Quantity<'f>, given: Quantity<'f>) -> Quantity<'f> {
    let one = given.fixed(1.0);
    let within = given.compare(Compare::Lt, one);
    let x = within.or(given, 0.5).positive_or(0.5);
    let (a, b) = (first.positive_or(1.0), second.positive_or(1.0));
    // The continued fraction converges below the mode; above it, the arguments swap.
    let mode = (a + 1.0) / ((a + b) + 2.0);
    let swapped = mode.compare(Compare::Lt, x);
    let rest = one - x;
    let (a, b) = (swapped.or_else(b, a), swapped.or_else(a, b));
    let (x, y) = (swapped.or_else(rest, x), swapped.or_else(x, rest));

    let both = a + b;
    let lean = ((a * y) - (b * x)) + 1.0;
    let square = x * x;
    let denominator = |m: usize| a + (2 * m + 1) as f32;
    let constant = |m: usize| {
        let n = m as f32;
        let here = ((a + n) * (lean + ((x.fixed(2.0) - x) * n))) / denominator(m);
        if m == 0 { here } else { (here + n) + (((b - n) * x) * n).with(Binary::Div, denominator(m - 1)) }
    };
    let mut fraction = constant(BETA_STEPS);
    for m in (1..=BETA_STEPS).rev() {
        let (n, before) = (m as f32, denominator(m - 1));
        let left = (a + (n - 1.0)) / before;
        let right = (both + (n - 1.0)) / before;
        let step = (left * right) * (((b - n) * square) * n);
        fraction = constant(m - 1) + (step / fraction);
    }
    let share = front_of_beta(a, b, x, y) / fraction;
    let value = swapped.or_else(one - share, share);
    let value = given.is(0.0).or_else(one.fixed(0.0), given.is(1.0).or_else(one, value));
    let roots = given.apply(Unary::Sqrt) + (one - given).apply(Unary::Sqrt);
    let wrong = (roots + first.log()) + second.log();
    wrong.apply(Unary::IsNan).or_else(one.fixed(f32::NAN), value)
}

/// xᵃ yᵇ/B(a, b), where y is 1 − x.
fn front_of_beta<'f>(a: Quantity<'f>, b: Quantity<'f>, x: Quantity<'f>, y: Quantity<'f>) -> Quantity<'f> {
    let near = a.with(Binary::Min, b).less(FAR);
    let large = |x: Quantity<'f>| near.or_else(x.fixed(FAR), x);
    let (p, q) = (large(a), large(b));
    let off = near.or_else(x.fixed(0.0), (x * q) - (y * p));
    let logs = (p * (off / p).log_rest()) + (q * (-off / q).log_rest());
    let sum = p + q;
    let rests = sum.binet() - (p.binet() + q.binet());
    let far = ((logs + rests) - HALF_LOG_TAU).exp() * ((p / sum) * q).apply(Unary::Sqrt);
    let small = |x: Quantity<'f>| near.or(x, 1.0);
    let (p, q) = (small(a), small(b));
    let log_beta = p.through_both(betaln, q);
    // Below ½, 1 − y is x, with no digits lost.
    let half = x.less(0.5);
    let safe = half.or(x, 0.5);
    let rest = half.or_else(x.fixed(0.5), y);
    let log_x = half.or_else(safe.log(), (-rest).log1p());
    let log_y = half.or_else((-safe).log1p(), rest.log());
    let close = ((p * log_x) + (q * log_y)) - log_beta;
    near.or_else(close.exp(), far)
}

impl Quantity<'_> {
    /// log(1 + u) − u.
    fn log_rest(self) -> Self {
        let near = self.magnitude().less(0.4);
        let small = near.or(self, 0.0);
        let large = near.or_else(self.fixed(1.0), self);
        near.or_else((small * small) * small.polynomial(&LOG_REST), large.log1p() - large)
    }
}
