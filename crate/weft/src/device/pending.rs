//! Queries on the pending part of the live graph, for flushes, captures and automatic flushes.

use weft_ir::graph::{Graph, Node, NodeId, NodeSet, NodeValue};
use weft_ir::op::{Op, region};
use weft_ir::{Error, ErrorKind};

/// Whether a node takes a program to compute, and is not empty, nor another name of what has a
/// value.
pub(crate) fn needs_computing(graph: &Graph, id: NodeId) -> bool {
    graph[id].shape.size() > 0 && is_pending(&graph[resolve(graph, id)])
}

pub(crate) fn is_pending(node: &Node) -> bool {
    node.is_pending()
}

/// Of the nodes that `ids` depend on, those that depend on a placeholder.
pub(crate) fn placeholder_dependents(graph: &Graph, ids: &[NodeId]) -> NodeSet {
    let mut found = NodeSet::default();
    if !graph.has_placeholders() {
        return found;
    }
    for id in graph.closure(ids, is_pending) {
        let node = &graph[id];
        let depends = match node.value {
            NodeValue::Placeholder => true,
            NodeValue::Pending => node.inputs.iter().any(|&i| found.contains(i)),
            _ => false,
        };
        if depends {
            found.insert(id);
        }
    }
    found
}

pub(crate) fn traced_error(name: &str, graph: &Graph, id: NodeId) -> Error {
    let node = &graph[id];
    let what = format!(
        "the value of {}{} depends on an input of a function that is being captured (by jit or vmap, or as what a loop or branch runs): inside, only its shape and dtype are known",
        node.dtype, node.shape
    );
    Error::new(ErrorKind::Trace, name, what)
}

/// What a node is another name of: itself, or what stands below its marks and detachments.
pub(crate) fn resolve(graph: &Graph, mut id: NodeId) -> NodeId {
    loop {
        let node = graph.at(id);
        if !(node.is_pending() && matches!(node.op, Op::Mark(_) | Op::Detach)) {
            return id;
        }
        id = node.inputs[0];
    }
}

/// What to store so that `id` is at hand: itself, or the smallest thing it is a mere view of;
/// nothing if that is a leaf.
pub(crate) fn worth_storing(graph: &Graph, id: NodeId) -> Option<NodeId> {
    let (smallest, below) = smallest_view(graph, id)?;
    (!is_leaf(&graph[below])).then_some(smallest)
}

/// What to store so that `id` keeps nothing alive that is larger: as [`worth_storing`], but also
/// the smallest view of a larger leaf.
pub(crate) fn worth_keeping(graph: &Graph, id: NodeId) -> Option<NodeId> {
    let (smallest, below) = smallest_view(graph, id)?;
    (smallest != below || !is_leaf(&graph[below])).then_some(smallest)
}

fn is_leaf(node: &Node) -> bool {
    !is_pending(node) || node.op.is_leaf()
}

/// The smallest of a node, the views that it is made of and what those are views of, which comes
/// second; of several the last. Nothing where that is a region, which has no value.
fn smallest_view(graph: &Graph, id: NodeId) -> Option<(NodeId, NodeId)> {
    let (mut smallest, mut at) = (id, id);
    while !is_leaf(&graph[at]) && matches!(graph[at].op, Op::View(_) | Op::Mark(_) | Op::Detach) {
        at = graph[at].inputs[0];
        if graph[at].shape.size() < graph[smallest].shape.size() {
            smallest = at;
        }
    }
    if graph[at].shape.size() == graph[smallest].shape.size() {
        smallest = at;
    }
    (!region::is_region(&graph[at].op)).then_some((smallest, at))
}

/// A node known without being held: its id, and its age to tell it from a later node in the same
/// place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weak {
    pub id: NodeId,
    sequence: u64,
}

impl Weak {
    /// Of a node that exists.
    pub fn to(graph: &Graph, id: NodeId) -> Weak {
        Weak { id, sequence: graph[id].sequence }
    }

    /// Whether it still exists.
    pub fn is_live(self, graph: &Graph) -> bool {
        graph.get(self.id).is_some_and(|node| node.sequence == self.sequence)
    }

    /// The node, while a user still holds it and it has no value.
    pub fn wanted(self, graph: &Graph) -> Option<NodeId> {
        let held = |node: &Node| node.handles() > 0 && is_pending(node);
        (self.is_live(graph) && held(&graph[self.id])).then_some(self.id)
    }
}
