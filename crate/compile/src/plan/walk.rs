//! Traversal of an executable with its loops: the order of dispatches, and the buffer that each
//! slot means at the time. The runtime and the tests' kernel interpreter share it.

use super::executable::{Executable, Repeat, Slot};
use std::rc::Rc;

/// The most iterations of a loop without a limit before it is asked whether it goes on.
const MOST_UNASKED: u32 = 1 << 30;

/// Where a run stands.
#[derive(Clone, Debug)]
pub struct Walk {
    repeats: Rc<[Repeat]>,
    dispatches: usize,
    at: usize,
    /// Loops that are being run, outermost first.
    open: Vec<usize>,
    /// The first loop that has not begun since the loop around it began an iteration.
    next: usize,
    iterations: Vec<u32>,
    /// For each loop, after how many iterations it ends or is asked.
    granted: Vec<u32>,
    /// The slot that says whether the innermost loop goes on: there is no next dispatch before the
    /// [answer](Walk::answer).
    pub asks: Option<usize>,
    /// For each slot, the one whose buffer it means now.
    pub means: Vec<usize>,
    /// Set whenever an iteration begins; for the caller to clear.
    pub began: bool,
}

impl Walk {
    /// The walk over `dispatches` dispatches with these loops.
    pub fn new(repeats: &Rc<[Repeat]>, dispatches: usize, slots: &[Slot]) -> Walk {
        let mean = |(n, slot): (usize, &Slot)| if let Slot::Alias(of) = slot { *of } else { n };
        Walk {
            repeats: Rc::clone(repeats),
            dispatches,
            at: 0,
            open: Vec::new(),
            next: 0,
            iterations: vec![0; repeats.len()],
            granted: repeats.iter().map(|it| it.iterations).collect(),
            asks: None,
            means: slots.iter().enumerate().map(mean).collect(),
            began: false,
        }
    }

    /// The walk over an executable.
    pub fn of(executable: &Executable) -> Walk {
        Walk::new(&executable.repeats.clone().into(), executable.dispatches.len(), &executable.slots)
    }

    /// Tells whether the loop that asks goes on: for twice as many iterations as it had, so that a
    /// long loop asks seldom. What it came to is kept: where it is run again, within another loop,
    /// it takes so many before it asks.
    pub fn answer(&mut self, goes_on: bool) {
        self.asks = None;
        let Some(&last) = self.open.last() else { return };
        if goes_on {
            self.granted[last] = (self.granted[last] * 2).min(MOST_UNASKED);
            self.iterations[last] = 0;
            self.begin_iteration(last);
        } else {
            self.open.pop();
        }
    }

    /// The index of a loop in its present iteration.
    pub fn index(&self, repeat: usize) -> u32 {
        let Repeat { iterations, reverse, .. } = self.repeats[repeat];
        if reverse { iterations - 1 - self.iterations[repeat] } else { self.iterations[repeat] }
    }

    /// Whether it is inside a loop.
    pub fn repeats(&self) -> bool {
        !self.open.is_empty()
    }

    fn begin_iteration(&mut self, repeat: usize) {
        self.at = self.repeats[repeat].first;
        self.next = repeat + 1;
        self.began = true;
    }
}

impl Iterator for Walk {
    type Item = usize;

    /// The next dispatch; none also where a loop asks whether it goes on.
    fn next(&mut self) -> Option<usize> {
        if self.asks.is_some() {
            return None;
        }
        while let Some(&last) = self.open.last().filter(|&&last| self.at == self.repeats[last].end) {
            let it = &self.repeats[last];
            self.iterations[last] += 1;
            for carried in &it.carried {
                self.means[carried.read] = self.means[carried.write];
                self.means[carried.write] = carried.pair[self.iterations[last] as usize % 2];
            }
            if self.iterations[last] < self.granted[last] {
                self.begin_iteration(last);
                break;
            }
            if it.until.is_some() {
                self.asks = it.until;
                return None;
            }
            self.open.pop();
        }
        while self.repeats.get(self.next).is_some_and(|it| it.first == self.at) {
            let number = self.next;
            for carried in &self.repeats[number].carried {
                self.means[carried.read] = self.means[carried.from];
                self.means[carried.write] = carried.pair[0];
            }
            self.iterations[number] = 0;
            self.open.push(number);
            self.begin_iteration(number);
        }
        if self.at == self.dispatches {
            return None;
        }
        self.at += 1;
        Some(self.at - 1)
    }
}
