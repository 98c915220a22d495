//! Upload of a caller's bytes, and the handles that keep tensors alive.

use crate::device::health::{PendingErrorSet, PendingErrors};
use crate::runtime::{Inner, Runtime};
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::Buffer;

const OP: &str = "upload";
/// Bytes that are handed to the browser at a time. 64 MiB take 10.4 ms so, 11.4 by half as much,
/// 15.9 at once (Chromium, SwiftShader).
#[cfg(target_arch = "wasm32")]
const PIECE: u32 = 8 << 20;

impl Runtime {
    /// Stores a tensor's bytes, a multiple of 4; the caller holds the value once. No bytes are a
    /// value too: an empty tensor.
    ///
    /// Errors: `Value` for a length that is no multiple of 4, `OutOfMemory`, `DeviceLost`.
    pub fn upload(&self, words: &[u8]) -> Result<ValueId> {
        self.inner.store(words.len() as u64, |buffer, pending_errors| {
            self.inner.write(buffer, words, pending_errors);
            Ok(())
        })
    }

    /// [`Runtime::upload`] of an array of JavaScript's, from which the browser takes them, past
    /// WebAssembly's memory; what waits behind others waits in that. Errors as that does, and with
    /// `OutOfMemory` where the browser has none.
    #[cfg(target_arch = "wasm32")]
    pub fn upload_array(&self, words: &js_sys::Uint8Array) -> Result<ValueId> {
        let (inner, bytes) = (&*self.inner, words.length());
        inner.close_pass();
        inner.pump();
        if !inner.waiting.is_empty() {
            weft_ir::check_room(OP, bytes.into())?;
            return self.upload(&words.to_vec());
        }
        inner.store(bytes.into(), |buffer, pending_errors| {
            let gpu = &inner.gpu;
            let (Some(queue), Some(buffer)) = (gpu.queue.as_webgpu(), buffer.as_webgpu()) else {
                return Err(Error::new(ErrorKind::Internal, OP, "this is not a device of this browser"));
            };
            // One scope for all pieces, since each is written at once.
            let scope = gpu.health.error_scope(&gpu.device, pending_errors);
            let write = |start: u32| {
                // A submit has the browser hand on what it was given: the device takes a piece
                // while the next is copied.
                if start > 0 {
                    gpu.queue.submit(None);
                }
                let (place, length) = (f64::from(start), f64::from(PIECE.min(bytes - start)));
                queue.write_buffer_with_f64_and_u8_array_and_f64_and_f64(buffer, place, words, place, length)
            };
            let written = (0..bytes).step_by(PIECE as usize).try_for_each(write);
            scope.end();
            written.map_err(|_| {
                Error::new(ErrorKind::OutOfMemory, OP, "the browser has no memory left for the upload")
            })
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
    fn store(
        &self,
        bytes: u64,
        write: impl FnOnce(&Buffer, &PendingErrors) -> Result<()>,
    ) -> Result<ValueId> {
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
        let mut pending_errors = PendingErrorSet::default();
        pending_errors.add(pool.check(buffer));
        let pending_errors = pending_errors.into_pending_errors();
        let written = if bytes > 0 { write(pool.buffer(buffer), &pending_errors) } else { Ok(()) };
        drop(pool);
        written.inspect_err(|_| self.pool.borrow_mut().give_back(buffer))?;
        Ok(self.values.borrow_mut().insert(buffer, bytes, pending_errors))
    }
}
