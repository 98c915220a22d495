//! Uniformity of a user's kernel that works in groups: control flow that all invocations of a
//! workgroup take or none. Barriers and subgroup operations are allowed nowhere else.
//!
//! The rules are those of [`crate::kernel`], into which the kernel is lowered: a value is uniform
//! when it is the same in every invocation of a workgroup for certain. An invocation that has
//! returned takes no part in what follows, so that after a return that some take and some do not
//! nothing is uniform.

use super::reach::returns;
use super::verify::{Checked, Location, Rule};
use super::{Coordinate, Expr, ExprId, LocalId, Stmt, UserKernel};

/// Whether every barrier and subgroup operation is in uniform control flow. The kernel keeps
/// all other rules.
pub(super) fn check(kernel: &UserKernel) -> Checked {
    if kernel.workgroup.is_none() {
        return Ok(());
    }
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
        (analysis.changed, analysis.broken, analysis.next_loop) = (false, None, 0);
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
}

/// What is known of every expression while `locals` are taken for uniform.
fn known(kernel: &UserKernel, locals: &[bool]) -> Vec<Known> {
    let mut values: Vec<Known> = Vec::with_capacity(kernel.exprs.len());
    for expr in &kernel.exprs {
        let mut value = Known { uniform: true, combines: false };
        expr.for_each_operand(|operand| {
            let operand = values[operand.index()];
            value.uniform &= operand.uniform;
            value.combines |= operand.combines;
        });
        match expr {
            Expr::Local(local) => value.uniform = locals[local.index()],
            Expr::Index(Coordinate::Grid | Coordinate::Local, _) | Expr::Element(..) => value.uniform = false,
            Expr::Subgroup(..) | Expr::Shuffle(..) => value = Known { uniform: false, combines: true },
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
    /// Whether control flow is uniform after a block that it enters as `flow`.
    fn block(&mut self, block: &[Stmt], first: usize, mut flow: bool) -> bool {
        for (i, stmt) in block.iter().enumerate() {
            self.path.push(first + i);
            flow = self.stmt(stmt, flow);
            self.path.pop();
        }
        flow
    }

    /// The same of a statement.
    fn stmt(&mut self, stmt: &Stmt, flow: bool) -> bool {
        match stmt {
            Stmt::Let(local, value) => {
                let uniform = self.evaluate(*value, flow);
                self.give(*local, flow && uniform);
            }
            Stmt::SetElement(_, index, value) => {
                self.evaluate(*index, flow);
                self.evaluate(*value, flow);
            }
            Stmt::Store { indices, value, before, .. } => {
                for expr in indices.iter().chain([value]) {
                    self.evaluate(*expr, flow);
                }
                if let Some(before) = before {
                    self.give(*before, false);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let inside = self.evaluate(*condition, flow) && flow;
                let first = self.block(then, 0, inside);
                let second = self.block(otherwise, then.len(), inside);
                // What the condition decides ends here, but for what has returned.
                return flow && !returns(then) && !returns(otherwise) || (inside && first && second);
            }
            Stmt::For { counter, from, to, body, .. } => {
                let bounds = [*from, *to].map(|bound| self.evaluate(bound, flow));
                let uniform = bounds == [true; 2];
                self.give(*counter, flow && uniform);
                return self.iterations(flow, body, None, uniform);
            }
            Stmt::While { condition, body, .. } => {
                return self.iterations(flow, body, Some(*condition), true);
            }
            Stmt::Break | Stmt::Continue => {
                if let (Some(innermost), false) = (self.innermost, flow) {
                    self.take_back(innermost);
                }
            }
            Stmt::Return => {
                if let (Some(innermost), false) = (self.innermost, flow) {
                    self.take_back(innermost);
                }
            }
            Stmt::Barrier => self.ensure(flow, Rule::BarrierIsUniform),
        }
        flow
    }

    /// The iterations of a loop, which go on by `condition`, or by bounds that are `uniform` or
    /// not.
    fn iterations(
        &mut self,
        flow: bool,
        body: &[Stmt],
        condition: Option<ExprId>,
        mut uniform: bool,
    ) -> bool {
        let this = self.next_loop;
        self.next_loop += 1;
        if this == self.loops.len() {
            self.loops.push(true);
        }
        let inside = flow && self.loops[this];
        if let Some(condition) = condition {
            uniform &= self.evaluate(condition, inside);
        }
        let outer = self.innermost.replace(this);
        let after = self.block(body, 0, inside);
        self.innermost = outer;
        if !uniform || !inside || !after {
            self.take_back(this);
        }
        flow && (self.loops[this] || !returns(body))
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
        self.ensure(flow || !value.combines, Rule::SubgroupIsUniform);
        value.uniform
    }

    fn ensure(&mut self, holds: bool, rule: Rule) {
        if !holds && self.broken.is_none() {
            self.broken = Some((rule, Location::Stmt(self.path.clone())));
        }
    }
}
