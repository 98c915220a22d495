//! Operation counts of kernels. From an estimate for one workgroup the runtime tells how long a
//! dispatch will keep the device, and this crate which kernels may have to be run in pieces.
//!
//! Every operator counts one, memory and functions more, an invocation's own arrays, which lie in
//! registers, nothing; a loop's body counts as often as the loop
//! can run it, a branch as if it were taken. What it costs a device in time is for the runtime to
//! measure: here only proportions matter.

use weft_ir::Literal;
use weft_ir::kernel::{ArrayId, Expr, ExprId, Kernel, Space, Stmt};

/// Operations of a load or store.
const ACCESS: f64 = 2.0;
/// Operations of a function of the prelude.
const FUNCTION: f64 = 16.0;
/// Operations of a barrier, for each invocation.
const BARRIER: f64 = 16.0;
/// Iterations of a loop that does not count between constants: only those over subgroups do not.
const OTHER_ITERATIONS: f64 = 32.0;

/// An estimate of the operations that all invocations of one workgroup make together. Finite and
/// positive.
pub fn of_workgroup(kernel: &Kernel) -> f64 {
    let mut exprs: Vec<f64> = Vec::with_capacity(kernel.exprs.len());
    for expr in &kernel.exprs {
        let mut cost = operations(kernel, expr);
        expr.for_each_operand(|operand| cost += exprs[operand.index()]);
        exprs.push(cost);
    }
    let each = of_block(kernel, &exprs, &kernel.body).max(1.0);
    (each * f64::from(kernel.invocations())).min(1e18)
}

fn operations(kernel: &Kernel, expr: &Expr) -> f64 {
    match expr {
        Expr::Literal(_) | Expr::Local(_) | Expr::Uniform(_) | Expr::Builtin(_) => 0.0,
        Expr::Load(array, _) => access(kernel, *array),
        Expr::Call(..) => FUNCTION,
        Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Select(..)
        | Expr::Cast(..)
        | Expr::Bitcast(..)
        | Expr::Subgroup(..)
        | Expr::Splat(..)
        | Expr::Compose(_)
        | Expr::Component(..) => 1.0,
    }
}

fn access(kernel: &Kernel, array: ArrayId) -> f64 {
    match kernel.arrays[array.index()].space {
        Space::Private(_) => 0.0,
        _ => ACCESS,
    }
}

/// Operations of a block, given those of each expression with its operands.
fn of_block(kernel: &Kernel, exprs: &[f64], block: &[Stmt]) -> f64 {
    let of = |id: &ExprId| exprs[id.index()];
    let statement = |stmt: &Stmt| match stmt {
        Stmt::Let(_, value) | Stmt::Var(_, value) | Stmt::Assign(_, value) => of(value),
        Stmt::Store(array, index, value) => access(kernel, *array) + of(index) + of(value),
        Stmt::Atomic { index, value, .. } => FUNCTION + of(index) + of(value),
        Stmt::If(condition, then, otherwise) => {
            of(condition) + of_block(kernel, exprs, then) + of_block(kernel, exprs, otherwise)
        }
        Stmt::For { from, to, step, body, .. } => {
            let iterations = match (constant(kernel, *from), constant(kernel, *to)) {
                (Some(from), Some(to)) => ((to - from).max(0.0) / f64::from(*step)).ceil(),
                _ => OTHER_ITERATIONS,
            };
            iterations * (2.0 + of(to) + of_block(kernel, exprs, body))
        }
        Stmt::While(condition, body) => OTHER_ITERATIONS * (of(condition) + of_block(kernel, exprs, body)),
        Stmt::Break | Stmt::Continue => 0.0,
        Stmt::Barrier => BARRIER,
    };
    block.iter().map(statement).sum()
}

fn constant(kernel: &Kernel, id: ExprId) -> Option<f64> {
    match kernel.exprs[id.index()] {
        Expr::Literal(Literal::I32(value)) => Some(f64::from(value)),
        _ => None,
    }
}
