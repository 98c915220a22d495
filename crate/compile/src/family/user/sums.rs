//! Sums of floats that a user's kernel adds into an output, by integer atomics: the same bits
//! whatever the order.
//!
//! As scatters do of updates that are far from the largest (`family/scatter/float_sums.rs`): the
//! kernel runs twice. First the largest exponent that is added to each element is found, then every
//! value is added as a whole multiple of a quantum below it, in 64 bits. What an element needs lies
//! in one buffer: largest exponents of all, then lower words, then higher words.
//!
//! Deferred: few programs have kernels of users.

use crate::family::scatter::float_sums::{
    NOT_FINITE, WORD, exponent_of, float_of_words, negated_if, power_of_two,
};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{ArrayId, AtomicOp, BinaryOp, Expr, ExprId, Function, Space, Stmt, UnaryOp};
use weft_ir::{DType, Literal};

/// Words of an element.
pub(super) const WORDS: usize = 3;
/// Bits below the largest that are kept at most.
const MOST_KEPT: u32 = 38;

/// Bits that are kept below the largest, so that so many values fit 64 with their sign, even where
/// a compiler rounds one to the next power of two in the second run.
pub(super) fn kept(values: usize) -> u32 {
    let count = usize::BITS - (values.max(1) - 1).leading_zeros();
    (61 - count.min(31)).min(MOST_KEPT)
}

fn atomics(eval: &mut Evaluator<'_>, binding: Binding) -> ArrayId {
    eval.array(binding, DType::U32, Space::Atomic)
}

fn combine(eval: &mut Evaluator<'_>, op: AtomicOp, array: ArrayId, index: ExprId, value: ExprId) {
    eval.b.push(Stmt::Atomic { op, array, index, value, before: None });
}

/// Takes the exponent of a value for its element.
pub(super) fn find_largest(eval: &mut Evaluator<'_>, binding: Binding, flat: ExprId, value: ExprId) {
    let array = atomics(eval, binding);
    let exponent = exponent_of(eval, value);
    combine(eval, AtomicOp::Max, array, flat, exponent);
}

/// The exponent that a quantum is made for, with its bias: such that the quantum is a normal
/// number.
fn kept_exponent(eval: &mut Evaluator<'_>, kept: u32, largest: ExprId) -> ExprId {
    let least = eval.b.literal(Literal::U32(kept + 1));
    let most = eval.b.literal(Literal::U32(NOT_FINITE - 1));
    let above = eval.b.binary(BinaryOp::Max, largest, least);
    eval.b.binary(BinaryOp::Min, above, most)
}

/// Adds a value to an element of an output of so many.
pub(super) fn add(
    eval: &mut Evaluator<'_>,
    binding: Binding,
    size: usize,
    kept: u32,
    flat: ExprId,
    value: ExprId,
) {
    let array = atomics(eval, binding);
    let [low_at, high_at] = [1, 2].map(|word| eval.b.index_offset(flat, (word * size) as i64));
    let largest = eval.b.expr(Expr::Load(array, flat));
    let largest = eval.b.bind_anew("largest", largest);
    let limit = eval.b.literal(Literal::U32(NOT_FINITE));
    let finite = eval.b.binary(BinaryOp::Lt, largest, limit);
    eval.open();
    // 2^(kept − exponent), the exponent without its bias.
    let exponent = kept_exponent(eval, kept, largest);
    let whole = eval.b.literal(Literal::U32(kept + 254));
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
    let before = eval.b.exchange("before", AtomicOp::Add, array, low_at, low);
    let after = eval.b.binary(BinaryOp::Add, before, low);
    let carries = eval.b.binary(BinaryOp::Lt, after, low);
    let carry = eval.b.cast(DType::U32, carries);
    let up = eval.b.binary(BinaryOp::Add, high, carry);
    let up = eval.b.bind_anew("up", up);
    // Of most values it is none.
    let none = eval.b.literal(Literal::U32(0));
    let some = eval.b.binary(BinaryOp::Ne, up, none);
    eval.open();
    combine(eval, AtomicOp::Add, array, high_at, up);
    eval.forget();
    eval.b.close_if(some);
    eval.forget();
    eval.b.close_if(finite);
    // Infinities of either sign, and NaN as both.
    let own = exponent_of(eval, value);
    let infinite = eval.b.binary(BinaryOp::Eq, own, limit);
    eval.open();
    let nan = eval.b.call(Function::IsNan, &[value]);
    for (at, relation) in [(low_at, BinaryOp::Gt), (high_at, BinaryOp::Lt)] {
        let sign = eval.b.binary(relation, value, zero);
        let has = eval.b.binary(BinaryOp::Or, nan, sign);
        let one = eval.b.cast(DType::U32, has);
        combine(eval, AtomicOp::Max, array, at, one);
    }
    eval.forget();
    eval.b.close_if(infinite);
}

/// What was added to an element.
pub(super) fn total(
    eval: &mut Evaluator<'_>,
    binding: Binding,
    size: usize,
    kept: u32,
    flat: ExprId,
) -> ExprId {
    let array = eval.array(binding, DType::U32, Space::Read);
    let [largest, low, high] = [0, 1, 2].map(|word| {
        let at = eval.b.index_offset(flat, (word * size) as i64);
        let load = eval.b.expr(Expr::Load(array, at));
        eval.b.bind_anew("word", load)
    });
    let sum = float_of_words(eval, [low, high]);
    let exponent = kept_exponent(eval, kept, largest);
    let bits = eval.b.literal(Literal::U32(kept));
    let quantum = eval.b.binary(BinaryOp::Sub, exponent, bits);
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
