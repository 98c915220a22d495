//! Rounding: which operations have the same bits wherever they are compiled, and which have results
//! that jump.
//!
//! Drivers contract a·b + c in one kernel and not in another, and functions are approximated, so a
//! value may differ in its last bit between two kernels. Comparisons of values are compiled with
//! care for those that this module names.

use super::region;
use super::{Binary, Op, ReduceOp, ScatterOp, Unary};
use crate::dtype::DType;
use crate::program::{ProgramId, TensorProgram};
use std::ops::Range;

/// How far the bits of a value depend on the kernel that computes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bits {
    /// Not at all: it is read, or one of what is read, or an integer.
    Same,
    /// Rounded once, as a sum.
    Sum,
    /// Rounded once, as a product, unless it is added to something.
    Product,
    /// Rounded more than once, or by a function.
    Loose,
}

/// Whether an operation's result jumps where an input moves by little, as a rounded number does.
/// `from` is the dtype of the first input.
pub fn jumps(op: &Op, from: Option<DType>) -> bool {
    match op {
        Op::Compare(_)
        | Op::Unary(Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Round)
        | Op::Binary(Binary::FloorDiv | Binary::Rem) => true,
        Op::Cast(to) => from == Some(DType::F32) && *to != DType::F32,
        // A loop inside one kernel computes what it reads of each element itself.
        op => region::programs(op).iter().any(|within| within_jumps(within)),
    }
}

/// Whether anything in a program jumps.
pub fn within_jumps(program: &TensorProgram) -> bool {
    let first = |id: ProgramId| program[id].inputs.first().map(|&input| program[input].dtype);
    program.ids().any(|id| jumps(&program[id].op, first(id)))
}

/// Whether each element of a result is rounded from many elements of an input.
pub fn mixes(op: &Op) -> bool {
    match op {
        Op::Reduce { op, .. } => matches!(op, ReduceOp::Sum | ReduceOp::Prod),
        Op::Scan(scan) => matches!(scan.op, ReduceOp::Sum | ReduceOp::Prod),
        Op::Scatter { op, .. } => *op == ScatterOp::Add,
        Op::Contract(_) | Op::Conv(_) | Op::Fourier { .. } => true,
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. } => false,
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => false,
        Op::View(_) | Op::Gather { .. } | Op::ArgSort { .. } => false,
        Op::Mark(_) | Op::Detach | Op::Cut => false,
        // They have no elements.
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => false,
    }
}

/// Whether the elements of a result are elements of the first input, or its base or updates, which
/// values or positions choose.
pub fn selects(op: &Op) -> bool {
    match op {
        Op::Reduce { op, .. } => matches!(op, ReduceOp::Max | ReduceOp::Min),
        Op::Scan(scan) => matches!(scan.op, ReduceOp::Max | ReduceOp::Min),
        Op::Scatter { op, .. } => *op != ScatterOp::Add,
        Op::Gather { .. } => true,
        _ => false,
    }
}

/// The inputs, of `count`, whose elements are those of the result, but perhaps for their signs.
pub fn copied(op: &Op, count: usize) -> Range<usize> {
    match op {
        Op::Select => 1..3,
        Op::Binary(Binary::Min | Binary::Max) => 0..2,
        Op::Scatter { .. } if selects(op) => 0..count,
        Op::View(_) | Op::Mark(_) | Op::Detach | Op::Cut => 0..1,
        Op::Unary(Unary::Neg | Unary::Abs | Unary::Relu) => 0..1,
        op if selects(op) => 0..1,
        _ => 0..0,
    }
}

/// Whether an operation is a difference or a quotient of floats. Of a value and what was selected
/// of it, that is 0 or 1 where both meet.
pub fn may_meet(op: &Op, dtype: DType) -> bool {
    matches!(op, Op::Binary(Binary::Sub | Binary::Div)) && dtype.is_float()
}

/// Whether a program has a difference or a quotient of elements that it is given.
pub fn differ_given(program: &TensorProgram) -> bool {
    let mut given = vec![false; program.nodes.len()];
    let mut differ = false;
    for id in program.ids() {
        let node = &program[id];
        let is_given = |input: &ProgramId| given[input.index()];
        differ |= may_meet(&node.op, node.dtype) && node.inputs.iter().all(is_given);
        let copied = &node.inputs[copied(&node.op, node.inputs.len())];
        given[id.index()] = matches!(node.op, Op::Buffer(..)) || copied.iter().any(is_given);
    }
    differ
}

/// The bits of a result of `dtype`, given that those of its inputs depend on the kernel as `below`
/// says, or less.
pub fn bits(op: &Op, dtype: DType, below: Bits) -> Bits {
    let rounded_once = |once: Bits| if below == Bits::Same { once } else { Bits::Loose };
    let is_float = dtype.is_float();
    match op {
        Op::Unary(op) => match op {
            Unary::Neg
            | Unary::Abs
            | Unary::Sign
            | Unary::Floor
            | Unary::Ceil
            | Unary::Round
            | Unary::Relu
            | Unary::Not
            | Unary::IsNan
            | Unary::ToHalf
            | Unary::OfHalf => below,
            Unary::Exp
            | Unary::Log
            | Unary::Sqrt
            | Unary::Rsqrt
            | Unary::Sin
            | Unary::Cos
            | Unary::Tanh
            | Unary::Sigmoid
            | Unary::Erf
            | Unary::ErfInv
            | Unary::NormalCdf => Bits::Loose,
        },
        Op::Binary(op) if is_float => match op {
            Binary::Add | Binary::Sub => rounded_once(Bits::Sum),
            Binary::Mul => rounded_once(Bits::Product),
            Binary::Div | Binary::FloorDiv | Binary::Rem | Binary::Pow => Bits::Loose,
            Binary::Min | Binary::Max => below,
            Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => below,
        },
        op if is_float && mixes(op) => Bits::Loose,
        // Of integers, or one of the elements that it reads, or what is left of those that mix:
        // sums of integers, and extremes.
        Op::Binary(_)
        | Op::Reduce { .. }
        | Op::Scan(_)
        | Op::Scatter { .. }
        | Op::Contract(_)
        | Op::Conv(_)
        | Op::Fourier { .. } => below,
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. } => below,
        Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => below,
        Op::View(_) | Op::Gather { .. } | Op::ArgSort { .. } => below,
        Op::Mark(_) | Op::Detach | Op::Cut => below,
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => below,
    }
}
