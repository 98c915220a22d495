//! From a tensor program to kernels: simplify, transform, fuse, schedule, lower, plan memory, print
//! WGSL. Pure: no GPU, no clock, no I/O.

pub mod cluster;
pub mod compile;
mod compiler;
mod control;
pub mod device;
pub mod explain;
pub mod family;
pub mod fuse;
mod inspection;
pub mod limits;
pub mod lower;
pub mod plan;
pub mod simplify;
pub mod target;
pub mod transform;
pub mod tune;

pub use compile::{compile, compile_for, compile_with};
pub use compiler::Compiler;
pub use device::DeviceModel;
pub use explain::Explanation;
pub use limits::Limits;
pub use plan::executable::{Carried, Dispatch, Executable, Fused, Repeat, Slot, Uniform};
