//! Clusters: nodes that share a kernel. What fusion finds and families lower.

pub(crate) mod compared;
mod domain;
mod meetings;
mod pattern;

pub use domain::{Domain, row_length};
pub use pattern::Pattern;

use weft_ir::op::Op;
use weft_ir::program::{ProgramId, TensorProgram};

/// One kernel's worth of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// What it iterates over.
    pub domain: Domain,
    /// Its marked nodes in order, stored or not.
    pub members: Vec<ProgramId>,
    /// The members that are stored, in order.
    pub outputs: Vec<ProgramId>,
}

impl Cluster {
    /// The stored nodes that read each result of the region in this cluster; `results` is their
    /// number.
    pub fn parts(&self, program: &TensorProgram, results: usize) -> Vec<Option<ProgramId>> {
        let mut parts = vec![None; results];
        for &id in &self.outputs {
            if let Op::Part { index, .. } = program[id].op {
                parts[index].get_or_insert(id);
            }
        }
        parts
    }
}

/// A node that is stored though nobody asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The node.
    pub node: ProgramId,
    /// Why, for people.
    pub reason: &'static str,
}

/// A program cut into clusters, in an order in which they can run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clusters {
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// For each node, the cluster it is a member of.
    pub home: Vec<Option<usize>>,
    /// Which nodes have a kernel built around them.
    pub heavy: Vec<bool>,
    /// The nodes that are computed once: no kernel that walks rows computes one again for what
    /// reads it.
    pub once: Vec<ProgramId>,
    /// For each stored node that is not a result, why it could not stay inside a cluster.
    pub cuts: Vec<Cut>,
    /// How often each node is read.
    pub reads: Vec<u32>,
}

impl Clusters {
    /// Whether cluster `own` reads node `id` from a buffer.
    pub fn is_loaded(&self, program: &TensorProgram, own: usize, id: ProgramId) -> bool {
        matches!(program[id].op, Op::Buffer(..)) || self.home[id.index()].is_some_and(|c| c != own)
    }
}
