//! How do a caller's bytes become a tensor on the device, and how are tensors held and let go?

use crate::health::DoubtSet;
use crate::runtime::Runtime;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;

impl Runtime {
    /// Stores a tensor's bytes, a multiple of 4; the caller holds the value once. No bytes are a value too: an empty tensor.
    ///
    /// Errors: `Value` for a length that is no multiple of 4, `OutOfMemory`, `DeviceLost`.
    pub fn upload(&self, words: &[u8]) -> Result<ValueId> {
        const OP: &str = "upload";
        let inner = &*self.inner;
        inner.gpu.health.check(OP)?;
        if !words.len().is_multiple_of(4) {
            return Err(Error::value(OP, format!("{} bytes are not a multiple of 4", words.len())));
        }
        inner.close_pass();
        inner.pump();
        let acquire = || inner.pool.borrow_mut().acquire(&inner.gpu, OP, words.len() as u64);
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
