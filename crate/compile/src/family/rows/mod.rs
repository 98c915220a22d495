//! Reductions: rows of a shape reduced over some of its axes, with everything that follows row by
//! row.
//!
//! A row is walked by one invocation, by a workgroup's, or by some of them, so that rows share the
//! workgroup (`layout.rs`). Reductions that need each other's results (softmax: the maximum, then
//! the sum) form levels; a level is one pass over the row, in which reductions over the same data
//! share their loads. Outputs as long as the row take one more pass. Few long rows are cut into
//! parts (`split.rs`).

pub(crate) mod block_sums;
pub(crate) mod copied;
pub(crate) mod cost;
pub(crate) mod held;
pub(crate) mod layout;
pub(crate) mod online;
pub(crate) mod online_softmax;
pub(crate) mod pairs;
mod recomputed;
pub(crate) mod split;
pub(crate) mod tiles;
pub(crate) mod walk;

use super::launch::close_guard;
use super::store::{store_all, store_neighbours};
use super::{Anchored, Candidates, Family, Lowered, Lowering, Numbers, Parameters, Problem, Unfused};
use crate::cluster::Domain;
use crate::limits::LONGEST_WALK;
use crate::lower::eval::{Evaluator, interleave};
use cost::UNIT;
use layout::{RowLayout, Scratch, Team, team_of, workgroup_of};
use split::Parts;
use tiles::{TILE, Tiles, in_teams};
use walk::{MOST_WRITTEN, Reductions, Walk, define, numbers_first, walk_level};
use weft_ir::kernel::{BinaryOp, ExprId};
use weft_ir::op::{Class, Op, ReduceOp, facts};
use weft_ir::program::ProgramId;
use weft_ir::{HashMap, HashSet};

/// Partial results that a first stage may leave.
const MOST_PARTIALS: usize = 1 << 21;
/// Rows are long of so many elements.
const LONG_ROW: u32 = 16_384;
/// Operations that may be written out for rows that an invocation reduces together.
const MOST_WRITTEN_TOGETHER: usize = 256;
/// An element of so many operations is computed rather than loaded.
const MUCH_COMPUTED: usize = 8;
/// Of fewer elements, nothing is gained by sharing what takes much to compute: as of a layer's
/// bias, which an optimizer's rule changes.
const MANY_ELEMENTS: usize = 1 << 14;

/// The family.
pub struct Rows;

/// How rows are walked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum RowWalk {
    /// Whole, in one kernel.
    Whole {
        /// Invocations that share a row, and rows that share a workgroup.
        layout: RowLayout,
        /// Neighbouring rows that an invocation reduces together, where it has them alone.
        rows: u32,
        /// Neighbouring elements that it takes together.
        each: u32,
    },
    /// In parts, whose results a second kernel combines.
    Split {
        /// Invocations that share a part, of one row or several.
        lanes: u32,
        parts: u32,
        rows: u32,
        each: u32,
    },
    /// In parts, whose workgroups share what all rows read.
    SplitTiles { parts: u32, rows: u32 },
    /// Whole, by workgroups that share what all rows read.
    Tiles {
        /// Invocations that share rows.
        lanes: u32,
        rows: u32,
        /// Times four elements of what is shared that are in workgroup memory at once.
        tile: u32,
    },
}

impl Parameters for RowWalk {
    const NAMES: &'static [&'static str] = &["lanes", "parts", "rows", "each", "tile", "width"];

    fn numbers(self) -> Numbers {
        match self {
            RowWalk::Whole { layout: RowLayout { lanes, width }, rows, each } => {
                [lanes, 1, rows, each, 0, width].into()
            }
            RowWalk::Split { lanes, parts, rows, each } => [lanes, parts, rows, each, 0, 1].into(),
            RowWalk::SplitTiles { parts, rows } => [1, parts, rows, 4, TILE, 1].into(),
            RowWalk::Tiles { lanes, rows, tile } => [lanes, 1, rows, 4, tile, 1].into(),
        }
    }

    fn of(numbers: &Numbers) -> RowWalk {
        match numbers.get() {
            [lanes, 1, rows, each, 0, width] => {
                RowWalk::Whole { layout: RowLayout { lanes, width }, rows, each }
            }
            [lanes, parts, rows, each, 0, _] => RowWalk::Split { lanes, parts, rows, each },
            [lanes, 1, rows, _, tile, _] => RowWalk::Tiles { lanes, rows, tile },
            [_, parts, rows, ..] => RowWalk::SplitTiles { parts, rows },
        }
    }
}

impl Reductions {
    /// How many neighbouring rows, side by side in memory, an invocation could reduce together.
    fn together(&self, problem: &Problem<'_>) -> Vec<u32> {
        if !self.is_strided() {
            return Vec::new();
        }
        let neighbours = self.kept.last().copied().unwrap_or(1);
        let operations = problem.written();
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
    pub fn has_vectors(&self) -> bool {
        !self.is_strided() && self.shape.last().is_some_and(|extent| extent.is_multiple_of(4))
    }

    /// How invocations share the partial results of a row: what takes the least.
    pub fn layout_of_second_stage(&self, problem: &Problem<'_>, parts: u32) -> RowLayout {
        let (rows, length) = (self.kept.size() as f64, f64::from(parts));
        let cost = |layout: &RowLayout| self.cost_of_stage(problem, [rows, length], *layout, 1, 1.0);
        let team = (parts / 4).next_power_of_two().clamp(32, 256);
        let teams = [1, team].map(RowLayout::alone).into_iter();
        let shared = self.shared(problem, parts).into_iter().filter(|_| self.is_strided());
        teams.chain(shared).min_by(|a, b| cost(a).total_cmp(&cost(b))).expect("there are some")
    }

    /// Whether rows are sums that take much to compute and lie apart, so that what they share could
    /// go through workgroup memory.
    fn are_for_tiles(&self, problem: &Problem<'_>) -> bool {
        let is_sum = |id: &ProgramId| matches!(problem.program[*id].op, Op::Reduce { op: ReduceOp::Sum, .. });
        problem.model().tiles.is_some()
            && self.is_strided()
            && self.axes.len() == 1
            && self.levels[0].iter().all(is_sum)
            && self.reduced.size().is_multiple_of(4)
            && self.shape.size() >= MANY_ELEMENTS
            && self.computed(problem) >= MUCH_COMPUTED
    }

    /// Operations that an element takes until it is reduced.
    fn computed(&self, problem: &Problem<'_>) -> usize {
        let program = problem.program;
        let (mut operations, mut seen) = (0, HashSet::default());
        let mut stack = self.levels[0].clone();
        while let Some(id) = stack.pop() {
            if seen.insert(id) && !problem.clusters.is_loaded(program, problem.own, id) {
                operations += usize::from(facts(&program[id].op).class != Class::View);
                stack.extend(&program[id].inputs);
            }
        }
        operations
    }

    /// How often each row is walked.
    pub fn passes(&self) -> usize {
        self.levels.len() + usize::from(!self.full_outputs.is_empty())
    }
}

/// Whether, where an invocation has so many rows to itself, it is what they share that is read by
/// fours.
fn is_shared(rows: u32) -> bool {
    rows > 1 && rows != 4
}

/// How rows are walked, where they are.
pub(super) fn reductions(problem: &Problem<'_>) -> Option<Reductions> {
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
    Some(Reductions {
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
        RowWalk::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(reductions(problem)?))
    }

    fn computes_again(&self, unfused: &Unfused<'_>, id: ProgramId) -> bool {
        recomputed::is_one_of_pairs(unfused, id)
    }
}

impl Lowering for Reductions {
    type Candidate = RowWalk;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<RowWalk> {
        let reductions = self;
        let plainest = RowWalk::Whole { layout: RowLayout::alone(1), rows: 1, each: 1 };
        let mut found = Candidates::one(plainest);
        let length = reductions.reduced.size() as u32;
        // Of long rows that are walked again fewer should be under way at once, so that the cache
        // still has them.
        let most = if reductions.passes() > 1 && length >= LONG_ROW { 1024 } else { 256 };
        let lanes = [64, 128, 256, 512, 1024]
            .into_iter()
            .filter(|&l| l <= problem.limits.invocations && l <= length.next_power_of_two().min(most));
        let teams =
            std::iter::once(1).chain(lanes).map(RowLayout::alone).chain(reductions.shared(problem, length));
        let mut tiles = Tiles::default();
        let neighbours = reductions.together(problem);
        let can_split = reductions.levels.len() == 1 && reductions.full_outputs.is_empty();
        let for_tiles = can_split && reductions.are_for_tiles(problem);
        let most_parts = (MOST_PARTIALS / reductions.kept.size().max(1)) as u32;
        for RowLayout { lanes, width } in teams {
            let together = if lanes == 1 { &neighbours[..] } else { &[] };
            for rows in std::iter::once(1).chain(together.iter().copied()) {
                let shared = is_shared(rows) && length.is_multiple_of(4);
                let along = self.has_vectors() && 4 * lanes <= length;
                let wide = lanes > 64 || width > 1;
                let fours = match lanes {
                    1 => shared || along && !problem.model().coalesces && rows == 1,
                    _ => wide && along,
                };
                let each = if fours { 4 } else { 1 };
                for each in std::iter::once(1).chain((each > 1).then_some(each)) {
                    if lanes * rows * each > 1 {
                        found.push(RowWalk::Whole { layout: RowLayout { lanes, width }, rows, each });
                    }
                    for parts in [8, 32, 128, 512, 2048, 8192] {
                        if can_split
                            && width == 1
                            && parts <= most_parts
                            && parts * lanes * 4 * each <= length
                        {
                            found.push(RowWalk::Split { lanes, parts, rows, each });
                            if for_tiles
                                && lanes == 1
                                && each == 4
                                && tiles.suit(problem, reductions, [parts, rows])
                            {
                                found.push(RowWalk::SplitTiles { parts, rows });
                            }
                        }
                    }
                }
            }
        }
        if for_tiles {
            for rows in neighbours.into_iter().filter(|&rows| is_shared(rows)) {
                let teams = tiles.of_teams(problem, reductions, rows).into_iter();
                found.extend(teams.map(|[lanes, tile]| RowWalk::Tiles { lanes, rows, tile }));
            }
        }
        found.prefer(|walk| {
            let invocations = match walk {
                RowWalk::Whole { layout, .. } => layout.lanes,
                RowWalk::Split { lanes, parts, .. } => lanes * parts,
                RowWalk::SplitTiles { parts, .. } => parts,
                RowWalk::Tiles { lanes, .. } => lanes,
            };
            reductions.passes() * length.div_ceil(invocations) as usize <= LONGEST_WALK
        });
        found
    }

    /// The fewest invocations that do not walk too long.
    fn is_fallback(&self, _: RowWalk) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, candidate: RowWalk) -> f64 {
        let passes = self.passes() as f64;
        let (walk, parts) = match candidate {
            RowWalk::Whole { layout, rows, each } => {
                return self.cost_of_passes(problem, layout, [1, rows, each], passes);
            }
            RowWalk::Split { lanes, parts, rows, each } => {
                return self.cost_of_passes(problem, RowLayout::alone(lanes), [parts, rows, each], passes);
            }
            RowWalk::Tiles { lanes, rows, tile } => {
                return UNIT * tiles::cost(problem, self, [lanes, 1, rows, tile]);
            }
            RowWalk::SplitTiles { parts, rows } => {
                (tiles::cost(problem, self, [1, parts, rows, TILE]), parts)
            }
        };
        let (all, second) = (self.kept.size() as f64, self.layout_of_second_stage(problem, parts));
        let added = self.cost_of_stage(problem, [all, f64::from(parts)], second, 1, 1.0);
        UNIT * (walk + added + problem.model().dispatch / UNIT)
    }

    fn lower(&self, problem: &Problem<'_>, candidate: RowWalk) -> Lowered {
        let stage = match candidate {
            RowWalk::Whole { layout, rows, each } => one_stage(problem, self, layout, rows, each),
            RowWalk::Tiles { lanes, rows, tile } => in_teams(problem, self, [lanes, rows, tile]),
            RowWalk::Split { lanes, parts, rows, each } => {
                return Parts { lanes, parts, rows, each, tile: 0 }.lower(problem, self);
            }
            RowWalk::SplitTiles { parts, rows } => {
                return Parts { lanes: 1, parts, rows, each: 4, tile: TILE }.lower(problem, self);
            }
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

/// The coordinates of the rows that a team reduces, the first `together` times its number.
pub(super) fn rows_of(
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    number: ExprId,
    together: u32,
) -> Vec<Vec<ExprId>> {
    let first = eval.b.index_scale(number, i64::from(together));
    (0..together)
        .map(|n| {
            let row = eval.b.index_offset(first, i64::from(n));
            eval.b.unravel(row, &reductions.kept)
        })
        .collect()
}

/// Computes and stores the outputs that have one element per row, once per row.
pub(super) fn store_row_outputs(
    eval: &mut Evaluator<'_>,
    reductions: &Reductions,
    team: &Team,
    at: &[ExprId],
) {
    if reductions.row_outputs.is_empty() {
        return;
    }
    if team.lanes == 1 {
        store_all(eval, &reductions.row_outputs, at, &reductions.kept);
        return;
    }
    let zero = eval.b.index_const(0);
    let first = eval.b.binary(BinaryOp::Eq, team.lane, zero);
    let first = team.inside.map_or(first, |inside| eval.b.binary(BinaryOp::And, first, inside));
    eval.open();
    store_all(eval, &reductions.row_outputs, at, &reductions.kept);
    eval.forget();
    eval.b.close_if(first);
}

fn one_stage(
    problem: &Problem<'_>,
    reductions: &Reductions,
    layout: RowLayout,
    together: u32,
    each: u32,
) -> super::Stage {
    let RowLayout { lanes, width } = layout;
    let teams = reductions.kept.size() / together as usize;
    let elements = reductions.passes() * reductions.shape.size();
    let workgroup = width * workgroup_of(problem, teams, lanes, elements);
    problem.stage(&problem.name("rows"), workgroup, |eval| {
        let team = team_of(eval, problem, teams, layout, reductions.is_strided(), workgroup);
        let rows = rows_of(eval, reductions, team.row, together);
        numbers_first(eval, problem, reductions);
        eval.by_fours = each == 4 || together == 4;
        // What lies along a row is stored as it was read.
        let stored = if each == 4 && lanes * together == 1 { each } else { 1 };
        eval.stores_fours = stored == 4;
        let walk = Walk::new(problem, reductions, team.lane, lanes, together, each);
        let mut scratch = Scratch::default();
        for level in &reductions.levels {
            let accumulators = walk_level(eval, reductions, level, &rows, walk);
            for (at, accumulators) in rows.iter().zip(&accumulators) {
                let results = scratch.tree(eval, &team, accumulators);
                define(eval, level, at, &results);
            }
        }
        for at in &rows {
            store_row_outputs(eval, reductions, &team, at);
        }
        if !reductions.full_outputs.is_empty() {
            team.open_inside(eval);
            let walk = Walk::new(problem, reductions, team.lane, lanes, together, stored);
            walk.positions.each(eval, "j", &mut |eval, j| {
                let mut inner = Vec::with_capacity(stored as usize);
                walk.of(eval, j, &mut |eval, j| inner.push(eval.b.unravel(j, &reductions.reduced)));
                for at in &rows {
                    let full = inner.iter().map(|inner| interleave(at, inner, &reductions.axes));
                    let full: Vec<Vec<ExprId>> = full.collect();
                    store_neighbours(eval, &reductions.full_outputs, &full, &reductions.shape);
                }
            });
            close_guard(eval, team.inside);
        }
        close_guard(eval, team.guard);
        team.grid
    })
}
