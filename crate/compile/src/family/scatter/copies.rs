//! Sums of floats on software: few invocations, each with a copy of all places to itself.
//!
//! The updates are cut into as many runs as there are copies. An invocation adds its run to its
//! copy, in order and without atomics, and a second kernel adds up the copies of each element: the
//! same bits in every run. With each sum goes what was rounded off it (T. Ogita, S. M. Rump and S.
//! Oishi, "Accurate Sum and Dot Product", 2005, §4), so that a sum is as if it were added with
//! twice the digits.
//!
//! SwiftShader, two cores, 2¹⁸ updates into 2¹⁴ places: 8 ms, and 22 by atomics.

use super::{ScatterProblem, scatter};
use crate::device::CopyModel;
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, each_invocation, grid, guard};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::limits::LONGEST_WALK;
use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::{NOT_FINITE, exponent_of};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::{DType, Literal};

/// Copies, and invocations of a workgroup: software runs four as one, and each processor takes a
/// workgroup at a time.
const COPIES: [u32; 2] = [8, 16];
const WORKGROUP: u32 = 4;
/// Updates of an invocation in a turn, which it loads together.
const TOGETHER: usize = 4;
/// The most elements of all copies: 16 MiB, and as many of what was rounded off.
const MOST: usize = 1 << 22;

/// Partial results: the sums of the copies, one copy after another, and what was rounded off them,
/// with a zero at its end.
const SUMS: usize = 0;
const ROUNDED: usize = 1;

/// The family.
pub struct ScatterCopies;

parameters! {
    /// How many copies there are.
    Count {
        copies: u32,
    }
}

/// A sum of floats by copies.
struct Anchor(ScatterProblem, &'static CopyModel);

impl Family for ScatterCopies {
    fn name(&self) -> &'static str {
        "scatter-copies"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Count::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let model = problem.model().scatter.copies.as_ref()?;
        let scatter = scatter(problem).filter(ScatterProblem::is_float_sum)?;
        let (updates, size) = (scatter.updates.size(), scatter.shape.size());
        let is_short = updates.div_ceil(COPIES[0] as usize * TOGETHER) <= LONGEST_WALK
            && COPIES[COPIES.len() - 1] as usize * size <= MOST;
        let is_one = scatter.indices.size() == 1;
        (is_short && !is_one && updates > 0 && size > 0)
            .then(|| Box::new(Anchor(scatter, model)) as Box<dyn Anchored>)
    }
}

impl Lowering for Anchor {
    type Candidate = Count;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Count> {
        COPIES.into_iter().map(|copies| Count { copies }).collect()
    }

    fn cost(&self, problem: &Problem<'_>, Count { copies }: Count) -> f64 {
        let CopyModel { update, element } = *self.1;
        let elements = copies as usize * self.0.shape.size();
        let work = update * self.0.updates.size() as f64 + element * elements as f64;
        work + 3.0 * problem.model().scatter.dispatch
    }

    fn lower(&self, problem: &Problem<'_>, Count { copies }: Count) -> Lowered {
        Copies { scatter: &self.0, copies: copies as usize }.lower(problem)
    }
}

/// Copies of the tensor that is added to.
struct Copies<'a> {
    scatter: &'a ScatterProblem,
    copies: usize,
}

/// Deferred: few first programs scatter at length.
impl Copies<'_> {
    #[inline(never)]
    fn lower(&self, problem: &Problem<'_>) -> Lowered {
        let words = self.copies * self.scatter.shape.size();
        let zero = Literal::zero(DType::F32);
        let stages = vec![
            self.scatter.fill(problem, &[(words, zero), (words + 1, zero)]),
            self.walk(problem),
            self.scatter.finish(problem, |eval, _, i, base| {
                let sum = self.sum(eval, i);
                eval.b.binary(BinaryOp::Add, base, sum)
            }),
        ];
        Lowered { stages, partials: vec![4 * words as u64, 4 * (words as u64 + 1)] }
    }

    /// An invocation for each copy, which adds a run of updates to it.
    fn walk(&self, problem: &Problem<'_>) -> Stage {
        let (count, size) = (self.scatter.updates.size(), self.scatter.shape.size());
        let turns = count.div_ceil(self.copies * TOGETHER);
        let run = turns * TOGETHER;
        problem.stage(&problem.name("scatter, copies"), WORKGROUP, |eval| {
            let grid = grid(self.copies / WORKGROUP as usize, problem.limits);
            let (copy, outer) = each_invocation(eval, "copy", self.copies, WORKGROUP, grid);
            let exact = self.copies * run == count;
            eval.vectorized = exact;
            let both = CompensatedSums::new(eval, Space::ReadWrite, self.copies * size);
            let (first, own) = (eval.b.index_scale(copy, run as i64), eval.b.index_scale(copy, size as i64));
            eval.each("turn", turns, |eval, turn| {
                let ahead = eval.b.index_scale(turn, TOGETHER as i64);
                let start = eval.b.index_add(first, ahead);
                for next in 0..TOGETHER {
                    let number = eval.b.index_offset(start, next as i64);
                    // Without a name its place among four is known.
                    let number = if exact { number } else { eval.b.index_bind("update", number) };
                    let inside = guard(eval, number, count, self.copies * run);
                    if inside.is_some() {
                        eval.b.index.set_range(number, 0, count as i64 - 1);
                    }
                    let at = eval.b.unravel(number, &self.scatter.updates);
                    let value = self.scatter.update(eval, &at);
                    self.scatter.at_place(eval, &at, |eval, place| {
                        let place = eval.b.index_add(own, place);
                        let [sum, before] = both.load(eval, place);
                        let (sum, off) = both.sum_of_two(eval, sum, value);
                        let off = eval.b.binary(BinaryOp::Add, before, off);
                        eval.b.push(Stmt::Store(both.sums, place, sum));
                        eval.b.push(Stmt::Store(both.rounded, place, off));
                    });
                    close_guard(eval, inside);
                }
            });
            eval.vectorized = false;
            close_guard(eval, outer);
            grid
        })
    }

    /// What the copies of an element add up to.
    fn sum(&self, eval: &mut Evaluator<'_>, i: ExprId) -> ExprId {
        let size = self.scatter.shape.size();
        let both = CompensatedSums::new(eval, Space::Read, self.copies * size);
        let zero = eval.b.literal(Literal::zero(DType::F32));
        let (whole, off) = (eval.b.var("whole", zero), eval.b.var("off", zero));
        eval.each("copy", self.copies, |eval, copy| {
            let own = eval.b.index_scale(copy, size as i64);
            let at = eval.b.index_add(own, i);
            let [sum, before] = both.load(eval, at);
            let so_far = eval.b.read(whole);
            let so_far = eval.b.bind_anew("so_far", so_far);
            let (sum, more) = both.sum_of_two(eval, so_far, sum);
            let all = eval.b.read(off);
            let all = eval.b.binary(BinaryOp::Add, all, before);
            let all = eval.b.binary(BinaryOp::Add, all, more);
            eval.b.push(Stmt::Assign(whole, sum));
            eval.b.push(Stmt::Assign(off, all));
        });
        let (whole, off) = (eval.b.read(whole), eval.b.read(off));
        let all = eval.b.binary(BinaryOp::Add, whole, off);
        // Of infinities nothing is rounded off that were a number.
        let exponent = exponent_of(eval, whole);
        let limit = eval.b.literal(Literal::U32(NOT_FINITE));
        let finite = eval.b.binary(BinaryOp::Lt, exponent, limit);
        eval.b.select(finite, all, whole)
    }
}

/// The sums of all copies, what was rounded off them, and a zero that no compiler knows to be one.
struct CompensatedSums {
    sums: ArrayId,
    rounded: ArrayId,
    zero: ExprId,
}

/// Deferred: few first programs scatter at length.
impl CompensatedSums {
    fn new(eval: &mut Evaluator<'_>, space: Space, words: usize) -> CompensatedSums {
        let [sums, rounded] =
            [SUMS, ROUNDED].map(|number| eval.array(Binding::Partial(number), DType::F32, space));
        let end = eval.b.index_const(words as i64);
        let zero = eval.b.expr(Expr::Load(rounded, end));
        let zero = eval.b.expr(Expr::Bitcast(DType::U32, zero));
        CompensatedSums { sums, rounded, zero: eval.b.bind("zero", zero) }
    }

    fn load(&self, eval: &mut Evaluator<'_>, at: ExprId) -> [ExprId; 2] {
        [self.sums, self.rounded].map(|array| {
            let word = eval.b.expr(Expr::Load(array, at));
            eval.b.bind_anew("sum", word)
        })
    }

    /// The sum of two floats and what was rounded off it, which is exact.
    fn sum_of_two(&self, eval: &mut Evaluator<'_>, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let sum = eval.b.binary(BinaryOp::Add, a, b);
        let sum = self.hide(eval, "added", sum);
        let of_b = eval.b.binary(BinaryOp::Sub, sum, a);
        let of_b = self.hide(eval, "part", of_b);
        let of_a = eval.b.binary(BinaryOp::Sub, sum, of_b);
        let (off_a, off_b) = (eval.b.binary(BinaryOp::Sub, a, of_a), eval.b.binary(BinaryOp::Sub, b, of_b));
        (sum, eval.b.binary(BinaryOp::Add, off_a, off_b))
    }

    /// A number of which compilers, which may reassociate, cannot tell that it is a sum.
    fn hide(&self, eval: &mut Evaluator<'_>, name: &str, number: ExprId) -> ExprId {
        let bits = eval.b.expr(Expr::Bitcast(DType::U32, number));
        let bits = eval.b.binary(BinaryOp::Or, bits, self.zero);
        let number = eval.b.expr(Expr::Bitcast(DType::F32, bits));
        eval.b.bind_anew(name, number)
    }
}
