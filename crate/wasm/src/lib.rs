//! Weft for JavaScript: a thin surface of few, coarse functions over the crate `weft`. People call
//! the npm package `weft-gpu` (in `js/`), which does not repeat the checks made here.
//!
//! Tensors and parameters are handles, small integers that name entries of one slab ([`slab`]). One
//! function, [`call`], runs all operations, by their place in a table whose names [`op_names`]
//! lists. Errors are thrown as instances of the package's own classes ([`error`]).

#![cfg(target_arch = "wasm32")]

mod canvas;
mod capture;
mod control;
mod create;
mod data;
mod device;
mod error;
mod explain;
mod export;
mod gradients;
mod held;
mod inspect;
mod kernels;
mod learning;
mod memory;
mod numbered;
mod ops;
mod random;
mod read;
mod session;
mod slab;
mod tune;

pub use canvas::*;
pub use capture::*;
pub use control::*;
pub use create::*;
pub use data::*;
pub use device::{is_lost, open, stats};
pub use error::install_errors;
pub use explain::*;
pub use gradients::*;
pub use inspect::*;
pub use kernels::*;
pub use learning::*;
pub use memory::failed_allocation;
pub use ops::*;
pub use random::*;
pub use read::*;
pub use session::{bytes_live, close, dispose, dispose_all, enter, lives, ticks, watch};
pub use tune::*;
