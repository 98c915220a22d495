//! Read-back through staging buffers.

pub(crate) mod read;
pub(crate) mod staging;
