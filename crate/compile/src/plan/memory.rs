//! Buffers: a slot for every stored value, those whose lives do not overlap sharing one.

use super::executable::Slot;
use super::{Assembly, Plan};
use crate::cluster::Clusters;
use crate::limits::Limits;
use weft_ir::op::Op;
use weft_ir::order;
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{Error, ErrorKind, Result};

/// Free temporaries of a size that are looked at for one that fits.
const LATEST: usize = 16;

pub(crate) fn check_sizes(program: &TensorProgram, limits: &Limits, clusters: &Clusters) -> Result<()> {
    let stored = clusters.clusters.iter().flat_map(|c| c.outputs.iter().copied());
    for id in stored.chain(program.buffer_leaves()) {
        let bytes = bytes(program, id);
        if bytes > limits.binding_bytes {
            let node = &program[id];
            return Err(Error::new(
                ErrorKind::OutOfMemory,
                node.op.name(),
                format!(
                    "{}{} takes {bytes} bytes; one tensor may take {} on this device",
                    node.dtype, node.shape, limits.binding_bytes
                ),
            ));
        }
    }
    Ok(())
}

pub(crate) fn bytes(program: &TensorProgram, id: ProgramId) -> u64 {
    let node = &program[id];
    node.dtype.stored_bytes(node.shape.size().max(1))
}

impl Assembly<'_> {
    /// A slot for a value that a cluster stores.
    pub(crate) fn stored(&mut self, plan: &mut Plan<'_>, id: ProgramId) -> usize {
        let bytes = bytes(plan.program, id);
        let slot =
            if plan.wanted[id.index()] { self.add_slot(Slot::Output(bytes)) } else { self.temporary(bytes) };
        plan.slots.insert(id, slot);
        slot
    }

    pub(crate) fn add_slot(&mut self, slot: Slot) -> usize {
        self.executable.slots.push(slot);
        self.executable.slots.len() - 1
    }

    /// A temporary of at least `bytes`, one that has become free if any is not more than twice as
    /// large: the best fit among the latest, so that finding it costs the same however many there
    /// are. Else the largest of the smaller ones grows: none of those who had it before minds, and
    /// it takes less than another would.
    pub(crate) fn temporary(&mut self, bytes: u64) -> usize {
        let size = |slot: usize| match self.executable.slots[slot] {
            Slot::Temporary(size) => size,
            Slot::Leaf(_) | Slot::Output(_) | Slot::Alias(_) => 0,
        };
        let class = bytes.ilog2() as usize;
        let mut best: Option<(u64, usize, usize)> = None;
        for class in [class, class + 1] {
            let free = &self.free[class];
            let earlier = free.len().saturating_sub(LATEST);
            for (at, &slot) in free.iter().enumerate().skip(earlier) {
                let size = size(slot);
                let fits = (bytes..=bytes.saturating_mul(2)).contains(&size);
                if fits && best.is_none_or(|(least, ..)| size < least) {
                    best = Some((size, class, at));
                }
            }
        }
        if let Some((_, class, at)) = best {
            return self.free[class].swap_remove(at);
        }
        let smaller = (0..=class).rev().find(|&class| !self.free[class].is_empty());
        let Some(class) = smaller else { return self.add_slot(Slot::Temporary(bytes)) };
        let free = &self.free[class];
        let latest = free.len().saturating_sub(LATEST)..free.len();
        let at = latest.max_by_key(|&at| size(free[at])).expect("the class has a free slot");
        let slot = self.free[class].swap_remove(at);
        self.executable.slots[slot] = Slot::Temporary(bytes.max(size(slot)));
        slot
    }

    /// Gives a slot back; what the caller brought or keeps is no temporary.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Slot::Temporary(size) = self.executable.slots[slot] {
            self.free[size.ilog2() as usize].push(slot);
        }
    }

    pub(crate) fn release_ended(&mut self, plan: &Plan<'_>, own: usize) {
        // Results belong to whom they are for: what reads them there ends later.
        let ended = plan.ended[own].iter().filter(|id| !plan.wanted[id.index()]);
        let mut freed: Vec<usize> = ended.filter_map(|id| plan.slots.get(id).copied()).collect();
        order::sort(&mut freed);
        freed.into_iter().for_each(|slot| self.release(slot));
    }
}

/// For each cluster, the nodes stored by clusters that it is the last to read.
pub(crate) fn ended(program: &TensorProgram, clusters: &Clusters) -> Vec<Vec<ProgramId>> {
    let mut last = vec![None; program.nodes.len()];
    // The cluster whose walk came by a node last.
    let mut seen = vec![usize::MAX; program.nodes.len()];
    for (own, cluster) in clusters.clusters.iter().enumerate() {
        let mut stack = cluster.members.clone();
        stack.iter().for_each(|id| seen[id.index()] = own);
        while let Some(id) = stack.pop() {
            for &input in &program[id].inputs {
                if clusters.is_loaded(program, own, input) {
                    last[input.index()] = Some(own);
                } else if std::mem::replace(&mut seen[input.index()], own) != own {
                    stack.push(input);
                }
            }
        }
    }
    let mut ended = vec![Vec::new(); clusters.clusters.len()];
    for id in program.ids().filter(|id| !matches!(program[*id].op, Op::Buffer(..))) {
        if let Some(own) = last[id.index()] {
            ended[own].push(id);
        }
    }
    ended
}
