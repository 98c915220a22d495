//! Stores of a cluster's outputs.

use crate::lower::eval::Evaluator;
use weft_ir::Shape;
use weft_ir::kernel::ExprId;
use weft_ir::program::ProgramId;

/// Computes the nodes where an invocation stands, all of them before any is stored: storing one
/// over a donated leaf must not change what another reads of it.
pub(crate) fn store_all(eval: &mut Evaluator<'_>, nodes: &[ProgramId], at: &[ExprId], shape: &Shape) {
    store_neighbours(eval, nodes, &[at.to_vec()], shape);
}

/// The same at neighbouring places: one, or four from a place that four divides.
pub(crate) fn store_neighbours(
    eval: &mut Evaluator<'_>,
    nodes: &[ProgramId],
    places: &[Vec<ExprId>],
    shape: &Shape,
) {
    let overwrites = places.len() * nodes.len() > 1 && nodes.iter().any(|&node| eval.overwrites(node));
    let values: Vec<Vec<ExprId>> =
        places.iter().map(|at| values_at(eval, nodes, at, shape, overwrites)).collect();
    let flat = eval.b.ravel(&places[0], shape);
    for (number, &node) in nodes.iter().enumerate() {
        let values: Vec<ExprId> = values.iter().map(|here| here[number]).collect();
        eval.store_neighbours(node, flat, &values);
    }
}

/// The values of nodes at a place in `shape`, each node as large; evaluated here where `bound`.
pub(crate) fn values_at(
    eval: &mut Evaluator<'_>,
    nodes: &[ProgramId],
    at: &[ExprId],
    shape: &Shape,
    bound: bool,
) -> Vec<ExprId> {
    let program = eval.program;
    let mut values = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let here = eval.b.regroup(at, shape, &program[node].shape);
        let value = eval.value(node, &here);
        values.push(if bound { eval.b.bind("result", value) } else { value });
    }
    values
}
