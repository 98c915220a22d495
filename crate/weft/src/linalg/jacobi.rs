//! Eigenvalues of symmetric matrices and singular values, by Jacobi's rotations, and what is made of them.
//!
//! A round turns n/2 disjoint pairs of columns at once; columns then move on as players of a tournament do, so that after n − 1 rounds, a sweep, each
//! pair has met and all are where they were (Brent and Luk 1985). Rotations are applied as a small correction of what is there, which keeps columns
//! orthogonal over thousands of them (Rutishauser 1966). Of rectangular matrices the columns of a triangle are made orthogonal (Hestenes 1958); the turns
//! then come from another QR, which also completes them where singular values are 0.

use super::factor::householder;
use super::{LEVELS, batched, derived, list, matrices, only, repeated, sides, square};
use crate::build;
use crate::tensor::Tensor;
use crate::term::Term;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result};

/// Eigenvalues in ascending order, and eigenvectors as columns, of symmetric matrices. The symmetric part of what is given is taken. Errors with `Shape` unless they
/// are square.
pub fn eigh(a: &Tensor) -> Result<Vec<Tensor>> {
    symmetric("linalg.eigh", a)
}

/// The eigenvalues alone.
pub fn eigvalsh(a: &Tensor) -> Result<Tensor> {
    only(symmetric("linalg.eigvalsh", a))
}

fn symmetric(name: &str, a: &Tensor) -> Result<Vec<Tensor>> {
    let a = Term::of(&square(name, a)?.0);
    eigen((&(&a + &a.t()) * 0.5).get()?, LEVELS)
}

fn eigen(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    derived(
        &[a],
        level,
        |x| rotated(&x[0]),
        |x, d, level| {
            let found = eigen(x[0].get()?, level)?;
            let (w, v) = (Term::of(&found[0]), Term::of(&found[1]));
            let inner = v.t().dot(&d[0]).dot(&v);
            let turned = &inner * &inverse_gaps(&(&w.row() - &w.column()), sides(&found[1]).0);
            list([inner.diagonal(0), v.dot(&turned)])
        },
    )
}

/// 1 over each, 0 on the diagonal.
fn inverse_gaps(gaps: &Term, n: usize) -> Term {
    let one = gaps.number(1.0);
    let here = gaps.identity(n);
    here.or_else(&gaps.number(0.0), &(&one / &here.or_else(&one, gaps)))
}

/// Where columns stand in a round of pairs (i, i + half), and the turns of those pairs.
struct Round {
    /// The column that comes to each place.
    own: Term,
    /// The other of its pair.
    other: Term,
    sine: Term,
    /// sin / (1 + cos), with the sign by which the column itself counts.
    ratio: Term,
}

impl Round {
    /// Turns that make 0 of the products `r` of pairs whose own are `p` and `q`.
    fn new(n: usize, p: &Term, q: &Term, r: &Term) -> Round {
        let half = n / 2;
        let one = r.number(1.0);
        // What is this small changes neither, and what is flushed to 0 has no quotient.
        let least = &(&(p * q).apply(Unary::Abs) * 1e-15) + 1e-36;
        let turns = (r * r).compare(Compare::Gt, &least);
        let safe = turns.or_else(r, &one);
        let slope = &(q - p) / &(&safe + &safe);
        let size = slope.apply(Unary::Abs);
        let tangent = &one / &(&size + &(&(&size * &size) + 1.0).apply(Unary::Sqrt));
        let tangent = slope.compare(Compare::Lt, &slope.number(0.0)).or_else(&-&tangent, &tangent);
        let tangent = turns.or_else(&tangent, &r.number(0.0));
        let cosine = (&(&tangent * &tangent) + 1.0).apply(Unary::Rsqrt);
        let sine = &tangent * &cosine;
        let ratio = &sine / &(&cosine + 1.0);
        let place = r.positions(n);
        let at = |position: usize| place.compare(Compare::Eq, &place.number(position as f64));
        let own = if half < 2 {
            place.clone()
        } else {
            let before = place.compare(Compare::Lt, &place.number(half as f64));
            let moved = before.or_else(&(&place - 1.0), &(&place + 1.0));
            let moved = at(n - 1).or_else(&place.number(half as f64 - 1.0), &moved);
            at(0).or_else(&place, &at(1).or_else(&place.number(half as f64), &moved))
        };
        let first = own.compare(Compare::Lt, &own.number(half as f64));
        let other = first.or_else(&(&own + half as f64), &(&own - half as f64));
        let (sine, ratio) = ((-&sine).beside(&sine, -1), ratio.beside(&-&ratio, -1));
        Round { sine: sine.at(&own, -1), ratio: ratio.at(&own, -1), own, other }
    }

    /// With its columns turned and moved on.
    fn columns(&self, x: &Term) -> Term {
        let own = x.at(&self.own, -1);
        &own + &(&self.sine.row() * &(&x.at(&self.other, -1) + &(&self.ratio.row() * &own)))
    }

    fn rows(&self, x: &Term) -> Term {
        let own = x.at(&self.own, -2);
        &own + &(&self.sine.column() * &(&x.at(&self.other, -2) + &(&self.ratio.column() * &own)))
    }
}

/// How many rounds for n columns: of random matrices of 512 the products were below rounding after 10 sweeps, of 4 after 4.
fn rounds(n: usize) -> usize {
    let sweeps = 7 + n.next_power_of_two().ilog2() * 2 / 3;
    sweeps as usize * (n - 1)
}

/// Divided by its largest element, and that; so that squares neither overflow nor vanish.
fn scaled(a: &Tensor) -> Result<(Term, Term)> {
    let a = Term::of(a);
    let size = a.apply(Unary::Abs).reduce(ReduceOp::Max, -1, true).reduce(ReduceOp::Max, -2, true);
    let none = size.compare(Compare::Eq, &size.number(0.0));
    let size = none.or_else(&size.number(1.0), &size);
    Ok((&a / &size, size))
}

/// With zero rows or columns behind it.
fn padded(x: &Term, rows: usize, columns: usize) -> Term {
    x.map(|x| {
        let mut pads = vec![(0, 0); x.rank()];
        let rank = x.rank();
        (pads[rank - 2].1, pads[rank - 1].1) = (rows, columns);
        x.pad(&pads, 0.0)
    })
}

/// The order of the last axis, ascending, equals as they stand, and the values in it.
fn ascending(values: &Term, n: usize) -> (Term, Term) {
    let (own, other) = (values.column(), values.row());
    let place = values.positions(n);
    let tied = own.compare(Compare::Eq, &other).and(&place.column().compare(Compare::Gt, &place.row()));
    // How many come before each, and which one has so many.
    let before = other.compare(Compare::Lt, &own).with(Binary::Or, &tied).cast(DType::I32).sum(-1);
    let here = before.row().compare(Compare::Eq, &place.column());
    let order = here.or_else(&place.row(), &place.number(0.0)).sum(-1);
    let sorted = values.along(&order, -1);
    (order, sorted)
}

fn rotated(a: &Tensor) -> Result<Vec<Tensor>> {
    let n = sides(a).0;
    if a.size() == 0 {
        return Ok(vec![a.device().zeros(&batched(a, &[n]), DType::F32)?, a.clone()]);
    }
    let (x, size) = scaled(a)?;
    let even = n.next_multiple_of(2);
    let x = padded(&x, even - n, even - n);
    let one = Term::of(&a.device().eye(even, even, 0, DType::F32)?).expand(&batched(a, &[even, even]));
    let turn = |_: &Tensor, state: &[Tensor]| {
        let (x, v) = (Term::of(&state[0]), Term::of(&state[1]));
        let own = x.diagonal(0);
        let (p, q) = (own.between(-1, 0, even / 2), own.between(-1, even / 2, even));
        let round = Round::new(even, &p, &q, &x.diagonal(even / 2));
        list([round.rows(&round.columns(&x)), round.columns(&v)])
    };
    let done = repeated(rounds(even), turn, &[x.get()?, one.get()?])?;
    let (order, values) = ascending(&Term::of(&done[0]).diagonal(0).between(-1, 0, n), n);
    let vectors = Term::of(&done[1]).between(-1, 0, n).between(-2, 0, n).along(&order.row(), -1);
    list([&values * &size.map(|x| x.squeeze(Some(&[-1]))), vectors])
}

/// A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right vectors as rows. As many of each as the smaller side;
/// all where they are to be `full`, through which those beyond have no gradient.
pub fn svd(a: &Tensor, full: bool) -> Result<Vec<Tensor>> {
    let a = matrices("linalg.svd", a)?;
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
    Ok(found)
}

/// Singular values in descending order. Errors with `Shape` below two axes.
pub fn svdvals(a: &Tensor) -> Result<Tensor> {
    values("linalg.svdvals", a)
}

pub(super) fn values(name: &str, a: &Tensor) -> Result<Tensor> {
    Ok(singular(&matrices(name, a)?, LEVELS)?.swap_remove(1))
}

fn singular(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    derived(
        &[a],
        level,
        |x| {
            let (m, n) = sides(&x[0]);
            if m >= n {
                return orthogonalized(&x[0]);
            }
            let mut found = orthogonalized(&x[0].swap_axes(-1, -2)?)?;
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
            let gaps = inverse_gaps(&(&(&across + &down) * &(&across - &down)), m.min(n));
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
fn orthogonalized(a: &Tensor) -> Result<Vec<Tensor>> {
    let n = sides(a).1;
    if a.size() == 0 {
        let of = |shape: &[usize]| a.device().zeros(&batched(a, shape), DType::F32);
        let one = Term::of(&a.device().eye(n, n, 0, DType::F32)?).expand(&batched(a, &[n, n])).0?;
        return Ok(vec![of(&[sides(a).0, n])?, of(&[n])?, one]);
    }
    let (x, size) = scaled(a)?;
    let turned = householder(x.get()?, n)?;
    let (q, r) = (Term::of(&turned[0]), Term::of(&turned[1]));
    let even = n.next_multiple_of(2);
    let columns = padded(&r.t(), 0, even - n);
    let one = Term::of(&a.device().eye(even, even, 0, DType::F32)?).expand(&batched(a, &[even, even]));
    let state = columns.beside(&one, -2);
    let turn = |_: &Tensor, state: &[Tensor]| {
        let x = Term::of(&state[0]);
        let top = x.between(-2, 0, n);
        let (p, q) = (top.between(-1, 0, even / 2), top.between(-1, even / 2, even));
        let along = |a: &Term, b: &Term| (a * b).sum(-2);
        let round = Round::new(even, &along(&p, &p), &along(&q, &q), &along(&p, &q));
        list([round.columns(&x)])
    };
    let done = repeated(rounds(even), turn, &[state.get()?])?;
    let done = Term::of(&done[0]).between(-1, 0, n);
    // Rᵀ·W = Z·diag(s), so that A is Q·W·diag(s)·Zᵀ.
    let sizes = done.between(-2, 0, n).map(|x| x.square()).sum(-2);
    let (order, _) = ascending(&-&sizes, n);
    let done = done.along(&order.row(), -1);
    let last = householder(done.between(-2, 0, n).get()?, n)?;
    let (z, sizes) = (Term::of(&last[0]), Term::of(&last[1]).diagonal(0));
    let negative = sizes.compare(Compare::Lt, &sizes.number(0.0)).row();
    let z = negative.or_else(&-&z, &z);
    let w = done.between(-2, n, n + n);
    let values = &sizes.apply(Unary::Abs) * &size.map(|x| x.squeeze(Some(&[-1])));
    list([q.dot(&w), values, z.t()])
}

/// ε of f32 times the larger side.
fn usual(rtol: Option<f64>, a: &Tensor) -> f64 {
    let (m, n) = sides(a);
    rtol.unwrap_or(f64::from(f32::EPSILON) * m.max(n) as f64)
}

/// How many singular values are above `rtol` times the largest, as i32; ε of f32 times the larger side unless told.
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

/// The pseudo-inverses of matrices: singular values of at most `rtol` times the largest count as 0; 10 ε of f32 times the larger side unless told. Errors with `Shape` below two axes.
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

/// The shortest X that makes the squares of A·X − B least; their sums for each column of B; the rank of A; and its singular values. B is a matrix, or a vector.
/// Singular values of at most `rtol` times the largest count as 0; ε of f32 times the larger side unless told. Errors with `Shape` where they do not fit.
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
    let rest = (&b - &a.dot(&x)).map(|x| x.square()).sum(0);
    let s = Term(values(name, a.get()?));
    let rank = large(&s, a.get()?, rtol)?.cast(DType::I32).sum(-1);
    list([x, rest, rank, s])
}
