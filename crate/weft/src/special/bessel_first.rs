//! Bessel functions of the first kind, of whole orders. Orders 0 and 1 are polynomials near 0, and
//! amplitude and phase of a wave beyond 5; others use the recurrence from below while they are
//! waves (up to the order that x is), and the continued fraction of the ratio of neighbours where
//! they fall (W. Gautschi, SIAM Review 9, 1967).

use super::formula::{Quantity, formulas};
use super::of_one;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::{concat, stack};
use crate::transform::custom::ruled;
use std::f32::consts::FRAC_1_PI;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result};

/// Orders at most: every one is some steps of a kernel.
pub const HIGHEST: usize = 100;

/// From where on they are waves.
const FAR: f32 = 5.0;

/// J₀(x) and J₁(x)/x up to 5, as functions of 2x²/25 − 1; errors are 6e-10 and 3e-11.
const NEAR: [[f32; 9]; 2] = [
    [
        3.941_169_3e-6,
        -7.718_846e-5,
        0.001_134_352_4,
        -0.012_034_948,
        0.085_391_83,
        -0.360_180_82,
        0.709_416_03,
        -0.216_505_41,
        -0.384_744_5,
    ],
    [
        2.269_35e-7,
        -5.046_724_3e-6,
        8.605_394e-5,
        -0.001_088_975_3,
        0.009_628_171,
        -0.054_650_772,
        0.172_886_77,
        -0.227_013_13,
        0.034_640_867,
    ],
];

/// What is in phase beyond 5, and x times what is not, as functions of 1/x²; errors are 5e-9 and
/// 2.4e-9.
const IN_PHASE: [[f32; 5]; 2] = [
    [1.974_407_7, -0.473_920_9, 0.110_972_19, -0.070_307_15, 1.0],
    [-2.294_836_8, 0.565_546, -0.142_862_3, 0.117_181_45, 1.0],
];
const OUT_OF_PHASE: [[f32; 6]; 2] = [
    [67.560_79, -13.127_681, 1.558_045_1, -0.225_772_44, 0.073_238_075, -0.125],
    [-75.918_58, 14.885_956, -1.806_444_4, 0.276_101_2, -0.102_534_52, 0.375],
];

/// J₀(x).
pub fn j0(x: &Tensor) -> Result<Tensor> {
    of_one("special.j0", x, |[x, ..]| x.wave(0), |[x, ..]| -x.wave(1))
}

/// J₁(x).
pub fn j1(x: &Tensor) -> Result<Tensor> {
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        let zero = x.is(0.0);
        zero.then(0.5, x.wave(0) - x.wave(1) / zero.then(1.0, x))
    }
    of_one("special.j1", x, |[x, ..]| x.wave(1), slope)
}

/// J₀(x) to J of `order`, along a new first axis. Errors with `Value` for an order above
/// [`HIGHEST`].
pub fn bessel_jn(x: &Tensor, order: usize) -> Result<Tensor> {
    let name = "special.besselJn";
    if order > HIGHEST {
        return Err(Error::value(name, format!("orders go up to {HIGHEST}, got {order}")));
    }
    derived(order, &build::cast(name, x, DType::F32)?, 2)
}

/// The same; its first derivatives, as many as `levels`, are half the difference of the neighbours,
/// and those beyond follow from its steps.
fn derived(order: usize, x: &Tensor, levels: usize) -> Result<Tensor> {
    let value = |x: &Tensor| {
        let orders = formulas(std::slice::from_ref(x), &|values| values[0].waves(order))?;
        stack(&orders.iter().collect::<Vec<_>>(), 0)
    };
    if levels == 0 {
        return value(x);
    }
    let made = ruled(
        |inputs| Ok(vec![value(&inputs[0])?]),
        |inputs, tangents| {
            let all = derived(order + 1, &inputs[0], levels - 1)?;
            let part = |from: usize, to: usize| all.between("special.besselJn", 0, from as i64, to as i64);
            // J₋₁ is −J₁.
            let below = concat(&[&part(1, 2)?.neg()?, &part(0, order)?], 0)?;
            let slope = below.sub(part(1, order + 2)?)?.mul(0.5)?;
            Ok(vec![slope.mul(&tangents[0])?])
        },
        &[x],
    )?;
    made.into_iter().next().ok_or_else(|| Error::value("special.besselJn", "yields nothing"))
}

impl Quantity<'_> {
    /// J₀ or J₁.
    fn wave(self, order: usize) -> Self {
        let size = self.magnitude();
        let near = size.less(FAR);
        let small = near.or(self, 0.0);
        let close = ((small * small) * (2.0 / (FAR * FAR)) - 1.0).polynomial(&NEAR[order]);
        let large = near.or_else(self.fixed(FAR), size);
        let inverse = self.fixed(1.0) / large;
        let square = inverse * inverse;
        let phase = square.polynomial(&IN_PHASE[order]);
        let off = inverse * square.polynomial(&OUT_OF_PHASE[order]);
        // √2 times the cosine and the sine of x − π/4; for order 1, of x − 3π/4.
        let (sine, cosine) = (large.apply(Unary::Sin), large.apply(Unary::Cos));
        let (with, across) = (sine + cosine, sine - cosine);
        let (with, across) = if order == 0 { (with, across) } else { (across, -with) };
        let far = (inverse * FRAC_1_PI).apply(Unary::Sqrt) * (phase * with - off * across);
        // At infinity the phase is undefined, and the limit is 0.
        let far = large.compare(Compare::Eq, large.fixed(f32::INFINITY)).then(0.0, far);
        if order == 0 {
            near.or_else(close, far)
        } else {
            near.or_else(close * small, far * self.apply(Unary::Sign))
        }
    }

    /// J of all orders up to `order`.
    fn waves(self, order: usize) -> Vec<Self> {
        let size = self.magnitude();
        let mut waves = vec![size.wave(0), size.wave(1)];
        let inverse = self.fixed(2.0) / size.is(0.0).then(1.0, size);
        let ratios = size.ratios(order);
        for (n, ratio) in ratios.into_iter().enumerate().skip(2) {
            let rising = waves[n - 1] * inverse * (n - 1) as f32 - waves[n - 2];
            let is_wave = size.fixed(n as f32).compare(Compare::Le, size);
            waves.push(is_wave.or_else(rising, waves[n - 1] * ratio));
        }
        waves.truncate(order + 1);
        // Odd orders are odd functions of x.
        let sign = self.apply(Unary::Sign);
        waves.iter().enumerate().map(|(n, &wave)| if n % 2 == 1 { wave * sign } else { wave }).collect()
    }

    /// The ratios of J of each order to that of the one before it, where they fall.
    fn ratios(self, order: usize) -> Vec<Self> {
        // Beyond the order the ratios oscillate and have poles; they are not used there.
        let x = self.with(Binary::Min, self.fixed(order as f32));
        let mut ratios = vec![x; order + 1];
        let mut ratio = x.fixed(0.0);
        for n in (1..=order + 10 + order / 10).rev() {
            let bounded = x.with(Binary::Min, x.fixed(n as f32));
            ratio = bounded / ((bounded * ratio) - (2 * n) as f32);
            ratio = -ratio;
            if n <= order {
                ratios[n] = ratio;
            }
        }
        ratios
    }
}
