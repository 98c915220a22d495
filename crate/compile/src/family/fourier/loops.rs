//! Fourier transforms in loops, for the text that serves first: the numbers of a workgroup's lines
//! stay in its memory, real parts first, and are transformed in place, two at a time or as many as
//! an odd radix tells. Products and sums are those of the written-out transform, in its order.
//!
//! Deferred: few programs transform to frequencies.

use super::{Lines, Pair, each, product};
use crate::family::launch::{close_guard, each_workgroup, grid, guard};
use crate::family::sort::kept;
use crate::family::store::store_all;
use crate::family::{Problem, Stage};
use crate::lower::eval::Evaluator;
use std::f64::consts::PI;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, LocalId, Space, Stmt, UnaryOp};
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
    /// Whether there are several rounds, before all but the first of which numbers are turned.
    turns: bool,
}

/// Which factor of unit length turns a number: the product of those of the bits of `digit`, the
/// lowest first, of which number `n` is that of `by` · 2ⁿ in the table.
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

/// An array of an invocation's own that holds the cosines and then the sines of `count` angles, the
/// first 0 and `step` turns from one to the next.
fn roots(eval: &mut Evaluator<'_>, count: usize, step: &dyn Fn(usize) -> f64) -> ArrayId {
    let array = eval.b.array("roots", DType::F32, Space::Private(2 * count as u32));
    for k in 0..count {
        let (sine, cosine) = step(k).sin_cos();
        let pair = [cosine, sine].map(|x| eval.b.literal(Literal::F32(x as f32)));
        let index = word(eval, k as u32);
        store_pair(eval, array, index, count as u32, pair);
    }
    array
}

/// Sums of pairs that a loop adds to.
fn add_to(eval: &mut Evaluator<'_>, sums: [LocalId; 2], more: Pair) {
    for (sum, more) in sums.into_iter().zip(more) {
        let now = eval.b.read(sum);
        let next = eval.b.binary(BinaryOp::Add, now, more);
        eval.b.push(Stmt::Assign(sum, next));
    }
}

fn scaled(eval: &mut Evaluator<'_>, x: Pair, by: ExprId) -> Pair {
    x.map(|part| eval.b.binary(BinaryOp::Mul, part, by))
}

impl Lines {
    /// Whether the numbers of so many lines have room in workgroup memory, both parts at once.
    pub(super) fn has_room_for_both(&self, problem: &Problem<'_>, lines: usize) -> bool {
        8 * lines * self.length <= problem.limits.workgroup_bytes as usize
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
            let turns = radices.len() > 1;
            let here = Tile { lines: self, workgroup, count: lines, numbers, lane, turns };
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
                let to = self.reversed(eval, number, radices);
                let to = eval.b.index_add(first, to);
                for part in 0..2 {
                    let at = self.at(eval, line, number, part);
                    let value = eval.value(self.x, &at);
                    let index = eval.b.index_offset(to, (part * all) as i64);
                    eval.b.push(Stmt::Store(numbers, index, value));
                }
            });
            eval.b.push(Stmt::Barrier);
            let span = here.by_twos(eval, radices);
            here.by_odd(eval, radices, span);
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

    /// Where a number of a line begins, so that every round finds its own in place: its digits in
    /// reverse, those of radix two bit by bit.
    fn reversed(&self, eval: &mut Evaluator<'_>, number: ExprId, radices: &[usize]) -> ExprId {
        let twos = self.length.trailing_zeros() as usize;
        let mut rest = self.length >> twos;
        let high = eval.b.index_div(number, rest as i64);
        let low = eval.b.index_rem(number, rest as i64);
        let (high, nothing) = (eval.b.cast(DType::U32, high), word(eval, 0));
        let (left, reversed) = (eval.b.var("left", high), eval.b.var("reversed", nothing));
        eval.each("bit", twos, |eval, _| {
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
        let mut place = eval.b.bind_anew("place", reversed);
        eval.b.index.set_range(place, 0, (1 << twos) - 1);
        let mut span = 1 << twos;
        for &radix in radices.iter().filter(|&radix| radix % 2 == 1 && *radix > 1) {
            rest /= radix;
            let digit = eval.b.index_div(low, rest as i64);
            let digit = eval.b.index_rem(digit, radix as i64);
            let digit = eval.b.index_scale(digit, span);
            place = eval.b.index_add(place, digit);
            span *= radix as i64;
        }
        place
    }
}

impl Tile<'_> {
    /// Numbers of all lines.
    fn all(&self) -> u32 {
        (self.count * self.lines.length) as u32
    }

    /// Runs `body` for each of `count`, of which the invocations have a share each.
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

    /// A number turned as the transform of which it is a part asks.
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
        let place = eval.b.cast(DType::I32, place);
        let place = eval.b.bind_anew("place", place);
        eval.b.index.set_range(place, 0, self.lines.length as i64 - 1);
        let own = [0, 1].map(|part| {
            let part = eval.b.index_const(part);
            let bits = eval.value(self.lines.twiddles, &[part, place]);
            let float = eval.b.expr(Expr::Bitcast(DType::F32, bits));
            eval.b.bind("own", float)
        });
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

    /// All rounds whose radix is a power of two, level by level of each; how many numbers are
    /// transformed together then.
    fn by_twos(&self, eval: &mut Evaluator<'_>, radices: &[usize]) -> usize {
        let n = self.lines.length as u32;
        let mut rounds = Vec::new();
        let mut levels = 0;
        for radix in radices.iter().filter(|radix| *radix % 2 == 0) {
            rounds.push((levels, radix.ilog2()));
            levels += radix.ilog2();
        }
        let Some(&(_, most)) = rounds.first() else { return 1 };
        let radix = 1 << most;
        let half = radix / 2;
        let roots = roots(eval, half, &|k| -2.0 * PI * k as f64 / radix as f64);
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
                let last = word(eval, most - 1);
                let coarse = eval.b.binary(BinaryOp::Sub, last, depth);
                let root = eval.b.binary(BinaryOp::Shl, k, coarse);
                let root = pair_at(eval, roots, root, half as u32);
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
        1 << levels
    }

    /// All rounds of odd radices, behind `span` numbers that are transformed together.
    fn by_odd(&self, eval: &mut Evaluator<'_>, radices: &[usize], mut span: usize) {
        let odd: Vec<usize> = radices.iter().copied().filter(|radix| radix % 2 == 1 && *radix > 1).collect();
        let most = odd.last().copied().unwrap_or(0);
        if most == 0 {
            return;
        }
        let hand = eval.b.array("hand", DType::F32, Space::Private(2 * most as u32));
        for same in odd.chunk_by(|a, b| a == b) {
            let roots = roots(eval, same[0], &|k| 2.0 * PI * k as f64 / same[0] as f64);
            let first = word(eval, span as u32);
            let now = eval.b.var("span", first);
            eval.each("round", same.len(), |eval, _| {
                let here = eval.b.read(now);
                let here = eval.b.bind_anew("here", here);
                self.odd_round(eval, same[0], here, hand, roots);
                eval.b.push(Stmt::Barrier);
                let next = with(eval, BinaryOp::Mul, here, same[0] as u32);
                eval.b.push(Stmt::Assign(now, next));
            });
            span *= same.iter().product::<usize>();
        }
    }

    /// The round of an odd radix.
    fn odd_round(&self, eval: &mut Evaluator<'_>, radix: usize, span: ExprId, hand: ArrayId, roots: ArrayId) {
        let (n, p, all) = (self.lines.length, radix as u32, self.all());
        let count = n / radix;
        self.each(eval, self.count * count, &mut |eval, of| {
            let (own, number) = (eval.b.index_div(of, count as i64), eval.b.index_rem(of, count as i64));
            let before = eval.b.index_scale(own, n as i64);
            let (before, number) = (eval.b.cast(DType::U32, before), eval.b.cast(DType::U32, number));
            let number = eval.b.bind("number", number);
            let within = eval.b.binary(BinaryOp::Rem, number, span);
            let within = eval.b.bind("within", within);
            let whole = eval.b.binary(BinaryOp::Sub, number, within);
            let whole = with(eval, BinaryOp::Mul, whole, p);
            let first = eval.b.binary(BinaryOp::Add, whole, within);
            let first = eval.b.binary(BinaryOp::Add, before, first);
            let first = eval.b.bind("first", first);
            let place = |eval: &mut Evaluator<'_>, q: ExprId| {
                let ahead = eval.b.binary(BinaryOp::Mul, q, span);
                let place = eval.b.binary(BinaryOp::Add, first, ahead);
                eval.b.bind("place", place)
            };
            let step = word(eval, count as u32);
            let step = eval.b.binary(BinaryOp::Div, step, span);
            let by = eval.b.binary(BinaryOp::Mul, within, step);
            let by = eval.b.bind("by", by);
            let one = word(eval, 1);
            let most = (p - 1).ilog2() + 1;
            let bits = word(eval, most);
            let is_later = eval.b.binary(BinaryOp::Gt, span, one);
            eval.each("q", radix, |eval, q| {
                let q = eval.b.cast(DType::U32, q);
                let from = place(eval, q);
                let fetched = pair_at(eval, self.numbers, from, all);
                store_pair(eval, hand, q, p, fetched);
                if !self.turns {
                    return;
                }
                let is_turned = with(eval, BinaryOp::Gt, q, 0);
                let is_turned = eval.b.both(is_turned, is_later);
                eval.open();
                let bit = |eval: &mut Evaluator<'_>, n: ExprId| {
                    let bit = eval.b.binary(BinaryOp::Shr, q, n);
                    let bit = eval.b.binary(BinaryOp::And, bit, one);
                    eval.b.binary(BinaryOp::Eq, bit, one)
                };
                let turned = self.turned(eval, fetched, &Turn { by, bits, most, bit: &bit });
                store_pair(eval, hand, q, p, turned);
                eval.forget();
                eval.b.close_if(is_turned);
            });
            // Those as far before the first as behind it come together.
            let zero = word(eval, 0);
            let whole = pair_at(eval, hand, zero, p);
            let sums = whole.map(|part| eval.b.var("sum", part));
            eval.each("j", radix / 2, |eval, j| {
                let j = eval.b.index_offset(j, 1);
                let j = eval.b.cast(DType::U32, j);
                let end = word(eval, p);
                let other = eval.b.binary(BinaryOp::Sub, end, j);
                let (a, b) = (pair_at(eval, hand, j, p), pair_at(eval, hand, other, p));
                let (sum, difference) =
                    (each(&mut eval.b, BinaryOp::Add, a, b), each(&mut eval.b, BinaryOp::Sub, a, b));
                add_to(eval, sums, sum);
                store_pair(eval, hand, j, p, sum);
                store_pair(eval, hand, other, p, difference);
            });
            let sums = sums.map(|part| eval.b.read(part));
            store_pair(eval, self.numbers, first, all, sums);
            eval.each("k", radix / 2, |eval, k| {
                let k = eval.b.index_offset(k, 1);
                let k = eval.b.cast(DType::U32, k);
                let k = eval.b.bind("k", k);
                let end = word(eval, p);
                // What the pair `j` adds to both sums.
                let terms = |eval: &mut Evaluator<'_>, j: ExprId| {
                    let angle = eval.b.binary(BinaryOp::Mul, j, k);
                    let angle = with(eval, BinaryOp::Rem, angle, p);
                    let [cosine, sine] = pair_at(eval, roots, angle, p);
                    let other = eval.b.binary(BinaryOp::Sub, end, j);
                    let (sum, difference) = (pair_at(eval, hand, j, p), pair_at(eval, hand, other, p));
                    [scaled(eval, sum, cosine), scaled(eval, difference, sine)]
                };
                let [cosines, sines] = terms(eval, one);
                let cosines = each(&mut eval.b, BinaryOp::Add, whole, cosines);
                let cosines = cosines.map(|part| eval.b.var("cosines", part));
                let sines = sines.map(|part| eval.b.var("sines", part));
                eval.each("j", radix / 2 - 1, |eval, j| {
                    let j = eval.b.index_offset(j, 2);
                    let j = eval.b.cast(DType::U32, j);
                    let j = eval.b.bind("j", j);
                    let [more_cosines, more_sines] = terms(eval, j);
                    add_to(eval, cosines, more_cosines);
                    add_to(eval, sines, more_sines);
                });
                let cosines = cosines.map(|part| eval.b.read(part));
                // Sines are turned by a quarter.
                let [re, im] = sines.map(|part| eval.b.read(part));
                let minus = eval.b.unary(UnaryOp::Neg, re);
                let minus = eval.b.bind_anew("z", minus);
                let sines = [im, minus];
                let sum = each(&mut eval.b, BinaryOp::Add, cosines, sines);
                let difference = each(&mut eval.b, BinaryOp::Sub, cosines, sines);
                let to = place(eval, k);
                store_pair(eval, self.numbers, to, all, sum);
                let other = eval.b.binary(BinaryOp::Sub, end, k);
                let to = place(eval, other);
                store_pair(eval, self.numbers, to, all, difference);
            });
        });
    }
}
