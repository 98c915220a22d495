//! From lowered clusters to something that runs: distinct kernels, dispatches in order, and a
//! buffer for every value.

pub mod donate;
pub mod executable;
mod gate;
mod loops;
pub(crate) mod memory;
pub mod verify;
pub mod walk;

use crate::cluster::Clusters;
use crate::compiler::Compiler;
use crate::family::{Choice, Choose, Lowered};
use crate::limits::Limits;
use crate::lower::eval::{Binding, UniformSource};
use executable::{Dispatch, Executable, Uniform};
use gate::Gate;
use weft_ir::HashMap;
use weft_ir::kernel::Kernel;
use weft_ir::kernel::verify::verify as verify_kernel;
use weft_ir::program::{ProgramId, TensorProgram};

/// Where a program stands in what is made.
pub(crate) struct Environment<'a> {
    /// The slot of each buffer leaf.
    pub(crate) leaves: Vec<usize>,
    /// What each scalar leaf is to a dispatch.
    pub(crate) scalars: Vec<Uniform>,
    /// Buffer leaves that may be overwritten.
    pub(crate) donated: &'a [usize],
    /// Of a loop's body, the slot of each output; those from the second on are stacked, so many
    /// iterations of them.
    pub(crate) results: Option<(Vec<usize>, usize, usize)>,
}

/// What all programs of an executable share: the executable itself, and what is at hand for it.
pub(crate) struct Assembly<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) choose: Choose<'a>,
    /// Takes every kernel.
    pub(crate) compiler: &'a dyn Compiler,
    pub(crate) executable: Executable,
    pub(crate) kernels: HashMap<Kernel, usize>,
    /// Slots of temporaries that nothing needs any more, by the power of two below their bytes.
    pub(crate) free: Vec<Vec<usize>>,
    /// The gates before what is being added, outermost first.
    pub(crate) gates: Vec<Gate>,
}

/// A program on its way into the assembly.
pub(crate) struct Plan<'a> {
    /// Which of the executable's fused programs it is.
    pub(crate) number: usize,
    pub(crate) program: &'a TensorProgram,
    pub(crate) clusters: &'a Clusters,
    pub(crate) slots: HashMap<ProgramId, usize>,
    pub(crate) scalars: HashMap<ProgramId, Uniform>,
    /// For each cluster, the stored nodes that it is the last to read.
    pub(crate) ended: Vec<Vec<ProgramId>>,
    /// Whether each node is an output.
    pub(crate) wanted: Vec<bool>,
}

impl Assembly<'_> {
    pub(crate) fn add_cluster(
        &mut self,
        plan: &mut Plan<'_>,
        own: usize,
        lowered: Lowered,
        choice: Option<Choice>,
    ) {
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
                UniformSource::Scalar(id) => plan.scalars[id],
                UniformSource::Number(_, number) => Uniform::Number(*number),
            });
            let uniforms = uniforms.collect();
            let kernel = self.kernel(stage.kernel, stage.first.as_ref());
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

    pub(crate) fn kernel(&mut self, kernel: Kernel, first: Option<&Kernel>) -> usize {
        if let Some(&known) = self.kernels.get(&kernel) {
            return known;
        }
        debug_assert_eq!(verify_kernel(&kernel), Ok(()), "{kernel}");
        self.compiler.begin(&kernel, first);
        self.executable.kernels.push(kernel.clone());
        self.kernels.insert(kernel, self.executable.kernels.len() - 1);
        self.executable.kernels.len() - 1
    }
}
