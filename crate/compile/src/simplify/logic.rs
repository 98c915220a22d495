//! Truth, bits, order and dtypes: selections that are decided, comparisons that are known,
//! conversions that lose nothing.

use super::algebra::with_constant;
use super::rewrite::Rewriter;
use super::{Rule, table};
use weft_ir::op::{Binary, Compare, Op, ReduceOp, Unary};
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{DType, Literal};

pub(super) const RULES: &[Rule] = table![
    "decided-select" Bits decided_select,
    "select-of-equals" Bits select_of_equals,
    "select-by-not" Bits select_by_not,
    "select-one-or-zero" Bits select_one_or_zero,
    "combine-with-itself" Bits combine_with_itself,
    "combine-with-neutral" Bits combine_with_neutral,
    "combine-with-absorbing" Bits combine_with_absorbing,
    "exclusive-or" Bits exclusive_or,
    "shift-by-zero" Bits shift_by_zero,
    "not-of-comparison" Bits not_of_comparison,
    "compare-with-itself" Bits compare_with_itself,
    "compare-truth" Bits compare_truth,
    "cast-to-own-dtype" Bits cast_to_own_dtype,
    "cast-of-cast" Bits cast_of_cast,
    "bitcast-between-integers" Bits bitcast_between_integers,
    "bitcast-of-bitcast" Bits bitcast_of_bitcast,
];

fn decided_select(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::Select, &[condition, a, b]) = (&node.op, &node.inputs[..]) else { return None };
    let Literal::Bool(condition) = to.uniform(condition)? else { return None };
    Some(if condition { a } else { b })
}

fn select_of_equals(_: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    (node.op == Op::Select && node.inputs[1] == node.inputs[2]).then(|| node.inputs[1])
}

fn select_by_not(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::Select, &[condition, a, b]) = (&node.op, &node.inputs[..]) else { return None };
    if to[condition].op != Op::Unary(Unary::Not) {
        return None;
    }
    let condition = to[condition].inputs[0];
    Some(to.add(Op::Select, &[condition, b, a]))
}

/// `select(c, 1, 0)` is a cast of c; of two truths it is c or its opposite.
fn select_one_or_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::Select, &[condition, a, b]) = (&node.op, &node.inputs[..]) else { return None };
    let (one, zero) = (Literal::one(node.dtype), Literal::zero(node.dtype));
    match (to.uniform(a)?, to.uniform(b)?) {
        (x, y) if (x, y) == (one, zero) && node.dtype == DType::Bool => Some(condition),
        (x, y) if (x, y) == (one, zero) => Some(to.add(Op::Cast(node.dtype), &[condition])),
        (x, y) if (x, y) == (zero, one) && node.dtype == DType::Bool => {
            Some(to.add(Op::Unary(Unary::Not), &[condition]))
        }
        _ => None,
    }
}

/// The smaller or larger of x and x, and x ∧ x, x ∨ x.
fn combine_with_itself(_: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(Binary::Min | Binary::Max | Binary::And | Binary::Or) = node.op else { return None };
    (node.inputs[0] == node.inputs[1]).then(|| node.inputs[0])
}

fn all_bits(dtype: DType) -> Literal {
    Literal::from_bits(dtype, u32::MAX)
}

/// The value that changes nothing in x ∘ value, and the one that x does not change.
fn neutral_and_absorbing(op: Binary, dtype: DType) -> Option<(Literal, Literal)> {
    let (low, high) = (ReduceOp::Max.identity(dtype), ReduceOp::Min.identity(dtype));
    Some(match op {
        Binary::Min => (high, low),
        Binary::Max => (low, high),
        Binary::And => (all_bits(dtype), Literal::zero(dtype)),
        Binary::Or => (Literal::zero(dtype), all_bits(dtype)),
        _ => return None,
    })
}

fn combine_with_neutral(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(op) = node.op else { return None };
    let (neutral, _) = neutral_and_absorbing(op, node.dtype)?;
    let (a, b) = (node.inputs[0], node.inputs[1]);
    if to.uniform(b) == Some(neutral) {
        return Some(a);
    }
    (to.uniform(a) == Some(neutral)).then_some(b)
}

/// Not for floats: NaN is smaller and larger than the infinities.
fn combine_with_absorbing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(op) = node.op else { return None };
    let (_, absorbing) = neutral_and_absorbing(op, node.dtype)?;
    let (_, constant) = with_constant(to, node, op)?;
    (node.dtype != DType::F32 && constant == absorbing).then(|| to.constant(absorbing, &node.shape))
}

/// x ⊻ x, x ⊻ 0 and x ⊻ (all bits).
fn exclusive_or(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if node.op != Op::Binary(Binary::Xor) {
        return None;
    }
    if node.inputs[0] == node.inputs[1] {
        return Some(to.constant(Literal::zero(node.dtype), &node.shape));
    }
    match with_constant(to, node, Binary::Xor)? {
        (x, c) if c == Literal::zero(node.dtype) => Some(x),
        (x, c) if c == all_bits(node.dtype) => Some(to.add(Op::Unary(Unary::Not), &[x])),
        _ => None,
    }
}

fn shift_by_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(op @ (Binary::Shl | Binary::Shr)) = node.op else { return None };
    let (x, constant) = with_constant(to, node, op)?;
    (constant.bits() == 0).then_some(x)
}

/// ¬(a = b) is a ≠ b. The opposite of an order is another order only where there is no NaN.
fn not_of_comparison(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if node.op != Op::Unary(Unary::Not) {
        return None;
    }
    let Op::Compare(compare) = to[node.inputs[0]].op else { return None };
    let inputs = to[node.inputs[0]].inputs.clone();
    let opposite = match compare {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        _ if to[inputs[0]].dtype == DType::F32 => return None,
        Compare::Lt => Compare::Ge,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Ge => Compare::Lt,
    };
    Some(to.add(Op::Compare(opposite), &inputs))
}

/// Not for floats: NaN is not equal to itself.
fn compare_with_itself(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Compare(compare) = node.op else { return None };
    if node.inputs[0] != node.inputs[1] || to[node.inputs[0]].dtype == DType::F32 {
        return None;
    }
    let truth = matches!(compare, Compare::Eq | Compare::Le | Compare::Ge);
    Some(to.constant(Literal::Bool(truth), &node.shape))
}

/// A truth, or a number made of one, compared with a constant.
fn compare_truth(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::Compare(compare), &[a, b]) = (&node.op, &node.inputs[..]) else { return None };
    let constant = to.uniform(b)?;
    let truth = match to[a].op {
        _ if to[a].dtype == DType::Bool => a,
        Op::Cast(_) if to[to[a].inputs[0]].dtype == DType::Bool => to[a].inputs[0],
        _ => return None,
    };
    let of = |truth: bool| {
        let element = weft_ir::functions::Element::<f32>::from_literal;
        let number = Literal::from_f64(constant.dtype(), f64::from(u8::from(truth)));
        weft_ir::functions::compare(*compare, element(number), element(constant))
    };
    Some(match (of(true), of(false)) {
        (true, false) => truth,
        (false, true) => to.add(Op::Unary(Unary::Not), &[truth]),
        (always, _) => to.constant(Literal::Bool(always), &node.shape),
    })
}

fn cast_to_own_dtype(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (Op::Cast(dtype) | Op::Bitcast(dtype)) = node.op else { return None };
    (to[node.inputs[0]].dtype == dtype).then(|| node.inputs[0])
}

/// A cast by way of a dtype that loses nothing that the last one keeps.
fn cast_of_cast(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    use DType::{Bool, F32, I32, U32};
    let Op::Cast(last) = node.op else { return None };
    let Op::Cast(middle) = to[node.inputs[0]].op else { return None };
    let x = to[node.inputs[0]].inputs[0];
    let same = match (to[x].dtype, middle, last) {
        (Bool, _, _) => true,
        // Integers keep their bits in each other, and what is not zero is zero in no dtype.
        (I32, U32, I32) | (U32, I32, U32) => true,
        (I32 | U32, F32 | I32 | U32, Bool) => true,
        _ => false,
    };
    same.then(|| to.add(Op::Cast(last), &[x]))
}

fn bitcast_between_integers(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Bitcast(dtype) = node.op else { return None };
    let x = node.inputs[0];
    (dtype.is_integer() && to[x].dtype.is_integer()).then(|| to.add(Op::Cast(dtype), &[x]))
}

fn bitcast_of_bitcast(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Bitcast(dtype) = node.op else { return None };
    let Op::Bitcast(_) = to[node.inputs[0]].op else { return None };
    let x = to[node.inputs[0]].inputs[0];
    Some(to.add(Op::Bitcast(dtype), &[x]))
}
