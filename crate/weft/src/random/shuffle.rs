//! Permutations and samples, by sorting random keys. The values are those of JAX's functions.

use super::{Stream, bits, split, uniform};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::sort;
use weft_ir::op::Op;
use weft_ir::{DType, Error, Result, Shape};

/// The elements of `x` along `axis` in random order: whole slices, or each line in an order of its
/// own if `independent`. Errors with `Axis`, and as all functions of keys do.
pub fn permutation(key: &Tensor, x: &Tensor, axis: i64, independent: bool) -> Result<Tensor> {
    let name = "random.permutation";
    let at = x.shape().axis(name, axis)?;
    if independent || x.rank() == 1 {
        return shuffled(name, key, x, at);
    }
    let places = x.device().positions(name, &[x.shape()[at]].into(), 0, DType::I32)?;
    x.take(&shuffled(name, key, &places, 0)?, Some(axis))
}

/// Sorted by random keys, so often that keys that are equal by chance do not matter.
fn shuffled(name: &'static str, key: &Tensor, x: &Tensor, axis: usize) -> Result<Tensor> {
    let rounds = (3.0 * (x.size().max(1) as f64).ln() / f64::from(u32::MAX).ln()).ceil() as usize;
    Stream::of(name, key)?;
    let (mut key, mut x) = (key.clone(), x.clone());
    for _ in 0..rounds {
        let keys = split(&key, 2)?;
        let row = |n: i64| build::reshape(name, &keys.between(name, 0, n, n + 1)?, &[2].into());
        let own = bits(&row(1)?, x.shape())?;
        key = row(0)?;
        x = x.along(name, &sort::positions(name, &own, axis, false)?, axis)?;
    }
    Ok(x)
}

/// How [`choice`] picks.
#[derive(Clone, Debug, Default)]
pub struct Picks {
    /// Whether an element may be picked only once.
    pub once: bool,
    /// The probability of each element along the axis, which sum to 1; the same for all without.
    pub probabilities: Option<Tensor>,
    /// The axis along which elements are picked.
    pub axis: i64,
}

/// Elements of `x` along an axis, picked at random into `shape`, which takes the axis's place.
/// Errors with `Value` where more are to be picked once than there are, or from nothing; with
/// `Shape` for probabilities of another extent; with `Axis`, and as all functions of keys do.
pub fn choice(key: &Tensor, x: &Tensor, shape: &[usize], picks: &Picks) -> Result<Tensor> {
    let name = "random.choice";
    let axis = x.shape().axis(name, picks.axis)?;
    let (count, shape) = (x.shape()[axis], Shape::checked(name, shape)?);
    let draws = shape.size();
    if (picks.once && draws > count) || (count == 0 && draws > 0) {
        return Err(Error::value(name, format!("cannot pick {draws} of {count} elements")));
    }
    let chosen = match &picks.probabilities {
        None if picks.once => {
            let all = permutation(key, x, picks.axis, false)?;
            let some = sort::first(name, &all, draws, axis)?;
            let extents = [&x.shape()[..axis], &shape[..], &x.shape()[axis + 1..]].concat();
            return build::reshape(name, &some, &Shape::checked(name, &extents)?);
        }
        None => super::randint(key, &shape, 0.0, count as f64, DType::I32)?,
        Some(p) => {
            let p = build::cast(name, p, DType::F32)?;
            if p.shape()[..] != [count] {
                let what =
                    format!("probabilities are {}, expected one for each of {count} elements", p.shape());
                return Err(Error::shape(name, what));
            }
            if picks.once {
                // Gumbel noise on log-probabilities: the largest are a draw without replacement.
                let noise = uniform(key, &[count], f64::from(f32::MIN_POSITIVE), 1.0)?;
                let noise = noise.log()?.neg()?.log()?.neg()?;
                let order = sort::positions(name, &noise.add(p.log()?)?, 0, true)?;
                build::reshape(name, &sort::first(name, &order, draws, 0)?, &shape)?
            } else {
                let sums = p.cumsum(0)?;
                let all = build::reshape(
                    name,
                    &sums.between(name, 0, count as i64 - 1, count as i64)?,
                    &Shape::scalar(),
                )?;
                let left = uniform(key, &shape, 0.0, 1.0)?.neg()?.add(1.0)?;
                sums.search_sorted(&all.mul(&left)?, false)?
            }
        }
    };
    x.device().append(name, Op::Gather { axis }, &[x, &chosen])
}
