//! Exponential integrals and Spence's function.

use super::formula::{Quantity, formula};
use super::{of_all, of_one};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::transform::custom::ruled;
use std::f32::consts::PI;
use weft_ir::op::Compare;
use weft_ir::{DType, Error, Result};

const EULER: f32 = 0.577_215_7;

/// (E₁(x) + γ + log x)/x up to 2; the error is 6.0e-11.
const NEAR: [f32; 9] = [
    1.3862656e-7,
    -2.5548022e-6,
    2.7311817e-5,
    -0.00023030322,
    0.0016658626,
    -0.010416355,
    0.055555493,
    -0.25,
    1.0,
];

/// x eˣ E₁(x) beyond 1, as a function of 1/(x + 1); the error is 4.2e-8.
const FAR: [f32; 11] = [
    55.882607,
    -162.36424,
    208.95215,
    -158.66783,
    80.57449,
    -30.156385,
    9.2938,
    -2.9171946,
    0.9978039,
    -0.99997646,
    0.99999994,
];

/// (Ei(x) − γ − log x)/x for x up to 10; the error is 1.3e-11.
const BELOW_NEAR: [f32; 19] = [
    3.931758e-17,
    -2.5068666e-15,
    7.863813e-14,
    -1.5210412e-12,
    2.0422022e-11,
    -1.9630894e-10,
    1.4319597e-9,
    -7.54355e-9,
    3.4115715e-8,
    -7.191445e-8,
    5.3948855e-7,
    2.696004e-6,
    2.884924e-5,
    0.00023104412,
    0.0016669158,
    0.010416581,
    0.05555557,
    0.25,
    1.0,
];

/// x e⁻ˣ Ei(x) beyond 10, as a function of 1/x; the error is 4.0e-8.
const BELOW_FAR: [f32; 11] = [
    2.7093363e8,
    -8.922134e7,
    8.156482e6,
    213484.03,
    -78262.53,
    5572.4688,
    -156.10919,
    9.079292,
    1.9746659,
    1.0000787,
    0.99999994,
];

/// The dilogarithm Li₂(−w)/(−w) for w from −½ to ½; the error is 1.5e-9.
const DILOGARITHM: [f32; 12] = [
    -0.013731678,
    0.014938262,
    -0.0074710776,
    0.0102205705,
    -0.016050337,
    0.020701604,
    -0.027743632,
    0.039982114,
    -0.06250117,
    0.11111151,
    -0.24999999,
    1.0,
];

/// log(1 + w)/w near 0.
const LOGARITHM: [f32; 7] = [1.0 / 7.0, -1.0 / 6.0, 0.2, -0.25, 1.0 / 3.0, -0.5, 1.0];

/// From this order on Eₙ is a series in 1/n.
const HIGH_ORDER: usize = 50;

/// How many steps of its continued fraction Eₙ takes beyond 1.
const FRACTIONS: usize = 20;

/// E₁(x), the integral of e⁻ᵗ/t above x > 0.
pub fn exp1(x: &Tensor) -> Result<Tensor> {
    of_one("special.exp1", x, |[x, ..]| x.integral_above(), |[x, ..]| -((-x).exp() / x))
}

/// Ei(x), the integral of eᵗ/t below x.
pub fn expi(x: &Tensor) -> Result<Tensor> {
    fn value([x, ..]: [Quantity; 3]) -> Quantity {
        let negative = x.less(0.0);
        negative.or_else(-negative.or(-x, 1.0).integral_above(), x.integral_below())
    }
    of_one("special.expi", x, value, |[x, ..]| x.exp() / x)
}

/// Eₙ(x), the integral of e⁻ˣᵗ/tⁿ over t above 1.
pub fn expn(order: usize, x: &Tensor) -> Result<Tensor> {
    derived(order, x, 2)
}

/// The same; its first derivatives, as many as `levels`, are −Eₙ₋₁, and those beyond follow from
/// its steps.
fn derived(order: usize, x: &Tensor, levels: usize) -> Result<Tensor> {
    let name = "special.expn";
    if order == 0 {
        return of_all(name, x.device(), &[&x.into()], |[x, ..]| x.less(0.0).then(f32::NAN, (-x).exp() / x));
    }
    if order == 1 {
        return exp1(x);
    }
    let x = build::cast(name, x, DType::F32)?;
    let value = |inputs: &[Tensor]| formula(inputs, &|values| values[0].integral_of_order(order));
    if levels == 0 || order >= HIGH_ORDER {
        return value(&[x]);
    }
    let made = ruled(
        |inputs| Ok(vec![value(inputs)?]),
        |inputs, tangents| Ok(vec![derived(order - 1, &inputs[0], levels - 1)?.neg()?.mul(&tangents[0])?]),
        &[&x],
    )?;
    made.into_iter().next().ok_or_else(|| Error::value(name, "yields nothing"))
}

/// The integral of log t/(1 − t) from 1 to x.
pub fn spence(x: &Tensor) -> Result<Tensor> {
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        let off = x - 1.0;
        let near = off.magnitude().less(0.05);
        let far = near.or_else(x.fixed(2.0), x);
        -near.or_else(near.or(off, 0.0).polynomial(&LOGARITHM), far.log() / (far - 1.0))
    }
    of_one("special.spence", x, |[x, ..]| x.dilogarithm(), slope)
}

impl Quantity<'_> {
    /// Of an order from 2.
    fn integral_of_order(self, order: usize) -> Self {
        let n = order as f32;
        let value =
            if order < HIGH_ORDER { self.integral_by_steps(order) } else { self.integral_by_series(n) };
        self.less(0.0).then(f32::NAN, self.is(0.0).then(1.0 / (n - 1.0), value))
    }

    /// From order to order near 0, where that adds to what is exact, else a continued fraction
    /// (Abramowitz & Stegun 5.1.22, its even part).
    fn integral_by_steps(self, order: usize) -> Self {
        let near = self.less(1.0);
        let small = near.or(self, 1.0);
        let (power, mut close) = ((-small).exp(), small.integral_above());
        for k in 1..order {
            close = (power - small * close) * (1.0 / k as f32);
        }
        let large = near.or_else(self.fixed(1.0), self);
        let mut below = large + (order + 2 * FRACTIONS) as f32;
        for k in (1..=FRACTIONS).rev() {
            let numerator = (k * (order + k - 1)) as f32;
            below = large + (order + 2 * k - 2) as f32 - self.fixed(numerator) / below;
        }
        near.or_else(close, (-large).exp() / below)
    }

    /// In powers of 1/n (DLMF 8.20.6, with λ = x/n).
    fn integral_by_series(self, n: f32) -> Self {
        let ratio = self * (1.0 / n);
        let inverse = self.fixed(1.0) / (ratio + 1.0);
        let step = inverse * inverse * (1.0 / n);
        // From 200 on, e⁻ˣ is 0.
        let ratio = self.less(200.0).or(ratio, 0.0);
        let second = self.fixed(1.0) - ratio * 2.0;
        let third = ratio.polynomial(&[6.0, -8.0, 1.0]);
        let sum = (third * step + second) * step + 1.0;
        (-self).exp() / (self + n) * (sum * step + 1.0)
    }

    fn dilogarithm(self) -> Self {
        let large = self.fixed(2.0).compare(Compare::Lt, self);
        let x = large.or_else(self.fixed(1.0) / self, self);
        let (low, high) = (x.less(0.5), x.fixed(1.5).compare(Compare::Lt, x));
        let off = low.or_else(-x, high.or_else(x.fixed(1.0) / x - 1.0, x - 1.0));
        let value = -(off * off.polynomial(&DILOGARITHM));
        // At 0 the product of logarithms is 0.
        let positive = x.is(0.0).then(1.0, x);
        let value = low.or_else((-positive.log() * (-x).log1p() - value) + (PI * PI / 6.0), value);
        let root = x.log();
        let turned = -(root * root * 0.5 + value);
        self.less(0.0).then(f32::NAN, large.or_else(turned, high.or_else(turned, value)))
    }

    fn integral_above(self) -> Self {
        let near = self.less(1.0);
        let small = near.or(self, 1.0);
        let close = ((small * small.polynomial(&NEAR)) - small.log()) - EULER;
        let large = near.or_else(self.fixed(1.0), self);
        let inverse = self.fixed(1.0) / (large + 1.0);
        let far = (inverse.polynomial(&FAR) * (-large).exp()) / large;
        near.or_else(close, far)
    }

    /// Of a positive number.
    fn integral_below(self) -> Self {
        let near = self.less(10.0);
        let small = near.or(self, 1.0);
        let close = ((small * small.polynomial(&BELOW_NEAR)) + small.log()) + EULER;
        let large = near.or_else(self.fixed(10.0), self);
        let inverse = self.fixed(1.0) / large;
        // In two factors, since eˣ overflows before its quotient by x does.
        let root = (large * 0.5).exp();
        let far = ((inverse.polynomial(&BELOW_FAR) * root) * inverse) * root;
        near.or_else(close, self.is(f32::INFINITY).or_else(self, far))
    }
}
