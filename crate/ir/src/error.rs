//! Errors: one type for every crate, with a kind that a program can match on and a message that a
//! person can act on.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// What sort of mistake or misfortune an [`Error`] is. JavaScript gets one subclass of `WeftError`
/// per kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ErrorKind {
    /// Shapes that do not fit together, ragged or wrongly sized data.
    Shape,
    /// A dtype that the operation does not take.
    DType,
    /// An axis out of range or given twice.
    Axis,
    /// An argument whose value is not allowed.
    Value,
    /// A tensor used after it was disposed, or after its device was lost.
    Disposed,
    /// A value read, or a branch taken on one, where only its shape is known (inside `jit`), or a
    /// misused transform.
    Trace,
    /// A file that is corrupt, truncated or of another format.
    Format,
    /// No adapter, or one that lacks what is needed.
    Adapter,
    /// The device was lost; a new one can be opened.
    DeviceLost,
    /// The device has not enough memory.
    OutOfMemory,
    /// The device refused what Weft generated: a defect in Weft, reported with what it said.
    Internal,
}

impl ErrorKind {
    /// The name of the JavaScript class: `ShapeError`, `DTypeError`, ….
    pub const fn class(self) -> &'static str {
        match self {
            ErrorKind::Shape => "ShapeError",
            ErrorKind::DType => "DTypeError",
            ErrorKind::Axis => "AxisError",
            ErrorKind::Value => "ValueError",
            ErrorKind::Disposed => "DisposedError",
            ErrorKind::Trace => "TraceError",
            ErrorKind::Format => "FormatError",
            ErrorKind::Adapter => "AdapterError",
            ErrorKind::DeviceLost => "DeviceLostError",
            ErrorKind::OutOfMemory => "OutOfMemoryError",
            ErrorKind::Internal => "InternalError",
        }
    }
}

/// An error: its kind, the operation it arose in, and what was expected. Displays as `matmul:
/// [64,784] × [10,784]: 784 ≠ 10`.
///
/// One pointer wide: results that hold one are returned by almost every function, and seldom are
/// errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(Box<Details>);

/// What an [`Error`] tells, read and changed through it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Details {
    /// What sort of error this is.
    pub kind: ErrorKind,
    /// The operation as the user called it, for instance `matmul`.
    pub op: String,
    /// What was wrong with what, and what was expected.
    pub message: String,
}

/// A result whose error is Weft's own.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` in operation `op`.
    pub fn new(kind: ErrorKind, op: &str, message: impl Into<String>) -> Error {
        Error(Box::new(Details { kind, op: op.to_owned(), message: message.into() }))
    }

    /// The same error in the name of `op`.
    pub fn named(mut self, op: &str) -> Error {
        op.clone_into(&mut self.op);
        self
    }

    /// Shapes that do not fit.
    pub fn shape(op: &str, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Shape, op, message)
    }

    /// A dtype the operation does not take.
    pub fn dtype(op: &str, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::DType, op, message)
    }

    /// An axis out of range or repeated.
    pub fn axis(op: &str, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Axis, op, message)
    }

    /// An argument with a value that is not allowed.
    pub fn value(op: &str, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Value, op, message)
    }
}

impl Deref for Error {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.op, self.message)
    }
}

impl std::error::Error for Error {}
