//! Reductions over pairs, such as distances between all rows of two sets. A workgroup fetches a
//! panel of each set into workgroup memory, and each invocation combines four rows of one with four
//! of the other from there.
//!
//! It is a contraction with another body than a product, and what can be shared is found as
//! `tiles.rs` finds it: by evaluating an element on trial. Each read that is at the reduced
//! position and at a place along just one of two kept axes goes into a panel; all else is read
//! in place.

use super::reductions;
use super::walk::{Reductions, accumulators, define, take_element};
use crate::device::TileModel;
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, each_invocation, each_workgroup, grid};
use crate::family::store::{store_all, store_neighbours};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::accumulate::Accumulator;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Evaluator;
use weft_ir::Literal;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt, Type};
use weft_ir::op::{Op, View};
use weft_ir::program::ProgramId;

/// Places along each axis that an invocation has: a vector's.
const EACH: usize = 4;
/// Invocations of a workgroup along both axes.
const TILES: [u32; 2] = [16, 8];
/// Reduced positions that panels hold at once, at the most. Float sums are added up panel by panel.
const DEPTH: usize = 16;
/// Longer sums would round more than by blocks of about √n.
const LONGEST: usize = 4096;
/// Shorter ones are not worth the barriers.
const SHORTEST: usize = 9;
/// Operations that may be written out for a panel.
const MOST_WRITTEN: usize = 2048;

/// The family.
pub struct Pairs;

parameters! {
    /// What a workgroup computes.
    Tile {
        /// Invocations along each axis.
        across: u32,
        /// Positions that a panel holds.
        depth: u32,
    }
}

/// Where along an axis something is read.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    /// Where the result stands along one of the kept axes.
    Kept(usize),
    /// At the reduced position.
    Term,
    /// Always there.
    At(i64),
}

/// What a workgroup shares: a node, where it is read, and which of the two axes that is along.
#[derive(Clone, PartialEq, Debug)]
struct Shared {
    node: ProgramId,
    places: Vec<Place>,
    side: usize,
}

/// Reductions of what two kept axes pair.
///
/// Deferred: few programs reduce pairs of rows.
struct Paired {
    reductions: Reductions,
    /// The two axes, among the kept.
    axes: [usize; 2],
    shared: Vec<Shared>,
    model: &'static TileModel,
}

impl Family for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Tile::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let model = problem.model().tiles.as_ref()?;
        let reductions = reductions(problem)?;
        let length = reductions.reduced.size();
        let suits = reductions.levels.len() == 1
            && reductions.full_outputs.is_empty()
            && reductions.axes.len() == 1
            && (SHORTEST..=LONGEST).contains(&length);
        // Both sides are repeated along the other's axis.
        let is_repeated = |op: &Op| matches!(op, Op::View(View::Expand(_)));
        if !suits || reductions.kept.iter().filter(is_wide).count() < 2 || problem.count(is_repeated) < 2 {
            return None;
        }
        Some(Box::new(paired(problem, reductions, model)?))
    }
}

/// Whether an axis is long enough for tiles.
fn is_wide(extent: &&usize) -> bool {
    **extent >= EACH * TILES[1] as usize / 2
}

/// Reductions with two axes that each have reads of their own to share, if there are any.
///
/// Deferred: few programs reduce pairs of rows.
#[inline(never)]
fn paired(problem: &Problem<'_>, reductions: Reductions, model: &'static TileModel) -> Option<Paired> {
    let reads = reads_of(problem, &reductions);
    let mut wide = (0..reductions.kept.rank()).rev().filter(|&axis| is_wide(&&reductions.kept[axis]));
    let column = wide.next()?;
    let (axes, shared) = wide.find_map(|row| {
        let shared = shared_of(&reads, [row, column]);
        let has = |side: usize| shared.iter().any(|one| one.side == side);
        (has(0) && has(1)).then_some(([row, column], shared))
    })?;
    Some(Paired { reductions, axes, shared, model })
}

impl Lowering for Paired {
    type Candidate = Tile;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Tile> {
        let length = self.reductions.reduced.size();
        let mut found = Candidates::default();
        for across in TILES.into_iter().filter(|across| across * across <= problem.limits.invocations) {
            let fits = |depth: &usize| self.bytes(across, *depth) <= problem.limits.workgroup_bytes;
            let written = |depth: &usize| EACH * EACH * depth * problem.written() <= MOST_WRITTEN;
            let depths = [DEPTH, DEPTH / 2, DEPTH / 4, 2, 1].into_iter();
            found.extend(
                depths
                    .filter(|&depth| depth <= length)
                    .find(|depth| fits(depth) && written(depth))
                    .map(|depth| Tile { across, depth: depth as u32 }),
            );
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, Tile { across, depth }: Tile) -> f64 {
        let length = self.reductions.reduced.size() as f64;
        let extent = f64::from(across) * EACH as f64;
        let tiles = self.tiles(across) as f64;
        // Some processor has most tiles, and what each does is hidden behind nothing where there is
        // one.
        let processors = problem.model().processors;
        let most = (tiles / processors).ceil();
        let operations = extent * extent * length * problem.operations() as f64;
        let computed = operations * processors / self.model.pair_operations;
        let waits = (length / f64::from(depth)).ceil() * self.model.pair_exchange;
        problem.model().dispatch + most * computed + waits * (most / 4.0).max(1.0)
    }

    fn lower(&self, problem: &Problem<'_>, Tile { across, depth }: Tile) -> Lowered {
        Lowered { stages: vec![self.kernel(problem, across, depth as usize)], partials: Vec::new() }
    }
}

/// Every read of an element, where it is given by kept coordinates, the reduced one and numbers.
fn reads_of(problem: &Problem<'_>, reductions: &Reductions) -> Vec<(ProgramId, Vec<Place>)> {
    const WORKGROUP: u32 = 64;
    let mut found = Vec::new();
    problem.stage("trial", WORKGROUP, |eval| {
        let rows = reductions.kept.size();
        let grid = grid(rows.div_ceil(WORKGROUP as usize), problem.limits);
        let (row, guard) = each_invocation(eval, "row", rows, WORKGROUP, grid);
        let at = eval.b.unravel(row, &reductions.kept);
        let at: Vec<ExprId> = at.into_iter().map(|place| eval.b.index_bind("at", place)).collect();
        let level = &reductions.levels[0];
        let before = eval.reached.len();
        eval.each("trial", reductions.reduced.size(), |eval, j| {
            let trial = [accumulators(eval, level, None)];
            take_element(eval, reductions, level, &trial, std::slice::from_ref(&at), j);
            for (node, coordinates) in eval.reached[before..].iter().cloned() {
                let place = |&coordinate: &ExprId| {
                    if coordinate == j {
                        return Some(Place::Term);
                    }
                    let kept = at.iter().position(|&own| own == coordinate).map(Place::Kept);
                    eval.b.index_value(coordinate).map(Place::At).or(kept)
                };
                found.extend(
                    coordinates.iter().map(place).collect::<Option<Vec<Place>>>().map(|at| (node, at)),
                );
            }
        });
        close_guard(eval, guard);
        grid
    });
    found
}

/// What is read at the reduced position along one of two axes alone.
fn shared_of(reads: &[(ProgramId, Vec<Place>)], axes: [usize; 2]) -> Vec<Shared> {
    let mut found: Vec<Shared> = Vec::new();
    for (node, places) in reads {
        let along = axes.map(|axis| places.contains(&Place::Kept(axis)));
        let [first, second] = along;
        if first == second || !places.contains(&Place::Term) {
            continue;
        }
        let one = Shared { node: *node, places: places.clone(), side: usize::from(second) };
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// A place along one of the two axes, kept inside, and the condition that it was.
#[derive(Clone, Copy)]
struct Along {
    at: ExprId,
    inside: Option<ExprId>,
}

impl Paired {
    fn extent(&self, side: usize) -> usize {
        self.reductions.kept[self.axes[side]]
    }

    /// Tiles of all members of a batch.
    fn tiles(&self, across: u32) -> usize {
        let extent = EACH * across as usize;
        let others = self.reductions.kept.size() / (self.extent(0) * self.extent(1));
        others * self.extent(0).div_ceil(extent) * self.extent(1).div_ceil(extent)
    }

    /// Bytes of all panels.
    fn bytes(&self, across: u32, depth: usize) -> u32 {
        (16 * (across + 1) as usize * depth * self.shared.len()) as u32
    }

    /// Whether results are stored by vectors along the second axis.
    fn vectorized(&self) -> bool {
        self.axes[1] + 1 == self.reductions.kept.rank() && self.extent(1).is_multiple_of(EACH)
    }

    #[inline(never)]
    fn kernel(&self, problem: &Problem<'_>, across: u32, depth: usize) -> Stage {
        let Reductions { kept, reduced, levels, .. } = &self.reductions;
        let (level, length) = (&levels[0], reduced.size());
        let workgroup = across * across;
        let wide = EACH * across as usize;
        problem.stage(&problem.name("pairs"), workgroup, |eval| {
            let tiles = self.tiles(across);
            let grid = grid(tiles, problem.limits);
            let (tile, lane, inside) = each_workgroup(eval, "tile", tiles, workgroup, grid);
            // A tile's place among the batch and along the axes.
            let others: Vec<usize> = (0..kept.rank()).filter(|axis| !self.axes.contains(axis)).collect();
            let mut counts: Vec<usize> = others.iter().map(|&axis| kept[axis]).collect();
            counts.extend([0, 1].map(|side| self.extent(side).div_ceil(wide)));
            let tile = eval.b.unravel(tile, &counts.into());
            let mut at = vec![lane; kept.rank()];
            for (number, &axis) in others.iter().enumerate() {
                at[axis] = eval.b.index_bind("member", tile[number]);
            }
            let firsts = [0, 1].map(|side| {
                // What is named is a fourth of it, so that it is known to be a multiple of four.
                let fours = eval.b.index_scale(tile[others.len() + side], i64::from(across));
                let fours = eval.b.index_bind(["rows", "columns"][side], fours);
                eval.b.index_scale(fours, EACH as i64)
            });
            let own = [eval.b.index_div(lane, i64::from(across)), eval.b.index_rem(lane, i64::from(across))];
            let own = [eval.b.index_bind("y", own[0]), eval.b.index_bind("x", own[1])];
            let along = [0, 1].map(|side| {
                let ahead = eval.b.index_scale(own[side], EACH as i64);
                let first = eval.b.index_add(firsts[side], ahead);
                self.along(eval, side, first, wide)
            });
            let places: Vec<Vec<ExprId>> = along[0]
                .iter()
                .flat_map(|row| along[1].iter().map(move |column| [row.at, column.at]))
                .map(|pair| {
                    let mut at = at.clone();
                    self.axes.iter().zip(pair).for_each(|(&axis, place)| at[axis] = place);
                    at
                })
                .collect();

            let arrays: Vec<ArrayId> = (self.shared.iter().enumerate())
                .map(|(number, one)| {
                    let ty = Type { scalar: storage_dtype(eval.program[one.node].dtype), lanes: EACH as u8 };
                    eval.b.array(format!("panel{number}"), ty, Space::Workgroup((across + 1) * depth as u32))
                })
                .collect();
            let origin = eval.b.index_const(0);
            let wholes: Vec<Vec<Accumulator>> =
                places.iter().map(|_| accumulators(eval, level, Some(origin))).collect();
            let panel = Panel { paired: self, at: &at, firsts, lane, across, wide };
            let step = |eval: &mut Evaluator<'_>, before: ExprId, depth: usize| {
                let fetched: Vec<_> =
                    self.shared.iter().map(|one| panel.fetch(eval, one, before, depth)).collect();
                // What was there before has been read by all.
                eval.b.push(Stmt::Barrier);
                for (&array, fetched) in arrays.iter().zip(fetched) {
                    put(eval, array, fetched);
                }
                eval.b.push(Stmt::Barrier);
                let again = |eval: &mut Evaluator<'_>, a: &Accumulator| {
                    if a.rounds() { a.again(&mut eval.b) } else { *a }
                };
                let parts: Vec<Vec<Accumulator>> =
                    wholes.iter().map(|row| row.iter().map(|a| again(eval, a)).collect()).collect();
                for term in 0..depth {
                    let position = eval.b.index_offset(before, term as i64);
                    let position = eval.b.index_bind("term", position);
                    for (one, &array) in self.shared.iter().zip(&arrays) {
                        let place = eval.b.index_offset(own[one.side], term as i64 * i64::from(across + 1));
                        let vector = eval.b.expr(Expr::Load(array, place));
                        let vector = eval.b.bind(["a", "b"][one.side], vector);
                        for (n, along) in along[one.side].iter().enumerate() {
                            let value = eval.b.expr(Expr::Component(vector, n as u8));
                            let value = eval.b.from_storage(eval.program[one.node].dtype, value);
                            let coordinates = panel.coordinates(eval, one, along.at, position);
                            eval.define(one.node, &coordinates, value);
                        }
                    }
                    take_element(eval, &self.reductions, level, &parts, &places, position);
                }
                for (whole, part) in
                    wholes.iter().flatten().zip(parts.iter().flatten()).filter(|(a, _)| a.rounds())
                {
                    let sum = part.partial(&mut eval.b);
                    whole.update(&mut eval.b, sum);
                }
            };
            eval.each("panel", length / depth, |eval, number| {
                let before = eval.b.index_scale(number, depth as i64);
                step(eval, before, depth);
            });
            if !length.is_multiple_of(depth) {
                let before = eval.b.index_const((length / depth * depth) as i64);
                step(eval, before, length % depth);
            }
            for (at, accumulators) in places.iter().zip(&wholes) {
                let results: Vec<_> = accumulators.iter().map(|a| a.partial(&mut eval.b)).collect();
                define(eval, level, at, &results);
            }
            self.store(eval, &along, &places);
            close_guard(eval, inside);
            grid
        })
    }

    /// Four places along an axis from one on.
    fn along(&self, eval: &mut Evaluator<'_>, side: usize, first: ExprId, wide: usize) -> Vec<Along> {
        let extent = self.extent(side);
        // Fours that are stored together lie inside together.
        let alone = side == 0 || !self.vectorized();
        (0..EACH)
            .map(|n| {
                let at = eval.b.index_offset(first, n as i64);
                if extent.is_multiple_of(wide) {
                    return Along { at, inside: None };
                }
                let end = eval.b.index_const(extent as i64);
                let inside = eval.b.binary(BinaryOp::Lt, first, end);
                if !alone {
                    let last = eval.b.index_const((extent / EACH - 1) as i64);
                    let four = eval.b.index_div(first, EACH as i64);
                    let four = eval.b.binary(BinaryOp::Min, four, last);
                    let four = eval.b.bind("four", four);
                    eval.b.index.set_range(four, 0, (extent / EACH - 1) as i64);
                    let at = eval.b.index_scale(four, EACH as i64);
                    return Along { at: eval.b.index_offset(at, n as i64), inside: Some(inside) };
                }
                let inside = eval.b.binary(BinaryOp::Lt, at, end);
                let last = eval.b.index_const(extent as i64 - 1);
                let at = eval.b.binary(BinaryOp::Min, at, last);
                let at = eval.b.bind(["row", "column"][side], at);
                eval.b.index.set_range(at, 0, extent as i64 - 1);
                Along { at, inside: Some(inside) }
            })
            .collect()
    }

    /// Stores what follows, where it lies inside.
    fn store(&self, eval: &mut Evaluator<'_>, along: &[Vec<Along>; 2], places: &[Vec<ExprId>]) {
        let Reductions { kept, row_outputs, .. } = &self.reductions;
        eval.stores_vectors = self.vectorized();
        for (row, places) in along[0].iter().zip(places.chunks(EACH)) {
            let vectorized = self.vectorized();
            let columns = if vectorized { &along[1][..1] } else { &along[1][..] };
            for (n, column) in columns.iter().enumerate() {
                let inside = match (row.inside, column.inside) {
                    (Some(a), Some(b)) => Some(eval.b.both(a, b)),
                    (a, b) => a.or(b),
                };
                if inside.is_some() {
                    eval.open();
                }
                if vectorized {
                    store_neighbours(eval, row_outputs, places, kept);
                } else {
                    store_all(eval, row_outputs, &places[n], kept);
                }
                close_guard(eval, inside);
            }
        }
    }
}

/// How a workgroup fills panels.
struct Panel<'a> {
    paired: &'a Paired,
    /// Where its results stand along the axes that are not paired.
    at: &'a [ExprId],
    /// Its first place along each of the two that are.
    firsts: [ExprId; 2],
    lane: ExprId,
    across: u32,
    wide: usize,
}

/// A vector that an invocation has fetched.
struct Fetched {
    vector: ExprId,
    /// Where in the panel it goes.
    place: ExprId,
    /// Whether the panel reaches so far, unless it always does.
    within: Option<ExprId>,
}

impl Panel<'_> {
    /// Where something is read at a place along its axis and a reduced position.
    fn coordinates(
        &self,
        eval: &mut Evaluator<'_>,
        one: &Shared,
        place: ExprId,
        term: ExprId,
    ) -> Vec<ExprId> {
        let coordinate = |at: &Place| match *at {
            Place::Term => term,
            Place::Kept(axis) if axis == self.paired.axes[one.side] => place,
            Place::Kept(axis) => self.at[axis],
            Place::At(value) => eval.b.index_const(value),
        };
        one.places.iter().map(coordinate).collect()
    }

    /// Fetches an invocation's share of a panel.
    fn fetch(&self, eval: &mut Evaluator<'_>, one: &Shared, before: ExprId, depth: usize) -> Vec<Fetched> {
        let (workgroup, vectors) = ((self.across * self.across) as usize, self.across as usize);
        let terms_adjoin = one.places.last() == Some(&Place::Term);
        let extent = self.paired.extent(one.side);
        let exact = extent.is_multiple_of(self.wide);
        let none = eval.b.literal(Literal::zero(storage_dtype(eval.program[one.node].dtype)));
        let none = eval.b.expr(Expr::Splat(EACH as u8, none));
        let all = vectors * depth;
        let mut fetched = Vec::new();
        for start in (0..all).step_by(workgroup) {
            let element = eval.b.index_offset(self.lane, start as i64);
            // In the order in which they lie in memory.
            let by = if terms_adjoin { depth } else { vectors } as i64;
            let (outer, inner) = (eval.b.index_div(element, by), eval.b.index_rem(element, by));
            let (term, number) = if terms_adjoin { (inner, outer) } else { (outer, inner) };
            let vector = eval.b.var("fetched", none);
            let within = (start + workgroup > all).then(|| {
                let count = eval.b.index_const(all as i64);
                eval.b.binary(BinaryOp::Lt, element, count)
            });
            if within.is_some() {
                eval.open();
            }
            let position = eval.b.index_add(before, term);
            let ahead = eval.b.index_scale(number, EACH as i64);
            let first = eval.b.index_add(self.firsts[one.side], ahead);
            eval.vectorized = exact && !terms_adjoin;
            let lanes: Vec<ExprId> = (0..EACH)
                .map(|n| {
                    let mut place = eval.b.index_offset(first, n as i64);
                    if !exact {
                        let last = eval.b.index_const(extent as i64 - 1);
                        place = eval.b.binary(BinaryOp::Min, place, last);
                        place = eval.b.bind("place", place);
                        eval.b.index.set_range(place, 0, extent as i64 - 1);
                    }
                    let at = self.coordinates(eval, one, place, position);
                    let value = eval.value(one.node, &at);
                    eval.b.to_storage(value)
                })
                .collect();
            eval.vectorized = false;
            let four = eval.b.compose(&lanes);
            eval.b.push(Stmt::Assign(vector, four));
            close_guard(eval, within);
            let line = eval.b.index_scale(term, i64::from(self.across + 1));
            let place = eval.b.index_add(line, number);
            fetched.push(Fetched { vector: eval.b.read(vector), place, within });
        }
        fetched
    }
}

/// Writes what was fetched into a panel.
fn put(eval: &mut Evaluator<'_>, array: ArrayId, fetched: Vec<Fetched>) {
    for Fetched { vector, place, within } in fetched {
        if within.is_some() {
            eval.open();
        }
        eval.b.push(Stmt::Store(array, place, vector));
        close_guard(eval, within);
    }
}
