//! Fusion: cuts a program into clusters, each with what it computes, what it stores and why it
//! ends.
//!
//! Three steps. **Storage** (`storage.rs`) decides which nodes may have to be stored: reductions,
//! contractions and scatters, what follows them elementwise, results, what is too expensive to
//! compute again for every reader, and what is compared with values that were made of it
//! (`cluster/compared.rs`). Everything else is *inlined* into its readers. **Join** (`join.rs`)
//! walks these candidates in order and puts each into an existing cluster where its value is at
//! hand, or into a cluster of its own. Last, a candidate that only its own cluster reads is not
//! stored.

mod join;
mod order;
mod place;
mod storage;
pub mod verify;

pub use place::Place;

use crate::cluster::{Cluster, Clusters, Cut};
use crate::limits::Limits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use storage::{StorageCandidates, storage_candidates};
use weft_ir::program::TensorProgram;

/// Cuts a program into clusters.
pub fn fuse(program: &TensorProgram, limits: &Limits) -> Clusters {
    let mut reads = vec![0u32; program.nodes.len()];
    let mut readers = vec![0u32; program.nodes.len()];
    let mut latest = vec![None; program.nodes.len()];
    for (reader, node) in program.nodes.iter().enumerate() {
        for input in &node.inputs {
            reads[input.index()] += 1;
            // A node that reads another twice is one reader of it.
            let is_new = latest[input.index()].replace(reader) != Some(reader);
            readers[input.index()] += u32::from(is_new);
        }
    }
    let storage = storage_candidates(program, limits, &readers);
    let assignment = join::join(program, limits, &storage, &reads);
    let (clusters, home) = in_order(assignment.clusters, assignment.order.into_depends(), assignment.home);
    let once = program.ids().filter(|id| storage.once[id.index()]).collect();
    let mut clusters =
        Clusters { clusters, home, heavy: storage.heavy.clone(), once, cuts: Vec::new(), reads };
    take_patterns_in(&mut clusters);
    keep_only_what_is_read(program, &storage, &mut clusters);
    clusters
}

/// A topological order that puts a cluster as late as its last member stands in the program, so
/// that what overwrites comes after what reads.
fn in_order(
    clusters: Vec<Cluster>,
    depends: Vec<Vec<usize>>,
    home: Vec<Option<usize>>,
) -> (Vec<Cluster>, Vec<Option<usize>>) {
    let last = |c: usize| clusters[c].members.iter().max().copied();
    let mut waiting: Vec<usize> = depends.iter().map(Vec::len).collect();
    let mut readers = vec![Vec::new(); clusters.len()];
    for (c, on) in depends.iter().enumerate() {
        for &d in on {
            readers[d].push(c);
        }
    }
    let mut ready: BinaryHeap<_> =
        (0..clusters.len()).filter(|&c| waiting[c] == 0).map(|c| Reverse((last(c), c))).collect();
    let mut order = Vec::with_capacity(clusters.len());
    while let Some(Reverse((_, c))) = ready.pop() {
        order.push(c);
        for &r in &readers[c] {
            waiting[r] -= 1;
            if waiting[r] == 0 {
                ready.push(Reverse((last(r), r)));
            }
        }
    }
    assert_eq!(order.len(), clusters.len(), "clusters are acyclic");
    let mut position = vec![0; order.len()];
    for (at, &c) in order.iter().enumerate() {
        position[c] = at;
    }
    let home = home.into_iter().map(|h| h.map(|c| position[c])).collect();
    (order.iter().map(|&c| clusters[c].clone()).collect(), home)
}

/// Makes what is computed on the way in patterns members of their clusters.
fn take_patterns_in(clusters: &mut Clusters) {
    for (own, cluster) in clusters.clusters.iter_mut().enumerate() {
        let Some(pattern) = &cluster.domain.pattern else { continue };
        cluster.members.splice(0..0, pattern.inside.iter().copied());
        pattern.inside.iter().for_each(|id| clusters.home[id.index()] = Some(own));
    }
}

fn keep_only_what_is_read(program: &TensorProgram, storage: &StorageCandidates, clusters: &mut Clusters) {
    let mut stored = vec![false; program.nodes.len()];
    for output in &program.outputs {
        stored[output.index()] = true;
    }
    for (own, cluster) in clusters.clusters.iter().enumerate() {
        for member in &cluster.members {
            for load in &storage.cones[member.index()].loads {
                if clusters.home[load.index()] != Some(own) && clusters.home[load.index()].is_some() {
                    stored[load.index()] = true;
                }
            }
        }
    }
    for cluster in &mut clusters.clusters {
        cluster.outputs = cluster.members.iter().copied().filter(|m| stored[m.index()]).collect();
    }
    for output in &program.outputs {
        stored[output.index()] = false;
    }
    clusters.cuts = program
        .ids()
        .filter(|id| stored[id.index()] && clusters.home[id.index()].is_some())
        .map(|node| Cut {
            node,
            reason: storage.reason[node.index()].unwrap_or("it is read by another cluster"),
        })
        .collect();
}
