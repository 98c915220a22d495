//! Reductions in the interpreter: axes folded into (kept before, reduced, kept after), float sums
//! and products accumulated in f64.

use super::strided::{Strided, Tensor};
use super::{Result, ill_formed};
use crate::dtype::DType;
use crate::functions::{Real, max_real, min_real};
use crate::op::ReduceOp;

/// A tensor seen as [before, length, after] with the middle reduced, in row-major order.
struct Folded<'s, T: Clone> {
    elements: std::borrow::Cow<'s, [T]>,
    before: usize,
    length: usize,
    after: usize,
}

/// Independent accumulators along a contiguous axis, so that one addition need not wait for the one
/// before.
const LANES: usize = 8;

/// `x` folded for a reduction over `axes`; permuted only when the axes are not neighbours.
fn folded<'s, T: Copy>(x: &'s Strided<T>, axes: &[usize]) -> Folded<'s, T> {
    let extents = |axes: &[usize]| axes.iter().map(|&a| x.shape[a]).product::<usize>();
    let neighbours = axes.windows(2).all(|w| w[0] + 1 == w[1]);
    if let (true, Some(&first), Some(&last)) = (neighbours, axes.first(), axes.last()) {
        let (before, after) = (x.shape[..first].iter().product(), x.shape[last + 1..].iter().product());
        return Folded { elements: x.contiguous(), before, length: extents(axes), after };
    }
    let kept: Vec<usize> = (0..x.shape.rank()).filter(|a| !axes.contains(a)).collect();
    let (before, length) = (extents(&kept), extents(axes));
    let elements = x.permute(&[&kept[..], axes].concat()).contiguous().into_owned();
    Folded { elements: elements.into(), before, length, after: 1 }
}

/// Folds `axes` away: `step` takes in an element, `merge` joins two accumulators, `finish` makes
/// the result.
fn fold<'a, T: Copy, A: Copy>(
    x: &Strided<T>,
    axes: &[usize],
    start: A,
    step: impl Fn(A, T) -> A,
    merge: impl Fn(A, A) -> A,
    finish: impl Fn(A) -> T,
) -> Strided<'a, T> {
    let shape = x.shape.without(axes);
    let x = folded(x, axes);
    let mut out = Vec::with_capacity(x.before * x.after);
    if x.length == 0 {
        out.resize(x.before * x.after, finish(start));
    } else if x.after == 1 {
        for row in x.elements.chunks_exact(x.length) {
            let mut lanes = [start; LANES];
            let mut chunks = row.chunks_exact(LANES);
            for chunk in &mut chunks {
                for lane in 0..LANES {
                    lanes[lane] = step(lanes[lane], chunk[lane]);
                }
            }
            let mut total = start;
            for &x in chunks.remainder() {
                total = step(total, x);
            }
            for lane in lanes {
                total = merge(total, lane);
            }
            out.push(finish(total));
        }
    } else if x.after > 0 {
        let mut accumulators = vec![start; x.after];
        for block in x.elements.chunks_exact(x.length * x.after) {
            accumulators.fill(start);
            for row in block.chunks_exact(x.after) {
                for (accumulator, &x) in accumulators.iter_mut().zip(row) {
                    *accumulator = step(*accumulator, x);
                }
            }
            for &accumulator in &accumulators {
                out.push(finish(accumulator));
            }
        }
    }
    Strided::packed(shape, out)
}

/// [`fold`] where accumulators are elements and joining them is the step, which is called: a loop
/// apiece would be large.
fn fold_same<'a, T: Copy>(
    x: &Strided<T>,
    axes: &[usize],
    start: T,
    step: &dyn Fn(T, T) -> T,
) -> Strided<'a, T> {
    fold(x, axes, start, step, step, |a| a)
}

/// The position along `axis` that `better(candidate, best so far)` prefers, the lowest when it
/// never does.
fn position<'a, T: Copy>(x: &Strided<T>, axis: usize, better: &dyn Fn(T, T) -> bool) -> Strided<'a, i32> {
    let shape = x.shape.without(&[axis]);
    let x = folded(x, &[axis]);
    let mut out = Vec::with_capacity(x.before * x.after);
    for block in 0..x.before {
        for column in 0..x.after {
            let at = |i: usize| x.elements[(block * x.length + i) * x.after + column];
            let mut best = 0;
            for i in 1..x.length {
                if better(at(i), at(best)) {
                    best = i;
                }
            }
            out.push(best as i32);
        }
    }
    Strided::packed(shape, out)
}

/// [`ReduceOp`] over `axes`.
pub(super) fn reduce<'a, R: Real>(op: ReduceOp, axes: &[usize], x: &Tensor<'a, R>) -> Result<Tensor<'a, R>> {
    use ReduceOp::{ArgMax, ArgMin, Max, Min, Prod, Sum};
    Ok(match (op, x) {
        (Sum, Tensor::Float(x)) => {
            Tensor::Float(fold(x, axes, 0.0, |a, x: R| a + x.to_f64(), |a, b| a + b, R::from_f64))
        }
        (Prod, Tensor::Float(x)) => {
            Tensor::Float(fold(x, axes, 1.0, |a, x: R| a * x.to_f64(), |a, b| a * b, R::from_f64))
        }
        (Max, Tensor::Float(x)) => {
            Tensor::Float(fold_same(x, axes, R::from_f64(f64::NEG_INFINITY), &max_real))
        }
        (Min, Tensor::Float(x)) => Tensor::Float(fold_same(x, axes, R::from_f64(f64::INFINITY), &min_real)),
        (Sum, Tensor::I32(x)) => Tensor::I32(fold_same(x, axes, 0, &i32::wrapping_add)),
        (Prod, Tensor::I32(x)) => Tensor::I32(fold_same(x, axes, 1, &i32::wrapping_mul)),
        (Max, Tensor::I32(x)) => Tensor::I32(fold_same(x, axes, i32::MIN, &Ord::max)),
        (Min, Tensor::I32(x)) => Tensor::I32(fold_same(x, axes, i32::MAX, &Ord::min)),
        (Sum, Tensor::U32(x)) => Tensor::U32(fold_same(x, axes, 0, &u32::wrapping_add)),
        (Prod, Tensor::U32(x)) => Tensor::U32(fold_same(x, axes, 1, &u32::wrapping_mul)),
        (Max, Tensor::U32(x)) => Tensor::U32(fold_same(x, axes, 0, &Ord::max)),
        (Min, Tensor::U32(x)) => Tensor::U32(fold_same(x, axes, u32::MAX, &Ord::min)),
        (Max, Tensor::Bool(x)) => Tensor::Bool(fold_same(x, axes, false, &|a, b| a | b)),
        (Min, Tensor::Bool(x)) => Tensor::Bool(fold_same(x, axes, true, &|a, b| a & b)),
        (ArgMax, Tensor::Float(x)) => {
            Tensor::I32(position(x, axes[0], &|new, best| new > best || (new.is_nan() && !best.is_nan())))
        }
        (ArgMin, Tensor::Float(x)) => {
            Tensor::I32(position(x, axes[0], &|new, best| new < best || (new.is_nan() && !best.is_nan())))
        }
        (ArgMax, Tensor::I32(x)) => Tensor::I32(position(x, axes[0], &|new, best| new > best)),
        (ArgMin, Tensor::I32(x)) => Tensor::I32(position(x, axes[0], &|new, best| new < best)),
        (ArgMax, Tensor::U32(x)) => Tensor::I32(position(x, axes[0], &|new, best| new > best)),
        (ArgMin, Tensor::U32(x)) => Tensor::I32(position(x, axes[0], &|new, best| new < best)),
        (ArgMax, Tensor::Bool(x)) => Tensor::I32(position(x, axes[0], &|new, best| new & !best)),
        (ArgMin, Tensor::Bool(x)) => Tensor::I32(position(x, axes[0], &|new, best| !new & best)),
        (Sum | Prod, Tensor::Bool(_)) => return Err(ill_formed(format!("{op:?}"), DType::Bool)),
    })
}
