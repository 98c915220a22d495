//! Export of captured functions: the WGSL of their kernels and a plan as JSON, from which a program
//! without Weft can run them.
//!
//! The plan names buffers, dispatches, loops and scalars as [`weft_compile::Executable`] has them.
//! The tensors that the function read from outside, parameters first, are listed apart.
//!
//! Deferred: an export is asked for by hand.

use super::captured::{Captured, Number, Source, Yield};
use crate::device::tensor::Tensor;
use std::fmt::Write;
use weft_compile::target::wgsl::{self, Dialect};
use weft_compile::{Explanation, Slot, Uniform};
use weft_ir::kernel::Space;
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Calls whose own numbers, as an optimizer's rates, a plan holds.
const CALLS: usize = 1000;

/// A captured function without the device that it was captured on.
pub struct Exported {
    /// The plan, JSON.
    pub plan: String,
    /// The WGSL of each of its kernels.
    pub wgsl: Vec<String>,
    /// What the plan calls weights.
    pub weights: Vec<Tensor>,
    /// What was compiled.
    pub explanation: Explanation,
}

/// Deferred: an export is asked for by hand.
impl Captured {
    /// What takes to run the function elsewhere. Nothing runs, and no parameter changes.
    ///
    /// Errors with `Trace` for a number that is used as a bound which a call may move beyond what
    /// an integer holds, and as compiling does.
    ///
    /// ```
    /// # fn main() -> weft::Result<()> {
    /// let device = weft::Device::cpu();
    /// let weight = device.tensor(&[1.0_f32, 2.0], &[2])?;
    /// device.trace_begin()?;
    /// let x = device.placeholder(&[2], weft::DType::F32)?;
    /// let y = x.mul(&weight)?;
    /// let exported = device.trace_end(&[&y], &[&x])?.export()?;
    /// assert_eq!((exported.wgsl.len(), exported.weights.len()), (1, 1));
    /// assert!(exported.plan.starts_with("{\"inputs\":[{\"shape\":[2],\"dtype\":\"f32\"}]"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn export(&self) -> Result<Exported> {
        let explanation = self.device.explanation(&self.program, &[])?;
        let executable = &explanation.executable;
        let wgsl = executable.kernels.iter().map(|kernel| wgsl::print(kernel, Dialect::Browser)).collect();
        let mut weights: Vec<Tensor> = self.cells.iter().map(|cell| cell.current()).collect();
        let mut places = Vec::with_capacity(self.buffers.len());
        for source in &self.buffers {
            places.push(self.place(source, &mut weights));
        }
        let mut out = String::new();
        out.push_str("{\"inputs\":");
        list(&mut out, &self.inputs, |out, (shape, dtype)| form(out, shape, *dtype));
        out.push_str(",\"numbers\":");
        list(&mut out, &self.numbers, |out, dtype| quoted(out, dtype.name()));
        out.push_str(",\"kernels\":");
        list(&mut out, &executable.kernels, |out, kernel| quoted(out, &kernel.name));
        out.push_str(",\"buffers\":");
        let bytes: Vec<u64> = explanation.buffers().iter().map(|(_, bytes)| *bytes).collect();
        list(&mut out, executable.slots.iter().zip(bytes), |out, (slot, bytes)| {
            let _ = match slot {
                Slot::Leaf(n) => write!(out, "{{\"bytes\":{bytes},{}}}", places[*n]),
                Slot::Output(_) => write!(out, "{{\"bytes\":{bytes},\"output\":true}}"),
                Slot::Temporary(_) => write!(out, "{{\"bytes\":{bytes}}}"),
                Slot::Alias(of) => write!(out, "{{\"alias\":{of}}}"),
            };
        });
        out.push_str(",\"scalars\":");
        let mut refused = None;
        list(&mut out, &self.scalars, |out, number| {
            if let Err(error) = self.scalar(out, *number) {
                refused.get_or_insert(error);
            }
        });
        if let Some(error) = refused {
            return Err(error);
        }
        out.push_str(",\"calls\":");
        self.calls(&mut out);
        out.push_str(",\"dispatches\":");
        list(&mut out, &executable.dispatches, |out, it| {
            let (kernel, bindings, workgroups) = (it.kernel, &it.bindings, it.workgroups);
            let _ =
                write!(out, "{{\"kernel\":{kernel},\"buffers\":{bindings:?},\"workgroups\":{workgroups:?}");
            out.push_str(",\"uniforms\":");
            let first = it.in_pieces.then_some(Uniform::Number(0));
            list(out, first.iter().chain(&it.uniforms), |out, uniform| {
                let _ = match uniform {
                    Uniform::Scalar(n) => write!(out, "{{\"scalar\":{n}}}"),
                    Uniform::Index(n) => write!(out, "{{\"index\":{n}}}"),
                    Uniform::Number(bits) => write!(out, "{{\"bits\":{bits}}}"),
                };
            });
            if let Some((slot, byte)) = it.counted {
                let _ = write!(out, ",\"counted\":[{slot},{byte}]");
            }
            out.push('}');
        });
        out.push_str(",\"loops\":");
        list(&mut out, &executable.repeats, |out, it| {
            let until = it.until.map_or("null".to_string(), |slot| slot.to_string());
            let (first, end, iterations, reverse) = (it.first, it.end, it.iterations, it.reverse);
            let _ = write!(
                out,
                "{{\"first\":{first},\"end\":{end},\"iterations\":{iterations},\"until\":{until},\"reverse\":{reverse},\"carried\":"
            );
            list(out, &it.carried, |out, it| {
                let (from, read, write, pair) = (it.from, it.read, it.write, it.pair);
                let _ =
                    write!(out, "{{\"from\":{from},\"read\":{read},\"write\":{write},\"pair\":{pair:?}}}");
            });
            out.push('}');
        });
        out.push_str(",\"results\":");
        let (results, updates) = self.yields.split_at(self.results);
        list(&mut out, results, |out, it| self.result(out, it, &executable.outputs, &mut weights));
        out.push_str(",\"updates\":");
        list(&mut out, self.assigned.iter().zip(updates), |out, (cell, it)| {
            let _ = write!(out, "{{\"weight\":{cell},\"result\":");
            self.result(out, it, &executable.outputs, &mut weights);
            out.push('}');
        });
        let storage = |kernel: &weft_ir::kernel::Kernel| {
            kernel.arrays.iter().filter(|array| array.space.is_storage()).count()
        };
        let shared = |kernel: &weft_ir::kernel::Kernel| -> u64 {
            let bytes = |space: Space| match space {
                Space::Workgroup(length) | Space::WorkgroupAtomic(length) => 4 * u64::from(length),
                _ => 0,
            };
            kernel.arrays.iter().map(|array| bytes(array.space)).sum()
        };
        let kernels = &executable.kernels;
        let most = kernels.iter().map(storage).max().unwrap_or(0);
        let memory = kernels.iter().map(shared).max().unwrap_or(0);
        let invocations = kernels.iter().map(|kernel| kernel.invocations()).max().unwrap_or(1);
        let subgroups = kernels.iter().any(|kernel| kernel.uses_subgroups());
        let _ = write!(
            out,
            ",\"needs\":{{\"storageBuffers\":{most},\"workgroupBytes\":{memory},\"invocations\":{invocations},\"subgroups\":{subgroups}}}}}"
        );
        Ok(Exported { plan: out, wgsl, weights, explanation })
    }

    /// Where a leaf's buffer comes from, as a property.
    fn place(&self, source: &Source, weights: &mut Vec<Tensor>) -> String {
        match source {
            Source::Input(n) => format!("\"input\":{n}"),
            Source::Cell(n) => format!("\"weight\":{n}"),
            Source::Kept(tensor) => {
                let known = weights[self.cells.len()..].iter().position(|other| other.is(tensor));
                let n = known.map_or(weights.len(), |n| n + self.cells.len());
                if n == weights.len() {
                    weights.push(tensor.clone());
                }
                format!("\"weight\":{n}")
            }
        }
    }

    /// What a scalar is.
    fn scalar(&self, out: &mut String, number: Number) -> Result<()> {
        match number {
            Number::Fixed(bits) => {
                let _ = write!(out, "{{\"bits\":{bits}}}");
            }
            Number::Given(n) => {
                let _ = write!(out, "{{\"number\":{n},\"dtype\":\"{}\"}}", self.numbers[n].name());
            }
            Number::Twin(n) => {
                let (number, twin) = &self.twins[n];
                let Some(dtype) = twin.plain() else {
                    let what = "a number of its arguments is compared with an integer tensor, which depends on whether the integer holds it: make it a 0-d tensor";
                    return Err(Error::new(weft_ir::ErrorKind::Trace, "exportWGSL", what));
                };
                let _ = write!(out, "{{\"number\":{number},\"dtype\":\"{}\"}}", dtype.name());
            }
            Number::Asked(n, k) => {
                let before: usize = self.sources[..n].iter().map(|source| source.dtypes().len()).sum();
                let _ = write!(out, "{{\"call\":{}}}", before + k);
            }
        }
        Ok(())
    }

    /// The bits of the numbers that calls have of their own, a list for each of the next calls.
    fn calls(&self, out: &mut String) {
        let count = if self.sources.is_empty() { 0 } else { CALLS };
        let all: Vec<Vec<Vec<Literal>>> = self.sources.iter().map(|source| source.upcoming(count)).collect();
        list(out, 0..count, |out, call| {
            let row = all.iter().flat_map(|source| &source[call]).map(|literal| literal.bits());
            list(out, row, |out, bits| {
                let _ = write!(out, "{bits}");
            });
        });
    }

    fn result(
        &self,
        out: &mut String,
        (what, shape, dtype): &(Yield, Shape, DType),
        outputs: &[usize],
        weights: &mut Vec<Tensor>,
    ) {
        out.push('{');
        let _ = match what {
            Yield::Output(n) => write!(out, "\"buffer\":{}", outputs[*n]),
            Yield::Buffer(source) => write!(out, "{}", self.place(source, weights)),
            Yield::Number(number) => {
                out.push_str("\"scalar\":");
                // The same numbers were accepted as leaves, or are none of the program.
                if self.scalar(out, *number).is_err() {
                    out.push_str("null");
                }
                Ok(())
            }
            Yield::Empty => write!(out, "\"empty\":true"),
        };
        out.push(',');
        out.push_str(form_text(shape, *dtype).trim_start_matches('{'));
    }
}

fn form(out: &mut String, shape: &Shape, dtype: DType) {
    out.push_str(&form_text(shape, dtype));
}

fn form_text(shape: &Shape, dtype: DType) -> String {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("{{\"shape\":[{}],\"dtype\":\"{}\"}}", extents.join(","), dtype.name())
}

fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

/// A string of JSON.
fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
