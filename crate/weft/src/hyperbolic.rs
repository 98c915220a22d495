//! Functions made of exponentials and logarithms where the plain formula would lose its digits: eˣ − 1, log(1 + x), and the inverses of
//! the hyperbolic functions.
//!
//! Compilers of GPUs take sums of floats apart and put them together otherwise, so nothing here depends on the rounding of a sum:
//! near zero there are series.

use crate::build;
use crate::elementwise::select;
use crate::tensor::Tensor;
use std::f32::consts::LN_2;
use weft_ir::{DType, Literal, Result};

impl Tensor {
    /// eˣ − 1, to its relative precision near 0 too, in f32.
    pub fn expm1(&self) -> Result<Tensor> {
        let x = build::cast("expm1", self, DType::F32)?;
        let (near, inside) = near_zero(&x, 1.0)?;
        // With t = tanh(x/2), eˣ is (1 + t)/(1 − t).
        let half = inside.mul(fixed(&x, 0.5)?)?.tanh()?;
        let close = half.add(&half)?.div(fixed(&x, 1.0)?.sub(&half)?)?;
        select(&near, close, x.exp()?.sub(fixed(&x, 1.0)?)?)
    }

    /// log(1 + x), to its relative precision near 0 too, in f32.
    pub fn log1p(&self) -> Result<Tensor> {
        let x = build::cast("log1p", self, DType::F32)?;
        // 2·atanh(s) with s = x/(2 + x), of which five terms are enough where |s| is at most 1/7.
        let (near, inside) = near_zero(&x, 0.25)?;
        let s = inside.div(inside.add(fixed(&x, 2.0)?)?)?;
        let square = s.square()?;
        let mut series = fixed(&x, 2.0 / 9.0)?;
        for term in [2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0, 2.0] {
            series = series.mul(&square)?.add(fixed(&x, term)?)?;
        }
        select(&near, series.mul(&s)?, x.add(fixed(&x, 1.0)?)?.log()?)
    }

    /// The inverse of sinh, to its relative precision near 0 too, in f32.
    pub fn asinh(&self) -> Result<Tensor> {
        let x = build::cast("asinh", self, DType::F32)?;
        odd(&x, |x| {
            let (near, inside) = below(x, LARGE)?;
            let square = inside.square()?;
            let root = square.add(fixed(x, 1.0)?)?.sqrt()?;
            let close = square.div(root.add(fixed(x, 1.0)?)?)?.add(&inside)?.log1p()?;
            select(&near, close, x.log()?.add(fixed(x, LN_2)?)?)
        })
    }
}

/// From here on log 2x is asinh and acosh, and x² may not be taken for much longer.
const LARGE: f32 = 4096.0;

/// The odd function that is `f` from 0 on. Without |x|, which has no slope at 0.
fn odd(x: &Tensor, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let negative = x.less(fixed(x, 0.0)?)?;
    let result = f(&select(&negative, x.neg()?, x)?)?;
    select(&negative, result.neg()?, result)
}

/// Whether x is less than `bound`, and x where it is: elsewhere 1.
fn below(x: &Tensor, bound: f32) -> Result<(Tensor, Tensor)> {
    let near = x.less(fixed(x, bound)?)?;
    let inside = select(&near, x, fixed(x, 1.0)?)?;
    Ok((near, inside))
}

/// A number that is part of the program.
fn fixed(x: &Tensor, value: f32) -> Result<Tensor> {
    x.device().constant("hyperbolic", Literal::F32(value))
}

/// Whether |x| is less than `bound`, and x where it is: elsewhere 0, so that what is not chosen there has a gradient, too.
fn near_zero(x: &Tensor, bound: f32) -> Result<(Tensor, Tensor)> {
    let near = x.abs()?.less(fixed(x, bound)?)?;
    let inside = select(&near, x, fixed(x, 0.0)?)?;
    Ok((near, inside))
}
