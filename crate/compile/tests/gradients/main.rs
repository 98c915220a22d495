//! Gradients against central finite differences, in f64 on the reference interpreter: every rule, once and nested.

mod check;
mod driver;
mod elementwise;
mod indexing;
mod linear;
mod reductions;
mod views;
