//! What is run to find the fastest? The cluster's own kernels, lowered with each candidate, as programs of their own on memory of their own.

use crate::eval::Binding;
use crate::executable::{Dispatch, Executable, Slot};
use crate::family::{Candidate, Choice, Lowered, Problem, lower_each};
use weft_ir::program::ProgramId;
use weft_ir::{DType, HashMap, Literal};

/// Candidates that are raced, those estimated cheapest.
const MOST_RUNNERS: usize = 12;
/// Who is estimated to take so many times what the cheapest does is not raced.
const TOO_SLOW: f64 = 8.0;
/// Bytes that a contest may take of the device.
const MOST_BYTES: u64 = 256 << 20;

/// A cluster lowered with each of the candidates that are worth a race.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What each runner is, and its program, which takes the same leaves. The first is the one that the estimates choose.
    pub runners: Vec<(Choice, Executable)>,
    /// Bytes of each buffer leaf.
    pub leaves: Vec<u64>,
    /// A number for each scalar leaf.
    pub scalars: Vec<u32>,
}

/// The contest for a problem; `None` where there is nothing to race for, or it would take more of the device than can be spared.
pub fn contest(problem: &Problem<'_>, candidates: &[Candidate]) -> Option<Contest> {
    let nothing = HashMap::default();
    let none = HashMap::default();
    let problem = &Problem { in_place: &nothing, stacked: &none, in_pieces: false, ..*problem };
    let mut worth: Vec<&Candidate> = candidates.iter().filter(|c| c.nanoseconds.is_finite()).collect();
    worth.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    let least = worth.first()?.nanoseconds;
    worth.retain(|candidate| candidate.nanoseconds <= TOO_SLOW * least);
    worth.truncate(MOST_RUNNERS);
    let choices: Vec<Choice> = worth.iter().map(|candidate| candidate.choice).collect();
    let mut shared = Shared { problem, leaves: Vec::new(), scalars: Vec::new() };
    let mut runners = Vec::with_capacity(choices.len());
    for (choice, lowered) in lower_each(problem, &choices) {
        if lowered.stages.iter().any(|stage| stage.is_long(problem.limits)) {
            // The estimates' choice in pieces is no match for others as a whole.
            match runners.is_empty() {
                true => return None,
                false => continue,
            }
        }
        if lowered.stages.iter().all(|stage| stage.fits(problem.limits)) {
            runners.push((choice, shared.executable(choice, lowered)));
        }
    }
    let leaves: Vec<u64> = shared.leaves.iter().map(|&id| shared.bytes(id)).collect();
    let scalars = shared.scalars.iter().map(|&id| number(problem.program[id].dtype)).collect();
    for (_, executable) in &mut runners {
        let own = executable.slots.split_off(0);
        // Leaves come first in all of them, and are known only now.
        let added = leaves.len();
        let shift = |slot: usize| slot.checked_sub(LEAVES).unwrap_or(slot + added);
        executable.slots = (0..added).map(Slot::Leaf).chain(own).collect();
        executable.outputs.iter_mut().for_each(|slot| *slot = shift(*slot));
        let bound = executable.dispatches.iter_mut().flat_map(|dispatch| &mut dispatch.bindings);
        bound.for_each(|slot| *slot = shift(*slot));
    }
    let largest = runners.iter().map(|(_, executable)| own_bytes(executable)).max()?;
    (runners.len() > 1 && leaves.iter().sum::<u64>() + largest <= MOST_BYTES).then_some(Contest {
        runners,
        leaves,
        scalars,
    })
}

/// From this number on a slot is a leaf, until it is known how many leaves there are.
const LEAVES: usize = 1 << 20;

/// What all runners have in common.
struct Shared<'a> {
    problem: &'a Problem<'a>,
    leaves: Vec<ProgramId>,
    scalars: Vec<ProgramId>,
}

impl Shared<'_> {
    fn bytes(&self, id: ProgramId) -> u64 {
        let node = &self.problem.program[id];
        node.shape.size().max(1) as u64 * node.dtype.bytes() as u64
    }

    fn executable(&mut self, choice: Choice, lowered: Lowered) -> Executable {
        let outputs = &self.problem.cluster().outputs;
        let mut made = Executable { outputs: (0..outputs.len()).collect(), ..Executable::default() };
        made.slots = outputs.iter().map(|&id| Slot::Output(self.bytes(id))).collect();
        made.slots.extend(lowered.partials.iter().map(|&bytes| Slot::Temporary(bytes)));
        for stage in lowered.stages {
            let bindings = stage.bindings.iter().map(|binding| match *binding {
                Binding::Partial(n) => outputs.len() + n,
                Binding::Node(id) => match outputs.iter().position(|&output| output == id) {
                    Some(output) => output,
                    None => LEAVES + place(&mut self.leaves, id),
                },
            });
            let bindings: Vec<usize> = bindings.collect();
            made.dispatches.push(Dispatch {
                kernel: made.kernels.len(),
                holds: vec![None; bindings.len()],
                bindings,
                uniforms: stage.uniforms.iter().map(|&id| place(&mut self.scalars, id)).collect(),
                in_pieces: stage.in_pieces,
                workgroups: stage.workgroups,
                counted: None,
                is_gate: false,
                cluster: (0, 0),
                choice: Some(choice),
            });
            made.kernels.push(stage.kernel);
        }
        made
    }
}

/// Where a node is among others, behind them if it is new.
fn place(known: &mut Vec<ProgramId>, id: ProgramId) -> usize {
    known.iter().position(|&other| other == id).unwrap_or_else(|| {
        known.push(id);
        known.len() - 1
    })
}

/// A number that is as good as any: no start of a slice is past its end.
fn number(dtype: DType) -> u32 {
    match dtype {
        DType::F32 => Literal::F32(0.5).bits(),
        DType::I32 | DType::U32 | DType::Bool => 0,
    }
}

fn own_bytes(executable: &Executable) -> u64 {
    let bytes = executable.slots.iter().map(|slot| match slot {
        Slot::Output(bytes) | Slot::Temporary(bytes) => *bytes,
        Slot::Leaf(_) | Slot::Alias(_) => 0,
    });
    bytes.sum()
}
