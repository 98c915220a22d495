//! Timestamp queries of dispatches. While a profile is on, each dispatch has a compute pass of its
//! own with a timestamp at both ends; submits stay what they are. `dispatch_times.rs` reads them.

use crate::device::gpu::Gpu;
use crate::device::stats::count;
use std::cell::{Cell, RefCell};
use wgpu::{BufferUsages, ComputePassTimestampWrites, Features};

/// Dispatches whose times are kept: WebGPU has at most 4,096 queries in a set.
pub(crate) const MOST_DISPATCHES: u32 = 2048;
/// Bytes of the two times of a dispatch.
pub(crate) const BYTES: u64 = 16;

/// What is on, and what was noted.
#[derive(Default)]
pub(crate) struct Profile {
    is_on: Cell<bool>,
    /// The number of the latest run.
    pub run: Cell<u32>,
    pub queries: RefCell<Option<Queries>>,
}

/// The queries of the latest dispatches, and which those were.
pub(crate) struct Queries {
    pub set: wgpu::QuerySet,
    pub resolved: wgpu::Buffer,
    /// The run and the step of each pair of queries.
    pub noted: Vec<(u32, u32)>,
    /// The pair that is written next.
    pub next: u32,
}

/// The queries of a pass.
pub(crate) struct PassQueries {
    set: wgpu::QuerySet,
    first: u32,
}

impl PassQueries {
    /// What the pass writes.
    pub fn writes(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(self.first),
            end_of_pass_write_index: Some(self.first + 1),
        }
    }
}

impl Profile {
    /// Another run begins.
    #[inline(always)]
    pub fn begin_run(&self) -> u32 {
        self.run.set(self.run.get().wrapping_add(1));
        self.run.get()
    }

    /// The queries for a dispatch, where it is timed.
    #[inline(always)]
    pub fn queries(&self, run: u32, step: usize) -> Option<PassQueries> {
        if self.is_on.get() { self.next(run, step as u32) } else { None }
    }

    /// Times dispatches from now on, or no more; what was noted is forgotten.
    pub fn switch(&self, gpu: &Gpu, is_on: bool) {
        let queries = if is_on { Queries::new(gpu) } else { None };
        self.is_on.set(queries.is_some());
        self.queries.replace(queries);
    }

    /// Deferred: profiles are asked for by hand.
    #[inline(never)]
    fn next(&self, run: u32, step: u32) -> Option<PassQueries> {
        let mut queries = self.queries.borrow_mut();
        let queries = queries.as_mut()?;
        let pair = queries.next;
        queries.next = (pair + 1) % MOST_DISPATCHES;
        match queries.noted.get_mut(pair as usize) {
            Some(noted) => *noted = (run, step),
            None => queries.noted.push((run, step)),
        }
        Some(PassQueries { set: queries.set.clone(), first: 2 * pair })
    }
}

impl Queries {
    /// None where the device has no timestamps.
    fn new(gpu: &Gpu) -> Option<Queries> {
        if !gpu.features.contains(Features::TIMESTAMP_QUERY) {
            return None;
        }
        count(&gpu.counters.buffers, 1);
        Some(Queries {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2 * MOST_DISPATCHES,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: BYTES * u64::from(MOST_DISPATCHES),
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            noted: Vec::new(),
            next: 0,
        })
    }
}
