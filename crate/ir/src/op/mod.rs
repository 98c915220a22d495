//! The primitives of the tensor graph: what each computes, what it takes, and what shape and dtype
//! it yields.
//!
//! There are few on purpose. Every other operation is built from these when it is called (crate
//! `weft`), so that each later stage (transform, simplify, fuse, lower, interpret) is one
//! exhaustive match over this file.
//!
//! Primitives are strict: the inputs of an elementwise operation have one shape and one dtype
//! already. Broadcasting is an explicit [`View::Expand`], promotion an explicit [`Op::Cast`].
//!
//! Loops and branches hold programs of their own ([`region`]).
//!
//! Order of evaluation is free; nothing here has a side effect. Out-of-range reads cannot be
//! expressed except through [`Op::Gather`], which clamps.

pub mod conv;
mod facts;
mod fourier;
pub(crate) mod function;
pub mod infer;
pub(crate) mod kernel;
pub mod region;
pub mod rounding;

pub use conv::Conv;
pub use facts::{Class, Facts, facts};
pub use fourier::{LARGEST_RADIX, LONGEST_TRANSFORM};
pub use function::{Binary, Compare, Unary};
pub use kernel::KernelCall;
pub use region::{Custom, Loop};

use crate::dtype::{DType, Literal};
use crate::program::TensorProgram;
use crate::shape::Shape;
use std::rc::Rc;

/// How a reduction combines elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReduceOp {
    /// Sum; 0 over nothing. f32, i32, u32.
    Sum,
    /// Product; 1 over nothing. f32, i32, u32.
    Prod,
    /// Largest; NaN if any is NaN. Not over nothing. Any dtype (bool: any).
    Max,
    /// Smallest; NaN if any is NaN. Not over nothing. Any dtype (bool: all).
    Min,
    /// Position of the largest along exactly one axis, the lowest among ties, the first NaN if any.
    /// Yields i32.
    ArgMax,
    /// Position of the smallest along exactly one axis, the lowest among ties, the first NaN if
    /// any. Yields i32.
    ArgMin,
}

impl ReduceOp {
    /// Whether this yields a position rather than a value.
    pub const fn is_arg(self) -> bool {
        matches!(self, ReduceOp::ArgMax | ReduceOp::ArgMin)
    }

    /// The value that changes nothing when combined, for the ops that have one in `dtype` (not the
    /// arg ops).
    pub fn identity(self, dtype: DType) -> Literal {
        match (self, dtype) {
            (ReduceOp::Sum, d) => Literal::zero(d),
            (ReduceOp::Prod, d) => Literal::one(d),
            (ReduceOp::Max | ReduceOp::ArgMax, DType::F32) => Literal::F32(f32::NEG_INFINITY),
            (ReduceOp::Min | ReduceOp::ArgMin, DType::F32) => Literal::F32(f32::INFINITY),
            (ReduceOp::Max | ReduceOp::ArgMax, DType::I32) => Literal::I32(i32::MIN),
            (ReduceOp::Min | ReduceOp::ArgMin, DType::I32) => Literal::I32(i32::MAX),
            (ReduceOp::Max | ReduceOp::ArgMax, d) => Literal::zero(d),
            (ReduceOp::Min | ReduceOp::ArgMin, DType::U32) => Literal::U32(u32::MAX),
            (ReduceOp::Min | ReduceOp::ArgMin, DType::Bool) => Literal::Bool(true),
            (ReduceOp::Min | ReduceOp::ArgMin, packed) => self.identity(packed.computed()),
        }
    }
}

/// A running reduction: each element of the result combines the elements of its line up to its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scan {
    /// The axis along which lines run.
    pub axis: usize,
    /// How elements combine; no arg op.
    pub op: ReduceOp,
    /// Whether lines run from their end to their beginning.
    pub reverse: bool,
    /// Whether an element's own is left out, so that the first is the identity.
    pub exclusive: bool,
    /// Elements after which it starts anew, counted from the beginning of the axis; of the extent
    /// or more, never.
    pub block: usize,
}

/// How a scatter combines an update with what is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScatterOp {
    /// The update replaces; among updates to one place, the last in row-major order wins.
    Set,
    /// The update is added.
    Add,
    /// The smaller stays.
    Min,
    /// The larger stays.
    Max,
}

/// A coefficient of an index map: known when compiled, or a run-time value of known range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coefficient {
    /// Part of the program's key.
    Const(i64),
    /// The node's input number `input`, an i32 [`Op::Scalar`]; its value lies in `min..=max` and is
    /// not part of the key, so that a moving slice is one program.
    Param {
        /// Which of the node's inputs holds the value.
        input: usize,
        /// Smallest value it can have.
        min: i64,
        /// Largest value it can have.
        max: i64,
    },
}

/// Rearrangements: each output element is one input element or a fill value. Views cost nothing by
/// themselves: they are composed into the index map of whatever reads them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// Same elements in row-major order under another shape of equal size.
    Reshape(Shape),
    /// Output axis i is input axis `axes[i]`.
    Permute(Vec<usize>),
    /// Same rank; axes of extent 1 repeat to the given extent.
    Expand(Shape),
    /// `lengths[i]` elements of axis i from `starts[i]` in steps of `steps[i]` (not 0; negative
    /// steps count downwards).
    Slice {
        /// First position on each axis.
        starts: Vec<Coefficient>,
        /// Step on each axis.
        steps: Vec<i64>,
        /// Output extent on each axis.
        lengths: Vec<usize>,
    },
    /// Into a larger tensor of `shape`: element c goes to `low + c·(interior+1)` on each axis; the
    /// rest is `value`.
    Pad {
        /// Where the first element goes on each axis; negative offsets are not allowed.
        low: Vec<Coefficient>,
        /// Gap between neighbours on each axis.
        interior: Vec<usize>,
        /// The output shape; every element must land inside.
        shape: Shape,
        /// What stands where no element lands.
        value: Literal,
    },
    /// Windows that slide along axes: for each an axis in front, of `size`, in this order, then the
    /// input's axes. Where the element along a window is k and the window is number i of its axis,
    /// the input's coordinate there is `stride·i + dilation·k`. As many windows as fit.
    Window(Vec<Window>),
}

/// A window that slides along an axis; see [`View::Window`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// The axis of the input; each has one window at most.
    pub axis: usize,
    /// Elements of a window; at least one.
    pub size: usize,
    /// From one window to the next; at least one.
    pub stride: usize,
    /// From one element of a window to the next; at least one.
    pub dilation: usize,
}

impl Window {
    /// From the first element of a window to the one after its last.
    pub const fn span(&self) -> usize {
        (self.size - 1).saturating_mul(self.dilation).saturating_add(1)
    }

    /// How many windows fit into an axis of `extent`.
    pub const fn count(&self, extent: usize) -> usize {
        if extent < self.span() { 0 } else { (extent - self.span()) / self.stride + 1 }
    }
}

/// Which axes of its two inputs a contraction pairs.
///
/// The output's axes are the batch axes, then the left input's other axes in order, then the
/// right's.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ContractAxes {
    /// Axes (left, right) that run in step and stay.
    pub batch: Vec<(usize, usize)>,
    /// Axes (left, right) that run in step and are summed over.
    pub contract: Vec<(usize, usize)>,
}

impl ContractAxes {
    /// The axes of the left input that are neither batched nor contracted.
    pub fn left_free(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|a| !self.batch.iter().chain(&self.contract).any(|p| p.0 == *a)).collect()
    }

    /// The axes of the right input that are neither batched nor contracted.
    pub fn right_free(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|a| !self.batch.iter().chain(&self.contract).any(|p| p.1 == *a)).collect()
    }
}

/// A node's operation. The number and meaning of its inputs stand with each variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A stored tensor. No inputs.
    Buffer(Shape, DType),
    /// A 0-d run-time value given by the user. No inputs; never part of a key; never merged with
    /// another of equal value.
    Scalar(DType),
    /// A 0-d value written by a rule. No inputs; part of the key.
    Constant(Literal),
    /// The position along `axis`. No inputs; i32 or u32.
    Iota {
        /// Extents of the result.
        shape: Shape,
        /// Which coordinate is the value.
        axis: usize,
        /// `I32` or `U32`.
        dtype: DType,
    },
    /// Inputs: x.
    Unary(Unary),
    /// Inputs: a, b.
    Binary(Binary),
    /// Inputs: a, b.
    Compare(Compare),
    /// Inputs: condition (bool), value where true, value where false.
    Select,
    /// Inputs: x. Float to integer truncates towards zero and saturates, NaN gives 0; to bool is
    /// "not zero". Between integers it wraps. To f16 the nearest, ties to even. With
    /// [`Op::Buffer`], views, choices and regions all that packed dtypes are taken by.
    Cast(DType),
    /// Inputs: x. The same 32 bits as another dtype; not bool.
    Bitcast(DType),
    /// Inputs: x. Yields x's shape without `axes` (sorted, distinct). Sums of bool are not taken:
    /// cast first.
    Reduce {
        /// How elements combine.
        op: ReduceOp,
        /// Axes that vanish.
        axes: Vec<usize>,
    },
    /// Inputs: x, then one i32 scalar per `Coefficient::Param`.
    View(View),
    /// Inputs: left, right of one dtype (f32, i32, u32). Sums of products; accumulated in that
    /// dtype.
    Contract(ContractAxes),
    /// Inputs: input, kernel of one dtype (f32, i32, u32); see [`Conv`]. Exchanged for a
    /// contraction over windows when a program is made.
    Conv(Rc<Conv>),
    /// Inputs: source, indices (i32 or u32). Yields source's shape with `axis` replaced by the
    /// indices' shape. Indices outside the axis are clamped into it.
    Gather {
        /// The axis of the source that is indexed.
        axis: usize,
    },
    /// Inputs: base, indices (i32 or u32), updates shaped as the `Gather` of base would be. Yields
    /// base's shape. Updates whose index lies outside the axis are dropped.
    Scatter {
        /// The axis of the base that is indexed.
        axis: usize,
        /// How an update meets what is there.
        op: ScatterOp,
    },
    /// Inputs: x. Yields x's shape: what is reduced of each line up to each of its elements; see
    /// [`Scan`].
    Scan(Scan),
    /// Inputs: keys (u32). Yields their shape in i32: the positions that put each line of `axis`
    /// into ascending order. Equal keys keep theirs.
    ArgSort {
        /// The axis along which lines run.
        axis: usize,
        /// How many of a key's low bits count; the others are 0.
        bits: u32,
    },
    /// Inputs: x (f32), twiddles (u32). Yields x's shape: along `axis` the discrete Fourier
    /// transform of lines of at most [`LONGEST_TRANSFORM`] complex numbers, whose parts lie along
    /// another axis, of extent 2. `twiddles` is `[2, n]`: the bits of the cosines and sines of 0,
    /// −1, −2 … n-th turns as floats, a table, through which no derivative goes. The prime factors
    /// of n are at most [`LARGEST_RADIX`].
    Fourier {
        /// The axis of the real and the imaginary part.
        parts: usize,
        /// The axis along which lines run.
        axis: usize,
    },
    /// Inputs: x. Identity; an id of its own for differentiation; never commoned, and stripped
    /// before keying.
    Mark(u32),
    /// Inputs: x. Identity through which no gradient flows; stripped before keying.
    Detach,
    /// Inputs: x. Identity that must be stored: a cluster ends here.
    Cut,
    /// Inputs: what is carried, what is sliced, what else the programs read; see [`Loop`]. Has no
    /// value: only parts do.
    Loop(Rc<Loop>),
    /// Inputs: selector (0-d i32, clamped to the programs there are), then what the programs'
    /// leaves stand for. One of the programs, all of the same leaves and results, runs. Has no
    /// value: only parts do.
    Branch(Rc<Vec<TensorProgram>>),
    /// Inputs: what the leaves of its program stand for; see [`Custom`]. Has no value: only parts
    /// do. Exchanged for its nodes when a program is made.
    Custom(Rc<Custom>),
    /// Inputs: the tensors, then the numbers that a user's kernel reads; see [`KernelCall`]. Has no
    /// value: only parts do.
    Kernel(Rc<KernelCall>),
    /// Inputs: a `Loop`, `Branch`, `Custom` or `Kernel`. One of its results.
    Part {
        /// Which.
        index: usize,
        /// Its extents.
        shape: Shape,
        /// Its dtype.
        dtype: DType,
    },
}

impl Op {
    /// Whether the op takes no inputs.
    pub fn is_leaf(&self) -> bool {
        facts(self).class == Class::Leaf
    }

    /// Whether the op is a leaf whose value comes from outside.
    pub const fn is_given(&self) -> bool {
        matches!(self, Op::Buffer(..) | Op::Scalar(_))
    }

    /// Whether each output element depends on just the elements at its own position of the inputs.
    pub fn is_elementwise(&self) -> bool {
        facts(self).class == Class::Elementwise
    }

    /// A short lower-case name for printing and for errors.
    pub fn name(&self) -> &'static str {
        facts(self).name
    }
}
