//! Fourier transforms in loops, for the text that serves first, where the length is a power of two:
//! the numbers of a workgroup's lines stay in its memory, real parts first, and are transformed in
//! place, two at a time. Products and sums are those of the written-out transform, in its order.
//! Texts with loops for other radices would be compiled no sooner than those that are written out.
//!
//! Deferred: few programs transform to frequencies.

use super::{Lines, Pair, each, product};
use crate::family::launch::{close_guard, each_workgroup, grid, guard};
use crate::family::sort::kept;
use crate::family::store::store_all;
use crate::family::{Problem, Stage};
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt, UnaryOp};
use weft_ir::{DType, Literal};

/// A workgroup's lines.
struct Tile<'a> {
    lines: &'a Lines,
    /// Its invocations.
    workgroup: u32,
    /// How many lines there are.
    count: usize,
    /// Real parts, then imaginary ones.
    numbers: ArrayId,
    /// The invocation.
    lane: ExprId,
}

/// The twiddle factor that a number is multiplied by: the product, over the bits `n` of `digit`
/// that are 1, the lowest first, of the table's factor for `by` · 2ⁿ.
struct Turn<'a> {
    by: ExprId,
    /// How many bits it has, and the most that any has.
    bits: ExprId,
    most: u32,
    /// Bit `n` of the digit.
    bit: &'a dyn Fn(&mut Evaluator<'_>, ExprId) -> ExprId,
}

fn word(eval: &mut Evaluator<'_>, value: u32) -> ExprId {
    eval.b.literal(Literal::U32(value))
}

fn with(eval: &mut Evaluator<'_>, by: BinaryOp, x: ExprId, value: u32) -> ExprId {
    let value = word(eval, value);
    eval.b.binary(by, x, value)
}

/// The lowest `bits` bits.
fn low_bits(eval: &mut Evaluator<'_>, x: ExprId, bits: ExprId) -> ExprId {
    let one = word(eval, 1);
    let above = eval.b.binary(BinaryOp::Shl, one, bits);
    let mask = with(eval, BinaryOp::Sub, above, 1);
    eval.b.binary(BinaryOp::And, x, mask)
}

fn load(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId) -> ExprId {
    let load = eval.b.expr(Expr::Load(array, index));
    eval.b.bind_anew("z", load)
}

/// The parts of an element of an array, in which imaginary parts begin at `half`.
fn pair_at(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId, half: u32) -> Pair {
    let behind = with(eval, BinaryOp::Add, index, half);
    [load(eval, array, index), load(eval, array, behind)]
}

fn store_pair(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId, half: u32, pair: Pair) {
    let behind = with(eval, BinaryOp::Add, index, half);
    eval.b.push(Stmt::Store(array, index, pair[0]));
    eval.b.push(Stmt::Store(array, behind, pair[1]));
}

impl Lines {
    /// Whether a transform of this length has a text with loops: the real and imaginary parts of
    /// `lines` lines fit into workgroup memory together.
    pub(super) fn has_loops(&self, problem: &Problem<'_>, lines: usize) -> bool {
        let room = problem.limits.workgroup_bytes as usize;
        self.length.is_power_of_two() && self.length > 1 && 8 * lines * self.length <= room
    }

    /// The kernel of [`Lines::stage`] in loops.
    pub(super) fn stage_in_loops(
        &self,
        problem: &Problem<'_>,
        workgroup: u32,
        lines: usize,
        radices: &[usize],
    ) -> Stage {
        let (n, all) = (self.length, lines * self.length);
        let tiles = self.others.size().div_ceil(lines);
        problem.stage(&problem.name("fourier"), workgroup, |eval| {
            let grid = grid(tiles, problem.limits);
            let (tile, lane, in_grid) = each_workgroup(eval, "tile", tiles, workgroup, grid);
            let numbers = eval.b.array("numbers", DType::F32, Space::Workgroup(2 * all as u32));
            let here = Tile { lines: self, workgroup, count: lines, numbers, lane };
            // The line and the number that an invocation fetches or stores.
            let place = |eval: &mut Evaluator<'_>, of: ExprId, along: bool| {
                let by = if along { n } else { lines } as i64;
                let (a, b) = (eval.b.index_div(of, by), eval.b.index_rem(of, by));
                let (own, number) = if along { (a, b) } else { (b, a) };
                let (own, number) = (eval.b.index_bind("own", own), eval.b.index_bind("number", number));
                let before = eval.b.index_scale(tile, lines as i64);
                let line = eval.b.index_add(before, own);
                let (line, exists) = kept(eval, line, self.others.size());
                let first = eval.b.index_scale(own, n as i64);
                (first, line, number, exists)
            };
            here.each(eval, all, &mut |eval, of| {
                let (first, line, number, _) = place(eval, of, self.along[0]);
                let to = self.reversed(eval, number);
                let to = eval.b.index_add(first, to);
                for part in 0..2 {
                    let at = self.at(eval, line, number, part);
                    let value = eval.value(self.x, &at);
                    let index = eval.b.index_offset(to, (part * all) as i64);
                    eval.b.push(Stmt::Store(numbers, index, value));
                }
            });
            eval.b.push(Stmt::Barrier);
            here.rounds(eval, radices);
            here.each(eval, all, &mut |eval, of| {
                let (first, line, number, exists) = place(eval, of, self.along[1]);
                let from = eval.b.index_add(first, number);
                let parts = [0, 1].map(|part| {
                    let index = eval.b.index_offset(from, (part * all) as i64);
                    load(eval, numbers, index)
                });
                if exists.is_some() {
                    eval.open();
                }
                let at = [0, 1].map(|part| self.at(eval, line, number, part));
                for (at, value) in at.iter().zip(parts) {
                    eval.define(self.anchor, at, value);
                }
                at.iter().for_each(|at| store_all(eval, &problem.cluster().outputs, at, &self.shape));
                close_guard(eval, exists);
            });
            close_guard(eval, in_grid);
            grid
        })
    }

    /// Where a number of a line begins, its bits in reverse: so every level finds its own in place.
    fn reversed(&self, eval: &mut Evaluator<'_>, number: ExprId) -> ExprId {
        let (number, nothing) = (eval.b.cast(DType::U32, number), word(eval, 0));
        let (left, reversed) = (eval.b.var("left", number), eval.b.var("reversed", nothing));
        eval.each("bit", self.length.ilog2() as usize, |eval, _| {
            let (from, to) = (eval.b.read(left), eval.b.read(reversed));
            let twice = with(eval, BinaryOp::Shl, to, 1);
            let bit = with(eval, BinaryOp::And, from, 1);
            let next = eval.b.binary(BinaryOp::Or, twice, bit);
            eval.b.push(Stmt::Assign(reversed, next));
            let next = with(eval, BinaryOp::Shr, from, 1);
            eval.b.push(Stmt::Assign(left, next));
        });
        let reversed = eval.b.read(reversed);
        let reversed = eval.b.cast(DType::I32, reversed);
        let place = eval.b.bind_anew("place", reversed);
        eval.b.index.set_range(place, 0, self.length as i64 - 1);
        place
    }
}

impl Tile<'_> {
    /// Numbers of all lines.
    fn all(&self) -> u32 {
        (self.count * self.lines.length) as u32
    }

    /// Runs `body` for each number below `count`; the invocations of a workgroup share the numbers.
    fn each(&self, eval: &mut Evaluator<'_>, count: usize, body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId)) {
        let turns = count.div_ceil(self.workgroup as usize);
        eval.each("turn", turns, |eval, turn| {
            let ahead = eval.b.index_scale(turn, i64::from(self.workgroup));
            let of = eval.b.index_add(ahead, self.lane);
            let of = eval.b.index_bind("of", of);
            let guard = guard(eval, of, count, turns * self.workgroup as usize);
            eval.b.index.set_range(of, 0, count as i64 - 1);
            body(eval, of);
            close_guard(eval, guard);
        });
    }

    /// A factor of unit length from the table.
    fn factor(&self, eval: &mut Evaluator<'_>, place: ExprId) -> Pair {
        let place = eval.b.cast(DType::I32, place);
        let place = eval.b.bind_anew("place", place);
        eval.b.index.set_range(place, 0, self.lines.length as i64 - 1);
        [0, 1].map(|part| {
            let part = eval.b.index_const(part);
            let bits = eval.value(self.lines.twiddles, &[part, place]);
            let float = eval.b.expr(Expr::Bitcast(DType::F32, bits));
            eval.b.bind("factor", float)
        })
    }

    /// A number multiplied by its twiddle factor.
    fn turned(&self, eval: &mut Evaluator<'_>, number: Pair, turn: &Turn<'_>) -> Pair {
        let (zero, no) = (eval.b.literal(Literal::F32(0.0)), word(eval, 0));
        let factor = [0, 1].map(|_| eval.b.var("turn", zero));
        let begun = eval.b.var("begun", no);
        // Counted to a constant: see `positions.rs`.
        let (counter, n) = eval.b.counter("n", i64::from(turn.most));
        let (end, bits) = (eval.b.index_const(i64::from(turn.most)), eval.b.cast(DType::I32, turn.bits));
        let from = eval.b.binary(BinaryOp::Sub, end, bits);
        let from = eval.b.bind("from", from);
        eval.open();
        let bit = eval.b.binary(BinaryOp::Sub, n, from);
        let bit = eval.b.cast(DType::U32, bit);
        let bit = eval.b.bind("bit", bit);
        let is_set = (turn.bit)(eval, bit);
        eval.open();
        let place = eval.b.binary(BinaryOp::Shl, turn.by, bit);
        let own = self.factor(eval, place);
        let before = factor.map(|part| eval.b.read(part));
        let both = product(&mut eval.b, own, before);
        let is_first = eval.b.read(begun);
        let is_first = with(eval, BinaryOp::Eq, is_first, 0);
        let next = [0, 1].map(|part| {
            let next = eval.b.select(is_first, own[part], both[part]);
            eval.b.bind_anew("next", next)
        });
        for (part, next) in factor.into_iter().zip(next) {
            eval.b.push(Stmt::Assign(part, next));
        }
        let yes = word(eval, 1);
        eval.b.push(Stmt::Assign(begun, yes));
        eval.forget();
        eval.b.close_if(is_set);
        eval.forget();
        eval.b.close_for(counter, from, end, 1);
        let factor = factor.map(|part| eval.b.read(part));
        product(&mut eval.b, number, factor)
    }

    /// All rounds, level by level of each.
    fn rounds(&self, eval: &mut Evaluator<'_>, radices: &[usize]) {
        let n = self.lines.length as u32;
        let mut rounds = Vec::new();
        let mut levels = 0;
        for radix in radices {
            rounds.push((levels, radix.ilog2()));
            levels += radix.ilog2();
        }
        let most = rounds[0].1;
        eval.each("level", levels as usize, |eval, level| {
            let level = eval.b.cast(DType::U32, level);
            // Where the round of the level begins, and how many levels it has.
            let (mut start, mut bits) = (word(eval, 0), word(eval, most));
            for &(first, count) in &rounds[1..] {
                let is_there = with(eval, BinaryOp::Ge, level, first);
                let (first, count) = (word(eval, first), word(eval, count));
                start = eval.b.select(is_there, first, start);
                bits = eval.b.select(is_there, count, bits);
            }
            let (start, bits) = (eval.b.bind("start", start), eval.b.bind("bits", bits));
            if rounds.len() > 1 {
                let begins = eval.b.binary(BinaryOp::Eq, level, start);
                let is_later = with(eval, BinaryOp::Gt, level, 0);
                let begins = eval.b.both(begins, is_later);
                eval.open();
                let end = eval.b.binary(BinaryOp::Add, start, bits);
                let end = eval.b.bind("end", end);
                self.each(eval, self.all() as usize, &mut |eval, of| {
                    let own = eval.b.index_rem(of, i64::from(n));
                    let own = eval.b.cast(DType::U32, own);
                    let own = eval.b.bind("own", own);
                    let digit = eval.b.binary(BinaryOp::Shr, own, start);
                    let digit = low_bits(eval, digit, bits);
                    let is_turned = with(eval, BinaryOp::Ne, digit, 0);
                    eval.open();
                    let index = eval.b.cast(DType::U32, of);
                    let number = pair_at(eval, self.numbers, index, self.all());
                    let within = low_bits(eval, own, start);
                    let (n, one) = (word(eval, n), word(eval, 1));
                    let step = eval.b.binary(BinaryOp::Shr, n, end);
                    let by = eval.b.binary(BinaryOp::Mul, within, step);
                    let by = eval.b.bind("by", by);
                    // Its digit is in reverse.
                    let bit = |eval: &mut Evaluator<'_>, n: ExprId| {
                        let last = eval.b.binary(BinaryOp::Sub, end, one);
                        let place = eval.b.binary(BinaryOp::Sub, last, n);
                        let bit = eval.b.binary(BinaryOp::Shr, own, place);
                        let bit = eval.b.binary(BinaryOp::And, bit, one);
                        eval.b.binary(BinaryOp::Eq, bit, one)
                    };
                    let turned = self.turned(eval, number, &Turn { by, bits, most, bit: &bit });
                    store_pair(eval, self.numbers, index, self.all(), turned);
                    eval.forget();
                    eval.b.close_if(is_turned);
                });
                eval.b.push(Stmt::Barrier);
                eval.forget();
                eval.b.close_if(begins);
            }
            let depth = eval.b.binary(BinaryOp::Sub, level, start);
            let depth = eval.b.bind("depth", depth);
            self.each(eval, self.all() as usize / 2, &mut |eval, of| {
                let (own, pair) =
                    (eval.b.index_div(of, i64::from(n / 2)), eval.b.index_rem(of, i64::from(n / 2)));
                let before = eval.b.index_scale(own, i64::from(n));
                let (before, pair) = (eval.b.cast(DType::U32, before), eval.b.cast(DType::U32, pair));
                let pair = eval.b.bind("pair", pair);
                let low = low_bits(eval, pair, level);
                let low = eval.b.bind("low", low);
                let high = eval.b.binary(BinaryOp::Sub, pair, low);
                let high = with(eval, BinaryOp::Shl, high, 1);
                let first = eval.b.binary(BinaryOp::Or, high, low);
                let first = eval.b.binary(BinaryOp::Add, before, first);
                let first = eval.b.bind("first", first);
                let one = word(eval, 1);
                let apart = eval.b.binary(BinaryOp::Shl, one, level);
                let second = eval.b.binary(BinaryOp::Add, first, apart);
                let second = eval.b.bind("second", second);
                let even = pair_at(eval, self.numbers, first, self.all());
                let odd = pair_at(eval, self.numbers, second, self.all());
                // Turned by k of 2^(depth + 1) turns.
                let k = eval.b.binary(BinaryOp::Shr, low, start);
                let k = eval.b.bind("k", k);
                let last = word(eval, levels - 1);
                let coarse = eval.b.binary(BinaryOp::Sub, last, depth);
                let root = eval.b.binary(BinaryOp::Shl, k, coarse);
                let root = self.factor(eval, root);
                let turned = product(&mut eval.b, odd, root);
                let all = eval.b.binary(BinaryOp::Shl, one, depth);
                let twice = with(eval, BinaryOp::Shl, k, 1);
                let is_quarter = eval.b.binary(BinaryOp::Eq, twice, all);
                let is_none = with(eval, BinaryOp::Eq, k, 0);
                let minus = eval.b.unary(UnaryOp::Neg, odd[0]);
                let quarter = [odd[1], minus];
                let turned = [0, 1].map(|part| {
                    let turned = eval.b.select(is_quarter, quarter[part], turned[part]);
                    let turned = eval.b.select(is_none, odd[part], turned);
                    eval.b.bind_anew("z", turned)
                });
                let sum = each(&mut eval.b, BinaryOp::Add, even, turned);
                let difference = each(&mut eval.b, BinaryOp::Sub, even, turned);
                store_pair(eval, self.numbers, first, self.all(), sum);
                store_pair(eval, self.numbers, second, self.all(), difference);
            });
            eval.b.push(Stmt::Barrier);
        });
    }
}
