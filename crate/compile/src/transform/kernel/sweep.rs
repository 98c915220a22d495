//! Forward sweeps: the statements that compute what a block in single assignment form defines.

use super::copies::assign_together;
use super::ssa::{Count, Item, Loop, Ssa};
use weft_ir::user_kernel::{ArrayId, ExprId, LocalId, Stmt};
use weft_ir::{HashMap, Literal};

/// What a forward sweep writes beside the values.
pub(super) trait Beside {
    /// After a value was computed.
    fn defined(&mut self, _: &mut Ssa, _: LocalId, _: ExprId, _: &mut Vec<Stmt>) {}
    /// In place of a write to an array.
    fn set_element(&mut self, ssa: &mut Ssa, item: &Item, out: &mut Vec<Stmt>);
    /// In place of a store.
    fn store(&mut self, _: &mut Ssa, _: &Item, _: &mut Vec<Stmt>) {}
    /// A loop before its first iteration; whether its iterations are counted.
    fn enter_loop(&mut self, _: &mut Ssa, _: &Loop, _: &mut Vec<Stmt>) -> bool {
        false
    }
    /// What else is assigned where values are passed on.
    fn passed(&mut self, _: &mut Ssa, _: &[(LocalId, ExprId)]) -> Vec<(LocalId, ExprId)> {
        Vec::new()
    }
}

/// Nothing but the values.
pub(super) struct Values;

impl Beside for Values {
    fn set_element(&mut self, _: &mut Ssa, item: &Item, out: &mut Vec<Stmt>) {
        let Item::SetElement { array, index, value, .. } = item else { unreachable!("a write") };
        out.push(Stmt::SetElement(*array, *index, *value));
    }
}

/// The statements of a block.
pub(super) fn forward(ssa: &mut Ssa, items: &[Item], beside: &mut dyn Beside) -> Vec<Stmt> {
    let mut out = Vec::new();
    for item in items {
        match item {
            Item::Define(local, value) => {
                out.push(Stmt::Let(*local, *value));
                beside.defined(ssa, *local, *value, &mut out);
            }
            Item::SetElement { .. } => beside.set_element(ssa, item, &mut out),
            Item::Store { .. } => beside.store(ssa, item, &mut out),
            Item::If { condition, then, otherwise, merges } => {
                let mut then = forward(ssa, then, beside);
                let mut otherwise = forward(ssa, otherwise, beside);
                let pairs = merges.iter().map(|merge| (merge.local, merge.then)).collect();
                then.extend(passed_on(ssa, pairs, beside));
                let pairs = merges.iter().map(|merge| (merge.local, merge.otherwise)).collect();
                otherwise.extend(passed_on(ssa, pairs, beside));
                out.push(Stmt::If(*condition, then, otherwise));
            }
            Item::Loop(it) => repeat(ssa, it, beside, &mut out),
        }
    }
    out
}

fn passed_on(ssa: &mut Ssa, mut pairs: Vec<(LocalId, ExprId)>, beside: &mut dyn Beside) -> Vec<Stmt> {
    pairs.extend(beside.passed(ssa, &pairs));
    assign_together(&mut ssa.arena, &pairs)
}

fn repeat(ssa: &mut Ssa, it: &Loop, beside: &mut dyn Beside, out: &mut Vec<Stmt>) {
    let counted = beside.enter_loop(ssa, it, out);
    let firsts = it.carried.iter().map(|one| (one.local, one.first)).collect();
    out.extend(passed_on(ssa, firsts, beside));
    let mut body = forward(ssa, &it.body, beside);
    let nexts = it.carried.iter().map(|one| (one.local, one.next)).collect();
    body.extend(passed_on(ssa, nexts, beside));
    match it.count {
        Count::Counted { counter, from, to, step, .. } => {
            out.push(Stmt::For { counter, from, to, step, body });
        }
        Count::While { condition, limit, counted: number } => {
            if counted {
                let arena = &mut ssa.arena;
                let (zero, one, read) = (arena.i32(0), arena.i32(1), arena.read(number));
                out.push(Stmt::Let(number, zero));
                body.push(Stmt::Let(number, arena.add(read, one)));
            }
            out.push(Stmt::While { condition, limit, body });
        }
    }
}

/// Arrays that keep a state of a loop for each of some slots.
pub(super) struct Tape {
    /// Which iteration a slot's state is at the start of.
    pub at: ArrayId,
    /// How many slots there are: a literal that gets its value when it is known what they hold.
    pub slots: ExprId,
    /// A local and the array of its values.
    pub locals: Vec<(LocalId, ArrayId)>,
    /// An array, its length, and the array of its copies.
    pub arrays: Vec<(ArrayId, u32, ArrayId)>,
}

/// The tapes of the loops of a sweep, by the loops' numbers.
pub(super) type Tapes = HashMap<u32, Tape>;

impl Tape {
    /// For a loop that writes arrays; it keeps no locals yet.
    pub fn new(ssa: &mut Ssa, written: &[ArrayId]) -> Tape {
        let arena = &mut ssa.arena;
        let at = arena.array("at", weft_ir::DType::I32, 1);
        let slots = arena.own_literal(Literal::I32(1));
        let arrays = written
            .iter()
            .map(|&array| {
                let it = arena.kernel.arrays[array.index()].clone();
                (array, it.length, arena.array(&it.name, it.dtype, it.length))
            })
            .collect();
        Tape { at, slots, locals: Vec::new(), arrays }
    }

    /// Keeps a local too.
    pub fn keep(&mut self, ssa: &mut Ssa, local: LocalId) {
        let it = ssa.arena.kernel.locals[local.index()].clone();
        let array = ssa.arena.array(&it.name, it.dtype, 1);
        self.locals.push((local, array));
    }

    /// Keeps the state in a slot.
    pub fn save(&self, ssa: &mut Ssa, slot: ExprId, out: &mut Vec<Stmt>) {
        for &(local, kept) in &self.locals {
            let value = ssa.arena.read(local);
            out.push(Stmt::SetElement(kept, slot, value));
        }
        self.save_arrays(ssa, slot, out);
    }

    /// Keeps the state of arrays in a slot.
    pub fn save_arrays(&self, ssa: &mut Ssa, slot: ExprId, out: &mut Vec<Stmt>) {
        for &(array, length, kept) in &self.arrays {
            copy(ssa, length, out, |ssa, i| {
                let there = place(ssa, slot, length, i);
                let value = ssa.arena.element(array, i);
                Stmt::SetElement(kept, there, value)
            });
        }
    }

    /// Takes the state from a slot.
    pub fn restore(&self, ssa: &mut Ssa, slot: ExprId, out: &mut Vec<Stmt>) {
        for &(local, kept) in &self.locals {
            let value = ssa.arena.element(kept, slot);
            out.push(Stmt::Let(local, value));
        }
        self.restore_arrays(ssa, slot, |_| true, out);
    }

    /// Takes the state of some arrays from a slot.
    pub fn restore_arrays(
        &self,
        ssa: &mut Ssa,
        slot: ExprId,
        which: impl Fn(ArrayId) -> bool,
        out: &mut Vec<Stmt>,
    ) {
        for &(array, length, kept) in self.arrays.iter().filter(|one| which(one.0)) {
            copy(ssa, length, out, |ssa, i| {
                let there = place(ssa, slot, length, i);
                let value = ssa.arena.element(kept, there);
                Stmt::SetElement(array, i, value)
            });
        }
    }
}

/// A statement for each element of an array.
fn copy(ssa: &mut Ssa, length: u32, out: &mut Vec<Stmt>, of: impl FnOnce(&mut Ssa, ExprId) -> Stmt) {
    let counter = ssa.arena.local("e", weft_ir::DType::I32);
    let i = ssa.arena.read(counter);
    let stmt = of(ssa, i);
    let (from, to) = (ssa.arena.i32(0), ssa.arena.i32(length as i32));
    out.push(Stmt::For { counter, from, to, step: 1, body: vec![stmt] });
}

fn place(ssa: &mut Ssa, slot: ExprId, length: u32, i: ExprId) -> ExprId {
    let length = ssa.arena.i32(length as i32);
    let start = ssa.arena.mul(slot, length);
    ssa.arena.add(start, i)
}

impl Tape {
    /// How many elements a state has, of arrays that are `live`.
    pub fn state(&self, live: &[bool]) -> u32 {
        let memory = self.memory().filter(|(array, _)| *array != self.at && live[array.index()]);
        memory.map(|(_, length)| length).sum()
    }

    /// Its arrays, and the elements of a slot in each.
    pub fn memory(&self) -> impl Iterator<Item = (ArrayId, u32)> {
        let locals = self.locals.iter().map(|&(_, kept)| (kept, 1));
        let arrays = self.arrays.iter().map(|&(_, length, kept)| (kept, length));
        locals.chain(arrays).chain(std::iter::once((self.at, 1)))
    }
}
