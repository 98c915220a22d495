//! Assignment of storage candidates to clusters.
//!
//! A node joins a cluster whose members' values it needs at exactly the element the cluster's
//! invocation is at: that is decided by evaluating the node symbolically and comparing coordinates,
//! which are equal ids if they are equal maps.

use super::order::Order;
use super::place::Place;
use super::storage::{Cone, StorageCandidates, merge};
use crate::cluster::{Cluster, Domain};
use crate::family::more_bindings;
use crate::family::user::follows;
use crate::limits::{Limits, MAX_MOVES, MAX_OPERATIONS};
use crate::lower::eval::Evaluator;
use weft_ir::HashMap;
use weft_ir::op::{Class, KernelCall, Op, facts};
use weft_ir::order;
use weft_ir::program::{ProgramId, TensorProgram};

/// How many of the latest clusters are looked at for one that shares inputs.
const SIBLINGS: usize = 24;
/// Operations written out for one element of a cluster, with what is read at several places written
/// out for each.
const MAX_SPREAD: usize = 2048;

/// Clusters in order of their making, with what each depends on.
pub struct ClusterAssignment {
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The clusters each reads from.
    pub order: Order,
    /// The cluster each candidate is in.
    pub home: Vec<Option<usize>>,
}

struct Join<'a> {
    program: &'a TensorProgram,
    limits: &'a Limits,
    storage: &'a StorageCandidates,
    reads: &'a [u32],
    assignment: ClusterAssignment,
    cones: Vec<Cone>,
    /// For each candidate, reads at other coordinates on the longest path through its cluster.
    moves: Vec<usize>,
}

/// Puts every candidate into a cluster.
pub fn join(
    program: &TensorProgram,
    limits: &Limits,
    storage: &StorageCandidates,
    reads: &[u32],
) -> ClusterAssignment {
    let count = program.nodes.len();
    let assignment =
        ClusterAssignment { clusters: Vec::new(), order: Order::default(), home: vec![None; count] };
    let mut join =
        Join { program, limits, storage, reads, assignment, cones: Vec::new(), moves: vec![0; count] };
    for id in program.ids().filter(|id| storage.is_candidate[id.index()]) {
        let cluster = match facts(&program[id].op).class {
            // A part is where the loop is.
            Class::Part => {
                join.assignment.home[program[id].inputs[0].index()].expect("the loop has its cluster")
            }
            _ => {
                let candidates = join.candidates(id);
                candidates.into_iter().find(|&c| join.fits(id, c)).unwrap_or_else(|| join.open(id))
            }
        };
        join.enter(id, cluster);
    }
    join.assignment
}

impl Join<'_> {
    fn is_heavy(&self, id: ProgramId) -> bool {
        self.storage.heavy[id.index()]
    }

    fn loads(&self, id: ProgramId) -> &[ProgramId] {
        &self.storage.cones[id.index()].loads
    }

    /// Clusters worth trying: those whose values it reads, latest first, then late ones that read
    /// the same.
    fn candidates(&self, id: ProgramId) -> Vec<usize> {
        if matches!(
            facts(&self.program[id].op).class,
            Class::Contraction | Class::Scatter | Class::Line | Class::Region
        ) || self.program[id].shape.size() == 0
        {
            return Vec::new();
        }
        let mut found: Vec<usize> =
            self.loads(id).iter().filter_map(|l| self.assignment.home[l.index()]).collect();
        order::sort(&mut found);
        found.dedup();
        found.reverse();
        let count = self.assignment.clusters.len();
        for c in (count.saturating_sub(SIBLINGS)..count).rev() {
            let shares = || self.cones[c].loads.iter().any(|l| self.loads(id).binary_search(l).is_ok());
            let sibling = self.assignment.clusters[c].domain.takes_siblings(self.is_heavy(id));
            if sibling && !found.contains(&c) && shares() {
                found.push(c);
            }
        }
        found
    }

    fn open(&mut self, id: ProgramId) -> usize {
        let mut domain = Domain::around(self.program, id, self.is_heavy(id));
        domain.pattern = self.storage.patterns.get(&id).cloned();
        self.assignment.clusters.push(Cluster { domain, members: Vec::new(), outputs: Vec::new() });
        self.assignment.order.open();
        self.cones.push(Cone::default());
        self.assignment.clusters.len() - 1
    }

    fn enter(&mut self, id: ProgramId, cluster: usize) {
        self.assignment.clusters[cluster].members.push(id);
        self.assignment.home[id.index()] = Some(cluster);
        if facts(&self.program[id].op).class == Class::Part {
            // It reads nothing but its region.
            return;
        }
        let (nodes, loads) = self.together(id, cluster);
        for &load in &loads {
            if let Some(on) = self.assignment.home[load.index()] {
                self.assignment.order.depend(cluster, on);
            }
        }
        self.moves[id.index()] = self.moves_within(id, cluster);
        self.cones[cluster].nodes = nodes;
        self.cones[cluster].loads = loads;
        self.cones[cluster].spread += self.storage.cones[id.index()].spread;
    }

    /// What the cluster would inline and load with `id` in it.
    fn together(&self, id: ProgramId, cluster: usize) -> (Vec<ProgramId>, Vec<ProgramId>) {
        let (mut nodes, mut loads) = (self.cones[cluster].nodes.clone(), self.cones[cluster].loads.clone());
        merge(&mut nodes, &self.storage.cones[id.index()].nodes);
        merge(&mut loads, self.loads(id));
        loads.retain(|l| self.assignment.home[l.index()] != Some(cluster));
        (nodes, loads)
    }

    /// Reads at other coordinates on the longest path to `id` inside the cluster.
    fn moves_within(&self, id: ProgramId, cluster: usize) -> usize {
        let own = self.loads(id).iter().filter(|l| self.assignment.home[l.index()] == Some(cluster));
        let below = own.map(|l| self.moves[l.index()]).max().unwrap_or(0);
        below + self.storage.cones[id.index()].moves
    }

    fn fits(&mut self, id: ProgramId, cluster: usize) -> bool {
        let (nodes, loads) = self.together(id, cluster);
        let Cluster { domain, members, .. } = &self.assignment.clusters[cluster];
        let more = domain.anchor.map_or(0, |id| more_bindings(&self.program[id].op));
        let kernel = self.kernel_of(cluster);
        // Those of a kernel that are not there yet come without being asked.
        let stores = match kernel {
            Some(call) => {
                call.shapes.len() + members.iter().filter(|&&id| !self.is_of_kernel(id)).count() + 1
            }
            None => members.len() + 1,
        } + more;
        if nodes.len() > MAX_OPERATIONS || loads.len() + stores > self.limits.storage_buffers as usize {
            return false;
        }
        if self.cones[cluster].spread + self.storage.cones[id.index()].spread > MAX_SPREAD
            || self.moves_within(id, cluster) > 4 * MAX_MOVES
            || (kernel.is_none()
                && !self.assignment.clusters[cluster].domain.has_room_for(
                    self.program,
                    id,
                    self.is_heavy(id),
                ))
        {
            return false;
        }
        // Rows are walked several times, and a member may be computed anew in each walk.
        let is_again =
            |l: &ProgramId| self.storage.once[l.index()] && self.assignment.home[l.index()] == Some(cluster);
        if self.assignment.clusters[cluster].domain.has_rows() && self.loads(id).iter().any(is_again) {
            return false;
        }
        let order = &mut self.assignment.order;
        let homes =
            self.storage.cones[id.index()].loads.iter().filter_map(|l| self.assignment.home[l.index()]);
        homes.filter(|&on| on != cluster).all(|on| order.allows(cluster, on)) && self.is_aligned(id, cluster)
    }

    /// The call of the user's kernel that a cluster is made around, if it is.
    fn kernel_of(&self, cluster: usize) -> Option<&KernelCall> {
        match &self.program[self.assignment.clusters[cluster].domain.anchor?].op {
            Op::Kernel(call) => Some(call),
            _ => None,
        }
    }

    /// Whether a member of such a cluster is the kernel or one of its outputs.
    fn is_of_kernel(&self, id: ProgramId) -> bool {
        matches!(facts(&self.program[id].op).class, Class::Region | Class::Part)
    }

    /// Whether `id`, computed where the cluster's invocation is, reads the cluster's members only
    /// there.
    fn is_aligned(&self, id: ProgramId, cluster: usize) -> bool {
        let program = self.program;
        let loaded = |n: ProgramId| {
            matches!(program[n].op, Op::Buffer(..)) || (n != id && self.storage.is_candidate[n.index()])
        };
        let nothing = HashMap::default();
        let mut eval = Evaluator::new(program, &loaded, self.reads, &nothing);
        if let Some(call) = self.kernel_of(cluster) {
            let operations = self.storage.cones[id.index()].operations;
            let is_member = |n: ProgramId| self.assignment.home[n.index()] == Some(cluster);
            return !self.is_heavy(id) && follows(eval, call, id, operations, &is_member);
        }
        let place = Place::new(&mut eval, &self.assignment.clusters[cluster].domain);
        if self.is_heavy(id) {
            let full = place.full.clone();
            eval.value(program[id].inputs[0], &full);
        } else {
            let at = place.of(&mut eval, &program[id].shape);
            eval.value(id, &at);
        }
        let reached = std::mem::take(&mut eval.reached);
        reached.into_iter().filter(|(n, _)| self.assignment.home[n.index()] == Some(cluster)).all(
            |(n, at)| {
                let here = place.of(&mut eval, &program[n].shape);
                here == at
            },
        )
    }
}
