//! Repetition, rotation, triangles and diagonals.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::concat;
use weft_ir::op::{Binary, Compare};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Positions that are listed here; more are found on the device.
const MOST_LISTED: usize = 1 << 16;

impl Tensor {
    /// The whole repeated `times[axis]` times along each axis; where one of the two has fewer axes,
    /// it gets new ones in front.
    pub fn tile(&self, times: &[usize]) -> Result<Tensor> {
        let name = "tile";
        let rank = times.len().max(self.rank());
        let aligned = |given: &[usize]| [&vec![1; rank - given.len()], given].concat();
        let (extents, times) = (aligned(self.shape()), aligned(times));
        // Each axis follows an axis of its repetitions.
        let pairs = |f: fn(usize, usize) -> [usize; 2]| -> Vec<usize> {
            times.iter().zip(&extents).flat_map(|(&t, &e)| f(t, e)).collect()
        };
        let apart = build::reshape(name, self, &pairs(|_, e| [1, e]).into())?;
        let repeated = build::expand(name, &apart, &Shape::checked(name, &pairs(|t, e| [t, e]))?)?;
        let whole: Vec<usize> = times.iter().zip(&extents).map(|(t, e)| t.saturating_mul(*e)).collect();
        build::reshape(name, &repeated, &Shape::checked(name, &whole)?)
    }

    /// Each element repeated along `axis`; without one, of the flattened tensor: all as often, or
    /// each as often as `times` says for it. Errors with `Axis` when out of range, and with `Shape`
    /// where there are not as many numbers as elements.
    pub fn repeat(&self, times: &[usize], axis: Option<i64>) -> Result<Tensor> {
        let name = "repeat";
        let Some(axis) = axis else { return self.flatten()?.repeat(times, Some(0)) };
        let axis = self.shape().axis(name, axis)?;
        let &[times] = times else { return self.repeat_each(name, times, axis) };
        let (before, after) = self.shape().split_at(axis + 1);
        let shape = |middle: &[usize]| Shape::checked(name, &[before, middle, after].concat());
        let repeated = build::expand(name, &build::reshape(name, self, &shape(&[1])?)?, &shape(&[times])?)?;
        let mut whole = self.shape().to_vec();
        whole[axis] = whole[axis].saturating_mul(times);
        build::reshape(name, &repeated, &Shape::checked(name, &whole)?)
    }

    /// [`Tensor::repeat`] of numbers that are a tensor, to `length` elements along the axis: those
    /// beyond are left out, and the last one fills up what is missing. Errors as that, and with
    /// `DType` unless the counts are integers.
    pub fn repeat_by(&self, times: &Tensor, length: usize, axis: Option<i64>) -> Result<Tensor> {
        let name = "repeat";
        let Some(axis) = axis else { return self.flatten()?.repeat_by(times, length, Some(0)) };
        let extent = self.shape()[self.shape().axis(name, axis)?];
        let all = times.size() == 1 && times.rank() < 2;
        if !times.dtype().is_integer() {
            return Err(Error::dtype(name, format!("the counts must be integers, got {}", times.dtype())));
        }
        if !all && times.shape()[..] != [extent] {
            return Err(Error::shape(
                name,
                format!("counts of shape {} for an axis of {extent}", times.shape()),
            ));
        }
        let times = build::expand(name, &times.flatten()?.cast(DType::I32)?, &[extent].into())?;
        let ends = times.clip(Some(0.0), None)?.cumsum(0)?;
        let places = ends.search_sorted(self.device().arange(0.0, length as f64, 1.0, DType::I32)?, true)?;
        self.take(&places.clip(None, Some(extent as f64 - 1.0))?, Some(axis))
    }

    fn repeat_each(&self, name: &str, times: &[usize], axis: usize) -> Result<Tensor> {
        let extent = self.shape()[axis];
        if times.len() != extent {
            return Err(Error::shape(name, format!("{} counts for an axis of {extent}", times.len())));
        }
        let long = times.iter().fold(0_usize, |long, &times| long.saturating_add(times));
        let mut shape = self.shape().to_vec();
        shape[axis] = long;
        Shape::checked(name, &shape)?;
        if long > MOST_LISTED {
            let counts: Vec<i32> = times.iter().map(|&times| times as i32).collect();
            return self.repeat_by(&self.device().tensor(&counts, &[extent])?, long, Some(axis as i64));
        }
        let mut places = Vec::with_capacity(long);
        for (place, &times) in times.iter().enumerate() {
            places.resize(places.len() + times, place as i32);
        }
        self.take(&self.device().tensor(&places, &[long])?, Some(axis as i64))
    }

    /// Turned by `times` quarter turns in the plane of two axes, from the first towards the second.
    /// Errors with `Axis` when they are one or out of range.
    pub fn rot90(&self, times: i64, from: i64, to: i64) -> Result<Tensor> {
        let name = "rot90";
        self.shape().axes(name, Some(&[from, to]))?;
        let (from, to) = (self.shape().axis(name, from)? as i64, self.shape().axis(name, to)? as i64);
        match times.rem_euclid(4) {
            0 => build::cast(name, self, self.dtype()),
            1 => self.flip(Some(&[to]))?.swap_axes(from, to),
            2 => self.flip(Some(&[from, to])),
            _ => self.flip(Some(&[from]))?.swap_axes(from, to),
        }
    }

    /// Axes moved to other places, the others in their order. Errors with `Axis` when one is out of
    /// range or repeated, and with `Value` where there are not as many places as axes.
    pub fn move_axis(&self, from: &[i64], to: &[i64]) -> Result<Tensor> {
        let name = "moveAxis";
        if from.len() != to.len() {
            return Err(Error::value(name, format!("{} places for {} axes", to.len(), from.len())));
        }
        for axes in [from, to] {
            self.shape().axes(name, Some(axes))?;
        }
        let mut order = vec![None; self.rank()];
        let mut moves = vec![false; self.rank()];
        for (&from, &to) in from.iter().zip(to) {
            let from = self.shape().axis(name, from)?;
            order[self.shape().axis(name, to)?] = Some(from);
            moves[from] = true;
        }
        let mut others = (0..self.rank()).filter(|&axis| !moves[axis]);
        let order = order.into_iter().filter_map(|axis| axis.or_else(|| others.next())).collect();
        build::permute(name, self, order)
    }

    /// What lies on and below the given diagonal of each matrix of the last two axes, 0 elsewhere.
    /// Errors with `Shape` below two axes.
    pub fn tril(&self, diagonal: i64) -> Result<Tensor> {
        self.triangle("tril", diagonal, Compare::Le)
    }

    /// What lies on and above the given diagonal. Otherwise as [`Tensor::tril`].
    pub fn triu(&self, diagonal: i64) -> Result<Tensor> {
        self.triangle("triu", diagonal, Compare::Ge)
    }

    fn triangle(&self, name: &str, diagonal: i64, side: Compare) -> Result<Tensor> {
        if self.rank() < 2 {
            return Err(Error::shape(name, format!("takes matrices, got {}", self.shape())));
        }
        let inside = self.to_diagonal(name, diagonal, side)?;
        let none = build::constant_like(name, self, Literal::zero(self.dtype()))?;
        build::select(name, &inside, self, &none)
    }

    /// How each element's column stands to its row moved by `diagonal`, of the last two axes.
    fn to_diagonal(&self, name: &str, diagonal: i64, side: Compare) -> Result<Tensor> {
        let (shape, rank) = (self.shape(), self.rank());
        let (rows, columns) = (shape[rank - 2] as i64, shape[rank - 1] as i64);
        let row = self.device().positions(name, shape, rank - 2, DType::I32)?;
        let column = self.device().positions(name, shape, rank - 1, DType::I32)?;
        let shift = build::constant_like(name, &row, Literal::I32(diagonal.clamp(-rows, columns) as i32))?;
        build::compare(name, side, &column, &build::binary(name, Binary::Add, &row, &shift)?)
    }

    /// The diagonal of the matrices of two axes, as a last axis; `offset` moves it to the right.
    /// Errors with `Axis` when they are one or out of range.
    pub fn diagonal(&self, offset: i64, a: i64, b: i64) -> Result<Tensor> {
        self.diagonal_of("diagonal", offset, a, b)
    }

    pub(crate) fn diagonal_of(&self, name: &str, offset: i64, a: i64, b: i64) -> Result<Tensor> {
        self.shape().axes(name, Some(&[a, b]))?;
        let (a, b) = (self.shape().axis(name, a)?, self.shape().axis(name, b)?);
        let mut order: Vec<usize> = (0..self.rank()).filter(|&axis| axis != a && axis != b).collect();
        order.extend([a, b]);
        let x = build::permute(name, self, order)?;
        let (outer, sides) = x.shape().split_at(self.rank() - 2);
        let (rows, columns) = (sides[0] as i64, sides[1] as i64);
        let length = (rows + offset.min(0)).min(columns - offset.max(0)).max(0);
        let axis = outer.len();
        let shaped = |extents: &[usize]| Shape::checked(name, &[outer, extents].concat());
        if length == 0 {
            return build::expand(
                name,
                &x.device().constant(name, Literal::zero(x.dtype()))?,
                &shaped(&[0])?,
            );
        }
        let x = x.between(name, axis, (-offset).max(0), (-offset).max(0) + length)?;
        let x = x.between(name, axis + 1, offset.max(0), offset.max(0) + length)?;
        // In rows one longer, each diagonal element is the first of its row.
        let flat = build::reshape(name, &x, &shaped(&[(length * length) as usize])?)?;
        let ended = build::pad_axis(name, &flat, axis, (0, length as usize), Literal::zero(x.dtype()))?;
        let rows = build::reshape(name, &ended, &shaped(&[length as usize, length as usize + 1])?)?;
        build::reshape(name, &rows.between(name, axis + 1, 0, 1)?, &shaped(&[length as usize])?)
    }

    /// A vector along a diagonal of a matrix otherwise 0, or the diagonal of a matrix. Errors with
    /// `Shape` for other ranks.
    pub fn diag(&self, offset: i64) -> Result<Tensor> {
        let name = "diag";
        match self.rank() {
            1 => {
                let side = self.size() + offset.unsigned_abs() as usize;
                let shape = Shape::checked(name, &[side, side])?;
                let (above, right) = ((-offset).max(0) as usize, offset.max(0) as usize);
                let placed = build::pad_axis(name, self, 0, (right, above), Literal::zero(self.dtype()))?;
                let each = build::expand(name, &placed, &shape)?;
                let on = each.to_diagonal(name, offset, Compare::Eq)?;
                build::select(
                    name,
                    &on,
                    &each,
                    &build::constant_like(name, &each, Literal::zero(self.dtype()))?,
                )
            }
            2 => self.diagonal_of(name, offset, 0, 1),
            _ => Err(Error::shape(name, format!("takes a vector or a matrix, got {}", self.shape()))),
        }
    }

    /// The sum of the diagonal of the matrices of two axes; bools count as i32. Errors as
    /// [`Tensor::diagonal`].
    pub fn trace(&self, offset: i64, a: i64, b: i64) -> Result<Tensor> {
        self.diagonal_of("trace", offset, a, b)?.sum(Some(&[-1]), false)
    }
}

/// At least as many axes, new ones of extent 1 as NumPy puts them: of a number in front, of a
/// vector before it, of a matrix behind.
fn with_axes(name: &str, x: &Tensor, rank: usize) -> Result<Tensor> {
    let shape = match (x.rank(), rank) {
        (1, 3) => [&[1], &x.shape()[..], &[1]].concat(),
        (2, 3) => [&x.shape()[..], &[1]].concat(),
        (own, _) => [&vec![1; rank.saturating_sub(own)], &x.shape()[..]].concat(),
    };
    build::reshape(name, x, &shape.into())
}

fn stacked(name: &str, tensors: &[&Tensor], rank: usize, axis: i64) -> Result<Tensor> {
    let tensors = tensors.iter().map(|x| with_axes(name, x, rank)).collect::<Result<Vec<_>>>()?;
    concat(&tensors.iter().collect::<Vec<_>>(), axis)
}

/// Joined along the second axis, vectors along their only one. Errors as [`concat`].
pub fn hstack(tensors: &[&Tensor]) -> Result<Tensor> {
    let axis = if tensors.iter().all(|x| x.rank() < 2) { 0 } else { 1 };
    stacked("hstack", tensors, 1, axis)
}

/// Joined along the first axis, vectors as rows. Errors as [`concat`].
pub fn vstack(tensors: &[&Tensor]) -> Result<Tensor> {
    stacked("vstack", tensors, 2, 0)
}

/// Joined along the third axis. Errors as [`concat`].
pub fn dstack(tensors: &[&Tensor]) -> Result<Tensor> {
    stacked("dstack", tensors, 3, 2)
}

/// Vectors as the columns of a matrix, and matrices beside them. Errors as [`concat`].
pub fn column_stack(tensors: &[&Tensor]) -> Result<Tensor> {
    let name = "columnStack";
    let column = |x: &Tensor| match x.rank() {
        0 | 1 => build::reshape(name, x, &[x.size(), 1].into()),
        _ => Ok(x.clone()),
    };
    let columns = tensors.iter().map(|x| column(x)).collect::<Result<Vec<_>>>()?;
    concat(&columns.iter().collect::<Vec<_>>(), 1)
}
