//! Counters behind `stats()`, and sizes as people read them.

use std::cell::Cell;

/// Counters of a [`Runtime`](crate::Runtime) since it was opened, and its present memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Command buffers submitted, one at a time: runs, read-backs and drawings.
    pub submits: u64,
    /// Compute passes encoded. A run is one, a profiled run one per dispatch.
    pub passes: u64,
    /// Dispatches encoded.
    pub dispatches: u64,
    /// Compute pipelines created, those that failed included.
    pub pipelines_compiled: u64,
    /// Buffers created on the device: tensors, staging and scalar ring. Reuse from the pool does
    /// not count.
    pub buffers_created: u64,
    /// Bytes of the tensor buffers handed out at this moment, rounded up to their size classes.
    pub bytes_live: u64,
    /// The largest `bytes_live` since the peak was reset; includes the temporaries of a run while
    /// it is encoded.
    pub bytes_peak: u64,
    /// Bytes of the tensor buffers that lie idle in the pool.
    pub bytes_pooled: u64,
}

/// The monotonic counters, shared by the parts that count.
#[derive(Default)]
pub(crate) struct Counters {
    pub submits: Cell<u64>,
    pub passes: Cell<u64>,
    pub dispatches: Cell<u64>,
    pub pipelines: Cell<u64>,
    pub buffers: Cell<u64>,
}

/// Adds to a counter.
pub(crate) fn count(counter: &Cell<u64>, by: u64) {
    counter.set(counter.get() + by);
}

/// `bytes` as people read it: `512 bytes`, `1.5 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1 << 10 {
        return format!("{bytes} bytes");
    }
    let step = (bytes.ilog2() as usize / 10).min(units.len());
    // In tenths, rounded: formatting floats, or integers of 128 bits, would take more code than all
    // of this file.
    let unit = 1u64 << (10 * step);
    let tenths = 10 * (bytes / unit) + (10 * (bytes % unit) + unit / 2) / unit;
    format!("{}.{} {}", tenths / 10, tenths % 10, units[step - 1])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_read_well() {
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(128 << 20), "128.0 MiB");
        assert_eq!(size((2 << 20) - 1), "2.0 MiB");
        assert_eq!(size(5 << 40), "5.0 TiB");
        assert_eq!(size(u64::MAX), "16777216.0 TiB");
    }
}
