//! Compile times of this device's shader compiler, estimated from what it took before.

use std::cell::Cell;
use weft_ir::kernel::Kernel;

/// What compilers' time goes by: the expressions that are written out.
pub(super) fn size_of(kernel: &Kernel) -> f64 {
    kernel.exprs.len() as f64
}

/// How long this device's compiler takes, by the size of what it compiles. Before anything was
/// measured it is a guess: see docs/decisions/runtime/0060-first-kernels.md.
pub(crate) struct CompilePace(Cell<f64>);

/// Nanoseconds of a kernel for which nobody should wait.
const MOST_WAIT: f64 = 1e8;
/// Nanoseconds for each expression, at first.
const OF_EXPRESSION: f64 = 3e5;
/// Expressions below which a measurement tells of what every kernel takes.
const LEAST_MEASURED: f64 = 256.0;

impl Default for CompilePace {
    fn default() -> CompilePace {
        CompilePace(Cell::new(OF_EXPRESSION))
    }
}

impl CompilePace {
    /// Takes a measurement. What is compiled beside others takes longer: less counts at once, more
    /// little by little.
    pub fn measured(&self, size: f64, nanoseconds: f64) {
        if size >= LEAST_MEASURED {
            let (before, now) = (self.0.get(), nanoseconds / size);
            self.0.set(if now < before { now } else { before + (now - before) / 16.0 });
        }
    }

    /// Whether people would wait for a kernel.
    pub fn is_slow(&self, kernel: &Kernel) -> bool {
        size_of(kernel) * self.0.get() > MOST_WAIT
    }
}
