//! Functions of matrices: the exponential, and products of many.

use super::inverse::{inv, solve};
use super::{repeated, square};
use crate::device::tensor::Tensor;
use crate::ops::term::Term;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result};

/// The Padé approximant of eˣ of order 7, and up to which 1-norm it is right in f32 (Higham 2005,
/// *The scaling and squaring method*, table 2.3).
const PADE: [f64; 8] = [17_297_280.0, 8_648_640.0, 1_995_840.0, 277_200.0, 25_200.0, 1512.0, 56.0, 1.0];
const LARGEST: f64 = 3.925_724_783_138_66;
/// Halvings at most: 1-norms up to 2³² times that.
const MOST_HALVINGS: usize = 32;

/// The exponentials of square matrices. Errors with `Shape` for others.
pub fn expm(a: &Tensor) -> Result<Tensor> {
    let (a, n) = square("linalg.expm", a)?;
    if n == 0 {
        return Ok(a);
    }
    let a = Term::of(&a);
    let norm = a.apply(Unary::Abs).sum(-2).reduce(ReduceOp::Max, -1, false).detach();
    let halvings = (&norm / LARGEST).map(|x| x.log2()).apply(Unary::Ceil);
    let halvings = halvings.map(|x| x.clip(Some(0.0), Some(MOST_HALVINGS as f64))?.cast(DType::I32));
    let halvings = halvings.column().column();
    let scale = halvings.cast(DType::F32).map(|x| x.neg()?.exp2());
    let x = &a * &scale;
    let one = x.identity(n).cast(DType::F32);
    let square = x.dot(&x);
    // Odd and even powers by themselves: e^x is (V + U)/(V − U).
    let half = |from: usize| {
        let mut sum = &one * PADE[6 + from];
        for k in (0..3).rev() {
            sum = &square.dot(&sum) + &(&one * PADE[2 * k + from]);
        }
        sum
    };
    let (odd, even) = (x.dot(&half(1)), half(0));
    let start = Term(solve((&even - &odd).get()?, (&even + &odd).get()?)).0?;
    let done = repeated(
        MOST_HALVINGS,
        |i, state| {
            let (i, x) = (Term::of(i), Term::of(&state[0]));
            // A square that is not chosen could overflow, and its infinity would make the gradient
            // NaN.
            let more = halvings.compare(Compare::Gt, &i);
            let factor = more.or_else(&x, &one);
            Ok(vec![x.dot(&factor).0?])
        },
        &[&start],
    )?;
    Ok(done[0].clone())
}

/// Square matrices multiplied by themselves `times` times, in f32; their inverses where that is
/// below 0. Errors with `Shape` for others.
pub fn power(a: &Tensor, times: i64) -> Result<Tensor> {
    let (a, _) = square("linalg.matrixPower", a)?;
    let base = if times < 0 { inv(&a)? } else { a };
    base.matrix_power(times.unsigned_abs() as usize)
}

/// The product of matrices in the order that takes the fewest multiplications; the first and the
/// last may be vectors. Errors with `Value` for none, with `Shape` where they do not fit.
pub fn multi_dot(matrices: &[Tensor]) -> Result<Tensor> {
    let name = "linalg.multiDot";
    let count = matrices.len();
    if count == 0 {
        return Err(Error::value(name, "takes at least one matrix"));
    }
    for (place, x) in matrices.iter().enumerate() {
        let may_be_vector = place == 0 || place + 1 == count;
        if x.rank() != 2 && !(x.rank() == 1 && may_be_vector) {
            return Err(Error::shape(
                name,
                format!("takes matrices, and vectors at its ends, got {}", x.shape()),
            ));
        }
    }
    // Extents along the chain: a vector at the beginning is a row, at the end a column.
    let mut sides: Vec<usize> =
        matrices.iter().map(|x| if x.rank() == 2 { x.shape()[0] } else { 1 }).collect();
    let last = &matrices[count - 1];
    if last.rank() == 1 {
        sides[count - 1] = last.shape()[0];
    }
    sides.push(if last.rank() == 2 { last.shape()[1] } else { 1 });
    // The least cost of each run of factors, and where it is cut.
    let mut best = vec![(0u64, 0usize); count * count];
    for length in 1..count {
        for start in 0..count - length {
            let end = start + length;
            let cost = |cut: usize| {
                let [a, b, c] = [sides[start], sides[cut + 1], sides[end + 1]].map(|side| side as u64);
                let product = a.saturating_mul(b).saturating_mul(c);
                let inner = best[start * count + cut].0.saturating_add(best[(cut + 1) * count + end].0);
                (inner.saturating_add(product), cut)
            };
            best[start * count + end] = (start..end).map(cost).min().unwrap_or_default();
        }
    }
    product(matrices, &best, count, 0, count - 1)
}

/// Of the factors from `start` to `end`; no deeper than there are factors, which calls are limited
/// to.
fn product(
    matrices: &[Tensor],
    best: &[(u64, usize)],
    count: usize,
    start: usize,
    end: usize,
) -> Result<Tensor> {
    if start == end {
        return Ok(matrices[start].clone());
    }
    let cut = best[start * count + end].1;
    let left = product(matrices, best, count, start, cut)?;
    left.matmul(&product(matrices, best, count, cut + 1, end)?)
}
