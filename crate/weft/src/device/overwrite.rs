//! Replaceable buffers: those of parameters and optimizer state that a flush replaces. The new
//! values may be written over them, so that a step of training needs no second copy of either.
//!
//! Other tensors are left alone: the garbage collector decides when their handles go, and it must
//! not decide which programs are compiled.

use crate::device::backend::Backend;
use weft_ir::graph::{Graph, NodeId, NodeValue};

/// How many readers of each node, by its id, go with the flush at hand.
#[derive(Default)]
pub(crate) struct ReplaceableBuffers(Vec<u32>);

impl ReplaceableBuffers {
    /// Of `closure`, which is what `roots` depend on, oldest first: the leaves that were a
    /// parameter's or an optimizer's, and that go when the roots are stored.
    pub fn replaced(
        &mut self,
        graph: &Graph,
        backend: &Backend,
        roots: &[NodeId],
        closure: &[NodeId],
    ) -> Vec<NodeId> {
        let mut found = Vec::new();
        let may_go = |id: NodeId| {
            let node = &graph[id];
            node.assigned && node.handles() == 0 && matches!(node.value, NodeValue::Stored(_))
        };
        // While a transform is open, stored nodes keep their inputs.
        if backend.is_cpu() || graph.open_transforms() > 0 || !closure.iter().any(|&id| may_go(id)) {
            return found;
        }
        let lost_readers = &mut self.0;
        for &id in closure {
            let at = id.0 as usize;
            if at >= lost_readers.len() {
                lost_readers.resize(at + 1, 0);
            }
            lost_readers[at] = 0;
        }
        // A root stays stored and releases its inputs.
        roots.iter().for_each(|root| lost_readers[root.0 as usize] = u32::MAX);
        for &id in closure.iter().rev() {
            let (node, own) = (graph.at(id), lost_readers[id.0 as usize]);
            let is_root = own == u32::MAX;
            if !is_root && (node.handles() > 0 || own != node.readers()) {
                continue;
            }
            if let NodeValue::Stored(value) = node.value {
                if may_go(id) && !backend.is_shared(value) {
                    found.push(id);
                }
                continue;
            }
            for input in &node.inputs {
                let count = &mut lost_readers[input.0 as usize];
                *count = count.saturating_add(1);
            }
        }
        found.reverse();
        found
    }
}
