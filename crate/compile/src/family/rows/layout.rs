//! Thread layout of row reductions: how many invocations share a row, how many rows share a
//! workgroup, and how partial results are combined, by a tree in workgroup memory or by subgroups.

use super::walk::Reductions;
use crate::family::launch::{each_invocation, each_workgroup, grid, serial_workgroup};
use crate::family::{Numbers, Parameters, Problem};
use crate::lower::accumulate::{Accumulator, Partial};
use crate::lower::eval::Evaluator;
use weft_ir::DType;
use weft_ir::kernel::{ArrayId, BinaryOp, Builtin, Expr, ExprId, Space, Stmt};

/// Invocations of a workgroup that rows share, at least.
const SHARED_WORKGROUP: u32 = 256;
/// Rows of more elements have a workgroup each.
const SHORT_ROW: u32 = 256;
/// Partial results of a row that each of its invocations reads, where rows share a workgroup.
const MOST_READ: u32 = 8;

/// WebGPU's least size of a subgroup.
pub(crate) const SMALLEST_SUBGROUP: u32 = 4;

/// Invocations of a workgroup where so many share each of `rows`, which have so many elements
/// together.
pub(crate) fn workgroup_of(problem: &Problem<'_>, rows: usize, lanes: u32, elements: usize) -> u32 {
    /// A load's, in operations.
    const LOAD: usize = 10;
    let operations = elements as f64 * (LOAD + problem.operations()) as f64;
    if lanes == 1 { serial_workgroup(problem, rows, operations) } else { lanes }
}

/// How many invocations share a row, and how many rows share their workgroup.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RowLayout {
    pub lanes: u32,
    pub width: u32,
}

impl RowLayout {
    /// A row to a workgroup, or, of one invocation, to that.
    pub fn alone(lanes: u32) -> RowLayout {
        RowLayout { lanes, width: 1 }
    }

    /// Invocations of a workgroup, where a row has several.
    pub fn workgroup(self) -> u32 {
        self.lanes * self.width
    }
}

/// How a workgroup shares its rows where an invocation has one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RowShare {
    pub layout: RowLayout,
    /// Neighbouring elements that an invocation takes together.
    pub each: u32,
}

impl Parameters for RowShare {
    const NAMES: &'static [&'static str] = &["lanes", "each", "width"];

    fn numbers(self) -> Numbers {
        [self.layout.lanes, self.each, self.layout.width].into()
    }

    fn of(numbers: &Numbers) -> RowShare {
        let [lanes, each, width] = numbers.get();
        RowShare { layout: RowLayout { lanes, width }, each }
    }
}

impl Reductions {
    /// How several rows of such a length could share a workgroup, several invocations to each. Rows
    /// that lie side by side: neighbours of them, so that each invocation reads what lies beside
    /// what its neighbours read. Others where they are short: a workgroup reads them one behind the
    /// other.
    pub fn shared(&self, problem: &Problem<'_>, length: u32) -> Vec<RowLayout> {
        let mut found = Vec::new();
        if problem.model().rows.shared.is_none() {
            return found;
        }
        let strided = self.is_strided();
        if !strided && length > SHORT_ROW {
            return found;
        }
        let neighbours = if strided { self.kept.last().copied().unwrap_or(1) } else { self.kept.size() };
        let most_lanes = if strided { length / 4 } else { length.next_power_of_two() };
        let mut add = |lanes: u32, width: u32| {
            let layout = RowLayout { lanes, width };
            let workgroup = SHARED_WORKGROUP..=problem.limits.invocations;
            if lanes <= most_lanes && width as usize <= neighbours && workgroup.contains(&layout.workgroup())
            {
                found.push(layout);
            }
        };
        if strided {
            for width in [8, 16, 32] {
                for lanes in [8, 16, 32, 64, 128] {
                    add(lanes, width);
                }
            }
        } else {
            for lanes in [4, 8, 16, 32] {
                add(lanes, SHARED_WORKGROUP / lanes);
            }
        }
        found
    }
}

/// Where an invocation stands: its row, its number among those that share the row.
pub(crate) struct Team {
    pub row: ExprId,
    pub lane: ExprId,
    pub lanes: u32,
    /// Rows that a workgroup has.
    width: u32,
    /// From the slot of one of a row's invocations to the next's.
    step: u32,
    /// The invocation's number in the workgroup.
    slot: ExprId,
    subgroups: bool,
    pub grid: [u32; 3],
    pub guard: Option<ExprId>,
    /// Where the last workgroup has room for more rows than there are: whether this is one of them,
    /// and not the last row once more.
    pub inside: Option<ExprId>,
}

impl Team {
    /// Opens a block for what only invocations with rows of their own do, to be closed with
    /// [`Self::inside`]: one that has the last row once more must not read what another may have
    /// overwritten.
    pub fn open_inside(&self, eval: &mut Evaluator<'_>) {
        if self.inside.is_some() {
            eval.open();
        }
    }
}

/// Sets out `rows` rows, `lanes` invocations each, of which as many as fit share a workgroup. Of
/// rows that lie side by side in memory neighbouring invocations should read neighbouring elements:
/// those have neighbouring rows. Opens the block they run in.
pub(crate) fn team_across(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    rows: usize,
    lanes: u32,
    workgroup: u32,
) -> Team {
    team_of(eval, problem, rows, RowLayout { lanes, width: workgroup / lanes }, true, workgroup)
}

/// The same, or, unless `across`, with the invocations of a row side by side.
pub(crate) fn team_of(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    rows: usize,
    RowLayout { lanes, width }: RowLayout,
    across: bool,
    workgroup: u32,
) -> Team {
    if lanes == 1 || width == 1 {
        return team(eval, problem, rows, lanes, workgroup);
    }
    let workgroups = rows.div_ceil(width as usize);
    let grid = grid(workgroups, problem.limits);
    let (number, slot, guard) = each_workgroup(eval, "first", workgroups, lanes * width, grid);
    let inner = i64::from(if across { width } else { lanes });
    let (outer, inner) = (eval.b.index_div(slot, inner), eval.b.index_rem(slot, inner));
    let (lane, beside) = if across { (outer, inner) } else { (inner, outer) };
    let lane = eval.b.index_bind("lane", lane);
    let first = eval.b.index_scale(number, i64::from(width));
    let row = eval.b.index_add(first, beside);
    let step = if across { width } else { 1 };
    let seated =
        |row, inside| Team { row, lane, lanes, width, step, slot, subgroups: false, grid, guard, inside };
    if rows.is_multiple_of(width as usize) {
        let row = eval.b.index_bind("row", row);
        return seated(row, None);
    }
    let [count, last] = [rows as i64, rows as i64 - 1].map(|at| eval.b.index_const(at));
    let inside = Some(eval.b.binary(BinaryOp::Lt, row, count));
    let row = eval.b.binary(BinaryOp::Min, row, last);
    let row = eval.b.bind("row", row);
    eval.b.index.set_range(row, 0, rows as i64 - 1);
    seated(row, inside)
}

/// Sets out `rows` rows with `lanes` invocations each, all of a workgroup or one, and opens the
/// block they run in.
pub(crate) fn team(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    rows: usize,
    lanes: u32,
    workgroup: u32,
) -> Team {
    if lanes == 1 {
        let grid = grid(rows.div_ceil(workgroup as usize), problem.limits);
        let (row, guard) = each_invocation(eval, "row", rows, workgroup, grid);
        let lane = eval.b.index_const(0);
        return Team {
            row,
            lane,
            lanes,
            width: 1,
            step: 1,
            slot: lane,
            subgroups: problem.limits.subgroups,
            grid,
            guard,
            inside: None,
        };
    }
    let grid = grid(rows, problem.limits);
    let (row, lane, guard) = each_workgroup(eval, "row", rows, lanes, grid);
    let subgroups = problem.limits.subgroups;
    Team { row, lane, lanes, width: 1, step: 1, slot: lane, subgroups, grid, guard, inside: None }
}

/// Workgroup arrays, one set for all levels.
#[derive(Default)]
pub(crate) struct Scratch {
    arrays: Vec<(DType, ArrayId)>,
    used: bool,
}

impl Scratch {
    /// Combines the accumulators of a workgroup's lanes; afterwards each lane holds the whole.
    pub fn tree(
        &mut self,
        eval: &mut Evaluator<'_>,
        team: &Team,
        accumulators: &[Accumulator],
    ) -> Vec<Partial> {
        if team.lanes == 1 {
            return accumulators.iter().map(|a| a.partial(&mut eval.b)).collect();
        }
        if std::mem::replace(&mut self.used, true) {
            eval.b.push(Stmt::Barrier);
        }
        if team.subgroups && accumulators.iter().all(|a| a.is_of_subgroups()) {
            return self.subgroups(eval, team, accumulators);
        }
        let mut taken = vec![false; self.arrays.len()];
        let arrays: Vec<Vec<ArrayId>> = accumulators
            .iter()
            .map(|a| {
                a.storage()
                    .into_iter()
                    .map(|d| self.take(eval, d, team.lanes * team.width, &mut taken))
                    .collect()
            })
            .collect();
        let keep = |eval: &mut Evaluator<'_>| {
            for (accumulator, arrays) in accumulators.iter().zip(&arrays) {
                for (&array, part) in arrays.iter().zip(accumulator.stored(&mut eval.b)) {
                    eval.b.push(Stmt::Store(array, team.slot, part));
                }
            }
        };
        keep(eval);
        // Of a workgroup's only row the last one is the whole. Where rows share it, a few are read
        // by each invocation, unless they have positions to compare: that takes fewer barriers.
        let is_plain = arrays.iter().all(|arrays| arrays.len() == 1);
        let last = if team.width > 1 && is_plain { team.lanes.min(MOST_READ) } else { 1 };
        let mut half = team.lanes / 2;
        while half >= last {
            eval.b.push(Stmt::Barrier);
            let ahead = eval.b.index_const(i64::from(half * team.step));
            let (number, end) = match team.step == team.width {
                true => (team.slot, ahead),
                false => (team.lane, eval.b.index_const(i64::from(half))),
            };
            let below = eval.b.binary(BinaryOp::Lt, number, end);
            eval.open();
            let other = eval.b.binary(BinaryOp::Add, team.slot, ahead);
            for (accumulator, arrays) in accumulators.iter().zip(&arrays) {
                let with = read(eval, *accumulator, arrays, other);
                accumulator.update(&mut eval.b, with);
            }
            keep(eval);
            eval.forget();
            eval.b.close_if(below);
            half /= 2;
        }
        eval.b.push(Stmt::Barrier);
        let first = match team.step == team.width {
            true => eval.b.index_rem(team.slot, i64::from(team.width)),
            false => {
                let row = eval.b.index_div(team.slot, i64::from(team.lanes));
                eval.b.index_scale(row, i64::from(team.lanes))
            }
        };
        if last == 1 {
            return accumulators
                .iter()
                .zip(&arrays)
                .map(|(a, arrays)| read(eval, *a, arrays, first))
                .collect();
        }
        let whole: Vec<Accumulator> = accumulators.iter().map(|a| a.again(&mut eval.b)).collect();
        for number in 0..last {
            let index = eval.b.index_offset(first, i64::from(number * team.step));
            for (accumulator, arrays) in whole.iter().zip(&arrays) {
                let with = read(eval, *accumulator, arrays, index);
                accumulator.update(&mut eval.b, with);
            }
        }
        whole.iter().map(|a| a.partial(&mut eval.b)).collect()
    }

    /// The same where subgroups do most of it: each leaves one value, and every lane adds those up.
    /// Invocations are numbered so that each subgroup is a run of them, which WebGPU's backends do
    /// for workgroups of one dimension.
    fn subgroups(
        &mut self,
        eval: &mut Evaluator<'_>,
        team: &Team,
        accumulators: &[Accumulator],
    ) -> Vec<Partial> {
        let size = eval.b.builtin_i32(Builtin::SubgroupSize);
        let place = eval.b.builtin_i32(Builtin::SubgroupInvocation);
        let zero = eval.b.index_const(0);
        let first = eval.b.binary(BinaryOp::Eq, place, zero);
        let subgroup = eval.b.binary(BinaryOp::Div, team.lane, size);
        let mut taken = vec![false; self.arrays.len()];
        let mut totals = Vec::new();
        for accumulator in accumulators {
            let total = accumulator.of_subgroup(&mut eval.b);
            totals.push(eval.b.bind("sum", total));
        }
        let arrays: Vec<ArrayId> =
            accumulators.iter().map(|a| self.take(eval, a.storage()[0], team.lanes, &mut taken)).collect();
        eval.open();
        for (&array, &total) in arrays.iter().zip(&totals) {
            eval.b.push(Stmt::Store(array, subgroup, total));
        }
        eval.forget();
        eval.b.close_if(first);
        eval.b.push(Stmt::Barrier);
        let count = subgroups_of(eval, team.lanes, size);
        let whole: Vec<Accumulator> = accumulators.iter().map(|a| a.again(&mut eval.b)).collect();
        each_subgroup(eval, team.lanes, count, |eval, n| {
            for (accumulator, &array) in whole.iter().zip(&arrays) {
                let with = read(eval, *accumulator, &[array], n);
                accumulator.update(&mut eval.b, with);
            }
        });
        whole.iter().map(|a| a.partial(&mut eval.b)).collect()
    }

    fn take(&mut self, eval: &mut Evaluator<'_>, dtype: DType, lanes: u32, taken: &mut Vec<bool>) -> ArrayId {
        let free = (0..self.arrays.len()).find(|&n| !taken[n] && self.arrays[n].0 == dtype);
        let at = free.unwrap_or_else(|| {
            let array = eval.b.array(format!("shared{}", self.arrays.len()), dtype, Space::Workgroup(lanes));
            self.arrays.push((dtype, array));
            taken.push(false);
            self.arrays.len() - 1
        });
        taken[at] = true;
        self.arrays[at].1
    }
}

/// How many subgroups of such a size a workgroup has, the last of which may be cut short.
pub(crate) fn subgroups_of(eval: &mut Evaluator<'_>, workgroup: u32, size: ExprId) -> ExprId {
    let last = eval.b.index_const(i64::from(workgroup) - 1);
    let above = eval.b.binary(BinaryOp::Add, last, size);
    let count = eval.b.binary(BinaryOp::Div, above, size);
    eval.b.bind("subgroups", count)
}

/// Writes a loop over the subgroups of a workgroup, which counts to a constant and ends behind the
/// last.
pub(crate) fn each_subgroup(
    eval: &mut Evaluator<'_>,
    workgroup: u32,
    count: ExprId,
    body: impl FnOnce(&mut Evaluator<'_>, ExprId),
) {
    eval.each("n", (workgroup / SMALLEST_SUBGROUP) as usize, |eval, n| {
        let past = eval.b.binary(BinaryOp::Ge, n, count);
        eval.open();
        eval.b.push(Stmt::Break);
        eval.forget();
        eval.b.close_if(past);
        body(eval, n);
    });
}

/// The partial result that arrays hold at `index`, bound here.
pub(crate) fn read(
    eval: &mut Evaluator<'_>,
    accumulator: Accumulator,
    arrays: &[ArrayId],
    index: ExprId,
) -> Partial {
    let parts: Vec<ExprId> = arrays
        .iter()
        .map(|&array| {
            let load = eval.b.expr(Expr::Load(array, index));
            eval.b.bind("part", load)
        })
        .collect();
    accumulator.loaded(&mut eval.b, &parts)
}
