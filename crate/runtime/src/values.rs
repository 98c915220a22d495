//! Which tensors are stored: the table from [`ValueId`] to buffer, counted, and the way in for a caller's bytes.

use crate::device::{Inner, Runtime};
use crate::health::{DoubtSet, Doubts};
use crate::pool::{BufferId, Maker, Pool};
use std::collections::HashMap;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;

/// A stored tensor.
pub(crate) struct Value {
    pub buffer: BufferId,
    /// Its length, which may be less than its buffer's.
    pub bytes: u64,
    count: u32,
    /// What its contents depend upon that is not proven yet.
    pub doubts: Doubts,
}

/// The table of stored tensors. A number is not used again while its value lives, and as late as possible after.
#[derive(Default)]
pub(crate) struct Values {
    table: HashMap<u32, Value>,
    next: u32,
}

impl Values {
    /// Enters a buffer of the pool as a value held once.
    pub fn insert(&mut self, buffer: BufferId, bytes: u64, doubts: Doubts) -> ValueId {
        while self.table.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        self.table.insert(id, Value { buffer, bytes, count: 1, doubts });
        ValueId(id)
    }

    /// The value, or a `Disposed` error.
    pub fn get(&self, op: &str, id: ValueId) -> Result<&Value> {
        self.table.get(&id.0).ok_or_else(|| disposed(op))
    }

    /// The value for changing what is known of it.
    pub fn get_mut(&mut self, id: ValueId) -> Option<&mut Value> {
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

impl Inner {
    /// What the pool needs to create buffers.
    pub fn maker(&self) -> Maker<'_> {
        Maker { device: &self.device, health: &self.health, counters: &self.counters }
    }
}

impl Runtime {
    /// Stores a tensor's bytes, a multiple of 4; the caller holds the value once. No bytes are a value too: an empty tensor.
    ///
    /// Errors: `Value` for a length that is no multiple of 4, `OutOfMemory`, `DeviceLost`.
    pub fn upload(&self, words: &[u8]) -> Result<ValueId> {
        const OP: &str = "upload";
        let inner = &*self.inner;
        inner.health.check(OP)?;
        if !words.len().is_multiple_of(4) {
            return Err(Error::value(OP, format!("{} bytes are not a multiple of 4", words.len())));
        }
        inner.close_pass();
        inner.pump();
        let acquire = || inner.pool.borrow_mut().acquire(inner.maker(), OP, words.len() as u64);
        let buffer = match acquire() {
            // What waits keeps memory from being given up.
            Err(error) if error.kind == ErrorKind::OutOfMemory && inner.drain() => acquire()?,
            buffer => buffer?,
        };
        let pool = inner.pool.borrow();
        let mut doubts = DoubtSet::default();
        doubts.add(pool.check(buffer));
        let doubts = doubts.into_doubts();
        if !words.is_empty() {
            inner.write(pool.buffer(buffer), words, &doubts);
        }
        Ok(inner.values.borrow_mut().insert(buffer, words.len() as u64, doubts))
    }

    /// Holds a value once more.
    pub fn retain(&self, value: ValueId) {
        self.inner.values.borrow_mut().retain(value);
    }

    /// Lets go of a value once; the last time, its memory goes back to the pool. Also after a loss.
    pub fn release(&self, value: ValueId) {
        self.inner.values.borrow_mut().release(value, &mut self.inner.pool.borrow_mut());
    }

    /// The length of a value in bytes; 0 for one that does not exist.
    pub fn bytes(&self, value: ValueId) -> u64 {
        self.inner.values.borrow().get("bytes", value).map_or(0, |v| v.bytes)
    }

    /// Gives idle memory back to the system: pooled tensor and staging buffers.
    pub fn trim(&self) {
        self.inner.drain();
        self.inner.pool.borrow_mut().trim();
        self.inner.staging.borrow_mut().trim();
        self.inner.forget_destroyed();
    }
}
