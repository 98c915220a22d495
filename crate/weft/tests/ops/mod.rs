//! Operations, and functions composed of them.

mod attention;
mod compared;
mod composites;
mod distributions;
mod extremes;
mod fft;
mod graded;
mod kernels;
mod large;
mod learning;
mod linalg;
mod listed;
mod long_sums;
mod moving;
mod order;
mod packed;
mod places;
mod running;
mod scatter;
mod sizes;
mod transforms;
mod weights;
