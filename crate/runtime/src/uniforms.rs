//! Where a run's scalars live: one uniform buffer, written once per run before its submit, read at dynamic offsets.
//!
//! A write is ordered after the submits before it and before the submits after it, so going round the ring can never
//! change what an earlier run reads; the ring only spares the device from waiting at every write.

use crate::stats::{Counters, count};
use wgpu::{BufferUsages, Device, Queue};

/// Bytes at first: some fifty runs of twenty dispatches.
const FIRST_BYTES: u32 = 256 << 10;

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

    /// Whether so many bytes more overwrite none that are in use.
    pub fn has_room(&self, length: usize) -> bool {
        self.buffer.is_some() && self.cursor as usize + length <= self.bytes as usize
    }

    /// Writes the blocks of one run and gives their offset.
    pub fn write(&mut self, device: &Device, queue: &Queue, counters: &Counters, blocks: &[u8]) -> u32 {
        let length = blocks.len() as u32;
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
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, u64::from(offset), blocks);
        }
        self.cursor = (offset + length).next_multiple_of(self.alignment);
        offset
    }

    /// The buffer, once something was written, and its number.
    pub fn buffer(&self) -> Option<(&wgpu::Buffer, u64)> {
        self.buffer.as_ref().map(|buffer| (buffer, self.generation))
    }
}
