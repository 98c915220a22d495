//! Arenas: what both kernel IRs and their verifiers share. Types of indices into arenas, enums of
//! rules with a text for each, and how the place of a statement prints.

use std::fmt::{Formatter, Result};

/// A type of indices, which no other arena takes.
macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// The enum `Rule`, which prints as the texts.
macro_rules! rules {
    ($($name:ident: $text:literal,)*) => {
        /// A rule of well-formed kernels.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Rule {
            $(#[doc = $text] $name,)*
        }

        impl std::fmt::Display for Rule {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Rule::$name => $text,)* })
            }
        }
    };
}

/// Writes the place of a statement: its position in the body, then in the block inside it, and so
/// on.
pub(crate) fn write_statement(f: &mut Formatter<'_>, path: &[usize]) -> Result {
    f.write_str("statement ")?;
    for (n, step) in path.iter().enumerate() {
        write!(f, "{}{step}", if n == 0 { "" } else { "." })?;
    }
    Ok(())
}
