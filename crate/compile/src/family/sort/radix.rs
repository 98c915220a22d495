//! Sorting of long lines by their digits, the lowest first, four bits at a time (D. Merrill and A.
//! Grimshaw, "High Performance and Scalable Radix Sorting", 2011). A pass is three kernels: how
//! often each digit is in each tile; where the digits of each tile begin; and every tile put into
//! order in workgroup memory and written where it belongs. Within a tile an element's place follows
//! from counters that are scanned digit by digit, invocation by invocation, which keeps equal
//! digits in their order. Kernels of a pass come one after the other, and none waits for another
//! workgroup.

use super::serial::WORKGROUP;
use super::{LONGEST, Lines, kept, lines};
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::family::scan::kogge_stone::KoggeStoneScan;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::op::{Op, ReduceOp};
use weft_ir::{DType, HashMap, Literal};

/// Bits of a digit.
const BITS: u32 = 4;
/// Values of a digit.
const DIGITS: usize = 1 << BITS;
/// Words with counters of two digits each, of an invocation.
const WORDS: usize = DIGITS / 2;
/// Elements of a tile that an invocation holds: their number fits a digit's counter of four bits.
const EACH: usize = 8;
/// Counts that an invocation of the second kernel adds up at a time.
const COUNTS: usize = 8;
/// Invocations of the second kernel's workgroups.
const SCANNING: u32 = 256;

/// Elements of the longest line that is short for software too: see `merge.rs`.
const SHORTEST: usize = 64;

/// Numbers of the buffers between kernels: how often digits are in tiles and then where they begin,
/// how often in lines, and two of keys and places each.
const STARTS: usize = 0;
const TOTALS: usize = 1;
pub(super) const SETS: [[usize; 2]; 2] = [[2, 3], [4, 5]];

/// The family.
pub struct Radix;

parameters! {
    /// How lines are divided.
    Division {
        /// Invocations of a workgroup.
        workgroup: u32,
        /// Whether each of them has a chunk to itself; else workgroups have tiles.
        serial: bool,
    }
}

/// Lines to be sorted so.
///
/// Deferred: few programs sort.
struct LongLines(Lines);

impl Family for Radix {
    fn name(&self) -> &'static str {
        "radix"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Division::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        // One workgroup sorts shorter ones, where workgroups are what is fast.
        let least = if problem.model().sort.serial.is_some() { SHORTEST } else { LONGEST };
        let lines = lines(problem).filter(|lines| lines.length > least)?;
        Some(Box::new(LongLines(lines)))
    }

    /// Passes hand on keys and places, counts and totals.
    fn more_bindings(&self, op: &Op) -> usize {
        if matches!(op, Op::ArgSort { .. }) { 4 } else { 0 }
    }
}

impl Lowering for LongLines {
    type Candidate = Division;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Division> {
        let workgroups = [128, 256].into_iter().filter(|&w| w <= problem.limits.invocations);
        let mut found: Candidates<Division> =
            workgroups.map(|workgroup| Division { workgroup, serial: false }).collect();
        if problem.model().sort.serial.is_some() {
            found.push(Division { workgroup: WORKGROUP, serial: true });
        }
        found
    }

    fn is_fallback(&self, _: Division) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, Division { workgroup, serial }: Division) -> f64 {
        if serial {
            let model = problem.model();
            let (Some(step), Some(serial)) = (model.sort.serial, &model.serial) else {
                return f64::INFINITY;
            };
            return self.0.serial_cost(step, serial.kernel);
        }
        let Some(element) = problem.model().sort.radix else { return f64::INFINITY };
        element * self.0.shape.size() as f64 * (1.0 + 16.0 / f64::from(workgroup))
    }

    fn lower(&self, problem: &Problem<'_>, Division { workgroup, serial }: Division) -> Lowered {
        if serial {
            return self.0.serial_passes(problem);
        }
        let tiles = self.0.length.div_ceil(workgroup as usize * EACH);
        let counts = self.0.count() * DIGITS;
        let passes = self.0.bits.div_ceil(BITS).max(1);
        // The first kernels write no result, so nothing over a leaf.
        let nothing = HashMap::default();
        let reading = Problem { in_place: &nothing, ..*problem };
        let mut stages = Vec::new();
        for number in 0..passes {
            let pass = Pass {
                lines: &self.0,
                workgroup,
                tiles,
                shift: number * BITS,
                from: number.checked_sub(1).map(|before| SETS[before as usize % 2]),
                to: (number + 1 < passes).then(|| SETS[number as usize % 2]),
            };
            stages.push(pass.count(&reading));
            stages.push(pass.starts(&reading));
            stages.push(pass.place(if pass.to.is_some() { &reading } else { problem }));
        }
        let size = self.0.shape.size();
        let sets = (passes as usize - 1).min(2);
        let mut partials = vec![counts * tiles, counts];
        partials.extend(std::iter::repeat_n(size, 2 * sets));
        Lowered { stages, partials: partials.into_iter().map(|words| words as u64 * 4).collect() }
    }
}

/// One pass over a digit.
///
/// Deferred: few programs sort.
struct Pass<'a> {
    lines: &'a Lines,
    workgroup: u32,
    /// Tiles of a line.
    tiles: usize,
    /// Bits below the digit, which the dispatch carries: passes share their kernels.
    shift: u32,
    /// The keys and places that it reads, the tensor itself where there are none.
    from: Option<[usize; 2]>,
    /// Those that it writes; the result where there are none.
    to: Option<[usize; 2]>,
}

/// Where an invocation stands.
struct Position {
    lane: ExprId,
    line: ExprId,
    tile: ExprId,
    in_grid: Option<ExprId>,
    grid: [u32; 3],
}

/// An element that an invocation holds.
struct Element {
    key: ExprId,
    place: ExprId,
    digit: ExprId,
    /// Its place among those of the same digit that the invocation holds.
    among: ExprId,
}

fn number(eval: &mut Evaluator<'_>, value: u32) -> ExprId {
    eval.b.literal(Literal::U32(value))
}

fn with(eval: &mut Evaluator<'_>, op: BinaryOp, x: ExprId, value: u32) -> ExprId {
    let value = number(eval, value);
    eval.b.binary(op, x, value)
}

fn load(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId) -> ExprId {
    let load = eval.b.expr(Expr::Load(array, index));
    eval.b.bind_anew("was", load)
}

impl Pass<'_> {
    fn tile(&self) -> usize {
        self.workgroup as usize * EACH
    }

    /// A workgroup for each of `of_line` parts of every line.
    fn stand(
        &self,
        eval: &mut Evaluator<'_>,
        problem: &Problem<'_>,
        of_line: usize,
        workgroup: u32,
    ) -> Position {
        let groups = self.lines.count() * of_line;
        let grid = grid(groups, problem.limits);
        let (group, lane, in_grid) = each_workgroup(eval, "group", groups, workgroup, grid);
        let (line, tile) = (eval.b.index_div(group, of_line as i64), eval.b.index_rem(group, of_line as i64));
        let (line, tile) = (eval.b.index_bind("line", line), eval.b.index_bind("tile", tile));
        Position { lane, line, tile, in_grid, grid }
    }

    /// How many elements of a tile there are.
    fn filled(&self, eval: &mut Evaluator<'_>, stand: &Position) -> ExprId {
        let before = eval.b.index_scale(stand.tile, -(self.tile() as i64));
        let left = eval.b.index_offset(before, self.lines.length as i64);
        let most = eval.b.index_const(self.tile() as i64);
        let filled = eval.b.binary(BinaryOp::Min, left, most);
        let filled = eval.b.bind_anew("filled", filled);
        eval.b.cast(DType::U32, filled)
    }

    fn digit(&self, eval: &mut Evaluator<'_>, key: ExprId) -> ExprId {
        let shift = eval.carried("shift", self.shift);
        let low = eval.b.binary(BinaryOp::Shr, key, shift);
        with(eval, BinaryOp::And, low, DIGITS as u32 - 1)
    }

    /// The elements of an invocation, neighbours in the line, behind its end such as come last; and
    /// how many come before them.
    fn elements(&self, eval: &mut Evaluator<'_>, stand: &Position, places: bool) -> (Vec<Element>, ArrayId) {
        let arrays = self.from.map(|[keys, at]| {
            let keys = eval.array(Binding::Partial(keys), DType::U32, Space::Read);
            (keys, places.then(|| eval.array(Binding::Partial(at), DType::I32, Space::Read)))
        });
        let before = eval.b.index_scale(stand.tile, self.tile() as i64);
        let own = eval.b.index_scale(stand.lane, EACH as i64);
        let first = eval.b.index_add(before, own);
        let line = eval.b.index_scale(stand.line, self.lines.length as i64);
        let mut elements = Vec::with_capacity(EACH);
        for offset in 0..EACH {
            let position = eval.b.index_offset(first, offset as i64);
            let (position, inside) = kept(eval, position, self.lines.length);
            let (key, place) = match arrays {
                Some((keys, places)) => {
                    let index = eval.b.index_add(line, position);
                    (load(eval, keys, index), places.map_or(position, |places| load(eval, places, index)))
                }
                None => {
                    let at = self.lines.at(eval, stand.line, position);
                    (eval.value(self.lines.keys, &at), position)
                }
            };
            let last = number(eval, u32::MAX);
            let key = inside.map_or(key, |inside| eval.b.select(inside, key, last));
            let key = eval.b.bind_anew("key", key);
            elements.push(Element { key, place, digit: key, among: key });
        }
        // Counters of four bits for each digit, in two words.
        let nothing = number(eval, 0);
        let mut counters = [nothing; 2];
        for element in &mut elements {
            let digit = self.digit(eval, element.key);
            element.digit = eval.b.bind_anew("digit", digit);
            let in_word = with(eval, BinaryOp::And, element.digit, WORDS as u32 - 1);
            let shift = with(eval, BinaryOp::Mul, in_word, BITS);
            let shift = eval.b.bind_anew("shift", shift);
            let upper = with(eval, BinaryOp::Ge, element.digit, WORDS as u32);
            let word = eval.b.select(upper, counters[1], counters[0]);
            let among = eval.b.binary(BinaryOp::Shr, word, shift);
            let among = with(eval, BinaryOp::And, among, DIGITS as u32 - 1);
            element.among = eval.b.bind_anew("among", among);
            let one = number(eval, 1);
            let one = eval.b.binary(BinaryOp::Shl, one, shift);
            for (side, counter) in counters.iter_mut().enumerate() {
                let (a, b) = if side == 0 { (nothing, one) } else { (one, nothing) };
                let more = eval.b.select(upper, a, b);
                let sum = eval.b.binary(BinaryOp::Add, *counter, more);
                *counter = eval.b.bind_anew("counter", sum);
            }
        }
        let array = self.publish(eval, stand, counters);
        (elements, array)
    }

    /// The counters of all invocations, scanned. Of each pair of digits there are those of all
    /// invocations, of each of these the digit below and the one from [`WORDS`] on in halves of a
    /// word.
    fn publish(&self, eval: &mut Evaluator<'_>, stand: &Position, counters: [ExprId; 2]) -> ArrayId {
        let array = eval.b.array("counters", DType::U32, Space::Workgroup(WORDS as u32 * self.workgroup));
        for word in 0..WORDS as u32 {
            let [low, high] = counters.map(|counter| {
                let count = with(eval, BinaryOp::Shr, counter, word * BITS);
                with(eval, BinaryOp::And, count, DIGITS as u32 - 1)
            });
            let high = with(eval, BinaryOp::Shl, high, 16);
            let both = eval.b.binary(BinaryOp::Or, low, high);
            let index = eval.b.index_offset(stand.lane, i64::from(word * self.workgroup));
            eval.b.push(Stmt::Store(array, index, both));
        }
        eval.b.push(Stmt::Barrier);
        // All of them scanned in the order in which they lie: each invocation its own neighbours,
        // then the totals of those.
        let first = eval.b.index_scale(stand.lane, WORDS as i64);
        let mut sum = number(eval, 0);
        let mut before = Vec::with_capacity(WORDS);
        for word in 0..WORDS {
            let index = eval.b.index_offset(first, word as i64);
            let own = load(eval, array, index);
            before.push((index, sum));
            let next = eval.b.binary(BinaryOp::Add, sum, own);
            sum = eval.b.bind_anew("sum", next);
        }
        let scan = KoggeStoneScan {
            op: ReduceOp::Sum,
            dtype: DType::U32,
            workgroup: self.workgroup,
            lanes: self.workgroup,
        };
        let (ahead, all) = scan.scan(eval, stand.lane, sum);
        // Upper digits come after all lower ones.
        let lower = with(eval, BinaryOp::Shl, all, 16);
        let ahead = eval.b.binary(BinaryOp::Add, ahead, lower);
        let ahead = eval.b.bind_anew("ahead", ahead);
        for (index, sum) in before {
            let start = eval.b.binary(BinaryOp::Add, ahead, sum);
            eval.b.push(Stmt::Store(array, index, start));
        }
        eval.b.push(Stmt::Barrier);
        array
    }

    /// How many elements of the tile come before those of `digit` that the invocation `lane` holds.
    fn rank(&self, eval: &mut Evaluator<'_>, array: ArrayId, digit: ExprId, lane: ExprId) -> ExprId {
        let in_word = with(eval, BinaryOp::And, digit, WORDS as u32 - 1);
        let row = with(eval, BinaryOp::Mul, in_word, self.workgroup);
        let lane = eval.b.cast(DType::U32, lane);
        let index = eval.b.binary(BinaryOp::Add, row, lane);
        let both = load(eval, array, index);
        let upper = with(eval, BinaryOp::Ge, digit, WORDS as u32);
        let (high, low) = (with(eval, BinaryOp::Shr, both, 16), with(eval, BinaryOp::And, both, 0xffff));
        eval.b.select(upper, high, low)
    }

    /// Where the counts of a line's digit begin, for all of its tiles.
    fn of_digit(&self, eval: &mut Evaluator<'_>, line: ExprId, digit: ExprId) -> ExprId {
        let before = eval.b.index_scale(line, DIGITS as i64);
        let row = eval.b.index_add(before, digit);
        eval.b.index_scale(row, self.tiles as i64)
    }

    /// The first kernel: how often each digit is in each tile.
    fn count(&self, problem: &Problem<'_>) -> Stage {
        problem.stage(&problem.name("radix, counts of"), self.workgroup, |eval| {
            let stand = self.stand(eval, problem, self.tiles, self.workgroup);
            let (_, array) = self.elements(eval, &stand, false);
            let counts = eval.array(Binding::Partial(STARTS), DType::U32, Space::ReadWrite);
            let digits = eval.b.index_const(DIGITS as i64);
            let has_digit = eval.b.index_less(stand.lane, digits);
            eval.open();
            let zero = eval.b.index_const(0);
            let digit = eval.b.cast(DType::U32, stand.lane);
            let from = self.rank(eval, array, digit, zero);
            let next = with(eval, BinaryOp::Add, digit, 1);
            let to = self.rank(eval, array, next, zero);
            // Behind the last digit come those that fill the tile up, which are none.
            let is_last = with(eval, BinaryOp::Eq, digit, DIGITS as u32 - 1);
            let filled = self.filled(eval, &stand);
            let to = eval.b.select(is_last, filled, to);
            let count = eval.b.binary(BinaryOp::Sub, to, from);
            let row = self.of_digit(eval, stand.line, stand.lane);
            let index = eval.b.index_add(row, stand.tile);
            eval.b.push(Stmt::Store(counts, index, count));
            eval.forget();
            eval.b.close_if(has_digit);
            close_guard(eval, stand.in_grid);
            stand.grid
        })
    }

    /// The second kernel: where the elements of each digit in each tile begin among those of the
    /// digit, and how many those are.
    fn starts(&self, problem: &Problem<'_>) -> Stage {
        let workgroup = SCANNING.min(problem.limits.invocations);
        problem.stage(&problem.name("radix, starts of"), workgroup, |eval| {
            let stand = self.stand(eval, problem, DIGITS, workgroup);
            let counts = eval.array(Binding::Partial(STARTS), DType::U32, Space::ReadWrite);
            let totals = eval.array(Binding::Partial(TOTALS), DType::U32, Space::ReadWrite);
            let row = self.of_digit(eval, stand.line, stand.tile);
            let nothing = number(eval, 0);
            let before = eval.b.var("before", nothing);
            let round = workgroup as usize * COUNTS;
            eval.each("round", self.tiles.div_ceil(round), |eval, n| {
                let ahead = eval.b.index_scale(n, round as i64);
                let own = eval.b.index_scale(stand.lane, COUNTS as i64);
                let first = eval.b.index_add(ahead, own);
                let mut sum = number(eval, 0);
                let mut found = Vec::with_capacity(COUNTS);
                for offset in 0..COUNTS {
                    let tile = eval.b.index_offset(first, offset as i64);
                    let (tile, inside) = kept(eval, tile, self.tiles);
                    let index = eval.b.index_add(row, tile);
                    let index = eval.b.index_bind("index", index);
                    let count = load(eval, counts, index);
                    let none = number(eval, 0);
                    let count = inside.map_or(count, |inside| eval.b.select(inside, count, none));
                    found.push((index, inside, sum));
                    let next = eval.b.binary(BinaryOp::Add, sum, count);
                    sum = eval.b.bind_anew("sum", next);
                }
                let scan =
                    KoggeStoneScan { op: ReduceOp::Sum, dtype: DType::U32, workgroup, lanes: workgroup };
                let (below, all) = scan.scan(eval, stand.lane, sum);
                let carried = eval.b.read(before);
                let below = eval.b.binary(BinaryOp::Add, carried, below);
                let below = eval.b.bind_anew("below", below);
                for (index, inside, sum) in found {
                    if inside.is_some() {
                        eval.open();
                    }
                    let start = eval.b.binary(BinaryOp::Add, below, sum);
                    eval.b.push(Stmt::Store(counts, index, start));
                    close_guard(eval, inside);
                }
                let now = eval.b.read(before);
                let next = eval.b.binary(BinaryOp::Add, now, all);
                eval.b.push(Stmt::Assign(before, next));
                eval.b.push(Stmt::Barrier);
            });
            let zero = eval.b.index_const(0);
            let is_first = eval.b.binary(BinaryOp::Eq, stand.lane, zero);
            eval.open();
            let line = eval.b.index_scale(stand.line, DIGITS as i64);
            let index = eval.b.index_add(line, stand.tile);
            let all = eval.b.read(before);
            eval.b.push(Stmt::Store(totals, index, all));
            eval.forget();
            eval.b.close_if(is_first);
            close_guard(eval, stand.in_grid);
            stand.grid
        })
    }

    /// The third kernel: every element where it belongs.
    fn place(&self, problem: &Problem<'_>) -> Stage {
        problem.stage(&problem.name("radix, places of"), self.workgroup, |eval| {
            let stand = self.stand(eval, problem, self.tiles, self.workgroup);
            let (elements, array) = self.elements(eval, &stand, true);
            let tile = self.tile() as u32;
            let keys = eval.b.array("keys", DType::U32, Space::Workgroup(tile));
            let places = eval.b.array("places", DType::I32, Space::Workgroup(tile));
            let shifts = eval.b.array("shifts", DType::U32, Space::Workgroup(DIGITS as u32));
            for element in &elements {
                let rank = self.rank(eval, array, element.digit, stand.lane);
                let rank = eval.b.binary(BinaryOp::Add, rank, element.among);
                let rank = eval.b.bind_anew("rank", rank);
                eval.b.push(Stmt::Store(keys, rank, element.key));
                eval.b.push(Stmt::Store(places, rank, element.place));
            }
            // How far each digit's elements move from their rank in the tile to their place in the
            // line.
            let starts = eval.array(Binding::Partial(STARTS), DType::U32, Space::Read);
            let totals = eval.array(Binding::Partial(TOTALS), DType::U32, Space::Read);
            let digits = eval.b.index_const(DIGITS as i64);
            let has_digit = eval.b.index_less(stand.lane, digits);
            eval.open();
            let row = self.of_digit(eval, stand.line, stand.lane);
            let index = eval.b.index_add(row, stand.tile);
            let start = load(eval, starts, index);
            let below = eval.b.var("below", start);
            let line = eval.b.index_scale(stand.line, DIGITS as i64);
            eval.each("digit", DIGITS, |eval, digit| {
                let index = eval.b.index_add(line, digit);
                let total = load(eval, totals, index);
                let comes_before = eval.b.index_less(digit, stand.lane);
                let none = number(eval, 0);
                let more = eval.b.select(comes_before, total, none);
                let now = eval.b.read(below);
                let next = eval.b.binary(BinaryOp::Add, now, more);
                eval.b.push(Stmt::Assign(below, next));
            });
            let zero = eval.b.index_const(0);
            let digit = eval.b.cast(DType::U32, stand.lane);
            let rank = self.rank(eval, array, digit, zero);
            let all = eval.b.read(below);
            let shift = eval.b.binary(BinaryOp::Sub, all, rank);
            eval.b.push(Stmt::Store(shifts, stand.lane, shift));
            eval.forget();
            eval.b.close_if(has_digit);
            eval.b.push(Stmt::Barrier);
            let filled = self.filled(eval, &stand);
            let filled = eval.b.bind("filled", filled);
            for round in 0..EACH {
                let rank = eval.b.index_offset(stand.lane, round as i64 * i64::from(self.workgroup));
                let rank = eval.b.index_bind("rank", rank);
                let unsigned = eval.b.cast(DType::U32, rank);
                let exists = eval.b.binary(BinaryOp::Lt, unsigned, filled);
                eval.open();
                let (key, place) = (load(eval, keys, rank), load(eval, places, rank));
                let digit = self.digit(eval, key);
                let shift = load(eval, shifts, digit);
                let target = eval.b.binary(BinaryOp::Add, unsigned, shift);
                let target = eval.b.cast(DType::I32, target);
                let target = eval.b.bind_anew("target", target);
                eval.b.index.set_range(target, 0, self.lines.length as i64 - 1);
                match self.to {
                    Some([to_keys, to_places]) => {
                        let line = eval.b.index_scale(stand.line, self.lines.length as i64);
                        let index = eval.b.index_add(line, target);
                        let to_keys = eval.array(Binding::Partial(to_keys), DType::U32, Space::ReadWrite);
                        let to_places = eval.array(Binding::Partial(to_places), DType::I32, Space::ReadWrite);
                        eval.b.push(Stmt::Store(to_keys, index, key));
                        eval.b.push(Stmt::Store(to_places, index, place));
                    }
                    None => {
                        let at = self.lines.at(eval, stand.line, target);
                        self.lines.store(eval, problem, &at, place);
                    }
                }
                eval.forget();
                eval.b.close_if(exists);
            }
            close_guard(eval, stand.in_grid);
            stand.grid
        })
    }
}
