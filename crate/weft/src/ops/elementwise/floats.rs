//! Representations of numbers: whole and fractional parts, mantissas and exponents, bits, common
//! divisors.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::exponential::log_add_exp;
use crate::ops::elementwise::{self, select};
use std::f64::consts::LN_2;
use weft_ir::op::Binary;
use weft_ir::{DType, Error, Literal, Result};

/// 2 to the power of whole numbers from −126 to 127, made of bits.
fn power_of_two(n: &Tensor) -> Result<Tensor> {
    n.add(127.0)?.shift_left(23.0)?.bitcast(DType::F32)
}

/// The largest f16.
const LARGEST_HALF: f64 = 65504.0;

/// The f16 next to another, both kept in f32.
fn next_half(from: &Tensor, to: &Tensor) -> Result<Tensor> {
    let size = from.abs()?;
    let exponent = size.bitcast(DType::I32)?.shift_right(23.0)?.sub(127.0)?.maximum(-14.0)?;
    let upwards = to.greater(from)?;
    let inwards = from.not_equal(0.0)?.logical_and(from.greater(0.0)?.not_equal(&upwards)?)?;
    // Below a power of two the spacing halves, unless the numbers are subnormal.
    let edge = size.equal(power_of_two(&exponent)?)?.logical_and(exponent.greater(-14.0)?)?;
    let dense = inwards.logical_and(edge)?;
    let step = power_of_two(&exponent.sub(10.0)?.sub(dense.cast(DType::I32)?)?)?;
    let moved = from.add(select(&upwards, &step, step.neg()?)?)?;
    let back = from.clip(Some(-LARGEST_HALF), Some(LARGEST_HALF))?;
    let moved = select(&from.isfinite()?, moved, back)?;
    let there = select(&from.isnan()?, from, to)?;
    let stays = from.equal(to)?.logical_or(from.isnan()?.logical_or(to.isnan()?)?)?;
    select(&stays, there, moved)?.cast(DType::F16)
}

/// As integers; bools count.
fn integers(name: &str, x: &Tensor) -> Result<Tensor> {
    match x.dtype() {
        dtype if dtype.is_float() => Err(Error::dtype(name, format!("takes integers, got {dtype}"))),
        dtype => build::cast(name, x, dtype.accumulate()),
    }
}

/// Divisions after which Euclid's algorithm has ended for all numbers of 32 bits.
const DIVISIONS: usize = 47;

/// As functions of operands, either of which may be a number.
pub(crate) mod two {
    use super::*;

    pub fn divmod(device: &Device, a: Operand, b: Operand) -> Result<Vec<Tensor>> {
        let quotient = elementwise::floor_divide(device, a.clone(), b.clone())?;
        Ok(vec![quotient, elementwise::two::remainder(device, a, b)?])
    }

    pub fn float_power(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let float = |x: Operand| match x {
            Operand::Tensor(x) => build::cast("floatPower", &x, DType::F32).map(Operand::Tensor),
            number => Ok(number),
        };
        let a = a.to_tensor("floatPower", device, DType::F32)?;
        elementwise::power(device, a.into(), float(b)?)
    }

    pub fn log_add_exp2(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let natural = |x: Operand| elementwise::two::mul(device, x, LN_2.into());
        log_add_exp(device, natural(a)?.into(), natural(b)?.into())?.div(LN_2)
    }

    pub fn next_after(device: &Device, a: Operand, b: Operand) -> Result<Tensor> {
        let name = "nextafter";
        // A number takes the dtype of the tensor beside it.
        let half = match (&a, &b) {
            (Operand::Number(_), Operand::Number(_)) => false,
            (Operand::Tensor(x), Operand::Number(_)) | (Operand::Number(_), Operand::Tensor(x)) => {
                x.dtype() == DType::F16
            }
            (Operand::Tensor(a), Operand::Tensor(b)) => a.dtype() == DType::F16 && b.dtype() == DType::F16,
        };
        let from = a.to_tensor(name, device, DType::F32)?;
        let to = b.to_tensor(name, device, DType::F32)?;
        if half {
            return next_half(&from, &to);
        }
        let bits = from.bitcast(DType::I32)?;
        let away = to.greater(&from)?.equal(from.greater(0.0)?)?;
        let moved = bits.add(select(&away, 1.0, -1.0)?.cast(DType::I32)?)?.bitcast(DType::F32)?;
        // The subnormal number next to 0, with the sign of the direction.
        let first = to.bitcast(DType::I32)?.bitwise_and(f64::from(i32::MIN))?.bitwise_or(1.0)?;
        let usual = select(&from.equal(0.0)?, first.bitcast(DType::F32)?, moved)?;
        let steps = to.equal(&to)?.logical_and(from.not_equal(&to)?)?;
        select(&from.isnan()?, &from, select(&steps, usual, &to)?)
    }
}

impl Tensor {
    /// ⌊a/b⌋ and what is left, as [`Tensor::floor_divide`] and [`Tensor::remainder`].
    pub fn divmod(&self, other: impl Into<Operand>) -> Result<Vec<Tensor>> {
        two::divmod(self.device(), self.into(), other.into())
    }

    /// What is left of numbers without their whole parts, and these, both with the sign of the
    /// number, in f32. Nothing is left of infinities.
    pub fn modf(&self) -> Result<Vec<Tensor>> {
        let value = build::cast("modf", self, DType::F32)?;
        let whole = value.trunc()?;
        let some = value.isfinite()?.logical_or(value.isnan()?)?;
        Ok(vec![select(&some, value.sub(&whole)?, 0.0)?, whole])
    }

    /// Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, in f32, and e as i32. What
    /// is 0 or not finite is its own m, with the exponent 0. The gradient is that of m, with e
    /// kept.
    pub fn frexp(&self) -> Result<Vec<Tensor>> {
        let value = build::cast("frexp", self, DType::F32)?;
        let plain = value.isfinite()?.logical_and(value.not_equal(0.0)?)?;
        // Numbers below the normal ones are made larger first.
        let small = plain.logical_and(value.abs()?.less(2f64.powi(-126))?)?;
        let scaled = select(&plain, value.mul(select(&small, 2f64.powi(24), 1.0)?)?, 1.0)?;
        let field = scaled.bitcast(DType::I32)?.shift_right(23.0)?.bitwise_and(255.0)?;
        let raised = field.sub(126.0)?;
        let half = raised.shift_right(1.0)?;
        let mantissa = scaled.mul(power_of_two(&half.neg()?)?)?.mul(power_of_two(&half.sub(&raised)?)?)?;
        let shift = select(&small, 24.0, 0.0)?.cast(DType::I32)?;
        let exponent = select(&plain, raised.sub(shift)?, 0.0)?.cast(DType::I32)?;
        Ok(vec![select(&plain, mantissa, value)?, exponent])
    }

    /// x · 2ⁿ for whole n, in f32.
    pub fn ldexp(&self, n: &Tensor) -> Result<Tensor> {
        let mut value = build::cast("ldexp", self, DType::F32)?;
        let mut left = n.cast(DType::I32)?.clip(Some(-300.0), Some(300.0))?;
        // The scale may exceed one power of two: up to three factors.
        for _ in 0..3 {
            let some = left.clip(Some(-126.0), Some(127.0))?;
            value = value.mul(power_of_two(&some)?)?;
            left = left.sub(some)?;
        }
        Ok(value)
    }

    /// The float next to this towards `to`, which is `to` where they are equal: of two halves an
    /// f16, else in f32. Devices may take what is below 2⁻¹²⁶ for 0.
    pub fn next_after(&self, to: impl Into<Operand>) -> Result<Tensor> {
        two::next_after(self.device(), self.into(), to.into())
    }

    /// aᵇ in f32, whatever the dtypes.
    pub fn float_power(&self, exponent: impl Into<Operand>) -> Result<Tensor> {
        two::float_power(self.device(), self.into(), exponent.into())
    }

    /// log₂(2ᵃ + 2ᵇ), without overflow, in f32.
    pub fn log_add_exp2(&self, other: impl Into<Operand>) -> Result<Tensor> {
        two::log_add_exp2(self.device(), self.into(), other.into())
    }

    /// Whether x is `infinity`. Yields bool.
    pub(crate) fn is_infinity(&self, name: &str, infinity: f64) -> Result<Tensor> {
        build::cast(name, self, DType::F32)?.equal(infinity)
    }

    /// Whether x is ∞. Yields bool.
    pub fn isposinf(&self) -> Result<Tensor> {
        self.is_infinity("isposinf", f64::INFINITY)
    }

    /// Whether x is −∞. Yields bool.
    pub fn isneginf(&self) -> Result<Tensor> {
        self.is_infinity("isneginf", f64::NEG_INFINITY)
    }

    /// How many bits of integers are set, as i32; of negative ones those of the magnitude. Errors
    /// with `DType` for floats.
    pub fn bitwise_count(&self) -> Result<Tensor> {
        let magnitude = integers("bitwiseCount", self)?.abs()?;
        let mut bits = magnitude.bitcast(DType::U32)?;
        // Counts in pairs, fours and bytes, in parallel; the product adds the bytes.
        let mask = |x: &Tensor, mask: u32| x.bitwise_and(f64::from(mask));
        bits = bits.sub(mask(&bits.shift_right(1.0)?, 0x5555_5555)?)?;
        bits = mask(&bits, 0x3333_3333)?.add(mask(&bits.shift_right(2.0)?, 0x3333_3333)?)?;
        bits = mask(&bits.add(bits.shift_right(4.0)?)?, 0x0f0f_0f0f)?;
        bits.mul(f64::from(0x0101_0101))?.shift_right(24.0)?.cast(DType::I32)
    }

    /// The greatest common divisor of integers, 0 of zeros. Errors with `DType` for floats.
    pub fn gcd(&self, other: &Tensor) -> Result<Tensor> {
        let (mut large, mut small) = (integers("gcd", self)?.abs()?, integers("gcd", other)?.abs()?);
        for _ in 0..DIVISIONS {
            // The remainder of a division by 0 is 0.
            let rest = large.remainder(&small)?;
            (large, small) = (select(&small.equal(0.0)?, &large, &small)?, rest);
        }
        // The least i32 has no magnitude, and its divisors come out negative.
        large.abs()
    }

    /// The least common multiple of integers, 0 where either is. Errors with `DType` for floats.
    pub fn lcm(&self, other: &Tensor) -> Result<Tensor> {
        let (first, second) = (integers("lcm", self)?.abs()?, integers("lcm", other)?.abs()?);
        first.floor_divide(first.gcd(&second)?)?.mul(second)
    }

    /// How many zeros stand before the first one of each element's bits. Errors with `DType` unless
    /// these are integers.
    pub fn leading_zeros(&self) -> Result<Tensor> {
        let name = "clz";
        if !matches!(self.dtype(), DType::I32 | DType::U32) {
            return Err(Error::dtype(name, format!("takes i32 or u32, got {}", self.dtype())));
        }
        let mut x = build::cast(name, self, DType::U32)?;
        let with = |op: Binary, x: &Tensor, number: u32| {
            build::binary(name, op, x, &build::constant_like(name, x, Literal::U32(number))?)
        };
        let (and, add) = (
            |x: &Tensor, mask| with(Binary::And, x, mask),
            |a: &Tensor, b: &Tensor| build::binary(name, Binary::Add, a, b),
        );
        let shifted = |x: &Tensor, by| with(Binary::Shr, x, by);
        // All bits below the first one are set; those that are not are counted, in pairs, fours and
        // bytes.
        for by in [1, 2, 4, 8, 16] {
            x = build::binary(name, Binary::Or, &x, &shifted(&x, by)?)?;
        }
        x = x.bitwise_not()?;
        for (by, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f)] {
            x = add(&and(&x, mask)?, &and(&shifted(&x, by)?, mask)?)?;
        }
        let zeros = shifted(&with(Binary::Mul, &x, 0x0101_0101)?, 24)?;
        build::cast(name, &zeros, self.dtype())
    }
}
