//! Copies of blocks with locals of their own.

use super::arena::{Arena, reach};
use super::ssa::{Carried, Count, Item, Loop, Merge, Ssa};
use weft_ir::HashMap;
use weft_ir::user_kernel::{Expr, ExprId, LocalId, Stmt};

/// Locals that a copy has instead of others.
#[derive(Clone, Default)]
pub(super) struct Renamed {
    locals: HashMap<LocalId, LocalId>,
    exprs: HashMap<ExprId, ExprId>,
}

impl Renamed {
    /// A new local in the place of `local`.
    pub fn copy_of(&mut self, ssa: &mut Ssa, local: LocalId) -> LocalId {
        let it = ssa.arena.kernel.locals[local.index()].clone();
        let copy = ssa.arena.local(&it.name, it.dtype);
        let active = ssa.active.get(local.index()).is_some_and(|&active| active);
        ssa.mark(copy, active);
        self.locals.insert(local, copy);
        copy
    }

    /// The expression over the copy's locals.
    pub fn expr(&mut self, arena: &mut Arena, root: ExprId) -> ExprId {
        if let Some(&known) = self.exprs.get(&root) {
            return known;
        }
        for x in reach(&arena.kernel.exprs, root) {
            if self.exprs.contains_key(&x) {
                continue;
            }
            let expr = match *arena.expr(x) {
                Expr::Local(local) => Expr::Local(self.locals.get(&local).copied().unwrap_or(local)),
                ref expr => expr.map_operands(|y| self.exprs[&y]),
            };
            let copy = arena.push(expr);
            self.exprs.insert(x, copy);
        }
        self.exprs[&root]
    }

    /// A copy of a block, whose locals are all new.
    pub fn block(&mut self, ssa: &mut Ssa, items: &[Item]) -> Vec<Item> {
        items.iter().map(|item| self.item(ssa, item)).collect()
    }

    fn item(&mut self, ssa: &mut Ssa, item: &Item) -> Item {
        match item {
            Item::Define(local, value) => {
                let value = self.expr(&mut ssa.arena, *value);
                Item::Define(self.copy_of(ssa, *local), value)
            }
            Item::SetElement { array, index, value, undo } => Item::SetElement {
                array: *array,
                index: self.expr(&mut ssa.arena, *index),
                value: self.expr(&mut ssa.arena, *value),
                undo: undo.map(|before| self.copy_of(ssa, before)),
            },
            Item::Store { output, indices, value, number } => Item::Store {
                output: *output,
                indices: indices.iter().map(|&i| self.expr(&mut ssa.arena, i)).collect(),
                value: self.expr(&mut ssa.arena, *value),
                number: number.map(|number| self.expr(&mut ssa.arena, number)),
            },
            Item::If { condition, then, otherwise, merges } => {
                let condition = self.expr(&mut ssa.arena, *condition);
                let then = self.block(ssa, then);
                let otherwise = self.block(ssa, otherwise);
                let mut copied = Vec::with_capacity(merges.len());
                for merge in merges {
                    let then = self.expr(&mut ssa.arena, merge.then);
                    let otherwise = self.expr(&mut ssa.arena, merge.otherwise);
                    copied.push((merge.local, then, otherwise));
                }
                let merge =
                    |(local, then, otherwise)| Merge { local: self.copy_of(ssa, local), then, otherwise };
                let merges = copied.into_iter().map(merge).collect();
                Item::If { condition, then, otherwise, merges }
            }
            Item::Loop(it) => {
                let firsts: Vec<ExprId> =
                    it.carried.iter().map(|one| self.expr(&mut ssa.arena, one.first)).collect();
                let bounds = match &it.count {
                    Count::Counted { from, to, count, .. } => {
                        Some([*from, *to, *count].map(|x| self.expr(&mut ssa.arena, x)))
                    }
                    Count::While { .. } => None,
                };
                let locals: Vec<LocalId> =
                    it.carried.iter().map(|one| self.copy_of(ssa, one.local)).collect();
                let count = match (&it.count, bounds) {
                    (Count::Counted { counter, step, .. }, Some([from, to, count])) => {
                        Count::Counted { counter: self.copy_of(ssa, *counter), from, to, step: *step, count }
                    }
                    (Count::While { condition, limit, counted }, _) => Count::While {
                        condition: self.expr(&mut ssa.arena, *condition),
                        limit: *limit,
                        counted: self.copy_of(ssa, *counted),
                    },
                    _ => unreachable!("bounds of what is counted"),
                };
                let body = self.block(ssa, &it.body);
                let mut carried = Vec::with_capacity(firsts.len());
                for ((one, local), first) in it.carried.iter().zip(locals).zip(firsts) {
                    let next = self.expr(&mut ssa.arena, one.next);
                    carried.push(Carried { local, first, next, active: one.active });
                }
                let id = ssa.loops;
                ssa.loops += 1;
                Item::Loop(Box::new(Loop { id, count, carried, body, ..(**it).clone() }))
            }
        }
    }
}

/// Assigns all at once: no value is read after its local was assigned.
pub(super) fn assign_together(arena: &mut Arena, pairs: &[(LocalId, ExprId)]) -> Vec<Stmt> {
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for &(local, value) in pairs {
        let read = match *arena.expr(value) {
            Expr::Local(read) => Some(read),
            _ => None,
        };
        if read == Some(local) {
            continue;
        }
        if read.is_some_and(|read| pairs.iter().any(|pair| pair.0 == read)) {
            let dtype = arena.dtype(value);
            let held = arena.local("held", dtype);
            first.push(Stmt::Let(held, value));
            then.push(Stmt::Let(local, arena.read(held)));
        } else {
            then.push(Stmt::Let(local, value));
        }
    }
    first.extend(then);
    first
}
