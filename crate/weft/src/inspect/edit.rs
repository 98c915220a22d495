//! Kernels with another shader: a program that ran is run once more as it is and once with a text
//! that a person has changed, on the same values, and the results are compared. Nothing of that is
//! kept. Bindings stay what they were, so that the text is checked as that of users' kernels is.

use super::Inspector;
use super::evaluate::Item;
use crate::device::backend::Engine;
use std::fmt::Write;
use weft_compile::Executable;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::ValueId;
use weft_ir::kernel::Kernel;
use weft_ir::op::{Binary, Compare, Op, ReduceOp, Unary};
use weft_ir::{DType, Error, Literal, Result, Shape};
use weft_runtime::Runtime;

/// Elements of each result that are shown.
const SHOWN: usize = 8;
/// What the declaration of a storage array begins with.
const BINDING: &str = "@group(0) @binding(";

/// How the results of two runs compare.
struct Compared {
    differ: u32,
    largest: u32,
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Inspector {
    /// Runs a program of [`Inspector::runs`] again on what its latest run was given, as it is and
    /// with `text` as the WGSL of its kernel `kernel`, as JSON: for each result how many elements
    /// differ, by how much at most, and the first of both, as bits; and the nanoseconds of each
    /// dispatch of both.
    ///
    /// Errors with `Value` where the run's values were not kept, where the text changes bindings,
    /// and, with line and column, where the shader compiler refuses it; else as running does.
    pub fn run_edited(
        &self,
        label: u32,
        number: usize,
        kernel: usize,
        text: &str,
    ) -> impl Future<Output = Result<String>> + 'static + use<> {
        let (device, text) = (self.clone(), text.to_owned());
        async move { device.compare_edited(label, number, kernel, &text).await }
    }

    async fn compare_edited(&self, label: u32, number: usize, kernel: usize, text: &str) -> Result<String> {
        let Engine::Gpu(runtime) = &self.inner.backend.engine else {
            return Err(Error::value("inspect", "the CPU device interprets programs and runs no WGSL"));
        };
        let (explanation, given, scalars) = self.kept_run(label, number)?;
        let Some(printed) = explanation.wgsl.get(kernel) else {
            return Err(Error::value("inspect", format!("there is no kernel {kernel}")));
        };
        let mut edited = self.kept_run(label, number)?.0.executable;
        edited.kernels[kernel] = with_source(&edited.kernels[kernel], printed, text)?;
        let leaves = given.iter().map(|tensor| tensor.stored("inspect")).collect::<Result<Vec<_>>>()?;
        runtime.set_profiling(true);
        let ran = self.both(runtime, [explanation.executable, edited], &leaves, &scalars).await;
        runtime.set_profiling(false);
        let (outputs, times, quantum) = ran?;
        let mut out = String::from("{\"outputs\":[");
        for (n, (id, [before, after])) in explanation.program.outputs.iter().zip(outputs).enumerate() {
            let node = &explanation.program[*id];
            let compared = self.compare(&before, &after, &node.shape, node.dtype).await?;
            let Compared { differ, largest, before, after } = compared;
            let _ = write!(
                out,
                "{}{{\"form\":\"{}{}\",\"size\":{},\"differ\":{differ},\"dtype\":\"{}\",\"largest\":{largest},\"before\":{:?},\"after\":{:?}}}",
                if n > 0 { "," } else { "" },
                node.dtype,
                node.shape,
                node.shape.size(),
                node.dtype,
                before,
                after
            );
        }
        let _ = write!(out, "],\"before\":{:?},\"after\":{:?},\"quantum\":{quantum}}}", times[0], times[1]);
        Ok(out)
    }

    /// The outputs of both programs, and the times of their dispatches.
    async fn both(
        &self,
        runtime: &Runtime,
        executables: [Executable; 2],
        leaves: &[ValueId],
        scalars: &[u32],
    ) -> Result<(Vec<[Item; 2]>, [Vec<usize>; 2], u64)> {
        let mut outputs: Vec<Vec<Item>> = Vec::new();
        let mut runs = Vec::new();
        for executable in executables {
            let prepared = runtime.prepare(executable)?;
            runtime.compiled(&prepared).await;
            let values = self.inner.backend.run_prepared(runtime, &prepared, leaves, scalars)?;
            outputs.push(values.into_iter().map(|value| self.held(value)).collect());
            runs.push(runtime.profiled_run());
        }
        // Errors of the text come with what it computed.
        self.words_of(&outputs[1]).await?;
        let all = runtime.dispatch_times().await?;
        let of = |run: u32| -> Vec<usize> {
            let own = all.times.iter().filter(|time| time.run == run);
            own.map(|time| (time.end - time.start) as usize).collect()
        };
        let times = [of(runs[0]), of(runs[1])];
        let (after, before) = (outputs.pop().unwrap_or_default(), outputs.pop().unwrap_or_default());
        Ok((before.into_iter().zip(after).map(|(a, b)| [a, b]).collect(), times, all.quantum as u64))
    }

    /// Compares two values of one form, by reductions on the device.
    async fn compare(&self, a: &Item, b: &Item, shape: &Shape, dtype: DType) -> Result<Compared> {
        let size = shape.size();
        if size == 0 {
            return Ok(Compared { differ: 0, largest: 0, before: Vec::new(), after: Vec::new() });
        }
        let mut builder = ProgramBuilder::default();
        let mut leaf = || {
            let op = Op::Buffer(shape.clone(), dtype);
            Ref(builder.push(op, Vec::new(), shape.clone(), dtype).0)
        };
        let (a_at, b_at) = (leaf(), leaf());
        let build: &mut dyn Build = &mut builder;
        let flat: Shape = [size].into();
        let (x, y) = (build.reshape(a_at, &flat)?, build.reshape(b_at, &flat)?);
        let bits = |build: &mut dyn Build, x: Ref| match dtype {
            DType::Bool => build.cast(x, DType::U32),
            DType::U32 => Ok(x),
            _ => build.op(Op::Bitcast(DType::U32), &[x]),
        };
        let (own, other) = (bits(build, x)?, bits(build, y)?);
        let differs = build.compare(Compare::Ne, own, other)?;
        let differs = build.cast(differs, DType::I32)?;
        let count = build.sum(differs, &[0])?;
        let (x, y) = (build.cast(x, DType::F32)?, build.cast(y, DType::F32)?);
        let difference = build.binary(Binary::Sub, x, y)?;
        let difference = build.unary(Unary::Abs, difference)?;
        let zero = build.full(Literal::F32(0.0), &flat)?;
        // Of equal infinities, and where either is NaN, there is none.
        let is_some = build.compare(Compare::Gt, difference, zero)?;
        let difference = build.select(is_some, difference, zero)?;
        let largest = build.reduce(ReduceOp::Max, difference, &[0])?;
        let program = builder.finish(&[count, largest], &[]);
        let given = [a.clone(), b.clone()];
        let made = self.evaluate(program, &given)?;
        let words = self.words_of(&[&made[..], &given[..]].concat()).await?;
        let first = |n: usize| words[n].iter().take(SHOWN).copied().collect::<Vec<u32>>();
        Ok(Compared {
            differ: first(0).first().copied().unwrap_or(0),
            largest: first(1).first().copied().unwrap_or(0),
            before: first(2),
            after: first(3),
        })
    }
}

/// A kernel with another text, whose bindings are those that were printed.
fn with_source(kernel: &Kernel, printed: &str, text: &str) -> Result<Kernel> {
    let mut kernel = kernel.clone();
    let is_binding = |line: &&str| line.starts_with(BINDING) && line.contains("var<storage");
    let mut text: Vec<&str> = text.lines().collect();
    let mut names = Vec::new();
    for line in printed.lines().filter(is_binding) {
        let Some(at) = text.iter().position(|other| *other == line) else {
            let what = format!("the bindings of a kernel cannot change; this line is missing: {line}");
            return Err(Error::value("inspect", what));
        };
        // Its place stays, so that errors name the right lines.
        text[at] = "";
        let name = line.split_once("> ").and_then(|(_, rest)| rest.split_once(':'));
        names.push(name.map_or("", |(name, _)| name));
    }
    if text.iter().any(is_binding) {
        return Err(Error::value("inspect", "the bindings of a kernel cannot change: there is another one"));
    }
    let storage = kernel.arrays.iter_mut().filter(|array| array.space.is_storage());
    for (array, name) in storage.zip(names) {
        array.name = name.into();
    }
    kernel.source = Some(text.join("\n").into());
    Ok(kernel)
}
