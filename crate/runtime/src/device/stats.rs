//! Counters behind `stats()`, and sizes as people read them.

use std::cell::{Cell, RefCell};

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
    tally: Tally,
}

impl Counters {
    pub fn now(&self) -> [u64; 5] {
        [&self.submits, &self.passes, &self.dispatches, &self.pipelines, &self.buffers].map(Cell::get)
    }

    /// What is counted from now on is that label's. Returns the label before.
    pub fn turn(&self, label: u32) -> u32 {
        self.tally.turn(label, self.now())
    }

    /// The label that stands.
    pub fn label(&self) -> u32 {
        self.tally.label()
    }

    /// What was counted under a label.
    pub fn share(&self, label: u32) -> [u64; 5] {
        self.tally.share(label, self.now())
    }
}

/// Labels whose shares are known; those longest without a count go first.
const MOST_LABELS: usize = 256;

/// Five counters by label: what is counted while a label stands is that label's share.
#[derive(Default)]
pub struct Tally {
    label: Cell<u32>,
    /// What was counted when the label came.
    since: Cell<[u64; 5]>,
    shares: RefCell<Vec<(u32, [u64; 5])>>,
}

impl Tally {
    /// What is counted from now on is that label's; `now` is what was counted so far. Returns the
    /// label before.
    pub fn turn(&self, label: u32, now: [u64; 5]) -> u32 {
        let since = self.since.replace(now);
        let before = self.label.replace(label);
        if since != now {
            let mut shares = self.shares.borrow_mut();
            let known = shares.iter().position(|&(whose, _)| whose == before);
            let mut share = known.map_or((before, [0; 5]), |at| shares.remove(at));
            for ((sum, from), to) in share.1.iter_mut().zip(since).zip(now) {
                *sum += to - from;
            }
            if shares.len() == MOST_LABELS {
                shares.remove(0);
            }
            shares.push(share);
        }
        before
    }

    /// The label that stands.
    pub fn label(&self) -> u32 {
        self.label.get()
    }

    /// A label's share.
    pub fn share(&self, label: u32, now: [u64; 5]) -> [u64; 5] {
        self.turn(self.label.get(), now);
        let shares = self.shares.borrow();
        shares.iter().find(|&&(whose, _)| whose == label).map_or([0; 5], |&(_, share)| share)
    }
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
    use super::{MOST_LABELS, Tally, size};

    #[test]
    fn counts_belong_to_the_label_that_stands() {
        let tally = Tally::default();
        assert_eq!(tally.turn(7, [1, 0, 0, 0, 2]), 0);
        assert_eq!(tally.turn(8, [3, 0, 5, 0, 2]), 7);
        assert_eq!(tally.share(7, [4, 0, 5, 1, 2]), [2, 0, 5, 0, 0]);
        assert_eq!(tally.share(8, [4, 0, 5, 1, 2]), [1, 0, 0, 1, 0]);
        assert_eq!((tally.label(), tally.share(9, [4, 0, 5, 1, 2])), (8, [0; 5]));
        // A label that goes on counting outlives those that came and went.
        for n in 1..=2 * MOST_LABELS as u64 {
            tally.turn(8, [4 + 2 * n - 1, 0, 5, 1, 2]);
            tally.turn(100 + n as u32, [4 + 2 * n, 0, 5, 1, 2]);
        }
        let now = [4 + 4 * MOST_LABELS as u64, 0, 5, 1, 2];
        assert_eq!(tally.share(8, now), [2 + 2 * MOST_LABELS as u64, 0, 0, 1, 0]);
        assert_eq!(tally.share(7, now), [0; 5], "the longest without a count");
    }

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
