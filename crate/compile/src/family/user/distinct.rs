//! Stores into distinct elements: whether no two invocations store into the same element of an
//! output, and whether all of it is stored.
//!
//! The coordinates of a store are sums of digits: multiples of the invocation's coordinates, of
//! loop counters and of other bounded values. If each digit weighs more than the sum of the smaller
//! ones in its coordinate, the coordinates determine the digits, and so the invocation. Stores of
//! kernels that work in tiles, transpose or spread then do not depend on the order of invocations.
//!
//! Deferred: few programs have kernels of users.

use super::body::leaves;
use super::intervals::{Near, intervals, turns};
use super::locals::named_once;
use weft_ir::op::{Binary, KernelCall, Unary};
use weft_ir::user_kernel::{Coordinate, Expr, ExprId, LocalId, OutputId, Stmt, returns};
use weft_ir::{Literal, Shape};

/// Digits of a coordinate that are looked at.
const MOST_DIGITS: usize = 16;

/// What is multiplied in a digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digit {
    /// The invocation's coordinate along an axis of the grid, in its group, or that of its group.
    At(Coordinate, u32),
    /// A local that is a name for one value, which lies between two numbers.
    Local(LocalId),
    /// What another such expression comes to.
    Other(ExprId),
}

/// A sum of digits, each with its weight and the values that it may have beyond the first; and a
/// constant.
#[derive(Clone, Default)]
struct Sum {
    digits: Vec<(Digit, i64, i64)>,
    constant: i64,
}

impl Sum {
    fn plus(mut self, other: Sum, times: i64) -> Option<Sum> {
        for (digit, weight, most) in other.digits {
            match self.digits.iter_mut().find(|known| known.0 == digit) {
                Some(known) => known.1 += times * weight,
                None => self.digits.push((digit, times * weight, most)),
            }
        }
        self.constant += times * other.constant;
        self.digits.retain(|&(_, weight, most)| weight != 0 && most > 0);
        let bound = i64::from(i32::MAX);
        let reach = self.digits.iter().map(|&(_, weight, most)| weight.saturating_mul(most).saturating_abs());
        let is_small = reach.fold(self.constant.saturating_abs(), i64::saturating_add) < bound;
        (is_small && self.digits.len() <= MOST_DIGITS).then_some(self)
    }

    /// The least and the largest that it comes to, if it tells its digits.
    fn decoded(&self) -> Option<(i64, i64)> {
        let mut by_weight: Vec<(i64, i64)> =
            self.digits.iter().map(|&(_, weight, most)| (weight.abs(), most)).collect();
        weft_ir::order::sort_by_key(&mut by_weight, |(weight, _)| weight as u64);
        let mut below = 0;
        for (weight, most) in by_weight {
            if weight <= below {
                return None;
            }
            below += weight * most;
        }
        let ends = self.digits.iter().map(|&(_, weight, most)| weight * most);
        let (low, high) = ends.fold((0, 0), |(low, high), end| (low + end.min(0), high + end.max(0)));
        Some((self.constant + low, self.constant + high))
    }
}

struct Sums<'a> {
    call: &'a KernelCall,
    near: Vec<Option<Near>>,
    /// What locals are names for.
    named: Vec<Option<ExprId>>,
}

impl Sums<'_> {
    /// Extent of a coordinate of the invocation, and what the grid's is made of in groups.
    fn at(&self, coordinate: Coordinate, axis: u32) -> Sum {
        let (grid, rank) = (&self.call.grid, self.call.grid.rank());
        let digit = |extent: usize| Sum {
            digits: vec![(Digit::At(coordinate, axis), 1, extent as i64 - 1)],
            constant: 0,
        };
        let Some(sides) = self.call.kernel.workgroup else { return digit(grid[axis as usize]) };
        let side = |axis: u32| sides.get(axis as usize).map_or(1, |&side| side as usize);
        // Axes of groups count from the last.
        let along = |axis: u32| rank.checked_sub(1 + axis as usize).map_or(1, |axis| grid[axis]);
        match coordinate {
            Coordinate::Local => digit(if (axis as usize) < rank { side(axis) } else { 1 }),
            Coordinate::Group => digit(along(axis) / side(axis)),
            Coordinate::Grid => {
                let last = (rank - 1) as u32 - axis;
                let (within, group) = (self.at(Coordinate::Local, last), self.at(Coordinate::Group, last));
                within.plus(group, side(last) as i64).unwrap_or_default()
            }
        }
    }

    fn of(&self, id: ExprId, depth: usize) -> Option<Sum> {
        let kernel = &self.call.kernel;
        let near = self.near[id.index()].filter(|near| near.axis.is_none());
        if let Some(near) = near.filter(|near| near.low == near.high) {
            return Some(Sum { digits: Vec::new(), constant: near.low });
        }
        let sum = |op: Binary, a: ExprId, b: ExprId| {
            let (a, b) = (self.of(a, depth + 1)?, self.of(b, depth + 1)?);
            match op {
                Binary::Add => a.plus(b, 1),
                Binary::Sub => a.plus(b, -1),
                Binary::Mul if b.digits.is_empty() => Sum::default().plus(a, b.constant),
                Binary::Mul if a.digits.is_empty() => Sum::default().plus(b, a.constant),
                Binary::Shl if b.digits.is_empty() && (0..31).contains(&b.constant) => {
                    Sum::default().plus(a, 1 << b.constant)
                }
                _ => None,
            }
        };
        let found = match kernel.exprs[id.index()] {
            _ if depth > MOST_DIGITS => None,
            Expr::Literal(Literal::I32(value)) => Some(Sum { digits: Vec::new(), constant: value.into() }),
            Expr::Index(coordinate, axis) if coordinate == Coordinate::Grid || kernel.workgroup.is_some() => {
                Some(self.at(coordinate, axis))
            }
            Expr::Unary(Unary::Neg, x) => Sum::default().plus(self.of(x, depth + 1)?, -1),
            Expr::Binary(op, a, b) => sum(op, a, b),
            Expr::Local(local) => self.named[local.index()].and_then(|value| self.of(value, depth + 1)),
            _ => None,
        };
        found.or_else(|| {
            let Near { low, high, .. } = near?;
            let digit = match kernel.exprs[id.index()] {
                Expr::Local(local) => Digit::Local(local),
                _ => Digit::Other(id),
            };
            Some(Sum { digits: vec![(digit, 1, high - low)], constant: low })
        })
    }
}

/// How an output is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distinct {
    /// Invocations may meet.
    No,
    /// None meet.
    Yes,
    /// None meet, and every element is stored.
    All,
}

/// Whether invocations store into distinct elements of an output of this shape.
#[inline(never)]
pub(super) fn stores_distinct(call: &KernelCall, shapes: &[Shape], output: OutputId) -> Distinct {
    let kernel = &*call.kernel;
    let mut stores = Vec::new();
    let (is_name, mut named) = (named_once(kernel), vec![None; kernel.locals.len()]);
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        match stmt {
            Stmt::Store { output: into, indices, .. } if *into == output => stores.push(indices),
            Stmt::Let(local, value) if is_name[local.index()] => named[local.index()] = Some(*value),
            _ => {}
        }
    }
    let [indices] = stores[..] else { return Distinct::No };
    let sums = Sums { call, near: intervals(call, shapes), named };
    let mut known: Vec<(Digit, i64)> = Vec::new();
    let mut lies_inside = true;
    for (&index, &extent) in indices.iter().zip(call.shapes[output.index()].iter()) {
        let sum = sums.of(index, 0);
        let Some((sum, (low, high))) = sum.and_then(|sum| Some((sum.clone(), sum.decoded()?))) else {
            lies_inside = false;
            continue;
        };
        lies_inside &= low >= 0 && high < extent as i64;
        for (digit, _, most) in sum.digits {
            if most > 0 && !known.iter().any(|&(other, _)| other == digit) {
                known.push((digit, most));
            }
        }
    }
    let mut wanted = (0..call.grid.rank() as u32).flat_map(|axis| sums.at(Coordinate::Grid, axis).digits);
    if !wanted.all(|(digit, _, most)| most == 0 || known.iter().any(|&(other, _)| other == digit)) {
        return Distinct::No;
    }
    // Digits take all values that they may, each with each of the others.
    let loops = always(&kernel.body, output, &sums.near);
    let is_full = |&(digit, most): &(Digit, i64)| match digit {
        Digit::At(..) => true,
        Digit::Local(local) => loops.as_ref().is_some_and(|loops| loops.contains(&(local, most + 1))),
        Digit::Other(_) => false,
    };
    let elements = known.iter().fold(1, |all: i64, &(_, most)| all.saturating_mul(most + 1));
    let is_whole = elements == call.shapes[output.index()].size() as i64;
    let all = lies_inside && is_whole && loops.is_some() && known.iter().all(is_full);
    if all { Distinct::All } else { Distinct::Yes }
}

/// The loops around a store, each with its iterations, if every invocation comes to it in each of
/// those.
fn always(block: &[Stmt], output: OutputId, near: &[Option<Near>]) -> Option<Vec<(LocalId, i64)>> {
    if returns(block) || leaves(block) {
        return None;
    }
    block.iter().find_map(|stmt| match stmt {
        Stmt::Store { output: into, .. } => (*into == output).then(Vec::new),
        Stmt::For { counter, body, step, .. } => {
            let mut around = always(body, output, near)?;
            let turns = turns(stmt, near).filter(|&turns| *step == 1 && turns > 0)?;
            around.push((*counter, turns));
            Some(around)
        }
        _ => None,
    })
}
