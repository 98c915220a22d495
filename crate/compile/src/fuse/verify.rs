//! The rules of well-formed clusters. [`super::fuse`] is checked against them in tests and debug
//! builds, as `weft_ir::verify` checks programs and `weft_ir::kernel::verify` kernels. Messages
//! name the cluster and the rule.

use crate::cluster::{Cluster, Clusters};
use crate::family::more_bindings;
use crate::limits::Limits;
use weft_ir::HashSet;
use weft_ir::op::{Class, Op, facts};
use weft_ir::program::{ProgramId, TensorProgram};

/// Checks that every member is in one cluster and knows it; that what is stored is computed there,
/// results among it; that a cluster reads only leaves and what earlier clusters store; that what
/// needs a kernel of its own is computed on the spot by nobody; that each domain is its outputs';
/// that what is compared with what was made of it is computed once; and that no cluster binds more
/// than the device can.
pub fn clusters(program: &TensorProgram, clusters: &Clusters, limits: &Limits) -> Result<(), String> {
    if clusters.home.len() != program.nodes.len() {
        return Err(format!("homes are known of {} nodes of {}", clusters.home.len(), program.nodes.len()));
    }
    let mut stored = vec![None; program.nodes.len()];
    for (own, cluster) in clusters.clusters.iter().enumerate() {
        let named = |what: String| format!("cluster {own}: {what}");
        let refuse = |what: String| Err(named(what));
        for id in &cluster.members {
            if clusters.home[id.index()] != Some(own) {
                return refuse(format!("%{} is a member and at home elsewhere", id.0));
            }
        }
        for id in &cluster.outputs {
            if !cluster.members.contains(id) {
                return refuse(format!("stores %{}, which is no member", id.0));
            }
            if stored[id.index()].replace(own).is_some() {
                return refuse(format!("%{} is stored twice", id.0));
            }
        }
        domain(program, cluster).map_err(named)?;
        once(program, clusters, own).map_err(named)?;
        let reads = reads(program, clusters, own).map_err(named)?;
        for id in &reads {
            let is_leaf = matches!(program[*id].op, Op::Buffer(..));
            if !is_leaf && stored[id.index()].is_none_or(|by| by >= own) {
                return refuse(format!("reads %{}, which no earlier cluster stores", id.0));
            }
        }
        let more = cluster.domain.anchor.map_or(0, |id| more_bindings(&program[id].op));
        let (bound, most) = (reads.len() + cluster.outputs.len() + more, limits.storage_buffers as usize);
        if bound > most && cluster.domain.region(program).is_none() {
            return refuse(format!("binds {bound} buffers of {most}"));
        }
    }
    for (id, home) in program.ids().zip(&clusters.home) {
        let is_member = |own: &usize| clusters.clusters.get(*own).is_some_and(|c| c.members.contains(&id));
        if home.as_ref().is_some_and(|own| !is_member(own)) {
            return Err(format!("%{} is no member of its home", id.0));
        }
    }
    match program.outputs.iter().find(|id| !program[**id].op.is_given() && stored[id.index()].is_none()) {
        Some(id) => Err(format!("the result %{} is not stored", id.0)),
        None => Ok(()),
    }
}

/// What a cluster loads.
fn reads(program: &TensorProgram, clusters: &Clusters, own: usize) -> Result<Vec<ProgramId>, String> {
    let (mut seen, mut reads) = (HashSet::default(), Vec::new());
    let mut stack = clusters.clusters[own].members.clone();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let is_member = clusters.home[id.index()] == Some(own);
        if !is_member && clusters.is_loaded(program, own, id) {
            reads.push(id);
            continue;
        }
        let needs_kernel = match facts(&program[id].op).class {
            Class::Contraction | Class::Scatter | Class::Line | Class::Region | Class::Part => true,
            Class::Reduction => clusters.heavy[id.index()],
            Class::Leaf | Class::Elementwise | Class::View | Class::Gather | Class::Identity => false,
        };
        if needs_kernel && !is_member {
            return Err(format!("computes %{} ({}) on the spot", id.0, program[id].op.name()));
        }
        stack.extend(&program[id].inputs);
    }
    Ok(reads)
}

/// Whether a cluster that walks rows computes what is to be computed once for its own sake alone.
fn once(program: &TensorProgram, clusters: &Clusters, own: usize) -> Result<(), String> {
    let Cluster { domain, members, .. } = &clusters.clusters[own];
    let mut seen = HashSet::default();
    let mut stack: Vec<ProgramId> = members.iter().flat_map(|id| program[*id].inputs.clone()).collect();
    while let Some(id) = stack.pop().filter(|_| domain.has_rows()) {
        let is_member = clusters.home[id.index()] == Some(own);
        if is_member && clusters.once.binary_search(&id).is_ok() {
            return Err(format!("computes %{} again for what reads it", id.0));
        }
        if seen.insert(id) && (is_member || !clusters.is_loaded(program, own, id)) {
            stack.extend(&program[id].inputs);
        }
    }
    Ok(())
}

/// Whether a cluster's outputs have as many elements as it walks.
fn domain(program: &TensorProgram, cluster: &Cluster) -> Result<(), String> {
    let (full, rows) = (cluster.domain.shape.size(), cluster.domain.kept().size());
    if let Some(id) = cluster.domain.anchor {
        let class = facts(&program[id].op).class;
        if !matches!(class, Class::Contraction | Class::Line | Class::Region)
            || !cluster.members.contains(&id)
        {
            return Err(format!("is made around %{}, which is another kind of node or no member", id.0));
        }
        if class == Class::Region {
            return Ok(());
        }
        if program[id].shape != cluster.domain.shape {
            return Err(format!(
                "walks {}, and is made around %{} of {}",
                cluster.domain.shape, id.0, program[id].shape
            ));
        }
    }
    let is_unlike = |id: &&ProgramId| {
        let size = program[**id].shape.size();
        size != full && size != rows
    };
    match cluster.outputs.iter().find(is_unlike) {
        Some(id) => Err(format!("stores %{} of {}, and walks {full} elements", id.0, program[*id].shape)),
        None => Ok(()),
    }
}
