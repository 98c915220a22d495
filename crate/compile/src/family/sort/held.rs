//! What an invocation of a radix sort holds: its elements and sums of counts, under names or, in
//! the text that serves first, in arrays of its own.
//!
//! Deferred: few programs sort.

use super::radix::EACH;
use crate::family::launch::close_guard;
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::{DType, Literal};

/// An element that an invocation holds.
pub(super) struct Element {
    pub key: ExprId,
    pub place: ExprId,
    pub digit: ExprId,
    /// Its place among those of the same digit that the invocation holds.
    pub among: ExprId,
}

/// The elements of an invocation: named, or in arrays of its own where the text is in loops.
pub(super) enum Held {
    Named(Vec<Element>),
    Arrays { keys: ArrayId, places: ArrayId, digits: ArrayId, among: ArrayId },
}

impl Held {
    pub fn new(eval: &mut Evaluator<'_>) -> Held {
        if !eval.in_loops {
            return Held::Named(Vec::with_capacity(EACH));
        }
        let mut array = |name, dtype| eval.b.array(name, dtype, Space::Private(EACH as u32));
        let [keys, digits, among] = ["own_keys", "digits", "among"].map(|name| array(name, DType::U32));
        Held::Arrays { keys, places: array("own_places", DType::I32), digits, among }
    }

    /// Takes element `at`.
    pub fn take(&mut self, eval: &mut Evaluator<'_>, at: ExprId, element: Element) {
        match self {
            Held::Named(elements) => elements.push(element),
            Held::Arrays { keys, places, digits, among } => {
                let Element { key, place, digit, among: before } = element;
                for (array, value) in [(keys, key), (places, place), (digits, digit), (among, before)] {
                    eval.b.push(Stmt::Store(*array, at, value));
                }
            }
        }
    }

    /// Shows every element.
    pub fn each(&self, eval: &mut Evaluator<'_>, see: &mut dyn FnMut(&mut Evaluator<'_>, &Element)) {
        match self {
            Held::Named(elements) => elements.iter().for_each(|element| see(eval, element)),
            &Held::Arrays { keys, places, digits, among } => eval.each("element", EACH, |eval, at| {
                let [key, place, digit, among] =
                    [keys, places, digits, among].map(|array| load(eval, array, at));
                see(eval, &Element { key, place, digit, among });
            }),
        }
    }
}

/// Where number `n` of those that an invocation adds up lies, and whether there is one.
pub(super) type Place<'a> = &'a dyn Fn(&mut Evaluator<'_>, ExprId) -> (ExprId, Option<ExprId>);

/// Sums of an invocation's numbers before each of them: named with their places, or in an array of
/// its own where the text is in loops.
pub(super) enum Sums {
    Named(Vec<(ExprId, Option<ExprId>, ExprId)>),
    Array(ArrayId, usize),
}

impl Sums {
    /// Those of `count` numbers of an array, and the sum of all.
    pub fn of(eval: &mut Evaluator<'_>, count: usize, array: ArrayId, place: Place<'_>) -> (ExprId, Sums) {
        let none = number(eval, 0);
        let next = |eval: &mut Evaluator<'_>, at: ExprId, sum: ExprId| {
            let (index, inside) = place(eval, at);
            let own = load(eval, array, index);
            let own = inside.map_or(own, |inside| eval.b.select(inside, own, none));
            let next = eval.b.binary(BinaryOp::Add, sum, own);
            (index, inside, eval.b.bind_anew("sum", next))
        };
        if eval.in_loops {
            let before = eval.b.array("before", DType::U32, Space::Private(count as u32));
            let sum = eval.b.var("sum", none);
            eval.each("number", count, |eval, at| {
                let now = eval.b.read(sum);
                eval.b.push(Stmt::Store(before, at, now));
                let (_, _, next) = next(eval, at, now);
                eval.b.push(Stmt::Assign(sum, next));
            });
            return (eval.b.read(sum), Sums::Array(before, count));
        }
        let (mut sum, mut found) = (none, Vec::with_capacity(count));
        for at in 0..count {
            let at = eval.b.index_const(at as i64);
            let (index, inside, after) = next(eval, at, sum);
            found.push((index, inside, sum));
            sum = after;
        }
        (sum, Sums::Named(found))
    }

    /// Stores each in place of its number, with what comes before the invocation's.
    pub fn store(self, eval: &mut Evaluator<'_>, array: ArrayId, ahead: ExprId, place: Place<'_>) {
        let store = |eval: &mut Evaluator<'_>, (index, inside, sum): (ExprId, Option<ExprId>, ExprId)| {
            if inside.is_some() {
                eval.open();
            }
            let start = eval.b.binary(BinaryOp::Add, ahead, sum);
            eval.b.push(Stmt::Store(array, index, start));
            close_guard(eval, inside);
        };
        match self {
            Sums::Named(found) => found.into_iter().for_each(|one| store(eval, one)),
            Sums::Array(before, count) => eval.each("number", count, |eval, at| {
                let sum = load(eval, before, at);
                let (index, inside) = place(eval, at);
                store(eval, (index, inside, sum));
            }),
        }
    }
}

pub(super) fn number(eval: &mut Evaluator<'_>, value: u32) -> ExprId {
    eval.b.literal(Literal::U32(value))
}

pub(super) fn with(eval: &mut Evaluator<'_>, op: BinaryOp, x: ExprId, value: u32) -> ExprId {
    let value = number(eval, value);
    eval.b.binary(op, x, value)
}

pub(super) fn load(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId) -> ExprId {
    let load = eval.b.expr(Expr::Load(array, index));
    eval.b.bind_anew("was", load)
}
