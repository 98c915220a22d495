//! Attention in one kernel: a workgroup computes a block of queries. It walks the keys by blocks;
//! of each it computes the scores, as `contract/shared_tiles.rs` does, turns them into weights
//! relative to the largest score so far, and adds up the weighted values. A larger score scales
//! what has been added up before. So nothing as large as the scores leaves the workgroup.
//!
//! After T. Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention with
//! IO-Awareness" (2022), and M. Milakov and N. Gimelshein, "Online normalizer calculation for
//! softmax" (2018).

pub(crate) mod causal;
pub(crate) mod recognise;
pub(crate) mod rows;

use super::contract::shared_tiles::{
    Panel, Tiling, fetch, first_of, in_turns, multiply, picked, place, place_at, put, sums_of, walk,
};
use super::contract::{Bounded, Contraction, store_element};
use super::launch::{close_guard, each_workgroup, grid};
use super::rows::online_softmax::{Magnitude, Running};
use super::{Anchored, Candidates, Family, Lowered, Lowering, Numbers, Parameters, Problem, Stage, Unfused};
use crate::cluster::Pattern;
use crate::device::TileRate;
use crate::lower::eval::Evaluator;
use recognise::Attention as Nodes;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, LocalId, Space, Stmt, Type};
use weft_ir::op::Binary;
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal};

/// Lanes of the vectors in workgroup memory.
const LANES: u32 = 4;
/// Sums that an invocation may hold in registers, of scores and of values.
const MOST_SUMS: u32 = 160;
/// Operations that may be written out for a workgroup's scores; shader compilers choke on more.
const MOST_WRITTEN: u32 = 4096;
/// A logit no greater has no weight beside any that a query sees.
const NOTHING: f32 = -1e29;

/// The family.
pub struct Attention;

/// An attention taken apart.
///
/// Deferred: few programs attend.
pub(super) struct Parts<'a> {
    pub nodes: &'a Nodes,
    /// Queries by keys.
    pub scores: Contraction<'a>,
    /// Weights by values.
    pub values: Contraction<'a>,
}

/// The attention that a cluster computes, if it does.
pub(super) fn parts<'a>(problem: &Problem<'a>) -> Option<Parts<'a>> {
    let domain = &problem.cluster().domain;
    let nodes = domain.pattern.as_ref()?.details.downcast_ref()?;
    let values = Contraction::of(problem.program, domain.anchor?)?;
    Some(Parts { nodes, scores: Contraction::of(problem.program, nodes.scores)?, values })
}

impl Parts<'_> {
    /// What softmax is taken of at a query and a key, given that score.
    pub fn logit(
        &self,
        eval: &mut Evaluator<'_>,
        batch: ExprId,
        row: ExprId,
        key: ExprId,
        score: ExprId,
    ) -> ExprId {
        let at = self.scores.at(&mut eval.b, batch, row, key);
        eval.define(self.nodes.scores, &at, score);
        let at = self.nodes.logits_at(eval, &self.values, self.values.anchor, [batch, row, key]);
        eval.value(self.nodes.logits, &at)
    }

    /// Which member of the batch and which of its `down` blocks of queries a workgroup has. Of what
    /// a causal mask hides the last blocks see most keys: all members' come first, so that none is
    /// left to be waited for.
    fn block_of(&self, eval: &mut Evaluator<'_>, tile: ExprId, down: usize) -> (ExprId, ExprId) {
        if self.nodes.causal.is_none() {
            return (eval.b.index_div(tile, down as i64), eval.b.index_rem(tile, down as i64));
        }
        let members = self.values.batch.size() as i64;
        let last = eval.b.index_const(down as i64 - 1);
        let before = eval.b.index_div(tile, members);
        (eval.b.index_rem(tile, members), eval.b.index_sub(last, before))
    }

    /// Walks the blocks of keys that a tile of queries sees, wholly or in part.
    pub fn each_block(
        &self,
        eval: &mut Evaluator<'_>,
        tile: ExprId,
        [queries, keys]: [u32; 2],
        body: impl FnOnce(&mut Evaluator<'_>, ExprId),
    ) {
        let blocks = self.values.reduced.size().div_ceil(keys as usize);
        let last = self.nodes.causal.filter(|_| blocks > 1).and_then(|causal| {
            let first = eval.b.index_scale(tile, queries.into());
            let last = eval.b.index_offset(first, i64::from(queries) - 1 + causal.ahead as i64);
            let last = eval.b.index_div(last, keys.into());
            let unseen = eval.value(causal.unseen, &[]);
            if let Expr::Literal(Literal::F32(unseen)) = *eval.b.get(unseen) {
                return (unseen <= NOTHING).then_some(last);
            }
            let nothing = eval.b.literal(Literal::F32(NOTHING));
            let hides = eval.b.binary(BinaryOp::Le, unseen, nothing);
            let all = eval.b.index_const(blocks as i64);
            Some(eval.b.select(hides, last, all))
        });
        let last = last.map(|last| eval.b.bind("last", last));
        eval.each("block", blocks, |eval, block| {
            if let Some(last) = last {
                // And not as the loop's end: compilers prove finite what counts to a constant.
                let is_beyond = eval.b.binary(BinaryOp::Lt, last, block);
                eval.b.open();
                eval.b.push(Stmt::Break);
                eval.b.close_if(is_beyond);
            }
            body(eval, block);
        });
    }

    /// What a query's weighted values are divided by, given the sum of its weights.
    pub fn whole(&self, eval: &mut Evaluator<'_>, sum: ExprId) -> ExprId {
        let Some(least) = self.nodes.least else { return sum };
        let least = eval.value(least, &[]);
        eval.b.tensor_binary(Binary::Max, DType::F32, sum, least)
    }

    /// The keys that queries see, of all, on average.
    pub fn seen(&self) -> f64 {
        let [queries, keys] = [&self.values.rows, &self.values.reduced].map(|extent| extent.size() as f64);
        let ahead = self.nodes.causal.map_or(keys, |causal| causal.ahead as f64);
        // Query i sees i + ahead + 1 keys, but no more than there are: `some` queries see fewer.
        // `clamp` would add the formatting of floats to the download.
        let some = (keys - ahead - 1.0).max(0.0).min(queries);
        let of_some = ahead + 1.0 + (some - 1.0) / 2.0;
        (some * of_some + (queries - some) * keys) / (queries * keys)
    }
}

impl Family for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Blocks::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(parts(problem)?))
    }

    fn pattern(&self, unfused: &Unfused<'_>, id: ProgramId) -> Option<Pattern> {
        recognise::attention(unfused, id)
    }
}

impl Lowering for Parts<'_> {
    type Candidate = Blocks;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Blocks> {
        Blocks::ALL.into_iter().filter(|blocks| blocks.fits(problem, self)).collect()
    }

    fn cost(&self, problem: &Problem<'_>, blocks: Blocks) -> f64 {
        let Some(model) = &problem.model().attention else { return f64::INFINITY };
        let rates = Blocks::ALL.iter().position(|one| *one == blocks).map(|at| model.blocks[at]);
        let (TileRate { alone, rate, .. }, rate_of_wide) = rates.expect("it is one of them");
        let workgroups =
            self.values.batch.size() * self.values.rows.size().div_ceil(blocks.0.extent(0) as usize);
        let steps = self.values.reduced.size().div_ceil(blocks.0.extent(1) as usize) as f64;
        let width =
            self.scores.reduced.size() as f64 + f64::from(blocks.values(self).extent(1)) + model.weight;
        let products = f64::from(blocks.0.extent(0) * blocks.0.extent(1)) * width;
        // Alone a workgroup waits for one block after another.
        let rate = if self.values.columns.size() > model.narrow { rate_of_wide } else { rate };
        let together = workgroups as f64 * products / rate;
        problem.model().product * steps * self.seen() * together.max(alone * width)
    }

    fn lower(&self, problem: &Problem<'_>, blocks: Blocks) -> Lowered {
        Lowered { stages: vec![lower(problem, self, blocks)], partials: Vec::new() }
    }
}

/// How a workgroup divides a block of queries and keys: its invocations along both, and how many
/// queries and keys each computes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Blocks(Tiling);

impl Parameters for Blocks {
    const NAMES: &'static [&'static str] = Tiling::NAMES;

    fn numbers(self) -> Numbers {
        self.0.numbers()
    }

    fn of(numbers: &Numbers) -> Blocks {
        Blocks(Tiling::of(numbers))
    }
}

impl Blocks {
    /// Those worth trying, the smallest first.
    const ALL: [Blocks; 5] = [
        Blocks(Tiling { invocations: [8, 8], each: [4, 4], depth: 8 }),
        Blocks(Tiling { invocations: [8, 16], each: [4, 4], depth: 16 }),
        Blocks(Tiling { invocations: [16, 16], each: [4, 4], depth: 16 }),
        Blocks(Tiling { invocations: [8, 16], each: [8, 4], depth: 8 }),
        Blocks(Tiling { invocations: [16, 8], each: [8, 8], depth: 8 }),
    ];

    /// How the values are divided: the same rows, and all of their columns.
    fn values(&self, parts: &Parts<'_>) -> Tiling {
        let Tiling { invocations, each, depth } = self.0;
        let columns = (parts.values.columns.size() as u32).div_ceil(invocations[1] * LANES) * LANES;
        Tiling { invocations, each: [each[0], columns], depth }
    }

    /// Vectors of rows of a block.
    fn vectors(&self) -> u32 {
        self.0.extent(0) / LANES
    }

    /// Invocations that have the same rows while weights are computed, and the keys that each has.
    fn groups(&self) -> (u32, u32) {
        let groups = self.0.workgroup() / self.vectors();
        (groups, self.0.extent(1) / groups)
    }

    /// Bytes of workgroup memory, as [`lower`] takes them, at most.
    fn bytes(&self, parts: &Parts<'_>) -> u32 {
        let Tiling { depth, .. } = self.0;
        let columns = self.0.extent(1).max(self.values(parts).extent(1)) / LANES;
        let panels = 2 * depth * (self.vectors() + 1 + columns + 1);
        4 * LANES * (panels + self.0.extent(1) * (self.vectors() + 1) + self.vectors())
    }

    fn fits(&self, problem: &Problem<'_>, parts: &Parts<'_>) -> bool {
        let (limits, tiling, values) = (problem.limits, self.0, self.values(parts));
        let fills = |extent: u32| (extent / LANES * tiling.depth).is_multiple_of(tiling.workgroup());
        let sums = tiling.each[0] * (tiling.each[1] + values.each[1]);
        let written = tiling.each[0] * tiling.each[1].max(values.each[1]) * problem.operations() as u32;
        tiling.workgroup() <= limits.invocations
            && self.bytes(parts) <= limits.workgroup_bytes
            && fills(tiling.extent(0))
            && fills(tiling.extent(1))
            && fills(values.extent(1))
            && sums <= MOST_SUMS
            && written <= MOST_WRITTEN
    }
}

/// Where an invocation stands.
struct Place {
    batch: ExprId,
    lane: ExprId,
    /// Its rows and columns of a block are these of each tile of four.
    own: [ExprId; 2],
    /// While weights are computed: which vector of rows it has, and which group of keys.
    vector: ExprId,
    group: ExprId,
}

/// What is in workgroup memory.
struct Memory {
    /// Panels of the queries and the keys.
    operands: [Panel; 2],
    /// The weights of a block, a line for each key, and panels of the values, which are where those
    /// of the keys were.
    weighted: [Panel; 2],
    /// A number for each row.
    of_rows: ArrayId,
}

/// The kernel.
///
/// Deferred: few programs attend.
#[inline(never)]
fn lower(problem: &Problem<'_>, parts: &Parts<'_>, blocks: Blocks) -> Stage {
    let (tiling, of_values) = (blocks.0, blocks.values(parts));
    let down = parts.values.rows.size().div_ceil(tiling.extent(0) as usize);
    let tiles = parts.values.batch.size() * down;
    problem.stage(&problem.name("attention"), tiling.workgroup(), |eval| {
        let grid = grid(tiles, problem.limits);
        let (tile, lane, inside) = each_workgroup(eval, "tile", tiles, tiling.workgroup(), grid);
        let (batch, row) = parts.block_of(eval, tile, down);
        let mut part = |name: &str, by: u32| {
            let (outer, inner) = (eval.b.index_div(lane, by.into()), eval.b.index_rem(lane, by.into()));
            [eval.b.index_bind(name, outer), eval.b.index_bind("x", inner)]
        };
        let own = part("y", tiling.invocations[1]);
        let [group, vector] = part("group", blocks.vectors());
        let batch = eval.b.index_bind("batch", batch);
        let place = Place { batch, lane, own, vector, group };
        let mut memory = memory(eval, parts, blocks, row);

        let zero = eval.b.literal(Literal::zero(eval.program[parts.values.anchor].dtype));
        let sums = sums_of(eval, of_values, zero);
        let running = (Running::new(eval, LANES as u8), Magnitude::new(eval, LANES as u8));
        let rows = places(eval, tiling, &memory.operands[0], own[0]);
        parts.each_block(eval, row, [tiling.extent(0), tiling.extent(1)], |eval, block| {
            memory.operands[1].first = first_of(eval, tiling, 1, block);
            let scores = walk(eval, &parts.scores, tiling, batch, &memory.operands, lane, own);
            keep_logits(eval, parts, tiling, &place, &memory, &rows, &scores);
            eval.b.push(Stmt::Barrier);
            store_weights(eval, blocks, &place, &memory, &running);
            let scales = of_rows(eval, tiling, &memory, own[0]);
            for (sums, &scale) in sums.iter().zip(&scales) {
                let scale = eval.b.expr(Expr::Splat(LANES as u8, scale));
                for &sum in sums {
                    let now = eval.b.read(sum);
                    let next = eval.b.binary(BinaryOp::Mul, now, scale);
                    eval.b.push(Stmt::Assign(sum, next));
                }
            }
            add_values(eval, parts, blocks, &place, &memory, &sums);
            // The next block's panels go where these are read.
            eval.b.push(Stmt::Barrier);
        });
        let sum = running.0.found(eval).1;
        let sum = running.1.or_nan(eval, sum);
        let whole = combine(eval, blocks, &place, &memory, sum, BinaryOp::Add);
        leave(eval, blocks, &place, &memory, whole);
        let wholes = of_rows(eval, tiling, &memory, own[0]);
        let columns = places(eval, of_values, &memory.weighted[1], own[1]);
        let store = &mut |eval: &mut Evaluator<'_>, row: &Bounded, sums: &[ExprId], whole: ExprId| {
            let whole = parts.whole(eval, whole);
            for (column, number) in columns.iter().zip(0..) {
                let sum = sums[number / LANES as usize];
                let sum = eval.b.expr(Expr::Component(sum, (number % LANES as usize) as u8));
                let value = eval.b.tensor_binary(Binary::Div, DType::F32, sum, whole);
                store_element(eval, problem, &parts.values, batch, row, column, value);
            }
        };
        if eval.in_loops {
            let every: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) = &mut |eval, number| {
                let row = place_at(eval, tiling, &memory.operands[0], own[0], number);
                let vectors = (0..sums[0].len()).map(|vector| {
                    let of_rows: Vec<ExprId> = sums.iter().map(|sums| eval.b.read(sums[vector])).collect();
                    picked(eval, &of_rows, number)
                });
                let vectors: Vec<ExprId> = vectors.collect();
                let whole = picked(eval, &wholes, number);
                store(eval, &row, &vectors, whole);
            };
            eval.each("number", sums.len(), every);
        } else {
            for ((row, sums), &whole) in rows.iter().zip(&sums).zip(&wholes) {
                let vectors: Vec<ExprId> = sums.iter().map(|&sum| eval.b.read(sum)).collect();
                store(eval, row, &vectors, whole);
            }
        }
        close_guard(eval, inside);
        grid
    })
}

/// Declares what is in workgroup memory, for the block of queries number `row`.
fn memory(eval: &mut Evaluator<'_>, parts: &Parts<'_>, blocks: Blocks, row: ExprId) -> Memory {
    let (tiling, origin) = (blocks.0, eval.b.index_const(0));
    let mut queries = Panel::new(eval, &parts.scores, tiling, 0, row);
    let mut keys = Panel::new(eval, &parts.scores, tiling, 1, origin);
    let mut weights = Panel::new(eval, &parts.values, tiling, 0, row);
    // Neighbouring invocations write neighbouring lines.
    weights.terms_adjoin = true;
    let mut values = Panel::new(eval, &parts.values, blocks.values(parts), 1, origin);
    let mut array = |name: &str, length: u32| {
        eval.b.array(name, Type { scalar: DType::F32, lanes: LANES as u8 }, Space::Workgroup(length))
    };
    queries.array = array("left", 2 * queries.size());
    keys.array = array("right", 2 * keys.size().max(values.size()));
    values.array = keys.array;
    weights.array = array("weights", tiling.extent(1) * weights.stride());
    Memory {
        operands: [queries, keys],
        weighted: [weights, values],
        of_rows: array("of_rows", blocks.vectors()),
    }
}

/// An invocation's rows or columns.
fn places(eval: &mut Evaluator<'_>, tiling: Tiling, panel: &Panel, own: ExprId) -> Vec<Bounded> {
    (0..panel.each(tiling)).map(|number| place(eval, tiling, panel, own, number)).collect()
}

/// The numbers of an invocation's rows.
fn of_rows(eval: &mut Evaluator<'_>, tiling: Tiling, memory: &Memory, own: ExprId) -> Vec<ExprId> {
    let mut numbers = Vec::new();
    for four in 0..tiling.each[0] / LANES {
        let at = eval.b.index_offset(own, i64::from(four * tiling.invocations[0]));
        let vector = eval.b.expr(Expr::Load(memory.of_rows, at));
        let vector = eval.b.bind("of_rows", vector);
        numbers.extend((0..LANES as u8).map(|lane| eval.b.expr(Expr::Component(vector, lane))));
    }
    numbers
}

/// Writes an invocation's logits where the weights will be: a line for each key, in which rows lie
/// in vectors of four. The lines of neighbours come one after the other; what lies beyond the last
/// key weighs nothing.
fn keep_logits(
    eval: &mut Evaluator<'_>,
    parts: &Parts<'_>,
    tiling: Tiling,
    place: &Place,
    memory: &Memory,
    rows: &[Bounded],
    scores: &[Vec<LocalId>],
) {
    let weights = &memory.weighted[0];
    let nothing = eval.b.literal(Literal::F32(f32::NEG_INFINITY));
    let keep = &mut |eval: &mut Evaluator<'_>, number: ExprId, key: &Bounded, known: Option<usize>| {
        let score = |eval: &mut Evaluator<'_>, scores: &[LocalId]| {
            let vectors: Vec<ExprId> = scores.iter().map(|&score| eval.b.read(score)).collect();
            let lanes = i64::from(LANES);
            if let Some(known) = known {
                let vector = vectors[known / LANES as usize];
                return eval.b.expr(Expr::Component(vector, (known % LANES as usize) as u8));
            }
            let (four, lane) = (eval.b.index_div(number, lanes), eval.b.index_rem(number, lanes));
            let vector = picked(eval, &vectors, four);
            let lanes = (0..LANES as u8).map(|lane| eval.b.expr(Expr::Component(vector, lane)));
            let lanes: Vec<ExprId> = lanes.collect();
            picked(eval, &lanes, lane)
        };
        let logits: Vec<ExprId> = rows
            .iter()
            .zip(scores)
            .map(|(row, scores)| {
                let score = score(eval, scores);
                let logit = parts.logit(eval, place.batch, row.at, key.at, score);
                key.inside.map_or(logit, |inside| eval.b.select(inside, logit, nothing))
            })
            .collect();
        let before = eval.b.index_scale(number, i64::from(tiling.invocations[1]));
        let line = eval.b.index_add(place.own[1], before);
        let line = eval.b.index_scale(line, weights.stride().into());
        let first = eval.b.index_add(line, place.own[0]);
        for (four, logits) in logits.chunks(LANES as usize).enumerate() {
            let at = eval.b.index_offset(first, four as i64 * i64::from(tiling.invocations[0]));
            let logits = eval.b.compose(logits);
            eval.b.push(Stmt::Store(weights.array, at, logits));
        }
    };
    if eval.in_loops {
        let every: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) = &mut |eval, number| {
            let key = place_at(eval, tiling, &memory.operands[1], place.own[1], number);
            keep(eval, number, &key, None);
        };
        return eval.each("number", tiling.each[1] as usize, every);
    }
    let keys = places(eval, tiling, &memory.operands[1], place.own[1]);
    for (known, key) in keys.iter().enumerate() {
        let number = eval.b.index_const(known as i64);
        keep(eval, number, key, Some(known));
    }
}

/// Adds the block's weighted values to an invocation's sums.
fn add_values(
    eval: &mut Evaluator<'_>,
    parts: &Parts<'_>,
    blocks: Blocks,
    place: &Place,
    memory: &Memory,
    sums: &[Vec<LocalId>],
) {
    let (tiling, of_values) = (blocks.0, blocks.values(parts));
    let [weights, values] = &memory.weighted;
    let first = memory.operands[1].first;
    let read = |eval: &mut Evaluator<'_>, step: ExprId| {
        let before = eval.b.index_scale(step, tiling.depth.into());
        // The key whose weights are in a line.
        let key = |eval: &mut Evaluator<'_>, line: ExprId| {
            let line = eval.b.index_add(before, line);
            let across = i64::from(tiling.invocations[1]);
            let (number, x) = (eval.b.index_div(line, across), eval.b.index_rem(line, across));
            let lanes = i64::from(LANES);
            let (four, lane) = (eval.b.index_div(number, lanes), eval.b.index_rem(number, lanes));
            let (before, four) = (eval.b.index_scale(four, across * lanes), eval.b.index_scale(x, lanes));
            let within = eval.b.index_add(before, four);
            let within = eval.b.index_add(within, lane);
            eval.b.index_add(first, within)
        };
        vec![fetch(eval, &parts.values, of_values, values, place.batch, place.lane, &key)]
    };
    let keep = |eval: &mut Evaluator<'_>, fetched: &[Vec<ExprId>], which: usize| {
        put(eval, of_values, values, place.lane, which, &fetched[0]);
    };
    in_turns(eval, (tiling.extent(1) / tiling.depth) as usize, &read, &keep, &|eval, at, now| {
        let lines = eval.b.index_scale(at, i64::from(tiling.depth * weights.stride()));
        let starts = [lines, values.start(eval, now)];
        multiply(eval, of_values, &memory.weighted, place.own, starts, sums);
    });
}

/// Makes the block's logits weights, relative to the largest logits so far, and leaves for each row
/// what that makes of sums before.
fn store_weights(
    eval: &mut Evaluator<'_>,
    blocks: Blocks,
    place: &Place,
    memory: &Memory,
    (running, magnitude): &(Running, Magnitude),
) {
    let (weights, keys) = (&memory.weighted[0], blocks.groups().1);
    let line = eval.b.index_scale(place.group, i64::from(keys * weights.stride()));
    let first = eval.b.index_add(line, place.vector);
    let lines: Vec<ExprId> =
        (0..keys).map(|key| eval.b.index_offset(first, i64::from(key * weights.stride()))).collect();
    let logits: Vec<ExprId> = lines
        .iter()
        .map(|&at| {
            let logits = eval.b.expr(Expr::Load(weights.array, at));
            eval.b.bind("logits", logits)
        })
        .collect();
    magnitude.take(eval, &logits);
    let largest =
        &mut |eval: &mut Evaluator<'_>, top| combine(eval, blocks, place, memory, top, BinaryOp::Max);
    let (scale, exponentials) = running.take(eval, &logits, largest);
    for (&at, weight) in lines.iter().zip(exponentials) {
        eval.b.push(Stmt::Store(weights.array, at, weight));
    }
    leave(eval, blocks, place, memory, scale);
}

/// What all groups have for an invocation's rows, combined.
fn combine(
    eval: &mut Evaluator<'_>,
    blocks: Blocks,
    place: &Place,
    memory: &Memory,
    own: ExprId,
    op: BinaryOp,
) -> ExprId {
    let all = memory.operands[0].array;
    eval.b.push(Stmt::Store(all, place.lane, own));
    eval.b.push(Stmt::Barrier);
    let others = (0..blocks.groups().0).map(|group| {
        let at = eval.b.index_offset(place.vector, i64::from(group * blocks.vectors()));
        eval.b.expr(Expr::Load(all, at))
    });
    let others: Vec<ExprId> = others.collect();
    let whole = others.into_iter().reduce(|whole, other| eval.b.binary(op, whole, other));
    eval.b.bind("whole", whole.expect("there are groups"))
}

/// Leaves a number for each row, which all groups know.
fn leave(eval: &mut Evaluator<'_>, blocks: Blocks, place: &Place, memory: &Memory, numbers: ExprId) {
    let vectors = eval.b.index_const(blocks.vectors().into());
    let is_first = eval.b.binary(BinaryOp::Lt, place.lane, vectors);
    eval.open();
    eval.b.push(Stmt::Store(memory.of_rows, place.vector, numbers));
    eval.forget();
    eval.b.close_if(is_first);
    eval.b.push(Stmt::Barrier);
}
