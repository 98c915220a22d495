//! Contractions that read through permutations, that run over no more axes than they must, and those that are products.

use super::rewrite::Rewriter;
use super::{Rule, table};
use weft_ir::Literal;
use weft_ir::op::{Binary, ContractAxes, Op, View};
use weft_ir::program::{ProgramId, ProgramNode};

pub(super) const RULES: &[Rule] = table![
    "contract-nothing" Bits contract_nothing,
    "contract-one-element" SignOfZero contract_one_element,
    "contract-unit-axes" Bits contract_unit_axes,
    "contract-permuted" Bits contract_permuted,
    "contract-repeated" Bits contract_repeated,
];

/// The axes of a contraction as its operands see them: the operands' numbers, ranks and free axes.
struct Parts {
    axes: ContractAxes,
    operands: [ProgramId; 2],
    free: [Vec<usize>; 2],
    depth: usize,
}

fn parts(to: &Rewriter, node: &ProgramNode) -> Option<Parts> {
    let Op::Contract(axes) = &node.op else { return None };
    let operands = [node.inputs[0], node.inputs[1]];
    let [left, right] = operands.map(|x| &to[x].shape);
    let free = [axes.left_free(left.rank()), axes.right_free(right.rank())];
    let depth = axes.contract.iter().map(|pair| left[pair.0]).product();
    Some(Parts { axes: axes.clone(), operands, free, depth })
}

/// The axis that a pair names on one side: 0 is left, 1 is right.
fn on(side: usize, pair: (usize, usize)) -> usize {
    if side == 0 { pair.0 } else { pair.1 }
}

/// A pair with the axis on one side replaced.
fn replaced(side: usize, pair: (usize, usize), axis: usize) -> (usize, usize) {
    if side == 0 { (axis, pair.1) } else { (pair.0, axis) }
}

/// `axis` once `dropped` axes are gone.
fn after_dropping(dropped: &[usize], axis: usize) -> usize {
    axis - dropped.iter().filter(|&&d| d < axis).count()
}

fn contract_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let parts = parts(to, node)?;
    (parts.depth == 0).then(|| to.constant(Literal::zero(node.dtype), &node.shape))
}

/// A contraction that sums one product is that product: an outer product, say. As elementwise work it fuses with what is around it.
fn contract_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { axes, operands, free, depth } = parts(to, node)?;
    if depth != 1 {
        return None;
    }
    let factor = |to: &mut Rewriter, side: usize| {
        let x = operands[side];
        let batch = axes.batch.iter().map(|&pair| on(side, pair));
        let contracted = axes.contract.iter().map(|&pair| on(side, pair));
        let order: Vec<usize> = batch.chain(free[side].iter().copied()).chain(contracted).collect();
        let extent = |axis: &usize| to[x].shape[*axis];
        let own: Vec<usize> = free[side].iter().map(extent).collect();
        let none = vec![1; free[1 - side].len()];
        let batch = axes.batch.iter().map(|&pair| to[x].shape[on(side, pair)]);
        let tail = if side == 0 { [own, none] } else { [none, own] };
        let aligned: Vec<usize> = batch.chain(tail.concat()).collect();
        let permuted = to.permute(x, order);
        let aligned = to.reshape(permuted, aligned.into());
        to.expand(aligned, node.shape.clone())
    };
    let (left, right) = (factor(to, 0), factor(to, 1));
    Some(to.add(Op::Binary(Binary::Mul), &[left, right]))
}

/// Contracted axes of extent 1 beside longer ones are dropped.
fn contract_unit_axes(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { mut axes, mut operands, depth, .. } = parts(to, node)?;
    let is_unit = |pair: &(usize, usize)| to[operands[0]].shape[pair.0] == 1;
    let units: Vec<(usize, usize)> = axes.contract.iter().copied().filter(is_unit).collect();
    if depth == 1 || units.is_empty() {
        return None;
    }
    axes.contract.retain(|pair| !units.contains(pair));
    for side in [0, 1] {
        let dropped: Vec<usize> = units.iter().map(|&pair| on(side, pair)).collect();
        operands[side] = to.reshape(operands[side], to[operands[side]].shape.without(&dropped));
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, after_dropping(&dropped, on(side, *pair)));
        }
    }
    Some(to.add(Op::Contract(axes), &operands))
}

/// A·Bᵀ reads B where it lies: the permutation of an operand moves into the axes, as long as that operand's free axes keep
/// their order in the result.
fn contract_permuted(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { axes, operands, free, .. } = parts(to, node)?;
    for side in [0, 1] {
        let Op::View(View::Permute(order)) = &to[operands[side]].op else { continue };
        if !free[side].iter().map(|&axis| order[axis]).is_sorted() {
            continue;
        }
        let mut axes = axes;
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, order[on(side, *pair)]);
        }
        let mut operands = operands;
        operands[side] = to[operands[side]].inputs[0];
        return Some(to.add(Op::Contract(axes), &operands));
    }
    None
}

/// A batch axis along which one operand is repeated is a free axis of the other, as long as the result's axes keep their order:
/// a stack of matrices times one matrix is one product.
fn contract_repeated(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { axes, operands, free, .. } = parts(to, node)?;
    let pair = *axes.batch.last()?;
    for side in [0, 1] {
        let Op::View(View::Expand(expanded)) = to[operands[side]].op.clone() else { continue };
        let (y, axis, other) = (to[operands[side]].inputs[0], on(side, pair), on(1 - side, pair));
        let repeated = to[y].shape[axis] == 1 && expanded[axis] > 1;
        // It comes first among the other operand's free axes; those of the left stand before those of the right.
        let first = free[1 - side].iter().all(|&axis| other < axis) && (side == 1 || free[0].is_empty());
        if !repeated || !first {
            continue;
        }
        let own = to[y].shape.without(&[axis]);
        let once = to.reshape(y, own);
        let mut operands = operands;
        operands[side] = to.expand(once, expanded.without(&[axis]));
        let mut axes = axes.clone();
        axes.batch.pop();
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, after_dropping(&[axis], on(side, *pair)));
        }
        return Some(to.add(Op::Contract(axes), &operands));
    }
    None
}
