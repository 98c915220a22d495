//! The IR of users' kernels: what one invocation computes, over whole tensors and coordinates.
//!
//! A user's kernel runs once for each element of a *grid*. It reads tensors anywhere, by one
//! coordinate an axis, and stores into outputs. It is a level above the kernel IR
//! ([`crate::kernel`]), into which it is lowered: tensors have ranks and extents here and are flat
//! buffers there, a load beyond an edge has a meaning here and may not be asked for there.
//! Derivatives and batches are taken at this level.
//!
//! A kernel knows no shapes. [`crate::op::Op::Kernel`] holds one with the extents of its grid and
//! its outputs; [`Expr::Extent`] asks for those of a tensor.
//!
//! **Expressions** live in the kernel's arena, are typed, scalar, and have no effect. As in the
//! kernel IR, one is evaluated anew wherever a statement mentions it; [`Stmt::Let`] evaluates once.
//! Arithmetic is that of the tensor primitives ([`crate::op::Unary`], [`crate::op::Binary`],
//! [`crate::op::Compare`]) on one element, NaN, zero divisors and all. `And` and `Or` of bools
//! evaluate both operands; nothing that is evaluated can fail.
//!
//! **Statements** run in order. Locals, local arrays, shared arrays and outputs are all the memory
//! there is; inputs never change while a kernel runs. What one invocation stores another does not
//! read, but for shared arrays across a [`Stmt::Barrier`].
//!
//! Deferred: few programs have kernels of users.

mod build;
mod column;
pub mod decode;
pub mod interpret;
mod like;
mod memory;
mod print;
mod reach;
mod types;
mod uniformity;
pub mod verify;

pub use reach::{Reach, returns};

use crate::dtype::{DType, Literal};
use crate::op::function::{Binary, Compare, Unary};
use std::rc::Rc;

/// The most blocks that may be nested.
pub const MAX_NESTING: usize = 64;
/// The most elements of all local arrays of a kernel together: what WebGPU gives an invocation.
pub const MAX_PRIVATE: u32 = 2048;

/// How many invocations a subgroup has, on every device: neighbours in their workgroup, in
/// row-major order. The last of a workgroup may have fewer.
pub const SUBGROUP: u32 = 32;

index_type!(
    /// An expression of a kernel's arena.
    ExprId
);
index_type!(
    /// A local of a kernel.
    LocalId
);
index_type!(
    /// A local or shared array of a kernel.
    ArrayId
);
index_type!(
    /// A tensor that a kernel reads: one of [`UserKernel::tensors`].
    TensorId
);
index_type!(
    /// An output of a kernel: one of [`UserKernel::outputs`].
    OutputId
);

/// A tensor that a kernel reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tensor {
    /// Its name in print and in messages.
    pub name: String,
    /// f32, i32, u32 or bool.
    pub dtype: DType,
    /// How many coordinates an element has.
    pub rank: u32,
}

/// A number that a kernel reads, a 0-d input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// Its name in print and in messages.
    pub name: String,
    /// f32, i32, u32 or bool.
    pub dtype: DType,
}

/// How a store meets what an element of an output holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// It replaces. Where several invocations store into one element, the last of them in row-major
    /// order of the grid wins; of one invocation its last store.
    Set,
    /// It is added. f32, i32, u32. Sums of floats do not depend on the order of invocations.
    Add,
    /// The smaller stays; NaN if either is NaN.
    Min,
    /// The larger stays; NaN if either is NaN.
    Max,
    /// Bitwise and of integers.
    And,
    /// Bitwise or of integers.
    Or,
    /// Bitwise exclusive or of integers.
    Xor,
}

/// What an output holds before the first store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Initial {
    /// This value, everywhere.
    Value(Literal),
    /// An input of its shape and dtype.
    Tensor(TensorId),
}

/// A result of a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Output {
    /// Its name in print and in messages.
    pub name: String,
    /// f32, i32, u32 or bool.
    pub dtype: DType,
    /// How many coordinates an element has.
    pub rank: u32,
    /// How stores meet; one way for an output.
    pub combine: Combine,
    /// What is there at first.
    pub initial: Initial,
}

/// A named local, assigned any number of times.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// Its name in print.
    pub name: String,
    /// f32, i32, u32 or bool.
    pub dtype: DType,
}

/// Memory of a fixed length, zero at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// Its name in print.
    pub name: String,
    /// f32, i32, u32 or bool.
    pub dtype: DType,
    /// How many elements it has; at least one.
    pub length: u32,
    /// Whether a workgroup shares it, rather than each invocation having its own.
    pub shared: bool,
}

/// What a load beyond the edge of a tensor yields. One for all axes of a load.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// The element at the nearest coordinate inside.
    Clamp,
    /// Coordinates modulo the extent.
    Wrap,
    /// Coordinates mirrored at the edge, whose own element is not repeated: −1 is 1.
    Mirror,
    /// This value.
    Fill(ExprId),
}

/// An operation across a subgroup, in the order of its invocations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are WGSL's")]
pub enum SubgroupOp {
    Add,
    Min,
    Max,
    /// The sum over the invocations before.
    AddBefore,
}

/// Whose coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coordinate {
    /// Of the invocation in the grid.
    Grid,
    /// Of the invocation in its workgroup.
    Local,
    /// Of the workgroup among workgroups.
    Group,
}

/// An expression. Operands come earlier in the arena. Coordinates and extents are i32.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A value known when the kernel was made.
    Literal(Literal),
    /// The present value of a local.
    Local(LocalId),
    /// A scalar input: one of [`UserKernel::scalars`].
    Scalar(u32),
    /// The invocation's coordinate along an axis; of groups, axes 0 to 2.
    Index(Coordinate, u32),
    /// The extent of the grid along an axis.
    GridExtent(u32),
    /// The extent of a tensor along an axis.
    Extent(TensorId, u32),
    /// The extent of an output along an axis.
    OutputExtent(OutputId, u32),
    /// A function of one element.
    Unary(Unary, ExprId),
    /// A function of two.
    Binary(Binary, ExprId, ExprId),
    /// A comparison.
    Compare(Compare, ExprId, ExprId),
    /// Condition (bool), value if true, value if false. Both are evaluated.
    Select(ExprId, ExprId, ExprId),
    /// As [`crate::op::Op::Cast`].
    Cast(DType, ExprId),
    /// As [`crate::op::Op::Bitcast`].
    Bitcast(DType, ExprId),
    /// An element of a tensor, by one i32 coordinate an axis.
    Load(TensorId, Vec<ExprId>, Edge),
    /// An element of a local or shared array, whose i32 index is clamped into it.
    Element(ArrayId, ExprId),
    /// A combination over the invocations of a subgroup.
    Subgroup(SubgroupOp, ExprId),
    /// The value that another invocation of the subgroup has: value, its u32 number in the
    /// subgroup. That of the last where there is no such.
    Shuffle(ExprId, ExprId),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// Assigns a local. A local that is read before it is assigned is zero.
    Let(LocalId, ExprId),
    /// Writes an element of a local or shared array: array, i32 index, value. Beyond the array it
    /// does nothing.
    SetElement(ArrayId, ExprId, ExprId),
    /// Stores into an output as [`Output::combine`] says. Beyond the output it does nothing.
    Store {
        /// Which.
        output: OutputId,
        /// One i32 coordinate an axis.
        indices: Vec<ExprId>,
        /// What is stored.
        value: ExprId,
        /// A local that takes what was there before, of integers; the order of invocations, and so
        /// this value, is the device's.
        before: Option<LocalId>,
    },
    /// Runs one of two blocks.
    If(ExprId, Vec<Stmt>, Vec<Stmt>),
    /// Counts an i32 local from `from` up to but not including `to` in steps of `step`; both bounds
    /// are evaluated once. The body does not assign the counter.
    For {
        /// The counter.
        counter: LocalId,
        /// First value.
        from: ExprId,
        /// Bound.
        to: ExprId,
        /// Increment, not 0. A negative one counts down to but not including `to`.
        step: i32,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Repeats while the condition, evaluated before each iteration, holds, and at most so often.
    While {
        /// The condition (bool).
        condition: ExprId,
        /// Most iterations; the loop ends then.
        limit: u32,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Leaves the innermost loop.
    Break,
    /// Goes on with the innermost loop's next iteration.
    Continue,
    /// Ends the invocation.
    Return,
    /// Waits for the workgroup, whose shared arrays are visible to it then.
    Barrier,
}

/// WGSL that a user wrote. Its entry point is `main`, and its workgroups are those of the kernel.
/// Tensors and outputs are arrays that are declared for it by name; tensors are row-major.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The text, without bindings.
    pub text: String,
    /// For each output whether its elements are atomic.
    pub atomic: Vec<bool>,
}

/// A kernel that a user wrote.
///
/// Inputs of its node: the tensors, then the scalars. Results: the outputs.
#[derive(Clone)]
pub struct UserKernel {
    /// The function's name, for print, profiles and messages.
    pub name: String,
    /// How many axes the grid has.
    pub rank: u32,
    /// Invocations of a workgroup along the last axes of the grid (x, y, z from the last), where
    /// the kernel works in groups. Only then are there shared arrays, barriers and subgroups.
    pub workgroup: Option<[u32; 3]>,
    /// Tensors that it reads.
    pub tensors: Vec<Tensor>,
    /// Numbers that it reads.
    pub scalars: Vec<Scalar>,
    /// What it yields.
    pub outputs: Vec<Output>,
    /// Locals.
    pub locals: Vec<Local>,
    /// Local and shared arrays.
    pub arrays: Vec<Array>,
    /// The expression arena.
    pub exprs: Vec<Expr>,
    /// What each invocation runs.
    pub body: Vec<Stmt>,
    /// WGSL that runs in place of the body, which is empty then.
    pub source: Option<Rc<Source>>,
    /// The same function with less local memory and more work, of a kernel that a transformation
    /// made: its derivatives are taken where those of this one would not fit.
    pub lean: Option<Rc<UserKernel>>,
}
