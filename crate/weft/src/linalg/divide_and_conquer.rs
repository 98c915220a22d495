//! Eigenvalues and eigenvectors of symmetric tridiagonal matrices, by divide and conquer.
//!
//! Neighbouring blocks whose eigenvalues are known are joined, all pairs at once, so that n rows
//! take log₂ n rounds (Cuppen 1981). Two blocks join as a diagonal D and ρ·z·zᵀ, whose eigenvalues
//! are the roots of a sum of poles, one between each two. Each is found by halving the bits of its
//! distance from the nearer pole, and the z that has just those roots gives vectors that are
//! orthogonal however close they are (Gu and Eisenstat 1994). Nothing is sorted: the pole next to
//! another is found among all.

use super::{batched, repeated, sides};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::term::Term;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Result};

/// Poles are multiples of 1 over this, so that their differences are exact. What couples by less
/// couples nothing. A matrix is scaled to elements of at most 1, so that this is a rounding of its
/// norm.
const GRID: f64 = (1 << 22) as f64;
/// The diagonal of what lengthens a matrix to a power of two, above all eigenvalues.
const BEHIND: f64 = 8.0;
/// Where no pole is.
const FAR: f64 = 64.0;
/// Bits of a distance from a pole that may matter.
const HALVINGS: usize = 30;
/// The bits of 1e-30, which is less than any distance from a pole.
const NEAREST: f64 = 228_737_632.0;

/// From so many rows on the first rounds keep to so many parts by themselves. Each round looks at
/// all pairs of rows, and only the last ones need to.
const IN_PARTS: usize = 256;
const PARTS: usize = 4;

/// Eigenvalues, in any order, and eigenvectors as columns in that order, of what has these two
/// diagonals of n and n − 1 elements.
pub(super) fn conquered(diagonals: &[Term; 2], n: usize) -> Result<[Term; 2]> {
    let [diagonal, beside] = diagonals;
    let all = n.next_power_of_two();
    let longer = |x: &Term, before: usize, after: usize, value: f64| {
        x.map(|x| {
            let mut pads = vec![(0, 0); x.rank()];
            pads[x.rank() - 1] = (before, after);
            x.pad(&pads, value)
        })
    };
    let largest = |x: &Term| x.apply(Unary::Abs).reduce(ReduceOp::Max, -1, true);
    let beside = longer(beside, 0, all + 1 - n, 0.0);
    let size = largest(diagonal).with(Binary::Max, &largest(&beside));
    let size = size.compare(Compare::Eq, &size.number(0.0)).or_else(&size.number(1.0), &size);
    let beside = &beside / &size;
    let coupling = beside.apply(Unary::Abs);
    let start = longer(&(diagonal / &size), 0, all - n, BEHIND);
    let start = &(&start - &coupling) - &longer(&coupling.between(-1, 0, all - 1), 1, 0, 0.0);
    let pieces = if all < IN_PARTS { 1 } else { PARTS };
    let part = all / pieces;
    let apart = |x: &Term| Ok(x.shaped(&batched_vector(x.get()?, &[pieces, part])));
    let one = Term(start.get()?.device().eye(part, part, 0, DType::F32));
    let one = one.expand(&batched_vector(start.get()?, &[pieces, part, part]));
    let [values, vectors] = joined(&apart(&start)?, &one, &apart(&beside)?, 0)?;
    let values = values.shaped(start.get()?.shape());
    // The parts are blocks on a diagonal.
    let own = values.identity(pieces).shaped(&[pieces, 1, pieces, 1]);
    let vectors = vectors.shaped(&batched_vector(start.get()?, &[pieces, part, 1, part]));
    let vectors = own.or_else(&vectors, &vectors.zero());
    let vectors = vectors.shaped(&batched_vector(start.get()?, &[all, all]));
    let [values, vectors] = joined(&values, &vectors, &beside, part.ilog2() as usize)?;
    let values = &values.between(-1, 0, n) * &size;
    let vectors = vectors.between(-1, 0, n).between(-2, 0, n);
    Ok([values, vectors])
}

/// Blocks of 2^`from` rows joined until there is one.
fn joined(values: &Term, vectors: &Term, beside: &Term, from: usize) -> Result<[Term; 2]> {
    let all = sides(vectors.get()?).0;
    let half = all / 2;
    let join = |level: &Tensor, state: &[Tensor]| {
        let level = &Term::of(level) + from as f64;
        let (known, vectors) = (Term::of(&state[0]), Term::of(&state[1]));
        let [values, turns] = Join::new(&level, &known, &vectors, beside, all)?.solved()?;
        // Only the two diagonal blocks are not zero.
        let blocks = vectors.shaped(&batched(&state[1], &[2, half, 2, half]));
        let blocks = blocks.map(|x| x.diagonal(0, -4, -2)?.move_axis(&[-1], &[-3]));
        let turns = turns.shaped(&batched(&state[1], &[2, half, all]));
        Ok(vec![values.0?, blocks.dot(&turns).shaped(state[1].shape()).0?])
    };
    let done = repeated(all.ilog2() as usize - from, join, &[values.get()?, vectors.get()?])?;
    Ok([Term::of(&done[0]), Term::of(&done[1])])
}

/// The extents before the last one, and others.
fn batched_vector(x: &Tensor, last: &[usize]) -> Vec<usize> {
    [&x.shape()[..x.rank() - 1], last].concat()
}

/// Pairs of blocks to be joined, all at once. Matrices here have a row for each eigenvalue that is
/// sought, or for each pole that it counts by.
struct Join {
    /// The eigenvalues of the blocks.
    known: Term,
    /// ρ, and z, for each of them.
    coupling: Term,
    z: Term,
    /// Which are coupled at all, and which of a row's block are.
    active: Term,
    acting: Term,
    /// Which are of the row's block, and which is the row's own.
    same: Term,
    this: Term,
    /// The poles, no two coupled ones of a block alike; their squares of z, and where they are, far
    /// off if not coupled.
    pole: Term,
    squares: Term,
    seen: Term,
}

impl Join {
    fn new(level: &Term, known: &Term, vectors: &Term, beside: &Term, all: usize) -> Result<Join> {
        let place = known.positions(all);
        let half = place.number(1.0).with(Binary::Shl, level);
        let shift = level + 1.0;
        let block = place.with(Binary::Shr, &shift);
        let cut = &(&block.with(Binary::Shl, &shift) + &half) - 1.0;
        let first = place.with(Binary::And, &half).compare(Compare::Eq, &place.number(0.0));
        let coupling = beside.at(&cut, -1);
        // The last row of the first block, and the first row of the second.
        let row = first.or_else(&cut, &(&cut + 1.0));
        let row = row.row().expand(&batched(vectors.get()?, &[1, all]));
        let z = vectors.along(&row, -2).map(|x| x.squeeze(Some(&[-2])));
        let negative = coupling.compare(Compare::Lt, &coupling.number(0.0));
        let z = negative.and(&first).or_else(&-&z, &z);
        let coupling = coupling.apply(Unary::Abs);
        let active = (&coupling * &z.apply(Unary::Abs)).compare(Compare::Gt, &z.number(1.0 / GRID));
        let near = &(known * GRID).apply(Unary::Round) * (1.0 / GRID);
        let same = block.column().compare(Compare::Eq, &block.row());
        let this = place.column().compare(Compare::Eq, &place.row());
        let acting = same.and(&active.row());
        // Equal poles are separated, in order.
        let tied = near.row().compare(Compare::Eq, &near.column());
        let tied = tied.and(&place.row().compare(Compare::Lt, &place.column()));
        let ahead = near.row().compare(Compare::Lt, &near.column()).with(Binary::Or, &tied).and(&acting);
        let before = &ahead.cast(DType::F32).sum(-1) * (1.0 / GRID);
        let back = &near - &before;
        let back = ahead.with(Binary::Or, &this).or_else(&back.row(), &back.number(-FAR));
        let pole = &back.reduce(ReduceOp::Max, -1, false) + &before;
        let squares = active.or_else(&(&z * &z), &z.zero());
        let seen = active.or_else(&pole, &pole.number(FAR));
        let known = known.clone();
        Ok(Join { known, coupling, z, active, acting, same, this, pole, squares, seen })
    }

    /// 1 + ρ·Σ z²/(pole − λ) where λ is so far from each of `origin`.
    fn secular(&self, origin: &Term, step: &Term) -> Term {
        let distance = &(&self.seen.row() - &origin.column()) - &step.column();
        let shares = &self.squares.row() / &distance;
        let sum = self.same.or_else(&shares, &shares.number(0.0)).sum(-1);
        &(&self.coupling * &sum) + 1.0
    }

    /// The eigenvalues, and what turns the vectors of the blocks.
    fn solved(&self) -> Result<[Term; 2]> {
        let Join { active, acting, pole, seen, this, .. } = self;
        let behind = acting.and(&pole.row().compare(Compare::Gt, &pole.column()));
        let next = behind.or_else(&pole.row(), &pole.number(FAR)).reduce(ReduceOp::Min, -1, false);
        let last = next.compare(Compare::Eq, &next.number(FAR));
        let total = self.same.or_else(&self.squares.row(), &self.squares.number(0.0)).sum(-1);
        // Bounds the distance of the last root from the last pole, with room for rounding.
        let beyond = &(&self.coupling * &total) * (1.0 + 1e-6);
        let width = last.or_else(&beyond, &(&(&next - pole) * 0.5));
        let middle = self.secular(pole, &width);
        let from_next = middle.compare(Compare::Lt, &middle.number(0.0));
        let from_next = from_next.and(&last.map(|x| x.logical_not()));
        let origin = from_next.or_else(&next, pole);
        let side = from_next.or_else(&origin.number(-1.0), &origin.number(1.0));
        let bits = |x: &Term, dtype| x.map(|x| build::bitcast("bitcast", x, dtype));
        let most = bits(&width, DType::I32);
        let least = (&most - f64::from(1 << HALVINGS)).with(Binary::Max, &most.number(NEAREST));
        let halve = |_: &Tensor, state: &[Tensor]| {
            let (least, most) = (Term::of(&state[0]), Term::of(&state[1]));
            let middle = &least + &(&most - &least).with(Binary::Shr, &most.number(1.0));
            let found = self.secular(&origin, &(&side * &bits(&middle, DType::F32)));
            let short = (&found * &side).compare(Compare::Lt, &found.number(0.0));
            Ok(vec![short.or_else(&middle, &least).0?, short.or_else(&most, &middle).0?])
        };
        let halved = repeated(HALVINGS, halve, &[least.get()?, most.get()?])?;
        let step = &side * &bits(&Term::of(&halved[1]), DType::F32);
        let found = active.or_else(&(&origin + &step), &self.known);
        // From each pole, a row, to each root, a column.
        let reach = &(&origin.row() - &seen.column()) + &step.row();
        let coupled = acting.and(&active.column());
        let gap = &seen.row() - &seen.column();
        let one = gap.number(1.0);
        let ratio = &reach / &this.or_else(&one, &gap);
        let ratio = coupled.or_else(&ratio, &one);
        let z = ratio.reduce(ReduceOp::Prod, -1, false).apply(Unary::Abs).apply(Unary::Sqrt);
        let z = &z * &self.z.apply(Unary::Sign);
        let turns = coupled.or_else(&(&z.column() / &reach), &one.number(0.0));
        let length = turns.map(|x| x.square()).reduce(ReduceOp::Sum, -2, true).apply(Unary::Sqrt);
        let turns = active.row().or_else(&(&turns / &length), &this.cast(DType::F32));
        Ok([found, turns])
    }
}
