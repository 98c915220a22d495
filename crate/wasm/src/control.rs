//! Loops and branches of JavaScript functions. The package begins a region and runs the functions
//! on placeholders for their arguments; the results that they made close it.

use crate::error::Result;
use crate::session::{adopt, adopt_all, device, with, with_all, with_held_mut};
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind, Tensor, Tracing};

/// The operations that have regions, and whether they are loops.
const OPERATIONS: [(&str, bool); 5] =
    [("scan", true), ("forLoop", true), ("whileLoop", true), ("cond", false), ("switchCase", false)];

/// Begins a region of the operation `name`. Gives what stands for the index of a loop that counts
/// from `from`, for the state, and for slices of `xs`.
///
/// Deferred: few programs have loops or branches.
#[wasm_bindgen]
pub fn region_begin(name: &str, from: i32, state: &[u32], xs: &[u32]) -> Result<Vec<u32>> {
    let device = device()?;
    let (op, is_loop) = named(&OPERATIONS, name)?;
    let region = with_all(op, state, |state| with_all(op, xs, |xs| device.region(op, is_loop, state, xs)))?;
    let mut handles = Vec::new();
    if is_loop {
        handles.push(adopt(region.index_from(from)?)?);
    }
    handles.extend(adopt_all(region.placeholders.clone())?);
    with_held_mut(|held| held.running.regions.push(region));
    Ok(handles)
}

/// The row of a table that is called `name`. Errors with `Internal` where there is none.
pub(crate) fn named<T: Copy>(table: &[(&'static str, T)], name: &str) -> weft::Result<(&'static str, T)> {
    let missing = || Error::new(ErrorKind::Internal, name, "the core knows no such operation");
    table.iter().copied().find(|row| row.0 == name).ok_or_else(missing)
}

/// Gives up the innermost region.
#[wasm_bindgen]
pub fn region_abort() {
    let region = with_held_mut(|held| held.running.regions.pop());
    drop(region);
}

fn innermost() -> weft::Result<Tracing> {
    let region = with_held_mut(|held| held.running.regions.pop());
    region.ok_or_else(|| {
        Error::new(ErrorKind::Disposed, "loops", "the loop or branch began on a device that is gone")
    })
}

fn clones(op: &str, handles: &[u32]) -> weft::Result<Vec<Tensor>> {
    with_all(op, handles, |tensors| Ok(tensors.iter().map(|&tensor| tensor.clone()).collect()))
}

fn references(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// Closes the innermost region as a loop of `iterations` at most (negative: no end), as long as
/// `condition` holds (0: always). Gives what is carried in the end, then what is stacked.
///
/// Deferred: few programs have loops or branches.
#[wasm_bindgen]
pub fn loop_close(
    state: &[u32],
    xs: &[u32],
    next: &[u32],
    stacks: &[u32],
    condition: u32,
    iterations: f64,
    reverse: bool,
) -> Result<Vec<u32>> {
    let region = innermost()?;
    let op = region.name();
    let holds = if condition == 0 { None } else { Some(with(op, condition, |x| Ok(x.clone()))?) };
    let iterations = (iterations >= 0.0).then_some(iterations as usize);
    let (state, xs, next, stacks) =
        (clones(op, state)?, clones(op, xs)?, clones(op, next)?, clones(op, stacks)?);
    let made = (&references(&next)[..], &references(&stacks)[..]);
    let (mut results, stacks) = region.close_loop(
        &references(&state),
        &references(&xs),
        made,
        holds.as_ref(),
        iterations,
        reverse,
    )?;
    results.extend(stacks);
    adopt_all(results)
}

/// Closes the innermost region as a branch between `count` lists of results, given one after the
/// other.
///
/// Deferred: few programs have loops or branches.
#[wasm_bindgen]
pub fn branch_close(selector: u32, operands: &[u32], lists: &[u32], count: usize) -> Result<Vec<u32>> {
    let region = innermost()?;
    let op = region.name();
    let selector = with(op, selector, |x| Ok(x.clone()))?;
    let (operands, results) = (clones(op, operands)?, clones(op, lists)?);
    let each = results.len() / count.max(1);
    let lists: Vec<Vec<&Tensor>> =
        (0..count).map(|n| references(&results[n * each..(n + 1) * each])).collect();
    let lists: Vec<&[&Tensor]> = lists.iter().map(|list| &list[..]).collect();
    adopt_all(region.close_branch(&selector, &references(&operands), &lists)?)
}
