//! Sorting of lines that fit workgroup memory, many in one dispatch: a bitonic network (K. Batcher,
//! "Sorting Networks and Their Applications", 1968) of pairs of a key and its first position, which
//! no two have in common, so that equal keys keep their order.

pub(crate) mod merge;
pub(crate) mod radix;
mod serial;

use super::choice::parameters;
use super::launch::{close_guard, each_workgroup, grid};
use super::store::store_all;
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::op::Op;
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal, Shape};

/// Elements of the longest line that is sorted in one workgroup: so many keys and positions are
/// what every device has room for.
pub(super) const LONGEST: usize = 2048;
/// Elements that a workgroup has at least, of several lines if need be.
const LEAST: usize = 512;

/// The family.
pub struct Sort;

parameters! {
    /// How tiles are divided.
    Workgroup {
        /// Invocations of a workgroup.
        workgroup: u32,
    }
}

/// A sort taken apart.
///
/// Deferred: few programs sort.
pub(super) struct Lines {
    pub anchor: ProgramId,
    pub keys: ProgramId,
    pub bits: u32,
    pub shape: Shape,
    /// Extents before the axis and after it.
    outer: Shape,
    inner: Shape,
    /// Elements of a line.
    pub length: usize,
}

/// The sort that a cluster is made around, if it is.
pub(super) fn lines(problem: &Problem<'_>) -> Option<Lines> {
    let anchor = problem.cluster().domain.anchor?;
    let node = &problem.program[anchor];
    let Op::ArgSort { axis, bits } = node.op else { return None };
    Some(Lines {
        anchor,
        keys: node.inputs[0],
        bits,
        outer: node.shape[..axis].to_vec().into(),
        inner: node.shape[axis + 1..].to_vec().into(),
        shape: node.shape.clone(),
        length: node.shape[axis],
    })
}

impl Lines {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.outer.size() * self.inner.size()
    }

    /// Whether the elements of a line lie apart, and those of neighbouring lines side by side.
    fn is_strided(&self) -> bool {
        self.inner.size() > 1
    }

    /// The coordinates of an element of a line.
    pub fn at(&self, eval: &mut Evaluator<'_>, line: ExprId, position: ExprId) -> Vec<ExprId> {
        let lines: Shape = [self.outer.size(), self.inner.size()].into();
        let of_line = eval.b.unravel(line, &lines);
        let mut at = eval.b.unravel(of_line[0], &self.outer);
        at.push(position);
        at.extend(eval.b.unravel(of_line[1], &self.inner));
        at
    }

    /// Stores what follows of the position `found` that stands at `position` of a line in order.
    pub fn store(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>, at: &[ExprId], found: ExprId) {
        eval.b.index.set_range(found, 0, self.length as i64 - 1);
        eval.define(self.anchor, at, found);
        store_all(eval, &problem.cluster().outputs, at, &self.shape);
    }
}

/// A position kept inside `extent`, 0 where it is not, and whether it was there.
pub(super) fn kept(eval: &mut Evaluator<'_>, at: ExprId, extent: usize) -> (ExprId, Option<ExprId>) {
    if eval.b.index_range(at).1 < extent as i64 {
        return (eval.b.index_bind("at", at), None);
    }
    let (end, zero) = (eval.b.index_const(extent as i64), eval.b.index_const(0));
    let inside = eval.b.index_less(at, end);
    let kept = eval.b.select(inside, at, zero);
    let kept = eval.b.bind_anew("at", kept);
    eval.b.index.set_range(kept, 0, extent as i64 - 1);
    (kept, Some(inside))
}

/// Both conditions, of which either may always hold.
pub(super) fn both(eval: &mut Evaluator<'_>, a: Option<ExprId>, b: Option<ExprId>) -> Option<ExprId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(eval.b.both(a, b)),
        (a, b) => a.or(b),
    }
}

impl Family for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Workgroup::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let lines = lines(problem).filter(|lines| lines.length <= LONGEST)?;
        Some(Box::new(lines))
    }
}

impl Lowering for Lines {
    type Candidate = Workgroup;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Workgroup> {
        let workgroups = [256, 64].into_iter().filter(|&w| w <= problem.limits.invocations);
        workgroups.map(|workgroup| Workgroup { workgroup }).collect()
    }

    fn is_fallback(&self, _: Workgroup) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, Workgroup { workgroup }: Workgroup) -> f64 {
        // Software is slow to wait, and much slower to compile what waits: see `merge.rs`.
        let Some(step) = problem.model().sort.network else { return f64::INFINITY };
        let (width, each) = (self.width(), self.tile() / 2 / workgroup as usize);
        let steps = f64::from(width.ilog2() * (width.ilog2() + 1)) / 2.0;
        // Few invocations wait longer for each other than many; more than a few pairs for each take
        // their time.
        let waits = 4.0 / (each.max(1) as f64);
        step * steps * self.shape.size() as f64 * (each as f64 + waits)
    }

    fn lower(&self, problem: &Problem<'_>, Workgroup { workgroup }: Workgroup) -> Lowered {
        Lowered { stages: vec![self.network(problem, workgroup)], partials: Vec::new() }
    }
}

impl Lines {
    /// Places of the network for a line.
    fn width(&self) -> usize {
        self.length.next_power_of_two().max(2)
    }

    /// Places that a workgroup has.
    fn tile(&self) -> usize {
        self.width().max(LEAST)
    }

    fn network(&self, problem: &Problem<'_>, workgroup: u32) -> Stage {
        let (width, tile) = (self.width(), self.tile());
        let lines_of_tile = tile / width;
        let tiles = self.count().div_ceil(lines_of_tile);
        problem.stage(&problem.name("sort"), workgroup, |eval| {
            let grid = grid(tiles, problem.limits);
            let (group, lane, in_grid) = each_workgroup(eval, "tile", tiles, workgroup, grid);
            let keys = eval.b.array("keys", DType::U32, Space::Workgroup(tile as u32));
            let places = eval.b.array("places", DType::I32, Space::Workgroup(tile as u32));

            // Of each place that the invocation fetches and stores: the word, the coordinates, the
            // position, whether there is one.
            let each = |eval: &mut Evaluator<'_>, number: ExprId| {
                let flat = eval.b.index_scale(number, i64::from(workgroup));
                let flat = eval.b.index_add(flat, lane);
                let by = if self.is_strided() { lines_of_tile } else { width } as i64;
                let (a, b) = (eval.b.index_div(flat, by), eval.b.index_rem(flat, by));
                let (own, place) = if self.is_strided() { (b, a) } else { (a, b) };
                let place = eval.b.index_bind("place", place);
                let first = eval.b.index_scale(own, width as i64);
                let word = eval.b.index_add(first, place);
                let word = eval.b.index_bind("word", word);
                let before = eval.b.index_scale(group, lines_of_tile as i64);
                let line = eval.b.index_add(before, own);
                let (line, is_line) = kept(eval, line, self.count());
                let (position, in_line) = kept(eval, place, self.length);
                let inside = both(eval, is_line, in_line);
                (word, self.at(eval, line, position), place, inside)
            };
            let rounds = tile / workgroup as usize;
            eval.each("round", rounds, |eval, number| {
                let (word, at, place, inside) = each(eval, number);
                let key = eval.value(self.keys, &at);
                let last = eval.b.literal(Literal::U32(u32::MAX));
                let key = inside.map_or(key, |inside| eval.b.select(inside, key, last));
                eval.b.push(Stmt::Store(keys, word, key));
                eval.b.push(Stmt::Store(places, word, place));
            });
            eval.b.push(Stmt::Barrier);
            let stages = width.ilog2();
            eval.repeat("stage", stages as usize, &mut |eval, stage| {
                // What the text knows of the stage where each is written out.
                let known = eval.b.index_value(stage).map(|stage| stage as u32);
                // Counted to a constant: see `positions.rs`.
                let last = i64::from(known.unwrap_or(stages - 1));
                let (counter, step) = eval.b.counter("step", last + 1);
                let end = eval.b.index_const(last + 1);
                let last = eval.b.index_const(last);
                let before = eval.b.index_sub(last, stage);
                eval.open();
                // Partners stand 2^(last − step) apart, in runs of 2^(stage + 1) that go up and
                // down in turn.
                let shift = eval.b.index_sub(last, step);
                let shift = eval.b.cast(DType::U32, shift);
                let shift = eval.b.bind("shift", shift);
                eval.each("pair", tile / 2 / workgroup as usize, |eval, pair| {
                    let ahead = eval.b.index_scale(pair, i64::from(workgroup));
                    let pair = eval.b.index_add(ahead, lane);
                    let pair = eval.b.cast(DType::U32, pair);
                    let one = eval.b.literal(Literal::U32(1));
                    let distance = eval.b.binary(BinaryOp::Shl, one, shift);
                    let mask = eval.b.binary(BinaryOp::Sub, distance, one);
                    let (low, high) =
                        (eval.b.binary(BinaryOp::And, pair, mask), eval.b.binary(BinaryOp::Shr, pair, shift));
                    let twice = eval.b.binary(BinaryOp::Add, shift, one);
                    let high = eval.b.binary(BinaryOp::Shl, high, twice);
                    let first = eval.b.binary(BinaryOp::Or, high, low);
                    let first = eval.b.bind("first", first);
                    let second = eval.b.binary(BinaryOp::Add, first, distance);
                    let second = eval.b.bind("second", second);
                    let mut load = |array, index| {
                        let load = eval.b.expr(Expr::Load(array, index));
                        eval.b.bind_anew("was", load)
                    };
                    let (a, b) = (load(keys, first), load(keys, second));
                    let (at_a, at_b) = (load(places, first), load(places, second));
                    let above = eval.b.binary(BinaryOp::Gt, a, b);
                    let equal = eval.b.binary(BinaryOp::Eq, a, b);
                    let later = eval.b.binary(BinaryOp::Gt, at_a, at_b);
                    let tie = eval.b.binary(BinaryOp::And, equal, later);
                    let above = eval.b.binary(BinaryOp::Or, above, tie);
                    let run = match known {
                        Some(stage) => eval.b.literal(Literal::U32(2 << stage)),
                        None => {
                            let stage = eval.b.cast(DType::U32, stage);
                            let two = eval.b.literal(Literal::U32(2));
                            eval.b.binary(BinaryOp::Shl, two, stage)
                        }
                    };
                    let zero = eval.b.literal(Literal::U32(0));
                    let side = eval.b.binary(BinaryOp::And, first, run);
                    // The last run is all of a line: it goes up in each.
                    let goes_up = match known.map(|stage| stage + 1 == stages) {
                        Some(true) => eval.b.literal(Literal::Bool(true)),
                        Some(false) => eval.b.binary(BinaryOp::Eq, side, zero),
                        None => {
                            let width = eval.b.literal(Literal::U32(width as u32));
                            let is_last = eval.b.binary(BinaryOp::Eq, run, width);
                            let even = eval.b.binary(BinaryOp::Eq, side, zero);
                            eval.b.binary(BinaryOp::Or, is_last, even)
                        }
                    };
                    let swap = eval.b.binary(BinaryOp::Eq, above, goes_up);
                    eval.open();
                    for (array, index, value) in
                        [(keys, first, b), (keys, second, a), (places, first, at_b), (places, second, at_a)]
                    {
                        eval.b.push(Stmt::Store(array, index, value));
                    }
                    eval.forget();
                    eval.b.close_if(swap);
                });
                eval.b.push(Stmt::Barrier);
                eval.forget();
                eval.b.close_for(counter, before, end, 1);
            });
            eval.each("round", rounds, |eval, number| {
                let (word, at, _, inside) = each(eval, number);
                if inside.is_some() {
                    eval.open();
                }
                let found = eval.b.expr(Expr::Load(places, word));
                let found = eval.b.bind_anew("found", found);
                self.store(eval, problem, &at, found);
                close_guard(eval, inside);
            });
            close_guard(eval, in_grid);
            grid
        })
    }
}
