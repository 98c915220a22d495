//! Runs that share a submit: each is encoded into the open pass, with its scalars beside it, and
//! the pass goes to the queue (`submit.rs`) when something must come after it, when it has grown,
//! or when the device has little to do.
//!
//! While a [`SubmitBatching`] lives the pass stays open in any case: a captured step and what
//! computes its arguments are one submit.

use super::queue::{Item, Open};
use crate::runtime::{Inner, Runtime};
use std::rc::Rc;

/// Runs that may share a submit that nobody asked for, by how many submits are in flight, and
/// beyond: few at first, so that the device does not idle for what is held back; the more of them
/// it has, the longer it is busy with them.
#[cfg(target_arch = "wasm32")]
const RUNS: [u32; 5] = [1, 4, 8, 16, 32];

/// See the module.
pub struct SubmitBatching(Rc<Inner>);

impl Runtime {
    /// Holds runs back until the result is dropped, to submit them together.
    pub fn batch_submits(&self) -> SubmitBatching {
        let holds = &self.inner.open.holds;
        holds.set(holds.get() + 1);
        SubmitBatching(self.inner.clone())
    }
}

impl Drop for SubmitBatching {
    fn drop(&mut self) {
        let holds = &self.0.open.holds;
        holds.set(holds.get() - 1);
        self.0.settle();
    }
}

impl Inner {
    /// Whether runs are to be held back.
    pub fn holds(&self) -> bool {
        self.open.holds.get() > 0
    }

    /// Ends the open pass and puts it into the queue.
    pub fn close_pass(&self) {
        let Some(Open { pass, encoder, scalars, work, pending_errors, .. }) = self.open.pass.take() else {
            return;
        };
        let scope = self.gpu.health.error_scope(&self.gpu.device, &pending_errors);
        drop(pass);
        let commands = encoder.finish();
        scope.end();
        self.enqueue(Item::Commands { commands, scalars, work, pending_errors, mappings: Vec::new() });
    }

    /// After a run: submits it, unless a hold keeps it, or so much is in flight that it may share a
    /// submit with what comes next.
    pub fn settle(&self) {
        if self.holds() {
            return;
        }
        let waits = self.may_wait_for_more();
        if !waits {
            self.close_pass();
        }
        self.pump_keeping(waits);
    }

    /// Natively nothing would submit later what waits now: no callback comes by itself.
    #[cfg(not(target_arch = "wasm32"))]
    fn may_wait_for_more(&self) -> bool {
        false
    }

    #[cfg(target_arch = "wasm32")]
    fn may_wait_for_more(&self) -> bool {
        self.flights.note_finished();
        let pace = self.flights.pace.borrow();
        let most = RUNS[pace.in_flight().min(RUNS.len() - 1)];
        let open = self.open.pass.borrow();
        open.as_ref().is_some_and(|open| open.runs < most && !pace.fills_piece(open.work))
    }
}
