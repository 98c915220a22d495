//! Submission: what is queued, when it goes to the device, and how much is in flight.

pub(crate) mod batching;
pub(crate) mod in_flight;
pub(crate) mod pace;
pub(crate) mod queue;
mod submit;
mod throttle;
