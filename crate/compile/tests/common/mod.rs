//! Helpers that several test files share.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod attentions;
pub mod contractions;
pub mod kernels;
pub mod lines;
pub mod pairs;
pub mod programs;
pub mod regions;
pub mod rotation;
pub mod rows;
pub mod scatters;
pub mod user_kernels;
