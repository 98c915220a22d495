//! What becomes of loops and branches? They are transformed by transforming the programs they hold ([`super::program`]).
//!
//! A region has several results, read by `Op::Part`: rules here get and give one entry for each of them.

use super::batch::Item;
use weft_ir::build::{Build, Ref};
use weft_ir::op::Op;
use weft_ir::{Error, ErrorKind, Result};

/// The cotangents of a region's inputs that are `wanted`, given those of its results; `None` where they are zero.
pub(super) fn pull(
    _emit: &mut dyn Build,
    _node: Ref,
    op: &Op,
    _inputs: &[Ref],
    _cotangents: &[Option<Ref>],
    _wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    Err(refused(op, "grad"))
}

/// The tangents of a region's results, given those of its inputs; `None` where they are zero.
pub(super) fn push(
    _emit: &mut dyn Build,
    _node: Ref,
    op: &Op,
    _inputs: &[Ref],
    _tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    Err(refused(op, "jvp"))
}

/// The results of a region for every member of a batch of `size`, where at least one input is batched.
pub(super) fn batch(_emit: &mut dyn Build, op: &Op, _items: &[Item], _size: usize) -> Result<Vec<Item>> {
    Err(refused(op, "vmap"))
}

fn refused(op: &Op, name: &str) -> Error {
    Error::new(ErrorKind::Trace, name, format!("does not go through a {} yet", op.name()))
}
