//! Reports of recorded runs: which programs ran under a label, when, and how long each dispatch
//! took; and each program stage by stage.

use super::Inspector;
use crate::device::backend::Compiled;
use crate::device::tensor::Tensor;
use std::fmt::Write;
use std::rc::Rc;
use weft_compile::Explanation;
use weft_ir::program::TensorProgram;
use weft_ir::{Error, Result};
use weft_runtime::DispatchTimes;

/// A program that ran under a label, and how often.
struct Ran {
    program: Rc<TensorProgram>,
    compiled: Rc<Compiled>,
    times: u32,
}

impl Inspector {
    /// The programs that ran under a label, in the order in which each first ran: those of recorded
    /// runs, or, where none was recorded, those that are noted anyway.
    fn ran(&self, label: u32) -> Vec<Ran> {
        let mut found: Vec<Ran> = Vec::new();
        let recorder = self.recorder();
        let runs = recorder.runs.borrow();
        for run in runs.iter().filter(|run| run.label == label) {
            match found.iter_mut().find(|known| Rc::ptr_eq(&known.compiled, &run.compiled)) {
                Some(known) => known.times += 1,
                None => found.push(Ran {
                    program: Rc::clone(&run.program),
                    compiled: Rc::clone(&run.compiled),
                    times: 1,
                }),
            }
        }
        if found.is_empty() {
            let noted = self.inner.journal.noted.borrow();
            for noted in noted.iter().filter(|noted| noted.label == label) {
                if let Some(compiled) = noted.program.upgrade() {
                    found.push(Ran { program: Rc::clone(&compiled.program), compiled, times: noted.times });
                }
            }
        }
        found
    }

    /// What ran under a label as JSON. Compiling is in microseconds, times are in nanoseconds:
    /// those of runs of the clock, those of dispatches of the device's own, of which `quantum` is
    /// the step; 0 stands for what is not known. `dispatches` has three numbers for each: its place
    /// in the program, begin and end.
    ///
    /// Errors as running does.
    pub fn runs(&self, label: u32) -> impl Future<Output = Result<String>> + 'static + use<> {
        let device = self.clone();
        async move {
            let (times, timestamps) = match device.runtime() {
                Some(runtime) => (runtime.dispatch_times().await?, runtime.has_timestamps()),
                None => (DispatchTimes::default(), false),
            };
            device.idle().await?;
            Ok(device.runs_json(label, &times, timestamps))
        }
    }

    fn runs_json(&self, label: u32, times: &DispatchTimes, timestamps: bool) -> String {
        let programs = self.ran(label);
        let mut out = format!(
            "{{\"device\":\"{}\",\"timestamps\":{timestamps},\"quantum\":{},\"recorded\":{},\"programs\":[",
            if self.runtime().is_some() { "webgpu" } else { "cpu" },
            times.quantum as u64,
            self.inner.journal.is_recording()
        );
        for (n, Ran { program, compiled, times }) in programs.iter().enumerate() {
            let prepared = compiled.prepared.borrow();
            let dispatches = prepared.as_ref().map_or(0, |prepared| prepared.dispatches());
            let _ = write!(
                out,
                "{}{{\"times\":{times},\"nodes\":{},\"dispatches\":{dispatches},\"compiled\":{}}}",
                if n > 0 { "," } else { "" },
                program.nodes.len(),
                (compiled.took * 1e3) as u64
            );
        }
        out.push_str("],\"runs\":[");
        let recorder = self.recorder();
        let runs = recorder.runs.borrow();
        let mut is_first = true;
        for run in runs.iter().filter(|run| run.label == label) {
            let program = programs.iter().position(|known| Rc::ptr_eq(&known.compiled, &run.compiled));
            let _ = write!(
                out,
                "{}{{\"program\":{},\"number\":{},\"asked\":{},\"returned\":{},\"ended\":{},\"live\":{},\"kept\":{},\"dispatches\":[",
                if is_first { "" } else { "," },
                program.unwrap_or(0),
                run.number,
                run.asked as u64,
                run.returned as u64,
                run.end.as_ref().map_or(0, |end| end.get() as u64),
                run.live,
                run.kept.is_some()
            );
            is_first = false;
            let own = times.times.iter().filter(|time| time.run == run.profiled);
            for (n, time) in own.enumerate() {
                let comma = if n > 0 { "," } else { "" };
                let _ = write!(out, "{comma}{},{},{}", time.step, time.start as i64, time.end as i64);
            }
            out.push_str("]}");
        }
        out.push_str("]}");
        out
    }

    /// The program of that number of [`Inspector::runs`], stage by stage, as JSON:
    /// [`Explanation::inspection`], with the microseconds that compiling the pipeline of each
    /// dispatch took, and whether the kernels are still those that ran.
    ///
    /// Errors with `Value` where there is no such program, and as compiling does.
    pub fn program(&self, label: u32, number: usize) -> Result<String> {
        let (Ran { program, compiled, .. }, explanation) = self.explained(label, number)?;
        let _ = program;
        let prepared = compiled.prepared.borrow();
        let (pipelines, same) = match (self.runtime(), prepared.as_ref()) {
            (Some(runtime), Some(prepared)) => {
                let kernels = &explanation.executable.kernels;
                let dispatches = explanation.executable.dispatches.iter();
                let names = dispatches.map(|dispatch| kernels[dispatch.kernel].name.as_str());
                (
                    runtime.compile_times(prepared).iter().map(|took| (took * 1e3) as usize).collect(),
                    names.eq(prepared.kernel_names()),
                )
            }
            _ => (Vec::<usize>::new(), true),
        };
        Ok(format!("{{\"same\":{same},\"pipelines\":{pipelines:?},\"stages\":{}}}", explanation.inspection()))
    }

    /// A program that ran, compiled once more.
    fn explained(&self, label: u32, number: usize) -> Result<(Ran, Explanation)> {
        let mut programs = self.ran(label);
        if number >= programs.len() {
            return Err(Error::value("inspect", "that program is no longer known: run the cell again"));
        }
        let ran = programs.swap_remove(number);
        let explanation = self.explanation(&ran.program, &ran.compiled.donated)?;
        Ok((ran, explanation))
    }

    /// What a program of a label was compiled to, and what its latest run was given, where that was
    /// kept.
    pub(super) fn kept_run(&self, label: u32, number: usize) -> Result<(Explanation, Vec<Tensor>, Vec<u32>)> {
        let (Ran { program, compiled, .. }, explanation) = self.explained(label, number)?;
        let recorder = self.recorder();
        let runs = recorder.runs.borrow();
        let of_program =
            runs.iter().rev().filter(|run| run.label == label && Rc::ptr_eq(&run.compiled, &compiled));
        let kept = of_program.filter_map(|run| run.kept.as_ref()).next();
        let Some(kept) = kept else {
            let what = "what the program was given was not kept: run the cell again with its values recorded";
            return Err(Error::value("inspect", what));
        };
        let (leaves, scalars) = (kept.leaves.clone(), kept.scalars.clone());
        drop(runs);
        let own = program.buffer_leaves();
        let tensor = |(value, &id): (_, &weft_ir::program::ProgramId)| {
            self.inner.backend.retain(value);
            self.stored(value, program[id].shape.clone(), program[id].dtype)
        };
        let given = leaves.into_iter().zip(&own).map(tensor).collect();
        Ok((explanation, given, scalars))
    }
}
