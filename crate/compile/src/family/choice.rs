//! Choices: a family with the parameters it runs with. A family has parameters of its own type;
//! outside it they are whole numbers with names, which print, and are parsed when the winner of a
//! race is read back.

use super::{FAMILIES, Family};
use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

/// The most numbers that a family has.
const MOST: usize = 6;

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

/// What a family is run with, as a type of its own.
pub trait Parameters: Copy {
    /// The names of the numbers that they are stored as, in order.
    const NAMES: &'static [&'static str];
    /// The numbers.
    fn numbers(self) -> Numbers;
    /// What numbers of a candidate stand for.
    fn of(numbers: &Numbers) -> Self;
}

/// Candidates of a family, kept as numbers. What few lines of it do is part of what calls it, and
/// deferred with that.
pub struct Candidates<P>(Vec<Numbers>, PhantomData<P>);

impl<P: Parameters> Candidates<P> {
    /// One candidate.
    #[inline(always)]
    pub fn one(parameters: P) -> Candidates<P> {
        Candidates(vec![parameters.numbers()], PhantomData)
    }

    /// Adds one.
    pub fn push(&mut self, parameters: P) {
        self.0.push(parameters.numbers());
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is such a one.
    pub fn contains(&self, parameters: P) -> bool {
        self.0.contains(&parameters.numbers())
    }

    /// Leaves only those of which something is so, if there are any.
    #[inline(always)]
    pub fn prefer(&mut self, is_so: impl Fn(P) -> bool) {
        let is_so = |numbers: &Numbers| is_so(P::of(numbers));
        if self.0.iter().any(is_so) {
            self.0.retain(is_so);
        }
    }

    /// Their numbers.
    pub fn into_numbers(self) -> Vec<Numbers> {
        self.0
    }
}

impl<P> Default for Candidates<P> {
    fn default() -> Candidates<P> {
        Candidates(Vec::new(), PhantomData)
    }
}

impl<P: Parameters> Extend<P> for Candidates<P> {
    #[inline(always)]
    fn extend<I: IntoIterator<Item = P>>(&mut self, more: I) {
        more.into_iter().for_each(|parameters| self.push(parameters));
    }
}

impl<P: Parameters> FromIterator<P> for Candidates<P> {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = P>>(parameters: I) -> Candidates<P> {
        // Uses as few instances of `Vec`'s generic methods as possible.
        let mut candidates = Candidates::default();
        candidates.extend(parameters);
        candidates
    }
}

/// A parameter that is stored as one number.
pub(super) trait Number {
    fn of(number: u32) -> Self;
    fn number(self) -> u32;
}

impl Number for u32 {
    fn of(number: u32) -> u32 {
        number
    }

    fn number(self) -> u32 {
        self
    }
}

impl Number for bool {
    fn of(number: u32) -> bool {
        number != 0
    }

    fn number(self) -> u32 {
        self.into()
    }
}

/// Declares parameters of which each is stored as a number of the same name.
macro_rules! parameters {
    ($(#[$about:meta])* $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $name {
            $($(#[$of_field])* pub $field: $type),*
        }

        impl $crate::family::Parameters for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            #[inline(always)]
            fn numbers(self) -> $crate::family::Numbers {
                [$($crate::family::choice::Number::number(self.$field)),*].into()
            }

            #[inline(always)]
            fn of(numbers: &$crate::family::Numbers) -> $name {
                let [$($field),*] = numbers.get();
                $name { $($field: $crate::family::choice::Number::of($field)),* }
            }
        }
    };
}
pub(super) use parameters;

/// A family and what it is run with. Prints as `split-rows lanes=64 parts=8 rows=1 each=1`, and is
/// parsed from that.
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
    /// Whether it works on every device.
    pub is_fallback: bool,
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
pub struct ParseChoiceError;

impl FromStr for Choice {
    type Err = ParseChoiceError;

    fn from_str(text: &str) -> Result<Choice, ParseChoiceError> {
        let mut words = text.split(' ');
        let name = words.next().ok_or(ParseChoiceError)?;
        let family = FAMILIES.iter().position(|family| family.name() == name).ok_or(ParseChoiceError)?;
        let mut numbers = Numbers([0; MOST]);
        for (at, known) in FAMILIES[family].numbers().iter().enumerate() {
            let (name, number) =
                words.next().and_then(|word| word.split_once('=')).ok_or(ParseChoiceError)?;
            numbers.0[at] = number.parse().ok().filter(|_| name == *known).ok_or(ParseChoiceError)?;
        }
        words.next().map_or(Ok(Choice::new(family, numbers)), |_| Err(ParseChoiceError))
    }
}
