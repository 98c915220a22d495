//! Loops and branches, made ready for fusion.

pub(crate) mod lower;
mod polled;
