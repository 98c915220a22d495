//! Reachability in users' kernels: the expressions that they evaluate, and the end of the
//! invocation.

use super::{ExprId, Stmt, UserKernel};
use crate::order;

/// Finds what is evaluated with an expression, in time linear in that.
pub struct Reach<'a> {
    kernel: &'a UserKernel,
    /// The visit in which each was last seen.
    seen: Vec<u32>,
    visit: u32,
}

impl<'a> Reach<'a> {
    /// Of a well-formed kernel.
    pub fn new(kernel: &'a UserKernel) -> Reach<'a> {
        Reach { kernel, seen: vec![0; kernel.exprs.len()], visit: 0 }
    }

    /// What evaluating `root` evaluates, operands before what uses them, itself last.
    pub fn of(&mut self, root: ExprId) -> Vec<ExprId> {
        self.visit += 1;
        self.seen[root.index()] = self.visit;
        let mut found = vec![root];
        let mut at = 0;
        while at < found.len() {
            self.kernel.exprs[found[at].index()].for_each_operand(|operand| {
                if std::mem::replace(&mut self.seen[operand.index()], self.visit) != self.visit {
                    found.push(operand);
                }
            });
            at += 1;
        }
        order::sort_by_key(&mut found, |id| u64::from(id.0));
        found
    }
}

/// Whether a block ends the invocation, perhaps. Nesting is bounded.
pub fn returns(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Return => true,
        Stmt::If(_, then, otherwise) => returns(then) || returns(otherwise),
        Stmt::For { body, .. } | Stmt::While { body, .. } => returns(body),
        _ => false,
    })
}
