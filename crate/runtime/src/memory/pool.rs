//! Buffer pool: size classes, a budget, and trimming of idle buffers.
//!
//! A buffer that is given back may be handed out again at once: the queue runs submits in order, so
//! work submitted later cannot overtake the work that still reads it. Contents are whatever was
//! there.
//!
//! Of the idle buffers of a class the one with the lowest number is taken, so that a loop that
//! holds the same values at the same point of each iteration gets the same buffers, and with them
//! the same bind groups.

use crate::device::gpu::Gpu;
use crate::device::health::{Check, translate};
use crate::device::stats::{count, size};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::error::{Error, ErrorKind, Result};
use wgpu::{BufferUsages, ErrorFilter};

/// The smallest buffer.
const LEAST_BYTES: u64 = 256;
/// Idle buffers that no run has used for this many runs are destroyed, once there is more than
/// [`SPARE_BYTES`] of them.
const OLD_RUNS: u64 = 128;
/// Idle buffers younger than this are kept even where memory would exceed its high-water mark: a
/// loop is using them.
const YOUNG_RUNS: u64 = 8;
/// A program that holds ever more tensors of a class gets its buffers several at a time: so many at
/// most, and a part of those it has. Each is as likely to fail as the others, and runs whose
/// results hang on the same verdict share commands.
const MOST_AT_ONCE: usize = 16;
/// Larger buffers are made one by one.
const SMALL: u64 = 64 << 10;
/// Idle memory that is no trouble.
const SPARE_BYTES: u64 = 64 << 20;

/// A buffer of the pool: its place, reused after it is destroyed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct BufferId(u32);

struct Entry {
    buffer: wgpu::Buffer,
    /// Never used again for another buffer: the key of bind groups.
    serial: u64,
    class: u64,
    /// Whether the device had the memory.
    check: Rc<Check>,
    /// The run after which it was given back.
    idle_since: u64,
}

/// All tensor buffers of a device.
pub(crate) struct Pool {
    entries: Vec<Option<Entry>>,
    vacant: Vec<u32>,
    /// Per class, descending.
    idle: HashMap<u64, Vec<BufferId>>,
    /// How many there are of each class, idle and not.
    owned: HashMap<u64, usize>,
    serial: u64,
    runs: u64,
    live_bytes: u64,
    idle_bytes: u64,
    /// The most that was live at once, and that since [`Pool::reset_peak`].
    peak_bytes: u64,
    counted_peak: u64,
    binding_limit: u64,
    buffer_limit: u64,
    budget: Option<u64>,
    /// Whether nothing may be destroyed: commands that are not submitted name the buffers.
    frozen: bool,
    /// Serials of buffers destroyed since [`Pool::take_destroyed`].
    destroyed: Vec<u64>,
}

impl Pool {
    /// An empty pool. The limits are in bytes.
    pub fn new(binding_limit: u64, buffer_limit: u64, budget: Option<u64>) -> Pool {
        Pool {
            entries: Vec::new(),
            vacant: Vec::new(),
            idle: HashMap::default(),
            owned: HashMap::default(),
            serial: 0,
            runs: 0,
            live_bytes: 0,
            idle_bytes: 0,
            peak_bytes: 0,
            counted_peak: 0,
            binding_limit,
            buffer_limit,
            budget,
            frozen: false,
            destroyed: Vec::new(),
        }
    }

    /// A buffer of at least `bytes`, from the pool or new. Errors with `OutOfMemory` where the
    /// device's largest buffer, the budget or (natively, after giving up all idle memory) the
    /// device itself forbids it.
    pub fn acquire(&mut self, gpu: &Gpu, op: &str, bytes: u64) -> Result<BufferId> {
        if bytes > self.buffer_limit {
            let message = format!(
                "a tensor of {} is larger than the largest buffer of this device, {}",
                size(bytes),
                size(self.buffer_limit)
            );
            return Err(Error::new(ErrorKind::OutOfMemory, op, message));
        }
        let largest = if bytes <= self.binding_limit { self.binding_limit } else { self.buffer_limit };
        let class = class_of(bytes, largest);
        while let Some(id) = self.idle.get_mut(&class).and_then(Vec::pop) {
            self.idle_bytes -= class;
            if self.entry(id).check.failure().is_some() {
                self.discard(id);
                continue;
            }
            self.hand_out(class);
            return Ok(id);
        }
        self.make_room(op, bytes, class)?;
        let id = self.create(gpu, op, class);
        if let Some(error) = self.entry(id).check.failure() {
            self.discard(id);
            let error = gpu.health.tell(error);
            if self.idle_bytes == 0 || self.frozen {
                return Err(error);
            }
            self.trim();
            return self.acquire(gpu, op, bytes);
        }
        self.hand_out(class);
        Ok(id)
    }

    /// Forbids destroying buffers, or allows it again.
    pub fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn hand_out(&mut self, class: u64) {
        self.live_bytes += class;
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
        self.counted_peak = self.counted_peak.max(self.live_bytes);
    }

    /// Destroys idle buffers before a new one of `class` is made: as many as the budget asks for,
    /// and old ones so that memory stays near what was once live.
    fn make_room(&mut self, op: &str, bytes: u64, class: u64) -> Result<()> {
        if let Some(budget) = self.budget {
            if self.live_bytes + class > budget {
                let message = format!(
                    "a tensor of {} does not fit: {} of the budget of {} are in use",
                    size(bytes),
                    size(self.live_bytes),
                    size(budget)
                );
                return Err(Error::new(ErrorKind::OutOfMemory, op, message));
            }
            let excess = (self.live_bytes + self.idle_bytes + class).saturating_sub(budget);
            self.shrink(excess, 0);
        }
        let comfortable = self.peak_bytes + self.peak_bytes / 4 + 4 * SPARE_BYTES;
        let excess = (self.live_bytes + self.idle_bytes + class).saturating_sub(comfortable);
        self.shrink(excess, YOUNG_RUNS);
        Ok(())
    }

    /// A new buffer of `class`; where there are many others of it already, several, the others
    /// idle.
    fn create(&mut self, gpu: &Gpu, op: &str, class: u64) -> BufferId {
        let number = self.number_to_create(class);
        count(&gpu.counters.buffers, number as u64);
        let op = op.to_owned();
        let held = self.live_bytes;
        let describe = move |error| {
            let before = format!("no memory for a tensor of {} beside {} in use", size(class), size(held));
            translate(error, &op, &before)
        };
        let create_one = |_| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: class,
                // A branch's gate writes the workgroups of what is behind it into a buffer like any
                // other.
                usage: BufferUsages::STORAGE
                    | BufferUsages::COPY_SRC
                    | BufferUsages::COPY_DST
                    | BufferUsages::INDIRECT,
                mapped_at_creation: false,
            })
        };
        let (buffers, check) = gpu.health.watch(&gpu.device, &[ErrorFilter::OutOfMemory], describe, || {
            (0..number).map(create_one).collect::<Vec<_>>()
        });
        // Where the device has refused already, one is enough to tell it by.
        let number = if check.failure().is_some() { 1 } else { number };
        let mut created =
            buffers.into_iter().take(number).map(|buffer| self.own(buffer, class, check.clone()));
        let first = created.next().expect("at least one is created");
        let others: Vec<BufferId> = created.collect();
        self.idle_bytes += class * others.len() as u64;
        others.into_iter().for_each(|id| self.lay_idle(id, class));
        first
    }

    /// How many buffers of a class to create where one is asked for.
    fn number_to_create(&self, class: u64) -> usize {
        let owned = self.owned.get(&class).copied().unwrap_or(0);
        let taken = self.live_bytes + self.idle_bytes;
        let affordable = self.budget.map_or(u64::MAX, |budget| budget.saturating_sub(taken) / class);
        if class > SMALL { 1 } else { (owned / 2).clamp(1, MOST_AT_ONCE).min(affordable.max(1) as usize) }
    }

    /// Enters a new buffer.
    fn own(&mut self, buffer: wgpu::Buffer, class: u64, check: Rc<Check>) -> BufferId {
        self.serial += 1;
        *self.owned.entry(class).or_default() += 1;
        let entry = Entry { buffer, serial: self.serial, class, check, idle_since: self.runs };
        match self.vacant.pop() {
            Some(place) => {
                self.entries[place as usize] = Some(entry);
                BufferId(place)
            }
            None => {
                self.entries.push(Some(entry));
                BufferId(self.entries.len() as u32 - 1)
            }
        }
    }

    fn lay_idle(&mut self, id: BufferId, class: u64) {
        let idle = self.idle.entry(class).or_default();
        let place = idle.partition_point(|other| *other > id);
        idle.insert(place, id);
    }

    /// Gives a buffer back, after the last submit that reads it was made.
    pub fn give_back(&mut self, id: BufferId) {
        let runs = self.runs;
        let entry = self.entry_mut(id);
        entry.idle_since = runs;
        let class = entry.class;
        self.live_bytes -= class;
        self.idle_bytes += class;
        self.lay_idle(id, class);
    }

    /// Counts a run, and now and then destroys what has been idle for long.
    pub fn note_run(&mut self) {
        self.runs += 1;
        if self.runs.is_multiple_of(32) && self.idle_bytes > SPARE_BYTES {
            self.shrink(self.idle_bytes - SPARE_BYTES, OLD_RUNS);
        }
    }

    /// Destroys every idle buffer.
    pub fn trim(&mut self) {
        self.shrink(u64::MAX, 0);
    }

    /// Destroys idle buffers of at least this age, longest idle first, until `excess` bytes are
    /// gone.
    fn shrink(&mut self, excess: u64, age: u64) {
        if excess == 0 || self.idle_bytes == 0 || self.frozen {
            return;
        }
        let runs = self.runs;
        let idle = self.idle.values().flatten().copied();
        let old = idle.map(|id| Reverse((self.entry(id).idle_since, id.0)));
        let mut old: BinaryHeap<_> = old.filter(|Reverse((since, _))| runs - since >= age).collect();
        let mut freed = 0;
        while freed < excess
            && let Some(Reverse((_, id))) = old.pop()
        {
            let id = BufferId(id);
            let class = self.entry(id).class;
            self.idle.entry(class).or_default().retain(|other| *other != id);
            self.idle_bytes -= class;
            freed += class;
            self.discard(id);
        }
    }

    /// Destroys a buffer that is neither live nor idle. Work already submitted still finds it.
    fn discard(&mut self, id: BufferId) {
        let entry = self.entries[id.0 as usize].take().expect("a buffer is discarded once");
        entry.buffer.destroy();
        *self.owned.entry(entry.class).or_default() -= 1;
        self.destroyed.push(entry.serial);
        self.vacant.push(id.0);
    }

    /// Serials of the buffers destroyed since the last call, for the bind groups that name them.
    pub fn take_destroyed(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.destroyed)
    }

    fn entry(&self, id: BufferId) -> &Entry {
        self.entries[id.0 as usize].as_ref().expect("ids are held only for existing buffers")
    }

    fn entry_mut(&mut self, id: BufferId) -> &mut Entry {
        self.entries[id.0 as usize].as_mut().expect("ids are held only for existing buffers")
    }

    /// The buffer itself.
    pub fn buffer(&self, id: BufferId) -> &wgpu::Buffer {
        &self.entry(id).buffer
    }

    /// The number that no other buffer ever has.
    pub fn serial(&self, id: BufferId) -> u64 {
        self.entry(id).serial
    }

    /// Its size in bytes.
    pub fn class(&self, id: BufferId) -> u64 {
        self.entry(id).class
    }

    /// Whether the device had the memory.
    pub fn check(&self, id: BufferId) -> &Rc<Check> {
        &self.entry(id).check
    }

    /// Bytes handed out.
    pub fn live(&self) -> u64 {
        self.live_bytes
    }

    /// Bytes lying idle.
    pub fn idle(&self) -> u64 {
        self.idle_bytes
    }

    /// The most bytes that were handed out at once since [`Pool::reset_peak`].
    pub fn peak(&self) -> u64 {
        self.counted_peak
    }

    /// Counts the peak from what is handed out now. What is kept idle still goes by all that was.
    pub fn reset_peak(&mut self) {
        self.counted_peak = self.live_bytes;
    }
}

/// The size of the buffer that serves a tensor of `bytes`: four classes per doubling, so that at
/// most a fifth is wasted, except where the class would exceed `largest` and the tensor itself does
/// not.
pub(crate) fn class_of(bytes: u64, largest: u64) -> u64 {
    let bytes = bytes.max(LEAST_BYTES);
    let class = bytes.next_multiple_of((1 << bytes.ilog2()) / 4);
    if class > largest { bytes.next_multiple_of(4) } else { class }
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn classes_waste_little_and_respect_the_limit() {
        assert_eq!(class_of(0, 1 << 30), 256);
        assert_eq!(class_of(257, 1 << 30), 320);
        assert_eq!(class_of(1 << 20, 1 << 30), 1 << 20);
        assert_eq!(class_of((1 << 20) + 4, 1 << 30), (1 << 20) + (1 << 18));
        for bytes in (256u64..100_000).step_by(4) {
            let class = class_of(bytes, 1 << 30);
            assert!(class >= bytes && class * 4 <= bytes * 5, "{bytes} in {class}");
        }
        assert_eq!(class_of(1_000_000, 1_000_000), 1_000_000);
    }
}
