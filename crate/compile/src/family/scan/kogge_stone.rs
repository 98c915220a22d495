//! Kogge-Stone scan across the invocations of a workgroup: log₂ steps between the halves of an
//! array in workgroup memory, one barrier each (P. Kogge and H. Stone, 1973).

use crate::lower::accumulate::combine;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Evaluator;
use weft_ir::DType;
use weft_ir::kernel::{Expr, ExprId, Space, Stmt};
use weft_ir::op::ReduceOp;

/// A workgroup of which each `lanes` invocations, a power of two, stand in a row.
pub(crate) struct KoggeStoneScan {
    pub op: ReduceOp,
    pub dtype: DType,
    pub workgroup: u32,
    pub lanes: u32,
}

impl KoggeStoneScan {
    /// What the invocations before `lane` in its row come to, and all of the row, of which each has
    /// found `own`. The array may be written again only behind another barrier.
    pub fn scan(&self, eval: &mut Evaluator<'_>, lane: ExprId, own: ExprId) -> (ExprId, ExprId) {
        let array = eval.b.array("totals", storage_dtype(self.dtype), Space::Workgroup(2 * self.workgroup));
        let in_row = eval.b.index_rem(lane, i64::from(self.lanes));
        let in_row = eval.b.index_bind("in_row", in_row);
        let identity = eval.b.literal(self.op.identity(self.dtype));
        let total = eval.b.var("total", own);
        let load = |eval: &mut Evaluator<'_>, index: ExprId| {
            let load = eval.b.expr(Expr::Load(array, index));
            let load = eval.b.bind_anew("part", load);
            eval.b.from_storage(self.dtype, load)
        };
        let before = |eval: &mut Evaluator<'_>, half: i64, distance: i64| {
            let index = eval.b.index_offset(lane, half * i64::from(self.workgroup) - distance);
            // The first of a row take nothing; what they read must be in this half, as the other is
            // being written.
            let (start, from) =
                (eval.b.index_const(half * i64::from(self.workgroup)), eval.b.index_const(distance));
            let is_first = eval.b.index_less(in_row, from);
            let index = eval.b.select(is_first, start, index);
            let value = load(eval, index);
            eval.b.select(is_first, identity, value)
        };
        let (mut distance, mut half) = (1, 0);
        loop {
            let index = eval.b.index_offset(lane, half * i64::from(self.workgroup));
            let now = eval.b.read(total);
            let stored = eval.b.to_storage(now);
            eval.b.push(Stmt::Store(array, index, stored));
            eval.b.push(Stmt::Barrier);
            if distance >= i64::from(self.lanes) {
                let found = before(eval, half, 1);
                let found = eval.b.bind_anew("before", found);
                let first = eval.b.index_sub(lane, in_row);
                let last = half * i64::from(self.workgroup) + i64::from(self.lanes) - 1;
                let last = eval.b.index_offset(first, last);
                return (found, load(eval, last));
            }
            let part = before(eval, half, distance);
            let next = combine(&mut eval.b, self.op, self.dtype, part, now);
            let next = eval.b.bind_anew("sum", next);
            eval.b.push(Stmt::Assign(total, next));
            (distance, half) = (2 * distance, 1 - half);
        }
    }
}
