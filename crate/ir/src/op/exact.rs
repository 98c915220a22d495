//! Differences and quotients whose exact 0 or 1 matters.
//!
//! `x − max(x)` is 0 and `x / max(x)` is 1 at the largest, if both operands have the same bits there.
//! Functions that are continuous do not show a last bit of difference, and nor does a softmax. It
//! shows in a result that is stored, which a user or a later program may compare with 0 or 1, and in
//! functions that end or have a pole there: roots, logarithms, quotients.

use super::rounding::copied;
use super::{Binary, Op, Unary};
use crate::dtype::DType;
use crate::program::{ProgramId, TensorProgram};

/// An operation and the places of its inputs, which come before it.
pub struct Step<'a> {
    /// The operation; `None` of a value that is there.
    pub op: Option<&'a Op>,
    /// The places of its inputs.
    pub inputs: Vec<usize>,
}

/// What a step is where a value meets what was selected of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum There {
    /// Nothing known.
    Any,
    /// A number that does not depend on the value.
    Number,
    Zero,
}

/// Whether an operation is a difference or a quotient of floats.
pub fn may_meet(op: &Op, dtype: DType) -> bool {
    matches!(op, Op::Binary(Binary::Sub | Binary::Div)) && dtype.is_float()
}

/// Whether a program has a difference or a quotient of what it is given: of elements of tensors.
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

/// Of the differences and quotients that `meets` names, keeps those from which an exact number comes
/// to a result, or to a function that shows it.
pub fn keep_exact(steps: &[Step], results: impl IntoIterator<Item = usize>, meets: &mut [bool]) {
    let mut there = vec![There::Any; steps.len()];
    for (n, step) in steps.iter().enumerate() {
        there[n] = match (meets[n], step.op) {
            (true, Some(Op::Binary(Binary::Sub))) => There::Zero,
            (true, _) => There::Number,
            (false, _) => number_there(steps, step, &there),
        };
    }
    let mut matters = vec![false; steps.len()];
    results.into_iter().for_each(|result| matters[result] = true);
    for (n, step) in steps.iter().enumerate().rev() {
        let shown = match step.op {
            Some(Op::Unary(Unary::Sqrt | Unary::Rsqrt | Unary::Log | Unary::ErfInv)) => Some(0),
            Some(Op::Binary(Binary::Pow)) => Some(0),
            Some(Op::Binary(Binary::Div)) => Some(1),
            _ => None,
        };
        if let Some(input) = shown {
            matters[step.inputs[input]] = true;
        }
        if matters[n] && there[n] != There::Any {
            step.inputs.iter().for_each(|&input| matters[input] = true);
        }
        meets[n] &= matters[n];
    }
}

fn number_there(steps: &[Step], step: &Step, there: &[There]) -> There {
    let of = |n: usize| there[step.inputs[n]];
    let Some(op) = step.op else { return There::Any };
    match op {
        Op::Unary(op) => match (of(0), op) {
            (There::Any, _) => There::Any,
            (
                There::Zero,
                Unary::Exp | Unary::Log | Unary::Rsqrt | Unary::Cos | Unary::Sigmoid | Unary::NormalCdf,
            ) => There::Number,
            (there, _) => there,
        },
        Op::Cast(_) => of(0),
        Op::Binary(op) if !matches!(op, Binary::Min | Binary::Max) => {
            let is_zero = match op {
                Binary::Mul => of(0).max(of(1)) == There::Zero,
                Binary::Div | Binary::Pow => of(0) == There::Zero,
                _ => of(0).min(of(1)) == There::Zero,
            };
            let is_known = |n: usize| of(n) != There::Any || is_number(steps, step.inputs[n]);
            match is_zero {
                true => There::Zero,
                false if is_known(0) && is_known(1) => of(0).max(of(1)).min(There::Number),
                false => There::Any,
            }
        }
        op => copied(op, step.inputs.len()).map(of).max().unwrap_or(There::Any),
    }
}

/// Whether every element of a step is one number that is given or written down.
fn is_number(steps: &[Step], mut place: usize) -> bool {
    while let Some(Op::View(_)) = steps[place].op {
        place = steps[place].inputs[0];
    }
    matches!(steps[place].op, Some(Op::Constant(_) | Op::Scalar(_)))
}
