//! From lowered clusters to something that runs: distinct kernels, dispatches in order, and a buffer for every value, those
//! whose lives do not overlap sharing one.

use crate::donate;
use crate::eval::Binding;
use crate::executable::{Dispatch, Executable, Limits, Slot};
use crate::family::{Choose, Lowered, Problem, cheapest, schedule};
use crate::fuse::{Clusters, fuse};
use crate::simplify::simplify;
use std::collections::HashMap;
use weft_ir::kernel::Kernel;
use weft_ir::kernel::verify::verify;
use weft_ir::op::{Op, region};
use weft_ir::order;
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{Error, ErrorKind, Result};

/// Free temporaries of a size that are looked at for one that fits.
const LATEST: usize = 16;

/// Compiles a program for a device. `donated` names buffer leaves that may be overwritten by results, where that is safe.
///
/// Errors with `OutOfMemory` when a tensor is larger than one binding of the device can span.
pub fn compile(program: &TensorProgram, limits: &Limits, donated: &[usize]) -> Result<Executable> {
    compile_with(program, limits, donated, &cheapest)
}

/// [`compile`] with each cluster's parameters chosen by `choose`: for tuning, and for tests of every variant.
///
/// Errors as [`compile`].
pub fn compile_with(
    program: &TensorProgram,
    limits: &Limits,
    donated: &[usize],
    choose: Choose<'_>,
) -> Result<Executable> {
    if let Some(node) = program.nodes.iter().find(|node| region::is_region(&node.op)) {
        let what = "loops and branches run on the CPU device only";
        return Err(Error::value(node.op.name(), what));
    }
    let program = &simplify(program);
    let clusters = fuse(program, limits);
    let in_place = donate::in_place(program, &clusters, donated);
    check_sizes(program, limits, &clusters)?;
    let mut plan = Plan::new(program, &clusters, &in_place);
    for own in 0..clusters.clusters.len() {
        let cluster = &clusters.clusters[own];
        let works = cluster.outputs.iter().any(|o| program[*o].shape.size() > 0);
        let lowered = if works {
            // A kernel that only reads a donated leaf binds it as such: what may be written is read past the caches.
            let written = |(_, result): &(&ProgramId, &ProgramId)| cluster.outputs.contains(result);
            let in_place = in_place.iter().filter(written).map(|(&leaf, &result)| (leaf, result)).collect();
            let in_place = &in_place;
            let problem = Problem { program, clusters: &clusters, own, limits, in_place, in_pieces: false };
            schedule(&problem, choose)
        } else {
            Lowered::default()
        };
        plan.add(own, lowered);
    }
    Ok(plan.finish())
}

fn check_sizes(program: &TensorProgram, limits: &Limits, clusters: &Clusters) -> Result<()> {
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

fn bytes(program: &TensorProgram, id: ProgramId) -> u64 {
    let node = &program[id];
    node.shape.size().max(1) as u64 * node.dtype.bytes() as u64
}

struct Plan<'a> {
    program: &'a TensorProgram,
    clusters: &'a Clusters,
    executable: Executable,
    kernels: HashMap<Kernel, usize>,
    slots: HashMap<ProgramId, usize>,
    scalars: HashMap<ProgramId, usize>,
    /// Slots of temporaries that nothing needs any more, by the power of two below their bytes.
    free: Vec<Vec<usize>>,
    /// For each cluster, the stored nodes that it is the last to read.
    ended: Vec<Vec<ProgramId>>,
    /// Whether each node is an output.
    wanted: Vec<bool>,
}

impl<'a> Plan<'a> {
    fn new(
        program: &'a TensorProgram,
        clusters: &'a Clusters,
        in_place: &HashMap<ProgramId, ProgramId>,
    ) -> Plan<'a> {
        let mut plan = Plan {
            program,
            clusters,
            executable: Executable { cuts: clusters.cuts.clone(), ..Executable::default() },
            kernels: HashMap::new(),
            slots: HashMap::new(),
            scalars: program.scalar_leaves().into_iter().enumerate().map(|(n, id)| (id, n)).collect(),
            free: vec![Vec::new(); 64],
            ended: ended(program, clusters),
            wanted: vec![false; program.nodes.len()],
        };
        for output in &program.outputs {
            plan.wanted[output.index()] = true;
        }
        for (n, id) in program.buffer_leaves().into_iter().enumerate() {
            plan.executable.slots.push(Slot::Leaf(n));
            plan.slots.insert(id, n);
            if let Some(&result) = in_place.get(&id) {
                plan.slots.insert(result, n);
            }
        }
        plan
    }

    /// A slot for a value that a cluster stores.
    fn stored(&mut self, id: ProgramId) -> usize {
        let bytes = bytes(self.program, id);
        let slot =
            if self.wanted[id.index()] { self.fresh(Slot::Output(bytes)) } else { self.temporary(bytes) };
        self.slots.insert(id, slot);
        slot
    }

    fn fresh(&mut self, slot: Slot) -> usize {
        self.executable.slots.push(slot);
        self.executable.slots.len() - 1
    }

    /// A temporary of at least `bytes`, one that has become free if any is not more than twice as large: the best fit among the
    /// latest, so that finding it costs the same however many there are.
    fn temporary(&mut self, bytes: u64) -> usize {
        let size = |slot: usize| match self.executable.slots[slot] {
            Slot::Temporary(size) => size,
            _ => 0,
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
        match best {
            Some((_, class, at)) => self.free[class].swap_remove(at),
            None => self.fresh(Slot::Temporary(bytes)),
        }
    }

    /// Gives a slot back; what the caller brought or keeps is no temporary.
    fn release(&mut self, slot: usize) {
        if let Slot::Temporary(size) = self.executable.slots[slot] {
            self.free[size.ilog2() as usize].push(slot);
        }
    }

    fn add(&mut self, own: usize, lowered: Lowered) {
        let cluster = &self.clusters.clusters[own];
        for &output in &cluster.outputs {
            if self.slots.contains_key(&output) {
                continue;
            }
            self.stored(output);
        }
        let partials: Vec<usize> = lowered.partials.iter().map(|&bytes| self.temporary(bytes)).collect();
        for stage in lowered.stages {
            let bindings = stage
                .bindings
                .iter()
                .map(|binding| match binding {
                    Binding::Node(id) => self.slots[id],
                    Binding::Partial(n) => partials[*n],
                })
                .collect();
            let uniforms = stage.uniforms.iter().map(|id| self.scalars[id]).collect();
            let kernel = self.kernel(stage.kernel);
            self.executable.dispatches.push(Dispatch {
                kernel,
                bindings,
                uniforms,
                in_pieces: stage.in_pieces,
                workgroups: stage.workgroups,
            });
        }
        let mut freed: Vec<usize> =
            self.ended[own].iter().filter_map(|id| self.slots.get(id).copied()).collect();
        order::sort(&mut freed);
        partials.into_iter().chain(freed).for_each(|slot| self.release(slot));
    }

    fn kernel(&mut self, kernel: Kernel) -> usize {
        if let Some(&known) = self.kernels.get(&kernel) {
            return known;
        }
        debug_assert_eq!(verify(&kernel), Ok(()), "{kernel}");
        self.executable.kernels.push(kernel.clone());
        self.kernels.insert(kernel, self.executable.kernels.len() - 1);
        self.executable.kernels.len() - 1
    }

    fn finish(mut self) -> Executable {
        self.executable.outputs = self.program.outputs.iter().map(|id| self.slots[id]).collect();
        self.executable
    }
}

/// For each cluster, the nodes stored by clusters that it is the last to read.
fn ended(program: &TensorProgram, clusters: &Clusters) -> Vec<Vec<ProgramId>> {
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
