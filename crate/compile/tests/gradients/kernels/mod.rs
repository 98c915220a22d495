//! Derivatives of users' kernels against central differences in f64: of the first and the second
//! order, forwards against backwards, and batches against members one by one.

mod agree;
mod control;
mod random;
mod stores;
mod writing;
