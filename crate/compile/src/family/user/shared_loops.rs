//! Loops that several invocations share: each takes some iterations of a sum, and what they found
//! is combined.
//!
//! A kernel whose grid is small and whose loops are long leaves most of a device idle. A loop that
//! only adds to locals, or keeps the least or largest, may be run by many invocations, each of
//! which takes every n-th iteration. Their partial results are combined by halves, in a fixed
//! order, through workgroup memory. All of them run the code around the loop, and the first of them
//! stores.
//!
//! Deferred: few programs have kernels of users.

use super::body::{Body, Storage, leaves, statements};
use super::intervals::{Near, intervals, turns};
use super::locals::{asks_before, named_once};
use super::{Call, Groups, Run};
use crate::family::Problem;
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{self, BinaryOp, ExprId as Value, Space, Stmt as Code};
use weft_ir::op::{Binary, KernelCall};
use weft_ir::user_kernel::{Expr, ExprId, LocalId, Reach, Stmt, UserKernel, returns};
use weft_ir::{DType, Literal, Shape};

/// Invocations that share a loop at most.
const MOST_LANES: u32 = 256;
/// Iterations that each of them should have at least.
const LEAST_SHARE: i64 = 16;
/// Iterations from which sharing pays off.
const LEAST_TURNS: i64 = 256;
/// Rounds of a loop that are written out one after the other, and statements that this may come to
/// for all elements. On an NVIDIA H100 the forces among 4,096 bodies take 16.4 µs with four rounds,
/// 18.0 with two and 22.9 with one.
const UNROLLED: [i64; 2] = [4, 2];
const MOST_UNROLLED: usize = 256;
/// Results of a loop that are combined at most: each takes workgroup memory.
const MOST_RESULTS: usize = 16;

/// Which part of shared loops this invocation takes, and what is known of the kernel's expressions.
pub(super) struct Shared {
    pub group: Group,
    pub near: Vec<Option<Near>>,
    /// The elements that the invocation computes. They share what their iterations read alike.
    pub elements: Vec<Element>,
}

/// What differs among the elements of an invocation.
pub(super) struct Element {
    /// Its number in row-major order, and its coordinates.
    pub number: Value,
    pub at: Vec<Value>,
    /// Whether this invocation stores for it.
    pub first: Value,
    pub locals: Vec<Storage>,
}

/// The invocations that share the loops of an element, and this one among them.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// How many share.
    pub lanes: u32,
    /// Its number among those.
    pub lane: Value,
    /// Its number in the workgroup.
    pub local: Value,
    /// Invocations of the workgroup.
    pub workgroup: u32,
    /// Whether it stores for the element at hand.
    pub first: Value,
}

/// A local that a loop leaves a result in, and how iterations combine in it.
type Total = (LocalId, Binary);

/// How many invocations should share the loops of a kernel where a device has room for so many for
/// each element; 1 where none may be shared.
#[inline(never)]
pub(super) fn lanes(call: &KernelCall, shapes: &[Shape], room: f64) -> u32 {
    let kernel = &*call.kernel;
    if kernel.workgroup.is_some() || returns(&kernel.body) || asks_before(kernel) {
        return 1;
    }
    let exprs = intervals(call, shapes);
    let longest = (0..kernel.body.len())
        .filter_map(|n| shared_loop(kernel, &kernel.body[n], &kernel.body[n + 1..], &exprs))
        .map(|(turns, _)| turns)
        .max();
    let Some(longest) = longest else { return 1 };
    let mut lanes = 1;
    while lanes < MOST_LANES && f64::from(2 * lanes) <= room && longest >= LEAST_SHARE * i64::from(lanes) {
        lanes *= 2;
    }
    lanes
}

/// The iterations and the results of a loop that may be shared, if it pays off.
fn shared_loop(
    kernel: &UserKernel,
    stmt: &Stmt,
    rest: &[Stmt],
    near: &[Option<Near>],
) -> Option<(i64, Vec<Total>)> {
    let turns = turns(stmt, near).filter(|&turns| turns >= LEAST_TURNS)?;
    Some((turns, totals(kernel, stmt, rest)?))
}

/// The results of a loop whose iterations may run in any order; `None` where they may not.
fn totals(kernel: &UserKernel, stmt: &Stmt, rest: &[Stmt]) -> Option<Vec<Total>> {
    let Stmt::For { counter, body, .. } = stmt else { return None };
    if leaves(body) {
        return None;
    }
    let mut uses = Uses { kernel, reach: Reach::new(kernel), assigned: Vec::new(), read: Vec::new() };
    uses.block(body)?;
    let mut after = Uses { kernel, reach: Reach::new(kernel), assigned: Vec::new(), read: Vec::new() };
    rest.iter().for_each(|stmt| after.reads(stmt));
    let named = named_once(kernel);
    let mut totals: Vec<Total> = Vec::new();
    for &(local, op) in &uses.assigned {
        if totals.contains(&(local, op.unwrap_or(Binary::Pow))) || named[local.index()] {
            continue;
        }
        let is_same = |&(other, with): &(LocalId, Option<Binary>)| other != local || with == op;
        match op {
            Some(op) if uses.assigned.iter().all(is_same) && !uses.read.contains(&local) => {
                totals.push((local, op));
            }
            // Made anew by each iteration.
            _ if is_own(kernel, body, local) && !after.read.contains(&local) => {}
            _ => return None,
        }
    }
    let is_number = |&(local, _): &Total| {
        matches!(kernel.locals[local.index()].dtype, DType::F32 | DType::I32 | DType::U32)
    };
    let fits = !totals.is_empty() && totals.len() <= MOST_RESULTS && totals.iter().all(is_number);
    (fits && !after.read.contains(counter)).then_some(totals)
}

/// Whether an iteration assigns a local before it reads it, whichever way it goes.
fn is_own(kernel: &UserKernel, body: &[Stmt], local: LocalId) -> bool {
    for stmt in body {
        let mut uses = Uses { kernel, reach: Reach::new(kernel), assigned: Vec::new(), read: Vec::new() };
        uses.reads(stmt);
        match stmt {
            Stmt::Let(assigned, _) if *assigned == local => return !uses.read.contains(&local),
            _ if uses.read.contains(&local) => return false,
            _ => {}
        }
        if uses.block(std::slice::from_ref(stmt)).is_none()
            || uses.assigned.iter().any(|&(assigned, _)| assigned == local)
        {
            return false;
        }
    }
    true
}

/// Locals that statements assign and read.
struct Uses<'a> {
    kernel: &'a UserKernel,
    reach: Reach<'a>,
    /// Each with the way in which it takes what it was on, if that is all that is done with it.
    assigned: Vec<(LocalId, Option<Binary>)>,
    read: Vec<LocalId>,
}

impl Uses<'_> {
    /// Of a block that does nothing but assign locals; `None` where it does more.
    fn block(&mut self, block: &[Stmt]) -> Option<()> {
        for stmt in block {
            match stmt {
                Stmt::Let(local, value) => match self.combined(*local, *value) {
                    Some((op, other)) => {
                        self.assigned.push((*local, Some(op)));
                        self.reads_of(other);
                    }
                    None => {
                        self.assigned.push((*local, None));
                        self.reads_of(*value);
                    }
                },
                Stmt::If(condition, then, otherwise) => {
                    self.reads_of(*condition);
                    self.block(then)?;
                    self.block(otherwise)?;
                }
                Stmt::For { counter, from, to, body, .. } => {
                    self.assigned.push((*counter, None));
                    self.reads_of(*from);
                    self.reads_of(*to);
                    self.block(body)?;
                }
                Stmt::While { condition, body, .. } => {
                    self.reads_of(*condition);
                    self.block(body)?;
                }
                Stmt::Break | Stmt::Continue => {}
                Stmt::SetElement(..) | Stmt::Store { .. } | Stmt::Return | Stmt::Barrier => return None,
            }
        }
        Some(())
    }

    /// How a statement takes a local on, and what by, if it does no more with it.
    fn combined(&mut self, local: LocalId, value: ExprId) -> Option<(Binary, ExprId)> {
        let Expr::Binary(op, a, b) = self.kernel.exprs[value.index()] else { return None };
        let is_it = |id: ExprId| self.kernel.exprs[id.index()] == Expr::Local(local);
        let (op, other) = match op {
            Binary::Add | Binary::Min | Binary::Max if is_it(a) => (op, b),
            Binary::Add | Binary::Min | Binary::Max if is_it(b) => (op, a),
            Binary::Sub if is_it(a) => (Binary::Add, b),
            _ => return None,
        };
        Some((op, other))
    }

    fn reads_of(&mut self, root: ExprId) {
        for id in self.reach.of(root) {
            if let Expr::Local(local) = self.kernel.exprs[id.index()] {
                self.read.push(local);
            }
        }
    }

    fn reads(&mut self, stmt: &Stmt) {
        let mut roots = Vec::new();
        stmt.for_each_expr(|id| roots.push(id));
        roots.into_iter().for_each(|root| self.reads_of(root));
        stmt.for_each_block(|inner| inner.iter().for_each(|stmt| self.reads(stmt)));
    }
}

impl Call {
    /// The kernel, with several invocations for each element, which share its loops.
    pub(super) fn by_lanes(
        &self,
        problem: &Problem<'_>,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        Groups { workgroup, lanes, together }: Groups,
    ) -> [u32; 3] {
        let call = &*self.call;
        let shapes = self.shapes(problem);
        let count = call.grid.size();
        let each = (workgroup / lanes) as usize;
        let size = i64::from(lanes);
        let groups = count.div_ceil(each * together as usize);
        let grid = grid(groups, problem.limits);
        let (group, local, guard) = each_workgroup(eval, "group", groups, workgroup, grid);
        let (which, lane) = (eval.b.index_div(local, size), eval.b.index_rem(local, size));
        let lane = eval.b.index_bind("share", lane);
        let before = eval.b.index_scale(group, each as i64);
        let place = eval.b.index_add(before, which);
        let before = eval.b.index_scale(place, i64::from(together));
        let zero = eval.b.index_const(0);
        let leads = eval.b.binary(BinaryOp::Eq, lane, zero);
        let element = |n: u32| {
            let number = eval.b.index_offset(before, i64::from(n));
            let end = eval.b.index_const(count as i64);
            let exists = eval.b.index_less(number, end);
            let last = eval.b.index_const(count as i64 - 1);
            let number = eval.b.binary(BinaryOp::Min, number, last);
            let number = eval.b.bind("i", number);
            eval.b.index.set_range(number, 0, count as i64 - 1);
            let first = eval.b.both(leads, exists);
            let at = eval.b.unravel(number, &call.grid);
            Element { number, at, first, locals: Vec::new() }
        };
        let elements: Vec<Element> = (0..together).map(element).collect();
        self.with_body(eval, run, [zero, local], Vec::new(), [Vec::new(), Vec::new()], |body| {
            let group = Group { lanes, lane, local, workgroup, first: leads };
            body.shared = Some(Shared { group, near: intervals(call, &shapes), elements });
        });
        close_guard(eval, guard);
        grid
    }
}

impl Body<'_, '_> {
    /// The kernel's body, for each element, whose invocations share loops.
    pub(super) fn share(&mut self, block: &[Stmt]) {
        for (n, stmt) in block.iter().enumerate() {
            if !self.share_loop(stmt, &block[n + 1..]) {
                self.each_element(|this| this.block(std::slice::from_ref(stmt)));
            }
        }
        self.each_element(Self::follow);
    }

    /// Writes a loop that invocations share. Whether it is one.
    fn share_loop(&mut self, stmt: &Stmt, rest: &[Stmt]) -> bool {
        let Some(shared) = &self.shared else { return false };
        let Some((turns, totals)) = shared_loop(self.kernel, stmt, rest, &shared.near) else { return false };
        let shared = shared.group;
        let Stmt::For { counter, from, step, body, .. } = stmt else { return false };
        // What was there before counts once.
        self.each_element(|this| {
            for &(local, _) in totals.iter().filter(|&&(_, op)| op == Binary::Add) {
                let (dtype, value) = (this.kernel.locals[local.index()].dtype, this.local(local));
                let zero = this.eval.b.index_const(0);
                let is_first = this.eval.b.binary(BinaryOp::Eq, shared.lane, zero);
                let nothing = this.eval.b.literal(Literal::zero(dtype));
                let begin = this.eval.b.select(is_first, value, nothing);
                this.assign(local, begin);
            }
        });
        self.loops += 1;
        self.some_turns(shared, *from, [turns, i64::from(*step)], *counter, body);
        self.loops -= 1;
        self.meet(shared, &totals);
        true
    }

    /// Runs this invocation's share of so many iterations. The loop counts by one to a constant, as
    /// compilers guard others by counters of their own.
    fn some_turns(
        &mut self,
        Group { lanes, lane, .. }: Group,
        from: ExprId,
        [turns, step]: [i64; 2],
        counter: LocalId,
        body: &[Stmt],
    ) {
        // It is a constant, the same for all elements.
        let mut first = None;
        self.each_element(|this| {
            let value = this.value(from);
            first.get_or_insert(value);
        });
        let from = first.unwrap_or_else(|| self.eval.b.index_const(0));
        let lanes = i64::from(lanes);
        let rounds = turns.div_euclid(lanes) + i64::from(turns % lanes > 0);
        let elements = self.shared.as_ref().map_or(1, |shared| shared.elements.len());
        // Compilers of drivers do not unroll what loads. Then the loads of a round wait for the
        // round before.
        let fits = |&&unrolled: &&i64| {
            let written = statements(body, unrolled as usize).saturating_mul(elements);
            rounds % unrolled == 0 && written <= MOST_UNROLLED
        };
        let unrolled = UNROLLED.iter().find(fits).copied().unwrap_or(1);
        let (local, round) = self.eval.b.counter("round", rounds / unrolled);
        let block = self.inner(|this| {
            for n in 0..unrolled {
                let before = this.eval.b.index_scale(round, unrolled);
                let before = this.eval.b.index_offset(before, n);
                let before = this.eval.b.index_scale(before, lanes);
                let turn = this.eval.b.index_add(before, lane);
                let end = this.eval.b.index_const(turns);
                let exists = this.eval.b.index_less(turn, end);
                let ahead = this.eval.b.index_scale(turn, step);
                let now = this.eval.b.index_add(from, ahead);
                let now = this.named("now", now);
                let turn = |this: &mut Self| {
                    this.each_element(|this| {
                        this.set_counter(counter, now);
                        this.block(body);
                    });
                };
                match this.truth(exists) {
                    Some(_) => turn(this),
                    None => {
                        let inner = this.inner(turn);
                        this.eval.b.push(Code::If(exists, inner, Vec::new()));
                    }
                }
            }
        });
        let (zero, end) = (self.eval.b.index_const(0), self.eval.b.index_const(rounds / unrolled));
        self.eval.b.push(Code::For { counter: local, from: zero, to: end, step: 1, body: block });
    }

    /// Does something for each element of the invocation.
    pub(super) fn each_element(&mut self, mut each: impl FnMut(&mut Self)) {
        let count = self.shared.as_ref().map_or(0, |shared| shared.elements.len());
        for n in 0..count {
            self.swap_element(n);
            each(self);
            self.swap_element(n);
        }
    }

    /// Exchanges what is at hand with what belongs to an element.
    fn swap_element(&mut self, n: usize) {
        let Some(shared) = &mut self.shared else { return };
        let element = &mut shared.elements[n];
        std::mem::swap(&mut self.number, &mut element.number);
        std::mem::swap(&mut self.at, &mut element.at);
        std::mem::swap(&mut self.locals, &mut element.locals);
        std::mem::swap(&mut shared.group.first, &mut element.first);
    }

    /// Combines what the invocations that share have found, by halves.
    fn meet(&mut self, shared: Group, totals: &[Total]) {
        let mut arrays = Vec::new();
        self.each_element(|this| {
            for &(local, op) in totals {
                let dtype = this.kernel.locals[local.index()].dtype;
                let array = this.eval.b.array("parts".to_owned(), dtype, Space::Workgroup(shared.workgroup));
                let value = this.local(local);
                this.eval.b.push(Code::Store(array, shared.local, value));
                arrays.push((array, dtype, op));
            }
        });
        let mut half = shared.lanes / 2;
        while half > 0 {
            self.eval.b.push(Code::Barrier);
            let end = self.eval.b.index_const(i64::from(half));
            let takes = self.eval.b.binary(BinaryOp::Lt, shared.lane, end);
            let block = self.inner(|this| {
                let other = this.eval.b.index_offset(shared.local, i64::from(half));
                for &(array, dtype, op) in &arrays {
                    let load = |this: &mut Self, at: Value| this.eval.b.expr(kernel::Expr::Load(array, at));
                    let (mine, theirs) = (load(this, shared.local), load(this, other));
                    let both = this.binary(op, dtype, mine, theirs);
                    let both = this.eval.b.bind_anew("both", both);
                    this.eval.b.push(Code::Store(array, shared.local, both));
                }
            });
            self.eval.b.push(Code::If(takes, block, Vec::new()));
            half /= 2;
        }
        self.eval.b.push(Code::Barrier);
        let base = self.eval.b.index_sub(shared.local, shared.lane);
        let mut found = arrays.into_iter();
        self.each_element(|this| {
            for (&(local, _), (array, ..)) in totals.iter().zip(&mut found) {
                let load = this.eval.b.expr(kernel::Expr::Load(array, base));
                let all = this.eval.b.bind_anew("all", load);
                this.assign(local, all);
            }
        });
    }
}
