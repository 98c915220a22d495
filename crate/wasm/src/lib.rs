//! weft-wasm
