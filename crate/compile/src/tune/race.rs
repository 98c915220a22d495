//! Who is the fastest? A race tells what to time next, is told how long that took, and after a few hundred milliseconds of device time
//! names a winner. It has no clock: browsers' are rounded to 0.1 ms and more, devices warm up and slow down, and a neighbour steals
//! a slice now and then, all of which the tests simulate.
//!
//! A heat is one candidate's kernels so often that it takes some milliseconds: many steps of the coarsest clock, and no more than a
//! frame can spare. Rounds take the candidates in turn, so that a device that drifts does so for all; medians forget what was stolen. After
//! every round those that are clearly behind leave (after K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification", 2016,
//! successive halving). The one that served so far keeps its place unless another is faster by more than noise.

use weft_ir::order;

/// What a heat should take, in nanoseconds.
const HEAT: f64 = 4e6;
/// A single run of more is too long to be raced beside what a user does.
const TOO_LONG: f64 = 60e6;
/// A heat has no more repeats.
const MOST_REPEATS: u32 = 4096;
/// So many rounds decide.
const ROUNDS: usize = 7;
/// Heats of nothing, for what a measurement itself takes.
const EMPTY_HEATS: usize = 5;
/// The one that serves is kept where the fastest takes more than this part of its time.
const KEEPS: f64 = 0.97;
/// Who takes more than so many times the best time leaves, after one measurement and after each round.
const FAR_BEHIND: f64 = 3.0;
const BEHIND: [f64; ROUNDS] = [3.0, 2.0, 1.5, 1.3, 1.2, 1.15, 1.1];

/// What to time next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heat {
    /// Which candidate.
    pub runner: usize,
    /// How often its kernels run; of none only what measuring takes is wanted.
    pub repeats: u32,
}

/// How a race ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Which candidate won.
    pub winner: usize,
    /// For each candidate that stayed until it was timed well, its median in nanoseconds.
    pub medians: Vec<Option<f64>>,
    /// Of the winner, half of what its middle measurements span, as a part of its median.
    pub spread: f64,
}

#[derive(Clone, Default)]
struct Runner {
    repeats: u32,
    /// Whether a heat of so many repeats is long enough.
    is_set: bool,
    is_out: bool,
    /// Whether it was far behind once.
    is_warned: bool,
    /// Nanoseconds a turn.
    times: Vec<f64>,
}

/// A race between the candidates of one key; see the module's header.
#[derive(Clone)]
pub struct Race {
    runners: Vec<Runner>,
    /// Which of them serves.
    serving: usize,
    empty: Vec<f64>,
    round: usize,
    /// Who runs in this round, those still to come last.
    order: Vec<usize>,
}

impl Race {
    /// Between so many, of which one serves until it ends.
    pub fn new(runners: usize, serving: usize) -> Race {
        let runners = vec![Runner { repeats: 1, ..Runner::default() }; runners];
        Race { runners, serving, empty: Vec::new(), round: 0, order: Vec::new() }
    }

    /// What to time next; `None` when it is over.
    pub fn next_heat(&mut self) -> Option<Heat> {
        if self.runners.iter().all(|runner| runner.is_out) {
            return None;
        }
        if self.empty.len() < EMPTY_HEATS {
            return Some(Heat { runner: self.serving, repeats: 0 });
        }
        // The one that serves sets the pace for the others.
        let waiting = |n: &usize| !self.runners[*n].is_set && !self.runners[*n].is_out;
        let unset = std::iter::once(self.serving).chain(0..self.runners.len()).find(waiting);
        if let Some(runner) = unset {
            return Some(Heat { runner, repeats: self.runners[runner].repeats });
        }
        while self.order.is_empty() {
            if self.round > 0 {
                self.leave(BEHIND[self.round - 1]);
            }
            let mut left = self.left();
            let runners = left.len();
            if self.round == ROUNDS || runners < 2 {
                return None;
            }
            // Another goes first each time, and every second round runs the other way.
            if self.round % 2 == 1 {
                left.reverse();
            }
            self.order.extend((0..runners).map(|n| left[(n + self.round) % runners]));
            self.round += 1;
        }
        let runner = self.order[self.order.len() - 1];
        Some(Heat { runner, repeats: self.runners[runner].repeats })
    }

    /// What that took, in nanoseconds.
    pub fn tell(&mut self, heat: Heat, nanoseconds: f64) {
        if heat.repeats == 0 {
            return self.empty.push(nanoseconds.max(0.0));
        }
        let own = (nanoseconds - median(&self.empty)).max(1.0);
        let each = own / f64::from(heat.repeats);
        let best = self.best();
        let runner = &mut self.runners[heat.runner];
        let grown = (HEAT / own).clamp(2.0, 8.0) * f64::from(heat.repeats);
        let longer = (grown as u32).min(MOST_REPEATS);
        if runner.is_set {
            self.order.pop();
            runner.times.push(each);
            if own < 0.3 * HEAT && heat.repeats < MOST_REPEATS {
                // What was taken for a heat was a disturbance: a coarse clock cannot tell such short ones from nothing.
                (runner.repeats, runner.is_set) = (longer, false);
                runner.times.clear();
            }
            return;
        }
        let behind = best.is_some_and(|best| each > FAR_BEHIND * best) && own > HEAT / 4.0;
        if (heat.repeats == 1 && own > TOO_LONG) || behind {
            // A first measurement may have been disturbed: it is taken again.
            runner.is_out = std::mem::replace(&mut runner.is_warned, true);
        } else if own >= 0.6 * HEAT || heat.repeats >= MOST_REPEATS {
            runner.is_set = true;
            runner.times.push(each);
        } else {
            runner.repeats = longer;
        }
    }

    /// Takes out one that cannot run.
    pub fn withdraw(&mut self, runner: usize) {
        self.runners[runner].is_out = true;
        self.order.retain(|&n| n != runner);
        if runner == self.serving {
            // Somebody has to measure nothing.
            self.serving = self.runners.iter().position(|runner| !runner.is_out).unwrap_or(runner);
        }
    }

    /// Lets those that are so many times behind the best leave.
    fn leave(&mut self, behind: f64) {
        let Some(best) = self.best() else { return };
        for runner in self.runners.iter_mut().filter(|runner| runner.is_set) {
            runner.is_out |= median(&runner.times) > behind * best;
        }
    }

    fn left(&self) -> Vec<usize> {
        (0..self.runners.len()).filter(|&n| self.runners[n].is_set && !self.runners[n].is_out).collect()
    }

    fn best(&self) -> Option<f64> {
        self.left().into_iter().map(|n| median(&self.runners[n].times)).reduce(f64::min)
    }

    /// How it ended; `None` where nobody could be timed.
    pub fn outcome(&self) -> Option<Outcome> {
        let time = |n: usize| median(&self.runners[n].times);
        let fastest = self.left().into_iter().reduce(|a, b| if time(b) < time(a) { b } else { a })?;
        let serves = !self.runners[self.serving].is_out && self.runners[self.serving].is_set;
        let keeps = serves && time(fastest) > KEEPS * time(self.serving);
        let winner = if keeps { self.serving } else { fastest };
        let medians = self.runners.iter().map(|runner| runner.is_set.then(|| median(&runner.times)));
        let times = sorted(&self.runners[winner].times);
        let (low, high) = (times[times.len() / 4], times[3 * times.len() / 4]);
        Some(Outcome { winner, medians: medians.collect(), spread: (high - low) / 2.0 / time(winner) })
    }
}

/// Times are not negative, and such floats are in the order of their bits.
fn sorted(times: &[f64]) -> Vec<f64> {
    let mut times = times.to_vec();
    order::sort_by_key(&mut times, f64::to_bits);
    times
}

/// The middle of some times, of an even number the lower: what disturbs makes them longer. 0 of none.
fn median(times: &[f64]) -> f64 {
    let times = sorted(times);
    times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}
