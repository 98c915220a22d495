//! Cells that hold a replaceable tensor, and what a function that is being captured reads and
//! assigns outside itself: the state behind [`Parameter`](crate::Parameter) and behind a capture.

use crate::device::tensor::Tensor;
use std::cell::RefCell;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::{DType, Error, ErrorKind, Literal, Result};

/// A cell, shared by the handles to it and by captured functions.
pub(crate) struct ParameterCell {
    current: RefCell<Tensor>,
}

impl ParameterCell {
    /// A cell that holds `tensor`.
    pub fn new(tensor: Tensor) -> ParameterCell {
        ParameterCell { current: RefCell::new(tensor) }
    }

    /// The tensor it holds.
    pub fn current(&self) -> Tensor {
        self.current.borrow().clone()
    }

    /// Puts a tensor in the place of the one it holds.
    pub fn exchange(&self, tensor: Tensor) -> Tensor {
        if let Ok(id) = tensor.node("assign") {
            tensor.device().graph().set_assigned(id);
        }
        self.current.replace(tensor)
    }

    /// The node it holds, without another handle.
    pub fn node(&self) -> Result<NodeId> {
        self.current.borrow().node("parameter")
    }
}

/// Numbers that differ from call to call though the function that uses them is captured once: a
/// learning rate, a step count, a random generator's next key.
pub trait ScalarSource {
    /// Their dtypes.
    fn dtypes(&self) -> Vec<DType>;
    /// Their values for the next call.
    fn next(&self) -> Vec<Literal>;
    /// Their values for each of the next `calls` calls. None of these counts as made.
    fn upcoming(&self, calls: usize) -> Vec<Vec<Literal>>;
}

/// What a function that is being captured has touched so far.
pub(crate) struct Trace {
    /// The age of the newest node from before.
    pub start: u64,
    pub cells: Vec<TracedCell>,
    pub sources: Vec<(Rc<dyn ScalarSource>, Vec<Tensor>)>,
    /// What numbers of the function are needed as besides f32.
    pub twins: Vec<Twin>,
}

/// A cell inside the function: what it held before, and what it holds by now.
pub(crate) struct TracedCell {
    pub cell: Rc<ParameterCell>,
    pub placeholder: Tensor,
    pub current: Tensor,
}

/// What of a number a scalar holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The number, which must be whole and fit.
    Itself,
    /// The whole number next to it, and what the dtype holds next to that.
    Bound(Towards),
    /// Where that whole number is beyond what the dtype holds: −1 below, 1 above, 0 within; 2 for
    /// NaN.
    Beyond(Towards),
}

/// To which side a number becomes whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Towards {
    /// To the largest whole number that is no larger.
    Floor,
    /// To the smallest that is no smaller.
    Ceil,
}

/// A number of a function that is being captured, as an integer.
pub(crate) struct Twin {
    /// The number's placeholder.
    pub number: Tensor,
    /// What of it.
    pub used: Use,
    /// What that must fit.
    pub dtype: DType,
    /// The scalar that stands for it; `None` where the number must only fit.
    pub scalar: Option<Tensor>,
}

/// Functions that are being run on placeholders: the captured one, and those of regions and
/// batches.
#[derive(Default)]
pub(crate) struct OpenFunctions {
    pub trace: RefCell<Option<Trace>>,
    /// Outermost first.
    pub regions: RefCell<Vec<Region>>,
}

/// A region or batch whose functions are being run.
pub(crate) struct Region {
    /// What its functions are given.
    pub placeholders: Vec<NodeId>,
    /// What stands for the iteration of a loop or the member of a batch, a 0-d integer: each draws
    /// random numbers of its own.
    pub number: Option<Tensor>,
}

/// An error of what cannot be captured.
pub(crate) fn trace_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Trace, "jit", message)
}
