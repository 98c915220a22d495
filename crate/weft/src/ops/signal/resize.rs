//! Resampled pictures and signals: each axis is a product with a matrix of weights, as in `jax.image.resize`, with
//! samples at the centres of their cells.

use crate::device::tensor::Tensor;
use crate::lazy::option::by_name;
use std::f64::consts::PI;
use weft_ir::{Error, Result, Shape};

/// What lies between samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    /// The nearest.
    Nearest,
    /// A line.
    Linear,
    /// The cubic of R. Keys (1981), a = −½.
    Cubic,
    /// Windowed sines of this radius (C. Lanczos).
    Lanczos(u8),
}

impl Between {
    /// By name. Errors with `Value` for another.
    pub fn parse(name: &str) -> Result<Between> {
        let all = [
            ("nearest", Between::Nearest),
            ("linear", Between::Linear),
            ("bilinear", Between::Linear),
            ("trilinear", Between::Linear),
            ("cubic", Between::Cubic),
            ("bicubic", Between::Cubic),
            ("lanczos3", Between::Lanczos(3)),
            ("lanczos5", Between::Lanczos(5)),
        ];
        by_name("resizeImage", "method", &all, name)
    }

    /// The weight of a sample that is `x` samples away.
    fn weight(self, x: f64) -> f64 {
        match self {
            Between::Nearest => 0.0,
            Between::Linear => (1.0 - x).max(0.0),
            Between::Cubic if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
            Between::Cubic if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Between::Cubic => 0.0,
            Between::Lanczos(radius) => {
                let radius = f64::from(radius);
                match x {
                    _ if x > radius => 0.0,
                    _ if x <= 1e-3 => 1.0,
                    _ => radius * (PI * x).sin() * (PI * x / radius).sin() / (PI * PI * x * x),
                }
            }
        }
    }

    /// What each of `from` samples counts in each of `to`, row by row.
    fn weights(self, from: usize, to: usize, antialias: bool) -> Vec<f32> {
        let ratio = from as f64 / to as f64;
        // Fewer samples than there were are each of all that they stand for.
        let wide = if antialias { ratio.max(1.0) } else { 1.0 };
        let mut weights = vec![0.0; from * to];
        for place in 0..to {
            let centre = (place as f64 + 0.5) * ratio - 0.5;
            let row: Vec<f64> = (0..from).map(|n| self.weight((centre - n as f64).abs() / wide)).collect();
            let sum: f64 = row.iter().sum();
            if sum.abs() > 1e-4 {
                row.iter()
                    .enumerate()
                    .for_each(|(n, weight)| weights[n * to + place] = (weight / sum) as f32);
            }
        }
        weights
    }
}

/// `x` with the extents of `shape`, in f32. Errors with `Shape` for another number of axes, and where there are no samples to go by.
pub fn resize(x: &Tensor, shape: &[usize], between: Between, antialias: bool) -> Result<Tensor> {
    let name = "resizeImage";
    if shape.len() != x.rank() {
        return Err(Error::shape(name, format!("{} axes for {}", shape.len(), x.shape())));
    }
    Shape::checked(name, shape)?;
    let mut made = x.cast(weft_ir::DType::F32)?;
    for (axis, (&from, &to)) in x.shape().iter().zip(shape).enumerate().filter(|(_, (from, to))| from != to) {
        if from == 0 {
            return Err(Error::shape(name, format!("axis {axis} of {} has no samples", x.shape())));
        }
        let along = axis as i64;
        if between == Between::Nearest {
            let place = |n: usize| ((n as f64 + 0.5) * from as f64 / to as f64).floor() as i32;
            let places: Vec<i32> = (0..to).map(place).collect();
            made = made.take(&x.device().tensor(&places, &[to])?, Some(along))?;
        } else {
            Shape::checked(name, &[from, to])?;
            let weights = x.device().tensor(&between.weights(from, to, antialias), &[from, to])?;
            made = made.tensordot(&weights, &[along], &[0])?.move_axis(&[-1], &[along])?;
        }
    }
    Ok(made)
}
