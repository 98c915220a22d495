//! In which order do dispatches run, and which buffer does a slot mean meanwhile? The walk over an executable with its loops, for
//! whoever runs one.

use crate::executable::{Executable, Repeat, Slot};

/// Where a run stands.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    repeats: &'a [Repeat],
    dispatches: usize,
    at: usize,
    /// Loops that are being run, outermost first.
    open: Vec<usize>,
    /// The first loop that has not begun since the loop around it began a turn.
    next: usize,
    turns: Vec<u32>,
    /// For each slot, the one whose buffer it means now.
    pub means: Vec<usize>,
    /// Set whenever a turn begins; for the caller to clear.
    pub turned: bool,
}

impl<'a> Walk<'a> {
    /// The walk over `dispatches` dispatches with these loops.
    pub fn new(repeats: &'a [Repeat], dispatches: usize, slots: &[Slot]) -> Walk<'a> {
        let mean = |(n, slot): (usize, &Slot)| if let Slot::Alias(of) = slot { *of } else { n };
        Walk {
            repeats,
            dispatches,
            at: 0,
            open: Vec::new(),
            next: 0,
            turns: vec![0; repeats.len()],
            means: slots.iter().enumerate().map(mean).collect(),
            turned: false,
        }
    }

    /// The walk over an executable.
    pub fn of(executable: &'a Executable) -> Walk<'a> {
        Walk::new(&executable.repeats, executable.dispatches.len(), &executable.slots)
    }

    /// The index of a loop in its present turn.
    pub fn index(&self, repeat: usize) -> u32 {
        let Repeat { turns, reverse, .. } = self.repeats[repeat];
        if reverse { turns - 1 - self.turns[repeat] } else { self.turns[repeat] }
    }

    /// Whether it is inside a loop.
    pub fn repeats(&self) -> bool {
        !self.open.is_empty()
    }

    fn begin_turn(&mut self, repeat: usize) {
        self.at = self.repeats[repeat].first;
        self.next = repeat + 1;
        self.turned = true;
    }
}

impl Iterator for Walk<'_> {
    type Item = usize;

    /// The next dispatch.
    fn next(&mut self) -> Option<usize> {
        while let Some(&last) = self.open.last().filter(|&&last| self.at == self.repeats[last].end) {
            let it = &self.repeats[last];
            self.turns[last] += 1;
            for carried in &it.carried {
                self.means[carried.read] = self.means[carried.write];
                self.means[carried.write] = carried.pair[self.turns[last] as usize % 2];
            }
            if self.turns[last] < it.turns {
                self.begin_turn(last);
                break;
            }
            self.open.pop();
        }
        while self.repeats.get(self.next).is_some_and(|it| it.first == self.at) {
            let number = self.next;
            for carried in &self.repeats[number].carried {
                self.means[carried.read] = self.means[carried.from];
                self.means[carried.write] = carried.pair[0];
            }
            self.turns[number] = 0;
            self.open.push(number);
            self.begin_turn(number);
        }
        if self.at == self.dispatches {
            return None;
        }
        self.at += 1;
        Some(self.at - 1)
    }
}
