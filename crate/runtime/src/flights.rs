//! How much is unfinished, and how to wait for it. When nobody reads, work would pile up without end: natively a submit waits
//! for the oldest once there are too many; in a browser nothing can wait, so what is too much stands in a queue (`submit.rs`), and
//! callers that can wait await [`Runtime::throttle`].

use crate::clock::now;
use crate::device::{Inner, Runtime};
use crate::health::{Bell, Health};
use crate::pace::{KernelPace, Work};
use crate::stats::count;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use weft_ir::error::Result;
use wgpu::{CommandBuffer, SubmissionIndex};

/// Submits in flight natively, at most.
#[cfg(not(target_arch = "wasm32"))]
const MOST_IN_FLIGHT: usize = 6;

/// The submits that are not known to be finished.
pub(crate) struct Flights {
    bell: Bell,
    news: Arc<News>,
    /// Of the submits that are finished, how many were noted.
    noted: Cell<usize>,
    #[cfg(not(target_arch = "wasm32"))]
    queue: std::cell::RefCell<std::collections::VecDeque<SubmissionIndex>>,
}

/// What the device's callbacks write. Submits are finished in order.
#[derive(Default)]
struct News {
    /// How many submits are finished.
    done: AtomicUsize,
    /// When the last of them was: the bits of an f64.
    time: AtomicU64,
}

impl Flights {
    /// None yet.
    pub fn new(health: &Health) -> Flights {
        Flights {
            bell: health.bell.clone(),
            news: Arc::default(),
            noted: Cell::new(0),
            #[cfg(not(target_arch = "wasm32"))]
            queue: std::cell::RefCell::default(),
        }
    }

    /// How many submits were ever finished.
    pub fn done(&self) -> usize {
        self.news.done.load(Ordering::Acquire)
    }
}

impl Inner {
    /// Submits commands, which belong to the item `number` of what was asked for, and notes that they are in flight.
    pub fn submit(
        &self,
        commands: CommandBuffer,
        number: u64,
        work: Work,
        kernel: Option<KernelPace>,
    ) -> SubmissionIndex {
        #[cfg(not(target_arch = "wasm32"))]
        self.wait_for_oldest();
        count(&self.counters.submits, 1);
        let index = self.queue.submit([commands]);
        self.pace.borrow_mut().submitted(now(), number, work, kernel);
        let (news, bell) = (self.flights.news.clone(), self.flights.bell.clone());
        self.queue.on_submitted_work_done(move || {
            news.time.store(now().to_bits(), Ordering::Relaxed);
            news.done.fetch_add(1, Ordering::Release);
            bell.ring();
        });
        #[cfg(not(target_arch = "wasm32"))]
        self.flights.queue.borrow_mut().push_back(index.clone());
        index
    }

    /// Learns from the submits that were finished since the last time.
    pub fn note_finished(&self) {
        let flights = &self.flights;
        let done = flights.done();
        let fresh = done - flights.noted.replace(done);
        if fresh > 0 {
            let time = f64::from_bits(flights.news.time.load(Ordering::Relaxed));
            self.pace.borrow_mut().finished(fresh, time);
        }
    }

    /// Waits until few enough submits are in flight for one more.
    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_oldest(&self) {
        let mut queue = self.flights.queue.borrow_mut();
        while queue.len() >= MOST_IN_FLIGHT {
            self.wait_for(queue.pop_front());
        }
        drop(queue);
        self.note_finished();
    }

    /// Waits for `ready`, which a callback will bring about. Natively the callback comes from waiting for `index`; if it does
    /// not, the device is gone and the answer is `None`.
    pub async fn until<T>(
        &self,
        index: Option<SubmissionIndex>,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            if let Some(value) = ready() {
                return Some(value);
            }
            self.wait_for(index);
            ready()
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = index;
            self.flights.bell.until(|| ready().map(Some)).await
        }
    }
}

impl Runtime {
    /// How many submits are not known to be finished, what waits to be submitted included.
    pub fn in_flight(&self) -> usize {
        let inner = &*self.inner;
        inner.note_finished();
        let open = inner.held.open.borrow().is_some();
        inner.pace.borrow().in_flight() + inner.waiting.len() + usize::from(open)
    }

    /// Whether more than `most` submits are unfinished, or fewer that are estimated to take long.
    pub fn is_busy(&self, most: usize) -> bool {
        self.in_flight() > most || !self.inner.pace.borrow().has_room(now())
    }

    /// Waits until at most `most` submits are unfinished and, by estimate, they will not take long. A loop that makes work
    /// without reading any should await this. Errors only when the device is lost.
    pub fn throttle(&self, most: usize) -> impl Future<Output = Result<()>> + use<> {
        let runtime = self.clone();
        async move {
            let inner = &runtime.inner;
            inner.pump();
            let few = || (!runtime.is_busy(most) || inner.health.lost().is_some()).then_some(());
            inner.until(None, few).await;
            inner.health.check("throttle")
        }
    }

    /// Waits until everything asked for so far is finished, and gives the first error that was not told yet.
    pub fn idle(&self) -> impl Future<Output = Result<()>> + use<> {
        let inner = self.inner.clone();
        inner.close_pass();
        inner.pump();
        let number = inner.waiting.number();
        async move {
            let finished = || {
                inner.note_finished();
                let landed = inner.pace.borrow().oldest().is_none_or(|oldest| oldest > number);
                let done = inner.waiting.is_past(number) && landed;
                (done || inner.health.lost().is_some()).then_some(())
            };
            inner.until(None, finished).await;
            inner.health.check("idle")?;
            inner.health.resolve_all().await?;
            inner.health.check("idle")?;
            inner.health.stray()
        }
    }
}
