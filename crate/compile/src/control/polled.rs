//! Polled loops: while one runs, the host asks the device now and then whether it goes on. Polled
//! are loops without a limit, and those whose limit is so far away that most end long before it.
//!
//! Deferred: few programs have loops or branches.

use super::lower::{BodyBuilder, absorb_slices, as_one_kernel, lower_program, reads_index, repeats};
use crate::limits::Limits;
use std::rc::Rc;
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Binary, Compare, Loop, Op, region};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Result, Shape};

/// Iterations between two moments at which the device may be asked: inside one kernel, which leaves
/// it by itself, and as dispatches, which are there for every iteration.
const ITERATIONS_INSIDE: usize = 1024;
const ITERATIONS_APART: usize = 16;

/// A loop without a limit that carries its index, if anything reads it: the device counts anew
/// whenever it was asked. It begins with 0, and comes behind the other states.
pub fn with_counter(it: &Loop) -> Result<Option<Rc<Loop>>> {
    let condition = it.condition.as_ref().expect("a loop without a limit has a condition");
    if !reads_index(&it.body) && !reads_index(condition) {
        return Ok(None);
    }
    let counting = |program: &TensorProgram, counts: bool| -> Result<TensorProgram> {
        let mut to = BodyBuilder::default();
        let leaves = it.leaves_of(program);
        to.like(program, leaves.index);
        let state = to.all_like(program, leaves.carried);
        let count = to.builder.input(&Shape::scalar(), DType::I32)?;
        let others = to.all_like(program, leaves.captured);
        let mut outputs = to.run(program, &[&[count], &state[..], &others].concat());
        if counts {
            outputs.push((&mut to.builder as &mut dyn Build).with_number(Binary::Add, count, 1.0)?);
        }
        Ok(to.builder.finish(&outputs, &[]))
    };
    let (body, condition) = (counting(&it.body, true)?, Some(counting(condition, false)?));
    Ok(Some(Rc::new(Loop { body, condition, carried: it.carried + 1, ..it.clone() })))
}

/// A loop without a limit as one of loops with a limit, which ask for their condition by
/// themselves: it holds where the last of them ended at its limit, and where it does not, another
/// changes nothing.
pub fn poll_unlimited(it: &Loop, limits: &Limits) -> Result<Loop> {
    let iterations = if is_inside(it, limits)? {
        ITERATIONS_INSIDE
    } else if is_unlimited(&it.body) {
        // Each of its iterations is asked after anyway.
        1
    } else {
        ITERATIONS_APART
    };
    let body = repeated_body(it, iterations)?;
    let condition = it.condition.as_ref().map(|condition| lower_program(condition, limits)).transpose()?;
    Ok(Loop { condition, ..absorb_slices(&Loop { body, condition: None, ..it.clone() }, limits)? })
}

/// The program of a loop with a limit that is far away, as one without: its leaves are the loop's
/// inputs, its outputs what it carries in the end. `None` for other loops.
pub fn poll_distant(it: &Loop, limits: &Limits) -> Result<Option<TensorProgram>> {
    let (Some(limit), Some(condition)) = (it.iterations, &it.condition) else { return Ok(None) };
    let stacks = it.sliced > 0 || it.body.outputs.len() > it.carried;
    // A loop of so few iterations ends before the host has asked whether it has.
    let is_short = limit <= limits.model.control.most_unpolled;
    if is_short || stacks || (!repeats(&it.body) && as_one_kernel(it, limits)?.is_some()) {
        return Ok(None);
    }
    let mut to = BodyBuilder::default();
    let given = to.all_like(&it.body, it.body.leaves().skip(1));
    let endless = |body, limit| -> Result<Op> {
        let condition = Some(bounded_condition(condition, limit)?);
        Ok(Op::Loop(Rc::new(Loop { body, condition, iterations: None, ..it.clone() })))
    };
    let emit: &mut dyn Build = &mut to.builder;
    let outputs = if is_inside(it, limits)? && !reads_index(&it.body) && !reads_index(condition) {
        // A kernel counts its iterations by itself, and the loop around counts kernels.
        let whole = repeated_body(it, ITERATIONS_INSIDE)?;
        let state = emit.region(endless(whole, limit / ITERATIONS_INSIDE)?, &given)?;
        let rest = Loop { iterations: Some(limit % ITERATIONS_INSIDE), ..it.clone() };
        if rest.iterations == Some(0) {
            state
        } else {
            emit.region(Op::Loop(Rc::new(rest)), &[&state, &given[it.carried..]].concat())?
        }
    } else {
        emit.region(endless(it.body.clone(), limit)?, &given)?
    };
    Ok(Some(to.builder.finish(&outputs, &[])))
}

/// Whether the iterations between two questions run inside one kernel.
fn is_inside(it: &Loop, limits: &Limits) -> Result<bool> {
    let inside = Loop { iterations: Some(ITERATIONS_INSIDE), ..it.clone() };
    Ok(!repeats(&it.body) && as_one_kernel(&inside, limits)?.is_some())
}

/// The body of a loop each of whose iterations runs `it` up to `iterations` times, as long as its
/// condition holds.
fn repeated_body(it: &Loop, iterations: usize) -> Result<TensorProgram> {
    let mut to = BodyBuilder::default();
    let given: Vec<Ref> = to.all_like(&it.body, it.body.leaves());
    let emit: &mut dyn Build = &mut to.builder;
    let several = Loop { iterations: Some(iterations), ..it.clone() };
    let outputs = emit.region(Op::Loop(Rc::new(several)), &given[1..])?;
    Ok(to.builder.finish(&outputs, &[]))
}

/// A condition that holds for at most `limit` iterations.
fn bounded_condition(condition: &TensorProgram, limit: usize) -> Result<TensorProgram> {
    let mut to = BodyBuilder::default();
    let given = to.all_like(condition, condition.leaves());
    let holds = to.run(condition, &given)[0];
    let emit: &mut dyn Build = &mut to.builder;
    let is_within = emit.compare_number(Compare::Lt, given[0], limit as f64)?;
    let both = emit.binary(Binary::And, holds, is_within)?;
    Ok(to.builder.finish(&[both], &[]))
}

/// Whether there is a loop without a limit within a program.
pub fn is_unlimited(program: &TensorProgram) -> bool {
    let without = |op: &Op| matches!(op, Op::Loop(it) if it.iterations.is_none());
    program
        .nodes
        .iter()
        .any(|node| without(&node.op) || region::programs(&node.op).into_iter().any(is_unlimited))
}
