//! Trigonometric functions beyond sine and cosine, and their inverses, in f32.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::formula::Float;
use std::f32::consts::{FRAC_PI_2, PI};
use weft_ir::Result;
use weft_ir::op::{Binary, Compare, Unary};

/// atan(x)/x as a polynomial of x² for |x| up to 1, in the sense of the least relative error, which
/// is 2.4e-9; the highest power first.
const ATAN: [f32; 10] = [
    -0.001_753_928,
    0.010_726_934,
    -0.030_804_58,
    0.057_552_084,
    -0.083_773_14,
    0.109_420_3,
    -0.142_619_33,
    0.199_982_66,
    -0.333_332_84,
    1.0,
];

/// (asin(x)/x − 1)/x² likewise for |x| up to 1/2; the error is 2.1e-8.
const ASIN: [f32; 6] = [0.033_793_87, 0.017_085_67, 0.031_114_317, 0.044_598_218, 0.075_000_98, 0.166_666_66];

impl Tensor {
    /// Tangent of radians, in f32.
    pub fn tan(&self) -> Result<Tensor> {
        let x = Float::of("tan", self);
        (&x.apply(Unary::Sin) / &x.apply(Unary::Cos)).0
    }

    /// The angle in [−π/2, π/2] whose sine is x, in f32; NaN beyond ±1.
    pub fn asin(&self) -> Result<Tensor> {
        let x = Float::of("asin", self);
        let arc = Arc::of(&x);
        let far = &arc.far.fixed(FRAC_PI_2) - &(&arc.far + &arc.far);
        arc.near.or_else(&arc.close, &arc.negative.or_else(&-&far, &far)).0
    }

    /// The angle in [0, π] whose cosine is x, in f32; NaN beyond ±1.
    pub fn acos(&self) -> Result<Tensor> {
        let x = Float::of("acos", self);
        let arc = Arc::of(&x);
        let far = &arc.far + &arc.far;
        let far = arc.negative.or_else(&(&far.fixed(PI) - &far), &far);
        arc.near.or_else(&(&far.fixed(FRAC_PI_2) - &arc.close), &far).0
    }

    /// The angle in [−π/2, π/2] whose tangent is x, in f32.
    pub fn atan(&self) -> Result<Tensor> {
        let x = Float::of("atan", self);
        let negative = x.less(0.0);
        let size = negative.or_else(&-&x, &x);
        let one = x.fixed(1.0);
        let steep = one.compare(Compare::Lt, &size);
        let slope = &steep.or_else(&one, &size) / &steep.or_else(&size, &one);
        let angle = slope.arc_tangent(&steep);
        negative.or_else(&-&angle, &angle).0
    }

    /// sin(πx)/(πx), 1 at 0, in f32.
    pub fn sinc(&self) -> Result<Tensor> {
        let x = Float::of("sinc", self);
        let near = x.magnitude().less(1.0 / 16.0);
        let square = &(&x * &x) * (PI * PI);
        let close =
            near.or_else(&square, &x.fixed(0.0)).polynomial(&[-1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0]);
        // Whole half turns, each of which flips the sign, are subtracted before the product with π
        // rounds.
        let safe = near.or_else(&x.fixed(0.5), &x);
        let whole = safe.apply(Unary::Round);
        let odd = &whole - &(&(&whole * 0.5).apply(Unary::Round) * 2.0);
        let sign = &(&(&odd * &odd) * -2.0) + 1.0;
        let sine = &(&(&safe - &whole) * PI).apply(Unary::Sin) * &sign;
        near.or_else(&close, &(&sine / &(&safe * PI))).0
    }

    /// Radians of degrees, in f32.
    pub fn radians(&self) -> Result<Tensor> {
        (&Float::of("radians", self) * (PI / 180.0)).0
    }

    /// Degrees of radians, in f32.
    pub fn degrees(&self) -> Result<Tensor> {
        (&Float::of("degrees", self) * (180.0 / PI)).0
    }
}

/// What arc sine and arc cosine share.
struct Arc {
    /// Whether |x| is less than 1/2.
    near: Float,
    negative: Float,
    /// asin(x) where `near`.
    close: Float,
    /// Elsewhere half of acos(|x|), by acos(x) = 2·asin(√((1 − x)/2)).
    far: Float,
}

impl Arc {
    fn of(x: &Float) -> Arc {
        let near = x.magnitude().less(0.5);
        let negative = x.less(0.0);
        let series = |s: &Float, square: &Float| &(&(&square.polynomial(&ASIN) * square) * s) + s;
        let inside = near.or_else(x, &x.fixed(0.0));
        let close = series(&inside, &(&inside * &inside));
        let size = negative.or_else(&-x, x);
        let outside = &(&x.fixed(1.0) - &near.or_else(&x.fixed(0.5), &size)) * 0.5;
        let far = series(&outside.apply(Unary::Sqrt), &outside);
        Arc { near, negative, close, far }
    }
}

impl Float {
    /// The angle of a slope in [0, 1], taken from π/2 where `steep`.
    fn arc_tangent(&self, steep: &Float) -> Float {
        let angle = &(self * self).polynomial(&ATAN) * self;
        steep.or_else(&(&angle.fixed(FRAC_PI_2) - &angle), &angle)
    }
}

/// The smaller of the magnitudes of two floats by the larger, which of them are negative, whether
/// the first is the larger, and the larger. Infinities and zeros meet as equals do.
struct Sides {
    slope: Float,
    steep: Float,
    large: Float,
    negative: [Float; 2],
}

impl Sides {
    fn of(a: &Float, b: &Float) -> Sides {
        let negative = [a.has_sign(), b.has_sign()];
        let (x, y) = (negative[0].or_else(&-a, a), negative[1].or_else(&-b, b));
        let steep = y.compare(Compare::Lt, &x);
        let (small, large) = (steep.or_else(&y, &x), steep.or_else(&x, &y));
        let none = large.is(0.0);
        let slope = &small / &none.or_else(&large.fixed(1.0), &large);
        // Both: beside NaN there is no slope.
        let endless = small.is(f32::INFINITY).with(Binary::And, &large.is(f32::INFINITY));
        Sides { slope: endless.or_else(&small.fixed(1.0), &slope), steep, large, negative }
    }
}

pub(crate) mod two {
    use super::*;

    pub fn atan2(device: &Device, y: Operand, x: Operand) -> Result<Tensor> {
        let (y, x) = Float::pair("atan2", device, &y, &x)?;
        let sides = Sides::of(&y, &x);
        let angle = sides.slope.arc_tangent(&sides.steep);
        let angle = sides.negative[1].or_else(&(&angle.fixed(PI) - &angle), &angle);
        sides.negative[0].or_else(&-&angle, &angle).0
    }

    pub fn hypot(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let (a, b) = Float::pair("hypot", device, &a, &b)?;
        let Sides { slope, large, .. } = Sides::of(&a, &b);
        // Where both are 0 neither has a slope, as that of |x| is 0 there.
        let large = large.is(0.0).or_else(&large.fixed(0.0), &large);
        let length = &(&(&slope * &slope) + 1.0).apply(Unary::Sqrt) * &large;
        // An infinite side makes the result infinite, even beside NaN.
        let endless = |side: &Float, or: &Float| {
            side.magnitude().is(f32::INFINITY).or_else(&or.fixed(f32::INFINITY), or)
        };
        endless(&a, &endless(&b, &length)).0
    }
}

impl Tensor {
    /// The angle of the point (`x`, this), in [−π, π], in f32; where both are 0, that of their
    /// signs.
    pub fn atan2(&self, x: impl Into<Operand>) -> Result<Tensor> {
        two::atan2(self.device(), self.into(), x.into())
    }

    /// √(a² + b²) without overflow, in f32.
    pub fn hypot(&self, other: impl Into<Operand>) -> Result<Tensor> {
        two::hypot(self.device(), self.into(), other.into())
    }
}
