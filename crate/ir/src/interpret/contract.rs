//! Contractions in the interpreter: left rows against panels of a few right columns (Goto & van de
//! Geijn, *Anatomy of High-Performance Matrix Multiplication*, §4, at the smallest size), in blocks
//! of depth whose sums meet in a wider total.

use super::strided::{Strided, Tensor};
use super::{Result, ill_formed};
use crate::functions::Real;
use crate::functions::tile::{COLUMNS, ROWS, tile};
use crate::op::ContractAxes;

/// Terms that are summed in the element's own precision; a panel this deep stays in the nearest
/// cache.
const DEPTH: usize = 256;

/// Elements that can be multiplied and summed.
trait Term: Copy {
    /// What blocks of terms are summed in.
    type Total: Copy;
    const ZERO: Self::Total;
    fn zero() -> Self;
    /// self + a·b.
    fn add_product(self, a: Self, b: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn join(total: Self::Total, block: Self) -> Self::Total;
    fn finish(total: Self::Total) -> Self;
    /// The products of rows with a panel, over one block of depth.
    fn tile(rows: [&[Self]; ROWS], panel: &[[Self; COLUMNS]]) -> [[Self; COLUMNS]; ROWS] {
        tile(rows, panel, Self::zero(), Self::add_product, Self::add)
    }
}

impl<R: Real> Term for R {
    type Total = f64;
    const ZERO: f64 = 0.0;
    fn zero() -> R {
        R::from_f64(0.0)
    }
    fn add_product(self, a: R, b: R) -> R {
        self + a * b
    }
    fn add(self, other: R) -> R {
        self + other
    }
    fn join(total: f64, block: R) -> f64 {
        total + block.to_f64()
    }
    fn finish(total: f64) -> R {
        R::from_f64(total)
    }
    fn tile(rows: [&[R]; ROWS], panel: &[[R; COLUMNS]]) -> [[R; COLUMNS]; ROWS] {
        R::tile(rows, panel)
    }
}

macro_rules! integer_term {
    ($type:ty) => {
        impl Term for $type {
            type Total = $type;
            const ZERO: $type = 0;
            fn zero() -> $type {
                0
            }
            fn add_product(self, a: $type, b: $type) -> $type {
                self.wrapping_add(a.wrapping_mul(b))
            }
            fn add(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
            fn join(total: $type, block: $type) -> $type {
                total.wrapping_add(block)
            }
            fn finish(total: $type) -> $type {
                total
            }
        }
    };
}
integer_term!(i32);
integer_term!(u32);

/// Adds the products of all rows of `left`, restricted to depth `from` on, with a panel to
/// `totals`, one entry per row.
fn multiply_panel<T: Term>(
    left: &[T],
    depth: usize,
    from: usize,
    panel: &[[T; COLUMNS]],
    totals: &mut [[T::Total; COLUMNS]],
) {
    let row = |i: usize| &left[i * depth + from..][..panel.len()];
    let mut add = |i: usize, sums: &[T; COLUMNS]| {
        totals[i].iter_mut().zip(sums).for_each(|(total, &block)| *total = T::join(*total, block));
    };
    let rows = left.len() / depth;
    let grouped = rows / ROWS * ROWS;
    for first in (0..grouped).step_by(ROWS) {
        let sums = T::tile(std::array::from_fn(|n| row(first + n)), panel);
        sums.iter().enumerate().for_each(|(n, sums)| add(first + n, sums));
    }
    for i in grouped..rows {
        add(i, &tile([row(i)], panel, T::zero(), T::add_product, T::add)[0]);
    }
}

/// The left operand's axes as it is walked: batches, rows, depth.
pub(super) fn left_order(axes: &ContractAxes, rank: usize) -> [Vec<usize>; 3] {
    let firsts = |pairs: &[(usize, usize)]| pairs.iter().map(|p| p.0).collect();
    [firsts(&axes.batch), axes.left_free(rank), firsts(&axes.contract)]
}

/// The right operand's: batches, depth, columns.
pub(super) fn right_order(axes: &ContractAxes, rank: usize) -> [Vec<usize>; 3] {
    let seconds = |pairs: &[(usize, usize)]| pairs.iter().map(|p| p.1).collect();
    [seconds(&axes.batch), seconds(&axes.contract), axes.right_free(rank)]
}

/// `x` with its axes in three groups, and how many positions each of these has.
fn ordered<'a, T: Copy>(x: &Strided<'a, T>, groups: [Vec<usize>; 3]) -> (Strided<'a, T>, [usize; 3]) {
    let extents = groups.each_ref().map(|axes| axes.iter().map(|&a| x.shape[a]).product::<usize>());
    (x.permute(&groups.concat()), extents)
}

fn of<'a, T: Term>(left: &Strided<T>, right: &Strided<T>, axes: &ContractAxes) -> Strided<'a, T> {
    let (left_groups, right_groups) =
        (left_order(axes, left.shape.rank()), right_order(axes, right.shape.rank()));
    let [batches, rows, _] = &left_groups;
    let shape: Vec<usize> = batches
        .iter()
        .chain(rows)
        .map(|&a| left.shape[a])
        .chain(right_groups[2].iter().map(|&a| right.shape[a]))
        .collect();
    let (left, [batch, rows, depth]) = ordered(left, left_groups);
    let (right, [_, _, columns]) = ordered(right, right_groups);
    let (left, right) = (left.contiguous(), right.contiguous());
    let mut out = vec![T::zero(); batch * rows * columns];
    if out.is_empty() || depth == 0 {
        return Strided::packed(shape.into(), out);
    }
    let mut totals = vec![[T::ZERO; COLUMNS]; rows];
    let mut panel = Vec::with_capacity(DEPTH);
    for b in 0..batch {
        let left = &left[b * rows * depth..][..rows * depth];
        let right = &right[b * depth * columns..][..depth * columns];
        let out = &mut out[b * rows * columns..][..rows * columns];
        for first in (0..columns).step_by(COLUMNS) {
            let width = COLUMNS.min(columns - first);
            totals.fill([T::ZERO; COLUMNS]);
            for from in (0..depth).step_by(DEPTH) {
                panel.clear();
                panel.extend((from..depth.min(from + DEPTH)).map(|k| {
                    let mut line = [T::zero(); COLUMNS];
                    line[..width].copy_from_slice(&right[k * columns + first..][..width]);
                    line
                }));
                multiply_panel(left, depth, from, &panel, &mut totals);
            }
            for (row, totals) in out.chunks_exact_mut(columns).zip(&totals) {
                row[first..first + width].iter_mut().zip(totals).for_each(|(out, &t)| *out = T::finish(t));
            }
        }
    }
    Strided::packed(shape.into(), out)
}

/// [`crate::op::Op::Contract`].
pub(super) fn contract<'a, R: Real>(
    axes: &ContractAxes,
    left: &Tensor<'a, R>,
    right: &Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    Ok(match (left, right) {
        (Tensor::Float(left), Tensor::Float(right)) => Tensor::Float(of(left, right, axes)),
        (Tensor::I32(left), Tensor::I32(right)) => Tensor::I32(of(left, right, axes)),
        (Tensor::U32(left), Tensor::U32(right)) => Tensor::U32(of(left, right, axes)),
        _ => return Err(ill_formed("contract", format!("{} and {}", left.dtype(), right.dtype()))),
    })
}
