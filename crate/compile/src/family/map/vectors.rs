//! Maps whose invocations compute four neighbours, which they read and write as vectors, or where a
//! map reads transposed, four by four.
//!
//! Software runs four invocations as one, and what it does for each read, check and write of theirs
//! is most of an elementwise kernel's time: a vector costs hardly more than a number. A block of
//! four by four is transposed in registers, and read and written by vectors on both sides. Of rows
//! of three, as those of a picture's colours, an invocation computes four, which are three vectors:
//! it is known of each number which colour it is.
//!
//! Hardware reads and writes numbers of neighbouring invocations as fast as vectors. There
//! neighbours are worth it where each element computes where it is, as in a padding: they share
//! much of the answer, and the place that is written to. They need not be of one row.

use super::transposed::{TransposedReads, transposed_reads};
use crate::cluster::Domain;
use crate::device::MapModel;
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, first_of_share, grid, guard};
use crate::family::store::store_neighbours;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use crate::lower::eval::Evaluator;
use weft_ir::Shape;
use weft_ir::kernel::ExprId;
use weft_ir::op::Op;

/// The family.
pub struct VectorMap;

parameters! {
    /// How a workgroup divides its blocks of four by one or four.
    Blocks {
        /// Its invocations.
        workgroup: u32,
        /// Lines of a block.
        lines: u32,
        /// Blocks that an invocation computes, a workgroup's width apart.
        each: u32,
    }
}

/// What is computed four at a time.
struct Neighbours {
    /// Extents of the map.
    shape: Shape,
    /// The axis along which blocks of four by four have their other side, where the map reads
    /// transposed.
    transposed: Option<usize>,
    /// Whether neighbours are of one row.
    of_rows: bool,
    /// Whether rows are so short that three vectors hold several.
    of_short_rows: bool,
}

impl Family for VectorMap {
    fn name(&self) -> &'static str {
        "vector-map"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Blocks::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let Domain { shape, axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
        let scatters = || problem.count(|op| matches!(op, Op::Scatter { .. })) > 0;
        let (of_rows, whole) = (shape.last()?.is_multiple_of(4), shape.size().is_multiple_of(4));
        let is_serial = matches!(problem.model().map, MapModel::Serial(_));
        let of_short_rows = is_serial && *shape.last()? == 3 && shape.size().is_multiple_of(12);
        let is_for = if is_serial { of_rows || of_short_rows } else { whole };
        if !is_for || shape.size() == 0 || scatters() {
            return None;
        }
        let transposed = transposed_reads(problem, shape).map(|TransposedReads { axis, .. }| axis);
        if transposed.is_some() && !is_serial {
            return None;
        }
        let transposed = transposed.filter(|&axis| shape[axis].is_multiple_of(4));
        Some(Box::new(Neighbours { shape: shape.clone(), transposed, of_rows, of_short_rows }))
    }
}

impl Lowering for Neighbours {
    type Candidate = Blocks;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Blocks> {
        let model = match &problem.model().map {
            MapModel::Serial(model) => model,
            MapModel::Parallel(model) => {
                let fits = problem.operations() <= model.most_operations;
                let workgroup = problem.limits.invocations.min(256);
                return fits.then_some(Blocks { workgroup, lines: 1, each: 1 }).into_iter().collect();
            }
        };
        let mut found = Candidates::default();
        let operations = problem.compiled();
        if self.of_short_rows {
            // Which colour a number is, the compiler knows: each is computed by its own terms
            // alone.
            let fits = operations * 4 <= model.most_compiled;
            return fits.then_some(Blocks { workgroup: 64, lines: 3, each: 1 }).into_iter().collect();
        }
        let lines = std::iter::once(1).chain(self.transposed.map(|_| 4));
        for lines in lines {
            for (workgroup, each) in [(64, 1), (256, 1), (256, 2)] {
                let written = operations * 4 * (lines * each) as usize;
                let fits = workgroup <= problem.limits.invocations && written <= model.most_compiled;
                if fits && lines * each <= 4 {
                    found.push(Blocks { workgroup, lines, each });
                }
            }
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, Blocks { workgroup, lines, each }: Blocks) -> f64 {
        let model = match &problem.model().map {
            MapModel::Serial(model) => model,
            MapModel::Parallel(model) => {
                return model.cost_of_fewer(self.shape.size(), model.of_vector, model.large);
            }
        };
        let share = (4 * lines * each * workgroup) as usize;
        let workgroups = self.shape.size().div_ceil(share) as f64;
        // What is read transposed by itself is read by numbers.
        let apart = self.transposed.is_some() && lines == 1;
        let element = model.element * if apart { 1.0 } else { model.with_neighbours };
        let invocation = model.invocation + f64::from(4 * lines * each) * element;
        workgroups * (model.workgroup + f64::from(workgroup) * invocation)
    }

    fn lower(&self, problem: &Problem<'_>, Blocks { workgroup, lines, each }: Blocks) -> Lowered {
        let blocks = self.blocks(lines);
        let share = workgroup * each;
        let stage = problem.stage(&problem.name("map of vectors"), workgroup, |eval| {
            (eval.vectorized, eval.stores_vectors) = (true, true);
            let grid = grid(blocks.size().div_ceil(share as usize), problem.limits);
            let first = first_of_share(eval, workgroup, share, grid);
            for number in 0..each {
                let block = eval.b.index_offset(first, i64::from(number * workgroup));
                let block = eval.b.bind_anew("block", block);
                eval.b.index.set_range(block, 0, blocks.size() as i64 - 1);
                let launched = grid[0] as usize * grid[1] as usize * share as usize;
                let inside = guard(eval, block, blocks.size(), launched);
                for line in 0..lines {
                    let places = self.places(eval, block, line, lines);
                    store_neighbours(eval, &problem.cluster().outputs, &places, &self.shape);
                }
                close_guard(eval, inside);
            }
            grid
        });
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl Neighbours {
    /// The extents of the blocks of a number of lines.
    fn blocks(&self, lines: u32) -> Shape {
        if !self.of_rows {
            return [self.shape.size() / (4 * lines as usize)].into();
        }
        let mut extents: Vec<usize> = self.shape.iter().copied().collect();
        *extents.last_mut().expect("rows are an axis") /= 4;
        if let Some(axis) = self.transposed.filter(|_| lines == 4) {
            extents[axis] /= 4;
        }
        extents.into()
    }

    /// Where the elements of a block's line are.
    fn places(&self, eval: &mut Evaluator<'_>, block: ExprId, line: u32, lines: u32) -> Vec<Vec<ExprId>> {
        if !self.of_rows {
            let first = eval.b.index_scale(block, 4 * i64::from(lines));
            let first = eval.b.index_offset(first, 4 * i64::from(line));
            let place = |next: i64| {
                let flat = eval.b.index_offset(first, next);
                eval.b.unravel(flat, &self.shape)
            };
            return (0..4).map(place).collect();
        }
        let mut at = eval.b.unravel(block, &self.blocks(lines));
        let last = at.len() - 1;
        at[last] = eval.b.index_scale(at[last], 4);
        if let Some(axis) = self.transposed.filter(|_| lines == 4) {
            let start = eval.b.index_scale(at[axis], 4);
            at[axis] = eval.b.index_offset(start, i64::from(line));
        }
        let neighbour = |next: i64| {
            let mut at = at.clone();
            at[last] = eval.b.index_offset(at[last], next);
            at
        };
        (0..4).map(neighbour).collect()
    }
}
