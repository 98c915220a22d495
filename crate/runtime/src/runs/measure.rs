//! Timing of kernels: a program runs several times in one pass, timed by the device's timestamps
//! where it has them, else by the clock from the submit to the notification of its end.
//!
//! Deferred: races run in idle moments.

use crate::device::clock::now;
use crate::device::health::PendingErrorSet;
use crate::device::stats::count;
use crate::pipelines::prepare::Prepared;
use crate::read_back::read::{Copied, Transfer, in_memory, room};
use crate::runtime::{Inner, Runtime};
use std::rc::Rc;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::{BufferUsages, CommandEncoder, ComputePassTimestampWrites, Features};

/// Bytes of the two times of a pass, its beginning and its end.
const BYTES: u64 = 16;

/// The queries of one pass and the way they come back.
pub(crate) struct Timestamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    transfer: Transfer,
}

/// How a run is timed.
#[derive(Clone, Copy)]
pub(crate) struct Timing<'a> {
    /// Where its times are noted, by devices that can.
    pub timestamps: Option<&'a Timestamps>,
    /// How often it is run.
    pub times: u32,
}

impl Timestamps {
    fn new(inner: &Rc<Inner>) -> Timestamps {
        count(&inner.gpu.counters.buffers, 1);
        Timestamps {
            set: inner.gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: inner.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: BYTES,
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            transfer: Transfer::new(inner, BYTES),
        }
    }

    /// What the pass writes.
    pub fn of_pass(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// After the pass: brings the times to the staging buffer.
    pub fn resolve(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, self.transfer.buffer(), 0, BYTES);
    }

    /// The nanoseconds between the two.
    async fn read(self, inner: &Inner) -> Result<f64> {
        let period = f64::from(inner.gpu.queue.get_timestamp_period());
        let mut pending_errors = PendingErrorSet::default();
        self.transfer.pending_error(&mut pending_errors);
        let mut taken = vec![room(BYTES)?];
        let all = [Copied { range: (0, BYTES), to: (0, 0) }];
        self.transfer.finish(&pending_errors.into_pending_errors(), &mut taken, all).await?;
        let taken = in_memory(taken)?;
        let (words, _) = taken[0].as_chunks::<8>();
        let [from, to] = [0, 1].map(|n| u64::from_le_bytes(words[n]));
        // A device may put its clock back: never less than nothing.
        Ok(to.saturating_sub(from) as f64 * period)
    }
}

impl Runtime {
    /// Times programs without leaves one right after the other, each so often, as [`Runtime::time`]
    /// does. Where the device has timestamps it is not idle in between.
    pub async fn time_in_turn(&self, runs: &[(Rc<Prepared>, u32)]) -> Result<Vec<f64>> {
        let at_once = self.inner.gpu.features.contains(Features::TIMESTAMP_QUERY);
        let mut under_way = Vec::with_capacity(runs.len());
        let mut times = Vec::with_capacity(runs.len());
        for (prepared, repeats) in runs {
            let time = self.time(prepared, &[], *repeats)?;
            if at_once { under_way.push(time) } else { times.push(time.await?) }
        }
        for time in under_way {
            times.push(time.await?);
        }
        Ok(times)
    }

    /// Runs a program `times` times in one pass and one submit of their own, and tells the
    /// nanoseconds that took; of no times, what measuring takes by itself. What is computed is
    /// lost. By the device's clock, whose steps may be coarse: browsers round to 65,536; without
    /// one from the submit to the news of its end. Programs with loops, and dispatches that are run
    /// in pieces or counted by others, are not for this: `Internal`. Other errors as
    /// [`Runtime::run`].
    ///
    /// Deferred: races run in idle moments.
    pub fn time(
        &self,
        prepared: &Rc<Prepared>,
        leaves: &[ValueId],
        times: u32,
    ) -> Result<impl Future<Output = Result<f64>> + use<>> {
        let inner = self.inner.clone();
        let is_plain = prepared.steps.iter().all(|step| !step.in_pieces && step.counted.is_none());
        if !prepared.repeats.is_empty() || !is_plain || prepared.steps.is_empty() {
            return Err(Error::new(ErrorKind::Internal, "time", "only plain dispatches are timed"));
        }
        let has_timestamps = inner.gpu.features.contains(Features::TIMESTAMP_QUERY);
        let mut timestamps = has_timestamps.then(|| Timestamps::new(&inner));
        let scalars = vec![0; prepared.scalars];
        inner.drain();
        let timing = Timing { timestamps: timestamps.as_ref(), times };
        let started = now();
        let (values, index) = inner.run(prepared, leaves, &scalars, Some(timing))?;
        values.into_iter().for_each(|value| self.release(value));
        let index = index.expect("it was submitted");
        if let Some(timestamps) = &mut timestamps {
            timestamps.transfer.mapping().start(index.clone());
        }
        let number = inner.waiting.number();
        let mut pending_errors = PendingErrorSet::default();
        prepared.steps.iter().for_each(|step| pending_errors.add(&step.pipeline.check));
        let pending_errors = pending_errors.into_pending_errors();
        Ok(async move {
            // What the device refuses would be done in no time.
            inner.gpu.health.resolve(&pending_errors).await?;
            if let Some(timestamps) = timestamps {
                return timestamps.read(&inner).await;
            }
            let landed = || (inner.has_landed(number) || inner.gpu.health.is_lost()).then_some(());
            inner.gpu.until(Some(index), landed).await;
            inner.gpu.health.check("time")?;
            Ok(inner.flights.last_done() - started)
        })
    }
}
