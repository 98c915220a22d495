//! Explanations: every stage of a compilation, from the canonical program to WGSL and memory, as a
//! value, as text and as JSON.
//!
//! Deferred: an explanation is asked for by hand.

use crate::cluster::Cluster;
use crate::cluster::Domain;
use crate::plan::executable::{Dispatch, Executable, Fused, Slot, Uniform};
use crate::target::wgsl;
use crate::target::wgsl::Dialect;
use std::fmt::{self, Display, Formatter, Write};
use weft_ir::op::Op;
use weft_ir::program::{ProgramId, TensorProgram};

/// A program and all that was made of it. Prints as text for people, with every stage under a
/// heading; [`Explanation::json`] is the same for programs.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The canonical program.
    pub program: TensorProgram,
    /// What it compiles to: the clusters, the kernels, the dispatches and the buffers.
    pub executable: Executable,
    /// The WGSL of each kernel.
    pub wgsl: Vec<String>,
}

/// How much memory a run takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// Tensors that it reads.
    pub inputs: u64,
    /// Tensors that it leaves.
    pub outputs: u64,
    /// What it needs meanwhile. Values whose lives do not overlap share a buffer and count once.
    pub temporaries: u64,
}

impl Explanation {
    /// Of a program and what it was compiled to.
    pub fn of(program: &TensorProgram, executable: Executable, dialect: Dialect) -> Self {
        let wgsl = executable.kernels.iter().map(|kernel| wgsl::print(kernel, dialect)).collect();
        Explanation { program: program.clone(), executable, wgsl }
    }

    /// How often a run makes each dispatch: more than once within loops, no more than so often
    /// behind gates, and no less than so often in a loop without a limit.
    pub fn times(&self) -> Vec<u64> {
        let mut times = vec![1; self.executable.dispatches.len()];
        for repeat in &self.executable.repeats {
            for times in &mut times[repeat.first..repeat.end] {
                *times *= u64::from(repeat.iterations);
            }
        }
        times
    }

    /// Where each buffer comes from, and its size in bytes; an alias has none of its own.
    pub fn buffers(&self) -> Vec<(&'static str, u64)> {
        let leaves = self.program.buffer_leaves();
        let leaf = |n: usize| {
            let node = &self.program[leaves[n]];
            node.dtype.stored_bytes(node.shape.size().max(1))
        };
        let buffer = |slot: &Slot| match *slot {
            Slot::Leaf(n) => ("input", leaf(n)),
            Slot::Output(bytes) => ("output", bytes),
            Slot::Temporary(bytes) => ("temporary", bytes),
            Slot::Alias(_) => ("alias", 0),
        };
        self.executable.slots.iter().map(buffer).collect()
    }

    /// The memory of a run.
    pub fn bytes(&self) -> Bytes {
        let mut sum = Bytes::default();
        for (kind, bytes) in self.buffers() {
            match kind {
                "input" => sum.inputs += bytes,
                "output" => sum.outputs += bytes,
                _ => sum.temporaries += bytes,
            }
        }
        sum
    }

    /// Everything as JSON, under the names that the JavaScript package documents.
    pub fn json(&self) -> String {
        let Bytes { inputs, outputs, temporaries } = self.bytes();
        let times = self.times();
        let mut out = String::new();
        let _ = write!(
            out,
            "{{\"program\":{},\"bytes\":{{\"inputs\":{inputs},\"outputs\":{outputs},\"temporaries\":{temporaries}}}",
            quoted(&self.program.to_string())
        );
        list(&mut out, "parts", &self.executable.fused, |out, _, Fused { program, clusters }| {
            let _ = write!(out, "\"program\":{}", quoted(&program.to_string()));
            list(out, "clusters", &clusters.clusters, |out, _, cluster| {
                let Cluster { members, outputs, .. } = cluster;
                let (computes, stores) = (numbers(members), numbers(outputs));
                let walks = quoted(&Walks(program, cluster).to_string());
                let _ = write!(out, "\"walks\":{walks},\"computes\":{computes:?},\"stores\":{stores:?}");
            });
            list(out, "cuts", &clusters.cuts, |out, _, cut| {
                let _ = write!(out, "\"node\":{},\"reason\":{}", cut.node.0, quoted(cut.reason));
            });
        });
        list(&mut out, "dispatches", &self.executable.dispatches, |out, n, dispatch| {
            let Dispatch { kernel, bindings, workgroups, cluster: (part, cluster), .. } = dispatch;
            let choice = quoted(&Chosen(dispatch).to_string());
            let _ = write!(
                out,
                "\"kernel\":{kernel},\"part\":{part},\"cluster\":{cluster},\"choice\":{choice},\"workgroups\":{workgroups:?},\"buffers\":{bindings:?},\"numbers\":{:?},\"times\":{}",
                carried(dispatch),
                times[n]
            );
        });
        list(&mut out, "buffers", &self.buffers(), |out, _, (kind, bytes)| {
            let _ = write!(out, "\"kind\":{kind:?},\"bytes\":{bytes}");
        });
        list(&mut out, "kernels", &self.executable.kernels, |out, n, kernel| {
            let (name, ir, wgsl) = (quoted(&kernel.name), quoted(&kernel.to_string()), quoted(&self.wgsl[n]));
            let _ = write!(out, "\"name\":{name},\"ir\":{ir},\"wgsl\":{wgsl}");
        });
        let _ = write!(out, ",\"text\":{}}}", quoted(&self.to_string()));
        out
    }
}

/// A list of objects as a property of an object that has others before.
pub(crate) fn list<T>(
    out: &mut String,
    name: &str,
    items: &[T],
    mut write: impl FnMut(&mut String, usize, &T),
) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":[");
    for (n, item) in items.iter().enumerate() {
        out.push_str(if n > 0 { ",{" } else { "{" });
        write(out, n, item);
        out.push('}');
    }
    out.push(']');
}

/// A text as a string of JSON.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn numbers(ids: &[ProgramId]) -> Vec<u32> {
    ids.iter().map(|id| id.0).collect()
}

/// What a cluster's kernel walks.
pub(crate) struct Walks<'a>(pub &'a TensorProgram, pub &'a Cluster);

impl Display for Walks<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Domain { shape, axes, anchor, .. } = &self.1.domain;
        match (anchor.map(|id| (id.0, &self.0[id].op)), axes) {
            (None, None) => write!(f, "the elements of {shape}"),
            (None, Some(axes)) => write!(f, "the rows of {shape} along axes {axes:?}"),
            (Some((id, Op::Branch(_))), _) => write!(f, "what is chosen of %{id}"),
            (Some((id, Op::Loop(_))), _) => write!(f, "the iterations of %{id}"),
            (Some((_, Op::Kernel(it))), _) => write!(f, "the grid {} of {}", it.grid, it.kernel.name),
            (Some((id, _)), _) => write!(f, "the products of %{id} for each element of {shape}"),
        }
    }
}

/// The numbers that tell a dispatch from others of its kernel.
fn carried(dispatch: &Dispatch) -> Vec<u32> {
    let number = |given: &Uniform| if let Uniform::Number(number) = given { Some(*number) } else { None };
    dispatch.uniforms.iter().filter_map(number).collect()
}

/// How a dispatch was lowered.
pub(crate) struct Chosen<'a>(pub &'a Dispatch);

impl Display for Chosen<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.choice {
            Some(choice) => write!(f, "{choice}"),
            None => f.write_str("gate"),
        }
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Executable { kernels, dispatches, repeats, outputs, fused, .. } = &self.executable;
        let (times, buffers, bytes) = (self.times(), self.buffers(), self.bytes());
        writeln!(
            f,
            "{} dispatches of {} kernels; {} bytes in, {} out, {} between",
            times.iter().sum::<u64>(),
            kernels.len(),
            bytes.inputs,
            bytes.outputs,
            bytes.temporaries
        )?;
        write!(f, "\n# Program\n\n{}", self.program)?;
        for (part, Fused { program, clusters }) in fused.iter().enumerate() {
            match part {
                0 => write!(f, "\n# Clusters of the program, simplified\n\n{program}\n")?,
                _ => write!(f, "\n# Clusters of inner program {part}\n\n{program}\n")?,
            }
            for (n, cluster) in clusters.clusters.iter().enumerate() {
                let walks = Walks(program, cluster);
                writeln!(
                    f,
                    "cluster {n} walks {walks}: computes {}, stores {}",
                    Ids(&cluster.members),
                    Ids(&cluster.outputs)
                )?;
            }
            for cut in &clusters.cuts {
                writeln!(f, "cut after %{}: {}", cut.node.0, cut.reason)?;
            }
        }
        write!(f, "\n# Dispatches\n\n")?;
        for (n, dispatch) in dispatches.iter().enumerate() {
            let Dispatch { kernel, bindings, workgroups: [x, y, z], counted, cluster, .. } = dispatch;
            let (part, cluster) = cluster;
            let name = &kernels[*kernel].name;
            write!(f, "{n}: kernel {kernel} ({name}), {x}×{y}×{z} workgroups, buffers {bindings:?}, ")?;
            let place = if *part == 0 { String::new() } else { format!(" of inner program {part}") };
            write!(f, "for cluster {cluster}{place}, {}", Chosen(dispatch))?;
            for number in carried(dispatch) {
                write!(f, ", given {number}")?;
            }
            if let Some((buffer, byte)) = counted {
                write!(f, ", if the gate says so in buffer {buffer} from byte {byte}")?;
            }
            if times[n] > 1 {
                write!(f, ", {} times", times[n])?;
            }
            writeln!(f)?;
        }
        for repeat in repeats {
            let again =
                if repeat.until.is_some() { ", then twice as often as long as they must go on" } else { "" };
            writeln!(f, "{}..{} repeat {} times{again}", repeat.first, repeat.end, repeat.iterations)?;
        }
        write!(f, "\n# Memory\n\n")?;
        for (n, (kind, bytes)) in buffers.iter().enumerate() {
            match self.executable.slots[n] {
                Slot::Alias(of) => writeln!(f, "buffer {n}: in turn two others, at first {of}")?,
                _ => writeln!(f, "buffer {n}: {kind}, {bytes} bytes")?,
            }
        }
        writeln!(f, "results in {outputs:?}")?;
        for (n, kernel) in kernels.iter().enumerate() {
            write!(f, "\n# Kernel {n}\n\n{kernel}\n# WGSL of kernel {n}\n\n{}", self.wgsl[n])?;
        }
        Ok(())
    }
}

/// Nodes as programs print them.
struct Ids<'a>(&'a [ProgramId]);

impl Display for Ids<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (n, id) in self.0.iter().enumerate() {
            write!(f, "{}%{}", if n > 0 { " " } else { "" }, id.0)?;
        }
        Ok(())
    }
}
