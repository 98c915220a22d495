//! Sine, cosine and Fresnel integrals. Beyond some point all oscillate around their limits by two
//! slowly falling functions, as f·cos + g·sin.

use super::formula::Quantity;
use super::of_one;
use crate::device::tensor::Tensor;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_6, PI};
use weft_ir::Result;
use weft_ir::op::{Binary, Unary};

const EULER: f32 = 0.577_215_7;

/// Si(x)/x and (Ci(x) − γ − log x)/x² up to 4, as functions of x²; errors are 3e-13 and 3e-10.
const NEAR: [[f32; 9]; 2] = [
    [
        1.3631305e-16,
        -5.0114504e-14,
        1.2338906e-11,
        -2.2773272e-9,
        3.0619165e-7,
        -2.8344668e-5,
        0.0016666667,
        -0.055555556,
        1.0,
    ],
    [
        4.3759165e-16,
        -2.6044745e-14,
        -4.9261532e-14,
        1.6330198e-10,
        -2.747511e-8,
        3.0998533e-6,
        -0.00023148076,
        0.010416666,
        -0.25,
    ],
];

/// x·f(x) and x²·g(x) beyond 4, as functions of 1/x; errors are 4e-8 and 9.4e-8.
const COSINE: [f32; 10] = [
    2930.6985,
    -3071.7888,
    1065.0323,
    6.5904565,
    -112.323364,
    31.983545,
    -0.30396622,
    -1.9941633,
    -4.5586126e-5,
    1.0000001,
];
const SINE: [f32; 11] = [
    -130431.055,
    170300.2,
    -90954.13,
    23768.615,
    -2072.2607,
    -505.15564,
    152.86607,
    -1.1074336,
    -5.981351,
    -0.0001281099,
    1.0000002,
];

/// S(x)/x³ and C(x)/x up to 1.6, as functions of x⁴; errors are 3.8e-9 and 2.4e-8.
const FRESNEL_NEAR: [[f32; 7]; 2] = [
    [1.6484595e-9, -1.5229125e-7, 8.424861e-6, -0.0003120697, 0.007244728, -0.09228056, FRAC_PI_6],
    [1.41762495e-8, -1.1573898e-6, 5.3873384e-5, -0.0016043857, 0.028184896, -0.24673982, 1.0],
];

/// πx·f(x) and π²x³·g(x) beyond 1.6, as functions of 1/x²; errors are 1.9e-9 and 6.4e-9.
const FRESNEL_COSINE: [f32; 11] = [
    -54.46095,
    120.43997,
    -113.155495,
    56.57325,
    -13.889558,
    -0.28322086,
    1.1341941,
    -0.003643844,
    -0.30385894,
    -1.113629e-6,
    1.0,
];
const FRESNEL_SINE: [f32; 12] = [
    2117.1687,
    -5220.771,
    5635.0786,
    -3450.704,
    1271.9567,
    -253.73656,
    4.656235,
    9.728765,
    -0.010510544,
    -1.5194577,
    -3.8966405e-6,
    1.0,
];

/// sin(x)/x near 0, as a function of x².
const SINC: [f32; 4] = [-1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0];

/// Beyond, the phase is lost, and next to nothing has one.
const FARTHEST: f32 = 1e6;

/// Si(x) and Ci(|x|), the integrals of sin(t)/t from 0 and of cos(t)/t from ∞.
pub fn sici(x: &Tensor) -> Result<Vec<Tensor>> {
    let name = "special.sici";
    Ok(vec![
        of_one(name, x, |[x, ..]| x.sine_integral(), |[x, ..]| x.sine_over())?,
        of_one(name, x, |[x, ..]| x.cosine_integral(), |[x, ..]| x.apply(Unary::Cos) / x)?,
    ])
}

/// S(x) and C(x), the integrals of sin(πt²/2) and cos(πt²/2) from 0.
pub fn fresnel(x: &Tensor) -> Result<Vec<Tensor>> {
    let name = "special.fresnel";
    Ok(vec![
        of_one(name, x, |[x, ..]| x.fresnel(0), |[x, ..]| x.square_phase().0)?,
        of_one(name, x, |[x, ..]| x.fresnel(1), |[x, ..]| x.square_phase().1)?,
    ])
}

impl Quantity<'_> {
    fn sine_over(self) -> Self {
        let near = self.magnitude().less(0.1);
        let small = near.or(self, 0.0);
        let large = near.or_else(self.fixed(1.0), self);
        near.or_else((small * small).polynomial(&SINC), large.apply(Unary::Sin) / large)
    }

    /// Whether its size is below a bound, and its size there and beyond.
    fn sides(self, bound: f32) -> (Self, Self, Self) {
        let size = self.magnitude();
        let near = size.less(bound);
        (near, near.or(size, 1.0), near.or_else(self.fixed(bound), size))
    }

    /// What has a phase that is known.
    fn phased(self) -> Self {
        self.with(Binary::Min, self.fixed(FARTHEST))
    }

    /// What Si and Ci go round their limits on, beyond 4: falling as cosine's and as sine's part.
    fn falling(self) -> (Self, Self) {
        let inverse = self.fixed(1.0) / self;
        (inverse * inverse.polynomial(&COSINE), inverse * inverse * inverse.polynomial(&SINE))
    }

    fn sine_integral(self) -> Self {
        let (near, small, large) = self.sides(4.0);
        let (f, g) = large.falling();
        let phase = large.phased();
        let around = f * phase.apply(Unary::Cos) + g * phase.apply(Unary::Sin);
        let value = near.or_else(small * (small * small).polynomial(&NEAR[0]), -around + FRAC_PI_2);
        value * self.apply(Unary::Sign)
    }

    fn cosine_integral(self) -> Self {
        let (near, small, large) = self.sides(4.0);
        let (f, g) = large.falling();
        let square = small * small;
        let close = (square * square.polynomial(&NEAR[1]) + small.log()) + EULER;
        let phase = large.phased();
        near.or_else(close, f * phase.apply(Unary::Sin) - g * phase.apply(Unary::Cos))
    }

    /// sin and cos of πx²/2, whose half turns are taken off before anything is rounded.
    fn square_phase(self) -> (Self, Self) {
        let head = self.head();
        let rest = self - head;
        let (first, odd) = (head * head * 0.5).half_turns();
        let (second, odd_too) = (head * rest).half_turns();
        let angle = first + (second + rest * rest * FRAC_PI_2);
        let sign = (odd * -2.0 + 1.0) * (odd_too * -2.0 + 1.0);
        (angle.apply(Unary::Sin) * sign, angle.apply(Unary::Cos) * sign)
    }

    /// S or C.
    fn fresnel(self, which: usize) -> Self {
        let (near, small, large) = self.sides(1.6);
        let square = small * small;
        let close = small * (square * square).polynomial(&FRESNEL_NEAR[which]);
        let close = if which == 0 { close * square } else { close };
        let inverse = self.fixed(1.0 / PI) / large;
        let over_square = self.fixed(1.0) / (large * large);
        let f = inverse * over_square.polynomial(&FRESNEL_COSINE);
        let g = inverse * (over_square * (1.0 / PI)) * over_square.polynomial(&FRESNEL_SINE);
        let (sine, cosine) = large.phased().square_phase();
        let around = if which == 0 { f * cosine + g * sine } else { g * cosine - f * sine };
        near.or_else(close, -around + 0.5) * self.apply(Unary::Sign)
    }
}
