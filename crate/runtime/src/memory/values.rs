//! Table of stored tensors: from [`ValueId`] to buffer, counted.

use super::pool::{BufferId, Pool};
use crate::device::health::PendingErrors;
use weft_ir::HashMap;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;

/// A stored tensor.
pub(crate) struct Stored {
    pub buffer: BufferId,
    /// Its length, which may be less than its buffer's.
    pub bytes: u64,
    count: u32,
    /// What its contents depend upon that is not proven yet.
    pub pending_errors: PendingErrors,
}

/// The table of stored tensors. A number is not used again while its value lives, and as late as
/// possible after.
#[derive(Default)]
pub(crate) struct Values {
    table: HashMap<u32, Stored>,
    next: u32,
}

impl Values {
    /// Enters a buffer of the pool as a value held once.
    pub fn insert(&mut self, buffer: BufferId, bytes: u64, pending_errors: PendingErrors) -> ValueId {
        while self.table.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        self.table.insert(id, Stored { buffer, bytes, count: 1, pending_errors });
        ValueId(id)
    }

    /// The value, or a `Disposed` error.
    pub fn get(&self, op: &str, id: ValueId) -> Result<&Stored> {
        self.table.get(&id.0).ok_or_else(|| disposed(op))
    }

    /// The value for changing what is known of it.
    pub fn get_mut(&mut self, id: ValueId) -> Option<&mut Stored> {
        self.table.get_mut(&id.0)
    }

    /// Holds a value once more.
    pub fn retain(&mut self, id: ValueId) {
        if let Some(value) = self.table.get_mut(&id.0) {
            value.count += 1;
        }
    }

    /// Lets go once; the last time, the buffer goes back to the pool.
    pub fn release(&mut self, id: ValueId, pool: &mut Pool) {
        let Some(value) = self.table.get_mut(&id.0) else {
            debug_assert!(false, "{id:?} is released more often than it was held");
            return;
        };
        value.count -= 1;
        if value.count == 0 {
            pool.give_back(value.buffer);
            self.table.remove(&id.0);
        }
    }
}

fn disposed(op: &str) -> Error {
    Error::new(ErrorKind::Disposed, op, "the tensor was disposed, or belongs to another device")
}
