//! Scans and sorts in the interpreter: running reductions, floats in f64, and positions in order.

use super::strided::{Strided, Tensor};
use super::{Result, ill_formed};
use crate::functions::{Real, max_real, min_real};
use crate::op::{ReduceOp, Scan};
use crate::order;
use crate::shape::Shape;

/// Extents before an axis, of it, and after it, as one each.
pub(super) fn folded(shape: &Shape, axis: usize) -> [usize; 3] {
    [shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product()]
}

/// Walks every line, all that lie side by side together: their totals begin as `start`, `step`
/// takes in an element.
fn walk<'a, T: Copy, A: Copy>(
    x: &Strided<T>,
    scan: &Scan,
    start: A,
    step: impl Fn(A, T) -> A,
    finish: impl Fn(A) -> T,
) -> Strided<'a, T> {
    let [_, length, after] = folded(&x.shape, scan.axis);
    let mut out = x.contiguous().into_owned();
    let mut totals = vec![start; after];
    for lines in out.chunks_exact_mut((length * after).max(1)) {
        for step_number in 0..length {
            let at = if scan.reverse { length - 1 - step_number } else { step_number };
            let first = if scan.reverse { at + 1 } else { at };
            if step_number == 0 || first % scan.block == 0 {
                totals.fill(start);
            }
            for (element, total) in lines[at * after..][..after].iter_mut().zip(&mut totals) {
                let before = *total;
                *total = step(before, *element);
                *element = finish(if scan.exclusive { before } else { *total });
            }
        }
    }
    Strided::packed(x.shape.clone(), out)
}

/// [`walk`] where totals are elements.
fn walk_same<'a, T: Copy>(x: &Strided<T>, scan: &Scan, start: T, step: &dyn Fn(T, T) -> T) -> Strided<'a, T> {
    walk(x, scan, start, step, |total| total)
}

/// [`crate::op::Op::Scan`].
pub(super) fn scan<'a, R: Real>(scan: &Scan, x: &Tensor<'a, R>) -> Result<Tensor<'a, R>> {
    use ReduceOp::{ArgMax, ArgMin, Max, Min, Prod, Sum};
    Ok(match (scan.op, x) {
        (Sum, Tensor::Float(x)) => Tensor::Float(walk(x, scan, 0.0, |a, x: R| a + x.to_f64(), R::from_f64)),
        (Prod, Tensor::Float(x)) => Tensor::Float(walk(x, scan, 1.0, |a, x: R| a * x.to_f64(), R::from_f64)),
        (Max, Tensor::Float(x)) => {
            Tensor::Float(walk_same(x, scan, R::from_f64(f64::NEG_INFINITY), &max_real))
        }
        (Min, Tensor::Float(x)) => Tensor::Float(walk_same(x, scan, R::from_f64(f64::INFINITY), &min_real)),
        (Sum, Tensor::I32(x)) => Tensor::I32(walk_same(x, scan, 0, &i32::wrapping_add)),
        (Prod, Tensor::I32(x)) => Tensor::I32(walk_same(x, scan, 1, &i32::wrapping_mul)),
        (Max, Tensor::I32(x)) => Tensor::I32(walk_same(x, scan, i32::MIN, &Ord::max)),
        (Min, Tensor::I32(x)) => Tensor::I32(walk_same(x, scan, i32::MAX, &Ord::min)),
        (Sum, Tensor::U32(x)) => Tensor::U32(walk_same(x, scan, 0, &u32::wrapping_add)),
        (Prod, Tensor::U32(x)) => Tensor::U32(walk_same(x, scan, 1, &u32::wrapping_mul)),
        (Max, Tensor::U32(x)) => Tensor::U32(walk_same(x, scan, 0, &Ord::max)),
        (Min, Tensor::U32(x)) => Tensor::U32(walk_same(x, scan, u32::MAX, &Ord::min)),
        (Max, Tensor::Bool(x)) => Tensor::Bool(walk_same(x, scan, false, &|a, b| a | b)),
        (Min, Tensor::Bool(x)) => Tensor::Bool(walk_same(x, scan, true, &|a, b| a & b)),
        (Sum | Prod, Tensor::Bool(_)) | (ArgMax | ArgMin, _) => {
            return Err(ill_formed(format!("scan {:?}", scan.op), x.dtype()));
        }
    })
}

/// [`crate::op::Op::ArgSort`].
pub(super) fn argsort<'a, R: Real>(axis: usize, keys: &Tensor<'a, R>) -> Result<Tensor<'a, R>> {
    let Tensor::U32(keys) = keys else { return Err(ill_formed("argsort", keys.dtype())) };
    let [before, length, after] = folded(&keys.shape, axis);
    let elements = keys.contiguous();
    let mut out = vec![0; elements.len()];
    let mut places: Vec<usize> = Vec::with_capacity(length);
    for line in 0..before * after {
        let first = line / after * length * after + line % after;
        places.clear();
        places.extend(0..length);
        order::sort_by_key(&mut places, |place| u64::from(elements[first + place * after]));
        for (rank, &place) in places.iter().enumerate() {
            out[first + rank * after] = place as i32;
        }
    }
    Ok(Tensor::I32(Strided::packed(keys.shape.clone(), out)))
}
