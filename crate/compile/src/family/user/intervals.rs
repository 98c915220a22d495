//! Intervals of a user's kernel: how far from the invocation's own coordinates it reads.
//!
//! An index that is a coordinate of the grid plus something between two constants is known by that
//! coordinate and the two. So stencils are found, in loops over neighbours too.
//!
//! Deferred: few programs have kernels of users.

use super::locals::named_once;
use weft_ir::op::{Binary, KernelCall, Unary};
use weft_ir::user_kernel::{Coordinate, Expr, LocalId, Stmt, UserKernel};
use weft_ir::{Literal, Shape};

/// Rounds in which a local may be found from others.
const ROUNDS: usize = 4;

/// A coordinate of the grid, or none, plus what lies between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Near {
    pub axis: Option<u32>,
    pub low: i64,
    pub high: i64,
}

/// What is known of each expression of a kernel that is called with tensors of these shapes.
#[inline(never)]
pub(super) fn intervals(call: &KernelCall, shapes: &[Shape]) -> Vec<Option<Near>> {
    let kernel = &*call.kernel;
    let mut locals = vec![None; kernel.locals.len()];
    let mut exprs = Vec::new();
    let named = named_once(kernel);
    for _ in 0..ROUNDS {
        exprs = Vec::with_capacity(kernel.exprs.len());
        for expr in &kernel.exprs {
            let near = of(call, shapes, expr, &exprs, &locals);
            exprs.push(near);
        }
        let before = locals.clone();
        assign(&kernel.body, &exprs, &named, &mut locals);
        if locals == before {
            break;
        }
    }
    exprs
}

/// How often a loop runs, if that is known.
pub(super) fn turns(stmt: &Stmt, exprs: &[Option<Near>]) -> Option<i64> {
    let Stmt::For { from, to, step, .. } = stmt else { return None };
    let known = |near: Option<Near>| {
        near.filter(|near| near.axis.is_none() && near.low == near.high).map(|near| near.low)
    };
    let (from, to) = (known(exprs[from.index()])?, known(exprs[to.index()])?);
    let (distance, step) = if *step > 0 { (to - from, *step) } else { (from - to, -*step) };
    Some((distance.max(0) + i64::from(step) - 1) / i64::from(step))
}

fn of(
    call: &KernelCall,
    shapes: &[Shape],
    expr: &Expr,
    exprs: &[Option<Near>],
    locals: &[Option<Near>],
) -> Option<Near> {
    let constant = |value: i64| Some(Near { axis: None, low: value, high: value });
    match expr {
        Expr::Literal(Literal::I32(value)) => constant(i64::from(*value)),
        Expr::Index(Coordinate::Grid, axis) => Some(Near { axis: Some(*axis), low: 0, high: 0 }),
        Expr::Extent(tensor, axis) => constant(shapes[tensor.index()][*axis as usize] as i64),
        Expr::GridExtent(axis) => constant(call.grid[*axis as usize] as i64),
        Expr::Local(local) => locals[local.index()],
        Expr::Unary(Unary::Neg, x) => {
            let x = exprs[x.index()].filter(|x| x.axis.is_none())?;
            Some(Near { axis: None, low: -x.high, high: -x.low })
        }
        Expr::Binary(op, x, y) => {
            let (x, y) = (exprs[x.index()]?, exprs[y.index()]?);
            let near = match op {
                Binary::Add if x.axis.is_none() || y.axis.is_none() => {
                    Near { axis: x.axis.or(y.axis), low: x.low + y.low, high: x.high + y.high }
                }
                Binary::Sub if y.axis.is_none() => {
                    Near { axis: x.axis, low: x.low - y.high, high: x.high - y.low }
                }
                _ => return None,
            };
            let bound = 1 << 24;
            (near.low > -bound && near.high < bound).then_some(near)
        }
        _ => None,
    }
}

/// Finds the locals that are names for one value, and the counters of loops.
fn assign(block: &[Stmt], exprs: &[Option<Near>], named: &[bool], locals: &mut [Option<Near>]) {
    for stmt in block {
        let found: Option<(LocalId, Option<Near>)> = match stmt {
            Stmt::Let(local, value) => Some((*local, exprs[value.index()])),
            Stmt::For { counter, from, to, step, .. } => {
                let ends = exprs[from.index()].zip(exprs[to.index()]);
                let near = ends.filter(|(from, to)| from.axis.is_none() && to.axis.is_none());
                let near = near.map(|(from, to)| {
                    let (low, high) =
                        if *step > 0 { (from.low, to.high - 1) } else { (to.low + 1, from.high) };
                    Near { axis: None, low, high: high.max(low) }
                });
                Some((*counter, near))
            }
            _ => None,
        };
        if let Some((local, near)) = found
            && named[local.index()]
        {
            locals[local.index()] = near;
        }
        stmt.for_each_block(|inner| assign(inner, exprs, named, locals));
    }
}

/// For each axis of the grid the first and the last coordinate at which every load of known
/// distance lies inside its tensor; `None` where that is everywhere, or hardly anywhere.
#[inline(never)]
pub(super) fn interior(call: &KernelCall, shapes: &[Shape]) -> Option<Vec<(i64, i64)>> {
    let kernel: &UserKernel = &call.kernel;
    let exprs = intervals(call, shapes);
    let mut inside: Vec<(i64, i64)> = call.grid.iter().map(|&extent| (0, extent as i64 - 1)).collect();
    let everywhere = inside.clone();
    for expr in &kernel.exprs {
        let Expr::Load(tensor, indices, _) = expr else { continue };
        for (index, &extent) in indices.iter().zip(shapes[tensor.index()].iter()) {
            let Some(Near { axis: Some(axis), low, high }) = exprs[index.index()] else { continue };
            let (first, last) = &mut inside[axis as usize];
            *first = (*first).max(-low);
            *last = (*last).min(extent as i64 - 1 - high);
        }
    }
    // Where most invocations are at an edge, those inside are not worth their code.
    let most = |(&(first, last), &(_, end)): (&(i64, i64), &(i64, i64))| 2 * (last - first + 1) > end;
    (inside != everywhere && inside.iter().zip(&everywhere).all(most)).then_some(inside)
}
