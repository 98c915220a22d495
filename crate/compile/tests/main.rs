//! The compiler's tests in one binary: each further one would be linked once more.

mod choices;
mod common;
mod compared;
mod donations;
mod fusion;
mod fuzz;
mod gates;
mod gradients;
mod growth;
mod loops;
mod patches;
mod pieces;
mod placed;
mod registers;
mod rows;
mod scatters;
mod simplify;
mod sketch;
mod stages;
mod tiers;
mod tune;
mod units;
mod user_kernels;
mod user_kernels_wide;
mod verify;
mod wgsl;

// Modules that those of the crate which `units` includes find at its root.
use weft_compile::{device, family, limits};
