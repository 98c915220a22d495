//! Memory: buffers that are written in place or reused, and peaks.

mod overwrite;
mod peak;
mod temporaries;
