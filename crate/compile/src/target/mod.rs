//! Languages that kernels are printed in.

pub mod wgsl;
