//! Below what lies a share of the elements? Each line is sorted, and the two elements that the share falls between are joined.

use crate::build;
use crate::operand::Operand;
use crate::order;
use crate::tensor::Tensor;
use weft_ir::op::{Compare, Unary};
use weft_ir::{DType, Decimal, Error, Literal, Result, Shape};

/// What a quantile is that falls between two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Between {
    /// As far from one to the other as it falls between them.
    #[default]
    Linear,
    /// The lower.
    Lower,
    /// The higher.
    Higher,
    /// The nearer; of a half, the one at an even position.
    Nearest,
    /// Their mean.
    Midpoint,
}

impl Between {
    /// All of them.
    pub const ALL: [Between; 5] =
        [Between::Linear, Between::Lower, Between::Higher, Between::Nearest, Between::Midpoint];
}

impl Tensor {
    /// The middle element of each row over `axes` (all by default) in order, or the mean of the two in the middle, in f32; NaN where any is.
    ///
    /// Errors with `Axis`, and with `Shape` over nothing, as all of these do.
    pub fn median(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        quantile("median", self, &Operand::Number(0.5), axes, keepdims, Between::Linear, false)
    }

    /// [`Tensor::median`] of what is not NaN; NaN where nothing is.
    pub fn nanmedian(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        quantile("nanmedian", self, &Operand::Number(0.5), axes, keepdims, Between::Linear, true)
    }

    /// What a share `q` of the elements of each row over `axes` (all by default) lies below, in f32; NaN where any is. The axes of `q` come first. Errors
    /// with `Value` for a number outside 0 to 1; elements of a tensor are clamped.
    pub fn quantile(
        &self,
        q: impl Into<Operand>,
        axes: Option<&[i64]>,
        keepdims: bool,
        between: Between,
    ) -> Result<Tensor> {
        quantile("quantile", self, &q.into(), axes, keepdims, between, false)
    }

    /// [`Tensor::quantile`] of what is not NaN; NaN where nothing is.
    pub fn nanquantile(
        &self,
        q: impl Into<Operand>,
        axes: Option<&[i64]>,
        keepdims: bool,
        between: Between,
    ) -> Result<Tensor> {
        quantile("nanquantile", self, &q.into(), axes, keepdims, between, true)
    }
}

/// The elements that a share falls between, by their positions, and how far it is from the first of them; each of [kept…, shares].
struct Neighbours {
    low: Tensor,
    high: Tensor,
    fraction: Tensor,
}

fn quantile(
    name: &str,
    x: &Tensor,
    q: &Operand,
    axes: Option<&[i64]>,
    keepdims: bool,
    between: Between,
    leaves_out: bool,
) -> Result<Tensor> {
    let x = build::cast(name, x, DType::F32)?;
    let axes = x.shape().axes(name, axes)?;
    let kept: Vec<usize> = (0..x.rank()).filter(|axis| !axes.contains(axis)).collect();
    let extents = x.shape().without(&axes);
    let length: usize = axes.iter().map(|&axis| x.shape()[axis]).product();
    if length == 0 {
        return Err(Error::shape(name, format!("{} has no elements along {axes:?}", x.shape())));
    }
    let moved = build::permute(name, &x, [&kept[..], &axes].concat())?;
    let rows = build::reshape(name, &moved, &[&extents[..], &[length]].concat().into())?;
    let along = kept.len();
    let sorted = rows.along(name, &order::positions(name, &rows, along, false)?, along)?;
    let place = place(name, q, &sorted, between, leaves_out)?;
    let low = sorted.along(name, &place.low, along)?;
    let mut found = low.clone();
    if matches!(between, Between::Linear | Between::Midpoint) {
        let high = sorted.along(name, &place.high, along)?;
        let way = high.sub(&low)?.mul(&place.fraction)?;
        // Infinities that are equal are no distance apart.
        let equal = build::compare(name, Compare::Eq, &low, &high)?;
        found = build::select(name, &equal, &low, &low.add(way)?)?;
    }
    if !leaves_out {
        let last = sorted.between(name, along, length as i64 - 1, length as i64)?;
        let is_nan = build::unary(name, Unary::IsNan, &last)?;
        let nan = build::constant_like(name, &found, Literal::F32(f32::NAN))?;
        found = build::select(name, &build::expand(name, &is_nan, found.shape())?, &nan, &found)?;
    }
    // Shares come first.
    let mut front: Vec<usize> = (0..along).collect();
    front.insert(0, along);
    let found = build::permute(name, &found, front)?;
    let rest = if keepdims { x.shape().keepdims(&axes) } else { extents };
    build::reshape(name, &found, &[&q.shape()[..], &rest].concat().into())
}

fn place(name: &str, q: &Operand, sorted: &Tensor, between: Between, leaves_out: bool) -> Result<Neighbours> {
    let device = sorted.device();
    let (rank, length) = (sorted.rank(), sorted.shape()[sorted.rank() - 1]);
    let shares = q.shape().size();
    let mut shape = sorted.shape().to_vec();
    shape[rank - 1] = shares;
    let shape = Shape::checked(name, &shape)?;
    let whole = |x: &Tensor| build::expand(name, x, &shape);
    let half = |x: &Tensor| if between == Between::Midpoint { x.ceil()?.mul(0.5) } else { Ok(x.clone()) };
    if let Operand::Number(share) = *q {
        if !(0.0..=1.0).contains(&share) {
            return Err(Error::value(name, format!("{} is no share between 0 and 1", Decimal::from(share))));
        }
        if !leaves_out {
            // Where it is known, it is found in f64.
            let at = share * (length - 1) as f64;
            let (low, high) = match between {
                Between::Higher => (at.ceil(), at.ceil()),
                Between::Nearest => (at.round_ties_even(), at.round_ties_even()),
                _ => (at.floor(), at.ceil()),
            };
            let index = |at: f64| whole(&device.scalar(Literal::I32(at as i32)));
            let fraction = whole(&device.scalar(Literal::F32((at - low) as f32)))?;
            return Ok(Neighbours { low: index(low)?, high: index(high)?, fraction: half(&fraction)? });
        }
    }
    let q = build::reshape(name, &q.to_tensor(name, device, DType::F32)?, &[shares].into())?;
    let last = match leaves_out {
        false => build::constant_like(name, &q, Literal::F32((length - 1) as f32))?,
        true => {
            let numbers = build::unary(name, Unary::IsNan, sorted)?.logical_not()?;
            build::cast(name, &numbers.sum(Some(&[-1]), true)?, DType::F32)?
                .sub(1.0)?
                .clip(Some(0.0), None)?
        }
    };
    let at = whole(&q.clip(Some(0.0), Some(1.0))?)?.mul(whole(&last)?)?;
    let (low, high) = match between {
        Between::Higher => (at.ceil()?, at.ceil()?),
        Between::Nearest => (at.round()?, at.round()?),
        _ => (at.floor()?, at.ceil()?),
    };
    let index = |at: &Tensor| build::cast(name, at, DType::I32);
    Ok(Neighbours { low: index(&low)?, high: index(&high)?, fraction: half(&at.sub(&low)?)? })
}
