//! Cache of compiled programs, bounded, keyed by the whole program; the least recently used one
//! goes first.
//!
//! Keys are compared in full, never by hash alone: a structure that differs anywhere is another
//! program.

use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::program::TensorProgram;

/// A program, and the numbers of the buffer leaves it may overwrite.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub program: Rc<TensorProgram>,
    pub donated: Vec<usize>,
}

struct Entry<T> {
    value: Rc<T>,
    used: u64,
}

/// The cache. `T` is what compiling yields.
pub(crate) struct ProgramCache<T> {
    entries: HashMap<Key, Entry<T>>,
    /// Program nodes in all keys: what the memory goes by.
    nodes: usize,
    clock: u64,
    pub hits: u64,
    pub misses: u64,
}

const MOST_PROGRAMS: usize = 512;
const MOST_NODES: usize = 1 << 17;

impl<T> ProgramCache<T> {
    pub fn new() -> ProgramCache<T> {
        ProgramCache { entries: HashMap::default(), nodes: 0, clock: 0, hits: 0, misses: 0 }
    }

    /// What `key` compiles to, if that is known.
    pub fn get(&mut self, key: &Key) -> Option<Rc<T>> {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        self.hits += 1;
        Some(Rc::clone(&entry.value))
    }

    /// Remembers what `key` compiled to, and forgets what was not used for longest if there is too
    /// much.
    pub fn insert(&mut self, key: Key, value: T) -> Rc<T> {
        self.clock += 1;
        self.misses += 1;
        self.nodes += key.program.nodes.len();
        let value = Rc::new(value);
        self.entries.insert(key, Entry { value: Rc::clone(&value), used: self.clock });
        while self.entries.len() > 1 && (self.entries.len() > MOST_PROGRAMS || self.nodes > MOST_NODES) {
            self.evict();
        }
        value
    }

    fn evict(&mut self) {
        let Some(oldest) = self.entries.values().map(|e| e.used).min() else { return };
        let nodes = &mut self.nodes;
        self.entries.retain(|key, entry| {
            let keep = entry.used != oldest;
            *nodes -= if keep { 0 } else { key.program.nodes.len() };
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_ir::DType;
    use weft_ir::op::Op;
    use weft_ir::program::{ProgramId, ProgramNode};

    fn key(extent: usize) -> Key {
        let node = ProgramNode {
            op: Op::Buffer([extent].into(), DType::F32),
            inputs: Vec::new(),
            shape: [extent].into(),
            dtype: DType::F32,
            site: 0,
        };
        let program = TensorProgram { nodes: vec![node], outputs: vec![ProgramId(0)] };
        Key { program: Rc::new(program), donated: Vec::new() }
    }

    #[test]
    fn the_least_recently_used_program_goes_first() {
        let mut cache = ProgramCache::new();
        for extent in 0..MOST_PROGRAMS {
            cache.insert(key(extent), extent);
        }
        assert_eq!(cache.get(&key(0)).as_deref(), Some(&0));
        cache.insert(key(MOST_PROGRAMS), MOST_PROGRAMS);
        assert!(cache.get(&key(1)).is_none());
        assert!(cache.get(&key(0)).is_some());
        assert_eq!((cache.hits, cache.misses), (2, MOST_PROGRAMS as u64 + 1));
    }

    #[test]
    fn donation_is_part_of_the_key() {
        let mut cache = ProgramCache::new();
        cache.insert(key(1), 1);
        assert!(cache.get(&Key { donated: vec![0], ..key(1) }).is_none());
    }
}
