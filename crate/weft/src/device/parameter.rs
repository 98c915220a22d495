//! Parameters and optimizer state: cells whose tensor is replaced as a program learns.
//!
//! A cell's tensor is a root of every flush, so that it is stored rather than recomputed from its
//! history, and assigning frees the old one. Inside a function that is being captured, a cell that
//! is touched becomes an implicit input, and, if it is assigned, an implicit output.

use crate::device::Device;
use crate::device::cell::ParameterCell;
use crate::device::tensor::Tensor;
use std::fmt;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::{Error, Result};

/// A cell that holds a tensor. Clones are the same cell.
#[derive(Clone)]
pub struct Parameter {
    pub(crate) cell: Rc<ParameterCell>,
    device: Device,
}

impl Parameter {
    /// A cell that holds `tensor`. Errors with `Disposed`.
    pub fn new(tensor: Tensor) -> Result<Parameter> {
        let id = tensor.node("parameter")?;
        let device = tensor.device().clone();
        device.graph().set_assigned(id);
        let cell = Rc::new(ParameterCell::new(tensor));
        device.inner.extra_roots.borrow_mut().add_cell(&cell);
        Ok(Parameter { cell, device })
    }

    /// The device it lives on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The tensor it holds now.
    pub fn get(&self) -> Result<Tensor> {
        match self.device().traced_cell(&self.cell)? {
            Some(traced) => Ok(traced),
            None => Ok(self.cell.current()),
        }
    }

    /// Puts another tensor of the same shape and dtype in its place and frees the old one, unless
    /// someone else holds it.
    ///
    /// Errors with `Shape` or `DType` when it differs, `Value` when it lives on another device.
    pub fn set(&self, tensor: Tensor) -> Result<()> {
        self.replace(tensor).map(drop)
    }

    /// As [`Parameter::set`], handing the old tensor out.
    pub fn replace(&self, tensor: Tensor) -> Result<Tensor> {
        let name = "assign";
        self.device().node(name, &tensor)?;
        self.device().check_not_within(name, &tensor)?;
        let current = self.get()?;
        tensor.expect_shape(name, current.shape())?;
        if tensor.dtype() != current.dtype() {
            return Err(Error::dtype(name, format!("got {tensor}, expected {current}")));
        }
        if self.device().set_traced_cell(&self.cell, &tensor) {
            return Ok(current);
        }
        drop(current);
        Ok(self.cell.exchange(tensor))
    }

    /// Whether two handles are the same cell.
    pub fn is(&self, other: &Parameter) -> bool {
        Rc::ptr_eq(&self.cell, &other.cell)
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parameter({})", self.cell.current())
    }
}

impl Device {
    /// The nodes that cells hold, oldest cell first; cells that are gone are forgotten.
    pub(crate) fn held_by_cells(&self) -> Vec<NodeId> {
        self.inner.extra_roots.borrow_mut().held_by_cells()
    }
}
