//! The live graph, with the handles that were dropped while it was borrowed.

use std::cell::{Cell, RefCell, RefMut};
use weft_ir::graph::{Graph, NodeId};

#[derive(Default)]
pub(crate) struct LiveGraph {
    graph: RefCell<Graph>,
    dropped: RefCell<Vec<NodeId>>,
    marks: Cell<u32>,
}

impl LiveGraph {
    /// The graph, with every handle dropped meanwhile given back.
    pub fn borrow_mut(&self) -> RefMut<'_, Graph> {
        let mut graph = self.graph.borrow_mut();
        // Seldom any: only handles that were dropped while the graph was in use.
        if !self.dropped.borrow().is_empty() {
            self.dropped.take().into_iter().for_each(|id| graph.release(id));
        }
        graph
    }

    /// Gives a handle back, later if the graph is in use. Never fails: this is what drops call.
    pub fn release(&self, id: NodeId) {
        match self.graph.try_borrow_mut() {
            Ok(mut graph) => graph.release(id),
            Err(_) => self.dropped.borrow_mut().push(id),
        }
    }

    /// An id for [`weft_ir::op::Op::Mark`] that no other mark of the graph has.
    pub fn new_mark(&self) -> u32 {
        self.marks.replace(self.marks.get().wrapping_add(1))
    }
}
