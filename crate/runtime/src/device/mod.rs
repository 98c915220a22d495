//! The device: how it is opened, how it fares, how it is waited for, and what it has done.

pub(crate) mod clock;
pub(crate) mod gpu;
pub(crate) mod health;
pub(crate) mod stats;
mod wait;
