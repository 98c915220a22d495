//! Inspections: an explanation as data, for tools that draw it. Nodes are objects with their
//! inputs, and each cluster, dispatch and kernel says which nodes it computes, where in the source
//! those were asked for, and what it amounts to.
//!
//! Deferred: inspectors ask for them by hand.

use crate::cluster::{Cluster, Clusters};
use crate::explain::{Chosen, Explanation, Walks, list, quoted};
use crate::lower::cost;
use crate::plan::executable::{Dispatch, Fused, Repeat, Slot};
use std::fmt::Write;
use weft_ir::HashSet;
use weft_ir::kernel::Space;
use weft_ir::op::{Class, Op, facts, region};
use weft_ir::program::{ProgramId, TensorProgram};

/// Operations per element of a butterfly of a Fourier transform, for each doubling of its length.
const BUTTERFLY: f64 = 5.0;

impl Explanation {
    /// Everything as JSON for tools. Unlike [`Explanation::json`] it has no text of the whole.
    pub fn inspection(&self) -> String {
        let executable = &self.executable;
        let mut out = String::from("{");
        nodes(&mut out, "nodes", &self.program);
        let _ = write!(out, ",\"outputs\":{:?}", numbers(&self.program.outputs));
        let covered: Vec<Vec<Vec<ProgramId>>> = executable
            .fused
            .iter()
            .map(|Fused { program, clusters }| {
                (0..clusters.clusters.len()).map(|own| computed(program, clusters, own)).collect()
            })
            .collect();
        list(&mut out, "parts", &executable.fused, |out, part, Fused { program, clusters }| {
            nodes(out, "nodes", program);
            let _ = write!(out, ",\"outputs\":{:?}", numbers(&program.outputs));
            list(out, "clusters", &clusters.clusters, |out, own, cluster: &Cluster| {
                let walks = quoted(&Walks(program, cluster).to_string());
                let nodes = &covered[part][own];
                let _ = write!(
                    out,
                    "\"walks\":{walks},\"computes\":{:?},\"stores\":{:?},\"operations\":{}",
                    numbers(nodes),
                    numbers(&cluster.outputs),
                    nodes.iter().map(|&id| operations(program, id)).sum::<f64>() as u64
                );
            });
            list(out, "cuts", &clusters.cuts, |out, _, cut| {
                let _ = write!(out, "\"node\":{},\"reason\":{}", cut.node.0, quoted(cut.reason));
            });
        });
        let (times, bytes) = (self.times(), self.slot_bytes());
        let share = self.shares();
        list(&mut out, "dispatches", &executable.dispatches, |out, n, dispatch| {
            let Dispatch { kernel, bindings, workgroups, cluster: (part, cluster), .. } = dispatch;
            let choice = quoted(&Chosen(dispatch).to_string());
            let writes: Vec<usize> = executable.kernels[*kernel]
                .storage()
                .map(|(_, array)| usize::from(array.space != Space::Read))
                .collect();
            let nodes = covered.get(*part).and_then(|part| part.get(*cluster));
            let program = executable.fused.get(*part).map(|part| &part.program);
            let work = match (nodes, program) {
                (Some(nodes), Some(program)) if !dispatch.is_gate => {
                    nodes.iter().map(|&id| operations(program, id)).sum::<f64>() * share[n]
                }
                _ => 0.0,
            };
            let mut bound: Vec<usize> = bindings.clone();
            bound.sort_unstable();
            bound.dedup();
            let touched: u64 = bound.iter().map(|&slot| bytes[slot]).sum();
            let _ = write!(
                out,
                "\"kernel\":{kernel},\"part\":{part},\"cluster\":{cluster},\"choice\":{choice},\"workgroups\":{workgroups:?},\"buffers\":{bindings:?},\"writes\":{writes:?},\"bytes\":{touched},\"operations\":{},\"times\":{}",
                work as u64, times[n]
            );
        });
        list(
            &mut out,
            "loops",
            &executable.repeats,
            |out, _, Repeat { first, end, iterations, until, .. }| {
                let open = until.is_some();
                let _ = write!(
                    out,
                    "\"first\":{first},\"end\":{end},\"iterations\":{iterations},\"open\":{open}"
                );
            },
        );
        list(&mut out, "buffers", &self.buffers(), |out, _, (kind, bytes)| {
            let _ = write!(out, "\"kind\":{kind:?},\"bytes\":{bytes}");
        });
        list(&mut out, "kernels", &executable.kernels, |out, n, kernel| {
            let (name, ir, wgsl) = (quoted(&kernel.name), quoted(&kernel.to_string()), quoted(&self.wgsl[n]));
            let _ = write!(out, "\"name\":{name},\"ir\":{ir},\"wgsl\":{wgsl}");
        });
        let all = self.bytes();
        let _ = write!(
            out,
            ",\"bytes\":{{\"inputs\":{},\"outputs\":{},\"temporaries\":{}}}}}",
            all.inputs, all.outputs, all.temporaries
        );
        out
    }

    /// Bytes of each slot, an alias's those of what it stands for at first.
    fn slot_bytes(&self) -> Vec<u64> {
        let mut bytes: Vec<u64> = self.buffers().into_iter().map(|(_, bytes)| bytes).collect();
        for (n, slot) in self.executable.slots.iter().enumerate() {
            if let Slot::Alias(of) = *slot {
                bytes[n] = bytes[of];
            }
        }
        bytes
    }

    /// Which part of its cluster's work each dispatch does: by what its kernel takes.
    fn shares(&self) -> Vec<f64> {
        let all = &self.executable.dispatches;
        let cost = |dispatch: &Dispatch| {
            let groups: f64 = dispatch.workgroups.iter().map(|&count| f64::from(count)).product();
            cost::of_workgroup(&self.executable.kernels[dispatch.kernel]) * groups
        };
        let costs: Vec<f64> = all.iter().map(cost).collect();
        let of = |own: &Dispatch| -> f64 {
            let same =
                all.iter().zip(&costs).filter(|(other, _)| other.cluster == own.cluster && !other.is_gate);
            same.map(|(_, cost)| cost).sum()
        };
        all.iter().zip(&costs).map(|(dispatch, cost)| cost / of(dispatch).max(*cost)).collect()
    }
}

/// A program's nodes.
fn nodes(out: &mut String, name: &str, program: &TensorProgram) {
    let start = out.len();
    list(out, name, &program.nodes, |out, _, node| {
        let (op, detail) = (quoted(node.op.name()), quoted(node.attributes().trim()));
        let (dtype, shape, inputs) =
            (quoted(&node.dtype.to_string()), &node.shape[..], numbers(&node.inputs));
        let _ = write!(
            out,
            "\"op\":{op},\"dtype\":{dtype},\"shape\":{shape:?},\"inputs\":{inputs:?},\"detail\":{detail},\"site\":{}",
            node.site
        );
    });
    // The first property of its object has no comma before.
    if out[..start].ends_with('{') {
        out.remove(start);
    }
}

fn numbers(ids: &[ProgramId]) -> Vec<u32> {
    ids.iter().map(|id| id.0).collect()
}

/// The nodes that a cluster's kernel computes: its members, and what they read that is not stored.
fn computed(program: &TensorProgram, clusters: &Clusters, own: usize) -> Vec<ProgramId> {
    let mut open: Vec<ProgramId> = clusters.clusters[own].members.clone();
    let mut found: HashSet<ProgramId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        for &input in &program[id].inputs {
            if !program[input].op.is_given()
                && !clusters.is_loaded(program, own, input)
                && found.insert(input)
            {
                open.push(input);
            }
        }
    }
    let mut found: Vec<ProgramId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Arithmetic operations that a node takes: two for a product that is added up, one for any other
/// function of an element; none for what only moves. 0 for users' kernels, of which nothing is
/// known.
fn operations(program: &TensorProgram, id: ProgramId) -> f64 {
    let node = &program[id];
    let size = node.shape.size() as f64;
    let read = |n: usize| program[node.inputs[n]].shape.size() as f64;
    match &node.op {
        Op::Contract(axes) => {
            let left = &program[node.inputs[0]].shape;
            2.0 * size * axes.contract.iter().map(|&(axis, _)| left[axis] as f64).product::<f64>()
        }
        Op::Fourier { parts, axis } => {
            let _ = parts;
            BUTTERFLY / 2.0 * size * (node.shape[*axis].max(2) as f64).log2()
        }
        Op::ArgSort { axis, .. } => size * (node.shape[*axis].max(2) as f64).log2(),
        Op::Loop(it) => of_program(&it.body) * it.iterations.unwrap_or(1) as f64,
        Op::Branch(programs) => programs.iter().map(of_program).fold(0.0, f64::max),
        op if region::is_region(op) => 0.0,
        op => match facts(op).class {
            Class::Elementwise | Class::Line => size,
            Class::Reduction => read(0),
            Class::Scatter => read(2.min(node.inputs.len() - 1)),
            _ => 0.0,
        },
    }
}

fn of_program(program: &TensorProgram) -> f64 {
    program.ids().map(|id| operations(program, id)).sum()
}
