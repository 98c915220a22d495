//! Roles of derived kernels: the inputs that they read, and the results that they give.

use weft_ir::Shape;
use weft_ir::user_kernel::UserKernel;

/// What an input of a derived kernel is. Inputs are numbered with the tensors first, then the
/// scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// An input of the kernel itself.
    Input(usize),
    /// The tangent of an input.
    Tangent(usize),
    /// The cotangent of an output.
    Cotangent(usize),
    /// An output.
    Result(usize),
    /// For each element of an output the last invocation that set it, counted from 1; u32.
    Owner(usize),
    /// For each element of an output the last store of its owner, counted from 1; u32.
    Last(usize),
    /// How many stores, and initial values, equal each element of an output; u32.
    Count(usize),
    /// What the tangent of an output begins as.
    Initial(usize),
    /// The extent of an output along an axis; i32.
    OutputExtent(usize, usize),
    /// See [`Yield::Stored`].
    Stored(usize),
    /// What an integer store found: no derived kernel can know it.
    Before,
}

/// What an output of a derived kernel is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yield {
    /// See [`Role::Owner`].
    Owner(usize),
    /// See [`Role::Last`].
    Last(usize),
    /// [`Role::Count`] of the stores alone.
    Count(usize),
    /// The cotangent of an input. With `axes` an element an invocation, to be summed over all axes
    /// of its grid but those, which are the input's in this order; 0 where the input goes on.
    Gradient {
        /// The input.
        input: usize,
        /// Axes of the grid.
        axes: Option<Vec<usize>>,
    },
    /// The tangent of an output.
    Tangent(usize),
    /// What a later kernel collects, an element an invocation and iteration.
    Stored {
        /// Which of such.
        number: usize,
        /// Its extents.
        shape: Shape,
    },
}

/// A kernel that a derivative needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The kernel.
    pub kernel: UserKernel,
    /// The extents of its grid, where it is not that of the kernel it was derived from.
    pub grid: Option<Shape>,
    /// What its inputs are.
    pub inputs: Vec<Role>,
    /// What its outputs are.
    pub outputs: Vec<Yield>,
}

/// Extents of a call, by which a transformation may choose what is faster.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    /// Of the grid.
    pub grid: &'a Shape,
    /// Of each input.
    pub inputs: &'a [Shape],
}
