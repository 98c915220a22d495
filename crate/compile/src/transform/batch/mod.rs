//! Batching: the values of nodes for all members of a batch at once.
//!
//! A batched node has the members along its first axis. Nodes that no batched one leads to stay as
//! they are, and so are computed once for all; a rule gives a node of which at least one input is
//! batched. A product with a weight that members share stays one product.
//!
//! Deferred: few programs call `vmap`.

mod contract;
mod conv;
mod index;
mod view;

use super::segment::{Mode, segment};
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Op, ReduceOp, Scan, region};
use weft_ir::{HashMap, Literal, Result};

/// A node, and whether it has the members along its first axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub x: Ref,
    pub batched: bool,
}

/// What gives the results of a region of which at least one input is batched: the passes are given
/// it, because it transforms the programs that the region holds, by these passes.
pub(super) type OfRegion = fn(&mut dyn Build, &Op, &[Item], usize) -> Result<Vec<Item>>;

/// `outputs` made from `to` as they are made from `from`. Items of `to` that are not batched are
/// exchanged for what they stand for.
pub(super) fn carry(
    emit: &mut dyn Build,
    outputs: &[Ref],
    from: &[Ref],
    to: &[Item],
    size: usize,
    of_region: OfRegion,
) -> Result<Vec<Item>> {
    let mut known: HashMap<Ref, Item> = from.iter().copied().zip(to.iter().copied()).collect();
    let itself = |x: Ref| Item { x, batched: false };
    // The results of regions.
    let mut parts: HashMap<Ref, Vec<Item>> = HashMap::default();
    for node in segment(emit, outputs, from, Mode::Value).order {
        if known.contains_key(&node) {
            continue;
        }
        let (op, inputs) = emit.definition(node);
        emit.set_site(emit.site(node));
        let items: Vec<Item> = inputs.iter().map(|&i| known.get(&i).copied().unwrap_or(itself(i))).collect();
        let item = if let Op::Part { index, .. } = op {
            match parts.get(&inputs[0]) {
                Some(parts) => parts[index],
                None => itself(emit.op(op, &[items[0].x])?),
            }
        } else if matches!(op, Op::Mark(_)) {
            // The transform it served has closed.
            items[0]
        } else if region::is_region(&op) && items.iter().any(|item| item.batched) {
            parts.insert(node, of_region(emit, &op, &items, size)?);
            continue;
        } else if size == 0 && items.iter().any(|item| item.batched) {
            // Of no members there is nothing to compute. A rule may divide by how many there are.
            let shape = [&[0], &emit.shape(node)[..]].concat().into();
            Item { x: emit.full(Literal::zero(emit.dtype(node)), &shape)?, batched: true }
        } else if items.iter().any(|item| item.batched) {
            Item { x: rule(emit, &op, &items, size)?, batched: true }
        } else {
            let inputs: Vec<Ref> = items.iter().map(|item| item.x).collect();
            itself(emit.op(op, &inputs)?)
        };
        known.insert(node, item);
    }
    Ok(outputs.iter().map(|&y| known.get(&y).copied().unwrap_or(itself(y))).collect())
}

/// The one place that says which rule belongs to which primitive.
fn rule(emit: &mut dyn Build, op: &Op, items: &[Item], size: usize) -> Result<Ref> {
    match op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Cast(_)
        | Op::Bitcast(_)
        | Op::Mark(_)
        | Op::Detach
        | Op::Cut
        | Op::Buffer(..)
        | Op::Scalar(_)
        | Op::Constant(_)
        | Op::Iota { .. }
        | Op::Loop(_)
        | Op::Branch(_)
        | Op::Custom(_)
        | Op::Kernel(_)
        | Op::Part { .. } => {
            let inputs = items.iter().map(|&item| whole(emit, item, size)).collect::<Result<Vec<_>>>()?;
            emit.op(op.clone(), &inputs)
        }
        Op::Reduce { op, axes } => {
            let axes: Vec<usize> = axes.iter().map(|a| a + 1).collect();
            emit.reduce(*op, items[0].x, &axes)
        }
        Op::View(view) => view::view(emit, view, items, size),
        Op::Contract(axes) => contract::contract(emit, axes, items[0], items[1]),
        Op::Conv(it) => conv::conv(emit, it, items[0], items[1], size),
        Op::Gather { axis } => index::gather(emit, *axis, items[0], items[1]),
        Op::Scan(scan) => emit.op(Op::Scan(Scan { axis: scan.axis + 1, ..*scan }), &[items[0].x]),
        Op::ArgSort { axis, bits } => emit.op(Op::ArgSort { axis: axis + 1, bits: *bits }, &[items[0].x]),
        Op::Fourier { parts, axis } => {
            // All members have one table.
            let twiddles = match items[1].batched {
                true => emit.reduce(ReduceOp::Max, items[1].x, &[0])?,
                false => items[1].x,
            };
            let x = whole(emit, items[0], size)?;
            emit.op(Op::Fourier { parts: parts + 1, axis: axis + 1 }, &[x, twiddles])
        }
        Op::Scatter { axis, op } => index::scatter(emit, *axis, *op, items, size),
    }
}

/// A node with the members along its first axis, repeated if they share it.
pub(super) fn whole(emit: &mut dyn Build, item: Item, size: usize) -> Result<Ref> {
    if item.batched {
        return Ok(item.x);
    }
    let shape = emit.shape(item.x);
    let aligned = emit.reshape(item.x, &[&[1], &shape[..]].concat().into())?;
    emit.expand(aligned, &[&[size], &shape[..]].concat().into())
}
