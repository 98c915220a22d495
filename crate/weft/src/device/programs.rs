//! Compiled programs: those of the last few flushes, found by their graphs, and all others, found
//! by their canonical form.

use crate::device::backend::Compiled;
use crate::device::cache::{Key, ProgramCache};
use crate::device::recall::{Recall, Recalled};
use std::rc::Rc;
use weft_ir::graph::{Graph, NodeId};

pub(crate) struct Programs {
    cache: ProgramCache<Compiled>,
    recall: Recall,
}

impl Programs {
    pub fn new() -> Programs {
        Programs { cache: ProgramCache::new(), recall: Recall::default() }
    }

    /// What computes `roots`, if a recent flush computed the same: see [`Recall::find`].
    pub fn recall(
        &mut self,
        graph: &Graph,
        roots: &[NodeId],
        closure: &[NodeId],
        replaced: &[NodeId],
    ) -> Option<Recalled> {
        let found = self.recall.find(graph, roots, closure, replaced)?;
        self.cache.hits += 1;
        Some(found)
    }

    /// Remembers what a flush was compiled to: see [`Recall::remember`].
    pub fn remember(
        &mut self,
        graph: &Graph,
        roots: &[NodeId],
        closure: &[NodeId],
        replaced: &[NodeId],
        found: &Recalled,
    ) {
        self.recall.remember(graph, roots, closure, replaced, found);
    }

    /// What `key` compiles to, if that is known.
    pub fn get(&mut self, key: &Key) -> Option<Rc<Compiled>> {
        self.cache.get(key)
    }

    /// Keeps what `key` compiled to.
    pub fn insert(&mut self, key: Key, compiled: Compiled) -> Rc<Compiled> {
        self.cache.insert(key, compiled)
    }

    /// Counts a program that its caller had kept as found.
    pub fn count_hit(&mut self) {
        self.cache.hits += 1;
    }

    /// How many programs were found, and how many had to be compiled.
    pub fn counts(&self) -> (u64, u64) {
        (self.cache.hits, self.cache.misses)
    }

    /// How many flushes were unlike all recent ones.
    #[cfg(test)]
    pub fn unlike_recent(&self) -> u64 {
        self.recall.missed
    }

    /// Forgets recent flushes.
    #[cfg(test)]
    pub fn forget_recent(&mut self) {
        self.recall = Recall::default();
    }
}
