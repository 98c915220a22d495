//! Differences and quotients of a value and what was selected of it, where their exact 0 or 1
//! matters.
//!
//! `x − max(x)` is 0 and `x / max(x)` is 1 at the largest, if both operands have the same bits
//! there. Functions that are continuous do not show a last bit of difference, and nor does a
//! softmax. It shows in a result that is stored, which a user or a later program may compare with 0
//! or 1, and in functions that end or have a pole there: roots, logarithms, quotients. So a
//! difference from which such a number reaches a result or one of those functions, counts as a
//! comparison.

use weft_ir::op::rounding::{copied, may_meet, selects};
use weft_ir::op::{Binary, Op, Unary, View};
use weft_ir::program::{ProgramId, TensorProgram};

/// Nodes that are looked at for what an operand was selected of.
const MOST_SOURCES: usize = 32;

/// What a node is where a value meets what was selected of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum There {
    /// Nothing known.
    Any,
    /// A number that does not depend on the value.
    Number,
    Zero,
}

/// The differences and quotients of a program that count as comparisons.
pub fn meetings(program: &TensorProgram) -> Vec<bool> {
    let mut meets = vec![false; program.nodes.len()];
    let mut any = false;
    for id in program.ids() {
        let node = &program[id];
        if may_meet(&node.op, node.dtype) {
            meets[id.index()] = meet(program, node.inputs[0], node.inputs[1]);
            any |= meets[id.index()];
        }
    }
    if any {
        keep_exact(program, &mut meets);
    }
    meets
}

/// Of differences and quotients, keeps those whose exact number matters.
fn keep_exact(program: &TensorProgram, meets: &mut [bool]) {
    let mut there = vec![There::Any; meets.len()];
    for id in program.ids() {
        there[id.index()] = match (meets[id.index()], &program[id].op) {
            (true, Op::Binary(Binary::Sub)) => There::Zero,
            (true, _) => There::Number,
            (false, _) => number_there(program, id, &there),
        };
    }
    let mut matters = vec![false; meets.len()];
    program.outputs.iter().for_each(|output| matters[output.index()] = true);
    for n in (0..meets.len()).rev() {
        let node = &program.nodes[n];
        let shown = match node.op {
            Op::Unary(op) if of_function(op).has_end => Some(0),
            Op::Binary(Binary::Pow) => Some(0),
            Op::Binary(Binary::Div) => Some(1),
            _ => None,
        };
        if let Some(input) = shown {
            matters[node.inputs[input].index()] = true;
        }
        if matters[n] && there[n] != There::Any {
            node.inputs.iter().for_each(|input| matters[input.index()] = true);
        }
        meets[n] &= matters[n];
    }
}

/// A function where its argument is an exact 0 or 1.
struct AtNumber {
    /// Whether it is 0 at 0.
    keeps_zero: bool,
    /// Whether it ends or has a pole at 0 or 1, so that a last bit shows.
    has_end: bool,
}

fn of_function(op: Unary) -> AtNumber {
    use Unary::*;
    let (keeps_zero, has_end) = match op {
        Neg | Abs | Sign | Floor | Ceil | Round | Sin | Tanh | Relu | Erf | Not | IsNan | ToHalf | OfHalf => {
            (true, false)
        }
        Sqrt | ErfInv => (true, true),
        Rsqrt | Log => (false, true),
        Exp | Cos | Sigmoid | NormalCdf => (false, false),
    };
    AtNumber { keeps_zero, has_end }
}

fn number_there(program: &TensorProgram, id: ProgramId, there: &[There]) -> There {
    let node = &program[id];
    let of = |n: usize| there[node.inputs[n].index()];
    match &node.op {
        Op::Unary(op) => match of(0) {
            There::Zero if !of_function(*op).keeps_zero => There::Number,
            there => there,
        },
        Op::Cast(_) => of(0),
        Op::Binary(op) if !matches!(op, Binary::Min | Binary::Max) => {
            let is_zero = match op {
                Binary::Mul => of(0).max(of(1)) == There::Zero,
                Binary::Div | Binary::Pow => of(0) == There::Zero,
                _ => of(0).min(of(1)) == There::Zero,
            };
            let is_known = |n: usize| of(n) != There::Any || is_number(program, node.inputs[n]);
            match is_zero {
                true => There::Zero,
                false if is_known(0) && is_known(1) => of(0).max(of(1)).min(There::Number),
                false => There::Any,
            }
        }
        op => copied(op, node.inputs.len()).map(of).max().unwrap_or(There::Any),
    }
}

/// Whether every element of a node is one number that is given or written down.
fn is_number(program: &TensorProgram, mut id: ProgramId) -> bool {
    while let Op::View(_) = program[id].op {
        id = program[id].inputs[0];
    }
    matches!(program[id].op, Op::Constant(_) | Op::Scalar(_))
}

/// Whether both operands have elements of one value, and one operand selects them; or whether both
/// are made of such operands by the same operations.
fn meet(program: &TensorProgram, a: ProgramId, b: ProgramId) -> bool {
    let (of_a, of_b) = (sources(program, a), sources(program, b));
    let is_made_alike = |p: ProgramId, q: ProgramId| {
        let (x, y) = (&program[p], &program[q]);
        if p == q || !matches!(x.op, Op::Binary(_)) || x.op != y.op {
            return false;
        }
        let [first, second] =
            [0, 1].map(|n| shared(program, &sources(program, x.inputs[n]), &sources(program, y.inputs[n])));
        first.min(second) != Shared::Nothing && first.max(second) == Shared::Selected
    };
    shared(program, &of_a, &of_b) == Shared::Selected
        || of_a.iter().any(|p| of_b.iter().any(|q| is_made_alike(p.0, q.0)))
}

/// What the sources of two operands have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Nothing,
    /// A value at the same coordinates, or one that is given.
    Alike,
    /// A value that one of them was selected of.
    Selected,
}

fn shared(program: &TensorProgram, a: &[Source], b: &[Source]) -> Shared {
    let mut most = Shared::Nothing;
    for &(p, selected) in a {
        for &(_, other) in b.iter().filter(|of| of.0 == p) {
            let is_selected = (selected || other) && !program[p].op.is_leaf();
            most = most.max(if is_selected { Shared::Selected } else { Shared::Alike });
        }
    }
    most
}

/// A value that elements were copied from, and whether they were selected of it.
type Source = (ProgramId, bool);

/// What the elements of a node were copied from, itself first.
fn sources(program: &TensorProgram, id: ProgramId) -> Vec<Source> {
    let mut found = vec![(id, false)];
    let mut next = 0;
    while next < found.len() && found.len() < MOST_SOURCES {
        let (id, selected) = found[next];
        next += 1;
        let node = &program[id];
        let is_selected = selected
            || selects(&node.op)
            || matches!(&node.op, Op::View(View::Expand(shape)) if *shape != program[node.inputs[0]].shape);
        let copied = &node.inputs[copied(&node.op, node.inputs.len())];
        found.extend(copied.iter().map(|&input| (input, is_selected)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_ir::DType;
    use weft_ir::functions::{Element, unary};
    use weft_ir::op::infer::unary_result;

    #[test]
    fn functions_that_keep_zero_do() {
        for op in Unary::ALL.into_iter().filter(|&op| unary_result(op, DType::F32).is_some()) {
            let is_zero = unary(op, Element::F32(0.0)).to_f64() == 0.0;
            assert_eq!(of_function(op).keeps_zero, is_zero, "{op:?}");
        }
    }
}
