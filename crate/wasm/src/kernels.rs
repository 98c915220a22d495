//! Kernels that users wrote. The package hands over a kernel as words and names, gets a number for
//! it, and calls it by that.
//!
//! Deferred: few programs have kernels of users.

use crate::error::Result;
use crate::session::{adopt_all, device, with_all, with_held, with_held_mut};
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind, Kernel, Operand};

/// Makes a kernel of words and names, and gives its number. Errors with `Value` when they are no
/// kernel or one that is not well formed.
///
/// Deferred: few programs have kernels of users.
#[wasm_bindgen]
pub fn kernel_new(words: &[u32], names: Vec<String>) -> Result<u32> {
    let kernel = Kernel::decode(words, &names)?;
    Ok(with_held_mut(|held| held.kernels.add(kernel)))
}

/// Makes a kernel of WGSL; words and names say what it reads and yields. `atomic` says of each
/// output whether its elements are. Errors as `kernel_new`.
///
/// Deferred: few programs have kernels of users.
#[wasm_bindgen]
#[inline(never)]
pub fn kernel_of_source(words: &[u32], names: Vec<String>, text: String, atomic: &[u8]) -> Result<u32> {
    let kernel = Kernel::decode(words, &names)?.definition().clone();
    let atomic = atomic.iter().map(|&atomic| atomic != 0).collect();
    let kernel = Kernel::of_source(kernel, weft::user_kernel::Source { text, atomic })?;
    Ok(with_held_mut(|held| held.kernels.add(kernel)))
}

/// Lets go of a kernel.
///
/// Deferred: few programs have kernels of users.
#[wasm_bindgen]
pub fn kernel_drop(number: u32) {
    let kernel = with_held_mut(|held| held.kernels.remove(number));
    drop(kernel);
}

/// Calls a kernel over a grid. `shapes` has the extents of each output, one after the other. Gives
/// the outputs.
///
/// Deferred: few programs have kernels of users.
#[wasm_bindgen]
pub fn kernel_call(
    number: u32,
    tensors: &[u32],
    numbers: &[f64],
    grid: &[u32],
    shapes: &[u32],
) -> Result<Vec<u32>> {
    let device = device()?;
    let found = with_held(|held| held.kernels.get(number).cloned());
    let kernel = found.ok_or_else(|| Error::new(ErrorKind::Disposed, "kernel", "the kernel is gone"))?;
    let definition = kernel.definition();
    let name = &definition.name;
    let grid: Vec<usize> = grid.iter().map(|&extent| extent as usize).collect();
    let extents: Vec<usize> = shapes.iter().map(|&extent| extent as usize).collect();
    let (mut rest, mut shapes) = (&extents[..], Vec::with_capacity(definition.outputs.len()));
    for output in &definition.outputs {
        let (shape, after) = rest
            .split_at_checked(output.rank as usize)
            .ok_or_else(|| Error::value(name, "the shapes of its outputs are missing"))?;
        shapes.push(shape);
        rest = after;
    }
    let numbers: Vec<Operand> = numbers.iter().map(|&number| Operand::Number(number)).collect();
    let outputs = with_all(name, tensors, |tensors| kernel.call(&device, tensors, &numbers, &grid, &shapes))?;
    adopt_all(outputs)
}
