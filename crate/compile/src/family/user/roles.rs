//! Roles of a user's stores: what a kernel makes of the stores into an output, and floats as
//! integers in their order, for minima and maxima.
//!
//! Deferred: few programs have kernels of users.

use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::Quantum;
use weft_ir::kernel::{self, AtomicOp, BinaryOp, ExprId as Value, Function, Space, Stmt as Code};
use weft_ir::user_kernel::Combine;
use weft_ir::{DType, Literal};

/// What becomes of the stores into an output in one of the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Nothing.
    Skip,
    /// They are at the invocation's own element.
    Own(Binding),
    /// They are stored in whatever order.
    Plain(Binding),
    /// The last invocation to each element is found.
    Claim(Binding),
    /// The last invocation, which the second tells, stores.
    Won(Binding, Binding),
    /// Combined by an atomic.
    Atomic(Binding, AtomicOp),
    /// The smallest or largest of floats, as integers in their order.
    Ordered(Binding, Extreme),
    /// The largest exponent to each element is found.
    Exponent(Binding),
    /// Added as multiples of a quantum.
    Sum(Binding, Quantum),
}

/// Which of several floats is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    Least,
    Largest,
}

/// The atomic that combines integers, or bools as 0 and 1.
pub(super) fn atomic_op(combine: Combine) -> Option<AtomicOp> {
    Some(match combine {
        Combine::Set => return None,
        Combine::Add => AtomicOp::Add,
        Combine::Min => AtomicOp::Min,
        Combine::Max => AtomicOp::Max,
        Combine::And => AtomicOp::And,
        Combine::Or => AtomicOp::Or,
        Combine::Xor => AtomicOp::Xor,
    })
}

/// Writes an element of what a binding holds.
pub(super) fn write(eval: &mut Evaluator<'_>, binding: Binding, dtype: DType, flat: Value, value: Value) {
    if let Binding::Node(node) = binding {
        return eval.store(node, flat, value);
    }
    let array = eval.array(binding, storage_dtype(dtype), Space::ReadWrite);
    let value = eval.b.to_storage(value);
    eval.b.push(Code::Store(array, flat, value));
}

/// An unsigned integer for a float, in the same order; NaN is beyond all, on the side that is
/// sought.
pub(super) fn key_of(eval: &mut Evaluator<'_>, extreme: Extreme, value: Value) -> Value {
    let bits = eval.b.expr(kernel::Expr::Bitcast(DType::U32, value));
    let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
    let below = eval.b.binary(BinaryOp::Ge, bits, sign);
    let mask = eval.b.select(below, all, sign);
    let ordered = eval.b.binary(BinaryOp::Xor, bits, mask);
    let beyond = eval.b.literal(beyond(extreme));
    let nan = eval.b.call(Function::IsNan, &[value]);
    eval.b.select(nan, beyond, ordered)
}

/// The bits of the float that such an integer stands for.
pub(super) fn bits_of(eval: &mut Evaluator<'_>, extreme: Extreme, key: Value) -> Value {
    let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
    let positive = eval.b.binary(BinaryOp::Ge, key, sign);
    let mask = eval.b.select(positive, sign, all);
    let bits = eval.b.binary(BinaryOp::Xor, key, mask);
    let beyond = eval.b.literal(beyond(extreme));
    let is_nan = eval.b.binary(BinaryOp::Eq, key, beyond);
    let nan = eval.b.literal(Literal::U32(0x7FC0_0000));
    eval.b.select(is_nan, nan, bits)
}

fn beyond(extreme: Extreme) -> Literal {
    Literal::U32(if extreme == Extreme::Largest { u32::MAX } else { 0 })
}
