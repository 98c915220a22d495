//! From a tensor program to kernels: simplify, transform, fuse, schedule, lower, plan memory, print WGSL. Pure: no GPU, no
//! clock, no I/O.

pub mod accumulate;
mod asked;
pub mod builder;
mod coordinates;
mod copied;
pub mod cost;
pub mod donate;
pub mod elementwise;
pub mod eval;
pub mod executable;
pub mod explain;
pub mod family;
pub mod fuse;
mod gate;
mod guard;
pub mod index;
pub mod limits;
pub mod placed;
pub mod plan;
mod positions;
mod region;
mod share;
pub mod simplify;
pub mod transform;
pub mod tune;
pub mod verify;
pub mod walk;
pub mod wgsl;

pub use executable::{Carried, Dispatch, Executable, Fused, Repeat, Slot, Uniform};
pub use explain::Explanation;
pub use limits::Limits;
pub use plan::{compile, compile_telling, compile_with};
