//! Roots that results of one operation share, such as the factors of a matrix.
//!
//! A flush that computes one result stores what it shares with those that are still held, so that a
//! factorization is computed once though its factors are read one after the other. What only the
//! others need is computed when somebody reads them.

use crate::device::Device;
use crate::device::pending::{Weak, is_pending, worth_storing};
use crate::device::tensor::Tensor;
use weft_ir::Result;
use weft_ir::graph::{NodeId, NodeSet};

impl Device {
    /// Notes that these are results of one operation, and gives them back.
    pub(crate) fn siblings(&self, name: &str, made: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let ids = made.iter().map(|tensor| self.own_node(name, tensor)).collect::<Result<Vec<_>>>()?;
        let graph = self.graph();
        self.inner.extra_roots.borrow_mut().add_siblings(&graph, &ids);
        Ok(made)
    }

    /// What a flush of `asked` computes and results that are held, beside those that it gives, will
    /// need.
    pub(crate) fn shared_with_siblings(&self, asked: &[NodeId]) -> Vec<NodeId> {
        let graph = self.graph();
        let mut extra_roots = self.inner.extra_roots.borrow_mut();
        let all = extra_roots.siblings(&graph);
        let mut shared = Vec::new();
        if all.is_empty() {
            return shared;
        }
        let (mut reached, mut closure) = (NodeSet::default(), Vec::new());
        graph.reach(asked, is_pending, &mut reached, &mut closure);
        let is_computed = |member: &Weak| member.is_live(&graph) && reached.contains(member.id);
        let mut seen = NodeSet::default();
        for group in all.iter().filter(|group| group.iter().any(is_computed)) {
            let mut open: Vec<NodeId> = group.iter().filter_map(|member| member.wanted(&graph)).collect();
            while let Some(id) = open.pop() {
                if !is_pending(&graph[id]) || !seen.insert(id) {
                    continue;
                }
                if reached.contains(id) {
                    shared.extend(worth_storing(&graph, id));
                } else {
                    open.extend(&graph[id].inputs);
                }
            }
        }
        shared
    }
}
