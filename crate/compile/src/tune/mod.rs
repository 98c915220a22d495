//! Which of a cluster's candidates is really the fastest on this device? What decides that, without a clock or a device of its own: the
//! key under which alike clusters share an answer, the contest that can be run to find it, the race that says what to time next
//! and who has won, and the table of winners.
//!
//! The runtime times, `weft` has idle moments and keeps the table; what is decided here is tested with a simulated device.

mod contest;
mod key;
mod race;
mod table;

pub use contest::Workload;
pub use key::Key;
pub use race::{Heat, Outcome, Race};
pub use table::{Entry, Table};
