//! Whole rows, in one kernel: one invocation walks a row, or a workgroup's do, or some of them, so
//! that rows share the workgroup.

use super::layout::{RowLayout, Scratch, team_of, workgroup_of};
use super::walk::{Reductions, Walk, define, numbers_first, walk_level};
use super::{Walking, recomputed, reductions, rows_of, store_row_outputs};
use crate::family::choice::parameters;
use crate::family::launch::close_guard;
use crate::family::store::store_neighbours;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage, Unfused};
use crate::lower::eval::interleave;
use weft_ir::kernel::ExprId;
use weft_ir::program::ProgramId;

/// The family.
pub struct Rows;

parameters! {
    /// How rows are shared among invocations.
    WholeRows {
        /// Invocations that share a row.
        lanes: u32,
        /// Rows that share a workgroup, where a row has several invocations.
        width: u32,
        /// Neighbouring rows that an invocation reduces together, where it has them alone.
        rows: u32,
        /// Neighbouring elements that it takes together.
        each: u32,
    }
}

impl WholeRows {
    fn layout(self) -> RowLayout {
        RowLayout { lanes: self.lanes, width: self.width }
    }
}

impl Family for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        WholeRows::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(reductions(problem)?))
    }

    fn computes_again(&self, unfused: &Unfused<'_>, id: ProgramId) -> bool {
        recomputed::is_one_of_pairs(unfused, id)
    }
}

impl Lowering for Reductions {
    type Candidate = WholeRows;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<WholeRows> {
        let mut found = Candidates::default();
        for Walking { layout: RowLayout { lanes, width }, rows, each } in self.walks(problem) {
            found.push(WholeRows { lanes, width, rows, each });
        }
        found.prefer(|walk| self.is_short_walk(walk.lanes));
        found
    }

    /// The fewest invocations that do not walk too long.
    fn is_fallback(&self, _: WholeRows) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, walk: WholeRows) -> f64 {
        if self.can_split() && !self.is_short_walk(walk.lanes) {
            // Drivers end such long walks.
            return f64::INFINITY;
        }
        let WholeRows { rows, each, .. } = walk;
        self.cost_of_passes(problem, walk.layout(), [1, rows, each], self.passes() as f64)
    }

    fn lower(&self, problem: &Problem<'_>, walk: WholeRows) -> Lowered {
        Lowered { stages: vec![lower(problem, self, walk)], partials: Vec::new() }
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, reductions: &Reductions, walking: WholeRows) -> Stage {
    let WholeRows { lanes, width, rows: together, each } = walking;
    let teams = reductions.kept.size() / together as usize;
    let elements = reductions.passes() * reductions.shape.size();
    let workgroup = width * workgroup_of(problem, teams, lanes, elements);
    problem.stage(&problem.name("rows"), workgroup, |eval| {
        let team = team_of(eval, problem, teams, walking.layout(), reductions.is_strided(), workgroup);
        let rows = rows_of(eval, reductions, team.row, together);
        numbers_first(eval, problem, reductions);
        eval.vectorized = each == 4 || together == 4;
        // What lies along a row is stored as it was read.
        let stored = if each == 4 && lanes * together == 1 { each } else { 1 };
        eval.stores_vectors = stored == 4;
        let walk = Walk::new(problem, reductions, team.lane, lanes, together, each);
        let mut scratch = Scratch::default();
        for level in &reductions.levels {
            let accumulators = walk_level(eval, reductions, level, &rows, walk);
            for (at, accumulators) in rows.iter().zip(&accumulators) {
                let results = scratch.tree(eval, &team, accumulators);
                define(eval, level, at, &results);
            }
        }
        for at in &rows {
            store_row_outputs(eval, reductions, &team, at);
        }
        if !reductions.full_outputs.is_empty() {
            team.open_inside(eval);
            let walk = Walk::new(problem, reductions, team.lane, lanes, together, stored);
            walk.positions.each(eval, "j", &mut |eval, j| {
                let mut inner = Vec::with_capacity(stored as usize);
                walk.of(eval, j, &mut |eval, j| inner.push(eval.b.unravel(j, &reductions.reduced)));
                for at in &rows {
                    let full = inner.iter().map(|inner| interleave(at, inner, &reductions.axes));
                    let full: Vec<Vec<ExprId>> = full.collect();
                    store_neighbours(eval, &reductions.full_outputs, &full, &reductions.shape);
                }
            });
            close_guard(eval, team.inside);
        }
        close_guard(eval, team.guard);
        team.grid
    })
}
