//! Extra roots of flushes: what a flush stores besides what was asked for, so that it is computed
//! once. Parameters, values with their gradients, and results of one operation.

use crate::device::cell::ParameterCell;
use crate::device::pending::Weak;
use std::rc::{self, Rc};
use weft_ir::graph::{Graph, NodeId};

#[derive(Default)]
pub(crate) struct ExtraRoots {
    /// Every parameter and piece of optimizer state.
    cells: Vec<rc::Weak<ParameterCell>>,
    groups: Vec<Group>,
    /// Results of one operation, a list for each call.
    siblings: Vec<Vec<Weak>>,
}

/// A value and its gradients, which are best computed together: a training loop asks for the
/// gradients' use first and for the value later, when the parameters it came from are gone.
#[derive(Debug)]
pub(crate) struct Group {
    pub value: Weak,
    pub gradients: Vec<Weak>,
}

impl ExtraRoots {
    pub fn add_cell(&mut self, cell: &Rc<ParameterCell>) {
        self.cells.retain(|cell| cell.strong_count() > 0);
        self.cells.push(Rc::downgrade(cell));
    }

    /// The nodes that cells hold, oldest cell first; cells that are gone are forgotten.
    pub fn held_by_cells(&mut self) -> Vec<NodeId> {
        self.cells.retain(|cell| cell.strong_count() > 0);
        self.cells.iter().filter_map(|cell| cell.upgrade()?.node().ok()).collect()
    }

    pub fn add_group(&mut self, graph: &Graph, group: Group) {
        self.groups(graph);
        self.groups.push(group);
    }

    /// Values that someone still waits for, with their gradients.
    pub fn groups(&mut self, graph: &Graph) -> &[Group] {
        self.groups.retain(|group| group.value.wanted(graph).is_some());
        &self.groups
    }

    pub fn add_siblings(&mut self, graph: &Graph, ids: &[NodeId]) {
        self.siblings(graph);
        self.siblings.push(ids.iter().map(|&id| Weak::to(graph, id)).collect());
    }

    /// Results of one operation of which more than one still waits for its value.
    pub fn siblings(&mut self, graph: &Graph) -> &[Vec<Weak>] {
        let waits = |member: &&Weak| member.wanted(graph).is_some();
        self.siblings.retain(|group| group.iter().filter(waits).nth(1).is_some());
        &self.siblings
    }
}
