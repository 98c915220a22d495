//! Uniforms of a run: one buffer, read at dynamic offsets, of which each submit has a part.
//!
//! A part is written just before its submit. A write is ordered after the submits before it and
//! before those after it, so it does not matter what else that part was promised to meanwhile:
//! going round the ring can never change what a run reads. The ring only saves the device a
//! wait at every write.

use crate::device::stats::{Counters, count};
use wgpu::{BufferUsages, Device, Queue};

/// Bytes at first: some fifty runs of twenty dispatches.
const FIRST_BYTES: u32 = 256 << 10;

/// Scalars of commands, and where in the ring the commands look for them.
#[derive(Default)]
pub(crate) struct Scalars {
    pub offset: u32,
    pub bytes: Vec<u8>,
    /// The ring's buffer, where that has another by now.
    pub ring: Option<wgpu::Buffer>,
}

/// The ring. Its buffer is made at the first write, and made anew when one run needs more.
pub(crate) struct Ring {
    buffer: Option<wgpu::Buffer>,
    bytes: u32,
    cursor: u32,
    alignment: u32,
    /// Counts the buffers the ring has had: part of the key of bind groups.
    generation: u64,
}

impl Ring {
    /// A ring whose dynamic offsets are multiples of `alignment` bytes.
    pub fn new(alignment: u32) -> Ring {
        Ring { buffer: None, bytes: 0, cursor: 0, alignment: alignment.max(16), generation: 0 }
    }

    /// What dynamic offsets must be multiples of.
    pub fn alignment(&self) -> u32 {
        self.alignment
    }

    /// Whether `length` bytes more follow on what was reserved before, without going round.
    pub fn follows(&self, length: usize) -> bool {
        self.buffer.is_some() && self.cursor as usize + length <= self.bytes as usize
    }

    /// Whether `length` bytes need another buffer. What is encoded for this one must be submitted
    /// first.
    pub fn is_too_small(&self, length: usize) -> bool {
        length > self.bytes as usize
    }

    /// Reserves `length` bytes and gives their offset.
    pub fn reserve(&mut self, device: &Device, counters: &Counters, length: usize) -> u32 {
        let length = length as u32;
        if length > self.bytes || self.buffer.is_none() {
            self.bytes = length.next_power_of_two().max(FIRST_BYTES);
            self.cursor = 0;
            self.generation += 1;
            count(&counters.buffers, 1);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("scalars"),
                size: u64::from(self.bytes),
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if self.cursor + length > self.bytes {
            self.cursor = 0;
        }
        let offset = self.cursor;
        self.cursor = (offset + length).next_multiple_of(self.alignment);
        offset
    }

    /// Writes what was reserved, for the submit that follows.
    pub fn write(&self, queue: &Queue, scalars: &Scalars) {
        if let Some(buffer) = scalars.ring.as_ref().or(self.buffer.as_ref()) {
            queue.write_buffer(buffer, u64::from(scalars.offset), &scalars.bytes);
        }
    }

    /// The buffer, once something was written, and its number.
    pub fn buffer(&self) -> Option<(&wgpu::Buffer, u64)> {
        self.buffer.as_ref().map(|buffer| (buffer, self.generation))
    }
}
