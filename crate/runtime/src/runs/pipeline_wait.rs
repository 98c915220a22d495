//! Runs whose pipelines the browser still compiles. Such a run waits in the queue until they are
//! there, and is encoded then: asked for in the usual way, one after the other, pipelines are
//! compiled one after the other.

use super::progress::{Progress, RunState, Stop};
use crate::device::health::PendingErrors;
use crate::memory::pool::BufferId;
use crate::pipelines::prepare::Prepared;
use crate::runtime::{Inner, Runtime};
use crate::submission::queue::{Long, PartialSubmit};
use std::rc::Rc;

/// A run that has not begun.
pub(crate) struct PipelineWait {
    prepared: Rc<Prepared>,
    scalars: Vec<u32>,
    slots: Vec<BufferId>,
    pending_errors: PendingErrors,
    offset: u32,
    number: u32,
    /// Whether it is to be cut into pieces.
    long: bool,
    progress: Progress,
    /// The dispatch that is being submitted piece by piece.
    piece: Option<Box<Long>>,
    /// Whether it waits for nothing any more.
    is_urgent: bool,
}

impl PipelineWait {
    pub fn new(prepared: &Rc<Prepared>, course: &RunState<'_>) -> Box<PipelineWait> {
        Box::new(PipelineWait {
            prepared: Rc::clone(prepared),
            scalars: course.scalars.to_vec(),
            slots: course.slots.to_vec(),
            pending_errors: course.pending_errors.clone(),
            offset: course.offset,
            number: course.number,
            long: course.long,
            progress: Progress::new(prepared),
            piece: None,
            is_urgent: false,
        })
    }
}

impl PartialSubmit for PipelineWait {
    fn is_awaited(&self) -> bool {
        !self.is_urgent && self.prepared.is_fresh()
    }

    fn hurry(&mut self) {
        self.is_urgent = true;
    }

    fn submit_part(&mut self, inner: &Inner, number: u64) -> bool {
        if let Some(piece) = &mut self.piece {
            if inner.submit_piece(piece, number) {
                self.piece = None;
            }
            return false;
        }
        let course = RunState {
            prepared: &self.prepared,
            scalars: &self.scalars,
            slots: &self.slots,
            pending_errors: &self.pending_errors,
            offset: self.offset,
            number: self.number,
            long: self.long,
        };
        let scope = inner.gpu.health.error_scope(&inner.gpu.device, &self.pending_errors);
        let mut open = None;
        let stop = inner.encode_some(&course, &mut self.progress, &mut open);
        if let Stop::Long(n) = stop {
            self.piece = Some(inner.long(&course, n, &self.progress));
        }
        if let Some(open) = open {
            let (encoder, work) = inner.end_pass(open);
            inner.flights.submit(&inner.gpu, encoder.finish(), number, work, None);
        }
        scope.end();
        !matches!(stop, Stop::Full | Stop::Long(_))
    }
}

impl Prepared {
    /// Whether the browser still compiles a pipeline of it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.steps.iter().any(|step| step.pipeline.is_awaited())
    }
}

impl Runtime {
    /// How long texts take to compile here, for [`Runtime::learn_compile_times`] on a later visit:
    /// the nanoseconds of an expression, then a name and nanoseconds for each text.
    pub fn known_compile_times(&self) -> Vec<f64> {
        self.inner.gpu.compile_times.export()
    }

    /// Takes what [`Runtime::known_compile_times`] gave on an earlier visit.
    pub fn learn_compile_times(&self, times: &[f64]) {
        if !times.is_empty() {
            self.inner.gpu.compile_times.import(times);
        }
    }

    /// Waits until the browser has compiled a program's pipelines, the fast ones where others serve
    /// meanwhile, so that a run of it is as fast as any later one.
    pub fn compiled(&self, prepared: &Rc<Prepared>) -> impl Future<Output = ()> + use<> {
        let (inner, prepared) = (self.inner.clone(), prepared.clone());
        async move {
            let pipelines = || prepared.steps.iter().map(|step| &step.pipeline);
            pipelines().for_each(|pipeline| pipeline.ask_for_kernel(&inner.gpu));
            let is_there = || pipelines().all(|pipeline| pipeline.is_final());
            let done = || (is_there() || inner.gpu.health.is_lost()).then_some(());
            inner.gpu.health.notify.until(done).await;
        }
    }
}
