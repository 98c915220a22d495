//! Memory that a node needs, checked before it is evaluated.

use super::contract;
use super::strided::Tensor;
use super::{Real, Result};
use crate::dtype::DType;
use crate::op::{ContractAxes, Op, View};
use crate::program::ProgramNode;
use crate::room::{full, has_room};

/// Errors with `OutOfMemory` in the name of a node unless `bytes` can be allocated now.
pub(super) fn check_node(node: &ProgramNode, bytes: u64) -> Result<()> {
    if has_room(bytes) { Ok(()) } else { Err(full(node.op.name(), bytes)) }
}

/// Evaluates `$body` with `$s` bound to the [`super::strided::Strided`] inside `$tensor`.
macro_rules! each {
    ($tensor:expr, $s:ident => $body:expr) => {
        match $tensor {
            Tensor::Float($s) => $body,
            Tensor::I32($s) => $body,
            Tensor::U32($s) => $body,
            Tensor::Bool($s) => $body,
        }
    };
}

/// The most bytes that evaluating `node` allocates for elements.
pub(super) fn needed<R: Real>(node: &ProgramNode, inputs: &[Tensor<R>]) -> u64 {
    let out = elements(node.shape.size(), node.dtype);
    let sum = |copy: fn(&Tensor<R>) -> u64| inputs.iter().map(copy).sum::<u64>();
    // Wide integers for positions.
    let positions = || inputs.get(1).map_or(0, |x| x.shape().size() as u64 * 8);
    match &node.op {
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Mark(_) | Op::Detach | Op::Cut => 0,
        // Programs within ask for themselves.
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Conv(_) | Op::Part { .. } => 0,
        Op::Iota { shape, axis, dtype } => elements(shape[*axis], *dtype),
        Op::View(View::Permute(_) | View::Expand(_) | View::Slice { .. } | View::Window(_)) => 0,
        Op::View(View::Reshape(_)) => sum(unless_repeated),
        Op::View(View::Pad { .. }) => out + sum(in_order),
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => {
            let over = |x: &Tensor<R>| x.dtype() == node.dtype && each!(x, s => s.is_own());
            let repeated = |x: &Tensor<R>| each!(x, s => s.repeated().is_some());
            let in_place = node.op != Op::Select && inputs.iter().any(over);
            let result = if in_place || inputs.iter().all(repeated) { 0 } else { out };
            result + sum(unless_repeated)
        }
        Op::Reduce { axes, .. } => {
            let neighbours = axes.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            // An accumulator of eight bytes for each result.
            out * 3 + if neighbours { sum(in_order) } else { sum(whole) }
        }
        Op::Contract(axes) => {
            out + inputs.first().zip(inputs.get(1)).map_or(0, |(l, r)| operands(axes, l, r))
        }
        Op::Gather { .. } => out + sum(in_order) + positions(),
        // Totals of a line's neighbours, of eight bytes; or a key and a position for each element.
        Op::Scan(_) => out * 3 + sum(in_order),
        Op::ArgSort { .. } => out * 9 + sum(in_order),
        // A line and its table are small.
        Op::Fourier { .. } => out + sum(in_order),
        // Sums of floats are wide.
        Op::Scatter { .. } => out * 3 + inputs[1..].iter().map(in_order).sum::<u64>() + positions(),
    }
}

/// What a contraction allocates besides its result: operands in the order in which it walks them,
/// and totals of a panel.
fn operands<R: Real>(axes: &ContractAxes, left: &Tensor<R>, right: &Tensor<R>) -> u64 {
    let ordered = |x: &Tensor<R>, order: &[usize]| {
        if each!(x, s => s.permute(order).is_packed()) { 0 } else { whole(x) }
    };
    let [batch, rows, depth] = contract::left_order(axes, left.shape().rank());
    let totals = rows.iter().map(|&axis| left.shape()[axis] as u64).product::<u64>() * 64;
    let order = contract::right_order(axes, right.shape().rank()).concat();
    totals + ordered(left, &[batch, rows, depth].concat()) + ordered(right, &order)
}

/// What handing a result out of the program allocates.
pub(super) fn needed_out<R: Real>(x: &Tensor<R>) -> u64 {
    if each!(x, s => s.is_own()) { 0 } else { whole(x) }
}

fn elements(count: usize, dtype: DType) -> u64 {
    count as u64 * if dtype == DType::Bool { 1 } else { 4 }
}

fn whole<R: Real>(x: &Tensor<R>) -> u64 {
    elements(x.shape().size(), x.dtype())
}

/// What having the elements in row-major order allocates.
fn in_order<R: Real>(x: &Tensor<R>) -> u64 {
    if each!(x, s => s.is_packed()) { 0 } else { whole(x) }
}

/// The same where one number for all positions stays one number.
fn unless_repeated<R: Real>(x: &Tensor<R>) -> u64 {
    if each!(x, s => s.repeated().is_some()) { 0 } else { in_order(x) }
}
