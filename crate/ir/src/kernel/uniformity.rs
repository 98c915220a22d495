//! Uniformity of control flow: taken by all invocations of a workgroup or by none. Barriers and
//! subgroup operations are allowed nowhere else.
//!
//! A value is uniform when it is the same in every invocation of a workgroup for certain: literals,
//! run-time scalars, the workgroup's position, loads from read-only storage at a uniform index, and
//! what is computed from those. A local is uniform when everything it is ever given is, in uniform
//! control flow. A loop's body is uniform when each decision to leave it or to skip its rest is.
//! These facts depend on each other: all are assumed at first, and taken back until none must be.

use super::verify::{Checked, Location, Rule};
use super::{BinaryOp, Builtin, Expr, ExprId, Kernel, LocalId, Space, Stmt, Type};
use crate::dtype::DType;

/// Whether every barrier and subgroup operation is in uniform control flow. The kernel keeps
/// all other rules.
pub(super) fn check(kernel: &Kernel) -> Checked {
    let mut analysis = Analysis {
        locals: vec![true; kernel.locals.len()],
        values: Vec::new(),
        loops: Vec::new(),
        next_loop: 0,
        innermost: None,
        changed: true,
        broken: None,
        path: Vec::new(),
    };
    while analysis.changed {
        analysis.changed = false;
        analysis.broken = None;
        analysis.next_loop = 0;
        analysis.values = known(kernel, &analysis.locals);
        analysis.block(&kernel.body, 0, true);
    }
    analysis.broken.map_or(Ok(()), Err)
}

/// What is known of an expression.
#[derive(Clone, Copy)]
struct Known {
    /// It is the same in every invocation of a workgroup.
    uniform: bool,
    /// Evaluating it combines over a subgroup.
    combines: bool,
    /// It combines over a subgroup where some invocations may not take part, wherever it is.
    misplaced: bool,
}

/// What is known of every expression while `locals` are taken for uniform.
fn known(kernel: &Kernel, locals: &[bool]) -> Vec<Known> {
    let mut values: Vec<Known> = Vec::with_capacity(kernel.exprs.len());
    for expr in &kernel.exprs {
        let mut value = Known { uniform: true, combines: false, misplaced: false };
        expr.for_each_operand(|operand| {
            let operand = values[operand.index()];
            value.uniform &= operand.uniform;
            value.combines |= operand.combines;
            value.misplaced |= operand.misplaced;
        });
        match expr {
            Expr::Local(local) => value.uniform = locals[local.index()],
            Expr::Builtin(Builtin::LocalId(_) | Builtin::LocalIndex | Builtin::SubgroupInvocation) => {
                value.uniform = false;
            }
            Expr::Load(array, _) => value.uniform &= kernel.arrays[array.index()].space == Space::Read,
            Expr::Subgroup(..) => (value.uniform, value.combines) = (false, true),
            // On bools these are `&&` and `||`: the right operand is evaluated only where the left
            // does not decide.
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b)
                if kernel.type_of(*a) == Type::scalar(DType::Bool) =>
            {
                value.misplaced |= values[b.index()].combines && !values[a.index()].uniform;
            }
            _ => {}
        }
        values.push(value);
    }
    values
}

struct Analysis {
    /// For each local, whether it is still taken for uniform.
    locals: Vec<bool>,
    /// What follows from that for each expression.
    values: Vec<Known>,
    /// For each loop in the order of the text, whether its iterations are still taken for uniform.
    loops: Vec<bool>,
    next_loop: usize,
    innermost: Option<usize>,
    changed: bool,
    /// The first misplaced statement of this round.
    broken: Option<(Rule, Location)>,
    path: Vec<usize>,
}

impl Analysis {
    fn block(&mut self, block: &[Stmt], first: usize, flow: bool) {
        for (i, stmt) in block.iter().enumerate() {
            self.path.push(first + i);
            self.stmt(stmt, flow);
            self.path.pop();
        }
    }

    fn stmt(&mut self, stmt: &Stmt, flow: bool) {
        match stmt {
            Stmt::Let(local, value) | Stmt::Var(local, value) | Stmt::Assign(local, value) => {
                let uniform = self.evaluate(*value, flow);
                self.give(*local, flow && uniform);
            }
            Stmt::Store(_, index, value) => {
                self.evaluate(*index, flow);
                self.evaluate(*value, flow);
            }
            Stmt::Atomic { index, value, before, .. } => {
                self.evaluate(*index, flow);
                self.evaluate(*value, flow);
                if let Some(before) = before {
                    self.give(*before, false);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let inside = self.evaluate(*condition, flow) && flow;
                self.block(then, 0, inside);
                self.block(otherwise, then.len(), inside);
            }
            Stmt::For { counter, from, to, body, .. } => {
                let from = self.evaluate(*from, flow);
                self.iterations(flow, body, Some(*counter).filter(|_| !from), *to);
            }
            Stmt::While(condition, body) => self.iterations(flow, body, None, *condition),
            Stmt::Break | Stmt::Continue => {
                if let (Some(innermost), false) = (self.innermost, flow) {
                    self.take_back(innermost);
                }
            }
            Stmt::Barrier => self.ensure(flow, Rule::BarrierIsUniform),
        }
    }

    /// The iterations of a loop, which go on by `condition`; `varying` is a counter that differs
    /// between invocations.
    fn iterations(&mut self, flow: bool, body: &[Stmt], varying: Option<LocalId>, condition: ExprId) {
        let this = self.next_loop;
        self.next_loop += 1;
        if this == self.loops.len() {
            self.loops.push(true);
        }
        let inside = flow && self.loops[this];
        if let Some(counter) = varying {
            self.give(counter, false);
        }
        if !self.evaluate(condition, inside) || !inside || varying.is_some() {
            self.take_back(this);
        }
        let outer = self.innermost.replace(this);
        self.block(body, 0, inside);
        self.innermost = outer;
    }

    fn take_back(&mut self, loop_number: usize) {
        self.changed |= std::mem::replace(&mut self.loops[loop_number], false);
    }

    fn give(&mut self, local: LocalId, uniform: bool) {
        if !uniform {
            self.changed |= std::mem::replace(&mut self.locals[local.index()], false);
        }
    }

    /// Whether a value is uniform; notes a subgroup operation that not all invocations reach.
    fn evaluate(&mut self, id: ExprId, flow: bool) -> bool {
        let value = self.values[id.index()];
        self.ensure(!value.misplaced && (flow || !value.combines), Rule::SubgroupIsUniform);
        value.uniform
    }

    fn ensure(&mut self, holds: bool, rule: Rule) {
        if !holds && self.broken.is_none() {
            self.broken = Some((rule, Location::Stmt(self.path.clone())));
        }
    }
}
