//! Cost estimates of row reductions, for every layout of rows on invocations, fitted to
//! measurements of GPUs and of software.

use super::layout::RowLayout;
use super::walk::Reductions;
use crate::device::SharedRowModel;
use crate::family::Problem;
use crate::lower::accumulate::subgroup_op;
use weft_ir::op::Op;
use weft_ir::program::ProgramId;

/// Nanoseconds of the unit in which costs are added up: what an element takes of each of so many
/// invocations as make progress at once.
pub(crate) const UNIT: f64 = 1_000.0;

impl Reductions {
    /// What it takes where a number of passes load the row.
    pub fn cost_of_passes(
        &self,
        problem: &Problem<'_>,
        layout: RowLayout,
        [parts, together, each]: [u32; 3],
        passes: f64,
    ) -> f64 {
        let model = &problem.model().rows;
        let (rows, length) = (self.kept.size() as f64, self.reduced.size() as f64);
        let is_few = |shared: &SharedRowModel| rows * length < shared.many;
        if layout.width > 1 && !self.is_strided() && model.shared.as_ref().is_some_and(is_few) {
            return f64::INFINITY;
        }
        let second = self.layout_of_second_stage(problem, parts);
        let (lanes, parts) = (f64::from(layout.lanes), f64::from(parts));
        let vectorized = if each == 4 || together == 4 { model.vectorized } else { 1.0 };
        let alike = vectorized * (1.0 + model.together * f64::from(together - 1));
        // What is walked again is found in the cache, unless too many rows are under way for that.
        let under_way = rows.min(model.resident / lanes) * length;
        let again = if under_way <= model.cached { model.from_cache } else { 1.0 };
        let passes = 1.0 + (passes - 1.0) * again;
        let stage = |rows, length, layout: RowLayout| {
            // Where few invocations run, each waits for its loads; vectors of four make fewer
            // loads.
            let waits = each == 4 && model.waves.is_idle(rows * f64::from(layout.lanes));
            let length = if waits { length * model.fewer_loads } else { length };
            self.cost_of_stage(problem, [rows, length], layout, each, passes)
        };
        let teams = rows / f64::from(together);
        // What is computed, beside the loads that are waited for.
        let operations = passes * teams * length * alike * problem.operations() as f64;
        let computed = operations / (model.operations * UNIT);
        if parts == 1.0 {
            let estimate = UNIT * (alike * stage(teams, length, layout) + computed);
            let of_workgroup =
                model.shared.as_ref().filter(|_| lanes > 1.0).map_or(0.0, |shared| shared.workgroup);
            return estimate.max(of_workgroup * rows / f64::from(layout.width));
        }
        let first = if lanes > 1.0 || self.is_strided() {
            alike * stage(teams * parts, length / parts, layout)
        } else {
            // Parts interleave, so that serial invocations read neighbouring elements too.
            let alike = if problem.model().coalesces { 1.0 } else { alike };
            model.waves.of(rows * parts) * (length / parts) * alike
        };
        UNIT * (first + computed + stage(rows, parts, second) + problem.model().dispatch / UNIT)
    }

    /// How invocations share the partial results of a row: what takes the least.
    pub fn layout_of_second_stage(&self, problem: &Problem<'_>, parts: u32) -> RowLayout {
        let (rows, length) = (self.kept.size() as f64, f64::from(parts));
        let cost = |layout: &RowLayout| self.cost_of_stage(problem, [rows, length], *layout, 1, 1.0);
        let team = (parts / 4).next_power_of_two().clamp(32, 256);
        let teams = [1, team].map(RowLayout::alone).into_iter();
        let shared = self.shared(problem, parts).into_iter().filter(|_| self.is_strided());
        teams.chain(shared).min_by(|a, b| cost(a).total_cmp(&cost(b))).expect("there are some")
    }

    /// What it takes to walk `rows` rows of `length` elements so many times, where an invocation
    /// takes `each` neighbours of an element together.
    pub fn cost_of_stage(
        &self,
        problem: &Problem<'_>,
        [rows, length]: [f64; 2],
        layout: RowLayout,
        each: u32,
        passes: f64,
    ) -> f64 {
        let model = &problem.model().rows;
        let lanes = f64::from(layout.lanes);
        let load = match layout.width > 1 {
            true if rows * length <= model.cached || length <= f64::from(layout.lanes * each) => 1.0,
            true if self.is_strided() => of_pieces(layout.width),
            true => of_pieces(layout.lanes * each),
            false if self.is_strided() == (layout.lanes > 1) => model.apart,
            false => 1.0,
        };
        let tree = self.meeting(problem, layout);
        model.waves.of(rows * lanes) * passes * ((length / lanes).ceil() * load + tree)
    }

    /// What it takes to combine once more what the invocations of a row have found, in nanoseconds.
    pub fn cost_of_meetings(&self, problem: &Problem<'_>, layout: RowLayout) -> f64 {
        let invocations = self.kept.size() as f64 * f64::from(layout.lanes);
        UNIT * problem.model().rows.waves.of(invocations) * self.meeting(problem, layout)
    }

    /// What invocations take to combine what they have found of a row, in elements.
    fn meeting(&self, problem: &Problem<'_>, layout: RowLayout) -> f64 {
        let model = &problem.model().rows;
        let steps = f64::from(layout.lanes).log2();
        let of_subgroups = || {
            let has_subgroups = problem.limits.subgroups && self.is_of_subgroups(problem);
            model.subgroups.filter(|_| has_subgroups)
        };
        match layout {
            RowLayout { lanes: 1, .. } => 0.0,
            RowLayout { width: 1, .. } => of_subgroups().unwrap_or(steps * model.barrier),
            _ => {
                let of_few = model.shared.as_ref().map_or(0.0, |shared| shared.of_few);
                of_few + (steps - 3.0).max(0.0) * model.barrier
            }
        }
    }

    /// Whether subgroups combine what invocations found.
    fn is_of_subgroups(&self, problem: &Problem<'_>) -> bool {
        let program = problem.program;
        let is_one = |&id: &ProgramId| {
            let Op::Reduce { op, .. } = program[id].op else { return false };
            subgroup_op(op, program[program[id].inputs[0]].dtype).is_some()
        };
        self.levels.iter().flatten().all(is_one)
    }
}

/// What a load from memory takes where a number of neighbouring elements are read at once, of
/// what it takes where those are a line of the cache.
fn of_pieces(elements: u32) -> f64 {
    match elements {
        32.. => 1.0,
        16.. => 1.35,
        8.. => 1.8,
        _ => 3.0,
    }
}
