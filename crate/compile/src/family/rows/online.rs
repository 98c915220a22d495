//! Online-softmax rows: a row's maximum and its sum of exponentials, found in one walk.
//!
//! Each invocation sums eˣ⁻ᵐ for the largest m that it has met (`online_softmax.rs`). Rows that fit
//! no registers are so read once less.

use super::layout::{RowLayout, RowShare, Scratch, team_of};
use super::online_softmax::Running;
use super::walk::{Reductions, Walk, accumulators, define, reduction, walk_level};
use super::{reductions, store_row_outputs};
use crate::device::SharedRowModel;
use crate::family::launch::close_guard;
use crate::family::store::store_all;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::accumulate::{Accumulator, Partial};
use crate::lower::eval::{Evaluator, interleave};
use weft_ir::kernel::{BinaryOp, ExprId, Function};
use weft_ir::op::{Binary, Op, ReduceOp, Unary, View};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal};

/// Elements that an invocation adds one after another at most: rounding grows with their number.
const MOST_ADDED: usize = 1024;

/// The family.
pub struct OnlineRows;

/// Rows whose second level is sums of exponentials.
struct Online {
    reductions: Reductions,
    sums: Vec<Exponentials>,
    model: &'static SharedRowModel,
}

/// A sum of e to the power of x − shift.
struct Exponentials {
    x: ProgramId,
    /// The same for all of a row.
    shift: ProgramId,
    /// The maximum of x, which is sought beside.
    largest: ProgramId,
}

impl Family for OnlineRows {
    fn name(&self) -> &'static str {
        "online-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        RowShare::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        // Software finds a row in its cache, and exponentials cost it more than loads.
        let model = problem.model().rows.shared.as_ref()?;
        let reductions = reductions(problem)?;
        let sums = reductions.levels.get(1)?.iter().map(|&sum| exponentials(problem, &reductions, sum));
        let sums = sums.collect::<Option<Vec<_>>>()?;
        Some(Box::new(Online { reductions, sums, model }))
    }
}

/// What a sum of the second level adds up, if that is exponentials of what the first level seeks
/// the maximum of.
fn exponentials(problem: &Problem<'_>, reductions: &Reductions, sum: ProgramId) -> Option<Exponentials> {
    let program = problem.program;
    let Op::Reduce { op: ReduceOp::Sum, .. } = program[sum].op else { return None };
    let exponential = &program[program[sum].inputs[0]];
    let Op::Unary(Unary::Exp) = exponential.op else { return None };
    let difference = &program[exponential.inputs[0]];
    let Op::Binary(Binary::Sub) = difference.op else { return None };
    let [x, shift] = difference.inputs[..] else { return None };
    let Op::View(View::Expand(_)) = program[shift].op else { return None };
    let below = &program[program[shift].inputs[0]].shape;
    let is_of_row = reductions.axes.iter().all(|&axis| below[axis] == 1);
    let is_maximum = |&id: &ProgramId| {
        let node = &program[id];
        matches!(node.op, Op::Reduce { op: ReduceOp::Max, .. }) && node.inputs[0] == x
    };
    let largest = *reductions.levels[0].iter().find(|id| is_maximum(id))?;
    (is_of_row && program[x].dtype == DType::F32).then_some(Exponentials { x, shift, largest })
}

impl Lowering for Online {
    type Candidate = RowShare;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<RowShare> {
        let length = self.reductions.reduced.size();
        let eaches = if self.reductions.has_vectors() { &[4, 1][..] } else { &[1] };
        // Rows whose elements lie apart are read with their neighbours or not at all; others, where
        // short, fit registers.
        let layout = match self.reductions.is_strided() {
            true => self.reductions.shared(problem, length as u32),
            false => [64, 128, 256, 512, 1024].map(RowLayout::alone).to_vec(),
        };
        let fits = |&RowShare { layout: RowLayout { lanes, .. }, each }: &RowShare| {
            let most = (length as u32).next_power_of_two();
            lanes <= problem.limits.invocations
                && lanes * each <= most
                && length.div_ceil(lanes as usize) <= MOST_ADDED
        };
        let found =
            eaches.iter().flat_map(|&each| layout.iter().map(move |&layout| RowShare { layout, each }));
        found.filter(fits).collect()
    }

    fn cost(&self, problem: &Problem<'_>, RowShare { layout, each }: RowShare) -> f64 {
        let passes = self.reductions.passes() - 1;
        self.model.scaled * self.reductions.cost_of_passes(problem, layout, [1, 1, each], passes as f64)
    }

    /// Deferred: short rows are reduced in two passes.
    fn lower(&self, problem: &Problem<'_>, RowShare { layout, each }: RowShare) -> Lowered {
        Lowered { stages: vec![lower(problem, self, layout, each)], partials: Vec::new() }
    }
}

/// The kernel.
///
/// Deferred: short rows are reduced in two passes.
fn lower(problem: &Problem<'_>, online: &Online, layout: RowLayout, each: u32) -> Stage {
    let Online { reductions, sums, .. } = online;
    let (lanes, workgroup) = (layout.lanes, layout.workgroup());
    problem.stage(&problem.name("online rows"), workgroup, |eval| {
        eval.vectorized = each == 4;
        let rows = reductions.kept.size();
        let team = team_of(eval, problem, rows, layout, reductions.is_strided(), workgroup);
        let at = eval.b.unravel(team.row, &reductions.kept);
        let walk = Walk::new(problem, reductions, team.lane, lanes, 1, each);
        let mut scratch = Scratch::default();
        let (results, running) =
            walk_online(eval, online, &at, walk, |eval, first| scratch.tree(eval, &team, first));
        define(eval, &reductions.levels[0], &at, &results);
        let scaled: Vec<Accumulator> = sums
            .iter()
            .zip(running)
            .map(|(sum, running)| scaled(&running, eval, reductions, sum, &at))
            .collect();
        let results = scratch.tree(eval, &team, &scaled);
        define(eval, &reductions.levels[1], &at, &results);
        for level in &reductions.levels[2..] {
            let accumulators = walk_level(eval, reductions, level, std::slice::from_ref(&at), walk);
            let results = scratch.tree(eval, &team, &accumulators[0]);
            define(eval, level, &at, &results);
        }
        store_row_outputs(eval, reductions, &team, &at);
        if !reductions.full_outputs.is_empty() {
            team.open_inside(eval);
            let single = Walk::new(problem, reductions, team.lane, lanes, 1, 1);
            single.positions.each(eval, "j", &mut |eval, j| {
                let inner = eval.b.unravel(j, &reductions.reduced);
                let full = interleave(&at, &inner, &reductions.axes);
                store_all(eval, &reductions.full_outputs, &full, &reductions.shape);
            });
            close_guard(eval, team.inside);
        }
        close_guard(eval, team.guard);
        team.grid
    })
}

/// Walks an invocation's share of a row for both levels; `whole` combines what the invocations
/// found of the first.
fn walk_online(
    eval: &mut Evaluator<'_>,
    online: &Online,
    at: &[ExprId],
    walk: Walk,
    whole: impl FnOnce(&mut Evaluator<'_>, &[Accumulator]) -> Vec<Partial>,
) -> (Vec<Partial>, Vec<Running>) {
    let Online { reductions, sums, .. } = online;
    let first = walk.first(eval);
    let level = &reductions.levels[0];
    let accumulators = accumulators(eval, level, Some(first));
    let running: Vec<Running> = sums.iter().map(|_| Running::new(eval, 1)).collect();
    walk.positions.each(eval, "j", &mut |eval, position| {
        let mut places = Vec::new();
        walk.of(eval, position, &mut |eval, j| {
            let inner = eval.b.unravel(j, &reductions.reduced);
            let full = interleave(at, &inner, &reductions.axes);
            for (&id, accumulator) in level.iter().zip(&accumulators) {
                let (op, input, _) = reduction(eval, id);
                let value = eval.value(input, &full);
                let position = op.is_arg().then_some(j);
                accumulator.update_in_order(&mut eval.b, Partial { value, position });
            }
            places.push(full);
        });
        for (sum, running) in sums.iter().zip(&running) {
            let values: Vec<ExprId> = places.iter().map(|full| eval.value(sum.x, full)).collect();
            running.take(eval, &values, &mut |_, top| top);
        }
    });
    (whole(eval, &accumulators), running)
}

/// The sum as the program wants it, of e to the power of x − shift. A device's own power of NaN may
/// be a number.
fn scaled(
    running: &Running,
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    wanted: &Exponentials,
    at: &[ExprId],
) -> Accumulator {
    let none = eval.b.index_const(0);
    let full = interleave(at, &vec![none; reductions.reduced.rank()], &reductions.axes);
    let shift = eval.value(wanted.shift, &full);
    let largest = eval.value(wanted.largest, at);
    let (top, sum) = running.found(eval);
    let difference = eval.b.binary(BinaryOp::Sub, top, shift);
    let scale = eval.b.tensor_unary(Unary::Exp, DType::F32, difference);
    let value = eval.b.binary(BinaryOp::Mul, sum, scale);
    let (is_nan, nan) = (eval.b.call(Function::IsNan, &[largest]), eval.b.literal(Literal::F32(f32::NAN)));
    let value = eval.b.select(is_nan, nan, value);
    let whole = Accumulator::new(&mut eval.b, ReduceOp::Sum, DType::F32);
    whole.update(&mut eval.b, Partial { value, position: None });
    whole
}
