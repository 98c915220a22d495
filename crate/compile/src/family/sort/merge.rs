//! Sorting without barriers, for software, where a kernel whose invocations wait for each other
//! takes a second to compile.
//!
//! Keys are computed once. In blocks of a few, every element counts those that come before it. Then
//! runs are merged, four at a time: an element's place is what comes before it in its own run and,
//! found by halving, in the other three. Each kernel is a few loops.

use super::{Lines, kept, lines};
use crate::family::choice::parameters;
use crate::family::launch::{close_guard, each_invocation, grid};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::{DType, HashMap, Literal};

const WORKGROUP: u32 = 64;
/// Elements of the runs that are merged first.
const BLOCK: usize = 64;
/// Runs that are merged at a time.
const WAYS: usize = 4;

/// The number of the buffer of keys as computed.
const KEYS: usize = 0;
/// Those of keys and places between kernels; the keys as computed are needed no longer when the
/// second is written.
const SETS: [[usize; 2]; 2] = [[1, 2], [KEYS, 3]];

/// The family.
pub struct Merge;

parameters! {
    /// How invocations are dispatched.
    Workgroup {
        /// Invocations of a workgroup.
        workgroup: u32,
    }
}

/// Lines to be sorted so.
///
/// Deferred: few programs sort.
struct Runs(Lines);

impl Family for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Workgroup::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(Runs(lines(problem)?)))
    }
}

impl Lowering for Runs {
    type Candidate = Workgroup;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Workgroup> {
        Candidates::one(Workgroup { workgroup: WORKGROUP })
    }

    fn cost(&self, problem: &Problem<'_>, _: Workgroup) -> f64 {
        let model = problem.model();
        let (Some(comparison), Some(serial)) = (model.sort.merge, &model.serial) else {
            return f64::INFINITY;
        };
        let halvings = self.widths().map(|width| (WAYS - 1) as f64 * f64::from(width.ilog2() + 1));
        let comparisons = BLOCK.min(self.0.length) as f64 + halvings.sum::<f64>();
        serial.kernel * (2 + self.widths().count()) as f64
            + comparison * comparisons * self.0.shape.size() as f64
    }

    fn lower(&self, problem: &Problem<'_>, _: Workgroup) -> Lowered {
        // The first kernels write no result, so nothing over a leaf.
        let nothing = HashMap::default();
        let reading = Problem { in_place: &nothing, ..*problem };
        let merges = self.widths().count();
        // Where the kernel that leaves so many merges to be done writes; the last one writes the
        // result.
        let set_after = |done: usize| (done < merges).then(|| SETS[done % 2]);
        let of = |done: usize| if done < merges { &reading } else { problem };
        let mut stages = vec![self.keys(&reading), self.blocks(of(0), set_after(0))];
        for (done, width) in self.widths().enumerate() {
            stages.push(self.merge(of(done + 1), width, SETS[done % 2], set_after(done + 1)));
        }
        let buffers = [1, 3, 4][merges.min(2)];
        Lowered { stages, partials: vec![self.0.shape.size() as u64 * 4; buffers] }
    }
}

/// Which element an invocation moves.
struct Element {
    /// Its number among those of all lines, line by line.
    flat: ExprId,
    line: ExprId,
    position: ExprId,
    guard: Option<ExprId>,
    grid: [u32; 3],
}

fn load(eval: &mut Evaluator<'_>, array: ArrayId, index: ExprId) -> ExprId {
    let load = eval.b.expr(Expr::Load(array, index));
    eval.b.bind_anew("was", load)
}

impl Runs {
    /// Elements of the runs of each merge.
    fn widths(&self) -> impl Iterator<Item = usize> + use<> {
        let length = self.0.length;
        std::iter::successors(Some(BLOCK), |width| Some(width * WAYS))
            .take_while(move |&width| width < length)
    }

    fn element(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>) -> Element {
        let (size, length) = (self.0.shape.size(), self.0.length as i64);
        let grid = grid(size.div_ceil(WORKGROUP as usize), problem.limits);
        let (flat, guard) = each_invocation(eval, "element", size, WORKGROUP, grid);
        let (line, position) = (eval.b.index_div(flat, length), eval.b.index_rem(flat, length));
        let (line, position) = (eval.b.index_bind("line", line), eval.b.index_bind("position", position));
        Element { flat, line, position, guard, grid }
    }

    /// Where an element of the line of another lies in a buffer.
    fn beside(&self, eval: &mut Evaluator<'_>, element: &Element, position: ExprId) -> ExprId {
        let first = eval.b.index_scale(element.line, self.0.length as i64);
        eval.b.index_add(first, position)
    }

    /// Puts a key and the place that it had at a position, or in the result what follows of the
    /// place.
    fn put(
        &self,
        eval: &mut Evaluator<'_>,
        problem: &Problem<'_>,
        element: &Element,
        (key, place): (ExprId, ExprId),
        (target, to): (ExprId, Option<[usize; 2]>),
    ) {
        let target = eval.b.bind_anew("target", target);
        eval.b.index.set_range(target, 0, self.0.length as i64 - 1);
        match to {
            Some([keys, places]) => {
                let index = self.beside(eval, element, target);
                let keys = eval.array(Binding::Partial(keys), DType::U32, Space::ReadWrite);
                let places = eval.array(Binding::Partial(places), DType::I32, Space::ReadWrite);
                eval.b.push(Stmt::Store(keys, index, key));
                eval.b.push(Stmt::Store(places, index, place));
            }
            None => {
                let at = self.0.at(eval, element.line, target);
                self.0.store(eval, problem, &at, place);
            }
        }
    }

    /// The first kernel: what each key is.
    fn keys(&self, problem: &Problem<'_>) -> Stage {
        problem.stage(&problem.name("merge, keys of"), WORKGROUP, |eval| {
            let element = self.element(eval, problem);
            let at = self.0.at(eval, element.line, element.position);
            let key = eval.value(self.0.keys, &at);
            let keys = eval.array(Binding::Partial(KEYS), DType::U32, Space::ReadWrite);
            eval.b.push(Stmt::Store(keys, element.flat, key));
            close_guard(eval, element.guard);
            element.grid
        })
    }

    /// The second kernel: blocks put in order. Equal keys stay in theirs.
    fn blocks(&self, problem: &Problem<'_>, to: Option<[usize; 2]>) -> Stage {
        problem.stage(&problem.name("merge, blocks of"), WORKGROUP, |eval| {
            let element = self.element(eval, problem);
            let keys = eval.array(Binding::Partial(KEYS), DType::U32, Space::Read);
            let key = load(eval, keys, element.flat);
            let block = eval.b.index_div(element.position, BLOCK as i64);
            let first = eval.b.index_scale(block, BLOCK as i64);
            let zero = eval.b.index_const(0);
            let before = eval.b.var("before", zero);
            eval.each("offset", BLOCK.min(self.0.length), |eval, offset| {
                let other = eval.b.index_add(first, offset);
                let is_ahead = eval.b.index_less(other, element.position);
                let (other, inside) = kept(eval, other, self.0.length);
                let index = self.beside(eval, &element, other);
                let other = load(eval, keys, index);
                let comes_before = self.comes_before(eval, other, key, is_ahead, inside);
                let one = eval.b.cast(DType::I32, comes_before);
                let now = eval.b.read(before);
                let next = eval.b.binary(BinaryOp::Add, now, one);
                eval.b.push(Stmt::Assign(before, next));
            });
            let before = eval.b.read(before);
            let target = eval.b.binary(BinaryOp::Add, first, before);
            self.put(eval, problem, &element, (key, element.position), (target, to));
            close_guard(eval, element.guard);
            element.grid
        })
    }

    /// Whether a key of the line comes before another: of equal ones that which is ahead, and none
    /// that is not there.
    fn comes_before(
        &self,
        eval: &mut Evaluator<'_>,
        other: ExprId,
        key: ExprId,
        is_ahead: ExprId,
        inside: Option<ExprId>,
    ) -> ExprId {
        let below = eval.b.binary(BinaryOp::Lt, other, key);
        let at_most = eval.b.binary(BinaryOp::Le, other, key);
        let comes_before = eval.b.select(is_ahead, at_most, below);
        inside.map_or(comes_before, |inside| eval.b.binary(BinaryOp::And, inside, comes_before))
    }

    /// Runs of `width` elements, the last of a line shorter, put together.
    fn merge(&self, problem: &Problem<'_>, width: usize, from: [usize; 2], to: Option<[usize; 2]>) -> Stage {
        problem.stage(&problem.name("merge, runs of"), WORKGROUP, |eval| {
            let element = self.element(eval, problem);
            let keys = eval.array(Binding::Partial(from[0]), DType::U32, Space::Read);
            let places = eval.array(Binding::Partial(from[1]), DType::I32, Space::Read);
            let (key, place) = (load(eval, keys, element.flat), load(eval, places, element.flat));
            let run = eval.b.index_div(element.position, width as i64);
            let own = eval.b.index_rem(run, WAYS as i64);
            let own = eval.b.index_bind("own", own);
            let together = (WAYS * width) as i64;
            let group = eval.b.index_div(element.position, together);
            let first = eval.b.index_scale(group, together);
            let in_run = eval.b.index_rem(element.position, width as i64);
            let before = eval.b.var("before", in_run);
            eval.each("other", WAYS - 1, |eval, number| {
                let is_ahead = eval.b.index_less(number, own);
                let next = eval.b.index_offset(number, 1);
                let other = eval.b.select(is_ahead, number, next);
                let start = eval.b.index_const(width as i64);
                let start = eval.b.binary(BinaryOp::Mul, other, start);
                let start = eval.b.binary(BinaryOp::Add, first, start);
                let start = eval.b.bind_anew("start", start);
                let found = self.come_before(eval, &element, (keys, key), (start, width), is_ahead);
                let now = eval.b.read(before);
                let next = eval.b.binary(BinaryOp::Add, now, found);
                eval.b.push(Stmt::Assign(before, next));
            });
            let before = eval.b.read(before);
            let target = eval.b.binary(BinaryOp::Add, first, before);
            self.put(eval, problem, &element, (key, place), (target, to));
            close_guard(eval, element.guard);
            element.grid
        })
    }

    /// How many keys of the run that starts at a position come before a key: as many as can be
    /// taken, halving what is tried.
    fn come_before(
        &self,
        eval: &mut Evaluator<'_>,
        element: &Element,
        (keys, key): (ArrayId, ExprId),
        (start, width): (ExprId, usize),
        is_ahead: ExprId,
    ) -> ExprId {
        let (length, most) = (eval.b.index_const(self.0.length as i64), eval.b.index_const(width as i64));
        let left = eval.b.binary(BinaryOp::Sub, length, start);
        let extent = eval.b.binary(BinaryOp::Min, left, most);
        let extent = eval.b.bind_anew("extent", extent);
        let zero = eval.b.index_const(0);
        let found = eval.b.var("found", zero);
        eval.each("step", width.ilog2() as usize + 1, |eval, step| {
            let all = eval.b.literal(Literal::U32(width as u32));
            let step = eval.b.cast(DType::U32, step);
            let more = eval.b.binary(BinaryOp::Shr, all, step);
            let more = eval.b.cast(DType::I32, more);
            let now = eval.b.read(found);
            let tried = eval.b.binary(BinaryOp::Add, now, more);
            let tried = eval.b.bind_anew("tried", tried);
            let inside = eval.b.binary(BinaryOp::Le, tried, extent);
            // The last of those; the element itself where there are fewer.
            let end = eval.b.binary(BinaryOp::Add, start, tried);
            let one = eval.b.index_const(1);
            let last = eval.b.binary(BinaryOp::Sub, end, one);
            let last = eval.b.select(inside, last, element.position);
            let last = eval.b.bind_anew("last", last);
            eval.b.index.set_range(last, 0, self.0.length as i64 - 1);
            let index = self.beside(eval, element, last);
            let other = load(eval, keys, index);
            let comes_before = self.comes_before(eval, other, key, is_ahead, Some(inside));
            let now = eval.b.read(found);
            let next = eval.b.select(comes_before, tried, now);
            eval.b.push(Stmt::Assign(found, next));
        });
        eval.b.read(found)
    }
}
