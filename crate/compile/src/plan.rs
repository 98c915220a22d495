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
use weft_ir::op::Op;
use weft_ir::order;
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{Error, ErrorKind, Result};

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
    let program = &simplify(program);
    let clusters = fuse(program, limits);
    let in_place = donate::in_place(program, &clusters, donated);
    check_sizes(program, limits, &clusters)?;
    let mut plan = Plan::new(program, &clusters, &in_place);
    for own in 0..clusters.clusters.len() {
        let cluster = &clusters.clusters[own];
        let works = cluster.outputs.iter().any(|o| program[*o].shape.size() > 0);
        let lowered = if works {
            schedule(&Problem { program, clusters: &clusters, own, limits, in_place: &in_place }, choose)
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
                &node.op.name(),
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
    /// Slots of temporaries that nothing needs any more.
    free: Vec<usize>,
    /// The last cluster that reads each stored node.
    last_reader: HashMap<ProgramId, usize>,
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
            free: Vec::new(),
            last_reader: last_readers(program, clusters),
        };
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
        let slot = if self.program.outputs.contains(&id) {
            self.fresh(Slot::Output(bytes))
        } else {
            self.temporary(bytes)
        };
        self.slots.insert(id, slot);
        slot
    }

    fn fresh(&mut self, slot: Slot) -> usize {
        self.executable.slots.push(slot);
        self.executable.slots.len() - 1
    }

    /// A temporary of at least `bytes`, one that has become free if any is not more than twice as large.
    fn temporary(&mut self, bytes: u64) -> usize {
        let size = |slot: usize, slots: &[Slot]| match slots[slot] {
            Slot::Temporary(size) => size,
            _ => 0,
        };
        let slots = &self.executable.slots;
        let fitting = |s: &usize| (bytes..=bytes.saturating_mul(2)).contains(&size(*s, slots));
        let best = (0..self.free.len())
            .filter(|&n| fitting(&self.free[n]))
            .min_by_key(|&n| size(self.free[n], slots));
        match best {
            Some(n) => self.free.swap_remove(n),
            None => self.fresh(Slot::Temporary(bytes)),
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
                workgroups: stage.workgroups,
            });
        }
        self.free.extend(partials);
        let ended: Vec<ProgramId> =
            self.last_reader.iter().filter(|(_, last)| **last == own).map(|(id, _)| *id).collect();
        let mut freed: Vec<usize> = ended.iter().filter_map(|id| self.slots.get(id).copied()).collect();
        order::sort(&mut freed);
        self.free
            .extend(freed.into_iter().filter(|&s| matches!(self.executable.slots[s], Slot::Temporary(_))));
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

/// The last cluster that reads each node that clusters store.
fn last_readers(program: &TensorProgram, clusters: &Clusters) -> HashMap<ProgramId, usize> {
    let mut last = HashMap::new();
    for (own, cluster) in clusters.clusters.iter().enumerate() {
        let mut stack = cluster.members.clone();
        let mut seen: std::collections::HashSet<ProgramId> = stack.iter().copied().collect();
        while let Some(id) = stack.pop() {
            for &input in &program[id].inputs {
                if clusters.is_loaded(program, own, input) {
                    if !matches!(program[input].op, Op::Buffer(..)) {
                        last.insert(input, own);
                    }
                } else if seen.insert(input) {
                    stack.push(input);
                }
            }
        }
    }
    last
}
