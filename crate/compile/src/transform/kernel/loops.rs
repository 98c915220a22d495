//! Loops in reverse: iterations from the last to the first, each run again from the state at its
//! start.
//!
//! States are kept in a few slots of private memory and recomputed from the nearest before, by the
//! binomial schedule of Griewank & Walther (*Revolve*, ACM TOMS 26, 2000): with s slots, r
//! recomputations of every iteration suffice for C(s + r, s) of them. How many iterations there are
//! need not be known before. What a state has to hold is what the reverse sweep turns out to read;
//! the rest is dead code, and the whole schedule where nothing is read.

use super::copies::{Renamed, assign_together};
use super::jumps::at_iteration;
use super::reverse::Reverse;
use super::ssa::{Count, Loop};
use super::sweep::{Tape, Values, forward};
use weft_ir::DType;
use weft_ir::op::{Binary, Compare};
use weft_ir::user_kernel::{ExprId, LocalId, Stmt};

/// More recomputations than any number of iterations needs.
const MOST_RECOMPUTED: u32 = 64;

impl Reverse {
    /// The reverse sweep of a loop.
    pub(super) fn repeat(&mut self, it: &Loop, out: &mut Vec<Stmt>) {
        let active: Vec<usize> = (0..it.carried.len()).filter(|&i| it.carried[i].active).collect();
        let mut renamed = Renamed::default();
        let states: Vec<LocalId> =
            it.carried.iter().map(|one| renamed.copy_of(&mut self.ssa, one.local)).collect();
        let counter = match it.count {
            Count::Counted { counter, .. } => Some(renamed.copy_of(&mut self.ssa, counter)),
            Count::While { .. } => None,
        };
        let mut again = renamed.clone();
        let mut tape = self.tapes.remove(&it.id).expect("the forward sweep came by");

        // What the loop's results have gathered is what its last state has.
        let cotangents: Vec<LocalId> = active.iter().map(|&i| self.give(states[i])).collect();
        for (&i, &own) in active.iter().zip(&cotangents) {
            let given = self.cotangent(it.carried[i].local);
            let given = given.unwrap_or_else(|| self.ssa.arena.f32(0.0));
            out.push(Stmt::Let(own, given));
            self.forget(it.carried[i].local, out);
        }
        let zero = self.ssa.arena.i32(0);
        let schedule = (!self.lean).then(|| {
            states.iter().for_each(|&state| tape.keep(&mut self.ssa, state));
            for (&(_, kept), one) in tape.locals.iter().zip(&it.carried) {
                out.push(Stmt::SetElement(kept, zero, one.first));
            }
            out.push(Stmt::SetElement(tape.at, zero, zero));
            let schedule = Schedule::new(self, &tape);
            out.push(Stmt::Let(schedule.top, zero));
            schedule
        });
        self.depth += 1;
        let time = self.ssa.arena.local("time", DType::I32);
        let at = self.ssa.arena.read(time);
        let mut body = Vec::new();
        match &schedule {
            Some(schedule) => self.recover(it, &tape, schedule, (at, &states), &mut again, &mut body),
            None => self.recover_from_start(it, &tape, (at, &states), &mut again, &mut body),
        }
        self.count_from(it, counter, at, &mut body);
        let items = renamed.block(&mut self.ssa, &it.body);
        body.extend(self.augmented(&items));
        let nexts: Vec<ExprId> =
            active.iter().map(|&i| renamed.expr(&mut self.ssa.arena, it.carried[i].next)).collect();
        let reversed = self.block(&items, |it, out| {
            let mut taken = Vec::with_capacity(cotangents.len());
            let zero = it.ssa.arena.f32(0.0);
            for &own in &cotangents {
                let held = it.ssa.arena.local("held", DType::F32);
                let value = it.ssa.arena.read(own);
                out.push(Stmt::Let(held, value));
                taken.push(held);
            }
            cotangents.iter().for_each(|&own| out.push(Stmt::Let(own, zero)));
            for (&next, &held) in nexts.iter().zip(&taken) {
                let held = it.ssa.arena.read(held);
                it.add(next, held, out);
            }
        });
        body.extend(reversed);
        if let Some(schedule) = &schedule {
            schedule.release(self, &tape, at, &mut body);
        }
        self.depth -= 1;

        let arena = &mut self.ssa.arena;
        let (one, end) = (arena.i32(1), arena.i32(-1));
        let count = match it.count {
            Count::Counted { count, .. } => count,
            Count::While { counted, .. } => arena.read(counted),
        };
        let from = arena.sub(count, one);
        out.push(Stmt::For { counter: time, from, to: end, step: -1, body });
        tape.restore_arrays(&mut self.ssa, zero, |array| it.undo.contains(&array), out);
        for (&i, &own) in active.iter().zip(&cotangents) {
            let share = self.ssa.arena.read(own);
            self.add(it.carried[i].first, share, out);
        }
        self.finished.push(tape);
    }

    /// Brings locals and arrays to the state at the start of iteration `at`.
    fn recover(
        &mut self,
        it: &Loop,
        tape: &Tape,
        schedule: &Schedule,
        (at, states): (ExprId, &[LocalId]),
        again: &mut Renamed,
        out: &mut Vec<Stmt>,
    ) {
        let top = self.ssa.arena.read(schedule.top);
        let kept = self.ssa.arena.element(tape.at, top);
        out.push(Stmt::Let(schedule.reached, kept));
        tape.restore(&mut self.ssa, top, out);
        schedule.plan(self, at, out);
        let reached = self.ssa.arena.read(schedule.reached);
        let mut body = Vec::new();
        self.run_again(it, states, reached, again, &mut body);
        let arena = &mut self.ssa.arena;
        let one = arena.i32(1);
        body.push(Stmt::Let(schedule.reached, arena.add(reached, one)));
        let next = arena.read(schedule.next);
        let is_next = arena.compare(Compare::Eq, reached, next);
        let mut keep =
            vec![Stmt::Let(schedule.top, arena.add(top, one)), Stmt::SetElement(tape.at, top, reached)];
        tape.save(&mut self.ssa, top, &mut keep);
        schedule.plan(self, at, &mut keep);
        body.push(Stmt::If(is_next, keep, Vec::new()));
        let condition = self.ssa.arena.compare(Compare::Lt, reached, at);
        out.push(Stmt::While { condition, limit: u32::MAX, body });
    }

    /// As [`Reverse::recover`], where only the state at the start is kept.
    fn recover_from_start(
        &mut self,
        it: &Loop,
        tape: &Tape,
        (at, states): (ExprId, &[LocalId]),
        again: &mut Renamed,
        out: &mut Vec<Stmt>,
    ) {
        let zero = self.ssa.arena.i32(0);
        states.iter().zip(&it.carried).for_each(|(&state, one)| out.push(Stmt::Let(state, one.first)));
        tape.restore(&mut self.ssa, zero, out);
        let reached = self.ssa.arena.local("reached", DType::I32);
        let number = self.ssa.arena.read(reached);
        let mut body = Vec::new();
        self.run_again(it, states, number, again, &mut body);
        out.push(Stmt::For { counter: reached, from: zero, to: at, step: 1, body });
    }

    /// Runs an iteration again, for the state after it.
    fn run_again(
        &mut self,
        it: &Loop,
        states: &[LocalId],
        number: ExprId,
        again: &mut Renamed,
        out: &mut Vec<Stmt>,
    ) {
        // The counter of what is run again is one of its own.
        let counter = match it.count {
            Count::Counted { counter, .. } => Some(again.copy_of(&mut self.ssa, counter)),
            Count::While { .. } => None,
        };
        self.count_from(it, counter, number, out);
        let items = again.block(&mut self.ssa, &it.body);
        out.extend(forward(&mut self.ssa, &items, &mut Values));
        let pairs: Vec<(LocalId, ExprId)> = states
            .iter()
            .zip(&it.carried)
            .map(|(&state, one)| (state, again.expr(&mut self.ssa.arena, one.next)))
            .collect();
        out.extend(assign_together(&mut self.ssa.arena, &pairs));
    }

    fn count_from(&mut self, it: &Loop, counter: Option<LocalId>, number: ExprId, out: &mut Vec<Stmt>) {
        if let (Count::Counted { from, step, .. }, Some(counter)) = (&it.count, counter) {
            out.push(Stmt::Let(counter, at_iteration(&mut self.ssa.arena, *from, *step, number)));
        }
    }
}

/// Which states a tape keeps.
struct Schedule {
    slots: ExprId,
    /// The last slot in use.
    top: LocalId,
    /// The iteration at whose start the state is.
    reached: LocalId,
    /// The iteration at whose start the state is kept next; −1 for none.
    next: LocalId,
    span: LocalId,
    free: LocalId,
    capacity: LocalId,
    rounds: LocalId,
}

impl Schedule {
    fn new(reverse: &mut Reverse, tape: &Tape) -> Schedule {
        let arena = &mut reverse.ssa.arena;
        let mut local = |name| arena.local(name, DType::I32);
        Schedule {
            slots: tape.slots,
            top: local("top"),
            reached: local("reached"),
            next: local("next"),
            span: local("span"),
            free: local("free"),
            capacity: local("capacity"),
            rounds: local("rounds"),
        }
    }

    /// Chooses the next state to keep on the way to `at`, by how many slots are free: the share r
    /// of s + r of the way where C(s + r, s) is just more than it.
    fn plan(&self, reverse: &mut Reverse, at: ExprId, out: &mut Vec<Stmt>) {
        let arena = &mut reverse.ssa.arena;
        let [top, reached, span, free, capacity, rounds] =
            [self.top, self.reached, self.span, self.free, self.capacity, self.rounds].map(|x| arena.read(x));
        let (zero, one, none) = (arena.i32(0), arena.i32(1), arena.i32(-1));
        let unused = arena.sub(self.slots, top);
        let next_round = arena.add(rounds, one);
        let both = arena.add(free, rounds);
        let grown = arena.mul(capacity, both);
        let grown = arena.binary(Binary::Div, grown, rounds);
        let small = arena.compare(Compare::Le, capacity, span);
        let way = arena.mul(span, rounds);
        let share = arena.binary(Binary::Div, way, both);
        let share = arena.binary(Binary::Max, share, one);
        let place = arena.add(reached, share);
        let some = arena.compare(Compare::Gt, unused, one);
        out.extend([
            Stmt::Let(self.next, none),
            Stmt::If(
                some,
                vec![
                    Stmt::Let(self.free, unused),
                    Stmt::Let(self.span, arena.sub(at, reached)),
                    Stmt::Let(self.capacity, one),
                    Stmt::Let(self.rounds, zero),
                    Stmt::While {
                        condition: small,
                        limit: MOST_RECOMPUTED,
                        body: vec![Stmt::Let(self.rounds, next_round), Stmt::Let(self.capacity, grown)],
                    },
                    Stmt::Let(self.next, place),
                ],
                Vec::new(),
            ),
        ]);
    }

    /// Frees the last slot if it holds the state of the iteration that is done.
    fn release(&self, reverse: &mut Reverse, tape: &Tape, at: ExprId, out: &mut Vec<Stmt>) {
        let arena = &mut reverse.ssa.arena;
        let (top, zero, one) = (arena.read(self.top), arena.i32(0), arena.i32(1));
        let kept = arena.element(tape.at, top);
        let done = arena.compare(Compare::Eq, kept, at);
        let below = arena.sub(top, one);
        let below = arena.binary(Binary::Max, below, zero);
        out.push(Stmt::If(done, vec![Stmt::Let(self.top, below)], Vec::new()));
    }
}
