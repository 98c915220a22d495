//! Compile times of this device's shader compiler: those of texts that were compiled before, here
//! or on an earlier visit, and estimates for others.

use crate::device::gpu::AdapterFacts;
use std::cell::RefCell;
use std::hash::BuildHasher;
use weft_ir::HashMap;
use weft_ir::kernel::Kernel;

/// Nanoseconds that nobody should wait for a kernel.
const MOST_WAIT: f64 = 5e7;
/// Nanoseconds that a shorter kernel should spare.
const LEAST_SAVED: f64 = 3e7;
/// Nanoseconds for each expression before anything was measured: about what an NVIDIA H100's driver
/// takes, and what SwiftShader does. See docs/decisions/runtime/0060-first-kernels.md.
const HARDWARE_PACE: f64 = 1.5e5;
const SOFTWARE_PACE: f64 = 2.3e5;
/// Smaller kernels tell what every kernel takes, and are compiled soon.
const LEAST_MEASURED: f64 = 128.0;
/// Numbers that are kept: those of 1024 texts.
const MOST_TIMES: usize = 2049;

/// What compilers' time goes by: the expressions that are written out.
pub(super) fn size_of(kernel: &Kernel) -> f64 {
    kernel.exprs.len() as f64
}

/// What the text of a kernel is known by from visit to visit.
pub(super) fn name_of(kernel: &Kernel) -> u32 {
    HashMap::<(), ()>::default().hasher().hash_one(kernel) as u32
}

/// How long texts take this device's compiler: the nanoseconds for each expression of a text that
/// was never compiled, then [`name_of`] each text that was, and its nanoseconds.
pub(crate) struct CompileTimes(RefCell<Vec<f64>>);

impl CompileTimes {
    pub fn new(facts: &AdapterFacts) -> CompileTimes {
        CompileTimes(RefCell::new(vec![if facts.is_fallback { SOFTWARE_PACE } else { HARDWARE_PACE }]))
    }

    /// Takes a measurement. A text that is compiled beside others takes longer: less counts at
    /// once, more little by little. A text that was compiled before may come from a cache of the
    /// driver's: it says nothing of others.
    pub fn measured(&self, name: u32, size: f64, nanoseconds: f64) {
        if size < LEAST_MEASURED {
            return;
        }
        let mut times = self.0.borrow_mut();
        if let Some(at) = find(&times, name.into()) {
            times[at] = nanoseconds.min((times[at] + nanoseconds) / 2.0);
            return;
        }
        let (before, now) = (times[0], nanoseconds / size);
        times[0] += (now - before) / if now < before { 2.0 } else { 16.0 };
        if times.len() < MOST_TIMES {
            times.extend([name.into(), nanoseconds]);
        }
    }

    /// Nanoseconds that a kernel takes, as far as that is known.
    fn of(&self, kernel: &Kernel) -> f64 {
        let times = self.0.borrow();
        let known = find(&times, name_of(kernel).into()).map(|at| times[at]);
        known.unwrap_or(size_of(kernel) * times[0])
    }

    /// Whether people would wait for a kernel.
    pub fn is_slow(&self, kernel: &Kernel) -> bool {
        self.of(kernel) > MOST_WAIT
    }

    /// Whether `first` is compiled so much sooner than a slow kernel that it should serve until
    /// then.
    pub fn is_sooner(&self, kernel: &Kernel, first: &Kernel) -> bool {
        self.of(kernel) - self.of(first) > LEAST_SAVED
    }

    /// Everything that is known.
    pub fn export(&self) -> Vec<f64> {
        self.0.borrow().clone()
    }

    /// Takes what was exported earlier; what was measured since stays.
    pub fn import(&self, earlier: &[f64]) {
        let mut times = self.0.borrow_mut();
        if times.len() == 1 && earlier[0] > 0.0 {
            times[0] = earlier[0];
        }
        for text in earlier[1..].chunks_exact(2) {
            if times.len() < MOST_TIMES && find(&times, text[0]).is_none() {
                times.extend(text);
            }
        }
    }
}

/// Where the time of a text is.
fn find(times: &[f64], name: f64) -> Option<usize> {
    (1..times.len()).step_by(2).find(|&at| times[at] == name).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times() -> CompileTimes {
        CompileTimes::new(&AdapterFacts::default())
    }

    #[test]
    fn the_pace_follows_texts_that_are_compiled_for_the_first_time() {
        let times = times();
        assert_eq!(times.export(), [HARDWARE_PACE]);
        times.measured(1, 1000.0, 1000.0 * HARDWARE_PACE / 2.0);
        assert_eq!(times.export()[0], HARDWARE_PACE * 0.75);
        // From a driver's cache: the text is known to be quick, others are not.
        times.measured(1, 1000.0, 1e6);
        assert_eq!(times.export(), [HARDWARE_PACE * 0.75, 1.0, 1e6]);
        // Beside others it takes longer, and small texts tell nothing.
        times.measured(1, 1000.0, 3e6);
        times.measured(2, LEAST_MEASURED - 1.0, 1e12);
        assert_eq!(times.export(), [HARDWARE_PACE * 0.75, 1.0, 2e6]);
    }

    #[test]
    fn an_earlier_visit_is_remembered_beside_what_was_measured_since() {
        let times = times();
        times.import(&[5.0, 7.0, 70.0]);
        assert_eq!(times.export(), [5.0, 7.0, 70.0]);
        times.import(&[9.0, 7.0, 71.0, 8.0, 80.0, 9.0]);
        assert_eq!(times.export(), [5.0, 7.0, 70.0, 8.0, 80.0]);
        let many: Vec<f64> = (0..3 * MOST_TIMES).map(|n| n as f64).collect();
        times.import(&many);
        assert_eq!(times.export().len(), MOST_TIMES);
    }
}
