//! The prelude's functions, `shaders/prelude.wgsl` cut into declarations: a kernel carries those
//! that it calls and those that they call.

use super::source::{plain, plain_length, text};
use std::sync::OnceLock;

/// The prelude's source, without its comments.
pub const SOURCE: &str = text(&PLAIN);

const FILE: &[u8] = include_bytes!("../../../../../shaders/prelude.wgsl");
const PLAIN: [u8; plain_length(FILE)] = plain(FILE);

/// One declaration of the prelude.
#[derive(Debug)]
pub struct Item {
    /// What it declares.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The prelude, cut into declarations.
#[derive(Debug)]
pub struct Prelude {
    items: Vec<Item>,
}

impl Prelude {
    /// The prelude, cut on first use. What an item mentions is looked for when a kernel needs it: a
    /// page's first kernel waits for this.
    pub fn get() -> &'static Prelude {
        static PRELUDE: OnceLock<Prelude> = OnceLock::new();
        PRELUDE.get_or_init(Prelude::parse)
    }

    /// Declarations stand apart by blank lines, and have none inside.
    fn parse() -> Prelude {
        let items = SOURCE.split("\n\n").filter_map(|paragraph| {
            let text = paragraph.trim();
            let name = words(text).nth(1)?;
            Some(Item { name, text })
        });
        Prelude { items: items.collect() }
    }

    /// The names of all declarations.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.items.iter().map(|item| item.name)
    }

    /// The declarations called `names` and all they need, in the file's order.
    pub fn with_dependencies(&self, names: &[&str]) -> Vec<&Item> {
        let place = |name: &str| self.items.iter().position(|item| item.name == name);
        let mut wanted: Vec<usize> = names.iter().filter_map(|name| place(name)).collect();
        let mut needed = vec![false; self.items.len()];
        while let Some(at) = wanted.pop() {
            if !std::mem::replace(&mut needed[at], true) {
                wanted.extend(words(self.items[at].text).filter_map(place));
            }
        }
        self.items.iter().zip(needed).filter(|(_, needed)| *needed).map(|(item, _)| item).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
