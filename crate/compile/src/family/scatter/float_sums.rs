//! Sums of floats by integer atomics: the same bits whatever the order.
//!
//! An update is added as a whole multiple of a quantum, in 64 bits: what a place's lower word was
//! before tells whether it carries into the higher one, and as many updates carry in whatever
//! order. The quantum is one of two:
//!
//! - *near* the largest update of all, whose exponent is found first, there is one for all places:
//!   a float whose exponent is among the [`WINDOW`] greatest is exact in the lower word, and all
//!   that such updates cost is one addition;
//! - of others the largest exponent of their place decides (as of J. Demmel and H. D. Nguyen,
//!   "Parallel Reproducible Summation", 2015), which takes a maximum more. At least 31 bits below
//!   the largest are kept, and 38 of up to 2²⁴ updates, so that the sum is nearer than one of
//!   floats in order is bound to be.
//!
//! Of few updates all are such as the others: the first of these ways takes two dispatches more
//! than it saves.
//!
//! On an NVIDIA H200 (Node, Dawn), 2²⁴ normals into 2²⁰ places: an atomic addition whose result is
//! asked for takes 248 µs, a maximum 183, a gather 125.
//!
//! Deferred: few first programs scatter at length.

use super::ScatterProblem;
use super::targets::{Target, TargetArrays, WORKGROUP, Walk, add_words};
use crate::family::launch::{close_guard, guard};
use crate::family::rows::layout::{Scratch, team};
use crate::family::{Lowered, Problem, Stage};
use crate::lower::accumulate::{Accumulator, Partial};
use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::{
    NOT_FINITE, Quantum, Words, add_signed, exponent_of, float_of_words, power_of_two,
};
use weft_ir::kernel::{AtomicOp, BinaryOp, Expr, ExprId, Space, UnaryOp};
use weft_ir::op::ReduceOp;
use weft_ir::{DType, Literal};

/// Exponents that are near the largest: two bits of the lower word are left, so that few updates
/// carry.
const WINDOW: u32 = 7;
/// The least that the largest exponent counts as, such that the quantum of what is near it is a
/// normal number.
const LEAST_TOP: u32 = 31;
/// What the lower word of a near sum begins with: sums about zero then seldom carry.
const MIDDLE: u32 = 1 << 31;
/// Updates of an invocation that looks for the largest.
const LOOKED_AT: u32 = 16;

/// Partial results: the largest exponent, lower word and higher word of each place, those of its
/// near sum, and the largest exponent of all.
const LARGEST: usize = 0;
const LOW: usize = 1;
const HIGH: usize = 2;
const NEAR_LOW: usize = 3;
const NEAR_HIGH: usize = 4;
const TOP: usize = 5;

/// How a sum of floats is made.
pub(crate) struct FloatSum<'a> {
    pub scatter: &'a ScatterProblem,
    /// How updates are gone through.
    pub walk: Walk,
    /// Whether there is a quantum for all places.
    pub near: bool,
}

/// The exponents that are near, both ends included.
#[derive(Clone, Copy)]
struct Near {
    bottom: ExprId,
    top: ExprId,
}

impl FloatSum<'_> {
    /// The kernels.
    pub fn lower(&self, problem: &Problem<'_>) -> Lowered {
        let words = self.scatter.shape.size();
        let zero = Literal::U32(0);
        let mut partials = vec![(words * 4) as u64; 3];
        let mut firsts = vec![(words, zero); 3];
        if self.near {
            partials.extend([(words * 4) as u64, (words * 4) as u64, 4]);
            firsts.extend([(words, Literal::U32(MIDDLE)), (words, zero), (1, zero)]);
        }
        let mut stages = vec![self.scatter.fill(problem, &firsts)];
        if self.near {
            stages.push(self.find_top(problem));
        }
        stages.push(self.find_largest(problem));
        // What marks infinities is less than workgroups are, and so carries nothing: added up it
        // marks them too.
        let sums = [Target::Sums([LOW, HIGH]), Target::Sums([NEAR_LOW, NEAR_HIGH])];
        stages.push(self.scatter.put(
            problem,
            self.walk,
            &sums[..1 + usize::from(self.near)],
            |eval| self.near(eval),
            |eval, near, targets, at| {
                self.scatter.at_place(eval, at, |eval, place| {
                    let value = self.scatter.update(eval, at);
                    match near {
                        Some(near) => self.add(eval, targets, *near, place, value),
                        None => self.add_far(eval, targets, place, value),
                    }
                });
            },
        ));
        stages.push(self.scatter.finish(problem, |eval, _, i, base| {
            let sum = self.sum(eval, i);
            eval.b.binary(BinaryOp::Add, base, sum)
        }));
        Lowered { stages, partials }
    }

    /// The largest exponent of all updates, infinities and NaN aside.
    fn find_top(&self, problem: &Problem<'_>) -> Stage {
        let count = self.scatter.updates.size();
        problem.stage("scatter, largest", WORKGROUP, |eval| {
            let run = (WORKGROUP * LOOKED_AT) as usize;
            let team = team(eval, problem, count.div_ceil(run), WORKGROUP, WORKGROUP);
            let found = Accumulator::new(&mut eval.b, ReduceOp::Max, DType::U32);
            let exact = count.is_multiple_of(run);
            eval.vectorized = exact;
            let (neighbours, turns) = if exact { (4, LOOKED_AT / 4) } else { (1, LOOKED_AT) };
            let first = eval.b.index_scale(team.row, run as i64);
            let lane = eval.b.index_scale(team.lane, neighbours);
            let first = eval.b.index_add(first, lane);
            eval.each("turn", turns as usize, |eval, turn| {
                let ahead = eval.b.index_scale(turn, i64::from(WORKGROUP) * neighbours);
                let first = eval.b.index_add(first, ahead);
                for neighbour in 0..neighbours {
                    let number = eval.b.index_offset(first, neighbour);
                    self.look_at(eval, found, number, count.next_multiple_of(run));
                }
            });
            eval.vectorized = false;
            let whole = Scratch::default().tree(eval, &team, &[found])[0].value;
            let zero = eval.b.index_const(0);
            let is_first = eval.b.binary(BinaryOp::Eq, team.lane, zero);
            eval.open();
            TargetArrays::default().combine(eval, AtomicOp::Max, TOP, DType::U32, zero, whole);
            eval.forget();
            eval.b.close_if(is_first);
            close_guard(eval, team.guard);
            team.grid
        })
    }

    /// Takes the exponent of an update, if there is one of that number.
    fn look_at(&self, eval: &mut Evaluator<'_>, found: Accumulator, number: ExprId, launched: usize) {
        let count = self.scatter.updates.size();
        // Without a name its place among four is known.
        let number = if eval.vectorized { number } else { eval.b.index_bind("update", number) };
        let inside = guard(eval, number, count, launched);
        if inside.is_some() {
            eval.b.index.set_range(number, 0, count as i64 - 1);
        }
        let at = eval.b.unravel(number, &self.scatter.updates);
        let value = self.scatter.update(eval, &at);
        let exponent = exponent_of(eval, value);
        let exponent = eval.b.bind_anew("exponent", exponent);
        let (limit, none) = (eval.b.literal(Literal::U32(NOT_FINITE)), eval.b.literal(Literal::U32(0)));
        let finite = eval.b.binary(BinaryOp::Lt, exponent, limit);
        let value = eval.b.select(finite, exponent, none);
        found.update(&mut eval.b, Partial { value, position: None });
        close_guard(eval, inside);
    }

    /// The largest exponent of each place, of the updates that are not near.
    fn find_largest(&self, problem: &Problem<'_>) -> Stage {
        self.scatter.put(
            problem,
            self.walk,
            &[Target::Words(LARGEST, AtomicOp::Max, Literal::U32(0))],
            |eval| self.near(eval),
            |eval, near, targets, at| {
                let value = self.scatter.update(eval, at);
                let exponent = exponent_of(eval, value);
                let exponent = eval.b.bind_anew("exponent", exponent);
                let far = near.map(|near| {
                    eval.open();
                    is_far(eval, near, exponent, value)
                });
                self.scatter.at_place(eval, at, |eval, place| {
                    targets.combine(eval, AtomicOp::Max, LARGEST, DType::U32, place, exponent);
                });
                close_guard(eval, far);
            },
        )
    }

    /// Where near exponents lie, if any are near.
    fn near(&self, eval: &mut Evaluator<'_>) -> Option<Near> {
        if !self.near {
            return None;
        }
        let top = eval.array(Binding::Partial(TOP), DType::U32, Space::Read);
        let zero = eval.b.index_const(0);
        let top = eval.b.expr(Expr::Load(top, zero));
        let least = eval.b.literal(Literal::U32(LEAST_TOP));
        let top = eval.b.binary(BinaryOp::Max, top, least);
        let top = eval.b.bind("top", top);
        let below = eval.b.literal(Literal::U32(WINDOW - 1));
        let bottom = eval.b.binary(BinaryOp::Sub, top, below);
        Some(Near { bottom: eval.b.bind("bottom", bottom), top })
    }

    /// Adds an update to the near sum of its place, or to the other.
    fn add(
        &self,
        eval: &mut Evaluator<'_>,
        targets: &TargetArrays,
        near: Near,
        place: ExprId,
        value: ExprId,
    ) {
        let exponent = exponent_of(eval, value);
        let exponent = eval.b.bind_anew("exponent", exponent);
        let is_near = is_near(eval, near, exponent);
        eval.open();
        let bits = eval.b.expr(Expr::Bitcast(DType::U32, value));
        let (stored, hidden) =
            (eval.b.literal(Literal::U32(0x007F_FFFF)), eval.b.literal(Literal::U32(1 << 23)));
        let mantissa = eval.b.binary(BinaryOp::And, bits, stored);
        let mantissa = eval.b.binary(BinaryOp::Or, mantissa, hidden);
        let by = eval.b.binary(BinaryOp::Sub, exponent, near.bottom);
        let low = eval.b.binary(BinaryOp::Shl, mantissa, by);
        let high = eval.b.literal(Literal::U32(0));
        let sum = PlaceWords { targets, numbers: [NEAR_LOW, NEAR_HIGH], place };
        add_signed(eval, value, [low, high], &sum);
        eval.forget();
        eval.b.close_if(is_near);
        eval.open();
        let is_far = is_far(eval, near, exponent, value);
        self.add_far(eval, targets, place, value);
        eval.forget();
        eval.b.close_if(is_far);
    }

    /// Adds an update in multiples of its place's quantum.
    fn add_far(&self, eval: &mut Evaluator<'_>, targets: &TargetArrays, place: ExprId, value: ExprId) {
        let largest = eval.array(Binding::Partial(LARGEST), DType::U32, Space::Read);
        let largest = eval.b.expr(Expr::Load(largest, place));
        let largest = eval.b.bind_anew("largest", largest);
        let sum = PlaceWords { targets, numbers: [LOW, HIGH], place };
        self.quantum().add(eval, largest, value, &sum);
    }

    /// That of a place.
    fn quantum(&self) -> Quantum {
        Quantum::new(self.scatter.indices.size(), 62)
    }

    /// What the updates of a place add up to.
    fn sum(&self, eval: &mut Evaluator<'_>, i: ExprId) -> ExprId {
        let far = self.sum_of_far(eval, i);
        let Some(near) = self.near(eval) else { return far };
        let [low, high] = words(eval, [NEAR_LOW, NEAR_HIGH], i);
        let middle = eval.b.literal(Literal::U32(MIDDLE));
        let below = eval.b.binary(BinaryOp::Lt, low, middle);
        let borrow = eval.b.cast(DType::U32, below);
        let (low, high) =
            (eval.b.binary(BinaryOp::Sub, low, middle), eval.b.binary(BinaryOp::Sub, high, borrow));
        let (low, high) = (eval.b.bind("near_low", low), eval.b.bind("near_high", high));
        let size = float_of_words(eval, [low, high]);
        // The exponent of a mantissa's last bit.
        let bits = eval.b.literal(Literal::U32(23));
        let quantum = eval.b.binary(BinaryOp::Sub, near.bottom, bits);
        let quantum = power_of_two(eval, quantum);
        let near = eval.b.binary(BinaryOp::Mul, size, quantum);
        eval.b.binary(BinaryOp::Add, near, far)
    }

    /// What the words of an element add up to.
    fn sum_of_far(&self, eval: &mut Evaluator<'_>, i: ExprId) -> ExprId {
        let [largest, low, high] = words(eval, [LARGEST, LOW, HIGH], i);
        self.quantum().total(eval, [largest, low, high])
    }
}

/// Whether an exponent is near the largest of all.
fn is_near(eval: &mut Evaluator<'_>, near: Near, exponent: ExprId) -> ExprId {
    let above = eval.b.binary(BinaryOp::Ge, exponent, near.bottom);
    let below = eval.b.binary(BinaryOp::Le, exponent, near.top);
    eval.b.binary(BinaryOp::And, above, below)
}

/// Whether an update adds to the sum of those that are not near: zeros do not.
fn is_far(eval: &mut Evaluator<'_>, near: Near, exponent: ExprId, value: ExprId) -> ExprId {
    let is_near = is_near(eval, near, exponent);
    let is_apart = eval.b.unary(UnaryOp::Not, is_near);
    // By bits: compilers of GPUs take it that nothing is NaN.
    let bits = eval.b.expr(Expr::Bitcast(DType::U32, value));
    let (but_sign, none) = (eval.b.literal(Literal::U32(i32::MAX as u32)), eval.b.literal(Literal::U32(0)));
    let size = eval.b.binary(BinaryOp::And, bits, but_sign);
    let some = eval.b.binary(BinaryOp::Ne, size, none);
    eval.b.binary(BinaryOp::And, is_apart, some)
}

/// The words of the sum of a place.
struct PlaceWords<'a> {
    targets: &'a TargetArrays,
    /// The partial results that have them.
    numbers: [usize; 2],
    place: ExprId,
}

impl Words for PlaceWords<'_> {
    fn add(&self, eval: &mut Evaluator<'_>, words: [ExprId; 2]) {
        add_words(eval, self.targets, self.numbers, self.place, words);
    }

    fn set(&self, eval: &mut Evaluator<'_>, word: usize, flag: ExprId) {
        self.targets.combine(eval, AtomicOp::Max, self.numbers[word], DType::U32, self.place, flag);
    }
}

/// The words of an element.
fn words<const N: usize>(eval: &mut Evaluator<'_>, numbers: [usize; N], i: ExprId) -> [ExprId; N] {
    numbers.map(|number| {
        let array = eval.array(Binding::Partial(number), DType::U32, Space::Read);
        let word = eval.b.expr(Expr::Load(array, i));
        eval.b.bind_anew("word", word)
    })
}
