//! Accumulators: running values in a kernel for each way of reducing, in a loop, in a tree, and for
//! partial results.

use super::builder::KernelBuilder;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Function, LocalId, Stmt, SubgroupOp, UnaryOp};
use weft_ir::op::{Binary, ReduceOp};
use weft_ir::{DType, Literal};

/// A running reduction: one assignable local, or, for argmax and argmin, the best value and its
/// position.
#[derive(Clone, Copy, Debug)]
pub struct Accumulator {
    op: ReduceOp,
    dtype: DType,
    value: LocalId,
    position: Option<LocalId>,
    /// For the greatest and the least of floats: the greatest bits but for the sign, which show
    /// NaN at the end instead of for each element.
    magnitude: Option<LocalId>,
}

/// What one accumulator has come to: a value and, for argmax and argmin, its position.
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    /// The value.
    pub value: ExprId,
    /// The i32 position, for argmax and argmin.
    pub position: Option<ExprId>,
}

/// The operation of subgroups that combines as a reduction does, if there is one.
pub fn subgroup_op(op: ReduceOp, dtype: DType) -> Option<SubgroupOp> {
    match (op, dtype) {
        (ReduceOp::Sum, _) => Some(SubgroupOp::Add),
        (ReduceOp::Max, DType::F32 | DType::I32 | DType::U32) => Some(SubgroupOp::Max),
        (ReduceOp::Min, DType::F32 | DType::I32 | DType::U32) => Some(SubgroupOp::Min),
        _ => None,
    }
}

impl Accumulator {
    /// Declares an accumulator of elements of `dtype`, with nothing combined yet.
    pub fn new(b: &mut KernelBuilder, op: ReduceOp, dtype: DType) -> Accumulator {
        let nowhere = b.literal(Literal::I32(i32::MAX));
        Accumulator::in_order(b, op, dtype, nowhere)
    }

    /// Another of the same kind, with nothing combined yet.
    pub fn again(self, b: &mut KernelBuilder) -> Accumulator {
        Accumulator::new(b, self.op, self.dtype)
    }

    /// Forgets what was combined. For those without positions.
    pub fn clear(self, b: &mut KernelBuilder) {
        let nothing = b.literal(self.op.identity(self.dtype));
        b.push(Stmt::Assign(self.value, nothing));
    }

    /// Whether combining rounds, so that the order matters to the last digits.
    pub fn rounds(self) -> bool {
        self.op == ReduceOp::Sum && self.dtype == DType::F32
    }

    /// Whether subgroups have an operation that combines as this does.
    pub fn is_of_subgroups(self) -> bool {
        self.subgroup_op().is_some()
    }

    fn subgroup_op(self) -> Option<SubgroupOp> {
        subgroup_op(self.op, self.dtype)
    }

    /// What a subgroup's invocations have come to together. The greatest and least of floats are
    /// found as integers in the same order, among which NaN is beyond all: WGSL leaves open what
    /// its own maximum makes of it.
    pub fn of_subgroup(self, b: &mut KernelBuilder) -> ExprId {
        let op = self.subgroup_op().expect("asked before");
        let value = self.partial(b).value;
        if self.dtype != DType::F32 || op == SubgroupOp::Add {
            return b.expr(Expr::Subgroup(op, value));
        }
        let bits = b.expr(Expr::Bitcast(DType::I32, value));
        let beyond = if op == SubgroupOp::Max { 0x7fc0_0000u32 } else { 0xffc0_0000 };
        let (is_nan, beyond) = (b.call(Function::IsNan, &[value]), b.literal(Literal::I32(beyond as i32)));
        let bits = b.select(is_nan, beyond, bits);
        let bits = b.bind("bits", bits);
        let ordered = in_order_of_floats(b, bits);
        let found = b.expr(Expr::Subgroup(op, ordered));
        let found = b.bind("found", found);
        let bits = in_order_of_floats(b, found);
        let bits = b.expr(Expr::Bitcast(DType::U32, bits));
        b.call(Function::FromBits, &[bits])
    }

    /// An accumulator of elements that are combined in order of their positions, the first of which
    /// is `first`: see [`Accumulator::update_in_order`].
    pub fn in_order(b: &mut KernelBuilder, op: ReduceOp, dtype: DType, first: ExprId) -> Accumulator {
        let nothing = b.literal(op.identity(dtype));
        let value = b.var("acc", nothing);
        let position = op.is_arg().then(|| b.var("at", first));
        let is_extreme = matches!(op, ReduceOp::Max | ReduceOp::Min) && dtype == DType::F32;
        let none = b.literal(Literal::U32(0));
        let magnitude = is_extreme.then(|| b.var("bits", none));
        Accumulator { op, dtype, value, position, magnitude }
    }

    /// Combines one more element in, which comes after all before it: where they are equal the
    /// earlier stands, so that no positions are compared.
    pub fn update_in_order(self, b: &mut KernelBuilder, with: Partial) {
        let (Some(position), Some(at)) = (self.position, with.position) else { return self.update(b, with) };
        let (now, best) = (b.read(self.value), b.read(position));
        let (_, numeric, better) = self.better(b, now, with.value);
        let takes = if numeric == DType::F32 {
            let (now_nan, new_nan) =
                (b.call(Function::IsNan, &[now]), b.call(Function::IsNan, &[with.value]));
            let number = b.unary(UnaryOp::Not, now_nan);
            b.select(new_nan, number, better)
        } else {
            better
        };
        let takes = b.bind_anew("takes", takes);
        for (local, new, old) in [(self.value, with.value, now), (position, at, best)] {
            let next = b.select(takes, new, old);
            b.push(Stmt::Assign(local, next));
        }
    }

    /// Both values as numbers, their dtype, and whether the second beats the first.
    fn better(self, b: &mut KernelBuilder, first: ExprId, second: ExprId) -> ([ExprId; 2], DType, ExprId) {
        let numeric = if self.dtype == DType::Bool { DType::U32 } else { self.dtype };
        let [x, y] = [first, second].map(|value| b.tensor_cast(self.dtype, numeric, value));
        let relation = if self.op == ReduceOp::ArgMax { BinaryOp::Gt } else { BinaryOp::Lt };
        ([x, y], numeric, b.binary(relation, y, x))
    }

    /// Combines one more element or partial result in.
    pub fn update(self, b: &mut KernelBuilder, with: Partial) {
        let now = b.read(self.value);
        if let Some(magnitude) = self.magnitude {
            let op = if self.op == ReduceOp::Max { BinaryOp::Max } else { BinaryOp::Min };
            let next = b.binary(op, now, with.value);
            b.push(Stmt::Assign(self.value, next));
            let (bits, all_but_sign) =
                (b.expr(Expr::Bitcast(DType::U32, with.value)), b.literal(Literal::U32(0x7fff_ffff)));
            let (bits, most) = (b.binary(BinaryOp::And, bits, all_but_sign), b.read(magnitude));
            let next = b.binary(BinaryOp::Max, most, bits);
            b.push(Stmt::Assign(magnitude, next));
            return;
        }
        let (Some(position), Some(at)) = (self.position, with.position) else {
            let next = combine(b, self.op, self.dtype, now, with.value);
            b.push(Stmt::Assign(self.value, next));
            return;
        };
        let best = b.read(position);
        let takes = self.takes(b, (now, best), (with.value, at));
        b.open();
        b.push(Stmt::Assign(self.value, with.value));
        b.push(Stmt::Assign(position, at));
        b.close_if(takes);
    }

    /// Whether the second (value, position) beats the first: NaN beats all, then the better, then
    /// the earlier.
    fn takes(self, b: &mut KernelBuilder, first: (ExprId, ExprId), second: (ExprId, ExprId)) -> ExprId {
        let earlier = b.binary(BinaryOp::Lt, second.1, first.1);
        let ([x, y], _, better) = self.better(b, first.0, second.0);
        let equal = b.binary(BinaryOp::Eq, y, x);
        let tie = b.binary(BinaryOp::And, equal, earlier);
        let ordered = b.binary(BinaryOp::Or, better, tie);
        if self.dtype != DType::F32 {
            return ordered;
        }
        let (x_nan, y_nan) = (b.call(Function::IsNan, &[x]), b.call(Function::IsNan, &[y]));
        let x_number = b.unary(UnaryOp::Not, x_nan);
        let first_nan = b.binary(BinaryOp::Or, x_number, earlier);
        let against = b.binary(BinaryOp::And, x_number, ordered);
        b.select(y_nan, first_nan, against)
    }

    /// What it has come to.
    pub fn partial(self, b: &mut KernelBuilder) -> Partial {
        let mut value = b.read(self.value);
        if let Some(magnitude) = self.magnitude {
            let (bits, infinity) = (b.read(magnitude), b.literal(Literal::U32(f32::INFINITY.to_bits())));
            let (is_nan, nan) = (b.binary(BinaryOp::Gt, bits, infinity), b.literal(Literal::F32(f32::NAN)));
            value = b.select(is_nan, nan, value);
        }
        Partial { value, position: self.position.map(|p| b.read(p)) }
    }

    /// The reduction's result: the value, or the position.
    pub fn result(self, b: &mut KernelBuilder) -> ExprId {
        let Partial { value, position } = self.partial(b);
        position.unwrap_or(value)
    }

    /// The dtypes of its parts as arrays store them.
    pub fn storage(self) -> Vec<DType> {
        let value = super::elementwise::storage_dtype(self.dtype);
        if self.position.is_some() { vec![value, DType::I32] } else { vec![value] }
    }

    /// Its parts as arrays store them.
    pub fn stored(self, b: &mut KernelBuilder) -> Vec<ExprId> {
        let partial = self.partial(b);
        let value = b.to_storage(partial.value);
        partial.position.map_or(vec![value], |p| vec![value, p])
    }

    /// A partial result from what arrays stored.
    pub fn loaded(self, b: &mut KernelBuilder, parts: &[ExprId]) -> Partial {
        Partial { value: b.from_storage(self.dtype, parts[0]), position: parts.get(1).copied() }
    }
}

/// A float's bits as an integer that compares as it does, and back: below zero all but the sign is
/// reversed.
fn in_order_of_floats(b: &mut KernelBuilder, bits: ExprId) -> ExprId {
    let (places, magnitude) = (b.literal(Literal::U32(31)), b.literal(Literal::I32(i32::MAX)));
    let sign = b.binary(BinaryOp::Shr, bits, places);
    let reversed = b.binary(BinaryOp::And, sign, magnitude);
    b.binary(BinaryOp::Xor, bits, reversed)
}

/// The combination of two values.
pub fn combine(b: &mut KernelBuilder, op: ReduceOp, dtype: DType, x: ExprId, y: ExprId) -> ExprId {
    let binary = match op {
        ReduceOp::Sum => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Max | ReduceOp::ArgMax => Binary::Max,
        ReduceOp::Min | ReduceOp::ArgMin => Binary::Min,
    };
    b.tensor_binary(binary, dtype, x, y)
}
