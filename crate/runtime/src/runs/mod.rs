//! Runs of prepared programs, from binding their leaves to the end of their last loop.

pub(crate) mod dispatch_times;
mod loop_polling;
pub(crate) mod measure;
mod pipeline_wait;
pub(crate) mod profile;
pub(crate) mod progress;
mod run;
