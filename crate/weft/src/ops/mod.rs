//! Operations on tensors, a folder for each domain. Rows of [`crate::op`] give them their names in
//! other languages.

pub(crate) mod contract;
pub(crate) mod conv;
pub(crate) mod create;
pub(crate) mod elementwise;
pub(crate) mod index;
pub(crate) mod reduce;
pub(crate) mod shape;
pub(crate) mod signal;
pub(crate) mod sort;
pub(crate) mod statistics;
pub(crate) mod term;
