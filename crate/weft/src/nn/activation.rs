//! Activations: functions of one number between the layers of a network.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::elementwise::formula::Float;
use crate::ops::reduce::squares_about;
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result};

/// What [`Tensor::selu`] multiplies by, and its limit at −∞ divided by that.
const SELU: (f32, f32) = (1.050_701, 1.673_263_2);

impl Tensor {
    /// x · sigmoid(x), in f32.
    pub fn silu(&self) -> Result<Tensor> {
        let x = Float::of("silu", self);
        (&x * &x.apply(Unary::Sigmoid)).0
    }

    /// x above 0, alpha · (eˣ − 1) below, in f32.
    pub fn elu(&self, alpha: f64) -> Result<Tensor> {
        let x = Float::of("elu", self);
        x.above(&(&x.below().expm1() * alpha as f32)).0
    }

    /// [`Tensor::elu`] scaled so that means of 0 and variances of 1 stay, in f32.
    pub fn selu(&self) -> Result<Tensor> {
        let x = Float::of("selu", self);
        (&x.above(&(&x.below().expm1() * SELU.1)) * SELU.0).0
    }

    /// x above 0, alpha · (e^(x/alpha) − 1) below, in f32. Errors with `Value` where alpha is 0.
    pub fn celu(&self, alpha: f64) -> Result<Tensor> {
        if alpha == 0.0 {
            return Err(Error::value("celu", "alpha must not be 0"));
        }
        let x = Float::of("celu", self);
        x.above(&(&(&x.below() / alpha as f32).expm1() * alpha as f32)).0
    }

    /// x from 0 on, slope · x below, in f32.
    pub fn leaky_relu(&self, slope: f64) -> Result<Tensor> {
        let x = Float::of("leakyRelu", self);
        x.fixed(0.0).compare(Compare::Le, &x).or_else(&x, &(&x * slope as f32)).0
    }

    /// x within 0 and 6, in f32; the slope at both is 0, as that of `relu` at 0.
    pub fn relu6(&self) -> Result<Tensor> {
        Float::of("relu6", self).rising_to_six().0
    }

    /// (x + 3)/6 within 0 and 1, in f32; the slope at ±3 is 0.
    pub fn hard_sigmoid(&self) -> Result<Tensor> {
        Float::of("hardSigmoid", self).hard_sigmoid().0
    }

    /// x · hardSigmoid(x), in f32.
    pub fn hard_silu(&self) -> Result<Tensor> {
        let x = Float::of("hardSilu", self);
        (&x * &x.hard_sigmoid()).0
    }

    /// x within −1 and 1, in f32; the slope at both is 1.
    pub fn hard_tanh(&self) -> Result<Tensor> {
        Float::of("hardTanh", self).bounded(Compare::Lt, -1.0, 1.0).0
    }

    /// x / (1 + |x|), in f32.
    pub fn soft_sign(&self) -> Result<Tensor> {
        let x = Float::of("softSign", self);
        (&x / &(&x.magnitude() + 1.0)).0
    }

    /// x · tanh(softplus(x)), in f32.
    pub fn mish(&self) -> Result<Tensor> {
        let x = build::cast("mish", self, DType::F32)?;
        build::binary("mish", Binary::Mul, &x, &x.softplus()?.tanh()?)
    }

    /// (x + √(x² + b))/2, in f32.
    pub fn squareplus(&self, b: f64) -> Result<Tensor> {
        let x = Float::of("squareplus", self);
        (&(&x + &(&(&x * &x) + b as f32).apply(Unary::Sqrt)) * 0.5).0
    }

    /// The first half of an axis times the sigmoid of the second, in f32. Errors with `Shape` where
    /// the axis has no halves.
    pub fn glu(&self, axis: i64) -> Result<Tensor> {
        let name = "glu";
        let axis = self.shape().axis(name, axis)?;
        let extent = self.shape()[axis];
        if !extent.is_multiple_of(2) {
            return Err(Error::shape(name, format!("axis {axis} of {} has no halves", self.shape())));
        }
        let x = build::cast(name, self, DType::F32)?;
        let halves = x.split(&[extent / 2, extent / 2], axis as i64)?;
        build::binary(name, Binary::Mul, &halves[0], &halves[1].sigmoid()?)
    }

    /// Shifted and scaled along axes to mean 0 and variance 1: (x − mean)/√(variance + epsilon), in
    /// f32.
    pub fn standardize(&self, axes: Option<&[i64]>, epsilon: f64) -> Result<Tensor> {
        let name = "standardize";
        let away = self.about_middle(name, axes)?;
        let [mean, squares] = [away.mean(axes, true)?, away.square()?.mean(axes, true)?];
        let variance = squares_about(name, &mean, &squares, 1.0)?;
        away.sub(mean)?.mul(variance.add(epsilon)?.rsqrt()?)
    }
}

impl Float {
    fn above_zero(&self) -> Float {
        self.fixed(0.0).compare(Compare::Lt, self)
    }

    /// This above 0, `other` elsewhere.
    fn above(&self, other: &Float) -> Float {
        self.above_zero().or_else(self, other)
    }

    /// This below 0, where functions of it may not overflow elsewhere.
    fn below(&self) -> Float {
        self.above_zero().or_else(&self.fixed(0.0), self)
    }

    /// This, or a bound beyond it. A minimum of two equal values would give each half of the slope:
    /// here the bounds' own slope is 0 by `Le`, and that of what they bound by `Lt`.
    fn bounded(&self, beyond: Compare, low: f32, high: f32) -> Float {
        let (low, high) = (self.fixed(low), self.fixed(high));
        let risen = self.compare(beyond, &low).or_else(&low, self);
        high.compare(beyond, self).or_else(&high, &risen)
    }

    fn rising_to_six(&self) -> Float {
        self.bounded(Compare::Le, 0.0, 6.0)
    }

    fn hard_sigmoid(&self) -> Float {
        &(self + 3.0).rising_to_six() / 6.0
    }
}
