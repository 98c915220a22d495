//! Distances between points.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::{DType, Error, Literal, Result, Shape};

impl Tensor {
    /// The distances of all points here from all points there, [.., n, d] and [.., m, d] to [.., n,
    /// m], by the norm of an order, in f32. Batches broadcast. The slope between points in one
    /// place is 0.
    ///
    /// Errors with `Shape` below two axes and for points of different spaces, with `Value` for a
    /// negative order.
    pub fn distances(&self, other: &Tensor, order: f64) -> Result<Tensor> {
        let name = "cdist";
        if self.rank() < 2 || other.rank() < 2 || self.shape().last() != other.shape().last() {
            return Err(Error::shape(
                name,
                format!("takes points in rows, got {} and {}", self.shape(), other.shape()),
            ));
        }
        let (a, b) = (build::cast(name, self, DType::F32)?, build::cast(name, other, DType::F32)?);
        length(name, &a.expand_dims(-2)?.sub(b.expand_dims(-3)?)?, order)
    }

    /// The distances of each of these points, [n, d], from those behind it, as a vector: SciPy's
    /// condensed form of [`Tensor::distances`].
    pub fn pair_distances(&self, order: f64) -> Result<Tensor> {
        let name = "pdist";
        let [count, _] = self.shape()[..] else {
            return Err(Error::shape(name, format!("takes points in rows, got {}", self.shape())));
        };
        let pairs = count * count.saturating_sub(1) / 2;
        Shape::checked(name, &[pairs])?;
        let (mut first, mut second) = (Vec::with_capacity(pairs), Vec::with_capacity(pairs));
        for i in 0..count as i32 {
            for j in i + 1..count as i32 {
                first.push(i);
                second.push(j);
            }
        }
        let x = build::cast(name, self, DType::F32)?;
        let rows = |places: &[i32]| x.take(&x.device().tensor(places, &[pairs])?, Some(0));
        if pairs == 0 {
            return x.device().zeros(&[0], DType::F32);
        }
        length(name, &rows(&first)?.sub(rows(&second)?)?, order)
    }
}

/// The norms of vectors along the last axis, with a slope of 0 at 0.
fn length(name: &str, x: &Tensor, order: f64) -> Result<Tensor> {
    if order.is_nan() || order < 0.0 {
        return Err(Error::value(name, "the order is 0 or more"));
    }
    let last = Some(&[-1][..]);
    if order == 0.0 || order == 1.0 || order == f64::INFINITY {
        return if x.shape().last() == Some(&0) { x.sum(last, false) } else { x.norm(order, last, false) };
    }
    let powers = if order == 2.0 { x.square()? } else { x.abs()?.pow(order)? };
    let sum = powers.sum(last, false)?;
    let apart = sum.greater(0.0)?;
    let one = build::constant_like(name, &sum, Literal::F32(1.0))?;
    let safe = crate::select(&apart, &sum, &one)?;
    let root = if order == 2.0 { safe.sqrt()? } else { safe.pow(1.0 / order)? };
    // NaN stays.
    crate::select(&sum.equal(0.0)?, 0.0, crate::select(&apart, &root, &sum)?)
}
