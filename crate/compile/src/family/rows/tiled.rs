//! Rows whose workgroups share what all of them read (`tiles.rs`), walked whole or in parts.

use super::cost::UNIT;
use super::split::Parts;
use super::tiles::{TILE, Tiles, cost, in_teams};
use super::walk::Reductions;
use super::{MUCH_COMPUTED, PARTS, is_shared, reductions};
use crate::device::TileModel;
use crate::family::choice::parameters;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use weft_ir::HashSet;
use weft_ir::op::{Class, Op, ReduceOp, facts};
use weft_ir::program::ProgramId;

/// Of fewer elements, nothing is gained by sharing what takes much to compute: as of a layer's
/// bias, which an optimizer's rule changes.
const MANY_ELEMENTS: usize = 1 << 14;

/// The family that walks rows whole.
pub struct TiledRows;

parameters! {
    /// How invocations share rows and tiles.
    TiledWalk {
        /// Invocations that share rows.
        lanes: u32,
        /// Rows that each of them reduces together.
        rows: u32,
        /// Times four elements of what is shared that are in workgroup memory at once.
        tile: u32,
    }
}

/// The family that walks rows in parts.
pub struct SplitTiledRows;

parameters! {
    /// How rows are cut.
    SplitTiledWalk {
        /// Parts of a row.
        parts: u32,
        /// Rows that an invocation reduces together.
        rows: u32,
    }
}

/// Rows that could be walked by tiles whole.
///
/// Deferred: only narrow rows are reduced in tiles.
struct TiledReductions(Reductions, &'static TileModel);

/// Rows that could be walked by tiles in parts.
///
/// Deferred: only narrow rows are reduced in tiles.
struct SplitTiledReductions(Reductions, &'static TileModel);

/// Rows that could be walked by tiles.
fn tiled(problem: &Problem<'_>) -> Option<(Reductions, &'static TileModel)> {
    let model = problem.model().tiles.as_ref()?;
    Some((reductions(problem).filter(|reductions| reductions.are_for_tiles(problem))?, model))
}

impl Reductions {
    /// Whether rows are sums that take much to compute and lie apart, so that what they share could
    /// go through workgroup memory.
    fn are_for_tiles(&self, problem: &Problem<'_>) -> bool {
        let is_sum = |id: &ProgramId| matches!(problem.program[*id].op, Op::Reduce { op: ReduceOp::Sum, .. });
        self.can_split()
            && self.is_strided()
            && self.axes.len() == 1
            && self.levels[0].iter().all(is_sum)
            && self.reduced.size().is_multiple_of(4)
            && self.shape.size() >= MANY_ELEMENTS
            && self.computed(problem) >= MUCH_COMPUTED
    }

    /// Operations that an element takes until it is reduced.
    fn computed(&self, problem: &Problem<'_>) -> usize {
        let program = problem.program;
        let (mut operations, mut seen) = (0, HashSet::default());
        let mut stack = self.levels[0].clone();
        while let Some(id) = stack.pop() {
            if seen.insert(id) && !problem.clusters.is_loaded(program, problem.own, id) {
                operations += usize::from(facts(&program[id].op).class != Class::View);
                stack.extend(&program[id].inputs);
            }
        }
        operations
    }

    /// Numbers of rows that an invocation reduces together, which share what is read.
    fn shared_together(&self, problem: &Problem<'_>) -> impl Iterator<Item = u32> {
        self.together(problem).into_iter().filter(|&rows| is_shared(rows))
    }
}

impl Family for TiledRows {
    fn name(&self) -> &'static str {
        "tiled-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        TiledWalk::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let (reductions, model) = tiled(problem)?;
        Some(Box::new(TiledReductions(reductions, model)))
    }
}

impl Lowering for TiledReductions {
    type Candidate = TiledWalk;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<TiledWalk> {
        let (mut tiles, mut found) = (Tiles::default(), Candidates::default());
        for rows in self.0.shared_together(problem) {
            let teams = tiles.of_teams(problem, &self.0, rows).into_iter();
            let short = teams.filter(|&[lanes, _]| self.0.is_short_walk(lanes));
            found.extend(short.map(|[lanes, tile]| TiledWalk { lanes, rows, tile }));
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, TiledWalk { lanes, rows, tile }: TiledWalk) -> f64 {
        UNIT * cost(problem, &self.0, self.1, [lanes, 1, rows, tile])
    }

    fn lower(&self, problem: &Problem<'_>, TiledWalk { lanes, rows, tile }: TiledWalk) -> Lowered {
        Lowered { stages: vec![in_teams(problem, &self.0, [lanes, rows, tile])], partials: Vec::new() }
    }
}

impl Family for SplitTiledRows {
    fn name(&self) -> &'static str {
        "split-tiled-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        SplitTiledWalk::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let (reductions, model) = tiled(problem)?;
        Some(Box::new(SplitTiledReductions(reductions, model)))
    }
}

impl Lowering for SplitTiledReductions {
    type Candidate = SplitTiledWalk;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<SplitTiledWalk> {
        let (mut tiles, mut found) = (Tiles::default(), Candidates::default());
        for rows in self.0.shared_together(problem) {
            for parts in PARTS {
                // Four vectors of four elements, at least.
                let fits = self.0.has_parts(parts, 16) && self.0.is_short_walk(parts);
                if fits && tiles.suit(problem, &self.0, [parts, rows]) {
                    found.push(SplitTiledWalk { parts, rows });
                }
            }
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, SplitTiledWalk { parts, rows }: SplitTiledWalk) -> f64 {
        let walk = cost(problem, &self.0, self.1, [1, parts, rows, TILE]);
        let (all, second) = (self.0.kept.size() as f64, self.0.layout_of_second_stage(problem, parts));
        let added = self.0.cost_of_stage(problem, [all, f64::from(parts)], second, 1, 1.0);
        UNIT * (walk + added + problem.model().dispatch / UNIT)
    }

    fn lower(&self, problem: &Problem<'_>, SplitTiledWalk { parts, rows }: SplitTiledWalk) -> Lowered {
        Parts { lanes: 1, parts, rows, each: 4, tile: Some(TILE) }.lower(problem, &self.0)
    }
}
