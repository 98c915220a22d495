//! The live graph: flushes, captures, replays, races of kernels, and devices that fail.

mod bars;
mod capture;
mod carry;
mod differences;
mod explain;
mod flush;
mod inspect;
mod load;
mod misfortune;
mod read_first;
mod sources;
mod tiers;
mod tune;
