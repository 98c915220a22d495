//! Cost estimates of row reductions, for every layout of rows on invocations, fitted to
//! measurements of GPUs and of software.

use super::layout::RowLayout;
use super::walk::{Reductions, UNROLLED};
use crate::family::Problem;
use crate::lower::accumulate::subgroup_op;
use weft_ir::op::Op;
use weft_ir::program::ProgramId;

/// How many nanoseconds the unit is in which costs are added up, and how many of it a dispatch
/// takes.
pub(crate) const UNIT: f64 = 1_000.0;
pub(crate) const DISPATCH: f64 = 5.0;
const DISPATCH_ON_SOFTWARE: f64 = 60.0;

/// What one more row costs an invocation, of what the first does: it finds much in the cache, and
/// some of it computed.
const TOGETHER: f64 = 0.4;
/// Operations that a GPU does in a microsecond.
pub(crate) const OPERATIONS: f64 = 16e6;
/// What an element costs where it is read with its neighbours, of what it costs by itself.
const BY_FOURS: f64 = 0.9;
const BY_FOURS_ON_SOFTWARE: f64 = 0.65;

/// The least of what invocations take, in what so many as make progress at once do: each waits for
/// one load after another.
const LEAST: f64 = 1.0 / UNROLLED as f64;
/// What it then takes where loads are by fours, of what it takes where they are not.
const FEWER_LOADS: f64 = 0.3;
/// Invocations that are under way at once, elements that a cache holds of their rows, and what it
/// takes to walk those again (an NVIDIA H200's).
const RESIDENT: f64 = 270_336.0;
const CACHED: f64 = 20e6;
const FROM_CACHE: f64 = 0.6;

/// What it takes where subgroups combine what invocations found, in elements.
const OF_SUBGROUPS: f64 = 2.0;
/// The same where rows share a workgroup and each invocation reads a few partial results at last.
const OF_FEW: f64 = 3.0;
/// Of fewer elements of rows that lie one behind the other all is in the cache, and workgroups are
/// few: what makes most invocations is good enough.
const MANY: f64 = 262_144.0;
/// What a workgroup takes, however little it does, in nanoseconds: softmax of 2¹⁹ rows of 49
/// elements, a row to a workgroup, took 0.327 ms on an NVIDIA H100.
const WORKGROUP: f64 = 0.6;

impl Reductions {
    /// What it takes where so many passes load the row.
    pub fn cost_of_passes(
        &self,
        problem: &Problem<'_>,
        layout: RowLayout,
        [parts, together, each]: [u32; 3],
        passes: f64,
    ) -> f64 {
        let (rows, length) = (self.kept.size() as f64, self.reduced.size() as f64);
        if layout.width > 1 && !self.is_strided() && rows * length < MANY {
            return f64::INFINITY;
        }
        let second = self.layout_of_second_stage(problem, parts);
        let (lanes, parts) = (f64::from(layout.lanes), f64::from(parts));
        let by_fours = match each == 4 || together == 4 {
            true if problem.limits.fallback => BY_FOURS_ON_SOFTWARE,
            true => BY_FOURS,
            false => 1.0,
        };
        let alike = by_fours * (1.0 + TOGETHER * f64::from(together - 1));
        // What is walked again is found in the cache, unless too many rows are under way for that.
        let under_way = rows.min(RESIDENT / lanes) * length;
        let again = if under_way <= CACHED { FROM_CACHE } else { 1.0 };
        let passes = if problem.limits.fallback { passes } else { 1.0 + (passes - 1.0) * again };
        let fallback = problem.limits.fallback;
        // The GPU's numbers were fitted to reductions of 2²⁶ elements on an NVIDIA H200.
        let dispatch = if fallback { DISPATCH_ON_SOFTWARE } else { DISPATCH };
        let stage = |rows, length, layout: RowLayout| {
            // Few invocations wait for their loads, of which those by fours are fewer.
            let waits = each == 4
                && waves(problem, rows * f64::from(layout.lanes)) < LEAST * 2.0
                && !problem.limits.fallback;
            let length = if waits { length * FEWER_LOADS } else { length };
            self.cost_of_stage(problem, [rows, length], layout, each, passes)
        };
        let teams = rows / f64::from(together);
        // What is computed, beside the loads that are waited for.
        let computed = if fallback {
            0.0
        } else {
            passes * teams * length * alike * problem.operations() as f64 / OPERATIONS
        };
        if parts == 1.0 {
            let estimate = UNIT * (alike * stage(teams, length, layout) + computed);
            let is_shared = lanes > 1.0 && !fallback;
            let least = if is_shared { WORKGROUP * rows / f64::from(layout.width) } else { 0.0 };
            return estimate.max(least);
        }
        let first = if lanes > 1.0 || self.is_strided() {
            alike * stage(teams * parts, length / parts, layout)
        } else {
            // Parts interleave, so that serial invocations read neighbouring elements too.
            let alike = if fallback { alike } else { 1.0 };
            waves(problem, rows * parts) * (length / parts) * alike
        };
        UNIT * (first + computed + stage(rows, parts, second) + dispatch)
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
        let lanes = f64::from(layout.lanes);
        // Neighbouring invocations should read neighbouring elements.
        let apart = if problem.limits.fallback { 1.0 } else { 8.0 };
        let load = match layout.width > 1 {
            true if rows * length <= CACHED || length <= f64::from(layout.lanes * each) => 1.0,
            true if self.is_strided() => of_pieces(layout.width),
            true => of_pieces(layout.lanes * each),
            false if self.is_strided() == (layout.lanes > 1) => apart,
            false => 1.0,
        };
        let tree = self.meeting(problem, layout);
        waves(problem, rows * lanes) * passes * ((length / lanes).ceil() * load + tree)
    }

    /// What it takes to combine once more what the invocations of a row have found, in nanoseconds.
    pub fn cost_of_meetings(&self, problem: &Problem<'_>, layout: RowLayout) -> f64 {
        let invocations = self.kept.size() as f64 * f64::from(layout.lanes);
        UNIT * waves(problem, invocations) * self.meeting(problem, layout)
    }

    /// What invocations take to combine what they have found of a row, in elements.
    fn meeting(&self, problem: &Problem<'_>, layout: RowLayout) -> f64 {
        let barrier = if problem.limits.fallback { 1_000.0 } else { 2.0 };
        let steps = f64::from(layout.lanes).log2();
        match layout {
            RowLayout { lanes: 1, .. } => 0.0,
            RowLayout { width: 1, .. } if problem.limits.subgroups && self.is_of_subgroups(problem) => {
                OF_SUBGROUPS
            }
            RowLayout { width: 1, .. } => steps * barrier,
            _ => OF_FEW + (steps - 3.0).max(0.0) * barrier,
        }
    }

    /// Whether subgroups combine what invocations found.
    fn is_of_subgroups(&self, problem: &Problem<'_>) -> bool {
        let program = problem.program;
        let is_one = |&id: &ProgramId| {
            let Op::Reduce { op, .. } = program[id].op else { return false };
            subgroup_op(op, program[program[id].inputs[0]].dtype).is_some()
        };
        !problem.limits.fallback && self.levels.iter().flatten().all(is_one)
    }
}

/// What a load from memory takes where so many elements that lie side by side are read at once, of
/// what it takes where those are a line of the cache.
fn of_pieces(elements: u32) -> f64 {
    match elements {
        32.. => 1.0,
        16.. => 1.35,
        8.. => 1.8,
        _ => 3.0,
    }
}

/// How often as many invocations as make progress at once. Few invocations wait for one load after
/// another, for those of a loop's iteration together. A GPU's unit is what 2²⁰ take together.
/// Software's is what 128 do, on two cores that each run four as one.
fn waves(problem: &Problem<'_>, invocations: f64) -> f64 {
    if problem.limits.fallback {
        (invocations / 8.0).ceil() / 16.0
    } else {
        (invocations / 1_048_576.0).max(LEAST)
    }
}
