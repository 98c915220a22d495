//! What is put in, taken out, or put beside what is there? And what is done along an axis by weights, edges or positions.

use crate::build;
use crate::device::Device;
use crate::elementwise::select;
use crate::join::concat;
use crate::operand::Operand;
use crate::places::Outside;
use crate::signal;
use crate::slice::Part;
use crate::tensor::Tensor;
use weft_ir::{DType, Error, Literal, Result, Shape, order};

/// Positions that are listed at most.
const MOST_LISTED: usize = 1 << 24;

impl Tensor {
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

    /// With at least so many axes, as NumPy's `atleast_1d`, `atleast_2d` and `atleast_3d`: a vector is a row of a matrix, and lies along the second of
    /// three axes; a matrix along the first two.
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

    /// `values` behind this: both flattened, or joined along `axis`. Errors as [`concat`].
    pub fn append(&self, values: &Tensor, axis: Option<i64>) -> Result<Tensor> {
        match axis {
            None => concat(&[&self.flatten()?, &values.flatten()?], 0),
            Some(axis) => concat(&[self, values], axis),
        }
    }

    /// The axis to insert at or to remove from, and the tensor, flattened where there is none.
    fn line(&self, name: &str, axis: Option<i64>) -> Result<(Tensor, usize)> {
        match axis {
            None => Ok((self.flatten()?, 0)),
            Some(axis) => Ok((self.clone(), self.shape().axis(name, axis)?)),
        }
    }

    /// `values` put before the positions `at`, which are those before anything is put in; flattened, or along `axis`. One position takes all values
    /// along the axis, several take one each. Errors with `Axis`, with `Value` for a position that there is not, and with `Shape` where values do
    /// not fit.
    pub fn insert(&self, at: &[i64], values: &Tensor, axis: Option<i64>) -> Result<Tensor> {
        let name = "insert";
        let (base, along) = self.line(name, axis)?;
        let extent = base.shape()[along];
        let places = positions(name, at, extent, extent as i64)?;
        let several = places.len() != 1;
        let count = match (several, base.rank()) {
            (true, _) => places.len(),
            (false, rank) if values.rank() == rank => values.shape()[along],
            (false, 1) => values.size(),
            (false, _) => 1,
        };
        let shaped = match base.rank() {
            1 if values.rank() > 0 => values.flatten()?,
            rank if !several && rank > 1 && values.rank() == rank - 1 => values.expand_dims(along as i64)?,
            _ => values.clone(),
        };
        let mut shape = base.shape().to_vec();
        shape[along] = count;
        let added = shaped.broadcast_to(&shape)?;
        listed(name, extent + count)?;
        // Where each element of both together stands: by position, those added first.
        let put = (0..count).map(|n| (2 * places[if several { n } else { 0 }], extent + n));
        let mut all: Vec<(usize, usize)> = put.chain((0..extent).map(|n| (2 * n + 1, n))).collect();
        order::sort_by_key(&mut all, |(place, _)| place as u64);
        let from: Vec<i32> = all.iter().map(|&(_, n)| n as i32).collect();
        let from = self.device().tensor(&from, &[from.len()])?;
        concat(&[&base, &added], along as i64)?.take(&from, Some(along as i64))
    }

    /// Without what stands at the positions `at`; flattened, or along `axis`. NumPy's `delete`. Errors with `Axis`, and with `Value` for a position that
    /// there is not.
    pub fn remove(&self, at: &[i64], axis: Option<i64>) -> Result<Tensor> {
        let name = "remove";
        let (base, along) = self.line(name, axis)?;
        let extent = base.shape()[along];
        let gone = positions(name, at, extent, extent as i64 - 1)?;
        listed(name, extent)?;
        let mut is_kept = vec![true; extent];
        gone.iter().for_each(|&place| is_kept[place] = false);
        let kept: Vec<i32> = (0..extent).filter(|&n| is_kept[n]).map(|n| n as i32).collect();
        if kept.is_empty() {
            return base.between(name, along, 0, 0);
        }
        base.take(&self.device().tensor(&kept, &[kept.len()])?, Some(along as i64))
    }

    /// The elements in row-major order as often as fills a shape. Errors with `Shape` where there are none to fill it with.
    pub fn resize(&self, shape: &[usize]) -> Result<Tensor> {
        let name = "resize";
        let shape = Shape::checked(name, shape)?;
        let (all, size) = (self.flatten()?, shape.size());
        if all.size() == 0 && size > 0 {
            return Err(Error::shape(name, format!("nothing fills no {shape}")));
        }
        let places = self.device().arange(0.0, size as f64, 1.0, DType::I32)?;
        let filled = match size {
            0 => all.between(name, 0, 0, 0)?,
            _ => all.take(&places.remainder(all.size() as f64)?, Some(0))?,
        };
        build::reshape(name, &filled, &shape)
    }

    /// The differences of neighbours in the flattened tensor, between `begin` and `end`, in its dtype.
    pub fn ediff1d(&self, begin: &Tensor, end: &Tensor) -> Result<Tensor> {
        let inner = self.flatten()?.diff(1, -1)?;
        let edge = |of: &Tensor| of.flatten()?.cast(inner.dtype());
        concat(&[&edge(begin)?, &inner, &edge(end)?], 0)
    }

    /// The mean over `axes`, of elements that count differently if there are weights: of the same shape, or a vector along the one axis. NaN or infinite
    /// where the weights add up to 0. Errors with `Axis`, and with `Shape` where weights do not fit.
    pub fn average(&self, axes: Option<&[i64]>, weights: Option<&Tensor>, keepdims: bool) -> Result<Tensor> {
        let name = "average";
        let Some(weights) = weights else { return self.mean(axes, keepdims) };
        let mut shares = weights.clone();
        if shares.rank() == 1 && self.rank() != 1 {
            let Some(&[axis]) = axes else {
                return Err(Error::shape(name, "a vector of weights needs one axis"));
            };
            let mut shape = vec![1; self.rank()];
            shape[self.shape().axis(name, axis)?] = shares.size();
            shares = build::reshape(name, &shares, &shape.into())?;
        }
        let shares = shares.broadcast_to(self.shape())?;
        self.mul(&shares)?.sum(axes, keepdims)?.div(shares.sum(axes, keepdims)?)
    }

    /// [`Tensor::cumsum`], behind a 0 if `initial`.
    pub fn cumulative_sum(&self, axis: i64, initial: bool) -> Result<Tensor> {
        self.cumsum(axis)?.behind("cumulativeSum", axis, initial, Literal::zero)
    }

    /// [`Tensor::cumprod`], behind a 1 if `initial`.
    pub fn cumulative_prod(&self, axis: i64, initial: bool) -> Result<Tensor> {
        self.cumprod(axis)?.behind("cumulativeProd", axis, initial, Literal::one)
    }

    /// A running result, behind that of nothing where it is asked for.
    fn behind(self, name: &str, axis: i64, asked: bool, nothing: fn(DType) -> Literal) -> Result<Tensor> {
        if !asked {
            return Ok(self);
        }
        let along = self.shape().axis(name, axis)?;
        build::pad_axis(name, &self, along, (1, 0), nothing(self.dtype()))
    }

    /// [`Tensor::cumsum`] with 0 for NaN.
    pub fn nancumsum(&self, axis: i64) -> Result<Tensor> {
        self.without_nan("nancumsum", 0.0)?.cumsum(axis)
    }

    /// [`Tensor::cumprod`] with 1 for NaN.
    pub fn nancumprod(&self, axis: i64) -> Result<Tensor> {
        self.without_nan("nancumprod", 1.0)?.cumprod(axis)
    }

    /// With `values` at the positions along `axis` that [`Tensor::take_along_axis`] would take; of positions given twice any may win. Those beyond the
    /// axis are left out, or mean what `outside` says. Errors with `Axis`, with `Value` for positions that are no integers, and with `Shape` where
    /// these or the values do not fit.
    pub fn put_along_axis(
        &self,
        positions: &Tensor,
        values: &Tensor,
        axis: i64,
        outside: Outside,
    ) -> Result<Tensor> {
        let name = "putAlongAxis";
        let place = self.shape().axis(name, axis)?;
        if !positions.dtype().is_integer() {
            let what = format!("positions are whole numbers, got {}", positions.dtype());
            return Err(Error::value(name, what));
        }
        if positions.rank() != self.rank() {
            let what = format!("{} are no positions in {}", positions.shape(), self.shape());
            return Err(Error::shape(name, what));
        }
        let (extent, mut shape) = (self.shape()[place], self.shape().to_vec());
        shape[place] = positions.shape()[place];
        let along = build::cast(name, positions, DType::I32)?.broadcast_to(&shape)?;
        let along = match outside {
            Outside::Nearest => along.clip(Some(0.0), Some(extent.saturating_sub(1) as f64))?,
            Outside::Wrap => along.remainder(extent as f64)?,
            Outside::Usual | Outside::FromStart | Outside::Fill(_) => along,
        };
        let shape: Shape = shape.into();
        // What lies outside is left out: beyond all elements.
        let mut flat = select(&along.less(0.0)?, along.add(extent as f64)?, &along)?;
        let beyond = flat.less(0.0)?.logical_or(flat.greater_equal(extent as f64)?)?;
        let stride = |axis: usize| self.shape()[axis + 1..].iter().product::<usize>() as f64;
        flat = flat.mul(stride(place))?;
        for axis in (0..self.rank()).filter(|&axis| axis != place) {
            let own = self.device().positions(name, &shape, axis, DType::I32)?;
            flat = flat.add(own.mul(stride(axis))?)?;
        }
        let flat = select(&beyond, self.size() as f64, flat)?;
        let put = values.broadcast_to(&shape)?.cast(self.dtype())?;
        let found = self.flatten()?.at(flat.flatten()?).set(put.flatten()?)?;
        build::reshape(name, &found, self.shape())
    }

    /// The positions along each axis of `shape` of what stands at row-major positions.
    pub fn unravel(&self, shape: &[usize]) -> Result<Vec<Tensor>> {
        let mut rest = self.clone();
        let mut found = Vec::new();
        for &extent in shape.iter().rev() {
            found.push(rest.remainder(extent as f64)?);
            rest = rest.floor_divide(extent as f64)?;
        }
        found.reverse();
        Ok(found)
    }
}

/// Positions along an extent, up to `most`, counted from the front.
/// Errors with `Value` where more positions would be listed than the host has room for.
fn listed(name: &str, count: usize) -> Result<()> {
    if count <= MOST_LISTED {
        return Ok(());
    }
    let what = format!("takes up to {MOST_LISTED} elements along its axis, got {count}: join slices");
    Err(Error::value(name, what))
}

fn positions(name: &str, at: &[i64], extent: usize, most: i64) -> Result<Vec<usize>> {
    let least = -(extent as i64);
    let place = |&at: &i64| {
        if at < least || at > most {
            let what = format!("position {at} is out of range: expected {least} to {most}");
            return Err(Error::value(name, what));
        }
        Ok((if at < 0 { at - least } else { at }) as usize)
    };
    at.iter().map(place).collect()
}

/// The row-major positions of what stands at positions along each axis of `shape`. Errors with `Shape` unless there are as many.
pub fn ravel(device: &Device, positions: &[&Tensor], shape: &[usize]) -> Result<Tensor> {
    if positions.len() != shape.len() {
        let what = format!("takes positions along {} axes, got {}", shape.len(), positions.len());
        return Err(Error::shape("ravelMultiIndex", what));
    }
    let mut sum = device.number(0.0, DType::I32)?;
    for (&along, &extent) in positions.iter().zip(shape) {
        sum = sum.mul(extent as f64)?.add(along)?;
    }
    Ok(sum)
}

/// The bin in which each element lies: how many of the ascending edges are not above it (or, from the right, below it), as i32. Edges may descend, too.
/// Errors with `Shape` unless they are a vector.
pub(crate) fn digitize(device: &Device, x: Operand, edges: &Tensor, right: bool) -> Result<Tensor> {
    if edges.rank() != 1 {
        return Err(Error::shape("digitize", format!("takes a vector of edges, got {}", edges.shape())));
    }
    let ascending = signal::search_sorted(device, edges, x.clone(), !right)?;
    if edges.size() < 2 {
        return Ok(ascending);
    }
    let before = signal::search_sorted(device, &edges.flip(None)?, x, !right)?;
    let descending = before.neg()?.add(edges.size() as f64)?;
    let falls = edges.part(&[Part::At(0)])?.greater(edges.part(&[Part::At(-1)])?)?;
    select(&falls, descending, ascending)
}

impl Device {
    /// A matrix of ones up to a diagonal, and zeros above, in f32.
    pub fn tri(&self, rows: usize, columns: usize, diagonal: i64) -> Result<Tensor> {
        self.ones(&[rows, columns], DType::F32)?.tril(diagonal)
    }
}
