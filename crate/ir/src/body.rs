//! Bodies of regions: the program of a function that was run on placeholders. It is what depends on
//! the placeholders, cut off where the world outside begins.

use crate::HashMap;
use crate::build::ProgramBuilder;
use crate::dtype::DType;
use crate::graph::{Graph, NodeId, NodeSet, NodeValue};
use crate::op::region::is_region;
use crate::op::{Op, View, facts};
use crate::program::{ProgramId, TensorProgram};
use crate::shape::Shape;

/// Operations by which an element of a table of indices is counted anew rather than read.
const MOST_COUNTED: usize = 16;

/// The programs of a region, and what they read from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bodies {
    /// One for each list of results. The leaves of all are the placeholders, then what is captured.
    pub programs: Vec<TensorProgram>,
    /// Nodes from outside, and such as do not depend on a placeholder, but are no numbers of a row
    /// that is cheap to count: they are computed once, before.
    pub captured: Vec<NodeId>,
}

/// The programs that compute each list of `results` from `placeholders`, of what was appended after
/// the age `start`.
pub fn bodies(graph: &Graph, start: u64, placeholders: &[NodeId], results: &[&[NodeId]]) -> Bodies {
    // Whatever repeats a constant is cheaper made anew than read.
    let is_cheap = |op: &Op| {
        let repeats = |view: &View| matches!(view, View::Reshape(_) | View::Expand(_) | View::Permute(_));
        matches!(op, Op::Constant(_) | Op::Iota { .. }) || matches!(op, Op::View(view) if repeats(view))
    };
    let is_whole = |dtype: DType| !dtype.is_float() && !dtype.is_packed();
    let closure = graph.closure(&results.concat(), |node| {
        node.value == NodeValue::Pending && (node.sequence > start || is_cheap(&node.op))
    });
    // Regions read from buffers, which would be written in each iteration.
    let regions = closure.iter().filter(|&&id| is_region(&graph[id].op));
    let read_by_regions: NodeSet = regions.flat_map(|&id| graph[id].inputs.iter().copied()).collect();
    let (mut depends, mut free) = (NodeSet::from_iter(placeholders.iter().copied()), NodeSet::default());
    // How many operations a table of indices takes that depends on no placeholder. A small table
    // is computed where it is read, without a kernel of its own. Sums of floats are not: they
    // might round otherwise there.
    let mut taken: HashMap<NodeId, usize> = HashMap::default();
    for &id in &closure {
        let node = &graph[id];
        if node.value != NodeValue::Pending {
            continue;
        }
        if node.inputs.iter().any(|&input| depends.contains(input)) {
            depends.insert(id);
            continue;
        }
        let is_known = |&input: &NodeId| free.contains(input) || matches!(graph[input].op, Op::Scalar(_));
        let operations = node.inputs.iter().map(|input| taken.get(input).copied().unwrap_or(0));
        let operations = operations.fold(facts(&node.op).cost, usize::saturating_add);
        let is_counted = node.op.is_elementwise()
            && operations <= MOST_COUNTED
            && is_whole(node.dtype)
            && node.inputs.iter().all(|&input| is_whole(graph[input].dtype))
            && !read_by_regions.contains(id);
        if (is_cheap(&node.op) || is_counted) && node.inputs.iter().all(is_known) {
            free.insert(id);
            taken.insert(id, operations);
        }
    }
    let is_inside = |id: NodeId| depends.contains(id) || free.contains(id);
    // What each list needs, and of that what comes from outside.
    let reach = |roots: &[NodeId]| {
        let mut needed: NodeSet = roots.iter().copied().collect();
        for &id in closure.iter().rev().filter(|&&id| is_inside(id)) {
            if needed.contains(id) && !placeholders.contains(&id) {
                graph[id].inputs.iter().for_each(|&input| _ = needed.insert(input));
            }
        }
        needed
    };
    let needed = reach(&results.concat());
    let captured: Vec<NodeId> =
        closure.iter().copied().filter(|&id| needed.contains(id) && !is_inside(id)).collect();
    let program = |roots: &&[NodeId]| {
        let needed = reach(roots);
        let mut builder = ProgramBuilder::default();
        let places = closure.iter().chain(placeholders).map(|id| id.0 as usize + 1).max().unwrap_or(0);
        let mut numbers = vec![None; places];
        for &id in placeholders.iter().chain(&captured) {
            let (op, shape, dtype) = leaf(graph, id);
            numbers[id.0 as usize] = Some(builder.push(op, Vec::new(), shape, dtype));
        }
        for &id in closure.iter().filter(|&&id| needed.contains(id)) {
            if numbers[id.0 as usize].is_some() {
                continue;
            }
            let node = &graph[id];
            builder.site = node.site;
            let of = |input: &NodeId| numbers[input.0 as usize].expect("inputs are older");
            let inputs: Vec<ProgramId> = node.inputs.iter().map(of).collect();
            numbers[id.0 as usize] = Some(match node.op {
                Op::Mark(_) => inputs[0],
                _ => builder.common(node.op.clone(), inputs, node.shape.clone(), node.dtype),
            });
        }
        let mut outputs: Vec<ProgramId> = Vec::new();
        for root in roots.iter() {
            let mut number = numbers[root.0 as usize].expect("results are reached");
            if outputs.contains(&number) {
                // Each result has a place of its own.
                let (shape, dtype) = (graph[*root].shape.clone(), graph[*root].dtype);
                number = builder.push(Op::Cut, vec![number], shape, dtype);
            }
            outputs.push(number);
        }
        builder.whole(outputs)
    };
    Bodies { programs: results.iter().map(program).collect(), captured }
}

/// The leaf that stands for a node.
fn leaf(graph: &Graph, id: NodeId) -> (Op, Shape, DType) {
    let node = &graph[id];
    let op = match node.op {
        Op::Scalar(dtype) => Op::Scalar(dtype),
        _ => Op::Buffer(node.shape.clone(), node.dtype),
    };
    (op, node.shape.clone(), node.dtype)
}
