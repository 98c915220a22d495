//! Operations by name.
//!
//! An operation is declared once, by a row of [`table`]: its documentation, its parameters, the
//! dtypes it takes and yields, whether it has a gradient, and its function. From the rows come the
//! one call across to other languages ([`call`]), and, by `cargo xtask generate`, the functions of
//! the JavaScript package with their types, documentation and reference. Names are those of
//! JavaScript, in camelCase.

mod frame;
mod table;

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use frame::Frame;
pub use frame::Handles;
use weft_ir::{Error, Result};

/// An operation that can be called by name.
pub struct Operation {
    /// What it is called, here and in errors.
    pub name: &'static str,
    /// The dtype it yields, in the table's words.
    gives: &'static str,
    call: Call,
}

impl Operation {
    /// Whether the browser fetches its code with the second download.
    pub fn is_deferred(&self) -> bool {
        let (Call::One(download, _) | Call::Several(download, _)) = self.call;
        matches!(download, Download::Second)
    }
}

/// The function of an operation.
enum Call {
    /// Of those that yield a tensor.
    One(Download, fn(&mut Frame<'_>) -> Result<Tensor>),
    /// Of those that yield several.
    Several(Download, fn(&mut Frame<'_>) -> Result<Vec<Tensor>>),
}

/// The download that a function comes with.
#[derive(Clone, Copy)]
enum Download {
    First,
    Second,
}

/// All operations; the place of each is its number.
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    table::GROUPS.iter().copied().flatten()
}

/// Calls an operation by its number. The arguments are numbers, in the order of its parameters
/// (`frame.rs`). Errors with `Value` when there is no such operation, or it yields several
/// tensors, and as the operation does.
pub fn call(device: &Device, number: usize, handles: &dyn Handles, arguments: &[f64]) -> Result<Tensor> {
    let operation = numbered(number)?;
    let mut frame = Frame::new(operation.name, device, handles, arguments);
    let made = match operation.call {
        Call::One(_, call) => call(&mut frame).and_then(|made| frame.narrowed(made, operation.gives)),
        Call::Several(..) => Err(Error::value(operation.name, "yields several tensors")),
    };
    // Errors name the operation that the user called, not one that it is made of.
    made.map_err(|error| error.named(operation.name))
}

/// [`call`] of an operation that may yield several tensors.
pub fn call_all(
    device: &Device,
    number: usize,
    handles: &dyn Handles,
    arguments: &[f64],
) -> Result<Vec<Tensor>> {
    let operation = numbered(number)?;
    match operation.call {
        Call::One(..) => Ok(vec![call(device, number, handles, arguments)?]),
        Call::Several(_, call) => {
            let mut frame = Frame::new(operation.name, device, handles, arguments);
            // Each result is named before its dtype.
            let mut given =
                operation.gives.split(", ").map(|part| part.split_once(' ').map_or(part, |(_, dtype)| dtype));
            let made = call(&mut frame).and_then(|all| {
                all.into_iter().map(|made| frame.narrowed(made, given.next().unwrap_or_default())).collect()
            });
            made.map_err(|error| error.named(operation.name))
        }
    }
}

fn numbered(number: usize) -> Result<&'static Operation> {
    let mut place = number;
    for rows in table::GROUPS {
        match rows.get(place) {
            Some(operation) => return Ok(operation),
            None => place -= rows.len(),
        }
    }
    Err(Error::value("weft", format!("no operation has the number {number}")))
}

/// The arguments of a call by name, in the order of the operation's parameters.
#[derive(Default)]
pub struct Arguments {
    tensors: Vec<Tensor>,
    numbers: Vec<f64>,
}

impl Arguments {
    /// A tensor, or where the operation takes operands, a plain number.
    pub fn operand(mut self, operand: impl Into<Operand>) -> Arguments {
        match operand.into() {
            Operand::Tensor(tensor) => {
                self.tensors.push(tensor);
                self.numbers.push(self.tensors.len() as f64);
            }
            Operand::Number(number) => self.numbers.extend([0.0, number]),
        }
        self
    }

    /// A number, a count, an axis; a truth value is 1 or 0.
    pub fn number(mut self, number: impl Into<f64>) -> Arguments {
        self.numbers.push(number.into());
        self
    }

    /// A list of numbers: axes, extents, widths.
    pub fn list(mut self, numbers: impl IntoIterator<Item = i64>) -> Arguments {
        let at = self.numbers.len();
        self.numbers.push(0.0);
        self.numbers.extend(numbers.into_iter().map(|number| number as f64));
        self.numbers[at] = (self.numbers.len() - at - 1) as f64;
        self
    }

    /// Axes, or all of them.
    pub fn axes(self, axes: Option<&[i64]>) -> Arguments {
        match axes {
            Some(axes) => self.list(axes.iter().copied()),
            None => self.number(-1.0),
        }
    }

    /// Calls the operation called `name`, which yields one tensor. Errors with `Value` when there
    /// is none, or it yields several.
    pub fn call(self, device: &Device, name: &str) -> Result<Tensor> {
        call(device, number_of(name)?, &&self.tensors[..], &self.numbers)
    }

    /// Calls the operation called `name`. Errors with `Value` when there is none.
    pub fn call_all(self, device: &Device, name: &str) -> Result<Vec<Tensor>> {
        call_all(device, number_of(name)?, &&self.tensors[..], &self.numbers)
    }
}

fn number_of(name: &str) -> Result<usize> {
    let number = operations().position(|operation| operation.name == name);
    number.ok_or_else(|| Error::value(name, "there is no such operation"))
}

impl Handles for &[Tensor] {
    fn tensor(&self, op: &str, handle: u32) -> Result<Tensor> {
        let tensor = (handle as usize).checked_sub(1).and_then(|place| self.get(place));
        tensor.cloned().ok_or_else(|| Error::value(op, format!("no argument has the handle {handle}")))
    }
}
