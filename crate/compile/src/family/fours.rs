//! Maps on software: an invocation computes four neighbours, which it reads and writes as vectors, or where a map reads across, four by four.
//!
//! Software runs four invocations as one, and what it does for each read, check and write of theirs is most of an elementwise kernel's time: a vector
//! costs hardly more than a number. A block of four by four is transposed in registers, and read and written by vectors on both sides.

use super::across::{Crossing, across};
use super::map::{ELEMENT_OF_SOFTWARE, INVOCATION_OF_SOFTWARE, MOST_COMPILED, START_OF_SOFTWARE};
use super::{
    Anchored, Family, Lowered, Numbers, Problem, close_guard, first_of_share, grid, guard, store_neighbours,
};
use crate::fuse::Domain;
use weft_ir::Shape;
use weft_ir::kernel::ExprId;
use weft_ir::op::Op;

/// What an element takes that comes with its neighbours, of what it takes by itself.
const WITH_NEIGHBOURS: f64 = 0.6;

/// The family.
pub struct Fours;

/// What is computed four at a time.
struct Neighbours {
    /// Extents of the map.
    shape: Shape,
    /// The axis along which blocks of four by four have their other side, where the map reads across.
    across: Option<usize>,
}

impl Family for Fours {
    fn name(&self) -> &'static str {
        "fours"
    }

    fn numbers(&self) -> &'static [&'static str] {
        // Lines of a block; blocks that an invocation computes, a workgroup's width apart.
        &["workgroup", "lines", "each"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let Domain { shape, axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
        let scatters = || problem.count(|op| matches!(op, Op::Scatter { .. })) > 0;
        if !problem.limits.fallback || !shape.last()?.is_multiple_of(4) || shape.size() == 0 || scatters() {
            return None;
        }
        let across = across(problem, shape).map(|Crossing { axis, .. }| axis);
        let across = across.filter(|&axis| shape[axis].is_multiple_of(4));
        Some(Box::new(Neighbours { shape: shape.clone(), across }))
    }
}

impl Anchored for Neighbours {
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        let mut found = Vec::new();
        let operations = problem.compiled();
        let lines = std::iter::once(1).chain(self.across.map(|_| 4));
        for lines in lines {
            for (workgroup, each) in [(64, 1), (256, 1), (256, 2)] {
                let written = operations * 4 * (lines * each) as usize;
                let fits = workgroup <= problem.limits.invocations && written <= MOST_COMPILED;
                if fits && lines * each <= 4 {
                    found.push([workgroup, lines, each].into());
                }
            }
        }
        found
    }

    fn cost(&self, _: &Problem<'_>, numbers: &Numbers) -> f64 {
        let [workgroup, lines, each] = numbers.get();
        let share = (4 * lines * each * workgroup) as usize;
        let workgroups = self.shape.size().div_ceil(share) as f64;
        // What is read across by itself is read by numbers.
        let apart = self.across.is_some() && lines == 1;
        let element = ELEMENT_OF_SOFTWARE * if apart { 1.0 } else { WITH_NEIGHBOURS };
        let invocation = INVOCATION_OF_SOFTWARE + f64::from(4 * lines * each) * element;
        workgroups * (START_OF_SOFTWARE + f64::from(workgroup) * invocation)
    }

    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        let [workgroup, lines, each] = numbers.get();
        let mut extents: Vec<usize> = self.shape.iter().copied().collect();
        let last = extents.len() - 1;
        extents[last] /= 4;
        if let Some(axis) = self.across.filter(|_| lines == 4) {
            extents[axis] /= 4;
        }
        let blocks: Shape = extents.into();
        let share = workgroup * each;
        let stage = problem.stage(&problem.name("map, by fours"), workgroup, |eval| {
            (eval.by_fours, eval.stores_fours) = (true, true);
            let grid = grid(blocks.size().div_ceil(share as usize), problem.limits);
            let first = first_of_share(eval, workgroup, share, grid);
            for number in 0..each {
                let block = eval.b.index_offset(first, i64::from(number * workgroup));
                let block = eval.b.bind_anew("block", block);
                eval.b.index.set_range(block, 0, blocks.size() as i64 - 1);
                let launched = grid[0] as usize * grid[1] as usize * share as usize;
                let inside = guard(eval, block, blocks.size(), launched);
                let mut place = eval.b.unravel(block, &blocks);
                place[last] = eval.b.index_scale(place[last], 4);
                for line in 0..i64::from(lines) {
                    let mut at = place.clone();
                    if let Some(axis) = self.across.filter(|_| lines == 4) {
                        let start = eval.b.index_scale(place[axis], 4);
                        at[axis] = eval.b.index_offset(start, line);
                    }
                    let neighbour = |next: i64| -> Vec<ExprId> {
                        let mut at = at.clone();
                        at[last] = eval.b.index_offset(at[last], next);
                        at
                    };
                    let places: Vec<Vec<ExprId>> = (0..4).map(neighbour).collect();
                    store_neighbours(eval, &problem.cluster().outputs, &places, &self.shape);
                }
                close_guard(eval, inside);
            }
            grid
        });
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}
