//! Rows that a workgroup holds in registers, one or several: one load of a row, whatever is reduced
//! of it level by level, one store.
//!
//! The walks of `rows/mod.rs` are written out instead of looped. The evaluator remembers what it
//! has computed, so the second level and the outputs find what the first has loaded. After the
//! row-wise softmax and normalisation of M. Milakov and N. Gimelshein, "Online normalizer
//! calculation for softmax" (2018), §4, where the row fits.

use super::layout::{RowLayout, RowShare, Scratch, team_of};
use super::walk::{Reductions, accumulators, define, reduction};
use super::{reductions, store_row_outputs};
use crate::device::SharedRowModel;
use crate::family::contract::bounded;
use crate::family::launch::close_guard;
use crate::family::store::store_neighbours;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::accumulate::Partial;
use crate::lower::eval::{Evaluator, interleave};
use weft_ir::kernel::ExprId;
use weft_ir::op::ReduceOp;

/// Elements of a row that one invocation holds.
const MOST_HELD: u32 = 32;
/// Operations that may be written out; shader compilers choke on more.
const MOST_WRITTEN: usize = 1024;

/// The family.
pub struct HeldRows;

/// Rows that could be held.
struct HeldReductions(Reductions, &'static SharedRowModel);

impl Family for HeldRows {
    fn name(&self) -> &'static str {
        "held-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        RowShare::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let model = problem.model().rows.shared.as_ref()?;
        let reductions = reductions(problem).filter(|reductions| reductions.passes() > 1)?;
        Some(Box::new(HeldReductions(reductions, model)))
    }
}

impl Lowering for HeldReductions {
    type Candidate = RowShare;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<RowShare> {
        let length = self.0.reduced.size() as u32;
        let operations = problem.operations();
        let fits = |&RowShare { layout: RowLayout { lanes, .. }, each }: &RowShare| {
            let held = length.div_ceil(lanes * each) * each;
            lanes <= problem.limits.invocations
                && lanes * each <= length.next_power_of_two()
                && held <= MOST_HELD
                && operations * held as usize <= MOST_WRITTEN
        };
        let eaches = if self.0.has_vectors() { &[4, 1][..] } else { &[1] };
        // Rows whose elements lie apart are read with their neighbours or not at all.
        let alone: &[u32] = if self.0.is_strided() { &[] } else { &[64, 128, 256, 512, 1024] };
        let mut layout: Vec<RowLayout> = alone.iter().map(|&lanes| RowLayout::alone(lanes)).collect();
        layout.extend(self.0.shared(problem, length));
        let found =
            eaches.iter().flat_map(|&each| layout.iter().map(move |&layout| RowShare { layout, each }));
        found.filter(fits).collect()
    }

    fn cost(&self, problem: &Problem<'_>, RowShare { layout, each }: RowShare) -> f64 {
        // One walk loads; the others find what it loaded. Of the largest workgroups a processor
        // runs one at a time, so that it loads and computes in turns.
        let in_turns = if layout.workgroup() > 512 { self.1.in_turns } else { 1.0 };
        let walk = in_turns * self.0.cost_of_passes(problem, layout, [1, 1, each], 1.0);
        if layout.width == 1 {
            return walk;
        }
        // Rows that share a workgroup are short, so that it counts that their invocations meet once
        // for each level.
        walk + self.0.cost_of_meetings(problem, layout) * (self.0.levels.len() - 1) as f64
    }

    fn lower(&self, problem: &Problem<'_>, RowShare { layout, each }: RowShare) -> Lowered {
        Lowered { stages: vec![lower(problem, &self.0, layout, each)], partials: Vec::new() }
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, reductions: &Reductions, layout: RowLayout, each: u32) -> Stage {
    let (lanes, workgroup) = (layout.lanes, layout.workgroup());
    problem.stage(&problem.name("held rows"), workgroup, |eval| {
        (eval.vectorized, eval.stores_vectors) = (each == 4, each == 4);
        let rows = reductions.kept.size();
        let team = team_of(eval, problem, rows, layout, reductions.is_strided(), workgroup);
        let at = eval.b.unravel(team.row, &reductions.kept);
        let groups = groups(eval, reductions, team.lane, &at, lanes, each);
        let mut scratch = Scratch::default();
        for level in &reductions.levels {
            let first = eval.b.index_scale(team.lane, i64::from(each));
            let accumulators = accumulators(eval, level, Some(first));
            for group in &groups {
                for (full, &position) in group.full.iter().zip(&group.positions) {
                    for (&id, accumulator) in level.iter().zip(&accumulators) {
                        let (op, input, dtype) = reduction(eval, id);
                        let mut value = eval.value(input, full);
                        // The last elements again change a sum and a product only.
                        if let (Some(inside), ReduceOp::Sum | ReduceOp::Prod) = (group.inside, op) {
                            let nothing = eval.b.literal(op.identity(dtype));
                            value = eval.b.select(inside, value, nothing);
                        }
                        let position = op.is_arg().then_some(position);
                        accumulator.update_in_order(&mut eval.b, Partial { value, position });
                    }
                }
            }
            let results = scratch.tree(eval, &team, &accumulators);
            define(eval, level, &at, &results);
        }
        store_row_outputs(eval, reductions, &team, &at);
        team.open_inside(eval);
        for group in groups.iter().filter(|_| !reductions.full_outputs.is_empty()) {
            if group.inside.is_some() {
                eval.open();
            }
            store_neighbours(eval, &reductions.full_outputs, &group.full, &reductions.shape);
            close_guard(eval, group.inside);
        }
        close_guard(eval, team.inside);
        close_guard(eval, team.guard);
        team.grid
    })
}

/// Neighbouring elements that an invocation holds.
struct Group {
    /// Their positions in the row, kept inside it.
    positions: Vec<ExprId>,
    /// Their coordinates.
    full: Vec<Vec<ExprId>>,
    /// The condition that they were there, unless they always are.
    inside: Option<ExprId>,
}

fn groups(
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    lane: ExprId,
    row: &[ExprId],
    lanes: u32,
    each: u32,
) -> Vec<Group> {
    let length = reductions.reduced.size() / each as usize;
    let held = length.div_ceil(lanes as usize);
    let mut groups = Vec::with_capacity(held);
    for number in 1..=held {
        let at = eval.b.index_offset(lane, (number - 1) as i64 * i64::from(lanes));
        let place = bounded(eval, "j", at, length, number * lanes as usize <= length);
        let first = eval.b.index_scale(place.at, i64::from(each));
        let positions: Vec<ExprId> =
            (0..each).map(|next| eval.b.index_offset(first, i64::from(next))).collect();
        let full = positions.iter().map(|&position| {
            let inner = eval.b.unravel(position, &reductions.reduced);
            interleave(row, &inner, &reductions.axes)
        });
        let full = full.collect();
        groups.push(Group { positions, full, inside: place.inside });
    }
    groups
}
