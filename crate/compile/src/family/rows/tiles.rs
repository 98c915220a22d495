//! Rows that read the same of what they walk, as all bodies of a simulation read each body: a
//! workgroup's invocations fetch it together, four elements each, into workgroup memory, and take
//! it from there to rows of their own.
//!
//! Each takes all of a part of the walk, which a second kernel adds to the others (`split.rs`), or
//! invocations that share their rows take turns, and what they found meets in workgroup memory: one
//! kernel, which computes what follows row by row too. Those of one row are `width` invocations
//! apart, so that a subgroup, if it is no larger, reads one vector at a time.
//!
//! What can be shared is found by evaluating an element once, on trial: all that is read at the
//! walked position alone, whichever the row.
//!
//! Deferred: only narrow rows are reduced in tiles.

use super::cost::UNIT;
use super::layout::{Scratch, team_across};
use super::walk::{Reductions, accumulators, define, take_element};
use super::{rows_of, store_row_outputs};
use crate::device::TileModel;
use crate::family::launch::{close_guard, each_invocation, grid, guard};
use crate::family::{Problem, Stage};
use crate::lower::accumulate::Accumulator;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Evaluator;
use weft_ir::Literal;
use weft_ir::kernel::{ArrayId, BinaryOp, Builtin, Expr, ExprId, LocalId, Space, Stmt, Type};
use weft_ir::program::ProgramId;

/// Times four elements that a workgroup of a part holds at once: as many as it has invocations.
pub(crate) const TILE: u32 = 64;

/// Invocations that share rows within a workgroup, times four elements that it then holds at once,
/// and how many rows it has beside each other where it may be so large: a subgroup's, of most GPUs.
const TEAMS: [u32; 4] = [4, 8, 16, 32];
const TILES: [u32; 3] = [64, 128, 256];
const WIDEST: u32 = 32;

/// What rows read at the walked position alone: of a node, at coordinates that are this position
/// where there is none.
type Shared = (ProgramId, Vec<Option<i64>>);

/// How many things rows read that a workgroup can share; asked once for each number of rows that an
/// invocation has.
#[derive(Default)]
pub(crate) struct Tiles {
    known: Vec<(u32, u32)>,
}

impl Tiles {
    /// Whether invocations that have so many rows each can walk them by tiles in so many parts.
    #[inline(never)]
    pub fn suit(&mut self, problem: &Problem<'_>, reductions: &Reductions, [parts, rows]: [u32; 2]) -> bool {
        let owners = reductions.kept.size() / rows as usize;
        let workgroups = (owners * parts as usize).div_ceil(TILE as usize);
        // Barriers want all invocations of a workgroup in one part.
        owners.is_multiple_of(TILE as usize)
            && workgroups <= problem.limits.workgroups_per_dimension as usize
            && reductions.reduced.size().is_multiple_of((4 * TILE * parts) as usize)
            && self.fit(problem, reductions, [rows, TILE], 0)
    }

    /// With how many invocations for each, and what tiles, invocations that have so many rows each
    /// could share them.
    #[inline(never)]
    pub fn of_teams(&mut self, problem: &Problem<'_>, reductions: &Reductions, rows: u32) -> Vec<[u32; 2]> {
        let length = reductions.reduced.size() as u32;
        let mut found = Vec::new();
        for lanes in TEAMS {
            let workgroup = lanes * width_of(problem, lanes);
            let sums = bytes_of_sums(reductions, workgroup);
            let smaller = |tile: &u32| *tile <= workgroup && *tile <= (length / 4).max(TILES[0]);
            for tile in TILES.into_iter().filter(smaller) {
                if 4 * lanes <= length && self.fit(problem, reductions, [rows, tile], sums) {
                    found.push([lanes, tile]);
                }
            }
        }
        found
    }

    /// Whether there is something to share, and the memory for a tile of it and so much else.
    fn fit(
        &mut self,
        problem: &Problem<'_>,
        reductions: &Reductions,
        [rows, tile]: [u32; 2],
        more: u32,
    ) -> bool {
        let known = self.known.iter().find(|(asked, _)| *asked == rows).map(|known| known.1);
        let arrays = known.unwrap_or_else(|| {
            let arrays = shared_of(problem, reductions, rows).len() as u32;
            self.known.push((rows, arrays));
            arrays
        });
        arrays > 0 && 16 * tile * arrays + more <= problem.limits.workgroup_bytes
    }
}

/// How many teams a workgroup has where a number of invocations share each row.
fn width_of(problem: &Problem<'_>, lanes: u32) -> u32 {
    (problem.limits.invocations / lanes).min(WIDEST)
}

/// Bytes in which a workgroup adds up what its invocations found of one row each.
fn bytes_of_sums(reductions: &Reductions, workgroup: u32) -> u32 {
    4 * workgroup * reductions.levels[0].len() as u32
}

/// What a walk by tiles takes, in microseconds.
#[inline(never)]
pub(crate) fn cost(
    problem: &Problem<'_>,
    reductions: &Reductions,
    model: &TileModel,
    [lanes, parts, rows, tile]: [u32; 4],
) -> f64 {
    let processors = problem.model().processors;
    let owners = reductions.kept.size() as f64 / f64::from(rows);
    let length = reductions.reduced.size() as f64;
    let workgroup = f64::from(if parts > 1 { TILE } else { lanes * width_of(problem, lanes) });
    let workgroups = (owners * f64::from(lanes * parts) / workgroup).ceil();
    let of_element = f64::from(rows) + model.of_tile;
    let operations = owners * length * of_element * problem.operations() as f64;
    let computed = operations / (model.operations * UNIT);
    // Some processor has most to do, and what it has under way at once has its turn beside each
    // other.
    let most = (workgroups / processors).ceil() * workgroup;
    let idle = processors * most / (workgroups * workgroup);
    let under_way = most.min(model.under_way);
    let tiles = (length / f64::from(4 * tile * parts)).ceil();
    let sums = f64::from(rows) * f64::from(lanes).log2();
    let waits = (most / under_way).ceil() * (workgroup / under_way).min(1.0);
    let waited = waits * (tiles * (model.exchange / UNIT) + sums * (model.meeting / UNIT));
    computed * idle * (1.0 + model.waiting / under_way) + waited
}

/// The kernel in which teams of invocations share rows, and each has several of them.
#[inline(never)]
pub(crate) fn in_teams(
    problem: &Problem<'_>,
    reductions: &Reductions,
    [lanes, together, tile]: [u32; 3],
) -> Stage {
    let owners = reductions.kept.size() / together as usize;
    let workgroup = lanes * width_of(problem, lanes);
    let level = &reductions.levels[0];
    problem.stage(&problem.name("rows, shared by teams"), workgroup, |eval| {
        let team = team_across(eval, problem, owners, lanes, workgroup);
        let rows = rows_of(eval, reductions, team.row, together);
        eval.vectorized = true;
        let first = eval.b.index_const(0);
        let fours = reductions.reduced.size() / 4;
        let (share, lane) = (Share { first, fours, tile, workgroup, lanes }, team.lane);
        let (accumulators, held) = walk_tiles(eval, problem, reductions, &rows, lane, share);
        // As many rows at once as there is memory for: each time all invocations wait for each
        // other.
        let room = problem.limits.workgroup_bytes - held;
        let at_once = (room / bytes_of_sums(reductions, workgroup)).max(1) as usize;
        let mut scratch = Scratch::default();
        for (rows, accumulators) in rows.chunks(at_once).zip(accumulators.chunks(at_once)) {
            let results = scratch.tree(eval, &team, &accumulators.concat());
            for (at, results) in rows.iter().zip(results.chunks(level.len())) {
                define(eval, level, at, results);
            }
        }
        for at in &rows {
            store_row_outputs(eval, reductions, &team, at);
        }
        close_guard(eval, team.guard);
        team.grid
    })
}

/// What the rows of an invocation share with those of the others.
fn shared_of(problem: &Problem<'_>, reductions: &Reductions, rows: u32) -> Vec<Shared> {
    let mut found = Vec::new();
    problem.stage("trial", TILE, |eval| {
        let teams = reductions.kept.size() / rows as usize;
        let grid = grid(teams.div_ceil(TILE as usize), problem.limits);
        let (owner, guard) = each_invocation(eval, "row", teams, TILE, grid);
        let at = rows_of(eval, reductions, owner, rows);
        found = shared(eval, reductions, &at);
        close_guard(eval, guard);
        grid
    });
    found
}

/// What rows share, found by evaluating an element of each.
fn shared(eval: &mut Evaluator<'_>, reductions: &Reductions, rows: &[Vec<ExprId>]) -> Vec<Shared> {
    let level = &reductions.levels[0];
    let mut found: Vec<Shared> = Vec::new();
    let before = eval.reached.len();
    eval.each("trial", reductions.reduced.size(), |eval, j| {
        let trial: Vec<Vec<Accumulator>> = rows.iter().map(|_| accumulators(eval, level, None)).collect();
        take_element(eval, reductions, level, &trial, rows, j);
        for (node, at) in eval.reached[before..].iter().cloned() {
            let mut coordinates = Vec::with_capacity(at.len());
            for place in at {
                match eval.b.index_value(place) {
                    _ if place == j => coordinates.push(None),
                    Some(value) => coordinates.push(Some(value)),
                    None => break,
                }
            }
            let is_whole = coordinates.len() == eval.program[node].shape.rank();
            if is_whole && coordinates.contains(&None) && !found.contains(&(node, coordinates.clone())) {
                found.push((node, coordinates));
            }
        }
    });
    found
}

/// The coordinates of what is shared, at a walked position.
fn coordinates(eval: &mut Evaluator<'_>, pattern: &[Option<i64>], position: ExprId) -> Vec<ExprId> {
    pattern.iter().map(|place| place.map_or(position, |value| eval.b.index_const(value))).collect()
}

/// What a workgroup walks, and how its invocations divide it.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// The first times four elements.
    pub first: ExprId,
    /// How many of them.
    pub fours: usize,
    /// How many it holds at once.
    pub tile: u32,
    /// Its invocations.
    pub workgroup: u32,
    /// How many of them take turns.
    pub lanes: u32,
}

/// Walks the share of the invocation that is `lane` of those that take turns, of some rows, into
/// accumulators, a list for each row. Also returns how much workgroup memory tiles take.
pub(crate) fn walk_tiles(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    reductions: &Reductions,
    rows: &[Vec<ExprId>],
    lane: ExprId,
    share: Share,
) -> (Vec<Vec<Accumulator>>, u32) {
    let Share { first: start, fours, tile, workgroup, lanes } = share;
    let level = &reductions.levels[0];
    let shared = shared_of(problem, reductions, rows.len() as u32);
    let wholes: Vec<Vec<Accumulator>> = rows.iter().map(|_| accumulators(eval, level, None)).collect();
    let arrays: Vec<ArrayId> = shared
        .iter()
        .enumerate()
        .map(|(number, (node, _))| {
            let ty = Type { scalar: storage_dtype(eval.program[*node].dtype), lanes: 4 };
            eval.b.array(format!("tile{number}"), ty, Space::Workgroup(tile))
        })
        .collect();
    let slot = eval.b.builtin_i32(Builtin::LocalIndex);
    let slot = eval.b.bind("slot", slot);
    eval.b.index.set_range(slot, 0, i64::from(workgroup) - 1);
    let is_cut = !fours.is_multiple_of(tile as usize);
    eval.each("block", fours.div_ceil(tile as usize), |eval, block| {
        let ahead = eval.b.index_scale(block, i64::from(tile));
        let first = eval.b.index_add(start, ahead);
        let fetched: Vec<LocalId> = shared
            .iter()
            .map(|(node, _)| {
                let none = eval.b.literal(Literal::zero(storage_dtype(eval.program[*node].dtype)));
                let none = eval.b.expr(Expr::Splat(4, none));
                eval.b.var("fetched", none)
            })
            .collect();
        let fetches = guard(eval, slot, tile as usize, workgroup as usize);
        let mut own = eval.b.index_add(first, slot);
        if is_cut {
            // Behind the end the last are fetched again, which nobody takes.
            let last = eval.b.index_const(fours as i64 - 1);
            own = eval.b.binary(BinaryOp::Min, own, last);
            own = eval.b.bind("own", own);
            eval.b.index.set_range(own, 0, fours as i64 - 1);
        }
        let own = eval.b.index_scale(own, 4);
        for ((node, pattern), &fetched) in shared.iter().zip(&fetched) {
            let four: Vec<ExprId> = (0..4)
                .map(|n| {
                    let position = eval.b.index_offset(own, n);
                    let at = coordinates(eval, pattern, position);
                    let value = eval.value(*node, &at);
                    eval.b.to_storage(value)
                })
                .collect();
            let four = eval.b.compose(&four);
            eval.b.push(Stmt::Assign(fetched, four));
        }
        close_guard(eval, fetches);
        // What was there before has been read by all.
        eval.b.push(Stmt::Barrier);
        let fetches = guard(eval, slot, tile as usize, workgroup as usize);
        for (&array, fetched) in arrays.iter().zip(fetched) {
            let four = eval.b.read(fetched);
            eval.b.push(Stmt::Store(array, slot, four));
        }
        close_guard(eval, fetches);
        eval.b.push(Stmt::Barrier);
        let sums: Vec<Vec<Accumulator>> =
            wholes.iter().map(|row| row.iter().map(|a| a.again(&mut eval.b)).collect()).collect();
        eval.each("j", (tile / lanes) as usize, |eval, j| {
            let turn = eval.b.index_scale(j, i64::from(lanes));
            let place = eval.b.index_add(turn, lane);
            let mut four = eval.b.index_add(first, place);
            let mut inside = None;
            if is_cut {
                // Only inside is it known to lie before the end.
                four = eval.b.bind_anew("at", four);
                eval.b.index.set_range(four, 0, fours as i64 - 1);
                inside = guard(eval, four, fours, 0);
            }
            let four = eval.b.index_scale(four, 4);
            let vectors: Vec<ExprId> = arrays
                .iter()
                .map(|&array| {
                    let vector = eval.b.expr(Expr::Load(array, place));
                    eval.b.bind("four", vector)
                })
                .collect();
            for n in 0..4 {
                let element = eval.b.index_offset(four, n);
                let element = eval.b.index_bind("element", element);
                for ((node, pattern), &vector) in shared.iter().zip(&vectors) {
                    let at = coordinates(eval, pattern, element);
                    let value = eval.b.expr(Expr::Component(vector, n as u8));
                    let value = eval.b.from_storage(eval.program[*node].dtype, value);
                    eval.define(*node, &at, value);
                }
                take_element(eval, reductions, level, &sums, rows, element);
            }
            close_guard(eval, inside);
        });
        for (whole, sum) in wholes.iter().flatten().zip(sums.iter().flatten()) {
            let sum = sum.partial(&mut eval.b);
            whole.update(&mut eval.b, sum);
        }
    });
    (wholes, 16 * tile * arrays.len() as u32)
}
