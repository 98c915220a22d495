//! Cached topological orders. Walks over the steps of a loop visit their nodes in the same order
//! each time: they are sorted as those before, which is checked in one pass.

use crate::graph::{Graph, NodeId};
use crate::order;
use crate::replay::Recent;

/// Sorts nodes. See the module.
#[derive(Default, Debug)]
pub struct OrderCache {
    /// Places among what was sorted.
    known: Recent<Vec<u32>>,
    unsorted: Vec<NodeId>,
}

impl OrderCache {
    /// Longer ones take much to remember.
    const LONGEST: usize = 4096;

    /// As [`Graph::sort`].
    pub fn sort(&mut self, graph: &Graph, nodes: &mut [NodeId]) {
        let fits = |order: &Vec<u32>| order.len() == nodes.len() && is_sorted(graph, nodes, order);
        let order = match self.known.find(fits) {
            Some(order) => order,
            None if nodes.len() > OrderCache::LONGEST => return graph.sort(nodes),
            None => {
                let mut places: Vec<usize> = (0..nodes.len()).collect();
                order::sort_by_key(&mut places, |place| graph.at(nodes[place]).sequence);
                self.known.insert(places.into_iter().map(|place| place as u32).collect())
            }
        };
        self.unsorted.clear();
        self.unsorted.extend_from_slice(nodes);
        for (node, &place) in nodes.iter_mut().zip(order) {
            *node = self.unsorted[place as usize];
        }
    }
}

/// Whether nodes, named by their places among `nodes`, are sorted, oldest first.
fn is_sorted(graph: &Graph, nodes: &[NodeId], places: &[u32]) -> bool {
    let mut before = 0;
    for &place in places {
        let sequence = graph.at(nodes[place as usize]).sequence;
        if sequence <= before {
            return false;
        }
        before = sequence;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::OrderCache;
    use crate::DType;
    use crate::graph::{Graph, NodeId, ValueId};

    #[test]
    fn nodes_are_sorted_by_age_whatever_was_sorted_before() {
        let mut graph = Graph::new();
        let ids: Vec<NodeId> =
            (0..50).map(|value| graph.add_stored(ValueId(value), [4].into(), DType::F32)).collect();
        let mut orders = OrderCache::default();
        // More orders than are remembered, of a few lengths, each twice.
        for turn in 0..24 {
            let stride = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47][turn / 2];
            let length = 50 - turn % 3;
            let mut nodes: Vec<NodeId> = (0..50).map(|n| ids[n * stride % 50]).take(length).collect();
            let mut expected = nodes.clone();
            graph.sort(&mut expected);
            for _ in 0..2 {
                let mut sorted = nodes.clone();
                orders.sort(&graph, &mut sorted);
                assert_eq!(sorted, expected, "stride {stride}, {length} nodes");
            }
            // Others in the same places, and not in the same order.
            nodes.swap(0, length - 1);
            orders.sort(&graph, &mut nodes);
            assert_eq!(nodes, expected);
        }
        orders.sort(&graph, &mut []);
    }
}
