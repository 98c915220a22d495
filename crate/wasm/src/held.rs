//! Handles of JavaScript besides tensors: optimizers, captured functions, users' kernels and
//! canvases by their numbers, and functions that are being run on placeholders. All of it goes with
//! the device.

use crate::export::Export;
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

/// Things by number; a number is not used again.
pub struct Numbered<T> {
    /// The number of the first in the list.
    first: u32,
    list: Vec<Option<T>>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { first: 0, list: Vec::new() }
    }
}

impl<T> Numbered<T> {
    /// Takes a thing in and gives its number.
    pub fn add(&mut self, thing: T) -> u32 {
        self.list.push(Some(thing));
        self.first + self.list.len() as u32 - 1
    }

    /// The thing of a number, unless it was let go.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.list.get(number.checked_sub(self.first)? as usize)?.as_ref()
    }

    /// Takes the thing of a number out.
    pub fn remove(&mut self, number: u32) -> Option<T> {
        self.list.get_mut(number.checked_sub(self.first)? as usize)?.take()
    }

    /// Takes everything out. Numbers stay taken.
    fn take(&mut self) -> Numbered<T> {
        let list = std::mem::take(&mut self.list);
        let first = self.first;
        self.first += list.len() as u32;
        Numbered { first, list }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_number_is_not_used_again() {
        let mut things = Numbered::default();
        assert_eq!([things.add("a"), things.add("b")], [0, 1]);
        assert_eq!(things.remove(0), Some("a"));
        let taken = things.take();
        assert_eq!((taken.get(0), taken.get(1)), (None, Some(&"b")));
        assert_eq!(things.add("c"), 2);
        assert_eq!(things.remove(1), None);
        assert_eq!((things.get(1), things.get(2), things.get(3)), (None, Some(&"c"), None));
    }
}
