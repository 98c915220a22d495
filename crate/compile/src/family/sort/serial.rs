//! Radix sort without barriers, for software: each invocation has a chunk of a line to itself, and
//! digits have eight bits, as on a processor's core. A pass counts each chunk's digits, adds the
//! counts up in the order of digits and chunks, and puts every element where the count of its digit
//! says, which keeps equal digits in their order.

use super::radix::SETS;
use super::{Lines, kept};
use crate::family::launch::{close_guard, each_invocation, grid};
use crate::family::{Lowered, Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::{DType, HashMap, Literal};

/// Bits of a digit.
const BITS: u32 = 8;
/// Values of a digit.
const DIGITS: usize = 1 << BITS;
/// Invocations of a workgroup: a processor computes four at a time.
pub(super) const WORKGROUP: u32 = 4;
/// Chunks that keep the processors busy.
const CHUNKS: usize = 64;
/// Elements of a chunk for which counting its digits pays off.
const LEAST: usize = 512;
/// The buffer of counts.
const COUNTS: usize = 0;
/// What a pass takes besides its elements, in elements: each count of a chunk.
const OF_CHUNK: f64 = 2.0 * DIGITS as f64;

/// One pass over a digit.
///
/// Deferred: few programs sort.
struct SerialPass<'a> {
    lines: &'a Lines,
    /// Bits below the digit, which the dispatch carries: passes share their kernels.
    shift: u32,
    /// The keys and places that it reads, the tensor itself where there are none.
    from: Option<[usize; 2]>,
    /// Those that it writes; the result where there are none.
    to: Option<[usize; 2]>,
}

impl Lines {
    /// Elements of a chunk.
    pub(super) fn chunk(&self) -> usize {
        (self.shape.size() / CHUNKS).max(LEAST).min(self.length)
    }

    fn chunks(&self) -> usize {
        self.length.div_ceil(self.chunk())
    }

    /// Time of all passes, where an element takes a `step`.
    pub(super) fn serial_cost(&self, step: f64, kernel: f64) -> f64 {
        let passes = f64::from(self.bits.div_ceil(BITS).max(1));
        let moves = self.shape.size() as f64 + OF_CHUNK * (self.count() * self.chunks()) as f64;
        passes * (3.0 * kernel + step * moves)
    }

    /// The kernels of all passes.
    pub(super) fn serial_passes(&self, problem: &Problem<'_>) -> Lowered {
        let passes = self.bits.div_ceil(BITS).max(1) as usize;
        // The first kernels write no result, so nothing over a leaf.
        let nothing = HashMap::default();
        let reading = Problem { in_place: &nothing, ..*problem };
        let mut stages = Vec::new();
        for number in 0..passes {
            let pass = SerialPass {
                lines: self,
                shift: number as u32 * BITS,
                from: number.checked_sub(1).map(|before| SETS[before % 2]),
                to: (number + 1 < passes).then(|| SETS[number % 2]),
            };
            stages.push(pass.count(&reading));
            stages.push(pass.starts(&reading));
            stages.push(pass.place(if pass.to.is_some() { &reading } else { problem }));
        }
        let size = self.shape.size();
        // The second buffer is that of totals in the passes of workgroups.
        let mut partials = vec![self.count() * self.chunks() * DIGITS, 1];
        partials.extend(std::iter::repeat_n(size, 2 * (passes - 1).min(2)));
        Lowered { stages, partials: partials.into_iter().map(|words| words as u64 * 4).collect() }
    }
}

fn load(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId) -> ExprId {
    let load = eval.b.expr(Expr::Load(array, index));
    eval.b.bind_anew("was", load)
}

/// An element of a chunk.
struct Element {
    position: ExprId,
    key: ExprId,
    /// Where its digit's count lies.
    count: ExprId,
    guard: Option<ExprId>,
}

impl SerialPass<'_> {
    fn counts(&self, eval: &mut Evaluator<'_>) -> ArrayId {
        eval.array(Binding::Partial(COUNTS), DType::U32, Space::ReadWrite)
    }

    /// Runs `body` for each chunk, given its line and number.
    fn each_chunk(
        &self,
        problem: &Problem<'_>,
        name: &str,
        body: impl FnOnce(&mut Evaluator<'_>, ExprId, ExprId),
    ) -> Stage {
        let (chunks, all) = (self.lines.chunks(), self.lines.count() * self.lines.chunks());
        problem.stage(&problem.name(name), WORKGROUP, |eval| {
            let grid = grid(all.div_ceil(WORKGROUP as usize), problem.limits);
            let (number, guard) = each_invocation(eval, "number", all, WORKGROUP, grid);
            let (line, chunk) =
                (eval.b.index_div(number, chunks as i64), eval.b.index_rem(number, chunks as i64));
            let (line, chunk) = (eval.b.index_bind("line", line), eval.b.index_bind("chunk", chunk));
            body(eval, line, chunk);
            close_guard(eval, guard);
            grid
        })
    }

    /// Where the count of a chunk's first digit lies: those of a digit lie side by side.
    fn first_count(&self, eval: &mut Evaluator<'_>, line: ExprId, chunk: ExprId) -> ExprId {
        let before = eval.b.index_scale(line, (DIGITS * self.lines.chunks()) as i64);
        let first = eval.b.index_add(before, chunk);
        eval.b.index_bind("first", first)
    }

    /// Opens a guard around an element of the chunk where the line may end before it.
    fn element(
        &self,
        eval: &mut Evaluator<'_>,
        (line, chunk): (ExprId, ExprId),
        offset: ExprId,
        first: ExprId,
    ) -> Element {
        let before = eval.b.index_scale(chunk, self.lines.chunk() as i64);
        let position = eval.b.index_add(before, offset);
        let (position, guard) = kept(eval, position, self.lines.length);
        if guard.is_some() {
            eval.open();
        }
        let key = match self.from {
            Some([keys, _]) => {
                let keys = eval.array(Binding::Partial(keys), DType::U32, Space::Read);
                let index = self.beside(eval, line, position);
                load(eval, keys, index)
            }
            None => {
                let at = self.lines.at(eval, line, position);
                let key = eval.value(self.lines.keys, &at);
                eval.b.bind("key", key)
            }
        };
        let shift = eval.carried("shift", self.shift);
        let low = eval.b.binary(BinaryOp::Shr, key, shift);
        let most = eval.b.literal(Literal::U32(DIGITS as u32 - 1));
        let digit = eval.b.binary(BinaryOp::And, low, most);
        let digit = eval.b.cast(DType::I32, digit);
        let digit = eval.b.bind_anew("digit", digit);
        eval.b.index.set_range(digit, 0, DIGITS as i64 - 1);
        let own = eval.b.index_scale(digit, self.lines.chunks() as i64);
        let count = eval.b.index_add(first, own);
        let count = eval.b.index_bind("count", count);
        Element { position, key, count, guard }
    }

    fn beside(&self, eval: &mut Evaluator<'_>, line: ExprId, position: ExprId) -> ExprId {
        let before = eval.b.index_scale(line, self.lines.length as i64);
        eval.b.index_add(before, position)
    }

    /// Yields what a count is, which becomes one more.
    fn take(&self, eval: &mut Evaluator<'_>, counts: ArrayId, count: ExprId) -> ExprId {
        let was = load(eval, counts, count);
        let one = eval.b.literal(Literal::U32(1));
        let next = eval.b.binary(BinaryOp::Add, was, one);
        eval.b.push(Stmt::Store(counts, count, next));
        was
    }

    /// The first kernel: how often each digit is in each chunk.
    fn count(&self, problem: &Problem<'_>) -> Stage {
        self.each_chunk(problem, "serial radix, counts of", |eval, line, chunk| {
            let counts = self.counts(eval);
            let first = self.first_count(eval, line, chunk);
            eval.each("digit", DIGITS, |eval, digit| {
                let own = eval.b.index_scale(digit, self.lines.chunks() as i64);
                let index = eval.b.index_add(first, own);
                let none = eval.b.literal(Literal::U32(0));
                eval.b.push(Stmt::Store(counts, index, none));
            });
            eval.each("offset", self.lines.chunk(), |eval, offset| {
                let element = self.element(eval, (line, chunk), offset, first);
                self.take(eval, counts, element.count);
                close_guard(eval, element.guard);
            });
        })
    }

    /// The second kernel: where the elements of each digit in each chunk begin in the line.
    fn starts(&self, problem: &Problem<'_>) -> Stage {
        let (lines, of_line) = (self.lines.count(), DIGITS * self.lines.chunks());
        problem.stage(&problem.name("serial radix, starts of"), WORKGROUP, |eval| {
            let grid = grid(lines.div_ceil(WORKGROUP as usize), problem.limits);
            let (line, guard) = each_invocation(eval, "line", lines, WORKGROUP, grid);
            let counts = self.counts(eval);
            let none = eval.b.literal(Literal::U32(0));
            let sum = eval.b.var("sum", none);
            let before = eval.b.index_scale(line, of_line as i64);
            eval.each("number", of_line, |eval, number| {
                let index = eval.b.index_add(before, number);
                let index = eval.b.index_bind("index", index);
                let own = load(eval, counts, index);
                let now = eval.b.read(sum);
                eval.b.push(Stmt::Store(counts, index, now));
                let next = eval.b.binary(BinaryOp::Add, now, own);
                eval.b.push(Stmt::Assign(sum, next));
            });
            close_guard(eval, guard);
            grid
        })
    }

    /// The third kernel: every element where it belongs.
    fn place(&self, problem: &Problem<'_>) -> Stage {
        self.each_chunk(problem, "serial radix, places of", |eval, line, chunk| {
            let counts = self.counts(eval);
            let first = self.first_count(eval, line, chunk);
            eval.each("offset", self.lines.chunk(), |eval, offset| {
                let Element { position, key, count, guard } =
                    self.element(eval, (line, chunk), offset, first);
                let place = match self.from {
                    Some([_, places]) => {
                        let places = eval.array(Binding::Partial(places), DType::I32, Space::Read);
                        let index = self.beside(eval, line, position);
                        load(eval, places, index)
                    }
                    None => position,
                };
                let target = self.take(eval, counts, count);
                let target = eval.b.cast(DType::I32, target);
                let target = eval.b.bind_anew("target", target);
                eval.b.index.set_range(target, 0, self.lines.length as i64 - 1);
                match self.to {
                    Some([keys, places]) => {
                        let index = self.beside(eval, line, target);
                        let keys = eval.array(Binding::Partial(keys), DType::U32, Space::ReadWrite);
                        let places = eval.array(Binding::Partial(places), DType::I32, Space::ReadWrite);
                        eval.b.push(Stmt::Store(keys, index, key));
                        eval.b.push(Stmt::Store(places, index, place));
                    }
                    None => {
                        let at = self.lines.at(eval, line, target);
                        self.lines.store(eval, problem, &at, place);
                    }
                }
                close_guard(eval, guard);
            });
        })
    }
}
