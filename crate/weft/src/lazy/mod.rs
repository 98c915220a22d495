//! Lazy evaluation: operations append nodes to the live graph, and flushes and captures run what is
//! pending.

pub(crate) mod automatic;
pub(crate) mod build;
pub(crate) mod capture;
pub(crate) mod captured;
pub(crate) mod carry;
pub(crate) mod compared;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod flush;
pub(crate) mod operand;
pub(crate) mod option;
pub(crate) mod read;
pub(crate) mod replay;
pub(crate) mod siblings;
pub(crate) mod weak;
