//! Transposing maps. A workgroup loads a tile of what it reads transposed in memory order, and
//! reads it from workgroup memory in the order of the result.
//!
//! Lines of a tile are padded by one word, so that reads along either side touch all memory banks
//! (as in G. Ruetsch and P. Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009).

use crate::cluster::Domain;
use crate::device::{MapModel, ParallelMap};
use crate::family::choice::parameters;
use crate::family::contract::{Bounded, bounded};
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::family::store::{store_all, values_at};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::eval::Evaluator;
use weft_ir::Shape;
use weft_ir::kernel::{ArrayId, Expr, ExprId, Space, Stmt};
use weft_ir::op::{Op, View};
use weft_ir::program::ProgramId;

/// Elements along each side of a tile, where both axes are as long.
const SIDE: u32 = 32;
/// Elements of a tile, and invocations of a workgroup.
const TILE: u32 = SIDE * SIDE;
const INVOCATIONS: u32 = 256;
/// Tiles that a workgroup may hold.
const MOST_TILES: usize = 3;

/// The family.
pub struct TransposedMap;

parameters! {
    /// A tile for each workgroup.
    OneTile {}
}

impl Family for TransposedMap {
    fn name(&self) -> &'static str {
        "transposed-map"
    }

    fn numbers(&self) -> &'static [&'static str] {
        OneTile::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let Domain { shape, axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
        let MapModel::Parallel(model) = &problem.model().map else { return None };
        let fits = problem.limits.invocations >= INVOCATIONS;
        let found = (fits && problem.operations() <= model.most_operations)
            .then(|| transposed_reads(problem, shape))??;
        Some(Box::new(TransposedTiles(found, model)))
    }
}

/// A map with transposed reads, on a device with barriers.
struct TransposedTiles(TransposedReads, &'static ParallelMap);

impl Lowering for TransposedTiles {
    type Candidate = OneTile;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<OneTile> {
        Candidates::one(OneTile {})
    }

    fn cost(&self, _: &Problem<'_>, _: OneTile) -> f64 {
        let TransposedTiles(crossing, model) = self;
        model.cost_of_fewer(crossing.shape.size(), model.transposed, model.large_transposed)
    }

    /// Deferred: few first programs store the transpose of a large tensor.
    fn lower(&self, problem: &Problem<'_>, _: OneTile) -> Lowered {
        Lowered { stages: vec![lower(problem, &self.0.shape, &self.0)], partials: Vec::new() }
    }
}

/// Transposed reads of a map: their elements are adjacent along another axis than the result's
/// last.
pub(crate) struct TransposedReads {
    /// Extents of what it computes.
    shape: Shape,
    /// The axis along which it lies side by side.
    pub(crate) axis: usize,
    /// Which of the reads, in the order in which the outputs make them.
    reads: Vec<usize>,
}

impl TransposedReads {
    /// Elements of a tile along the axis and along the last: where one is short, as the colours of
    /// a picture are, all of it and so many more of the other.
    fn sides(&self) -> [u32; 2] {
        let [axis, last] =
            [self.axis, self.shape.rank() - 1].map(|axis| self.shape[axis].next_power_of_two() as u32);
        match (axis < SIDE, last < SIDE) {
            (true, false) => [axis, TILE / axis],
            (false, true) => [TILE / last, last],
            _ => [SIDE; 2],
        }
    }
}

/// The transposed reads of a map over `shape`, if it has any.
pub(crate) fn transposed_reads(problem: &Problem<'_>, shape: &Shape) -> Option<TransposedReads> {
    let last = shape.rank().checked_sub(1)?;
    let turned = || problem.count(|op| matches!(op, Op::View(View::Permute(_)))) > 0;
    let scatters = problem.count(|op| matches!(op, Op::Scatter { .. })) > 0;
    if scatters || !turned() {
        return None;
    }
    let mut found: Option<TransposedReads> = None;
    problem.stage("", 1, |eval| {
        let at: Vec<ExprId> = shape.iter().map(|&extent| eval.b.counter("x", extent as i64).1).collect();
        for (number, (node, place)) in reads(eval, problem, &at, shape).into_iter().enumerate() {
            let flat = eval.b.ravel(&place, &problem.program[node].shape);
            let terms = eval.b.index_terms(flat);
            let factor = |x: ExprId| terms.iter().find(|term| term.0 == x).map_or(0, |term| term.1);
            let axis = (0..last).find(|&axis| factor(at[axis]) == 1);
            // Coordinates of nothing else, so that they are the same wherever they are asked for.
            let known = terms.iter().all(|(atom, _)| at.contains(atom));
            if let Some(axis) = axis.filter(|_| known && factor(at[last]).abs() > 1)
                && !problem.in_place.contains_key(&node)
            {
                let transposed = found.get_or_insert_with(|| TransposedReads {
                    shape: shape.clone(),
                    axis,
                    reads: Vec::new(),
                });
                if transposed.axis == axis && transposed.reads.len() < MOST_TILES {
                    transposed.reads.push(number);
                }
            }
        }
        [1; 3]
    });
    found
}

/// What the outputs read at a place: nodes and their coordinates.
fn reads(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    at: &[ExprId],
    shape: &Shape,
) -> Vec<(ProgramId, Vec<ExprId>)> {
    eval.reached.clear();
    eval.open();
    values_at(eval, &problem.cluster().outputs, at, shape, false);
    eval.forget();
    // Only where things are read was wanted.
    eval.b.close();
    std::mem::take(&mut eval.reached)
}

/// The kernel.
fn lower(problem: &Problem<'_>, shape: &Shape, transposed: &TransposedReads) -> Stage {
    let (axis, last) = (transposed.axis, shape.rank() - 1);
    let [wide, long] = transposed.sides();
    let side_of = |along: usize| if along == axis { wide } else { long };
    let tiles_along = |axis: usize| shape[axis].div_ceil(side_of(axis) as usize);
    let others: Shape = shape.without(&[axis, last]);
    let tiles: Shape = [others.size(), tiles_along(axis), tiles_along(last)].into();
    // Words from one line of a tile to the next.
    let stride = i64::from(wide + 1);
    problem.stage(&problem.name("transposed map"), INVOCATIONS, |eval| {
        let grid = grid(tiles.size(), problem.limits);
        let (tile, lane, inside) = each_workgroup(eval, "tile", tiles.size(), INVOCATIONS, grid);
        // Which line an invocation begins with, and where along it, by lines along either side.
        let mut split = |by: u32| {
            let (line, along) =
                (eval.b.index_div(lane, i64::from(by)), eval.b.index_rem(lane, i64::from(by)));
            (eval.b.index_bind("y", line), eval.b.index_bind("x", along))
        };
        let of_fetched = split(wide);
        let of_stored = if long == wide { of_fetched } else { split(long) };

        let of_tile = eval.b.unravel(tile, &tiles);
        let batch = eval.b.index_bind("batch", of_tile[0]);
        let rest = eval.b.unravel(batch, &others);
        let place = |eval: &mut Evaluator<'_>, side: usize, of: ExprId| {
            let extent = i64::from(side_of(side));
            let first = eval.b.index_scale(of_tile[if side == axis { 1 } else { 2 }], extent);
            let at = eval.b.index_add(first, of);
            bounded(eval, "i", at, shape[side], shape[side].is_multiple_of(extent as usize))
        };
        // The coordinates for a place on either side of a tile.
        let coordinates = |on_axis: &Bounded, on_last: &Bounded| -> Vec<ExprId> {
            let mut rest = rest.iter();
            let of = |a: usize| match a {
                _ if a == axis => on_axis.at,
                _ if a == last => on_last.at,
                _ => *rest.next().expect("a coordinate for each other axis"),
            };
            (0..shape.rank()).map(of).collect()
        };

        let mut arrays: Vec<ArrayId> = Vec::new();
        let (shares, (line, along)) = (0..TILE / INVOCATIONS, of_fetched);
        let along_axis = place(eval, axis, along);
        let mut fetch = Vec::new();
        for number in shares.clone() {
            let own = eval.b.index_offset(line, i64::from(number * INVOCATIONS / wide));
            let at = coordinates(&along_axis, &place(eval, last, own));
            let reads = reads(eval, problem, &at, shape);
            for (&read, slot) in transposed.reads.iter().zip(0..) {
                let (node, there) = &reads[read];
                let value = eval.value(*node, there);
                fetch.push((slot, own, eval.b.to_storage(value)));
                if arrays.len() == slot {
                    let dtype = crate::lower::elementwise::storage_dtype(problem.program[*node].dtype);
                    arrays.push(eval.b.array("turned", dtype, Space::Workgroup(long * (wide + 1))));
                }
            }
        }
        // All are on their way before the first is put down.
        for (slot, own, value) in fetch {
            let index = eval.b.index_scale(own, stride);
            let index = eval.b.index_add(index, along);
            eval.b.push(Stmt::Store(arrays[slot], index, value));
        }
        eval.b.push(Stmt::Barrier);
        let (line, along) = of_stored;
        let along_last = place(eval, last, along);
        for number in shares {
            let own = eval.b.index_offset(line, i64::from(number * INVOCATIONS / long));
            let on_axis = place(eval, axis, own);
            let condition = match (on_axis.inside, along_last.inside) {
                (Some(a), Some(b)) => Some(eval.b.both(a, b)),
                (a, b) => a.or(b),
            };
            if condition.is_some() {
                eval.open();
            }
            let at = coordinates(&on_axis, &along_last);
            let reads = reads(eval, problem, &at, shape);
            for (&read, &array) in transposed.reads.iter().zip(&arrays) {
                let (node, there) = &reads[read];
                let index = eval.b.index_scale(along, stride);
                let index = eval.b.index_add(index, own);
                let load = eval.b.expr(Expr::Load(array, index));
                let load = eval.b.bind("v", load);
                let value = eval.b.from_storage(problem.program[*node].dtype, load);
                eval.define(*node, there, value);
            }
            store_all(eval, &problem.cluster().outputs, &at, shape);
            close_guard(eval, condition);
        }
        close_guard(eval, inside);
        grid
    })
}
