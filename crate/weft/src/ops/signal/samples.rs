//! What do signals and the bits of numbers need now and then: Kaiser's window, slopes of samples, leading zeros, exclusive ors?

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::shape::join::concat;
use crate::special;
use weft_ir::op::{Binary, Compare, ReduceOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// The bits of a word.
const BITS: usize = 32;

impl Device {
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
        // Scaled by e⁻ˣ, of which only a quotient is needed, nothing overflows.
        let whole = special::i0e(&self.full(&[], beta, DType::F32)?)?;
        let grown = special::i0e(&root.mul(beta)?)?.mul(root.sub(1.0)?.mul(beta)?.exp()?)?;
        grown.div(&whole)
    }
}

impl Tensor {
    /// The slope of samples along `axis`, in f32: central differences inside, of second order also where samples are not evenly spaced, and one-sided
    /// ones at the ends. `spacing` is the distance between samples, or a vector of where they are.
    ///
    /// Errors with `Shape` for fewer than two samples and where `spacing` does not fit, with `Axis` when out of range.
    pub fn slope(&self, spacing: impl Into<Operand>, axis: i64) -> Result<Tensor> {
        let name = "gradient";
        let axis = self.shape().axis(name, axis)?;
        let count = self.shape()[axis];
        if count < 2 {
            return Err(Error::shape(
                name,
                format!("axis {axis} of {} has fewer than 2 samples", self.shape()),
            ));
        }
        let last = count as i64 - 1;
        let x = build::cast(name, self, DType::F32)?;
        let differences = |x: &Tensor, axis| -> Result<Tensor> {
            let (after, before) = (x.between(name, axis, 1, last + 1)?, x.between(name, axis, 0, last)?);
            build::binary(name, Binary::Sub, &after, &before)
        };
        let spacing = spacing.into().to_tensor(name, self.device(), DType::F32)?;
        let spacing = build::cast(name, &spacing, DType::F32)?;
        let rise = differences(&x, axis)?;
        let (slopes, widths) = match spacing.rank() {
            0 => (rise.div(&spacing)?, None),
            1 if spacing.size() == count => {
                let mut along = vec![1; x.rank()];
                along[axis] = count - 1;
                let widths = build::reshape(name, &differences(&spacing, 0)?, &along.as_slice().into())?;
                (rise.div(&widths)?, Some(widths))
            }
            _ => {
                let what = format!("{} is no distance and no vector of {count} places", spacing.shape());
                return Err(Error::shape(name, what));
            }
        };
        let (first, end) = (slopes.between(name, axis, 0, 1)?, slopes.between(name, axis, last - 1, last)?);
        if count == 2 {
            return concat(&[&first, &end], axis as i64);
        }
        let (left, right) = (slopes.between(name, axis, 0, last - 1)?, slopes.between(name, axis, 1, last)?);
        // Each side counts by the other's width.
        let inside = match widths {
            None => left.add(&right)?.mul(0.5)?,
            Some(widths) => {
                let (before, after) =
                    (widths.between(name, axis, 0, last - 1)?, widths.between(name, axis, 1, last)?);
                let weighted = left.mul(&after)?.add(right.mul(&before)?)?;
                weighted.div(before.add(&after)?)?
            }
        };
        concat(&[&first, &inside, &end], axis as i64)
    }

    /// How many zeros stand before the first one of each element's bits. Errors with `DType` unless these are integers.
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
        // All bits below the first one are set; those that are not are counted, in pairs, fours and bytes.
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

    /// The exclusive or of the elements along `axes`, all unless told. Errors with `DType` for floats, with `Axis` when out of range or repeated.
    pub fn parity(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        let name = "reduceXor";
        let axes = self.shape().axes(name, axes)?;
        let odd = |counts: &Tensor| {
            build::binary(name, Binary::And, counts, &build::constant_like(name, counts, Literal::U32(1))?)
        };
        match self.dtype() {
            DType::Bool => {
                let ones = build::cast(name, self, DType::U32)?;
                let counts = odd(&build::reduce(name, ReduceOp::Sum, &ones, &axes, keepdims)?)?;
                build::compare(
                    name,
                    Compare::Eq,
                    &counts,
                    &build::constant_like(name, &counts, Literal::U32(1))?,
                )
            }
            DType::I32 | DType::U32 => {
                // Each bit has a plane, last, of which it is counted how often it is set.
                let planes = |x: &Shape| Shape::checked(name, &[x, &[BITS][..]].concat());
                let x = build::cast(name, self, DType::U32)?;
                let one = build::reshape(name, &x, &[&x.shape()[..], &[1]].concat().as_slice().into())?;
                let x = build::expand(name, &one, &planes(x.shape())?)?;
                let place = |x: &Tensor| self.device().positions(name, x.shape(), x.rank() - 1, DType::U32);
                let bits = odd(&build::binary(name, Binary::Shr, &x, &place(&x)?)?)?;
                let counts = odd(&build::reduce(name, ReduceOp::Sum, &bits, &axes, keepdims)?)?;
                let set = build::binary(name, Binary::Shl, &counts, &place(&counts)?)?;
                let last = set.rank() - 1;
                let whole = build::reduce(name, ReduceOp::Sum, &set, &[last], false)?;
                build::cast(name, &whole, self.dtype())
            }
            dtype => Err(Error::dtype(name, format!("{dtype} has no bits"))),
        }
    }
}
