//! Cholesky, LU and QR: how is a matrix made a product of triangles and turns?
//!
//! Cholesky and LU are one loop over columns, and an iteration changes the whole matrix at once, as LAPACK's unblocked routines do one after the other
//! (Golub and Van Loan, *Matrix Computations*, sections 3.4, 4.2 and 5.2). QR goes by panels of columns, as LAPACK's blocked routine does.

use super::condense::{Reflection, joined, panels, reflected, reflected_in_order};
use super::inverse::{inverse_of_lower, inverse_of_upper};
use super::{LEVELS, batched, derived, list, matrices, only, padded, repeated, sides, square};
use crate::control::Scan;
use crate::tensor::Tensor;
use crate::term::Term;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Result};

/// The lower triangle L of symmetric positive definite matrices L·Lᵀ, or the upper one of Uᵀ·U. The symmetric part of what is given is taken; NaN
/// where it is not positive definite. Errors with `Shape` unless they are square.
pub fn cholesky(a: &Tensor, upper: bool) -> Result<Tensor> {
    let (a, _) = square("linalg.cholesky", a)?;
    let a = Term::of(&a);
    let l = Term(lower_of((&(&a + &a.t()) * 0.5).get()?, LEVELS));
    if upper { l.t().0 } else { l.0 }
}

fn lower_of(a: &Tensor, level: u8) -> Result<Tensor> {
    only(derived(
        &[a],
        level,
        |x| Ok(vec![eliminated(&x[0])?]),
        |x, d, level| {
            let l = Term(lower_of(x[0].get()?, level));
            let inverse = Term(inverse_of_lower(l.get()?, level));
            let inner = inverse.dot(&d[0]).dot(&inverse.t());
            list([l.dot(&half_lower(&inner)?)])
        },
    ))
}

/// The lower triangle with half the diagonal.
fn half_lower(x: &Term) -> Result<Term> {
    let (strict, whole) = (x.map(|x| x.tril(-1)), x.map(|x| x.tril(0)));
    Ok(&(&strict + &whole) * 0.5)
}

fn eliminated(a: &Tensor) -> Result<Tensor> {
    let n = sides(a).0;
    let done = repeated(
        n,
        |k, state| {
            let (k, x) = (Term::of(k), Term::of(&state[0]));
            let places = x.positions(n);
            let after = places.compare(Compare::Gt, &k);
            let column = x.at(&k, -1);
            let pivot = column.at(&k, -1).column().column();
            let less = &x - &(&(&column.column() * &column.row()) / &pivot);
            list([after.column().and(&after.row()).or_else(&less, &x)])
        },
        &[a],
    )?;
    let x = Term::of(&done[0]);
    let pivots = x.diagonal(0);
    let l = &x / &pivots.apply(Unary::Sqrt).row();
    // One that is not positive spoils all.
    let fine = pivots.compare(Compare::Gt, &pivots.number(0.0));
    let fine = fine.map(|x| x.all(Some(&[-1]), false)).column().column();
    fine.or_else(&l, &l.number(f64::NAN)).map(|l| l.tril(0)).0
}

/// P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (its ones left out) and U on and above it in one matrix; the row that each
/// was exchanged with, i32; and the rows of A in their new order, i32.
pub fn lu(a: &Tensor) -> Result<Vec<Tensor>> {
    let name = "linalg.lu";
    a.device().siblings(name, factors(&matrices(name, a)?, LEVELS)?)
}

pub(super) fn factors(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    derived(
        &[a],
        level,
        |x| exchanged(&x[0]),
        |x, d, level| {
            let found = factors(x[0].get()?, level)?;
            let (m, n) = sides(&found[0]);
            let (packed, order) = (Term::of(&found[0]), Term::of(&found[2]));
            let (l, u) = (lower(&packed, m, n), upper(&packed, m, n));
            let [l_inverse, u_inverse] =
                [inverse_of_lower(l.get()?, level), inverse_of_upper(u.get()?, level)];
            let moved = d[0].along(&order.column(), -2);
            let inner = Term(l_inverse).dot(&moved).dot(&Term(u_inverse));
            let (below, above) = (inner.map(|x| x.tril(-1)), inner.map(|x| x.triu(0)));
            list([&l.dot(&below) + &above.dot(&u)])
        },
    )
}

/// The square matrix L of what `lu` packs, with the identity behind it where there are more rows than columns.
pub(super) fn lower(packed: &Term, m: usize, n: usize) -> Term {
    let strict = packed.between(-1, 0, m.min(n)).map(|x| x.tril(-1));
    widened(&strict, -1, m.saturating_sub(n)).map(|x| with_ones(x, 0))
}

/// The square matrix U, with the identity below it where there are more columns than rows.
pub(super) fn upper(packed: &Term, m: usize, n: usize) -> Term {
    let whole = packed.between(-2, 0, m.min(n)).map(|x| x.triu(0));
    let missing = n.saturating_sub(m);
    if missing == 0 { whole } else { widened(&whole, -2, missing).map(|x| with_ones(x, m)) }
}

/// With so many zeros after an axis counted from the end.
fn widened(x: &Term, axis: i64, count: usize) -> Term {
    x.map(|x| {
        let mut pads = vec![(0, 0); x.rank()];
        pads[x.shape().axis("pad", axis)?].1 = count;
        x.pad(&pads, 0.0)
    })
}

/// Ones on the diagonal from a row on.
pub(super) fn with_ones(x: &Tensor, from: usize) -> Result<Tensor> {
    let (x, n) = (Term::of(x), sides(x).0);
    let rows = x.positions(n).compare(Compare::Ge, &x.positions(n).number(from as f64));
    x.identity(n).and(&rows.column()).or_else(&x.number(1.0), &x).0
}

fn exchanged(a: &Tensor) -> Result<Vec<Tensor>> {
    let (m, n) = sides(a);
    let steps = m.min(n);
    let term = Term::of(a);
    let order = term.positions(m).expand(&batched(a, &[m])).0?;
    let pivots = term.positions(steps).expand(&batched(a, &[steps])).0?;
    repeated(
        steps,
        |k, state| {
            let k = Term::of(k);
            let [x, pivots, order] = [0, 1, 2].map(|i| Term::of(&state[i]));
            let (rows, columns) = (x.positions(m), x.positions(n));
            let sizes = x.at(&k, -1).apply(Unary::Abs);
            let sizes = rows.compare(Compare::Ge, &k).or_else(&sizes, &sizes.number(-1.0));
            let best = sizes.reduce(ReduceOp::ArgMax, -1, true);
            let at_best = rows.compare(Compare::Eq, &best).or_else(&k, &rows);
            let source = rows.compare(Compare::Eq, &k).or_else(&best, &at_best);
            let x = x.along(&source.column(), -2);
            let row = x.at(&k, -2);
            let (pivot, column) = (row.at(&k, -1).column(), x.at(&k, -1));
            // Below a pivot of 0 are zeros.
            let zero = pivot.compare(Compare::Eq, &pivot.number(0.0));
            let share = &column / &zero.or_else(&pivot.number(1.0), &pivot);
            let below = rows.compare(Compare::Gt, &k).column();
            let right = columns.compare(Compare::Gt, &k).row();
            let less = &x - &(&share.column() * &row.row());
            let inside = below.and(&right).or_else(&less, &x);
            let here = columns.compare(Compare::Eq, &k).row().and(&below);
            let place = x.positions(steps).compare(Compare::Eq, &k);
            list([
                here.or_else(&share.column(), &inside),
                place.or_else(&best, &pivots),
                order.along(&source, -1),
            ])
        },
        &[a, &pivots, &order],
    )
}

/// A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller side, or all of Q where it is to be `complete`.
pub fn qr(a: &Tensor, complete: bool) -> Result<Vec<Tensor>> {
    let name = "linalg.qr";
    a.device().siblings(name, orthogonal(&matrices(name, a)?, complete)?)
}

fn orthogonal(a: &Tensor, complete: bool) -> Result<Vec<Tensor>> {
    let (m, n) = sides(a);
    if m < n {
        // The columns beyond the square are turned as it was.
        let term = Term::of(a);
        let found = qr_of_tall(term.between(-1, 0, m).get()?, LEVELS)?;
        let q = Term::of(&found[0]);
        let rest = q.t().dot(&term.between(-1, m, n));
        return list([q, Term::of(&found[1]).beside(&rest, -1)]);
    }
    if complete && m > n {
        return householder(a, m);
    }
    qr_of_tall(a, LEVELS)
}

fn qr_of_tall(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    derived(
        &[a],
        level,
        |x| householder(&x[0], sides(&x[0]).1),
        |x, d, level| {
            let found = qr_of_tall(x[0].get()?, level)?;
            let (q, r) = (Term::of(&found[0]), Term::of(&found[1]));
            let scaled = d[0].dot(&Term(inverse_of_upper(r.get()?, level)));
            let inner = q.t().dot(&scaled);
            let lower = inner.map(|x| x.tril(-1));
            let turn = &lower - &lower.t();
            list([&q.dot(&(&turn - &inner)) + &scaled, (&inner - &turn).dot(&r)])
        },
    )
}

/// By Householder's reflections, with so many columns of Q, of matrices with as many rows as columns, or more.
pub(super) fn householder(a: &Tensor, kept: usize) -> Result<Vec<Tensor>> {
    let (m, n) = sides(a);
    let x = if n == 0 { Term::of(a) } else { packed(a)? };
    let one = |columns| Term(a.device().eye(m, columns, 0, DType::F32));
    let vectors = with_heads(&x.map(|x| x.tril(-1)), &one(n));
    let q = reflected(&vectors, &one(kept).expand(&batched(a, &[m, kept])))?;
    let r = x.between(-2, 0, kept.min(m)).map(|x| x.triu(0));
    list([q, r])
}

/// Vectors of reflections, of which what is behind their ones is known: what has nothing there was not reflected.
fn with_heads(below: &Term, ones: &Term) -> Term {
    let any = below.apply(Unary::Abs).reduce(ReduceOp::Sum, -2, true);
    let any = any.compare(Compare::Gt, &any.number(0.0)).cast(DType::F32);
    below + &(&any * ones)
}

/// R on and above the diagonal, below it the vectors of reflections without their ones. The columns of a panel are reflected one after the other, what is
/// right of them by a product.
fn packed(a: &Tensor) -> Result<Term> {
    let (m, n) = sides(a);
    let [count, width] = panels(n);
    let side = count * width;
    let rows = m.max(side);
    let a = padded(&Term::of(a), rows - m, side - n);
    let starts = &a.positions(count) * width as f64;
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (x, start) = (Term::of(&state[0]), Term::of(&slices[0]));
        let (lines, columns) = (x.positions(rows), x.positions(width));
        let places = (&start + &columns).row();
        let own = x.along(&places.expand(&batched(&state[0], &[1, width])), -1);
        let column = |j: &Tensor, state: &[Tensor]| {
            let (j, x) = (Term::of(j), Term::of(&state[0]));
            let k = &start + &j;
            let (here, below) = (lines.compare(Compare::Eq, &k), lines.compare(Compare::Gt, &k));
            let column = x.at(&j, -1);
            let Reflection { v, scale, turned } = Reflection::new(&column, &k, rows);
            let along = &v.row().dot(&x) * &scale.column();
            let moved = &x - &(&v.column() * &along);
            let moved = columns.compare(Compare::Gt, &j).row().or_else(&moved, &x);
            let stored = here.or_else(&turned, &below.or_else(&v, &column));
            let at = columns.compare(Compare::Eq, &j).row();
            list([at.or_else(&stored.column(), &moved)])
        };
        let own = Term(only(repeated(width, column, &[own.get()?])));
        let lines = lines.column();
        let below = lines.compare(Compare::Gt, &places).or_else(&own, &own.zero());
        let ones = lines.compare(Compare::Eq, &places).cast(DType::F32);
        let next = reflected_in_order(&with_heads(&below, &ones), &x)?;
        Ok((vec![next.0?], vec![own.0?]))
    };
    let (_, stacks) = a.get()?.device().scan(panel, &[a.get()?], &[starts.get()?], Scan::default())?;
    joined(&stacks[0], [0, width], [m, n])
}
