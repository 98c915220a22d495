//! Tridiagonal and bidiagonal forms by Householder reflections, and products of many reflections.
//!
//! Panels of columns are reflected while the rest of the matrix stays as it was. Two thin factors
//! say what the panel's reflections do to it; the next column and the next product with a vector
//! are read through them (LAPACK's `latrd` and `labrd`; Dongarra, Hammarling and Sorensen 1989). So
//! a column costs reading the matrix, and only a panel costs writing it.

use super::inverse::inverse_of_upper;
use super::{batched, padded, repeated, sides};
use crate::device::tensor::Tensor;
use crate::ops::term::Term;
use crate::transform::control::Scan;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Result};

/// Columns of a panel.
const PANEL: usize = 32;

/// I − scale·v·vᵀ, which leaves of a vector what is before a position, something there, and nothing
/// behind.
pub(super) struct Reflection {
    /// 0 before the position and 1 there; 0 altogether where nothing is to be reflected.
    pub v: Term,
    /// With an axis of 1, as `turned`.
    pub scale: Term,
    /// What is left there.
    pub turned: Term,
}

impl Reflection {
    /// Of vectors of `n` elements, at the position `at`, a 0-d i32.
    pub fn new(x: &Term, at: &Term, n: usize) -> Reflection {
        let rows = x.positions(n);
        let active = rows.compare(Compare::Ge, at).or_else(x, &x.zero());
        let size = active.apply(Unary::Abs).reduce(ReduceOp::Max, -1, true);
        let empty = size.compare(Compare::Eq, &size.number(0.0));
        let size = empty.or_else(&size.number(1.0), &size);
        let active = &active / &size;
        let head = active.at(at, -1).column();
        let tail = rows.compare(Compare::Gt, at).or_else(&active, &active.zero());
        let rest = tail.map(|x| x.square()).sum(-1).column();
        let flat = rest.compare(Compare::Eq, &rest.number(0.0));
        let length = (&(&head * &head) + &rest).apply(Unary::Sqrt);
        let positive = head.compare(Compare::Ge, &head.number(0.0));
        let turned = flat.or_else(&head, &positive.or_else(&-&length, &length));
        let apart = flat.or_else(&head.number(1.0), &(&head - &turned));
        let scale = flat.or_else(&head.zero(), &(&-&apart / &turned));
        let here = rows.compare(Compare::Eq, at);
        let v = here.or_else(&head.number(1.0), &(&tail / &apart));
        let v = flat.or_else(&v.zero(), &v);
        Reflection { v, scale, turned: &turned * &size }
    }
}

/// x after reflections, the last of them first: their vectors are the columns of `v`, 0 where
/// nothing is reflected.
pub(super) fn reflected(v: &Term, x: &Term) -> Result<Term> {
    Ok(x - &v.dot(&together(v)?.dot(&v.t().dot(x))))
}

/// x after the same reflections, the first of them first.
pub(super) fn reflected_in_order(v: &Term, x: &Term) -> Result<Term> {
    Ok(x - &v.dot(&together(v)?.t().dot(&v.t().dot(x))))
}

/// T of I − V·T·Vᵀ, which reflections are together: its inverse is the upper triangle of VᵀV with
/// half its diagonal (Puglisi 1992).
fn together(v: &Term) -> Result<Term> {
    let steps = sides(v.get()?).1;
    let products = v.t().dot(v).map(|x| x.triu(0));
    let halves = &products.diagonal(0) * 0.5;
    let none = halves.compare(Compare::Eq, &halves.number(0.0));
    let halves = none.or_else(&halves.number(1.0), &halves);
    let inverse = products.identity(steps).or_else(&halves.row(), &products);
    Ok(Term(inverse_of_upper(inverse.get()?, 0)))
}

/// What a matrix was made.
pub(super) struct Condensed {
    /// The diagonal, and the one above it.
    pub diagonals: [Term; 2],
    /// Of the reflections from the right, the vectors as columns.
    pub vectors: Term,
}

/// How many panels n columns make, and how many columns each has.
pub(super) fn panels(n: usize) -> [usize; 2] {
    let count = n.div_ceil(PANEL);
    [count, n.div_ceil(count)]
}

/// With a vector as a column of two panels, which have `columns` columns together.
fn with_column(panels: &Term, column: &Term, columns: usize, vector: &Term) -> Term {
    let here = panels.positions(columns).compare(Compare::Eq, column);
    here.or_else(&vector.column(), panels)
}

/// The product of matrices and vectors, and that of their transposes.
fn times(a: &Term, x: &Term) -> Term {
    (a * &x.row()).sum(-1)
}

fn across(a: &Term, x: &Term) -> Term {
    (a * &x.column()).sum(-2)
}

/// The second half of vectors before the first.
fn exchanged(x: &Term, half: usize) -> Term {
    x.between(-1, half, 2 * half).beside(&x.between(-1, 0, half), -1)
}

/// Of the columns of panels those from `from` to `to`, of all panels one beside the other.
pub(super) fn joined(stack: &Tensor, [from, to]: [usize; 2], [rows, columns]: [usize; 2]) -> Result<Term> {
    let taken = Term::of(stack).between(-1, from, to).map(|x| x.move_axis(&[0], &[-2]));
    let x = taken.get()?;
    let rank = x.rank();
    let whole = [&x.shape()[..rank - 3], &[x.shape()[rank - 3], x.shape()[rank - 2] * (to - from)]].concat();
    Ok(taken.shaped(&whole).between(-1, 0, columns).between(-2, 0, rows))
}

/// Q·T·Qᵀ of symmetric matrices, T tridiagonal.
pub(super) fn tridiagonal(a: &Term) -> Result<Condensed> {
    let n = sides(a.get()?).0;
    let [count, width] = panels(n);
    let side = count * width;
    let a = padded(a, side - n, side - n);
    let starts = &a.positions(count) * width as f64;
    let device = a.get()?.device();
    let none = device.zeros(&batched(a.get()?, &[side, 2 * width]), DType::F32)?;
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (a, start) = (Term::of(&state[0]), Term::of(&slices[0]));
        let column = |j: &Tensor, state: &[Tensor]| {
            let j = Term::of(j);
            let k = &start + &j;
            // The matrix is by now A − V·Wᵀ − W·Vᵀ, and this V beside W.
            let both = Term::of(&state[0]);
            let moved = times(&both, &exchanged(&both.at(&k, -2), width));
            let reflection = Reflection::new(&(&a.at(&k, -1) - &moved), &(&k + 1.0), side);
            let (v, scale) = (&reflection.v, &reflection.scale);
            let moved = times(&both, &exchanged(&across(&both, v), width));
            let product = &(&times(&a, v) - &moved) * scale;
            let inner = (&product * v).reduce(ReduceOp::Sum, -1, true);
            let w = &product - &(&(&(scale * &inner) * 0.5) * v);
            let both = with_column(&both, &j, 2 * width, v);
            Ok(vec![with_column(&both, &(&j + width as f64), 2 * width, &w).0?])
        };
        let both = repeated(width, column, &[&none])?.swap_remove(0);
        let turned = Term::of(&both);
        let turned = turned.between(-1, width, 2 * width).beside(&turned.between(-1, 0, width), -1);
        let next = &a - &Term::of(&both).dot(&turned.t());
        Ok((vec![next.0?], vec![both]))
    };
    let (state, stacks) = device.scan(panel, &[a.get()?], &[starts.get()?], Scan::default())?;
    let a = Term::of(&state[0]).between(-2, 0, n).between(-1, 0, n);
    let vectors = joined(&stacks[0], [0, width], [n, n])?;
    Ok(Condensed { diagonals: [a.diagonal(0), a.diagonal(1)], vectors })
}

/// P·B·Qᵀ of matrices with as many rows as columns, or more; B has a diagonal and one above it.
pub(super) fn bidiagonal(a: &Term) -> Result<Condensed> {
    let (m, n) = sides(a.get()?);
    let [count, width] = panels(n);
    let side = count * width;
    let rows = m.max(side);
    let a = padded(a, rows - m, side - n);
    let starts = &a.positions(count) * width as f64;
    let device = a.get()?.device();
    let none = |rows| device.zeros(&batched(a.get()?, &[rows, 2 * width]), DType::F32);
    let (tall, short) = (none(rows)?, none(side)?);
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (a, start) = (Term::of(&state[0]), Term::of(&slices[0]));
        let column = |j: &Tensor, state: &[Tensor]| {
            let j = Term::of(j);
            let (k, second) = (&start + &j, &j + width as f64);
            // The matrix is by now A − V·Yᵀ − X·Uᵀ, and these V beside X and Y beside U.
            let (left, right) = (Term::of(&state[0]), Term::of(&state[1]));
            let moved = times(&left, &right.at(&k, -2));
            let reflection = Reflection::new(&(&a.at(&k, -1) - &moved), &k, rows);
            let (v, scale) = (&reflection.v, &reflection.scale);
            let y = &(&across(&a, v) - &times(&right, &across(&left, v))) * scale;
            let left = with_column(&left, &j, 2 * width, v);
            let right = with_column(&right, &j, 2 * width, &y);
            let moved = times(&right, &left.at(&k, -2));
            let reflection = Reflection::new(&(&a.at(&k, -2) - &moved), &(&k + 1.0), side);
            let (u, scale) = (&reflection.v, &reflection.scale);
            let x = &(&times(&a, u) - &times(&left, &across(&right, u))) * scale;
            let left = with_column(&left, &second, 2 * width, &x);
            Ok(vec![left.0?, with_column(&right, &second, 2 * width, u).0?])
        };
        let made = repeated(width, column, &[&tall, &short])?;
        let next = &a - &Term::of(&made[0]).dot(&Term::of(&made[1]).t());
        Ok((vec![next.0?], vec![made[1].clone()]))
    };
    let (state, stacks) = device.scan(panel, &[a.get()?], &[starts.get()?], Scan::default())?;
    let a = Term::of(&state[0]).between(-2, 0, n).between(-1, 0, n);
    let vectors = joined(&stacks[0], [width, 2 * width], [n, n])?;
    Ok(Condensed { diagonals: [a.diagonal(0), a.diagonal(1)], vectors })
}
