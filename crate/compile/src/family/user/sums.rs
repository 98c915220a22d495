//! Sums of floats that a user's kernel adds into an output: fixed-point sums, as those of scatters.
//!
//! The kernel runs twice. First the largest exponent that is added to each element is found, then
//! every value is added. One buffer has the words of all elements: their largest exponents, then
//! the lower words of their sums, then the higher words.
//!
//! Deferred: few programs have kernels of users.

use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::{Quantum, Words, add_with_carry, exponent_of};
use weft_ir::DType;
use weft_ir::kernel::{ArrayId, AtomicOp, Expr, ExprId, Space, Stmt};

/// Words of an element.
pub(super) const WORDS: usize = 3;
/// Bits of a sum: a compiler may round a value to the next power of two in the second run.
const BITS: u32 = 61;

/// The quantum of sums of `values` values.
pub(super) fn quantum(values: usize) -> Quantum {
    Quantum::new(values, BITS)
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

/// The words of an element: where they are.
struct ElementWords {
    array: ArrayId,
    at: [ExprId; 2],
}

impl Words for ElementWords {
    fn add(&self, eval: &mut Evaluator<'_>, words: [ExprId; 2]) {
        let &ElementWords { array, at: [low, high] } = self;
        add_with_carry(eval, (array, low), words, |eval, up| {
            combine(eval, AtomicOp::Add, array, high, up);
        });
    }

    fn set(&self, eval: &mut Evaluator<'_>, word: usize, flag: ExprId) {
        combine(eval, AtomicOp::Max, self.array, self.at[word], flag);
    }
}

/// Adds a value to an element of an output of so many.
pub(super) fn add(
    eval: &mut Evaluator<'_>,
    binding: Binding,
    size: usize,
    quantum: Quantum,
    flat: ExprId,
    value: ExprId,
) {
    let array = atomics(eval, binding);
    let at = [1, 2].map(|word| eval.b.index_offset(flat, (word * size) as i64));
    let largest = eval.b.expr(Expr::Load(array, flat));
    let largest = eval.b.bind_anew("largest", largest);
    quantum.add(eval, largest, value, &ElementWords { array, at });
}

/// What was added to an element.
pub(super) fn total(
    eval: &mut Evaluator<'_>,
    binding: Binding,
    size: usize,
    quantum: Quantum,
    flat: ExprId,
) -> ExprId {
    let array = eval.array(binding, DType::U32, Space::Read);
    let words = [0, 1, 2].map(|word| {
        let at = eval.b.index_offset(flat, (word * size) as i64);
        let load = eval.b.expr(Expr::Load(array, at));
        eval.b.bind_anew("word", load)
    });
    quantum.total(eval, words)
}
