//! When pending work has grown too large, and what is stored then though nobody asked.
//!
//! Two clocks, which only what a program does can move, say when to look: nodes added and bytes stored. A look stores what
//! holds more alive than it takes itself: the end of a long chain, a value in a list that keeps old weights, a
//! recurrence that no flush has seen. Whatever hangs together is a program of its own, so that which tensors a garbage collector
//! has found yet decides what runs, and never what a program looks like. Most looks find nothing and cost nothing.

use crate::carry::is_replaced;
use crate::device::{Device, MOST_STORED};
use crate::pending::{is_pending, placeholder_dependents, resolve, worth_storing};
use weft_ir::HashMap;
use weft_ir::Result;
use weft_ir::graph::{Graph, NodeId, NodeSet, Value};

/// How many nodes may be added before the pending graph is looked at.
const MOST_ADDED: usize = 4096;
/// A result of more pending nodes than this is stored, so that no program grows without end.
const LONG_CHAIN: usize = 512;
/// What a node takes, about.
const NODE_BYTES: u64 = 256;
/// What storing takes besides the elements: a buffer has a least size, and so has the record of it.
const BUFFER_BYTES: u64 = 1024;

impl Device {
    /// Looks after the pending graph when one of the clocks says so, and gives back what has vanished. While a function is
    /// captured nothing can be computed and nothing is.
    pub(crate) fn make_room(&self) -> Result<()> {
        let (is_long, is_large, has_released) = {
            let graph = self.graph();
            let is_large = graph.stored_bytes() >= self.inner.room.get();
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
            let outgrown =
                if is_large { outgrown(&graph, &current) } else { long_since_last(&graph, &current) };
            graph.rewind();
            let taken = cells.iter().map(|&id| graph[id].bytes()).sum();
            self.inner.room.set(MOST_STORED.max(taken));
            let traced = placeholder_dependents(&graph, &outgrown);
            let free: Vec<NodeId> = outgrown.into_iter().filter(|id| !traced.contains(*id)).collect();
            apart(&graph, &free)
        };
        self.tick();
        let hold = self.inner.backend.hold();
        for group in groups {
            if self.flush_alone(&group).is_ok() {
                continue;
            }
            // One that cannot be computed must not keep the others from it, nor fail whatever operation came next: it is
            // left to whoever reads it, and told then.
            for id in group {
                if self.flush_alone(&[id]).is_err() {
                    self.refuse(&[id]);
                }
            }
        }
        drop(hold);
        self.collect();
        Ok(())
    }
}

/// Distinct ends, of those added since the last look, that hold more alive than storing them would take. Older ends were looked at
/// then, and what they keep alive has not grown unless bytes were stored.
fn long_since_last(graph: &Graph, current: &NodeSet) -> Vec<NodeId> {
    let mut known = NodeSet::default();
    let ends = graph.recent().filter(|&id| is_end(graph, id));
    let worth = ends.filter_map(|id| {
        let stored = storable(graph, id)?;
        is_burden(graph, id, current, taken(graph, stored)).then_some(stored)
    });
    worth.filter(|&stored| known.insert(stored)).collect()
}

/// Distinct nodes that hold more alive than storing them would take, oldest first.
fn outgrown(graph: &Graph, current: &NodeSet) -> Vec<NodeId> {
    let mut pending: Vec<NodeId> = graph.iter().filter(|(_, n)| is_pending(n)).map(|(id, _)| id).collect();
    graph.sort(&mut pending);
    let places = pending.iter().map(|id| id.0 as usize + 1).max().unwrap_or(0);
    // The largest tensor below each node that only pending work keeps alive.
    let mut largest = vec![0; places];
    let (mut found, mut known) = (Vec::new(), NodeSet::default());
    for id in pending {
        let below = graph[id].inputs.iter().map(|&input| match is_pending(&graph[input]) {
            true => largest[input.0 as usize],
            false => orphan_bytes(graph, input, current),
        });
        let bytes = below.max().unwrap_or(0);
        largest[id.0 as usize] = bytes;
        let Some(stored) = storable(graph, id) else { continue };
        let taken = taken(graph, stored);
        let is_worth = outgrows(bytes, taken) || (is_end(graph, id) && is_burden(graph, id, current, taken));
        if is_worth && known.insert(stored) {
            found.push(stored);
        }
    }
    found
}

/// What to store so that a node which someone holds is at hand, unless that failed before.
fn storable(graph: &Graph, id: NodeId) -> Option<NodeId> {
    if graph[id].handles() == 0 {
        return None;
    }
    worth_storing(graph, id).filter(|&id| !graph[id].refused)
}

/// What storing a node takes.
fn taken(graph: &Graph, id: NodeId) -> u64 {
    graph[id].bytes() + BUFFER_BYTES
}

/// Whether nothing was made of a node and no flush came by. In a garbage-collected language every link of a long chain is still held,
/// and storing each would cost more than the chain.
fn is_end(graph: &Graph, id: NodeId) -> bool {
    graph[id].readers() == 0 && !graph[id].computed
}

fn outgrows(held: u64, taken: u64) -> bool {
    held > taken + taken / 4
}

/// The bytes of a stored tensor that nothing but pending work holds: no user, no parameter.
fn orphan_bytes(graph: &Graph, id: NodeId, current: &NodeSet) -> u64 {
    let node = &graph[id];
    let is_orphan = node.handles() == 0 || is_replaced(node, id, current);
    if is_orphan && matches!(node.value, Value::Stored(_)) { node.bytes() } else { 0 }
}

/// Whether all that hangs on the end of a computation outgrows what storing the end would take.
fn is_burden(graph: &Graph, end: NodeId, current: &NodeSet, taken: u64) -> bool {
    let mut seen = NodeSet::default();
    let mut stack = vec![end];
    seen.insert(end);
    let (mut nodes, mut held) = (0, 0);
    while let Some(id) = stack.pop() {
        if is_pending(&graph[id]) {
            nodes += 1;
            held += NODE_BYTES;
            stack.extend(graph[id].inputs.iter().copied().filter(|&input| seen.insert(input)));
        } else {
            held += orphan_bytes(graph, id, current);
        }
        if nodes > LONG_CHAIN || outgrows(held, taken) {
            return true;
        }
    }
    false
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
