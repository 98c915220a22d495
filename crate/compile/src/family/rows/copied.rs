//! Short rows that a workgroup copies into its memory in memory order, then reduces
//! a row to an invocation; results as long as the rows go back the same way. So a workgroup loads
//! and stores neighbours, whatever the rows' length.
//!
//! Which tensors that takes is found by evaluating an element on trial. Rows are an odd number of
//! words apart, so that simultaneous reads use different memory banks (as in G. Ruetsch
//! and P. Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009).

use super::cost::UNIT;
use super::reductions;
use super::walk::{Reductions, UNROLLED, Walk, define, reduction, walk_level};
use crate::device::SharedRowModel;
use crate::family::choice::parameters;
use crate::family::contract::bounded;
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::family::store::{store_all, values_at};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::{Evaluator, interleave};
use crate::lower::workgroup_copy::{WorkgroupCopy, offset_within};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal};

/// Longer rows have several invocations each.
const LONGEST: usize = 64;
/// Tensors that a workgroup may copy.
const MOST_COPIED: usize = 3;

/// The family.
pub struct CopiedRows;

parameters! {
    /// What a workgroup copies.
    Share {
        /// Rows, one to an invocation.
        copied: u32,
    }
}

/// Rows that could be copied.
///
/// Deferred: short rows need no copies.
struct Copies {
    reductions: Reductions,
    /// The tensors that are.
    nodes: Vec<ProgramId>,
    /// The dtypes of the arrays: of the tensors, then of the outputs that find no place where one
    /// was.
    arrays: Vec<DType>,
    /// The array that each full output goes back through.
    back: Vec<usize>,
    model: &'static SharedRowModel,
}

impl Family for CopiedRows {
    fn name(&self) -> &'static str {
        "copied-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Share::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let model = problem.model().rows.shared.as_ref()?;
        let is_short = |reductions: &Reductions| {
            let Reductions { shape, axes, kept, reduced, .. } = reductions;
            let are_last = axes.iter().copied().eq(kept.rank()..shape.rank());
            let is_short = are_last && (2..=LONGEST).contains(&reduced.size());
            is_short && shape.size() as u64 >= problem.limits.least_copied
        };
        copies(problem, reductions(problem).filter(is_short)?, model)
    }
}

/// What of many short rows may be copied, if any.
///
/// Deferred: short rows need no copies.
#[inline(never)]
fn copies<'a>(
    problem: &Problem<'a>,
    reductions: Reductions,
    model: &'static SharedRowModel,
) -> Option<Box<dyn Anchored + 'a>> {
    let nodes = copied(problem, &reductions).filter(|nodes| (1..=MOST_COPIED).contains(&nodes.len()))?;
    let dtype = |id: &ProgramId| storage_dtype(problem.program[*id].dtype);
    let mut arrays: Vec<DType> = nodes.iter().map(dtype).collect();
    let mut back: Vec<usize> = Vec::new();
    for wanted in reductions.full_outputs.iter().map(dtype) {
        let free = (0..arrays.len()).find(|at| arrays[*at] == wanted && !back.contains(at));
        back.push(free.unwrap_or(arrays.len()));
        if free.is_none() {
            arrays.push(wanted);
        }
    }
    Some(Box::new(Copies { reductions, nodes, arrays, back, model }))
}

/// The tensors of which a row's elements are read that lie where the row does; `None` where what
/// follows the reductions reads others than its own of them.
fn copied(problem: &Problem<'_>, reductions: &Reductions) -> Option<Vec<ProgramId>> {
    let program = problem.program;
    let (size, length) = (reductions.shape.size(), reductions.reduced.size());
    let (mut nodes, mut only_own) = (Vec::new(), true);
    problem.stage("", 1, |eval| {
        let row = eval.b.counter("row", reductions.kept.size() as i64).1;
        let j = eval.b.counter("j", length as i64).1;
        let (at, inner) = (eval.b.unravel(row, &reductions.kept), eval.b.unravel(j, &reductions.reduced));
        let full = interleave(&at, &inner, &reductions.axes);
        let start = eval.b.index_scale(row, length as i64);
        for &id in reductions.levels.iter().flatten() {
            // Any value will do that is not known.
            let nothing = eval.b.literal(Literal::zero(program[id].dtype));
            let unknown = eval.b.var("any", nothing);
            let unknown = eval.b.read(unknown);
            eval.define(id, &at, unknown);
        }
        // What follows forgets what the levels read, as it does in the kernel.
        eval.open();
        for &id in reductions.levels.iter().flatten() {
            let input = reduction(eval, id).1;
            eval.value(input, &full);
        }
        eval.forget();
        eval.b.close();
        let before = eval.reached.len();
        eval.open();
        values_at(eval, &reductions.full_outputs, &full, &reductions.shape, false);
        eval.forget();
        eval.b.close();
        for (number, (node, place)) in std::mem::take(&mut eval.reached).into_iter().enumerate() {
            let flat = eval.b.ravel(&place, &program[node].shape);
            let offset = offset_within(&mut eval.b, flat, start, length);
            let Some(offset) = offset.filter(|_| program[node].shape.size() == size) else { continue };
            only_own &= number < before || offset == j;
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        [1; 3]
    });
    (only_own || reductions.full_outputs.is_empty()).then_some(nodes)
}

impl Copies {
    /// Words from one row to the next.
    fn stride(&self) -> usize {
        self.reductions.reduced.size() | 1
    }
}

impl Lowering for Copies {
    type Candidate = Share;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Share> {
        let words = self.stride() * self.arrays.len();
        let fits = |&rows: &u32| {
            rows <= problem.limits.invocations
                && 4 * rows as usize * words <= problem.limits.workgroup_bytes as usize
        };
        [64, 128, 256].into_iter().filter(fits).map(|copied| Share { copied }).collect()
    }

    fn cost(&self, problem: &Problem<'_>, _: Share) -> f64 {
        let (elements, passes) = (self.reductions.shape.size() as f64, self.reductions.passes() as f64);
        let copies = self.nodes.len() as f64;
        let SharedRowModel { copied, found, copied_at_once, .. } = *self.model;
        let computed =
            passes * elements * problem.operations() as f64 / (problem.model().rows.operations * UNIT);
        UNIT * (elements / copied_at_once * copies * (copied + found * passes) + computed)
    }

    fn lower(&self, problem: &Problem<'_>, Share { copied }: Share) -> Lowered {
        Lowered { stages: vec![lower(problem, self, copied)], partials: Vec::new() }
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, copies: &Copies, workgroup: u32) -> Stage {
    let Copies { reductions, nodes, arrays, back, .. } = copies;
    let (rows, length) = (reductions.kept.size(), reductions.reduced.size());
    let (stride, per) = (copies.stride(), workgroup as usize * length);
    problem.stage(&problem.name("copied rows"), workgroup, |eval| {
        let workgroups = rows.div_ceil(workgroup as usize);
        let grid = grid(workgroups, problem.limits);
        let (number, lane, guard) = each_workgroup(eval, "block", workgroups, workgroup, grid);
        let space = Space::Workgroup(workgroup * stride as u32);
        let arrays: Vec<ArrayId> = arrays.iter().map(|&dtype| eval.b.array("copied", dtype, space)).collect();
        let first = eval.b.index_scale(number, per as i64);
        let block = Block {
            lane,
            first,
            workgroup,
            length,
            stride,
            is_whole: rows.is_multiple_of(workgroup as usize),
        };
        block.each(eval, |eval, elements| {
            // All are on their way before the first is put down.
            let mut copied = Vec::new();
            for &element in elements {
                let place = block.place(eval, element);
                let flat = block.flat(eval, element);
                let flat = bounded(eval, "flat", flat, rows * length, block.is_whole);
                for (&node, &array) in nodes.iter().zip(&arrays) {
                    let at = eval.b.unravel(flat.at, &eval.program[node].shape);
                    let value = eval.value(node, &at);
                    copied.push(Stmt::Store(array, place, eval.b.to_storage(value)));
                }
            }
            copied.into_iter().for_each(|store| eval.b.push(store));
        });
        eval.b.push(Stmt::Barrier);
        let before = eval.b.index_scale(number, i64::from(workgroup));
        let row = eval.b.index_add(before, lane);
        let row = bounded(eval, "row", row, rows, block.is_whole);
        let at = eval.b.unravel(row.at, &reductions.kept);
        let start = eval.b.index_scale(row.at, length as i64);
        let place = eval.b.index_scale(lane, stride as i64);
        eval.copied = nodes
            .iter()
            .zip(&arrays)
            .map(|(&node, &array)| WorkgroupCopy { node, array, start, length, place })
            .collect();
        let none = eval.b.index_const(0);
        let walk = Walk::new(problem, reductions, none, 1, 1, 1);
        for level in &reductions.levels {
            let accumulators = walk_level(eval, reductions, level, std::slice::from_ref(&at), walk);
            let results: Vec<_> = accumulators[0].iter().map(|a| a.partial(&mut eval.b)).collect();
            define(eval, level, &at, &results);
        }
        if !reductions.row_outputs.is_empty() {
            if row.inside.is_some() {
                eval.open();
            }
            store_all(eval, &reductions.row_outputs, &at, &reductions.kept);
            close_guard(eval, row.inside);
        }
        if !reductions.full_outputs.is_empty() {
            walk.positions.each(eval, "j", &mut |eval, j| {
                let inner = eval.b.unravel(j, &reductions.reduced);
                let full = interleave(&at, &inner, &reductions.axes);
                let values = values_at(eval, &reductions.full_outputs, &full, &reductions.shape, true);
                let place = eval.b.index_add(place, j);
                for (value, &array) in values.into_iter().zip(back) {
                    let value = eval.b.to_storage(value);
                    eval.b.push(Stmt::Store(arrays[array], place, value));
                }
            });
            eval.b.push(Stmt::Barrier);
            block.each(eval, |eval, elements| {
                for &element in elements {
                    let place = block.place(eval, element);
                    let flat = block.flat(eval, element);
                    let flat = eval.b.index_bind("flat", flat);
                    let inside = block.inside(eval, flat, rows * length);
                    for (&node, &array) in reductions.full_outputs.iter().zip(back) {
                        let value = eval.b.expr(Expr::Load(arrays[array], place));
                        let value = eval.b.bind("v", value);
                        let value = eval.b.from_storage(eval.program[node].dtype, value);
                        eval.store(node, flat, value);
                    }
                    close_guard(eval, inside);
                }
            });
        }
        close_guard(eval, guard);
        grid
    })
}

/// The rows of a workgroup, an element of them for each invocation in every turn.
struct Block {
    lane: ExprId,
    /// The row-major position of their first element.
    first: ExprId,
    workgroup: u32,
    length: usize,
    stride: usize,
    /// Whether every workgroup has all its rows.
    is_whole: bool,
}

impl Block {
    /// Calls `body` with the numbers, among the block's elements, of those that are this
    /// invocation's, several at a time.
    fn each(&self, eval: &mut Evaluator<'_>, body: impl Fn(&mut Evaluator<'_>, &[ExprId])) {
        let elements = |eval: &mut Evaluator<'_>, first: ExprId, count: usize| -> Vec<ExprId> {
            let turns = (0..count as i64).map(|turn| {
                let turn = eval.b.index_offset(first, turn);
                let before = eval.b.index_scale(turn, i64::from(self.workgroup));
                let element = eval.b.index_add(before, self.lane);
                eval.b.index_bind("e", element)
            });
            turns.collect()
        };
        let looped = if self.length < 2 * UNROLLED { 0 } else { self.length / UNROLLED };
        if looped > 0 {
            eval.each("turns", looped, |eval, number| {
                let first = eval.b.index_scale(number, UNROLLED as i64);
                let elements = elements(eval, first, UNROLLED);
                body(eval, &elements);
            });
        }
        let done = looped * UNROLLED;
        if done < self.length {
            let first = eval.b.index_const(done as i64);
            let elements = elements(eval, first, self.length - done);
            body(eval, &elements);
        }
    }

    /// Where an element is in an array.
    fn place(&self, eval: &mut Evaluator<'_>, element: ExprId) -> ExprId {
        if self.stride == self.length {
            return element;
        }
        let row = eval.b.index_div(element, self.length as i64);
        let more = eval.b.index_scale(row, (self.stride - self.length) as i64);
        eval.b.index_add(element, more)
    }

    /// Its row-major position, behind all where there are no more rows.
    fn flat(&self, eval: &mut Evaluator<'_>, element: ExprId) -> ExprId {
        eval.b.index_add(self.first, element)
    }

    /// Opens a block for a position that may lie behind the last.
    fn inside(&self, eval: &mut Evaluator<'_>, flat: ExprId, end: usize) -> Option<ExprId> {
        if self.is_whole {
            return None;
        }
        let end = eval.b.index_const(end as i64);
        let inside = eval.b.binary(BinaryOp::Lt, flat, end);
        eval.open();
        Some(inside)
    }
}
