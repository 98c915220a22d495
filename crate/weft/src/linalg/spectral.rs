//! Eigenvalues of symmetric matrices, singular values, and what follows from them: rank,
//! pseudoinverse and least squares.
//!
//! A symmetric matrix is made tridiagonal (`householder.rs`), whose eigenvalues are found
//! (`divide_and_conquer.rs`). Of others the singular values are those of a bidiagonal matrix, which
//! are the eigenvalues above 0 of a tridiagonal one of twice as many rows (Golub and Kahan 1965),
//! whose eigenvectors hold left and right vectors in turns. The right ones are made orthonormal,
//! the largest first, and the left ones come from a QR of what the matrix makes of them, which
//! completes both where singular values are 0.

use super::divide_and_conquer::conquered;
use super::factor::householder;
use super::householder::{bidiagonal, reflected, tridiagonal};
use super::{batched, derived, list, matrices, only, sides, square};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::term::Term;
use crate::transform::custom::ruled;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result};

/// What is taken of a matrix that need not be symmetric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Its symmetric part.
    Both,
    /// What lies on and below the diagonal, mirrored.
    Lower,
    /// What lies on and above it, mirrored.
    Upper,
}

/// Eigenvalues in ascending order, and eigenvectors as columns, of symmetric matrices. The
/// symmetric part of what is given is taken. Errors with `Shape` unless they are square.
pub fn eigh(a: &Tensor) -> Result<Vec<Tensor>> {
    eigh_of(a, Half::Both)
}

/// [`eigh`] of a half of matrices.
pub fn eigh_of(a: &Tensor, half: Half) -> Result<Vec<Tensor>> {
    let name = "linalg.eigh";
    a.device().siblings(name, symmetric(name, a, half)?)
}

/// The eigenvalues alone.
pub fn eigvalsh(a: &Tensor) -> Result<Tensor> {
    eigvalsh_of(a, Half::Both)
}

/// [`eigvalsh`] of a half of matrices.
pub fn eigvalsh_of(a: &Tensor, half: Half) -> Result<Tensor> {
    only(symmetric("linalg.eigvalsh", a, half))
}

fn symmetric(name: &str, a: &Tensor, half: Half) -> Result<Vec<Tensor>> {
    let a = square(name, a)?.0;
    let mirrored = |half: Tensor, rest: Tensor| half.add(rest.swap_axes(-1, -2)?);
    let whole = match half {
        Half::Both => a.add(a.swap_axes(-1, -2)?)?.mul(0.5)?,
        Half::Lower => mirrored(a.tril(0)?, a.tril(-1)?)?,
        Half::Upper => mirrored(a.triu(0)?, a.triu(1)?)?,
    };
    eigen(&whole, LEVELS)
}

/// How often a derivative can be taken of eigenvalues and singular values, and of their vectors.
/// What finds them has none: one more is NaN.
const LEVELS: u8 = 3;

/// `f(a)` with the tangents that `rule` gives.
fn by_formula(
    a: &Tensor,
    level: u8,
    f: impl Fn(&[Tensor]) -> Result<Vec<Tensor>>,
    rule: impl FnOnce(&[Term], &[Term], u8) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    if level > 0 {
        return derived(&[a], level, f, rule);
    }
    let unknown = |x: &[Tensor], tangents: &[Tensor]| {
        let nothing = &Term(tangents[0].sum(None, false)) * f64::NAN;
        f(x)?.iter().map(|y| nothing.expand(y.shape()).0).collect()
    };
    ruled(&f, unknown, &[a])
}

fn eigen(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    by_formula(
        a,
        level,
        |x| diagonalized(&x[0]),
        |x, d, level| {
            let found = eigen(x[0].get()?, level)?;
            let (w, v) = (Term::of(&found[0]), Term::of(&found[1]));
            let inner = v.t().dot(&d[0]).dot(&v);
            let turned = &inner * &inverse_gaps(&(&w.row() - &w.column()));
            list([inner.diagonal(0), v.dot(&turned)])
        },
    )
}

/// 1 over each; 0 on the diagonal and between equals, whose vectors are any basis: what does not
/// hang on which one has its gradient without them.
fn inverse_gaps(gaps: &Term) -> Term {
    let (one, none) = (gaps.number(1.0), gaps.number(0.0));
    let equal = gaps.compare(Compare::Eq, &none);
    equal.or_else(&none, &(&one / &equal.or_else(&one, gaps)))
}

/// Divided by its largest element, and that; so that squares neither overflow nor vanish.
fn scaled(a: &Tensor) -> Result<(Term, Term)> {
    let a = Term::of(a);
    let size = a.apply(Unary::Abs).reduce(ReduceOp::Max, -1, true).reduce(ReduceOp::Max, -2, true);
    let none = size.compare(Compare::Eq, &size.number(0.0));
    let size = none.or_else(&size.number(1.0), &size);
    Ok((&a / &size, size))
}

/// The order of the last axis, ascending, equals as they stand, and the values in it.
fn ascending(values: &Term, n: usize) -> (Term, Term) {
    let (own, other) = (values.column(), values.row());
    let place = values.positions(n);
    let tied = own.compare(Compare::Eq, &other).and(&place.column().compare(Compare::Gt, &place.row()));
    // The rank of each value, and the permutation that sorts by it.
    let before = other.compare(Compare::Lt, &own).with(Binary::Or, &tied).cast(DType::I32).sum(-1);
    let here = before.row().compare(Compare::Eq, &place.column());
    let order = here.or_else(&place.row(), &place.number(0.0)).sum(-1);
    let sorted = values.along(&order, -1);
    (order, sorted)
}

fn diagonalized(a: &Tensor) -> Result<Vec<Tensor>> {
    let n = sides(a).0;
    if a.size() == 0 {
        return Ok(vec![a.device().zeros(&batched(a, &[n]), DType::F32)?, a.clone()]);
    }
    let (x, size) = scaled(a)?;
    let condensed = tridiagonal(&x)?;
    let [values, vectors] = conquered(&condensed.diagonals, n)?;
    let (order, values) = ascending(&values, n);
    let vectors = vectors.along(&order.row(), -1);
    let vectors = reflected(&condensed.vectors, &vectors)?;
    list([&values * &size.map(|x| x.squeeze(Some(&[-1]))), vectors])
}

/// A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right vectors as
/// rows. As many of each as the smaller side; all where they are to be `full`, through which those
/// beyond have no gradient.
pub fn svd(a: &Tensor, full: bool) -> Result<Vec<Tensor>> {
    let name = "linalg.svd";
    let a = matrices(name, a)?;
    let (m, n) = sides(&a);
    let mut found = singular(&a, LEVELS)?;
    if full && m != n {
        let place = if m > n { 0 } else { 2 };
        let thin = Term::of(&found[place]);
        let thin = if m > n { thin } else { thin.t() };
        let whole = householder(thin.detach().get()?, m.max(n))?;
        let rest = Term::of(&whole[0]).between(-1, m.min(n), m.max(n));
        let all = thin.beside(&rest.detach(), -1);
        found[place] = if m > n { all } else { all.t() }.0?;
    }
    a.device().siblings(name, found)
}

/// Singular values in descending order. Errors with `Shape` below two axes.
pub fn svdvals(a: &Tensor) -> Result<Tensor> {
    values("linalg.svdvals", a)
}

pub(super) fn values(name: &str, a: &Tensor) -> Result<Tensor> {
    Ok(singular(&matrices(name, a)?, LEVELS)?.swap_remove(1))
}

fn singular(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    by_formula(
        a,
        level,
        |x| {
            let (m, n) = sides(&x[0]);
            if m >= n {
                return decomposed(&x[0]);
            }
            let mut found = decomposed(&x[0].swap_axes(-1, -2)?)?;
            found.reverse();
            for place in [0, 2] {
                found[place] = found[place].swap_axes(-1, -2)?;
            }
            Ok(found)
        },
        |x, d, level| {
            let found = singular(x[0].get()?, level)?;
            let ((m, n), d) = (sides(x[0].get()?), &d[0]);
            let (u, s, vt) = (Term::of(&found[0]), Term::of(&found[1]), Term::of(&found[2]));
            let (ut, v) = (u.t(), vt.t());
            let inner = ut.dot(d).dot(&v);
            let (across, down) = (s.row(), s.column());
            let gaps = inverse_gaps(&(&(&across + &down) * &(&across - &down)));
            let both = |x: Term| &gaps * &(&x + &x.t());
            let mut of_u = u.dot(&both(&across * &inner));
            let mut of_v = v.dot(&both(&down * &inner));
            if m > n {
                let moved = d.dot(&v);
                of_u = &of_u + &(&(&moved - &u.dot(&ut.dot(&moved))) / &across);
            }
            if n > m {
                let moved = d.t().dot(&u);
                of_v = &of_v + &(&(&moved - &v.dot(&vt.dot(&moved))) / &across);
            }
            list([of_u, inner.diagonal(0), of_v.t()])
        },
    )
}

/// Of matrices with as many rows as columns, or more.
fn decomposed(a: &Tensor) -> Result<Vec<Tensor>> {
    let n = sides(a).1;
    if a.size() == 0 {
        let of = |shape: &[usize]| a.device().zeros(&batched(a, shape), DType::F32);
        let one = Term::of(&a.device().eye(n, n, 0, DType::F32)?).expand(&batched(a, &[n, n])).0?;
        return Ok(vec![of(&[sides(a).0, n])?, of(&[n])?, one]);
    }
    let (x, size) = scaled(a)?;
    let condensed = bidiagonal(&x)?;
    let [diagonal, above] = &condensed.diagonals;
    let zero = diagonal.between(-1, 0, 1).zero();
    let turns = diagonal.column().beside(&above.beside(&zero, -1).column(), -1);
    let turns = turns.shaped(&batched(a, &[2 * n])).between(-1, 0, 2 * n - 1);
    let none = diagonal.beside(diagonal, -1).zero();
    let [values, vectors] = conquered(&[none, turns], 2 * n)?;
    let largest = ascending(&-&values, 2 * n).0.between(-1, 0, n);
    // Every second row of the eigenvectors belongs to the right singular vectors.
    let right = vectors.shaped(&batched(a, &[n, 4 * n])).between(-1, 0, 2 * n).along(&largest.row(), -1);
    let right = reflected(&condensed.vectors, &right)?;
    let right = Term::of(&householder(right.get()?, n)?[0]);
    let last = householder(x.dot(&right).get()?, n)?;
    let (left, values) = (Term::of(&last[0]), Term::of(&last[1]).diagonal(0));
    // Rounding may have changed the order.
    let (order, _) = ascending(&-&values.apply(Unary::Abs), n);
    let sorted = |x: &Term| x.along(&order.row(), -1);
    let values = values.along(&order, -1);
    let negative = values.compare(Compare::Lt, &values.number(0.0)).row();
    let left = sorted(&left);
    let left = negative.or_else(&-&left, &left);
    let values = &values.apply(Unary::Abs) * &size.map(|x| x.squeeze(Some(&[-1])));
    list([left, values, sorted(&right).t()])
}

/// ε of f32 times the larger side.
fn usual(rtol: Option<f64>, a: &Tensor) -> f64 {
    let (m, n) = sides(a);
    rtol.unwrap_or(f64::from(f32::EPSILON) * m.max(n) as f64)
}

/// How many singular values are above `rtol` times the largest, as i32; ε of f32 times the larger
/// side by default.
pub fn matrix_rank(a: &Tensor, rtol: Option<f64>) -> Result<Tensor> {
    let name = "linalg.matrixRank";
    let a = matrices(name, a)?;
    let s = Term(values(name, &a));
    large(&s, &a, usual(rtol, &a))?.cast(DType::I32).sum(-1).0
}

/// Which singular values are above a share of the largest.
fn large(s: &Term, a: &Tensor, rtol: f64) -> Result<Term> {
    let (m, n) = sides(a);
    if m.min(n) == 0 {
        return Ok(Term(s.get()?.cast(DType::Bool)));
    }
    let bound = &s.between(-1, 0, 1) * rtol;
    Ok(s.compare(Compare::Gt, &bound))
}

/// The pseudo-inverses of matrices: singular values of at most `rtol` times the largest count as 0;
/// 10 ε of f32 times the larger side by default. Errors with `Shape` below two axes.
pub fn pinv(a: &Tensor, rtol: Option<f64>) -> Result<Tensor> {
    let a = matrices("linalg.pinv", a)?;
    let rtol = rtol.unwrap_or(10.0 * usual(None, &a));
    pseudo(&a, rtol, LEVELS)
}

fn pseudo(a: &Tensor, rtol: f64, level: u8) -> Result<Tensor> {
    only(derived(
        &[a],
        level,
        |x| {
            let found = singular(&x[0], 0)?;
            let (u, s, vt) = (Term::of(&found[0]), Term::of(&found[1]), Term::of(&found[2]));
            let large = large(&s, a, rtol)?;
            let inverse =
                large.or_else(&(&s.number(1.0) / &large.or_else(&s, &s.number(1.0))), &s.number(0.0));
            list([(&vt.t() * &inverse.row()).dot(&u.t())])
        },
        |x, d, level| {
            // Golub and Pereyra 1973, where the rank stays.
            let (a, d, p) = (&x[0], &d[0], Term(pseudo(x[0].get()?, rtol, level)));
            let (pt, dt) = (p.t(), d.t());
            let inside = -&p.dot(d).dot(&p);
            let seen = p.dot(&pt).dot(&dt);
            let left = &seen - &seen.dot(a).dot(&p);
            let reach = dt.dot(&pt).dot(&p);
            let right = &reach - &p.dot(a).dot(&reach);
            list([&(&inside + &left) + &right])
        },
    ))
}

/// The shortest X that makes the squares of A·X − B least; their sums for each column of B; the
/// rank of A; and its singular values. B is a matrix, or a vector, which is one column. Singular
/// values of at most `rtol` times the largest count as 0; ε of f32 times the larger side by
/// default. Errors with `Shape` where they do not fit.
pub fn lstsq(a: &Tensor, b: &Tensor, rtol: Option<f64>) -> Result<Vec<Tensor>> {
    let name = "linalg.lstsq";
    let (a, b) = (matrices(name, a)?, build::cast(name, b, DType::F32)?);
    if a.rank() != 2 || b.rank() == 0 || b.rank() > 2 || b.shape()[0] != sides(&a).0 {
        return Err(Error::shape(
            name,
            format!("{} and {} are no system of equations", a.shape(), b.shape()),
        ));
    }
    let rtol = usual(rtol, &a);
    let (a, b) = (Term::of(&a), Term::of(&b));
    let x = Term(pseudo(a.get()?, rtol, LEVELS)).dot(&b);
    let columns = b.get()?.shape().get(1).copied().unwrap_or(1);
    let rest = (&b - &a.dot(&x)).map(|x| x.square()).sum(0);
    let rest = rest.map(|sums| build::reshape(name, sums, &[columns].into()));
    let s = Term(values(name, a.get()?));
    let rank = large(&s, a.get()?, rtol)?.cast(DType::I32).sum(-1);
    list([x, rest, rank, s])
}
