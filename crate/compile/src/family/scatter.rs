//! Scatters that cost their updates: an invocation for each update, which combines it into its place by integer atomics.
//!
//! Integer addition, minimum and maximum give the same whatever the order, so that every run gives the same bits. What is scattered is made such:
//!
//! - *set*: the number of the last update to each row, found by maximum; then each element takes that update, or stays;
//! - *minimum, maximum* of floats: unsigned integers in the order of the floats, with NaN beyond all;
//! - *sums* of floats: whole multiples of a quantum that the largest exponent of each place decides (as of J. Demmel and H. D. Nguyen, "Parallel
//!   Reproducible Summation", 2015), in 64 bits: what a place's lower word was before tells whether it carries into the higher one, and as many updates
//!   carry in whatever order. At least 31 bits below the largest are kept, and 38 of up to 2²⁴ updates, so that the sum is nearer than one of floats in
//!   order is bound to be.
//!
//! No invocation waits for another, and there is no loop: nothing here depends on the progress of other workgroups.

use super::{
    Anchored, Family, Lowered, Numbers, Problem, Stage, close_guard, each_invocation, grid, store_all,
};
use crate::accumulate::combine;
use crate::elementwise::storage_dtype;
use crate::eval::{Binding, Evaluator};
use crate::fuse::Domain;
use crate::limits::LONGEST_WALK;
use weft_ir::kernel::{ArrayId, AtomicOp, BinaryOp, Expr, ExprId, Function, Space, Stmt, UnaryOp};
use weft_ir::op::{Op, ReduceOp, ScatterOp};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal, Shape};

const WORKGROUP: u32 = 256;
/// Bits of a float sum that are kept below the largest update's, at most: what a float's words are made of is exact then.
const MOST_KEPT: u32 = 38;
/// What the higher word of a float sum counts.
const WORD: f32 = 4_294_967_296.0;
/// The exponent of infinities and NaN.
const NOT_FINITE: u32 = 255;

/// Nanoseconds: of an update or element, of a dispatch more, and of a look at an index by every element; the last on software too.
const EACH: f64 = 0.01;
const DISPATCH: f64 = 1500.0;
const LOOK: f64 = 0.0005;
const LOOK_OF_SOFTWARE: f64 = 0.5;

/// The family.
pub struct Scatter;

/// The scatter that a cluster is made around.
pub(super) struct Puts {
    pub anchor: ProgramId,
    pub axis: usize,
    pub op: ScatterOp,
    pub dtype: DType,
    /// Base, indices, updates.
    pub inputs: [ProgramId; 3],
    pub shape: Shape,
    pub indices: Shape,
    pub updates: Shape,
}

/// The scatter of a cluster of elements, if it has one.
pub(super) fn puts(problem: &Problem<'_>) -> Option<Puts> {
    let Domain { axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
    let program = problem.program;
    problem.cluster().members.iter().find_map(|&anchor| {
        let node = &program[anchor];
        let Op::Scatter { axis, op } = node.op else { return None };
        let inputs = [node.inputs[0], node.inputs[1], node.inputs[2]];
        let of = |n: usize| program[inputs[n]].shape.clone();
        Some(Puts {
            anchor,
            axis,
            op,
            dtype: node.dtype,
            inputs,
            shape: node.shape.clone(),
            indices: of(1),
            updates: of(2),
        })
    })
}

/// Whether a cluster has a scatter of more indices than an invocation should look at.
pub(super) fn is_too_long(problem: &Problem<'_>) -> bool {
    puts(problem).is_some_and(|puts| puts.indices.size() > LONGEST_WALK)
}

/// What it takes that every element of a cluster's scatter looks at every index.
pub(super) fn cost_of_looking(problem: &Problem<'_>) -> f64 {
    let look = if problem.limits.fallback { LOOK_OF_SOFTWARE } else { LOOK };
    puts(problem).map_or(0.0, |puts| look * puts.shape.size() as f64 * puts.indices.size() as f64)
}

impl Family for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn numbers(&self) -> &'static [&'static str] {
        &["workgroup"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(puts(problem).filter(|puts| puts.updates.size() > 0 && puts.shape.size() > 0)?))
    }
}

impl Anchored for Puts {
    fn candidates(&self, _: &Problem<'_>) -> Vec<Numbers> {
        vec![[WORKGROUP].into()]
    }

    fn cost(&self, problem: &Problem<'_>, _: &Numbers) -> f64 {
        let passes = if self.is_float_sum() { 2.0 } else { 1.0 };
        let work = self.shape.size() as f64 * 2.0 + self.updates.size() as f64 * 4.0 * passes;
        let each = if problem.limits.fallback { 100.0 * EACH } else { EACH };
        each * work + (1.0 + passes) * DISPATCH
    }

    fn lower(&self, problem: &Problem<'_>, _: &Numbers) -> Lowered {
        let firsts = self.firsts();
        let words = if self.op == ScatterOp::Set { self.shape[self.axis] } else { self.shape.size() };
        let mut stages = vec![self.fill(problem, words, &firsts)];
        match (self.op, self.is_float_sum()) {
            (ScatterOp::Set, _) => stages.push(self.claim(problem)),
            (_, false) => {
                stages.push(self.put(problem, |eval, place, value| self.combine_one(eval, place, value)))
            }
            (_, true) => {
                stages.push(self.put(problem, |eval, place, value| {
                    let exponent = exponent_of(eval, value);
                    atomic(eval, AtomicOp::Max, 0, DType::U32, place, exponent);
                }));
                stages.push(self.put(problem, |eval, place, value| self.add_words(eval, place, value)));
            }
        }
        stages.push(self.finish(problem));
        Lowered { stages, partials: vec![(words * 4) as u64; firsts.len()] }
    }
}

impl Puts {
    fn is_float_sum(&self) -> bool {
        self.op == ScatterOp::Add && self.dtype == DType::F32
    }

    /// Bits of a float sum that are kept below the largest update's, so that the sum of all updates fits 64 with its sign.
    fn kept(&self) -> u32 {
        let count = usize::BITS - (self.indices.size().max(1) - 1).leading_zeros();
        (62 - count.min(31)).min(MOST_KEPT)
    }

    /// What partial results begin with.
    fn firsts(&self) -> Vec<Literal> {
        match self.op {
            ScatterOp::Set => vec![Literal::I32(-1)],
            // The largest exponent, the lower word, and the higher.
            ScatterOp::Add if self.dtype == DType::F32 => vec![Literal::U32(0); 3],
            ScatterOp::Add => vec![Literal::zero(self.dtype)],
            ScatterOp::Min if self.dtype == DType::F32 => vec![Literal::U32(u32::MAX)],
            ScatterOp::Max if self.dtype == DType::F32 => vec![Literal::U32(0)],
            ScatterOp::Min if self.dtype == DType::Bool => vec![Literal::U32(1)],
            ScatterOp::Max if self.dtype == DType::Bool => vec![Literal::U32(0)],
            ScatterOp::Min => vec![ReduceOp::Min.identity(self.dtype)],
            ScatterOp::Max => vec![ReduceOp::Max.identity(self.dtype)],
        }
    }

    /// Fills partial results with what they begin with.
    pub fn fill(&self, problem: &Problem<'_>, words: usize, firsts: &[Literal]) -> Stage {
        problem.stage("scatter, first", WORKGROUP, |eval| {
            let grid = grid(words.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", words, WORKGROUP, grid);
            for (number, &first) in firsts.iter().enumerate() {
                let array = eval.array(Binding::Partial(number), first.dtype(), Space::ReadWrite);
                let first = eval.b.literal(first);
                eval.b.push(Stmt::Store(array, i, first));
            }
            close_guard(eval, guard);
            grid
        })
    }

    /// Opens a block that runs where the index at `inner` lies in the axis; gives it, and what [`Puts::close`] is to be given.
    fn target(&self, eval: &mut Evaluator<'_>, inner: &[ExprId]) -> (ExprId, ExprId) {
        let index = eval.value(self.inputs[1], inner);
        let index = eval.b.cast(DType::I32, index);
        let index = eval.b.bind_anew("index", index);
        let extent = self.shape[self.axis] as i64;
        let (zero, end) = (eval.b.index_const(0), eval.b.index_const(extent));
        let above = eval.b.binary(BinaryOp::Ge, index, zero);
        let below = eval.b.binary(BinaryOp::Lt, index, end);
        let inside = eval.b.binary(BinaryOp::And, above, below);
        eval.open();
        let place = eval.b.bind_anew("place", index);
        eval.b.index.set_range(place, 0, extent - 1);
        (place, inside)
    }

    /// An invocation for each update that has a place.
    fn put(&self, problem: &Problem<'_>, combine: impl FnOnce(&mut Evaluator<'_>, ExprId, ExprId)) -> Stage {
        let count = self.updates.size();
        problem.stage(&problem.name("scatter"), WORKGROUP, |eval| {
            let grid = grid(count.div_ceil(WORKGROUP as usize), problem.limits);
            let (number, guard) = each_invocation(eval, "update", count, WORKGROUP, grid);
            let at = eval.b.unravel(number, &self.updates);
            let after = self.axis + self.indices.rank();
            let (place, inside) = self.target(eval, &at[self.axis..after]);
            let value = eval.value(self.inputs[2], &at);
            let value = eval.b.bind_anew("value", value);
            let into = [&at[..self.axis], &[place], &at[after..]].concat();
            let flat = eval.b.ravel(&into, &self.shape);
            let flat = eval.b.bind_anew("into", flat);
            combine(eval, flat, value);
            eval.forget();
            eval.b.close_if(inside);
            close_guard(eval, guard);
            grid
        })
    }

    /// An invocation for each index: the last to a row has it.
    fn claim(&self, problem: &Problem<'_>) -> Stage {
        let count = self.indices.size();
        problem.stage("scatter, last", WORKGROUP, |eval| {
            let grid = grid(count.div_ceil(WORKGROUP as usize), problem.limits);
            let (number, guard) = each_invocation(eval, "number", count, WORKGROUP, grid);
            let inner = eval.b.unravel(number, &self.indices);
            let (place, inside) = self.target(eval, &inner);
            atomic(eval, AtomicOp::Max, 0, DType::I32, place, number);
            eval.forget();
            eval.b.close_if(inside);
            close_guard(eval, guard);
            grid
        })
    }

    /// Combines an update of anything but a float sum.
    fn combine_one(&self, eval: &mut Evaluator<'_>, place: ExprId, value: ExprId) {
        let op = match self.op {
            ScatterOp::Add | ScatterOp::Set => AtomicOp::Add,
            ScatterOp::Min => AtomicOp::Min,
            ScatterOp::Max => AtomicOp::Max,
        };
        if self.dtype == DType::F32 {
            let key = self.key(eval, value);
            return atomic(eval, op, 0, DType::U32, place, key);
        }
        let value = eval.b.to_storage(value);
        atomic(eval, op, 0, storage_dtype(self.dtype), place, value);
    }

    /// An unsigned integer for a float, in the same order; NaN is beyond all, on the side that is sought.
    fn key(&self, eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
        let bits = eval.b.expr(Expr::Bitcast(DType::U32, value));
        let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
        let below = eval.b.binary(BinaryOp::Ge, bits, sign);
        let mask = eval.b.select(below, all, sign);
        let ordered = eval.b.binary(BinaryOp::Xor, bits, mask);
        let beyond = eval.b.literal(Literal::U32(if self.op == ScatterOp::Max { u32::MAX } else { 0 }));
        let nan = eval.b.call(Function::IsNan, &[value]);
        eval.b.select(nan, beyond, ordered)
    }

    /// Adds an update's words to those of its place.
    fn add_words(&self, eval: &mut Evaluator<'_>, place: ExprId, value: ExprId) {
        let largest = eval.array(Binding::Partial(0), DType::U32, Space::Read);
        let largest = eval.b.expr(Expr::Load(largest, place));
        let largest = eval.b.bind_anew("largest", largest);
        let limit = eval.b.literal(Literal::U32(NOT_FINITE));
        let finite = eval.b.binary(BinaryOp::Lt, largest, limit);
        eval.open();
        // 2^(kept − exponent), the exponent without its bias.
        let exponent = self.kept_exponent(eval, largest);
        let whole = eval.b.literal(Literal::U32(self.kept() + 254));
        let scale = eval.b.binary(BinaryOp::Sub, whole, exponent);
        let scale = power_of_two(eval, scale);
        let multiple = eval.b.binary(BinaryOp::Mul, value, scale);
        let multiple = eval.b.unary(UnaryOp::Abs, multiple);
        let multiple = eval.b.bind_anew("multiple", multiple);
        // A float has 24 bits, so that both parts are exact.
        let (word, part) = (eval.b.literal(Literal::F32(WORD)), eval.b.literal(Literal::F32(1.0 / WORD)));
        let high = eval.b.binary(BinaryOp::Mul, multiple, part);
        let high = eval.b.unary(UnaryOp::Floor, high);
        let high = eval.b.bind_anew("high", high);
        let above = eval.b.binary(BinaryOp::Mul, high, word);
        let low = eval.b.binary(BinaryOp::Sub, multiple, above);
        let words = [low, high].map(|part| eval.b.call(Function::F32ToU32, &[part]));
        let zero = eval.b.literal(Literal::F32(0.0));
        let negative = eval.b.binary(BinaryOp::Lt, value, zero);
        let [low, high] = negated_if(eval, negative, words);
        let lows = eval.array(Binding::Partial(1), DType::U32, Space::Atomic);
        let before = eval.b.exchange("before", AtomicOp::Add, lows, place, low);
        let after = eval.b.binary(BinaryOp::Add, before, low);
        let carries = eval.b.binary(BinaryOp::Lt, after, low);
        let carry = eval.b.cast(DType::U32, carries);
        let up = eval.b.binary(BinaryOp::Add, high, carry);
        let up = eval.b.bind_anew("up", up);
        // Of most updates it is none.
        let none = eval.b.literal(Literal::U32(0));
        let some = eval.b.binary(BinaryOp::Ne, up, none);
        eval.open();
        atomic(eval, AtomicOp::Add, 2, DType::U32, place, up);
        eval.forget();
        eval.b.close_if(some);
        eval.forget();
        eval.b.close_if(finite);
        // Infinities of either sign, and NaN as both.
        let own = exponent_of(eval, value);
        let infinite = eval.b.binary(BinaryOp::Eq, own, limit);
        eval.open();
        let zero = eval.b.literal(Literal::F32(0.0));
        let nan = eval.b.call(Function::IsNan, &[value]);
        for (word, relation) in [(1, BinaryOp::Gt), (2, BinaryOp::Lt)] {
            let sign = eval.b.binary(relation, value, zero);
            let has = eval.b.binary(BinaryOp::Or, nan, sign);
            let one = eval.b.cast(DType::U32, has);
            atomic(eval, AtomicOp::Max, word, DType::U32, place, one);
        }
        eval.forget();
        eval.b.close_if(infinite);
    }

    /// The exponent that a quantum is made for, with its bias: such that the quantum is a normal number.
    fn kept_exponent(&self, eval: &mut Evaluator<'_>, largest: ExprId) -> ExprId {
        let least = eval.b.literal(Literal::U32(self.kept() + 1));
        let most = eval.b.literal(Literal::U32(NOT_FINITE - 1));
        let above = eval.b.binary(BinaryOp::Max, largest, least);
        eval.b.binary(BinaryOp::Min, above, most)
    }

    /// An invocation for each element: what was there and what was put there, and all that follows.
    fn finish(&self, problem: &Problem<'_>) -> Stage {
        let size = self.shape.size();
        problem.stage(&problem.name("scatter, result"), WORKGROUP, |eval| {
            let grid = grid(size.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", size, WORKGROUP, grid);
            let at = eval.b.unravel(i, &self.shape);
            let base = eval.value(self.inputs[0], &at);
            let found = match self.op {
                ScatterOp::Set => self.last(eval, &at, base),
                _ if self.is_float_sum() => {
                    let sum = self.sum_of_words(eval, i);
                    eval.b.binary(BinaryOp::Add, base, sum)
                }
                _ => self.combined(eval, i, base),
            };
            let found = eval.b.bind_anew("found", found);
            eval.define(self.anchor, &at, found);
            store_all(eval, &problem.cluster().outputs, &at, &problem.cluster().domain.shape);
            close_guard(eval, guard);
            grid
        })
    }

    /// The last update to an element's row, or what was there.
    fn last(&self, eval: &mut Evaluator<'_>, at: &[ExprId], base: ExprId) -> ExprId {
        let owners = eval.array(Binding::Partial(0), DType::I32, Space::Read);
        let owner = eval.b.expr(Expr::Load(owners, at[self.axis]));
        let owner = eval.b.bind_anew("owner", owner);
        let zero = eval.b.index_const(0);
        let has = eval.b.binary(BinaryOp::Ge, owner, zero);
        let number = eval.b.binary(BinaryOp::Max, owner, zero);
        let number = eval.b.bind_anew("number", number);
        eval.b.index.set_range(number, 0, self.indices.size() as i64 - 1);
        let inner = eval.b.unravel(number, &self.indices);
        let from = [&at[..self.axis], &inner, &at[self.axis + 1..]].concat();
        let update = eval.value(self.inputs[2], &from);
        eval.b.select(has, update, base)
    }

    /// An element and what was combined for it.
    fn combined(&self, eval: &mut Evaluator<'_>, i: ExprId, base: ExprId) -> ExprId {
        let op = match self.op {
            ScatterOp::Add | ScatterOp::Set => ReduceOp::Sum,
            ScatterOp::Min => ReduceOp::Min,
            ScatterOp::Max => ReduceOp::Max,
        };
        let stored = self.firsts()[0];
        let array = eval.array(Binding::Partial(0), stored.dtype(), Space::Read);
        let word = eval.b.expr(Expr::Load(array, i));
        let word = eval.b.bind_anew("word", word);
        if self.dtype != DType::F32 {
            let value = eval.b.from_storage(self.dtype, word);
            return combine(&mut eval.b, op, self.dtype, base, value);
        }
        let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
        let positive = eval.b.binary(BinaryOp::Ge, word, sign);
        let mask = eval.b.select(positive, sign, all);
        let bits = eval.b.binary(BinaryOp::Xor, word, mask);
        let beyond = eval.b.literal(Literal::U32(if self.op == ScatterOp::Max { u32::MAX } else { 0 }));
        let is_nan = eval.b.binary(BinaryOp::Eq, word, beyond);
        let nan = eval.b.literal(Literal::U32(0x7FC0_0000));
        let bits = eval.b.select(is_nan, nan, bits);
        let value = eval.b.call(Function::FromBits, &[bits]);
        let both = combine(&mut eval.b, op, self.dtype, base, value);
        let first = eval.b.literal(stored);
        let untouched = eval.b.binary(BinaryOp::Eq, word, first);
        eval.b.select(untouched, base, both)
    }

    /// What the words of an element add up to.
    fn sum_of_words(&self, eval: &mut Evaluator<'_>, i: ExprId) -> ExprId {
        let [largest, low, high] = [0, 1, 2].map(|number| {
            let array: ArrayId = eval.array(Binding::Partial(number), DType::U32, Space::Read);
            let word = eval.b.expr(Expr::Load(array, i));
            eval.b.bind_anew("word", word)
        });
        let sign = eval.b.literal(Literal::U32(1 << 31));
        let below = eval.b.binary(BinaryOp::Ge, high, sign);
        // What cancels is gone before anything is rounded.
        let [low_part, high_part] =
            negated_if(eval, below, [low, high]).map(|word| eval.b.cast(DType::F32, word));
        let word = eval.b.literal(Literal::F32(WORD));
        let high_part = eval.b.binary(BinaryOp::Mul, high_part, word);
        let size = eval.b.binary(BinaryOp::Add, high_part, low_part);
        let opposite = eval.b.unary(UnaryOp::Neg, size);
        let sum = eval.b.select(below, opposite, size);
        let exponent = self.kept_exponent(eval, largest);
        let kept = eval.b.literal(Literal::U32(self.kept()));
        let quantum = eval.b.binary(BinaryOp::Sub, exponent, kept);
        let quantum = power_of_two(eval, quantum);
        let sum = eval.b.binary(BinaryOp::Mul, sum, quantum);
        let zero = eval.b.literal(Literal::U32(0));
        let [positive, negative] = [low, high].map(|flag| eval.b.binary(BinaryOp::Gt, flag, zero));
        let both = eval.b.binary(BinaryOp::And, positive, negative);
        let [nan, plus, minus] =
            [0x7FC0_0000u32, 0x7F80_0000, 0xFF80_0000].map(|bits| eval.b.literal(Literal::U32(bits)));
        let signed = eval.b.select(positive, plus, minus);
        let special = eval.b.select(both, nan, signed);
        let special = eval.b.call(Function::FromBits, &[special]);
        let limit = eval.b.literal(Literal::U32(NOT_FINITE));
        let finite = eval.b.binary(BinaryOp::Lt, largest, limit);
        eval.b.select(finite, sum, special)
    }
}

/// Combines into an element of partial results.
fn atomic(eval: &mut Evaluator<'_>, op: AtomicOp, number: usize, dtype: DType, place: ExprId, value: ExprId) {
    let array = eval.array(Binding::Partial(number), dtype, Space::Atomic);
    eval.b.push(Stmt::Atomic { op, array, index: place, value, before: None });
}

/// The exponent of a float, with its bias.
fn exponent_of(eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
    let bits = eval.b.expr(Expr::Bitcast(DType::U32, value));
    let (by, mask) = (eval.b.literal(Literal::U32(23)), eval.b.literal(Literal::U32(NOT_FINITE)));
    let shifted = eval.b.binary(BinaryOp::Shr, bits, by);
    eval.b.binary(BinaryOp::And, shifted, mask)
}

/// Two words, the lower first, or their opposite in two's complement.
fn negated_if(eval: &mut Evaluator<'_>, negative: ExprId, [low, high]: [ExprId; 2]) -> [ExprId; 2] {
    let (zero, all) = (eval.b.literal(Literal::U32(0)), eval.b.literal(Literal::U32(u32::MAX)));
    let mask = eval.b.select(negative, all, zero);
    let mask = eval.b.bind("mask", mask);
    let low_bits = eval.b.binary(BinaryOp::Xor, low, mask);
    let turned = eval.b.binary(BinaryOp::Sub, low_bits, mask);
    let turned = eval.b.bind("low", turned);
    let empty = eval.b.binary(BinaryOp::Eq, turned, zero);
    let carries = eval.b.binary(BinaryOp::And, negative, empty);
    let carry = eval.b.cast(DType::U32, carries);
    let high_bits = eval.b.binary(BinaryOp::Xor, high, mask);
    [turned, eval.b.binary(BinaryOp::Add, high_bits, carry)]
}

/// The float with such an exponent, which has its bias.
fn power_of_two(eval: &mut Evaluator<'_>, exponent: ExprId) -> ExprId {
    let by = eval.b.literal(Literal::U32(23));
    let bits = eval.b.binary(BinaryOp::Shl, exponent, by);
    eval.b.expr(Expr::Bitcast(DType::F32, bits))
}
