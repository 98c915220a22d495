//! Reverse-mode differentiation, graph → graph: what is the gradient of these nodes with respect to those?
//!
//! One rule per primitive (Griewank & Walther, *Evaluating Derivatives*, §3.2: adjoints pulled back in reverse order). Rules emit
//! primitives only, so that what they emit can be differentiated again. The pass is iterative and linear in the number
//! of nodes between outputs and inputs; nodes older than every input, and nodes no input leads to, are not visited.

mod contract;
mod elementwise;
mod emit;
mod index;
mod reduce;
mod view;

use emit::Emit;
use std::collections::{HashMap, HashSet};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::Op;
use weft_ir::{DType, Error, ErrorKind, Result};

/// The gradients of `Σ outputs[i] · cotangents[i]` with respect to each of `wrt`, which are usually `Op::Mark` nodes.
///
/// The caller holds handles to every node it passes, and gets one to each result: a node of the shape of its `wrt`, a
/// zero where nothing connects the two. A node of `wrt` that depends on another passes the gradient on to it. Values stored beside
/// their definitions do not cut the gradient. Everything else that was made on the way is released, also on error.
///
/// Errors with `Trace` when the lengths differ, with `DType` when an output or a node of `wrt` is not f32, and with `Shape` when a
/// cotangent is not shaped as its output.
pub fn vjp(
    graph: &mut Graph,
    outputs: &[NodeId],
    cotangents: &[NodeId],
    wrt: &[NodeId],
) -> Result<Vec<NodeId>> {
    check(graph, outputs, cotangents, wrt)?;
    let path = path(graph, outputs, wrt);
    let mut emit = Emit::new(graph);
    let mut gathered: HashMap<NodeId, NodeId> = HashMap::new();
    for (&output, &cotangent) in outputs.iter().zip(cotangents) {
        if path.leads.contains(&output) {
            accumulate(&mut emit, &mut gathered, output, cotangent)?;
        }
    }
    for &node in path.order.iter().rev() {
        let Some(&cotangent) = gathered.get(&node) else { continue };
        let definition = &emit.graph()[node];
        let (op, inputs) = (definition.op.clone(), definition.inputs.clone());
        let wanted: Vec<bool> = inputs.iter().map(|i| path.leads.contains(i)).collect();
        if !wanted.contains(&true) {
            continue;
        }
        let step = Step { node, op: &op, inputs: &inputs, cotangent, wanted: &wanted };
        for (i, pulled) in step.pull(&mut emit)?.into_iter().enumerate() {
            if let Some(pulled) = pulled.filter(|_| wanted[i]) {
                accumulate(&mut emit, &mut gathered, inputs[i], pulled)?;
            }
        }
    }
    let mut results = Vec::with_capacity(wrt.len());
    for node in wrt {
        results.push(match gathered.get(node) {
            Some(&gradient) => gradient,
            None => emit.like(*node, 0.0)?,
        });
    }
    Ok(results.into_iter().map(|id| emit.keep(id)).collect())
}

fn check(graph: &Graph, outputs: &[NodeId], cotangents: &[NodeId], wrt: &[NodeId]) -> Result<()> {
    if outputs.len() != cotangents.len() {
        return Err(Error::new(
            ErrorKind::Trace,
            "vjp",
            format!("{} outputs, but {} cotangents", outputs.len(), cotangents.len()),
        ));
    }
    for (&output, &cotangent) in outputs.iter().zip(cotangents) {
        let (y, g) = (&graph[output], &graph[cotangent]);
        if y.dtype != DType::F32 || g.dtype != DType::F32 {
            return Err(Error::dtype(
                "vjp",
                format!("an output is {} and its cotangent {}; only f32 has gradients", y.dtype, g.dtype),
            ));
        }
        if y.shape != g.shape {
            return Err(Error::shape("vjp", format!("an output is {}, its cotangent {}", y.shape, g.shape)));
        }
    }
    match wrt.iter().map(|&x| graph[x].dtype).find(|&dtype| dtype != DType::F32) {
        Some(dtype) => Err(Error::dtype("vjp", format!("an input is {dtype}; only f32 has gradients"))),
        None => Ok(()),
    }
}

/// The nodes between outputs and inputs.
struct Path {
    /// Those through which a gradient flows from an output to an input, both included, oldest first.
    order: Vec<NodeId>,
    /// The same as a set.
    leads: HashSet<NodeId>,
}

fn path(graph: &Graph, outputs: &[NodeId], wrt: &[NodeId]) -> Path {
    let mut path = Path { order: Vec::new(), leads: HashSet::new() };
    let Some(oldest) = wrt.iter().map(|&x| graph[x].sequence).min() else { return path };
    let sources: HashSet<NodeId> = wrt.iter().copied().collect();
    for id in graph.closure(outputs, |node| node.sequence > oldest) {
        let node = &graph[id];
        let flows = node.dtype == DType::F32 && node.op != Op::Detach;
        if sources.contains(&id) || (flows && node.inputs.iter().any(|i| path.leads.contains(i))) {
            path.order.push(id);
            path.leads.insert(id);
        }
    }
    path
}

/// Adds `pulled` to what `node` has gathered.
fn accumulate(
    emit: &mut Emit,
    gathered: &mut HashMap<NodeId, NodeId>,
    node: NodeId,
    pulled: NodeId,
) -> Result<()> {
    let sum = match gathered.get(&node) {
        Some(&before) => emit.add(before, pulled)?,
        None => pulled,
    };
    gathered.insert(node, sum);
    Ok(())
}

/// What a rule sees: a node, the cotangent of its result, and which inputs a gradient is wanted for.
struct Step<'s> {
    node: NodeId,
    op: &'s Op,
    inputs: &'s [NodeId],
    cotangent: NodeId,
    wanted: &'s [bool],
}

/// The cotangent of each input; `None` where it is zero or not defined. Those that are not wanted are ignored.
type Pulled = Vec<Option<NodeId>>;

impl Step<'_> {
    /// The one place that says which rule belongs to which primitive.
    fn pull(&self, emit: &mut Emit) -> Result<Pulled> {
        match self.op {
            Op::Unary(op) => elementwise::unary(emit, self, *op),
            Op::Binary(op) => elementwise::binary(emit, self, *op),
            Op::Select => elementwise::select(emit, self),
            Op::Cast(_) | Op::Mark(_) | Op::Cut => Ok(vec![Some(self.cotangent)]),
            Op::Reduce { op, axes } => reduce::reduce(emit, self, *op, axes),
            Op::View(view) => view::view(emit, self, view),
            Op::Contract(axes) => contract::contract(emit, self, axes),
            Op::Gather { axis } => index::gather(emit, self, *axis),
            Op::Scatter { axis, op } => index::scatter(emit, self, *op, *axis),
            Op::Loop(_) | Op::Branch(_) | Op::Part { .. } => {
                Err(Error::new(ErrorKind::Trace, "grad", "no gradient flows through loops and branches yet"))
            }
            Op::Buffer(..)
            | Op::Scalar(_)
            | Op::Constant(_)
            | Op::Iota { .. }
            | Op::Compare(_)
            | Op::Bitcast(_)
            | Op::Detach => Ok(vec![None; self.inputs.len()]),
        }
    }

    /// The cotangent of input `i` by `rule`, if it is wanted.
    fn want(
        &self,
        emit: &mut Emit,
        i: usize,
        rule: impl FnOnce(&mut Emit) -> Result<NodeId>,
    ) -> Result<Option<NodeId>> {
        if self.wanted[i] { rule(emit).map(Some) } else { Ok(None) }
    }
}
