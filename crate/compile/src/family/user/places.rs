//! Elements of an invocation of a user's kernel, and the interior of its grid.
//!
//! Where a kernel reads neighbours, most invocations read nothing beyond an edge. For those there
//! is a copy of the kernel that tests no edges. An invocation of a large grid computes up to
//! [`MOST_TOGETHER`] elements, one below the other: they share loads and the arithmetic of indices,
//! while neighbouring invocations still read neighbouring elements. On software, where that does
//! not matter, it computes two columns of them, if the kernel is short.

use super::intervals::interior;
use super::{Call, Made, Run, Way};
use crate::device::MapModel;
use crate::family::Problem;
use crate::family::launch::{close_guard, each_invocation, grid};
use crate::lower::eval::Evaluator;
use weft_ir::Shape;
use weft_ir::kernel::{BinaryOp, ExprId, Stmt as Code};
use weft_ir::user_kernel::{Expr, Stmt};

/// Elements of an invocation in a column.
const MOST_TOGETHER: u32 = 4;
/// Elements of an invocation in two columns.
const TWO_COLUMNS: u32 = 2 * MOST_TOGETHER;
/// Expressions of a kernel that may be written out for each of those.
const MOST_TWO_COLUMNS_EXPRS: usize = 48;
/// Expressions of a kernel that may be written out for each of them.
const MOST_TOGETHER_EXPRS: usize = 64;
/// The same where each invocation takes long to start.
const MOST_TOGETHER_EXPRS_SERIAL: usize = 128;
/// Expressions of a kernel that may be written out twice.
const MOST_TWICE_EXPRS: usize = 256;

/// Deferred: few programs have kernels of users.
impl Call {
    /// How many elements an invocation may well compute.
    #[inline(never)]
    pub(super) fn together(&self, problem: &Problem<'_>) -> u32 {
        let (call, kernel) = (&*self.call, &*self.call.kernel);
        let is_serial = matches!(problem.model().map, MapModel::Serial(_));
        let most = if is_serial { MOST_TOGETHER_EXPRS_SERIAL } else { MOST_TOGETHER_EXPRS };
        let is_small = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Store { .. } | Stmt::If(..));
        let is_own = |made: &Made| matches!(made.way, Way::Own { same: true, .. });
        let is_fit = kernel.workgroup.is_none()
            && kernel.source.is_none()
            && kernel.arrays.is_empty()
            && kernel.exprs.len() <= most
            && kernel.body.iter().all(is_small)
            && self.outputs.iter().all(is_own)
            && kernel.exprs.iter().any(|expr| matches!(expr, Expr::Load(..)));
        let Some(rows) = call.grid.rank().checked_sub(2).filter(|_| is_fit).map(|axis| call.grid[axis])
        else {
            return 1;
        };
        let has_pairs = call.grid.last().is_some_and(|columns| columns.is_multiple_of(2));
        let is_short = kernel.exprs.len() <= MOST_TWO_COLUMNS_EXPRS;
        if is_serial && is_short && has_pairs && rows.is_multiple_of(MOST_TOGETHER as usize) {
            return TWO_COLUMNS;
        }
        (1..=MOST_TOGETHER).rev().find(|&n| rows.is_multiple_of(n as usize)).unwrap_or(1)
    }

    /// How many elements an invocation may compute of those whose loops it shares with others.
    #[inline(never)]
    pub(super) fn elements(&self) -> u32 {
        let kernel = &*self.call.kernel;
        let is_fit = kernel.arrays.is_empty()
            && kernel.exprs.len() <= MOST_TOGETHER_EXPRS
            && kernel.exprs.iter().any(|expr| matches!(expr, Expr::Load(..)));
        if is_fit && self.call.grid.size() >= MOST_TOGETHER as usize { MOST_TOGETHER } else { 1 }
    }

    /// The kernel where each invocation computes `together` elements of the grid.
    pub(super) fn spread(
        &self,
        problem: &Problem<'_>,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        [workgroup, together]: [u32; 2],
    ) -> [u32; 3] {
        let call = &*self.call;
        let tall = call.grid.rank().saturating_sub(2);
        let mut extents: Vec<usize> = call.grid.to_vec();
        let [rows, columns] = tile(together);
        if together > 1 {
            extents[tall] /= rows as usize;
        }
        if columns > 1 {
            extents[tall + 1] /= columns as usize;
        }
        let shape = Shape::from(&extents[..]);
        let count = shape.size();
        let grid = grid(count.div_ceil(workgroup as usize), problem.limits);
        let (i, guard) = each_invocation(eval, "i", count, workgroup, grid);
        let mut first = eval.b.unravel(i, &shape);
        if together > 1 {
            first[tall] = eval.b.index_scale(first[tall], i64::from(rows));
        }
        if columns > 1 {
            first[tall + 1] = eval.b.index_scale(first[tall + 1], i64::from(columns));
        }
        match self.interior(problem) {
            Some(inside) => self.by_place(eval, run, &first, &inside, together),
            None if together == 1 => self.write(eval, run, [i, i], first, [Vec::new(), Vec::new()]),
            None => self.write_out(eval, run, &first, together),
        }
        close_guard(eval, guard);
        grid
    }

    /// The first and last coordinates of the interior, where it is worth a copy of the kernel.
    fn interior(&self, problem: &Problem<'_>) -> Option<Vec<(i64, i64)>> {
        let kernel = &*self.call.kernel;
        let is_fit =
            problem.model().coalesces && kernel.arrays.is_empty() && kernel.exprs.len() <= MOST_TWICE_EXPRS;
        let shapes = self.shapes(problem);
        interior(&self.call, &shapes).filter(|_| is_fit)
    }

    /// The kernel without tests of edges for invocations in the interior, and as it is for others.
    fn by_place(
        &self,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        first: &[ExprId],
        inside: &[(i64, i64)],
        together: u32,
    ) {
        let tall = first.len().saturating_sub(2);
        let more = |axis: usize| if axis == tall { i64::from(together) - 1 } else { 0 };
        let names: Vec<ExprId> = first.iter().map(|&at| eval.b.index_bind("at", at)).collect();
        let mut condition = eval.b.literal(weft_ir::Literal::Bool(true));
        for (axis, &at) in names.iter().enumerate() {
            let (low, high) = (inside[axis].0, inside[axis].1 - more(axis));
            let (min, max) = eval.b.index_range(at);
            let ends = [(BinaryOp::Ge, low, min < low), (BinaryOp::Le, high, max > high)];
            for (op, end, _) in ends.into_iter().filter(|&(_, _, is_asked)| is_asked) {
                let end = eval.b.index_const(end);
                let holds = eval.b.binary(op, at, end);
                condition = eval.b.both(condition, holds);
            }
        }
        eval.open();
        let narrow: Vec<ExprId> = names
            .iter()
            .enumerate()
            .map(|(axis, &at)| {
                let name = eval.b.bind_anew("at", at);
                eval.b.index.set_range(name, inside[axis].0, inside[axis].1 - more(axis));
                name
            })
            .collect();
        self.write_out(eval, run, &narrow, together);
        eval.forget();
        let within = eval.b.close();
        eval.open();
        let (counter, n) = eval.b.counter("n", i64::from(together));
        eval.open();
        let mut at = names;
        if together > 1 {
            at[tall] = eval.b.index_add(at[tall], n);
        }
        let number = eval.b.ravel(&at, &self.call.grid);
        self.write(eval, run, [number, number], at, [Vec::new(), Vec::new()]);
        eval.forget();
        let edge = eval.b.close();
        if together > 1 {
            let (from, to) = (eval.b.index_const(0), eval.b.index_const(i64::from(together)));
            eval.b.push(Code::For { counter, from, to, step: 1, body: edge });
        } else {
            edge.into_iter().for_each(|stmt| eval.b.push(stmt));
        }
        eval.forget();
        let beyond = eval.b.close();
        eval.b.push(Code::If(condition, within, beyond));
    }

    /// The kernel written `together` times, for elements one below the other, in one or two
    /// columns.
    fn write_out(&self, eval: &mut Evaluator<'_>, run: &Run<'_>, first: &[ExprId], together: u32) {
        let tall = first.len().saturating_sub(2);
        let mut last = Vec::new();
        let [_, columns] = tile(together);
        for n in 0..together {
            let mut at = first.to_vec();
            let [row, column] = [n / columns, n % columns];
            if row > 0 {
                at[tall] = eval.b.index_offset(at[tall], i64::from(row));
            }
            if column > 0 {
                at[tall + 1] = eval.b.index_offset(at[tall + 1], i64::from(column));
            }
            let number = eval.b.ravel(&at, &self.call.grid);
            last.extend(self.write_later(eval, run, number, at));
        }
        // A load that follows a store waits for it, as both might be to one place.
        for store in last {
            store.write(eval);
        }
    }
}

/// Rows and columns of the elements that an invocation computes.
fn tile(together: u32) -> [u32; 2] {
    if together == TWO_COLUMNS { [MOST_TOGETHER, 2] } else { [together, 1] }
}
