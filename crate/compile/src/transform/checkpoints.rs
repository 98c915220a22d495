//! Checkpointed loops. The gradient of a loop whose body is a checkpoint keeps the states of √n of
//! its n iterations: it is taken of a loop of loops, whose inner ones run again, one after the
//! other, on the way back (Griewank, *Achieving logarithmic growth of temporal and spatial
//! complexity in reverse automatic differentiation*, with one level).

use crate::control::lower::{BodyBuilder, masked_body, reads_index};
use std::collections::HashMap;
use std::rc::Rc;
use weft_ir::build::{Build, Ref};
use weft_ir::op::region::{Rule, stacked};
use weft_ir::op::{Binary, Class, Coefficient, Loop, Op, View, facts};
use weft_ir::program::{ProgramNode, TensorProgram};
use weft_ir::{DType, Literal, Result, Shape};

/// Iterations from which there is something to spare.
const LEAST: usize = 4;

/// A loop whose body is a checkpoint as a program of loops within a loop, from its inputs to its
/// results; `None` for any other.
pub(super) fn of_loop(it: &Loop) -> Result<Option<TensorProgram>> {
    let iterations = it.iterations.unwrap_or(0);
    if iterations < LEAST || !is_checkpoint(&it.body) {
        return Ok(None);
    }
    let body = written_out(&it.body)?;
    let index = body.leaves().next();
    let is_counted = reads_index(&body) || it.condition.as_ref().is_some_and(reads_index);
    // Views and regions take no number that is computed.
    let takes_number = |class| class != Class::Elementwise;
    let reads = |node: &ProgramNode| node.inputs.iter().any(|&input| Some(input) == index);
    let is_bound = body.nodes.iter().any(|node| reads(node) && takes_number(facts(&node.op).class));
    if is_counted && (is_bound || it.condition.is_some()) {
        return Ok(None);
    }
    let length = iterations.isqrt();
    let (count, rest) = (iterations / length, iterations % length);
    let mut made = BodyBuilder::default();
    let leaves = it.leaves();
    let mut inputs = made.all_like(&it.body, leaves.carried);
    for leaf in leaves.sliced {
        let node = &it.body[leaf];
        inputs.push(made.builder.input(&stacked(iterations, &node.shape), node.dtype)?);
    }
    inputs.extend(made.all_like(&it.body, leaves.captured));
    let emit: &mut dyn Build = &mut made.builder;
    let body = Rc::new(iteration(it, body, is_counted)?);
    let (slices, others) = inputs[it.carried..].split_at(it.sliced);

    // The iterations left over come last, and those of a loop that counts down are the first
    // slices.
    let (many, few) = if it.reverse { (rest, 0) } else { (0, count * length) };
    let start = emit.op(Op::Constant(Literal::I32(many as i32)), &[])?;
    let mut parts = Vec::new();
    for &x in slices {
        let part = part_of(emit, x, many, count * length)?;
        let shape: Shape = [&[count, length], &emit.shape(x)[1..]].concat().into();
        parts.push(emit.reshape(part, &shape)?);
    }
    let outer = Loop { body: segment(it, &body, length)?, iterations: Some(count), ..plain(it) };
    let given = [&inputs[..it.carried], &parts, others, &[start]].concat();
    let mut results = emit.region(Op::Loop(Rc::new(outer)), &given)?;
    let stacks = results.split_off(it.carried);
    if rest > 0 {
        let start = emit.op(Op::Constant(Literal::I32(few as i32)), &[])?;
        let parts = slices.iter().map(|&x| part_of(emit, x, few, rest)).collect::<Result<Vec<_>>>()?;
        let last = Loop { body: (*body).clone(), iterations: Some(rest), ..plain(it) };
        let given = [&results[..], &parts, others, &[start]].concat();
        results = emit.region(Op::Loop(Rc::new(last)), &given)?;
    }
    let behind = results.split_off(it.carried);
    for (n, stack) in stacks.into_iter().enumerate() {
        let shape: Shape = [&[count * length], &emit.shape(stack)[2..]].concat().into();
        let mut whole = emit.reshape(stack, &shape)?;
        if let Some(&last) = behind.get(n) {
            whole = joined(emit, (whole, many), (last, few), iterations)?;
        }
        results.push(whole);
    }
    Ok(Some(made.builder.finish(&results, &[])))
}

/// A loop like `it` whose body, and how often it runs, are put in its place.
fn plain(it: &Loop) -> Loop {
    Loop { condition: None, ..it.clone() }
}

/// Whether what a body computes is a checkpoint.
fn is_checkpoint(body: &TensorProgram) -> bool {
    let within = |op: &Op| matches!(op, Op::Custom(custom) if custom.rule == Rule::Checkpoint);
    let computed = |op: &Op| !op.is_given() && !matches!(op, Op::Part { .. } | Op::Cut | Op::Constant(_));
    let mut found = body.nodes.iter().map(|node| &node.op).filter(|op| computed(op));
    found.next().is_some_and(within) && found.next().is_none()
}

/// The body of a loop, its checkpoint written out, which stands still after the loop's end; its
/// last leaf is where the index begins.
fn iteration(it: &Loop, mut body: TensorProgram, is_counted: bool) -> Result<TensorProgram> {
    if let Some(condition) = &it.condition {
        body = masked_body(&body, condition)?;
    }
    let mut to = BodyBuilder::default();
    let mut given = to.all_like(&body, body.leaves());
    let start = to.builder.input(&Shape::scalar(), DType::I32)?;
    let emit: &mut dyn Build = &mut to.builder;
    if is_counted {
        given[0] = emit.add(start, given[0])?;
    }
    let outputs = emit.inline(&body, &given)?;
    Ok(to.builder.finish(&outputs, &[]))
}

/// A body without the checkpoint that it is.
fn written_out(body: &TensorProgram) -> Result<TensorProgram> {
    let mut to = BodyBuilder::default();
    let mut given = to.all_like(body, body.leaves()).into_iter();
    let emit: &mut dyn Build = &mut to.builder;
    let mut numbers: Vec<Ref> = Vec::with_capacity(body.nodes.len());
    let mut written: HashMap<Ref, Vec<Ref>> = HashMap::new();
    for node in &body.nodes {
        let inputs: Vec<Ref> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
        let leaf = if node.op.is_given() { given.next() } else { None };
        numbers.push(match (&node.op, leaf) {
            (_, Some(leaf)) => leaf,
            (Op::Custom(custom), _) if custom.rule == Rule::Checkpoint => {
                let results = emit.inline(&custom.program, &inputs)?;
                // Parts look for it by this number, which reads nothing.
                let number = emit.op(Op::Constant(Literal::Bool(false)), &[])?;
                written.insert(number, results);
                number
            }
            (Op::Part { index, .. }, _) if written.contains_key(&inputs[0]) => written[&inputs[0]][*index],
            (op, _) => emit.op(op.clone(), &inputs)?,
        });
    }
    let outputs: Vec<Ref> = body.outputs.iter().map(|output| numbers[output.index()]).collect();
    Ok(to.builder.finish(&outputs, &[]))
}

/// The body of a loop of loops: `length` iterations, whose last leaf is where the index of all
/// begins.
fn segment(it: &Loop, body: &Rc<TensorProgram>, length: usize) -> Result<TensorProgram> {
    let mut to = BodyBuilder::default();
    let leaves = it.leaves_of(body);
    let mut given = vec![to.like(body, leaves.index)];
    given.extend(to.all_like(body, leaves.carried));
    for leaf in leaves.sliced {
        given.push(to.builder.input(&stacked(length, &body[leaf].shape), body[leaf].dtype)?);
    }
    given.extend(to.all_like(body, leaves.captured));
    let emit: &mut dyn Build = &mut to.builder;
    let begun = emit.with_number(Binary::Mul, given[0], length as f64)?;
    let last = given.len() - 1;
    given[last] = emit.add(given[last], begun)?;
    let inner = Loop { body: (**body).clone(), iterations: Some(length), ..plain(it) };
    let outputs = emit.region(Op::Loop(Rc::new(inner)), &given[1..])?;
    Ok(to.builder.finish(&outputs, &[]))
}

/// `length` slices of the first axis from `start` on.
fn part_of(emit: &mut dyn Build, x: Ref, start: usize, length: usize) -> Result<Ref> {
    let shape = emit.shape(x);
    let mut starts = vec![Coefficient::Const(0); shape.rank()];
    starts[0] = Coefficient::Const(start as i64);
    let lengths = [&[length], &shape[1..]].concat();
    emit.op(Op::View(View::Slice { starts, steps: vec![1; shape.rank()], lengths }), &[x])
}

/// Two tensors one beside the other along a first axis of `iterations`, each from where it begins.
fn joined(emit: &mut dyn Build, a: (Ref, usize), b: (Ref, usize), iterations: usize) -> Result<Ref> {
    let dtype = emit.dtype(a.0);
    let mut wide = Vec::with_capacity(2);
    for (x, start) in [a, b] {
        // Bools are added as numbers.
        let x = if dtype == DType::Bool { emit.cast(x, DType::I32)? } else { x };
        let shape = emit.shape(x);
        let mut low = vec![Coefficient::Const(0); shape.rank()];
        low[0] = Coefficient::Const(start as i64);
        let (interior, value) = (vec![0; shape.rank()], Literal::zero(emit.dtype(x)));
        let shape = [&[iterations], &shape[1..]].concat().into();
        wide.push(emit.op(Op::View(View::Pad { low, interior, shape, value }), &[x])?);
    }
    let sum = emit.add(wide[0], wide[1])?;
    if dtype == DType::Bool { emit.cast(sum, DType::Bool) } else { Ok(sum) }
}
