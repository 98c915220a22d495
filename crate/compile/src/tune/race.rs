//! Races between candidates. A race says what to time next, is given the time, and after a few
//! hundred milliseconds of device time names a winner. It has no clock: browsers' are rounded to
//! 0.1 ms and more, devices warm up and slow down, and a neighbour steals a slice now and then, all
//! of which the tests simulate.
//!
//! A heat is one candidate's kernels so often that it takes some milliseconds: many steps of the
//! coarsest clock, and no more than a frame can spare. Right before it runs the one that served so
//! far, and what counts is how the two compare: a GPU that was idle runs at a fraction of its clock
//! for a while (an NVIDIA H100 at a fifth for 0.1 s), so that a time by itself says little. Rounds
//! take the candidates in turn; medians forget what was stolen. After every round those that are
//! clearly behind leave (after K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm
//! Identification", 2016, successive halving). The one that served keeps its place unless another
//! is faster by more than noise.
//!
//! Deferred: races run in idle moments.

use weft_ir::order;

/// What a heat should take, in nanoseconds.
const HEAT: f64 = 4e6;
/// A single run of more is too long to be raced beside what a user does.
const TOO_LONG: f64 = 60e6;
/// A heat has no more repeats.
const MOST_REPEATS: u32 = 4096;
/// Rounds of a race.
const ROUNDS: usize = 7;
/// Heats of nothing, for what a measurement itself takes.
const EMPTY_HEATS: usize = 5;
/// The one that serves is kept where the fastest takes more than this part of its time.
const KEEPS: f64 = 0.97;
/// What runs beside a heat should take as long as the last time, or no less than this part of it;
/// if not, the heat does not count, so many times on end.
const STEADY: f64 = 0.75;
const MOST_UNSTEADY: u32 = 4;
/// Who takes more than so many times what the one that serves does leaves after one measurement,
/// and more than so many times the best after the second round, whose medians one disturbance does
/// not reach, and each after it.
const FAR_BEHIND: f64 = 3.0;
const BEHIND: [f64; ROUNDS - 1] = [2.0, 1.5, 1.3, 1.2, 1.15, 1.1];

/// What to time next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heat {
    /// Which candidate.
    pub runner: usize,
    /// How often its kernels run; of none only what measuring takes is wanted.
    pub repeats: u32,
    /// How often those of [`Race::serving`] run right before, timed by themselves; of none they do
    /// not.
    pub beside: u32,
}

/// How a race ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Which candidate won.
    pub winner: usize,
    /// For each candidate that was timed well, its median in nanoseconds; for one that left early,
    /// the fastest's median times how far behind it was then.
    pub medians: Vec<Option<f64>>,
    /// Of the winner, half of what its middle measurements span, as a part of its median.
    pub spread: f64,
}

#[derive(Clone, Default)]
struct Runner {
    repeats: u32,
    /// Whether a heat of that many repeats is long enough.
    is_set: bool,
    is_out: bool,
    /// Of one that left after some rounds, how many times what the best took then.
    behind: Option<f64>,
    /// Whether it was far behind once.
    is_warned: bool,
    /// Nanoseconds a turn; of all but the one that serves as a part of what that one took beside.
    times: Vec<f64>,
}

/// A race between the candidates of one key; see the module's header.
#[derive(Clone)]
pub struct Race {
    runners: Vec<Runner>,
    /// Which of them serves.
    serving: usize,
    /// What a turn of it took the last time, and how many heats did not count because it was
    /// another before.
    pace: f64,
    unsteady: u32,
    empty: Vec<f64>,
    round: usize,
    /// Who runs in this round, those still to come last.
    order: Vec<usize>,
}

impl Race {
    /// A race between candidates. One of them serves until it ends.
    pub fn new(runners: usize, serving: usize) -> Race {
        let runners = vec![Runner { repeats: 1, ..Runner::default() }; runners];
        Race { runners, serving, pace: 0.0, unsteady: 0, empty: Vec::new(), round: 0, order: Vec::new() }
    }

    /// Who is run beside the others.
    pub fn serving(&self) -> usize {
        self.serving
    }

    /// What to time next; `None` when it is over.
    pub fn next_heat(&mut self) -> Option<Heat> {
        if self.runners.iter().all(|runner| runner.is_out) {
            return None;
        }
        if self.empty.len() < EMPTY_HEATS {
            return Some(Heat { runner: self.serving, repeats: 0, beside: 0 });
        }
        // The others are compared with the one that serves.
        let waiting = |n: &usize| !self.runners[*n].is_set && !self.runners[*n].is_out;
        let unset = std::iter::once(self.serving).chain(0..self.runners.len()).find(waiting);
        if let Some(runner) = unset {
            return Some(self.heat(runner));
        }
        while self.order.is_empty() {
            if self.round > 1 {
                self.leave(BEHIND[self.round - 2]);
            }
            let mut left = self.left();
            left.retain(|&n| n != self.serving);
            let runners = left.len();
            if self.round == ROUNDS || runners == 0 {
                return None;
            }
            // Another goes first each time, and every second round runs the other way.
            if self.round % 2 == 1 {
                left.reverse();
            }
            self.order.extend((0..runners).map(|n| left[(n + self.round) % runners]));
            self.round += 1;
        }
        Some(self.heat(self.order[self.order.len() - 1]))
    }

    fn heat(&self, runner: usize) -> Heat {
        let beside = if runner == self.serving { 0 } else { self.runners[self.serving].repeats };
        Heat { runner, repeats: self.runners[runner].repeats, beside }
    }

    /// What that took, in nanoseconds: the heat, and what ran beside it.
    pub fn record(&mut self, heat: Heat, nanoseconds: f64, beside: f64) {
        if heat.repeats == 0 {
            return self.empty.push(nanoseconds.max(0.0));
        }
        let nothing = median(&self.empty);
        let [own, beside] = [nanoseconds, beside].map(|time| (time - nothing).max(1.0));
        let mut each = own / f64::from(heat.repeats);
        if heat.beside > 0 {
            let serving = &mut self.runners[self.serving];
            if is_short(beside, heat.beside) {
                // The device has become so fast that a coarse clock cannot tell: both are timed
                // again.
                serving.repeats = longer(beside, heat.beside);
                return;
            }
            let pace = beside / f64::from(heat.beside);
            let before = std::mem::replace(&mut self.pace, pace);
            let is_steady = (STEADY..=1.0 / STEADY).contains(&(pace / before));
            if !is_steady && self.unsteady < MOST_UNSTEADY {
                // Something else ran, or the clock changed: nothing can be compared with that.
                self.unsteady += 1;
                return;
            }
            self.unsteady = 0;
            serving.times.push(pace);
            each /= pace;
        }
        let is_compared = heat.beside > 0;
        let runner = &mut self.runners[heat.runner];
        if runner.is_set {
            self.order.pop();
            runner.times.push(each);
            if is_short(own, heat.repeats) {
                // What was taken for a heat was a disturbance.
                (runner.repeats, runner.is_set) = (longer(own, heat.repeats), false);
                runner.times.clear();
            }
            return;
        }
        let behind = is_compared && each > FAR_BEHIND && own > HEAT / 4.0;
        if (heat.repeats == 1 && own > TOO_LONG) || behind {
            // A first measurement may have been disturbed: it is taken again.
            if std::mem::replace(&mut runner.is_warned, true) {
                self.withdraw(heat.runner);
            }
        } else if own >= 0.6 * HEAT || heat.repeats >= MOST_REPEATS {
            runner.is_set = true;
            runner.times.push(each);
            if heat.runner == self.serving {
                self.pace = each;
            }
        } else {
            runner.repeats = longer(own, heat.repeats);
        }
    }

    /// Takes out one that cannot run.
    pub fn withdraw(&mut self, runner: usize) {
        self.runners[runner].is_out = true;
        self.order.retain(|&n| n != runner);
        if runner == self.serving {
            // Somebody has to be compared with.
            self.serving = self.runners.iter().position(|runner| !runner.is_out).unwrap_or(runner);
        }
    }

    /// Drops candidates that take more than `behind` times what the best does.
    fn leave(&mut self, behind: f64) {
        let Some(best) = self.best() else { return };
        for n in self.left() {
            let times = self.compared(n) / best;
            if times > behind {
                (self.runners[n].is_out, self.runners[n].behind) = (true, Some(times));
            }
        }
    }

    fn left(&self) -> Vec<usize> {
        (0..self.runners.len()).filter(|&n| self.runners[n].is_set && !self.runners[n].is_out).collect()
    }

    /// What a runner takes, as a part of what the one that serves does.
    fn compared(&self, runner: usize) -> f64 {
        if runner == self.serving { 1.0 } else { median(&self.runners[runner].times) }
    }

    fn best(&self) -> Option<f64> {
        self.left().into_iter().map(|n| self.compared(n)).reduce(f64::min)
    }

    /// How it ended; `None` where nobody could be timed.
    pub fn outcome(&self) -> Option<Outcome> {
        let part = |n: usize| self.compared(n);
        let fastest = self.left().into_iter().reduce(|a, b| if part(b) < part(a) { b } else { a })?;
        let serves = !self.runners[self.serving].is_out && self.runners[self.serving].is_set;
        let keeps = serves && part(fastest) > KEEPS;
        let winner = if keeps { self.serving } else { fastest };
        let pace = median(&self.runners[self.serving].times);
        // Who left was timed in few rounds, perhaps while the machine did nothing else: by how much
        // it was behind says more.
        let median_of =
            |n: usize| self.runners[n].behind.map_or_else(|| part(n), |times| times * part(fastest));
        let medians = (0..self.runners.len()).map(|n| self.runners[n].is_set.then(|| median_of(n) * pace));
        let times = sorted(&self.runners[winner].times);
        let (low, high) = (times[times.len() / 4], times[3 * times.len() / 4]);
        Some(Outcome { winner, medians: medians.collect(), spread: (high - low) / 2.0 / median(&times) })
    }
}

/// Whether a heat of that many repeats was too short, and there may be more.
fn is_short(own: f64, repeats: u32) -> bool {
    own < 0.3 * HEAT && repeats < MOST_REPEATS
}

/// How many repeats a heat should have, given how long one took.
fn longer(own: f64, repeats: u32) -> u32 {
    let grown = (HEAT / own).clamp(2.0, 8.0) * f64::from(repeats);
    (grown as u32).min(MOST_REPEATS)
}

/// Times are not negative, and such floats are in the order of their bits.
fn sorted(times: &[f64]) -> Vec<f64> {
    let mut times = times.to_vec();
    order::sort_by_key(&mut times, f64::to_bits);
    times
}

/// The middle of some times, of an even number the lower: what disturbs makes them longer. 0 of
/// none.
fn median(times: &[f64]) -> f64 {
    let times = sorted(times);
    times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}
