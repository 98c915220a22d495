//! Attention without workgroup memory: each invocation has a few queries for itself and walks the
//! keys, a few at a time. For software, whose invocations should not wait for one another, and for
//! devices that have too little workgroup memory for `attention/mod.rs`.

use super::recognise::{TOGETHER, walk};
use super::{Parts, parts};
use crate::device::AttentionRowModel;
use crate::family::choice::parameters;
use crate::family::contract::{Bounded, bounded, operand, places, products, store_element};
use crate::family::launch::{close_guard, each_invocation, grid, serial_workgroup};
use crate::family::rows::online_softmax::{Magnitude, Running};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::limits::LONGEST_WALK;
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, LocalId, Space, Stmt, Type};
use weft_ir::op::Binary;
use weft_ir::{DType, Literal};

/// The family.
pub struct AttentionRows;

parameters! {
    /// What an invocation takes together.
    Tile {
        /// Its queries.
        rows: u32,
        keys: u32,
    }
}

/// An attention whose queries invocations have for themselves.
///
/// Deferred: few programs attend.
struct SerialAttention<'a>(Parts<'a>);

impl Family for AttentionRows {
    fn name(&self) -> &'static str {
        "attention-rows"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Tile::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(SerialAttention(parts(problem)?)))
    }
}

impl SerialAttention<'_> {
    /// What an invocation does, in products.
    fn operations(&self, model: &AttentionRowModel, Tile { rows, keys }: Tile) -> f64 {
        let AttentionRowModel { read, sum, weight, .. } = *model;
        let (rows, keys) = (f64::from(rows), f64::from(keys));
        let (terms, columns) = (self.0.scores.reduced.size() as f64, self.0.values.columns.size() as f64);
        let blocks = (self.0.values.reduced.size() as f64 / keys).ceil() * self.0.seen();
        let scores = terms * (rows * keys + read * (rows + keys));
        let values = columns * (rows * keys + read * keys + sum * rows);
        blocks * (scores + values + weight * rows * keys)
    }

    fn tiles(&self, rows: u32) -> usize {
        self.0.values.batch.size() * self.0.values.rows.size().div_ceil(rows as usize)
    }
}

impl Lowering for SerialAttention<'_> {
    type Candidate = Tile;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Tile> {
        let few = [[1, 1], [1, 8], [2, 4], [4, 4], [4, 8], [8, 4], [8, 8]];
        let (queries, keys) = (self.0.values.rows.size() as u32, self.0.values.reduced.size() as u32);
        let few = few.into_iter().map(|[rows, keys]| Tile { rows, keys });
        let mut found: Candidates<Tile> =
            few.filter(|tile| tile.rows < 2 * queries && tile.keys < 2 * keys).collect();
        let columns = self.0.values.columns.size();
        found.prefer(|tile| walk(&self.0.scores, columns, tile.keys as usize) <= LONGEST_WALK);
        found
    }

    /// The fewest queries and keys that no invocation walks too long with.
    fn is_fallback(&self, _: Tile) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, tile: Tile) -> f64 {
        let Some(model) = &problem.model().attention_rows else { return f64::INFINITY };
        let tiles = self.tiles(tile.rows) as f64;
        problem.model().product * (tiles / model.busy).max(1.0) * self.operations(model, tile)
    }

    fn lower(&self, problem: &Problem<'_>, tile: Tile) -> Lowered {
        Lowered { stages: vec![lower(problem, self, tile)], partials: Vec::new() }
    }
}

/// The kernel.
///
/// Deferred: few programs attend.
#[inline(never)]
fn lower(problem: &Problem<'_>, alone: &SerialAttention<'_>, tile: Tile) -> Stage {
    let Tile { rows, keys: together } = tile;
    let (parts, tiles) = (&alone.0, alone.tiles(rows));
    let model = problem.model().attention_rows.as_ref();
    let operations = model.map_or(0.0, |model| tiles as f64 * alone.operations(model, tile));
    let workgroup = serial_workgroup(problem, tiles, operations);
    let (queries, keys) = (parts.values.rows.size(), parts.values.reduced.size());
    problem.stage(&problem.name("attention by rows"), workgroup, |eval| {
        eval.vectorized = true;
        let grid = grid(tiles.div_ceil(workgroup as usize), problem.limits);
        let (tile, guard) = each_invocation(eval, "tile", tiles, workgroup, grid);
        let down = queries.div_ceil(rows as usize) as i64;
        let (batch, row) = (eval.b.index_div(tile, down), eval.b.index_rem(tile, down));
        let batch = eval.b.index_bind("batch", batch);
        let of_tile = places(eval, "m", row, rows, queries);
        let running: Vec<(Running, Magnitude)> =
            of_tile.iter().map(|_| (Running::new(eval, 1), Magnitude::new(eval, 1))).collect();
        let sums = Sums::new(eval, parts, rows);
        parts.each_block(eval, row, [rows, together], |eval, block| {
            let of_block = keys_of(eval, block, together, keys);
            let scores = products(eval, &parts.scores, batch, &of_tile, &of_block, TOGETHER[1], true);
            let mut exponentials = Vec::new();
            let scores = scores.chunks(together as usize);
            for ((row, (running, magnitude)), scores) in of_tile.iter().zip(&running).zip(scores) {
                let logits: Vec<ExprId> = of_block
                    .iter()
                    .zip(scores)
                    .map(|(key, &score)| logit(eval, parts, batch, row, key, score))
                    .collect();
                magnitude.take(eval, &logits);
                exponentials.push(running.take(eval, &logits, &mut |_, top| top));
            }
            sums.add(eval, parts, batch, &of_block, &exponentials);
        });
        let wholes: Vec<ExprId> = running
            .iter()
            .map(|(running, magnitude)| {
                let sum = running.found(eval).1;
                let whole = magnitude.or_nan(eval, sum);
                let whole = parts.whole(eval, whole);
                eval.b.bind("whole", whole)
            })
            .collect();
        sums.each(eval, |eval, sums, four| {
            for number in 0..sums.lanes {
                let column = eval.b.index_scale(four, i64::from(sums.lanes));
                let column = eval.b.index_offset(column, i64::from(number));
                let column = Bounded { at: column, inside: None };
                for ((row, &whole), place) in of_tile.iter().zip(&wholes).zip(0..) {
                    let sum = sums.load(eval, place, four);
                    let sum = if sums.lanes == 1 { sum } else { eval.b.expr(Expr::Component(sum, number)) };
                    let value = eval.b.tensor_binary(Binary::Div, DType::F32, sum, whole);
                    store_element(eval, problem, &parts.values, batch, row, &column, value);
                }
            }
        });
        close_guard(eval, guard);
        grid
    })
}

/// The keys of a block, the last of which may reach past the end.
fn keys_of(eval: &mut Evaluator<'_>, block: ExprId, together: u32, keys: usize) -> Vec<Bounded> {
    let first = eval.b.index_scale(block, i64::from(together));
    let exact = keys.is_multiple_of(together as usize);
    (0..together)
        .map(|number| {
            let at = eval.b.index_offset(first, i64::from(number));
            bounded(eval, "key", at, keys, exact)
        })
        .collect()
}

/// A logit, or nothing past the last key.
fn logit(
    eval: &mut Evaluator<'_>,
    parts: &Parts<'_>,
    batch: ExprId,
    row: &Bounded,
    key: &Bounded,
    score: LocalId,
) -> ExprId {
    let score = eval.b.read(score);
    let logit = parts.logit(eval, batch, row.at, key.at, score);
    let nothing = eval.b.literal(Literal::F32(f32::NEG_INFINITY));
    let logit = key.inside.map_or(logit, |inside| eval.b.select(inside, logit, nothing));
    eval.b.bind("logit", logit)
}

/// The weighted values of an invocation's queries: of each a vector of columns for each four, or
/// each column by itself.
struct Sums {
    array: ArrayId,
    lanes: u8,
    /// Elements of the array for each query.
    fours: usize,
}

impl Sums {
    fn new(eval: &mut Evaluator<'_>, parts: &Parts<'_>, rows: u32) -> Sums {
        let columns = parts.values.columns.size();
        let lanes = if columns.is_multiple_of(4) { 4 } else { 1 };
        let fours = columns / usize::from(lanes);
        let ty = Type { scalar: DType::F32, lanes };
        let array = eval.b.array("sums", ty, Space::Private(rows * fours as u32));
        Sums { array, lanes, fours }
    }

    fn each(&self, eval: &mut Evaluator<'_>, body: impl FnOnce(&mut Evaluator<'_>, &Sums, ExprId)) {
        eval.each("four", self.fours, |eval, four| body(eval, self, four));
    }

    fn at(&self, eval: &mut Evaluator<'_>, row: usize, four: ExprId) -> ExprId {
        eval.b.index_offset(four, (row * self.fours) as i64)
    }

    fn load(&self, eval: &mut Evaluator<'_>, row: usize, four: ExprId) -> ExprId {
        let at = self.at(eval, row, four);
        eval.b.expr(Expr::Load(self.array, at))
    }

    /// Adds a block's weighted values, after scaling what there was.
    fn add(
        &self,
        eval: &mut Evaluator<'_>,
        parts: &Parts<'_>,
        batch: ExprId,
        keys: &[Bounded],
        exponentials: &[(ExprId, Vec<ExprId>)],
    ) {
        self.each(eval, |eval, sums, four| {
            let values: Vec<ExprId> =
                keys.iter().map(|key| sums.value(eval, parts, batch, key, four)).collect();
            for (row, (scale, weights)) in exponentials.iter().enumerate() {
                let spread = |eval: &mut Evaluator<'_>, x: ExprId| {
                    if sums.lanes == 1 { x } else { eval.b.expr(Expr::Splat(sums.lanes, x)) }
                };
                let (now, scale) = (sums.load(eval, row, four), spread(eval, *scale));
                let before = eval.b.binary(BinaryOp::Mul, now, scale);
                // Added up by themselves first, so that the whole sum is rounded once for all of
                // them.
                let block = values.iter().zip(weights).fold(None, |block, (&value, &weight)| {
                    let weight = spread(eval, weight);
                    let product = eval.b.binary(BinaryOp::Mul, weight, value);
                    Some(block.map_or(product, |block| eval.b.binary(BinaryOp::Add, block, product)))
                });
                let sum = block.map_or(before, |block| eval.b.binary(BinaryOp::Add, before, block));
                let at = sums.at(eval, row, four);
                eval.b.push(Stmt::Store(sums.array, at, sum));
            }
        });
    }

    /// A key's values of four columns, or of one; zeros past the last key, whose weight would make
    /// NaN of what is infinite.
    fn value(
        &self,
        eval: &mut Evaluator<'_>,
        parts: &Parts<'_>,
        batch: ExprId,
        key: &Bounded,
        four: ExprId,
    ) -> ExprId {
        let zero = eval.b.literal(Literal::F32(0.0));
        let first = eval.b.index_scale(four, i64::from(self.lanes));
        let lanes = (0..self.lanes).map(|lane| {
            let column = eval.b.index_offset(first, i64::from(lane));
            let value = operand(eval, &parts.values, 1, batch, column, key.at);
            key.inside.map_or(value, |inside| eval.b.select(inside, value, zero))
        });
        let lanes: Vec<ExprId> = lanes.collect();
        let value = if self.lanes == 1 { lanes[0] } else { eval.b.compose(&lanes) };
        eval.b.bind("value", value)
    }
}
