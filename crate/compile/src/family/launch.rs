//! Dispatch grids, and the invocations of a workgroup in them.

use super::problem::Problem;
use crate::limits::Limits;
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{BinaryOp, Builtin, ExprId};

/// Workgroups for `count` of them, spread over x and y within the limit.
pub(crate) fn grid(count: usize, limits: &Limits) -> [u32; 3] {
    let most = limits.workgroups_per_dimension as usize;
    let y = count.div_ceil(most).max(1);
    [count.div_ceil(y) as u32, y as u32, 1]
}

/// Invocations of a workgroup where none waits for another, and what all of them do, in operations.
/// Fewer where there are few with much to do and each processor takes a workgroup at a time; a
/// workgroup with little to do is not worth waking one.
pub(crate) fn serial_workgroup(problem: &Problem<'_>, invocations: usize, operations: f64) -> u32 {
    const WORKGROUP: u32 = 64;
    let Some(serial) = &problem.model().serial else { return WORKGROUP };
    // `clamp` would add the formatting of floats to the download.
    let workgroups = (operations / serial.operations).max(1.0).min(serial.most_workgroups) as usize;
    (invocations.div_ceil(workgroups).next_power_of_two() as u32).clamp(4, WORKGROUP)
}

/// The linear number of this workgroup in a grid, of which the present dispatch may be a piece.
pub(crate) fn workgroup_index(eval: &mut Evaluator<'_>, grid: [u32; 3]) -> ExprId {
    let mut x = eval.b.builtin_i32(Builtin::WorkgroupId(0));
    if let Some(first) = eval.first_workgroup {
        x = eval.b.binary(BinaryOp::Add, x, first);
    }
    if grid[1] == 1 {
        return x;
    }
    let y = eval.b.builtin_i32(Builtin::WorkgroupId(1));
    let width = eval.b.index_const(i64::from(grid[0]));
    let above = eval.b.binary(BinaryOp::Mul, y, width);
    eval.b.binary(BinaryOp::Add, above, x)
}

/// The first element of an invocation where a workgroup takes `share` of them: those of its
/// neighbours lie beside it, its own a workgroup apart.
pub(crate) fn first_of_share(eval: &mut Evaluator<'_>, workgroup: u32, share: u32, grid: [u32; 3]) -> ExprId {
    let group = workgroup_index(eval, grid);
    let group = eval.b.bind("group", group);
    eval.b.index.set_range(group, 0, i64::from(grid[0]) * i64::from(grid[1]) - 1);
    let local = eval.b.builtin_i32(Builtin::LocalIndex);
    let local = eval.b.bind("local", local);
    eval.b.index.set_range(local, 0, i64::from(workgroup) - 1);
    let before = eval.b.index_scale(group, i64::from(share));
    eval.b.index_add(before, local)
}

/// Opens a block that runs for each of `count` invocations, its number as an index in `0..count`;
/// pass the result's second part to [`close_guard`].
pub(crate) fn each_invocation(
    eval: &mut Evaluator<'_>,
    name: &str,
    count: usize,
    workgroup: u32,
    grid: [u32; 3],
) -> (ExprId, Option<ExprId>) {
    let group = workgroup_index(eval, grid);
    let size = eval.b.index_const(i64::from(workgroup));
    let local = eval.b.builtin_i32(Builtin::LocalIndex);
    let first = eval.b.binary(BinaryOp::Mul, group, size);
    let index = eval.b.binary(BinaryOp::Add, first, local);
    let index = eval.b.bind(name, index);
    eval.b.index.set_range(index, 0, count as i64 - 1);
    let launched = grid[0] as usize * grid[1] as usize * workgroup as usize;
    (index, guard(eval, index, count, launched))
}

/// Opens a block that all invocations of each of `count` workgroups run: the workgroup's number, an
/// index in `0..count`, and the invocation's in it; pass the result's last part to [`close_guard`].
pub(crate) fn each_workgroup(
    eval: &mut Evaluator<'_>,
    name: &'static str,
    count: usize,
    workgroup: u32,
    grid: [u32; 3],
) -> (ExprId, ExprId, Option<ExprId>) {
    let number = workgroup_index(eval, grid);
    let number = eval.b.bind(name, number);
    eval.b.index.set_range(number, 0, count as i64 - 1);
    let lane = eval.b.builtin_i32(Builtin::LocalIndex);
    let lane = eval.b.bind("lane", lane);
    eval.b.index.set_range(lane, 0, i64::from(workgroup) - 1);
    (number, lane, guard(eval, number, count, grid[0] as usize * grid[1] as usize))
}

/// Opens a block that runs where `index < count`, unless it always is.
pub(crate) fn guard(
    eval: &mut Evaluator<'_>,
    index: ExprId,
    count: usize,
    launched: usize,
) -> Option<ExprId> {
    if launched == count {
        return None;
    }
    let count = eval.b.index_const(count as i64);
    let inside = eval.b.binary(BinaryOp::Lt, index, count);
    eval.open();
    Some(inside)
}

pub(crate) fn close_guard(eval: &mut Evaluator<'_>, guard: Option<ExprId>) {
    if let Some(condition) = guard {
        eval.forget();
        eval.b.close_if(condition);
    }
}
