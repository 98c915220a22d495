//! Executables, which compiling yields and the runtime runs: distinct kernels, an ordered list of
//! dispatches, and the source of each buffer.

use crate::cluster::Clusters;
use crate::family::Choice;
pub use crate::limits::Limits;
use std::fmt;
use weft_ir::kernel::Kernel;
use weft_ir::program::{ProgramId, TensorProgram};

/// Where a buffer that dispatches name comes from. Lengths are in bytes, at least 4 and a multiple
/// of 4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// Buffer leaf n of the program, bound by the caller.
    Leaf(usize),
    /// A new buffer that the caller keeps.
    Output(u64),
    /// A buffer for this run only. Slots whose lives do not overlap are one slot already.
    Temporary(u64),
    /// No buffer of its own: a name that loops give to one slot after the other, at first to this
    /// one, which comes before it.
    Alias(usize),
}

/// What a uniform of a dispatch is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Uniform {
    /// A scalar leaf of the program.
    Scalar(usize),
    /// The index of a loop: which of [`Executable::repeats`].
    Index(usize),
    /// The bits of a number that the dispatch carries itself, so that passes which differ in
    /// nothing else share a kernel.
    Number(u32),
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uniform::Scalar(n) => write!(f, "{n}"),
            Uniform::Index(n) => write!(f, "index of loop {n}"),
            Uniform::Number(number) => write!(f, "number {number}"),
        }
    }
}

/// Dispatches that run again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// The first of them.
    pub first: usize,
    /// The one after the last; never the first.
    pub end: usize,
    /// How often; at least once. Of a loop that goes on until its state says otherwise, how often
    /// before that is asked first; an even number, as all such numbers are.
    pub iterations: u32,
    /// The slot of a word that is not 0 as long as the loop must go on. The runtime reads it
    /// after its iterations, and after more and more of them: iterations after the end change
    /// nothing.
    pub until: Option<usize>,
    /// Whether the index counts down.
    pub reverse: bool,
    /// What an iteration takes from the iteration before.
    pub carried: Vec<Carried>,
}

/// A tensor that goes from iteration to iteration. Iterations write two slots in turn, so that none
/// is written over while it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// Where the first iteration finds it.
    pub from: usize,
    /// The alias that iterations read.
    pub read: usize,
    /// The alias that iterations write.
    pub write: usize,
    /// What iterations write: even ones the first, odd ones the second.
    pub pair: [usize; 2],
}

/// One dispatch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// Which of [`Executable::kernels`].
    pub kernel: usize,
    /// For each storage array of the kernel in order, which of [`Executable::slots`].
    pub bindings: Vec<usize>,
    /// For each of those, whose value it holds: a node of the program that was fused, or `None` for
    /// partial results of the cluster and for what gates keep.
    pub holds: Vec<Option<ProgramId>>,
    /// What each uniform of the kernel is.
    pub uniforms: Vec<Uniform>,
    /// Whether the kernel has one uniform more, before those: the number of the first workgroup, an
    /// i32. Then the device may run the dispatch in pieces; run as a whole it is 0.
    pub in_pieces: bool,
    /// Workgroups along x, y, z; none is 0.
    pub workgroups: [u32; 3],
    /// Where the device finds the workgroups when it comes to it, if not here: a slot, and a byte
    /// of it. They are these, or none.
    pub counted: Option<(usize, u64)>,
    /// Whether it is a gate, which writes what others are counted by.
    pub is_gate: bool,
    /// What it computes: which of [`Executable::fused`], and which of its clusters.
    pub cluster: (usize, usize),
    /// The family that lowered it, and what it was run with; `None` for a gate, which leaves no
    /// choice.
    pub choice: Option<Choice>,
}

/// A program as it was lowered, for people and for tuning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fused {
    /// Simplified; the numbers of nodes in `clusters` are its.
    pub program: TensorProgram,
    /// What of it shares a kernel, and why each cluster ends where it does.
    pub clusters: Clusters,
}

/// A compiled program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Executable {
    /// The distinct kernels.
    pub kernels: Vec<Kernel>,
    /// In order; all in one pass.
    pub dispatches: Vec<Dispatch>,
    /// Which of them are repeated, in order; loops within a loop come after it, and lie within it.
    pub repeats: Vec<Repeat>,
    /// Every buffer the dispatches and outputs name.
    pub slots: Vec<Slot>,
    /// For each output of the program, its slot. `Slot::Leaf` for an output that is a leaf or was
    /// written in place over a donated one.
    pub outputs: Vec<usize>,
    /// The program itself, then the programs of its loops and branches as they are come by.
    pub fused: Vec<Fused>,
}

impl fmt::Display for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, slot) in self.slots.iter().enumerate() {
            writeln!(f, "slot {i}: {slot:?}")?;
        }
        for dispatch in &self.dispatches {
            let kernel = &self.kernels[dispatch.kernel];
            write!(f, "dispatch {} {:?} slots {:?}", kernel.name, dispatch.workgroups, dispatch.bindings)?;
            if !dispatch.uniforms.is_empty() {
                let given: Vec<String> = dispatch.uniforms.iter().map(Uniform::to_string).collect();
                write!(f, " scalars [{}]", given.join(", "))?;
            }
            if dispatch.in_pieces {
                write!(f, " in pieces")?;
            }
            if let Some((slot, byte)) = dispatch.counted {
                write!(f, " counted in slot {slot} from byte {byte}")?;
            }
            writeln!(f)?;
        }
        for Repeat { first, end, iterations, until, carried, .. } in &self.repeats {
            write!(f, "repeat dispatches {first}..{end} {iterations} times carrying {carried:?}")?;
            match until {
                Some(slot) => writeln!(f, ", again while slot {slot} is set")?,
                None => writeln!(f)?,
            }
        }
        writeln!(f, "return slots {:?}", self.outputs)?;
        for Fused { program, clusters } in &self.fused {
            for cut in &clusters.cuts {
                let node = &program[cut.node];
                writeln!(f, "cut: %{} {}{}: {}", cut.node.0, node.op.name(), node.shape, cut.reason)?;
            }
        }
        Ok(())
    }
}
