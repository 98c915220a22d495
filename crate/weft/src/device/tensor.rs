//! The tensor handle: a user's reference to a node of the live graph.
//!
//! Handles are counted: cloning adds one, dropping gives it back, and a node that nothing holds or
//! reads vanishes with its memory. Handles given up early, by [`Tensor::dispose`] or by donation,
//! err when used again.

use crate::device::Device;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::{DType, Error, ErrorKind, Result, Shape};

/// What has become of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Life {
    Live,
    Disposed,
    Donated,
}

/// A lazy tensor on a [`Device`]: a shape, a dtype, and a value that is computed when something
/// needs it.
///
/// Operations are methods; they check dtypes and shapes, append to the device's graph and return at
/// once.
pub struct Tensor {
    device: Device,
    id: NodeId,
    facts: Rc<Facts>,
    life: Cell<Life>,
}

/// What all handles of a tensor know.
struct Facts {
    shape: Shape,
    dtype: DType,
    /// Of a plain number that stands as a tensor, an f32: that number, or one like it
    /// ([`crate::lazy::weak`]).
    number: Option<f64>,
}

impl Tensor {
    /// Wraps a node whose handle the caller owns.
    pub(crate) fn adopt(device: &Device, id: NodeId, shape: Shape, dtype: DType) -> Tensor {
        let facts = Rc::new(Facts { shape, dtype, number: None });
        Tensor { device: device.clone(), id, facts, life: Cell::new(Life::Live) }
    }

    /// The same as a plain number that is, or is like, `number`.
    pub(crate) fn into_number(mut self, number: f64) -> Tensor {
        self.facts =
            Rc::new(Facts { shape: self.shape().clone(), dtype: self.dtype(), number: Some(number) });
        self
    }

    /// What plain number it stands for, if it does.
    pub(crate) fn plain_number(&self) -> Option<f64> {
        self.facts.number
    }

    /// Whether two handles mean the same tensor: not an equal one, but this one.
    pub fn is(&self, other: &Tensor) -> bool {
        self.id == other.id && self.device.is(&other.device)
    }

    /// The node, if the handle still counts. Errors with `Disposed` in the name of `op`.
    pub(crate) fn node(&self, op: &str) -> Result<NodeId> {
        let how = match self.life.get() {
            Life::Live => return Ok(self.id),
            Life::Disposed => "was disposed",
            Life::Donated => "was donated to a jit call, which may have written over it",
        };
        Err(Error::new(ErrorKind::Disposed, op, format!("the tensor {self} {how}")))
    }

    /// Gives the handle back; later uses of it err and say why.
    pub(crate) fn end(&self, life: Life) {
        if self.life.replace(life) == Life::Live {
            self.device.release(self.id);
        }
    }

    /// Errors with `Shape` in the name of `op` unless it is of this shape.
    pub(crate) fn expect_shape(&self, op: &str, expected: &Shape) -> Result<()> {
        if self.shape() == expected {
            return Ok(());
        }
        Err(Error::shape(op, format!("got {}, expected {expected}", self.shape())))
    }

    /// The device it lives on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its extents, outermost first; empty for a scalar.
    pub fn shape(&self) -> &Shape {
        &self.facts.shape
    }

    /// Its elements' dtype.
    pub fn dtype(&self) -> DType {
        self.facts.dtype
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.shape().rank()
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        self.shape().size()
    }

    /// Gives the handle back now rather than when it is dropped. Using it again is an error of kind
    /// `Disposed`; other handles to the same tensor, and what was computed from it, live on.
    pub fn dispose(&self) {
        self.end(Life::Disposed);
    }

    /// Whether the handle was disposed or donated.
    pub fn is_disposed(&self) -> bool {
        self.life.get() != Life::Live
    }
}

impl Clone for Tensor {
    /// Another handle to the same tensor; of a disposed handle, another disposed one.
    fn clone(&self) -> Tensor {
        if self.life.get() == Life::Live {
            self.device.retain(self.id);
        }
        Tensor {
            device: self.device.clone(),
            id: self.id,
            facts: Rc::clone(&self.facts),
            life: Cell::new(self.life.get()),
        }
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        self.end(Life::Disposed);
    }
}

impl fmt::Display for Tensor {
    /// Dtype and shape, as `f32[2,3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype(), self.shape())
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({self})")
    }
}
