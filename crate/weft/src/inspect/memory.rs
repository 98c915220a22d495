//! Tensors that hold memory: every stored value of the live graph, with where it was asked for.

use super::Inspector;
use std::fmt::Write;
use weft_ir::HashMap;
use weft_ir::graph::{NodeId, NodeValue, ValueId};

/// Values that are listed, the largest.
const MOST_VALUES: usize = 512;

/// A stored value, and what holds it.
struct Stored {
    bytes: u64,
    form: String,
    site: u32,
    /// Handles of users, those of parameters among them.
    handles: u32,
    /// Operations that are pending and read it.
    readers: u32,
    is_assigned: bool,
    nodes: Vec<NodeId>,
}

impl Inspector {
    /// The stored values, the largest first, as JSON: `{"live":…,"peak":…,"pooled":…,"count":…,
    /// "values":[{"bytes":…,"form":"f32[2,3]","site":…,"handles":…,"readers":…,"parameter":…,"nodes":[…]}]}`.
    /// What has several names is listed once.
    pub fn held_memory(&self) -> String {
        let stats = self.stats();
        let graph = self.graph();
        let mut values: HashMap<ValueId, Stored> = HashMap::default();
        for id in graph.ids() {
            let node = &graph[id];
            let NodeValue::Stored(value) = node.value else { continue };
            let known = values.entry(value).or_insert_with(|| Stored {
                bytes: node.bytes(),
                form: format!("{}{}", node.dtype, node.shape),
                site: node.site,
                handles: 0,
                readers: 0,
                is_assigned: false,
                nodes: Vec::new(),
            });
            known.handles += node.handles();
            known.readers += node.readers();
            known.is_assigned |= node.assigned;
            known.nodes.push(id);
        }
        drop(graph);
        let count = values.len();
        let mut values: Vec<Stored> = values.into_values().collect();
        values.sort_unstable_by_key(|value| std::cmp::Reverse(value.bytes));
        values.truncate(MOST_VALUES);
        let mut out = format!(
            "{{\"live\":{},\"peak\":{},\"pooled\":{},\"count\":{count},\"values\":[",
            stats.bytes_live, stats.bytes_peak, stats.bytes_pooled
        );
        for (n, Stored { bytes, form, site, handles, readers, is_assigned, nodes }) in
            values.iter().enumerate()
        {
            let nodes: Vec<u32> = nodes.iter().map(|id| id.0).collect();
            let _ = write!(
                out,
                "{}{{\"bytes\":{bytes},\"form\":\"{form}\",\"site\":{site},\"handles\":{handles},\"readers\":{readers},\"parameter\":{is_assigned},\"nodes\":{nodes:?}}}",
                if n > 0 { "," } else { "" }
            );
        }
        out.push_str("]}");
        out
    }
}

impl crate::Tensor {
    /// The number of its node, by which [`Inspector::held_memory`] names it.
    pub fn node_number(&self) -> Option<u32> {
        self.node("inspect").ok().map(|id| id.0)
    }
}
