//! Copies of parts of tensors in workgroup memory. A kernel that has made one registers it with the
//! evaluator, which then reads from it.

use super::builder::KernelBuilder;
use weft_ir::kernel::{ArrayId, ExprId};
use weft_ir::program::ProgramId;

/// Elements of a node that a workgroup has in its memory.
#[derive(Clone, Copy, Debug)]
pub struct WorkgroupCopy {
    /// The node.
    pub node: ProgramId,
    /// The array, of what buffers store for it.
    pub array: ArrayId,
    /// The row-major position of the first of them that the invocation may read.
    pub start: ExprId,
    /// How many it may read from there on.
    pub length: usize,
    /// Where the first of them is in the array.
    pub place: ExprId,
}

impl WorkgroupCopy {
    /// Where in the array the element at a row-major position is, if that is sure to be one of
    /// those.
    pub fn place_of(&self, b: &mut KernelBuilder, flat: ExprId) -> Option<ExprId> {
        let offset = offset_within(b, flat, self.start, self.length)?;
        Some(b.index_add(self.place, offset))
    }
}

/// How far a position is behind another, if it is sure to be less than `length`.
pub fn offset_within(b: &mut KernelBuilder, flat: ExprId, start: ExprId, length: usize) -> Option<ExprId> {
    let offset = b.index_sub(flat, start);
    let (least, most) = b.index_range(offset);
    (least >= 0 && most < length as i64).then_some(offset)
}
