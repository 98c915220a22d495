//! `insert`, `delete`, `append` and `resize`.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::concat;
use weft_ir::{DType, Error, Result, Shape, order};

/// Positions that are listed at most.
const MOST_LISTED: usize = 1 << 24;

impl Tensor {
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

    /// `values` put before the positions `at`, which are those before anything is put in;
    /// flattened, or along `axis`. One position takes all values along the axis, several take one
    /// each. Errors with `Axis`, with `Value` for a position that there is not, and with `Shape`
    /// where values do not fit.
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
        // Elements of both by position; inserted ones come before the element at theirs.
        let put = (0..count).map(|n| (2 * places[if several { n } else { 0 }], extent + n));
        let mut all: Vec<(usize, usize)> = put.chain((0..extent).map(|n| (2 * n + 1, n))).collect();
        order::sort_by_key(&mut all, |(place, _)| place as u64);
        let from: Vec<i32> = all.iter().map(|&(_, n)| n as i32).collect();
        let from = self.device().tensor(&from, &[from.len()])?;
        concat(&[&base, &added], along as i64)?.take(&from, Some(along as i64))
    }

    /// Without what stands at the positions `at`; flattened, or along `axis`. NumPy's `delete`.
    /// Errors with `Axis`, and with `Value` for a position that there is not.
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

    /// The elements in row-major order as often as fills a shape. Errors with `Shape` where there
    /// are none to fill it with.
    pub fn resize(&self, shape: &[usize]) -> Result<Tensor> {
        let name = "resize";
        let shape = Shape::checked(name, shape)?;
        let (all, size) = (self.flatten()?, shape.size());
        if all.size() == 0 && size > 0 {
            return Err(Error::shape(name, format!("cannot resize an empty tensor to {shape}")));
        }
        let places = self.device().arange(0.0, size as f64, 1.0, DType::I32)?;
        let filled = match size {
            0 => all.between(name, 0, 0, 0)?,
            _ => all.take(&places.remainder(all.size() as f64)?, Some(0))?,
        };
        build::reshape(name, &filled, &shape)
    }
}

/// Errors with `Value` where more positions would be listed than the host has room for.
fn listed(name: &str, count: usize) -> Result<()> {
    if count <= MOST_LISTED {
        return Ok(());
    }
    let what = format!("takes up to {MOST_LISTED} elements along its axis, got {count}: join slices");
    Err(Error::value(name, what))
}

/// Positions along an extent, up to `most`, counted from the front.
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
