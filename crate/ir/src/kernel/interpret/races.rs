//! Races in workgroup memory: two invocations that reach one element between two barriers, one of
//! them to store. In lock step such a kernel computes what a barrier would make of it; a device
//! need not.

use super::super::{ArrayId, Kernel, Space};

/// What has reached an element, and when; an invocation is counted from 1, and 0 is none.
#[derive(Clone, Copy, Default)]
struct Access {
    /// Barriers before the store, and who stored.
    stored: (u32, u32),
    /// Barriers before the loads, and who loaded: one, or [`SEVERAL`].
    loaded: (u32, u32),
}

const SEVERAL: u32 = u32::MAX;

/// Accesses to the elements of a workgroup's arrays. Atomic arrays are not among them: their
/// accesses are of any order.
pub(super) struct Races {
    barriers: u32,
    arrays: Vec<Vec<Access>>,
}

impl Races {
    pub fn new(kernel: &Kernel) -> Races {
        let elements = |space| if let Space::Workgroup(length) = space { length as usize } else { 0 };
        let arrays = kernel.arrays.iter().map(|array| vec![Access::default(); elements(array.space)]);
        Races { barriers: 0, arrays: arrays.collect() }
    }

    pub fn barrier(&mut self) {
        self.barriers += 1;
    }

    /// Notes a load; false where another invocation has stored since the last barrier.
    pub fn load(&mut self, array: ArrayId, element: usize, invocation: usize) -> bool {
        let (now, who) = (self.barriers, invocation as u32 + 1);
        let Some(access) = self.arrays[array.index()].get_mut(element) else { return true };
        let alone = access.loaded.0 != now || access.loaded.1 == who || access.loaded.1 == 0;
        access.loaded = (now, if alone { who } else { SEVERAL });
        access.stored.1 == 0 || access.stored == (now, who) || access.stored.0 != now
    }

    /// Notes a store; false where another invocation has loaded or stored since the last barrier.
    pub fn store(&mut self, array: ArrayId, element: usize, invocation: usize) -> bool {
        let (now, who) = (self.barriers, invocation as u32 + 1);
        let Some(access) = self.arrays[array.index()].get_mut(element) else { return true };
        let before = *access;
        access.stored = (now, who);
        [before.stored, before.loaded].iter().all(|&(when, by)| by == 0 || by == who || when != now)
    }
}
