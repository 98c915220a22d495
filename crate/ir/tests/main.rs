//! The tests of the IR's semantics, in one binary.

mod convolution;
mod dtype;
mod interpret;
mod interpret_properties;
mod user_kernels;
