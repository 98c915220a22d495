//! Reductions: rows of a shape reduced over some of its axes, with everything that follows row by row.
//!
//! A row is walked by one invocation or by a workgroup's. Reductions that need each other's results (softmax: the maximum, then the
//! sum) form levels; a level is one pass over the row, in which reductions over the same data share their loads. Outputs as
//! long as the row take one more pass. Few long rows are cut into parts: a first kernel stores a partial result per part, a
//! second combines them (as in M. Harris, "Optimizing Parallel Reduction in CUDA", and CUB's two-phase reduce).

use super::team::{Scratch, Team, read, team, workgroup_of};
use super::{Anchored, Family, Lowered, Numbers, Problem, close_guard, store_all};
use crate::accumulate::{Accumulator, Partial};
use crate::eval::{Binding, Evaluator, interleave};
use crate::fuse::Domain;
use crate::limits::LONGEST_WALK;
use crate::positions::Positions;
use weft_ir::HashMap;
use weft_ir::kernel::{ArrayId, BinaryOp, ExprId, Space, Stmt};
use weft_ir::op::{Op, ReduceOp};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Shape};

/// Partial results that a first stage may leave.
const MOST_PARTIALS: usize = 1 << 20;
/// What one more row costs an invocation, of what the first does: it finds much in the cache, and some of it computed.
const TOGETHER: f64 = 0.4;
/// Float sums of at most so many elements are added one by one.
const SHORT_SUM: usize = 32;
/// Iterations of a loop over a row that are written out, so that their loads are in flight together.
const UNROLLED: usize = 8;
/// Operations that may be written out for them.
const MOST_WRITTEN: usize = 160;
/// Operations that may be written out for rows that an invocation reduces together.
const MOST_WRITTEN_TOGETHER: usize = 256;
/// An element of so many operations is computed rather than loaded.
const MUCH_COMPUTED: usize = 8;
/// Operations that a GPU does in a microsecond.
const OPERATIONS: f64 = 16e6;
/// What an element costs where it is read with its neighbours, of what it costs by itself.
const BY_FOURS: f64 = 0.9;

/// The family.
pub struct Rows;

/// How a cluster of reductions is walked.
pub(super) struct Layout {
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
    row_outputs: Vec<ProgramId>,
    /// Outputs as large as the shape.
    pub full_outputs: Vec<ProgramId>,
}

impl Layout {
    /// Whether the elements of a row lie apart in memory, and those of neighbouring rows side by side.
    pub fn is_strided(&self) -> bool {
        !self.axes.contains(&(self.shape.rank() - 1))
    }

    /// How many neighbouring rows, side by side in memory, an invocation could reduce together.
    fn together(&self, problem: &Problem<'_>) -> Vec<u32> {
        if !self.is_strided() {
            return Vec::new();
        }
        let neighbours = self.kept.last().copied().unwrap_or(1);
        let operations = problem.operations();
        let fits = |&rows: &usize| neighbours.is_multiple_of(rows) && rows * operations <= MOST_WRITTEN;
        let mut found: Vec<usize> = [4, 3, 2].into_iter().find(fits).into_iter().collect();
        // What takes much to compute is mostly computed of what rows further apart read too.
        if operations >= MUCH_COMPUTED && neighbours < 4 {
            let fits = |&rows: &usize| {
                self.kept.size().is_multiple_of(rows) && rows * operations <= MOST_WRITTEN_TOGETHER
            };
            found.extend([2, 4].into_iter().map(|times| times * neighbours).filter(fits));
        }
        found.into_iter().map(|rows| rows as u32).collect()
    }

    /// Whether the elements of a row lie side by side by fours.
    fn is_by_fours(&self) -> bool {
        !self.is_strided() && self.shape.last().is_some_and(|extent| extent.is_multiple_of(4))
    }

    /// Invocations that share the partial results of a row: as many as take the least.
    fn lanes_of_second(&self, problem: &Problem<'_>, parts: u32) -> u32 {
        let (rows, length) = (self.kept.size() as f64, f64::from(parts));
        let cost = |lanes: u32| self.cost_of_stage(problem, rows, length, f64::from(lanes), 1.0);
        let team = (parts / 4).next_power_of_two().clamp(32, 256);
        if cost(1) < cost(team) { 1 } else { team }
    }

    /// How often each row is walked.
    pub fn passes(&self) -> usize {
        self.levels.len() + usize::from(!self.full_outputs.is_empty())
    }
}

/// How rows are walked, where they are.
pub(super) fn layout(problem: &Problem<'_>) -> Option<Layout> {
    let domain = &problem.cluster().domain;
    let Domain { shape, axes: Some(axes), .. } = domain else { return None };
    let program = problem.program;
    let (kept, reduced) = (domain.kept(), domain.walked());
    let mut level: HashMap<ProgramId, usize> = HashMap::default();
    let mut levels: Vec<Vec<ProgramId>> = Vec::new();
    for &member in &problem.cluster().members {
        let below = highest_level(problem, member, &level);
        let is_reduction = problem.clusters.heavy[member.index()];
        if is_reduction {
            if levels.len() <= below {
                levels.push(Vec::new());
            }
            levels[below].push(member);
        }
        level.insert(member, below + usize::from(is_reduction));
    }
    let outputs = &problem.cluster().outputs;
    let per_row = |o: &&ProgramId| program[**o].shape.size() == kept.size();
    Some(Layout {
        row_outputs: outputs.iter().filter(per_row).copied().collect(),
        full_outputs: outputs.iter().filter(|o| !per_row(o)).copied().collect(),
        shape: shape.clone(),
        axes: axes.clone(),
        kept,
        reduced,
        levels,
    })
}

/// The level of the highest member that `member` needs.
fn highest_level(problem: &Problem<'_>, member: ProgramId, level: &HashMap<ProgramId, usize>) -> usize {
    let (mut stack, mut seen, mut highest) = (vec![member], vec![member], 0);
    while let Some(id) = stack.pop() {
        for &input in &problem.program[id].inputs {
            if let Some(&l) = level.get(&input) {
                highest = highest.max(l);
            } else if !problem.clusters.is_loaded(problem.program, problem.own, input)
                && !seen.contains(&input)
            {
                seen.push(input);
                stack.push(input);
            }
        }
    }
    highest
}

impl Family for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        // Invocations that share a row, without workgroup memory if it is one; pieces that a row is cut into for a first stage, whose
        // results a second combines; neighbouring rows that an invocation reduces together, where it has them alone; neighbouring elements that it
        // takes together.
        &["lanes", "parts", "rows", "each"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(layout(problem)?))
    }
}

impl Anchored for Layout {
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        let layout = self;
        let mut found = vec![[1, 1, 1, 1]];
        let length = layout.reduced.size() as u32;
        let lanes = [64, 128, 256]
            .into_iter()
            .filter(|&l| l <= problem.limits.invocations && l <= length.next_power_of_two());
        let can_split = layout.levels.len() == 1 && layout.full_outputs.is_empty();
        let most_parts = (MOST_PARTIALS / layout.kept.size().max(1)) as u32;
        for lanes in std::iter::once(1).chain(lanes) {
            let together = if lanes == 1 { layout.together(problem) } else { Vec::new() };
            for rows in std::iter::once(1).chain(together) {
                let fours = lanes > 64 && 4 * lanes <= length && self.is_by_fours();
                let each = if fours && !problem.limits.fallback { 4 } else { 1 };
                for each in std::iter::once(1).chain((each > 1).then_some(each)) {
                    if lanes * rows > 1 {
                        found.push([lanes, 1, rows, each]);
                    }
                    for parts in [8, 32, 128, 512, 2048, 8192] {
                        if can_split && parts <= most_parts && parts * lanes * 4 * each <= length {
                            found.push([lanes, parts, rows, each]);
                        }
                    }
                }
            }
        }
        let walk = |lanes: u32, parts: u32| layout.passes() * length.div_ceil(lanes * parts) as usize;
        let short = |&[lanes, parts, ..]: &[u32; 4]| walk(lanes, parts) <= LONGEST_WALK;
        if found.iter().any(short) {
            found.retain(short);
        }
        found.into_iter().map(Numbers::from).collect()
    }

    fn cost(&self, problem: &Problem<'_>, numbers: &Numbers) -> f64 {
        self.cost_of_passes(problem, numbers.get(), self.passes() as f64)
    }

    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        let stage = match numbers.get() {
            [lanes, 1, rows, each] => one_stage(problem, self, lanes, rows, each),
            [lanes, parts, rows, each] => return two_stages(problem, self, lanes, parts, rows, each),
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl Layout {
    /// What it takes where so many passes load the row.
    pub fn cost_of_passes(
        &self,
        problem: &Problem<'_>,
        [lanes, parts, together, each]: [u32; 4],
        passes: f64,
    ) -> f64 {
        let (rows, length) = (self.kept.size() as f64, self.reduced.size() as f64);
        let second = f64::from(self.lanes_of_second(problem, parts));
        let (lanes, parts) = (f64::from(lanes), f64::from(parts));
        let by_fours = if each == 4 || together == 4 { BY_FOURS } else { 1.0 };
        let alike = by_fours * (1.0 + TOGETHER * f64::from(together - 1));
        let fallback = problem.limits.fallback;
        // What a dispatch costs, and how many nanoseconds such a cost is (the GPU's numbers fitted to reductions of 2²⁶ elements on an NVIDIA H200).
        let (dispatch, unit) = if fallback { (2_000.0, 2.0) } else { (5.0, 1_000.0) };
        let stage = |rows, length, lanes| self.cost_of_stage(problem, rows, length, lanes, passes);
        let teams = rows / f64::from(together);
        // What is computed, beside the loads that are waited for.
        let computed = if fallback {
            0.0
        } else {
            passes * teams * length * alike * problem.operations() as f64 / OPERATIONS
        };
        if parts == 1.0 {
            return unit * (alike * stage(teams, length, lanes) + computed);
        }
        let first = if lanes > 1.0 || self.is_strided() {
            alike * stage(teams * parts, length / parts, lanes)
        } else {
            // Parts interleave, so that serial invocations read neighbouring elements too.
            waves(problem, rows * parts) * (length / parts)
        };
        unit * (first + computed + stage(rows, parts, second) + dispatch)
    }

    /// What it takes to walk rows of a length by so many lanes each.
    fn cost_of_stage(&self, problem: &Problem<'_>, rows: f64, length: f64, lanes: f64, passes: f64) -> f64 {
        // Neighbouring invocations should read neighbouring elements. What a barrier costs in elements.
        let (apart, barrier) = if problem.limits.fallback { (1.0, 200.0) } else { (8.0, 2.0) };
        let load = if self.is_strided() == (lanes > 1.0) { apart } else { 1.0 };
        let tree = if lanes > 1.0 { lanes.log2() * barrier } else { 0.0 };
        waves(problem, rows * lanes) * passes * ((length / lanes).ceil() * load + tree)
    }
}

/// How often as many invocations as make progress at once. Few invocations wait for one load after another, for those of a loop's
/// iteration together.
fn waves(problem: &Problem<'_>, invocations: f64) -> f64 {
    let (parallel, least) =
        if problem.limits.fallback { (8.0, 1.0) } else { (1_048_576.0, 1.0 / UNROLLED as f64) };
    (invocations / parallel).max(least)
}

pub(super) fn reduction(eval: &Evaluator<'_>, id: ProgramId) -> (ReduceOp, ProgramId, DType) {
    let node = &eval.program[id];
    let Op::Reduce { op, .. } = node.op else { unreachable!("levels hold reductions") };
    (op, node.inputs[0], eval.program[node.inputs[0]].dtype)
}

/// Accumulators for a walk of a level from `first` on, or, without, of partial results in any order.
pub(super) fn accumulators(
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
fn take_element(
    eval: &mut Evaluator<'_>,
    layout: &Layout,
    level: &[ProgramId],
    accumulators: &[Vec<Accumulator>],
    rows: &[Vec<ExprId>],
    j: ExprId,
) {
    let inner = eval.b.unravel(j, &layout.reduced);
    for (at, accumulators) in rows.iter().zip(accumulators) {
        let full = interleave(at, &inner, &layout.axes);
        for (&id, accumulator) in level.iter().zip(accumulators) {
            let (op, input, _) = reduction(eval, id);
            let value = eval.value(input, &full);
            accumulator.update_in_order(&mut eval.b, Partial { value, position: op.is_arg().then_some(j) });
        }
    }
}

/// How a row is walked: the positions, of so many neighbouring elements each.
#[derive(Clone, Copy)]
struct Walk {
    positions: Positions,
    each: u32,
}

impl Walk {
    /// What an invocation takes of a row of which so many invocations, `stride`, have one position in each iteration.
    fn new(problem: &Problem<'_>, layout: &Layout, first: ExprId, stride: u32, rows: u32, each: u32) -> Walk {
        let length = layout.reduced.size() / each as usize;
        Walk { positions: Positions { first, length, stride, unroll: unrolled(problem, rows * each) }, each }
    }

    /// The first element.
    fn first(&self, eval: &mut Evaluator<'_>) -> ExprId {
        eval.b.index_scale(self.positions.first, i64::from(self.each))
    }

    /// Calls `take` for the elements of a position, in order.
    fn of(
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

/// Walks an invocation's share of its rows into accumulators, a list for each row. Float sums go by blocks: that bounds the rounding of
/// a sum of n by the square root of n, where one by one it could reach n.
fn walk_level(
    eval: &mut Evaluator<'_>,
    layout: &Layout,
    level: &[ProgramId],
    rows: &[Vec<ExprId>],
    walk: Walk,
) -> Vec<Vec<Accumulator>> {
    let Walk { positions, each } = walk;
    let first = walk.first(eval);
    let wholes: Vec<Vec<Accumulator>> = rows.iter().map(|_| accumulators(eval, level, Some(first))).collect();
    let iterations = positions.iterations();
    if iterations * each as usize <= SHORT_SUM || !wholes.iter().flatten().any(|a| a.rounds()) {
        positions.each(eval, "j", &mut |eval, j| {
            walk.of(eval, j, &mut |eval, j| take_element(eval, layout, level, &wholes, rows, j))
        });
        return wholes;
    }
    let block = ((iterations * each as usize).isqrt().next_power_of_two() / each as usize).clamp(16, 4096);
    let full = positions.full(eval);
    let summed = |eval: &mut Evaluator<'_>, add: &dyn Fn(&mut Evaluator<'_>, &[Vec<Accumulator>])| {
        let mut part = |a: &Accumulator| if a.rounds() { a.again(&mut eval.b) } else { *a };
        let parts: Vec<Vec<Accumulator>> =
            wholes.iter().map(|row| row.iter().map(&mut part).collect()).collect();
        add(eval, &parts);
        for (whole, part) in wholes.iter().flatten().zip(parts.iter().flatten()).filter(|(a, _)| a.rounds()) {
            let sum = part.partial(&mut eval.b);
            whole.update(&mut eval.b, sum);
        }
    };
    eval.each("block", full / block, |eval, number| {
        let before = eval.b.index_scale(number, block as i64);
        summed(eval, &|eval, parts| {
            positions.each_of(eval, "j", before, 0..block, &mut |eval, j| {
                walk.of(eval, j, &mut |eval, j| take_element(eval, layout, level, parts, rows, j))
            });
        });
    });
    if !full.is_multiple_of(block) || full < iterations {
        summed(eval, &|eval, parts| {
            let mut take = |eval: &mut Evaluator<'_>, j: ExprId| {
                walk.of(eval, j, &mut |eval, j| take_element(eval, layout, level, parts, rows, j))
            };
            let single = Positions { unroll: 1, ..positions };
            let none = eval.b.index_const(0);
            single.each_of(eval, "j", none, full / block * block..full, &mut take);
            single.beyond(eval, "j", full, &mut take);
        });
    }
    wholes
}

/// Iterations that are written out for so many operations of an element.
fn unrolled(problem: &Problem<'_>, rows: u32) -> usize {
    let operations = problem.operations().max(1) * rows as usize;
    [UNROLLED, 4, 2].into_iter().find(|iterations| iterations * operations <= MOST_WRITTEN).unwrap_or(1)
}

/// The coordinates of the rows that a team reduces, the first `together` times its number.
fn rows_of(eval: &mut Evaluator<'_>, layout: &Layout, number: ExprId, together: u32) -> Vec<Vec<ExprId>> {
    let first = eval.b.index_scale(number, i64::from(together));
    (0..together)
        .map(|n| {
            let row = eval.b.index_offset(first, i64::from(n));
            eval.b.unravel(row, &layout.kept)
        })
        .collect()
}

/// Tells the evaluator what a level has come to.
pub(super) fn define(eval: &mut Evaluator<'_>, level: &[ProgramId], at: &[ExprId], results: &[Partial]) {
    for (&id, result) in level.iter().zip(results) {
        let value = eval.b.bind("total", result.position.unwrap_or(result.value));
        eval.define(id, at, value);
    }
}

/// Computes and stores the outputs that have one element per row, once per row.
pub(super) fn store_row_outputs(eval: &mut Evaluator<'_>, layout: &Layout, team: &Team, at: &[ExprId]) {
    if layout.row_outputs.is_empty() {
        return;
    }
    if team.lanes == 1 {
        store_all(eval, &layout.row_outputs, at, &layout.kept);
        return;
    }
    let zero = eval.b.index_const(0);
    let first = eval.b.binary(BinaryOp::Eq, team.lane, zero);
    eval.open();
    store_all(eval, &layout.row_outputs, at, &layout.kept);
    eval.forget();
    eval.b.close_if(first);
}

fn one_stage(problem: &Problem<'_>, layout: &Layout, lanes: u32, together: u32, each: u32) -> super::Stage {
    problem.stage(&problem.name("rows"), workgroup_of(lanes), |eval| {
        let team = team(eval, problem, layout.kept.size() / together as usize, lanes);
        let rows = rows_of(eval, layout, team.row, together);
        eval.by_fours = each == 4 || together == 4;
        let walk = Walk::new(problem, layout, team.lane, lanes, together, each);
        let mut scratch = Scratch::default();
        for level in &layout.levels {
            let accumulators = walk_level(eval, layout, level, &rows, walk);
            for (at, accumulators) in rows.iter().zip(&accumulators) {
                let results = scratch.tree(eval, &team, accumulators);
                define(eval, level, at, &results);
            }
        }
        for at in &rows {
            store_row_outputs(eval, layout, &team, at);
        }
        if !layout.full_outputs.is_empty() {
            let single = Walk::new(problem, layout, team.lane, lanes, together, 1);
            single.positions.each(eval, "j", &mut |eval, j| {
                let inner = eval.b.unravel(j, &layout.reduced);
                for at in &rows {
                    let full = interleave(at, &inner, &layout.axes);
                    store_all(eval, &layout.full_outputs, &full, &layout.shape);
                }
            });
        }
        close_guard(eval, team.guard);
        team.grid
    })
}

fn two_stages(
    problem: &Problem<'_>,
    layout: &Layout,
    lanes: u32,
    parts: u32,
    together: u32,
    each: u32,
) -> Lowered {
    let level = &layout.levels[0];
    let rows = layout.kept.size();
    let teams = rows / together as usize;
    let pieces = teams * parts as usize;
    // Neighbouring pieces are those of one row, or where rows lie side by side, those of neighbouring rows.
    let side_by_side = layout.is_strided();
    let mut partials = Vec::new();
    // The first kernel writes no result, so nothing over a leaf.
    let nothing = HashMap::default();
    let reading = Problem { in_place: &nothing, ..*problem };
    let first = reading.stage(&problem.name("rows, parts of"), workgroup_of(lanes), |eval| {
        let team = team(eval, problem, pieces, lanes);
        let per = if side_by_side { teams as i64 } else { i64::from(parts) };
        let (outer, inner) = (eval.b.index_div(team.row, per), eval.b.index_rem(team.row, per));
        let (row, part) = if side_by_side { (inner, outer) } else { (outer, inner) };
        let owner = eval.b.index_bind("owner", row);
        let at = rows_of(eval, layout, owner, together);
        let start = eval.b.index_scale(part, i64::from(lanes));
        let first = eval.b.index_add(start, team.lane);
        eval.by_fours = each == 4 || together == 4;
        let walk = Walk::new(problem, layout, first, lanes * parts, together, each);
        let accumulators = walk_level(eval, layout, level, &at, walk);
        let results: Vec<Vec<Partial>> =
            accumulators.iter().map(|row| Scratch::default().tree(eval, &team, row)).collect();
        let single = team.lanes > 1;
        let zero = eval.b.index_const(0);
        let lane_zero = eval.b.binary(BinaryOp::Eq, team.lane, zero);
        if single {
            eval.open();
        }
        // Where the parts of the first of these rows go; those of its neighbours come next.
        let place = eval.b.index_scale(team.row, i64::from(together));
        let mut storage = Vec::new();
        for (number, (row, results)) in accumulators.iter().zip(&results).enumerate() {
            let place = eval.b.index_offset(place, number as i64);
            let mut next = 0;
            for (accumulator, result) in row.iter().zip(results) {
                let value = eval.b.to_storage(result.value);
                let values = result.position.map_or(vec![value], |p| vec![value, p]);
                for (dtype, value) in accumulator.storage().into_iter().zip(values) {
                    let array = eval.array(Binding::Partial(next), dtype, Space::ReadWrite);
                    next += 1;
                    storage.push(Stmt::Store(array, place, value));
                }
            }
            partials = vec![(rows * parts as usize) as u64 * 4; next];
        }
        storage.into_iter().for_each(|store| eval.b.push(store));
        if single {
            eval.forget();
            eval.b.close_if(lane_zero);
        }
        close_guard(eval, team.guard);
        team.grid
    });
    let lanes = layout.lanes_of_second(problem, parts);
    let second = problem.stage(&problem.name("rows, whole of"), workgroup_of(lanes), |eval| {
        let team = team(eval, problem, rows, lanes);
        let at = eval.b.unravel(team.row, &layout.kept);
        let accumulators = accumulators(eval, level, None);
        let (row_step, part_step) = if side_by_side { (1, rows as i64) } else { (i64::from(parts), 1) };
        let first = eval.b.index_scale(team.row, row_step);
        let mut number = 0;
        let arrays: Vec<Vec<ArrayId>> = accumulators
            .iter()
            .map(|a| {
                let arrays = a.storage().into_iter().map(|dtype| {
                    number += 1;
                    eval.array(Binding::Partial(number - 1), dtype, Space::Read)
                });
                arrays.collect()
            })
            .collect();
        let positions =
            Positions { first: team.lane, length: parts as usize, stride: lanes, unroll: UNROLLED };
        positions.each(eval, "j", &mut |eval, j| {
            let index = eval.b.index_scale(j, part_step);
            let index = eval.b.index_add(first, index);
            for (accumulator, arrays) in accumulators.iter().zip(&arrays) {
                let with = read(eval, *accumulator, arrays, index);
                accumulator.update(&mut eval.b, with);
            }
        });
        let results = Scratch::default().tree(eval, &team, &accumulators);
        define(eval, level, &at, &results);
        store_row_outputs(eval, layout, &team, &at);
        close_guard(eval, team.guard);
        team.grid
    });
    Lowered { stages: vec![first, second], partials }
}
