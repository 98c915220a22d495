//! Journal of the programs that ran under a label.

use crate::device::backend::Compiled;
use crate::device::stats::Stats;
use crate::inspect::{Recorder, Recording};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use weft_runtime::Tally;

/// Programs that are remembered under labels; the oldest go first.
const MOST_NOTED: usize = 1024;
/// Programs that are remembered under one label, the first that ran.
const MOST_OF_LABEL: usize = 64;

/// Which programs ran under which label. They are the cache's, and go with it.
#[derive(Default)]
pub(crate) struct Journal {
    pub noted: RefCell<Vec<Noted>>,
    /// Submits, passes, buffers, and programs that were known and were not.
    pub tally: Tally,
    /// What inspectors note of runs.
    pub recording: Cell<Recording>,
    pub recorder: RefCell<Option<Rc<Recorder>>>,
}

/// A program that ran under a label.
pub(crate) struct Noted {
    pub label: u32,
    pub program: Weak<Compiled>,
    pub times: u32,
}

/// What a [`Journal`]'s tally counts.
pub(crate) fn tallied(stats: &Stats) -> [u64; 5] {
    [stats.submits, stats.passes, stats.buffers_created, stats.program_hits, stats.program_misses]
}

impl Journal {
    /// Whether runs are noted with more than their label.
    #[inline(always)]
    pub fn is_recording(&self) -> bool {
        self.recording.get() != Recording::Off
    }

    /// Whether what runs are given is kept, and so not written over.
    pub fn keeps_values(&self) -> bool {
        self.recording.get() == Recording::Values
    }

    /// Notes that a program runs.
    pub fn note(&self, compiled: &Rc<Compiled>) {
        let label = self.tally.label();
        if label == 0 {
            return;
        }
        let mut noted = self.noted.borrow_mut();
        let is_it =
            |noted: &&mut Noted| noted.label == label && noted.program.as_ptr() == Rc::as_ptr(compiled);
        match noted.iter_mut().rev().find(is_it) {
            Some(known) => known.times += 1,
            None => {
                if noted.iter().filter(|noted| noted.label == label).count() == MOST_OF_LABEL {
                    return;
                }
                if noted.len() == MOST_NOTED {
                    noted.remove(0);
                }
                noted.push(Noted { label, program: Rc::downgrade(compiled), times: 1 });
            }
        }
    }
}
