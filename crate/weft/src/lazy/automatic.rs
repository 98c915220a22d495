//! Automatic flushes, which bound the memory that a loop retains.
//!
//! Two clocks, which only the program can move, say when to look: nodes added and bytes stored. A
//! look stores what retains more than it takes itself: the end of a long chain, a value in a list
//! that keeps old weights, a recurrence that no flush has seen. Each connected part is a program of
//! its own: the garbage collector may decide which programs run, and never what a program looks
//! like. Most looks find nothing and cost nothing.

use crate::device::Device;
use crate::device::pending::{is_pending, placeholder_dependents, resolve, worth_keeping};
use crate::lazy::carry::is_replaced;
use weft_ir::HashMap;
use weft_ir::Result;
use weft_ir::graph::{Graph, NodeId, NodeSet, NodeValue};

/// How many nodes may be added before the pending graph is looked at.
const MOST_ADDED: usize = 4096;
/// A result of more pending nodes than this is stored, so that no program grows without end.
const LONG_CHAIN: usize = 512;
/// What a node takes, about.
const NODE_BYTES: u64 = 256;
/// What storing takes besides the elements: a buffer has a least size, and so has the record of it.
const BUFFER_BYTES: u64 = 1024;

impl Device {
    /// Looks after the pending graph when one of the clocks says so, and gives back what has
    /// vanished. While a function is captured nothing can be computed and nothing is.
    pub(crate) fn make_room(&self) -> Result<()> {
        let (is_long, is_large, has_released) = {
            let graph = self.graph();
            let is_large = self.inner.clock.is_due(graph.stored_bytes());
            (graph.added() >= MOST_ADDED, is_large, graph.has_released())
        };
        if has_released {
            self.collect();
        }
        if !(is_long || is_large) || self.is_tracing() {
            return Ok(());
        }
        let cells = self.held_by_cells();
        let groups = {
            let mut graph = self.graph();
            let current = cells.iter().map(|&id| resolve(&graph, id)).collect();
            let mut look = Look { graph: &graph, current: &current, taken_for_stored: NodeSet::default() };
            let outgrown = if is_large { look.outgrown() } else { look.long_since_last() };
            graph.rewind();
            let taken = cells.iter().map(|&id| graph[id].bytes()).sum();
            self.inner.clock.make_room_for(taken);
            let traced = placeholder_dependents(&graph, &outgrown);
            let free: Vec<NodeId> = outgrown.into_iter().filter(|id| !traced.contains(*id)).collect();
            apart(&graph, &free)
        };
        self.tick();
        let batching = self.inner.backend.batch_submits();
        for group in groups {
            if self.flush_alone(&group).is_ok() {
                continue;
            }
            // One that cannot be computed must not stop the others, nor fail the operation that
            // called this: a read of it gets the error.
            for id in group {
                if self.flush_alone(&[id]).is_err() {
                    self.refuse(&[id]);
                }
            }
        }
        drop(batching);
        Ok(())
    }
}

/// A look at what pending work keeps alive.
struct Look<'a> {
    graph: &'a Graph,
    /// What parameters and state hold now.
    current: &'a NodeSet,
    /// What was found so far: nothing is kept alive through it.
    taken_for_stored: NodeSet,
}

/// Something that may be worth storing.
struct Candidate {
    /// What to store.
    id: NodeId,
    /// What hangs on it, where that is not too much to count.
    kept: Option<Kept>,
}

/// What a node keeps alive.
struct Kept {
    /// Pending nodes that count, itself included.
    nodes: u64,
    /// Stored tensors that nothing but pending work holds.
    orphans: Vec<NodeId>,
}

impl Look<'_> {
    /// What to store of the ends that were added since the last look. Older ends were looked at
    /// then, and what they keep alive has not grown unless bytes were stored.
    fn long_since_last(&mut self) -> Vec<NodeId> {
        let ends = self.graph.recent().filter(|&id| is_end(self.graph, id));
        let found = ends.filter_map(|id| self.candidate(id, 0, 0)).collect();
        self.worthwhile(found)
    }

    /// What to store of everything, oldest first: of a chain whose links are held, that which is
    /// nearest to what they keep alive.
    fn outgrown(&mut self) -> Vec<NodeId> {
        let graph = self.graph;
        let mut pending: Vec<NodeId> =
            graph.iter().filter(|(_, node)| is_pending(node)).map(|(id, _)| id).collect();
        graph.sort(&mut pending);
        let places = pending.iter().map(|id| id.0 as usize + 1).max().unwrap_or(0);
        // Bytes of the orphans below each node: of the largest, and an upper bound of their sum.
        let mut below = vec![(0, 0); places];
        let mut found = Vec::new();
        for id in pending {
            let (mut largest, mut all) = (0, 0u64);
            for &input in &graph[id].inputs {
                let (one, several) = match is_pending(&graph[input]) {
                    true => below[input.0 as usize],
                    false => (self.orphan_bytes(input), self.orphan_bytes(input)),
                };
                (largest, all) = (one.max(largest), all.saturating_add(several));
            }
            match self.candidate(id, largest, all) {
                Some(candidate) => {
                    below[candidate.id.0 as usize] = (0, 0);
                    found.push(candidate);
                }
                None => below[id.0 as usize] = (largest, all),
            }
        }
        self.worthwhile(found)
    }

    /// What to store so that `id` keeps no more alive than that takes, if anything; the largest
    /// orphan below it has so many bytes, and all have at most so many.
    fn candidate(&mut self, id: NodeId, largest: u64, all: u64) -> Option<Candidate> {
        let graph = self.graph;
        if graph[id].handles() == 0 {
            return None;
        }
        let stored = worth_keeping(graph, id).filter(|&id| !graph[id].refused)?;
        let (is_end, taken) = (is_end(graph, id), taken(graph, stored));
        // The garbage collector decides which links of a chain are still held, and must not decide
        // what is stored. So a link counts only where it keeps alive one tensor larger than itself.
        let held = if graph[id].readers() == 0 { all } else { largest };
        if !(is_end || outgrows(held, taken)) {
            return None;
        }
        let kept = self.kept(id, is_end);
        let is_worth = match &kept {
            Some(kept) => {
                let bytes = kept.orphans.iter().map(|&id| self.orphan_bytes(id));
                outgrows(kept.nodes * NODE_BYTES + bytes.sum::<u64>(), taken)
            }
            None => is_end || outgrows(largest, taken),
        };
        (is_worth && self.taken_for_stored.insert(stored)).then_some(Candidate { id: stored, kept })
    }

    /// What hangs on a node, nothing where that is more than [`LONG_CHAIN`] nodes. Nodes count
    /// where it is an end: else someone made them who may need them again.
    fn kept(&self, id: NodeId, is_end: bool) -> Option<Kept> {
        let mut seen = NodeSet::default();
        let mut stack = vec![id];
        seen.insert(id);
        let (mut nodes, mut orphans) = (0, Vec::new());
        while let Some(id) = stack.pop() {
            let node = &self.graph[id];
            if is_pending(node) {
                nodes += 1;
                let inputs = node.inputs.iter().copied();
                stack.extend(inputs.filter(|&id| !self.taken_for_stored.contains(id) && seen.insert(id)));
            } else if self.orphan_bytes(id) > 0 {
                orphans.push(id);
            }
            if nodes > LONG_CHAIN {
                return None;
            }
        }
        Some(Kept { nodes: if is_end { nodes as u64 } else { 0 }, orphans })
    }

    /// Candidates that retain more than they cost. A tensor that several retain is freed only when
    /// all of them are stored, so each counts a share of it.
    fn worthwhile(&self, found: Vec<Candidate>) -> Vec<NodeId> {
        let mut sharers: HashMap<NodeId, u64> = HashMap::default();
        for id in found.iter().filter_map(|one| one.kept.as_ref()).flat_map(|kept| &kept.orphans) {
            *sharers.entry(*id).or_insert(0) += 1;
        }
        let is_worth = |one: &Candidate| {
            let Some(kept) = &one.kept else { return true };
            let shares = kept.orphans.iter().map(|id| self.orphan_bytes(*id) / sharers[id]);
            outgrows(kept.nodes * NODE_BYTES + shares.sum::<u64>(), taken(self.graph, one.id))
        };
        found.into_iter().filter(is_worth).map(|one| one.id).collect()
    }

    /// The bytes of a stored tensor that nothing but pending work holds: no user, no parameter.
    fn orphan_bytes(&self, id: NodeId) -> u64 {
        let node = &self.graph[id];
        let is_orphan = node.handles() == 0 || is_replaced(node, id, self.current);
        if is_orphan && matches!(node.value, NodeValue::Stored(_)) { node.bytes() } else { 0 }
    }
}

/// What storing a node takes.
fn taken(graph: &Graph, id: NodeId) -> u64 {
    graph[id].bytes() + BUFFER_BYTES
}

/// Whether nothing was made of a node and no flush came by. In a garbage-collected language every
/// link of a long chain is still held, and storing each would cost more than the chain.
fn is_end(graph: &Graph, id: NodeId) -> bool {
    graph[id].readers() == 0 && !graph[id].computed
}

fn outgrows(held: u64, taken: u64) -> bool {
    held > taken + taken / 4
}

/// Distinct nodes in groups that share no pending work.
fn apart(graph: &Graph, ids: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut owner: HashMap<NodeId, usize> = HashMap::default();
    let mut joined: Vec<usize> = (0..ids.len()).collect();
    fn first(joined: &mut [usize], mut n: usize) -> usize {
        while joined[n] != n {
            joined[n] = joined[joined[n]];
            n = joined[n];
        }
        n
    }
    for (n, &id) in ids.iter().enumerate() {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if let Some(&other) = owner.get(&id) {
                let (a, b) = (first(&mut joined, n), first(&mut joined, other));
                joined[a.max(b)] = a.min(b);
                continue;
            }
            owner.insert(id, n);
            stack.extend(graph[id].inputs.iter().copied().filter(|&i| is_pending(&graph[i])));
        }
    }
    let mut groups: Vec<Vec<NodeId>> = vec![Vec::new(); ids.len()];
    for (n, &id) in ids.iter().enumerate() {
        groups[first(&mut joined, n)].push(id);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
