//! Rows that read the same of what they walk, as all bodies of a simulation read each body: a workgroup's invocations fetch it together, four elements
//! each, into workgroup memory, and each takes all of it from there to rows of its own.
//!
//! What can be shared is found by evaluating an element once, on trial: all that is read at the walked position alone, whichever the row.

use super::rows::{MUCH_COMPUTED, rows_of};
use super::walk::{Reductions, accumulators, take_element};
use super::{Problem, close_guard, each_invocation, grid};
use crate::accumulate::Accumulator;
use crate::elementwise::storage_dtype;
use crate::eval::Evaluator;
use weft_ir::kernel::{ArrayId, Builtin, Expr, ExprId, Space, Stmt, Type};
use weft_ir::op::{Op, ReduceOp};
use weft_ir::program::ProgramId;

/// Times four elements that a workgroup holds at once: as many as it has invocations.
pub(super) const TILE: u32 = 64;

/// What rows read at the walked position alone: of a node, at coordinates that are this position where there is none.
type Shared = (ProgramId, Vec<Option<i64>>);

/// Whether rows read something that a workgroup can share; asked once for each number of rows that an invocation has.
#[derive(Default)]
pub(super) struct Tiles {
    known: Vec<(u32, bool)>,
}

impl Tiles {
    /// Whether rows can be walked by tiles in so many parts.
    pub fn suit(
        &mut self,
        problem: &Problem<'_>,
        reductions: &Reductions,
        [lanes, parts, rows, each]: [u32; 4],
    ) -> bool {
        let teams = reductions.kept.size() / rows as usize;
        let workgroups = (teams * parts as usize).div_ceil(TILE as usize);
        let length = reductions.reduced.size();
        let is_sum = |id: &ProgramId| matches!(problem.program[*id].op, Op::Reduce { op: ReduceOp::Sum, .. });
        // Barriers want all invocations of a workgroup in one part.
        lanes == 1
            && each == 4
            && !problem.limits.fallback
            && reductions.is_strided()
            && reductions.axes.len() == 1
            && reductions.levels[0].iter().all(is_sum)
            && problem.operations() >= MUCH_COMPUTED
            && teams.is_multiple_of(TILE as usize)
            && workgroups <= problem.limits.workgroups_per_dimension as usize
            && length.is_multiple_of((4 * TILE * parts) as usize)
            && self.are_some(problem, reductions, rows)
    }

    fn are_some(&mut self, problem: &Problem<'_>, reductions: &Reductions, rows: u32) -> bool {
        if let Some(&(_, known)) = self.known.iter().find(|(asked, _)| *asked == rows) {
            return known;
        }
        let found = shared_of(problem, reductions, rows);
        let bytes: u32 = found.iter().map(|_| 16 * TILE).sum();
        let known = !found.is_empty() && bytes <= problem.limits.workgroup_bytes;
        self.known.push((rows, known));
        known
    }
}

/// What so many rows of an invocation share with the others.
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

/// Walks one part of `parts` of some rows into accumulators, a list for each row.
pub(super) fn walk_tiles(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    reductions: &Reductions,
    rows: &[Vec<ExprId>],
    part: ExprId,
    [parts, tile]: [u32; 2],
) -> Vec<Vec<Accumulator>> {
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
    let lane = eval.b.builtin_i32(Builtin::LocalIndex);
    let lane = eval.b.bind("lane", lane);
    eval.b.index.set_range(lane, 0, i64::from(tile) - 1);
    let fours = reductions.reduced.size() / (4 * parts as usize);
    let start = eval.b.index_scale(part, fours as i64);
    eval.each("block", fours / tile as usize, |eval, block| {
        let ahead = eval.b.index_scale(block, i64::from(tile));
        let first = eval.b.index_add(start, ahead);
        let own = eval.b.index_add(first, lane);
        let own = eval.b.index_scale(own, 4);
        let mut fetched = Vec::new();
        for (node, pattern) in &shared {
            let four: Vec<ExprId> = (0..4)
                .map(|n| {
                    let position = eval.b.index_offset(own, n);
                    let at = coordinates(eval, pattern, position);
                    let value = eval.value(*node, &at);
                    eval.b.to_storage(value)
                })
                .collect();
            let four = eval.b.expr(Expr::Compose(four));
            fetched.push(eval.b.bind("fetched", four));
        }
        // What was there before has been read by all.
        eval.b.push(Stmt::Barrier);
        for (&array, four) in arrays.iter().zip(fetched) {
            eval.b.push(Stmt::Store(array, lane, four));
        }
        eval.b.push(Stmt::Barrier);
        let sums: Vec<Vec<Accumulator>> =
            wholes.iter().map(|row| row.iter().map(|a| a.again(&mut eval.b)).collect()).collect();
        eval.each("j", tile as usize, |eval, j| {
            let four = eval.b.index_add(first, j);
            let four = eval.b.index_scale(four, 4);
            let vectors: Vec<ExprId> = arrays
                .iter()
                .map(|&array| {
                    let vector = eval.b.expr(Expr::Load(array, j));
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
        });
        for (whole, sum) in wholes.iter().flatten().zip(sums.iter().flatten()) {
            let sum = sum.partial(&mut eval.b);
            whole.update(&mut eval.b, sum);
        }
    });
    wholes
}
