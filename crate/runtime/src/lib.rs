//! Runs compiled programs on a GPU: device, memory, pipelines, runs, read-back, drawing, timing.
//! The only crate that knows wgpu; the same code serves a browser's WebGPU and native Vulkan, Metal
//! and DX12.
//!
//! A [`Runtime`] is one device. Tensors are reference-counted
//! [`ValueId`](weft_ir::graph::ValueId)s, each in one buffer. A compiled
//! [`Executable`](weft_compile::Executable) becomes a [`Prepared`] once and is run any number of
//! times, each run being one encoder, one compute pass and one submit. Nothing here waits for the
//! device except what returns a future; no future borrows the runtime.
//!
//! **Errors.** What can be known at once is an `Err` at once. What a device reports later (a shader
//! it cannot compile, memory it does not have) is remembered with the pipeline or buffer it
//! concerns; every value computed through that carries the pending error, and reading such a value
//! gives the error. Everything else that a device reports is given to the next future awaited.

mod device;
mod memory;
mod pipelines;
mod presentation;
mod read_back;
mod runs;
mod runtime;
mod submission;

pub use device::clock::now as clock;
pub use device::gpu::{AdapterFacts, OpenOptions, Power};
pub use device::stats::{Stats, Tally};
pub use pipelines::prepare::Prepared;
pub use presentation::image::{Colormap, ImageLayout};
pub use runs::dispatch_times::{DispatchTime, DispatchTimes, EndOfRun};
pub use runtime::Runtime;
pub use submission::batching::SubmitBatching;

pub use pipelines::BackgroundCompiler;
#[cfg(target_arch = "wasm32")]
pub use presentation::canvas::CanvasSurface;
