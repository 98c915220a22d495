//! How do the invocations that share a row find their places, and how do they combine what each has found? By a tree in workgroup memory, or by
//! subgroups where the device has them.

use super::{Problem, each_invocation, each_workgroup, grid};
use crate::accumulate::{Accumulator, Partial};
use crate::eval::Evaluator;
use weft_ir::DType;
use weft_ir::kernel::{ArrayId, BinaryOp, Builtin, Expr, ExprId, Space, Stmt};

/// Rows per workgroup where each row has one invocation.
const SERIAL_WORKGROUP: u32 = 64;
/// WebGPU's least size of a subgroup.
const SMALLEST_SUBGROUP: u32 = 4;

/// Invocations of a workgroup where so many share a row.
pub(super) fn workgroup_of(lanes: u32) -> u32 {
    if lanes == 1 { SERIAL_WORKGROUP } else { lanes }
}

/// Where an invocation stands: its row, its number among those that share the row.
pub(super) struct Team {
    pub row: ExprId,
    pub lane: ExprId,
    pub lanes: u32,
    subgroups: bool,
    pub grid: [u32; 3],
    pub guard: Option<ExprId>,
}

/// Sets out `rows` rows with `lanes` invocations each and opens the block they run in.
pub(super) fn team(eval: &mut Evaluator<'_>, problem: &Problem<'_>, rows: usize, lanes: u32) -> Team {
    if lanes == 1 {
        let grid = grid(rows.div_ceil(SERIAL_WORKGROUP as usize), problem.limits);
        let (row, guard) = each_invocation(eval, "row", rows, SERIAL_WORKGROUP, grid);
        let lane = eval.b.index_const(0);
        return Team { row, lane, lanes, subgroups: problem.limits.subgroups, grid, guard };
    }
    let grid = grid(rows, problem.limits);
    let (row, lane, guard) = each_workgroup(eval, "row", rows, lanes, grid);
    Team { row, lane, lanes, subgroups: problem.limits.subgroups, grid, guard }
}

/// Workgroup arrays, one set for all levels.
#[derive(Default)]
pub(super) struct Scratch {
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
            .map(|a| a.storage().into_iter().map(|d| self.take(eval, d, team.lanes, &mut taken)).collect())
            .collect();
        let keep = |eval: &mut Evaluator<'_>| {
            for (accumulator, arrays) in accumulators.iter().zip(&arrays) {
                for (&array, part) in arrays.iter().zip(accumulator.stored(&mut eval.b)) {
                    eval.b.push(Stmt::Store(array, team.lane, part));
                }
            }
        };
        keep(eval);
        let mut half = team.lanes / 2;
        while half > 0 {
            eval.b.push(Stmt::Barrier);
            let bound = eval.b.index_const(i64::from(half));
            let below = eval.b.binary(BinaryOp::Lt, team.lane, bound);
            eval.open();
            let other = eval.b.binary(BinaryOp::Add, team.lane, bound);
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
        let zero = eval.b.index_const(0);
        accumulators.iter().zip(&arrays).map(|(a, arrays)| read(eval, *a, arrays, zero)).collect()
    }

    /// The same where subgroups do most of it: each leaves one value, and every lane adds those up. Invocations are numbered
    /// so that each subgroup is a run of them, which WebGPU's backends do for workgroups of one dimension.
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
        let last = eval.b.index_const(i64::from(team.lanes) - 1);
        let above = eval.b.binary(BinaryOp::Add, last, size);
        let count = eval.b.binary(BinaryOp::Div, above, size);
        let count = eval.b.bind("subgroups", count);
        let whole: Vec<Accumulator> = accumulators.iter().map(|a| a.again(&mut eval.b)).collect();
        eval.each("n", (team.lanes / SMALLEST_SUBGROUP) as usize, |eval, n| {
            let past = eval.b.binary(BinaryOp::Ge, n, count);
            eval.open();
            eval.b.push(Stmt::Break);
            eval.forget();
            eval.b.close_if(past);
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

/// The partial result that arrays hold at `index`, bound here.
pub(super) fn read(
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
