//! What is to be done in which order, and when is it given to the device? Commands, writes and long dispatches stand in a queue and
//! are submitted a little at a time, so that the device stays free for others (a page that paints) and work can be abandoned.
//!
//! Usually the queue is empty and what comes is submitted at once. It fills when the work in flight is estimated to take longer
//! than `pace.rs` allows. Then, in a browser, the news of each finished submit sends the next; natively the caller waits for the
//! oldest. So nothing here blocks JavaScript, and nothing overtakes: what must be ordered with the commands (uploads) stands in the
//! queue too, scalars are written with the commands that read them, and what cannot be deferred (a canvas) has the queue emptied
//! first.
//!
//! While anything waits the pool destroys nothing, because commands name its buffers.

use crate::clock::now;
use crate::device::Inner;
use crate::health::Doubts;
use crate::pace::Work;
use crate::pipelines::Pipeline;
use crate::readback::Mapping;
use crate::stats::count;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wgpu::{BindGroup, Buffer, CommandBuffer};

/// Bytes of uploads that may wait; beyond, everything is given to the device at once.
const MOST_BYTES: usize = 64 << 20;
/// Items that may wait.
const MOST_ITEMS: usize = 4096;

/// Scalars of commands, and where in the ring the commands look for them.
#[derive(Default)]
pub(crate) struct Scalars {
    pub offset: u32,
    pub bytes: Vec<u8>,
}

/// One thing to be done.
pub(crate) enum Item {
    Commands {
        commands: CommandBuffer,
        scalars: Scalars,
        work: Work,
        /// What the commands may fail by: the error is told by whoever owns the doubt.
        doubts: Doubts,
        /// Buffers to be mapped for reading once the commands are submitted.
        mappings: Vec<Mapping>,
    },
    /// The start of a buffer is written.
    Write { buffer: Buffer, bytes: Vec<u8>, doubts: Doubts },
    /// A dispatch that is submitted piece by piece.
    Long(Box<Long>),
}

/// A dispatch of which a part is done.
pub(crate) struct Long {
    pub pipeline: Rc<Pipeline>,
    pub group: BindGroup,
    /// The number of the first workgroup is the first word.
    pub scalars: Scalars,
    pub doubts: Doubts,
    /// Workgroups along x and y of the whole.
    pub grid: [u32; 2],
    /// Workgroups done, counted row by row.
    pub done: u64,
    /// Operations of one workgroup.
    pub operations: f64,
}

impl Long {
    fn left(&self) -> u64 {
        u64::from(self.grid[0]) * u64::from(self.grid[1]) - self.done
    }
}

/// See the module.
#[derive(Default)]
pub(crate) struct Waiting {
    items: RefCell<VecDeque<Item>>,
    /// Items that ever came.
    number: Cell<u64>,
    /// Bytes of the uploads that wait.
    bytes: Cell<usize>,
    /// The bytes of scalars that were written, to be used again.
    spare: RefCell<Vec<u8>>,
    /// Whether a task waits for news.
    #[cfg(target_arch = "wasm32")]
    pumping: Cell<bool>,
}

impl Waiting {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.items.borrow().is_empty()
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    /// How many items ever came.
    pub fn number(&self) -> u64 {
        self.number.get()
    }

    /// Whether the first `number` items that came were all submitted.
    pub fn is_past(&self, number: u64) -> bool {
        self.number.get() - self.len() as u64 >= number
    }

    /// Room for scalars.
    pub fn spare(&self) -> Vec<u8> {
        let mut bytes = self.spare.take();
        bytes.clear();
        bytes
    }
}

impl Inner {
    /// Puts something at the end of the queue. The caller pumps.
    pub fn enqueue(&self, item: Item) {
        let waiting = &self.waiting;
        waiting.number.set(waiting.number.get() + 1);
        if let Item::Write { bytes, .. } = &item {
            waiting.bytes.set(waiting.bytes.get() + bytes.len());
        }
        waiting.items.borrow_mut().push_back(item);
    }

    /// Writes the start of a buffer after everything that was asked for before.
    pub fn write(&self, buffer: &Buffer, bytes: &[u8], doubts: &Doubts) {
        if self.waiting.is_empty() {
            return self.write_now(buffer, bytes, doubts);
        }
        self.enqueue(Item::Write { buffer: buffer.clone(), bytes: bytes.to_vec(), doubts: doubts.clone() });
    }

    pub fn write_scalars(&self, scalars: &Scalars) {
        if !scalars.bytes.is_empty() {
            self.ring.borrow().write(&self.queue, scalars);
        }
    }

    fn write_now(&self, buffer: &Buffer, bytes: &[u8], doubts: &Doubts) {
        let scope = self.health.error_scope(&self.device, doubts);
        self.queue.write_buffer(buffer, 0, bytes);
        scope.end();
    }

    /// Submits as much of the queue as the device should have now, and sees to it that the rest follows.
    pub fn pump(&self) {
        if self.waiting.bytes.get() > MOST_BYTES || self.waiting.len() > MOST_ITEMS {
            self.drain();
        }
        loop {
            self.note_finished();
            if self.health.lost().is_some() {
                break self.abandon();
            }
            if self.waiting.is_empty() {
                // A pass that waited for more to share its submit goes when the device has little else to do.
                if self.holds() || self.held.open.borrow().is_none() || self.pace.borrow().is_crowded() {
                    break;
                }
                self.close_pass();
            }
            if !self.has_room() {
                break;
            }
            self.submit_next();
        }
        self.after_pumping();
    }

    /// Submits everything that waits, however long it will take. Says whether anything did.
    pub fn drain(&self) -> bool {
        self.close_pass();
        if self.health.lost().is_some() {
            self.abandon();
        }
        let any = !self.waiting.is_empty();
        while !self.waiting.is_empty() {
            self.submit_next();
        }
        self.after_pumping();
        any
    }

    /// Drops what waits: the device is lost.
    pub fn abandon(&self) {
        let items = std::mem::take(&mut *self.waiting.items.borrow_mut());
        let open = self.held.open.take();
        self.waiting.bytes.set(0);
        drop((items, open));
        self.freeze_pool();
    }

    fn after_pumping(&self) {
        self.freeze_pool();
        #[cfg(target_arch = "wasm32")]
        self.wait_for_news();
    }

    /// Tells the pool whether its buffers are named by commands that wait.
    pub fn freeze_pool(&self) {
        let waiting = !self.waiting.is_empty() || self.held.open.borrow().is_some();
        self.pool.borrow_mut().freeze(waiting);
    }

    /// Whether more should be submitted now. Natively always: the submit itself waits.
    fn has_room(&self) -> bool {
        cfg!(not(target_arch = "wasm32")) || self.pace.borrow().has_room(now())
    }

    /// Submits the first item, or a piece of it.
    fn submit_next(&self) {
        let Some(item) = self.waiting.items.borrow_mut().pop_front() else { return };
        let number = self.waiting.number.get() - self.waiting.len() as u64;
        match item {
            Item::Write { buffer, bytes, doubts } => {
                self.waiting.bytes.set(self.waiting.bytes.get() - bytes.len());
                self.write_now(&buffer, &bytes, &doubts);
            }
            Item::Commands { commands, scalars, work, doubts, mappings } => {
                let scope = self.health.error_scope(&self.device, &doubts);
                self.write_scalars(&scalars);
                let index = self.submit(commands, number, work, None);
                scope.end();
                mappings.into_iter().for_each(|mapping| mapping.start(index.clone()));
                self.waiting.spare.replace(scalars.bytes);
            }
            Item::Long(mut long) => {
                let finished = self.submit_piece(&mut long, number);
                if !finished {
                    self.waiting.items.borrow_mut().push_front(Item::Long(long));
                }
            }
        }
    }

    /// Submits a piece of a dispatch and says whether it was the last.
    fn submit_piece(&self, long: &mut Long, number: u64) -> bool {
        let left = long.left();
        let mut piece = self.pace.borrow().workgroups(left, long.operations, &long.pipeline.pace);
        let width = u64::from(long.grid[0]);
        let most = u64::from(self.limits.workgroups_per_dimension);
        // Whole rows, or a part of one.
        let workgroups = if piece > width.min(most) {
            piece -= piece % width;
            [width as u32, (piece / width) as u32, 1]
        } else {
            [piece as u32, 1, 1]
        };
        let first = long.done as u32;
        long.scalars.bytes[..4].copy_from_slice(&first.to_le_bytes());
        let scope = self.health.error_scope(&self.device, &long.doubts);
        self.write_scalars(&long.scalars);
        let mut encoder = self.new_encoder();
        let mut pass = self.begin_pass(&mut encoder, None);
        pass.set_pipeline(&long.pipeline.compute);
        pass.set_bind_group(0, &long.group, &[long.scalars.offset]);
        let [x, y, z] = workgroups;
        pass.dispatch_workgroups(x, y, z);
        drop(pass);
        count(&self.counters.dispatches, 1);
        long.done += piece;
        let last = long.left() == 0;
        let work = Work { operations: long.operations * piece as f64, dispatches: 1.0 };
        self.submit(encoder.finish(), number, work, Some(long.pipeline.pace.clone()));
        scope.end();
        last
    }

    /// While something waits, the news of finished work sends it.
    #[cfg(target_arch = "wasm32")]
    fn wait_for_news(&self) {
        let waiting = |inner: &Inner| !inner.waiting.is_empty() || inner.held.open.borrow().is_some();
        if !waiting(self) || self.waiting.pumping.replace(true) {
            return;
        }
        let Some(inner) = self.me.upgrade() else { return };
        wasm_bindgen_futures::spawn_local(async move {
            while waiting(&inner) {
                let heard = inner.flights.done();
                let news = || (inner.flights.done() != heard || inner.health.lost().is_some()).then_some(());
                inner.health.bell.until(news).await;
                inner.pump();
            }
            inner.waiting.pumping.set(false);
        });
    }
}
