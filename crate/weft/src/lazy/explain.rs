//! Explanations of tensor programs: every stage of a compilation, kept to be looked at. Nothing
//! runs.

use crate::device::Device;
use crate::device::backend::{Compiled, Engine};
use crate::device::cache::Key;
use crate::device::journal::tallied;
use crate::device::pending::needs_computing;
use crate::device::stats::Stats;
use crate::device::tensor::Tensor;
use crate::lazy::compared::program_of;
use std::rc::Rc;
pub use weft_compile::Explanation;
use weft_compile::family::{Candidate, Problem};
use weft_compile::target::wgsl::Dialect;
use weft_compile::{Limits, compile, compile_with};
use weft_ir::graph::CALL_SITE;
use weft_ir::program::TensorProgram;
use weft_ir::{Error, ErrorKind, Result};

/// A program that ran, and how often.
#[derive(Clone, Debug)]
pub struct Run {
    /// How often it ran.
    pub times: u32,
    /// What it was.
    pub explanation: Explanation,
}

impl Device {
    /// What `f` computes of `inputs`, stage by stage: the canonical program, the clusters with the
    /// reason of each cut, the kernels as kernel IR and WGSL, the dispatches and the memory. `f` is
    /// run once, on what stands for its inputs, as by [`Device::trace_begin`]; nothing is computed,
    /// and no parameter changes.
    ///
    /// The CPU device interprets programs: for it, they are explained as a GPU with the least that
    /// WebGPU guarantees would run them.
    ///
    /// Errors with `Trace` inside a function that is captured or transformed, and as `f` and
    /// compiling do.
    ///
    /// ```
    /// # fn main() -> weft::Result<()> {
    /// let device = weft::Device::cpu();
    /// let x = device.ones(&[64, 1000], weft::DType::F32)?;
    /// let softmax = device.explain(|inputs| Ok(vec![inputs[0].softmax(-1)?]), &[&x])?;
    /// assert_eq!(softmax.executable.dispatches.len(), 1);
    /// assert!(softmax.wgsl[0].contains("@compute"));
    /// println!("{softmax}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn explain(
        &self,
        f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
        inputs: &[&Tensor],
    ) -> Result<Explanation> {
        if self.is_transforming() {
            let what =
                "a function is being differentiated or batched: explain the whole function from outside";
            return Err(Error::new(ErrorKind::Trace, "explain", what));
        }
        self.trace_begin().map_err(|error| error.named("explain"))?;
        let stand_in = |input: &&Tensor| {
            self.node("explain", input)?;
            self.placeholder(input.shape(), input.dtype())
        };
        let run = || f(&inputs.iter().map(stand_in).collect::<Result<Vec<_>>>()?);
        let explained = run().and_then(|outputs| self.trace_explain(&outputs.iter().collect::<Vec<_>>()));
        self.trace_abort();
        explained
    }

    /// Ends capturing as [`Device::trace_end`] does, and explains what a call would run, which
    /// writes over the parameters that it assigns. What the function reads from outside and nothing
    /// has computed yet is part of it.
    ///
    /// Errors with `Trace` when nothing is being captured, with `Disposed`, and as compiling does.
    ///
    /// Deferred: an explanation is asked for by hand.
    pub fn trace_explain(&self, outputs: &[&Tensor]) -> Result<Explanation> {
        let (program, donated) = self.trace_program("explain", outputs)?;
        self.explanation(&program, &donated)
    }

    /// Ends capturing as [`Device::trace_end`] does, and compiles what a call would run: waits
    /// until the fast text of each of its kernels is there, of kernels that the device refuses
    /// until that is known.
    ///
    /// Errors with `Trace` when nothing is being captured, with `Disposed`, and as compiling does.
    ///
    /// Deferred: programs are compiled ahead by hand.
    pub fn trace_precompile(
        &self,
        outputs: &[&Tensor],
    ) -> Result<impl Future<Output = Result<()>> + 'static + use<>> {
        let (program, donated) = self.trace_program("precompile", outputs)?;
        let compiled = self.compiled(Key { program: Rc::new(program), donated })?;
        let ready = compiled.prepared.borrow().as_ref().zip(self.runtime()).map(|(p, r)| r.compiled(p));
        let device = self.clone();
        Ok(async move {
            match ready {
                Some(ready) => ready.await,
                None => return Ok(()),
            }
            match device.is_lost() {
                true => Err(Error::new(ErrorKind::DeviceLost, "precompile", "the device was lost")),
                false => Ok(()),
            }
        })
    }

    /// What a call of the captured function would run, and the buffer leaves that it overwrites.
    ///
    /// Deferred: an explanation is asked for by hand.
    fn trace_program(&self, op: &str, outputs: &[&Tensor]) -> Result<(TensorProgram, Vec<usize>)> {
        let trace = self.take_trace()?;
        let mut roots = outputs.iter().map(|t| self.node(op, t)).collect::<Result<Vec<_>>>()?;
        let mut assigned = Vec::new();
        for cell in &trace.cells {
            let (before, after) = (cell.placeholder.node(op)?, cell.current.node(op)?);
            if before != after {
                assigned.push(before);
                roots.push(after);
            }
        }
        let mut graph = self.graph();
        roots.retain(|&root| needs_computing(&graph, root));
        let is_assigned =
            |(place, id): (usize, &weft_ir::graph::NodeId)| assigned.contains(id).then_some(place);
        let (program, _, donated) = program_of(&mut graph, &roots, |_, leaves| {
            leaves.buffers.iter().enumerate().filter_map(is_assigned).collect::<Vec<usize>>()
        });
        Ok((program, donated))
    }

    /// Notes from now on which programs run, under a label other than 0; 0 notes nothing, as at
    /// first. Under each label a program is noted once, with how often it ran: of each label the
    /// first 64, of all labels the latest thousand.
    pub fn label_runs(&self, label: u32) {
        self.inner.journal.tally.turn(label, tallied(&self.stats()));
        self.graph().set_site(label & (CALL_SITE - 1));
        if let Some(runtime) = self.runtime() {
            runtime.label(label);
        }
    }

    /// Counters of what was asked for under a label of [`Device::label_runs`], whenever the device
    /// does it; the memory is everybody's. Of the 256 labels that were counted last.
    pub fn stats_of(&self, label: u32) -> Stats {
        let stats = self.stats();
        let [submits, passes, buffers_created, program_hits, program_misses] =
            self.inner.journal.tally.share(label, tallied(&stats));
        match self.runtime() {
            Some(runtime) => Stats { program_hits, program_misses, ..runtime.stats_of(label).into() },
            None => Stats { submits, passes, buffers_created, program_hits, program_misses, ..stats },
        }
    }

    /// What ran under a label, in the order in which it first ran. What the cache of programs has
    /// dropped since is left out.
    ///
    /// Errors as compiling does.
    pub fn explain_runs(&self, label: u32) -> Result<Vec<Run>> {
        let noted = self.inner.journal.noted.borrow();
        let known = noted.iter().filter(|noted| noted.label == label);
        let known = known.filter_map(|noted| Some((noted.times, noted.program.upgrade()?)));
        let explained = |(times, it): (u32, Rc<Compiled>)| {
            Ok(Run { times, explanation: self.explanation(&it.program, &it.donated)? })
        };
        known.map(explained).collect()
    }

    /// A program as it is compiled for this device.
    pub(crate) fn explanation(&self, program: &TensorProgram, donated: &[usize]) -> Result<Explanation> {
        const LEAST: Limits = Limits::floor();
        let limits = match &self.inner.backend.engine {
            Engine::Cpu(_) => &LEAST,
            Engine::Gpu(runtime) => runtime.limits(),
        };
        let executable = match &self.inner.tuner {
            None => compile(program, limits, donated)?,
            Some(tuner) => {
                let choose =
                    |problem: &Problem<'_>, candidates: &[Candidate]| tuner.choose(problem, candidates);
                compile_with(program, limits, donated, &choose)?
            }
        };
        Ok(Explanation::of(program, executable, Dialect::HERE))
    }
}

impl Tensor {
    /// What reading the tensor now would run, stage by stage, as [`Device::explain`] shows
    /// functions: everything that is pending and needed, and the parameters that are computed
    /// along. Of a tensor that has its value, the empty program.
    ///
    /// Errors with `Trace` for what depends on an input of a function that is being captured, with
    /// `Disposed`, and as compiling does.
    ///
    /// Deferred: an explanation is asked for by hand.
    pub fn explain(&self) -> Result<Explanation> {
        let device = self.device();
        let id = device.node("explain", self)?;
        device.explanation(&device.pending_program("explain", &[id])?, &[])
    }
}
