//! Nodes whose value is known: elementwise functions of constants, and tensors without elements.

use super::rewrite::Rewriter;
use super::{Rule, table};
use weft_ir::Literal;
use weft_ir::functions::{self, Element};
use weft_ir::op::Op;
use weft_ir::program::{ProgramId, ProgramNode};

pub(super) const RULES: &[Rule] = table![
    "nothing-to-compute" Bits nothing,
    "fold-constants" Bits fold,
];

/// A tensor without elements is any other of its shape.
fn nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if node.shape.size() > 0 {
        return None;
    }
    let empty = to.constant(Literal::zero(node.dtype), &node.shape);
    // This very form is what is left of it.
    (to[empty].op != node.op || to[empty].inputs != node.inputs).then_some(empty)
}

/// f(c) where f is elementwise and every input is one constant throughout.
fn fold(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if !node.op.is_elementwise() {
        return None;
    }
    let constants: Option<Vec<Element<f32>>> =
        node.inputs.iter().map(|&i| to.uniform(i).map(Element::from_literal)).collect();
    let value = match (&node.op, &constants?[..]) {
        (Op::Unary(op), &[x]) => functions::unary(*op, x),
        (Op::Binary(op), &[a, b]) => functions::binary(*op, a, b),
        (Op::Compare(op), &[a, b]) => Element::Bool(functions::compare(*op, a, b)),
        (Op::Select, &[condition, a, b]) => {
            if condition == Element::Bool(true) {
                a
            } else {
                b
            }
        }
        (Op::Cast(dtype), &[x]) => functions::cast(*dtype, x),
        (Op::Bitcast(dtype), &[x]) => functions::bitcast(*dtype, x),
        _ => return None,
    };
    Some(to.constant(value.to_literal(), &node.shape))
}
