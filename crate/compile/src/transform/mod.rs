//! Programs made from programs: gradients against and along the direction of computation, and many
//! runs as one.
//!
//! One rule per primitive and transformation, written in the vocabulary of [`weft_ir::build`], so
//! that the same rule serves the live graph (what eager transforms trace) and tensor programs (what
//! loops and branches hold). Rules emit primitives only: what they emit can be transformed again,
//! in any order. Passes are iterative and linear in the number of nodes between inputs and outputs;
//! nodes older than every input, and nodes no input leads to, are not visited.
//!
//! | | live graph | program |
//! |---|---|---|
//! | cotangents of inputs from those of outputs | [`vjp`] | [`program::reverse`] |
//! | tangents of outputs from those of inputs | [`jvp`] | [`program::forward`] |
//! | every member of a batch at once | [`vmap`] | [`program::batch`] |

mod batch;
mod checkpoints;
mod control_flow;
mod custom;
mod forward;
mod inline_custom;
pub mod kernel;
pub mod program;
mod reverse;
mod reverse_cache;
mod scan;
mod segment;

pub use reverse_cache::ReverseCache;

use batch::Item;
use weft_ir::build::{Build, LiveBuilder, Ref};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::{Error, ErrorKind, Result};

/// The gradients of `Σ outputs[i] · cotangents[i]` with respect to each of `wrt`, which are usually
/// `Op::Mark` nodes.
///
/// Derivatives are f32, of f16 too. The caller holds handles to every node it passes, and gets one
/// to each result: a node of the shape of its `wrt`, a zero where nothing connects the two. A node
/// of `wrt` that depends on another passes the gradient on to it. Values stored beside their
/// definitions do not cut the gradient. Everything else that was made on the way is released, also
/// on error.
///
/// Errors with `Trace` when the lengths differ, with `DType` when an output or a node of `wrt` is
/// not f32, and with `Shape` when a cotangent is not shaped as its output.
pub fn vjp(
    graph: &mut Graph,
    outputs: &[NodeId],
    cotangents: &[NodeId],
    wrt: &[NodeId],
) -> Result<Vec<NodeId>> {
    expect_pullable(graph, outputs, cotangents, wrt)?;
    pulled(graph, outputs, cotangents, wrt)
}

/// As [`vjp`] of what was checked.
fn pulled(
    graph: &mut Graph,
    outputs: &[NodeId],
    cotangents: &[NodeId],
    wrt: &[NodeId],
) -> Result<Vec<NodeId>> {
    let mut emit = LiveBuilder::new(graph);
    let pulled = reverse::pull(&mut emit, &refs(outputs), &refs(cotangents), &refs(wrt), control_flow::pull)?;
    let pulled = or_zeros(&mut emit, &pulled, &refs(wrt))?;
    Ok(kept(&mut emit, &pulled))
}

/// The tangents of `outputs`, where those of `wrt`, which are usually `Op::Mark` nodes, are
/// `tangents`: the derivative in that direction. Handles, zeros and stored values are as with
/// [`vjp`]; an output that is not f32 has a tangent of f32 zeros.
///
/// Errors with `Trace` when the lengths differ, with `DType` when a node of `wrt` is not f32, and
/// with `Shape` when a tangent is not shaped as its input.
pub fn jvp(
    graph: &mut Graph,
    outputs: &[NodeId],
    wrt: &[NodeId],
    tangents: &[NodeId],
) -> Result<Vec<NodeId>> {
    expect_floats(graph, "jvp", "an input", wrt)?;
    expect_like(graph, "jvp", ("inputs", "tangents"), wrt, tangents)?;
    let mut emit = LiveBuilder::new(graph);
    let (pushed, _) =
        forward::push(&mut emit, &refs(outputs), &refs(wrt), &refs(tangents), control_flow::push)?;
    let pushed = or_zeros(&mut emit, &pushed, &refs(outputs))?;
    Ok(kept(&mut emit, &pushed))
}

/// `outputs` for every member of a batch of `size`: each of `from` stands for the member's part of
/// its counterpart in `to`, which has the members along a new first axis. Says of each result
/// whether it has that axis; one that does not depend on `from` has not, and is the output itself.
///
/// The caller holds handles to every node it passes, and gets one to each result.
///
/// Errors with `Trace` when the lengths differ, with `Shape` or `DType` when a node of `to` does
/// not fit, and with `Shape` when a batch of something has more elements than a tensor can have.
pub fn vmap(
    graph: &mut Graph,
    outputs: &[NodeId],
    from: &[NodeId],
    to: &[NodeId],
    size: usize,
) -> Result<Vec<(NodeId, bool)>> {
    let wide: Vec<Vec<usize>> = from.iter().map(|&x| [&[size], &graph[x].shape[..]].concat()).collect();
    let fits = |(wide, (&from, &to)): (&Vec<usize>, (&NodeId, &NodeId))| {
        graph[to].shape[..] == wide[..] && graph[to].dtype == graph[from].dtype
    };
    if from.len() != to.len() || !wide.iter().zip(from.iter().zip(to)).all(fits) {
        return Err(Error::shape("vmap", "each input needs a batch of what stands for it"));
    }
    let to: Vec<Item> = refs(to).into_iter().map(|x| Item { x, batched: true }).collect();
    let mut emit = LiveBuilder::new(graph);
    let found = batch::carry(&mut emit, &refs(outputs), &refs(from), &to, size, control_flow::batch)?;
    Ok(found.into_iter().map(|item| (emit.keep(item.x), item.batched)).collect())
}

/// `outputs` with each of `from` exchanged for its counterpart in `to`, of the same shape and
/// dtype. Handles are as with [`vmap`].
pub fn substitute(
    graph: &mut Graph,
    outputs: &[NodeId],
    from: &[NodeId],
    to: &[NodeId],
) -> Result<Vec<NodeId>> {
    expect_like(graph, "linearize", ("inputs", "arguments"), from, to)?;
    let to: Vec<Item> = refs(to).into_iter().map(|x| Item { x, batched: false }).collect();
    let mut emit = LiveBuilder::new(graph);
    let found = batch::carry(&mut emit, &refs(outputs), &refs(from), &to, 1, control_flow::batch)?;
    Ok(found.into_iter().map(|item| emit.keep(item.x)).collect())
}

fn refs(ids: &[NodeId]) -> Vec<Ref> {
    ids.iter().map(|id| Ref(id.0)).collect()
}

fn kept(emit: &mut LiveBuilder, found: &[Ref]) -> Vec<NodeId> {
    found.iter().map(|&x| emit.keep(x)).collect()
}

/// Each derivative, or zeros shaped as what it belongs to.
fn or_zeros(emit: &mut dyn Build, found: &[Option<Ref>], of: &[Ref]) -> Result<Vec<Ref>> {
    let mut all = Vec::with_capacity(of.len());
    for (found, &x) in found.iter().zip(of) {
        all.push(match *found {
            Some(found) => found,
            None => {
                let shape = emit.shape(x);
                emit.full(weft_ir::Literal::F32(0.0), &shape)?
            }
        });
    }
    Ok(all)
}

fn expect_pullable(graph: &Graph, outputs: &[NodeId], cotangents: &[NodeId], wrt: &[NodeId]) -> Result<()> {
    expect_floats(graph, "vjp", "an output", outputs)?;
    expect_floats(graph, "vjp", "an input", wrt)?;
    expect_like(graph, "vjp", ("outputs", "cotangents"), outputs, cotangents)
}

fn expect_floats(graph: &Graph, op: &str, what: &str, ids: &[NodeId]) -> Result<()> {
    match ids.iter().map(|&x| graph[x].dtype).find(|dtype| !dtype.is_float()) {
        Some(dtype) => Err(Error::dtype(op, format!("{what} is {dtype}; only f32 and f16 have gradients"))),
        None => Ok(()),
    }
}

/// Each of `derivatives` must have the shape of its counterpart and the dtype of it, or that in
/// which it is computed.
fn expect_like(
    graph: &Graph,
    op: &str,
    names: (&str, &str),
    ids: &[NodeId],
    derivatives: &[NodeId],
) -> Result<()> {
    if ids.len() != derivatives.len() {
        let what = format!("{} {}, but {} {}", ids.len(), names.0, derivatives.len(), names.1);
        return Err(Error::new(ErrorKind::Trace, op, what));
    }
    for (&x, &d) in ids.iter().zip(derivatives) {
        let (x, d) = (&graph[x], &graph[d]);
        if d.dtype != x.dtype && d.dtype != x.dtype.computed() {
            return Err(Error::dtype(
                op,
                format!("one of the {} is {}, expected {}", names.1, d.dtype, x.dtype),
            ));
        }
        if d.shape != x.shape {
            return Err(Error::shape(
                op,
                format!("one of the {} is {}, expected {}", names.1, d.shape, x.shape),
            ));
        }
    }
    Ok(())
}
