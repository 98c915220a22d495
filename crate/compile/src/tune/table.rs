//! Table of winners, from keys to choices. Outside it is text: a line for the device and version,
//! then a line for each key. Lines that cannot be read are counted and left out.

use super::Key;
use crate::family::{Choice, FAMILIES};
use crate::limits::Limits;
use rustc_hash::FxHasher;
use std::fmt::{self, Display, Formatter};
use std::hash::{Hash, Hasher};
use weft_ir::{Error, ErrorKind};

/// What a table begins with: another number means another form.
const FORM: &str = "weft-tune 2";
/// The most keys that are kept.
const MOST_ENTRIES: usize = 4096;
/// Winners that ship, for devices that are known: a line `device VENDOR ARCHITECTURE` before the
/// lines of each.
const SHIPPED: &str = include_str!("warm.txt");

/// Who won.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The winner.
    pub choice: Choice,
    /// Its median, in nanoseconds.
    pub nanoseconds: u32,
}

/// The winners on one device.
#[derive(Clone, Debug)]
pub struct Table {
    device: String,
    /// In the order of their keys; without a winner, those for which it is sought.
    entries: Vec<(Key, Option<Entry>)>,
}

impl Table {
    /// The one that ships for a device, named by what is known of its adapter. Winners are not
    /// asked for on other devices, with other limits, or among other families.
    pub fn new(vendor: &str, architecture: &str, description: &str, limits: &Limits) -> Table {
        let mut hasher = FxHasher::default();
        limits.hash(&mut hasher);
        for family in FAMILIES {
            hasher.write(family.name().as_bytes());
            family.numbers().iter().for_each(|name| hasher.write(name.as_bytes()));
        }
        let mut device = [FORM, env!("CARGO_PKG_VERSION"), &hasher.finish().to_string()].join(" ");
        for word in [vendor, architecture, description].iter().flat_map(|text| text.split_whitespace()) {
            device.push(' ');
            device.push_str(word);
        }
        let mut table = Table { device, entries: Vec::new() };
        table.read_shipped(SHIPPED, vendor, architecture);
        table
    }

    /// The line that says for which device it is: what it should be stored under.
    pub fn device(&self) -> &str {
        &self.device
    }

    fn find(&self, key: &Key) -> Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| known.cmp(key))
    }

    /// Who won under a key.
    pub fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries[self.find(key).ok()?].1.as_ref()
    }

    /// Notes who won, or that it is sought, which changes nothing where that is known. Tells
    /// whether that is new.
    pub fn set(&mut self, key: Key, entry: Option<Entry>) -> bool {
        match self.find(&key) {
            Ok(at) => match entry {
                Some(_) => std::mem::replace(&mut self.entries[at].1, entry).is_none(),
                None => false,
            },
            Err(at) => {
                let has_room = self.entries.len() < MOST_ENTRIES;
                if has_room {
                    self.entries.insert(at, (key, entry));
                }
                has_room
            }
        }
    }

    /// Whether it has neither winners nor anything that is sought.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets what is sought.
    pub fn give_up(&mut self) {
        self.entries.retain(|(_, entry)| entry.is_some());
    }

    /// Takes what another table, as text, knows; what is known here stays. Yields how many entries
    /// were new, and how many lines could not be read. Errors with `Format` for what is no table,
    /// or one of another device or version.
    pub fn read(&mut self, text: &str) -> weft_ir::Result<(usize, usize)> {
        if text.lines().next() != Some(&self.device) {
            let what = "these are no winners of this device and version, which begin with ".to_owned();
            return Err(Error::new(ErrorKind::Format, "tune.import", what + &self.device));
        }
        Ok(self.read_lines(text))
    }

    /// Takes the entry of each line but the first.
    fn read_lines(&mut self, text: &str) -> (usize, usize) {
        let (mut new, mut unread) = (0, 0);
        for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
            match entry(line) {
                Some((key, _)) if self.get(&key).is_some() => {}
                Some((key, entry)) => new += usize::from(self.set(key, Some(entry))),
                None => unread += 1,
            }
        }
        (new, unread)
    }

    /// Takes those that ship for a class of devices. A card of a vendor's of which no architecture
    /// is known, as browsers have it of their lists' latecomers (an NVIDIA H200 is one), begins
    /// with all that ship for the vendor.
    fn read_shipped(&mut self, shipped: &str, vendor: &str, architecture: &str) {
        for class in shipped.split("device ") {
            let named = class.lines().next().and_then(|line| line.split_once(' '));
            if named.is_some_and(|(v, a)| v == vendor && (a == architecture || architecture.is_empty())) {
                self.read_lines(class);
            }
        }
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.device)?;
        for (key, entry) in &self.entries {
            if let Some(Entry { choice, nanoseconds }) = entry {
                write!(f, "\n{key}\t{choice}\t{nanoseconds}")?;
            }
        }
        f.write_str("\n")
    }
}

/// What a line says.
fn entry(line: &str) -> Option<(Key, Entry)> {
    let mut parts = line.split('\t');
    let (key, choice, nanoseconds) = (parts.next()?, parts.next()?, parts.next()?);
    let entry = Entry { choice: choice.parse().ok()?, nanoseconds: nanoseconds.parse().ok()? };
    (parts.next().is_none() && !key.is_empty()).then(|| (Key::stored(key), entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{GPU, SOFTWARE};

    const LINE: &str = "sum f32 along rows=64 length=1024\trows lanes=64 width=1 rows=1 each=1\t1234";

    fn table() -> Table {
        Table::new("some", "", " adapter\n", &Limits::floor())
    }

    /// What users have stored under the line of a version is found by that version however its
    /// compiler is arranged: the line changes with limits, families, and the names of their
    /// numbers.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_line_that_winners_are_stored_under_stays() {
        let line = |limits: &Limits| Table::new("v", "a", "", limits).device().to_owned();
        let [gpu, software] = [&GPU, &SOFTWARE].map(|model| line(&Limits::of(model)));
        let what = "families, their numbers or limits changed, so stored winners are dropped";
        assert_eq!(gpu, "weft-tune 2 0.1.0 16465034567116652312 v a", "{what}");
        assert_eq!(software, "weft-tune 2 0.1.0 1420618316416111495 v a", "{what}");
    }

    #[test]
    fn all_that_ships_can_be_read() {
        let classes: Vec<&str> = SHIPPED.split("device ").filter(|class| !class.is_empty()).collect();
        assert!(!classes.is_empty());
        for line in classes.iter().flat_map(|class| class.lines().skip(1)) {
            assert!(entry(line).is_some(), "{line}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut first = table();
        let text = format!("{}\n{LINE}\n", first.device());
        assert_eq!(first.read(&text).unwrap(), (1, 0));
        assert_eq!(first.to_string(), text);
        let mut second = table();
        assert_eq!(second.read(&first.to_string()).unwrap(), (1, 0));
        let key = Key::stored("sum f32 along rows=64 length=1024");
        assert_eq!(second.get(&key).unwrap().choice.to_string(), "rows lanes=64 width=1 rows=1 each=1");
        // The winners that ship are looked up, and not written.
        assert!(
            second.set(Key::stored("what is sought"), None)
                && !second.set(Key::stored("what is sought"), None)
        );
        assert!(!second.set(key, None) && second.to_string() == text);
        // What is known stays.
        assert_eq!(second.read(&text.replace("lanes=64", "lanes=128")).unwrap(), (0, 0));
        assert_eq!(second.to_string(), text);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let mut table = table();
        let bad = [
            "no tabs at all",
            "key\tno-family a=1\t5",
            "key\trows lanes=64 width=1\t5",
            "key\trows lanes=64 width=1 rows=1 each=1 more=1\t5",
            "key\trows lanes=x width=1 rows=1 each=1\t5",
            "key\trows width=1 lanes=1 rows=1 each=1\t5",
            "key\trows lanes=64 width=1 rows=1 each=1\tNaN",
            "key\trows lanes=64 width=1 rows=1 each=1\t5\t6",
            "\trows lanes=64 width=1 rows=1 each=1\t5",
        ];
        let text = format!("{}\n{}\n{LINE}", table.device(), bad.join("\n"));
        assert_eq!(table.read(&text).unwrap(), (1, bad.len()));
        for other in ["", "weft-tune 0 whatever", LINE, &text.replace("some adapter", "another")] {
            assert_eq!(table.read(other).unwrap_err().kind, ErrorKind::Format);
        }
    }

    #[test]
    fn winners_that_ship_are_those_of_the_class() {
        let shipped = format!(
            "device a b\nkey\ttransposed-map\t5\ndevice nvidia hopper\n{LINE}\ndevice c d\nkey\ttransposed-map\t5\n"
        );
        let read = |vendor, architecture| {
            let mut own = table();
            own.read_shipped(&shipped, vendor, architecture);
            own.to_string()
        };
        assert_eq!(read("nvidia", "hopper"), format!("{}\n{LINE}\n", table().device()));
        assert_eq!(read("nvidia", ""), read("nvidia", "hopper"));
        assert_eq!(read("nvidia", "ampere"), table().to_string());
        assert_eq!(read("other", ""), table().to_string());
        // All that does ship can be read.
        let classes = SHIPPED.lines().filter(|line| line.starts_with("device ")).count();
        let entries = SHIPPED.lines().filter(|line| !line.is_empty() && !line.starts_with("device "));
        assert!(entries.clone().all(|line| entry(line).is_some()) && (classes > 0 || entries.count() == 0));
    }
}
