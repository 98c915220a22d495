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
    /// How many went, the oldest first.
    dropped: Cell<usize>,
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
    #[inline]
    pub fn note(&self, compiled: &Rc<Compiled>) {
        let label = self.tally.label();
        if label != 0 {
            self.note_under(label, compiled);
        }
    }

    fn note_under(&self, label: u32, compiled: &Rc<Compiled>) {
        let mut noted = self.noted.borrow_mut();
        let is_it = |noted: &Noted| noted.label == label && noted.program.as_ptr() == Rc::as_ptr(compiled);
        // A loop runs the same programs again.
        if let (under, place) = compiled.noted.get()
            && under == label
        {
            let Some(place) = place else { return };
            if let Some(known) = noted.get_mut(place.wrapping_sub(self.dropped.get()))
                && is_it(known)
            {
                known.times += 1;
                return;
            }
        }
        let place = match noted.iter().rposition(is_it) {
            Some(place) => {
                noted[place].times += 1;
                Some(place)
            }
            None if noted.iter().filter(|noted| noted.label == label).count() == MOST_OF_LABEL => None,
            None => {
                if noted.len() == MOST_NOTED {
                    noted.remove(0);
                    self.dropped.set(self.dropped.get().wrapping_add(1));
                }
                noted.push(Noted { label, program: Rc::downgrade(compiled), times: 1 });
                Some(noted.len() - 1)
            }
        };
        compiled.noted.set((label, place.map(|place| place.wrapping_add(self.dropped.get()))));
    }
}
