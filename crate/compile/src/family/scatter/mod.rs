//! Scatters that cost their updates: an invocation for each update, which combines it into its
//! place by integer atomics.
//!
//! Integer addition, minimum and maximum give the same whatever the order, so that every run gives
//! the same bits. What is scattered is made such:
//!
//! - *set*: the number of the last update to each row, found by maximum; then each element takes
//!   that update, or stays;
//! - *minimum, maximum* of floats: unsigned integers in the order of the floats, with NaN beyond
//!   all;
//! - *sums* of floats: see `float_sums.rs`.
//!
//! No invocation waits for another, and there is no loop: nothing here depends on the progress of
//! other workgroups. Where many updates go into few places, workgroups combine their own first
//! (`shared.rs`).

pub(crate) mod copies;
pub(crate) mod float_sums;
pub(crate) mod patch;
pub(crate) mod shared;
pub(crate) mod sorted;
pub(crate) mod targets;

use super::choice::parameters;
use super::launch::{close_guard, each_invocation, each_workgroup, grid, guard};
use super::store::store_all;
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::cluster::Domain;
use crate::device::ScatterModel;
use crate::limits::LONGEST_WALK;
use crate::lower::accumulate::combine;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::{Binding, Evaluator};
use float_sums::FloatSum;
use patch::{Patch, patch, patched};
use targets::{Shared, Target, TargetArrays, WORKGROUP, Walk};
use weft_ir::kernel::{AtomicOp, BinaryOp, Expr, ExprId, Function, Space, Stmt};
use weft_ir::op::{Op, ReduceOp, ScatterOp};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal, Shape};

/// Updates of an invocation where there are many: fewer workgroups, and more loads under way.
const EACH_OF_MANY: u32 = 4;
const MANY: usize = 1 << 16;

/// The family.
pub struct Scatter;

parameters! {
    /// How invocations divide the updates.
    Updates {
        /// Invocations of a workgroup.
        workgroup: u32,
        /// Updates of each.
        each: u32,
        /// Whether sums of floats have a window for those near the largest.
        near: bool,
    }
}

/// The scatter that a cluster is made around.
pub(super) struct ScatterProblem {
    pub anchor: ProgramId,
    pub axis: usize,
    pub op: ScatterOp,
    pub dtype: DType,
    /// Base, indices, updates.
    pub inputs: [ProgramId; 3],
    pub shape: Shape,
    pub indices: Shape,
    pub updates: Shape,
}

/// The scatter of a cluster of elements, if it has one.
pub(super) fn scatter(problem: &Problem<'_>) -> Option<ScatterProblem> {
    let Domain { axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
    let program = problem.program;
    problem.cluster().members.iter().find_map(|&anchor| {
        let node = &program[anchor];
        let Op::Scatter { axis, op } = node.op else { return None };
        let inputs = [node.inputs[0], node.inputs[1], node.inputs[2]];
        let of = |n: usize| program[inputs[n]].shape.clone();
        Some(ScatterProblem {
            anchor,
            axis,
            op,
            dtype: node.dtype,
            inputs,
            shape: node.shape.clone(),
            indices: of(1),
            updates: of(2),
        })
    })
}

/// Whether a cluster has a scatter that is no map's: of more indices than an invocation should look
/// at, or of few into a donated base, of which a map would copy all.
pub(super) fn is_for_updates(problem: &Problem<'_>) -> bool {
    scatter(problem).is_some_and(|scatter| {
        let patch = if scatter.updates.size() > 0 { patch(problem, &scatter) } else { None };
        scatter.indices.size() > LONGEST_WALK || patch.is_some_and(|patch| patch.scans_all_indices)
    })
}

/// What it takes that every element of a cluster's scatter looks at every index.
pub(super) fn cost_of_scanning_indices(problem: &Problem<'_>) -> f64 {
    let ScatterModel { look, turn, .. } = problem.model().scatter;
    scatter(problem)
        .map_or(0.0, |scatter| (look * scatter.shape.size() as f64).max(turn) * scatter.indices.size() as f64)
}

impl Family for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Updates::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let scatter =
            scatter(problem).filter(|scatter| scatter.updates.size() > 0 && scatter.shape.size() > 0)?;
        // Where all is copied but what one index names, each element looks at it: one kernel.
        let copies = scatter.indices.size() == 1 && patch(problem, &scatter).is_none();
        (!copies).then(|| Box::new(scatter) as Box<dyn Anchored>)
    }
}

impl Lowering for ScatterProblem {
    type Candidate = Updates;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Updates> {
        if patch(problem, self).is_some_and(|patch| patch.scans_all_indices) {
            return Candidates::one(Updates { workgroup: WORKGROUP, each: 1, near: false });
        }
        let each = if self.updates.size() >= MANY { EACH_OF_MANY } else { 1 };
        let has_window = self.is_float_sum() && problem.model().scatter.finds_largest;
        let near = [false, true].into_iter().filter(|&near| !near || has_window);
        near.map(|near| Updates { workgroup: WORKGROUP, each, near }).collect()
    }

    fn is_fallback(&self, updates: Updates) -> bool {
        !updates.near
    }

    fn cost(&self, problem: &Problem<'_>, Updates { near, .. }: Updates) -> f64 {
        let model = &problem.model().scatter;
        let (each, dispatch, all) = (model.each, model.dispatch, |work: f64| model.slower * work);
        match patch(problem, self) {
            Some(Patch { scans_all_indices: true, .. }) => return all(self.updates.size() as f64 * each),
            Some(_) => {
                let work = self.shape[self.axis] + self.indices.size() + self.updates.size();
                return all(work as f64 * each) + 2.0 * dispatch;
            }
            None => {}
        }
        let (of_update, partials, dispatches, atomics) = match (self.is_float_sum(), near) {
            (false, _) => (4.0 * each, 2.0, 2.0, 1.0),
            (true, false) => (model.summed, 3.0, 3.0, 2.0),
            (true, true) => (model.summed_near, 5.0, 4.0, 1.0),
        };
        let waits = self.op != ScatterOp::Set;
        let of_update = of_update + if waits { atomics * self.contention(model) } else { 0.0 };
        let work = self.shape.size() as f64 * partials * each + self.updates.size() as f64 * of_update;
        all(work) + dispatches * dispatch
    }

    fn lower(&self, problem: &Problem<'_>, Updates { each, near, .. }: Updates) -> Lowered {
        let patch = patch(problem, self);
        if let Some(patch @ Patch { scans_all_indices: true, .. }) = patch {
            return Lowered { stages: vec![patched(problem, self, patch)], partials: Vec::new() };
        }
        self.by_updates(problem, Walk::Apart { each }, near, patch)
    }
}

impl ScatterProblem {
    /// What an atomic takes more because others are at the same place, in nanoseconds.
    pub fn contention(&self, model: &ScatterModel) -> f64 {
        model.contended * (model.few_places / self.shape.size() as f64).min(1.0)
    }

    /// Kernels for the updates. A function of its own, for few programs need it.
    ///
    /// Deferred: few first programs scatter at length.
    #[inline(never)]
    pub fn by_updates(&self, problem: &Problem<'_>, walk: Walk, near: bool, patch: Option<Patch>) -> Lowered {
        if self.is_float_sum() {
            return FloatSum { scatter: self, walk, near }.lower(problem);
        }
        let words = if self.op == ScatterOp::Set { self.shape[self.axis] } else { self.shape.size() };
        let firsts = [(words, self.first())];
        let put = match self.op {
            ScatterOp::Set => self.claim(problem),
            _ => self.put(
                problem,
                walk,
                &[Target::Words(0, self.atomic(), self.first())],
                |_| (),
                |eval, (), targets, at| {
                    self.at_place(eval, at, |eval, place| {
                        let value = self.update(eval, at);
                        self.combine_one(eval, targets, place, value);
                    });
                },
            ),
        };
        let finish = match patch {
            Some(patch) => patched(problem, self, patch),
            None => self.finish(problem, |eval, at, i, base| match self.op {
                ScatterOp::Set => self.last(eval, at, base),
                _ => self.combined(eval, i, base),
            }),
        };
        Lowered { stages: vec![self.fill(problem, &firsts), put, finish], partials: vec![(words * 4) as u64] }
    }

    pub fn is_float_sum(&self) -> bool {
        self.op == ScatterOp::Add && self.dtype == DType::F32
    }

    /// What a partial result begins with.
    fn first(&self) -> Literal {
        match self.op {
            ScatterOp::Set => Literal::I32(-1),
            ScatterOp::Add => Literal::zero(self.dtype),
            ScatterOp::Min if self.dtype == DType::F32 => Literal::U32(u32::MAX),
            ScatterOp::Max if self.dtype == DType::F32 => Literal::U32(0),
            ScatterOp::Min if self.dtype == DType::Bool => Literal::U32(1),
            ScatterOp::Max if self.dtype == DType::Bool => Literal::U32(0),
            ScatterOp::Min => ReduceOp::Min.identity(self.dtype),
            ScatterOp::Max => ReduceOp::Max.identity(self.dtype),
        }
    }

    /// Fills partial results with what they begin with, word by word.
    pub fn fill(&self, problem: &Problem<'_>, firsts: &[(usize, Literal)]) -> Stage {
        let most = firsts.iter().map(|&(words, _)| words).max().expect("something is kept");
        problem.stage("scatter, first", WORKGROUP, |eval| {
            let grid = grid(most.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, outer) = each_invocation(eval, "i", most, WORKGROUP, grid);
            for (number, &(words, first)) in firsts.iter().enumerate() {
                let inside = guard(eval, i, words, most);
                let array = eval.array(Binding::Partial(number), first.dtype(), Space::ReadWrite);
                let first = eval.b.literal(first);
                eval.b.push(Stmt::Store(array, i, first));
                close_guard(eval, inside);
            }
            close_guard(eval, outer);
            grid
        })
    }

    /// Opens a block that runs where the index at `inner` lies in the axis; gives it, and what
    /// [`ScatterProblem::close`] is to be given.
    pub fn target(&self, eval: &mut Evaluator<'_>, inner: &[ExprId]) -> (ExprId, ExprId) {
        let index = eval.value(self.inputs[1], inner);
        let index = eval.b.cast(DType::I32, index);
        let index = eval.b.bind_anew("index", index);
        let extent = self.shape[self.axis] as i64;
        let (zero, end) = (eval.b.index_const(0), eval.b.index_const(extent));
        let above = eval.b.binary(BinaryOp::Ge, index, zero);
        let below = eval.b.binary(BinaryOp::Lt, index, end);
        let inside = eval.b.binary(BinaryOp::And, above, below);
        eval.open();
        let place = eval.b.bind_anew("place", index);
        eval.b.index.set_range(place, 0, extent - 1);
        (place, inside)
    }

    /// Goes through the updates: which partial results they are combined into, what is found once
    /// for all of an invocation's, and what is done where each is.
    pub fn put<T>(
        &self,
        problem: &Problem<'_>,
        walk: Walk,
        kept: &[Target],
        begin: impl FnOnce(&mut Evaluator<'_>) -> T,
        mut one: impl FnMut(&mut Evaluator<'_>, &T, &TargetArrays, &[ExprId]),
    ) -> Stage {
        let count = self.updates.size();
        let each = match walk {
            Walk::Apart { each } => each,
            Walk::Shared { workgroups } => {
                let shared = Shared { workgroups, count, size: self.shape.size(), kept };
                return problem.stage(&problem.name("scatter, shared"), WORKGROUP, |eval| {
                    let position = shared.begin(eval, problem);
                    let begun = begin(eval);
                    shared.each_update(eval, &position, &mut |eval, number| {
                        let at = eval.b.unravel(number, &self.updates);
                        one(eval, &begun, &position.targets, &at);
                    });
                    let grid = position.grid;
                    shared.end(eval, position);
                    grid
                });
            }
        };
        let run = (WORKGROUP * each) as usize;
        problem.stage(&problem.name("scatter"), WORKGROUP, |eval| {
            let workgroups = count.div_ceil(run);
            let grid = grid(workgroups, problem.limits);
            let (group, lane, outer) = each_workgroup(eval, "group", workgroups, WORKGROUP, grid);
            let begun = begin(eval);
            let exact = count.is_multiple_of(run);
            // An invocation's are neighbours, which it loads together, where all have as many.
            let (lane_step, turn_step) = if exact { (each, 1) } else { (1, WORKGROUP) };
            eval.vectorized = exact && each == 4;
            let (first, lane) =
                (eval.b.index_scale(group, run as i64), eval.b.index_scale(lane, i64::from(lane_step)));
            let first = eval.b.index_add(first, lane);
            for turn in 0..each {
                let number = eval.b.index_offset(first, i64::from(turn * turn_step));
                // Without a name its place among four is known.
                let number = if eval.vectorized { number } else { eval.b.index_bind("update", number) };
                let inside = guard(eval, number, count, workgroups * run);
                if inside.is_some() {
                    eval.b.index.set_range(number, 0, count as i64 - 1);
                }
                let at = eval.b.unravel(number, &self.updates);
                one(eval, &begun, &TargetArrays::default(), &at);
                close_guard(eval, inside);
            }
            eval.vectorized = false;
            close_guard(eval, outer);
            grid
        })
    }

    /// An update, where it is in `at`.
    pub fn update(&self, eval: &mut Evaluator<'_>, at: &[ExprId]) -> ExprId {
        let value = eval.value(self.inputs[2], at);
        eval.b.bind_anew("value", value)
    }

    /// Does something to the place of an update, if it has one.
    pub fn at_place(
        &self,
        eval: &mut Evaluator<'_>,
        at: &[ExprId],
        then: impl FnOnce(&mut Evaluator<'_>, ExprId),
    ) {
        let after = self.axis + self.indices.rank();
        let (place, inside) = self.target(eval, &at[self.axis..after]);
        let into = [&at[..self.axis], &[place], &at[after..]].concat();
        let flat = eval.b.ravel(&into, &self.shape);
        let flat = eval.b.bind_anew("into", flat);
        then(eval, flat);
        eval.forget();
        eval.b.close_if(inside);
    }

    /// An invocation for each index: the last to a row has it.
    fn claim(&self, problem: &Problem<'_>) -> Stage {
        let count = self.indices.size();
        problem.stage("scatter, last", WORKGROUP, |eval| {
            let grid = grid(count.div_ceil(WORKGROUP as usize), problem.limits);
            let (number, guard) = each_invocation(eval, "number", count, WORKGROUP, grid);
            let inner = eval.b.unravel(number, &self.indices);
            let (place, inside) = self.target(eval, &inner);
            TargetArrays::default().combine(eval, AtomicOp::Max, 0, DType::I32, place, number);
            eval.forget();
            eval.b.close_if(inside);
            close_guard(eval, guard);
            grid
        })
    }

    /// What combines updates of anything but a float sum.
    fn atomic(&self) -> AtomicOp {
        match self.op {
            ScatterOp::Add | ScatterOp::Set => AtomicOp::Add,
            ScatterOp::Min => AtomicOp::Min,
            ScatterOp::Max => AtomicOp::Max,
        }
    }

    /// Combines an update of anything but a float sum.
    fn combine_one(&self, eval: &mut Evaluator<'_>, targets: &TargetArrays, place: ExprId, value: ExprId) {
        let op = self.atomic();
        if self.dtype == DType::F32 {
            let key = self.key(eval, value);
            return targets.combine(eval, op, 0, DType::U32, place, key);
        }
        let value = eval.b.to_storage(value);
        targets.combine(eval, op, 0, storage_dtype(self.dtype), place, value);
    }

    /// An unsigned integer for a float, in the same order; NaN is beyond all, on the side that is
    /// sought.
    fn key(&self, eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
        let bits = eval.b.expr(Expr::Bitcast(DType::U32, value));
        let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
        let below = eval.b.binary(BinaryOp::Ge, bits, sign);
        let mask = eval.b.select(below, all, sign);
        let ordered = eval.b.binary(BinaryOp::Xor, bits, mask);
        let beyond = eval.b.literal(Literal::U32(if self.op == ScatterOp::Max { u32::MAX } else { 0 }));
        let nan = eval.b.call(Function::IsNan, &[value]);
        eval.b.select(nan, beyond, ordered)
    }

    /// An invocation for each element: what was there and what was put there, which `found` tells,
    /// and all that follows.
    pub fn finish(
        &self,
        problem: &Problem<'_>,
        found: impl FnOnce(&mut Evaluator<'_>, &[ExprId], ExprId, ExprId) -> ExprId,
    ) -> Stage {
        let size = self.shape.size();
        problem.stage(&problem.name("scatter, result"), WORKGROUP, |eval| {
            let grid = grid(size.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", size, WORKGROUP, grid);
            let at = eval.b.unravel(i, &self.shape);
            let base = eval.value(self.inputs[0], &at);
            let found = found(eval, &at, i, base);
            let found = eval.b.bind_anew("found", found);
            eval.define(self.anchor, &at, found);
            store_all(eval, &problem.cluster().outputs, &at, &problem.cluster().domain.shape);
            close_guard(eval, guard);
            grid
        })
    }

    /// The last update to an element's row, or what was there.
    fn last(&self, eval: &mut Evaluator<'_>, at: &[ExprId], base: ExprId) -> ExprId {
        let owners = eval.array(Binding::Partial(0), DType::I32, Space::Read);
        let owner = eval.b.expr(Expr::Load(owners, at[self.axis]));
        let owner = eval.b.bind_anew("owner", owner);
        let zero = eval.b.index_const(0);
        let has = eval.b.binary(BinaryOp::Ge, owner, zero);
        let number = eval.b.binary(BinaryOp::Max, owner, zero);
        let number = eval.b.bind_anew("number", number);
        eval.b.index.set_range(number, 0, self.indices.size() as i64 - 1);
        let inner = eval.b.unravel(number, &self.indices);
        let from = [&at[..self.axis], &inner, &at[self.axis + 1..]].concat();
        let update = eval.value(self.inputs[2], &from);
        eval.b.select(has, update, base)
    }

    /// An element and what was combined for it.
    fn combined(&self, eval: &mut Evaluator<'_>, i: ExprId, base: ExprId) -> ExprId {
        let op = match self.op {
            ScatterOp::Add | ScatterOp::Set => ReduceOp::Sum,
            ScatterOp::Min => ReduceOp::Min,
            ScatterOp::Max => ReduceOp::Max,
        };
        let stored = self.first();
        let array = eval.array(Binding::Partial(0), stored.dtype(), Space::Read);
        let word = eval.b.expr(Expr::Load(array, i));
        let word = eval.b.bind_anew("word", word);
        if self.dtype != DType::F32 {
            let value = eval.b.from_storage(self.dtype, word);
            return combine(&mut eval.b, op, self.dtype, base, value);
        }
        let (sign, all) = (eval.b.literal(Literal::U32(1 << 31)), eval.b.literal(Literal::U32(u32::MAX)));
        let positive = eval.b.binary(BinaryOp::Ge, word, sign);
        let mask = eval.b.select(positive, sign, all);
        let bits = eval.b.binary(BinaryOp::Xor, word, mask);
        let beyond = eval.b.literal(Literal::U32(if self.op == ScatterOp::Max { u32::MAX } else { 0 }));
        let is_nan = eval.b.binary(BinaryOp::Eq, word, beyond);
        let nan = eval.b.literal(Literal::U32(0x7FC0_0000));
        let bits = eval.b.select(is_nan, nan, bits);
        let value = eval.b.call(Function::FromBits, &[bits]);
        let both = combine(&mut eval.b, op, self.dtype, base, value);
        let first = eval.b.literal(stored);
        let untouched = eval.b.binary(BinaryOp::Eq, word, first);
        eval.b.select(untouched, base, both)
    }
}
