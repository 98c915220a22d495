//! The gamma function, its logarithm and the derivatives of that, and the beta function.

use super::formula::Quantity;
use super::{Formula, of_all, of_one, of_two};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use std::f32::consts::PI;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{Error, Result};

/// ½ log 2π.
pub(super) const HALF_LOG_TAU: f32 = 0.918_938_5;

/// From here on Stirling's formula is used with three terms of what it leaves.
const FAR: f32 = 3.5;

/// log Γ(2 + u)/u for u from −½ to 3/2; the error is 6.3e-9. Highest powers first, here and below.
const NEAR_TWO: [f32; 11] = [
    -8.533506e-6,
    6.207979e-5,
    -0.00021460082,
    0.0005282535,
    -0.001205873,
    0.0028888204,
    -0.007382543,
    0.020580722,
    -0.06735252,
    0.32246703,
    0.42278433,
];

/// What Stirling's formula leaves of log Γ(x), times x, as a function of 1/x².
const BINET: [f32; 3] = [0.0007292555, -0.0027758954, 0.08333333];

/// ψ(x)/(x − x₀) for x = 2 + z from ½ to 3½, x₀ the root of ψ: numerator and denominator; the error
/// is 1.5e-9.
const PSI: [[f32; 5]; 2] = [
    [4.836833e-5, 0.00944822, 0.13912946, 0.6034291, 0.7853075],
    [0.002339483, 0.056438494, 0.4037296, 1.1004199, 1.0],
];

/// The root of ψ in two parts.
const ROOT: [f32; 2] = [1.4616321, 1.243_815e-8];

/// log x − 1/(2x) − ψ(x), times x², as a function of 1/x² above 3½.
const PSI_FAR: [f32; 4] = [-0.0032221214, 0.0039245165, -0.008332657, 0.08333333];

/// B₂ₖ/(2k)! for k from 5 to 1.
const BERNOULLI: [f32; 5] = [2.087_675_7e-8, -8.267_196e-7, 3.306_878_3e-5, -0.001_388_888_9, 0.083_333_33];

/// How far Hurwitz' sum is added up before Euler and Maclaurin's formula gives the rest.
const SUMMED: usize = 8;

/// log |Γ(x)|.
pub fn gammaln(x: &Tensor) -> Result<Tensor> {
    of_one("special.gammaln", x, |[x, ..]| x.log_gamma(), |[x, ..]| x.through(digamma))
}

/// Γ(x).
pub fn gamma(x: &Tensor) -> Result<Tensor> {
    of_one("special.gamma", x, |[x, ..]| x.gamma(), |[x, ..]| x.gamma() * x.through(digamma))
}

/// The sign of Γ(x).
pub fn gammasgn(x: &Tensor) -> Result<Tensor> {
    of_all("special.gammasgn", x.device(), &[&x.into()], |[x, ..]| x.gamma_sign())
}

/// ψ(x), the derivative of log Γ.
pub fn digamma(x: &Tensor) -> Result<Tensor> {
    of_one("special.digamma", x, |[x, ..]| x.digamma(), |[x, ..]| x.trigamma())
}

/// The derivative of order `order` of ψ.
pub fn polygamma(order: usize, x: &Tensor) -> Result<Tensor> {
    let name = "special.polygamma";
    match order {
        0 => digamma(x),
        1 => of_all(name, x.device(), &[&x.into()], |[x, ..]| x.trigamma()),
        _ => {
            let factorial: f64 = (1..=order).map(|n| n as f64).product();
            let sign = if order.is_multiple_of(2) { -1.0 } else { 1.0 };
            zeta(x.device(), Operand::Number((order + 1) as f64), x.into())?.mul(sign * factorial)
        }
    }
}

/// Σ (q + k)⁻ˢ.
pub fn zeta(device: &Device, s: Operand, q: Operand) -> Result<Tensor> {
    of_all("special.zeta", device, &[&s, &q], |[s, q, _]| s.zeta(q))
}

/// log |B(a, b)|.
pub fn betaln(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [|[a, b, _]| a.log_beta_slope(b), |[a, b, _]| b.log_beta_slope(a)];
    of_two("special.betaln", device, [&a, &b], |[a, b, _]| a.log_beta(b), slopes)
}

/// B(a, b).
pub fn beta(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
    let size = Operand::Tensor(betaln(device, a.clone(), b.clone())?);
    of_all("special.beta", device, &[&size, &a, &b], |[size, a, b]| {
        let sign = a.gamma_sign() * b.gamma_sign() * (a + b).gamma_sign();
        let sign = a.is_pole().then(1.0, b.is_pole().then(1.0, sign));
        let other = a.with(Binary::Max, b);
        let odd = ((other * 0.5) - (other * 0.5).apply(Unary::Floor)) * 4.0;
        let finite = a.with(Binary::Min, b).is_between_poles(other);
        size.exp() * finite.or_else(a.fixed(1.0) - odd, sign)
    })
}

/// log of the gamma function of matrices of `dimension` rows. Errors with `Value` for none.
pub fn multigammaln(a: &Tensor, dimension: usize) -> Result<Tensor> {
    if dimension == 0 {
        return Err(Error::value("special.multigammaln", "the dimension must be at least 1"));
    }
    let mut sum = gammaln(a)?;
    for n in 1..dimension {
        sum = sum.add(gammaln(&a.sub(n as f64 / 2.0)?)?)?;
    }
    sum.add((dimension * (dimension - 1)) as f64 / 4.0 * std::f64::consts::PI.ln())
}

impl Quantity<'_> {
    /// log |Γ|, without a derivative.
    pub(super) fn log_gamma(self) -> Self {
        let negative = self.less(0.0);
        let y = negative.or_else(self.fixed(1.0) - self, self);
        let (near, middle, low) = (y.less(FAR), y.less(1.5), y.less(0.5));
        let u = y.beyond_two(near, middle, low);
        // Γ(x + 1) is x·Γ(x).
        let zero = y.fixed(0.0);
        let steps = middle.or_else(u.log1p(), zero) + low.or_else(y.log(), zero);
        let close = (u * u.polynomial(&NEAR_TWO)) - steps;
        let far = ((y - 0.5) * (y.log() - 1.0)) + (HALF_LOG_TAU - 0.5);
        let value = near.or_else(close, far + y.binet());
        let sine = self.half_turns().0.apply(Unary::Sin).magnitude();
        let reflected = (self.fixed(PI.ln()) - sine.log()) - value;
        let infinite = self.is(f32::NEG_INFINITY);
        infinite.or_else(self.fixed(f32::INFINITY), negative.or_else(reflected, value))
    }

    /// How far it is beyond 2, 1 or 0, whichever the fit is used for.
    fn beyond_two(self, near: Self, middle: Self, low: Self) -> Self {
        let below = middle.or_else(low.or(self.fixed(0.0), 1.0), self.fixed(2.0));
        near.or(self, 2.0) - below
    }

    /// What Stirling's formula leaves of log Γ.
    pub(super) fn binet(self) -> Self {
        let inverse = self.fixed(1.0) / self;
        (inverse * inverse).polynomial(&BINET) * inverse
    }

    fn gamma(self) -> Self {
        let one = self.fixed(1.0);
        let negative = self.less(0.0);
        let y = negative.or_else(one - self, self);
        let (near, middle, low) = (y.less(FAR), y.less(1.5), y.less(0.5));
        let u = y.beyond_two(near, middle, low);
        let divisor = middle.or_else(low.or_else((y + 1.0) * y, y), one);
        let close = (u * u.polynomial(&NEAR_TWO)).exp() / divisor;
        // In two factors, of which each is finite where the product is.
        let beyond = y.fixed(36.0).compare(Compare::Le, y);
        let z = beyond.or_else(one, y);
        let half = z.with(Binary::Pow, (z * 0.5) - 0.25);
        let far = ((half * (-z).exp()) * half) * (z.binet() + HALF_LOG_TAU).exp();
        let far = beyond.or_else(y.fixed(f32::INFINITY), far);
        let value = near.or_else(close, far);
        // Where the reflection is not chosen, any argument with a finite slope will do.
        let (angle, odd) = negative.or(self, 0.5).half_turns();
        let sine = angle.apply(Unary::Sin) * (one - (odd * 2.0));
        let pole = sine.is(0.0);
        let reflected = (one / (pole.or_else(one, sine) * value)) * PI;
        negative.or_else(pole.or_else(self.fixed(f32::NAN), reflected), value)
    }

    fn gamma_sign(self) -> Self {
        let floor = self.apply(Unary::Floor);
        let odd = (floor - ((floor * 0.5).apply(Unary::Floor) * 2.0)).is(1.0);
        let one = self.fixed(1.0);
        self.less(0.0).or_else(odd.or_else(-one, one), one)
    }

    pub(super) fn digamma(self) -> Self {
        let one = self.fixed(1.0);
        let negative = self.less(0.0);
        let y = negative.or_else(one - self, self);
        // Below 1 the denominator would lose digits.
        let (near, low) = (y.less(FAR), y.less(1.0));
        let z = near.or_else(low.or_else(y + 1.0, y), self.fixed(2.0));
        let ratio = (z - 2.0).polynomial(&PSI[0]) / (z - 2.0).polynomial(&PSI[1]);
        let close = ((z - ROOT[0]) - ROOT[1]) * ratio;
        let inverse = one / y;
        let close = close - low.or(inverse, 0.0);
        let square = inverse * inverse;
        let far = (y.log() - (inverse * 0.5)) - (square.polynomial(&PSI_FAR) * square);
        let value = near.or_else(close, far);
        let angle = negative.or(self, 0.5).half_turns().0;
        let sine = angle.apply(Unary::Sin);
        let pole = sine.is(0.0);
        let cotangent = (angle.apply(Unary::Cos) * PI) / pole.or_else(one, sine);
        let reflected = pole.or_else(self.fixed(f32::NAN), value - cotangent);
        negative.or_else(reflected, value)
    }

    fn trigamma(self) -> Self {
        let negative = self.less(0.0);
        let y = negative.or_else(self.fixed(1.0) - self, self);
        let value = self.fixed(2.0).zeta(y);
        let sine = negative.or(self, 0.5).half_turns().0.apply(Unary::Sin) / PI;
        let reflected = (self.fixed(1.0) / (sine * sine)) - value;
        negative.or_else(reflected, value)
    }

    /// Hurwitz' zeta function of this s > 1 and q > 0, by the formula of Euler and Maclaurin.
    fn zeta(self, q: Self) -> Self {
        let converges = self.fixed(1.0).compare(Compare::Le, self);
        let s = self.fixed(1.0).compare(Compare::Lt, self).or(self, 2.0);
        let whole = q.apply(Unary::Floor) - q;
        let outside = whole.is(0.0).or(q.fixed(f32::INFINITY), f32::NAN);
        let positive = q.fixed(0.0).compare(Compare::Lt, q);
        let endless = q.is(f32::INFINITY);
        let at = endless.then(1.0, positive.or(q, 1.0));
        let power = -s;
        let mut sum = at.with(Binary::Pow, power);
        for k in 1..SUMMED {
            sum = sum + (at + k as f32).with(Binary::Pow, power);
        }
        let w = at + SUMMED as f32;
        let last = w.with(Binary::Pow, power);
        let inverse = s.fixed(1.0) / w;
        // Each term is the one before times (s + 2k − 1)(s + 2k)/w²: Horner's scheme, from the
        // innermost.
        let mut rest = s.fixed(0.0);
        for (n, &coefficient) in BERNOULLI.iter().enumerate() {
            let k = (2 * (BERNOULLI.len() - n)) as f32;
            let ratio = ((s + (k - 1.0)) * (s + k)) * (inverse * inverse);
            rest = if n == 0 { s.fixed(coefficient) } else { (rest * ratio) + coefficient };
        }
        let rest = ((rest * s) * inverse) + 0.5;
        let value = endless.then(0.0, sum + (last * (rest + (w / (s - 1.0)))));
        let value = positive.or_else(value, outside);
        let at_one = self.is(1.0).or_else(self.fixed(f32::INFINITY), value);
        converges.or(at_one, f32::NAN)
    }

    /// log |B|, without a derivative: +∞ at poles. Γ(x)·Γ(1 − x) = π/sin(πx) makes arguments
    /// below 0 positive and leaves sines.
    pub(super) fn log_beta(self, other: Self) -> Self {
        let (s, l) = (self.with(Binary::Min, other), self.with(Binary::Max, other));
        let (one, sum) = (s.fixed(1.0), s + l);
        let (negative, both) = (s.less(0.0), l.less(0.0));
        let is_above = s.fixed(0.0).compare(Compare::Lt, sum);
        let choose =
            |above, both_below: Self, below| is_above.or_else(above, both.or_else(both_below, below));
        let size = negative
            .or_else(choose(one - s, one - l, l), s)
            .log_beta_above(negative.or_else(choose(sum, one - s, one - sum), l));
        let sine = |x: Self| x.half_turns().0.apply(Unary::Sin).magnitude();
        let turned = sine(sum);
        let sines = choose(one * PI / l, (turned * PI / sine(l)) / (one - sum), turned) / sine(s);
        let sines = s.is_between_poles(l).then(0.0, sines.log());
        let value = negative.or_else(sines + choose(-size, -size, size), size);
        // Of an infinite argument nothing is left beside one above 0.
        let beyond = s.fixed(0.0).compare(Compare::Lt, s).then(f32::NEG_INFINITY, value);
        let value = l.is(f32::INFINITY).or_else(negative.then(f32::INFINITY, beyond), value);
        let at_poles = s.is_pole().then(f32::INFINITY, l.is_pole().then(f32::INFINITY, value));
        s.is_between_poles(l).or_else(value, at_poles)
    }

    /// The same of arguments of 0 or more.
    fn log_beta_above(self, other: Self) -> Self {
        let (s, l) = (self.with(Binary::Min, other), self.with(Binary::Max, other));
        let (near, half) = (l.less(FAR), s.less(FAR));
        let sum = s + l;
        let ratio = near.or_else(l.fixed(0.0), s / l);
        let wide = (near.or_else(l.fixed(1.0), l).binet() - near.or_else(l.fixed(1.0), sum).binet())
            - ((l - 0.5) * ratio.log1p());
        let log_sum = near.or_else(l.fixed(1.0), sum).log();
        let one_far = ((wide + s.log_gamma()) - (s * log_sum)) + s;
        let large = half.or_else(s.fixed(FAR), s);
        let both_far = ((wide + large.binet()) - ((large - 0.5) * (l / large).log1p()))
            + (s.fixed(HALF_LOG_TAU) - (log_sum * 0.5));
        let plain = (s.log_gamma() + l.log_gamma()) - sum.log_gamma();
        near.or_else(plain, half.or_else(one_far, both_far))
    }

    /// Whether this is a whole number of 0 or less.
    fn is_pole(self) -> Self {
        let fraction = self - self.apply(Unary::Floor);
        self.less(1.0).or(fraction, 1.0).is(0.0)
    }

    /// Whether this is a whole number of 0 or less, and so is its sum with a whole number above 0.
    fn is_between_poles(self, other: Self) -> Self {
        let sum = self + other;
        let fraction = (self - self.apply(Unary::Floor)) + (other - other.apply(Unary::Floor));
        let bounds = sum.fixed(0.0).compare(Compare::Lt, sum).or_else(sum.fixed(1.0), fraction);
        other.less(1.0).or_else(sum.fixed(1.0), bounds).is(0.0)
    }

    fn log_beta_slope(self, other: Self) -> Self {
        self.through(digamma) - (self + other).through(digamma)
    }
}
