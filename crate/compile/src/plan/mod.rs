//! From lowered clusters to something that runs: distinct kernels, dispatches in order, and a buffer for every value, those
//! whose lives do not overlap sharing one.

pub mod donate;
mod gate;
mod loops;
pub mod walk;

use crate::control::lower::lower;
use crate::executable::{Dispatch, Executable, Fused, Slot, Uniform};
use crate::family::{Choice, Choose, Lowered, Problem, cheapest, schedule};
use crate::fuse::{Clusters, fuse, loop_shape};
use crate::limits::Limits;
use crate::lower::dynamic_offset::{Placed, place};
use crate::lower::eval::{Binding, Given};
use crate::simplify::simplify;
use crate::verify;
use gate::Gate;
use weft_ir::HashMap;
use weft_ir::kernel::Kernel;
use weft_ir::kernel::verify::verify as verify_kernel;
use weft_ir::op::Op;
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

/// [`compile`] with each cluster's family and its numbers chosen by `choose`: for tuning, and for tests of every variant.
///
/// Errors as [`compile`].
pub fn compile_with(
    program: &TensorProgram,
    limits: &Limits,
    donated: &[usize],
    choose: Choose<'_>,
) -> Result<Executable> {
    compile_telling(program, limits, donated, choose, &|_| {})
}

/// [`compile_with`], which tells of each kernel as soon as it is made: whoever makes pipelines of them can begin before the last one is there.
///
/// Errors as [`compile`].
pub fn compile_telling(
    program: &TensorProgram,
    limits: &Limits,
    donated: &[usize],
    choose: Choose<'_>,
    tell: &dyn Fn(&Kernel),
) -> Result<Executable> {
    let mut assembly = Assembly {
        limits,
        choose,
        tell,
        executable: Executable::default(),
        kernels: HashMap::default(),
        free: vec![Vec::new(); 64],
        gates: Vec::new(),
    };
    let leaves: Vec<usize> = (0..program.buffer_leaves().len()).collect();
    assembly.executable.slots = leaves.iter().map(|&n| Slot::Leaf(n)).collect();
    let scalars = (0..program.scalar_leaves().len()).map(Uniform::Scalar).collect();
    let outputs =
        assembly.add(&lower(program, limits)?, Environment { leaves, scalars, donated, results: None })?;
    let executable = Executable { outputs, ..assembly.executable };
    debug_assert_eq!(verify::plan(program, &executable), Ok(()), "{executable}");
    Ok(executable)
}

/// Where a program stands in what is made.
struct Environment<'a> {
    /// The slot of each buffer leaf.
    leaves: Vec<usize>,
    /// What each scalar leaf is to a dispatch.
    scalars: Vec<Uniform>,
    /// Buffer leaves that may be overwritten.
    donated: &'a [usize],
    /// Of a loop's body, the slot of each output; those from the second on are stacked, so many iterations of them.
    results: Option<(Vec<usize>, usize, usize)>,
}

/// What all programs of an executable share: the executable itself, and what is at hand for it.
struct Assembly<'a> {
    limits: &'a Limits,
    choose: Choose<'a>,
    /// Told of every kernel.
    tell: &'a dyn Fn(&Kernel),
    executable: Executable,
    kernels: HashMap<Kernel, usize>,
    /// Slots of temporaries that nothing needs any more, by the power of two below their bytes.
    free: Vec<Vec<usize>>,
    /// The gates before what is being added, outermost first.
    gates: Vec<Gate>,
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
    node.dtype.stored_bytes(node.shape.size().max(1))
}

/// A program on its way into the assembly.
struct Plan<'a> {
    /// Which of the executable's fused programs it is.
    number: usize,
    program: &'a TensorProgram,
    clusters: &'a Clusters,
    slots: HashMap<ProgramId, usize>,
    scalars: HashMap<ProgramId, Uniform>,
    /// For each cluster, the stored nodes that it is the last to read.
    ended: Vec<Vec<ProgramId>>,
    /// Whether each node is an output.
    wanted: Vec<bool>,
}

impl Assembly<'_> {
    /// Adds a program, whose regions are lowered, and yields the slot of each output.
    fn add(&mut self, program: &TensorProgram, environment: Environment<'_>) -> Result<Vec<usize>> {
        let limits = self.limits;
        let mut simplified = simplify(program, limits);
        let asked = simplified.outputs.len();
        let mut placed = place(&mut simplified, environment.donated);
        let fused = Fused { clusters: fuse(&simplified, limits), program: simplified };
        let Fused { program, clusters } = &fused;
        let number = self.executable.fused.len();
        self.executable.fused.push(Fused::default());
        let in_place = donate::in_place(program, clusters, environment.donated);
        check_sizes(program, limits, clusters)?;
        let mut plan = Plan {
            number,
            program,
            clusters,
            slots: program.buffer_leaves().into_iter().zip(environment.leaves).collect(),
            scalars: program.scalar_leaves().into_iter().zip(environment.scalars).collect(),
            ended: ended(program, clusters),
            wanted: vec![false; program.nodes.len()],
        };
        program.outputs.iter().for_each(|output| plan.wanted[output.index()] = true);
        for (leaf, result) in &in_place {
            plan.slots.insert(*result, plan.slots[leaf]);
        }
        for (result, place) in &placed {
            place.buffer().map(|leaf| plan.slots.insert(*result, plan.slots[&leaf]));
        }
        if let Some((results, carried, iterations)) = environment.results {
            for (n, (&output, slot)) in program.outputs.iter().zip(results).enumerate() {
                plan.slots.entry(output).or_insert(slot);
                if n >= carried {
                    let index = program.leaves().next().expect("a body has an index");
                    placed.insert(output, Placed::stacked(index, iterations, program[output].shape.size()));
                }
            }
        }
        for (own, cluster) in clusters.clusters.iter().enumerate() {
            if let Some(id) = cluster.domain.region(program) {
                match &program[id].op {
                    // Inside one kernel it is lowered as others are.
                    Op::Loop(it) if loop_shape(it, limits).is_some() => {}
                    Op::Loop(it) => {
                        self.add_loop(&mut plan, own, id, it)?;
                        continue;
                    }
                    Op::Branch(programs) => {
                        self.add_branch(&mut plan, own, id, programs)?;
                        continue;
                    }
                    other => unreachable!("{other:?} is no region"),
                }
            }
            let works = cluster.outputs.iter().any(|o| program[*o].shape.size() > 0);
            let (lowered, choice) = if works {
                // A kernel that only reads a donated leaf binds it as such: what may be written is read past the caches.
                let written = |(_, result): &(&ProgramId, &ProgramId)| cluster.outputs.contains(result);
                let in_place =
                    in_place.iter().filter(written).map(|(&leaf, &result)| (leaf, result)).collect();
                let (in_place, placed) = (&in_place, &placed);
                let problem = Problem { program, clusters, own, limits, in_place, in_pieces: false, placed };
                let (lowered, choice) = schedule(&problem, self.choose);
                (lowered, Some(choice))
            } else {
                (Lowered::default(), None)
            };
            self.add_cluster(&mut plan, own, lowered, choice);
        }
        debug_assert_eq!(verify::clusters(program, clusters, limits), Ok(()), "{program}");
        let outputs = program.outputs[..asked].iter().map(|id| plan.slots[id]).collect();
        self.executable.fused[number] = fused;
        Ok(outputs)
    }

    /// A slot for a value that a cluster stores.
    fn stored(&mut self, plan: &mut Plan<'_>, id: ProgramId) -> usize {
        let bytes = bytes(plan.program, id);
        let slot =
            if plan.wanted[id.index()] { self.fresh(Slot::Output(bytes)) } else { self.temporary(bytes) };
        plan.slots.insert(id, slot);
        slot
    }

    fn fresh(&mut self, slot: Slot) -> usize {
        self.executable.slots.push(slot);
        self.executable.slots.len() - 1
    }

    /// A temporary of at least `bytes`, one that has become free if any is not more than twice as large: the best fit among the
    /// latest, so that finding it costs the same however many there are. Else the largest of the smaller ones grows: none of those who had it before
    /// minds, and it takes less than another would.
    fn temporary(&mut self, bytes: u64) -> usize {
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
        let Some(class) = smaller else { return self.fresh(Slot::Temporary(bytes)) };
        let free = &self.free[class];
        let latest = free.len().saturating_sub(LATEST)..free.len();
        let at = latest.max_by_key(|&at| size(free[at])).expect("the class has a free slot");
        let slot = self.free[class].swap_remove(at);
        self.executable.slots[slot] = Slot::Temporary(bytes.max(size(slot)));
        slot
    }

    /// Gives a slot back; what the caller brought or keeps is no temporary.
    fn release(&mut self, slot: usize) {
        if let Slot::Temporary(size) = self.executable.slots[slot] {
            self.free[size.ilog2() as usize].push(slot);
        }
    }

    fn add_cluster(&mut self, plan: &mut Plan<'_>, own: usize, lowered: Lowered, choice: Option<Choice>) {
        for &output in &plan.clusters.clusters[own].outputs {
            if !plan.slots.contains_key(&output) {
                self.stored(plan, output);
            }
        }
        let partials: Vec<usize> = lowered.partials.iter().map(|&bytes| self.temporary(bytes)).collect();
        for stage in lowered.stages {
            let bindings = stage
                .bindings
                .iter()
                .map(|binding| match binding {
                    Binding::Node(id) => plan.slots[id],
                    Binding::Partial(n) => partials[*n],
                })
                .collect();
            let holds = stage.bindings.iter().map(|binding| match binding {
                Binding::Node(id) => Some(*id),
                Binding::Partial(_) => None,
            });
            let holds = holds.collect();
            let uniforms = stage.uniforms.iter().map(|given| match given {
                Given::Scalar(id) => plan.scalars[id],
                Given::Number(_, number) => Uniform::Number(*number),
            });
            let uniforms = uniforms.collect();
            let kernel = self.kernel(stage.kernel);
            let counted = self.gates.last_mut().map(|gate| gate.counted(stage.workgroups));
            self.executable.dispatches.push(Dispatch {
                kernel,
                bindings,
                holds,
                uniforms,
                in_pieces: stage.in_pieces,
                workgroups: stage.workgroups,
                counted,
                is_gate: false,
                cluster: (plan.number, own),
                choice,
            });
        }
        partials.into_iter().for_each(|slot| self.release(slot));
        self.release_ended(plan, own);
    }

    fn release_ended(&mut self, plan: &Plan<'_>, own: usize) {
        // Results belong to whom they are for: what reads them there ends later.
        let ended = plan.ended[own].iter().filter(|id| !plan.wanted[id.index()]);
        let mut freed: Vec<usize> = ended.filter_map(|id| plan.slots.get(id).copied()).collect();
        order::sort(&mut freed);
        freed.into_iter().for_each(|slot| self.release(slot));
    }

    fn kernel(&mut self, kernel: Kernel) -> usize {
        if let Some(&known) = self.kernels.get(&kernel) {
            return known;
        }
        debug_assert_eq!(verify_kernel(&kernel), Ok(()), "{kernel}");
        (self.tell)(&kernel);
        self.executable.kernels.push(kernel.clone());
        self.kernels.insert(kernel, self.executable.kernels.len() - 1);
        self.executable.kernels.len() - 1
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
