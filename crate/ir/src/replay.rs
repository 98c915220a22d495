//! Recorded graphs and their replay. A step of a loop writes the same graph as the step before it;
//! replaying what was recorded takes no rule, no inference and no lookup.

use crate::dtype::DType;
use crate::graph::{Graph, NodeId, NodeSet, NodeValue};
use crate::op::Op;
use crate::shape::Shape;

/// Nodes that were made of given ones, by their places: the given ones first, then each after what
/// it reads.
#[derive(Debug)]
pub struct RecordedGraph {
    /// What is given, and which of them are the same node: each by the first that it is.
    given: Vec<(Shape, DType, u32)>,
    made: Vec<(Op, Vec<u32>, Shape, DType)>,
    results: Vec<u32>,
}

/// The last few steps that loops take turns with (training, validation, what is drawn now and
/// then), the latest first.
#[derive(Debug)]
pub struct Recent<T>(Vec<T>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Vec::new())
    }
}

impl<T> Recent<T> {
    const MOST: usize = 8;

    /// The latest that is like what is looked for. It is the first from then on.
    pub fn find(&mut self, is_like: impl FnMut(&T) -> bool) -> Option<&T> {
        let found = self.0.iter().position(is_like)?;
        // Shorter compiled than a rotation.
        (0..found).rev().for_each(|n| self.0.swap(n, n + 1));
        self.0.first()
    }

    /// Adds one in front. The one that was not found for longest goes, if there are too many.
    pub fn insert(&mut self, step: T) -> &T {
        self.0.truncate(Self::MOST - 1);
        self.0.insert(0, step);
        &self.0[0]
    }
}

/// Places of nodes by their ids, kept from one use to the next.
pub type Places = Vec<u32>;

const NOWHERE: u32 = u32::MAX;

/// Notes the place of a node.
pub fn note(places: &mut Places, id: NodeId, place: u32) {
    let at = id.0 as usize;
    if at >= places.len() {
        places.resize(at + 1, NOWHERE);
    }
    places[at] = place;
}

/// Numbers nodes: each by the first place at which it is.
fn number(places: &mut Places, ids: &[NodeId]) -> impl Iterator<Item = u32> {
    ids.iter().for_each(|&id| note(places, id, NOWHERE));
    (0..).zip(ids).map(|(place, &id)| {
        let first = &mut places[id.0 as usize];
        *first = (*first).min(place);
        *first
    })
}

impl RecordedGraph {
    /// What `results` are made of, down to `given`. Nothing where that is more than `most` nodes,
    /// or where a value or a placeholder is among them that is not given.
    pub fn of(
        graph: &Graph,
        given: &[NodeId],
        results: &[NodeId],
        most: usize,
        places: &mut Places,
    ) -> Option<RecordedGraph> {
        let known: NodeSet = given.iter().copied().collect();
        let mut made = Vec::new();
        let mut seen = known.clone();
        // Given nodes are not entered, as they are seen.
        graph.reach(results, |node| node.value == NodeValue::Pending, &mut seen, &mut made);
        if made.len() > most || made.iter().any(|&id| graph[id].value != NodeValue::Pending) {
            return None;
        }
        graph.sort(&mut made);
        let firsts: Vec<u32> = number(places, given).collect();
        for (place, &id) in (given.len() as u32..).zip(&made) {
            note(places, id, place);
        }
        let placed = |ids: &[NodeId]| ids.iter().map(|id| places[id.0 as usize]).collect::<Vec<u32>>();
        let node = |&id: &NodeId| {
            let node = &graph[id];
            (node.op.clone(), placed(&node.inputs), node.shape.clone(), node.dtype)
        };
        let fact = |(&id, first): (&NodeId, u32)| (graph[id].shape.clone(), graph[id].dtype, first);
        Some(RecordedGraph {
            given: given.iter().zip(firsts).map(fact).collect(),
            made: made.iter().map(node).collect(),
            results: placed(results),
        })
    }

    /// Whether the same can be made of `given`.
    pub fn fits(&self, graph: &Graph, given: &[NodeId], places: &mut Places) -> bool {
        let like = |(&id, (shape, dtype, _)): (&NodeId, &(Shape, DType, u32))| {
            let node = graph.at(id);
            node.dtype == *dtype && node.shape == *shape
        };
        given.len() == self.given.len()
            && given.iter().zip(&self.given).all(like)
            && number(places, given).zip(&self.given).all(|(first, known)| first == known.2)
    }

    /// Makes it of `given`, which must fit. The caller gets a handle to each result.
    pub fn make(&self, graph: &mut Graph, given: &[NodeId]) -> Vec<NodeId> {
        let mut nodes = Vec::with_capacity(given.len() + self.made.len());
        nodes.extend(given);
        for (op, places, shape, dtype) in &self.made {
            // A loop, not a chain of iterators: this is every node of a step but those of its
            // forward pass.
            let mut inputs = Vec::with_capacity(places.len());
            for &place in places {
                inputs.push(nodes[place as usize]);
            }
            nodes.push(graph.add_like(op.clone(), inputs, shape.clone(), *dtype));
        }
        let results: Vec<NodeId> = self.results.iter().map(|&place| nodes[place as usize]).collect();
        results.iter().for_each(|&id| graph.retain(id));
        nodes[given.len()..].iter().for_each(|&id| graph.release(id));
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_are_found_stay_and_the_longest_unfound_goes() {
        let mut recent = Recent::default();
        for step in 0..Recent::<usize>::MOST {
            assert_eq!(recent.find(|&known| known == step), None);
            assert_eq!(*recent.insert(step), step);
        }
        assert_eq!(recent.find(|&known| known == 0), Some(&0));
        recent.insert(100);
        assert_eq!(recent.0, [100, 0, 7, 6, 5, 4, 3, 2]);
        assert_eq!(recent.find(|&known| known == 1), None);
    }
}
