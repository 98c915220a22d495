//! Handles of JavaScript besides tensors: optimizers, captured functions, users' kernels and
//! canvases by their numbers, and functions that are being run on placeholders. All of it goes with
//! the device.

use crate::export::Export;
use crate::numbered::Numbered;
use std::rc::Rc;
use weft::optim::Optimizer;
use weft::{Batch, Captured, Kernel, Parameter, Tensor, Tracing};
use weft_runtime::CanvasSurface;

/// See the module's header.
#[derive(Default)]
pub struct Held {
    pub optimizers: Numbered<Rc<Optimizer>>,
    pub captured: Numbered<Rc<Function>>,
    pub kernels: Numbered<Kernel>,
    pub canvases: Numbered<CanvasSurface>,
    pub running: Running,
    /// An export that was begun.
    pub export: Option<Export>,
    /// The weights of one that was taken.
    pub exported: Vec<Tensor>,
}

impl Held {
    /// Takes all of it out. Numbers stay taken.
    pub fn take(&mut self) -> Held {
        Held {
            optimizers: self.optimizers.take(),
            captured: self.captured.take(),
            kernels: self.kernels.take(),
            canvases: self.canvases.take(),
            running: std::mem::take(&mut self.running),
            export: self.export.take(),
            exported: std::mem::take(&mut self.exported),
        }
    }
}

/// Functions that are being run on placeholders. In each list the innermost is last.
#[derive(Default)]
pub struct Running {
    /// Loops and branches.
    pub regions: Vec<Tracing>,
    /// Functions with derivatives of their own.
    pub custom: Vec<Tracing>,
    /// Functions under `vmap`.
    pub batches: Vec<Batch>,
    /// Marks in the place of what parameters hold, while a function of them is differentiated.
    pub stand_ins: Vec<Vec<StandIn>>,
}

/// A captured function, and where its results are.
pub struct Function {
    pub captured: Captured,
    pub results: Vec<Destination>,
}

/// Where a result of a captured function is.
#[derive(Clone, Copy, PartialEq)]
pub enum Destination {
    /// Among the outputs.
    Output,
    /// In the ledger, in the next slot that the call writes.
    Ledger,
}

/// A parameter that holds a mark, and what it held before.
pub struct StandIn {
    pub parameter: Parameter,
    pub mark: Tensor,
    pub before: Tensor,
}

impl StandIn {
    /// Gives the parameter its tensor back, unless another than the mark was assigned since.
    pub fn restore(self) -> weft::Result<()> {
        if self.parameter.get()?.is(&self.mark) { self.parameter.set(self.before) } else { Ok(()) }
    }
}
