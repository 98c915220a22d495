//! Transformations of users' kernels, by transforming the kernels.
//!
//! Deferred: few programs have kernels of users.

use super::batch::Item;
use weft_ir::build::{Build, Ref};
use weft_ir::op::KernelCall;
use weft_ir::{Error, ErrorKind, Result};

fn refused(call: &KernelCall, what: &str) -> Error {
    Error::new(ErrorKind::Trace, &call.kernel.name, format!("kernels have no {what}"))
}

/// The cotangents of a kernel's inputs that are `wanted`, given those of its outputs; `None` where
/// they are zero.
pub(super) fn pull(
    _: &mut dyn Build,
    call: &KernelCall,
    _: &[Ref],
    _: &[Option<Ref>],
    _: &[bool],
) -> Result<Vec<Option<Ref>>> {
    Err(refused(call, "reverse mode"))
}

/// The tangents of a kernel's outputs, given those of its inputs; `None` where they are zero.
pub(super) fn push(
    _: &mut dyn Build,
    call: &KernelCall,
    _: &[Ref],
    _: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    Err(refused(call, "forward mode"))
}

/// The outputs of a kernel for every member of a batch of `size`, where at least one input is
/// batched.
pub(super) fn batch(_: &mut dyn Build, call: &KernelCall, _: &[Item], _: usize) -> Result<Vec<Item>> {
    Err(refused(call, "batches"))
}
