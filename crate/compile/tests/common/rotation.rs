//! Rotation: the seeds and the share of the cases that a run tries.
//!
//! `cargo xtask test` sets `WEFT_TIER` (quick, landing or full) and `WEFT_SEED`, a number that
//! changes with the commit, so that many runs together try what no run has time for. Without them a
//! test runs as for a landing, with seed 0.

use std::env;

/// How much a run tries; each tier tries more than the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Quick,
    Landing,
    Full,
}

pub fn tier() -> Tier {
    match env::var("WEFT_TIER").as_deref() {
        Ok("quick") => Tier::Quick,
        Ok("full") => Tier::Full,
        Ok("landing") | Err(_) => Tier::Landing,
        Ok(other) => panic!("WEFT_TIER is {other}; it is quick, landing or full"),
    }
}

/// The seed of the run.
pub fn seed() -> u64 {
    number("WEFT_SEED").unwrap_or(0)
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, which is no whole number")))
}

/// Every `of`th of what there is, from a place that rotates with the seed, or all of it for a
/// release: where to begin and how far to step. `salt` lets several shares of one run be different
/// ones.
pub fn share(of: usize, salt: usize) -> (usize, usize) {
    if tier() == Tier::Full { (0, 1) } else { ((seed() as usize).wrapping_add(salt) % of, of) }
}

/// The seeds that a fuzzer tries: at a landing a third of `fixed`, from `first` on, and as many
/// that rotate; all of `fixed` and five times as many for a release; a fifth of `fixed` where it is
/// quick. `WEFT_FUZZ` says how many instead.
pub fn seeds(first: u64, fixed: u64) -> impl Iterator<Item = u64> {
    let (fixed, rotating) = match (number("WEFT_FUZZ"), tier()) {
        (Some(count), _) => (0, count),
        (None, Tier::Quick) => (fixed.div_ceil(5), 0),
        (None, Tier::Landing) => (fixed.div_ceil(3), fixed.div_ceil(3)),
        (None, Tier::Full) => (fixed, 5 * fixed),
    };
    // Runs of neighbouring seeds overlap nowhere, as none tries more than this.
    let rotated = first + ROTATES + seed() % 1_000_000 * 100_000;
    (first..first + fixed).chain(rotated..rotated + rotating)
}

/// How far above the first of the seeds those begin that rotate.
const ROTATES: u64 = 1_000_000;

/// Whether every run tries `seed`, one of [`seeds`] from `first` on. A test that asks how many of
/// its cases were of a kind counts these alone: what rotates has a share that changes with the
/// commit.
pub fn is_fixed(first: u64, seed: u64) -> bool {
    seed < first + ROTATES
}
