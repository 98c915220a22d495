//! Calls of users' kernels: a kernel with the extents it is run over.
//!
//! Deferred: few programs have kernels of users.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::user_kernel::{Initial, UserKernel};
use std::rc::Rc;

/// A kernel that a user wrote, with the extents of its grid and of its outputs.
///
/// Inputs of the node: the tensors, then the scalars (0-d). Results: the outputs. The kernel is
/// well formed ([`crate::user_kernel::verify()`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KernelCall {
    /// What each invocation runs.
    pub kernel: Rc<UserKernel>,
    /// How many invocations there are along each axis. Of a kernel that works in groups, a multiple
    /// of the workgroup's.
    pub grid: Shape,
    /// The shape of each output.
    pub shapes: Vec<Shape>,
}

impl KernelCall {
    /// The shape and dtype of each result.
    pub fn results(&self) -> Vec<(Shape, DType)> {
        (0..self.shapes.len()).filter_map(|index| self.result(index)).collect()
    }

    /// The shape and dtype of a result, if there is one of that number.
    pub fn result(&self, index: usize) -> Option<(Shape, DType)> {
        Some((self.shapes.get(index)?.clone(), self.kernel.outputs.get(index)?.dtype))
    }

    /// The shape of each tensor, among the shapes of the node's inputs.
    pub fn tensors<'s>(&self, inputs: &'s [&'s Shape]) -> &'s [&'s Shape] {
        &inputs[..self.kernel.tensors.len()]
    }
}

/// When a call is well formed. Errors name the kernel.
#[inline(never)]
pub(super) fn infer_kernel(call: &KernelCall, inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let kernel = &*call.kernel;
    let name = &kernel.name;
    let (tensors, scalars) = (&kernel.tensors, &kernel.scalars);
    if inputs.len() != tensors.len() + scalars.len() {
        return Err(Error::value(
            name,
            format!("takes {} tensors and {} numbers, got {}", tensors.len(), scalars.len(), inputs.len()),
        ));
    }
    let declared = tensors.iter().map(|tensor| (&tensor.name, tensor.dtype, tensor.rank));
    let declared = declared.chain(scalars.iter().map(|scalar| (&scalar.name, scalar.dtype, 0)));
    for ((what, dtype, rank), &(shape, given)) in declared.zip(inputs) {
        if dtype != given {
            return Err(Error::dtype(name, format!("{what} is {dtype}, got {given}")));
        }
        if shape.rank() != rank as usize {
            return Err(Error::shape(name, format!("{what} has {rank} axes, got {shape}")));
        }
    }
    Shape::checked(name, &call.grid)?;
    if call.grid.rank() != kernel.rank as usize {
        return Err(Error::shape(name, format!("the grid has {} axes, got {}", kernel.rank, call.grid)));
    }
    for (side, extent) in kernel.workgroup.iter().flatten().zip(call.grid.iter().rev()) {
        if extent % *side as usize != 0 {
            let what = format!("the grid {} is not a multiple of the workgroup's {side}", call.grid);
            return Err(Error::shape(name, what));
        }
    }
    if call.shapes.len() != kernel.outputs.len() {
        let (expected, got) = (kernel.outputs.len(), call.shapes.len());
        return Err(Error::value(name, format!("has {expected} outputs, got {got} shapes")));
    }
    for (output, shape) in kernel.outputs.iter().zip(&call.shapes) {
        Shape::checked(name, shape)?;
        if shape.rank() != output.rank as usize {
            return Err(Error::shape(name, format!("{} has {} axes, got {shape}", output.name, output.rank)));
        }
        if let Initial::Tensor(tensor) = output.initial
            && inputs[tensor.index()].0 != shape
        {
            let (from, given) = (&tensors[tensor.index()].name, inputs[tensor.index()].0);
            let what = format!("{} is {shape} and begins as {from}, which is {given}", output.name);
            return Err(Error::shape(name, what));
        }
    }
    // Nothing that could be stored: parts have values.
    Ok(([0].into(), DType::Bool))
}
