//! The compiler's driver: each program is simplified, fused, lowered cluster by cluster, and
//! planned.

use crate::compiler::Compiler;
use crate::control::lower::lower;
use crate::family::{Choose, Lowered, Problem, cheapest, loop_inside, schedule};
use crate::fuse::{self, fuse};
use crate::limits::Limits;
use crate::lower::dynamic_offset::{DynamicOffset, dynamic_offsets};
use crate::plan::executable::{Executable, Fused, Slot, Uniform};
use crate::plan::memory::{check_sizes, ended};
use crate::plan::{self, Assembly, Environment, Plan, donate};
use crate::simplify::simplify;
use weft_ir::op::region::{Region, region};
use weft_ir::op::{KernelCall, Op};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{Error, ErrorKind, HashMap, Result};

/// Compiles a program for a device. `donated` names buffer leaves that may be overwritten by
/// results, where that is safe.
///
/// Errors with `OutOfMemory` when a tensor is larger than one binding of the device can span.
pub fn compile(program: &TensorProgram, limits: &Limits, donated: &[usize]) -> Result<Executable> {
    compile_with(program, limits, donated, &cheapest)
}

/// [`compile`] with each cluster's family and its numbers chosen by `choose`: for tuning, and for
/// tests of every variant.
///
/// Errors as [`compile`].
pub fn compile_with(
    program: &TensorProgram,
    limits: &Limits,
    donated: &[usize],
    choose: Choose<'_>,
) -> Result<Executable> {
    compile_for(program, limits, donated, choose, &())
}

/// [`compile_with`] that passes kernels on to a compiler.
///
/// Errors as [`compile`].
pub fn compile_for(
    program: &TensorProgram,
    limits: &Limits,
    donated: &[usize],
    choose: Choose<'_>,
    compiler: &dyn Compiler,
) -> Result<Executable> {
    let mut assembly = Assembly {
        limits,
        choose,
        compiler,
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
    debug_assert_eq!(plan::verify::plan(program, &executable), Ok(()), "{executable}");
    Ok(executable)
}

/// Errors with `Value` when a device has not the bindings or the memory for a user's kernel.
///
/// Deferred: few programs have kernels of users.
#[inline(never)]
fn check_fits(call: &KernelCall, lowered: &Lowered, limits: &Limits) -> Result<()> {
    let name = &call.kernel.name;
    let bound = lowered.stages.iter().map(|stage| stage.bindings.len()).max().unwrap_or(0);
    if bound > limits.storage_buffers as usize {
        let most = limits.storage_buffers;
        let what = format!("takes {bound} buffers at once with its outputs; this device binds {most}");
        return Err(Error::value(name, what));
    }
    if !lowered.stages.iter().all(|stage| stage.fits(limits)) {
        let most = limits.workgroup_bytes;
        return Err(Error::value(
            name,
            format!("its shared arrays take more than the {most} bytes there are"),
        ));
    }
    if let Some(bytes) = lowered.partials.iter().find(|bytes| **bytes > limits.binding_bytes) {
        let what = format!("takes a buffer of {bytes} bytes for an output, more than this device binds");
        return Err(Error::new(ErrorKind::OutOfMemory, name, what));
    }
    Ok(())
}

impl Assembly<'_> {
    /// Adds a program, whose regions are lowered, and yields the slot of each output.
    pub(crate) fn add(
        &mut self,
        program: &TensorProgram,
        environment: Environment<'_>,
    ) -> Result<Vec<usize>> {
        let limits = self.limits;
        let mut simplified = simplify(program, limits);
        let asked = simplified.outputs.len();
        let mut offsets = dynamic_offsets(&mut simplified, environment.donated);
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
        for (result, place) in &offsets {
            place.buffer().map(|leaf| plan.slots.insert(*result, plan.slots[&leaf]));
        }
        if let Some((results, carried, iterations)) = environment.results {
            for (n, (&output, slot)) in program.outputs.iter().zip(results).enumerate() {
                plan.slots.entry(output).or_insert(slot);
                if n >= carried {
                    let index = program.leaves().next().expect("a body has an index");
                    offsets.insert(
                        output,
                        DynamicOffset::stacked(index, iterations, program[output].shape.size()),
                    );
                }
            }
        }
        for (own, cluster) in clusters.clusters.iter().enumerate() {
            if let Some(id) = cluster.domain.region(program) {
                match region(&program[id].op) {
                    // Inside one kernel it is lowered as others are.
                    Some(Region::Loop(it)) if loop_inside(it, limits).is_some() => {}
                    Some(Region::Loop(it)) => {
                        self.add_loop(&mut plan, own, id, it)?;
                        continue;
                    }
                    Some(Region::Branch(programs)) => {
                        self.add_branch(&mut plan, own, id, programs)?;
                        continue;
                    }
                    Some(Region::Kernel(_)) => {}
                    Some(Region::Custom(_)) | None => unreachable!("a lowered program has none"),
                }
            }
            let works = cluster.outputs.iter().any(|o| program[*o].shape.size() > 0);
            let (lowered, choice) = if works {
                // A kernel that only reads a donated leaf binds it as such: what may be written is
                // read past the caches.
                let written = |(_, result): &(&ProgramId, &ProgramId)| cluster.outputs.contains(result);
                let in_place =
                    in_place.iter().filter(written).map(|(&leaf, &result)| (leaf, result)).collect();
                let (in_place, offsets) = (&in_place, &offsets);
                let problem = Problem {
                    program,
                    clusters,
                    own,
                    limits,
                    in_place,
                    in_pieces: false,
                    in_loops: false,
                    offsets,
                };
                let (lowered, choice) = schedule(&problem, self.choose, self.compiler);
                if let Some(Op::Kernel(call)) = cluster.domain.region(program).map(|id| &program[id].op) {
                    check_fits(call, &lowered, limits)?;
                }
                (lowered, Some(choice))
            } else {
                (Lowered::default(), None)
            };
            self.add_cluster(&mut plan, own, lowered, choice);
        }
        debug_assert_eq!(fuse::verify::clusters(program, clusters, limits), Ok(()), "{program}");
        let outputs = program.outputs[..asked].iter().map(|id| plan.slots[id]).collect();
        self.executable.fused[number] = fused;
        Ok(outputs)
    }
}
