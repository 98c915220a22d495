//! How the interpreter contracts: both inputs packed as [batch, free, contracted], then dot products of contiguous rows, four at
//! a time, over blocks of columns that stay in cache.

use super::strided::{Strided, Tensor};
use super::{Result, ill_formed};
use crate::functions::Real;
use crate::op::ContractAxes;

/// Columns that are walked for every row before the next ones: with rows of a thousand, a quarter of a megabyte.
const COLUMN_BLOCK: usize = 64;
/// Terms that are summed in the element's own precision before they join the wide total.
const DEPTH_BLOCK: usize = 256;
/// Columns whose dot products share one pass over the row.
const TOGETHER: usize = 4;
/// Partial sums per dot product.
const LANES: usize = 8;

/// Elements that can be multiplied and summed.
trait Dot: Copy {
    /// The dot product of `row` with each of `columns`, all of one length.
    fn dots<const N: usize>(row: &[Self], columns: [&[Self]; N]) -> [Self; N];
}

/// Float terms are summed in `R` within a block and in f64 across blocks.
fn float_dots<R: Real, const N: usize>(row: &[R], columns: [&[R]; N]) -> [R; N] {
    let zero = R::from_f64(0.0);
    let mut totals = [0.0f64; N];
    let mut start = 0;
    while start < row.len() {
        let end = row.len().min(start + DEPTH_BLOCK);
        let block = &row[start..end];
        let others: [&[R]; N] = std::array::from_fn(|n| &columns[n][start..end]);
        let mut sums = [[zero; LANES]; N];
        let whole = block.len() / LANES * LANES;
        for at in (0..whole).step_by(LANES) {
            let left = &block[at..at + LANES];
            for n in 0..N {
                let right = &others[n][at..at + LANES];
                for lane in 0..LANES {
                    sums[n][lane] = sums[n][lane] + left[lane] * right[lane];
                }
            }
        }
        for n in 0..N {
            let rest = block[whole..].iter().zip(&others[n][whole..]);
            totals[n] += sums[n].iter().map(|s| s.to_f64()).sum::<f64>();
            totals[n] += rest.map(|(&a, &b)| a.to_f64() * b.to_f64()).sum::<f64>();
        }
        start = end;
    }
    totals.map(R::from_f64)
}

/// Integers wrap, so that the order of terms does not matter.
macro_rules! integer_dot {
    ($type:ty) => {
        impl Dot for $type {
            fn dots<const N: usize>(row: &[Self], columns: [&[Self]; N]) -> [Self; N] {
                columns.map(|column| {
                    row.iter().zip(column).fold(0, |sum: $type, (&a, &b)| sum.wrapping_add(a.wrapping_mul(b)))
                })
            }
        }
    };
}
integer_dot!(i32);
integer_dot!(u32);

impl<R: Real> Dot for R {
    fn dots<const N: usize>(row: &[Self], columns: [&[Self]; N]) -> [Self; N] {
        float_dots(row, columns)
    }
}

/// `x` with its axes in the order batch, free, contracted, and how many positions each of these has.
fn ordered<'a, T: Copy>(
    x: &Strided<'a, T>,
    batch: Vec<usize>,
    free: Vec<usize>,
    contract: Vec<usize>,
) -> (Strided<'a, T>, [usize; 3]) {
    let extent = |axes: &[usize]| axes.iter().map(|&a| x.shape[a]).product::<usize>();
    let extents = [extent(&batch), extent(&free), extent(&contract)];
    (x.permute(&[batch, free, contract].concat()), extents)
}

fn of<'a, T: Dot>(left: &Strided<T>, right: &Strided<T>, axes: &ContractAxes) -> Strided<'a, T> {
    let left_free = axes.left_free(left.shape.rank());
    let right_free = axes.right_free(right.shape.rank());
    let shape: Vec<usize> = axes
        .batch
        .iter()
        .map(|p| left.shape[p.0])
        .chain(left_free.iter().map(|&a| left.shape[a]))
        .chain(right_free.iter().map(|&a| right.shape[a]))
        .collect();
    let firsts = |pairs: &[(usize, usize)]| pairs.iter().map(|p| p.0).collect();
    let seconds = |pairs: &[(usize, usize)]| pairs.iter().map(|p| p.1).collect();
    let (left, [batch, rows, depth]) = ordered(left, firsts(&axes.batch), left_free, firsts(&axes.contract));
    let (right, [_, columns, _]) = ordered(right, seconds(&axes.batch), right_free, seconds(&axes.contract));
    let (left, right) = (left.contiguous(), right.contiguous());
    let zero = T::dots(&[], [&[]; 1])[0];
    let mut out = vec![zero; batch * rows * columns];
    for b in 0..batch {
        let left = &left[b * rows * depth..][..rows * depth];
        let right = &right[b * columns * depth..][..columns * depth];
        let out = &mut out[b * rows * columns..][..rows * columns];
        let column = |j: usize| &right[j * depth..][..depth];
        for first in (0..columns).step_by(COLUMN_BLOCK) {
            let end = columns.min(first + COLUMN_BLOCK);
            for i in 0..rows {
                let row = &left[i * depth..][..depth];
                let out = &mut out[i * columns..][..columns];
                let mut j = first;
                while j + TOGETHER <= end {
                    let four: [&[T]; TOGETHER] = std::array::from_fn(|n| column(j + n));
                    out[j..j + TOGETHER].copy_from_slice(&T::dots(row, four));
                    j += TOGETHER;
                }
                while j < end {
                    [out[j]] = T::dots(row, [column(j)]);
                    j += 1;
                }
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
