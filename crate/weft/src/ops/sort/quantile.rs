//! Quantiles by sorting and interpolation.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::lazy::option::by_name;
use crate::ops::sort;
use weft_ir::op::{Binary, Unary};
use weft_ir::{DType, Decimal, Error, Literal, Result, Shape};

/// How a quantile is taken: NumPy's methods. The last eight are those of R. Hyndman and Y. Fan
/// (1996, *Sample quantiles in statistical packages*).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Between {
    /// As far from one element to the other as it falls between them.
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
    /// The first element that no less than the share lies at or below.
    InvertedCdf,
    /// The same; where it is exactly the share, the mean of that and the next.
    AveragedInvertedCdf,
    /// The element whose share is nearest; of a half, the one that is even, counted from 1.
    ClosestObservation,
    /// Interpolates the inverse of the empirical distribution function.
    InterpolatedInvertedCdf,
    /// Between elements in the middles of their shares.
    Hazen,
    /// Between elements where they are expected of a uniform distribution.
    Weibull,
    /// Between elements where medians are expected of any distribution, nearly.
    MedianUnbiased,
    /// Between elements where they are expected of a normal distribution, nearly.
    NormalUnbiased,
}

/// How far off a position in f32 may be, in parts of it: that of a percentage is rounded three
/// times.
const STEP: f64 = 4e-7;

/// All of them by their names.
const METHODS: [(&str, Between); 13] = [
    ("linear", Between::Linear),
    ("lower", Between::Lower),
    ("higher", Between::Higher),
    ("nearest", Between::Nearest),
    ("midpoint", Between::Midpoint),
    ("inverted_cdf", Between::InvertedCdf),
    ("averaged_inverted_cdf", Between::AveragedInvertedCdf),
    ("closest_observation", Between::ClosestObservation),
    ("interpolated_inverted_cdf", Between::InterpolatedInvertedCdf),
    ("hazen", Between::Hazen),
    ("weibull", Between::Weibull),
    ("median_unbiased", Between::MedianUnbiased),
    ("normal_unbiased", Between::NormalUnbiased),
];

impl Between {
    /// By name, as NumPy writes it. Errors with `Value` for another.
    pub fn parse(name: &str) -> Result<Between> {
        by_name("quantile", "method", &METHODS, name)
    }

    /// Whether what is found jumps, where the position is whole or in the middle.
    fn steps(self) -> bool {
        !matches!(
            self,
            Between::Linear
                | Between::InterpolatedInvertedCdf
                | Between::Hazen
                | Between::Weibull
                | Between::MedianUnbiased
                | Between::NormalUnbiased
        )
    }

    /// The positions of the elements that a position falls between, and how far it is from the
    /// first to the second: `place` does the same with tensors.
    fn neighbours(self, at: f64) -> [f64; 3] {
        let floor = at.floor();
        let fraction = at - floor;
        match self {
            Between::Lower => [floor, floor, fraction],
            Between::Higher | Between::InvertedCdf => [at.ceil(), at.ceil(), fraction],
            Between::Nearest => [at.round_ties_even(), at.round_ties_even(), fraction],
            Between::ClosestObservation => {
                let nearest = (at + 1.0).round_ties_even() - 1.0;
                [nearest, nearest, fraction]
            }
            Between::Midpoint => [floor, floor + 1.0, fraction.ceil() * 0.5],
            Between::AveragedInvertedCdf => [at.ceil(), floor + 1.0, 0.5],
            _ => [floor, floor + 1.0, fraction],
        }
    }

    /// The position of a share q among n elements is q · (n + the first) + the second.
    fn line(self) -> (f64, f64) {
        match self {
            Between::Linear | Between::Lower | Between::Higher | Between::Nearest | Between::Midpoint => {
                (-1.0, 0.0)
            }
            Between::Hazen => (0.0, -0.5),
            Between::Weibull => (1.0, -1.0),
            Between::MedianUnbiased => (1.0 / 3.0, -2.0 / 3.0),
            Between::NormalUnbiased => (0.25, -0.625),
            _ => (0.0, -1.0),
        }
    }
}

/// The share that a percentage is. Errors with `Value` for a number outside 0 to 100.
pub(crate) fn hundredth(percent: Operand) -> Result<Operand> {
    Ok(match percent {
        Operand::Number(percent) if !(0.0..=100.0).contains(&percent) => {
            let what = format!("{} is no percentage between 0 and 100", Decimal::from(percent));
            return Err(Error::value("percentile", what));
        }
        Operand::Number(percent) => Operand::Number(percent / 100.0),
        Operand::Tensor(percent) => percent.mul(0.01)?.into(),
    })
}

impl Tensor {
    /// The middle element of each row over `axes` (all by default) in order, or the mean of the two
    /// in the middle, in f32; NaN where any is, and of nothing.
    ///
    /// Errors with `Axis`, as all of these do.
    pub fn median(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        quantile("median", self, &Operand::Number(0.5), axes, keepdims, Between::Linear, false)
    }

    /// [`Tensor::median`] of what is not NaN; NaN where nothing is.
    pub fn nanmedian(&self, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
        quantile("nanmedian", self, &Operand::Number(0.5), axes, keepdims, Between::Linear, true)
    }

    /// What a share `q` of the elements of each row over `axes` (all by default) lies below, in
    /// f32; NaN where any is. The axes of `q` come first. Errors with `Value` for a number outside
    /// 0 to 1; elements of a tensor are clamped. Errors with `Shape` over nothing.
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

/// The elements that a share falls between, by their positions, and how far it is from the first of
/// them; each of [kept…, shares].
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
    if length == 0 && (leaves_out || name == "median") {
        // As a mean of nothing; a quantile is asked for by its place, and there is none.
        let rest = if keepdims { x.shape().keepdims(&axes) } else { extents };
        let shape = Shape::checked(name, &[&q.shape()[..], &rest].concat())?;
        return build::expand(name, &x.device().constant(name, Literal::F32(f32::NAN))?, &shape);
    }
    if length == 0 {
        return Err(Error::shape(name, format!("{} has no elements along {axes:?}", x.shape())));
    }
    let moved = build::permute(name, &x, [&kept[..], &axes].concat())?;
    let rows = build::reshape(name, &moved, &[&extents[..], &[length]].concat().into())?;
    let along = kept.len();
    let sorted = rows.along(name, &sort::positions(name, &rows, along, false)?, along)?;
    let place = place(name, q, &sorted, between, leaves_out)?;
    let low = sorted.along(name, &place.low, along)?;
    let mut found = low.clone();
    let is_element = matches!(
        between,
        Between::Lower
            | Between::Higher
            | Between::Nearest
            | Between::InvertedCdf
            | Between::ClosestObservation
    );
    if !is_element {
        let high = sorted.along(name, &place.high, along)?;
        let way = high.sub(&low)?.mul(&place.fraction)?;
        // Between a number and an infinity there is nothing to interpolate: fraction 0 is the
        // number, any other is infinite. Between −∞ and ∞ it is NaN.
        let middle = low.mul(0.5)?.add(high.mul(0.5)?)?;
        let at_first = place.fraction.equal(0.0)?;
        let beyond = build::select(name, &at_first, &low, &middle)?;
        found = build::select(name, &middle.isfinite()?, &low.add(way)?, &beyond)?;
    }
    if !leaves_out {
        let last = sorted.between(name, along, length as i64 - 1, length as i64)?;
        let is_nan = build::unary(name, Unary::IsNan, &last)?;
        let nan = build::constant_like(name, &found, Literal::F32(f32::NAN))?;
        found = build::select(name, &build::expand(name, &is_nan, found.shape())?, &nan, &found)?;
    }
    // The axis of quantiles comes first.
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
    let (more, from) = between.line();
    if let Operand::Number(share) = *q {
        if !(0.0..=1.0).contains(&share) {
            return Err(Error::value(name, format!("{} is no share between 0 and 1", Decimal::from(share))));
        }
        if !leaves_out {
            // Where the position is known now, it is computed in f64: f32 does not hold every
            // position beyond 2²⁴.
            let [low, high, fraction] = between.neighbours(share * (length as f64 + more) + from);
            let index =
                |at: f64| whole(&device.scalar(Literal::I32(at.clamp(0.0, (length - 1) as f64) as i32)));
            let fraction = whole(&device.scalar(Literal::F32(fraction as f32)))?;
            return Ok(Neighbours { low: index(low)?, high: index(high)?, fraction });
        }
    }
    let q = build::reshape(name, &q.to_tensor(name, device, DType::F32)?, &[shares].into())?;
    let count = match leaves_out {
        false => build::constant_like(name, &q, Literal::F32(length as f32))?,
        true => {
            let numbers = build::unary(name, Unary::IsNan, sorted)?.logical_not()?;
            build::cast(name, &numbers.sum(Some(&[-1]), true)?, DType::F32)?
        }
    };
    let at = whole(&q.clip(Some(0.0), Some(1.0))?)?.mul(whole(&count.add(more)?)?)?.add(from)?;
    // Of a method that steps, a share such as 0.1, which f32 rounds, must not miss its element by
    // that.
    let at = if between.steps() {
        let near = at.mul(2.0)?.round()?.mul(0.5)?;
        let off = at.sub(&near)?.abs()?;
        let hits = off.less(near.abs()?.add(1.0)?.mul(STEP)?.clip(None, Some(0.25))?)?;
        build::select(name, &hits, &near, &at)?
    } else {
        at
    };
    let last = whole(&count.sub(1.0)?.clip(Some(0.0), None)?)?;
    let floor = at.floor()?;
    let fraction = at.sub(&floor)?;
    let up = fraction.ceil()?;
    let next = floor.add(1.0)?;
    let (low, high) = match between {
        Between::Lower => (floor.clone(), floor.clone()),
        Between::Higher | Between::InvertedCdf => {
            let ceil = floor.add(&up)?;
            (ceil.clone(), ceil)
        }
        Between::Nearest => {
            let nearest = at.round()?;
            (nearest.clone(), nearest)
        }
        Between::ClosestObservation => {
            let nearest = next.add(&fraction)?.round()?.sub(1.0)?;
            (nearest.clone(), nearest)
        }
        Between::AveragedInvertedCdf => (floor.add(&up)?, next),
        _ => (floor, next),
    };
    let fraction = match between {
        Between::Midpoint => up.mul(0.5)?,
        Between::AveragedInvertedCdf => build::constant_like(name, &up, Literal::F32(0.5))?,
        _ => fraction,
    };
    let index = |at: &Tensor| {
        let above = at.clip(Some(0.0), None)?;
        build::cast(name, &build::binary(name, Binary::Min, &above, &last)?, DType::I32)
    };
    Ok(Neighbours { low: index(&low)?, high: index(&high)?, fraction })
}
