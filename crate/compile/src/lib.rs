//! From a tensor program to kernels: simplify, differentiate, fuse, schedule, lower, plan memory, print WGSL. Pure: no GPU, no
//! clock, no I/O.

pub mod executable;

pub use executable::{Dispatch, Executable, Limits, Slot};
