//! Systems of equations, inverses and determinants.
//!
//! Inverses of triangles come by doubling: two products give the inverse of a block from those of
//! its two halves (Higham, *Accuracy and Stability of Numerical Algorithms*, section 14.2), so that
//! a triangle of n rows takes log n steps. Solutions are refined by their residuals.

use super::factor::{factors, lower, upper, with_ones};
use super::{LEVELS, batched, derived, list, only, padded, repeated, sides, square};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::term::Term;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result};

/// Rows of a triangle whose inverse comes by doubling; in larger ones that would be most of the
/// work.
const BLOCK: usize = 32;

/// A function from matrices to their inverses.
type Inverse = fn(&Tensor) -> Result<Tensor>;

/// X of A·X = B for triangles A, or of Aᵀ·X = B where `transposed`: of A the lower or upper
/// triangle is read, with ones for its diagonal where `unit`. B is a matrix, or a vector. Errors
/// with `Shape` where they do not fit.
pub fn triangular_solve(a: &Tensor, b: &Tensor, lower: bool, transposed: bool, unit: bool) -> Result<Tensor> {
    let name = "linalg.triangularSolve";
    let (a, n) = square(name, a)?;
    let mut a = Term(if lower { a.tril(0) } else { a.triu(0) });
    if unit {
        a = a.identity(n).or_else(&a.number(1.0), &a);
    }
    if transposed {
        a = a.t();
    }
    let is_lower = lower != transposed;
    let reversed = |x: &Term, axes: &[i64]| if is_lower { x.clone() } else { x.map(|x| x.flip(Some(axes))) };
    let a = reversed(&a, &[-1, -2]);
    with_columns(name, a.get()?, b, |b| {
        let b = reversed(&Term::of(b), &[-2]);
        let x = Term(solved(a.get()?, b.get()?, doubled, LEVELS));
        reversed(&x, &[-2]).0
    })
}

/// X of A·X = B for a matrix B, or a vector. Errors with `Shape` where they do not fit.
pub fn solve(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let name = "linalg.solve";
    let (a, _) = square(name, a)?;
    with_columns(name, &a, b, |b| solved(&a, b, eliminated, LEVELS))
}

/// The inverses of square matrices. Errors with `Shape` for others.
pub fn inv(a: &Tensor) -> Result<Tensor> {
    let (a, _) = square("linalg.inv", a)?;
    inverted(&a, eliminated, LEVELS)
}

/// `f` of the right side as matrices that fit, and of a vector as its one column.
fn with_columns(
    name: &str,
    a: &Tensor,
    b: &Tensor,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let b = build::cast(name, b, DType::F32)?;
    let rows = if b.rank() < 2 { b.shape().first() } else { b.shape().get(b.rank() - 2) };
    if rows != Some(&sides(a).0) {
        return Err(Error::shape(name, format!("{} has not as many rows as {}", b.shape(), a.shape())));
    }
    if b.rank() > 1 {
        return f(&b);
    }
    f(&b.expand_dims(-1)?)?.squeeze(Some(&[-1]))
}

fn solved(a: &Tensor, b: &Tensor, inverse: Inverse, level: u8) -> Result<Tensor> {
    only(derived(
        &[a, b],
        level,
        |x| {
            let (a, b, inverse) = (Term::of(&x[0]), Term::of(&x[1]), Term(inverse(&x[0])));
            let first = inverse.dot(&b);
            list([&first + &inverse.dot(&(&b - &a.dot(&first)))])
        },
        |x, d, level| {
            let inverse = Term(inverted(x[0].get()?, inverse, level));
            let found = inverse.dot(&x[1]);
            list([inverse.dot(&(&d[1] - &d[0].dot(&found)))])
        },
    ))
}

fn inverted(a: &Tensor, inverse: Inverse, level: u8) -> Result<Tensor> {
    only(derived(
        &[a],
        level,
        |x| Ok(vec![inverse(&x[0])?]),
        |x, d, level| {
            let inverse = Term(inverted(x[0].get()?, inverse, level));
            list([-&inverse.dot(&d[0]).dot(&inverse)])
        },
    ))
}

pub(super) fn inverse_of_lower(a: &Tensor, level: u8) -> Result<Tensor> {
    inverted(a, doubled, level)
}

pub(super) fn inverse_of_upper(a: &Tensor, level: u8) -> Result<Tensor> {
    let turned = inverse_of_lower(&a.flip(Some(&[-1, -2]))?, level)?;
    turned.flip(Some(&[-1, -2]))
}

/// Of lower triangles: of blocks on the diagonal by doubling, then block after block by what is
/// known of those above it.
fn doubled(a: &Tensor) -> Result<Tensor> {
    let n = sides(a).0;
    let count = n.div_ceil(BLOCK);
    if count < 2 {
        return doubled_at_once(a);
    }
    let width = n.div_ceil(count);
    let side = count * width;
    let whole = padded(&Term::of(a), side - n, side - n).map(|x| with_ones(x, n));
    let blocks = whole.shaped(&batched(a, &[count, width, count, width]));
    let blocks = blocks.map(|x| x.diagonal(0, -4, -2)?.move_axis(&[-1], &[-3]));
    let inner = Term(doubled_at_once(blocks.get()?));
    let rows = whole.shaped(&batched(a, &[count, width, side]));
    let next = |block: &Tensor, state: &[Tensor]| {
        let (block, x) = (Term::of(block), Term::of(&state[0]));
        let (rows, first) = (rows.at(&block, -3), &block * width as f64);
        let places = x.positions(side);
        let before = places.compare(Compare::Lt, &first).or_else(&rows, &rows.zero());
        let own = (&x.positions(width).column() + &first).compare(Compare::Eq, &places.row());
        let rest = &own.cast(DType::F32) - &before.dot(&x.shaped(&batched(a, &[side, side])));
        let found = inner.at(&block, -3).dot(&rest).map(|x| x.expand_dims(-3));
        let here = x.positions(count).compare(Compare::Eq, &block).column().column();
        list([here.or_else(&found, &x)])
    };
    let found = only(repeated(count, next, &[rows.zero().get()?]))?;
    let found = Term::of(&found).shaped(&batched(a, &[side, side]));
    found.between(-1, 0, n).between(-2, 0, n).0
}

fn doubled_at_once(a: &Tensor) -> Result<Tensor> {
    let n = sides(a).0;
    let term = Term::of(a);
    let ones = &term.number(1.0) / &term.diagonal(0).row();
    let start = term.identity(n).or_else(&ones, &term.zero()).0?;
    let steps = n.max(1).next_power_of_two().ilog2() as usize;
    let done = repeated(
        steps,
        |step, state| {
            let (step, x) = (Term::of(step), Term::of(&state[0]));
            let block = term.positions(n).with(Binary::Shr, &step);
            let (row, column) = (block.column(), block.row());
            // The block below an even diagonal block, left of the odd one after it.
            let even =
                column.with(Binary::And, &column.number(1.0)).compare(Compare::Eq, &column.number(0.0));
            let below = (&row - 1.0).compare(Compare::Eq, &column);
            let corner = below.and(&even).or_else(&term, &term.zero());
            list([&x - &x.dot(&corner).dot(&x)])
        },
        &[&start],
    );
    only(done)
}

/// Of any square matrices, by LU.
fn eliminated(a: &Tensor) -> Result<Tensor> {
    let found = factors(a, 0)?;
    of_factors(&Term::of(&found[0]), &Term::of(&found[2]))
}

/// Of matrices of which `lu` packs the triangles and tells the order of rows.
fn of_factors(packed: &Term, order: &Term) -> Result<Tensor> {
    let n = sides(packed.get()?).0;
    let l = Term(doubled(lower(packed, n, n).get()?));
    let u = Term(inverse_of_upper(upper(packed, n, n).get()?, 0));
    // The inverse permutes columns as the factorization permuted rows.
    let places = packed.positions(n);
    let permutation = order.column().compare(Compare::Eq, &places.row()).cast(DType::F32);
    u.dot(&l.dot(&permutation)).0
}

/// The determinants of square matrices. Errors with `Shape` for others.
pub fn det(a: &Tensor) -> Result<Tensor> {
    let (a, n) = square("linalg.det", a)?;
    let x = Term::of(&a);
    let entry = |i: usize, j: usize| {
        x.between(-2, i, i + 1).between(-1, j, j + 1).map(|x| x.squeeze(Some(&[-1, -2])))
    };
    let minor = |r: usize, i: usize, j: usize| {
        &(&entry(r, i) * &entry(r + 1, j)) - &(&entry(r, j) * &entry(r + 1, i))
    };
    match n {
        1 => entry(0, 0).0,
        2 => minor(0, 0, 1).0,
        3 => {
            let outer = &(&entry(0, 0) * &minor(1, 1, 2)) - &(&entry(0, 1) * &minor(1, 0, 2));
            (&outer + &(&entry(0, 2) * &minor(1, 0, 1))).0
        }
        _ => det_of(&a, LEVELS),
    }
}

fn det_of(a: &Tensor, level: u8) -> Result<Tensor> {
    only(derived(
        &[a],
        level,
        |x| {
            let (sign, pivots) = sign_and_pivots(&x[0])?;
            list([&sign * &pivots.reduce(ReduceOp::Prod, -1, false)])
        },
        |x, d, level| list([traced(&Term(adjugate(x[0].get()?, level)), &d[0])]),
    ))
}

/// The inverses times the determinants, which singular matrices have too: a pivot of 0 is taken for
/// what rounding might have left there, by which the result, a polynomial, changes as little as by
/// any rounding.
fn adjugate(a: &Tensor, level: u8) -> Result<Tensor> {
    only(derived(
        &[a],
        level,
        |x| {
            let (packed, sign, order) = regular(&x[0])?;
            let pivots = packed.diagonal(0).reduce(ReduceOp::Prod, -1, false);
            let inverse = Term(of_factors(&packed, &order));
            list([&inverse * &(&sign * &pivots).column().column()])
        },
        |x, d, level| {
            let found = Term(adjugate(x[0].get()?, level));
            let inverse = Term(inverted(
                x[0].get()?,
                |x| {
                    let (packed, _, order) = regular(x)?;
                    of_factors(&packed, &order)
                },
                level,
            ));
            let change = inverse.dot(&d[0]);
            let whole = change.diagonal(0).sum(-1).column().column();
            list([&(&found * &whole) - &change.dot(&found)])
        },
    ))
}

/// What `lu` packs without a pivot of 0, the sign of its permutation, and its order of rows.
fn regular(a: &Tensor) -> Result<(Term, Term, Term)> {
    let (sign, packed, order) = signed(a)?;
    let size = Term::of(a).apply(Unary::Abs).reduce(ReduceOp::Max, -1, true).reduce(ReduceOp::Max, -2, true);
    let none = size.compare(Compare::Eq, &size.number(0.0));
    let least = &none.or_else(&size.number(1.0), &size) * f64::from(f32::EPSILON);
    let zero = packed.compare(Compare::Eq, &packed.number(0.0));
    let empty = packed.identity(sides(a).0).and(&zero);
    Ok((empty.or_else(&least, &packed), sign, order))
}

/// The trace of a product of square matrices.
fn traced(a: &Term, b: &Term) -> Term {
    (&a.t() * b).sum(-1).sum(-1)
}

/// The sign of the permutation of `lu`, what it packs, and its order of rows.
fn signed(a: &Tensor) -> Result<(Term, Term, Term)> {
    let found = factors(a, 0)?;
    let (packed, rows) = (Term::of(&found[0]), Term::of(&found[1]));
    let stays = rows.compare(Compare::Eq, &rows.positions(sides(a).0));
    let sign = stays.or_else(&packed.number(1.0), &packed.number(-1.0)).reduce(ReduceOp::Prod, -1, false);
    Ok((sign, packed, Term::of(&found[2])))
}

/// That sign, and the diagonal of U.
fn sign_and_pivots(a: &Tensor) -> Result<(Term, Term)> {
    let (sign, packed, _) = signed(a)?;
    Ok((sign, packed.diagonal(0)))
}

/// The signs of the determinants of square matrices and the logarithms of their sizes; −∞ for a
/// singular one. Errors with `Shape` for others.
pub fn slogdet(a: &Tensor) -> Result<Vec<Tensor>> {
    signed_log(&square("linalg.slogdet", a)?.0, LEVELS)
}

fn signed_log(a: &Tensor, level: u8) -> Result<Vec<Tensor>> {
    derived(
        &[a],
        level,
        |x| {
            let (sign, pivots) = sign_and_pivots(&x[0])?;
            let signs = pivots.map(|x| x.sign()).reduce(ReduceOp::Prod, -1, false);
            let sizes = pivots.map(|x| x.abs()?.log()).sum(-1);
            list([&sign * &signs, sizes])
        },
        |x, d, level| {
            let change = traced(&Term(inverted(x[0].get()?, eliminated, level)), &d[0]);
            list([change.zero(), change])
        },
    )
}
