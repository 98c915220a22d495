//! Extra roots that bound the memory a loop retains: values carried past a flush that would keep
//! more alive than they take.
//!
//! A running loss or an average of the weights is pending when a step replaces the weights it was
//! made of. From then on the pending graph alone would keep those alive, step after step. Two rules
//! store such values with the flush itself, and so in the same program at every iteration. Neither
//! depends on the garbage collector: handles made since the last flush are never given back before
//! the next, and the rules look only at what was appended and assigned.
//!
//! The rules miss a value in a list that others read as well, and a recurrence in a loop that never
//! flushes: [`crate::lazy::automatic`] stores those.

use crate::device::pending::{is_pending, resolve, worth_keeping, worth_storing};
use weft_ir::graph::{Graph, Node, NodeId, NodeSet, NodeValue};

/// Something read on its way to another result is stored only up to this size, as it would mostly
/// be fused away.
const SMALL_BYTES: u64 = 16 << 10;
/// Views may stack up so high before a carried one is stored that is no more than a view of
/// something stored.
const MOST_VIEWS: u32 = 32;
/// How much of a pending tensor's history is searched.
const MOST_SEARCHED: usize = 4096;

/// The values that this flush is to store along, given what parameters and state now hold.
pub(crate) fn carried_along(graph: &Graph, cells: &[NodeId]) -> Vec<NodeId> {
    let mut found = Vec::new();
    // A recurrence, `x = f(x)`: its history grows by every iteration.
    for id in graph.carried().filter(|&id| !graph[id].refused) {
        found.extend(worth_storing(graph, id).or((graph[id].flush_depth() > MOST_VIEWS).then_some(id)));
    }
    // A value made of parameters that were replaced: it alone would keep the old ones alive.
    let current: NodeSet = cells.iter().map(|&id| resolve(graph, id)).collect();
    for id in graph.recent() {
        let node = graph.at(id);
        let is_candidate = node.handles() > 0
            && !node.refused
            && (node.readers() == 0 || node.bytes() <= SMALL_BYTES)
            && !current.contains(id);
        let Some(stored) = is_candidate.then(|| worth_keeping(graph, id)).flatten() else { continue };
        if graph[stored].refused {
            continue;
        }
        if replaced_bytes(graph, id, &current, graph[stored].bytes()) >= graph[stored].bytes().max(1) {
            found.push(stored);
        }
    }
    found
}

/// Whether a stored tensor was a parameter's and is so no more.
pub(crate) fn is_replaced(node: &Node, id: NodeId, current: &NodeSet) -> bool {
    node.assigned && matches!(node.value, NodeValue::Stored(_)) && !current.contains(id)
}

/// Bytes of replaced parameters that a pending tensor is made of, counted until they are `enough`.
fn replaced_bytes(graph: &Graph, id: NodeId, current: &NodeSet, enough: u64) -> u64 {
    let mut bytes = 0;
    let mut seen = NodeSet::default();
    let mut stack = vec![id];
    seen.insert(id);
    let mut searched = 0;
    while let Some(id) = stack.pop() {
        let node = &graph[id];
        searched += 1;
        if is_replaced(node, id, current) {
            bytes += node.bytes();
        } else if is_pending(node) {
            stack.extend(node.inputs.iter().copied().filter(|&input| seen.insert(input)));
        }
        if bytes >= enough || searched >= MOST_SEARCHED {
            break;
        }
    }
    bytes
}
