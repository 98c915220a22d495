//! Preparation of a kernel for its derivatives: no jumps, no stores that have none, and what it
//! asks of its outputs as inputs.

use super::activity::Asked;
use super::arena::{Arena, each_statement, reach};
use super::jumps::without_jumps;
use super::roles::Role;
use weft_ir::user_kernel::{Combine, Coordinate, Expr, ExprId, LocalId, Output, OutputId, Stmt, UserKernel};
use weft_ir::{DType, Error, ErrorKind, HashMap, Literal, Result};

/// A kernel without jumps that stores floats only.
pub(super) struct Prepared {
    pub kernel: UserKernel,
    /// What its scalars are.
    pub scalars: Vec<Role>,
    /// For each input, the scalars of the preparation included, whether its derivative is asked.
    pub inputs: Vec<bool>,
    /// For each output, whether it is stored: it is f32, and its derivative is asked.
    pub outputs: Vec<bool>,
}

/// `kernel` prepared for what is asked of it; only stores into floats that have a derivative are
/// kept. Errors with `Trace` where it works in groups.
pub(super) fn prepared(kernel: &UserKernel, mode: &str, asked: Asked) -> Result<Prepared> {
    if kernel.workgroup.is_some() {
        let rule = if mode == "reverse mode" { "customVjp" } else { "customJvp" };
        let which = if kernel.source.is_some() { "written in WGSL" } else { "that works in groups" };
        return Err(Error::new(
            ErrorKind::Trace,
            &kernel.name,
            format!("a kernel {which} has no {mode}; give its derivative with {rule}"),
        ));
    }
    let is_stored = |(it, &asked): (&Output, &bool)| asked && it.dtype == DType::F32;
    let outputs: Vec<bool> = kernel.outputs.iter().zip(asked.outputs).map(is_stored).collect();
    let kernel = without_jumps(kernel);
    let tensors = kernel.tensors.len();
    let mut scalars: Vec<Role> = (0..kernel.scalars.len()).map(|n| Role::Input(tensors + n)).collect();
    let mut arena = Arena::of(&kernel);
    let mut before: HashMap<DType, ExprId> = HashMap::default();
    let mut replaced = rewritten(&kernel.body, &mut |stmt| match stmt {
        Stmt::Store { output, .. } if outputs[output.index()] => vec![stmt.clone()],
        Stmt::Store { before: Some(local), .. } => {
            let dtype = arena.kernel.locals[local.index()].dtype;
            let unknown = *before.entry(dtype).or_insert_with(|| {
                scalars.push(Role::Before);
                let n = arena.scalar("before", dtype);
                arena.push(Expr::Scalar(n))
            });
            vec![Stmt::Let(*local, unknown)]
        }
        Stmt::Store { .. } => Vec::new(),
        other => vec![other.clone()],
    });
    extents_as_scalars(&mut arena, &mut scalars, &mut replaced);
    let mut inputs = vec![false; tensors + scalars.len()];
    inputs.iter_mut().zip(asked.inputs).for_each(|(flag, &asked)| *flag = asked);
    Ok(Prepared { kernel: arena.finish(replaced), scalars, inputs, outputs })
}

/// Extents of outputs become scalars: a derivative has other outputs.
fn extents_as_scalars(arena: &mut Arena, scalars: &mut Vec<Role>, body: &mut [Stmt]) {
    let mut made: HashMap<ExprId, ExprId> = HashMap::default();
    let mut of = |arena: &mut Arena, root: ExprId| {
        let all = reach(&arena.kernel.exprs, root);
        if !all.iter().any(|x| matches!(arena.expr(*x), Expr::OutputExtent(..))) {
            return root;
        }
        for x in all {
            if made.contains_key(&x) {
                continue;
            }
            let copy = match *arena.expr(x) {
                Expr::OutputExtent(output, axis) => {
                    scalars.push(Role::OutputExtent(output.index(), axis as usize));
                    let n = arena.scalar("extent", DType::I32);
                    arena.push(Expr::Scalar(n))
                }
                ref expr => {
                    let copy = expr.map_operands(|y| made[&y]);
                    arena.push(copy)
                }
            };
            made.insert(x, copy);
        }
        made[&root]
    };
    map_values(body, &mut |x| of(arena, x));
}

/// Every expression that a statement evaluates by another.
pub(super) fn map_values(block: &mut [Stmt], of: &mut dyn FnMut(ExprId) -> ExprId) {
    for stmt in block {
        match stmt {
            Stmt::Let(_, value) => *value = of(*value),
            Stmt::SetElement(_, index, value) => {
                *index = of(*index);
                *value = of(*value);
            }
            Stmt::Store { indices, value, .. } => {
                indices.iter_mut().for_each(|i| *i = of(*i));
                *value = of(*value);
            }
            Stmt::If(condition, then, otherwise) => {
                *condition = of(*condition);
                map_values(then, of);
                map_values(otherwise, of);
            }
            Stmt::For { from, to, body, .. } => {
                *from = of(*from);
                *to = of(*to);
                map_values(body, of);
            }
            Stmt::While { condition, body, .. } => {
                *condition = of(*condition);
                map_values(body, of);
            }
            Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => {}
        }
    }
}

/// A block with some statements exchanged for others; `of` sees those without blocks inside.
pub(super) fn rewritten(block: &[Stmt], of: &mut dyn FnMut(&Stmt) -> Vec<Stmt>) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(block.len());
    for stmt in block {
        match stmt {
            Stmt::If(condition, then, otherwise) => {
                let then = rewritten(then, of);
                out.push(Stmt::If(*condition, then, rewritten(otherwise, of)));
            }
            Stmt::For { counter, from, to, step, body } => out.push(Stmt::For {
                counter: *counter,
                from: *from,
                to: *to,
                step: *step,
                body: rewritten(body, of),
            }),
            Stmt::While { condition, limit, body } => {
                out.push(Stmt::While { condition: *condition, limit: *limit, body: rewritten(body, of) })
            }
            other => out.extend(of(other)),
        }
    }
    out
}

/// Whether an output is only ever set by invocations at their own coordinates.
pub(super) fn is_set_at_own(kernel: &UserKernel, output: OutputId) -> bool {
    let it = &kernel.outputs[output.index()];
    let mut all = it.combine == Combine::Set && it.rank == kernel.rank;
    each_statement(&kernel.body, &mut |stmt| {
        if let Stmt::Store { output: at, indices, .. } = stmt
            && *at == output
        {
            all &= indices
                .iter()
                .zip(0..)
                .all(|(i, axis)| kernel.exprs[i.index()] == Expr::Index(Coordinate::Grid, axis));
        }
    });
    all
}

/// Gives every output that is set elsewhere, and by an invocation perhaps more than once, a local
/// that numbers the stores of the invocation from 1.
pub(super) fn numbered(kernel: &UserKernel) -> (UserKernel, HashMap<OutputId, LocalId>) {
    let mut arena = Arena::of(kernel);
    let mut numbers = HashMap::default();
    for (i, output) in kernel.outputs.iter().enumerate() {
        let id = OutputId(i as u32);
        if output.combine == Combine::Set && !is_set_at_own(kernel, id) && may_store_twice(&kernel.body, id) {
            numbers.insert(id, arena.local("stores", DType::U32));
        }
    }
    let body = rewritten(&kernel.body, &mut |stmt| match stmt {
        Stmt::Store { output, .. } if numbers.contains_key(output) => {
            let number = numbers[output];
            let (before, one) = (arena.read(number), arena.literal(Literal::U32(1)));
            let next = arena.add(before, one);
            vec![Stmt::Let(number, next), stmt.clone()]
        }
        other => vec![other.clone()],
    });
    (arena.finish(body), numbers)
}

/// Whether one invocation may store into an output more than once.
fn may_store_twice(body: &[Stmt], output: OutputId) -> bool {
    fn most(block: &[Stmt], output: OutputId) -> usize {
        let of = |stmt: &Stmt| match stmt {
            Stmt::Store { output: at, .. } => usize::from(*at == output),
            Stmt::If(_, then, otherwise) => most(then, output).max(most(otherwise, output)),
            Stmt::For { body, .. } | Stmt::While { body, .. } => most(body, output).saturating_mul(2),
            _ => 0,
        };
        block.iter().map(of).fold(0, usize::saturating_add)
    }
    most(body, output) > 1
}
