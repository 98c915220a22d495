//! Who won before? A table from keys to choices that is text outside: a line that says for which device and version it is, then a line
//! for each key. What cannot be read of it is counted, and left out.

use super::Key;
use crate::family::{Choice, FAMILIES};
use crate::limits::Limits;
use std::fmt::{self, Display, Formatter, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use weft_ir::{Error, ErrorKind, HashMap, Result};

/// What a table begins with: another number means another form.
const FORM: &str = "weft-tune 1";
/// So many keys are kept.
const MOST_ENTRIES: usize = 4096;
/// Winners that ship, for devices that are known: a line `device VENDOR ARCHITECTURE` before the lines of each.
const SHIPPED: &str = include_str!("warm.txt");

/// Who won.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The winner.
    pub choice: Choice,
    /// Its median, in nanoseconds.
    pub nanoseconds: f64,
}

/// The winners on one device.
#[derive(Clone, Debug)]
pub struct Table {
    device: String,
    entries: HashMap<Key, Entry>,
}

impl Table {
    /// An empty one for a device, named by what is known of its adapter. Winners are not asked for on other devices, with other limits, or among
    /// other families.
    pub fn new(adapter: &str, limits: &Limits) -> Table {
        let mut hasher = DefaultHasher::new();
        limits.hash(&mut hasher);
        for family in FAMILIES {
            (family.name(), family.numbers()).hash(&mut hasher);
        }
        let (version, digest) = (env!("CARGO_PKG_VERSION"), hasher.finish());
        let adapter = adapter.split_whitespace().collect::<Vec<_>>().join(" ");
        Table { device: format!("{FORM} {version} {digest:016x} {adapter}"), entries: HashMap::default() }
    }

    /// The line that says for which device it is: what it should be stored under.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Who won under a key.
    pub fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Notes who won.
    pub fn set(&mut self, key: Key, entry: Entry) {
        if self.entries.len() < MOST_ENTRIES || self.entries.contains_key(&key) {
            self.entries.insert(key, entry);
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Takes what another table, as text, knows; what is known here stays. Yields how many entries were new, and how many lines could not be
    /// read. Errors with `Format` for what is no table, or one of another device or version.
    pub fn read(&mut self, text: &str) -> Result<(usize, usize)> {
        let mut lines = text.lines();
        if lines.next() != Some(&self.device) {
            let what = format!(
                "these are no winners of this device and version, which are told by {:?}",
                self.device
            );
            return Err(Error::new(ErrorKind::Format, "tune.import", what));
        }
        Ok(self.read_lines(lines))
    }

    /// Takes entries line by line.
    fn read_lines<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> (usize, usize) {
        let (mut new, mut unread) = (0, 0);
        for line in lines.filter(|line| !line.is_empty()) {
            match entry(line) {
                Some((key, entry)) if !self.entries.contains_key(&key) => {
                    new += 1;
                    self.set(key, entry);
                }
                Some(_) => {}
                None => unread += 1,
            }
        }
        (new, unread)
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.device)?;
        let mut lines: Vec<String> = Vec::with_capacity(self.entries.len());
        for (key, Entry { choice, nanoseconds }) in &self.entries {
            lines.push(format!("\n{key}\t{choice}\t{}", nanoseconds.round() as u64));
        }
        lines.sort_unstable();
        lines.iter().try_for_each(|line| f.write_str(line))?;
        f.write_char('\n')
    }
}

/// What a line says.
fn entry(line: &str) -> Option<(Key, Entry)> {
    let mut parts = line.split('\t');
    let (key, choice, nanoseconds) = (parts.next()?, parts.next()?, parts.next()?);
    let whole: u64 = nanoseconds.parse().ok()?;
    let entry = Entry { choice: choice.parse().ok()?, nanoseconds: whole as f64 };
    (parts.next().is_none() && !key.is_empty()).then(|| (Key::stored(key), entry))
}

/// Adds the winners that ship for a class of devices, told by vendor and architecture, to a table. Yields how many.
pub fn warm(table: &mut Table, vendor: &str, architecture: &str) -> usize {
    warm_from(SHIPPED, table, vendor, architecture)
}

fn warm_from(shipped: &str, table: &mut Table, vendor: &str, architecture: &str) -> usize {
    let own = format!("device {vendor} {architecture}");
    let lines = shipped.lines().skip_while(|line| *line != own).skip(1);
    table.read_lines(lines.take_while(|line| !line.starts_with("device "))).0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "sum f32 along rows=64 length=1024\trows lanes=64 parts=1 rows=1 each=1\t1234";

    fn table() -> Table {
        Table::new("some  adapter\n", &Limits::floor())
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
        assert_eq!(second.get(&key).unwrap().choice.to_string(), "rows lanes=64 parts=1 rows=1 each=1");
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
            "key\trows lanes=64 parts=1\t5",
            "key\trows lanes=64 parts=1 rows=1 each=1 more=1\t5",
            "key\trows lanes=x parts=1 rows=1 each=1\t5",
            "key\trows parts=1 lanes=1 rows=1 each=1\t5",
            "key\trows lanes=64 parts=1 rows=1 each=1\tNaN",
            "key\trows lanes=64 parts=1 rows=1 each=1\t5\t6",
            "\trows lanes=64 parts=1 rows=1 each=1\t5",
        ];
        let text = format!("{}\n{}\n{LINE}", table.device(), bad.join("\n"));
        assert_eq!(table.read(&text).unwrap(), (1, bad.len()));
        for other in ["", "weft-tune 0 whatever", LINE, &text.replace("some adapter", "another")] {
            assert_eq!(table.read(other).unwrap_err().kind, ErrorKind::Format);
        }
    }

    #[test]
    fn winners_that_ship_are_those_of_the_class() {
        let shipped =
            format!("device a b\nkey\tacross\t5\ndevice nvidia hopper\n{LINE}\ndevice c d\nkey\tacross\t5\n");
        let mut own = table();
        assert_eq!(warm_from(&shipped, &mut own, "nvidia", "hopper"), 1);
        assert!(own.to_string().ends_with(&format!("{LINE}\n")));
        assert_eq!(warm_from(&shipped, &mut table(), "nvidia", "ampere"), 0);
        // All that does ship can be read.
        let classes = SHIPPED.lines().filter(|line| line.starts_with("device ")).count();
        let entries = SHIPPED.lines().filter(|line| !line.is_empty() && !line.starts_with("device "));
        assert!(entries.clone().all(|line| entry(line).is_some()) && (classes > 0 || entries.count() == 0));
    }
}
