//! How long do a program's kernels take, run so often in one pass? By the device's timestamps where it has them, else by the clock from
//! the submit to the news of its end.

use crate::clock::now;
use crate::health::DoubtSet;
use crate::prepare::Prepared;
use crate::profile::{Timestamps, Timing};
use crate::runtime::Runtime;
use std::rc::Rc;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::Features;

impl Runtime {
    /// A tensor of so many bytes, all zero, without bringing them: the caller holds the value once. Errors as [`Runtime::upload`].
    pub fn zeros(&self, bytes: u64) -> Result<ValueId> {
        const OP: &str = "zeros";
        let inner = &*self.inner;
        inner.gpu.health.check(OP)?;
        inner.drain();
        let pool = &inner.pool;
        let buffer = pool.borrow_mut().acquire(&inner.gpu, OP, bytes)?;
        let mut doubts = DoubtSet::default();
        doubts.add(pool.borrow().check(buffer));
        let mut encoder = inner.gpu.encoder();
        encoder.clear_buffer(pool.borrow().buffer(buffer), 0, None);
        inner.gpu.queue.submit([encoder.finish()]);
        Ok(inner.values.borrow_mut().insert(buffer, bytes, doubts.into_doubts()))
    }

    /// Runs a program's dispatches `turns` times in one pass and one submit of their own, and tells the nanoseconds that took; of no turns,
    /// what measuring takes by itself. What is computed is lost. Programs with loops, and dispatches that are run in pieces or counted by
    /// others, are not for this: `Internal`. Other errors as [`Runtime::run`].
    pub fn time(
        &self,
        prepared: &Rc<Prepared>,
        leaves: &[ValueId],
        scalars: &[u32],
        turns: u32,
    ) -> Result<impl Future<Output = Result<f64>> + use<>> {
        let inner = self.inner.clone();
        let is_plain = prepared.steps.iter().all(|step| !step.in_pieces && step.counted.is_none());
        if !prepared.repeats.is_empty() || !is_plain || prepared.steps.is_empty() {
            return Err(Error::new(ErrorKind::Internal, "time", "only plain dispatches are timed"));
        }
        let has_timestamps = inner.gpu.features.contains(Features::TIMESTAMP_QUERY);
        let mut timestamps = has_timestamps.then(|| Timestamps::new(&inner, 1));
        inner.drain();
        let timing = Timing { timestamps: timestamps.as_ref(), turns: Some(turns) };
        let started = now();
        let (values, index) = inner.run(prepared, leaves, scalars, Some(timing))?;
        values.into_iter().for_each(|value| self.release(value));
        let index = index.expect("it was submitted");
        if let Some(timestamps) = &mut timestamps {
            timestamps.transfer.mapping().start(index.clone());
        }
        let number = inner.waiting.number();
        let mut doubts = DoubtSet::default();
        prepared.steps.iter().for_each(|step| doubts.add(&step.pipeline.check));
        let doubts = doubts.into_doubts();
        Ok(async move {
            // What the device refuses would be done in no time.
            inner.gpu.health.resolve(&doubts).await?;
            if let Some(timestamps) = timestamps {
                return timestamps.span(&inner).await;
            }
            let landed = || (inner.has_landed(number) || inner.gpu.health.lost().is_some()).then_some(());
            inner.gpu.until(Some(index), landed).await;
            inner.gpu.health.check("time")?;
            Ok(inner.flights.last_done() - started)
        })
    }
}
