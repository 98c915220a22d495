//! Counts and histograms, as NumPy's: a bin has its left edge and not its right one, the last has
//! both.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::elementwise::select;
use weft_ir::{DType, Error, Result};

/// Edges that are computed here rather than on the device.
const MOST_LISTED: usize = 1 << 16;

/// Elements that have an order, flattened.
fn ordered(x: &Tensor) -> Result<Tensor> {
    let flat = x.flatten()?;
    if flat.dtype() == DType::Bool { flat.cast(DType::F32) } else { Ok(flat) }
}

/// The weight of each element of a shape, flattened.
fn weights_of(x: &Tensor, weights: Option<&Tensor>) -> Result<Tensor> {
    match weights {
        None => x.device().ones(&[x.size()], DType::I32),
        Some(weights) => weights.broadcast_to(x.shape())?.flatten(),
    }
}

/// In which bin each element of a flattened tensor lies: below 0 or beyond all where in none.
fn bins_of(x: &Tensor, edges: &Tensor) -> Result<Tensor> {
    let count = edges.size() as i64 - 1;
    let last = x.equal(edges.part(&[count.into()])?)?;
    select(&last, count as f64, edges.search_sorted(x, true)?)?.sub(1.0)
}

/// The edges of bins of one width between two numbers, computed in f64 and rounded once.
fn listed(bins: usize, (low, high): (f64, f64)) -> Vec<f32> {
    let apart = if low == high { 0.5 } else { 0.0 };
    let (low, high) = (low - apart, high + apart);
    let width = (high - low) / bins as f64;
    (0..=bins).map(|n| if n == bins { high } else { low + n as f64 * width } as f32).collect()
}

/// Whether there are bins at all.
fn checked<'a>(name: &str, edges: &'a Tensor) -> Result<&'a Tensor> {
    if edges.rank() == 1 && edges.size() > 1 {
        return Ok(edges);
    }
    Err(Error::shape(name, format!("edges are a list of 2 or more, not of shape {}", edges.shape())))
}

impl Tensor {
    /// How often each number from 0 to `count` − 1 stands in integers, as i32; with weights, which
    /// broadcast, their sums. Others are left out. Errors with `DType` for floats, and with `Shape`
    /// for weights that do not fit.
    pub fn bincount(&self, count: usize, weights: Option<&Tensor>) -> Result<Tensor> {
        weights_of(self, weights)?.segment_sum(&self.flatten()?, count)
    }

    /// The edges of `bins` bins of one width, in f32: of a range, or from the smallest element to
    /// the largest. Of equal ends it is 1 wide around them, of no elements 0 to 1.
    pub fn histogram_edges(&self, bins: usize, range: Option<(f64, f64)>) -> Result<Tensor> {
        let x = ordered(self)?;
        let range = if range.is_none() && x.size() == 0 { Some((0.0, 1.0)) } else { range };
        if let Some(ends) = range.filter(|_| bins <= MOST_LISTED) {
            return x.device().tensor(&listed(bins, ends), &[bins + 1]);
        }
        let end = |number: f64| x.device().full(&[], number, DType::F32);
        let (low, high) = match range {
            Some((low, high)) => (end(low)?, end(high)?),
            None => (x.min(None, false)?.cast(DType::F32)?, x.max(None, false)?.cast(DType::F32)?),
        };
        let point = low.equal(&high)?;
        let from = select(&point, low.sub(0.5)?, &low)?;
        let to = select(&point, high.add(0.5)?, &high)?;
        let numbers = x.device().arange(0.0, bins as f64 + 1.0, 1.0, DType::I32)?;
        // A width that f32 holds gives edges that it holds: 1 / bins would not. They ascend however
        // they are rounded, and the last is the end itself: the largest element is in the last bin.
        let width = to.sub(&from)?.div(bins as f64)?;
        let inside = from.add(width.mul(&numbers)?)?.minimum(&to)?;
        select(&numbers.equal(bins as f64)?, &to, inside)
    }

    /// How many elements lie between each two neighbours of ascending edges, as i32; with weights,
    /// which broadcast, their sums; as `density` divided by their sum and the widths, in f32. What
    /// lies outside, and NaN, is left out. Errors with `Shape` for other edges than a vector of two
    /// or more, and for weights that do not fit.
    pub fn histogram(&self, edges: &Tensor, weights: Option<&Tensor>, density: bool) -> Result<Tensor> {
        let count = checked("histogram", edges)?.size() - 1;
        let counts = weights_of(self, weights)?.segment_sum(&bins_of(&ordered(self)?, edges)?, count)?;
        if !density {
            return Ok(counts);
        }
        counts.div(edges.diff(1, -1)?.mul(counts.sum(None, false)?)?)
    }
}

/// [`Tensor::histogram`] of points in several dimensions: a tensor of coordinates and a tensor of
/// edges for each. Errors with `Shape` also where their numbers differ.
pub fn histogramdd(
    coordinates: &[&Tensor],
    edges: &[&Tensor],
    weights: Option<&Tensor>,
    density: bool,
) -> Result<Tensor> {
    let name = "histogramdd";
    let Some(first) = coordinates.first() else {
        return Err(Error::shape(name, "points have no coordinates"));
    };
    if let Some(other) = coordinates.iter().find(|x| x.size() != first.size()) {
        return Err(Error::shape(
            name,
            format!("there are {} and {} coordinates", first.size(), other.size()),
        ));
    }
    if coordinates.len() != edges.len() {
        let what = format!("edges are given for {} of {} coordinates", edges.len(), coordinates.len());
        return Err(Error::shape(name, what));
    }
    let flat = first.flatten()?;
    let mut place = flat.device().zeros(&[flat.size()], DType::I32)?;
    let mut inside = flat.device().ones(&[flat.size()], DType::Bool)?;
    let mut shape = Vec::new();
    for (x, edges) in coordinates.iter().zip(edges) {
        let count = checked(name, edges)?.size() - 1;
        let bin = bins_of(&ordered(x)?, edges)?;
        // A point outside the edges of one axis counts in no bin.
        inside = inside.logical_and(bin.greater_equal(0.0)?.logical_and(bin.less(count as f64)?)?)?;
        place = place.mul(count as f64)?.add(bin)?;
        shape.push(count);
    }
    let counts =
        weights_of(&flat, weights)?.segment_sum(&select(&inside, place, -1.0)?, shape.iter().product())?;
    let counts = build::reshape(name, &counts, &shape[..].into())?;
    if !density {
        return Ok(counts);
    }
    let mut found = counts.div(counts.sum(None, false)?)?;
    for (axis, edges) in edges.iter().enumerate() {
        let mut own = vec![1; shape.len()];
        own[axis] = shape[axis];
        found = found.div(build::reshape(name, &edges.diff(1, -1)?, &own.into())?)?;
    }
    Ok(found)
}
