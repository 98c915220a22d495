//! Scatters of many updates into few places: each workgroup combines its share of the updates into a copy of all places in workgroup memory, and then the
//! copy into the places.
//!
//! Where few places are in a buffer, all invocations wait for each other's atomics: 2²⁴ updates into 256 places take 4.34 ms so on an NVIDIA H100 (Dawn), of
//! which reading them takes 0.03. Atomics of workgroup memory are a workgroup's own, and what is left for the buffer is one atomic for each
//! place of each workgroup. They are the same integer operations as of every scatter (`scatter.rs`, `scatter_sums.rs`), whose result no order and no
//! grouping changes: sums of 64 bits are such of their words with what is carried.

use super::patch::patch;
use super::scatter::{DISPATCH, Puts, WORKGROUP, puts};
use super::scatter_sums::add_words;
use super::{Anchored, Family, Lowered, Numbers, Problem, close_guard, each_workgroup, grid, guard};
use crate::eval::{Binding, Evaluator};
use crate::limits::Limits;
use weft_ir::kernel::{ArrayId, AtomicOp, BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::op::ScatterOp;
use weft_ir::{DType, Literal};

/// Workgroups, each of which has a share of the updates: from few, which leave little to be added to the buffer, to what fills a large GPU.
const WORKGROUPS: [u32; 3] = [128, 512, 1024];
/// So many workgroups keep a large GPU busy.
const BUSY: f64 = 512.0;
/// Updates of an invocation in a turn, which it loads together.
const TOGETHER: u32 = 4;
/// Bytes of workgroup memory that copies take at most: what every device has. More would leave a processor fewer workgroups.
const MOST_BYTES: u32 = 16 << 10;
/// Nanoseconds, assumed rather than measured: of an update, of an update of a float sum with a window for those near the largest and without one, and of a
/// word that is added to the buffer where nobody waits.
const UPDATE: f64 = 0.005;
const SUMMED_NEAR: f64 = 0.01;
const SUMMED: f64 = 0.013;
const WORD: f64 = 0.015;

/// The family.
pub struct ScatterShared;

/// A scatter into few places.
struct Anchor(Puts);

impl Family for ScatterShared {
    fn name(&self) -> &'static str {
        "scatter-shared"
    }

    fn numbers(&self) -> &'static [&'static str] {
        // Workgroups, and whether sums of floats have a window for those near the largest.
        &["workgroups", "near"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let puts = puts(problem).filter(|puts| puts.op != ScatterOp::Set && !problem.limits.fallback)?;
        let size = puts.shape.size();
        let is_many = size > 0 && puts.updates.size() >= 2 * size;
        let some = is_many && fits(&puts, problem.limits, 0) && patch(problem, &puts).is_none();
        some.then(|| Box::new(Anchor(puts)) as Box<dyn Anchored>)
    }
}

/// Words of a place.
fn words(puts: &Puts, near: u32) -> u32 {
    match (puts.is_float_sum(), near) {
        (false, _) => 1,
        (true, 0) => 2,
        (true, _) => 4,
    }
}

/// Whether workgroup memory has room for a copy.
fn fits(puts: &Puts, limits: &Limits, near: u32) -> bool {
    let most = MOST_BYTES.min(limits.workgroup_bytes) / 4;
    puts.shape.size() <= (most / words(puts, near)) as usize
}

impl Anchored for Anchor {
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        let puts = &self.0;
        // None without updates of its own.
        let most = puts.updates.size().div_ceil((WORKGROUP * TOGETHER) as usize);
        let mut workgroups = WORKGROUPS.map(|count| count.min(most as u32)).to_vec();
        workgroups.dedup();
        let near = [0, 1].into_iter().filter(|&near| near == 0 || puts.is_float_sum());
        let near = near.filter(|&near| fits(puts, problem.limits, near));
        near.flat_map(|near| workgroups.iter().map(move |&count| [count, near].into())).collect()
    }

    fn cost(&self, _: &Problem<'_>, numbers: &Numbers) -> f64 {
        let puts = &self.0;
        let [workgroups, near] = numbers.get();
        let (of_update, dispatches) = match (puts.is_float_sum(), near) {
            (false, _) => (UPDATE, 2.0),
            (true, 0) => (SUMMED, 3.0),
            (true, _) => (SUMMED_NEAR, 4.0),
        };
        let workgroups = f64::from(workgroups);
        let copies = workgroups * puts.shape.size() as f64 * f64::from(words(puts, near));
        let updates = puts.updates.size() as f64 * (BUSY / workgroups).max(1.0);
        updates * of_update + copies * (WORD + puts.contention()) + dispatches * DISPATCH
    }

    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        let [workgroups, near] = numbers.get();
        self.0.by_updates(problem, Walk::Shared { workgroups }, near == 1, None)
    }
}

/// How the updates of a scatter are gone through.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    /// So many by each invocation, which combines them into partial results.
    Apart { each: u32 },
    /// By so many workgroups, each of which has copies of the partial results.
    Shared { workgroups: u32 },
}

/// Partial results that updates are combined into, by number.
#[derive(Clone, Copy)]
pub(super) enum Kept {
    /// Words that one operation combines, and what they begin with.
    Words(usize, AtomicOp, Literal),
    /// The lower and higher words of integers that are added up, which begin with zero.
    Sums([usize; 2]),
}

/// The arrays that updates are combined into: a workgroup's copies of partial results, and those of which it has none themselves.
#[derive(Default)]
pub(super) struct Targets(Vec<(usize, ArrayId)>);

impl Targets {
    /// The array for a partial result.
    pub fn array(&self, eval: &mut Evaluator<'_>, number: usize, dtype: DType) -> ArrayId {
        let copy = self.0.iter().find(|(of, _)| *of == number);
        copy.map_or_else(|| eval.array(Binding::Partial(number), dtype, Space::Atomic), |&(_, copy)| copy)
    }

    /// Combines into an element.
    pub fn combine(
        &self,
        eval: &mut Evaluator<'_>,
        op: AtomicOp,
        number: usize,
        dtype: DType,
        place: ExprId,
        value: ExprId,
    ) {
        let array = self.array(eval, number, dtype);
        eval.b.push(Stmt::Atomic { op, array, index: place, value, before: None });
    }
}

/// A kernel of workgroups that share copies of partial results.
pub(super) struct Shared<'a> {
    pub workgroups: u32,
    /// Updates.
    pub count: usize,
    /// Places.
    pub size: usize,
    pub kept: &'a [Kept],
}

/// Where an invocation stands.
pub(super) struct Stand {
    group: ExprId,
    lane: ExprId,
    outer: Option<ExprId>,
    pub grid: [u32; 3],
    pub targets: Targets,
}

impl Shared<'_> {
    /// Sets out the workgroups, and what their copies begin with.
    pub fn begin(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>) -> Stand {
        let workgroups = self.workgroups as usize;
        let grid = grid(workgroups, problem.limits);
        let (group, lane, outer) = each_workgroup(eval, "group", workgroups, WORKGROUP, grid);
        let mut copies = Vec::new();
        let mut firsts = Vec::new();
        for kept in self.kept {
            let (numbers, dtype) = match kept {
                Kept::Words(number, _, first) => (&[*number][..], first.dtype()),
                Kept::Sums(numbers) => (&numbers[..], DType::U32),
            };
            for &number in numbers {
                let space = Space::WorkgroupAtomic(self.size as u32);
                let copy = eval.b.array(format!("copy{}", copies.len()), dtype, space);
                copies.push((number, copy));
                // Workgroup memory is zero when a workgroup starts.
                if let Kept::Words(_, _, first) = kept
                    && first.bits() != 0
                {
                    firsts.push((copy, *first));
                }
            }
        }
        if !firsts.is_empty() {
            self.each_place(eval, lane, &mut |eval, place| {
                for &(copy, first) in &firsts {
                    let first = eval.b.literal(first);
                    eval.b.push(Stmt::Store(copy, place, first));
                }
            });
            eval.b.push(Stmt::Barrier);
        }
        Stand { group, lane, outer, grid, targets: Targets(copies) }
    }

    /// Goes through the updates of an invocation, in turns of all workgroups. Neighbours are loaded together where four divides their number.
    pub fn each_update(
        &self,
        eval: &mut Evaluator<'_>,
        stand: &Stand,
        one: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let in_turn = self.workgroups as usize * (WORKGROUP * TOGETHER) as usize;
        let turns = self.count.div_ceil(in_turn);
        let together = TOGETHER as usize;
        let by_fours = self.count.is_multiple_of(together);
        // An invocation's are neighbours, or as far from each other as there are invocations.
        let part = if by_fours { together } else { 1 };
        let (count, launched) = (self.count / part, turns * in_turn / part);
        eval.each("turn", turns, |eval, turn| {
            let before = eval.b.index_scale(turn, (in_turn / part) as i64);
            let of_group =
                eval.b.index_scale(stand.group, (in_turn / part) as i64 / i64::from(self.workgroups));
            let first = eval.b.index_add(before, of_group);
            let first = eval.b.index_add(first, stand.lane);
            for beside in 0..together / part {
                let number = eval.b.index_offset(first, beside as i64 * i64::from(WORKGROUP));
                let number = eval.b.index_bind("update", number);
                let inside = guard(eval, number, count, launched);
                eval.b.index.set_range(number, 0, count as i64 - 1);
                eval.by_fours = by_fours;
                let number = eval.b.index_scale(number, part as i64);
                for neighbour in 0..part {
                    let number = eval.b.index_offset(number, neighbour as i64);
                    one(eval, number);
                }
                eval.by_fours = false;
                close_guard(eval, inside);
            }
        });
    }

    /// Combines the copies into the partial results.
    pub fn end(&self, eval: &mut Evaluator<'_>, stand: Stand) {
        eval.b.push(Stmt::Barrier);
        let copy = |eval: &mut Evaluator<'_>, number: usize, place: ExprId| {
            let array = stand.targets.array(eval, number, DType::U32);
            let word = eval.b.expr(Expr::Load(array, place));
            eval.b.bind_anew("whole", word)
        };
        self.each_place(eval, stand.lane, &mut |eval, place| {
            for kept in self.kept {
                match *kept {
                    Kept::Words(number, op, first) => {
                        let whole = copy(eval, number, place);
                        let nothing = eval.b.literal(first);
                        let some = eval.b.binary(BinaryOp::Ne, whole, nothing);
                        eval.open();
                        Targets::default().combine(eval, op, number, first.dtype(), place, whole);
                        eval.forget();
                        eval.b.close_if(some);
                    }
                    Kept::Sums(numbers) => {
                        let whole = numbers.map(|number| copy(eval, number, place));
                        let either = eval.b.binary(BinaryOp::Or, whole[0], whole[1]);
                        let nothing = eval.b.literal(Literal::U32(0));
                        let some = eval.b.binary(BinaryOp::Ne, either, nothing);
                        eval.open();
                        add_words(eval, &Targets::default(), numbers, place, whole);
                        eval.forget();
                        eval.b.close_if(some);
                    }
                }
            }
        });
        close_guard(eval, stand.outer);
    }

    /// Runs `body` at each place, which the invocations of a workgroup share.
    fn each_place(
        &self,
        eval: &mut Evaluator<'_>,
        lane: ExprId,
        body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let turns = self.size.div_ceil(WORKGROUP as usize);
        let launched = turns * WORKGROUP as usize;
        let mut at = |eval: &mut Evaluator<'_>, place: ExprId| {
            let inside = guard(eval, place, self.size, launched);
            body(eval, place);
            close_guard(eval, inside);
        };
        if turns == 1 {
            return at(eval, lane);
        }
        eval.each("part", turns, |eval, part| {
            let before = eval.b.index_scale(part, i64::from(WORKGROUP));
            let place = eval.b.index_add(before, lane);
            let place = eval.b.index_bind("place", place);
            at(eval, place);
        });
    }
}
