//! Backpressure. When nobody reads, work would pile up without end: callers that can wait await
//! [`Runtime::throttle`].

use crate::device::clock::now;
use crate::runtime::{Inner, Runtime};
use weft_ir::error::Result;

impl Inner {
    /// Whether everything up to an item of what was asked for is finished.
    pub fn has_landed(&self, number: u64) -> bool {
        self.flights.note_finished();
        let landed = self.flights.pace.borrow().oldest().is_none_or(|oldest| oldest > number);
        self.waiting.is_past(number) && landed
    }
}

impl Runtime {
    /// How many submits are not known to be finished, what waits to be submitted included.
    pub fn in_flight(&self) -> usize {
        let inner = &*self.inner;
        inner.flights.note_finished();
        let open = inner.open.is_open();
        inner.flights.pace.borrow().in_flight() + inner.waiting.len() + usize::from(open)
    }

    /// Whether more than `most` submits are unfinished, or fewer that are estimated to take long or
    /// wait for their kernels.
    pub fn is_busy(&self, most: usize) -> bool {
        self.in_flight() > most
            || self.inner.waiting.is_polling()
            || !self.inner.flights.pace.borrow().has_room(now())
    }

    /// Waits until at most `most` submits are unfinished, by estimate they will not take long, and
    /// none waits for its kernels. A loop that makes work without reading any should await this.
    /// Errors only when the device is lost.
    pub fn throttle(&self, most: usize) -> impl Future<Output = Result<()>> + use<> {
        let runtime = self.clone();
        async move {
            let inner = &runtime.inner;
            inner.pump();
            let few = || (!runtime.is_busy(most) || inner.gpu.health.is_lost()).then_some(());
            inner.gpu.until(None, few).await;
            inner.gpu.health.check("throttle")
        }
    }

    /// Waits until everything asked for so far is finished, and gives the first error that was not
    /// reported yet.
    pub fn idle(&self) -> impl Future<Output = Result<()>> + use<> {
        let inner = self.inner.clone();
        inner.close_pass();
        inner.pump();
        let number = inner.waiting.number();
        async move {
            let finished = || (inner.has_landed(number) || inner.gpu.health.is_lost()).then_some(());
            inner.gpu.until(None, finished).await;
            inner.gpu.health.check("idle")?;
            inner.gpu.health.resolve_all().await?;
            inner.gpu.health.check("idle")?;
            inner.gpu.health.stray()
        }
    }
}
