//! Reductions: rows of a shape reduced over some of its axes, with everything that follows row by
//! row.
//!
//! Reductions that need each other's results (softmax: the maximum, then the sum) form levels; a
//! level is one pass over the row, in which reductions over the same data share their loads.
//! Outputs as long as the row take one more pass. Each family here is a way to walk the rows
//! (`walk.rs`), with one or several invocations to a row (`layout.rs`):
//!
//! - `whole.rs`: one kernel walks whole rows. It works for all of them.
//! - `split.rs`: few long rows are cut into parts, whose results a second kernel combines.
//! - `tiled.rs`: workgroups share what all rows read, in one kernel or in parts.
//! - `held.rs`, `copied.rs`, `online.rs`: several passes need one load, from registers, workgroup
//!   memory, or by an online softmax.
//! - `pairs.rs`: each pair of two sets of rows is reduced.

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
pub(crate) mod tiled;
pub(crate) mod tiles;
pub(crate) mod walk;
pub(crate) mod whole;

use super::Problem;
use super::store::store_all;
use crate::cluster::Domain;
use crate::limits::LONGEST_WALK;
use crate::lower::eval::Evaluator;
use layout::{RowLayout, Team};
use walk::{MOST_WRITTEN, Reductions};
use weft_ir::HashMap;
use weft_ir::kernel::{BinaryOp, ExprId};
use weft_ir::program::ProgramId;

/// Partial results that a first stage may leave.
const MOST_PARTIALS: usize = 1 << 21;
/// Into how many parts rows are cut.
const PARTS: [u32; 6] = [8, 32, 128, 512, 2048, 8192];
/// Elements from which on a row is long.
const LONG_ROW: u32 = 16_384;
/// Operations that may be written out for rows that an invocation reduces together.
const MOST_WRITTEN_TOGETHER: usize = 256;
/// Operations from which on an element takes longer to compute than to load.
const MUCH_COMPUTED: usize = 8;

/// How an invocation takes its share of rows.
#[derive(Clone, Copy)]
struct Walking {
    /// Invocations that share a row, and rows that share a workgroup.
    layout: RowLayout,
    /// Neighbouring rows that an invocation reduces together, where it has them alone.
    rows: u32,
    /// Neighbouring elements that it takes together.
    each: u32,
}

impl Reductions {
    /// The ways to share rows among invocations, the plainest first.
    fn walks(&self, problem: &Problem<'_>) -> Vec<Walking> {
        let length = self.reduced.size() as u32;
        // Of long rows that are walked again fewer should be under way at once, so that the cache
        // still has them.
        let most = if self.passes() > 1 && length >= LONG_ROW { 1024 } else { 256 };
        let lanes = [64, 128, 256, 512, 1024]
            .into_iter()
            .filter(|&l| l <= problem.limits.invocations && l <= length.next_power_of_two().min(most));
        let teams = std::iter::once(1).chain(lanes).map(RowLayout::alone).chain(self.shared(problem, length));
        let neighbours = self.together(problem);
        let mut found = Vec::new();
        for layout @ RowLayout { lanes, width } in teams {
            let together = if lanes == 1 { &neighbours[..] } else { &[] };
            for rows in std::iter::once(1).chain(together.iter().copied()) {
                let shared = is_shared(rows) && length.is_multiple_of(4);
                let along = self.has_vectors() && 4 * lanes <= length;
                let wide = lanes > 64 || width > 1;
                let fours = match lanes {
                    1 => shared || along && !problem.model().coalesces && rows == 1,
                    _ => wide && along,
                };
                let eaches = if fours { &[1, 4][..] } else { &[1] };
                found.extend(eaches.iter().map(|&each| Walking { layout, rows, each }));
            }
        }
        found
    }

    /// Whether a row is walked in at most `LONGEST_WALK` iterations by this many invocations or
    /// parts.
    fn is_short_walk(&self, invocations: u32) -> bool {
        self.passes() * (self.reduced.size() as u32).div_ceil(invocations) as usize <= LONGEST_WALK
    }

    /// Whether rows can be cut into parts: what follows needs no element of them again.
    fn can_split(&self) -> bool {
        self.levels.len() == 1 && self.full_outputs.is_empty()
    }

    /// Whether rows can be cut into `parts`, of at least `least` elements each.
    fn has_parts(&self, parts: u32, least: u32) -> bool {
        parts as usize * self.kept.size() <= MOST_PARTIALS && parts * least <= self.reduced.size() as u32
    }

    /// How many neighbouring rows, side by side in memory, an invocation could reduce together.
    fn together(&self, problem: &Problem<'_>) -> Vec<u32> {
        if !self.is_strided() {
            return Vec::new();
        }
        let neighbours = self.kept.last().copied().unwrap_or(1);
        let (rows, operations) = (self.kept.size(), problem.written());
        let mut found = Vec::new();
        for together in [4, 3, 2] {
            let is_written = together * operations <= MOST_WRITTEN;
            if found.is_empty() && neighbours.is_multiple_of(together) && is_written {
                found.push(together as u32);
            }
        }
        // What takes much to compute is mostly computed of what rows further apart read too.
        if operations >= MUCH_COMPUTED && neighbours < 4 {
            for together in [2 * neighbours, 4 * neighbours] {
                let is_written = together * operations <= MOST_WRITTEN_TOGETHER;
                if rows.is_multiple_of(together) && is_written {
                    found.push(together as u32);
                }
            }
        }
        found
    }

    /// Whether the elements of a row lie side by side in vectors of four.
    pub fn has_vectors(&self) -> bool {
        !self.is_strided() && self.shape.last().is_some_and(|extent| extent.is_multiple_of(4))
    }

    /// How often each row is walked.
    pub fn passes(&self) -> usize {
        self.levels.len() + usize::from(!self.full_outputs.is_empty())
    }
}

/// Whether an invocation that has this many rows to itself reads what they share in vectors of
/// four.
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
