//! Polling of loops that go on until the device says otherwise. Such a run is in the queue and
//! is submitted a part at a time; where a loop asks, the word that answers is copied and mapped,
//! and what follows waits for it. A loop asks after twice as many iterations each time, so that a
//! long one asks seldom, and submits between are as short as any, so that the device stays free for
//! others and a loop without end can be abandoned.
//!
//! In a browser the news of the mapping goes on; natively the caller waits, as for everything.
//!
//! Deferred: few programs have loops or branches.

use super::progress::{Progress, RunState, Stop};
use crate::device::health::PendingErrors;
use crate::memory::pool::BufferId;
use crate::pipelines::prepare::Prepared;
use crate::read_back::staging::Answer;
use crate::runtime::Inner;
use crate::submission::pace::Work;
use crate::submission::queue::{Long, PartialSubmit};
use std::rc::Rc;
use wgpu::SubmissionIndex;

/// A run that is partly done.
pub(crate) struct LoopPolling {
    prepared: Rc<Prepared>,
    scalars: Vec<u32>,
    slots: Vec<BufferId>,
    pending_errors: PendingErrors,
    offset: u32,
    number: u32,
    progress: Progress,
    answer: Answer,
    /// The dispatch that is being submitted piece by piece.
    long: Option<Box<Long>>,
    /// The submit that the answer comes with.
    asked: Option<SubmissionIndex>,
    /// Whether it does not wait for its pipelines.
    is_urgent: bool,
}

impl LoopPolling {
    /// One that has not begun.
    pub fn new(inner: &Inner, prepared: &Rc<Prepared>, course: &RunState<'_>) -> Box<LoopPolling> {
        Box::new(LoopPolling {
            prepared: Rc::clone(prepared),
            scalars: course.scalars.to_vec(),
            slots: course.slots.to_vec(),
            pending_errors: course.pending_errors.clone(),
            offset: course.offset,
            number: course.number,
            progress: Progress::new(prepared),
            answer: Answer::new(inner.staging_buffer(WORD).0),
            long: None,
            asked: None,
            is_urgent: false,
        })
    }

    /// Whether what it runs is known to have failed: then nothing would ever end a loop.
    fn has_failed(&self, inner: &Inner) -> bool {
        let mut checks = self.pending_errors.iter().flat_map(|all| all.iter());
        checks.any(|check| check.failure().is_some()) || inner.gpu.health.has_stray()
    }
}

/// Bytes of an answer.
const WORD: u64 = 4;

impl PartialSubmit for LoopPolling {
    fn is_awaited(&self) -> bool {
        self.answer.is_awaited() || (!self.is_urgent && self.prepared.is_fresh())
    }

    fn hurry(&mut self) {
        self.is_urgent = true;
    }

    fn submit_part(&mut self, inner: &Inner, number: u64) -> bool {
        if let Some(long) = &mut self.long {
            if inner.submit_piece(long, number) {
                self.long = None;
            }
            return false;
        }
        #[cfg(not(target_arch = "wasm32"))]
        if self.is_awaited() {
            inner.gpu.wait_for(self.asked.take());
        }
        if let Some(goes_on) = self.answer.take() {
            if self.has_failed(inner) {
                return true;
            }
            self.progress.answer(goes_on);
        }
        let course = RunState {
            prepared: &self.prepared,
            scalars: &self.scalars,
            slots: &self.slots,
            pending_errors: &self.pending_errors,
            offset: self.offset,
            number: self.number,
            long: true,
        };
        let scope = inner.gpu.health.error_scope(&inner.gpu.device, &self.pending_errors);
        let mut open = None;
        let stop = inner.encode_some(&course, &mut self.progress, &mut open);
        let asks = if let Stop::Asks(slot) = stop { Some(self.slots[slot]) } else { None };
        if let Stop::Long(n) = stop {
            self.long = Some(inner.long(&course, n, &self.progress));
        }
        let submitted = match open {
            Some(open) => Some(inner.end_pass(open)),
            None => asks.map(|_| (inner.gpu.encoder(), Work::default())),
        };
        if let Some((mut encoder, work)) = submitted {
            if let Some(buffer) = asks {
                let pool = inner.pool.borrow();
                encoder.copy_buffer_to_buffer(pool.buffer(buffer), 0, &self.answer.buffer, 0, WORD);
            }
            self.asked = Some(inner.flights.submit(&inner.gpu, encoder.finish(), number, work, None));
        }
        scope.end();
        if asks.is_some() {
            self.answer.ask(&inner.gpu.health.notify);
        }
        let ended = matches!(stop, Stop::End);
        if ended {
            inner.staging.borrow_mut().give_back(self.answer.buffer.clone());
        }
        ended
    }
}
