//! Runs compiled programs on a GPU: device, memory, pipelines, runs, read-back, drawing, timing. The only crate that
//! knows wgpu; the same code serves a browser's WebGPU and native Vulkan, Metal and DX12.
//!
//! A [`Runtime`] is one device. Tensors are reference-counted [`ValueId`](weft_ir::graph::ValueId)s, each in one buffer.
//! A compiled [`Executable`](weft_compile::Executable) becomes a [`Prepared`] once and is run any number of times, each run
//! being one encoder, one compute pass and one submit. Nothing here waits for the device except what returns a future;
//! no future borrows the runtime.
//!
//! **Errors.** What can be known at once is an `Err` at once. What a device reports later (a shader it cannot compile, memory it
//! does not have) is remembered with the pipeline or buffer it concerns; every value computed through that carries the doubt,
//! and reading such a value gives the error. Everything else that a device reports is given to the next future awaited.

mod asking;
mod bindings;
mod clock;
mod course;
mod flights;
mod fresh;
mod gpu;
mod health;
mod hold;
mod image;
mod measure;
mod pace;
mod pipelines;
mod pool;
mod prepare;
mod queue;
mod read;
mod render;
mod run;
mod runtime;
mod staging;
mod stats;
mod submit;
mod throttle;
mod uniforms;
mod upload;
mod values;
mod wait;

#[cfg(target_arch = "wasm32")]
mod caller;
#[cfg(target_arch = "wasm32")]
mod canvas;

pub use gpu::{AdapterFacts, OpenOptions, Power};
pub use hold::Hold;
pub use image::{Colormap, ImageLayout};
pub use prepare::Prepared;
pub use runtime::Runtime;
pub use stats::{Stats, Tally};

#[cfg(target_arch = "wasm32")]
pub use canvas::CanvasSurface;
#[cfg(target_arch = "wasm32")]
pub use pipelines::WebCompiler;
