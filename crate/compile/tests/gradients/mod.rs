//! Transformations in f64 on the reference interpreter: gradients against central finite
//! differences, batches against loops; every rule, once and nested.

mod check;
mod driver;
mod elementwise;
mod indexing;
mod kernels;
mod linear;
mod loops;
mod reductions;
mod replay;
mod table;
mod views;
