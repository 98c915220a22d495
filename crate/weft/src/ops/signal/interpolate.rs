//! Linear interpolation between samples, on a line and on a grid.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::shape::join::concat;
use crate::ops::sort::search::search_sorted;
use crate::ops::term::Term;
use weft_ir::op::{Compare, Unary};
use weft_ir::{DType, Error, Literal, Result};

/// What lies beyond the ends of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// A number.
    Constant,
    /// The element at the end.
    Nearest,
    /// The axis from its other end.
    Wrap,
    /// The axis backwards, without its end once more.
    Mirror,
    /// The axis backwards, with its end once more.
    Reflect,
}

impl Beyond {
    const NAMES: [(&str, Beyond); 5] = [
        ("constant", Beyond::Constant),
        ("nearest", Beyond::Nearest),
        ("wrap", Beyond::Wrap),
        ("mirror", Beyond::Mirror),
        ("reflect", Beyond::Reflect),
    ];

    /// By its name in SciPy. Errors with `Value` for others.
    pub fn parse(name: &str) -> Result<Beyond> {
        let found = Beyond::NAMES.iter().find(|(known, _)| *known == name);
        let known = || Beyond::NAMES.map(|(known, _)| known).join(", ");
        found.map(|&(_, beyond)| beyond).ok_or_else(|| {
            Error::value("mapCoordinates", format!("the mode is one of {}, not \"{name}\"", known()))
        })
    }

    /// Where a position along an axis of `extent` lies within it.
    fn within(self, place: &Term, extent: usize) -> Term {
        let size = extent as f64;
        let mirrored = |x: &Term, size: f64| {
            let last = size - 1.0;
            let there = x.map(|x| x.add(last)?.remainder((2.0 * last).max(1.0)));
            (&there - last).apply(Unary::Abs)
        };
        match self {
            Beyond::Constant | Beyond::Nearest => place.map(|x| x.clip(Some(0.0), Some(size - 1.0))),
            Beyond::Wrap => place.map(|x| x.remainder(size)),
            Beyond::Mirror => mirrored(place, size),
            Beyond::Reflect => {
                let twice = mirrored(&(&(place * 2.0) + 1.0), 2.0 * size + 1.0);
                twice.map(|x| x.sub(1.0)?.floor_divide(2.0))
            }
        }
    }
}

/// An element near a place: what it counts, where it is among all, and whether it is one.
struct Corner {
    weight: Option<Term>,
    place: Term,
    inside: Option<Term>,
}

/// Both together where there was one before.
fn joined(before: &Option<Term>, own: Term, how: impl FnOnce(&Term, &Term) -> Term) -> Term {
    before.as_ref().map_or_else(|| own.clone(), |before| how(before, &own))
}

impl Tensor {
    /// What lies at coordinates that need not be whole, those along each axis along the first axis
    /// of `coordinates`: of order 0 the nearest element, of order 1 by straight lines. Of integers
    /// it is rounded. Differentiable by the elements and, of order 1, by the coordinates.
    ///
    /// Errors with `Shape` where there are not as many coordinates as axes, and for a tensor of
    /// nothing; with `Value` for another order.
    pub fn map_coordinates(
        &self,
        coordinates: &Tensor,
        order: usize,
        beyond: Beyond,
        value: f64,
    ) -> Result<Tensor> {
        let name = "mapCoordinates";
        if order > 1 {
            return Err(Error::value(name, format!("the order is 0 or 1, not {order}")));
        }
        if self.rank() == 0 || coordinates.shape().first() != Some(&self.rank()) || self.size() == 0 {
            let (x, at) = (self.shape(), coordinates.shape());
            return Err(Error::shape(name, format!("{at} must have a coordinate for each axis of {x}")));
        }
        let flat = Term(self.flatten().and_then(|x| build::cast(name, &x, DType::F32)));
        let all = Term(build::cast(name, coordinates, DType::F32));
        let along = |axis: usize| all.between(0, axis, axis + 1).map(|x| x.squeeze(Some(&[0])));
        let start = Term(self.device().constant(name, Literal::I32(0)));
        let mut corners = vec![Corner { weight: None, place: start, inside: None }];
        for (axis, &extent) in self.shape().iter().enumerate() {
            let at = along(axis);
            let stride: usize = self.shape()[axis + 1..].iter().product();
            let floor = at.apply(Unary::Floor).detach();
            let upper = &at - &floor;
            let nodes = if order == 1 {
                let lower = &upper.number(1.0) - &upper;
                vec![(Some(lower), floor.clone()), (Some(upper), &floor + 1.0)]
            } else {
                // Halves away from 0, as JAX has them.
                let away = (&at.apply(Unary::Abs) + 0.5).apply(Unary::Floor);
                vec![(None, (&away * &at.apply(Unary::Sign)).detach())]
            };
            let mut next = Vec::new();
            for corner in &corners {
                for (weight, node) in &nodes {
                    let here = &beyond.within(node, extent).cast(DType::I32) * stride as f64;
                    let inside = (beyond == Beyond::Constant).then(|| {
                        let last = node.number(extent as f64 - 1.0);
                        let own = node.compare(Compare::Ge, &node.number(0.0));
                        joined(&corner.inside, own.and(&node.compare(Compare::Le, &last)), Term::and)
                    });
                    let weight = match weight {
                        Some(own) => Some(joined(&corner.weight, own.clone(), |a, b| a * b)),
                        None => corner.weight.clone(),
                    };
                    next.push(Corner { weight, place: &corner.place + &here, inside });
                }
            }
            corners = next;
        }
        let mut sum: Option<Term> = None;
        for Corner { weight, place, inside } in &corners {
            let found = flat.at(place, 0);
            let found = match inside {
                Some(inside) => inside.or_else(&found, &found.number(value)),
                None => found,
            };
            let part = joined(weight, found, |a, b| a * b);
            sum = Some(joined(&sum, part, |a, b| a + b));
        }
        let found = sum.unwrap_or(flat);
        let dtype = self.dtype();
        if dtype == DType::F32 { found.0 } else { found.map(|x| x.round()?.cast(dtype)).0 }
    }
}

/// What is beyond the ends of a curve.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ends {
    pub left: Option<f64>,
    pub right: Option<f64>,
    /// After which distance it starts anew.
    pub period: Option<f64>,
}

/// The points of a curve with a period: its last one, all in order, and its first one, so that each
/// x within the period lies between two; and the x within it.
fn wound(name: &str, x: &Tensor, places: &Tensor, heights: &Tensor, period: f64) -> Result<[Tensor; 3]> {
    let places = places.remainder(period)?;
    let order = places.argsort(0, false)?;
    let (places, heights) = (places.take(&order, Some(0))?, heights.take(&order, Some(0))?);
    let last = places.size() as i64 - 1;
    let around = |of: &Tensor, turn: f64| {
        let (first, end) = (of.between(name, 0, 0, 1)?, of.between(name, 0, last, last + 1)?);
        concat(&[&end.sub(turn)?, of, &first.add(turn)?], 0)
    };
    Ok([x.remainder(period)?, around(&places, period)?, around(&heights, 0.0)?])
}

/// Between the points (`places`, `heights`) of a curve the height at each x, by straight lines;
/// beyond them what the ends say, or those of its own. In f32.
///
/// Errors with `Shape` unless both are vectors of one length with elements, with `Value` for a
/// period of 0.
///
/// Deferred: few programs interpolate.
pub(crate) fn interp(
    device: &Device,
    x: Operand,
    places: &Tensor,
    heights: &Tensor,
    ends: &Ends,
) -> Result<Tensor> {
    let name = "interp";
    if places.rank() != 1 || heights.shape() != places.shape() || places.size() == 0 {
        let what = format!("takes two vectors of one length, got {} and {}", places.shape(), heights.shape());
        return Err(Error::shape(name, what));
    }
    let float = |x: &Tensor| build::cast(name, x, DType::F32);
    let (places, heights) = (float(places)?, float(heights)?);
    let mut x = x.to_tensor(name, device, DType::F32)?;
    let (mut places, mut heights) = (places, heights);
    let Ends { mut left, mut right, period } = *ends;
    if let Some(period) = period {
        if period == 0.0 || !period.is_finite() {
            return Err(Error::value(name, format!("the period is a number other than 0, not {period}")));
        }
        [x, places, heights] = wound(name, &x, &places, &heights, period.abs())?;
        (left, right) = (None, None);
    }
    let last = places.size() as i64 - 1;
    let end = |of: &Tensor, n: i64| {
        let one = build::reshape(name, &of.between(name, 0, n, n + 1)?, &[].into())?;
        build::expand(name, &one, x.shape())
    };
    let beyond = |value: Option<f64>, n: i64| match value {
        Some(value) => build::constant_like(name, &x, Literal::F32(value as f32)),
        None => end(&heights, n),
    };
    let (first, final_place) = (end(&places, 0)?, end(&places, last)?);
    let is_before = build::compare(name, Compare::Lt, &x, &first)?;
    // At the last place the height there counts; beyond it, what is said.
    let is_beyond = build::compare(name, Compare::Lt, &final_place, &x)?;
    let ended = |inside: &Tensor| {
        let inside = build::select(name, &is_before, &beyond(left, 0)?, inside)?;
        build::select(name, &is_beyond, &beyond(right, last)?, &inside)
    };
    if last == 0 {
        return ended(&end(&heights, 0)?);
    }
    let after = search_sorted(device, &places, Operand::Tensor(x.clone()), true)?;
    let after = after.clip(Some(1.0), Some(last as f64))?;
    let before = after.sub(1.0)?;
    let at = |of: &Tensor, index: &Tensor| of.take(index, Some(0));
    let (x0, x1, y0, y1) =
        (at(&places, &before)?, at(&places, &after)?, at(&heights, &before)?, at(&heights, &after)?);
    let (width, height) = (x1.sub(&x0)?, y1.sub(&y0)?);
    let flat =
        build::compare(name, Compare::Eq, &width, &build::constant_like(name, &x, Literal::F32(0.0))?)?;
    let width = build::select(name, &flat, &build::constant_like(name, &x, Literal::F32(1.0))?, &width)?;
    let inside = y0.add(height.mul(x.sub(&x0)?.div(width)?)?)?;
    // At a place it is the height there, whatever stands beside it. Elsewhere the slope is needed.
    let at_place = x.equal(&x0)?.logical_and(height.isfinite()?.logical_not()?)?;
    let inside = build::select(name, &at_place, &y0, &inside)?;
    let at_last = build::compare(name, Compare::Eq, &final_place, &x)?;
    ended(&build::select(name, &at_last, &end(&heights, last)?, &inside)?)
}
