//! How do a caller's bytes become a tensor on the device, and how are tensors held and let go?

use crate::health::{DoubtSet, Doubts};
use crate::runtime::{Inner, Runtime};
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::Buffer;

const OP: &str = "upload";
/// So much goes to the device at a time where the bytes are copied first: the caches of a processor hold it.
const PIECE: u64 = 1 << 20;

impl Runtime {
    /// Stores a tensor's bytes, a multiple of 4; the caller holds the value once. No bytes are a value too: an empty tensor.
    ///
    /// Errors: `Value` for a length that is no multiple of 4, `OutOfMemory`, `DeviceLost`.
    pub fn upload(&self, words: &[u8]) -> Result<ValueId> {
        self.inner.store(words.len() as u64, |buffer, doubts| self.inner.write(buffer, 0, words, doubts))
    }

    /// [`Runtime::upload`] of bytes that are not at hand in one piece: `fill` is given room for those from a place on, as often as it takes. What goes to
    /// the device at once takes no more memory than a piece. Errors as that does.
    pub fn upload_by(&self, bytes: u64, mut fill: impl FnMut(u64, &mut [u8])) -> Result<ValueId> {
        let inner = &*self.inner;
        inner.close_pass();
        inner.pump();
        // What waits behind others waits in memory, whole.
        let room = if inner.waiting.is_empty() { bytes.min(PIECE) } else { bytes };
        weft_ir::check_room(OP, room)?;
        let mut room = vec![0; room as usize];
        inner.store(bytes, |buffer, doubts| {
            if room.len() as u64 == bytes {
                fill(0, &mut room);
                return inner.write(buffer, 0, &room, doubts);
            }
            // One scope for all pieces, since each is written at once.
            let scope = inner.gpu.health.error_scope(&inner.gpu.device, doubts);
            for start in (0..bytes).step_by(room.len()) {
                let left = (bytes - start) as usize;
                let piece = if left < room.len() { &mut room[..left] } else { &mut room[..] };
                fill(start, piece);
                inner.write(buffer, start, piece, &None);
            }
            scope.end();
        })
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

impl Inner {
    /// A new value of `bytes`, whose buffer `write` fills unless it is empty.
    fn store(&self, bytes: u64, write: impl FnOnce(&Buffer, &Doubts)) -> Result<ValueId> {
        self.gpu.health.check(OP)?;
        if !bytes.is_multiple_of(4) {
            return Err(Error::value(OP, format!("{bytes} bytes are not a multiple of 4")));
        }
        self.close_pass();
        self.pump();
        let acquire = || self.pool.borrow_mut().acquire(&self.gpu, OP, bytes);
        let buffer = match acquire() {
            // What waits keeps memory from being given up.
            Err(error) if error.kind == ErrorKind::OutOfMemory && self.drain() => acquire()?,
            buffer => buffer?,
        };
        let pool = self.pool.borrow();
        let mut doubts = DoubtSet::default();
        doubts.add(pool.check(buffer));
        let doubts = doubts.into_doubts();
        if bytes > 0 {
            write(pool.buffer(buffer), &doubts);
        }
        Ok(self.values.borrow_mut().insert(buffer, bytes, doubts))
    }
}
