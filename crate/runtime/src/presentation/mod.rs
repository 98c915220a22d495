//! Tensors drawn as pictures, on canvases and into bytes.

#[cfg(target_arch = "wasm32")]
pub(crate) mod canvas;
pub(crate) mod image;
pub(crate) mod render;
