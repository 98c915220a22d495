//! Subgroups of a user's kernel: neighbours in a workgroup, who exchange values through its memory.
//!
//! The subgroups of devices have 4 to 128 invocations, and a result must not depend on the device.
//! So those of kernels have [`SUBGROUP`] on each, and their sums one order. Two barriers keep an
//! exchange apart from the next; the verifier has seen that every invocation reaches them.

use super::body::Body;
use crate::lower::elementwise::storage_dtype;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId as Value, Space, Stmt};
use weft_ir::op::Binary;
use weft_ir::user_kernel::{SUBGROUP, SubgroupOp};
use weft_ir::{DType, Literal};

/// What each invocation of a workgroup has put where the others see it.
struct Exchange {
    array: ArrayId,
    /// The number of the first invocation of the subgroup.
    base: Value,
    /// How many the subgroup has.
    count: Value,
}

/// Deferred: few programs have kernels of users.
impl Body<'_, '_> {
    /// The combination of a value over the subgroup.
    pub(super) fn across_subgroup(&mut self, op: SubgroupOp, dtype: DType, x: Value) -> Value {
        let Exchange { array, base, count } = self.exchange(dtype, x);
        let (binary, first, end) = match op {
            SubgroupOp::Add => (Binary::Add, 1, count),
            SubgroupOp::Min => (Binary::Min, 1, count),
            SubgroupOp::Max => (Binary::Max, 1, count),
            SubgroupOp::AddBefore => (Binary::Add, 0, self.eval.b.index_sub(self.lane, base)),
        };
        let total = self.variable("total", Literal::zero(dtype));
        if first == 1 {
            let value = self.exchanged(dtype, array, base);
            self.eval.b.push(Stmt::Assign(total, value));
        }
        let (counter, k) = self.eval.b.counter("k", 1);
        self.eval.b.index.set_range(k, first, i64::from(SUBGROUP) - 1);
        let body = self.inner(|this| {
            let at = this.eval.b.index_add(base, k);
            let value = this.exchanged(dtype, array, at);
            let sum = this.eval.b.read(total);
            let sum = this.binary(binary, dtype, sum, value);
            this.eval.b.push(Stmt::Assign(total, sum));
        });
        let from = self.eval.b.index_const(first);
        self.eval.b.push(Stmt::For { counter, from, to: end, step: 1, body });
        self.eval.b.push(Stmt::Barrier);
        let total = self.eval.b.read(total);
        self.eval.b.bind_anew("all", total)
    }

    /// The value that another invocation of the subgroup has; of the last where there is no such.
    pub(super) fn shuffle(&mut self, dtype: DType, x: Value, from: Value) -> Value {
        let Exchange { array, base, count } = self.exchange(dtype, x);
        let one = self.eval.b.index_const(1);
        let last = self.eval.b.index_sub(count, one);
        let last = self.eval.b.cast(DType::U32, last);
        let from = self.eval.b.binary(BinaryOp::Min, from, last);
        let from = self.eval.b.cast(DType::I32, from);
        let from = self.eval.b.bind_anew("from", from);
        self.eval.b.index.set_range(from, 0, i64::from(SUBGROUP) - 1);
        let at = self.eval.b.index_add(base, from);
        let value = self.exchanged(dtype, array, at);
        self.eval.b.push(Stmt::Barrier);
        value
    }

    /// Puts a value where the workgroup sees it, and waits for the others.
    fn exchange(&mut self, dtype: DType, x: Value) -> Exchange {
        let kernel = self.kernel;
        let all: u32 = kernel.workgroup.expect("subgroups are of groups").iter().product();
        let stored = storage_dtype(dtype);
        let array = match self.exchanges.iter().find(|(of, _)| *of == stored) {
            Some(&(_, array)) => array,
            None => {
                let array = self.eval.b.array("exchange".to_owned(), stored, Space::Workgroup(all));
                self.exchanges.push((stored, array));
                array
            }
        };
        let value = self.eval.b.to_storage(x);
        self.eval.b.push(Stmt::Store(array, self.lane, value));
        self.eval.b.push(Stmt::Barrier);
        let size = i64::from(SUBGROUP);
        let number = self.eval.b.index_div(self.lane, size);
        let base = self.eval.b.index_scale(number, size);
        let size = self.eval.b.index_const(size);
        let count = if all.is_multiple_of(SUBGROUP) {
            size
        } else {
            let all = self.eval.b.index_const(i64::from(all));
            let rest = self.eval.b.index_sub(all, base);
            let count = self.eval.b.binary(BinaryOp::Min, rest, size);
            let count = self.eval.b.bind_anew("count", count);
            self.eval.b.index.set_range(count, 1, i64::from(SUBGROUP));
            count
        };
        Exchange { array, base, count }
    }

    fn exchanged(&mut self, dtype: DType, array: ArrayId, at: Value) -> Value {
        let load = self.eval.b.expr(Expr::Load(array, at));
        let value = self.eval.b.from_storage(dtype, load);
        self.eval.b.bind_anew("theirs", value)
    }
}
