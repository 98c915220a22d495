//! Tensor programs: numbered nodes, leaves and scalars apart from values, printable.
//!
//! A program's structure is the key of the program cache, compared in full. Values never enter it:
//! a stored tensor is "buffer number n of this shape", a user's number is "scalar number n".
//! [`crate::canonical`] makes one of a pending graph.

use crate::HashMap;
use crate::dtype::DType;
use crate::op::{Coefficient, Op, Scan, View, region};
use crate::shape::Shape;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

/// A node of a [`TensorProgram`]: its position, which is also its place in topological order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ProgramId(pub u32);

impl ProgramId {
    /// The position as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One numbered node. Never `Mark` or `Detach`. Nodes are equal whatever their sites.
#[derive(Clone, Debug)]
pub struct ProgramNode {
    /// What it computes.
    pub op: Op,
    /// Nodes before it, in the op's order.
    pub inputs: Vec<ProgramId>,
    /// Extents of the result.
    pub shape: Shape,
    /// Dtype of the result.
    pub dtype: DType,
    /// Where in the source it was asked for, see [`crate::graph::Graph::set_site`].
    pub site: u32,
}

impl ProgramNode {
    /// What the operation has besides inputs, as programs print it; of a constant its value.
    ///
    /// Deferred: programs are printed in explanations.
    pub fn attributes(&self) -> String {
        struct Attributes<'a>(&'a Op);
        impl fmt::Display for Attributes<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    Op::Constant(value) => write!(f, "{value}"),
                    Op::Iota { axis, .. } => write!(f, "axis={axis}"),
                    op => print_attributes(f, op),
                }
            }
        }
        Attributes(&self.op).to_string()
    }
}

impl PartialEq for ProgramNode {
    fn eq(&self, other: &ProgramNode) -> bool {
        self.op == other.op
            && self.inputs == other.inputs
            && self.shape == other.shape
            && self.dtype == other.dtype
    }
}

impl Eq for ProgramNode {}

impl Hash for ProgramNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.op, &self.inputs, &self.shape, self.dtype).hash(state);
    }
}

/// Which nodes of a program that is being written may be found again: by the hashes of what they
/// are, so that nothing of them is kept twice. Where two hashes meet, the later node takes the next
/// number.
#[derive(Default)]
pub struct KnownNodes(HashMap<u64, ProgramId>);

impl KnownNodes {
    /// The node of `nodes` that is `op` of `inputs`, if there is one that is known, and its place.
    pub fn find(&self, nodes: &[ProgramNode], op: &Op, inputs: &[ProgramId]) -> (Option<ProgramId>, u64) {
        let mut place = self.0.hasher().hash_one((op, inputs));
        while let Some(&id) = self.0.get(&place) {
            let node = &nodes[id.index()];
            if node.op == *op && node.inputs == inputs {
                return (Some(id), place);
            }
            place = place.wrapping_add(1);
        }
        (None, place)
    }

    /// Notes a node at the place where it was looked for.
    pub fn insert(&mut self, place: u64, id: ProgramId) {
        self.0.insert(place, id);
    }
}

/// A tensor program: nodes in topological order and the nodes whose values are wanted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TensorProgram {
    /// Every node, inputs before readers.
    pub nodes: Vec<ProgramNode>,
    /// What is wanted; distinct.
    pub outputs: Vec<ProgramId>,
}

impl TensorProgram {
    /// The `Op::Buffer` and `Op::Scalar` nodes in order: what the program is a function of.
    pub fn leaves(&self) -> impl Iterator<Item = ProgramId> {
        self.ids().filter(|&id| self[id].op.is_given())
    }

    /// The `Op::Buffer` nodes in order: buffer leaf n is the n-th of these.
    pub fn buffer_leaves(&self) -> Vec<ProgramId> {
        self.ids().filter(|&id| matches!(self[id].op, Op::Buffer(..))).collect()
    }

    /// The `Op::Scalar` nodes in order: scalar leaf n is the n-th of these.
    pub fn scalar_leaves(&self) -> Vec<ProgramId> {
        self.ids().filter(|&id| matches!(self[id].op, Op::Scalar(_))).collect()
    }

    /// The same program without the nodes that no output depends on; leaves that are given from
    /// outside all stay, but those that are `gone`, which nothing may need.
    pub fn pruned(self, gone: &[ProgramId]) -> TensorProgram {
        let mut wanted: Vec<bool> = self.nodes.iter().map(|node| node.op.is_given()).collect();
        for id in gone {
            wanted[id.index()] = false;
        }
        for output in &self.outputs {
            wanted[output.index()] = true;
        }
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if wanted[number] {
                for input in &node.inputs {
                    wanted[input.index()] = true;
                }
            }
        }
        let mut numbers = vec![ProgramId(0); self.nodes.len()];
        let mut kept = Vec::with_capacity(self.nodes.len());
        for (number, mut node) in self.nodes.into_iter().enumerate() {
            if wanted[number] {
                for input in &mut node.inputs {
                    *input = numbers[input.index()];
                }
                numbers[number] = ProgramId(kept.len() as u32);
                kept.push(node);
            }
        }
        TensorProgram { nodes: kept, outputs: self.outputs.iter().map(|o| numbers[o.index()]).collect() }
    }

    /// Every node's number in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ProgramId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(ProgramId)
    }

    /// For each node, the nodes that read it, in order; a reader that reads it twice stands twice.
    pub fn readers(&self) -> Vec<Vec<ProgramId>> {
        let mut readers = vec![Vec::new(); self.nodes.len()];
        for id in self.ids() {
            for input in &self[id].inputs {
                readers[input.index()].push(id);
            }
        }
        readers
    }
}

impl std::ops::Index<ProgramId> for TensorProgram {
    type Output = ProgramNode;
    fn index(&self, id: ProgramId) -> &ProgramNode {
        &self.nodes[id.index()]
    }
}

/// Deferred: programs are printed in explanations.
impl fmt::Display for TensorProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut buffers, mut scalars) = (0, 0);
        for (i, node) in self.nodes.iter().enumerate() {
            write!(f, "%{i}: {}{} = {}", node.dtype, node.shape, node.op.name())?;
            match &node.op {
                Op::Buffer(..) => {
                    write!(f, " {buffers}")?;
                    buffers += 1;
                }
                Op::Scalar(_) => {
                    write!(f, " {scalars}")?;
                    scalars += 1;
                }
                Op::Constant(value) => write!(f, " {value}")?,
                Op::Iota { axis, .. } => write!(f, " axis={axis}")?,
                _ => {}
            }
            for input in &node.inputs {
                write!(f, " %{}", input.0)?;
            }
            print_attributes(f, &node.op)?;
            writeln!(f)?;
            if let Op::Kernel(it) = &node.op {
                for line in it.kernel.to_string().lines() {
                    writeln!(f, "  {line}")?;
                }
            }
            for inner in region::programs(&node.op) {
                for line in inner.to_string().lines() {
                    writeln!(f, "  {line}")?;
                }
            }
        }
        write!(f, "return")?;
        for output in &self.outputs {
            write!(f, " %{}", output.0)?;
        }
        writeln!(f)
    }
}

fn print_attributes(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    let coefficients = |list: &[Coefficient]| {
        let words = list.iter().map(|c| match c {
            Coefficient::Const(v) => v.to_string(),
            Coefficient::Param { input, min, max } => format!("#{input}∈{min}..={max}"),
        });
        format!("[{}]", words.collect::<Vec<_>>().join(","))
    };
    match op {
        Op::Reduce { axes, .. } => write!(f, " axes={axes:?}"),
        Op::View(View::Permute(axes)) => write!(f, " axes={axes:?}"),
        Op::View(View::Slice { starts, steps, .. }) => {
            write!(f, " starts={} steps={steps:?}", coefficients(starts))
        }
        Op::View(View::Pad { low, interior, value, .. }) => {
            write!(f, " low={} interior={interior:?} value={value}", coefficients(low))
        }
        Op::View(View::Window(windows)) => windows.iter().try_for_each(|w| {
            write!(f, " axis={} size={} stride={} dilation={}", w.axis, w.size, w.stride, w.dilation)
        }),
        Op::Conv(it) => write!(f, " {it:?}"),
        Op::Contract(axes) => write!(f, " batch={:?} contract={:?}", axes.batch, axes.contract),
        Op::Gather { axis } => write!(f, " axis={axis}"),
        Op::Scan(Scan { axis, reverse, exclusive, block, .. }) => {
            let order = if *reverse { " reverse" } else { "" };
            let own = if *exclusive { " exclusive" } else { "" };
            write!(f, " axis={axis} block={block}{order}{own}")
        }
        Op::ArgSort { axis, bits } => write!(f, " axis={axis} bits={bits}"),
        Op::Fourier { parts, axis } => write!(f, " axis={axis} parts={parts}"),
        Op::Loop(it) => {
            let iterations = it.iterations.map_or("∞".to_owned(), |iterations| iterations.to_string());
            let order = if it.reverse { " reverse" } else { "" };
            write!(f, " iterations={iterations} carried={} sliced={}{order}", it.carried, it.sliced)
        }
        Op::Part { index, .. } => write!(f, " {index}"),
        Op::Scatter { axis, op } => write!(f, " axis={axis} op={}", format!("{op:?}").to_ascii_lowercase()),
        // Their names, or what stands before their inputs, say all; so do shapes.
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. } => Ok(()),
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => Ok(()),
        Op::View(View::Reshape(_) | View::Expand(_)) => Ok(()),
        Op::Mark(_) | Op::Detach | Op::Cut | Op::Branch(_) | Op::Custom(_) => Ok(()),
        Op::Kernel(it) => write!(f, " {} grid={}", it.kernel.name, it.grid),
    }
}
