//! Fixed-point sums of floats: two words each, to which atomics add, so that a sum has the same
//! bits in whatever order its values come.
//!
//! A value is added as a whole multiple of a quantum, which is a fixed number of bits below the
//! largest value of its sum (as in J. Demmel and H. D. Nguyen, "Parallel Reproducible Summation",
//! 2015). The largest exponents must be known first. What a lower word was before tells whether it
//! carries into the higher one, and as many values carry in whatever order.
//!
//! Deferred: few first programs scatter floats.

use crate::lower::eval::Evaluator;
use weft_ir::kernel::{ArrayId, AtomicOp, BinaryOp, Expr, ExprId, Function, UnaryOp};
use weft_ir::{DType, Literal};

/// What the higher word of a sum counts.
const WORD: f32 = 4_294_967_296.0;
/// The exponent of infinities and NaN.
pub const NOT_FINITE: u32 = 255;
/// Bits below the largest value that are kept at most: what a float's words are made of is exact
/// then.
const MOST_KEPT: u32 = 38;

/// The words of a sum.
pub trait Words {
    /// Adds an integer of two words, the lower first.
    fn add(&self, eval: &mut Evaluator<'_>, words: [ExprId; 2]);
    /// Sets the lower (0) or the higher (1) of the words to 1 if `flag` is.
    fn set(&self, eval: &mut Evaluator<'_>, word: usize, flag: ExprId);
}

/// The quantum of a sum of several values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quantum {
    /// Bits between the largest exponent and the quantum's.
    kept: u32,
}

impl Quantum {
    /// The smallest quantum with which the sum of `values` values fits into `bits`, sign included.
    pub fn new(values: usize, bits: u32) -> Quantum {
        let count = usize::BITS - (values.max(1) - 1).leading_zeros();
        Quantum { kept: (bits - count.min(31)).min(MOST_KEPT) }
    }

    /// The exponent that the quantum is made for, with its bias: such that the quantum is a normal
    /// number.
    fn exponent(self, eval: &mut Evaluator<'_>, largest: ExprId) -> ExprId {
        let least = eval.b.literal(Literal::U32(self.kept + 1));
        let most = eval.b.literal(Literal::U32(NOT_FINITE - 1));
        let above = eval.b.binary(BinaryOp::Max, largest, least);
        eval.b.binary(BinaryOp::Min, above, most)
    }

    /// Adds a value to a sum with this largest exponent. If that is not finite, the words are
    /// flags: whether +∞ and whether −∞ is among the values, and NaN counts as both.
    pub fn add(self, eval: &mut Evaluator<'_>, largest: ExprId, value: ExprId, words: &dyn Words) {
        let limit = eval.b.literal(Literal::U32(NOT_FINITE));
        let finite = eval.b.binary(BinaryOp::Lt, largest, limit);
        eval.open();
        // 2^(kept − exponent), the exponent without its bias.
        let exponent = self.exponent(eval, largest);
        let whole = eval.b.literal(Literal::U32(self.kept + 254));
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
        let size = [low, high].map(|part| eval.b.call(Function::F32ToU32, &[part]));
        add_signed(eval, value, size, words);
        eval.forget();
        eval.b.close_if(finite);
        // Infinities of either sign, and NaN as both.
        let own = exponent_of(eval, value);
        let infinite = eval.b.binary(BinaryOp::Eq, own, limit);
        eval.open();
        let zero = eval.b.literal(Literal::F32(0.0));
        let nan = eval.b.call(Function::IsNan, &[value]);
        for (word, relation) in [(0, BinaryOp::Gt), (1, BinaryOp::Lt)] {
            let sign = eval.b.binary(relation, value, zero);
            let has = eval.b.binary(BinaryOp::Or, nan, sign);
            let flag = eval.b.cast(DType::U32, has);
            words.set(eval, word, flag);
        }
        eval.forget();
        eval.b.close_if(infinite);
    }

    /// The sum of which these are the largest exponent and the words.
    pub fn total(self, eval: &mut Evaluator<'_>, [largest, low, high]: [ExprId; 3]) -> ExprId {
        let sum = float_of_words(eval, [low, high]);
        let exponent = self.exponent(eval, largest);
        let kept = eval.b.literal(Literal::U32(self.kept));
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

/// Adds the words of a value's size to a sum, with the value's sign.
pub fn add_signed(eval: &mut Evaluator<'_>, value: ExprId, size: [ExprId; 2], words: &dyn Words) {
    let zero = eval.b.literal(Literal::F32(0.0));
    let negative = eval.b.binary(BinaryOp::Lt, value, zero);
    let signed = negated_if(eval, negative, size);
    words.add(eval, signed);
}

/// Adds a lower word to its place, and hands on what is to be added to the higher one, unless that
/// is nothing.
pub fn add_with_carry(
    eval: &mut Evaluator<'_>,
    (lows, at): (ArrayId, ExprId),
    [low, high]: [ExprId; 2],
    add_high: impl FnOnce(&mut Evaluator<'_>, ExprId),
) {
    let before = eval.b.exchange("before", AtomicOp::Add, lows, at, low);
    let after = eval.b.binary(BinaryOp::Add, before, low);
    let carries = eval.b.binary(BinaryOp::Lt, after, low);
    let carry = eval.b.cast(DType::U32, carries);
    let up = eval.b.binary(BinaryOp::Add, high, carry);
    let up = eval.b.bind_anew("up", up);
    // Of most values it is none.
    let none = eval.b.literal(Literal::U32(0));
    let some = eval.b.binary(BinaryOp::Ne, up, none);
    eval.open();
    add_high(eval, up);
    eval.forget();
    eval.b.close_if(some);
}

/// The integer of two words, the lower first, in two's complement: what cancels is gone before
/// anything is rounded.
pub fn float_of_words(eval: &mut Evaluator<'_>, [low, high]: [ExprId; 2]) -> ExprId {
    let sign = eval.b.literal(Literal::U32(1 << 31));
    let below = eval.b.binary(BinaryOp::Ge, high, sign);
    let [low, high] = negated_if(eval, below, [low, high]).map(|word| eval.b.cast(DType::F32, word));
    let word = eval.b.literal(Literal::F32(WORD));
    let high = eval.b.binary(BinaryOp::Mul, high, word);
    let size = eval.b.binary(BinaryOp::Add, high, low);
    let opposite = eval.b.unary(UnaryOp::Neg, size);
    eval.b.select(below, opposite, size)
}

/// The exponent of a float, with its bias.
pub fn exponent_of(eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
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
pub fn power_of_two(eval: &mut Evaluator<'_>, exponent: ExprId) -> ExprId {
    let by = eval.b.literal(Literal::U32(23));
    let bits = eval.b.binary(BinaryOp::Shl, exponent, by);
    eval.b.expr(Expr::Bitcast(DType::F32, bits))
}
