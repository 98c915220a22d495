//! Batches of kernels: one more axis in front of the grid, along which the members run.
//!
//! A member's invocations keep their order, and no two members share an element of an output.

use super::arena::Arena;
use std::rc::Rc;
use weft_ir::user_kernel::{
    Coordinate, Edge, Expr, ExprId, Initial, Scalar, Stmt, Tensor, TensorId, UserKernel,
};
use weft_ir::{Error, ErrorKind, Result};

/// A kernel for all members of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batched {
    /// The kernel. Its outputs have the members along a new first axis.
    pub kernel: UserKernel,
    /// Which input of the one for a single member each of its inputs is.
    pub inputs: Vec<usize>,
}

/// What a number of the kernel for a single member has become.
#[derive(Clone, Copy)]
enum Number {
    Scalar(u32),
    Tensor(TensorId),
}

/// The kernel for all members of a batch, where inputs that are `batched`, the tensors first, have
/// the members along a new first axis. A number that is batched becomes a tensor of one axis. The
/// initial tensors of outputs must be batched.
///
/// Errors with `Value` where the kernel has no room for another axis, and with `Trace` for WGSL.
pub fn batched(kernel: &UserKernel, batched: &[bool]) -> Result<Batched> {
    const MOST_AXES: u32 = 12;
    if kernel.source.is_some() {
        let what = "a kernel written in WGSL has no batch; call it for each member in a loop";
        return Err(Error::new(ErrorKind::Trace, &kernel.name, what));
    }
    let of_tensors = &batched[..kernel.tensors.len()];
    let of_scalars = &batched[kernel.tensors.len()..];
    let ranks = kernel.tensors.iter().map(|it| it.rank).chain(kernel.outputs.iter().map(|it| it.rank));
    if ranks.chain([kernel.rank]).any(|rank| rank >= MOST_AXES) {
        return Err(Error::value(
            &kernel.name,
            format!("in a batch it would have more than {MOST_AXES} axes"),
        ));
    }
    let mut tensors: Vec<Tensor> = kernel.tensors.clone();
    tensors.iter_mut().zip(of_tensors).for_each(|(it, &batched)| it.rank += u32::from(batched));
    let mut inputs: Vec<usize> = (0..tensors.len()).collect();
    let mut scalars: Vec<Scalar> = Vec::new();
    let mut numbers: Vec<Number> = Vec::new();
    let mut kept = Vec::new();
    for (n, it) in kernel.scalars.iter().enumerate() {
        if of_scalars[n] {
            numbers.push(Number::Tensor(TensorId(tensors.len() as u32)));
            tensors.push(Tensor { name: it.name.clone(), dtype: it.dtype, rank: 1 });
            inputs.push(kernel.tensors.len() + n);
        } else {
            numbers.push(Number::Scalar(scalars.len() as u32));
            scalars.push(it.clone());
            kept.push(kernel.tensors.len() + n);
        }
    }
    inputs.extend(kept);
    let mut outputs = kernel.outputs.clone();
    for output in &mut outputs {
        output.rank += 1;
        if let Initial::Tensor(tensor) = output.initial
            && !of_tensors[tensor.index()]
        {
            return Err(Error::value(
                &kernel.name,
                format!("vmap needs the initial value of {} to be mapped as well", output.name),
            ));
        }
    }
    let mut arena = Arena::of(&UserKernel {
        rank: kernel.rank + 1,
        tensors,
        scalars,
        outputs,
        exprs: Vec::new(),
        ..kernel.clone()
    });
    let member = arena.push(Expr::Index(Coordinate::Grid, 0));
    let mut made: Vec<ExprId> = Vec::with_capacity(kernel.exprs.len());
    let front = |indices: Vec<ExprId>| std::iter::once(member).chain(indices).collect();
    for expr in &kernel.exprs {
        let expr = match expr.map_operands(|x| made[x.index()]) {
            Expr::Index(Coordinate::Grid, axis) => Expr::Index(Coordinate::Grid, axis + 1),
            Expr::GridExtent(axis) => Expr::GridExtent(axis + 1),
            Expr::OutputExtent(output, axis) => Expr::OutputExtent(output, axis + 1),
            Expr::Extent(tensor, axis) if of_tensors[tensor.index()] => Expr::Extent(tensor, axis + 1),
            Expr::Load(tensor, indices, edge) if of_tensors[tensor.index()] => {
                Expr::Load(tensor, front(indices), edge)
            }
            Expr::Scalar(n) => match numbers[n as usize] {
                Number::Scalar(n) => Expr::Scalar(n),
                Number::Tensor(tensor) => Expr::Load(tensor, vec![member], Edge::Clamp),
            },
            other => other,
        };
        made.push(arena.push(expr));
    }
    let mut body = kernel.body.clone();
    super::prepare::map_values(&mut body, &mut |x| made[x.index()]);
    put_in_front(&mut body, member);
    let mut of_all = arena.finish(body);
    if let Some(lean) = &kernel.lean {
        of_all.lean = Some(Rc::new(self::batched(lean, batched)?.kernel));
    }
    Ok(Batched { kernel: of_all, inputs })
}

/// Stores of a member go to its own part of each output.
fn put_in_front(block: &mut [Stmt], member: ExprId) {
    for stmt in block {
        match stmt {
            Stmt::Store { indices, .. } => indices.insert(0, member),
            Stmt::If(_, then, otherwise) => {
                put_in_front(then, member);
                put_in_front(otherwise, member);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } => put_in_front(body, member),
            _ => {}
        }
    }
}
