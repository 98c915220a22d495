//! Targets of scattered updates: partial results in buffers, or copies of them that workgroups
//! share.
//!
//! Every way of scattering by atomics goes through its updates here or in `scatter/mod.rs`, and
//! combines them by a [`TargetArrays`], which knows whether there are copies.
//!
//! Deferred: few first programs scatter at length.

use crate::family::Problem;
use crate::family::launch::{close_guard, each_workgroup, grid, guard};
use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::add_with_carry;
use weft_ir::kernel::{ArrayId, AtomicOp, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::{DType, Literal};

/// Invocations of a workgroup.
pub(crate) const WORKGROUP: u32 = 256;
/// Updates of an invocation in a turn, which it loads together.
pub(crate) const TOGETHER: u32 = 4;

/// How the updates of a scatter are gone through.
#[derive(Clone, Copy)]
pub(crate) enum Walk {
    /// Several by each invocation, which combines them into partial results.
    Apart { each: u32 },
    /// By several workgroups. Each has its own copies of the partial results.
    Shared { workgroups: u32 },
}

/// Partial results that updates are combined into, by number.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Words that one operation combines, and what they begin with.
    Words(usize, AtomicOp, Literal),
    /// The lower and higher words of integers that are added up, which begin with zero.
    Sums([usize; 2]),
}

/// The arrays that updates are combined into: a workgroup's copies of partial results, and those of
/// which it has none themselves.
#[derive(Default)]
pub(crate) struct TargetArrays(Vec<(usize, ArrayId)>);

impl TargetArrays {
    /// The array for a partial result.
    pub fn array(&self, eval: &mut Evaluator<'_>, number: usize, dtype: DType) -> ArrayId {
        let copy = self.0.iter().find(|(of, _)| *of == number);
        copy.map_or_else(|| eval.array(Binding::Partial(number), dtype, Space::Atomic), |&(_, copy)| copy)
    }

    /// Combines into an element.
    pub fn combine(
        &self,
        eval: &mut Evaluator<'_>,
        op: AtomicOp,
        number: usize,
        dtype: DType,
        place: ExprId,
        value: ExprId,
    ) {
        let array = self.array(eval, number, dtype);
        eval.b.push(Stmt::Atomic { op, array, index: place, value, before: None });
    }
}

/// A kernel of workgroups that share copies of partial results.
pub(crate) struct Shared<'a> {
    pub workgroups: u32,
    /// Updates.
    pub count: usize,
    /// Places.
    pub size: usize,
    pub kept: &'a [Target],
}

/// The place of an invocation.
pub(crate) struct Position {
    group: ExprId,
    lane: ExprId,
    outer: Option<ExprId>,
    pub grid: [u32; 3],
    pub targets: TargetArrays,
}

impl Shared<'_> {
    /// Sets out the workgroups, and what their copies begin with.
    pub fn begin(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>) -> Position {
        let workgroups = self.workgroups as usize;
        let grid = grid(workgroups, problem.limits);
        let (group, lane, outer) = each_workgroup(eval, "group", workgroups, WORKGROUP, grid);
        let mut copies = Vec::new();
        let mut firsts = Vec::new();
        for kept in self.kept {
            let (numbers, dtype) = match kept {
                Target::Words(number, _, first) => (&[*number][..], first.dtype()),
                Target::Sums(numbers) => (&numbers[..], DType::U32),
            };
            for &number in numbers {
                let space = Space::WorkgroupAtomic(self.size as u32);
                let copy = eval.b.array(format!("copy{}", copies.len()), dtype, space);
                copies.push((number, copy));
                // Workgroup memory is zero when a workgroup starts.
                if let Target::Words(_, _, first) = kept
                    && first.bits() != 0
                {
                    firsts.push((copy, *first));
                }
            }
        }
        if !firsts.is_empty() {
            self.each_place(eval, lane, &mut |eval, place| {
                for &(copy, first) in &firsts {
                    let first = eval.b.literal(first);
                    eval.b.push(Stmt::Store(copy, place, first));
                }
            });
            eval.b.push(Stmt::Barrier);
        }
        Position { group, lane, outer, grid, targets: TargetArrays(copies) }
    }

    /// Goes through the updates of an invocation, in turns of all workgroups. Neighbours are loaded
    /// together where four divides their number.
    pub fn each_update(
        &self,
        eval: &mut Evaluator<'_>,
        position: &Position,
        one: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let in_turn = self.workgroups as usize * (WORKGROUP * TOGETHER) as usize;
        let turns = self.count.div_ceil(in_turn);
        let together = TOGETHER as usize;
        let vectorized = self.count.is_multiple_of(together);
        // An invocation's are neighbours, or as far from each other as there are invocations.
        let part = if vectorized { together } else { 1 };
        let (count, launched) = (self.count / part, turns * in_turn / part);
        eval.each("turn", turns, |eval, turn| {
            let before = eval.b.index_scale(turn, (in_turn / part) as i64);
            let of_group =
                eval.b.index_scale(position.group, (in_turn / part) as i64 / i64::from(self.workgroups));
            let first = eval.b.index_add(before, of_group);
            let first = eval.b.index_add(first, position.lane);
            for beside in 0..together / part {
                let number = eval.b.index_offset(first, beside as i64 * i64::from(WORKGROUP));
                let number = eval.b.index_bind("update", number);
                let inside = guard(eval, number, count, launched);
                eval.b.index.set_range(number, 0, count as i64 - 1);
                eval.vectorized = vectorized;
                let number = eval.b.index_scale(number, part as i64);
                for neighbour in 0..part {
                    let number = eval.b.index_offset(number, neighbour as i64);
                    one(eval, number);
                }
                eval.vectorized = false;
                close_guard(eval, inside);
            }
        });
    }

    /// Combines the copies into the partial results.
    pub fn end(&self, eval: &mut Evaluator<'_>, position: Position) {
        eval.b.push(Stmt::Barrier);
        let copy = |eval: &mut Evaluator<'_>, number: usize, place: ExprId| {
            let array = position.targets.array(eval, number, DType::U32);
            let word = eval.b.expr(Expr::Load(array, place));
            eval.b.bind_anew("whole", word)
        };
        self.each_place(eval, position.lane, &mut |eval, place| {
            for kept in self.kept {
                match *kept {
                    Target::Words(number, op, first) => {
                        let whole = copy(eval, number, place);
                        let nothing = eval.b.literal(first);
                        let some = eval.b.binary(BinaryOp::Ne, whole, nothing);
                        eval.open();
                        TargetArrays::default().combine(eval, op, number, first.dtype(), place, whole);
                        eval.forget();
                        eval.b.close_if(some);
                    }
                    Target::Sums(numbers) => {
                        let whole = numbers.map(|number| copy(eval, number, place));
                        let either = eval.b.binary(BinaryOp::Or, whole[0], whole[1]);
                        let nothing = eval.b.literal(Literal::U32(0));
                        let some = eval.b.binary(BinaryOp::Ne, either, nothing);
                        eval.open();
                        add_words(eval, &TargetArrays::default(), numbers, place, whole);
                        eval.forget();
                        eval.b.close_if(some);
                    }
                }
            }
        });
        close_guard(eval, position.outer);
    }

    /// Runs `body` at each place, which the invocations of a workgroup share.
    fn each_place(
        &self,
        eval: &mut Evaluator<'_>,
        lane: ExprId,
        body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let turns = self.size.div_ceil(WORKGROUP as usize);
        let launched = turns * WORKGROUP as usize;
        let mut at = |eval: &mut Evaluator<'_>, place: ExprId| {
            let inside = guard(eval, place, self.size, launched);
            body(eval, place);
            close_guard(eval, inside);
        };
        if turns == 1 {
            return at(eval, lane);
        }
        eval.each("part", turns, |eval, part| {
            let before = eval.b.index_scale(part, i64::from(WORKGROUP));
            let place = eval.b.index_add(before, lane);
            let place = eval.b.index_bind("place", place);
            at(eval, place);
        });
    }
}

/// Adds an integer of two words, the lower first, to those of a place.
pub(crate) fn add_words(
    eval: &mut Evaluator<'_>,
    targets: &TargetArrays,
    [lows, highs]: [usize; 2],
    place: ExprId,
    [low, high]: [ExprId; 2],
) {
    let lows = targets.array(eval, lows, DType::U32);
    add_with_carry(eval, (lows, place), [low, high], |eval, up| {
        targets.combine(eval, AtomicOp::Add, highs, DType::U32, place, up);
    });
}
