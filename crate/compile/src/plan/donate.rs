//! Donation: results written over inputs that the caller gives up.
//!
//! A donated leaf is overwritten only if nothing can read it afterwards: every cluster that reads
//! it runs before the one that writes the result, and that one reads it only at the very element it
//! then writes. So a weight update that is fused into the gradient's contraction never races the
//! kernel that still reads the old weight.

use crate::cluster::{Cluster, Clusters};
use crate::family::user::epilogue_place;
use crate::fuse::Place;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Evaluator;
use weft_ir::kernel::ExprId;
use weft_ir::op::{KernelCall, Op};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{HashMap, HashSet};

/// For each donated leaf that a result is written over, that result.
pub fn in_place(
    program: &TensorProgram,
    clusters: &Clusters,
    donated: &[usize],
) -> HashMap<ProgramId, ProgramId> {
    let mut pairs: HashMap<ProgramId, ProgramId> = HashMap::default();
    if donated.is_empty() {
        return pairs;
    }
    let leaves = program.buffer_leaves();
    let reads: Vec<Reads> =
        (0..clusters.clusters.len()).map(|own| Reads::of(program, clusters, own)).collect();
    let (mut wanted, mut taken) = (vec![false; program.nodes.len()], HashSet::default());
    program.outputs.iter().for_each(|output| wanted[output.index()] = true);
    let mut last: HashMap<ProgramId, usize> = HashMap::default();
    for (own, reads) in reads.iter().enumerate() {
        reads.walking.iter().chain(&reads.storing).for_each(|(id, _)| _ = last.insert(*id, own));
    }
    for leaf in donated.iter().filter_map(|&n| leaves.get(n).copied()) {
        let Some(&last) = last.get(&leaf).filter(|_| !wanted[leaf.index()]) else { continue };
        let cluster = &clusters.clusters[last];
        let result = cluster.outputs.iter().copied().find(|&result| {
            wanted[result.index()]
                && !taken.contains(&result)
                && same_buffer(program, leaf, result)
                && reads[last].only_where_written(program, cluster, leaf, result)
        });
        if let Some(result) = result {
            taken.insert(result);
            pairs.insert(leaf, result);
        }
    }
    pairs
}

fn same_buffer(program: &TensorProgram, leaf: ProgramId, result: ProgramId) -> bool {
    let (a, b) = (&program[leaf], &program[result]);
    a.shape.size() == b.shape.size() && storage_dtype(a.dtype) == storage_dtype(b.dtype)
}

/// Where a cluster reads leaves, as row-major positions, while it walks (operands, rows) and when
/// it computes what it stores.
struct Reads {
    walking: Vec<(ProgramId, ExprId)>,
    storing: Vec<(ProgramId, ExprId)>,
    /// Where each output is stored.
    stores: HashMap<ProgramId, ExprId>,
}

impl Reads {
    fn of(program: &TensorProgram, clusters: &Clusters, own: usize) -> Reads {
        let cluster = &clusters.clusters[own];
        let nothing = HashMap::default();
        // Reductions and contractions of the cluster count as loads: what they read is looked at
        // apart.
        let heavy = |id| clusters.home[ProgramId::index(id)] == Some(own) && is_anchor(clusters, cluster, id);
        let loaded = |id| clusters.is_loaded(program, own, id) || heavy(id);
        let mut eval = Evaluator::new(program, &loaded, &clusters.reads, &nothing);
        if let Some(it) = cluster.domain.region(program) {
            // It reads all of its inputs, again and again.
            let anywhere = eval.b.index_const(-1);
            let (mut walking, mut stack) = (Vec::new(), program[it].inputs.clone());
            let mut seen = HashSet::default();
            while let Some(id) = stack.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match clusters.is_loaded(program, own, id) {
                    true => walking.push((id, anywhere)),
                    false => stack.extend(&program[id].inputs),
                }
            }
            let mut reads = Reads { walking, storing: Vec::new(), stores: HashMap::default() };
            if let Op::Kernel(call) = &program[it].op {
                reads.follow(program, clusters, own, call);
            }
            return reads;
        }
        let place = Place::new(&mut eval, &cluster.domain);
        for &member in cluster.members.iter().filter(|m| is_anchor(clusters, cluster, **m)) {
            for &input in &program[member].inputs {
                let at: Vec<ExprId> = match cluster.domain.anchor {
                    None => place.full.clone(),
                    // A contraction's operands are read all over: stand anywhere else.
                    Some(_) => {
                        program[input].shape.iter().map(|&e| eval.b.counter("k", e as i64).1).collect()
                    }
                };
                eval.value(input, &at);
            }
        }
        let walking = positions(program, &mut eval);
        let mut stores = HashMap::default();
        for &output in &cluster.outputs {
            let at = place.of(&mut eval, &program[output].shape);
            let flat = eval.b.ravel(&at, &program[output].shape);
            stores.insert(output, flat);
            if !is_anchor(clusters, cluster, output) {
                eval.value(output, &at);
            }
        }
        Reads { walking, storing: positions(program, &mut eval), stores }
    }

    /// Adds what follows in the kernel of a user's kernel: each invocation reads and writes its own
    /// elements.
    ///
    /// Deferred: few programs have kernels of users.
    #[inline(never)]
    fn follow(&mut self, program: &TensorProgram, clusters: &Clusters, own: usize, call: &KernelCall) {
        let is_part = |id: ProgramId| matches!(program[id].op, Op::Part { .. });
        let loaded = |id| clusters.is_loaded(program, own, id) || is_part(id);
        let nothing = HashMap::default();
        let mut eval = Evaluator::new(program, &loaded, &clusters.reads, &nothing);
        for &output in clusters.clusters[own].outputs.iter().filter(|&&id| !is_part(id)) {
            let at = epilogue_place(&mut eval, call, &program[output].shape);
            let flat = eval.b.ravel(&at, &program[output].shape);
            eval.value(output, &at);
            self.stores.insert(output, flat);
        }
        self.storing = positions(program, &mut eval);
    }

    fn only_where_written(
        &self,
        program: &TensorProgram,
        cluster: &Cluster,
        leaf: ProgramId,
        result: ProgramId,
    ) -> bool {
        let Some(&here) = self.stores.get(&result) else { return false };
        let aligned = |reads: &[(ProgramId, ExprId)]| reads.iter().all(|(id, at)| *id != leaf || *at == here);
        let walked = self.walking.iter().any(|(id, _)| *id == leaf);
        if cluster.domain.region(program).is_some() {
            return !walked && aligned(&self.storing);
        }
        // Lanes that share a row run apart: a value per row is safe only if one lane alone reads
        // it, at the end.
        let rows = cluster.domain.kept().size();
        let per_row = |id: &ProgramId| program[*id].shape.size() == rows;
        if !cluster.domain.has_rows() || per_row(&result) {
            !walked && cluster.outputs.iter().all(per_row) && aligned(&self.storing)
        } else {
            aligned(&self.walking) && aligned(&self.storing) && !cluster.outputs.iter().any(per_row)
        }
    }
}

/// Whether a member is computed by the cluster's own loops.
fn is_anchor(clusters: &Clusters, cluster: &Cluster, id: ProgramId) -> bool {
    cluster.domain.walks_for(id, clusters.heavy[id.index()])
}

fn positions(program: &TensorProgram, eval: &mut Evaluator<'_>) -> Vec<(ProgramId, ExprId)> {
    let reached = std::mem::take(&mut eval.reached);
    reached.into_iter().map(|(id, at)| (id, eval.b.ravel(&at, &program[id].shape))).collect()
}
