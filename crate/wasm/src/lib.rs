//! Weft for JavaScript: a thin surface of few, coarse functions over the crate `weft`. The npm package `weft-gpu` (in `js/`) is what
//! people call; it checks nothing that is checked here.
//!
//! Tensors and parameters are handles, small integers that stand for entries of one slab ([`slab`]). Operations of one form share
//! one function and are told apart by their place in a table whose names [`op_names`] lists. Where an operand may be a plain
//! number, handle 0 says that the number beside it is meant. Errors are thrown as instances of the package's own classes
//! ([`error`]).

#![cfg(target_arch = "wasm32")]

mod canvas;
mod capture;
mod create;
mod data;
mod error;
mod gradients;
mod learning;
mod ledger;
mod memory;
mod nn;
mod ops;
mod random;
mod read;
mod session;
mod slab;
mod views;

pub use canvas::*;
pub use capture::*;
pub use create::*;
pub use data::*;
pub use error::install_errors;
pub use gradients::*;
pub use learning::*;
pub use memory::failed_allocation;
pub use nn::*;
pub use ops::*;
pub use random::*;
pub use read::*;
pub use session::{close, dispose, enter, is_lost, lives, open, stats, watch};
pub use views::*;
