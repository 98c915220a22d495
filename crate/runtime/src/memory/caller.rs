//! Copies from and to buffers of the caller's own WebGPU code.
//!
//! wgpu knows no buffer but those it makes. So while one of these functions runs, JavaScript has
//! the device's `createBuffer` answer with the caller's buffer where [`CALLERS`] is the label, and
//! takes what the device says of the copy: nothing here asks.

use crate::device::health::PendingErrorSet;
use crate::runtime::{Inner, Runtime};
use crate::submission::pace::Work;
use weft_ir::error::Result;
use weft_ir::graph::ValueId;
use wgpu::{BufferUsages, CommandEncoder};

/// The label of what stands for the caller's buffer.
const CALLERS: &str = "weft:caller";

impl Runtime {
    /// A value of `bytes`, a multiple of 4, copied from the caller's buffer from `offset` on; the
    /// caller holds it once. Nothing where a loop is under way of which the device has to say first
    /// when it ends: then it must be tried again when the device is idle.
    ///
    /// Errors: `OutOfMemory`, `DeviceLost`.
    pub fn copy_in(&self, op: &str, offset: u64, bytes: u64) -> Result<Option<ValueId>> {
        let inner = &*self.inner;
        if !inner.is_clear(op)? {
            return Ok(None);
        }
        let buffer = inner.pool.borrow_mut().acquire(&inner.gpu, op, bytes)?;
        let pool = inner.pool.borrow();
        let mut pending_errors = PendingErrorSet::default();
        pending_errors.add(pool.check(buffer));
        inner.copy(offset + bytes, BufferUsages::COPY_SRC, |encoder, callers| {
            encoder.copy_buffer_to_buffer(callers, offset, pool.buffer(buffer), 0, bytes);
        });
        Ok(Some(inner.values.borrow_mut().insert(buffer, bytes, pending_errors.into_pending_errors())))
    }

    /// Copies a value to the beginning of the caller's buffer. Says whether it did; where not, as
    /// with [`Runtime::copy_in`].
    ///
    /// Errors: `Disposed`, `DeviceLost`, and what the device has reported of the work that made the
    /// value.
    pub fn copy_out(&self, op: &str, value: ValueId) -> Result<bool> {
        let inner = &*self.inner;
        if !inner.is_clear(op)? {
            return Ok(false);
        }
        let values = inner.values.borrow();
        let value = values.get(op, value)?;
        let mut pending_errors = PendingErrorSet::default();
        pending_errors.add_all(&value.pending_errors);
        if let Some(error) = pending_errors.failure() {
            return Err(inner.gpu.health.tell(error));
        }
        let pool = inner.pool.borrow();
        inner.copy(value.bytes, BufferUsages::COPY_DST, |encoder, callers| {
            encoder.copy_buffer_to_buffer(pool.buffer(value.buffer), 0, callers, 0, value.bytes);
        });
        Ok(true)
    }
}

impl Inner {
    /// Submits everything that waits, because what the caller's code submits next must come after
    /// the copy. Says whether nothing waits any more.
    fn is_clear(&self, op: &str) -> Result<bool> {
        self.gpu.health.check(op)?;
        self.drain();
        Ok(self.waiting.is_empty())
    }

    /// Submits one copy by itself, so that nothing else fails with it.
    fn copy(&self, size: u64, usage: BufferUsages, encode: impl FnOnce(&mut CommandEncoder, &wgpu::Buffer)) {
        let descriptor =
            wgpu::BufferDescriptor { label: Some(CALLERS), size, usage, mapped_at_creation: false };
        let callers = self.gpu.device.create_buffer(&descriptor);
        let mut encoder = self.gpu.encoder();
        encode(&mut encoder, &callers);
        self.flights.submit(&self.gpu, encoder.finish(), self.waiting.number(), Work::default(), None);
    }
}
