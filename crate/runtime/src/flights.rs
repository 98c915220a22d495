//! How much submitted work is unfinished, and how to wait for it. When nobody reads, submits would pile up without end:
//! natively a run waits for the oldest once there are too many; in a browser nothing can wait, so callers ask
//! [`Runtime::in_flight`] and await [`Runtime::throttle`].

use crate::device::{Inner, Runtime};
use crate::health::{Bell, Health};
use crate::stats::count;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use weft_ir::error::Result;
use wgpu::{CommandBuffer, SubmissionIndex};

/// Submits in flight beyond which a native run waits for the oldest.
#[cfg(not(target_arch = "wasm32"))]
const MOST_IN_FLIGHT: usize = 6;

/// The submits that are not known to be finished.
pub(crate) struct Flights {
    bell: Bell,
    count: Arc<AtomicUsize>,
    #[cfg(not(target_arch = "wasm32"))]
    queue: std::cell::RefCell<std::collections::VecDeque<SubmissionIndex>>,
}

impl Flights {
    /// None yet.
    pub fn new(health: &Health) -> Flights {
        Flights {
            bell: health.bell.clone(),
            count: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            queue: std::cell::RefCell::default(),
        }
    }
}

impl Inner {
    /// Submits a command buffer, after what is held back, and counts it.
    pub fn submit(&self, commands: CommandBuffer) -> SubmissionIndex {
        count(&self.counters.submits, 1);
        let index = self.queue.submit(self.finish_held().into_iter().chain([commands]));
        let flights = &self.flights;
        flights.count.fetch_add(1, Ordering::Relaxed);
        let (in_flight, bell) = (flights.count.clone(), flights.bell.clone());
        self.queue.on_submitted_work_done(move || {
            in_flight.fetch_sub(1, Ordering::Relaxed);
            bell.ring();
        });
        #[cfg(not(target_arch = "wasm32"))]
        self.wait_for_oldest(&index);
        index
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_oldest(&self, index: &SubmissionIndex) {
        let mut queue = self.flights.queue.borrow_mut();
        queue.push_back(index.clone());
        while queue.len() > MOST_IN_FLIGHT {
            self.wait_for(queue.pop_front());
        }
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
    /// How many submits are not known to be finished.
    pub fn in_flight(&self) -> usize {
        self.inner.flights.count.load(Ordering::Relaxed)
    }

    /// Waits until at most `most` submits are unfinished. Errors only when the device is lost.
    pub fn throttle(&self, most: usize) -> impl Future<Output = Result<()>> + use<> {
        let inner = self.inner.clone();
        async move {
            let flights = &inner.flights;
            let few = || {
                (flights.count.load(Ordering::Relaxed) <= most || inner.health.lost().is_some()).then_some(())
            };
            inner.until(None, few).await;
            inner.health.check("throttle")
        }
    }

    /// Waits until all work submitted so far is finished, and gives the first error that was not told yet.
    pub fn idle(&self) -> impl Future<Output = Result<()>> + use<> {
        let inner = self.inner.clone();
        let done = Arc::new(AtomicUsize::new(0));
        let (told, bell) = (done.clone(), inner.flights.bell.clone());
        inner.queue.on_submitted_work_done(move || {
            told.store(1, Ordering::Relaxed);
            bell.ring();
        });
        async move {
            let finished =
                || (done.load(Ordering::Relaxed) == 1 || inner.health.lost().is_some()).then_some(());
            inner.until(None, finished).await;
            inner.health.check("idle")?;
            inner.health.resolve_all().await?;
            inner.health.check("idle")?;
            inner.health.stray()
        }
    }
}
