//! Tuning: which of a cluster's candidates is fastest on this device. The parts need no clock and
//! no device of their own: the key under which alike clusters share a winner, the workload that is
//! timed, the race that says what to time next and who has won, and the table of winners.
//!
//! The runtime times, `weft` has idle moments and keeps the table; what is decided here is tested
//! with a simulated device.

mod contest;
mod key;
mod race;
mod table;

pub use contest::Workload;
pub use key::Key;
pub use race::{Heat, Outcome, Race};
pub use table::{Entry, Table};
