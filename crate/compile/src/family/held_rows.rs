//! Rows that a workgroup holds in registers: one load of a row, whatever is reduced of it level by level, one store.
//!
//! The walks of `rows.rs` are written out instead of looped. The evaluator remembers what it has computed, so the second level
//! and the outputs find what the first has loaded. After the row-wise softmax and normalisation of M. Milakov and
//! N. Gimelshein, "Online normalizer calculation for softmax" (2018), §4, where the row fits.

use super::contract::{Place, bounded};
use super::rows::{Layout, accumulators, define, layout, reduction, store_row_outputs};
use super::team::{Scratch, team};
use super::{Anchored, Family, Lowered, Numbers, Problem, Stage, close_guard, store_all};
use crate::accumulate::Partial;
use crate::eval::{Evaluator, interleave};
use weft_ir::kernel::ExprId;
use weft_ir::op::ReduceOp;

/// Elements of a row that one invocation holds.
const MOST_HELD: u32 = 32;
/// Operations that may be written out; shader compilers choke on more.
const MOST_WRITTEN: usize = 1024;

/// The family.
pub struct HeldRows;

/// Rows that could be held.
struct Held(Layout);

impl Family for HeldRows {
    fn name(&self) -> &'static str {
        "held-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        // Invocations that share a row.
        &["lanes"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        // Rows whose elements lie apart are read faster a row to an invocation, and software has no registers to hold them in.
        let is_held = |layout: &Layout| !layout.is_strided() && layout.passes() > 1;
        let layout = layout(problem).filter(is_held)?;
        (!problem.limits.fallback).then(|| Box::new(Held(layout)) as Box<dyn Anchored>)
    }
}

impl Anchored for Held {
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        let length = self.0.reduced.size() as u32;
        let operations = problem.operations();
        let fits = |lanes: &u32| {
            let held = length.div_ceil(*lanes);
            *lanes <= problem.limits.invocations
                && held <= MOST_HELD
                && operations * held as usize <= MOST_WRITTEN
        };
        let lanes = [64, 128, 256, 512, 1024].into_iter();
        let lanes = lanes.filter(|&lanes| lanes <= length.next_power_of_two());
        lanes.filter(fits).map(|lanes| [lanes].into()).collect()
    }

    fn cost(&self, problem: &Problem<'_>, numbers: &Numbers) -> f64 {
        let [lanes] = numbers.get();
        // One walk loads; the others find what it loaded. Of the largest workgroups a processor runs one at a time, so that it loads and
        // computes in turns: on an NVIDIA H200 two walks over 4096 rows of 32,768 take 0.30 ms, where one takes 0.37.
        let in_turns = if lanes > 512 { 2.2 } else { 1.0 };
        in_turns * self.0.cost_of_passes(problem, [lanes, 1, 1, 1], 1.0)
    }

    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        let [lanes] = numbers.get();
        Lowered { stages: vec![lower(problem, &self.0, lanes)], partials: Vec::new() }
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, layout: &Layout, lanes: u32) -> Stage {
    problem.stage(&problem.name("held rows"), lanes, |eval| {
        let team = team(eval, problem, layout.kept.size(), lanes);
        let at = eval.b.unravel(team.row, &layout.kept);
        let elements = elements(eval, layout, team.lane, &at, lanes);
        let mut scratch = Scratch::default();
        for level in &layout.levels {
            let accumulators = accumulators(eval, level, Some(team.lane));
            for element in &elements {
                for (&id, accumulator) in level.iter().zip(&accumulators) {
                    let (op, input, dtype) = reduction(eval, id);
                    let mut value = eval.value(input, &element.full);
                    // The last element again changes a sum and a product only.
                    if let (Some(inside), ReduceOp::Sum | ReduceOp::Prod) = (element.place.inside, op) {
                        let nothing = eval.b.literal(op.identity(dtype));
                        value = eval.b.select(inside, value, nothing);
                    }
                    let position = op.is_arg().then_some(element.place.at);
                    accumulator.update_in_order(&mut eval.b, Partial { value, position });
                }
            }
            let results = scratch.tree(eval, &team, &accumulators);
            define(eval, level, &at, &results);
        }
        store_row_outputs(eval, layout, &team, &at);
        for element in elements.iter().filter(|_| !layout.full_outputs.is_empty()) {
            if element.place.inside.is_some() {
                eval.open();
            }
            store_all(eval, &layout.full_outputs, &element.full, &layout.shape);
            close_guard(eval, element.place.inside);
        }
        close_guard(eval, team.guard);
        team.grid
    })
}

/// One of the elements that an invocation holds.
struct Element {
    /// Its position in the row, kept inside it.
    place: Place,
    /// Its coordinates.
    full: Vec<ExprId>,
}

fn elements(
    eval: &mut Evaluator<'_>,
    layout: &Layout,
    lane: ExprId,
    row: &[ExprId],
    lanes: u32,
) -> Vec<Element> {
    let length = layout.reduced.size();
    let held = length.div_ceil(lanes as usize);
    let mut elements = Vec::with_capacity(held);
    for number in 1..=held {
        let at = eval.b.index_offset(lane, (number - 1) as i64 * i64::from(lanes));
        let place = bounded(eval, "j", at, length, number * lanes as usize <= length);
        let inner = eval.b.unravel(place.at, &layout.reduced);
        elements.push(Element { full: interleave(row, &inner, &layout.axes), place });
    }
    elements
}
