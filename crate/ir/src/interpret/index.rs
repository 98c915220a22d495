//! Gathers and scatters in the interpreter: the indexed axis between the axes before and after it,
//! copied in runs.

use super::strided::{Strided, Tensor, map_tensor};
use super::{Result, ill_formed};
use crate::functions::{Real, max_real, min_real};
use crate::op::ScatterOp;
use crate::op::infer::gathered;

/// Indices as wide integers, in row-major order.
fn positions<R: Real>(indices: &Tensor<R>) -> Result<Vec<i64>> {
    match indices {
        Tensor::I32(x) => Ok(x.contiguous().iter().map(|&i| i64::from(i)).collect()),
        Tensor::U32(x) => Ok(x.contiguous().iter().map(|&i| i64::from(i)).collect()),
        _ => Err(ill_formed("index", indices.dtype())),
    }
}

/// [`crate::op::Op::Gather`].
pub(super) fn gather<'a, R: Real>(
    axis: usize,
    source: &Tensor<'a, R>,
    indices: &Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    let positions = positions(indices)?;
    let index_shape = indices.shape();
    Ok(map_tensor!(source, x => {
        let shape = gathered(&x.shape, axis, index_shape);
        let (extent, after) = (x.shape[axis], x.shape[axis + 1..].iter().product::<usize>());
        let before: usize = x.shape[..axis].iter().product();
        let elements = x.contiguous();
        let mut out = Vec::with_capacity(shape.size());
        for block in 0..before {
            for &position in &positions {
                let row = position.clamp(0, extent as i64 - 1) as usize;
                out.extend_from_slice(&elements[(block * extent + row) * after..][..after]);
            }
        }
        Strided::packed(shape, out)
    }))
}

/// [`crate::op::Op::Scatter`].
pub(super) fn scatter<'a, R: Real>(
    op: ScatterOp,
    axis: usize,
    base: Tensor<'a, R>,
    indices: &Tensor<'a, R>,
    updates: &Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    let at = positions(indices)?;
    Ok(match (base, updates) {
        (Tensor::Float(base), Tensor::Float(updates)) => Tensor::Float(match op {
            ScatterOp::Set => place(axis, base, &at, updates, &|_, new| new),
            ScatterOp::Add => add(axis, &base, &at, updates),
            ScatterOp::Min => place(axis, base, &at, updates, &min_real),
            ScatterOp::Max => place(axis, base, &at, updates, &max_real),
        }),
        (Tensor::I32(base), Tensor::I32(updates)) => Tensor::I32(match op {
            ScatterOp::Set => place(axis, base, &at, updates, &|_, new| new),
            ScatterOp::Add => place(axis, base, &at, updates, &i32::wrapping_add),
            ScatterOp::Min => place(axis, base, &at, updates, &Ord::min),
            ScatterOp::Max => place(axis, base, &at, updates, &Ord::max),
        }),
        (Tensor::U32(base), Tensor::U32(updates)) => Tensor::U32(match op {
            ScatterOp::Set => place(axis, base, &at, updates, &|_, new| new),
            ScatterOp::Add => place(axis, base, &at, updates, &u32::wrapping_add),
            ScatterOp::Min => place(axis, base, &at, updates, &Ord::min),
            ScatterOp::Max => place(axis, base, &at, updates, &Ord::max),
        }),
        (Tensor::Bool(base), Tensor::Bool(updates)) if op != ScatterOp::Add => Tensor::Bool(match op {
            ScatterOp::Min => place(axis, base, &at, updates, &|old, new| old & new),
            ScatterOp::Max => place(axis, base, &at, updates, &|old, new| old | new),
            ScatterOp::Set | ScatterOp::Add => place(axis, base, &at, updates, &|_, new| new),
        }),
        (base, updates) => {
            return Err(ill_formed("scatter", format!("{} and {}", base.dtype(), updates.dtype())));
        }
    })
}

/// Puts `updates` into `base` one after another in row-major order.
fn place<'a, T: Copy, U: Copy>(
    axis: usize,
    base: Strided<'a, T>,
    positions: &[i64],
    updates: &Strided<U>,
    meet: &dyn Fn(T, U) -> T,
) -> Strided<'a, T> {
    let shape = base.shape.clone();
    let (extent, after) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
    let mut out = base.into_vec();
    let updates = updates.contiguous();
    for (n, update) in updates.chunks_exact(after.max(1)).enumerate() {
        let (block, position) = (n / positions.len(), positions[n % positions.len()]);
        if (0..extent as i64).contains(&position) {
            let row = &mut out[(block * extent + position as usize) * after..][..after];
            row.iter_mut().zip(update).for_each(|(old, &new)| *old = meet(*old, new));
        }
    }
    Strided::packed(shape, out)
}

/// Sums of floats, as wide as those of reductions: thousands of updates may go to one place.
fn add<'a, R: Real>(
    axis: usize,
    base: &Strided<'a, R>,
    positions: &[i64],
    updates: &Strided<R>,
) -> Strided<'a, R> {
    let wide: Vec<f64> = base.contiguous().iter().map(|x| x.to_f64()).collect();
    let wide = Strided::packed(base.shape.clone(), wide);
    let sums = place(axis, wide, positions, updates, &|old, new: R| old + new.to_f64());
    Strided::packed(base.shape.clone(), sums.contiguous().iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>())
}
