//! Views: reshape, permute, broadcast, squeeze, flip and pad. None of them computes anything by
//! itself.

pub(crate) mod arrange;
pub(crate) mod insert;
pub(crate) mod join;
pub(crate) mod padding;
pub(crate) mod shift;
pub(crate) mod slice;

use crate::device::literal;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Coefficient, Op, View};
use weft_ir::order;
use weft_ir::{Error, Result, Shape};

impl Tensor {
    /// The same elements in row-major order under another shape; one extent may be −1, which is
    /// inferred. Errors with `Shape` when the sizes differ.
    pub fn reshape(&self, shape: &[i64]) -> Result<Tensor> {
        let extents = inferred(self.shape(), shape)?;
        build::reshape("reshape", self, &Shape::checked("reshape", &extents)?)
    }

    /// Axis i of the result is axis `axes[i]`. Errors with `Axis` unless `axes` names each axis
    /// once.
    pub fn permute(&self, axes: &[i64]) -> Result<Tensor> {
        let order = axes.iter().map(|&a| self.shape().axis("permute", a)).collect::<Result<Vec<_>>>()?;
        let mut sorted = order.clone();
        order::sort(&mut sorted);
        if !sorted.iter().copied().eq(0..self.rank()) {
            let what =
                format!("{axes:?} is not a permutation of the {} axes of {}", self.rank(), self.shape());
            return Err(Error::axis("permute", what));
        }
        build::permute("permute", self, order)
    }

    /// The axes in reverse order; of a matrix, its transpose.
    pub fn transpose(&self) -> Result<Tensor> {
        build::permute("transpose", self, (0..self.rank()).rev().collect())
    }

    /// Two axes exchanged. Errors with `Axis` when one is out of range.
    pub fn swap_axes(&self, a: i64, b: i64) -> Result<Tensor> {
        let (a, b) = (self.shape().axis("swapAxes", a)?, self.shape().axis("swapAxes", b)?);
        let mut order: Vec<usize> = (0..self.rank()).collect();
        order.swap(a, b);
        build::permute("swapAxes", self, order)
    }

    /// Repeated to `shape`: axes of extent 1 repeat, missing axes are added in front. Errors with
    /// `Shape` when it does not fit.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Tensor> {
        let to = Shape::checked("broadcastTo", shape)?;
        let fits = to.rank() >= self.rank() && {
            let aligned = &to[to.rank() - self.rank()..];
            self.shape().iter().zip(aligned).all(|(&from, &to)| from == to || from == 1)
        };
        if !fits {
            return Err(Error::shape("broadcastTo", format!("{} does not broadcast to {to}", self.shape())));
        }
        build::expand("broadcastTo", self, &to)
    }

    /// A new axis of extent 1 at position `axis` of the result. Errors with `Axis` when out of
    /// range.
    pub fn expand_dims(&self, axis: i64) -> Result<Tensor> {
        self.expand_dims_at(&[axis])
    }

    /// New axes of extent 1, which are to stand at `axes` in the end. Errors with `Axis` for those
    /// out of range or given twice.
    pub fn expand_dims_at(&self, axes: &[i64]) -> Result<Tensor> {
        let name = "expandDims";
        let widened: Shape = [&self.shape()[..], &vec![1; axes.len()]].concat().into();
        let mut extents = self.shape().to_vec();
        for axis in widened.axes(name, Some(axes))? {
            extents.insert(axis, 1);
        }
        build::reshape(name, self, &Shape::checked(name, &extents)?)
    }

    /// Without the given axes of extent 1; `None` removes all such axes. Errors with `Axis`, and
    /// with `Shape` when an axis has another extent.
    pub fn squeeze(&self, axes: Option<&[i64]>) -> Result<Tensor> {
        let shape = self.shape();
        let axes = match axes {
            Some(_) => shape.axes("squeeze", axes)?,
            None => (0..shape.rank()).filter(|&a| shape[a] == 1).collect(),
        };
        if let Some(&axis) = axes.iter().find(|&&a| shape[a] != 1) {
            let what = format!("axis {axis} of {shape} has extent {}, expected 1", shape[axis]);
            return Err(Error::shape("squeeze", what));
        }
        build::reshape("squeeze", self, &shape.without(&axes))
    }

    /// All elements along one axis.
    pub fn flatten(&self) -> Result<Tensor> {
        build::reshape("flatten", self, &[self.size()].into())
    }

    /// The axes from `start` to `end`, both among them, as one; others stay. A 0-d tensor becomes
    /// one of one element. Errors with `Axis` for an axis that is not there, and where `end` comes
    /// before `start`.
    pub fn flatten_axes(&self, start: i64, end: i64) -> Result<Tensor> {
        let shape = if self.rank() == 0 { Shape::from([1]) } else { self.shape().clone() };
        let (first, last) = (shape.axis("flatten", start)?, shape.axis("flatten", end)?);
        if first > last {
            return Err(Error::axis("flatten", format!("axis {end} comes before axis {start} in {shape}")));
        }
        let size = shape[first..=last].iter().product();
        build::reshape("flatten", self, &[&shape[..first], &[size], &shape[last + 1..]].concat().into())
    }

    /// The elements along the given axes (`None`: all) in reverse order.
    pub fn flip(&self, axes: Option<&[i64]>) -> Result<Tensor> {
        let axes = self.shape().axes("flip", axes)?;
        if self.size() == 0 || axes.iter().all(|&a| self.shape()[a] == 1) {
            return build::cast("flip", self, self.dtype());
        }
        let reversed = |a: usize| axes.contains(&a);
        let starts = (0..self.rank()).map(|a| if reversed(a) { self.shape()[a] as i64 - 1 } else { 0 });
        let view = View::Slice {
            starts: starts.map(Coefficient::Const).collect(),
            steps: (0..self.rank()).map(|a| if reversed(a) { -1 } else { 1 }).collect(),
            lengths: self.shape().to_vec(),
        };
        self.device().append("flip", Op::View(view), &[self])
    }

    /// Surrounded by `value`: `pads[axis]` elements before and after. Errors with `Shape` unless
    /// there is one pair per axis.
    pub fn pad(&self, pads: &[(usize, usize)], value: f64) -> Result<Tensor> {
        if pads.len() != self.rank() {
            let what =
                format!("{} has {} axes, got {} pairs of widths", self.shape(), self.rank(), pads.len());
            return Err(Error::shape("pad", what));
        }
        if pads.iter().all(|&p| p == (0, 0)) {
            return build::cast("pad", self, self.dtype());
        }
        build::pad("pad", self, pads, literal("pad", value, self.dtype())?)
    }

    /// The same values, through which no gradient flows.
    pub fn detach(&self) -> Result<Tensor> {
        self.device().append("detach", Op::Detach, &[self])
    }

    /// The rows in the opposite order. Errors with `Axis` without any.
    pub fn flipud(&self) -> Result<Tensor> {
        self.flip(Some(&[0]))
    }

    /// The columns in the opposite order. Errors with `Axis` without any.
    pub fn fliplr(&self) -> Result<Tensor> {
        self.flip(Some(&[1]))
    }

    /// The last two axes exchanged. Errors with `Axis` where there are not as many.
    pub fn matrix_transpose(&self) -> Result<Tensor> {
        self.swap_axes(-1, -2)
    }

    /// With at least `axes` axes, as NumPy's `atleast_1d`, `atleast_2d` and `atleast_3d`: a vector
    /// is a row of a matrix, and lies along the second of three axes; a matrix along the first two.
    pub fn at_least(&self, axes: usize) -> Result<Tensor> {
        let shape = match (self.shape()[..].to_vec(), axes) {
            (extents, axes) if extents.len() >= axes => extents,
            (extents, 3) if extents.len() == 2 => [&extents[..], &[1]].concat(),
            (_, 3) => vec![1, self.size(), 1],
            (_, 2) => vec![1, self.size()],
            _ => vec![1],
        };
        build::reshape("atLeast", self, &shape.into())
    }
}

/// `to` with its −1 replaced so that the size is that of `from`.
fn inferred(from: &Shape, to: &[i64]) -> Result<Vec<usize>> {
    let words = to.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let wrong = |what: String| Error::shape("reshape", format!("{from} to [{words}]: {what}"));
    let mut open = None;
    let mut extents = vec![1; to.len()];
    for (axis, &extent) in to.iter().enumerate() {
        match usize::try_from(extent) {
            Ok(extent) => extents[axis] = extent,
            Err(_) if extent == -1 && open.is_none() => open = Some(axis),
            Err(_) => return Err(wrong("extents must not be negative, except for one -1".into())),
        }
    }
    let known = extents.iter().try_fold(1usize, |n, &e| n.checked_mul(e));
    let known = known.ok_or_else(|| wrong("too large".into()))?;
    match open {
        Some(axis) if known > 0 && from.size().is_multiple_of(known) => extents[axis] = from.size() / known,
        Some(_) => return Err(wrong(format!("{} elements do not divide into {known}", from.size()))),
        None if known != from.size() => {
            return Err(wrong(format!("{} elements are not {known}", from.size())));
        }
        None => {}
    }
    Ok(extents)
}
