//! weft-ir
