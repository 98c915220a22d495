//! Transformations from program to program. A program is a function of its leaves that are given
//! from outside ([`TensorProgram::leaves`]), in their order; what a transformation adds comes after
//! them. Every result is a program of its own that recomputes what it needs, and can be transformed
//! again.

use super::batch::{self, Item};
use super::segment::{Mode, segment};
use super::{control_flow, forward, or_zeros, reverse};
use weft_ir::Result;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::program::{ProgramId, TensorProgram};

/// Which outputs have a derivative by the inputs that are flagged.
pub fn depends(program: &TensorProgram, active: &[bool]) -> Vec<bool> {
    let builder = ProgramBuilder::of(program);
    let outputs = refs(&program.outputs);
    let leads = segment(&builder, &outputs, &flagged(&inputs(program), active), Mode::Derivative).leads;
    outputs.iter().map(|y| leads.contains(y)).collect()
}

/// The gradients of Σ outputs · cotangents by the inputs that are flagged in `wrt`.
///
/// Inputs: the program's, then a cotangent for each output that is flagged in `seeded`. Outputs: a
/// gradient for each flagged input; zeros where nothing connects them. Flagged inputs and outputs
/// must be f32.
pub fn reverse(program: &TensorProgram, wrt: &[bool], seeded: &[bool]) -> Result<TensorProgram> {
    let mut emit = ProgramBuilder::of(program);
    let wrt = flagged(&inputs(program), wrt);
    let outputs = flagged(&refs(&program.outputs), seeded);
    let cotangents = inputs_like(&mut emit, &outputs)?;
    let pulled = reverse::pull(&mut emit, &outputs, &cotangents, &wrt, control_flow::pull)?;
    let pulled = or_zeros(&mut emit, &pulled, &wrt)?;
    Ok(emit.finish(&pulled, &[]))
}

/// The tangents of the outputs that are flagged in `wanted`, along tangents of the inputs that are
/// flagged in `active`.
///
/// Inputs: the program's, then a tangent for each flagged input. Outputs: the program's, then a
/// tangent for each flagged output; zeros where nothing connects them. Flagged inputs and outputs
/// must be f32.
pub fn forward(program: &TensorProgram, active: &[bool], wanted: &[bool]) -> Result<TensorProgram> {
    let mut emit = ProgramBuilder::of(program);
    let from = flagged(&inputs(program), active);
    let outputs = refs(&program.outputs);
    let wanted = flagged(&outputs, wanted);
    let tangents = inputs_like(&mut emit, &from)?;
    let (pushed, values) = forward::push(&mut emit, &wanted, &from, &tangents, control_flow::push)?;
    let pushed = or_zeros(&mut emit, &pushed, &wanted)?;
    let outputs = outputs.iter().map(|y| values.get(y).copied().unwrap_or(*y)).collect();
    Ok(emit.finish(&[outputs, pushed].concat(), &[]))
}

/// The program for every member of a batch of `size` at once.
///
/// Inputs: the program's; those that are flagged in `batched` have the members along a new first
/// axis. Outputs: the program's; says of each whether it has the members' axis. One that is flagged
/// in `whole` has, repeated where members share it.
pub fn batch(
    program: &TensorProgram,
    batched: &[bool],
    size: usize,
    whole: &[bool],
) -> Result<(TensorProgram, Vec<bool>)> {
    let mut emit = ProgramBuilder::default();
    let mut given = Vec::new();
    for (id, &batched) in program.leaves().zip(batched) {
        let node = &program[id];
        let x = if batched {
            emit.input(&[&[size], &node.shape[..]].concat().into(), node.dtype)?
        } else {
            Ref(emit.push(node.op.clone(), Vec::new(), node.shape.clone(), node.dtype).0)
        };
        given.push(Item { x, batched });
    }
    // The program for one member, from which that for all is made.
    let mut place = given.iter();
    let one = emit.append(program, |_, _| place.next().filter(|item| !item.batched).map(|item| item.x));
    let of = |ids: &[ProgramId]| -> Vec<Ref> { ids.iter().map(|id| one[id.index()]).collect() };
    let from = flagged(&of(&program.leaves().collect::<Vec<_>>()), batched);
    let to: Vec<Item> = given.iter().copied().filter(|item| item.batched).collect();
    let mut found = batch::carry(&mut emit, &of(&program.outputs), &from, &to, size, control_flow::batch)?;
    for (item, &whole) in found.iter_mut().zip(whole) {
        if whole {
            *item = Item { x: batch::whole(&mut emit, *item, size)?, batched: true };
        }
    }
    let outputs: Vec<Ref> = found.iter().map(|item| item.x).collect();
    let flags = found.iter().map(|item| item.batched).collect();
    Ok((emit.finish(&outputs, &from), flags))
}

fn refs(ids: &[ProgramId]) -> Vec<Ref> {
    ids.iter().map(|id| Ref(id.0)).collect()
}

fn inputs(program: &TensorProgram) -> Vec<Ref> {
    refs(&program.leaves().collect::<Vec<_>>())
}

fn flagged(all: &[Ref], flags: &[bool]) -> Vec<Ref> {
    all.iter().zip(flags).filter(|(_, flag)| **flag).map(|(&x, _)| x).collect()
}

/// Inputs for derivatives.
fn inputs_like(emit: &mut dyn Build, all: &[Ref]) -> Result<Vec<Ref>> {
    let like = |&x: &Ref| {
        let (shape, dtype) = (emit.shape(x), emit.dtype(x).computed());
        emit.input(&shape, dtype)
    };
    all.iter().map(like).collect()
}
