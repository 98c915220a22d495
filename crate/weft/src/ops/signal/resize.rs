//! Resampled pictures and signals: each axis is a product with a matrix of weights, as in
//! `jax.image.resize`, with samples at the centres of their cells.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::option::by_name;
use std::f64::consts::PI;
use weft_ir::{DType, Error, Result, Shape};

/// Places that are listed at once.
const LISTED: usize = 1 << 16;
/// Elements of a matrix of weights, which the host makes.
const MOST_WEIGHTS: usize = 1 << 26;

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
        // When it shrinks, each sample averages all samples that it replaces.
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

/// Which of `from` samples is nearest to each of `to`, for which the device does what the host has
/// no room for: sample n stands at (2n + 1)·from/(2·to), and n is a multiple of [`LISTED`] and a
/// rest, whose quotients and remainders are listed apart.
fn nearest(device: &Device, from: usize, to: usize) -> Result<Tensor> {
    let (across, down) = (to.min(LISTED), to.div_ceil(LISTED));
    let twice = 2 * to as u64;
    let quotients = |count: usize, at: &dyn Fn(u64) -> u64| -> (Vec<i32>, Vec<u32>) {
        (0..count as u64)
            .map(|n| ((at(n) * from as u64 / twice) as i32, (at(n) * from as u64 % twice) as u32))
            .unzip()
    };
    let (rest, over) = quotients(across, &|n| 2 * n + 1);
    let (whole, left) = quotients(down, &|n| 2 * n * LISTED as u64);
    // How much is missing to the next whole number.
    let missing: Vec<u32> =
        left.iter().map(|&left| (twice - u64::from(left)).min(u64::from(u32::MAX)) as u32).collect();
    let [rest, whole] =
        [(rest, [1, across]), (whole, [down, 1])].map(|(list, shape)| device.tensor(&list, &shape));
    let [over, missing] =
        [(over, [1, across]), (missing, [down, 1])].map(|(list, shape)| device.tensor(&list, &shape));
    let more = over?.greater_equal(&missing?)?.cast(DType::I32)?;
    let all = rest?.add(whole?)?.add(more)?.flatten()?;
    all.between("resizeImage", 0, 0, to as i64)
}

/// `x` with the extents of `shape`, in f32. Errors with `Shape` for another number of axes, and
/// where there are no samples to go by.
pub fn resize(x: &Tensor, shape: &[usize], between: Between, antialias: bool) -> Result<Tensor> {
    let name = "resizeImage";
    if shape.len() != x.rank() {
        return Err(Error::shape(name, format!("{} axes for {}", shape.len(), x.shape())));
    }
    Shape::checked(name, shape)?;
    let mut made = x.cast(DType::F32)?;
    for (axis, (&from, &to)) in x.shape().iter().zip(shape).enumerate().filter(|(_, (from, to))| from != to) {
        if from == 0 {
            return Err(Error::shape(name, format!("axis {axis} of {} has no samples", x.shape())));
        }
        let along = axis as i64;
        if between == Between::Nearest {
            made = made.take(&nearest(x.device(), from, to)?, Some(along))?;
        } else {
            if from.saturating_mul(to) > MOST_WEIGHTS {
                let what = format!(
                    "weights of {from} samples for each of {to} are too many: at most {MOST_WEIGHTS}, but for \"nearest\""
                );
                return Err(Error::value(name, what));
            }
            let weights = x.device().tensor(&between.weights(from, to, antialias), &[from, to])?;
            made = made.tensordot(&weights, &[along], &[0])?.move_axis(&[-1], &[along])?;
        }
    }
    Ok(made)
}
