//! Activity analysis (Griewank & Walther, *Evaluating Derivatives*, §6.2): which locals and arrays
//! depend on what a derivative is taken by, and which lead to an output that has one. Only what
//! does both has derivatives, so that nothing is written for the rest.
//!
//! It does not follow the order of statements: a local is active everywhere or nowhere.

use super::arena::{each_statement, reach};
use weft_ir::DType;
use weft_ir::op::{Binary, Unary};
use weft_ir::user_kernel::{Edge, Expr, ExprId, Stmt, UserKernel};

/// Inputs by which a derivative is taken, and outputs that have one.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// For each input, the tensors first, then the scalars.
    pub inputs: &'a [bool],
    /// For each output.
    pub outputs: &'a [bool],
}

/// Locals and arrays that have derivatives.
pub(super) struct Activity {
    pub locals: Vec<bool>,
    pub arrays: Vec<bool>,
}

/// The operands that an expression depends on differentiably. Others, as indices and conditions,
/// change its value only by steps.
pub(super) fn differentiable(expr: &Expr, mut each: impl FnMut(ExprId)) {
    match expr {
        Expr::Unary(op, x) => {
            if !is_flat(*op) {
                each(*x);
            }
        }
        Expr::Binary(op, a, b) => match op {
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::Div
            | Binary::Rem
            | Binary::Pow
            | Binary::Min
            | Binary::Max => {
                each(*a);
                each(*b);
            }
            Binary::FloorDiv | Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => {}
        },
        Expr::Select(_, a, b) => {
            each(*a);
            each(*b);
        }
        Expr::Cast(DType::F32, x) => each(*x),
        Expr::Load(_, _, Edge::Fill(value)) => each(*value),
        Expr::Cast(..) | Expr::Bitcast(..) | Expr::Compare(..) => {}
        // Loads and elements depend on what was stored, which the pass follows by tensor and array.
        Expr::Load(_, _, Edge::Clamp | Edge::Wrap | Edge::Mirror) | Expr::Element(..) => {}
        Expr::Literal(_) | Expr::Local(_) | Expr::Scalar(_) | Expr::Index(..) => {}
        Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => {}
        // Only kernels with workgroups have these, and no derivatives.
        Expr::Subgroup(..) | Expr::Shuffle(..) => {}
    }
}

/// Functions whose derivative is 0 or not defined.
pub(super) const fn is_flat(op: Unary) -> bool {
    matches!(
        op,
        Unary::Sign
            | Unary::Floor
            | Unary::Ceil
            | Unary::Round
            | Unary::Not
            | Unary::IsNan
            | Unary::ToHalf
            | Unary::OfHalf
    )
}

/// Which locals and arrays of a kernel without jumps have derivatives.
pub(super) fn activity(kernel: &UserKernel, dtypes: &dyn Fn(ExprId) -> DType, asked: Asked) -> Activity {
    let depends = depends(kernel, dtypes, asked);
    let leads = leads(kernel, dtypes, asked);
    let both = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a && b).collect();
    Activity { locals: both(depends.locals, leads.locals), arrays: both(depends.arrays, leads.arrays) }
}

fn nothing(kernel: &UserKernel) -> Activity {
    Activity { locals: vec![false; kernel.locals.len()], arrays: vec![false; kernel.arrays.len()] }
}

fn raise(flag: &mut bool, changed: &mut bool) {
    *changed |= !*flag;
    *flag = true;
}

/// What depends on the inputs asked for.
fn depends(kernel: &UserKernel, dtypes: &dyn Fn(ExprId) -> DType, asked: Asked) -> Activity {
    let mut found = nothing(kernel);
    let tensors = kernel.tensors.len();
    loop {
        let mut changed = false;
        // Operands come first.
        let mut active: Vec<bool> = Vec::with_capacity(kernel.exprs.len());
        for (i, expr) in kernel.exprs.iter().enumerate() {
            let mut any = match *expr {
                Expr::Local(local) => found.locals[local.index()],
                Expr::Scalar(n) => asked.inputs[tensors + n as usize],
                Expr::Load(tensor, ..) => asked.inputs[tensor.index()],
                Expr::Element(array, _) => found.arrays[array.index()],
                _ => false,
            };
            differentiable(expr, |x| any |= active[x.index()]);
            active.push(any && dtypes(ExprId(i as u32)) == DType::F32);
        }
        each_statement(&kernel.body, &mut |stmt| match stmt {
            Stmt::Let(local, value) if active[value.index()] => {
                raise(&mut found.locals[local.index()], &mut changed);
            }
            Stmt::SetElement(array, _, value) if active[value.index()] => {
                raise(&mut found.arrays[array.index()], &mut changed);
            }
            _ => {}
        });
        if !changed {
            return found;
        }
    }
}

/// What leads to the outputs asked for.
fn leads(kernel: &UserKernel, dtypes: &dyn Fn(ExprId) -> DType, asked: Asked) -> Activity {
    let mut found = nothing(kernel);
    let mut wanted = vec![false; kernel.exprs.len()];
    loop {
        let mut changed = false;
        let mut want = |root: ExprId, found: &mut Activity| {
            if wanted[root.index()] || dtypes(root) != DType::F32 {
                return;
            }
            wanted[root.index()] = true;
            changed = true;
            for &x in reach(&kernel.exprs, root).iter().rev() {
                if !wanted[x.index()] {
                    continue;
                }
                let expr = &kernel.exprs[x.index()];
                match *expr {
                    Expr::Local(local) => found.locals[local.index()] = true,
                    Expr::Element(array, _) => found.arrays[array.index()] = true,
                    _ => {}
                }
                differentiable(expr, |y| wanted[y.index()] |= dtypes(y) == DType::F32);
            }
        };
        each_statement(&kernel.body, &mut |stmt| match stmt {
            Stmt::Store { output, value, .. } if asked.outputs[output.index()] => want(*value, &mut found),
            Stmt::Let(local, value) if found.locals[local.index()] => want(*value, &mut found),
            Stmt::SetElement(array, _, value) if found.arrays[array.index()] => want(*value, &mut found),
            _ => {}
        });
        if !changed {
            return found;
        }
    }
}
