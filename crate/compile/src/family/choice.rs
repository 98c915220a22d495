//! Choices: a family with the named whole numbers it runs with. They print, and are parsed when the
//! winner of a race is read back.

use super::{FAMILIES, Family};
use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

/// The most numbers that a family has.
const MOST: usize = 8;

/// What a family is run with: a number for each of [`Family::numbers`], 0 behind them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbers([u32; MOST]);

impl Numbers {
    /// The first of them. A family asks for as many as it made.
    pub fn get<const N: usize>(&self) -> [u32; N] {
        std::array::from_fn(|n| self.0[n])
    }
}

impl<const N: usize> From<[u32; N]> for Numbers {
    fn from(given: [u32; N]) -> Numbers {
        let mut numbers = Numbers([0; MOST]);
        numbers.0[..N].copy_from_slice(&given);
        numbers
    }
}

/// A family and what it is run with. Prints as `rows lanes=64 parts=4 rows=1 each=1`, and is parsed
/// from that.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    family: u8,
    numbers: Numbers,
}

/// A choice that there is for a cluster.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The choice.
    pub choice: Choice,
    /// What it is estimated to take.
    pub nanoseconds: f64,
}

impl Choice {
    /// A choice of a row of [`FAMILIES`].
    pub(super) fn new(family: usize, numbers: Numbers) -> Choice {
        Choice { family: family as u8, numbers }
    }

    /// Which row of [`FAMILIES`].
    pub(super) fn number(&self) -> usize {
        usize::from(self.family)
    }

    /// The family.
    pub fn family(&self) -> &'static dyn Family {
        FAMILIES[self.number()]
    }

    /// What it is run with.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// One of the numbers, by name.
    pub fn get(&self, name: &str) -> Option<u32> {
        let at = self.family().numbers().iter().position(|known| *known == name)?;
        Some(self.numbers.0[at])
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.family().name())?;
        for (name, number) in self.family().numbers().iter().zip(self.numbers.0) {
            write!(f, " {name}={number}")?;
        }
        Ok(())
    }
}

impl Debug for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// The text is no choice of any family that there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoChoice;

impl FromStr for Choice {
    type Err = NoChoice;

    fn from_str(text: &str) -> Result<Choice, NoChoice> {
        let mut words = text.split(' ');
        let name = words.next().ok_or(NoChoice)?;
        let family = FAMILIES.iter().position(|family| family.name() == name).ok_or(NoChoice)?;
        let mut numbers = Numbers([0; MOST]);
        for (at, known) in FAMILIES[family].numbers().iter().enumerate() {
            let (name, number) = words.next().and_then(|word| word.split_once('=')).ok_or(NoChoice)?;
            numbers.0[at] = number.parse().ok().filter(|_| name == *known).ok_or(NoChoice)?;
        }
        words.next().map_or(Ok(Choice::new(family, numbers)), |_| Err(NoChoice))
    }
}
