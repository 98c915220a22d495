//! Levels of reductions, and an invocation's walk over its share of a row, which takes the elements
//! at its positions into accumulators.

use super::block_sums::in_blocks;
use crate::family::Problem;
use crate::lower::accumulate::{Accumulator, Partial};
use crate::lower::eval::{Evaluator, interleave};
use crate::lower::positions::Positions;
use weft_ir::kernel::{Expr, ExprId};
use weft_ir::op::{Op, ReduceOp, View};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Shape};

/// Iterations of a loop over a row that are written out, so that their loads are in flight
/// together.
pub(crate) const UNROLLED: usize = 8;
/// Operations that may be written out for them.
pub(crate) const MOST_WRITTEN: usize = 160;

/// How a cluster of reductions is walked.
pub(crate) struct Reductions {
    /// Extents of what is reduced.
    pub shape: Shape,
    /// The reduced axes.
    pub axes: Vec<usize>,
    /// Extents of the other axes: one row for each of their positions.
    pub kept: Shape,
    /// Extents of the reduced axes.
    pub reduced: Shape,
    /// The reductions, level by level.
    pub levels: Vec<Vec<ProgramId>>,
    /// Outputs with one element per row.
    pub row_outputs: Vec<ProgramId>,
    /// Outputs as large as the shape.
    pub full_outputs: Vec<ProgramId>,
}

impl Reductions {
    /// Whether the elements of a row lie apart in memory, and those of neighbouring rows side by
    /// side.
    pub fn is_strided(&self) -> bool {
        !self.axes.contains(&(self.shape.rank() - 1))
    }
}

pub(crate) fn reduction(eval: &Evaluator<'_>, id: ProgramId) -> (ReduceOp, ProgramId, DType) {
    let node = &eval.program[id];
    let Op::Reduce { op, .. } = node.op else { unreachable!("levels hold reductions") };
    (op, node.inputs[0], eval.program[node.inputs[0]].dtype)
}

/// Accumulators for a walk of a level from `first` on, or, without, of partial results in any
/// order.
pub(crate) fn accumulators(
    eval: &mut Evaluator<'_>,
    level: &[ProgramId],
    first: Option<ExprId>,
) -> Vec<Accumulator> {
    level
        .iter()
        .map(|&id| {
            let (op, _, dtype) = reduction(eval, id);
            match first {
                Some(first) => Accumulator::in_order(&mut eval.b, op, dtype, first),
                None => Accumulator::new(&mut eval.b, op, dtype),
            }
        })
        .collect()
}

/// Takes element `j` of each row into its accumulators.
pub(crate) fn take_element(
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    level: &[ProgramId],
    accumulators: &[Vec<Accumulator>],
    rows: &[Vec<ExprId>],
    j: ExprId,
) {
    let inner = eval.b.unravel(j, &reductions.reduced);
    for (at, accumulators) in rows.iter().zip(accumulators) {
        let full = interleave(at, &inner, &reductions.axes);
        for (&id, accumulator) in level.iter().zip(accumulators) {
            let (op, input, _) = reduction(eval, id);
            let value = eval.value(input, &full);
            accumulator.update_in_order(&mut eval.b, Partial { value, position: op.is_arg().then_some(j) });
        }
    }
}

/// How a row is walked: the positions, each of a number of neighbouring elements.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    pub(crate) positions: Positions,
    pub(crate) each: u32,
}

impl Walk {
    /// What an invocation takes of a row of which so many invocations, `stride`, have one position
    /// in each iteration.
    pub(crate) fn new(
        problem: &Problem<'_>,
        reductions: &Reductions,
        first: ExprId,
        stride: u32,
        rows: u32,
        each: u32,
    ) -> Walk {
        let length = reductions.reduced.size() / each as usize;
        Walk { positions: Positions { first, length, stride, unroll: unrolled(problem, rows * each) }, each }
    }

    /// The first element.
    pub(crate) fn first(&self, eval: &mut Evaluator<'_>) -> ExprId {
        eval.b.index_scale(self.positions.first, i64::from(self.each))
    }

    /// Calls `take` for the elements of a position, in order.
    pub(crate) fn of(
        &self,
        eval: &mut Evaluator<'_>,
        position: ExprId,
        take: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let first = eval.b.index_scale(position, i64::from(self.each));
        for number in 0..self.each {
            let element = eval.b.index_offset(first, i64::from(number));
            take(eval, element);
        }
    }
}

/// Computes before all loops what is one number for all elements, where a device does in each
/// iteration what is written there.
pub(crate) fn numbers_first(eval: &mut Evaluator<'_>, problem: &Problem<'_>, reductions: &Reductions) {
    // Of a single row what it is reduced to is such a number, and is not there yet.
    let is_single = reductions.kept.size() == 1 && reductions.passes() > 1;
    if problem.model().hoists || is_single {
        return;
    }
    let program = problem.program;
    let mut numbers = Vec::new();
    problem.visit(&mut |id, is_loaded| {
        let (node, is_expanded) = (&program[id], matches!(program[id].op, Op::View(View::Expand(_))));
        if is_expanded && !is_loaded && node.shape.size() > 1 && program[node.inputs[0]].shape.size() == 1 {
            numbers.push(node.inputs[0]);
        }
    });
    let origin = eval.b.index_const(0);
    for number in numbers {
        let at = vec![origin; program[number].shape.rank()];
        let value = eval.value(number, &at);
        if matches!(eval.b.get(value), Expr::Binary(..)) {
            let value = eval.b.bind("number", value);
            eval.define(number, &at, value);
        }
    }
}

/// Walks an invocation's share of its rows into accumulators, a list for each row.
pub(crate) fn walk_level(
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    level: &[ProgramId],
    rows: &[Vec<ExprId>],
    walk: Walk,
) -> Vec<Vec<Accumulator>> {
    let first = walk.first(eval);
    let wholes: Vec<Vec<Accumulator>> = rows.iter().map(|_| accumulators(eval, level, Some(first))).collect();
    in_blocks(eval, &wholes, walk.positions, walk.each, &mut |eval, parts, position| {
        walk.of(eval, position, &mut |eval, j| take_element(eval, reductions, level, parts, rows, j));
    });
    wholes
}

/// Iterations that are written out, by the operations of an element.
fn unrolled(problem: &Problem<'_>, rows: u32) -> usize {
    let operations = problem.written().max(1) * rows as usize;
    [UNROLLED, 4, 2].into_iter().find(|iterations| iterations * operations <= MOST_WRITTEN).unwrap_or(1)
}

/// Tells the evaluator what a level has come to.
pub(crate) fn define(eval: &mut Evaluator<'_>, level: &[ProgramId], at: &[ExprId], results: &[Partial]) {
    for (&id, result) in level.iter().zip(results) {
        let value = eval.b.bind("total", result.position.unwrap_or(result.value));
        eval.define(id, at, value);
    }
}
