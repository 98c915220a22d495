//! The native tests of running kernels, in one binary: each further one would link wgpu once more.
//! `web.rs` is the browser's.
#![cfg(not(target_arch = "wasm32"))]

mod common;
/// Random programs, which are the compiler's.
#[path = "../../compile/tests/common/mod.rs"]
mod compile_tests;
mod drawing;
mod errors;
mod fuzz;
mod kernels;
mod memory;
mod prelude;
mod reading;
mod runs;
mod subgroups;
mod support;
