//! Sums of rows whose places come in ascending order, as an embedding's gradient is: without
//! atomics, and the same bits in every run.
//!
//! The updates are cut into pieces of a few. An invocation walks a column of a piece and sums each
//! run of updates to one place. A run within the piece is done; of one that began before
//! the head is kept, and of one that goes on the tail. A second kernel adds to each tail the heads
//! behind it (a segmented reduction: S. Sengupta et al., "Scan Primitives for GPU Computing", 2007,
//! §3). A third adds what was there before.
//!
//! No invocation waits for another: each kernel reads what an earlier one wrote.

use super::{ScatterProblem, scatter};
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, each_invocation, grid};
use crate::family::store::store_all;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, LocalId, Space, Stmt, UnaryOp};
use weft_ir::op::{Op, ScatterOp};
use weft_ir::{DType, Literal, Shape};

const WORKGROUP: u32 = 256;
/// Updates of a piece.
const PIECE: usize = 32;

/// Partial results: whether a place was met, its sum, and heads and tails of pieces.
const MET: usize = 0;
const SUMS: usize = 1;
const HEADS: usize = 2;
const TAILS: usize = 3;

/// The family.
pub struct SortedScatter;

parameters! {
    /// How invocations are dispatched.
    Workgroup {
        /// Invocations of a workgroup.
        workgroup: u32,
    }
}

/// A scatter along axis 0 in ascending order.
///
/// Deferred: few first programs scatter at length.
struct Runs {
    scatter: ScatterProblem,
    /// Updates, elements of each, places, and pieces.
    count: usize,
    width: usize,
    places: usize,
    pieces: usize,
}

impl Family for SortedScatter {
    fn name(&self) -> &'static str {
        "sorted-scatter"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Workgroup::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let scatter = scatter(problem)?;
        let program = problem.program;
        // As `simplify/index.rs` leaves it: looked up by the order that was found.
        let stored = &program[scatter.inputs[1]];
        let Op::Cut = stored.op else { return None };
        let found = &program[stored.inputs[0]];
        let Op::Gather { axis: 0 } = found.op else { return None };
        let is_ordered = matches!(program[found.inputs[1]].op, Op::ArgSort { axis: 0, .. });
        let sums = scatter.op == ScatterOp::Add && scatter.dtype == DType::F32;
        if !is_ordered
            || !sums
            || scatter.axis != 0
            || scatter.indices.rank() != 1
            || scatter.updates.size() == 0
        {
            return None;
        }
        let count = scatter.indices.size();
        let (width, places) = (scatter.updates.size() / count, scatter.shape[0]);
        Some(Box::new(Runs { scatter, count, width, places, pieces: count.div_ceil(PIECE) }))
    }
}

impl Lowering for Runs {
    type Candidate = Workgroup;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Workgroup> {
        Candidates::one(Workgroup { workgroup: WORKGROUP })
    }

    fn cost(&self, problem: &Problem<'_>, _: Workgroup) -> f64 {
        problem.model().scatter.sorted * (self.count * self.width + self.scatter.shape.size()) as f64
    }

    fn lower(&self, problem: &Problem<'_>, _: Workgroup) -> Lowered {
        let none = Literal::U32(0);
        let stages = vec![
            self.scatter.fill(problem, &[(self.places, none)]),
            self.walk_pieces(problem),
            self.join_pieces(problem),
            self.finish(problem),
        ];
        let ends = (self.pieces * self.width * 4) as u64;
        Lowered {
            stages,
            partials: vec![self.places as u64 * 4, self.scatter.shape.size() as u64 * 4, ends, ends],
        }
    }
}

/// A column of a piece.
struct Column {
    piece: ExprId,
    /// The number of the column, and where it is in an update.
    number: ExprId,
    /// The first update of the piece.
    first: ExprId,
}

impl Runs {
    /// An invocation for each column of each piece.
    fn each_column(
        &self,
        problem: &Problem<'_>,
        name: &str,
        write: impl FnOnce(&mut Evaluator<'_>, &Column),
    ) -> Stage {
        let invocations = self.pieces * self.width;
        problem.stage(name, WORKGROUP, |eval| {
            let grid = grid(invocations.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", invocations, WORKGROUP, grid);
            let (piece, number) =
                (eval.b.index_div(i, self.width as i64), eval.b.index_rem(i, self.width as i64));
            let (piece, number) = (eval.b.index_bind("piece", piece), eval.b.index_bind("column", number));
            let first = eval.b.index_scale(piece, PIECE as i64);
            let first = eval.b.index_bind("first", first);
            write(eval, &Column { piece, number, first });
            close_guard(eval, guard);
            grid
        })
    }

    /// The place of an update, at a position that lies within them.
    fn place_of(&self, eval: &mut Evaluator<'_>, position: ExprId) -> ExprId {
        let place = eval.value(self.scatter.inputs[1], &[position]);
        let place = eval.b.cast(DType::I32, place);
        eval.b.bind_anew("place", place)
    }

    /// The place of the update before the piece's first or behind its last, and whether there is
    /// none.
    fn neighbour(&self, eval: &mut Evaluator<'_>, first: ExprId, offset: i64) -> (ExprId, ExprId) {
        let at = eval.b.index_offset(first, offset);
        let bound = eval.b.index_const(if offset < 0 { 0 } else { self.count as i64 });
        let is_none = eval.b.binary(if offset < 0 { BinaryOp::Lt } else { BinaryOp::Ge }, at, bound);
        let (least, most) = (eval.b.index_const(0), eval.b.index_const(self.count as i64 - 1));
        let at = eval.b.binary(BinaryOp::Max, at, least);
        let at = eval.b.binary(BinaryOp::Min, at, most);
        let at = eval.b.bind_anew("at", at);
        eval.b.index.set_range(at, 0, self.count as i64 - 1);
        (self.place_of(eval, at), is_none)
    }

    fn walk_pieces(&self, problem: &Problem<'_>) -> Stage {
        self.each_column(problem, "scatter, pieces of runs", |eval, column| {
            let begins = self.place_of(eval, column.first);
            let (before, none) = self.neighbour(eval, column.first, -1);
            let other = eval.b.binary(BinaryOp::Ne, before, begins);
            let begun = eval.b.binary(BinaryOp::Or, none, other);
            let zero = eval.b.literal(Literal::F32(0.0));
            let (sum, place, begun) =
                (eval.b.var("sum", zero), eval.b.var("run", begins), eval.b.var("begun", begun));
            eval.each("n", PIECE, |eval, n| {
                let at = eval.b.index_add(column.first, n);
                let at = eval.b.index_bind("at", at);
                let end = eval.b.index_const(self.count as i64);
                let inside = eval.b.binary(BinaryOp::Lt, at, end);
                let guard = (!self.count.is_multiple_of(PIECE)).then_some(inside);
                if guard.is_some() {
                    eval.open();
                }
                eval.b.index.set_range(at, 0, self.count as i64 - 1);
                let next = self.place_of(eval, at);
                let now = eval.b.read(place);
                let ends = eval.b.binary(BinaryOp::Ne, now, next);
                eval.open();
                self.close_run(eval, column, [sum, place], begun, None);
                eval.b.push(Stmt::Assign(sum, zero));
                eval.b.push(Stmt::Assign(place, next));
                let yes = eval.b.literal(Literal::Bool(true));
                eval.b.push(Stmt::Assign(begun, yes));
                eval.forget();
                eval.b.close_if(ends);
                let inner = self.inner(eval, column);
                let value = eval.value(self.scatter.inputs[2], &[&[at], &inner[..]].concat());
                let now = eval.b.read(sum);
                let more = eval.b.binary(BinaryOp::Add, now, value);
                eval.b.push(Stmt::Assign(sum, more));
                close_guard(eval, guard);
            });
            let (behind, none) = self.neighbour(eval, column.first, PIECE as i64);
            let last = eval.b.read(place);
            let other = eval.b.binary(BinaryOp::Ne, behind, last);
            let ended = eval.b.binary(BinaryOp::Or, none, other);
            self.close_run(eval, column, [sum, place], begun, Some(ended));
        })
    }

    /// Stores the sum of a run that ends here, or may go on in the next piece: what began in an
    /// earlier one is a head.
    fn close_run(
        &self,
        eval: &mut Evaluator<'_>,
        column: &Column,
        [sum, place]: [LocalId; 2],
        begun: LocalId,
        ended: Option<ExprId>,
    ) {
        let end = self.end_of(eval, column);
        let (sum, begun) = (eval.b.read(sum), eval.b.read(begun));
        let head = eval.b.unary(UnaryOp::Not, begun);
        eval.open();
        let heads = self.array(eval, HEADS, Space::ReadWrite);
        eval.b.push(Stmt::Store(heads, end, sum));
        eval.forget();
        eval.b.close_if(head);
        if let Some(ended) = ended {
            let not_ended = eval.b.unary(UnaryOp::Not, ended);
            let tail = eval.b.binary(BinaryOp::And, begun, not_ended);
            eval.open();
            let tails = self.array(eval, TAILS, Space::ReadWrite);
            eval.b.push(Stmt::Store(tails, end, sum));
            eval.forget();
            eval.b.close_if(tail);
        }
        let whole = ended.map_or(begun, |ended| eval.b.binary(BinaryOp::And, begun, ended));
        eval.open();
        let place = eval.b.read(place);
        self.store_sum(eval, column, place, sum);
        eval.forget();
        eval.b.close_if(whole);
    }

    /// Stores what a place's updates add up to, unless there is no such place.
    fn store_sum(&self, eval: &mut Evaluator<'_>, column: &Column, place: ExprId, sum: ExprId) {
        let places = eval.b.index_const(self.places as i64);
        let place = eval.b.bind_anew("place", place);
        let inside = eval.b.binary(BinaryOp::Lt, place, places);
        eval.open();
        eval.b.index.set_range(place, 0, self.places as i64 - 1);
        let row = eval.b.index_scale(place, self.width as i64);
        let at = eval.b.index_add(row, column.number);
        let sums = self.array(eval, SUMS, Space::ReadWrite);
        eval.b.push(Stmt::Store(sums, at, sum));
        let zero = eval.b.index_const(0);
        let first = eval.b.binary(BinaryOp::Eq, column.number, zero);
        eval.open();
        let met = eval.array(Binding::Partial(MET), DType::U32, Space::ReadWrite);
        let one = eval.b.literal(Literal::U32(1));
        eval.b.push(Stmt::Store(met, place, one));
        eval.forget();
        eval.b.close_if(first);
        eval.forget();
        eval.b.close_if(inside);
    }

    /// Adds to each tail the heads behind it that are of its run.
    fn join_pieces(&self, problem: &Problem<'_>) -> Stage {
        self.each_column(problem, "scatter, runs of pieces", |eval, column| {
            let last = eval.b.index_offset(column.first, PIECE as i64 - 1);
            let most = eval.b.index_const(self.count as i64 - 1);
            let last = eval.b.binary(BinaryOp::Min, last, most);
            let last = eval.b.bind_anew("last", last);
            eval.b.index.set_range(last, 0, self.count as i64 - 1);
            let place = self.place_of(eval, last);
            let (behind, none) = self.neighbour(eval, column.first, PIECE as i64);
            let same = eval.b.binary(BinaryOp::Eq, behind, place);
            let some = eval.b.unary(UnaryOp::Not, none);
            let goes_on = eval.b.binary(BinaryOp::And, same, some);
            let (before, none) = self.neighbour(eval, column.first, -1);
            let other = eval.b.binary(BinaryOp::Ne, before, place);
            let begun = eval.b.binary(BinaryOp::Or, none, other);
            let has_tail = eval.b.binary(BinaryOp::And, goes_on, begun);
            eval.open();
            let end = self.end_of(eval, column);
            let tails = self.array(eval, TAILS, Space::Read);
            let tail = eval.b.expr(Expr::Load(tails, end));
            let zero = eval.b.literal(Literal::F32(0.0));
            // Heads are added up in blocks of about √n, which rounds less.
            let (sum, part) = (eval.b.var("sum", tail), eval.b.var("part", zero));
            let block = self.pieces.isqrt().next_power_of_two() as i64;
            let add_part = |eval: &mut Evaluator<'_>| {
                let (now, more) = (eval.b.read(sum), eval.b.read(part));
                let next = eval.b.binary(BinaryOp::Add, now, more);
                eval.b.push(Stmt::Assign(sum, next));
            };
            eval.each("n", self.pieces, |eval, n| {
                let next = eval.b.index_add(column.piece, n);
                let next = eval.b.index_offset(next, 1);
                let next = eval.b.index_bind("next", next);
                let pieces = eval.b.index_const(self.pieces as i64);
                let past = eval.b.binary(BinaryOp::Ge, next, pieces);
                eval.open();
                eval.b.push(Stmt::Break);
                eval.forget();
                eval.b.close_if(past);
                eval.b.index.set_range(next, 0, self.pieces as i64 - 1);
                let first = eval.b.index_scale(next, PIECE as i64);
                let its = self.place_of(eval, first);
                let other = eval.b.binary(BinaryOp::Ne, its, place);
                eval.open();
                eval.b.push(Stmt::Break);
                eval.forget();
                eval.b.close_if(other);
                let row = eval.b.index_scale(next, self.width as i64);
                let at = eval.b.index_add(row, column.number);
                let heads = self.array(eval, HEADS, Space::Read);
                let head = eval.b.expr(Expr::Load(heads, at));
                let now = eval.b.read(part);
                let more = eval.b.binary(BinaryOp::Add, now, head);
                eval.b.push(Stmt::Assign(part, more));
                let (place, last) = (eval.b.index_rem(n, block), eval.b.index_const(block - 1));
                let is_last = eval.b.binary(BinaryOp::Eq, place, last);
                eval.open();
                add_part(eval);
                eval.b.push(Stmt::Assign(part, zero));
                eval.forget();
                eval.b.close_if(is_last);
            });
            add_part(eval);
            let sum = eval.b.read(sum);
            self.store_sum(eval, column, place, sum);
            eval.forget();
            eval.b.close_if(has_tail);
        })
    }

    /// An invocation for each element: what was there, and its place's sum where it has one.
    fn finish(&self, problem: &Problem<'_>) -> Stage {
        let shape = &self.scatter.shape;
        problem.stage(&problem.name("scatter, result"), WORKGROUP, |eval| {
            let grid = grid(shape.size().div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", shape.size(), WORKGROUP, grid);
            let at = eval.b.unravel(i, shape);
            let base = eval.value(self.scatter.inputs[0], &at);
            let sums = self.array(eval, SUMS, Space::Read);
            let sum = eval.b.expr(Expr::Load(sums, i));
            let met = eval.array(Binding::Partial(MET), DType::U32, Space::Read);
            let met = eval.b.expr(Expr::Load(met, at[0]));
            let none = eval.b.literal(Literal::U32(0));
            let has = eval.b.binary(BinaryOp::Ne, met, none);
            let both = eval.b.binary(BinaryOp::Add, base, sum);
            let found = eval.b.select(has, both, base);
            let found = eval.b.bind_anew("found", found);
            eval.define(self.scatter.anchor, &at, found);
            store_all(eval, &problem.cluster().outputs, &at, &problem.cluster().domain.shape);
            close_guard(eval, guard);
            grid
        })
    }

    /// Where a column is in an update.
    fn inner(&self, eval: &mut Evaluator<'_>, column: &Column) -> Vec<ExprId> {
        let inner: Shape = self.scatter.updates[1..].to_vec().into();
        eval.b.unravel(column.number, &inner)
    }

    /// Where the head and the tail of a column of a piece are.
    fn end_of(&self, eval: &mut Evaluator<'_>, column: &Column) -> ExprId {
        let row = eval.b.index_scale(column.piece, self.width as i64);
        eval.b.index_add(row, column.number)
    }

    fn array(&self, eval: &mut Evaluator<'_>, number: usize, space: Space) -> ArrayId {
        eval.array(Binding::Partial(number), DType::F32, space)
    }
}
