//! Inverse of a store: the invocations that store an element. Its indices are solved for the
//! coordinates of the invocation and the counters of the loops around it.
//!
//! An index `±x + c`, where `x` is a coordinate or a counter and `c` depends on neither, is solved
//! for `x`; any other index is compared. What is left of the coordinates and counters is summed
//! over.

use super::structure::{Place, Pure, Site, Structure, What};
use weft_ir::op::{Binary, Unary};
use weft_ir::user_kernel::{Coordinate, Expr, ExprId};
use weft_ir::{Literal, Shape};

/// The most terms of an index that are looked at.
const TERMS: usize = 16;
/// How many more visits a gather may make than there are stores.
const WASTE: f64 = 8.0;

/// A coordinate of what is summed over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Domain {
    Grid(u32),
    Loop(usize),
}

/// What becomes of an index beyond the tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beyond {
    /// It is not stored.
    Dropped,
    Clamped,
    Wrapped,
    Mirrored,
}

/// How an index of a store is met.
#[derive(Clone)]
pub(super) enum Met {
    /// ±x + Σ of the terms, each with its sign, is the index before the edge.
    Solved { domain: Domain, negative: bool, offset: Vec<(bool, Pure)>, beyond: Beyond },
    /// The index is compared.
    Compared(Pure),
}

/// A store that can be gathered, but for where its value comes from.
pub(super) struct Plan {
    /// The loops around, the outermost first, with their bounds.
    pub loops: Vec<(usize, [Pure; 2])>,
    pub indices: Vec<Met>,
}

impl Plan {
    /// Whether an index is solved for a coordinate.
    pub fn solves(&self, domain: Domain) -> Option<(usize, &Met)> {
        let is_it = |(_, met): &(usize, &Met)| matches!(met, Met::Solved { domain: it, .. } if *it == domain);
        self.indices.iter().enumerate().find(is_it)
    }
}

/// How `site`, which stores into a tensor of `shape`, is gathered; `None` where it cannot be, or
/// would cost more than the sums it saves.
pub(super) fn plan(structure: &Structure, site: Site, shape: &Shape) -> Option<Plan> {
    let mut loops = Vec::new();
    for block in structure.path(site.place.block) {
        match structure.blocks[block].what {
            What::Loop { from, to, .. } => {
                let around = structure.around(block)?;
                let bounds = [structure.pure(from, around)?, structure.pure(to, around)?];
                if bounds.iter().any(|bound| !bound.axes.is_empty()) {
                    return None;
                }
                loops.push((block, bounds));
            }
            What::While => return None,
            What::Body | What::Branch { .. } => {}
        }
    }
    let mut plan = Plan { loops, indices: Vec::new() };
    let mut waste = 1.0;
    for (&index, &extent) in site.indices.iter().zip(shape.iter()) {
        let (raw, place, beyond) = beyond_edge(structure, index, site.place, extent as i64);
        let met = solved(structure, &plan, (raw, place), beyond);
        let met = match met {
            Some(met) => met,
            None => Met::Compared(structure.pure(index, site.place)?),
        };
        let stored = match &met {
            Met::Solved { domain: Domain::Grid(axis), .. } => structure.grid[*axis as usize] as f64,
            Met::Solved { domain: Domain::Loop(block), .. } => {
                structure.trips(*block).unwrap_or(extent as i64).max(1) as f64
            }
            Met::Compared(_) => 1.0,
        };
        waste *= extent as f64 / stored;
        plan.indices.push(met);
    }
    (waste <= WASTE).then_some(plan)
}

/// An index that is solved for a coordinate that none before is solved for.
fn solved(structure: &Structure, plan: &Plan, (raw, place): (ExprId, Place), beyond: Beyond) -> Option<Met> {
    let terms = terms(structure, raw, place)?;
    let is_grid = |it: &Term| matches!(it.what, Summand::Axis(_));
    let pivot = match terms.iter().filter(|it| is_grid(it)).count() {
        1 => terms.iter().position(is_grid),
        0 => innermost_counter(structure, plan, &terms),
        _ => None,
    }?;
    let domain = match terms[pivot].what {
        Summand::Axis(axis) => Domain::Grid(axis),
        Summand::Counter(block) => Domain::Loop(block),
        Summand::Other => return None,
    };
    // How often an index goes round the edge has to be known.
    let goes_round = matches!(beyond, Beyond::Wrapped | Beyond::Mirrored);
    let unknown = matches!(domain, Domain::Loop(block) if structure.trips(block).is_none());
    if plan.solves(domain).is_some() || (goes_round && unknown) {
        return None;
    }
    let negative = terms[pivot].negative;
    let mut offset = Vec::new();
    for (i, term) in terms.iter().enumerate().filter(|(i, _)| *i != pivot) {
        let it = structure.pure(term.x, term.place)?;
        // A counter is solved for before inner ones and coordinates are known.
        let is_known = |block: &usize| match domain {
            Domain::Grid(_) => true,
            Domain::Loop(own) => {
                plan.loops.iter().position(|(it, _)| it == block)
                    < plan.loops.iter().position(|(it, _)| *it == own)
            }
        };
        if !it.axes.is_empty() || !it.loops.iter().all(is_known) || i == pivot {
            return None;
        }
        if structure.number(term.x, term.place) != Some(0) {
            offset.push((term.negative, it));
        }
    }
    Some(Met::Solved { domain, negative, offset, beyond })
}

/// The term that is the counter of the innermost loop, if it counts by one.
fn innermost_counter(structure: &Structure, plan: &Plan, terms: &[Term]) -> Option<usize> {
    let depth = |it: &Term| match it.what {
        Summand::Counter(block) => plan.loops.iter().position(|(other, _)| *other == block),
        _ => None,
    };
    let (pivot, _) =
        terms.iter().enumerate().filter_map(|(i, it)| Some((i, depth(it)?))).max_by_key(|it| it.1)?;
    let Summand::Counter(block) = terms[pivot].what else { return None };
    let by_one = matches!(structure.blocks[block].what, What::Loop { step: 1 | -1, .. });
    by_one.then_some(pivot)
}

#[derive(Clone, Copy)]
enum Summand {
    Axis(u32),
    Counter(usize),
    Other,
}

/// A term of an index.
struct Term {
    negative: bool,
    what: Summand,
    x: ExprId,
    place: Place,
}

/// An index as a sum; `None` where it has too many terms.
fn terms(structure: &Structure, root: ExprId, place: Place) -> Option<Vec<Term>> {
    let exprs = &structure.kernel.exprs;
    let mut found = Vec::new();
    let mut open = vec![(root, place, false)];
    let mut looked = 0;
    while let Some((x, place, negative)) = open.pop() {
        looked += 1;
        if looked > 4 * TERMS || found.len() > TERMS {
            return None;
        }
        let (x, place) = structure.resolved(x, place);
        let literal = |x: ExprId| match exprs[x.index()] {
            Expr::Literal(Literal::I32(n)) => Some(n),
            _ => None,
        };
        let what = match exprs[x.index()] {
            Expr::Binary(Binary::Add, a, b) => {
                open.extend([(b, place, negative), (a, place, negative)]);
                continue;
            }
            Expr::Binary(Binary::Sub, a, b) => {
                open.extend([(b, place, !negative), (a, place, negative)]);
                continue;
            }
            Expr::Unary(Unary::Neg, a) => {
                open.push((a, place, !negative));
                continue;
            }
            Expr::Binary(Binary::Mul, a, b) if matches!(literal(b), Some(1 | -1)) => {
                open.push((a, place, negative != (literal(b) == Some(-1))));
                continue;
            }
            Expr::Binary(Binary::Mul, a, b) if matches!(literal(a), Some(1 | -1)) => {
                open.push((b, place, negative != (literal(a) == Some(-1))));
                continue;
            }
            Expr::Index(Coordinate::Grid, axis) => Summand::Axis(axis),
            Expr::Local(local) => match structure.counts(local, place) {
                Some(block) => Summand::Counter(block),
                None => Summand::Other,
            },
            _ => Summand::Other,
        };
        found.push(Term { negative, what, x, place });
    }
    Some(found)
}

/// An index before the edge of a tensor of `extent`, and what the edge does: what `ssa::inside`
/// writes, read.
fn beyond_edge(structure: &Structure, index: ExprId, place: Place, extent: i64) -> (ExprId, Place, Beyond) {
    let exprs = &structure.kernel.exprs;
    let number = |x: ExprId, place: Place| structure.number(x, place);
    let (index, place) = structure.resolved(index, place);
    let modulo = |x: ExprId, period: i64| match exprs[x.index()] {
        Expr::Binary(Binary::Rem, raw, by) if number(by, place) == Some(period) => Some(raw),
        _ => None,
    };
    if let Some(raw) = modulo(index, extent) {
        return (raw, place, Beyond::Wrapped);
    }
    if let Expr::Binary(Binary::Min, low, last) = exprs[index.index()] {
        if let Expr::Binary(Binary::Max, raw, zero) = exprs[low.index()]
            && number(zero, place) == Some(0)
            && number(last, place) == Some(extent - 1)
        {
            return (raw, place, Beyond::Clamped);
        }
        let period = 2 * (extent - 1);
        if let Some(raw) = modulo(low, period.max(1))
            && let Expr::Binary(Binary::Sub, whole, there) = exprs[last.index()]
            && there == low
            && number(whole, place) == Some(period)
        {
            return (raw, place, Beyond::Mirrored);
        }
    }
    (index, place, Beyond::Dropped)
}
