//! Buffers of tensors and scalars, and the ways in for a caller's bytes.

#[cfg(target_arch = "wasm32")]
mod caller;
pub(crate) mod pool;
pub(crate) mod uniforms;
mod upload;
pub(crate) mod values;
