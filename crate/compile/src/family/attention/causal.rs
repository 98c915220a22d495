//! Causal masks. Where a mask hides all keys beyond a query's own number, kernels skip those keys.
//!
//! The mask is found by what is computed: of a logit that is a choice between its score and a
//! number, the condition is evaluated on trial. Whether softmax makes that number 0 is asked when
//! the kernel runs, for numbers are not part of a program.
//!
//! Deferred: few programs attend.

use super::recognise::{Attention, is_loaded};
use crate::lower::coordinates::Extents;
use crate::lower::eval::Evaluator;
use weft_ir::HashMap;
use weft_ir::kernel::{BinaryOp, Expr, ExprId};
use weft_ir::op::{Op, View};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// A mask by the numbers of queries and keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Causal {
    /// How many keys beyond its own number a query sees.
    pub ahead: usize,
    /// What stands for the logits of the others: a scalar or a constant.
    pub unseen: ProgramId,
}

/// The mask of an attention that hides keys from queries by their numbers, from no query the first.
#[inline(never)]
pub fn causal(
    program: &TensorProgram,
    extents: &Extents,
    id: ProgramId,
    found: &Attention,
) -> Option<Causal> {
    let loaded = |node: ProgramId| is_loaded(program, node);
    let (reads, nothing) = (vec![1; program.nodes.len()], HashMap::default());
    let mut eval = Evaluator::new(program, &loaded, &reads, &nothing);
    let sizes = [&extents.batch, &extents.rows, &extents.reduced].map(Shape::size);
    let [batch, row, key] = sizes.map(|extent| eval.b.counter("i", extent as i64).1);
    let mut at = found.logits_at(&mut eval, extents, id, [batch, row, key]);
    let mut node = found.logits;
    while let Op::View(view) = &program[node].op {
        at = eval.behind(view, &program[node].inputs, &at);
        node = program[node].inputs[0];
    }
    let Op::Select = program[node].op else { return None };
    let [condition, then, other] = program[node].inputs[..] else { return None };
    let (unseen, hides) = match [then, other].map(|logit| number(program, logit)) {
        [Some(unseen), None] => (unseen, true),
        [None, Some(unseen)] => (unseen, false),
        _ => return None,
    };
    let condition = eval.value(condition, &at);
    let Expr::Binary(relation, left, right) = *eval.b.get(condition) else { return None };
    let [left, right] = [offset(&eval, left)?, offset(&eval, right)?];
    // As a comparison of the key with the query.
    let (relation, by) = match ((left.0, right.0), relation) {
        (pair, _) if pair == (key, row) => (relation, right.1 - left.1),
        (pair, BinaryOp::Lt) if pair == (row, key) => (BinaryOp::Gt, left.1 - right.1),
        (pair, BinaryOp::Le) if pair == (row, key) => (BinaryOp::Ge, left.1 - right.1),
        (pair, BinaryOp::Gt) if pair == (row, key) => (BinaryOp::Lt, left.1 - right.1),
        (pair, BinaryOp::Ge) if pair == (row, key) => (BinaryOp::Le, left.1 - right.1),
        _ => return None,
    };
    let last = match (relation, hides) {
        (BinaryOp::Le, false) | (BinaryOp::Gt, true) => by,
        (BinaryOp::Lt, false) | (BinaryOp::Ge, true) => by - 1,
        _ => return None,
    };
    Some(Causal { ahead: usize::try_from(last).ok()?, unseen })
}

/// The number that all elements of a node are.
fn number(program: &TensorProgram, mut node: ProgramId) -> Option<ProgramId> {
    while let Op::View(View::Reshape(_) | View::Expand(_)) = program[node].op {
        node = program[node].inputs[0];
    }
    matches!(program[node].op, Op::Constant(Literal::F32(_)) | Op::Scalar(DType::F32)).then_some(node)
}

/// What an integer is, but for a number that is added to it.
fn offset(eval: &Evaluator<'_>, id: ExprId) -> Option<(ExprId, i64)> {
    let number = |id| match *eval.b.get(id) {
        Expr::Literal(Literal::I32(number)) => Some(i64::from(number)),
        Expr::Literal(Literal::F32(number)) if number.fract() == 0.0 => Some(number as i64),
        _ => None,
    };
    match *eval.b.get(id) {
        Expr::Local(_) => Some((id, 0)),
        Expr::Cast(_, x) if matches!(eval.b.get(x), Expr::Local(_)) => Some((x, 0)),
        Expr::Binary(BinaryOp::Add, a, b) => match (number(a), number(b)) {
            (_, Some(more)) => offset(eval, a).map(|(x, by)| (x, by + more)),
            (Some(more), _) => offset(eval, b).map(|(x, by)| (x, by + more)),
            _ => None,
        },
        Expr::Binary(BinaryOp::Sub, a, b) => {
            offset(eval, a).zip(number(b)).map(|((x, by), less)| (x, by - less))
        }
        _ => None,
    }
}
