//! From tensors to scalars: what kernel families write kernels with.

pub mod accumulate;
pub mod builder;
pub mod coordinates;
pub mod cost;
mod counted_loop;
pub mod dynamic_offset;
pub mod elementwise;
pub mod eval;
pub mod fixed_point;
pub(crate) mod guard;
pub mod index;
mod let_bindings;
pub(crate) mod positions;
pub(crate) mod workgroup_copy;
