//! The tests of the Rust interface in one binary: each further one would link the engine once more.

mod conformance;
mod lazy;
mod loops;
mod memory;
mod ops;
mod support;
