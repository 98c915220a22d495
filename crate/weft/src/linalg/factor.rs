//! Cholesky, LU and QR factorizations.
//!
//! All go by panels of columns, as LAPACK's blocked routines do (Golub and Van Loan, *Matrix
//! Computations*, sections 3.4, 4.2 and 5.2): each column updates its panel at once, and each panel
//! updates the rest of the matrix by one product.

use super::householder::{Reflection, joined, panels, reflected, reflected_in_order};
use super::inverse::{inverse_of_lower, inverse_of_upper};
use super::{LEVELS, batched, derived, list, matrices, only, padded, repeated, sides, square};
use crate::device::tensor::Tensor;
use crate::ops::term::Term;
use crate::transform::control::Scan;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Result};

/// The lower triangle L of symmetric positive definite matrices L·Lᵀ, or the upper one of Uᵀ·U. The
/// symmetric part of what is given is taken; NaN where it is not positive definite. Errors with
/// `Shape` unless they are square.
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
    if n == 0 {
        return Ok(a.clone());
    }
    let [count, width] = panels(n);
    let side = count * width;
    let whole = padded(&Term::of(a), side - n, side - n).map(|x| with_ones(x, n));
    let starts = &whole.positions(count) * width as f64;
    let l = if count == 1 {
        panel_of_lower(&whole, &starts.map(|x| x.squeeze(None)), width)?
    } else {
        let panel = |state: &[Tensor], slices: &[Tensor]| {
            let (x, start) = (Term::of(&state[0]), Term::of(&slices[0]));
            let l = panel_of_lower(&own_columns(&x, &start, width), &start, width)?;
            let next = &x - &l.dot(&l.t());
            Ok((vec![next.0?], vec![l.0?]))
        };
        let device = a.device();
        let (_, stacks) = device.scan(panel, &[whole.get()?], &[starts.get()?], Scan::default())?;
        joined(&stacks[0], [0, width], [n, n])?
    };
    // A pivot that is not positive makes the whole factor NaN.
    let pivots = l.diagonal(0);
    let fine = pivots.compare(Compare::Gt, &pivots.number(0.0));
    let fine = fine.map(|x| x.all(Some(&[-1]), false)).column().column();
    fine.or_else(&l, &l.number(f64::NAN)).map(|l| l.tril(0)).0
}

/// The columns of a panel that begins at `start`, a 0-d i32.
fn own_columns(x: &Term, start: &Term, width: usize) -> Term {
    let places = (start + &x.positions(width)).row();
    Term(x.get().and_then(|whole| x.along(&places.expand(&batched(whole, &[1, width])), -1).0))
}

/// L's columns of those of a panel, from which what is left of it was taken.
fn panel_of_lower(own: &Term, start: &Term, width: usize) -> Result<Term> {
    let rows = sides(own.get()?).0;
    let (lines, columns) = (own.positions(rows), own.positions(width));
    let places = start + &columns;
    let square = |x: &Tensor| batched(x, &[width]);
    let column = |j: &Tensor, state: &[Tensor]| {
        let (j, x) = (Term::of(j), Term::of(&state[0]));
        let k = start + &j;
        let column = x.at(&j, -1);
        let pivot = column.at(&k, -1).column().column();
        let row = column.along(&places.expand(&square(&state[0])), -1);
        // The quotient comes first: the product of two large elements might overflow.
        let less = &x - &(&(&column.column() / &pivot) * &row.row());
        let (below, right) = (lines.compare(Compare::Gt, &k), columns.compare(Compare::Gt, &j));
        list([below.column().and(&right.row()).or_else(&less, &x)])
    };
    let x = Term(only(repeated(width, column, &[own.get()?])));
    let (lines, places) = (lines.column(), places.row());
    let pivots = x.along(&places.expand(&batched(own.get()?, &[1, width])), -2);
    let below = lines.compare(Compare::Ge, &places);
    let l = &x / &pivots.apply(Unary::Sqrt);
    Ok(below.or_else(&l, &l.zero()))
}

/// P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (its ones left out)
/// and U on and above it in one matrix; the row that each was exchanged with, i32; and the rows of
/// A in their new order, i32.
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

/// The square matrix L of what `lu` packs, with the identity behind it where there are more rows
/// than columns.
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

/// With zeros after an axis counted from the end.
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
    let order = |rows: usize| Term::of(a).positions(rows).expand(&batched(a, &[rows]));
    let pivots = order(steps);
    if steps == 0 {
        return list([Term::of(a), pivots, order(m)]);
    }
    let [count, width] = panels(steps);
    let (rows, columns) = (m.max(count * width), n.max(count * width));
    let whole = padded(&Term::of(a), rows - m, columns - n);
    let (order, starts) = (order(rows), &whole.positions(count) * width as f64);
    let [whole, order, pivots] = [&whole, &order, &pivots].map(Term::get);
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (x, order, start) = (Term::of(&state[0]), Term::of(&state[1]), Term::of(&slices[0]));
        let own = own_columns(&x, &start, width);
        let [both, moved, pivots] = panel_exchanged(&own, &start, width, &state[2])?;
        let (x, order) = (x.along(&moved.column(), -2), order.along(&moved, -1));
        // Updates the columns behind the panel: first its own rows, whose multiples are then
        // subtracted from all rows below.
        let (places, from) = (&start + &x.positions(width), x.positions(columns));
        let above = x.along(&places.column().expand(&batched(&state[0], &[width, 1])), -2);
        let less = &x + &both.between(-1, width, 2 * width).dot(&above);
        let within = &from - &start;
        let stored =
            both.between(-1, 0, width).along(&within.row().expand(&batched(&state[0], &[1, columns])), -1);
        let behind = within.compare(Compare::Ge, &within.number(width as f64)).row();
        let here = within.compare(Compare::Ge, &within.number(0.0)).row();
        let next = behind.or_else(&less, &here.or_else(&stored, &x));
        Ok((vec![next.0?, order.0?, pivots.0?], vec![]))
    };
    let state = [whole?, order?, pivots?];
    let (done, _) = a.device().scan(panel, &state, &[starts.get()?], Scan::default())?;
    let [x, order] = [0, 1].map(|i| Term::of(&done[i]));
    list([x.between(-2, 0, m).between(-1, 0, n), Term::of(&done[2]), order.between(-1, 0, m)])
}

/// The row of each matrix at an index of its own, which has an axis of 1.
fn row_at(x: &Term, index: &Term) -> Term {
    match x.get() {
        Ok(whole) if whole.rank() == 2 => x.at(index, -2),
        _ => x.along(&index.column(), -2),
    }
}

/// Of a panel's columns: those of L and U, and beside them what the same steps make of the identity
/// in its rows, less that identity; where each row came from; and the rows exchanged in all panels
/// so far, `pivots`.
fn panel_exchanged(own: &Term, start: &Term, width: usize, pivots: &Tensor) -> Result<[Term; 3]> {
    let rows = sides(own.get()?).0;
    let (lines, places) = (own.positions(rows), own.positions(2 * width));
    let both = own.beside(&own.zero(), -1);
    let moved = lines.expand(&batched(own.get()?, &[rows]));
    let column = |j: &Tensor, state: &[Tensor]| {
        let j = Term::of(j);
        let k = start + &j;
        let [x, pivots, moved] = [0, 1, 2].map(|i| Term::of(&state[i]));
        let sizes = x.at(&j, -1).apply(Unary::Abs);
        let sizes = lines.compare(Compare::Ge, &k).or_else(&sizes, &sizes.number(-1.0));
        let best = sizes.reduce(ReduceOp::ArgMax, -1, true);
        let (here, there) = (lines.compare(Compare::Eq, &k), lines.compare(Compare::Eq, &best));
        // Both rows are read before the exchange, so that no kernel waits for it.
        let (row, other) = (row_at(&x, &best), x.at(&k, -2).row());
        let exchanged = |x: &Term, row: &Term, other: &Term, axis: fn(&Term) -> Term| {
            axis(&here).or_else(row, &axis(&there).or_else(other, x))
        };
        let (entry, pivot) = (|x: &Term| x.at(&j, -1), row.at(&j, -1).column());
        let column = exchanged(&entry(&x), &entry(&row), &entry(&other), Term::clone);
        let x = exchanged(&x, &row, &other, Term::column);
        let source = exchanged(&lines, &best, &k, Term::clone);
        // Below a pivot of 0 are zeros.
        let zero = pivot.compare(Compare::Eq, &pivot.number(0.0));
        let share = &column.column() / &zero.or_else(&pivot.number(1.0), &pivot);
        let one = places.compare(Compare::Eq, &(&j + width as f64)).row();
        let row = one.or_else(&row.number(1.0), &row);
        let below = lines.compare(Compare::Gt, &k).column();
        let right = places.compare(Compare::Gt, &j).row();
        let less = &x - &(&share * &row);
        let inside = below.and(&right).or_else(&less, &x);
        let here = places.compare(Compare::Eq, &j).row().and(&below);
        let place = pivots.positions(*state[1].shape().last().expect("a vector")).compare(Compare::Eq, &k);
        list([here.or_else(&share, &inside), place.or_else(&best, &pivots), moved.along(&source, -1)])
    };
    let done = repeated(width, column, &[both.get()?, pivots, moved.get()?])?;
    let [both, pivots, moved] = [0, 1, 2].map(|i| Term::of(&done[i]));
    Ok([both, moved, pivots])
}

/// A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller side,
/// or all of Q where it is to be `complete`.
pub fn qr(a: &Tensor, complete: bool) -> Result<Vec<Tensor>> {
    let name = "linalg.qr";
    a.device().siblings(name, orthogonal(&matrices(name, a)?, complete)?)
}

fn orthogonal(a: &Tensor, complete: bool) -> Result<Vec<Tensor>> {
    let (m, n) = sides(a);
    if m < n {
        // The columns beyond the square are multiplied with the same Qᵀ.
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

/// By Householder's reflections, with `kept` columns of Q, of matrices with as many rows as
/// columns, or more.
pub(super) fn householder(a: &Tensor, kept: usize) -> Result<Vec<Tensor>> {
    let (m, n) = sides(a);
    let x = if n == 0 { Term::of(a) } else { packed(a)? };
    let one = |columns| Term(a.device().eye(m, columns, 0, DType::F32));
    let vectors = with_heads(&x.map(|x| x.tril(-1)), &one(n));
    let q = reflected(&vectors, &one(kept).expand(&batched(a, &[m, kept])))?;
    let r = x.between(-2, 0, kept.min(m)).map(|x| x.triu(0));
    list([q, r])
}

/// Vectors of reflections, of which what is behind their ones is known: what has nothing there was
/// not reflected.
fn with_heads(below: &Term, ones: &Term) -> Term {
    let any = below.apply(Unary::Abs).reduce(ReduceOp::Sum, -2, true);
    let any = any.compare(Compare::Gt, &any.number(0.0)).cast(DType::F32);
    below + &(&any * ones)
}

/// R on and above the diagonal, below it the vectors of reflections without their ones. The columns
/// of a panel are reflected one after the other, what is right of them by a product.
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
        let own = own_columns(&x, &start, width);
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
