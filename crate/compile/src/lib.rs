//! weft-compile
