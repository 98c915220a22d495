//! Long rows in parts: a first kernel leaves a partial result for each part of each row, a second
//! combines them (as in M. Harris, "Optimizing Parallel Reduction in CUDA", and CUB's two-phase
//! reduce).

use super::block_sums::in_blocks;
use super::layout::{RowLayout, Scratch, read, team, team_of, workgroup_of};
use super::tiles::{Share, TILE, walk_tiles};
use super::walk::{Reductions, UNROLLED, Walk, accumulators, define, numbers_first, walk_level};
use super::{PARTS, Walking, reductions, rows_of, store_row_outputs};
use crate::family::choice::parameters;
use crate::family::launch::close_guard;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use crate::lower::accumulate::Partial;
use crate::lower::eval::Binding;
use crate::lower::positions::Positions;
use weft_ir::HashMap;
use weft_ir::kernel::{ArrayId, BinaryOp, Space, Stmt};

/// The family.
pub struct SplitRows;

parameters! {
    /// How rows are cut, and their parts shared among invocations.
    SplitWalk {
        /// Invocations that share a part, of one row or several.
        lanes: u32,
        /// Parts of a row.
        parts: u32,
        /// Neighbouring rows that an invocation reduces together.
        rows: u32,
        /// Neighbouring elements that it takes together.
        each: u32,
    }
}

/// Rows that could be cut.
struct SplitReductions(Reductions);

impl Family for SplitRows {
    fn name(&self) -> &'static str {
        "split-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        SplitWalk::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(SplitReductions(reductions(problem).filter(Reductions::can_split)?)))
    }
}

impl Lowering for SplitReductions {
    type Candidate = SplitWalk;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<SplitWalk> {
        let mut found = Candidates::default();
        for Walking { layout: RowLayout { lanes, width }, rows, each } in self.0.walks(problem) {
            for parts in PARTS {
                let fits = width == 1 && self.0.has_parts(parts, 4 * lanes * each);
                if fits && self.0.is_short_walk(lanes * parts) {
                    found.push(SplitWalk { lanes, parts, rows, each });
                }
            }
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, SplitWalk { lanes, parts, rows, each }: SplitWalk) -> f64 {
        self.0.cost_of_passes(problem, RowLayout::alone(lanes), [parts, rows, each], self.0.passes() as f64)
    }

    fn lower(&self, problem: &Problem<'_>, SplitWalk { lanes, parts, rows, each }: SplitWalk) -> Lowered {
        Parts { lanes, parts, rows, each, tile: None }.lower(problem, &self.0)
    }
}

/// How the first of both kernels walks parts.
pub(crate) struct Parts {
    pub lanes: u32,
    pub parts: u32,
    pub rows: u32,
    pub each: u32,
    /// Times four elements of what rows share that are in workgroup memory at once.
    pub tile: Option<u32>,
}

impl Parts {
    /// Both kernels.
    pub fn lower(&self, problem: &Problem<'_>, reductions: &Reductions) -> Lowered {
        let &Parts { lanes, parts, rows: together, each, tile } = self;
        let level = &reductions.levels[0];
        let rows = reductions.kept.size();
        let teams = rows / together as usize;
        let pieces = teams * parts as usize;
        // Neighbouring pieces are those of one row, or where rows lie side by side, those of
        // neighbouring rows.
        let side_by_side = reductions.is_strided();
        let mut partials = Vec::new();
        // The first kernel writes no result, so nothing over a leaf.
        let nothing = HashMap::default();
        let reading = Problem { in_place: &nothing, ..*problem };
        let workgroup = workgroup_of(problem, pieces, lanes, reductions.shape.size());
        let first = reading.stage(&problem.name("rows, parts of"), workgroup, |eval| {
            let team = team(eval, problem, pieces, lanes, workgroup);
            let per = if side_by_side { teams as i64 } else { i64::from(parts) };
            let (outer, inner) = (eval.b.index_div(team.row, per), eval.b.index_rem(team.row, per));
            let (row, part) = if side_by_side { (inner, outer) } else { (outer, inner) };
            let owner = eval.b.index_bind("owner", row);
            let at = rows_of(eval, reductions, owner, together);
            numbers_first(eval, problem, reductions);
            eval.vectorized = each == 4 || together == 4;
            let accumulators = if let Some(tile) = tile {
                let fours = reductions.reduced.size() / (4 * parts as usize);
                let first = eval.b.index_scale(part, fours as i64);
                let share = Share { first, fours, tile, workgroup: TILE, lanes };
                walk_tiles(eval, problem, reductions, &at, team.lane, share).0
            } else {
                let start = eval.b.index_scale(part, i64::from(lanes));
                let first = eval.b.index_add(start, team.lane);
                let walk = Walk::new(problem, reductions, first, lanes * parts, together, each);
                walk_level(eval, reductions, level, &at, walk)
            };
            let results: Vec<Vec<Partial>> =
                accumulators.iter().map(|row| Scratch::default().tree(eval, &team, row)).collect();
            let single = team.lanes > 1;
            let zero = eval.b.index_const(0);
            let lane_zero = eval.b.binary(BinaryOp::Eq, team.lane, zero);
            if single {
                eval.open();
            }
            // Where the parts of the first of these rows go; those of its neighbours come next.
            let place = eval.b.index_scale(team.row, i64::from(together));
            let mut storage = Vec::new();
            for (number, (row, results)) in accumulators.iter().zip(&results).enumerate() {
                let place = eval.b.index_offset(place, number as i64);
                let mut next = 0;
                for (accumulator, result) in row.iter().zip(results) {
                    let value = eval.b.to_storage(result.value);
                    let values = result.position.map_or(vec![value], |p| vec![value, p]);
                    for (dtype, value) in accumulator.storage().into_iter().zip(values) {
                        let array = eval.array(Binding::Partial(next), dtype, Space::ReadWrite);
                        next += 1;
                        storage.push(Stmt::Store(array, place, value));
                    }
                }
                partials = vec![(rows * parts as usize) as u64 * 4; next];
            }
            storage.into_iter().for_each(|store| eval.b.push(store));
            if single {
                eval.forget();
                eval.b.close_if(lane_zero);
            }
            close_guard(eval, team.guard);
            team.grid
        });
        let layout = reductions.layout_of_second_stage(problem, parts);
        let lanes = layout.lanes;
        let workgroup = layout.width * workgroup_of(problem, rows, lanes, rows * parts as usize);
        let second = problem.stage(&problem.name("rows, whole of"), workgroup, |eval| {
            let team = team_of(eval, problem, rows, layout, side_by_side, workgroup);
            let at = eval.b.unravel(team.row, &reductions.kept);
            let accumulators = accumulators(eval, level, None);
            let (row_step, part_step) = if side_by_side { (1, rows as i64) } else { (i64::from(parts), 1) };
            let first = eval.b.index_scale(team.row, row_step);
            let mut number = 0;
            let arrays: Vec<Vec<ArrayId>> = accumulators
                .iter()
                .map(|a| {
                    let arrays = a.storage().into_iter().map(|dtype| {
                        number += 1;
                        eval.array(Binding::Partial(number - 1), dtype, Space::Read)
                    });
                    arrays.collect()
                })
                .collect();
            let positions =
                Positions { first: team.lane, length: parts as usize, stride: lanes, unroll: UNROLLED };
            let accumulators = vec![accumulators];
            in_blocks(eval, &accumulators, positions, 1, &mut |eval, sums, j| {
                let index = eval.b.index_scale(j, part_step);
                let index = eval.b.index_add(first, index);
                for (accumulator, arrays) in sums[0].iter().zip(&arrays) {
                    let with = read(eval, *accumulator, arrays, index);
                    accumulator.update(&mut eval.b, with);
                }
            });
            let accumulators = &accumulators[0];
            let results = Scratch::default().tree(eval, &team, accumulators);
            define(eval, level, &at, &results);
            store_row_outputs(eval, reductions, &team, &at);
            close_guard(eval, team.guard);
            team.grid
        });
        Lowered { stages: vec![first, second], partials }
    }
}
