//! Transformations of users' kernels: kernels that give the derivatives of a kernel, and a kernel
//! for a batch.
//!
//! A kernel becomes one or more others, each a function of the same inputs and of what the ones
//! before it gave. They know no shapes either; what they read and give is named by [`Role`] and
//! [`Yield`], and `calls` makes operations of the graph of them.
//!
//! Deferred: few programs have kernels of users.

mod activity;
mod arena;
mod batch;
mod calls;
mod copies;
mod forward;
mod gather;
mod jumps;
mod live;
mod loops;
mod prepare;
mod reverse;
mod roles;
mod rules;
mod ssa;
mod stages;
mod sweep;
mod tally;
mod unchanged;

pub use activity::Asked;
pub use batch::{Batched, batched};
pub(super) use calls::{batch, pull, push};
pub use forward::forward_kernels as forward;
pub use jumps::without_jumps;
pub use roles::{Derived, Role, Sizes, Yield};
pub use stages::reverse_kernels as reverse;
