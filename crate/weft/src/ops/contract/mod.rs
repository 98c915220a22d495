//! Contractions: products of vectors, matrices and tensors, summed over axes.

pub(crate) mod einsum;
pub(crate) mod matmul;
pub mod quantized;
pub(crate) mod tensordot;
