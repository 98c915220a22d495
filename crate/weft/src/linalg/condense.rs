//! How is a symmetric matrix made tridiagonal, and any matrix bidiagonal, by reflections? And what do many reflections make of a matrix?
//!
//! Panels of columns are reflected while the rest stays as it was: what the panel's reflections do to it is known as two thin factors, through which the
//! next column and the next product with a vector are read (LAPACK's `latrd` and `labrd`; Dongarra, Hammarling and Sorensen 1989). So a column costs reading the
//! matrix, and only a panel costs writing it.

use super::inverse::inverse_of_upper;
use super::{batched, padded, repeated, sides};
use crate::control::Scan;
use crate::tensor::Tensor;
use crate::term::Term;
use weft_ir::op::{Compare, ReduceOp, Unary};
use weft_ir::{DType, Result};

/// Columns of a panel.
const PANEL: usize = 32;

/// I − scale·v·vᵀ, which leaves of a vector what is before a position, something there, and nothing behind.
pub(super) struct Reflection {
    /// 0 before the position and 1 there.
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
        Reflection { v, scale, turned: &turned * &size }
    }
}

/// x after reflections, the last of them first: their vectors are the columns of `v`, with as many scales.
///
/// Together they are I − V·T·Vᵀ, and the inverse of T is the upper triangle of VᵀV with 1/scale on its diagonal (Puglisi 1992).
pub(super) fn reflected(v: &Term, scales: &Term, x: &Term) -> Result<Term> {
    let steps = sides(v.get()?).1;
    let none = scales.compare(Compare::Eq, &scales.number(0.0));
    let v = none.row().or_else(&v.zero(), v);
    let one = scales.number(1.0);
    let ones = none.or_else(&one, &(&one / &none.or_else(&one, scales)));
    let products = v.t().dot(&v).map(|x| x.triu(1));
    let inverse = products.identity(steps).or_else(&ones.row(), &products);
    let t = Term(inverse_of_upper(inverse.get()?, 0));
    Ok(x - &v.dot(&t.dot(&v.t().dot(x))))
}

/// What a matrix was made.
pub(super) struct Condensed {
    /// The diagonal, and the one above it.
    pub diagonals: [Term; 2],
    /// Of the reflections from the right, the vectors as columns, and the scales.
    pub vectors: Term,
    pub scales: Term,
}

/// How many panels n columns make, and how many columns each has.
fn panels(n: usize) -> [usize; 2] {
    let count = n.div_ceil(PANEL);
    [count, n.div_ceil(count)]
}

/// With a vector as a column of a panel.
fn with_column(panel: &Term, column: &Term, width: usize, vector: &Term) -> Term {
    let here = panel.positions(width).compare(Compare::Eq, column);
    here.or_else(&vector.column(), panel)
}

/// The product of a matrix with vectors.
fn times(a: &Term, x: &Term) -> Term {
    a.dot(&x.column()).map(|x| x.squeeze(Some(&[-1])))
}

/// Of vectors, with an axis of 1.
fn inner(a: &Term, b: &Term) -> Term {
    (a * b).reduce(ReduceOp::Sum, -1, true)
}

/// The columns of panels, one beside the other, and their scales.
fn joined(stacks: &[Tensor], n: usize) -> [Term; 2] {
    let [vectors, scales] = [0, 1].map(|which| Term::of(&stacks[which]).map(|x| x.move_axis(0, -2)));
    let whole = |x: &Tensor, last: &[usize]| {
        Term::of(x).shaped(&[&x.shape()[..x.rank() - last.len() - 1], last].concat()).0
    };
    let columns = stacks[0].shape()[0] * sides(&stacks[0]).1;
    let vectors = vectors.map(|x| whole(x, &[x.shape()[x.rank() - 3], columns]));
    let scales = scales.map(|x| whole(x, &[columns]));
    [vectors.between(-1, 0, n).between(-2, 0, n), scales.between(-1, 0, n)]
}

/// Q·T·Qᵀ of symmetric matrices, T tridiagonal.
pub(super) fn tridiagonal(a: &Term) -> Result<Condensed> {
    let n = sides(a.get()?).0;
    let [count, width] = panels(n);
    let side = count * width;
    let a = padded(a, side - n, side - n);
    let starts = &a.positions(count) * width as f64;
    let device = a.get()?.device();
    let none = |last: &[usize]| device.zeros(&batched(a.get()?, last), DType::F32);
    let (thin, none) = (none(&[side, width])?, none(&[width])?);
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (a, start) = (Term::of(&state[0]), Term::of(&slices[0]));
        let column = |j: &Tensor, state: &[Tensor]| {
            let j = Term::of(j);
            let k = &start + &j;
            let [v, w, scales] = [0, 1, 2].map(|n| Term::of(&state[n]));
            let moved = times(&v, &w.at(&k, -2));
            let moved = &moved + &times(&w, &v.at(&k, -2));
            let reflection = Reflection::new(&(&a.at(&k, -1) - &moved), &(&k + 1.0), side);
            let (x, scale) = (&reflection.v, &reflection.scale);
            let across = times(&v, &times(&w.t(), x));
            let across = &across + &times(&w, &times(&v.t(), x));
            let product = &(&times(&a, x) - &across) * scale;
            let half = &(scale * &inner(&product, x)) * 0.5;
            let y = &product - &(&half * x);
            Ok(vec![
                with_column(&v, &j, width, x).0?,
                with_column(&w, &j, width, &y).0?,
                with_column(&scales.row(), &j, width, scale).map(|x| x.squeeze(Some(&[-2]))).0?,
            ])
        };
        let made = repeated(width, column, &[&thin, &thin, &none])?;
        let [v, w] = [0, 1].map(|n| Term::of(&made[n]));
        let next = &(&a - &v.dot(&w.t())) - &w.dot(&v.t());
        Ok((vec![next.0?], vec![made[0].clone(), made[2].clone()]))
    };
    let (state, stacks) = device.scan(panel, &[a.get()?], &[starts.get()?], Scan::default())?;
    let a = Term::of(&state[0]).between(-2, 0, n).between(-1, 0, n);
    let [vectors, scales] = joined(&stacks, n);
    Ok(Condensed { diagonals: [a.diagonal(0), a.diagonal(1)], vectors, scales })
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
    let none = |last: &[usize]| device.zeros(&batched(a.get()?, last), DType::F32);
    let (tall, thin, none) = (none(&[rows, width])?, none(&[side, width])?, none(&[width])?);
    let panel = |state: &[Tensor], slices: &[Tensor]| {
        let (a, start) = (Term::of(&state[0]), Term::of(&slices[0]));
        let column = |j: &Tensor, state: &[Tensor]| {
            let j = Term::of(j);
            let k = &start + &j;
            // The matrix is by now A − V·Yᵀ − X·Uᵀ.
            let [v, y, x, u, scales] = [0, 1, 2, 3, 4].map(|n| Term::of(&state[n]));
            let moved = &times(&v, &y.at(&k, -2)) + &times(&x, &u.at(&k, -2));
            let left = Reflection::new(&(&a.at(&k, -1) - &moved), &k, rows);
            let across = times(&y, &times(&v.t(), &left.v));
            let across = &across + &times(&u, &times(&x.t(), &left.v));
            let product = &(&times(&a.t(), &left.v) - &across) * &left.scale;
            let v = with_column(&v, &j, width, &left.v);
            let y = with_column(&y, &j, width, &product);
            let moved = &times(&y, &v.at(&k, -2)) + &times(&u, &x.at(&k, -2));
            let right = Reflection::new(&(&a.at(&k, -2) - &moved), &(&k + 1.0), side);
            let across = times(&v, &times(&y.t(), &right.v));
            let across = &across + &times(&x, &times(&u.t(), &right.v));
            let product = &(&times(&a, &right.v) - &across) * &right.scale;
            Ok(vec![
                v.0?,
                y.0?,
                with_column(&x, &j, width, &product).0?,
                with_column(&u, &j, width, &right.v).0?,
                with_column(&scales.row(), &j, width, &right.scale).map(|x| x.squeeze(Some(&[-2]))).0?,
            ])
        };
        let made = repeated(width, column, &[&tall, &thin, &tall, &thin, &none])?;
        let [v, y, x, u] = [0, 1, 2, 3].map(|n| Term::of(&made[n]));
        let next = &(&a - &v.dot(&y.t())) - &x.dot(&u.t());
        Ok((vec![next.0?], vec![made[3].clone(), made[4].clone()]))
    };
    let (state, stacks) = device.scan(panel, &[a.get()?], &[starts.get()?], Scan::default())?;
    let a = Term::of(&state[0]).between(-2, 0, n).between(-1, 0, n);
    let [vectors, scales] = joined(&stacks, n);
    Ok(Condensed { diagonals: [a.diagonal(0), a.diagonal(1)], vectors, scales })
}
