//! A cluster to be lowered, and the kernels that it is lowered to.

use crate::cluster::{Cluster, Clusters};
use crate::device::DeviceModel;
use crate::limits::Limits;
use crate::lower::cost;
use crate::lower::dynamic_offset::DynamicOffset;
use crate::lower::eval::{Binding, Evaluator, UniformSource};
use weft_ir::kernel::{Array, Kernel};
use weft_ir::op::{Class, Op, View, facts};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{HashMap, HashSet};

/// A program before it is cut into clusters, as families that recognise patterns are shown it.
pub struct Unfused<'a> {
    /// The program.
    pub program: &'a TensorProgram,
    /// The device.
    pub limits: &'a Limits,
    /// The nodes that read each node.
    pub readers: &'a [Vec<ProgramId>],
    /// Whether each node is stored whatever fusion decides, as results are.
    pub is_stored: &'a [bool],
}

/// The sums of a contraction, as rules ask families about them.
pub struct Sums {
    /// Extents of the free axes of either operand, together.
    pub sides: [usize; 2],
    /// Elements of the result, all members of a batch together.
    pub results: usize,
    /// Terms of each.
    pub terms: usize,
    /// Whether each element of an operand lies where its coordinates say, and need not be looked
    /// for.
    pub is_direct: bool,
}

/// One cluster to be lowered.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The program.
    pub program: &'a TensorProgram,
    /// All its clusters.
    pub clusters: &'a Clusters,
    /// Which of them.
    pub own: usize,
    /// The device.
    pub limits: &'a Limits,
    /// Donated leaves that this cluster overwrites, and the result that is written over each.
    pub in_place: &'a HashMap<ProgramId, ProgramId>,
    /// Whether its kernels are made so that they can be run in pieces.
    pub in_pieces: bool,
    /// Whether what its kernels repeat is written as loops rather than out: they are compiled
    /// sooner, are not as fast, and compute the same bits.
    pub in_loops: bool,
    /// Results that are stored within larger tensors.
    pub offsets: &'a HashMap<ProgramId, DynamicOffset>,
}

impl<'a> Problem<'a> {
    /// The cluster.
    pub fn cluster(&self) -> &'a Cluster {
        &self.clusters.clusters[self.own]
    }

    /// What work takes on the device.
    pub fn model(&self) -> &'static DeviceModel {
        self.limits.model
    }

    /// Runs `write` with an evaluator that loads what this cluster does not compute, and finishes
    /// the kernel.
    pub(super) fn stage(
        &self,
        name: &str,
        workgroup: u32,
        write: impl FnOnce(&mut Evaluator<'_>) -> [u32; 3],
    ) -> Stage {
        let loaded = |id| self.clusters.is_loaded(self.program, self.own, id);
        let mut eval = Evaluator::new(self.program, &loaded, &self.clusters.reads, self.in_place);
        eval.offsets = Some(self.offsets);
        self.stage_of(name, workgroup, eval, write)
    }

    /// Finishes a kernel that is written with an evaluator.
    pub(super) fn stage_of<'e>(
        &self,
        name: &str,
        workgroup: u32,
        mut eval: Evaluator<'e>,
        write: impl FnOnce(&mut Evaluator<'e>) -> [u32; 3],
    ) -> Stage {
        if self.in_pieces {
            eval.run_in_pieces();
        }
        eval.in_loops = self.in_loops;
        // Software runs them slower, and compiles them no sooner.
        eval.hides_lengths = self.in_loops && self.model().serial.is_none();
        let workgroups = write(&mut eval);
        eval.bind_leaves_to_read();
        let Evaluator { b, bindings, uniforms, .. } = eval;
        Stage {
            kernel: b.finish(name.to_owned(), [workgroup, 1, 1]),
            bindings: bindings.into_iter().map(|(_, binding)| binding).collect(),
            uniforms,
            in_pieces: self.in_pieces,
            workgroups,
            first: None,
        }
    }

    /// How many nodes other than views the cluster computes.
    pub(super) fn operations(&self) -> usize {
        self.count(|op| facts(op).class != Class::View)
    }

    /// What is written out for an element, in operations: [`Self::operations`], and views of which
    /// each element asks where it lies.
    pub(super) fn written(&self) -> usize {
        /// Positions are divided, compared and chosen between.
        const LOOKED_FOR: usize = 6;
        let views = self.count(|op| matches!(op, Op::View(View::Pad { .. } | View::Window(_))));
        self.operations() + LOOKED_FOR * views
    }

    /// What software compiles for an element: [`Self::written`], where a function counts for as
    /// many operations as it takes.
    pub(super) fn compiled(&self) -> usize {
        let mut operations = 1 + self.written() - self.operations();
        self.visit(&mut |id, is_loaded| {
            operations += if is_loaded { 0 } else { facts(&self.program[id].op).cost };
        });
        operations
    }

    /// How many such nodes the cluster computes.
    pub(super) fn count(&self, such: fn(&Op) -> bool) -> usize {
        let mut count = 0;
        self.visit(&mut |id, is_loaded| count += usize::from(!is_loaded && such(&self.program[id].op)));
        count
    }

    /// Shows each node that the cluster computes or loads, with whether it loads it.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(ProgramId, bool)) {
        let mut seen: HashSet<ProgramId> = HashSet::default();
        let mut stack = self.cluster().members.clone();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                let is_loaded = self.clusters.is_loaded(self.program, self.own, id);
                see(id, is_loaded);
                if !is_loaded {
                    stack.extend(&self.program[id].inputs);
                }
            }
        }
    }

    /// A name for the cluster's kernels: the family and what is computed.
    pub(super) fn name(&self, family: &str) -> String {
        let mut words: Vec<&str> =
            self.cluster().members.iter().map(|&m| self.program[m].op.name()).collect();
        words.dedup();
        words.truncate(4);
        format!("{family} {}", words.join(" "))
    }
}

/// One kernel of a lowered cluster and how it is dispatched.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The kernel.
    pub kernel: Kernel,
    /// What its storage bindings hold, in order.
    pub bindings: Vec<Binding>,
    /// What its uniforms are given.
    pub uniforms: Vec<UniformSource>,
    /// Whether the number of the first workgroup is a uniform before those.
    pub in_pieces: bool,
    /// Workgroups.
    pub workgroups: [u32; 3],
    /// What serves in place of the kernel until that is compiled: see [`Problem::in_loops`].
    pub first: Option<Kernel>,
}

impl Stage {
    /// Whether it may keep a device for so long that it should be run in pieces.
    pub(crate) fn is_long(&self, limits: &Limits) -> bool {
        let workgroups = self.workgroups.iter().map(|&n| f64::from(n)).product::<f64>();
        workgroups > 1.0 && workgroups * cost::of_workgroup(&self.kernel) >= limits.long_dispatch as f64
    }

    /// Whether a device has the bindings and the workgroup memory for it.
    pub(crate) fn fits(&self, limits: &Limits) -> bool {
        let words = |array: &Array| u32::from(array.ty.lanes) * array.space.in_workgroup().unwrap_or(0);
        let shared = self.kernel.arrays.iter().map(|array| 4 * words(array));
        self.bindings.len() <= limits.storage_buffers as usize
            && shared.sum::<u32>() <= limits.workgroup_bytes
    }
}

/// A lowered cluster.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// Kernels in order.
    pub stages: Vec<Stage>,
    /// Bytes of each buffer of partial results.
    pub partials: Vec<u64>,
}
