//! Workloads of a race: the cluster's own kernels, lowered with one candidate after the other, as
//! programs of their own on memory of their own.

use crate::family::{Choice, Lowered, Problem, candidates};
use crate::limits::Limits;
use crate::lower::eval::{Binding, UniformSource};
use crate::plan::executable::{Dispatch, Executable, Fused, Slot, Uniform};
use crate::tune::Key;
use std::rc::Rc;
use weft_ir::op::Op;
use weft_ir::program::ProgramId;
use weft_ir::{DType, HashMap, order};

/// Candidates that are raced, those estimated cheapest.
const MOST_RUNNERS: usize = 12;
/// A candidate that is estimated to take this many times what the cheapest does is not raced.
const TOO_SLOW: f64 = 8.0;
/// Bytes that a runner may take of the device.
const MOST_BYTES: u64 = 256 << 20;

/// A cluster of a program that was compiled.
#[derive(Clone, Debug)]
pub struct Workload {
    /// [`Executable::fused`] of that program.
    pub fused: Rc<Vec<Fused>>,
    /// Which of them, and which of its clusters.
    pub cluster: (usize, usize),
}

impl Workload {
    /// Does something with the cluster as a problem of its own, which overwrites nothing and is run
    /// as a whole.
    fn with<T>(&self, limits: &Limits, then: impl FnOnce(&Problem<'_>) -> T) -> T {
        let (in_place, offsets) = (HashMap::default(), HashMap::default());
        let Fused { program, clusters } = &self.fused[self.cluster.0];
        let own = self.cluster.1;
        then(&Problem {
            program,
            clusters,
            own,
            limits,
            in_place: &in_place,
            in_pieces: false,
            in_loops: false,
            offsets: &offsets,
        })
    }

    /// What a choice for it is remembered under.
    pub fn key(&self, limits: &Limits) -> Key {
        self.with(limits, Key::of)
    }

    /// The candidates that are worth a race, first the one that the estimates choose. What scatters
    /// take depends on where the updates go, which spare memory does not tell (zeros all go to one
    /// place): of them there is but that one.
    ///
    /// Deferred: races run in idle moments.
    pub fn runners(&self, limits: &Limits) -> Vec<Choice> {
        let (mut all, scatters) = self.with(limits, |problem| {
            let is_scatter = |id: &ProgramId| matches!(problem.program[*id].op, Op::Scatter { .. });
            (candidates(problem), problem.cluster().members.iter().any(is_scatter))
        });
        // Estimates are not negative, and such floats are in the order of their bits.
        order::sort_by_key(&mut all, |candidate| candidate.nanoseconds.to_bits());
        let most = all.first().map_or(0.0, |first| TOO_SLOW * first.nanoseconds);
        let worth = all
            .iter()
            .take(if scatters { 1 } else { MOST_RUNNERS })
            .filter(|c| c.nanoseconds <= most && most.is_finite());
        worth.map(|candidate| candidate.choice).collect()
    }

    /// The cluster with one of its candidates. `None` where that would take more of the device than
    /// can be spared, or is more than it has.
    ///
    /// Deferred: races run in idle moments.
    pub fn runner(&self, limits: &Limits, choice: Choice) -> Option<Executable> {
        self.with(limits, |problem| {
            let lowered = choice.family().anchor(problem)?.kernels(problem, choice.numbers());
            let can_run = lowered.stages.iter().all(|stage| stage.fits(limits) && !stage.is_long(limits));
            let made = can_run.then(|| executable(problem, choice, lowered))?;
            let bytes = made.slots.iter().map(|slot| match slot {
                Slot::Output(bytes) | Slot::Temporary(bytes) => *bytes,
                Slot::Leaf(_) | Slot::Alias(_) => 0,
            });
            (bytes.sum::<u64>() <= MOST_BYTES).then_some(made)
        })
    }
}

/// What stands for a number of the program's: of floats one that hides a key from a query, so that
/// attention walks what it mostly does.
fn stand_in(dtype: DType) -> u32 {
    if dtype == DType::F32 { (-1e30f32).to_bits() } else { 0 }
}

/// Whatever is read is memory that happens to be there.
fn executable(problem: &Problem<'_>, choice: Choice, lowered: Lowered) -> Executable {
    let mut made = Executable::default();
    made.slots.extend(lowered.partials.iter().map(|&bytes| Slot::Temporary(bytes)));
    let partials = made.slots.len();
    let mut stored: Vec<ProgramId> = Vec::new();
    for stage in lowered.stages {
        let bindings = stage.bindings.iter().map(|binding| match *binding {
            Binding::Partial(n) => n,
            Binding::Node(id) => partials + place(&mut stored, id),
        });
        let bindings: Vec<usize> = bindings.collect();
        let uniforms = stage.uniforms.iter().map(|given| match *given {
            UniformSource::Scalar(id) => Uniform::Number(stand_in(problem.program[id].dtype)),
            UniformSource::Number(_, number) => Uniform::Number(number),
        });
        made.dispatches.push(Dispatch {
            kernel: made.kernels.len(),
            holds: vec![None; bindings.len()],
            bindings,
            uniforms: uniforms.collect(),
            in_pieces: false,
            workgroups: stage.workgroups,
            counted: None,
            is_gate: false,
            cluster: (0, 0),
            choice: Some(choice),
        });
        made.kernels.push(stage.kernel);
    }
    made.slots.extend(stored.iter().map(|&id| {
        let node = &problem.program[id];
        Slot::Temporary(node.dtype.stored_bytes(node.shape.size().max(1)))
    }));
    made
}

/// Where a node is among others, behind them if it is new.
fn place(known: &mut Vec<ProgramId>, id: ProgramId) -> usize {
    known.iter().position(|&other| other == id).unwrap_or_else(|| {
        known.push(id);
        known.len() - 1
    })
}
