//! Clock of flushes: how often there were any, and at how many stored bytes pending work is looked
//! at next.

use std::cell::Cell;

/// How many bytes may be stored before pending work is looked at, unless parameters take more.
const MOST_STORED: u64 = 64 << 20;

pub(crate) struct FlushClock {
    most_stored: Cell<u64>,
    ticks: Cell<u32>,
}

impl Default for FlushClock {
    fn default() -> FlushClock {
        FlushClock { most_stored: Cell::new(MOST_STORED), ticks: Cell::new(0) }
    }
}

impl FlushClock {
    /// How many flushes there were, and looks at pending work. Wraps.
    pub fn ticks(&self) -> u32 {
        self.ticks.get()
    }

    pub fn tick(&self) {
        self.ticks.set(self.ticks().wrapping_add(1));
    }

    /// Whether `stored` bytes are a reason to look at pending work.
    pub fn is_due(&self, stored: u64) -> bool {
        stored >= self.most_stored.get()
    }

    /// Notes the bytes that parameters take: as many may be stored before the next look.
    pub fn make_room_for(&self, parameters: u64) {
        self.most_stored.set(MOST_STORED.max(parameters));
    }
}
