//! Submission order. Commands, writes and long dispatches wait in a queue and are submitted a
//! little at a time, so that the device stays free for others (a page that paints) and work can be
//! abandoned.
//!
//! Usually the queue is empty and what comes is submitted at once. It fills when the work in flight
//! is estimated to take longer than `pace.rs` allows. Then, in a browser, the news of each finished
//! submit sends the next; natively the caller waits for the oldest. So nothing here blocks
//! JavaScript, and nothing overtakes: what must be ordered with the commands (uploads) is in
//! the queue too, scalars are written with the commands that read them, and a canvas is drawn on
//! when the queue is empty.
//!
//! While anything waits the pool destroys nothing, because commands name its buffers.

use super::pace::Work;
use super::queue::{Item, Long, Open};
use crate::device::clock::now;
use crate::device::health::PendingErrors;
use crate::device::stats::count;
use crate::memory::uniforms::Scalars;
use crate::runs::profile::PassQueries;
use crate::runtime::{Inner, Runtime};
use wgpu::{Buffer, CommandEncoder};

/// Bytes of uploads that may wait; beyond, everything is given to the device at once.
const MOST_BYTES: usize = 64 << 20;
/// Items that may wait.
const MOST_ITEMS: usize = 4096;

impl Inner {
    /// Puts something at the end of the queue. The caller pumps.
    pub fn enqueue(&self, item: Item) {
        let waiting = &self.waiting;
        waiting.number.set(waiting.number.get() + 1);
        if let Item::Write { bytes, .. } = &item {
            waiting.bytes.set(waiting.bytes.get() + bytes.len());
        }
        waiting.items.borrow_mut().push_back((self.gpu.counters.label(), item));
    }

    /// Writes a buffer after everything that was asked for before.
    pub fn write(&self, buffer: &Buffer, bytes: &[u8], pending_errors: &PendingErrors) {
        if self.waiting.is_empty() {
            return self.write_now(buffer, bytes, pending_errors);
        }
        let (buffer, pending_errors) = (buffer.clone(), pending_errors.clone());
        self.enqueue(Item::Write { buffer, bytes: bytes.to_vec(), pending_errors });
    }

    pub fn write_scalars(&self, scalars: &Scalars) {
        if !scalars.bytes.is_empty() {
            self.ring.borrow().write(&self.gpu.queue, scalars);
        }
    }

    fn write_now(&self, buffer: &Buffer, bytes: &[u8], pending_errors: &PendingErrors) {
        let scope = self.gpu.health.error_scope(&self.gpu.device, pending_errors);
        self.gpu.queue.write_buffer(buffer, 0, bytes);
        scope.end();
    }

    /// Submits as much of the queue as the device should have now, and sees to it that the rest
    /// follows.
    pub fn pump(&self) {
        // A pass that waited for more to share its submit goes when the device has little else to
        // do.
        self.flights.note_finished();
        let crowded = self.flights.pace.borrow().is_crowded();
        self.pump_keeping(crowded);
    }

    /// As `pump`; the open pass stays open where it is to be kept.
    pub fn pump_keeping(&self, open: bool) {
        if self.waiting.bytes.get() > MOST_BYTES || self.waiting.len() > MOST_ITEMS {
            self.drain();
        }
        loop {
            self.flights.note_finished();
            if self.gpu.health.is_lost() {
                break self.abandon();
            }
            if self.waiting.is_empty() {
                if open || self.holds() || !self.open.is_open() {
                    break;
                }
                self.close_pass();
            }
            if !self.has_room() || !self.submit_next() {
                break;
            }
        }
        self.after_pumping();
    }

    /// Submits everything that waits, however long it will take, up to a loop whose end only the
    /// device knows; pipelines that the browser still compiles are compiled at once. Says whether
    /// anything waited.
    pub fn drain(&self) -> bool {
        self.waiting.hurry();
        self.submit_ready()
    }

    /// The same up to a run that waits for its pipelines, too.
    pub fn submit_ready(&self) -> bool {
        self.close_pass();
        if self.gpu.health.is_lost() {
            self.abandon();
        }
        let any = !self.waiting.is_empty();
        while self.submit_next() {}
        self.after_pumping();
        any
    }

    /// Ends a pass that is submitted at once, and writes its scalars: its commands and what they
    /// amount to.
    pub fn end_pass(&self, Open { pass, encoder, scalars, work, .. }: Open) -> (CommandEncoder, Work) {
        drop(pass);
        self.write_scalars(&scalars);
        self.waiting.spare.replace(scalars.bytes);
        (encoder, work)
    }

    /// Drops what waits: the device is lost.
    pub fn abandon(&self) {
        let items = std::mem::take(&mut *self.waiting.items.borrow_mut());
        let open = self.open.pass.take();
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
        let waiting = !self.waiting.is_empty() || self.open.is_open();
        self.pool.borrow_mut().freeze(waiting);
    }

    /// Drops the bind groups of buffers that the pool has destroyed.
    pub fn forget_destroyed(&self) {
        let destroyed = self.pool.borrow_mut().take_destroyed();
        self.bind_groups.borrow_mut().forget(destroyed);
    }

    /// Whether more should be submitted now. Natively always: the submit itself waits.
    fn has_room(&self) -> bool {
        cfg!(not(target_arch = "wasm32")) || self.flights.pace.borrow().has_room(now())
    }

    /// Submits the first item, or a piece of it. Says whether it did: there may be none, or, in a
    /// browser, the device has to say first how it goes on.
    pub fn submit_next(&self) -> bool {
        if cfg!(target_arch = "wasm32") && self.waiting.is_polling() {
            return false;
        }
        let Some((label, item)) = self.waiting.items.borrow_mut().pop_front() else { return false };
        let current = self.gpu.counters.turn(label);
        let number = self.waiting.number.get() - self.waiting.len() as u64;
        match item {
            Item::Write { buffer, bytes, pending_errors } => {
                self.waiting.bytes.set(self.waiting.bytes.get() - bytes.len());
                self.write_now(&buffer, &bytes, &pending_errors);
            }
            Item::Commands { commands, scalars, work, pending_errors, mappings } => {
                let scope = self.gpu.health.error_scope(&self.gpu.device, &pending_errors);
                self.write_scalars(&scalars);
                let index = self.flights.submit(&self.gpu, commands, number, work, None);
                scope.end();
                mappings.into_iter().for_each(|mapping| mapping.start(index.clone()));
                self.waiting.spare.replace(scalars.bytes);
            }
            Item::Long(mut long) => {
                let finished = self.submit_piece(&mut long, number);
                if !finished {
                    self.waiting.items.borrow_mut().push_front((label, Item::Long(long)));
                }
            }
            Item::LoopPolling(mut run) => {
                if !run.submit_part(self, number) {
                    self.waiting.items.borrow_mut().push_front((label, Item::LoopPolling(run)));
                }
            }
        }
        self.gpu.counters.turn(current);
        true
    }

    /// Submits a piece of a dispatch and says whether it was the last.
    pub fn submit_piece(&self, long: &mut Long, number: u64) -> bool {
        let left = long.left();
        let mut piece = self.flights.pace.borrow().workgroups(left, long.operations, &long.pipeline.pace);
        let width = u64::from(long.grid[0]);
        let most = u64::from(self.gpu.limits.workgroups_per_dimension);
        // Whole rows, or a part of one.
        let workgroups = if piece > width.min(most) {
            piece -= piece % width;
            [width as u32, (piece / width) as u32, 1]
        } else {
            [piece as u32, 1, 1]
        };
        let first = long.done as u32;
        long.scalars.bytes[..4].copy_from_slice(&first.to_le_bytes());
        let scope = self.gpu.health.error_scope(&self.gpu.device, &long.pending_errors);
        self.write_scalars(&long.scalars);
        let mut encoder = self.gpu.encoder();
        let queries = self.profile.queries(long.place.0, long.place.1);
        let mut pass = self.gpu.begin_pass(&mut encoder, queries.as_ref().map(PassQueries::writes));
        pass.set_pipeline(long.pipeline.compute(&self.gpu));
        pass.set_bind_group(0, &long.group, &[long.scalars.offset]);
        let [x, y, z] = workgroups;
        pass.dispatch_workgroups(x, y, z);
        drop(pass);
        count(&self.gpu.counters.dispatches, 1);
        long.done += piece;
        let last = long.left() == 0;
        let work = Work { operations: long.operations * piece as f64, dispatches: 1.0 };
        self.flights.submit(&self.gpu, encoder.finish(), number, work, Some(long.pipeline.pace.clone()));
        scope.end();
        last
    }

    /// While something waits, the news of finished work sends it.
    #[cfg(target_arch = "wasm32")]
    fn wait_for_news(&self) {
        let waiting = |inner: &Inner| !inner.waiting.is_empty() || inner.open.is_open();
        if !waiting(self) || self.waiting.pumping.replace(true) {
            return;
        }
        let Some(inner) = self.me.upgrade() else { return };
        wasm_bindgen_futures::spawn_local(async move {
            while waiting(&inner) {
                let (done, polling) = (inner.flights.done(), inner.waiting.is_polling());
                let progressed = || inner.flights.done() != done || (polling && !inner.waiting.is_polling());
                let news = || (progressed() || inner.gpu.health.is_lost()).then_some(());
                inner.gpu.health.notify.until(news).await;
                inner.pump();
            }
            inner.waiting.pumping.set(false);
        });
    }
}

impl Runtime {
    /// Gives the device up at once, its memory with it. Every later call fails with
    /// `ErrorKind::DeviceLost`.
    pub fn destroy(&self) {
        self.inner.gpu.health.lose("it was destroyed");
        self.inner.abandon();
        self.inner.gpu.device.destroy();
    }
}
