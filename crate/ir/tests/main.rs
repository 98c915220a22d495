//! The tests of what programs mean, in one binary.

mod convolution;
mod dtype;
mod interpret;
mod interpret_properties;
