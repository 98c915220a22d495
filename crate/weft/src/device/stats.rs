//! Counters of what a device has done and holds.

/// Counters of a device since it was opened, and the memory it holds now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Command buffers submitted.
    pub submits: u64,
    /// Compute passes encoded.
    pub passes: u64,
    /// Kernels dispatched.
    pub dispatches: u64,
    /// Pipelines created.
    pub pipelines_compiled: u64,
    /// Buffers created (not those taken from the pool).
    pub buffers_created: u64,
    /// Bytes that live tensors hold.
    pub bytes_live: u64,
    /// The most `bytes_live` has been since [`crate::Device::reset_peak`].
    pub bytes_peak: u64,
    /// Bytes that wait in the pool.
    pub bytes_pooled: u64,
    /// Runs whose program was known already.
    pub program_hits: u64,
    /// Runs whose program had to be compiled.
    pub program_misses: u64,
}

impl From<weft_runtime::Stats> for Stats {
    fn from(s: weft_runtime::Stats) -> Stats {
        Stats {
            submits: s.submits,
            passes: s.passes,
            dispatches: s.dispatches,
            pipelines_compiled: s.pipelines_compiled,
            buffers_created: s.buffers_created,
            bytes_live: s.bytes_live,
            bytes_peak: s.bytes_peak,
            bytes_pooled: s.bytes_pooled,
            program_hits: 0,
            program_misses: 0,
        }
    }
}
