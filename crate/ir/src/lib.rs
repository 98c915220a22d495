//! Weft's intermediate representations: dtypes, shapes, the tensor graph, the canonical program,
//! the kernel IR, and the meaning of each, as reference interpreters. This crate knows no GPU, no
//! JavaScript, no clock and no I/O.

#[macro_use]
mod arena;
#[macro_use]
mod listed;

pub mod body;
pub mod build;
pub mod canonical;
mod decimal;
pub mod dtype;
pub mod error;
pub mod functions;
pub mod graph;
pub mod interpret;
pub mod kernel;
pub mod op;
pub mod order;
pub mod order_cache;
pub mod program;
pub mod replay;
mod room;
pub mod shape;
mod table;
pub mod user_kernel;
pub mod verify;

pub use decimal::{Decimal, float_text};
pub use dtype::{DType, Literal};
pub use error::{Details, Error, ErrorKind, Result};
pub use room::check_room;
pub use shape::Shape;
pub use table::{HashMap, HashSet};
