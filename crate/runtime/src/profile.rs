//! How long each dispatch of a run takes: by the device's timestamps where it has them, else the run as a whole by the clock.

use crate::clock::now;
use crate::health::DoubtSet;
use crate::prepare::Prepared;
use crate::read::Transfer;
use crate::runtime::{Inner, Runtime};
use crate::stats::count;
use std::rc::Rc;
use weft_ir::error::Result;
use weft_ir::graph::ValueId;
use wgpu::{BufferUsages, CommandEncoder, ComputePassTimestampWrites, Features};

/// WebGPU allows this many queries in a set; a dispatch takes two.
const MOST_DISPATCHES: usize = wgpu::QUERY_SET_MAX_QUERIES as usize / 2;

/// The time of one dispatch.
#[derive(Clone, PartialEq, Debug)]
pub struct DispatchTime {
    /// The kernel's name.
    pub kernel: String,
    /// Workgroups along x, y, z.
    pub workgroups: [u32; 3],
    /// By the device's clock, whose steps may be coarse: browsers round to 65,536.
    pub nanoseconds: f64,
}

/// The times of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// In order; empty where the device has no timestamps.
    pub dispatches: Vec<DispatchTime>,
    /// From the first dispatch's beginning to the last one's end; without timestamps from submit to the news of
    /// completion, which includes the waiting for it.
    pub nanoseconds: f64,
}

/// The queries of one run and the way they come back.
pub(crate) struct Timestamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    pub transfer: Transfer,
    queries: u32,
}

/// How a run is timed.
#[derive(Clone, Copy)]
pub(crate) struct Timing<'a> {
    /// Where its times are noted, by devices that can.
    pub timestamps: Option<&'a Timestamps>,
    /// How often it is run in one pass; `None` for once, each dispatch in a pass of its own.
    pub turns: Option<u32>,
}

impl Timestamps {
    pub fn new(inner: &Rc<Inner>, dispatches: usize) -> Timestamps {
        let queries = 2 * dispatches as u32;
        let bytes = u64::from(queries) * 8;
        count(&inner.gpu.counters.buffers, 1);
        Timestamps {
            set: inner.gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: queries,
            }),
            resolved: inner.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: bytes,
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            transfer: Transfer::new(inner, bytes),
            queries,
        }
    }

    /// What the pass of dispatch `n` writes.
    pub fn of_pass(&self, n: usize) -> Option<ComputePassTimestampWrites<'_>> {
        Some(ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(2 * n as u32),
            end_of_pass_write_index: Some(2 * n as u32 + 1),
        })
    }

    /// After the last pass: brings the times to the staging buffer.
    pub fn resolve(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.queries, &self.resolved, 0);
        let bytes = u64::from(self.queries) * 8;
        encoder.copy_buffer_to_buffer(&self.resolved, 0, self.transfer.buffer(), 0, bytes);
    }
}

impl Runtime {
    /// [`Runtime::run`], and a future of the times it took. With timestamps each dispatch has a pass of its own, so that the
    /// sum is a little more than an unprofiled run takes.
    pub fn run_profiled(
        &self,
        prepared: &Rc<Prepared>,
        leaves: &[ValueId],
        scalars: &[u32],
    ) -> Result<(Vec<ValueId>, impl Future<Output = Result<Profile>> + use<>)> {
        let inner = self.inner.clone();
        let names: Vec<(String, [u32; 3])> =
            prepared.steps.iter().map(|s| (s.pipeline.name.clone(), s.workgroups)).collect();
        let possible = inner.gpu.features.contains(Features::TIMESTAMP_QUERY)
            && (1..=MOST_DISPATCHES).contains(&prepared.steps.len())
            && prepared.repeats.is_empty();
        let mut timestamps = possible.then(|| Timestamps::new(&inner, prepared.steps.len()));
        let started = now();
        let timing = timestamps.as_ref().map(|own| Timing { timestamps: Some(own), turns: None });
        let (values, index) = inner.run(prepared, leaves, scalars, timing)?;
        if let Some(timestamps) = &mut timestamps {
            timestamps.transfer.mapping().start(index.expect("it was submitted"));
        }
        let idle = timestamps.is_none().then(|| self.idle());
        let times = async move {
            match (timestamps, idle) {
                (Some(timestamps), _) => timestamps.read(&inner, names).await,
                (None, Some(idle)) => {
                    idle.await?;
                    Ok(Profile { dispatches: Vec::new(), nanoseconds: now() - started })
                }
                (None, None) => unreachable!("one of the two was made"),
            }
        };
        Ok((values, times))
    }
}

impl Timestamps {
    /// The nanoseconds of each pair of queries, and from the first to the last.
    async fn times(self, inner: &Inner) -> Result<(Vec<f64>, f64)> {
        let period = f64::from(inner.gpu.queue.get_timestamp_period());
        let mut doubts = DoubtSet::default();
        self.transfer.doubt(&mut doubts);
        let bytes = u64::from(self.queries) * 8;
        let parts = self.transfer.finish(&doubts.into_doubts(), &[(0, bytes)]).await?;
        let (words, _) = parts[0].as_chunks::<8>();
        let ticks: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        // A device may put its clock back: never less than nothing.
        let between = |from: u64, to: u64| to.saturating_sub(from) as f64 * period;
        let pairs = ticks.chunks(2).map(|pair| between(pair[0], pair[1])).collect();
        Ok((pairs, between(ticks[0], ticks[ticks.len() - 1])))
    }

    /// The nanoseconds from the first to the last.
    pub async fn span(self, inner: &Inner) -> Result<f64> {
        Ok(self.times(inner).await?.1)
    }

    async fn read(self, inner: &Inner, names: Vec<(String, [u32; 3])>) -> Result<Profile> {
        let (times, nanoseconds) = self.times(inner).await?;
        let dispatches = names
            .into_iter()
            .zip(times)
            .map(|((kernel, workgroups), nanoseconds)| DispatchTime { kernel, workgroups, nanoseconds });
        Ok(Profile { dispatches: dispatches.collect(), nanoseconds })
    }
}
