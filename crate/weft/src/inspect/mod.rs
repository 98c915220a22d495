//! Inspection of what a device runs: the programs of a label with the time of each dispatch
//! (`report.rs`), the tensors that hold memory (`memory.rs`), the first value that is not finite
//! (`finite.rs`), and kernels whose shader a person has changed (`edit.rs`). While nothing records,
//! a run asks one flag.
//!
//! Deferred: inspectors ask for it by hand.

mod edit;
mod evaluate;
mod finite;
mod limits;
mod memory;
mod origin;
mod report;

use crate::device::Device;
use crate::device::backend::Compiled;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;
use weft_ir::graph::{CALL_SITE, NodeId, ValueId};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Result, Shape};
use weft_runtime::EndOfRun;

/// Runs that are remembered, the latest.
const MOST_RUNS: usize = 1024;
/// Bytes of the values that runs were given and that are kept for running them again.
const MOST_KEPT: u64 = 256 << 20;

/// What is noted of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recording {
    /// Nothing.
    #[default]
    Off,
    /// Which programs ran when, and the time of each dispatch.
    Times,
    /// Also what they were given, so that they can be run again, and whether what they yield is
    /// finite. Nothing is written over meanwhile.
    Values,
}

/// What is noted of runs while something is.
#[derive(Default)]
pub(crate) struct Recorder {
    /// Of the runs since recording began, the first whose values are kept.
    keep_from: u32,
    /// How many runs there were since then.
    count: Cell<u32>,
    runs: RefCell<VecDeque<Recorded>>,
    /// The numbers of the first run that yields NaN and of the first that yields an infinity, on
    /// the device; `i32::MAX` while there is none.
    firsts: RefCell<Option<[ValueId; 2]>>,
}

/// A run that was noted.
struct Recorded {
    label: u32,
    /// Its number since recording began.
    number: u32,
    /// The number that the runtime's times give it.
    profiled: u32,
    /// When it was asked for, and when the call returned, in nanoseconds of the clock.
    asked: f64,
    returned: f64,
    /// When it had run, where there are no timestamps.
    end: Option<EndOfRun>,
    /// Bytes of live tensors after it.
    live: u64,
    /// With the sites of its nodes, which the cache does not tell apart.
    program: Rc<TensorProgram>,
    compiled: Rc<Compiled>,
    kept: Option<Kept>,
}

/// What a run was given.
struct Kept {
    leaves: Vec<ValueId>,
    scalars: Vec<u32>,
    /// Where in the source the leaves were made.
    sites: Vec<u32>,
    bytes: u64,
}

/// A run that is to be noted.
pub(crate) struct Observed<'a> {
    pub program: &'a Rc<TensorProgram>,
    pub compiled: &'a Rc<Compiled>,
    pub leaves: &'a [ValueId],
    pub scalars: &'a [u32],
    /// The nodes of the leaves.
    pub origins: &'a [NodeId],
    /// What each output of the program is.
    pub outputs: Vec<(Shape, DType)>,
}

/// Answers questions about what a device runs.
#[derive(Clone)]
pub struct Inspector(Device);

impl Deref for Inspector {
    type Target = Device;
    fn deref(&self) -> &Device {
        &self.0
    }
}

impl Device {
    /// Runs the program of a flush, its roots at these positions of the outputs, and notes it.
    ///
    /// Deferred: inspectors ask for it by hand.
    #[inline(never)]
    pub(crate) fn record_flush(
        &self,
        roots: &[NodeId],
        (program, compiled, positions): (&Rc<TensorProgram>, &Rc<Compiled>, &[usize]),
        origins: &[NodeId],
        (leaves, scalars): (&[ValueId], &[u32]),
    ) -> Result<Vec<ValueId>> {
        let count = positions.iter().map(|position| position + 1).max().unwrap_or(0);
        let mut outputs = vec![(Shape::scalar(), DType::U32); count];
        let graph = self.graph();
        for (root, &position) in roots.iter().zip(positions) {
            outputs[position] = (graph[*root].shape.clone(), graph[*root].dtype);
        }
        drop(graph);
        self.inspector().record(Observed { program, compiled, leaves, scalars, origins, outputs })
    }

    /// Answers questions about what this device runs.
    ///
    /// Deferred: inspectors ask for it by hand.
    pub fn inspector(&self) -> Inspector {
        Inspector(self.clone())
    }

    /// Says that tensors are asked for at the call site of that number from now on, which programs
    /// then carry along. Otherwise they are asked for under the label of
    /// [`crate::Device::label_runs`].
    pub fn set_call_site(&self, number: u32) {
        self.graph().set_site(CALL_SITE | (number % CALL_SITE));
    }
}

impl Inspector {
    /// Notes from now on what runs, or no more. What was noted before is forgotten. With
    /// [`Recording::Values`], values of runs before the one numbered `keep_from` are not kept.
    pub fn record_runs(&self, recording: Recording, keep_from: u32) {
        let journal = &self.inner.journal;
        journal.recording.set(recording);
        let recorder = Recorder { keep_from, ..Recorder::default() };
        let before = journal.recorder.replace(Some(Rc::new(recorder)));
        if let Some(before) = before {
            let runs = before.runs.take();
            runs.into_iter().filter_map(|run| run.kept).for_each(|kept| self.forget_kept(kept));
            if let Some(firsts) = before.firsts.take() {
                firsts.into_iter().for_each(|value| self.inner.backend.release(value));
            }
        }
        if let Some(runtime) = self.runtime() {
            runtime.set_profiling(recording == Recording::Times);
        }
    }

    fn recorder(&self) -> Rc<Recorder> {
        let mut recorder = self.inner.journal.recorder.borrow_mut();
        Rc::clone(recorder.get_or_insert_with(Rc::default))
    }

    fn forget_kept(&self, kept: Kept) {
        kept.leaves.into_iter().for_each(|value| self.inner.backend.release(value));
    }

    /// Runs a program and notes it.
    pub(crate) fn record(&self, run: Observed<'_>) -> Result<Vec<ValueId>> {
        let Observed { program, compiled, leaves, scalars, origins, outputs } = run;
        self.inner.journal.note(compiled);
        let recorder = self.recorder();
        let number = recorder.count.replace(recorder.count.get() + 1);
        let kept = (self.inner.journal.recording.get() == Recording::Values && number >= recorder.keep_from)
            .then(|| {
                leaves.iter().for_each(|&value| self.inner.backend.retain(value));
                let graph = self.graph();
                let bytes = |&id: &NodeId| graph[id].bytes();
                Kept {
                    leaves: leaves.to_vec(),
                    scalars: scalars.to_vec(),
                    sites: origins.iter().map(|&id| graph[id].site).collect(),
                    bytes: origins.iter().map(bytes).sum(),
                }
            });
        let asked = weft_runtime::clock();
        let ran = self.inner.backend.run(compiled, leaves, scalars);
        let returned = weft_runtime::clock();
        let values = match ran {
            Ok(values) => values,
            Err(error) => {
                kept.into_iter().for_each(|kept| self.forget_kept(kept));
                return Err(error);
            }
        };
        if self.inner.journal.recording.get() == Recording::Values {
            self.note_finiteness(number, &values, &outputs)?;
        }
        let runtime = self.runtime();
        let recorded = Recorded {
            label: self.inner.journal.tally.label(),
            number,
            profiled: runtime.map_or(0, |runtime| runtime.profiled_run()),
            asked,
            returned,
            end: runtime.filter(|runtime| !runtime.has_timestamps()).map(|runtime| runtime.note_end()),
            live: self.inner.backend.stats().bytes_live,
            program: Rc::clone(program),
            compiled: Rc::clone(compiled),
            kept,
        };
        recorder.runs.borrow_mut().push_back(recorded);
        self.drop_old_runs();
        Ok(values)
    }

    /// Forgets the oldest runs, and what the oldest were given, where it is too much.
    fn drop_old_runs(&self) {
        let recorder = self.recorder();
        let mut runs = recorder.runs.borrow_mut();
        let mut gone = Vec::new();
        while runs.len() > MOST_RUNS {
            gone.extend(runs.pop_front().and_then(|run| run.kept));
        }
        let mut bytes: u64 = runs.iter().filter_map(|run| Some(run.kept.as_ref()?.bytes)).sum();
        let last = runs.len().saturating_sub(1);
        for run in runs.iter_mut().take(last) {
            if bytes <= MOST_KEPT {
                break;
            }
            if let Some(kept) = run.kept.take() {
                bytes -= kept.bytes;
                gone.push(kept);
            }
        }
        drop(runs);
        gone.into_iter().for_each(|kept| self.forget_kept(kept));
    }
}
