//! Reference interpreter of tensor programs, over f32 or f64 in place of `DType::F32`.
//!
//! It is what rules, kernels and gradients are tested against, and, over f32, Weft's CPU device. It
//! trusts that the program is well formed ([`crate::verify`]). Results are dropped as soon as their
//! last reader has run.
//!
//! Deferred: only the CPU device interprets.

mod contract;
mod control_flow;
mod element;
mod fourier;
mod index;
mod line;
mod reduce;
mod room;
mod strided;
mod value;

pub use value::{Data, Value};

use crate::dtype::{DType, Literal};
use crate::error::{Error, ErrorKind, Result};
use crate::functions::Real;
use crate::op::{Coefficient, KernelCall, Op, View};
use crate::program::{ProgramId, ProgramNode, TensorProgram};
use crate::shape::Shape;
use crate::user_kernel;
use std::borrow::Borrow;
use strided::{Strided, Tensor, map_tensor};

/// Runs `program` and returns its outputs in order. `buffers[n]` is bound to the n-th `Op::Buffer`
/// node and `scalars[n]` to the n-th `Op::Scalar` node. Errors with `Value`, `Shape` or `DType`
/// when they do not fit, with `Value` when a view's parameter is out of its range, and with
/// `OutOfMemory` in the name of the operation for which there is no memory.
pub fn run<R: Real>(
    program: &TensorProgram,
    buffers: &[impl Borrow<Value<R>>],
    scalars: &[Literal],
) -> Result<Vec<Value<R>>> {
    let (mut buffers, mut scalars) = (buffers.iter(), scalars.iter());
    let mut leaves = Vec::new();
    for node in &program.nodes {
        match node.op {
            Op::Buffer(..) => leaves.push(bind(node, buffers.next().map(Borrow::borrow))?),
            Op::Scalar(dtype) => leaves.push(bind_scalar(dtype, scalars.next())?),
            _ => {}
        }
    }
    if buffers.next().is_some() || scalars.next().is_some() {
        return Err(Error::value(
            "interpret",
            "more buffers or scalars were given than the program has leaves",
        ));
    }
    let mut outputs = Vec::with_capacity(program.outputs.len());
    for (&output, result) in program.outputs.iter().zip(execute(program, leaves)?) {
        room::check_node(&program[output], room::needed_out(&result))?;
        outputs.push(finish(result)?);
    }
    Ok(outputs)
}

/// Runs `program` on its leaves in order.
fn execute<'a, R: Real>(program: &TensorProgram, leaves: Vec<Tensor<'a, R>>) -> Result<Vec<Tensor<'a, R>>> {
    let last_reader = last_readers(program);
    let mut results: Vec<Option<Tensor<'a, R>>> = Vec::with_capacity(program.nodes.len());
    // What regions have yielded: results by node and number.
    let mut parts: Vec<(usize, Vec<Tensor<'a, R>>)> = Vec::new();
    let mut leaves = leaves.into_iter();
    for (number, node) in program.nodes.iter().enumerate() {
        let leaf = match node.op {
            Op::Buffer(..) | Op::Scalar(_) => {
                Some(leaves.next().ok_or_else(|| ill_formed(&node.op, "too few leaves"))?)
            }
            _ => None,
        };
        if last_reader[number].is_none() {
            results.push(None);
            continue;
        }
        let result = match leaf {
            Some(leaf) => leaf,
            None => {
                let inputs = take_inputs(&mut results, node, &last_reader, number);
                room::check_node(node, room::needed(node, &inputs))?;
                match &node.op {
                    Op::Loop(it) => {
                        parts.push((number, control_flow::run_loop(it, inputs)?));
                        nothing(node)
                    }
                    Op::Branch(programs) => {
                        parts.push((number, control_flow::run_branch(programs, inputs)?));
                        nothing(node)
                    }
                    Op::Kernel(call) => {
                        parts.push((number, run_kernel(call, inputs)?));
                        nothing(node)
                    }
                    Op::Part { index, .. } => {
                        let region = node.inputs[0].index();
                        let found = parts.iter().find(|(known, _)| *known == region);
                        let result = found.and_then(|(_, results)| results.get(*index)).cloned();
                        if last_reader[region] == Some(number) {
                            parts.retain(|(known, _)| *known != region);
                        }
                        result.ok_or_else(|| ill_formed(&node.op, "no such result"))?
                    }
                    _ => evaluate(node, inputs)?,
                }
            }
        };
        debug_assert_eq!((result.shape(), result.dtype()), (&node.shape, node.dtype), "{}", node.op.name());
        results.push(Some(result));
    }
    let output = |output: &ProgramId| {
        results[output.index()].take().ok_or_else(|| ill_formed("outputs", "the same node twice"))
    };
    program.outputs.iter().map(output).collect()
}

/// The outputs of a user's kernel.
fn run_kernel<'a, R: Real>(call: &KernelCall, inputs: Vec<Tensor<'a, R>>) -> Result<Vec<Tensor<'a, R>>> {
    let inputs = inputs.into_iter().map(finish).collect::<Result<Vec<_>>>()?;
    Ok(user_kernel::interpret::run(call, &inputs)?.into_iter().map(Value::into_tensor).collect())
}

/// What stands for a region itself.
fn nothing<'a, R: Real>(node: &ProgramNode) -> Tensor<'a, R> {
    Tensor::Bool(Strided::packed(node.shape.clone(), Vec::new()))
}

/// For each node the last one that reads it, `Some(usize::MAX)` for outputs, `None` where nothing
/// wanted depends on it.
fn last_readers(program: &TensorProgram) -> Vec<Option<usize>> {
    let mut last = vec![None; program.nodes.len()];
    for output in &program.outputs {
        last[output.index()] = Some(usize::MAX);
    }
    for (number, node) in program.nodes.iter().enumerate().rev() {
        if last[number].is_some() {
            for input in &node.inputs {
                last[input.index()].get_or_insert(number);
            }
        }
    }
    last
}

/// A node's inputs; those it is the last to read are given up by `results`, so that it may write
/// over them.
fn take_inputs<'a, R: Real>(
    results: &mut [Option<Tensor<'a, R>>],
    node: &ProgramNode,
    last_reader: &[Option<usize>],
    number: usize,
) -> Vec<Tensor<'a, R>> {
    let shared: Vec<_> = node
        .inputs
        .iter()
        .map(|i| results[i.index()].clone().expect("inputs come before readers and live until the last"))
        .collect();
    for input in &node.inputs {
        if last_reader[input.index()] == Some(number) {
            results[input.index()] = None;
        }
    }
    shared
}

/// Checks a buffer against its leaf and borrows it.
fn bind<'a, R: Real>(node: &ProgramNode, value: Option<&'a Value<R>>) -> Result<Tensor<'a, R>> {
    let value =
        value.ok_or_else(|| Error::value("interpret", "fewer buffers than the program has leaves"))?;
    if *value.shape() != node.shape {
        return Err(Error::shape(
            "interpret",
            format!("a buffer is {}, the program takes {}", value.shape(), node.shape),
        ));
    }
    if value.dtype() != node.dtype {
        return Err(Error::dtype(
            "interpret",
            format!("a buffer is {}, the program takes {}", value.dtype(), node.dtype),
        ));
    }
    let shape = value.shape().clone();
    Ok(match value.data() {
        Data::Float(v) => Tensor::Float(Strided::packed(shape, v.as_slice())),
        Data::I32(v) => Tensor::I32(Strided::packed(shape, v.as_slice())),
        Data::U32(v) => Tensor::U32(Strided::packed(shape, v.as_slice())),
        Data::Bool(v) => Tensor::Bool(Strided::packed(shape, v.as_slice())),
    })
}

fn bind_scalar<'a, R: Real>(dtype: DType, literal: Option<&Literal>) -> Result<Tensor<'a, R>> {
    let literal =
        *literal.ok_or_else(|| Error::value("interpret", "fewer scalars than the program has leaves"))?;
    if literal.dtype() != dtype {
        return Err(Error::dtype(
            "interpret",
            format!("a scalar is {}, the program takes {dtype}", literal.dtype()),
        ));
    }
    Ok(constant(literal))
}

fn constant<'a, R: Real>(literal: Literal) -> Tensor<'a, R> {
    let shape = Shape::scalar();
    match literal {
        Literal::F32(x) => Tensor::Float(Strided::splat(shape, R::from_f32(x))),
        Literal::I32(x) => Tensor::I32(Strided::splat(shape, x)),
        Literal::U32(x) => Tensor::U32(Strided::splat(shape, x)),
        Literal::Bool(x) => Tensor::Bool(Strided::splat(shape, x)),
    }
}

fn finish<R: Real>(tensor: Tensor<R>) -> Result<Value<R>> {
    let shape = tensor.shape().clone();
    Value::new(
        shape,
        match tensor {
            Tensor::Float(x) => Data::Float(x.into_vec()),
            Tensor::I32(x) => Data::I32(x.into_vec()),
            Tensor::U32(x) => Data::U32(x.into_vec()),
            Tensor::Bool(x) => Data::Bool(x.into_vec()),
        },
    )
}

/// The error of a program that [`crate::verify`] would have refused.
fn ill_formed(op: impl std::fmt::Debug, what: impl std::fmt::Display) -> Error {
    fn error(op: &dyn std::fmt::Debug, what: &dyn std::fmt::Display) -> Error {
        let message = format!("the program is not well formed: {op:?} of {what}");
        Error::new(ErrorKind::Internal, "interpret", message)
    }
    error(&op, &what)
}

/// One node's result.
fn evaluate<'a, R: Real>(node: &ProgramNode, inputs: Vec<Tensor<'a, R>>) -> Result<Tensor<'a, R>> {
    let mut inputs = inputs.into_iter();
    let mut next = || inputs.next().ok_or_else(|| ill_formed(&node.op, "too few inputs"));
    match &node.op {
        Op::Buffer(..) | Op::Scalar(_) => Err(ill_formed(&node.op, "a leaf")),
        Op::Constant(literal) => Ok(constant(*literal)),
        Op::Iota { shape, axis, dtype } => {
            let positions = 0..shape[*axis];
            Ok(match dtype {
                DType::I32 => {
                    Tensor::I32(Strided::along(shape.clone(), *axis, positions.map(|i| i as i32).collect()))
                }
                DType::U32 => {
                    Tensor::U32(Strided::along(shape.clone(), *axis, positions.map(|i| i as u32).collect()))
                }
                other => return Err(ill_formed(&node.op, other)),
            })
        }
        Op::Unary(op) => element::unary(*op, next()?),
        Op::Binary(op) => element::binary(*op, next()?, next()?),
        Op::Compare(op) => element::compare(*op, &next()?, &next()?),
        Op::Select => element::select(next()?, next()?, next()?),
        Op::Cast(dtype) => Ok(element::cast(*dtype, next()?)),
        Op::Bitcast(dtype) => element::bitcast(*dtype, next()?),
        Op::Reduce { op, axes } => reduce::reduce(*op, axes, &next()?),
        Op::View(view) => {
            let x = next()?;
            let parameters: Vec<_> = inputs.collect();
            evaluate_view(view, x, &parameters)
        }
        Op::Contract(axes) => contract::contract(axes, &next()?, &next()?),
        Op::Gather { axis } => index::gather(*axis, &next()?, &next()?),
        Op::Scatter { axis, op } => index::scatter(*op, *axis, next()?, &next()?, &next()?),
        Op::Scan(scan) => line::scan(scan, &next()?),
        Op::ArgSort { axis, .. } => line::argsort(*axis, &next()?),
        Op::Fourier { parts, axis } => fourier::fourier(*parts, *axis, &next()?, &next()?),
        Op::Mark(_) | Op::Detach | Op::Cut => next(),
        Op::Conv(_) => Err(ill_formed(&node.op, "a program that is made")),
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => {
            Err(ill_formed(&node.op, "a region"))
        }
    }
}

fn evaluate_view<'a, R: Real>(
    view: &View,
    x: Tensor<'a, R>,
    parameters: &[Tensor<'a, R>],
) -> Result<Tensor<'a, R>> {
    Ok(match view {
        View::Reshape(shape) => map_tensor!(x, s => s.reshape(shape.clone())),
        View::Permute(axes) => map_tensor!(x, s => s.permute(axes)),
        View::Expand(shape) => map_tensor!(x, s => s.expand(shape.clone())),
        View::Slice { starts, steps, lengths } => {
            let starts = coefficients(starts, parameters)?;
            map_tensor!(x, s => s.slice(&starts, steps, lengths))
        }
        View::Window(windows) => map_tensor!(x, s => s.windows(windows)),
        View::Pad { low, interior, shape, value } => {
            let low = coefficients(low, parameters)?;
            let (gap, shape) = (interior, shape.clone());
            match (x, *value) {
                (Tensor::Float(x), Literal::F32(v)) => Tensor::Float(x.pad(&low, gap, shape, R::from_f32(v))),
                (Tensor::I32(x), Literal::I32(v)) => Tensor::I32(x.pad(&low, gap, shape, v)),
                (Tensor::U32(x), Literal::U32(v)) => Tensor::U32(x.pad(&low, gap, shape, v)),
                (Tensor::Bool(x), Literal::Bool(v)) => Tensor::Bool(x.pad(&low, gap, shape, v)),
                (x, value) => return Err(ill_formed("pad", format!("{} with {value}", x.dtype()))),
            }
        }
    })
}

/// The values of coefficients; `parameters` are the node's inputs from number 1 on.
fn coefficients<R: Real>(list: &[Coefficient], parameters: &[Tensor<R>]) -> Result<Vec<usize>> {
    let value = |c: &Coefficient| match *c {
        Coefficient::Const(value) => Ok(value as usize),
        Coefficient::Param { input, min, max } => {
            let Some(Tensor::I32(parameter)) = parameters.get(input - 1) else {
                return Err(ill_formed("view", "a parameter that is not i32"));
            };
            let value = i64::from(parameter.first());
            if !(min..=max).contains(&value) {
                return Err(Error::value(
                    "interpret",
                    format!("a view's parameter is {value}, expected {min} to {max}"),
                ));
            }
            Ok(value as usize)
        }
    };
    list.iter().map(value).collect()
}
