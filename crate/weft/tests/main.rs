//! The tests of the Rust interface in one binary: each further one would link the engine once more.

mod conformance;
mod lazy;
mod loops;
mod memory;
// What JavaScript names tensors by needs no browser, and the crate around it is empty here.
#[allow(dead_code)]
#[path = "../../wasm/src/numbered.rs"]
mod numbered;
mod ops;
#[allow(dead_code)]
#[path = "../../wasm/src/slab.rs"]
mod slab;
mod support;
