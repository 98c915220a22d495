//! The complementary error function, and functions of the normal distribution that use it.

use super::formula::Quantity;
use super::of_one;
use crate::device::tensor::Tensor;
use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};
use weft_ir::Result;
use weft_ir::op::{Binary, Unary};

/// eˣ² erfc(x)/t for x ≥ 0, as a function of t = 2/(2 + x); the error is 1.1e-8.
const SCALED: [f32; 11] = [
    0.042352755,
    -0.23085845,
    0.48618054,
    -0.4469794,
    0.12709083,
    -0.05723307,
    0.09300074,
    0.1753768,
    0.24688059,
    0.28209385,
    0.2820948,
];

/// −Φ⁻¹(p)/r for p up to 0.1, as a function of 1/r, where r is √(−2 log p); the error is 6.8e-8.
const TAIL: [f32; 10] = [
    87.07547,
    -245.96458,
    307.44025,
    -225.26334,
    108.75248,
    -37.610985,
    10.641871,
    -3.5755014,
    -0.050746053,
    1.0005407,
];

/// 2/√π.
const FRAC_2_SQRT_PI: f32 = std::f32::consts::FRAC_2_SQRT_PI;
/// √(2π).
const SQRT_TAU: f32 = 2.506_628_3;

/// 1 − erf(x).
pub fn erfc(x: &Tensor) -> Result<Tensor> {
    of_one("special.erfc", x, |[x, ..]| x.erfc(), |[x, ..]| (-x * x).exp() * -FRAC_2_SQRT_PI)
}

/// eˣ² erfc(x).
pub fn erfcx(x: &Tensor) -> Result<Tensor> {
    of_one("special.erfcx", x, |[x, ..]| x.erfcx(), |[x, ..]| x.erfcx() * x * 2.0 - FRAC_2_SQRT_PI)
}

/// The share of a normal distribution that lies below x.
pub fn ndtr(x: &Tensor) -> Result<Tensor> {
    fn value([x, ..]: [Quantity; 3]) -> Quantity {
        let tail = x.bell(15.0, -0.5) * (x * FRAC_1_SQRT_2).scaled_tail() * 0.5;
        x.less(0.0).or_else(tail, x.fixed(1.0) - tail)
    }
    of_one("special.ndtr", x, value, |[x, ..]| (x * x * -0.5).exp() / SQRT_TAU)
}

/// The logarithm of [`ndtr`].
pub fn log_ndtr(x: &Tensor) -> Result<Tensor> {
    fn value([x, ..]: [Quantity; 3]) -> Quantity {
        let low = x.less(-1.0);
        let tail = (low.or(x, 0.0) * -FRAC_1_SQRT_2).erfcx();
        let below = x * x * -0.5 + (tail * 0.5).log();
        let rest = low.then(0.0, x) * FRAC_1_SQRT_2;
        low.or_else(below, (rest.erfc() * -0.5).log1p())
    }
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        x.fixed(2.0 / SQRT_TAU) / (x * -FRAC_1_SQRT_2).through(erfcx)
    }
    of_one("special.logNdtr", x, value, slope)
}

/// Below what a share p of a normal distribution lies.
pub fn ndtri(p: &Tensor) -> Result<Tensor> {
    fn slope([p, ..]: [Quantity; 3]) -> Quantity {
        let y = p.ndtri();
        (y * y * 0.5).exp() * SQRT_TAU
    }
    of_one("special.ndtri", p, |[p, ..]| p.ndtri(), slope)
}

impl Quantity<'_> {
    /// eˣ² erfc(x) of |x|.
    fn scaled_tail(self) -> Self {
        let t = self.fixed(2.0) / (self.magnitude() + 2.0);
        t.polynomial(&SCALED) * t
    }

    fn erfc(self) -> Self {
        let tail = self.bell(11.0, -1.0) * self.scaled_tail();
        self.less(0.0).or_else(self.fixed(2.0) - tail, tail)
    }

    /// e to the power of x² times a factor, for x no larger than `most`.
    fn bell(self, most: f32, factor: f32) -> Self {
        let x = self.with(Binary::Max, self.fixed(-most)).with(Binary::Min, self.fixed(most));
        // x² is split into an exact square of the leading bits and a small rest, so that the
        // exponential does not amplify rounding.
        let head = x.head();
        let rest = (x - head) * (x + head);
        ((head * head) * factor).exp() * (rest * factor).exp()
    }

    fn erfcx(self) -> Self {
        let tail = self.scaled_tail();
        let negative = self.less(0.0);
        let grown = (negative.or(self, 0.0) * self).exp();
        negative.or_else((grown + grown) - tail, tail)
    }

    fn ndtri(self) -> Self {
        let high = self.fixed(0.5).compare(weft_ir::op::Compare::Lt, self);
        let least = high.or_else(self.fixed(1.0) - self, self);
        let tail = least.less(0.1);
        let center = ((self * 2.0) - 1.0).apply(Unary::ErfInv) * SQRT_2;
        let r = (tail.or(least, 0.1).log() * -2.0).apply(Unary::Sqrt);
        let size = (self.fixed(1.0) / r).polynomial(&TAIL) * r;
        tail.or_else(high.or_else(size, -size), center)
    }
}
