//! Submits in flight. Natively a submit waits for the oldest once there are too many; in a browser
//! nothing can wait, so the rest stays in a queue (`queue.rs`).

use super::pace::{KernelPace, Pace, Work};
use crate::device::clock::now;
use crate::device::gpu::Gpu;
use crate::device::health::Notify;
use crate::device::stats::count;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use wgpu::{CommandBuffer, SubmissionIndex};

/// Submits in flight natively, at most.
#[cfg(not(target_arch = "wasm32"))]
const MOST_IN_FLIGHT: usize = 6;

/// The submits that are not known to be finished, and how long they will take.
pub(crate) struct InFlight {
    pub pace: RefCell<Pace>,
    notify: Notify,
    news: Arc<News>,
    /// Of the submits that are finished, how many were noted.
    noted: Cell<usize>,
    #[cfg(not(target_arch = "wasm32"))]
    queue: RefCell<std::collections::VecDeque<SubmissionIndex>>,
}

/// What the device's callbacks write. Submits are finished in order.
#[derive(Default)]
struct News {
    /// How many submits are finished.
    done: AtomicUsize,
    /// When the last of them was: the bits of an f64.
    time: AtomicU64,
}

impl InFlight {
    /// None yet. Runs are cut into pieces of `piece_operations`, if given.
    pub fn new(gpu: &Gpu, piece_operations: Option<u64>) -> InFlight {
        InFlight {
            pace: RefCell::new(Pace::new(&gpu.limits.model.submission, piece_operations)),
            notify: gpu.health.notify.clone(),
            news: Arc::default(),
            noted: Cell::new(0),
            #[cfg(not(target_arch = "wasm32"))]
            queue: RefCell::default(),
        }
    }

    /// How many submits were ever finished.
    pub fn done(&self) -> usize {
        self.news.done.load(Ordering::Acquire)
    }

    /// When the last submit that is known to be finished was.
    pub fn last_done(&self) -> f64 {
        f64::from_bits(self.news.time.load(Ordering::Relaxed))
    }

    /// Submits commands, which belong to the item `number` of what was asked for, and notes that
    /// they are in flight.
    pub fn submit(
        &self,
        gpu: &Gpu,
        commands: CommandBuffer,
        number: u64,
        work: Work,
        kernel: Option<KernelPace>,
    ) -> SubmissionIndex {
        #[cfg(not(target_arch = "wasm32"))]
        self.wait_for_oldest(gpu);
        count(&gpu.counters.submits, 1);
        let index = gpu.queue.submit([commands]);
        self.pace.borrow_mut().submitted(now(), number, work, kernel);
        let (news, notify) = (self.news.clone(), self.notify.clone());
        gpu.queue.on_submitted_work_done(move || {
            news.time.store(now().to_bits(), Ordering::Relaxed);
            news.done.fetch_add(1, Ordering::Release);
            notify.notify_all();
        });
        #[cfg(not(target_arch = "wasm32"))]
        self.queue.borrow_mut().push_back(index.clone());
        index
    }

    /// Learns from the submits that were finished since the last time.
    pub fn note_finished(&self) {
        let done = self.done();
        let finished = done - self.noted.replace(done);
        if finished > 0 {
            self.pace.borrow_mut().finished(finished, self.last_done());
        }
    }

    /// Waits until few enough submits are in flight for one more.
    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_oldest(&self, gpu: &Gpu) {
        let mut queue = self.queue.borrow_mut();
        while queue.len() >= MOST_IN_FLIGHT {
            gpu.wait_for(queue.pop_front());
        }
        drop(queue);
        self.note_finished();
    }
}
