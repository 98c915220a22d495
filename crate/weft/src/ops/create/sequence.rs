//! Sequences: geometric ranges, window functions, positions, powers, positional encodings.

use crate::device::tensor::Tensor;
use crate::device::{Device, literal};
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::shape::join::{concat, stack};
use crate::special;
use std::f64::consts::TAU;
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Integers that are computed one by one, on the host.
const MOST_LISTED: usize = 1 << 24;

/// How numbers are spaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spacing {
    /// Whether the last is where it stops.
    pub endpoint: bool,
    /// What they are made in.
    pub dtype: DType,
}

impl Spacing {
    /// How many steps there are from the first to where it stops, as a divisor.
    fn intervals(self, count: usize) -> f64 {
        count.saturating_sub(usize::from(self.endpoint)).max(1) as f64
    }
}

impl Device {
    /// `count` numbers in equal ratios from `start` to `stop`. Errors with `Value` where one is 0
    /// or their signs differ, and as [`Device::linspace_with`].
    pub fn geomspace(&self, start: f64, stop: f64, count: usize, spacing: Spacing) -> Result<Tensor> {
        let name = "geomspace";
        if start * stop <= 0.0 || !(start * stop).is_finite() {
            let what = "the ends must both be above 0, or both below, and finite";
            return Err(Error::value(name, what));
        }
        if spacing.dtype.is_integer() {
            let ratio = (stop / start).powf(1.0 / spacing.intervals(count));
            // Rounded to 12 decimals first, as in NumPy, so that truncation keeps whole numbers.
            let at = |n: f64| (start * ratio.powf(n) * 1e12).round() / 1e12;
            return self.whole_numbers(name, count, stop, spacing, &at);
        }
        let exponents = self.linspace(start.abs().log2(), stop.abs().log2(), count, spacing.endpoint)?;
        // Clipped to the ends, which a rounded power may exceed.
        let inside = exponents.exp2()?.mul(start.signum())?;
        let (low, high) = (start.min(stop), start.max(stop));
        inside.clip(Some(low), Some(high))?.cast(spacing.dtype)
    }

    /// `base` to the power of `count` evenly spaced numbers from `start` to `stop`. Errors as
    /// [`Device::linspace_with`].
    pub fn logspace(
        &self,
        start: f64,
        stop: f64,
        count: usize,
        base: f64,
        spacing: Spacing,
    ) -> Result<Tensor> {
        if spacing.dtype.is_integer() {
            let step = (stop - start) / spacing.intervals(count);
            let at = |n: f64| base.powf(start + n * step);
            return self.whole_numbers("logspace", count, base.powf(stop), spacing, &at);
        }
        let exponents = self.linspace(start, stop, count, spacing.endpoint)?;
        self.number(base, DType::F32)?.pow(exponents)?.cast(spacing.dtype)
    }

    /// [`Device::linspace`] in a dtype: of integers the floor of each number. Errors with `Value`
    /// for a number that the dtype does not hold.
    pub fn linspace_with(&self, start: f64, stop: f64, count: usize, spacing: Spacing) -> Result<Tensor> {
        if spacing.dtype.is_integer() {
            let step = (stop - start) / spacing.intervals(count);
            return self
                .whole_numbers("linspace", count, stop.floor(), spacing, &|n| (start + n * step).floor());
        }
        self.linspace(start, stop, count, spacing.endpoint)?.cast(spacing.dtype)
    }

    /// Numbers without their fractions, computed here: f32 does not hold all integers.
    fn whole_numbers(
        &self,
        name: &str,
        count: usize,
        stop: f64,
        spacing: Spacing,
        at: &dyn Fn(f64) -> f64,
    ) -> Result<Tensor> {
        if count > MOST_LISTED {
            let what = format!("spaces up to {MOST_LISTED} integers, got {count}: cast floats");
            return Err(Error::value(name, what));
        }
        let Spacing { endpoint, dtype } = spacing;
        let word = |n: usize| {
            let number = if endpoint && n > 0 && n + 1 == count { stop } else { at(n as f64) }.trunc();
            literal(name, number, dtype)?;
            Ok(Literal::from_f64(dtype.computed(), number).bits())
        };
        let words = (0..count).map(word).collect::<Result<Vec<u32>>>()?;
        self.from_words(&words, &[count], dtype.computed())?.cast(dtype)
    }

    /// The window of Hann: half a cosine up from 0 and down, in f32.
    pub fn hann(&self, count: usize) -> Result<Tensor> {
        self.cosines(count, &[0.5, -0.5])
    }

    /// The window of Hamming: Hann's raised so that its first side lobe vanishes, in f32.
    pub fn hamming(&self, count: usize) -> Result<Tensor> {
        self.cosines(count, &[0.54, -0.46])
    }

    /// The window of Blackman, of two cosines, in f32.
    pub fn blackman(&self, count: usize) -> Result<Tensor> {
        self.cosines(count, &[0.42, -0.5, 0.08])
    }

    /// The window of Bartlett: a triangle from 0 to 1 and back, in f32.
    pub fn bartlett(&self, count: usize) -> Result<Tensor> {
        if count < 2 {
            return self.ones(&[count], DType::F32);
        }
        let away = self.linspace(-1.0, 1.0, count, true)?.abs()?;
        Operand::Number(1.0).to_tensor("bartlett", self, DType::F32)?.sub(away)
    }

    /// Σ cₖ·cos(2πk·x) for x evenly from 0 to 1.
    fn cosines(&self, count: usize, coefficients: &[f64]) -> Result<Tensor> {
        if count < 2 {
            return self.ones(&[count], DType::F32);
        }
        let turns = self.linspace(0.0, 1.0, count, true)?;
        let mut sum = self.full(&[count], coefficients[0], DType::F32)?;
        for (k, &c) in coefficients.iter().enumerate().skip(1) {
            sum = sum.add(turns.mul(TAU * k as f64)?.cos()?.mul(c)?)?;
        }
        Ok(sum)
    }

    /// The position along each axis of each element of a tensor of `shape`: one more axis in front.
    /// Errors with `DType` for bool.
    pub fn indices(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        let name = "indices";
        let shape = Shape::checked(name, shape)?;
        if dtype == DType::Bool {
            return Err(Error::dtype(name, "does not make bool"));
        }
        if shape.rank() == 0 {
            return self.zeros(&[0], dtype);
        }
        let axes = (0..shape.rank()).map(|axis| self.positions(name, &shape, axis, DType::I32));
        let axes = axes.collect::<Result<Vec<_>>>()?;
        stack(&axes.iter().collect::<Vec<_>>(), 0)?.cast(dtype)
    }

    /// The window of Kaiser, I₀(β·√(1 − t²))/I₀(β) for t evenly from −1 to 1, in f32.
    pub fn kaiser(&self, count: usize, beta: f64) -> Result<Tensor> {
        if count < 2 {
            return self.ones(&[count], DType::F32);
        }
        let beta = beta.abs();
        let t = self.linspace(-1.0, 1.0, count, true)?;
        // (1 − t)·(1 + t) keeps its digits at the ends.
        let one = self.number(1.0, DType::F32)?;
        let root = one.sub(&t)?.mul(one.add(&t)?)?.sqrt()?;
        // Both are scaled by e⁻ˣ, which cancels in the quotient and prevents overflow.
        let whole = special::i0e(&self.full(&[], beta, DType::F32)?)?;
        let grown = special::i0e(&root.mul(beta)?)?.mul(root.sub(1.0)?.mul(beta)?.exp()?)?;
        grown.div(&whole)
    }
}

impl Tensor {
    /// The powers of a vector's elements from `columns` − 1 down to 0 as rows, or from 0 up if
    /// `ascending`. Errors with `Shape` unless it is a vector.
    pub fn vander(&self, columns: usize, ascending: bool) -> Result<Tensor> {
        let name = "vander";
        if self.rank() != 1 {
            return Err(Error::shape(name, format!("takes a vector, got {}", self.shape())));
        }
        let x = build::cast(name, self, self.dtype().accumulate())?;
        let shape = Shape::checked(name, &[x.size(), columns])?;
        let power = self.device().positions(name, &shape, 1, DType::I32)?;
        let power = if ascending { power } else { power.neg()?.add((columns as f64) - 1.0)? };
        build::expand(name, &build::reshape(name, &x, &[x.size(), 1].into())?, &shape)?.pow(power)
    }
}

/// The base of the speeds at which positions turn.
const BASE: f64 = 10_000.0;

/// Angles of positions, one each row, for half of `width` speeds: the position times
/// base^(−2i/width).
fn angles(positions: &Tensor, width: usize, base: f64) -> Result<Tensor> {
    let device = positions.device();
    let places = device.arange(0.0, (width / 2) as f64, 1.0, DType::F32)?;
    let speeds = device.number(base, DType::F32)?.pow(places.mul(-2.0 / width.max(1) as f64)?)?;
    positions.cast(DType::F32)?.expand_dims(-1)?.mul(speeds)
}

fn is_even(name: &str, width: usize) -> Result<()> {
    match width % 2 {
        0 => Ok(()),
        _ => Err(Error::shape(name, format!("the width must be even, got {width}"))),
    }
}

impl Device {
    /// Positions as waves (Vaswani et al. 2017), f32 `[count, width]`: the even columns sines, the
    /// odd ones cosines. Errors with `Shape` where the width is odd.
    pub fn sinusoidal(&self, count: usize, width: usize) -> Result<Tensor> {
        is_even("sinusoidal", width)?;
        let angles = angles(&self.arange(0.0, count as f64, 1.0, DType::I32)?, width, BASE)?;
        let pairs = stack(&[&angles.sin()?, &angles.cos()?], -1)?;
        build::reshape("sinusoidal", &pairs, &[count, width].into())
    }
}

impl Tensor {
    /// Positions by rotation (RoPE, Su et al. 2021): the first half of the last axis with the
    /// second, turned by the position times base^(−2i/width), in f32. This is
    /// `[…, positions, width]`; positions are 0, 1, … unless given. Errors with `Shape` where the
    /// width is odd.
    pub fn rotary(&self, positions: Option<&Tensor>, base: f64) -> Result<Tensor> {
        let name = "rotary";
        let [.., rows, width] = self.shape()[..] else {
            let what = format!("what it acts on must be [..., positions, width], got {}", self.shape());
            return Err(Error::shape(name, what));
        };
        is_even(name, width)?;
        let counted = match positions {
            Some(positions) => positions.clone(),
            None => self.device().arange(0.0, rows as f64, 1.0, DType::I32)?,
        };
        let angles = angles(&counted, width, base)?;
        let (cosine, sine) = (angles.cos()?, angles.sin()?);
        let halves = self.split(&[width / 2; 2], -1)?;
        let (first, second) = (&halves[0], &halves[1]);
        let turned = first.mul(&cosine)?.sub(second.mul(&sine)?)?;
        concat(&[&turned, &second.mul(&cosine)?.add(first.mul(&sine)?)?], -1)
    }
}
