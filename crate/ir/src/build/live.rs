//! Builder over the live graph. It holds a handle to everything it makes and releases all of them
//! when it is dropped, so that a rule that fails half-way leaks nothing.

use super::{Build, Ref};
use crate::HashMap;
use crate::dtype::DType;
use crate::error::Result;
use crate::graph::{Graph, NodeId};
use crate::op::Op;
use crate::shape::Shape;

/// Appends to a [`Graph`]. See the module's header.
pub struct LiveBuilder<'g> {
    graph: &'g mut Graph,
    held: Vec<NodeId>,
    /// What was appended, so that it is appended once.
    known: HashMap<(Op, Vec<NodeId>), NodeId>,
    /// The graph's site before.
    site: u32,
}

impl Drop for LiveBuilder<'_> {
    fn drop(&mut self) {
        for id in self.held.drain(..) {
            self.graph.release(id);
        }
        self.graph.set_site(self.site);
    }
}

impl<'g> LiveBuilder<'g> {
    /// A builder of more graph.
    pub fn new(graph: &'g mut Graph) -> LiveBuilder<'g> {
        let site = graph.site();
        LiveBuilder { graph, held: Vec::new(), known: HashMap::default(), site }
    }

    /// Takes a handle that outlives the builder.
    pub fn keep(&mut self, x: Ref) -> NodeId {
        let id = NodeId(x.0);
        self.graph.retain(id);
        id
    }
}

impl Build for LiveBuilder<'_> {
    fn op(&mut self, op: Op, inputs: &[Ref]) -> Result<Ref> {
        let key = (op, inputs.iter().map(|x| NodeId(x.0)).collect::<Vec<_>>());
        if let Some(id) = self.known.get(&key) {
            return Ok(Ref(id.0));
        }
        let id = self.graph.add(key.0.clone(), &key.1)?;
        self.held.push(id);
        self.known.insert(key, id);
        Ok(Ref(id.0))
    }

    fn input(&mut self, shape: &Shape, dtype: DType) -> Result<Ref> {
        let shape = Shape::checked("input", shape)?;
        let id = self.graph.add_placeholder(Op::Buffer(shape, dtype))?;
        self.held.push(id);
        Ok(Ref(id.0))
    }

    fn definition(&self, x: Ref) -> (Op, Vec<Ref>) {
        let node = &self.graph[NodeId(x.0)];
        (node.op.clone(), node.inputs.iter().map(|id| Ref(id.0)).collect())
    }

    fn shape(&self, x: Ref) -> Shape {
        self.graph[NodeId(x.0)].shape.clone()
    }

    fn dtype(&self, x: Ref) -> DType {
        self.graph[NodeId(x.0)].dtype
    }

    fn age(&self, x: Ref) -> u64 {
        self.graph[NodeId(x.0)].sequence
    }

    fn site(&self, x: Ref) -> u32 {
        self.graph[NodeId(x.0)].site
    }

    fn set_site(&mut self, site: u32) {
        self.graph.set_site(site);
    }
}
