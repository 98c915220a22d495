//! Scans and sorts of nothing and of one element, and long scans as short ones (reduce-then-scan:
//! D. Merrill and A. Grimshaw, "Parallel Scan for Stream Architectures", 2009): what each block
//! gives, those scanned in the same way, and each block scanned onto what came before it. It reads
//! twice what it writes once, and no kernel waits for a neighbouring workgroup.

use super::rewrite::Rewriter;
use super::{Rule, table};
use crate::limits::LONGEST_WALK;
use weft_ir::op::{Binary, Coefficient, Op, ReduceOp, Scan, View};
use weft_ir::program::{ProgramId, ProgramNode};

pub(super) const RULES: &[Rule] = table![
    "line-of-nothing" Bits line_of_nothing,
    "line-of-one-element" SignOfZero line_of_one_element,
    "scan-in-blocks" Rounding scan_in_blocks,
];

/// Elements of a block: what a workgroup holds.
const BLOCK: usize = 2048;
/// Elements of a block where lines lie side by side and few would be at work otherwise.
const SHORT_BLOCK: usize = 256;

fn line_of_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    (node.shape.size() == 0).then(|| to.number(0.0, node.dtype, &node.shape))
}

fn line_of_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    match node.op {
        Op::Scan(scan) if scan.exclusive && scan.block.min(node.shape[scan.axis]) == 1 => {
            Some(to.constant(scan.op.identity(node.dtype), &node.shape))
        }
        Op::Scan(scan) if scan.block.min(node.shape[scan.axis]) == 1 => Some(node.inputs[0]),
        Op::Fourier { axis, .. } if node.shape[axis] == 1 => Some(node.inputs[0]),
        Op::ArgSort { axis, .. } if node.shape[axis] == 1 => Some(to.number(0.0, node.dtype, &node.shape)),
        _ => None,
    }
}

/// Elements of the blocks that a line should be cut into.
fn block_of(before: usize, extent: usize, after: usize, many: usize) -> usize {
    let lines = before * after;
    if after == 1 {
        BLOCK
    } else if lines >= many {
        LONGEST_WALK
    } else if lines * extent.div_ceil(BLOCK) >= many || extent <= 4 * SHORT_BLOCK {
        BLOCK
    } else {
        SHORT_BLOCK
    }
}

/// Deferred: few programs scan.
fn scan_in_blocks(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Scan(scan) = node.op else { return None };
    let (axis, x) = (scan.axis, node.inputs[0]);
    let (outer, extent, inner) = (&node.shape[..axis], node.shape[axis], &node.shape[axis + 1..]);
    let many = to.limits.model.rules.many_lines;
    let block = block_of(outer.iter().product(), extent, inner.iter().product(), many);
    if scan.block < extent || extent <= block {
        return None;
    }
    let blocks = extent.div_ceil(block);
    let shaped = |more: &[usize]| [outer, more, inner].concat();
    let nowhere = vec![Coefficient::Const(0); node.shape.rank()];
    let mut whole = x;
    if blocks * block > extent {
        let (low, interior) = (nowhere.clone(), vec![0; node.shape.rank()]);
        let (shape, value) = (shaped(&[blocks * block]).into(), scan.op.identity(node.dtype));
        whole = to.add(Op::View(View::Pad { low, interior, shape, value }), &[whole]);
    }
    let rows = to.reshape(whole, shaped(&[blocks, block]).into());
    let totals = to.add(Op::Reduce { op: scan.op, axes: vec![axis + 1] }, &[rows]);
    let before = to.add(Op::Scan(Scan { exclusive: true, block: blocks, ..scan }), &[totals]);
    let before = to.reshape(before, shaped(&[blocks, 1]).into());
    let before = to.expand(before, shaped(&[blocks, block]).into());
    let mut before = to.reshape(before, shaped(&[blocks * block]).into());
    if blocks * block > extent {
        let steps = vec![1; node.shape.rank()];
        let view = View::Slice { starts: nowhere, steps, lengths: node.shape.to_vec() };
        before = to.add(Op::View(view), &[before]);
    }
    let within = to.add(Op::Scan(Scan { block, ..scan }), &[x]);
    let binary = match scan.op {
        ReduceOp::Sum => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Max | ReduceOp::ArgMax => Binary::Max,
        ReduceOp::Min | ReduceOp::ArgMin => Binary::Min,
    };
    Some(to.add(Op::Binary(binary), &[before, within]))
}
